"""Smallest constants: closed forms against their definition, searches against closed forms."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from bounds.heterogeneity import squared_bias_exact
from bounds.numbers.validate import InvalidInput
from synthetic.problem import Problem
from synthetic.registry import make
from verify.assumptions import (
    ASSUMPTIONS,
    Assessment,
    assess,
    curve,
    decide,
    from_arrays,
    from_functions,
)

A = np.array([[[2.0, 0.3], [0.3, 1.0]], [[1.0, 0.0], [0.0, 3.0]], [[2.0, -0.5], [-0.5, 1.0]]])
XI = np.array([[0.0, 1.0], [1.0, -1.0], [0.5, 0.0]])
NOISE = {"sigma": [1.0, 2.0, 0.5], "noise_scale": [0.5, 2.0, 0.0], "skew": [1.0, 2.0, 0.5]}


def quadratic(**more: Any) -> Problem:
    noise = {name: np.array(value) for name, value in NOISE.items()}
    return make("quadratic", {"A": A, "xi": XI, **noise, "law": "two_point", **more})


QUADRATIC = assess(quadratic())

CLOSED = {"smoothness": 1, "similar hessians": 1, "strong convexity": -1, "PL": -1}
"""Closed forms, and whether the smallest or the largest constant is asked for."""


def as_functions(problem: Problem, scale: Any = float) -> Any:
    """The same losses without their closed forms."""

    def one(k: int) -> Any:
        return lambda x: problem.gradients(x)[k].astype(scale)

    return from_functions(
        [one(k) for k in range(problem.clients)],
        region=(-3, 3),
        dim=problem.dim,
        values=[lambda x, k=k: problem.losses(x)[k] for k in range(problem.clients)],
        minima=problem.optimal_value,
        optima=problem.optimum,
    )


def test_the_closed_forms_of_quadratics() -> None:
    hessian = 2 * A
    values = np.linalg.eigvalsh(hessian)
    assert QUADRATIC["smoothness"].value == pytest.approx(values.max(), rel=1e-12)
    assert QUADRATIC["strong convexity"].value == pytest.approx(values.min(), rel=1e-12)
    assert QUADRATIC["PL"].value == QUADRATIC["strong convexity"].value
    assert QUADRATIC["bounded variance"].value == pytest.approx(4.0)  # the actual noise
    pairs = ((0, 1), (0, 2), (1, 2))
    gaps = [np.abs(np.linalg.eigvalsh(hessian[i] - hessian[k])).max() for i, k in pairs]
    assert QUADRATIC["similar hessians"].value == pytest.approx(max(gaps), rel=1e-12)
    assert all(QUADRATIC[name].exact for name in CLOSED)


def test_a_search_comes_up_to_the_closed_form_and_never_beyond() -> None:
    """Over functions alone: a lower bound of the smallest constant, and a near one."""
    found = assess(as_functions(quadratic()))
    for name, sign in CLOSED.items():
        searched, exact = found[name], QUADRATIC[name]
        assert searched.value is not None
        assert exact.value is not None
        assert not searched.exact
        assert sign * searched.value <= sign * exact.value * (1 + sign * 1e-9)
        assert searched.value == pytest.approx(exact.value, rel=1e-3)
    assert found["function-value bias"].value == QUADRATIC["function-value bias"].value


def test_expected_smoothness_of_additive_noise_is_smoothness() -> None:
    found = QUADRATIC["expected smoothness"]
    assert found.value == pytest.approx(QUADRATIC["smoothness"].value, rel=1e-6)


def test_expected_smoothness_of_sampled_rows_is_larger() -> None:
    """One row at a time: the largest row decides, not the mean."""
    rng = np.random.default_rng(3)
    rows = {"X": rng.normal(size=(1, 5, 2)), "y": rng.normal(size=(1, 5)), "counts": np.array([5])}
    found = assess(make("least_squares", rows))
    smooth, expected = found["smoothness"].value, found["expected smoothness"].value
    assert smooth is not None
    assert expected is not None
    assert expected > 1.5 * smooth
    largest = 2 * (rows["X"][0] ** 2).sum(-1).max()  # of any row's loss, its square or half of it
    assert expected <= largest * (1 + 1e-9)


@pytest.mark.parametrize("pair", [(0, 1), (1, 0), (2, 1)])
def test_the_curve_is_the_smallest_bias_for_each_slope(pair: tuple[int, int]) -> None:
    points = curve(quadratic(), pair=pair)
    assert len(points) > 20
    chosen = list(pair)
    for slope, squared in points[5::5]:
        both = np.array([[0.0, slope], [1e9, 0.0]])
        exact = squared_bias_exact(A[chosen], XI[chosen], both)[0, 1]
        assert squared == pytest.approx(exact, rel=1e-9)
    values = [b for _, b in points]
    assert values == sorted(values, reverse=True)


def test_a_point_of_the_curve_is_attained_and_less_is_refuted() -> None:
    slope = 20.0
    found = decide(quadratic(), "affine dissimilarity", 0.0, slope=slope)
    exact = found.found
    assert decide(quadratic(), "affine dissimilarity", exact * 1.001, slope=slope).holds is True
    lower = decide(quadratic(), "affine dissimilarity", exact * 0.999, slope=slope)
    assert lower.holds is False
    assert attained(lower.witness, slope) == pytest.approx(exact, rel=1e-9)


def attained(witness: Any, slope: float) -> float:
    """What b^2 must be at a witness, from the definition."""
    i, k = witness["clients"]
    slopes = quadratic().gradients(np.array(witness["point"]))
    return float(((slopes[i] - slopes[k]) ** 2).sum() - slope * (slopes[i] ** 2).sum())


@pytest.mark.parametrize("stated", [1.0, 1e6])
def test_where_no_bias_serves_a_far_point_says_so(stated: float) -> None:
    assert QUADRATIC["affine dissimilarity"].value is None
    assert "c must be above" in QUADRATIC["affine dissimilarity"].reason
    found = decide(quadratic(), "affine dissimilarity", stated, slope=0.5)
    assert found.holds is False
    assert attained(found.witness, 0.5) > stated


STATED = {**CLOSED, "bounded variance": 1, "function-value bias": 1}


@pytest.mark.parametrize("name", STATED)
def test_a_stated_constant_is_decided(name: str) -> None:
    sign = STATED[name]
    value = QUADRATIC[name].value
    assert value is not None
    enough, short = value * (1 + sign * 0.01), value * (1 - sign * 0.01)
    assert decide(quadratic(), name, enough).holds in (True, None)
    assert decide(quadratic(), name, value).holds is not False  # the true constant is not accused
    assert decide(quadratic(), name, short).holds is False


def test_the_witness_of_similar_hessians_attains_the_constant() -> None:
    found = QUADRATIC["similar hessians"]
    assert found.witness is not None
    i, k = found.witness["clients"]
    x, y = (quadratic().gradients(np.array(point)) for point in found.witness["points"])
    assert np.linalg.norm((x[i] - x[k]) - (y[i] - y[k])) == pytest.approx(found.value)


def test_a_witness_carries_the_accusation_by_itself() -> None:
    found = decide(as_functions(quadratic()), "smoothness", 5.0)
    assert found.holds is False
    assert found.witness is not None
    x, y = map(np.array, found.witness["points"])
    (k,) = found.witness["clients"]
    change = np.linalg.norm(quadratic().gradients(x)[k] - quadratic().gradients(y)[k])
    assert change > 5.0 * np.linalg.norm(x - y)


@pytest.mark.parametrize("scale", [np.float64, np.float32])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_rounding_accuses_nobody(scale: Any, offset: float) -> None:
    """A gradient that is 3x up to the rounding of its type, far from the origin of its values."""
    source = from_functions([lambda x: (3 * x + offset).astype(scale)], region=(-1, 1), dim=2)
    assert decide(source, "smoothness", 3.0).holds is not False
    assert decide(source, "strong convexity", 3.0).holds is not False
    if offset == 0:
        assert decide(source, "smoothness", 2.9).holds is False


def test_arrays_speak_for_their_points_alone() -> None:
    points = np.array([[0.0], [1.0], [3.0]])
    source = from_arrays(points, 2 * points, values=points**2, minima=[0.0])
    found = assess(source)
    assert found["smoothness"].value == pytest.approx(2)
    assert found["PL"].value == pytest.approx(2)
    assert found["bounded variance"].value is None
    draws = np.stack([2 * points[:, None], 4 * points[:, None]])
    noisy = from_arrays(points, 3 * points, samples=draws)
    assert assess(noisy)["bounded variance"].value == pytest.approx(9)  # at x = 3: (6 +- ...)^2
    assert "at the 3 points given" in str(decide(source, "smoothness", 3.0))
    assert decide(source, "smoothness", 3.0).holds is None


def test_a_table_prints_and_goes_to_json() -> None:
    text = str(QUADRATIC)
    assert len(text.splitlines()) == 1 + len(ASSUMPTIONS)
    assert isinstance(QUADRATIC, Assessment)
    assert list(QUADRATIC) == list(ASSUMPTIONS)
    raw = json.loads(json.dumps(QUADRATIC.to_json(), allow_nan=False))
    assert raw["constants"][0]["assumption"] == "smoothness"
    with pytest.raises(KeyError):
        QUADRATIC["none"]


def functions_of(gradient: Any, region: Any = (-1, 1)) -> Any:
    return from_functions([gradient], region=region, dim=2)


@pytest.mark.parametrize(
    ("make_it", "message"),
    [
        (lambda: functions_of(lambda x: x, (1, -1)), "region must be a box with low < high"),
        (lambda: functions_of(lambda x: x[0]), "gradient of client 0 must be of the shape"),
        (lambda: functions_of(lambda x: 1 / 0), "gradient of client 0 must take a point, got Zero"),
        (lambda: functions_of(lambda x: x * np.nan), "gradient of client 0 must be finite"),
        (lambda: from_arrays([[0.0]], [[1.0, 2.0]]), "gradients must be of the shape"),
        (lambda: assess("quadratic"), "source must be a problem, gradients as functions"),
        (lambda: decide(quadratic(), "smothness", 1.0), "got 'smothness': did you mean smoothness"),
        (lambda: decide(functions_of(lambda x: x), "PL", 1.0), "source for PL must be one that"),
    ],
)
def test_bad_input_is_named(make_it: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make_it()
