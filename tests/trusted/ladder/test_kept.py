"""What kept evidence may do to a word, each condition by hand.

Which of it is looked at, what is searched beside it, and where it does not suffice.  Nothing is
searched here: what `assay` asks for is written down.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.cases import claim, numbers
from verify.claim import Real
from verify.claim.statement import Statement
from verify.corpus import files
from verify.corpus.files import Corpus, record_of
from verify.ladder import PROFILES, assay, leaf
from verify.ladder.search.seeds import Kept, Seed, Seeds
from verify.terms.claims import TermRule
from verify.terms.digest import statement_digest
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import Verdict

QUICK = PROFILES["quick"]
ONE = claim(lambda w: ({"l": w.x}, {"r": w.x + 1}), numbers(x=Real(0, 4)), key="kept.one")
TWO = replace(ONE, key="kept.two", also=(numbers(x=Real(-4, -3)),))
AT = Seed(0, {}, {"x": 1.0}, 0.5)
OTHER = Seed(0, {}, {"x": 2.0}, 0.25)
PROVED = Evidence("certificate", "decided", "proved", proof={"certificates": []})
LISTED = Evidence("certificate", "reported", "proved", proof={"certificates": []})
NONE = Evidence("certificate", "not-applicable", "no proof was found")
LINKED = Evidence("certificate", "reported", "empty", link={"kind": "empty"})
PLAIN = Seeds(QUICK.evaluations, (AT,))


def kept(*families: Seeds, **more: Any) -> Kept:
    return Kept(families or (PLAIN,), **more)


# -- what a record is ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("certificate", "proved", "unproved"),
    [
        ((), False, True),
        ((NONE,), False, True),
        ((PROVED,), True, False),
        ((LISTED,), False, False),
        ((LINKED,), False, False),
        ((NONE, PROVED), True, False),
        ((NONE, LINKED), False, False),
    ],
)
def test_what_a_record_says_of_proofs(
    certificate: tuple[Evidence, ...], proved: bool, unproved: bool
) -> None:
    one = kept(replace(PLAIN, certificate=certificate), replace(PLAIN, certificate=(PROVED,)))
    assert (one.proved, one.unproved) == (proved, unproved)


def test_what_a_record_says_of_witnesses() -> None:
    assert not kept().struck
    assert kept(PLAIN, replace(PLAIN, struck="search")).struck


# -- whether it serves, and suffices ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "statement", "serves"),
    [
        (kept(), ONE, True),
        (kept(changed=True), ONE, False),
        (kept(PLAIN, PLAIN), ONE, False),
        (kept(), TWO, False),
        (kept(PLAIN, PLAIN), TWO, True),
        (kept(replace(PLAIN, evaluations=QUICK.evaluations + 1)), ONE, True),
        (kept(replace(PLAIN, evaluations=QUICK.evaluations - 1)), ONE, False),
        (kept(PLAIN, replace(PLAIN, evaluations=0)), TWO, True),
    ],
)
def test_which_record_serves(one: Kept, statement: Statement, serves: bool) -> None:
    assert leaf._serves(one, statement, QUICK) is serves


def climbs(*moved: bool, witness: bool = False) -> Any:
    return [
        SimpleNamespace(pool=SimpleNamespace(moved=one), witness={} if witness else None)
        for one in moved
    ]


def word(name: str, rung: str = "search") -> Verdict:
    return Verdict(name, rung, "")


STRUCK = kept(replace(PLAIN, struck="search"))
SHIPPED = kept(shipped=True)


@pytest.mark.parametrize(
    ("one", "found", "on", "suffices"),
    [
        # of the package: what is decided, or left open where it was before
        (SHIPPED, word("holds"), climbs(False), True),
        (SHIPPED, word("violated"), climbs(False), True),
        (SHIPPED, word("inconclusive"), climbs(False), False),
        (replace(SHIPPED, open="search"), word("inconclusive"), climbs(False), True),
        (replace(SHIPPED, open="power"), word("inconclusive"), climbs(False), False),
        # instances that are no longer what they were
        (SHIPPED, word("holds"), climbs(True), False),
        (SHIPPED, word("holds"), climbs(False, True), False),
        (STRUCK, word("violated"), climbs(True, witness=True), False),
        # of one's own: a witness or a proof
        (kept(), word("holds"), climbs(False), False),
        (kept(), word("inconclusive"), climbs(False), False),
        (kept(open="search"), word("inconclusive"), climbs(False), False),
        (kept(), word("proved"), climbs(False), True),
        (kept(), word("violated"), climbs(False), True),
        (kept(), word("vacuous"), climbs(False), True),
        # where a witness is named, the word may not be another one
        (STRUCK, word("violated"), climbs(False, witness=True), True),
        (STRUCK, word("proved"), climbs(False), False),
        (STRUCK, word("holds"), climbs(False), False),
        (replace(STRUCK, shipped=True), word("holds"), climbs(False), True),
    ],
)
def test_what_suffices(one: Kept, found: Verdict, on: Any, suffices: bool) -> None:
    assert leaf._suffices(one, found, on) is suffices


# -- what is asked for ----------------------------------------------------------------------------


class Asked:
    """Stands for the climb of a leaf: what it was asked with, and whether kept evidence did."""

    def __init__(self, does: bool, breaks: Any = ((OTHER,),)) -> None:
        self.does, self.breaks = does, breaks
        self.calls: list[dict[str, Any]] = []
        self.leaf = leaf.Leaf("k", "holds", "search", "", "", None, None, "", "", (), None, (), 0.0)

    def __call__(self, *args: Any, **named: Any) -> Any:
        names = ("statement", "profile", "seed", "links", "parent", "device", "observe")
        self.calls.append({**dict(zip(names, args, strict=True)), **named})
        return self.leaf if "kept" not in named or self.does else self.breaks


def asked(
    monkeypatch: pytest.MonkeyPatch, one: Kept | None, does: bool = True, **more: Any
) -> list[dict[str, Any]]:
    climb = Asked(does)
    monkeypatch.setattr(leaf, "_assayed", climb)
    assert assay(more.pop("statement", ONE), profile=QUICK, kept=one, **more) is climb.leaf
    return climb.calls


def brief(calls: list[dict[str, Any]]) -> list[Any]:
    """Whether a call had kept evidence; else what was tried first, and whether none is sought."""
    return ["kept" if "kept" in c else (c["first"], c["sought"]) for c in calls]


NOTHING: Any = ((), False)


@pytest.mark.parametrize(
    ("one", "does", "found"),
    [
        (None, True, [NOTHING]),
        (SHIPPED, True, ["kept"]),
        (SHIPPED, False, ["kept", (((OTHER,),), False)]),
        (replace(SHIPPED, changed=True), True, [([(AT,)], False)]),
        (kept(replace(PLAIN, evaluations=1), shipped=True), True, [NOTHING]),
        # of one's own: judged where it names a witness or a proof, its points tried first
        (kept(), True, [([(AT,)], True)]),
        (kept(replace(PLAIN, certificate=(LISTED,))), True, [([(AT,)], False)]),
        (kept(replace(PLAIN, evaluations=1)), True, [([(AT,)], False)]),
        (kept(changed=True), True, [([(AT,)], False)]),
        (STRUCK, True, ["kept"]),
        (STRUCK, False, ["kept", ([(AT,)], True)]),
        (kept(replace(PLAIN, certificate=(PROVED,))), True, ["kept"]),
        (kept(replace(PLAIN, certificate=(PROVED,))), False, ["kept", ([(AT,)], False)]),
        (replace(STRUCK, changed=True), True, [([(AT,)], False)]),
    ],
)
def test_what_is_looked_at_and_what_is_searched(
    one: Kept | None, does: bool, found: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert brief(asked(monkeypatch, one, does)) == found


def test_everything_else_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = asked(
        monkeypatch, SHIPPED, False, seed=3, links=[NONE], parent=TWO, device="d", observe=print
    )
    assert [c.get("kept") for c in calls] == [SHIPPED, None]
    for call in calls:
        assert (call["profile"], call["seed"], call["links"]) == (QUICK, 3, [NONE])
        assert (call["parent"], call["device"], call["observe"]) == (TWO, "d", print)
        assert statement_digest(call["statement"]) == statement_digest(ONE)
        assert isinstance(call["statement"].sides, TermRule), "programs are not judged, terms are"
    (call,) = asked(monkeypatch, None)
    assert (call["seed"], call["links"], call["parent"]) == (0, (), None)
    assert (call["device"], call["observe"]) == ("cpu", None)


# -- lines of a file ------------------------------------------------------------------------------


def line_of(statement: Statement = ONE, **more: Any) -> tuple[str, str, dict[str, Any]]:
    made = record_of(statement, kept())
    return statement.key, made["code"], {**made["kept"], **more}


def corpus(key: str, code: str, record: Any, digest: str = "", shipped: bool = False) -> Corpus:
    text = json.dumps(record)
    own = digest or files._digest(key, code, text)
    return Corpus({ONE.key: f"{json.dumps([key, code, own])[:-1]}, {text}]"}, shipped)


def test_a_line_is_read_as_it_was_written() -> None:
    key, code, record = line_of()
    one = corpus(key, code, record)
    assert one.earlier(ONE) == one.kept(ONE) == kept()
    assert Corpus({}).with_records({key: {"code": code, "kept": record}}).kept(ONE) == kept()
    assert one.kept(TWO) is None
    ours = corpus(key, code, record, shipped=True).kept(ONE)
    assert ours == replace(kept(), shipped=True)


def test_a_line_of_another_statement_is_an_earlier_one() -> None:
    key, _, record = line_of()
    one = corpus(key, "0" * 16, record)
    assert one.kept(ONE) is None
    assert one.earlier(ONE) == replace(kept(), changed=True)


def test_a_line_with_another_digest_is_none() -> None:
    key, code, record = line_of()
    text = json.dumps(record)
    for digest in ("0" * 16, files._digest("other", code, text), files._digest(key, "0", text)):
        assert corpus(key, code, record, digest).earlier(ONE) is None
    right = files._digest(key, code, text)
    edited = json.dumps({**record, "open": "search"})
    line = f"{json.dumps([key, code, right])[:-1]}, {edited}]"
    assert Corpus({ONE.key: line}).earlier(ONE) is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[",
        "null",
        "[]",
        '["kept.one", "a", "b"]',
        '["kept.one", "a", "b", {}, {}]',
        '{"a": 1, "b": 2, "c": 3, "d": 4}',
        '"abcd"',
        "[" * 100_000,
        "[1" + "0" * 5000 + "]",
    ],
)
def test_what_is_no_line_is_none(line: str) -> None:
    assert Corpus({ONE.key: line}).earlier(ONE) is None


def test_a_line_that_says_the_same_in_another_way_is_none() -> None:
    """Its digest is of the letters."""
    key, code, record = line_of()
    text = json.dumps(record)
    line = f"{json.dumps([key, code, files._digest(key, code, text)])[:-1]}, {text}]"
    assert Corpus({ONE.key: line}).earlier(ONE) is not None
    for other in (
        line.replace(", ", ","),
        line.replace(", ", ",\t", 1),
        " " + line,
        line[:-1] + " ]",
        line + " ",
    ):
        assert Corpus({ONE.key: other}).earlier(ONE) is None


def test_a_record_that_is_none_is_none() -> None:
    key, code, _ = line_of()
    for record in ({}, {"families": 3}, {"families": [{}]}, []):
        assert corpus(key, code, record).earlier(ONE) is None


def packed(path: Path, *lines: str) -> Path:
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_a_file_is_read_line_by_line_as_far_as_it_is_whole(tmp_path: Path) -> None:
    path, first = tmp_path / "c.gz", json.dumps(files.SCHEMA)

    def read(*lines: str) -> list[tuple[str, str]]:
        return list(files._lines(packed(path, *lines)))

    good = ('["a", 1]', '["b", 2]')
    assert read(first, *good) == [("a", good[0]), ("b", good[1])]
    assert read(first, good[0], "[3]", good[1]) == [("a", good[0]), ("b", good[1])]
    assert read(first, good[0], "no line", good[1]) == [("a", good[0])]
    assert read(first, good[0], "[" * 100_000, good[1]) == [("a", good[0])]
    assert read(*good) == read() == read("fedassay") == read('"another"', *good) == []
    assert read(first + " " * 1024, *good) == read(first, *good)
    room = 1024 - len(first)
    assert read(" " * room + first, *good) == read(first, *good)
    assert read(" " * (room + 1) + first, *good) == []
    path.write_bytes(b"no gzip")
    assert list(files._lines(path)) == []


def test_only_a_file_of_the_package_came_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, code, record = line_of()
    text = json.dumps(record)
    line = f"{json.dumps([key, code, files._digest(key, code, text)])[:-1]}, {text}]"
    monkeypatch.setattr(files, "DATA", tmp_path / "data")
    for folder, shipped in ((tmp_path / "data", True), (tmp_path, False)):
        folder.mkdir(exist_ok=True)
        path = packed(folder / "c.gz", json.dumps(files.SCHEMA), line)
        assert Corpus.read(path).kept(ONE) == replace(kept(), shipped=shipped)
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert Corpus.read(tmp_path / "link" / "c.gz").kept(ONE) == SHIPPED


def test_a_digest_is_of_all_three() -> None:
    assert files._digest("k", "c", "{}") == "c0630abca9be293a"
    found = {files._digest(*one) for one in (("k", "c", "{}"), ("k", "d", "{}"), ("l", "c", "{}"))}
    assert len(found) == 3


def test_a_file_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.limits.files.LARGEST_LINE", 50)
    path = packed(tmp_path / "c.gz", json.dumps(files.SCHEMA), '["a", "' + "x" * 90 + '"]')
    with pytest.raises(InvalidInput, match="corpus must be at most"):
        list(files._lines(path))
    one = Corpus.read(path)
    assert len(one) == 0
    assert "corpus must be at most" in one.fault
