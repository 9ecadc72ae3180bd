"""Terms in the place of a statement's functions: which are chosen, what they give, what is a size.

Worlds are examples of small families, or say what they were asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.numbers.ball import FloatAmongExact, floats_refused
from bounds.numbers.validate import InvalidInput
from verify import Hypothesis, Real, numbers, quantity, statement
from verify.claim.instance import Instance
from verify.claim.parameters import Family
from verify.claim.statement import Statement
from verify.terms import claims as module
from verify.terms.claims import (
    HIGH,
    LOW,
    ClaimTerms,
    TermRule,
    as_terms,
    choice_of,
    example_of_family,
    program_of,
    sizes_of,
    terms_of,
    why_no_terms,
)
from verify.terms.node import Node, constant, node
from verify.terms.refusals import NotTraceable
from verify.terms.trace import TracedClaim
from verify.terms.traced import Traced
from verify.terms.uniform import obstacle
from verify.terms.world import TracingWorld
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.world import World

BOX = {"x": Real(0, 1, per=("N",)), "y": Real(0, 1)}
FAMILY = numbers(BOX, {"N": 2}, {"N": 3})
X, Y, N = node("symbol", data="x"), node("symbol", data="y"), node("size", data="N")
THOUSANDTH = 1e-12
"""Of a few roundings of numbers near one."""


def op(sign: str, *parts: Node) -> Node:
    return node("operator", *parts, data=sign)


def claim(sides: Any = None, family: Family = FAMILY, **more: Any) -> Statement:
    made: Any = statement("mine.claim", family=family, latex="x", where="here", **more)
    found: Statement = made(sides or (lambda w: ({"left": w.y}, {"right": 2 * w.y})))
    return found


def of(made: Statement) -> ClaimTerms:
    found = terms_of(made)
    assert found is not None, why_no_terms(made)
    return found


def terms(*made: TracedClaim, **more: Any) -> ClaimTerms:
    return ClaimTerms(made, frozenset(), **more)


def says(*left: Node, **more: Any) -> TracedClaim:
    return TracedClaim(dict(zip("abcdef", left, strict=False)), {}, {}, **more)


def world(family: Family = FAMILY, defines: Any = None, **shape: Any) -> World:
    made = claim(family=family, defines=defines or {})
    return example_of_family(made, family, shape or {"N": 2})


class Fake:
    """A world of plain numbers that says what it was asked."""

    number = "float64"

    def __init__(self, **values: Any) -> None:
        self.values = values

    def symbol(self, name: str) -> Any:
        value = self.values[name]
        return value(self) if callable(value) else value

    def has(self, name: str) -> bool:
        return name in self.values


# -- of a statement --------------------------------------------------------------------------------


def untraceable(w: Any) -> Any:
    return {"left": float(w.y)}, {"right": w.y}


def test_terms_stand_in_the_place_of_functions_once() -> None:
    made = claim()
    found = as_terms(made)
    assert found is not made
    assert as_terms(made) is found
    assert as_terms(found) is found
    assert terms_of(made) is terms_of(made)
    assert terms_of(found) is terms_of(made)
    assert of(made).whose(found) is True
    assert of(made).whose(made) is False
    assert terms(says(Y)).whose(found) is False
    assert why_no_terms(made) == why_no_terms(found) == ""
    plain = claim(untraceable)
    assert as_terms(plain) is plain
    assert terms_of(plain) is None
    assert "a plain number of a traced value" in why_no_terms(plain)


def test_what_is_known_of_a_statement_is_not_looked_for_again() -> None:
    made, own = claim(), terms(says(Y))
    object.__setattr__(made, "_terms", own)
    assert terms_of(made) is own
    object.__setattr__(made, "_as_terms", "known")
    assert as_terms(made) == "known"


def test_a_claim_without_sides_has_no_terms() -> None:
    made = claim()
    object.__setattr__(made, "sides", None)
    assert why_no_terms(made) == "a claim without sides"


def test_what_is_kept_between_two_calls_is_named() -> None:
    kept: list[int] = []

    def sides(w: Any) -> Any:
        kept.append(1)
        return {"left": w.y}, {"right": w.y}

    assert why_no_terms(claim(sides)) == "the functions keep something between two calls: kept"
    memory: dict[str, int] = {}

    def remembers(w: Any) -> Any:
        memory["two"] = 2
        return {"left": w.y * memory["two"]}, {"right": w.y}

    assert of(claim(remembers)).claims[0].left["left"] is op("*", Y, constant(2))


def test_the_program_behind_terms_is_the_one_that_was_traced() -> None:
    made = claim()
    found = as_terms(made)
    assert isinstance(found.sides, TermRule)
    assert program_of(found.sides) is made.sides
    assert program_of(made.sides) is made.sides
    assert program_of(None) is None


# -- what terms say of themselves ------------------------------------------------------------------


def test_what_may_differ_at_sizes_that_nobody_looks_at_is_told() -> None:
    plain = node("has", data="x")
    told = "it is told something that depends on a size"
    assert terms(says(Y), says(Y, settled={plain: True, N: 2})).obstacle == told
    assert terms(says(Y, settled={plain: True})).obstacle == ""
    compared = op("==", N, constant(7))
    why = obstacle([compared])
    assert why
    assert terms(says(Y), says(Y, compared)).obstacle == why
    assert terms(says(Y), says(Y)).obstacle == ""


def test_entries_between_two_places_are_told() -> None:
    picked = node("index", X, data=(Ellipsis, (2, None, None)))
    assert terms(says(Y), says(Y, picked)).picks_out is True
    assert terms(says(Y), says(X)).picks_out is False


def test_a_function_that_no_package_measures_is_named() -> None:
    package = node("generic", X, data=("bounds.generic:largest", 1, ()))
    for own in (
        node("quantity", X, data="mine:told"),
        node("function", data="mine:told"),
        node("generic", X, data=("mine:told", 1, ())),
    ):
        assert terms(says(Y), says(package, op("+", own, Y))).own_program == "mine:told"
        assert terms(says(Y, settled={op("neg", own): True})).own_program == "mine:told"
    for other in (node("attribute", X, data="mine:told"), node("symbol", data="mine:told")):
        assert terms(says(other, package)).own_program == ""
    named = node("quantity", data="algorithms.mine:told")
    assert terms(says(named), builds=("verify.claim:build",)).own_program == ""
    assert terms(says(named), builds=("verify.claim:b", "mine:build")).own_program == "mine:build"


def test_names_of_sizes_are_those_that_the_terms_name() -> None:
    original = node("original size", data="T")
    found = terms(says(Y), says(op("*", N, Y), op("+", original, node("length", X, data=-1))))
    assert found.size_names == {"N", "T"}
    assert terms(says(Y)).size_names == frozenset()


# -- the choice of a world -------------------------------------------------------------------------

HAS, HAS_Z = node("has", data="y"), node("has", data="z")
FIRST = says(Y, settled={HAS: True, HAS_Z: True})
SECOND = says(X, settled={HAS: True, HAS_Z: False})


def test_the_terms_of_a_world_are_those_that_were_told_what_it_says() -> None:
    own = terms(FIRST, SECOND)
    assert own.of(Fake(y=1.0, z=2.0)) is FIRST
    assert own.of(Fake(y=1.0)) is SECOND
    assert own.of(Fake()) is None
    made = world()
    assert own.of(made) is SECOND
    assert made.chosen == {own: SECOND}
    made.chosen[own] = FIRST
    assert own.of(made) is FIRST, "looked for once in a world"
    assert HAS in made.terms
    assert own.of(world(defines={"z": lambda w: w.y})) is FIRST


def test_what_was_told_is_the_same_in_kind_too() -> None:
    for value, told, same in (
        (1, 1, True),
        (1, 2, False),
        (1, True, False),
        (True, True, True),
        (1.0, 1, False),
        ("a", "a", True),
        ("a", "b", False),
        (None, None, True),
        (np.True_, True, False),
    ):
        assert module._same(value, told) is same


def test_a_defined_symbol_is_asked_of_its_program_while_terms_are_chosen() -> None:
    own = terms(says(Y, settled={node("symbol", data="z"): 5.0}, defined={"z": constant(7.0)}))
    rule = TermRule(own, "defined", "z", lambda _: 5.0)
    made = Fake(y=1.0, z=rule)
    assert rule(made) == 7.0
    assert own.of(made) is own.claims[0]
    assert module._CHOOSING.get() is False
    other = TermRule(own, "defined", "z", lambda _: 6.0)
    assert other(Fake(y=1.0, z=other)) == 6.0, "a choice that no family lists: the program says it"


def test_what_is_no_number_and_no_size_is_a_choice() -> None:
    data = {"A": np.zeros(2), "rows": 3, "N": 5}
    params = {"kind": "a", "flag": True, "none": None, "T": 2, "half": 0.5, "part": Fraction(1, 2)}
    made = Instance("quadratic", data, "gradient", params)
    array = np.ndarray
    assert choice_of(made, frozenset({"N", "T", "flag", "half"})) == (
        "quadratic",
        "gradient",
        ("A", array),
        ("N", int),
        ("T", int),
        ("flag", True),
        ("half", array),
        ("kind", "a"),
        ("none", None),
        ("part", array),
        ("rows", 3),
    )


# -- terms as functions ----------------------------------------------------------------------------


def whole() -> Statement:
    return claim(
        lambda w: ({"left": w.z * w.y, "more": w.y}, {"right": w.y / 2}),
        given=[
            Hypothesis("small", "x", lambda w: 1 - w.y, where="here"),
            Hypothesis("large", "x", lambda w: w.y + 3, where="here"),
        ],
        defines={"z": lambda w: w.y * 4, "unused": lambda w: w.y * 9},
        over="prob",
        delta=lambda w: w.y / 8,
    )


def test_each_function_gives_what_its_program_gives() -> None:
    made = whole()
    found = as_terms(made)
    w = example_of_family(found, FAMILY, {"N": 2})
    y = w.y
    left, right = found.sides(w)  # type: ignore[misc]
    assert list(left) == ["left", "more"]
    assert np.array_equal(left["left"], y * 4 * y)
    assert np.array_equal(left["more"], y)
    assert list(right) == ["right"]
    assert np.array_equal(right["right"], y / 2)
    assert [
        np.array_equal(item.rule(w), wanted)
        for item, wanted in zip(found.given, (1 - y, y + 3), strict=True)
    ] == [True, True]
    assert [item.name for item in found.given] == ["small", "large"]
    assert np.array_equal(found.delta(w), y / 8)  # type: ignore[misc]
    assert np.array_equal(found.defines["z"](w), y * 4)
    assert np.array_equal(found.defines["unused"](w), y * 9), "never asked for, so not traced"
    assert "unused" not in of(made).claims[0].defined
    for rule, part, name, program in (
        (found.sides, "sides", "", made.sides),
        (found.delta, "level", "", made.delta),
        (found.given[1].rule, "margins", "large", made.given[1].rule),
        (found.defines["z"], "defined", "z", made.defines["z"]),
    ):
        assert isinstance(rule, TermRule)
        assert (rule.terms, rule.part, rule.name) == (of(made), part, name)
        assert rule.__wrapped__ is program
    assert as_terms(claim()).delta is None


def test_a_term_is_evaluated_once_in_a_world() -> None:
    rule = TermRule(terms(says(Y, op("+", Y, constant(1)))), "sides", "", lambda _: None)
    w = world()
    w.terms[Y] = np.array([[50.0]])
    assert rule(w)[0]["b"].tolist() == [[51.0]]
    assert rule(Fake(y=3.0))[0] == {"a": 3.0, "b": 4.0}


def test_in_a_world_that_no_family_lists_the_program_is_asked() -> None:
    rule = TermRule(terms(FIRST), "sides", "", lambda w: ("asked", w))
    nobody = Fake()
    assert rule(nobody) == ("asked", nobody)
    assert rule(Fake(y=2.0, z=1.0)) == ({"a": 2.0}, {})


def test_terms_are_part_of_the_terms_of_another_claim() -> None:
    part = as_terms(
        claim(lambda w: ({"left": w.z}, {"right": w.y}), defines={"z": lambda w: w.y * 4})
    )
    example = world(defines=part.defines)
    tracing = TracingWorld(example, frozenset({"N"}), {})
    (left, right) = part.sides(tracing)  # type: ignore[misc, arg-type]
    assert type(left["left"]) is Traced
    assert left["left"].node is node("symbol", data="z")
    assert np.array_equal(left["left"].example, example.y * 4)
    assert right["right"].node is Y
    assert tracing.defined == {"z": op("*", Y, constant(4))}
    whole = claim(lambda w: part.sides(w), defines=part.defines)  # type: ignore[misc]
    assert of(whole).claims[0].left == {"left": node("symbol", data="z")}
    other = terms(says(Y, settled={HAS: False}))
    rule = TermRule(other, "sides", "", lambda w: ("asked", w))
    assert rule(tracing) == ("asked", tracing)


def test_a_float_among_exact_numbers_is_told_with_the_name_of_its_term() -> None:
    half = node("symbol", data="half")
    rule = TermRule(
        terms(TracedClaim({"good": Y, "bad": half}, {"worse": half}, {})),
        "sides",
        "",
        lambda _: None,
    )

    def refused(_: Any) -> Any:
        raise FloatAmongExact("a float")

    with floats_refused(), pytest.raises(FloatAmongExact) as error:
        rule(Fake(y=1, half=refused))
    assert error.value.args == ("a float", "the left term 'bad'")
    rule = TermRule(terms(TracedClaim({}, {"worse": half}, {})), "sides", "", lambda _: None)
    with pytest.raises(FloatAmongExact) as error:
        rule(Fake(half=refused))
    assert error.value.args == ("a float", "the right term 'worse'")


# -- sizes -----------------------------------------------------------------------------------------


def test_sizes_are_those_of_the_field_axes_and_what_grows() -> None:
    family = numbers({"x": Real(0, 1, per=("M",))}, {"M": 2, "k": 1, "j": 3}, grow=("k",))
    assert {"M", "k", "N", "d", "rounds", "local_steps", "points", "horizon", "T"} <= sizes_of(
        family
    )
    assert "j" not in sizes_of(family)
    assert "x" not in sizes_of(family)


def test_a_number_is_fixed_where_one_alone_is_listed() -> None:
    shapes = ({"M": 2, "k": 1, "j": 3, "r": 5}, {"M": 2, "k": 1, "j": 3, "r": 6})
    family = numbers({"x": Real(0, 1, per=("M",))}, *shapes, grow=("k",))
    assert module._fixed_numbers(family) == {"j"}
    assert module._fixed_numbers(numbers(BOX, {"N": 2, "j": 1}, {"N": 3})) == {"j"}


def test_other_whole_numbers_count_where_several_are_listed() -> None:
    shapes = [
        {"a": k, "one": 7, "sign": k - 1, "text": str(k), "half": k / 2, "mixed": k or "no"}
        | {"row": k, "client": k, "flag": bool(k), "big": k + 10}
        for k in (0, 1)
    ]
    family = replace(numbers({"y": Real(0, 1)}), shapes=tuple(shapes))
    assert module._other_numbers(family) == {"a", "big"}
    three = replace(family, shapes=tuple({"a": k} for k in (3, 3, 3)))
    assert module._other_numbers(three) == frozenset()
    three = replace(family, shapes=tuple({"a": k} for k in (3, 4, 5)))
    assert module._other_numbers(three) == {"a"}


def recorded(seen: list[Any], *names: str) -> Callable[[Any], Any]:
    """Sides that write down what they are traced on."""

    def sides(w: Any) -> Any:
        seen.append(tuple(int(getattr(w.symbol(n), "example", w.symbol(n))) for n in names))
        return {"left": w.y}, {"right": w.y}

    return sides


def test_the_first_and_the_last_example_of_a_choice_are_traced() -> None:
    for sizes, wanted in (((2, 3, 4), [(2,), (4,)]), ((2, 3), [(2,), (3,)]), ((2,), [(2,)])):
        seen: list[Any] = []
        family = numbers(BOX, *({"N": k} for k in sizes), grow=("N",))
        found = module._with_sizes(claim(recorded(seen, "N")), [family], frozenset({"N"}))
        assert seen == wanted
        assert found.sizes == {"N"}
        assert len(found.claims) == 1


@quantity
def many(w: Any) -> bool:
    """Whether there are more than forty clients."""
    return bool(w.x.shape[-1] > 40)


def by_kinds(first: tuple[int, ...], second: tuple[int, ...]) -> Family:
    shapes = [
        {"N": k, "kind": kind}
        for kind, sizes in zip("ab", (first, second), strict=True)
        for k in sizes
    ]
    return replace(numbers(BOX), shapes=tuple(shapes))


def test_a_choice_of_which_the_ends_are_told_the_same_is_traced_once() -> None:
    rule = lambda w: ({"left": w.y * (2 if many(w) else 1)}, {"right": w.y})  # noqa: E731
    sizes = frozenset({"N"})
    for second in ((2, 5, 7), (2, 3), (2,), (2, 50, 3)):
        found = module._with_sizes(claim(rule), [by_kinds((2, 3), second)], sizes)
        assert len(found.claims) == 1
    for second in ((50,), (50, 60)):
        found = module._with_sizes(claim(rule), [by_kinds((2, 3), second)], sizes)
        assert [list(one.settled.values()) for one in found.claims] == [[False], [True]]
    for second in ((2, 3, 50), (50, 3, 2), (2, 50), (50, 2)):
        with pytest.raises(NotTraceable, match="another formula in another shape"):
            module._with_sizes(claim(rule), [by_kinds((2, 3), second)], sizes)


def test_numbers_that_are_asked_for_are_choices_or_fixed() -> None:
    grid = numbers({"y": Real(0, 1)}, {"n": 2, "m": 1}, {"n": 3, "m": 4}, grow=())
    plain = of(claim(lambda w: ({"left": w.y * w.n}, {"right": w.y * w.m}), family=grid))
    assert {"n", "m"} <= plain.sizes
    assert (plain.listed, plain.fixed) == (frozenset(), frozenset())
    asked = lambda w: ({"left": sum(w.y for _ in range(w.n))}, {"right": w.y})  # noqa: E731
    listed = of(claim(asked, family=grid))
    assert listed.listed == {"n", "m"}
    assert listed.fixed == frozenset()
    assert "n" not in listed.sizes
    assert len(listed.claims) == 2
    rounds = numbers({"y": Real(0, 1)}, {"rounds": 3, "n": 1}, {"rounds": 3, "n": 2}, grow=())
    loop = lambda w: ({"left": sum(w.y for _ in range(w.rounds))}, {"right": w.y})  # noqa: E731
    fixed = of(claim(loop, family=rounds))
    assert (fixed.fixed, fixed.listed) == ({"rounds"}, {"n"})
    assert "rounds" not in fixed.sizes
    several = numbers({"y": Real(0, 1)}, {"rounds": 3}, {"rounds": 4}, grow=())
    assert "a plain number of a size" in why_no_terms(claim(loop, family=several))
    both = claim(loop, family=rounds, also=(several,))
    assert "a plain number of a size" in why_no_terms(both)


def build(values: Any, shape: Any) -> Instance:
    return Instance("numbers", {}, None, {**values, **shape})


class Build:
    """Makes instances when it is called."""

    def __call__(self, values: Any, shape: Any) -> Instance:
        return build(values, shape)


def test_who_makes_the_instances_of_each_family_is_named() -> None:
    families = (FAMILY, replace(FAMILY, build=build), replace(FAMILY, build=Build()))
    found = of(claim(family=families[0], also=families[1:]))
    plain = f"{FAMILY.build.__module__}:{FAMILY.build.__qualname__}"  # type: ignore[attr-defined]
    assert found.builds == (plain, f"{__name__}:build", f"{__name__}:Build")


# -- examples --------------------------------------------------------------------------------------


def test_numbers_of_an_example_lie_inside_their_ranges_each_elsewhere() -> None:
    """Steps of the golden section through the middle of each range."""
    assert (LOW, HIGH) == (0.3, 0.7)
    found = world()
    step = 0.6180339887
    places = [0.3 + 0.4 * (k * step - int(k * step)) for k in range(6)]
    assert found.x.shape == (2, 1, 2)
    assert np.allclose(found.x[:, 0].tolist(), [places[0:2], places[3:5]], rtol=0, atol=THOUSANDTH)
    assert np.allclose(found.y[:, 0], [places[2], places[5]], rtol=0, atol=THOUSANDTH)
    assert (found.N, found.number) == (2, "float64")
    assert np.array_equal(world(defines={"z": lambda w: w.y + 1}).z, found.y + 1)


def test_a_shape_without_an_example_ends_the_trace() -> None:
    def failing(error: Exception) -> Family:
        def made(values: Any, shape: Any) -> Instance:
            raise error

        return replace(FAMILY, build=made)

    for error in (NotAvailable("no"), NoValue("no"), InvalidInput("no"), ZeroDivisionError("no")):
        with pytest.raises(NotTraceable, match=r"there is no example of \{'N': 2\}: no"):
            world(failing(error))
    with pytest.raises(KeyError):
        world(failing(KeyError("no")))


def test_division_by_nought_in_an_example_is_no_warning() -> None:
    def made(values: Any, shape: Any) -> Instance:
        return build({**values, "y": 1 / (0 * values["y"])}, shape)

    with np.errstate(all="raise"):
        assert np.isinf(world(replace(FAMILY, build=made)).y).all()
