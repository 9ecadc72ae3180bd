"""The one primitive: sides, relations, outcomes, moved terms, hypotheses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.each import each
from tests.trusted.world.scoring import batch, on, outcomes
from tests.verify.cases import assume, claim, fractions, numbers
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.ladder.search.hunt import goal, hits
from verify.ladder.search.pool import Pool
from verify.world.noise_plan import AllOutcomes
from verify.world.score import Score, score

# -- relations -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relation", "ratios"),
    [
        ("<=", [0.5, 1.0, 2.0]),
        (">=", [2.0, 1.0, 0.5]),
        ("==", [1.5, 1.0, 1.5]),
        ("<~", [0.5, 1.0, 2.0]),
    ],
)
def test_ratio_is_above_one_where_the_relation_breaks(relation: str, ratios: list[float]) -> None:
    made = on([1, 2, 4], [2, 2, 2], relation=relation)
    assert made.ratio.tolist() == ratios
    assert made.feasible.all()


@pytest.mark.parametrize(
    ("left", "right", "ratio"),
    [(0, 0, 0.0), (1, 0, np.inf), (0, 1, 0.0), (np.inf, 1, np.inf), (1, np.inf, 0.0)],
)
def test_ratio_at_zero_and_infinity(left: float, right: float, ratio: float) -> None:
    assert on([left], [right]).ratio.tolist() == [ratio]


@each("relation", ["<=", ">=", "==", "<~"])
@each(("left", "right"), [(np.nan, 1), (1, np.nan), (0, np.nan), (np.nan, 0)])
def test_a_side_without_a_value_counts_for_nothing(
    relation: str, left: float, right: float
) -> None:
    made = on([left, 1], [right, 1], relation=relation)
    assert np.isnan(made.ratio[0])
    assert made.feasible.tolist() == [False, True]
    assert made.tight.tolist() == [-np.inf, 1.0]


# -- over ------------------------------------------------------------------------------------------

LEFT, RIGHT = [0.0, 3.0, 6.0], [1.0, 4.0, 5.0]
WEIGHTS = (0.5, 0.25, 0.25)


def test_paths_compare_every_outcome() -> None:
    made = outcomes(LEFT, RIGHT, WEIGHTS, over="path")
    assert made.left.tolist() == [LEFT]
    assert made.ratio.tolist() == [6 / 5], "the worst outcome"


def test_means_compare_the_weighted_sums() -> None:
    made = outcomes(LEFT, RIGHT, WEIGHTS, over="mean")
    assert (made.left.tolist(), made.right.tolist()) == ([[2.25]], [[2.75]])
    assert made.ratio.tolist() == [2.25 / 2.75]


@pytest.mark.parametrize(("level", "holds"), [(0.25, True), (0.24, False)])
def test_probabilities_compare_the_chance_of_a_breach(level: float, holds: bool) -> None:
    made = outcomes(LEFT, RIGHT, WEIGHTS, over="prob", delta=lambda w: level)
    assert made.left.tolist() == [[0.25]]
    assert (made.ratio <= 1).tolist() == [holds]


def test_rounding_is_no_breach() -> None:
    made = outcomes([0.1 + 0.2, 1, 1], [0.3, 1, 1], over="prob", delta=lambda w: 0.0)
    assert made.left.tolist() == [[0.0]]


def test_some_asks_for_one_instance_that_satisfies_the_claim() -> None:
    made = claim(
        lambda w: ({"l": w.l}, {"r": w.r}), quantifier="some", given=assume({"h": lambda w: w.h})
    )
    result = score(made, batch(l=[1, 3, 1], r=[2, 2, 2], h=[1, 1, -1]))
    pool = Pool(made, AllOutcomes())
    reached = goal(pool, result, result.ratio)
    assert [hits(pool, g) for g in reached] == [True, False, False]


def test_claims_about_every_client_are_one_point_each() -> None:
    made = claim(lambda w: ({"l": w.l}, {"r": 2}))
    table = [[1.0, 2.0, 3.0], [1.0, 0.5, 0.0]]
    result = score(made, batch(l=table))
    assert result.ratio.tolist() == [1.5, 0.5]


# -- negative terms --------------------------------------------------------------------------------


def test_negative_terms_move_across() -> None:
    made = claim(lambda w: ({"a": w.a, "b": w.b}, {"c": w.c}))
    result = score(made, batch(a=[5, 5], b=[-2, 2], c=[3, -3]))
    assert result.left.ravel().tolist() == [5.0, 10.0]
    assert result.right.ravel().tolist() == [5.0, 0.0]
    assert set(result.terms[0]) == {"a", "b", "-(c)"}
    assert set(result.terms[1]) == {"c", "-(b)"}


EIGHTHS = st.integers(-32, 32).map(lambda n: Fraction(n, 8))
TERMS = st.lists(EIGHTHS, min_size=3, max_size=3)


@settings(max_examples=50)
@given(TERMS, st.sampled_from(["<=", ">="]), st.booleans())
def test_moving_keeps_the_difference_and_leaves_no_minus(
    terms: list[Fraction], relation: str, exact: bool
) -> None:
    made = claim(lambda w: ({"a": w.a, "b": w.b}, {"c": w.c}), relation=relation)
    values = {k: fractions([v]) for k, v in zip("abc", terms, strict=True)}
    instance = Instance("numbers", {}, None, values)
    if not exact:
        instance = batch(**{k: v.astype(float) for k, v in values.items()})
    result = score(made, instance, "exact" if exact else "float64")
    # sums of eighths are exact in floats too
    assert (result.left - result.right).item() == terms[0] + terms[1] - terms[2]
    assert all((v >= 0).all() for side in result.terms for v in side.values())


def test_identities_are_compared_as_they_stand() -> None:
    made = on([-2, -2], [-2, 2], relation="==")
    assert made.ratio.tolist() == [1.0, 3.0]
    assert set(made.terms[0]) == {"l"}


# -- hypotheses ------------------------------------------------------------------------------------


def margins(h: Any, strict: bool = False) -> Score:
    """Score of a claim with one hypothesis; h is (B, outcomes)."""

    given_margin: dict[str, Any] = {"h": lambda w: np.array(h, dtype=float)}

    made = claim(
        lambda w: ({"l": w.l}, {"r": 1}),
        given=assume(given_margin, strict={"h"} if strict else ()),
    )
    return score(made, batch(l=[1.0] * len(h)))


def test_a_hypothesis_must_hold_on_every_outcome() -> None:
    made = margins([[1, 1, 1], [1, 1, -0.1], [-1, -1, -1]])
    assert made.feasible.tolist() == [True, False, False]
    assert made.shortfall == pytest.approx([0, 0.1, 1])
    assert margins([[1, -0.1]]).feasible.tolist() == [False]
    assert margins([[1, -0.1], [1, 1]]).feasible.tolist() == [False, True]


@pytest.mark.parametrize(
    ("margin", "weak", "strict"),
    [(0.0, True, False), (1e-9, True, True), (-1e-9, False, False), (np.nan, False, False)],
)
def test_strict_hypotheses_exclude_the_edge(margin: float, weak: bool, strict: bool) -> None:
    assert margins([[margin]]).feasible.tolist() == [weak]
    assert margins([[margin]], strict=True).feasible.tolist() == [strict]


def test_a_hypothesis_about_every_client_needs_them_all() -> None:
    assert margins([[[1, 2, 3]], [[1, -2, 3]]]).feasible.tolist() == [True, False]


def test_several_hypotheses_must_hold_together() -> None:
    both = assume({"a": lambda w: w.a, "b": lambda w: w.b})
    made = claim(lambda w: ({"l": 1}, {"r": 1}), given=both)
    result = score(made, batch(a=[1, 1, -1], b=[1, -1, -2]))
    assert result.feasible.tolist() == [True, False, False]
    assert result.shortfall == pytest.approx([0, 1, 3])


# -- batches and number types ----------------------------------------------------------------------


def test_a_batch_scores_like_its_instances() -> None:
    family = numbers(x=Real(-2, 2), y=Real(1 / 8, 8, log=True))
    given = assume({"x": lambda w: w.x + 1})
    made = claim(lambda w: ({"x": w.x**3}, {"y": w.y}), family, given=given)
    u = np.random.default_rng(5).random((7, 2))
    instance = family.instance(family.decode(u, {}), {})
    whole = score(made, instance)
    for j in range(7):
        one = score(made, instance.rows([j]))
        assert one.ratio[0] == whole.ratio[j]
        assert one.shortfall[0] == whole.shortfall[j]


def test_constants_spread_over_the_batch() -> None:
    made = claim(lambda w: ({"1": 1}, {"2": 2}))
    assert score(made, batch(x=[0, 0, 0])).ratio.tolist() == [0.5, 0.5, 0.5]


def test_the_scored_claim_is_that_of_the_exact_world() -> None:
    made = claim(lambda w: ({"l": w.x + w.y}, {"r": w.z}))
    values = {"x": fractions(["1/10"]), "y": fractions(["2/10"]), "z": fractions(["3/10"])}
    exact = score(made, Instance("numbers", {}, None, values), "exact")
    assert exact.left.item() == exact.right.item() == Fraction(3, 10)
    rounded = score(made, batch(x=[0.1], y=[0.2], z=[0.3]))
    assert rounded.left.item() > rounded.right.item(), "the float is not, whence the referee"
