"""Programs that go through their rounds one by one: what is read of them, and what is proved."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy

from bounds import generic as xp
from bounds.numbers.formal import Axis
from bounds.numbers.formal_terms import extreme_type, indicator_type
from bounds.numbers.symbolic import NotReadable, Symbolic, client_symbol, expression
from verify.certify.prover.prove import Hypothesis as Known
from verify.claim import Hypothesis, Real, Statement, numbers, statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.loops import reading as reader
from verify.reading.loops.bases import known_of_powers
from verify.reading.loops.cases import cases
from verify.reading.loops.closed import RoundPowers, closed
from verify.reading.loops.counts import Counted
from verify.reading.loops.ends import at_ends
from verify.reading.loops.fitted import outer
from verify.reading.loops.forms import bounds_of, forms_of, gaps_by_bounds, neat, shifted
from verify.reading.loops.names import ClientNames
from verify.reading.loops.parts import Parts
from verify.reading.loops.points import Points
from verify.reading.loops.sets import loop_sets
from verify.statements.allforall import theorem6b, theorem7_2
from verify.statements.allforall.sgd import lemma4
from verify.terms.vocabulary import quantity
from verify.world.world import World

Rule = Callable[[World], Any]
K = sympy.Symbol("K", integer=True, positive=True)
x, y = sympy.symbols("x y", real=True)
a, b, s = sympy.symbols("a b s", positive=True)
BOX = {
    "mu": Real(1 / 8, 8, log=True),
    "start": Real(-2, 2),
    "variance": Real(1 / 64, 16, log=True),
    "share": Real(1 / 16, 1, domain=(0, 1)),
}
SHAPES = tuple({"rounds": k} for k in (1, 2, 8))


@quantity
def after(w: World, rounds: int) -> Any:
    """The mean square after so many noisy rounds with the step share/mu."""
    square, step = w.start**2, w.share / w.mu
    for _ in range(rounds):
        square = (1 - w.share) ** 2 * square + step**2 * w.variance
    return square


def bound(w: World, noise: float = 1, rate: int = 2, start: int = 1) -> Any:
    return {
        "start": start * w.mu * w.start**2 * xp.exp(-rate * w.share * w.rounds) / 2,
        "noise": noise * w.share * w.variance / (2 * w.mu),
    }


def made(
    left: Rule | None = None,
    right: Rule = bound,
    box: Any = None,
    shapes: Any = SHAPES,
    **more: Any,
) -> Statement:
    run = left or (lambda w: w.mu * after(w, w.rounds) / 2)

    @statement(
        "test.loop",
        family=numbers({**BOX, **(box or {})}, *shapes),
        **{"over": "mean", **more},
    )
    def claim(w: World) -> Any:
        return {"left": run(w)}, right(w)

    found: Statement = claim
    return found


def proved(claim: Statement) -> bool:
    return any(e.status == "decided" for e in prove(claim))


# -- what is proved --------------------------------------------------------------------------------
@pytest.mark.parametrize("over", ["mean", "point"])
def test_a_bound_on_a_noisy_run_is_proved_for_any_number_of_rounds(over: str) -> None:
    (found,) = prove(made(over=over))
    assert found.status == "decided"
    assert "for any number of rounds" in found.summary
    proof = json.loads(json.dumps(found.proof))
    assert recheck(made(over=over), proof, again=True, whole=True)
    assert not recheck(made(right=lambda w: bound(w, noise=2)), proof)


def wrong_program(w: World) -> Any:
    """Another one after five rounds."""
    square = after(w, w.rounds)
    for k in range(w.rounds):
        square = square * 2 if k == 4 else square
    return w.mu * square / 2


FALSE: dict[str, dict[str, Any]] = {
    "less noise": {"right": lambda w: bound(w, noise=1 / 4)},
    "a faster rate": {"right": lambda w: bound(w, rate=3)},
    "half of the start": {"right": lambda w: {**bound(w), "start": bound(w)["start"] / 2}},
    "no noise": {"right": lambda w: {"start": bound(w)["start"]}},
    "no start": {"right": lambda w: {"noise": bound(w)["noise"]}},
    "long steps": {"box": {"share": Real(1 / 16, 4, domain=(0, 4))}},
    "steps of any length": {"box": {"share": Real(1 / 16, 4)}},
    "one round more": {"left": lambda w: w.mu * after(w, w.rounds - 1) * 2},
    "more after five rounds": {"left": wrong_program},
    "rounds compared": {
        "left": lambda w: w.mu * after(w, w.rounds if w.rounds < 9 else 2 * w.rounds) / 2
    },
    "odd rounds": {"left": lambda w: w.mu * after(w, w.rounds) * (1 + w.rounds % 2) / 2},
    "a bound that counts": {
        "right": lambda w: {**bound(w), "more": -0.01 * sum(w.variance for _ in range(w.rounds))}
    },
    "from above": {"relation": ">="},
    "equal": {"relation": "=="},
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_bound_is_not_proved(name: str) -> None:
    assert not proved(made(**FALSE[name]))


def test_every_number_of_rounds_must_be_listed_as_one_of_several() -> None:
    assert not list(loop_sets(made(shapes=({"rounds": 4},))))
    assert not list(loop_sets(made(shapes=({"rounds": 0}, {"rounds": 4}))))


@pytest.mark.parametrize("name", ["power_0", "clients", "mean_of_row", "log_0", "rest_of_mu"])
def test_a_parameter_with_the_name_of_something_else_is_not_read(name: str) -> None:
    assert not list(
        loop_sets(made(left=lambda w: w.mu * after(w, w.rounds) / 2, box={name: BOX["mu"]}))
    )


def test_several_families_are_read_each_by_itself() -> None:
    other = numbers({**BOX, "share": Real(1 / 2, 1, domain=(0, 1))}, *SHAPES)
    assert proved(made(also=(other,)))
    longer = numbers({**BOX, "share": Real(1 / 2, 4, domain=(0, 4))}, *SHAPES)
    assert not proved(made(also=(longer,)))


# -- any number of clients -------------------------------------------------------------------------
ROWS = {
    **BOX,
    "row": Real(1 / 8, 1, per=("N",)),
    "centre": Real(-2, 2, per=("N",)),
}
SIZES = tuple({"N": n, "rounds": k} for n, k in ((1, 1), (2, 2), (2, 8)))


@quantity
def followed(w: World, mean: Any) -> Any:
    """The model after all rounds of steps towards a mean."""
    point = w.start
    for _ in range(w.rounds):
        point = point - w.share * (point - mean)
    return point


def of_clients(factor: float = 2, apart: float = 1, spread: bool = True) -> Statement:
    """Value of client 0 at the end of a run on the mean of parabolas."""

    def claim(w: World) -> Any:
        weights = w.row / xp.total(w.row)[..., None]
        mean = xp.total(weights * w.centre)
        point = followed(w, mean)
        own = w.centre[..., 0]
        gaps = xp.total(weights * (w.start[..., None] - w.centre) ** 2)
        first = gaps if spread else (w.start - mean) ** 2
        bias = xp.total(weights * (own[..., None] - w.centre) ** 2)
        return {"value": w.mu * (point - own) ** 2 / 2}, {
            "start": factor * w.mu * xp.exp(-w.share * w.rounds) * first / 2,
            "bias": apart * w.mu * bias,
        }

    return statement("test.loop", family=numbers(ROWS, *SIZES), over="mean")(claim)


def test_a_run_on_a_mean_over_any_number_of_clients() -> None:
    (found,) = prove(of_clients())
    assert "any number of clients, for any number of rounds" in found.summary
    labels = [item["shape"] for item in (found.proof or {})["certificates"]]
    assert all(x["N"] == "any" for x in labels[3:])


@pytest.mark.parametrize(("factor", "apart"), [(1, 1), (2, 1 / 4), (0, 1), (2, 0)])
def test_less_of_the_start_or_of_the_bias_is_not_proved(factor: float, apart: float) -> None:
    assert not proved(of_clients(factor, apart))


# -- statements of a paper, damaged ----------------------------------------------------------------
def sides(claim: Statement, rule: Callable[[Any], Any]) -> Statement:
    def changed(w: World) -> Any:
        left, right = claim(w)
        return left, rule(dict(right))

    return replace(claim, sides=changed)


def test_a_logarithm_that_is_not_known_to_be_positive() -> None:
    claim = lemma4.lemma4b_repaired
    assert not proved(replace(claim, given=()))
    assert not proved(sides(claim, lambda r: {**r, "noise": r["noise"] / 4}))
    assert not proved(sides(claim, lambda r: {"noise": r["noise"]}))
    assert not proved(sides(claim, lambda r: {"contraction": r["contraction"]}))


def test_a_number_of_rounds_that_is_too_small() -> None:
    claim = theorem7_2.theorem7_2_relaxed
    (enough,) = claim.given
    fewer = Hypothesis(
        enough.name, enough.latex, lambda w: enough.rule(w) + 15 * w.rounds, enough.where
    )
    assert not proved(replace(claim, given=()))
    assert not proved(replace(claim, given=(fewer,)))
    assert not proved(sides(claim, lambda r: {"precision": r["precision"] / 16}))


def test_a_relaxed_bound_without_its_factor() -> None:
    claim = theorem6b.theorem6b_relaxed
    assert not proved(sides(claim, lambda r: {n: v / 8 for n, v in r.items()}))
    assert not proved(replace(claim, given=()))


def test_a_start_that_is_twice_as_far() -> None:
    claim = lemma4.lemma4c_repaired
    assert proved(claim)
    assert not proved(sides(claim, lambda r: {"precision": r["precision"] / 4}))


# -- parts of the reader ---------------------------------------------------------------------------
def test_a_number_of_rounds_counts_and_is_a_symbol() -> None:
    rounds = Counted(3, K)
    assert list(range(rounds)) == [0, 1, 2]
    assert len(range(1, rounds + 1)) == 3
    assert expression(2 * rounds) == 2 * K
    assert expression(rounds - Symbolic(a)) == K - a
    assert expression(1 - rounds / 2) == 1 - K / 2
    assert expression(Symbolic(a) ** rounds) == a**K
    assert expression(np.array([Symbolic(a)], dtype=object) @ np.array([rounds])) == a * K
    for ask in (bool, int, float, lambda r: r == 3, lambda r: r < 3, lambda r: r // 2):
        with pytest.raises(NotReadable):
            ask(rounds)


def values(rule: Callable[[int], Any], count: int = 4) -> list[Any]:
    return [sympy.expand(rule(n)) for n in range(1, count + 1)]


def test_geometric_sums_are_read_off() -> None:
    q = 1 - a * b
    powers = RoundPowers()

    def rule(n: int) -> Any:
        return x**2 * q ** (2 * n) + s * sum(q ** (2 * j) for j in range(n))

    found = closed(values(rule), K, powers)
    (power,), (total,) = powers.symbols.values(), powers.series.values()
    assert sympy.expand(found - x**2 * power**2 - s * total) == 0
    assert [sympy.expand(base - q) for base in powers.symbols] == [0]
    meaning = powers.meanings(K)
    assert meaning[total].subs({K: 3, a: 2, b: 3}) == 1 + 5**2 + 5**4


def test_what_grows_by_the_same_amount_is_read_off() -> None:
    assert closed(values(lambda n: a * n + s), K, RoundPowers()) == a * K + s


@pytest.mark.parametrize("rule", [lambda n: a ** (n**2), lambda n: n**3 * a, sympy.factorial])
def test_other_numbers_are_refused(rule: Callable[[int], Any]) -> None:
    with pytest.raises(NotReadable):
        closed([sympy.sympify(rule(n)) for n in range(1, 7)], K, RoundPowers())


def test_a_round_may_multiply_by_no_quotient() -> None:
    with pytest.raises(NotReadable, match="quotient"):
        closed(values(lambda n: (a / (b + 1)) ** n * x + s), K, RoundPowers())


@pytest.mark.parametrize("factor", [sympy.pi, abs(x), 1 / (x + 1)], ids=str)
def test_what_stands_beside_a_power_may_be_anything(factor: Any) -> None:
    powers = RoundPowers()
    found = closed(values(lambda n: factor * (1 - a * b) ** n + s), K, powers)
    (power,) = powers.symbols.values()
    assert sympy.expand(found - factor * power - s) == 0


def test_symbols_that_a_round_does_not_multiply() -> None:
    assert outer(values(lambda n: x**2 * a**n + s)) == [s, x]


def test_a_power_with_another_exponent_is_refused() -> None:
    assert RoundPowers().within(a ** (2 * K), K).is_Pow
    with pytest.raises(NotReadable):
        RoundPowers().within(a ** (K / 2), K)


def test_what_is_too_long_is_counted() -> None:
    long = sympy.Add(*(x**n for n in range(reader.LONGEST // 2 + 10)))
    assert reader._too_long(long)
    assert not reader._too_long(sympy.Add(*long.args[20:]))
    assert not reader._too_long(x)


def test_sums_have_names_of_means() -> None:
    k, count = client_symbol()
    axis = Axis.of(5, 1)
    (lead, *_) = axis.marks
    w, g = sympy.IndexedBase("w", positive=True), sympy.IndexedBase("g", real=True)
    whole = w[lead] + sympy.Sum(w[k], (k, 1, count))
    square = w[lead] * g[lead] ** 2 + sympy.Sum(w[k] * g[k] ** 2, (k, 1, count))
    names = ClientNames(axis)
    names.look([square / whole])
    found = sympy.expand(sympy.cancel(names(square / whole)))
    mean, spread = (
        sympy.Symbol("mean_of_g", real=True),
        sympy.Symbol("spread_of_g", nonnegative=True),
    )
    assert found == mean**2 + spread
    back = names.meanings()
    assert (
        sympy.cancel(back[mean] * whole - w[lead] * g[lead] - sympy.Sum(w[k] * g[k], (k, 1, count)))
        == 0
    )
    facts = {fact.name for fact, _ in names.facts([])}
    assert facts == {"spread_of_g is a variance"}


def test_what_holds_of_each_client_holds_in_the_mean() -> None:
    k, count = client_symbol()
    h = sympy.IndexedBase("h", positive=True)
    names = ClientNames(Axis.of(5, 0))
    largest = names(extreme_type()(sympy.Symbol("max"), k, sympy.Tuple(), sympy.Tuple(h[k])))
    mean = names(sympy.Sum(h[k], (k, 1, count)) / count)
    facts = [fact.expr for fact, _ in names.facts([])]
    assert sympy.expand(largest - sympy.cancel(mean)) in facts
    with pytest.raises(NotReadable):
        names(sympy.Sum(sympy.sin(h[k]), (k, 1, count)))
    with pytest.raises(NotReadable):
        names(indicator_type()(a - b, sympy.Integer(0)))


def test_parts_have_symbols_and_cases_say_which_is_smaller() -> None:
    parts = Parts()
    found = parts(sympy.Min(a, b) + sympy.exp(-a * K) * sympy.log(b))
    assert {str(t) for t in found.free_symbols} == {"least_0", "exp_0", "log_0"}
    assert found.xreplace(parts.meanings({})) == sympy.Min(a, b) + sympy.exp(-a * K) * sympy.log(b)
    every = list(cases(parts))
    assert [[*case.picks.values()] for case in every] in ([[a], [b]], [[b], [a]])
    known = [Known("order", b - a)]
    assert [[*case.picks.values()] for case in cases(parts, known)] == [[a]]
    with pytest.raises(NotReadable):
        parts(sympy.sqrt(a + b))
    with pytest.raises(NotReadable):
        list(cases(_three()))


def _three() -> Parts:
    parts = Parts()
    parts(sympy.Min(a, b, s))
    return parts


def test_forms_of_two_numbers_by_their_coefficients() -> None:
    found = dict(forms_of(a * x**2 - 2 * b * x * y + y**2 + 3 * s, [s, x, y]))
    assert [*found.values()] == [3, a, 1, 4 * a - 4 * b**2]
    for gap in (x * y, x**3, x**2 + y**2 + sympy.Symbol("z", real=True) * (x + y)):
        with pytest.raises(NotReadable):
            forms_of(gap, sorted(gap.free_symbols, key=str))


def test_a_number_that_is_at_least_some_bounds() -> None:
    forms = [Known("one", s - a * x**2), Known("two", 2 * s - b)]
    bounds = bounds_of(forms, [s, x], lambda e: bool(e.is_positive))
    assert bounds == {s: [a * x**2, b / 2]}
    gaps = dict(gaps_by_bounds(s - x**2, bounds))
    rest = sympy.Symbol("rest_of_s", nonnegative=True)
    assert sympy.expand(gaps["s 2+2"] - (a * x**2 / 2 + b / 4 + rest - x**2)) == 0
    assert gaps[""] == s - x**2


def test_only_differences_to_a_mean_enter() -> None:
    mean = sympy.Symbol("mean", real=True)
    assert shifted([(x - mean) ** 2], [mean]) == {mean: 0}
    assert shifted([(x - mean) ** 2 + x**2], [mean]) == {}
    assert neat(4 * a * (x - 1)) == x - 1


def test_formulas_at_the_ends_of_their_symbols() -> None:
    known = [Known("low", x - a), Known("high", 2 - x)]
    seen = Points(known, {})
    e = x * a**3 - a**4 + b
    assert list(at_ends(e, [x], known, seen, K)) == [1]
    assert list(at_ends(x - a, [x], known, seen, K)) == [x - a]


def test_points_meet_what_is_known() -> None:
    seen = Points([Known("low", a - b - 1), Known("high", 2 * b - a)], {s: a * b})
    assert seen.count > 100
    assert seen.hold(a - b)
    assert seen.hold(s - a)
    assert not seen.hold(b - a)
    assert not Points([Known("never", -a - 1)], {}).hold(a)


@pytest.mark.parametrize(
    "e",
    [
        sympy.Integer(2),
        x,
        -x / 3 + y**2 * a,
        (x - y) ** 5 / (a + b) ** 3,
        x * sympy.exp(-a) + sympy.log(b) / a,
        sympy.Max(x, y) + sympy.sqrt(a),
    ],
    ids=str,
)
def test_values_at_points_are_those_of_a_compiled_function(e: Any) -> None:
    seen = Points([Known("x", x - y), Known("all", x + y + a + b)], {})
    at = [seen._values[v] for v in (x, y, a, b)]
    wanted = sympy.lambdify((x, y, a, b), e, "numpy")(*at)
    assert np.allclose(seen._at(e), wanted, rtol=1e-12, atol=0)
    assert np.allclose(seen._at(e), wanted, rtol=1e-12, atol=0)  # of powers that are kept
    assert seen.hold(x**2 + 1)
    assert seen.hold((x - y) * a)
    assert not seen.hold(-1 - x**2)


def test_what_powers_are_known_to_be() -> None:
    powers = RoundPowers()
    power = powers.symbol(1 - a)
    small, log = sympy.Symbol("small", positive=True), sympy.Symbol("log", real=True)
    known = [Known("short", 1 - a), Known("slow", a - b), Known("long", a * K - log)]
    found = known_of_powers(powers, {small: b}, {}, {log: s}, K, known, {})
    facts = [h.expr for h in found.facts]
    assert {1 - power, small - power, 1 - s * power} <= {*facts}
    assert small - power not in [
        h.expr for h in known_of_powers(powers, {small: 2 * a}, {}, {}, K, known, {}).facts
    ]


def test_formulas_are_held_to_the_program_at_other_numbers_of_rounds() -> None:
    assert {1, 2, 3, 13} <= {*reader.FURTHER}
    assert len([*reader.read_loops(made())]) == 1
    assert not [*reader.read_loops(made(left=wrong_program))]
