"""Constants, forecasts, intervals and held-out runs of clients that bring their own tables."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from algorithms.collaboration.constants import federation_constants, group_constants
from algorithms.collaboration.forecast import Forecast, PhiRule, best_point, forecast
from algorithms.collaboration.intervals import resampled_intervals
from algorithms.collaboration.tables import ClientTables, split_table
from algorithms.collaboration.trial import held_out_trial
from bounds.heterogeneity import mismatch, squared_bias_exact
from bounds.numbers.validate import InvalidInput
from bounds.sufficient import sufficient_ratio_best


def _tables(
    rows: int = 60, seed: int = 0, *, apart: float = 0.3, logistic: bool = False, clients: int = 3
) -> ClientTables:
    """Clients with Gaussian rows in three dimensions whose models lie on a line."""
    rng = np.random.default_rng(seed)
    X, y = [], []
    for k in range(clients):
        table = rng.normal(size=(rows + 5 * k, 3)) * (1 + 0.1 * k)
        model = np.array([1.0, -0.5 + apart * k, 0.25])
        label = table @ model + 0.5 * rng.normal(size=len(table))
        X.append(table)
        y.append(np.where(label > 0, 1.0, -1.0) if logistic else label)
    names = tuple("abcdefgh"[:clients])
    return ClientTables(names, tuple(X), tuple(y), "logistic" if logistic else "least squares", 0.1)


def _columns(rows: int = 90, seed: int = 3) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    u, v = rng.normal(size=(2, rows))
    return {
        "place": [("north", "south", "west")[j % 3] for j in range(rows)],
        "u": u,
        "v": v,
        "y": u - v + rng.normal(size=rows),
        "word": ["text"] * rows,
    }


# -- tables ------------------------------------------------------------------------------


def test_padding_does_not_count() -> None:
    """Unequal tables in one federation give each client's own loss, gradient and noise."""
    for tables in (_tables(), _tables(logistic=True)):
        problem: Any = tables.problem(2)
        theta = np.array([0.3, -1.0, 0.7])
        for k in range(tables.clients):
            alone: Any = tables.merged([k]).problem(2)
            for name in ("losses", "gradients", "excess", "gradient_variance"):
                together = getattr(problem, name)(theta)[k]
                np.testing.assert_allclose(together, getattr(alone, name)(theta)[0], rtol=1e-9)
            np.testing.assert_allclose(problem.optimum[k], alone.optimum[0], rtol=1e-8)
            assert problem.rows[k] == len(tables.y[k])


def test_halves_share_no_row_and_lose_none() -> None:
    columns = _columns()
    columns["u"] = np.arange(90.0)
    halves = split_table(columns, "place", "y", features=["u", "v"])
    assert halves.estimate.names == ("north", "south", "west")
    # coordinates are one affine map of the features, so equal rows would stay equal
    seen = [tuple(row) for half in (halves.estimate, halves.held_out) for X in half.X for row in X]
    assert len(seen) == len(set(seen)) == 90


def test_coordinates_come_from_the_first_half_alone() -> None:
    """The first half is white; changing held-out rows changes nothing in it."""
    columns = _columns()
    halves = split_table(columns, "place", "y", features=["u", "v"])
    X = np.concatenate(halves.estimate.X)
    np.testing.assert_allclose(X.T @ X / len(X), np.eye(3), atol=1e-12)
    untouched = 0
    for row in range(90):
        other = {**columns, "v": columns["v"].copy()}
        other["v"][row] += 5
        again = split_table(other, "place", "y", features=["u", "v"])
        untouched += all(map(np.array_equal, halves.estimate.X, again.estimate.X))
    assert untouched == 45


def test_clients_too_small_are_named() -> None:
    columns = _columns()
    columns["place"] = ["few" if j < 7 else "many" if j % 2 else "more" for j in range(90)]
    halves = split_table(columns, "place", "y", features=["u", "v"])
    assert halves.left_out == {"few": 7}
    assert halves.estimate.names == ("many", "more")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"client": "nowhere"}, "column must be one of"),
        ({"features": ["u", "word"]}, "column word must be of different words, got text"),
        ({"features": ["u", "y"]}, "features must be without y"),
        ({"target": "place"}, "another column"),
        ({"client": "u", "features": ["v"]}, "--clients N"),
        ({"client": "u", "groups": 1, "features": ["v"]}, "clients must be in"),
        ({"client": "u", "groups": 20, "features": ["v"]}, "at least two with 8 rows"),
        ({"model": "logistic"}, "of two values"),
        ({"features": ["u", "twice"]}, "linearly independent"),
        ({"features": ["u", "one"]}, "not constant, got one"),
        ({"features": ["u", "endless"]}, "column endless must hold numbers, got 'inf'"),
        ({"features": ["u", "lost"]}, "columns must be with values, got lost"),
    ],
)
def test_bad_tables_are_refused(change: dict[str, Any], words: str) -> None:
    columns = _columns()
    columns |= {"twice": 2 * columns["u"] + 1, "one": np.ones(90)}
    columns["endless"] = np.where(np.arange(90) == 4, np.inf, 1.0)
    columns["lost"] = np.full(90, np.nan)
    given: dict[str, Any] = {"client": "place", "target": "y", "features": ["u", "v"]} | change
    with pytest.raises(InvalidInput, match=words):
        split_table(columns, **given)


# -- constants ---------------------------------------------------------------------------


def test_the_curve_contains_the_best_closed_form() -> None:
    """On the grid of slopes 1 - b^2/(2 mu eps) - c comes near its closed-form maximum."""
    tables = _tables(4000, apart=0.1)
    constants = federation_constants(tables)
    problem: Any = tables.problem()
    pair = mismatch(problem.form, -problem.optimum, half=True)
    # the closed form splits v and M g by the triangle inequality: never above the sharp value
    lower = sufficient_ratio_best(pair.shift, pair.spread, constants.mu, np.float64(0.5))
    found = best_point(constants, 0.5)[2]
    assert (found >= lower * 0.995).all()
    assert 0 < lower[0, 1] < 1


def test_bias_and_slope_hold_for_every_model() -> None:
    tables = _tables()
    constants = federation_constants(tables)
    problem: Any = tables.problem()
    theta = np.random.default_rng(5).normal(size=(500, 3)) * 3
    gradients = problem.expand(1).gradients(theta)
    for i in range(3):
        own = gradients[:, [i]]
        gap = ((gradients - own) ** 2).sum(-1)
        most = constants.squared_bias[:, i] + constants.slope[:, i] * (own**2).sum(-1)[:, None, :]
        assert (gap[:, None] <= most * (1 + 1e-9)).all()
        assert (gap[:, None] > most * 0.5).any()  # a bound of the right size


def test_another_program_finds_the_same_curve() -> None:
    """The assumption checker solves for the smallest b^2 by itself."""
    from verify.assumptions import curve, from_problem

    tables = _tables()
    constants = federation_constants(tables)
    source = from_problem(tables.problem())
    for i, k in ((0, 1), (2, 0)):
        slopes = constants.slope[5::10, i, k]
        other = dict(curve(source, pair=(i, k), slopes=slopes))
        assert len(other) == len(slopes)
        np.testing.assert_allclose(
            [other[c] for c in slopes], constants.squared_bias[5::10, i, k], rtol=1e-6
        )


def test_sampled_constants_stay_on_their_side() -> None:
    """More models find larger b and smaller mu; smoothness and variance bound every model."""
    tables = _tables(logistic=True)
    constants = federation_constants(tables, batch=4)
    problem: Any = tables.problem(4)
    assert not constants.exact
    # convexity of the loss, and PL on the set that contains the points, is no worse than the ridge
    assert (constants.mu >= constants.convexity).all()
    assert (constants.convexity > tables.ridge).all()
    theta = np.random.default_rng(1).normal(size=(200, 3))
    noise = problem.expand(1).gradient_variance(theta)
    assert (noise <= constants.sigma2).all()
    assert (constants.mu <= constants.smoothness).all()


def test_curvature_is_that_of_the_gradients() -> None:
    """Along every direction the gradients of sampled models part at least that fast."""
    tables = _tables(logistic=True)
    constants = federation_constants(tables)
    problem: Any = tables.problem()
    for i in range(3):
        base = problem.optimum[i]
        moved = base + 1e-5 * np.eye(3)
        change = problem.expand(1).gradients(moved)[:, i] - problem.gradients(base)[i]
        curvature = np.linalg.eigvalsh((change + change.T) / 2e-5)[0]
        assert constants.convexity[i] <= curvature * (1 + 1e-3)
        assert constants.convexity[i] >= curvature / 10


def test_noise_bound_holds_where_the_runs_are() -> None:
    tables = _tables()
    constants = federation_constants(tables, batch=2)
    problem: Any = tables.problem(2)
    rng = np.random.default_rng(2)
    for i in range(3):
        sizes, axes = np.linalg.eigh(problem.form[i])
        u = rng.normal(size=(400, 3))
        u *= np.sqrt(2 * constants.start_excess[i]) / np.linalg.norm(u, axis=1, keepdims=True)
        theta = problem.optimum[i] + u @ (axes / np.sqrt(sizes)).T
        assert np.allclose(problem.expand(1).excess(theta)[:, i], constants.start_excess[i])
        noise = problem.expand(1).gradient_variance(theta)
        assert (noise <= constants.sigma2).all()
        assert (noise.max(0) > constants.sigma2 / 20).any()  # a bound of the right size


def test_group_excess_is_bounded_by_floor_and_transfer() -> None:
    for tables in (_tables(), _tables(logistic=True)):
        group = group_constants(tables, (0, 2))
        problem: Any = tables.problem()
        merged: Any = tables.merged([0, 2]).problem()
        theta = np.random.default_rng(3).normal(size=(300, 3)) * 0.4
        room = np.sqrt(merged.expand(1).excess(theta)[:, [0]])
        excess = np.sqrt(problem.expand(1).excess(theta))
        limit = np.sqrt(group.floor) + np.sqrt(group.transfer) * room
        assert (excess <= limit * (1 + 1e-9)).all()
        assert group.shares[1] == 0
        assert group.shares.sum() == pytest.approx(1)


# -- forecasts ---------------------------------------------------------------------------


def test_equal_clients_share_everything() -> None:
    """With one table for all, r = 1, and N helpers divide the noise by N."""
    one = _tables(clients=1)
    tables = ClientTables(("a", "b", "c"), one.X * 3, one.y * 3, one.model, one.ridge)
    found = forecast(tables, np.array([0.02]))
    np.testing.assert_allclose(found.ratio, 1, atol=1e-9)
    assert found.members.all()
    speed = found.alone / found.all_for_one
    assert (speed > 2.5).all()
    assert (speed <= 3.05).all()  # whole rounds, and smaller first steps that are deducted
    assert found.grouping.groups == (("a", "b", "c"),)
    assert (found.alone / found.grouped > 2.5).all()
    assert found.apart[0] / found.together[0] == pytest.approx(3, rel=0.01)


def test_far_clients_share_nothing_at_high_precision() -> None:
    found = forecast(_tables(apart=6.0), np.array([1e-3]), tradeoff=1e6)
    others = ~np.eye(3, dtype=bool)
    assert (found.ratio[0][others] == 0).all()
    assert not found.members[0][others].any()
    # a step size for all ratios that might occur is smaller than that of nobody: at most rounding
    np.testing.assert_allclose(found.all_for_one, found.alone, rtol=0.05)
    assert len(found.grouping.groups) == 1  # alpha wants everybody together
    assert np.isinf(found.grouped).all()  # where no precision below the floor is reached
    np.testing.assert_array_equal(found.mixing[0], np.eye(3))


def test_higher_precision_takes_more_rounds_and_smaller_clusters() -> None:
    found = forecast(_tables(2000, apart=0.05), np.array([0.2, 0.05, 0.01]))
    assert (np.diff(found.ratio, axis=0) <= 1e-12).all()
    for rounds in (found.alone, found.all_for_one, found.grouped, found.together):
        assert (np.diff(rounds, axis=0) >= 0).all()


def test_binary_rule_needs_a_threshold() -> None:
    found = forecast(_tables(2000, apart=0.05), np.array([0.2]), rule=PhiRule("binary", 0.5))
    inside = found.ratio >= 0.5
    np.testing.assert_array_equal(found.members, inside)
    for bad in (None, 0.0, 1.5):
        with pytest.raises(InvalidInput, match="threshold must be in"):
            PhiRule("binary", bad)


# -- intervals ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "same"), [(60, False), (300, False), (60, True)])
def test_intervals_cover_the_population(rows: int, same: bool) -> None:
    """At least the nominal level, within four standard errors of 60 tables."""
    d, eps, trials = 3, 0.05, 60
    roots = np.stack([np.ones(d), np.ones(d) if same else np.array([1.2, 1.0, 0.8])])
    optimum = np.array([[0.5, 0.3, 0.0], [0.5, 0.3, 0.0] if same else [0.4, 0.4, 0.2]])
    A = np.stack([np.diag(root**2) for root in roots])
    grid = 1 + np.geomspace(1e-3, 1e3, 99)[:, None, None]
    slope = mismatch(A, -optimum, half=True).spread * grid
    square = squared_bias_exact(A, -optimum, slope, half=True)[:, 0, 1]
    loss = square / (2 * roots[0].min() ** 2 * eps) + slope[:, 0, 1]
    at = loss.argmin()
    truth = {"bias": np.sqrt(square[at]), "slope": slope[at, 0, 1], "ratio": max(0.0, 1 - loss[at])}
    rng = np.random.default_rng(11)
    covered = dict.fromkeys(truth, 0)
    for trial in range(trials):
        X = [rng.normal(size=(rows, d)) * root for root in roots]
        y = [x @ o + 0.7 * rng.normal(size=rows) for x, o in zip(X, optimum, strict=True)]
        tables = ClientTables(("a", "b"), tuple(X), tuple(y), "least squares", 0.1)
        found = resampled_intervals(tables, np.array([eps]), resamples=50, seed=trial)
        for name, value in truth.items():
            low, high = getattr(found, name)[:, 0, 0, 1]
            covered[name] += low - 1e-9 <= value <= high + 1e-9
    least = 0.95 - 4 * np.sqrt(0.95 * 0.05 / trials)
    assert all(count / trials >= least for count in covered.values()), covered


def test_intervals_tell_far_clients_apart() -> None:
    """Two clients that differ have an interval of b above zero; a level of its own is narrower."""
    near = resampled_intervals(_tables(300, apart=0.0), np.array([0.05]), resamples=30)
    far = resampled_intervals(_tables(300, apart=2.0), np.array([0.05]), resamples=30)
    assert far.bias[0, 0, 0, 2] > 0
    assert near.bias[0, 0, 0, 1] == 0
    assert (far.bias[0] <= far.bias[1]).all()
    assert (far.ratio[0] <= far.ratio[1]).all()
    narrow = resampled_intervals(_tables(300, apart=2.0), np.array([0.05]), resamples=30, level=0.5)
    assert (narrow.bias[1] <= far.bias[1] + 1e-12).all()


# -- held-out runs -----------------------------------------------------------------------


def _tried(tables: ClientTables, changed: Any = None, **settings: Any) -> tuple[Forecast, Any]:
    found = forecast(tables, np.array([0.3, 0.1]), batch=4)
    if changed is not None:
        found = changed(found)
    return found, held_out_trial(found, tables, batch=4, runs=32, **settings)


def test_predictions_come_true_on_the_federation_that_they_are_made_for() -> None:
    found, tried = _tried(_tables(), most_rounds=400)
    assert tried.reached["all for one"].shape == (2, 3, 32)
    assert tried.reached["all for all"].shape == (2, 1, 32)
    for method in ("alone", "all for one"):
        for p in range(2):
            for i in range(3):
                assert tried.missed(method, p, i).mean() <= 0.5
    np.testing.assert_allclose(tried.start_excess, found.constants.start_excess)


def test_alone_does_not_depend_on_the_others() -> None:
    """The same draws and steps without the other clients' tables: the same rounds."""
    tables = _tables(clients=2)
    _, tried = _tried(tables, most_rounds=200)
    other = ClientTables(
        tables.names,
        (tables.X[0], -3 * tables.X[1]),
        (tables.y[0], tables.y[1] + 1),
        tables.model,
        tables.ridge,
    )
    _, again = _tried(other, most_rounds=200)
    np.testing.assert_array_equal(tried.reached["alone"][:, 0], again.reached["alone"][:, 0])
    assert not np.array_equal(tried.reached["group"][:, 0], again.reached["group"][:, 0])


def test_a_longer_cap_keeps_what_was_reached() -> None:
    _, short = _tried(_tables(), most_rounds=40)
    _, long = _tried(_tables(), most_rounds=400)
    for method, first in short.reached.items():
        seen = np.isfinite(first)
        np.testing.assert_array_equal(first[seen], long.reached[method][seen])


def test_a_promise_a_hundred_times_too_good_is_missed() -> None:
    def shortened(found: Forecast) -> Forecast:
        return dataclasses.replace(found, alone=np.ones_like(found.alone))

    found = forecast(_tables(), np.array([1e-3]))
    tried = held_out_trial(shortened(found), _tables(), runs=32, most_rounds=20)
    assert tried.missed("alone", 0, 0).mean() == 1
