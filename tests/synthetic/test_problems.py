"""One table of problems, one set of checks that every family must pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from bounds import generic
from bounds.numbers.validate import InvalidInput, unchecked
from synthetic.problem import Problem
from synthetic.registry import FAMILIES, load_family, make
from tests.each import each


@dataclass(frozen=True)
class Case:
    """A family with data drawn from a generator, for any leading axes."""

    family: str
    data: Callable[[Any, tuple[int, ...]], dict[str, Any]]

    def build(self, seed: int = 1, leading: tuple[int, ...] = ()) -> Problem:
        return make(self.family, self.data(np.random.default_rng(seed), leading))


def eighths(rng: Any, *shape: int, low: int = -16, high: int = 16) -> Any:
    """Multiples of 1/8, so that floats and rationals hold the same numbers."""
    return rng.integers(low, high, size=shape, endpoint=True) / 8


def forms(rng: Any, *shape: int) -> Any:
    """Symmetric positive definite matrices with rational entries."""
    root = eighths(rng, *shape)
    return root @ root.swapaxes(-1, -2) + np.eye(shape[-1])


def quadratic(rng: Any, lead: tuple[int, ...], d: int = 2, **more: Any) -> dict[str, Any]:
    data = {"A": forms(rng, *lead, 3, d, d), "xi": eighths(rng, *lead, 3, d)}
    data["noise_scale"] = eighths(rng, *lead, 3, low=1)
    data["skew"] = eighths(rng, *lead, 3, low=2)
    return data | more


def finite(rng: Any, lead: tuple[int, ...]) -> dict[str, Any]:
    law = {
        "law": "finite",
        "values": np.broadcast_to([2.0, 0.0, -2.0], (3, 3)).copy(),
        "probabilities": np.broadcast_to([0.125, 0.75, 0.125], (3, 3)).copy(),
        "direction": np.broadcast_to([0.0, -1.0], (3, 2)).copy(),
    }
    data = quadratic(rng, lead, **law)
    del data["skew"]
    return data


def streaming(rng: Any, lead: tuple[int, ...]) -> dict[str, Any]:
    return {"H": forms(rng, *lead, 3, 2, 2), "targets": eighths(rng, *lead, 3, 2), "batch": 3}


def table(rng: Any, lead: tuple[int, ...], **more: Any) -> dict[str, Any]:
    X = eighths(rng, *lead, 3, 5, 2)
    X[..., 0, :], X[..., 1, :] = [1, 0], [0, 1]  # full rank whatever the other rows are
    return {"X": X, "y": eighths(rng, *lead, 3, 5), "batch": 2} | more


def shifted(rng: Any, lead: tuple[int, ...], **more: Any) -> dict[str, Any]:
    data = {"height": eighths(rng, *lead, 3, low=4), "centre": eighths(rng, *lead, 3, 2)}
    data["width"] = eighths(rng, *lead, low=4)
    data["noise_scale"] = eighths(rng, *lead, 3, low=1)
    return data | more


def labelled(rng: Any, lead: tuple[int, ...], d: int = 1, **more: Any) -> dict[str, Any]:
    """Long rows, so that a line of a few units meets both flat and steep parts."""
    X = eighths(rng, *lead, 3, 4, d, low=64, high=128)
    y = np.where(rng.random((*lead, 3, 4)) < 0.5, 1.0, -1.0)
    data = {"X": X, "y": y, "optimum": eighths(rng, *lead, 3, d, low=-8, high=8), "batch": 2}
    height = eighths(rng, *lead, 3, low=8)
    return data | {"ridge": eighths(rng, *lead, low=1, high=8), "height": height} | more


def fitted(rng: Any, lead: tuple[int, ...], *, shared: bool = False) -> dict[str, Any]:
    """Long rows whose residuals vanish at the minimisers."""
    data = labelled(rng, lead)
    if shared:
        data["X"] = data["X"][..., :1, :, :] + 0 * data["X"]
    inner = (data["X"] * data["optimum"][..., None, :]).sum(-1)
    return data | {"y": inner}


def growing(rng: Any, lead: tuple[int, ...], **more: Any) -> dict[str, Any]:
    data = {"root": eighths(rng, *lead, 3, 2, 2) + 4 * np.eye(2), "radius": np.full(lead, 1.5)}
    data["targets"] = eighths(rng, *lead, 3, 2)
    return data | {"label_scale": eighths(rng, *lead, 3, low=0)} | more


def parabolas(share: float, *, d: int = 2, **more: Any) -> Callable[..., dict[str, Any]]:
    """Hulls whose first vertex is the minimum, the smallest curvature a share of the largest."""

    def data(rng: Any, lead: tuple[int, ...]) -> dict[str, Any]:
        upper = eighths(rng, *lead, 3, low=8)
        vertex = eighths(rng, *lead, 3, 4, d)
        if more.get("pl"):  # on a line and far enough up, so that no vertex is a minimum
            vertex = vertex[..., :1, :] + np.array([0.0, 1.0, 2.0, -1.0])[:, None]
        else:
            vertex[..., 1, :] = vertex[..., 0, :] + 2 * np.eye(d)[0]  # next to the first
        rise = 0.375 if more.get("pl") else max(share, 0) / (2 * (1 - share))
        away = ((vertex - vertex[..., :1, :]) ** 2).sum(-1)
        height = rise * upper[..., None] * away
        if not more.get("pl"):
            height[..., 2:] += eighths(rng, *lead, 3, 2, low=16, high=32)
        noise = {"noise_scale": eighths(rng, *lead, 3, low=1)}
        return {"upper": upper, "lower": share * upper, "vertex": vertex, "height": height} | (
            noise | more
        )

    return data


CASES = {
    "quadratic": Case("quadratic", quadratic),
    "quadratic-1d": Case("quadratic", lambda r, lead: quadratic(r, lead, d=1)),
    "quadratic-half": Case("quadratic", lambda r, lead: quadratic(r, lead, half=True)),
    "quadratic-gaussian": Case("quadratic", lambda r, lead: quadratic(r, lead, law="gaussian")),
    "quadratic-sphere": Case("quadratic", lambda r, lead: quadratic(r, lead, law="sphere")),
    "quadratic-finite": Case("quadratic", finite),
    "streaming": Case("streaming", streaming),
    "least-squares": Case("least_squares", table),
    "least-squares-half": Case("least_squares", lambda r, lead: table(r, lead, half=True)),
    "least-squares-padded": Case(
        "least_squares", lambda r, lead: table(r, lead, counts=np.array([5, 3, 4]))
    ),
    "logistic": Case("logistic", labelled),
    "log-cosh": Case("log_cosh", fitted),
    "log-cosh-shared": Case("log_cosh", lambda r, lead: fitted(r, lead, shared=True)),
    "growing": Case("growing", growing),
    "growing-sphere": Case("growing", lambda r, lead: growing(r, lead, law="sphere")),
    "pl": Case("pl", shifted),
    "pl-equal-heights": Case("pl", lambda r, lead: shifted(r, lead, height=np.full(3, 1.5))),
    "nonconvex": Case("nonconvex", shifted),
    "double-well": Case("double_well", shifted),
    "parabolas-strongly-convex": Case("parabolas", parabolas(0.5)),
    "parabolas-convex": Case("parabolas", parabolas(0.0)),
    "parabolas-nonconvex": Case("parabolas", parabolas(-1.0)),
    "parabolas-pl": Case("parabolas", parabolas(-0.5, d=1, pl=True)),
    "nonconvex-shared-centre": Case(
        "nonconvex", lambda r, lead: shifted(r, lead, centre=np.ones((3, 2)))
    ),
}
ids = each("case", CASES.values(), ids=CASES.keys())


def as_exact(problem: Problem) -> Problem:
    to_fraction = np.frompyfunc(Fraction, 1, 1)
    return problem.map(lambda x: np.asarray(to_fraction(x), dtype=object))


def points(problem: Problem, count: int = 200, reach: float = 4.0) -> Any:
    rng = np.random.default_rng(7)
    return rng.normal(scale=reach, size=(count, problem.dim))


def close(left: Any, right: Any, tolerance: float = 1e-10) -> None:
    left, right = generic.to_float(left), generic.to_float(right)
    np.testing.assert_allclose(left, right, rtol=tolerance, atol=tolerance * np.abs(right).max())


def test_every_family_has_a_case() -> None:
    rough = {"cuts"}  # has no smoothness to be tested here: tests/verify/claim/test_rough.py
    # their heterogeneity is not known: tests/synthetic/test_profiles.py
    sums = {"profiles", "generalised_profiles", "hoelder_profiles", "cocoercive", "monotone"}
    assert {case.family for case in CASES.values()} | rough | sums == set(FAMILIES)


@ids
def test_gradients_match_finite_differences(case: Case) -> None:
    problem = case.build()
    theta, h = points(problem, 20), 1e-5
    numeric = np.stack(
        [
            (problem.losses(theta + h * e) - problem.losses(theta - h * e)) / (2 * h)
            for e in np.eye(problem.dim)
        ],
        -1,
    )
    # central differences are off by h^2 times a third derivative, plus rounding over h
    close(numeric, problem.gradients(theta), 1e-6)


@ids
def test_optimum_is_a_global_minimum(case: Case) -> None:
    problem = case.build()
    gradient = problem.own_gradients(problem.optimum)
    assert np.abs(gradient).max() <= 1e-12 * np.abs(problem.smoothness).max()
    close(problem.own_losses(problem.optimum), problem.optimal_value, 1e-12)
    close(problem.own_excess(problem.optimum), 0 * problem.optimal_value, 1e-12)
    assert (problem.excess(points(problem)) >= 0).all()


@ids
def test_excess_is_loss_minus_minimum_without_cancellation(case: Case) -> None:
    problem = case.build()
    theta = points(problem)
    close(problem.excess(theta), problem.losses(theta) - problem.optimal_value)
    near = problem.optimum + 1e-12
    curvature_bound = problem.client_smoothness * problem.dim * 1e-24
    # rounding of theta itself moves the error of 1e-12 by less than 0.1 %
    assert (problem.own_excess(near) <= 0.51 * curvature_bound).all()


@ids
def test_smoothness_and_curvature_hold_between_random_points(case: Case) -> None:
    problem = case.build()
    x, y = points(problem), points(problem)[::-1] + 1.0
    step = (y - x)[:, None, :]
    gap = problem.gradients(y) - problem.gradients(x)
    distance = (step**2).sum(-1)
    assert ((gap**2).sum(-1) <= problem.smoothness**2 * distance * (1 + 1e-12)).all()
    bregman = problem.losses(y) - problem.losses(x) - (step * problem.gradients(x)).sum(-1)
    for own, uniform in (
        (problem.client_strong_convexity, problem.strong_convexity),
        (problem.client_smoothness, problem.smoothness),
    ):
        assert own.shape == (problem.clients,)
        assert uniform in own
    slack = 1e-10 * np.abs(problem.losses(y)).max()
    assert (bregman >= problem.client_strong_convexity / 2 * distance - slack).all()
    assert (bregman <= problem.client_smoothness / 2 * distance + slack).all()


@ids
def test_curvature_constants_are_attained(case: Case) -> None:
    """Negative control of the test above: constants 3 % tighter are broken somewhere."""
    problem = case.build()
    grid = np.linspace(-2, 2, 401) * np.max(problem.data.get("width", 1.0))
    axis = np.eye(problem.dim)[0]
    line, h = problem.optimum + grid[:, None, None] * axis, 1e-4 * axis
    if hasattr(problem, "form"):
        eigenvalues = np.linalg.eigvalsh(problem.hessian)
        np.testing.assert_allclose(problem.client_smoothness, eigenvalues[:, -1])
        np.testing.assert_allclose(problem.client_strong_convexity, eigenvalues[:, 0])
        return
    slopes = (problem.own_gradients(line + h) - problem.own_gradients(line - h))[..., 0] / 2e-4
    np.testing.assert_allclose(slopes.max(0), problem.client_smoothness, rtol=0.03)
    slack = 0.03 * problem.smoothness  # the smallest curvature may be zero
    np.testing.assert_allclose(
        slopes.min(0), problem.client_strong_convexity, rtol=0.03, atol=slack
    )


@ids
def test_pl_inequality_holds_on_random_points(case: Case) -> None:
    problem = case.build()
    theta = np.concatenate([points(problem), points(problem, reach=0.5)])
    half_square = (problem.gradients(theta) ** 2).sum(-1) / 2
    bound = problem.client_pl_constant * problem.excess(theta)
    assert (half_square >= bound * (1 - 1e-12) - 1e-12).all()
    assert (problem.pl_constant <= problem.client_pl_constant).all()


@ids
@pytest.mark.parametrize("s", [0.25, 1, 3.0])
def test_heterogeneity_constants_hold_on_random_points(case: Case, s: float) -> None:
    problem = case.build()
    squared_bias, slope = problem.heterogeneity(s)
    shape = (problem.clients, problem.clients)
    assert squared_bias.shape == shape
    assert slope.shape == shape
    assert not np.diagonal(squared_bias).any()
    assert not np.diagonal(slope).any()
    g = problem.gradients(points(problem, 2000))
    gap = ((g[:, :, None] - g[:, None, :]) ** 2).sum(-1)
    bound = squared_bias + slope * (g**2).sum(-1)[:, :, None]
    assert (gap <= bound * (1 + 1e-9)).all()


@ids
@pytest.mark.parametrize("asking", [0, 2])
def test_a_row_of_the_heterogeneity_is_that_of_all(case: Case, asking: int) -> None:
    for problem in (case.build(leading=(4,)), as_exact(case.build())):
        rows = problem.heterogeneity_of(asking, 3)
        for row, whole in zip(rows, problem.heterogeneity(3), strict=True):
            close(row, whole[..., asking, :], 1e-12)


@ids
def test_heterogeneity_constants_are_needed(case: Case) -> None:
    """Negative control: a twentieth of both constants is broken by some point."""
    problem = case.build()
    squared_bias, slope = problem.heterogeneity()
    g = problem.gradients(np.concatenate([points(problem, 2000), problem.optimum]))
    gap = ((g[:, :, None] - g[:, None, :]) ** 2).sum(-1)
    bound = (squared_bias + slope * (g**2).sum(-1)[:, :, None]) / 20
    assert (gap > bound).any()


@ids
def test_noise_has_the_stated_mean_and_variance(case: Case) -> None:
    problem = case.build()
    if problem.law in ("gaussian", "sphere"):
        pytest.skip("no finite support; see the tests of noise and of streaming")
    values, chances = problem.noise_support()
    np.testing.assert_allclose(chances.sum(-1), 1)
    theta = points(problem, 5)
    mean = problem.gradients(theta)
    # one word at a time: all words of a batch are independent copies of the first
    batch = problem.noise_width
    draws = np.broadcast_to(values[..., None], (*values.shape, batch)).swapaxes(0, 1)
    g = problem.stochastic_gradients(theta[:, None], draws)  # (5, S, N, d)
    weight = chances.T[..., None]
    close((weight * g).sum(1), mean)
    variance = (weight[..., 0] * ((g - mean[:, None]) ** 2).sum(-1)).sum(1) / batch
    close(variance, problem.gradient_variance(theta))
    if problem.bounded_variance:
        assert (problem.gradient_variance(theta) <= problem.noise_variance * (1 + 1e-12)).all()


@ids
def test_expand_inserts_axes_and_keeps_values(case: Case) -> None:
    problem = case.build(leading=(4,))
    theta = points(problem, 4)
    before = {name: getattr(problem, name) for name in problem.constant_ranks}
    wide = problem.expand(2)
    assert wide.leading == (4, 1, 1)
    for name, value in before.items():
        rank = problem.constant_ranks[name]
        lead = value.shape[: value.ndim - rank]
        assert getattr(wide, name).shape == (*lead, 1, 1, *value.shape[len(lead) :]), name
    fresh = make(case.family, wide.data)
    many = np.broadcast_to(theta[:, None, None], (4, 3, 2, problem.dim))
    for method in ("losses", "gradients", "excess", "gradient_variance"):
        value = getattr(problem, method)(theta)
        for view in (wide, fresh):
            got = getattr(view, method)(many)
            assert got.shape == (4, 3, 2, *value.shape[1:])
            close(got, np.broadcast_to(value[:, None, None], got.shape))


@ids
def test_leading_axes_are_independent_instances(case: Case) -> None:
    batch = case.build(leading=(4,))
    data = {
        name: x[2] if name in batch.fields and x.ndim > batch.fields[name].rank else x
        for name, x in batch.data.items()
    }
    single = make(case.family, data)
    theta = points(batch, 4)
    close(batch.losses(theta)[2], single.losses(theta[2]))
    for name in batch.constant_ranks:
        value, alone = getattr(batch, name), getattr(single, name)
        if value.ndim > alone.ndim:
            value = value[2]
        close(value, alone)
    for both, alone in zip(batch.heterogeneity(), single.heterogeneity(), strict=True):
        close(both[2] if both.ndim > 2 else both, alone)


@ids
def test_torch_and_exact_values_equal_float_values(case: Case) -> None:
    problem = case.build()
    tensors, exact = problem.map(torch.as_tensor), as_exact(problem)
    theta = np.round(points(problem, 3) * 8) / 8
    rational = np.frompyfunc(Fraction, 1, 1)(theta)
    for method in ("losses", "gradients", "excess", "gradient_variance"):
        value = getattr(problem, method)(theta)
        got = getattr(tensors, method)(torch.as_tensor(theta))
        assert isinstance(got, torch.Tensor)
        close(got, value)
        got = getattr(exact, method)(rational)
        assert got.dtype == object
        close(got, value)
    for name in problem.constant_ranks:
        close(getattr(tensors, name), getattr(problem, name))
        close(getattr(exact, name), getattr(problem, name))
    for ours, other in zip(problem.heterogeneity(), tensors.heterogeneity(), strict=True):
        close(other, ours)
    for ours, other in zip(problem.heterogeneity(), exact.heterogeneity(), strict=True):
        close(other, ours)


@ids
def test_stochastic_gradients_agree_between_number_kinds(case: Case) -> None:
    problem = case.build()
    rng = np.random.default_rng(3)
    theta = np.round(points(problem, 4) * 8) / 8
    u = rng.integers(0, 3, size=(4, problem.clients, problem.noise_width)).astype(float)
    value = problem.stochastic_gradients(theta, u)
    assert value.shape == (4, problem.clients, problem.dim)
    tensors = problem.map(torch.as_tensor)
    close(tensors.stochastic_gradients(torch.as_tensor(theta), torch.as_tensor(u)), value)
    own = problem.own_stochastic_gradients(np.broadcast_to(theta[:, None], value.shape), u)
    close(own, value)
    to_fraction = np.frompyfunc(Fraction, 1, 1)
    exact = as_exact(problem)
    if problem.name == "streaming":
        with pytest.raises(InvalidInput, match="array of floats"):
            exact.stochastic_gradients(to_fraction(theta), to_fraction(u))
        return
    close(exact.stochastic_gradients(to_fraction(theta), to_fraction(u)), value)


@ids
def test_batched_instances_draw_their_own_samples(case: Case) -> None:
    problem = case.build(leading=(2,))
    theta = np.zeros((2, 3, problem.dim))
    shape = (2, 3, problem.clients, problem.noise_width)
    u = np.random.default_rng(5).integers(0, 3, size=shape).astype(float)
    got = problem.expand().stochastic_gradients(theta, u)
    for b in range(2):
        data = {
            n: x[b] if n in problem.fields and x.ndim > problem.fields[n].rank else x
            for n, x in problem.data.items()
        }
        close(make(case.family, data).stochastic_gradients(theta[b], u[b]), got[b])


@ids
def test_units_scale_every_output(case: Case) -> None:
    """Rescale loss by s and length by l: each output scales by its own unit."""
    s, ell = 9.0, 2.0
    problem = case.build()
    scaled = make(
        case.family,
        {
            n: x * s ** float(problem.units[n][0]) * ell ** float(problem.units[n][1])
            if n in problem.fields
            else x
            for n, x in problem.data.items()
        },
    )
    theta = points(problem)
    u = np.ones((problem.clients, problem.noise_width))
    expected = {
        "losses": s,
        "excess": s,
        "gradients": s / ell,
        "gradient_variance": (s / ell) ** 2,
    }
    for method, factor in expected.items():
        close(getattr(scaled, method)(ell * theta), factor * getattr(problem, method)(theta))
    close(
        scaled.stochastic_gradients(ell * theta, u),
        s / ell * problem.stochastic_gradients(theta, u),
    )
    curvature = s / ell**2
    for name in ("smoothness", "strong_convexity", "pl_constant"):
        close(getattr(scaled, name), curvature * getattr(problem, name))
    close(scaled.noise_variance, (s / ell) ** 2 * problem.noise_variance)
    (b, c), (scaled_b, scaled_c) = problem.heterogeneity(), scaled.heterogeneity()
    close(scaled_b, (s / ell) ** 2 * b)
    close(scaled_c, c)


@ids
def test_selecting_clients_permutes_everything(case: Case) -> None:
    problem = case.build()
    order = [2, 0]
    part = problem.select(order)
    theta = points(problem, 3)
    close(part.gradients(theta), problem.gradients(theta)[:, order])
    for ours, other in zip(problem.heterogeneity(), part.heterogeneity(), strict=True):
        close(other, ours[np.ix_(order, order)])
    with pytest.raises(InvalidInput, match=r"clients must be indices in \[0, 3\)"):
        problem.select([3])


@ids
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x: np.full_like(x, np.nan), "must be finite"),
        (lambda x: x[..., None], "must be of size"),
    ],
    ids=["nan", "shape"],
)
def test_bad_fields_are_named(case: Case, change: Any, message: str) -> None:
    data = case.data(np.random.default_rng(1), ())
    name = next(n for n, field in load_family(case.family).fields.items() if field.required)
    with pytest.raises(InvalidInput, match=message):
        make(case.family, data | {name: change(data[name])})


def test_unknown_names_suggest_near_ones() -> None:
    with pytest.raises(InvalidInput, match="did you mean quadratic"):
        load_family("quadratics")
    with pytest.raises(InvalidInput, match="did you mean noise_scale"):
        make("quadratic", {"A": np.ones((1, 1, 1)), "xi": np.ones((1, 1)), "noise_scal": 1})


def test_data_are_not_looked_at_where_checks_are_off() -> None:
    bent = {"A": [[[1.0, 2.0], [0.0, 1.0]]], "xi": [[0.0, 1.0]]}
    with pytest.raises(InvalidInput, match="A must be symmetric"):
        make("quadratic", bent)
    with unchecked():
        assert make("quadratic", bent).clients == 1
    with unchecked(), pytest.raises(InvalidInput, match="data must be fields of the family"):
        make("quadratic", {**bent, "x": 1})


def test_selected_clients_are_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = make("quadratic", {"A": np.ones((2, 1, 1)), "xi": np.ones((2, 1))})
    monkeypatch.setattr(type(problem), "check", lambda self: seen.append(self.clients))
    seen: list[int] = []
    problem.select([1])
    with unchecked():
        assert problem.select([1]).sizes == {"N": 1, "d": 1}
    assert seen == [1]
