"""A claim that some instance exists is refuted by a proof that none does, and by nothing less."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.each import each
from verify import Hypothesis, Real, Result, check, numbers, quadratics, statement
from verify.claim.statement import Statement
from verify.ladder import recheck
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import verdict

Sides = Callable[[Any], tuple[Mapping[str, Any], Mapping[str, Any]]]
BOX = numbers({"x": Real(-2, 2), "y": Real(0, 2)})
FAR = [
    Hypothesis("y is large", r"y \ge 1", lambda w: w.y - 1),
    Hypothesis("x is above y", r"x \ge 2y", lambda w: w.x - 2 * w.y),
]
APART = [
    Hypothesis("x is small", r"x \le 1", lambda w: 1 - w.x),
    Hypothesis("x is large", r"x \ge 2", lambda w: w.x - 2),
]


def _some(sides: Sides, **more: Any) -> Statement:
    made: Statement = statement(
        "t.some", where="Lemma", latex="x", family=BOX, quantifier="some", **more
    )(sides)
    return made


FALSE: dict[str, tuple[Sides, dict[str, Any]]] = {
    "<=": (lambda w: ({"square": w.x**2 + 1}, {"x": w.x}), {}),
    ">=": (lambda w: ({"x": w.x}, {"square": w.x**2 + 1}), {"relation": ">="}),
    "==, left below": (lambda w: ({"x": w.x}, {"square": w.x**2 + 1}), {"relation": "=="}),
    "==, left above": (lambda w: ({"square": w.x**2 + 1}, {"x": w.x}), {"relation": "=="}),
    "a narrow gap": (lambda w: ({"square": w.x**2 + 0.251}, {"x": w.x}), {}),
    "under hypotheses": (lambda w: ({"square": w.x**2}, {"half": w.y / 2}), {"given": FAR}),
}


@each("name", FALSE)
def test_what_is_plainly_false_falls_by_a_proof_of_its_negation(name: str) -> None:
    sides, more = FALSE[name]
    claim = _some(sides, **more)
    found = check(claim, profile="quick")
    assert (found.verdict, found.rung) == ("violated", "certificate"), found
    assert found.witness is None
    assert Result.from_json(json.dumps(found.to_json())) == found
    (proof,) = [item.proof for item in found.evidence if item.proof is not None]
    assert recheck(claim, proof)


TRUE: dict[str, Sides] = {
    "a region": lambda w: ({"square": w.x**2 + 1 / 8}, {"x": w.x}),
    "one point": lambda w: ({"square": w.x**2 + 1}, {"twice": 2 * w.x}),
}


@each("name", TRUE)
def test_what_exists_is_proved_by_an_instance(name: str) -> None:
    found = check(_some(TRUE[name]), profile="quick")
    assert (found.verdict, found.rung) == ("proved", "exact"), found


def test_hypotheses_that_contradict_each_other_make_it_vacuous() -> None:
    found = check(_some(lambda w: ({"x": w.x}, {"y": w.y}), given=APART), profile="quick")
    assert found.verdict == "vacuous", found


def test_a_claim_about_a_class_is_left_open() -> None:
    """What no number satisfies may be satisfied in another family."""
    claim = replace(_some(FALSE["<="][0]), also=(quadratics(({"N": 2, "d": 1},)),))
    assert check(claim, profile="quick").verdict == "inconclusive"


def test_neither_proof_stands_for_the_other() -> None:
    """A proof of a claim is none of its negation, and a forged mark changes nothing."""
    none = _some(FALSE["<="][0])
    every = replace(_some(lambda w: ({"x": w.x}, {"square": w.x**2 + 1})), quantifier="all")
    (negation,) = [e.proof for e in check(none, profile="quick").evidence if e.proof]
    (positive,) = [e.proof for e in check(every, profile="quick").evidence if e.proof]
    assert recheck(none, negation)
    assert recheck(every, positive)
    unmarked = {k: v for k, v in negation.items() if k != "of"}
    for claim, proof in ((none, positive), (none, unmarked), (every, negation)):
        assert not recheck(claim, proof)
    assert not recheck(none, {**positive, "of": "negation"})
    assert not recheck(every, {**positive, "of": "negation"})


def test_a_negation_without_an_accepted_certificate_is_no_word() -> None:
    (proof,) = [e.proof for e in check(_some(FALSE["<="][0]), profile="quick").evidence if e.proof]
    stored = Evidence("certificate", "decided", "none", proof=proof)
    assert verdict([stored]).word == "violated"
    for broken in ({"of": "negation"}, {"of": "negation", "certificates": []}):
        assert verdict([replace(stored, proof=broken)]).word == "inconclusive"
    written = json.loads(json.dumps(proof))
    written["certificates"][0]["written"]["right"] = "0"
    assert verdict([replace(stored, proof=written)]).word == "inconclusive"


FILE = """
from verify import Real, numbers, statement

BOX = numbers({"x": Real(-2, 2)})


@statement("mine.none", where="Remark 1", latex="x", family=BOX, quantifier="some")
def none(w):
    return {"square": w.x**2 + 1}, {"x": w.x}
"""


def test_an_audit_derives_the_negation_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from verify.cli.main import main

    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FILE)
    assert main(["check", "mine.py", "--profile", "quick", "-o", "l.json"]) == 0
    assert "violated" in capsys.readouterr().out
    assert main(["audit", "l.json", "--trust", "mine.py"]) == 0
    Path("other.py").write_text(FILE.replace("+ 1}", "- 1}"))
    capsys.readouterr()
    assert main(["audit", "l.json", "--trust", "other.py"]) == 1
    assert "does not prove this claim" in capsys.readouterr().out
