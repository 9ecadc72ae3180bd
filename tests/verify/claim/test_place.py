"""Records that begin at a place are the records that name it."""

from __future__ import annotations

from typing import Any

from tests.verify.claim.test_readings import AXES as AXES
from tests.verify.claim.test_readings import BOX
from verify.claim import Statement, numbers, statement
from verify.claim.place import Passage, like

PROOF = Passage("proof step", "proof of Lemma 1")
FAMILY = numbers(BOX)


def sides(w: Any) -> Any:
    return {"x": w.x}, {"4": 4}


def said(claim: Statement) -> tuple[str, ...]:
    return claim.key, claim.kind, claim.source.where, claim.title, claim.latex, claim.relation


WHOLE = statement(
    "mine.first",
    kind="proof step",
    where="proof of Lemma 1",
    title="small",
    latex="x",
    relation=">=",
    family=FAMILY,
)(sides)


def test_a_record_in_two_steps() -> None:
    made = PROOF("mine.first", "small", relation=">=")(latex="x", family=FAMILY)(sides)
    assert said(made) == said(WHOLE)
    assert made.family is WHOLE.family


def test_a_record_like_another_at_a_place_or_at_its_own() -> None:
    other = Passage("lemma", "Lemma 2").like(WHOLE, "mine.second", "large")(latex="y")(sides)
    assert said(other) == ("mine.second", "lemma", "Lemma 2", "large", "y", ">=")
    third = like(other, "mine.third", "larger", relation="==")(latex="z")(sides)
    assert said(third) == ("mine.third", "lemma", "Lemma 2", "larger", "z", "==")
    assert third.family is FAMILY


def test_a_record_with_readings() -> None:
    def read(w: Any, r: Any) -> Any:
        return {"x": w.x}, {"bound": len(r.times)}

    made = PROOF.read("mine.read", "small", "times")(latex="x", family=FAMILY)(read)
    assert [leaf.key for leaf in made] == ["mine.read@loop", "mine.read@endless"]
    assert {leaf.source.where for leaf in made} == {"proof of Lemma 1"}


def test_what_is_assumed_or_left_open_there() -> None:
    short = PROOF.assumes("short", "x<1", strict=True)(lambda w: 1 - w.x)
    assert (short.where, short.strict, short.tag) == ("proof of Lemma 1", True, "printed")
    left = PROOF.open("mine.open", "far away")("x", "a number")
    assert (left.missing, *said(left)[:4]) == (
        "a number",
        *said(left)[:1],
        *said(WHOLE)[1:3],
        "far away",
    )
