"""Orders and their explicit forms: what a form may change, and how an order comes to stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.cases import assume, claim, numbers
from verify.catalogue.library import Library
from verify.claim.constant import Bounded, faults
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings
from verify.terms.digest import statement_digest
from verify.world.score import score

POSITIVE = assume({"x above 0": lambda w: w.x}, ["x above 0"])
SHAPES = ({"T": 1}, {"T": 8})
UNIT = Real(1 / 8, 1, log=True, domain=(0, 1))
FIXED = numbers(*SHAPES, x=UNIT, size=Real(2, 2))
ANY = numbers(*SHAPES, x=UNIT, size=Real(1, 8))


def order(factor: Any = 2, power: int = 1, **more: Any) -> Statement:
    """x size factor/T against x/T (a power of it), up to a constant that may depend on the size."""

    def sides(w: Any) -> Any:
        return {"e": factor * w.size * w.x / w.T}, {"x/T": w.x**power / w.T}

    more = {"family": FIXED, "given": POSITIVE, "relation": "<~", **more}
    return claim(sides, key="p.rate", **more)


def explicit(of: Statement, value: Any = lambda c: 2 * c.size, **more: Any) -> Statement:
    depends = more.pop("depends", {"size": lambda w: w.size})
    return of.bounded("p.rate.explicit", value, says="2 size", depends=depends, family=ANY, **more)


def run(monkeypatch: pytest.MonkeyPatch, *statements: Statement) -> dict[str, Any]:
    known = Library(statements)
    monkeypatch.setattr("verify.run.tasks.library", lambda: known)
    ledger = LedgerRun(known, known.select(("p.rate",)), Settings(jobs=1)).finish()
    return {leaf["id"]: leaf for entry in ledger["entries"] for leaf in entry["leaves"]}


def test_the_form_has_the_sides_of_the_order_with_the_constant() -> None:
    made, of = explicit(order()), order()
    instance = ANY.instance({"x": np.array([0.5]), "size": np.array([3.0])}, SHAPES[1])
    form, plain = score(made, instance), score(of, instance)
    assert (form.left == plain.left).all()
    assert (form.right == 6 * plain.right).all()
    assert made.form == "explicit"
    assert made.relation == "<="
    assert faults(made, order()) != [], "another function, though it computes the same"


def test_one_coefficient_for_each_term_of_the_order() -> None:
    made = explicit(order(), lambda c: {"x/T": 7})
    instance = ANY.instance({"x": np.array([0.5]), "size": np.array([3.0])}, SHAPES[0])
    assert score(made, instance).right[0, 0] == 3.5
    with pytest.raises(InvalidInput, match="given for each of x/T"):
        explicit(order(), lambda c: {"T": 7})(score(made, instance).world)


def test_a_logarithm_may_stand_under_a_tilde() -> None:
    made = order().bounded(
        "p.rate.explicit", lambda c: c.rounds, says="1 + ln T", logs={"rounds": lambda w: w.T * w.x}
    )
    instance = FIXED.instance({"x": np.array([1.0]), "size": np.array([2.0])}, SHAPES[1])
    assert score(made, instance).right[0, 0] == pytest.approx((1 + np.log(8)) / 8)


OTHERWISE = {
    "sides": {"sides": lambda w: ({"e": w.x}, {"x/T": w.x})},
    "relation": {"relation": "=="},
    "assumes more": {"given": (*POSITIVE, *assume({"more": lambda w: 1 - w.x}))},
    "over": {"over": "mean"},
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_form_that_is_not_the_order_is_refused(name: str) -> None:
    of = order()
    made = replace(explicit(of), **OTHERWISE[name])
    assert faults(explicit(of), of) == []
    assert faults(made, of)
    with pytest.raises(InvalidInput, match="put into an order of the library"):
        Library([of, made])


def test_a_form_of_a_plain_claim_or_of_none_is_refused() -> None:
    plain = order(relation="<=")
    for known in ([plain, explicit(plain)], [explicit(plain)]):
        with pytest.raises(InvalidInput, match="put into an order of the library"):
            Library(known)


def test_fewer_hypotheses_are_allowed() -> None:
    of = order()
    assert faults(explicit(of, given=()), of) == []


def test_the_digest_follows_the_order_and_the_constant() -> None:
    of = order()
    one, other = explicit(of), explicit(of, lambda c: 3 * c.size)
    assert statement_digest(one) == statement_digest(explicit(of))
    assert statement_digest(one) != statement_digest(other)
    assert isinstance(one.sides, Bounded)


def test_an_order_stands_by_its_explicit_form(monkeypatch: pytest.MonkeyPatch) -> None:
    of = order()
    leaves = run(monkeypatch, of, explicit(of))
    assert leaves["p.rate.explicit"]["verdict"] in ("holds", "proved")
    assert leaves["p.rate"]["verdict"] == leaves["p.rate.explicit"]["verdict"]
    assert leaves["p.rate"]["reason"].startswith("by its explicit form p.rate.explicit, which")


def test_a_constant_that_is_too_small_carries_no_order(monkeypatch: pytest.MonkeyPatch) -> None:
    of = order()
    leaves = run(monkeypatch, of, explicit(of, lambda c: c.size))
    assert leaves["p.rate.explicit"]["verdict"] == "violated"
    assert leaves["p.rate"]["verdict"] == "inconclusive"


def test_without_a_form_an_order_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, order())["p.rate"]["verdict"] == "inconclusive"


HIDES = {
    "a size": ({"T": lambda w: w.T}, lambda c: 8 * c.T, "T, of the constant, depends on T, a size"),
    "a term of the order": (
        {"y": lambda w: 1 / w.x},
        lambda c: 8 * c.y,
        "y, of the constant, goes up and down with x/T",
    ),
}


@pytest.mark.parametrize("name", HIDES)
def test_a_constant_that_hides_the_order_is_none(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    depends, value, why = HIDES[name]
    of = order(family=numbers({"T": 1}, x=UNIT, size=Real(2, 2)))
    made = of.bounded("p.rate.explicit", value, says="hidden", depends=depends)
    leaves = run(monkeypatch, of, made)
    assert leaves["p.rate.explicit"]["verdict"] == "inconclusive"
    assert leaves["p.rate.explicit"]["reason"].startswith(why)
    assert leaves["p.rate"]["verdict"] == "inconclusive"


def test_a_ray_outranks_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    of = order(power=2)
    leaves = run(monkeypatch, of, explicit(of, lambda c: 10**4 * c.size))
    assert leaves["p.rate"]["verdict"] == "violated", "x itself is no O(x^2)"
