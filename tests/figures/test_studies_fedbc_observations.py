"""Measures and claims of FedBC's study, on runs made up so that the answers are known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from figures.studies.fedbc.measures import OURS, Measures, extremes, measure
from figures.studies.fedbc.observations import devices, training, users
from figures.studies.fedbc.setup import METHODS, Setup
from figures.studies.fedbc.synthetic import FedBCStudy, Trained

R, T, N = 2, 20, 4
SETUP = Setup(clients=N, sampled=2, rounds=T, epochs=(1, 5), seeds=(1, 2), every=5)
SIZES = np.array([[10, 400, 20, 300], [500, 30, 40, 50]])


def sampled() -> Any:
    """Devices 0 and 1 in even rounds, 2 and 3 in odd ones."""
    mask = np.zeros((R, T, N))
    mask[:, ::2, :2] = 1
    mask[:, 1::2, 2:] = 1
    return mask


def trained(method: str) -> Trained:
    """FedBC is best at everything, FedAvg leaves the min user at 0."""
    ours = method in OURS
    loss = np.tile(np.linspace(2.3, 0.1 if ours else 0.5, 5), (R, 1))
    accuracy = np.full((R, T + 1), 0.9 if ours else 0.8)
    accuracy[1] -= 0.05
    by_device = np.full((R, T + 1, N), 0.9 if ours else 0.8)
    if not ours:
        smaller = np.array([[0, 2], [1, 2]])  # of each sampled pair
        for r in range(R):
            by_device[r][:, smaller[r]] = 0.0
            by_device[r][:, [k for k in range(N) if k not in smaller[r]]] = 1.0
    by_size = sampled() * SIZES[:, None]
    shares = sampled() / 2 if ours else by_size / by_size.sum(-1, keepdims=True)
    path = np.ones((R, T + 1, N)) - 0.5 ** np.arange(T + 1)[:, None]
    local = np.full((R, N), 0.6)
    return Trained(loss, accuracy, by_device, local, shares, path if ours else np.empty(0))


def study() -> FedBCStudy:
    runs = {(m, e): trained(m) for m in METHODS for e in SETUP.epochs}
    return FedBCStudy(SETUP, SIZES, sampled(), {}, runs, 0.0)


def test_min_and_max_user_are_those_of_the_sampled_pair() -> None:
    low, high = extremes(study(), np.broadcast_to(SIZES[:, None], (R, T, N)))
    assert (low[0, ::2] == 10).all()
    assert (high[0, ::2] == 400).all()
    assert (low[0, 1::2] == 20).all()
    assert (high[1, ::2] == 500).all()
    assert (low[1, 1::2] == 40).all()


def test_measures_of_known_runs() -> None:
    seen = measure(study())
    fedavg, ours = METHODS.index("fedavg"), METHODS.index("fedbc")
    assert (seen.user_gap[fedavg] == 100).all()
    assert (seen.user_zero[fedavg] == 100).all()
    assert (seen.user_gap[ours] == 0).all()
    assert (seen.share_gap == 0).all()
    assert (seen.caught == 100).all()
    np.testing.assert_allclose(seen.variance[fedavg], 2500)
    np.testing.assert_allclose(seen.accuracy[ours], [[90, 85]] * 2)
    np.testing.assert_allclose(seen.local, 60)
    assert (seen.early == 100).all()
    assert seen.noted.tolist() == [0, 5, 10, 15, 20]
    # a quarter each; by size 1.4, 54.8, 2.7, 41.1 and 80.6, 4.8, 6.5, 8.1 per cent
    assert (seen.small_more == 100).all()
    assert (seen.large_less == 100).all()


def test_claims_hold_on_runs_made_for_them() -> None:
    seen = measure(study())
    found = [*training(seen, [seen]), *users(seen), *devices(seen)]
    assert {o.claim for o in found if not o.reproduced} == {"FedAvg plateaus early at E=5"}
    assert len({o.claim for o in found}) == len(found) - len(OURS)  # the same federation twice


def test_claims_fall_when_the_methods_change_places() -> None:
    """Negative control: FedBC's numbers with those of the others."""
    seen = measure(study())
    worse: dict[str, Any] = {}
    for name in ("loss", "accuracy", "variance", "user_gap", "user_worst", "user_zero"):
        worse[name] = getattr(seen, name)[::-1].copy()
    for name in ("share_gap", "caught", "small_more", "large_less", "early"):
        worse[name] = 50 - getattr(seen, name) / 2
    worse["share_gap"] = np.full_like(seen.share_gap, 0.9)
    swapped: Measures = replace(seen, **worse)
    found = [*training(swapped), *users(swapped), *devices(swapped)]
    assert [o.claim for o in found if o.reproduced] == []


def test_a_curve_that_rises_again_diverges() -> None:
    seen = measure(study())
    wide = replace(seen, epochs=np.array([5, 25]))
    assert not next(o for o in training(wide) if "SCAFFOLD diverges" in o.claim).reproduced
    loss = seen.loss.copy()
    loss[METHODS.index("scaffold"), 1, -1] = 3.0
    risen = next(o for o in training(replace(wide, loss=loss)) if "SCAFFOLD diverges" in o.claim)
    assert risen.reproduced
    assert "E=25 ends" in risen.measured
