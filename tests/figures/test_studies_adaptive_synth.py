"""The synthetic study and the estimator's tables: shared optima, exact rates, honest verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from figures.studies.adaptive.curves import AdaptiveStudy, AlgorithmCurve
from figures.studies.adaptive.estimator_trade import law_table, trade_table
from figures.studies.adaptive.observations import (
    Shape,
    exact_log_rate,
    observations,
    shape,
    table,
)
from figures.studies.adaptive.synth import (
    ALGORITHMS,
    WEAK,
    federation,
    main,
    study,
)
from synthetic.exact.moments import averaged_gradient_map, expected_excess, moments

SEEDS, ROUNDS = 60, 12


@pytest.fixture(scope="module")
def small() -> AdaptiveStudy:
    return study(2, seeds=SEEDS, rounds=ROUNDS)


def test_every_algorithm_starts_at_the_same_distance_from_the_same_optima(
    small: AdaptiveStudy,
) -> None:
    assert {c.name for c in small.curves} == set(ALGORITHMS) == set(WEAK)
    for name in ("mean_log", "band", "log_mean"):
        assert len({getattr(c, name)[0] for c in small.curves}) == 1
    assert all(len(c.mean_log) == ROUNDS + 1 for c in small.curves)


def test_seeds_have_optima_of_their_own() -> None:
    targets = federation(2, 3).optimum
    assert targets.shape == (3, 20, 2)
    assert bool((targets[:, ::2] == targets[:, :1]).all())
    assert float((targets[0] - targets[1]).abs().min()) > 1e-6


@pytest.mark.parametrize(("name", "helpers"), [("Local", 1), ("oracle", 10)])
def test_mean_loss_follows_the_exact_rate(small: AdaptiveStudy, name: str, helpers: int) -> None:
    """Expectation over the noise: the loss shrinks by one factor per round, exactly."""
    curve = small.curve(name)
    rate = exact_log_rate(small.step_size, 2, helpers=helpers)
    drop = np.array(curve.log_mean[:6]) - curve.log_mean[0]
    # 1200 paths of products of random factors: within a half in five rounds
    np.testing.assert_allclose(drop, rate * np.arange(6), atol=0.2)
    wrong = exact_log_rate(small.step_size, 2, helpers=11 - helpers)  # negative control
    assert abs(drop - wrong * np.arange(6)).max() > 0.5


@pytest.mark.parametrize("dim", [2, 10])
@pytest.mark.parametrize("helpers", [1, 10])
def test_exact_rate_is_that_of_the_moment_recursion(dim: int, helpers: int) -> None:
    eta, problem = (
        0.1,
        federation(dim, 1).map(lambda x: x[0] if x.ndim == 3 and x.shape[0] == 1 else x),
    )
    weights = problem.optimum.new_zeros(20)
    weights[: 2 * helpers : 2] = 1 / helpers
    path = moments(averaged_gradient_map(problem, weights, eta), problem.optimum[1] * 0, 3)
    excess = expected_excess(problem, path)[:, 0]
    found = np.log10(float(excess[3] / excess[2]))
    assert found == pytest.approx(exact_log_rate(eta, dim, helpers=helpers), rel=1e-10)


def made(name: str, values: Any) -> AlgorithmCurve:
    path = tuple(float(v) for v in values)
    return AlgorithmCurve(name, path, path, path, (), (), 0.0)


def test_shapes_tell_exponential_power_and_flat_curves_apart() -> None:
    t = np.arange(301)
    line = shape(made("line", -0.04 * t))
    assert line.exponential
    assert not line.saturated
    assert line.late == pytest.approx(-0.04)
    power = shape(made("power", -2 * np.log10(t + 1)))
    assert not power.exponential
    flat = shape(made("flat", np.maximum(-0.1 * t, -3)))
    assert flat.saturated
    deep = shape(made("deep", np.maximum(-0.5 * t, -30)))
    assert deep.usable < 60  # the floor of float64 is no saturation
    assert not deep.saturated


def claims(study: AdaptiveStudy) -> dict[str, bool]:
    return {o.claim.split()[0]: o.reproduced for o in observations(study)}


def ideal() -> AdaptiveStudy:
    """Curves exactly as the paper describes Figure 2b."""
    t = np.arange(401)
    local = -1.5 * np.log10(1 + t / 10)
    curves = dict.fromkeys(("Local", "Ditto", "CoBo", "WGA-BC", "APFL"), local)
    oracle = np.minimum(-0.1 * np.minimum(t, 60), 0) - 3 * np.log10(1 + np.maximum(t - 60, 0) / 60)
    first = np.maximum(-0.1 * t, -4)
    bent = 40.0 + np.maximum(t - 40, 0)
    ahead = first - 1.5 * np.log10(bent / 40)
    curves |= {"All-for-one-bin": ahead, "All-for-one-cont": ahead, "oracle": oracle - 0.01 * t}
    curves["FedAvg"] = 0 * t
    made_up = tuple(made(n, v) for n, v in curves.items())
    made_up = tuple(replace(c, inside=(1.0,) * 400, outside=(0.0,) * 400) for c in made_up)
    return AdaptiveStudy(10, 1, 400, 0.0, 0.125, made_up)


def test_claims_hold_on_curves_that_look_as_claimed_and_fail_one_by_one() -> None:
    found, study_ = claims(ideal()), ideal()
    assert found["FedAvg"]
    assert found["Ditto,"]
    assert found["All-for-one"]  # the last of its two claims, two regimes
    assert found["the"]
    t = np.arange(401)
    faults = {
        "FedAvg": ("FedAvg", -0.05 * t),
        "Ditto,": ("APFL", np.maximum(-1.5 * np.log10(1 + t / 10), -0.5)),
        "the": ("Local", -0.2 * t),
        "All-for-one": ("All-for-one-cont", -0.1 * t),
    }
    for claim, (name, values) in faults.items():
        curves = tuple(
            replace(made(name, values), inside=c.inside, outside=c.outside) if c.name == name else c
            for c in study_.curves
        )
        assert not claims(replace(study_, curves=curves))[claim], claim


def test_table_and_command_line_print_every_algorithm(
    small: AdaptiveStudy, capsys: pytest.CaptureFixture[str]
) -> None:
    text = table(small)
    assert all(name in text for name in ALGORITHMS)
    assert text.count("[yes]") + text.count("[ no]") == 6
    main(["--seeds", "2", "--rounds", "10", "--dim", "2", "--label-variance", "0.1", "--weak"])
    assert "label variance 0.1" in capsys.readouterr().out


def test_study_is_the_same_for_every_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    import figures.studies.adaptive.synth as module

    some = {"All-for-one-cont": ALGORITHMS["All-for-one-cont"], "Local": ALGORITHMS["Local"]}
    left = study(2, seeds=5, rounds=6, algorithms=some)
    monkeypatch.setattr(module, "CHUNK", 1)
    right = study(2, seeds=5, rounds=6, algorithms=some)
    for a, b in zip(left.curves, right.curves, strict=True):
        np.testing.assert_allclose(a.mean_log, b.mean_log, rtol=1e-9)


def test_law_table_switches_off_at_low_signal() -> None:
    rows = {(r.dim, r.signal): r for r in law_table(dims=(2, 10), signals=(0, 1, 64))}
    assert rows[2, 1].plug_in == pytest.approx(0)
    assert rows[10, 0].off > rows[2, 0].off > 0.7
    assert rows[10, 64].off < 1e-6
    assert rows[10, 64].mean == pytest.approx(1, abs=0.05)


def test_more_extra_gradients_keep_more_of_the_cluster() -> None:
    rows = {(r.name, r.b_alpha): r for r in trade_table((1, 16), (4,), seeds=20)}
    assert rows["estimated", 1].inside < rows["estimated", 16].inside < 1
    assert rows["exact ratios", 0].inside == 1
    assert rows["oracle", 0].excess < rows["estimated", 16].excess < rows["Local", 0].excess


def test_bad_input_is_named() -> None:
    with pytest.raises(InvalidInput, match="dim must be one of"):
        study(3)
    with pytest.raises(InvalidInput, match="seeds must be at least 1"):
        federation(2, 0)
    with pytest.raises(InvalidInput, match="name must be one of"):
        AdaptiveStudy(2, 1, 1, 0.0, 0.1, ()).curve("Local")
    assert Shape("x", -1.0, -1.0, -9.0, 0.0, 1.0, 9).exponential
