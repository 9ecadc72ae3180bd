"""What binds evidence to statements in an audit, each condition by hand.

What slips through here lets a ledger say of a false claim that every verdict follows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from verify.ledger import bindings as room
from verify.ledger.bindings import Bindings
from verify.verdict.evidence import Evidence

OWN = SimpleNamespace(
    key="mine.one", given=[SimpleNamespace(name="x is small")], constant=None, family="family"
)
SHIPPED = SimpleNamespace(key="paper.one", given=[], constant=None)


class Shelf:
    """Stands for a library."""

    def __init__(self, *statements: Any) -> None:
        self.statements = statements

    def find(self, key: str) -> Any:
        return next((one for one in self.statements if one.key == key), None)

    def __iter__(self) -> Any:
        return iter([SimpleNamespace(key=one.key) for one in self.statements])


class Calls:
    """Stands for a function that gives one thing after the other, and remembers what for."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[Any]()

    def __call__(self, *args: Any, **named: Any) -> Any:
        self.asked.append((*args, *named.items()))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


Patch = Callable[..., Calls]


@pytest.fixture
def patch(monkeypatch: pytest.MonkeyPatch) -> Patch:
    monkeypatch.setattr(room, "library", lambda: Shelf(SHIPPED))

    def put(name: str, *answers: Any) -> Calls:
        made = Calls(*answers)
        monkeypatch.setattr(room, name, made)
        return made

    return put


def bound(**more: Any) -> Bindings:
    return Bindings(Shelf(OWN), **{"file": "f" * 64, **more})  # type: ignore[arg-type]


# -- which statement ------------------------------------------------------------------------------


def test_a_statement_is_ones_own_or_the_librarys(patch: Patch) -> None:
    assert bound().statement("mine.one") is OWN
    assert bound().statement("paper.one") is SHIPPED
    assert bound().statement("other") is None
    assert Bindings().statement("mine.one") is None
    assert Bindings().statement("paper.one") is SHIPPED
    twin = SimpleNamespace(key="paper.one")
    assert Bindings(Shelf(twin)).statement("paper.one") is twin  # type: ignore[arg-type]
    assert [*bound().entries] == ["paper.one", "mine.one"]
    assert [*Bindings().entries] == ["paper.one"]
    assert (Bindings().deep, Bindings().file, Bindings().loose) == (True, "", [])


def test_what_a_line_narrows_is_read_again(patch: Patch) -> None:
    found = patch("narrows_of", ["a"])
    assert [*bound().narrows({"key": "mine.one"})] == []
    assert [*bound().narrows({"key": "other", "narrows": []})] == []
    assert [*bound().narrows({"key": "mine.one", "narrows": ["a"]})] == []
    assert [*bound().narrows({"key": "mine.one", "narrows": []})] == [
        "narrows is [], the statements give ['a']"
    ]
    line = {"key": "mine.one", "narrows": ["a"]}
    one = bound()
    assert [*one.narrows(line)] == []
    assert found.asked[-1] == (line, one.entries)
    assert len(found.asked) == 3


# -- of which file --------------------------------------------------------------------------------


def test_a_leaf_is_of_this_file_and_this_statement(patch: Patch) -> None:
    patch("statement_digest", "c")
    right = {"sha256": "f" * 64, "code": "c"}

    def said(source: Any, one: Bindings | None = None, key: str = "mine.one") -> list[str]:
        leaf = {"id": key} if source is None else {"id": key, "source": source}
        return [*(one or bound()).made_of(leaf)]

    assert said(right) == []
    assert said(None) == ["it does not say of which file it was made: run 'fedassay check' again"]
    assert said({**right, "sha256": "0" * 64}) == [
        f"it was made of another file (sha256 {'0' * 16}...)"
    ]
    assert said({**right, "code": "d"}) == ["it was made of another statement of that file"]
    # a leaf of the library, and where no file is named, there is nothing to compare
    assert said(None, key="paper.one") == said(None, bound(file="")) == []
    assert said(None, Bindings()) == said(None, Bindings(file="f")) == []


# -- what speaks for a leaf -----------------------------------------------------------------------


def search(worst: float | None) -> Evidence:
    return Evidence("search", "decided", "s", worst=worst)


def needed(**details: Any) -> Evidence:
    return Evidence("needed", "decided", "n", details=details)


def leaf_of(word: str = "holds", ratio: float | None = 0.5, key: str = "mine.one") -> Any:
    tightest = None if ratio is None else {"ratio": ratio, "instance": {}}
    return {"id": key, "verdict": word, "tightness": tightest}


@pytest.mark.parametrize(
    ("leaf", "evidence", "said"),
    [
        (leaf_of(), [search(0.5)], []),
        (leaf_of(), [], []),
        (leaf_of(), [search(None)], []),
        (leaf_of(), [search(0.25), search(0.5)], []),
        (leaf_of(), [search(0.75)], ["the largest ratio of its search is 0.75, its tightest 0.5"]),
        (
            leaf_of(),
            [search(0.5), search(0.75)],
            ["the largest ratio of its search is 0.75, its tightest 0.5"],
        ),
        (leaf_of(), [search(0.25)], ["the largest ratio of its search is 0.25, its tightest 0.5"]),
        (
            leaf_of(ratio=None),
            [search(0.5)],
            ["the largest ratio of its search is 0.5, its tightest None"],
        ),
        (leaf_of(ratio=None), [], []),
        (leaf_of("violated"), [search(0.75)], []),
        (leaf_of("proved"), [search(0.75)], []),
        (leaf_of(), [Evidence("exact", "decided", "s", worst=0.75)], []),
        (leaf_of(), [needed(needed=["x is small"])], []),
        (leaf_of(), [needed(**{"not seen needed": ["x is small"]})], []),
        (leaf_of(), [needed(other=["y"])], []),
        (leaf_of(), [Evidence("power", "decided", "n", details={"needed": ["y"]})], []),
        *(
            (
                leaf_of(),
                [needed(**{part: ["x is small", "y"]})],
                ["a price was paid for 'y', which is no hypothesis of this claim"],
            )
            for part in ("needed", "not seen needed", "never failed alone")
        ),
        (leaf_of(key="other"), [search(0.75)], []),
    ],
)
def test_what_speaks_for_a_leaf_is_its_own(
    leaf: Any, evidence: list[Evidence], said: list[str], patch: Patch
) -> None:
    scored = patch("scored_again", "")
    assert [*bound().supported(leaf, evidence)] == said
    once = leaf["tightness"] is not None and leaf["id"] == "mine.one"
    assert scored.asked == ([(OWN, leaf["tightness"])] if once else [])
    assert [*bound(deep=False).supported(leaf, evidence)] == []


def test_the_tightest_instance_is_scored_again(patch: Patch) -> None:
    patch("scored_again", "it has the ratio 2")
    assert [*bound().supported(leaf_of(), [])] == ["it has the ratio 2"]


# -- certificates ---------------------------------------------------------------------------------


def test_a_certificate_is_checked_against_its_claim(patch: Patch) -> None:
    proof = {"certificates": [{"written": "first"}, {"written": "second"}]}
    checked = patch("check", "0 <= 1", "0 <= 2")
    for answer, said in ((True, []), (False, ["a certificate does not prove this claim"])):
        asked = patch("recheck", answer)
        one = bound()
        assert [*one.certificate("mine.one", proof, True)] == said
        assert [*one.certificate("mine.one", proof, False)] == said
        assert asked.asked == [(OWN, proof, True), (OWN, proof, False)]
        assert one.loose == []
    one = bound(deep=False)
    patch("recheck", False)
    assert [*one.certificate("mine.one", proof, True)] == []
    patch("recheck", True)
    one = bound()
    assert [*one.certificate("other", proof, True)] == []
    assert one.loose == ["other: certificate of: 0 <= 1", "other: certificate of: 0 <= 2"]
    assert checked.asked == [("first",), ("second",)]
    patch("recheck", False)
    assert [*one.certificate("other", proof, True)] == ["a certificate does not prove this claim"]
    assert len(one.loose) == 2


def test_a_form_names_the_constant_of_its_order(patch: Patch) -> None:
    order = SimpleNamespace(key="mine.order", constant=None)
    form = SimpleNamespace(key="mine.form", constant=SimpleNamespace(of="mine.order"))
    other = SimpleNamespace(key="mine.other", constant=SimpleNamespace(of="mine.one"))
    plain = SimpleNamespace(key="mine.plain", constant=None)
    found = patch("faults", ["a fault"])
    one = Bindings(Shelf(order, form, other, plain))  # type: ignore[arg-type]
    assert [*one.constant("mine.order", "mine.form")] == ["a fault"]
    assert found.asked == [(form, order)]
    for name in ("other", "plain"):
        assert [*one.constant("mine.order", f"mine.{name}")] == [
            f"mine.{name} does not name the constant of mine.order"
        ]
    assert one.loose == []
    for first, second in (("mine.order", "none"), ("none", "mine.form")):
        assert [*one.constant(first, second)] == []
    assert one.loose == [
        "mine.order: that none names its constant is not compared",
        "none: that mine.form names its constant is not compared",
    ]


# -- witnesses ------------------------------------------------------------------------------------

PATH = Path("folder/w.json")


def stored(number: str = "rational", key: str = "mine.one") -> Any:
    return {"key": key, "number": number, "instance": {}}


def test_a_witness_is_recomputed(patch: Patch) -> None:
    def found(confirmed: bool, *differences: str) -> Any:
        return SimpleNamespace(confirmed=confirmed, differences=differences)

    for answer, said in (
        (found(True), []),
        (found(True, "left is 2"), ["the witness w.json differs: left is 2"]),
        (found(False, "a", "b"), [f"the witness w.json differs: {one}" for one in "ab"]),
        (found(False), ["the witness w.json is not confirmed"]),
        (InvalidInput("no x"), ["the witness w.json cannot be recomputed (no x)"]),
    ):
        asked = patch("recomputed", answer)
        one = bound()
        assert [*one.witness(stored(), PATH)] == said
        assert asked.asked == [(OWN, stored(), PATH)]
        assert [*one.witness(stored("simulated"), PATH)] == []
        assert len(asked.asked) == 1
        assert one.loose == []
    one = bound()
    assert [*one.witness(stored(key="other"), PATH)] == []
    assert one.loose == ["other: w.json is not compared with a statement"]


def test_where_nothing_is_recomputed_it_still_is_one_of_the_statements(
    patch: Patch, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = patch("Instance", "the instance")
    read.from_json = lambda raw, folder: ("instance", raw, folder)  # type: ignore[attr-defined]
    for fault, said in (
        ("", []),
        ("x is 9", ["the instance of w.json is none of the statement's: x is 9"]),
    ):
        asked = patch("outside", fault)
        assert [*bound(deep=False).witness(stored(), PATH)] == said
        assert asked.asked == [(OWN, ("instance", {}, Path("folder")))]
    assert [*bound(deep=False).witness(stored("simulated"), PATH)] == []
