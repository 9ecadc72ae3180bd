"""What `holds` costs, on planted claims: each rule catches its own kind, and no true one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import verify.ladder.rungs.proof as module
from bounds import generic as xp
from tests.verify.cases import FIXED, FIXED_BOX, SMALL, assume, claim, numbers
from verify.claim.families import quadratics
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import Leaf, assay
from verify.world.world import World

POSITIVE = Real(1 / 8, 8, log=True)
PAIR = numbers(x=POSITIVE, y=POSITIVE)
ALIKE = Real(1 / 4, 4, log=True, per=("N",))
PROFILE = replace(SMALL, evaluations=2_000, population=32)


@cache
def leaf(name: str, proofs: bool = False) -> Leaf:
    """Verdict on a planted claim; most are so simple that a proof would spare them the costs."""
    with pytest.MonkeyPatch.context() as patch:
        if not proofs:
            patch.setattr(module, "prove", lambda *_: iter(()))
        return assay(CLAIMS[name], profile=PROFILE)


def details(name: str, rung: str) -> Any:
    return next(e.details for e in leaf(name).evidence if e.rung == rung)


def norm(w: World) -> Any:
    return xp.sqrt(w.x**2 + w.y**2)


def narrow(w: World) -> Any:
    return w.x - 7


def product(w: World) -> Any:
    """A quantity that both sides name."""
    return w.x * xp.sqrt(w.y)


def distance(w: World) -> Any:
    """Mean squared distance to the minimiser after the run."""
    return (w.run().theta[:, :, -1, 0] + w.xi[:, :, 0, 0]) ** 2


def first_distance(w: World) -> Any:
    return (w.start[..., 0] + w.xi[:, :, 0, 0]) ** 2


RUNS = quadratics(
    ({"N": 1, "d": 1, "rounds": 2, "weights": "fixed"},), FIXED_BOX, about="one client"
)


def descent(bound: Any, **more: Any) -> Statement:
    """A bound on the distance after two rounds without noise."""
    return claim(
        lambda w: ({"distance": distance(w)}, bound(w)),
        RUNS,
        over="mean",
        defines=FIXED,
        given=assume({"no noise": lambda w: -w.noise_scale[..., 0]}),
        **more,
    )


SPREAD = numbers({"N": 2}, {"N": 3}, a=Real(1 / 4, 4, log=True, per=("N", "N")))


def spelled_twice(w: World) -> Any:
    rows = xp.total(w.a)
    return {"first": xp.total(rows**2) / 3}, {"second": xp.total(xp.total(w.a) ** 2) / 3}


def named_twice(w: World) -> Any:
    right = {"second": xp.total(xp.total(w.a) ** 2) / 3}
    return {"first": xp.total(xp.total(w.a) ** 2) / 3}, right


def spelled_otherwise(w: World) -> Any:
    rows = xp.total(w.a)
    return {"first": xp.total(rows**2) / 3}, {"second": xp.total(rows * rows) / 3}


CLAIMS: dict[str, Statement] = {
    # enough instances
    "few": claim(
        lambda w: ({"4xy": 4 * w.x * w.y}, {"square": (w.x + w.y) ** 2}),
        numbers(x=Real(0, 8), y=Real(0, 8)),
        given=assume(
            {
                "x is 1": lambda w: -((w.x - 1) ** 2),
                "y is 1": lambda w: -((w.y - 1) ** 2),
            }
        ),
    ),
    "few in a shape": claim(
        lambda w: ({"norm": norm(w)}, {"sum": w.x + w.y}),
        numbers({"N": 1}, {"N": 2}, x=POSITIVE, y=POSITIVE),
        given=assume({"one client": lambda w: 3 - 2 * w.N + 0 * w.x}),
    ),
    "no parameters": claim(lambda w: ({"pi": 3 + 0 * w.N}, {"22/7": 4}), numbers({"N": 2})),
    # sides
    "constants": claim(
        lambda w: ({"one": 1}, {"two": 2}), PAIR, given=assume({"x below y": lambda w: w.y - w.x})
    ),
    "nothing to bound": claim(lambda w: ({"zero": 0}, {"square": (w.x - w.y) ** 2}), PAIR),
    "a difference": claim(
        lambda w: ({"zero": 0}, {"gap": w.x + w.y - norm(w)}),
        numbers(x=Real(-8, 8), y=POSITIVE),
        given=assume({"x not negative": lambda w: w.x}),
    ),
    "one expression": claim(lambda w: ({"a": product(w)}, {"b": product(w)}), PAIR, relation="=="),
    "one expression, at most": claim(
        lambda w: ({"a": norm(w)}, {"b": norm(w)}),
        PAIR,
    ),
    "one polynomial": claim(
        lambda w: ({"a": w.x * w.y / 3}, {"b": w.x * w.y / 3}), PAIR, relation="=="
    ),
    "one expression of a run": claim(
        lambda w: ({"one": distance(w)}, {"other": distance(w)}),
        RUNS,
        defines=FIXED,
        relation="==",
        over="path",
    ),
    "an inequality that is nowhere strict": descent(
        lambda w: {"again": ((w.xi[:, :, 0, 0] + w.run().theta[:, :, 2, 0]) ** 2)},
    ),
    "spelled twice": claim(spelled_twice, SPREAD, relation="=="),
    "named twice": claim(named_twice, SPREAD, relation="=="),
    "spelled otherwise": claim(spelled_otherwise, SPREAD, relation="=="),
    "below its domain": claim(
        lambda w: ({"share": w.share}, {"two": 2}),
        numbers(share=Real(1 / 8, 1 / 2, domain=(0, 1)), x=POSITIVE),
    ),
    "below less than its domain": claim(
        lambda w: ({"share": w.share}, {"half": (1 + w.x / w.x) / 4}),
        numbers(share=Real(1 / 8, 1 / 2, domain=(0, 1)), x=POSITIVE),
        given=assume({"share at most 1/2": lambda w: 1 - 2 * w.share}),
    ),
    "two ways": claim(
        lambda w: ({"a": (w.x + w.y) ** 2 / 3}, {"b": (w.x**2 + 2 * w.x * w.y + w.y**2) / 3}),
        PAIR,
        relation="==",
    ),
    "the same bits": claim(
        lambda w: ({"a": xp.sqrt(w.x) / 2 + w.y}, {"b": xp.sqrt(w.x / 4) + w.y}),
        PAIR,
        relation="==",
    ),
    "shares sum to one": claim(
        lambda w: ({"sum": xp.total(w.a / xp.total(w.a)[..., None])}, {"one": 1}),
        numbers({"N": 2}, {"N": 4}, a=ALIKE),
        relation="==",
    ),
    # terms
    "both terms": claim(lambda w: ({"norm": norm(w)}, {"x": w.x, "y": w.y}), PAIR),
    "a term too many": claim(
        lambda w: ({"norm": norm(w)}, {"x": w.x, "y": w.y, "product": w.x * w.y}), PAIR
    ),
    "two terms too many": claim(
        lambda w: (
            {"norm": norm(w)},
            {"product": w.x * w.y, "x": w.x, "root": xp.sqrt(w.y), "y": w.y},
        ),
        PAIR,
    ),
    "either of two": claim(
        lambda w: ({"norm": norm(w)}, {"first": w.x + w.y, "second": 2 * (w.x + w.y)}), PAIR
    ),
    "what is left says nothing": claim(
        lambda w: ({"x": w.x}, {"first": w.x, "second": 2 * w.x}), numbers(x=POSITIVE)
    ),
    "needed in a corner": claim(
        lambda w: (
            {"x": w.x},
            {"top": xp.minimum(w.x, 7 + 0 * w.x), "rest": xp.positive_part(narrow(w))},
        ),
        numbers(x=Real(1 / 8, 8)),
    ),
    "a lower bound": claim(
        lambda w: ({"x": w.x, "y": w.y, "product": w.x * w.y}, {"norm": norm(w)}),
        PAIR,
        relation=">=",
    ),
    # do-nothing bounds
    "no worse than the start": descent(lambda w: {"bound": first_distance(w)}),
    "loose": descent(lambda w: {"bound": 2 * first_distance(w)}),
    "loose by a declared bound": claim(
        lambda w: ({"norm": norm(w)}, {"3(x + y)": 3 * (w.x + w.y)}),
        PAIR,
        trivial={"twice the sum": lambda w: 2 * (w.x + w.y)},
    ),
    "better than a declared bound": claim(
        lambda w: ({"norm": norm(w)}, {"x + y": w.x + w.y}),
        PAIR,
        trivial={"twice the sum": lambda w: 2 * (w.x + w.y)},
    ),
    "no bound at all": claim(
        lambda w: ({"norm": norm(w)}, {"3(x + y)": 3 * (w.x + w.y)}),
        PAIR,
        trivial={"x": lambda w: w.x},
    ),
}

OPEN = {
    "few": ("hypotheses", "different instances met"),
    "few in a shape": ("hypotheses", "only 0 different instances in the shape N=2"),
    "nothing to bound": ("sides", "is 0 on every instance"),
    "a difference": ("power", "no counted mutant was killed"),
    "constants": ("sides", "are constants"),
    "one expression": ("sides", "one expression"),
    "one expression, at most": ("sides", "one expression"),
    "one polynomial": ("sides", "one expression"),
    "one expression of a run": ("sides", "one expression"),
    "an inequality that is nowhere strict": ("sides", "one expression"),
    "spelled twice": ("sides", "one expression"),
    "named twice": ("sides", "one expression"),
    "below its domain": ("standing", "the end of the domain of share meets this bound"),
    "loose": ("standing", "standing still meets this bound"),
    "loose by a declared bound": ("standing", "twice the sum meets this bound"),
}
STAND = (
    "spelled otherwise",
    "below less than its domain",
    "two ways",
    "the same bits",
    "shares sum to one",
    "both terms",
    "a term too many",
    "two terms too many",
    "either of two",
    "needed in a corner",
    "a lower bound",
    "better than a declared bound",
    "no bound at all",
    "no worse than the start",
)
NOT_NEEDED = {
    "both terms": (),
    "a term too many": ("product",),
    "two terms too many": ("product", "root"),
    "either of two": ("second",),
    "what is left says nothing": ("first",),
    "needed in a corner": (),
    "a lower bound": ("product",),
}


@pytest.mark.parametrize("name", OPEN)
def test_words_that_were_not_earned(name: str) -> None:
    rung, said = OPEN[name]
    found = leaf(name)
    assert (found.verdict, found.rung) == ("inconclusive", rung), found.reason
    assert said in found.reason


@pytest.mark.parametrize("name", STAND)
def test_true_claims_keep_theirs(name: str) -> None:
    assert leaf(name).verdict in ("holds", "proved"), leaf(name).reason


@pytest.mark.parametrize("name", NOT_NEEDED)
def test_terms_that_nothing_needs_are_named(name: str) -> None:
    assert leaf(name).not_needed == NOT_NEEDED[name]
    assert ("not needed" in leaf(name).reason) == bool(NOT_NEEDED[name])


# -- hypotheses broken alone -----------------------------------------------------------------------


def root(w: World) -> Any:
    return xp.sqrt(w.x - 1)


LINE = numbers(x=Real(-4, 4), y=Real(-4, 4))
GIVEN = {
    "needed": assume({"x at most y": lambda w: w.y - w.x}),
    "idle": assume({"x at most y": lambda w: w.y - w.x, "y at most 2": lambda w: 2 - w.y}),
    "never alone": assume(
        {
            "x at most y": lambda w: w.y - w.x,
            "x at most y, again": lambda w: 2 * (w.y - w.x),
        }
    ),
}
MARKS = {
    "needed": (["x at most y"], [], []),
    "idle": (["x at most y"], ["y at most 2"], []),
    "never alone": ([], [], ["x at most y", "x at most y, again"]),
}


@pytest.mark.parametrize("name", MARKS)
def test_hypotheses_are_marked(name: str) -> None:
    made = claim(lambda w: ({"e^x": xp.exp(w.x)}, {"e^y": xp.exp(w.y)}), LINE, given=GIVEN[name])
    found = assay(made, profile=PROFILE)
    assert found.verdict in ("holds", "proved")
    marks = next(e.details for e in found.evidence if e.rung == "needed")
    assert (marks["needed"], marks["not seen needed"], marks["never failed alone"]) == MARKS[name]


def defining(rule: Any, strict: bool = False, *, sides: Any) -> Leaf:
    given = [Hypothesis("d", "d", rule, defining=True, strict=strict)]
    return assay(claim(sides, LINE, given=given), profile=PROFILE)


def reciprocal(w: World) -> Any:
    return {"1": 1 + 0 * w.x}, {"x/x": w.x / w.x, "y": w.y**2}


def rooted(w: World) -> Any:
    return {"root": root(w)}, {"half": w.x / 2, "y": w.y**2}


def test_a_defining_hypothesis_must_define_something() -> None:
    found = defining(lambda w: w.x - 1, sides=rooted)
    assert found.verdict in ("holds", "proved"), found.reason
    nonzero = defining(lambda w: w.x**2, strict=True, sides=reciprocal)
    assert nonzero.verdict in ("holds", "proved"), nonzero.reason


@pytest.mark.parametrize(
    ("rule", "strict", "sides"),
    [(lambda w: w.x - 2, False, rooted), (lambda w: w.x, True, reciprocal)],
    ids=["more than the root needs", "positive where not zero is enough"],
)
def test_an_assumption_that_is_called_defining_is_found(
    rule: Any, strict: bool, sides: Any
) -> None:
    found = defining(rule, strict, sides=sides)
    assert (found.verdict, found.rung) == ("inconclusive", "needed")
    assert '"d" is called defining, but the claim has a value without it' in found.reason


def test_a_printed_assumption_may_be_more_than_defining() -> None:
    given = [Hypothesis("d", "d", lambda w: w.x - 2, where="Lemma 1")]
    found = assay(claim(rooted, LINE, given=given), profile=PROFILE)
    assert found.verdict in ("holds", "proved")
