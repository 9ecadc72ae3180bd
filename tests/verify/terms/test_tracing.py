"""What a trace writes down, and what ends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from verify import Hypothesis, Real, functions, numbers, quantity, statement, walked
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ladder.rungs.certificate import prove
from verify.terms.claims import (
    ClaimTerms,
    as_terms,
    example_of_family,
    terms_of,
    why_no_terms,
)
from verify.terms.node import constant, node
from verify.terms.refusals import NotTraceable
from verify.terms.trace import TracedClaim, _heard, traced
from verify.terms.uniform import degree_in_sizes, picks_out
from verify.world.score import score

FAMILY = numbers({"x": Real(0, 1, per=("N",)), "y": Real(0, 1)}, {"N": 2}, {"N": 3})


def claim(sides: Callable[[Any], Any], **more: Any) -> Statement:
    return statement("mine.claim", family=FAMILY, latex="x", where="here", **more)(sides)


ENDS = {
    "a truth value": lambda w: w.y if w.x.shape[-1] > 2 else 2 * w.y,
    "a plain number": lambda w: w.y * int(w.N),
    "a range": lambda w: sum(w.x[..., k] for k in range(w.N)),
    "a length": lambda w: w.y * len(w.x),
    "one entry after the other": lambda w: sum(w.x),
    "a hash": lambda w: w.y * {3: 1}.get(w.N, 2),
    "the kind of number": lambda w: w.y if w.number == "exact" else w.y + 0,
    "an array": lambda w: np.asarray(w.x).sum(-1),
    "a value": lambda w: w.y if (w.y > 1 / 2).all() else 2 * w.y,
}


@pytest.mark.parametrize("name", ENDS)
def test_what_asks_for_a_number_ends_the_trace_with_its_line(name: str) -> None:
    found = claim(lambda w: ({"left": ENDS[name](w)}, {"right": w.y}))
    assert terms_of(found) is None
    assert "test_tracing.py:" in why_no_terms(found)


def test_a_program_that_catches_errors_is_not_traced() -> None:
    def safe(w: Any) -> Any:
        try:
            return 1 / w.y
        except ZeroDivisionError:
            return 0 * w.y

    found = claim(lambda w: ({"left": safe(w)}, {"right": w.y}))
    assert "catches errors" in why_no_terms(found)


def test_the_program_is_called_no_more_once_it_is_traced() -> None:
    found = as_terms(
        claim(lambda w: ({"square": xp.total(w.x) ** 2}, {"squares": w.N * xp.total(w.x**2)}))
    )
    found.sides.__wrapped__ = None  # type: ignore[union-attr]
    shape = {"N": 7}
    made = FAMILY.instance(FAMILY.decode(np.full((2, 8), 0.5), shape), shape)
    assert score(found, made).left.tolist() == [[12.25], [12.25]]


def test_a_program_that_counts_its_calls_is_not_traced() -> None:
    calls: list[int] = []

    def sides(w: Any) -> Any:
        calls.append(1)
        return {"one": w.y * (1 if len(calls) < 100 else 2)}, {"one": w.y}

    assert "keep something between two calls" in why_no_terms(claim(sides))


def test_another_formula_in_another_shape_is_no_term() -> None:
    factors = iter((1, 2))
    found = claim(lambda w: ({"left": w.y * next(factors)}, {"right": w.y}))
    worlds = [example_of_family(found, FAMILY, shape) for shape in FAMILY.shapes]
    with pytest.raises(NotTraceable, match="another formula in another shape"):
        traced(found, worlds, frozenset(("N",)))


def test_a_size_that_grows_is_not_taken_as_the_one_that_is_listed() -> None:
    for grow, read in (((), True), (("n",), False)):
        family = numbers({"y": Real(0, 1)}, {"n": 3}, grow=grow)
        rule = lambda w: ({"left": sum(w.y for _ in range(w.n))}, {"right": 3 * w.y})  # noqa: E731
        found = statement("mine.sized", family=family, latex="x", where="here")(rule)
        assert (terms_of(found) is not None) is read


def test_a_choice_by_a_function_of_ones_own_makes_a_claim_ones_own() -> None:
    y, told = node("symbol", data="y"), node("quantity", data="mine:told")
    made = TracedClaim({"left": y}, {"right": y}, {}, settled={told: True})
    assert ClaimTerms((made,), frozenset()).own_program == "mine:told"
    assert ClaimTerms((replace(made, settled={}),), frozenset()).own_program == ""


def test_equal_parts_are_one_node() -> None:
    found = terms_of(claim(lambda w: ({"left": w.y * w.y}, {"right": w.y * w.y})))
    assert found is not None
    (made,) = found.claims
    assert made.left["left"] is made.right["right"]


def test_a_hypothesis_and_a_definition_are_terms_too() -> None:
    found = terms_of(
        claim(
            lambda w: ({"left": w.z}, {"right": w.y}),
            defines={"z": lambda w: w.y**2},
            given=[Hypothesis("small", "x", lambda w: 1 - w.y, where="here")],
        )
    )
    assert found is not None
    (made,) = found.claims
    assert made.left["left"] is node("symbol", data="z")
    assert made.defined["z"] is node("operator", node("symbol", data="y"), constant(2), data="**")
    assert set(made.margins) == {"small"}


@pytest.mark.parametrize(
    ("rule", "degree"),
    [
        (lambda n: n, 1),
        (lambda n: n * (n - 1) / 2, 2),
        (lambda n: (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5), 5),
        (lambda n: n == 77, float("inf")),
        (lambda n: n // 2000, float("inf")),
        (lambda n: xp.maximum(n, 5), float("inf")),
        (lambda n: xp.sqrt(n), float("inf")),
    ],
)
def test_degree_in_the_sizes(rule: Any, degree: float) -> None:
    found = terms_of(claim(lambda w: ({"left": w.y * rule(w.N)}, {"right": w.y})))
    assert found is not None
    (made,) = found.claims
    assert degree_in_sizes(made.left["left"]) == degree


@pytest.mark.parametrize(
    ("rule", "picked"),
    [
        (lambda x: x[..., 1:], False),
        (lambda x: x[..., :-1], False),
        (lambda x: x[..., 0], False),
        (lambda x: x[..., :40], True),
        (lambda x: x[..., 1000::1000], True),
        (lambda x: x[..., 2:], True),
    ],
)
def test_entries_between_two_places_are_told(rule: Any, picked: bool) -> None:
    found = terms_of(claim(lambda w: ({"left": w.y + 0 * xp.total(w.x)}, {"right": rule(w.x)})))
    if found is None:  # an entry is no side of its own
        found = terms_of(claim(lambda w: ({"left": w.y}, {"right": xp.total(rule(w.x))})))
    assert found is not None
    (made,) = found.claims
    assert any(picks_out(term) for term in made.right.values()) == picked


@quantity
def hidden(w: Any) -> Any:
    """Nine, or a thousand where there are more than forty clients."""
    return w.y * (1000 if w.x.shape[-1] > 40 else 0)


def test_a_quantity_of_ones_own_is_a_program() -> None:
    """Nothing is known of it at other sizes, so that it is proved for the listed ones at most."""
    found = claim(lambda w: ({"left": hidden(w)}, {"right": w.y + xp.total(w.x)}))
    assert terms_of(found) is not None
    assert not any(e.status == "decided" for e in prove(found))


def test_names_of_symbols_mean_nothing() -> None:
    """A claim is proved whatever its letters are called."""
    for name in ("n", "k", "rounds_", "alpha", "q7"):
        family = numbers({name: Real(0, 1), "z": Real(0, 1)})
        found = statement("mine.claim", family=family, latex="x", where="here")(
            lambda w, name=name: (
                {"product": w.symbol(name) * w.z},
                {"square": (w.symbol(name) + w.z) ** 2 / 4},
            )
        )
        assert any(e.status == "decided" for e in prove(found)), name


@pytest.mark.parametrize("name", ["k", "N", "n"])
def test_nor_beside_vectors(name: str) -> None:
    box = {name: Real(0, 1), "u": Real(-1, 1, per=("d",)), "v": Real(-1, 1, per=("d",))}
    found = statement(
        "mine.claim", family=numbers(box, {"d": 1}, {"d": 2}), latex="x", where="here"
    )(
        lambda w: (
            {"product": 2 * w.symbol(name) * xp.dot(w.u, w.v)},
            {"squares": w.symbol(name) * (xp.squared_norm(w.u) + xp.squared_norm(w.v))},
        )
    )
    assert any(e.status == "decided" for e in prove(found))


def step(w: Any, points: Any, gradients: Any) -> Any:
    return points[-1] - gradients[-1][..., 0, :] / w.beta[..., None]


def test_a_method_written_down_for_two_rounds_is_proved_for_two() -> None:
    """The loop of `walked` asks for the number of rounds, of which the family has one alone."""
    family = functions("smooth convex", rounds=2)
    found = statement("mine.two", family=family, latex="x", where="here")(
        lambda w: (
            {"excess": walked(w, step).excess[..., 2, 0]},
            {"bound": w.beta * xp.squared_norm(w.start - w.problem.optimum[..., 0, :]) / 10},
        )
    )
    terms = terms_of(found)
    assert terms is not None
    assert terms.fixed == {"rounds"}
    (made,) = (e for e in prove(found) if e.status == "decided")
    assert "any number of rounds" not in made.summary


class Built:
    """Makes instances, of which one has another number where there are more than forty clients."""

    def __call__(self, values: Any, shape: Any) -> Instance:
        high = 1000 if shape["N"] > 40 else 0
        return Instance("numbers", {}, None, {**values, "more": 0 * values["y"] + high, **shape})


def test_a_family_made_by_an_object_of_ones_own_is_a_program() -> None:
    family = replace(FAMILY, build=Built())
    found = statement("mine.built", family=family, latex="x", where="here")(
        lambda w: ({"left": w.more}, {"right": 0 * w.more + xp.total(w.x**2)})
    )
    assert terms_of(found) is not None
    assert not any(e.status == "decided" for e in prove(found))


@quantity
def many(w: Any) -> bool:
    """Whether there are more than forty clients."""
    return bool(w.x.shape[-1] > 40)


def test_a_yes_or_no_of_ones_own_is_a_program() -> None:
    found = claim(lambda w: ({"left": (2 if many(w) else 1) * w.y}, {"right": w.y}))
    assert terms_of(found) is not None
    assert not any(e.status == "decided" for e in prove(found))


def test_a_generator_of_others_that_is_collected_is_not_heard() -> None:
    """Python closes it by a call of it, whenever it collects what is over."""

    def catching() -> Iterator[int]:
        try:
            yield 1
        except ValueError:
            return

    waiting = [catching()]
    next(waiting[0])
    with _heard({}, None):
        over: list[Any] = [waiting.pop()]
        over.append(over)  # only the collector finds it
        del over
        assert len([[] for _ in range(100_000)]) == 100_000
    with pytest.raises(NotTraceable, match="catching catches errors"), _heard({}, None):
        next(catching())  # control: what is called is heard
