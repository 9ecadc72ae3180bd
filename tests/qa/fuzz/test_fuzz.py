"""A sample of the fuzz of formulas and claims, its negative controls, cases that failed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.qa.fuzz import __main__ as command
from tests.qa.fuzz import statements, terms
from tests.qa.fuzz.formulas import program, value
from verify.line.written import one_line
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.terms import formula
from verify.terms.claims import as_terms

FORMULAS, CLAIMS = range(10_000, 10_030), (3, 20)
X, Y, U, V = (("name", name) for name in "xyuv")
LINES = (
    (("sqrt", ("mean", U)), Y),
    (("exp", ("square", ("mean", V))), ("square", Y)),
    (("-", ("number", Fraction(7)), ("total", ("neg", U))), X),
)
"""Lines in TeX with a mean inside a root or an exponential had 1/N rounded among exact numbers; a
sum of what has a sign was printed so that nobody could read it."""


def test_formulas_by_chance_have_one_value() -> None:
    seen = Counter[str]()
    for seed in FORMULAS:
        sides = terms.pair(Random(seed))
        assert not terms.faults(sides, seed, seen), terms.told(sides)
    assert min(seen[one] for one in ("terms, float64", "terms, exact", "symbols", "TeX")) > 30
    assert seen["plain text: refused"] + seen["TeX: refused"] == 0


@pytest.mark.parametrize("sides", LINES, ids=terms.told)
def test_what_failed_once(sides: terms.Pair) -> None:
    seen = Counter[str]()
    assert not terms.faults(sides, 7, seen)
    assert seen["TeX"] == len(terms.POINTS)


def test_claims_by_chance_keep_their_words() -> None:
    seen = Counter[str]()
    for seed in CLAIMS:
        sides = statements.pair(Random(seed))
        assert not statements.faults(sides, seed, seen, ways=3), statements.line(sides)
    assert seen["proved"] + seen["holds"] + seen["violated"] >= 2


# -- negative controls ----------------------------------------------------------------------------


def first_fault(count: int = 60) -> str:
    """The first fault among so many formulas, and the smallest claim that has it."""
    for seed in range(count):
        found = command.of_terms(seed, Counter())
        if found:
            return found[0]
    return ""


@pytest.mark.parametrize("number", [0, 1])
def test_a_rounded_quotient_is_found(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without both locks: quotients of integers are floats, which become balls."""
    monkeypatch.setattr("verify.terms.values._whole", lambda _: False)
    monkeypatch.setattr("verify.world.returned.floats_refused", nullcontext)
    assert terms.faults(LINES[number], 7)[0].startswith("TeX, left: ")


def other_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roots are off by a little in floats."""
    import numpy as np

    monkeypatch.setattr("bounds.numbers.elementwise.np.sqrt", lambda x: np.power(x, 0.5 + 1e-12))


def bracket_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference of a difference is printed without its bracket."""
    monkeypatch.setattr(
        "verify.terms.text._Writer._inside", lambda self, one, _: self.write(one)[0]
    )


def other_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mean is printed as a sum."""
    monkeypatch.setitem(formula.OVER, "mean", "sum")


def larger_right_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the prover is given is less than what the claim says."""
    real = terms.claim_sets

    def weaker(claim: Any) -> Iterator[Claims]:
        for claims in real(claim):
            made = [
                ReadClaim(
                    one.label,
                    Claim(one.claim.left, one.claim.right + 9, *one.claim[2:]),
                    one.vectors,
                )
                for one in claims.all()
            ]
            yield Claims(made, claims.complete)

    monkeypatch.setattr(terms, "claim_sets", weaker)


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (other_root, "float64, "),
        (bracket_lost, "plain text, "),
        (other_mean, "plain text, "),
        (larger_right_side, "of claims holds: "),
    ],
)
def test_a_planted_fault_is_found(plant: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert said in first_fault()


def test_a_word_that_cannot_be_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = (("+", X, ("total", U)), X)
    assert statements.breaks(sides, 1)
    words = iter(("holds", "violated"))

    class Found:
        def __init__(self, *_: Any, **__: Any) -> None:
            self.verdict = next(words)

    monkeypatch.setattr(statements, "assay", Found)
    found = statements.faults(sides, 1, ways=2)
    assert "(as drawn) holds, but " in found[0]
    assert "(other names) violated" in found[0]
    assert "holds, but broken at x = " in found[1]


# -- the parts ------------------------------------------------------------------------------------


def test_each_way_to_write_a_claim_is_the_same_claim() -> None:
    sides = (("-", ("*", Y, X), ("mean", V)), ("max", X, ("square", ("total", U))))
    lines = statements.moved(sides, Random(1))
    assert len({*lines.values()}) == len(lines) == 6
    assert lines["as drawn"] == (
        "((y * x) - mean_i(v[i])) <= max(x, (sum_i(u[i]))^2) for v, y > 0, real u, x"
    )
    assert "beta" in lines["other names"]
    assert "(7/3) * y" in lines["other units"]
    assert "(3/2) + x" in lines["another origin"]
    assert lines["turned round"].startswith("(-max(")
    for text in lines.values():
        one_line(text)


def test_clients_are_split_where_means_and_extremes_alone_are_asked() -> None:
    sides = (("square", ("mean", U)), ("largest", ("*", V, U)))
    text = statements.moved(sides, Random(1))["clients split"]
    assert text == (
        "(sum_i((p[i] * u[i])))^2 <= max_i((v[i] * u[i])) "
        "for v, p > 0, real u given sum_i(p[i]) == 1"
    )
    one_line(text)


def test_the_value_is_that_of_the_formula_and_bounds_what_floats_lose() -> None:
    tree = ("-", ("+", X, ("number", Fraction(10**4))), ("number", Fraction(10**4)))
    found = value(tree, {"x": Fraction(1, 3)})
    assert abs(found.at - terms.MP.mpf(1) / 3) < 1e-50
    assert abs((1 / 3 + 1e4) - 1e4 - 1 / 3) <= found.off < 1e-10
    claim = as_terms(terms.made((tree, X)))
    assert claim.sides is not None
    assert program(("number", Fraction(2)), None) == 2


def test_the_command_says_how_many_were_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([1, 10_000]) == 0
    assert capsys.readouterr().out.count("claims, 0 with a fault") == 2
