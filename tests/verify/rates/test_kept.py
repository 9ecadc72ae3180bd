"""What is found along a run once serves every horizon, and nothing else does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from synthetic import drawn
from tests.verify.rates.planted import ONE, rate
from verify.claim import Array
from verify.rates import kept as kept_module
from verify.rates.curve import curve
from verify.rates.many import together
from verify.rates.record import Rate
from verify.rates.seen import Seen, followed, until, worlds
from verify.statements.adaptive import quantities, theorem1
from verify.world.noise_plan import AllOutcomes, Samples
from verify.world.world import World

TIMES = (1, 2, 5, 12)
PLAN = Samples(7, 6)
WIDE = rate(theorem1.direction, "quadratics")
EXACT = rate(theorem1.direction, ONE)


def on(one: Rate, law: str) -> Rate:
    return replace(one, cells=({"N": 3, "d": 2, "law": law, "phi": "continuous"},))


@pytest.mark.parametrize("law", drawn.LAWS)
def test_every_horizon_sees_what_a_run_of_its_own_would(law: str) -> None:
    one = on(WIDE, law)
    batch = together(one, (0, 1, 2), seed=4)
    for t, seen in worlds(one, batch, TIMES, PLAN):
        alone = World(until(batch, t), "float64", PLAN, one.claim.defines)
        for name in ("squared_gradient", "squared_gap", "alpha", "effective", "limit"):
            found, own = (getattr(quantities.on_path(w), name) for w in (seen, alone))
            np.testing.assert_allclose(found, own, rtol=1e-12)


def test_pieces_do_not_change_a_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    for one in (WIDE, EXACT):
        batch = together(replace(one, cells=one.cells[1:2]), (0, 1), seed=0)
        whole = curve(one, batch, TIMES, PLAN)
        monkeypatch.setattr(kept_module, "AT_ONCE", 1)
        cut = curve(one, batch, TIMES, PLAN)
        monkeypatch.undo()
        np.testing.assert_allclose(cut.left, whole.left, rtol=1e-12)
        np.testing.assert_allclose(cut.right, whole.right, rtol=1e-12)


def test_a_rule_that_reads_the_horizon_is_not_taken_over() -> None:
    """Negative control: what one horizon found is wrong at every other."""

    def of_the_horizon(w: World, theta: Array) -> Array:
        return w.symbol("rounds") + 0 * theta[..., 0]

    one = on(WIDE, "gaussian")
    for t, seen in worlds(one, together(one, (0, 1), seed=1), TIMES, PLAN):
        found = seen.pathwise(of_the_horizon)
        assert found.shape[2] == t
        assert (found == t).all()


def test_a_path_is_evaluated_once_for_all_horizons() -> None:
    """And its two ends at each of them."""
    seen: list[int] = []

    def counted(w: World, theta: Array) -> quantities.Along:
        seen.append(theta.shape[2])
        return quantities.along(w, theta)

    one = on(WIDE, "sphere")
    times = (1, 2, 5, 10, 20, 50, 100)
    for _, world in worlds(one, together(one, (0, 1), seed=3), times, PLAN):
        world.pathwise(counted)
    assert sum(seen) <= times[-1] + 2 * len(times) < sum(times)


def test_a_changed_symbol_is_seen() -> None:
    one = on(WIDE, "gaussian")
    for _, seen in worlds(one, together(one, (0, 1), seed=1), TIMES, PLAN):
        before = seen.pathwise(quantities.along).effective
        changed = seen.with_changed({"sigma2": 4 * seen.symbol("sigma2")})
        np.testing.assert_allclose(changed.pathwise(quantities.along).effective, 4 * before)


def test_points_have_the_moments_of_the_recursion() -> None:
    """Axis by axis, as the rate says, and round by round, as any other rule is followed."""
    one = replace(EXACT, cells=({**EXACT.cells[3], "d": 4},))
    batch = until(together(one, range(5), seed=2), 60)
    rule = one.affine_map
    assert rule is not None
    plain = replace(one, affine_map=lambda w: lambda t: rule(w)(t))
    found = []
    for way in (one, plain):
        world = World(batch, "float64", AllOutcomes(), way.claim.defines)
        kept = followed(way, world)
        assert Seen(way, batch, AllOutcomes(), kept).problem is world.problem
        theta = kept.path.theta  # (B, R, T + 1, d)
        mean = theta.mean(axis=1)
        away = theta - mean[:, None]
        found.append((mean, np.einsum("brti,brtj->btij", away, away) / theta.shape[1]))
    (mean, spread), (plain_mean, plain_spread) = found
    reach = np.abs(plain_mean).max(axis=-1, keepdims=True)
    assert (np.abs(mean - plain_mean) <= 1e-10 * reach).all()
    size = np.abs(plain_spread).max(axis=(-1, -2), keepdims=True)
    seen = 1e-14 * reach[..., None]  # digits of the points around which they spread
    assert (np.abs(spread - plain_spread) <= 1e-10 * size + seen**2).all()
