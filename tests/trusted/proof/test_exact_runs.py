"""Exact runs: what each formula is worth in a world of two outcomes and two clients, by hand.

Facts, steps and readings of outlines are held to these values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import pytest

from verify.proof import bridge
from verify.proof.bridge import (
    Broken,
    ExactRun,
    Reading,
    _drawn,
    _indices,
    _is_read,
    _matched,
    _mean,
    _vectors,
    _within,
    broken,
    broken_in,
    evaluated,
)
from verify.proof.outline import Outline
from verify.proof.term import parsed

CHANCES, WEIGHTS = [Q(1, 3), Q(2, 3)], [Q(1, 4), Q(3, 4)]
U = [[(Q(1), Q(0)), (Q(1), Q(1))], [(Q(2), Q(0)), (Q(2), Q(1))]]
"""Of each outcome and each client: how likely the outcome is, and who it is."""


def world(**more: Any) -> ExactRun:
    vectors: dict[str, Callable[..., Any]] = {
        "u": lambda w, outcome, client: (Q(outcome + 1), Q(client)),
        "w": lambda w, outcome, client, t: (Q(t), Q(outcome, 5)),
        "w[0]": lambda w, outcome, client, t: (Q(7), Q(7)),
        "e": lambda w, outcome, client, t, i: (Q(t), Q(10 * i)),
    }
    made: dict[str, Any] = {
        "chances": CHANCES,
        "weights": WEIGHTS,
        "numbers": {"a": lambda: 5, "b": lambda t: Q(t, 2), "c": lambda t, i: 10 * t + i},
        "vectors": vectors,
        "functions": {
            "f": (
                lambda i, x: (i + 1) * x[0] ** 2 + x[1],
                lambda i, x: (2 * (i + 1) * x[0], Q(1)),
            )
        },
        "draws": {
            "D": lambda outcome: [outcome],
            "E": lambda outcome, t: [0, 1, 1] if t else [1],
        },
        "mixings": {"W": [[Q(1, 5), Q(4, 5)], [Q(4, 5), Q(1, 5)]]},
    }
    return ExactRun(**(made | more))


# -- formulas --------------------------------------------------------------------------------------

NUMBERS = {
    "3": Q(3),
    "a": Q(5),
    "b[3]": Q(3, 2),
    "b[t]": Q(1),
    "b[t + 1]": Q(3, 2),
    "c[2, 3]": Q(23),
    "t": Q(2),
    "-a": Q(-5),
    "a + 2": Q(7),
    "a - 2": Q(3),
    "a*3": Q(15),
    "a/2": Q(5, 2),
    "a**2": Q(25),
    "a**-2": Q(1, 25),
    "a**(t - 1)": Q(5),
    "Sum(c[s, t], (s, 1, 3))": Q(66),
    "Min(s - t, (s, 0, 3))": Q(-2),
    "Max(s*t, (s, 0, a))": Q(10),
    "Sum(s, (s, 1, 0))": Q(0),
    "Sum(Sum(c[s, r], (s, 0, r)), (r, 0, 1))": Q(12),
    "u*u": Q(15, 4),
    "u**2": Q(15, 4),
    "w[1]*u": Q(1, 3) + Q(2, 3) * (2 + Q(3, 4) * Q(1, 5)),
    "f(u)": Q(1, 3) * (Q(1, 4) + Q(9, 4)) + Q(2, 3) * (Q(4, 4) + Q(27, 4)),
    "Chance(u, 4)": Q(2, 3),
    "Chance(u, 1)": Q(1),
    "Chance(u, 5)": Q(0),
    "a*(u*u)": Q(75, 4),
    "(u*u)/3": Q(5, 4),
}


@pytest.mark.parametrize("text", NUMBERS)
def test_a_formula_that_is_a_number(text: str) -> None:
    found = world().scalar(text, {"t": 2})
    assert (found, type(found)) == (NUMBERS[text], Q)
    assert world().value(text, {"t": 2}) == NUMBERS[text]


def each(rule: Callable[[Any, int], Any]) -> list[list[Any]]:
    """From the value at each outcome and client."""
    return [[rule(U[o][i], i) for i in range(2)] for o in range(2)]


AVERAGE = [[(Q(1), Q(3, 4))] * 2, [(Q(2), Q(3, 4))] * 2]
VECTORS = {
    "u": U,
    "w[0]": [[(Q(7), Q(7))] * 2] * 2,
    "w[t]": [[(Q(2), Q(0))] * 2, [(Q(2), Q(1, 5))] * 2],
    "e[1, t]": [[(Q(1), Q(20))] * 2] * 2,
    "-u": each(lambda x, i: (-x[0], -x[1])),
    "u + w[1]": [[(Q(2), Q(0)), (Q(2), Q(1))], [(Q(3), Q(1, 5)), (Q(3), Q(6, 5))]],
    "u - u": each(lambda x, i: (Q(0), Q(0))),
    "u + 0": U,
    "0 + u": U,
    "0 - u": each(lambda x, i: (-x[0], -x[1])),
    "3*u": each(lambda x, i: (3 * x[0], 3 * x[1])),
    "u*3": each(lambda x, i: (3 * x[0], 3 * x[1])),
    "u/2": each(lambda x, i: (x[0] / 2, x[1] / 2)),
    "(u*u)*u": each(lambda x, i: (x[0] * Q(15, 4), x[1] * Q(15, 4))),
    "grad(f, u)": each(lambda x, i: (2 * (i + 1) * x[0], Q(1))),
    "avg(u)": AVERAGE,
    "off(u)": [[(Q(0), Q(-3, 4)), (Q(0), Q(1, 4))]] * 2,
    "drawn(D, u)": [[(Q(1), Q(0))] * 2, [(Q(2), Q(1))] * 2],
    "drawn(E[1], u)": [[(Q(1), Q(2, 3))] * 2, [(Q(2), Q(2, 3))] * 2],
    "drawn(E[t - 2], u)": [[(Q(1), Q(1))] * 2, [(Q(2), Q(1))] * 2],
    "mix(W, u)": [
        [(Q(1), Q(4, 5)), (Q(1), Q(1, 5))],
        [(Q(2), Q(4, 5)), (Q(2), Q(1, 5))],
    ],
}


@pytest.mark.parametrize("text", VECTORS)
def test_a_formula_that_is_a_vector(text: str) -> None:
    own = world()
    assert own.vector(text, {"t": 2}) == VECTORS[text]
    assert own.value(text, {"t": 2}) == VECTORS[text]


def test_a_vector_is_no_number_and_what_nothing_gives_is_told() -> None:
    own = world()
    with pytest.raises(ValueError, match="u is a vector"):
        own.scalar("u")
    with pytest.raises(ValueError, match="a is a number"):
        own.vector("a")
    with pytest.raises(ValueError, match=r"nothing gives z at \(\)"):
        own.scalar("z")
    with pytest.raises(ValueError, match=r"nothing gives t at \(\)"):
        own.scalar("t")


def test_an_operation_that_no_formula_has_is_told() -> None:
    assert world().value("a") == 5
    tree = ast.parse("a // 2", mode="eval").body
    with pytest.raises(ValueError, match="a // 2 is not evaluated"):
        world()._value(tree, {})


def test_vectors_of_other_outcomes_clients_or_coordinates_are_refused() -> None:
    one = (Q(1), Q(1))
    shapes = {
        "outcomes": [[one] * 2],
        "clients": [[one]] * 2,
        "coordinates": [[(Q(1),)] * 2] * 2,
    }
    for name, text in (
        *((name, "q + u") for name in shapes),
        *((name, "q*u") for name in ("outcomes", "clients")),
        *((name, "f(q)") for name in ("outcomes", "clients")),
        ("outcomes", "Chance(q, 1)"),
    ):
        own = world()
        own._known["q", ()] = shapes[name]
        with pytest.raises(ValueError, match="zip"):
            own.value(text)


def test_inner_products_are_exact_whatever_the_denominators() -> None:
    own = world(
        vectors={
            "x": lambda w, o, i: (Q(1, 3 + o), Q(-2, 7)),
            "y": lambda w, o, i: (Q(o, 2), Q(i + 1, 9)),
        }
    )
    x, y = own.vector("x"), own.vector("y")
    wanted = sum(
        c * p * sum(a * b for a, b in zip(x[o][i], y[o][i], strict=True))
        for o, c in enumerate(CHANCES)
        for i, p in enumerate(WEIGHTS)
    )
    assert own.inner(x, y) == own.inner(y, x) == own.inner(x, y) == wanted
    assert own.inner(x, x) == Q(1, 3) * Q(1, 9) + Q(2, 3) * Q(1, 16) + Q(4, 49)
    assert own.inner([[(Q(1),)] * 2] * 2, [[(Q(2),)] * 2] * 2) == 2


def test_an_entry_is_made_once() -> None:
    calls: list[int] = []

    def number(t: int) -> Q:
        calls.append(t)
        return Q(t)

    own = world(numbers={"b": number})
    assert own.scalar("b[1] + b[2] + b[1]") == 4
    assert own.scalar("b[1]") == 1
    assert calls == [1, 2]


def test_one_client_has_all_the_weight() -> None:
    own = ExactRun([Q(1)], vectors={"x": lambda w, o, i: (Q(3), Q(4))})
    assert own.weights == (Q(1),)
    assert own.scalar("x**2") == 25


# -- definitions -----------------------------------------------------------------------------------


def fact(rule: str, **args: str) -> dict[str, Any]:
    return {"name": rule, "rule": rule, "args": args}


def document(*facts: dict[str, Any], **functions: Any) -> dict[str, Any]:
    return {"facts": list(facts), "functions": functions}


def test_entries_that_the_world_does_not_give_are_defined_by_the_outline() -> None:
    own = world()
    own.knows(
        document(
            fact("method", entry="x[t + 1]", is_="x[t] + u"),
            fact("definition", entry="x[0]", is_="2*u"),
            fact("definition", entry="z", is_="a + 1"),
            fact("smooth", f="F", L="L", entry="a", is_="7"),
            fact("definition", entry="a", is_="9"),
        )
    )
    assert own.vector("x[0]") == own.vector("2*u")
    assert own.vector("x[3]") == own.vector("5*u")
    assert own.scalar("z") == 6
    assert own.scalar("a") == 5, "what the world gives is not defined"
    with pytest.raises(ValueError, match=r"nothing gives y at \(1,\)"):
        own.vector("y[1]")


def test_a_mean_over_clients_is_a_function_of_its_own() -> None:
    own = world()
    about = {"F": {"mean of": "f"}, "f": {"own": True}, "g": {"own": False}}
    own.knows(document(**about))
    value, slope = own.functions["F"]
    x = (Q(3), Q(2))
    assert value(0, x) == value(1, x) == Q(1, 4) * 9 + Q(3, 4) * 18 + 2
    assert slope(0, x) == slope(1, x) == (Q(1, 4) * 6 + Q(3, 4) * 12, Q(1))
    assert {*own.functions} == {"f", "F"}
    row = own.vector("grad(F, w[1])")[0]
    assert row == [(Q(1, 4) * 2 + Q(3, 4) * 4, Q(1))] * 2


def test_an_average_has_the_shares_of_its_weights() -> None:
    own = world()
    about = {"called": "m[R]", "rounds": "R + 1", "index": "s", "weight": "b[s]", "of": "w[s]"}
    own.knows(document(fact("average", **about)))
    # weights 0, 1/2, 1 of the points of rounds 0, 1, 2
    second = [Q(0), Q(1, 5)]
    assert own.vector("m[2]") == [[(Q(1, 3) + Q(2, 3) * 2, y)] * 2 for y in second]
    assert own.vector("m[1]") == [[(Q(1), y)] * 2 for y in second]
    with pytest.raises(ValueError, match="zip"):
        own.vector("m[1, 1]")
    assert own.averages == {"m": about}
    assert own.definitions == []


def test_a_defined_entry_is_matched_at_an_index() -> None:
    for pattern, name, at, found in (
        ("x", "x", (), {}),
        ("x", "y", (), None),
        ("x", "x", (1,), None),
        ("x[t]", "x", (3,), {"t": 3}),
        ("x[t]", "y", (3,), None),
        ("x[t + 1]", "x", (3,), {"t": 2}),
        ("x[t + 1]", "x", (1,), {"t": 0}),
        ("x[t + 1]", "x", (0,), None),
        ("x[0]", "x", (0,), {}),
        ("x[0]", "x", (1,), None),
        ("x[2]", "x", (2,), {}),
        ("x[t + 1, 0]", "x", (4, 0), {"t": 3}),
        ("x[t + 1, 0]", "x", (4, 1), None),
        ("x[t, k + 1]", "x", (4, 2), {"t": 4, "k": 1}),
        ("x[t, k + 1]", "x", (4, 0), None),
    ):
        assert _matched(parsed(pattern), name, at) == found
    with pytest.raises(ValueError, match="zip"):
        _matched(parsed("x[t]"), "x", (1, 2))


def test_a_mean_of_points_has_their_weights() -> None:
    assert _mean([(Q(1), Q(2)), (Q(3), Q(5))], WEIGHTS) == (Q(5, 2), Q(17, 4))
    with pytest.raises(ValueError, match="argument"):
        _mean([(Q(1),), (Q(2),)], [Q(1)])


# -- what is looked at -----------------------------------------------------------------------------


def about(shared: bool = True) -> dict[str, Any]:
    return {"known": "0", "shared": shared}


LOOKED_AT: dict[str, Any] = {
    "vectors": {
        "w[t]": about(),
        "u": about(False),
        "n[t]": about(False),
        "e[k, t]": about(),
        "m[T]": about(),
        "s": about(),
    },
    "functions": {"f": {"own": True}, "F": {"mean of": "f"}},
    "draws": {"D": {}, "E[t]": {}},
    "facts": [
        fact("average", called="m[T]", rounds="T", index="t", weight="1", of="w[t]"),
        fact("average", called="other[T]", rounds="T", index="t", weight="1", of="w[t]"),
        fact("unbiased", noise="n[t]", given="t"),
        fact("stationary", f="F", star="s"),
        fact("smooth", f="F", star="u"),
    ],
}
RANGES = {"t": 2, "k": 0, "T": 1}


def test_vectors_are_entries_and_gradients_at_them_and_twice_a_stationary_point() -> None:
    shared = ["w[0]", "w[1]", "w[2]", "e[0, 0]", "e[0, 1]", "e[0, 2]", "s"]
    entries = [*shared[:3], "u", "n[0]", "n[1]", *shared[3:]]
    own = [f"grad(f, {x})" for x in (*shared[:3], "u", *shared[3:])]
    means = [f"grad(F, {x})" for x in shared]
    assert _vectors(LOOKED_AT, RANGES) == [*entries, *own, *means, "grad(F, 2*(s))"]


def test_noise_of_the_round_after_the_last_one_is_left_out() -> None:
    vectors = {"vectors": {"x[t]": {}, "n[t]": {}, "v[t, k]": {}, "q": {}}}
    noise = {"n", "v", "q"}
    ranges = {"t": 2, "k": 1}
    kept = ("n[0]", "n[1]", "v[1, 0]", "x[2]", "x[9]", "q", "grad(f, n[5])", "m")
    assert [text for text in kept if not _within(text, vectors, ranges, noise)] == []
    for text in ("n[2]", "n[3]", "v[2, 0]", "v[0, 1]", "v[2, 1]"):
        assert _within(text, vectors, ranges, noise) is False
    with pytest.raises(ValueError, match="zip"):
        _within("n[0, 1]", vectors, ranges, noise)


def test_each_draw_is_made_of_each_vector() -> None:
    assert list(_drawn(LOOKED_AT, RANGES, ["w[0]", "u"])) == [
        "drawn(D, w[0])",
        "drawn(D, u)",
        "drawn(E[0], w[0])",
        "drawn(E[0], u)",
        "drawn(E[1], w[0])",
        "drawn(E[1], u)",
    ]


def sampled() -> Outline:
    o = Outline("a draw")
    o.indices("t", "k")
    o.numbers("positive", "eta", "b[t]")
    o.numbers("positive integer", "S")
    o.vectors("u", known="0", shared=False)
    o.vectors("v", known="1", shared=False)
    o.draws("D", given="0", known="1")
    o.fact("draw", "drawn with replacement", draw="D", size="S")
    return o


def test_a_drawn_mean_is_one_of_what_was_known_before() -> None:
    outlined = Reading(sampled().document).outlined
    assert _is_read(outlined, "drawn(D, u)") is True
    assert _is_read(outlined, "drawn(D, v)") is False


def test_letters_run_over_the_values_that_are_looked_at() -> None:
    outlined = Reading(sampled().document).outlined
    assert list(_indices(outlined, "b[t]*eta", {"t": 2, "k": 1})) == [{"t": 0}, {"t": 1}]
    assert list(_indices(outlined, "eta", {"t": 2})) == [{}]
    both = list(_indices(outlined, "b[k] + b[t]", {"t": 2, "k": 2}))
    assert both == [{"k": k, "t": t} for k in (0, 1) for t in (0, 1)]


# -- what is refused -------------------------------------------------------------------------------

NOTHING: dict[str, Any] = {"chances": [Q(1)], "weights": [Q(1)], "vectors": {}}


def stated() -> Outline:
    o = Outline("conditions")
    o.indices("t")
    o.numbers("real", "x", "y[t]")
    o.given("0 <= x", "0 < y[t]")
    return o


def refused(o: Outline, x: Any, *ys: Any, steps: Any = ()) -> list[Broken]:
    numbers = {"x": lambda: x, "y": lambda t: ys[t]}
    own = world(**NOTHING | {"numbers": numbers})
    return broken({**o.document, "steps": list(steps)}, own, {"t": len(ys)})


def test_facts_are_not_negative_and_strict_ones_positive() -> None:
    o = stated()
    assert refused(o, Q(0), Q(1), Q(2)) == []
    found = refused(o, Q(-1, 2), Q(0), Q(1), Q(-3))
    assert found == [
        Broken("0 <= x", {}, Q(0), Q(-1, 2)),
        Broken("0 < y[t]", {"t": 0}, Q(0), Q(0)),
        Broken("0 < y[t]", {"t": 2}, Q(0), Q(-3)),
    ]


def step(relation: str, left: str, right: str, **more: Any) -> dict[str, Any]:
    return {"name": relation, "left": left, "relation": relation, "right": right, **more}


def test_steps_are_held_to_their_relations() -> None:
    o = stated()
    good = [step("<=", "x", "x"), step("<", "x", "y[t]"), step("==", "2*x", "x + x")]
    assert refused(o, Q(1), Q(2), Q(3), steps=good) == []
    assert refused(o, Q(1), Q(2), Q(1), steps=good) == [Broken("<", {"t": 1}, Q(0), Q(0))]
    bad = [
        step("<=", "x + 1", "x"),
        step("<", "y[t]", "1"),
        step("==", "x", "x + 1"),
        step("==", "x + 1", "x"),
    ]
    assert refused(o, Q(1), Q(2), steps=bad) == [
        Broken("<=", {}, Q(0), Q(-1)),
        Broken("<", {"t": 0}, Q(0), Q(-1)),
        Broken("==", {}, Q(0), Q(1)),
        Broken("==", {}, Q(0), Q(-1)),
    ]
    supposed = [step("<=", "x + 1", "x", supposing="x"), step("<=", "x + 2", "x")]
    assert refused(o, Q(1), Q(2), steps=supposed) == [Broken("<=", {}, Q(0), Q(-2))]


def product_of_two() -> tuple[Reading, ExactRun]:
    o = Outline("vectors")
    o.numbers("positive", "eta")
    o.vectors("p", "q", known="0")
    o.vectors("z", known="0")
    o.fact("shift", "definition", entry="z", is_="p - eta*q")
    own = world(
        **NOTHING
        | {
            "numbers": {"eta": lambda: Q(1, 2)},
            "vectors": {"p": lambda w, o, i: (Q(1), Q(3)), "q": lambda w, o, i: (Q(4), Q(2))},
        }
    )
    return Reading(o.document), own


def test_products_of_two_vectors_are_what_they_are_read_as() -> None:
    reading, own = product_of_two()
    assert broken_in(reading, own, {}) == []
    pairs = {("p", "p"), ("p", "q"), ("p", "z"), ("q", "q"), ("q", "z"), ("z", "z")}
    assert {*reading._products} == pairs
    reading, own = product_of_two()
    wrong = reading.product("p", "q")
    reading._products["q", "z"] = wrong
    # p q = 10 and q (p - q/2) = 10 - 20/2
    assert broken_in(reading, own, {}) == [Broken("q times z", {}, Q(10), Q(0))]
    assert reading.product("p", "q") is wrong
    assert broken_in(reading, own, {}) == [Broken("q times z", {}, Q(10), Q(0))]


def test_drawn_means_are_looked_at_where_they_are_read() -> None:
    o = sampled()
    own = ExactRun(
        [Q(1, 4)] * 4,
        [Q(1, 2)] * 2,
        numbers={"eta": lambda: 1, "b": lambda t: 1, "S": lambda: 2},
        vectors={
            "u": lambda w, o, i: (Q(1 + 2 * i), Q(2)),
            "v": lambda w, o, i: (Q(1 + 2 * i), Q(2)),
        },
        draws={"D": lambda outcome: [(0, 0), (0, 1), (1, 0), (1, 1)][outcome]},
    )
    reading = Reading(o.document)
    assert broken_in(reading, own, {"t": 1, "k": 1}) == []
    texts = {text for pair in reading._products for text in pair}
    assert texts == {"u", "v", "drawn(D, u)"}
    reading._products["drawn(D, u)", "drawn(D, u)"] = reading.product("u", "u")
    (found,) = broken_in(reading, own, {"t": 1, "k": 1})
    # of all clients 4 + 1 + 4, of the mean of two that are drawn 4 + 1/2 + 4
    name = "drawn(D, u) times drawn(D, u)"
    assert found == Broken(name, {}, Q(9), Q(17, 2))


def test_a_reading_is_evaluated_variable_by_variable() -> None:
    reading, own = product_of_two()
    reader = reading.outlined.reader
    for text, wanted in (
        ("p*q", Q(10)),
        ("eta*(p*q) + 3*(p*p) - 1", Q(34)),
        ("1/eta", Q(2)),
        ("(p*q)/(eta + 1)", Q(20, 3)),
        ("eta**2*(q*q)", Q(5)),
        ("0", Q(0)),
    ):
        assert evaluated(reader, own, reader.scalar(text)) == wanted
    keys: dict[str, Any] = {"eta": Q(7)}
    assert evaluated(reader, own, reader.scalar("eta*(p*q)"), keys) == 70
    assert keys == {"eta": Q(7), "p": own.vector("p"), "q": own.vector("q")}


def test_rules_may_be_others_than_the_named_ones() -> None:
    o = stated()
    with pytest.raises(ValueError, match="no rule is called"):
        Reading(o.document, {}).outlined  # noqa: B018
    own = world(**NOTHING)
    with pytest.raises(ValueError, match="no rule is called"):
        broken(o.document, own, {}, {})
    assert bridge.Reading(o.document).outlined is not None
