"""What an audit compares, each condition by hand, on leaves of a few pieces of evidence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from verify.ledger import audit as room
from verify.ledger.audit import Discrepancy, audit
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import spared, verdict, verdict_told

KEY = "mine.one"
WITNESS = {
    "schema": "fedassay-witness/1",
    "key": KEY,
    "instance": {},
    "number": "rational",
    "relation": "<=",
    "quantifier": "all",
    "left": "2/1",
    "right": "1/1",
    "margins": {},
}
NUMBERS = {name: WITNESS[name] for name in room.NUMBERS}
BREAKS = Evidence("search", "decided", "an instance breaks it", witness=NUMBERS, tried=3)
PROOF = Evidence("certificate", "decided", "proved", proof={"certificates": [], "n": 1})
LISTED = Evidence("certificate", "reported", "for each size", proof={"certificates": [], "n": 2})
NEGATED = Evidence(
    "certificate", "decided", "none satisfies it", proof={"certificates": [], "of": "negation"}
)
LINK = Evidence("link", "decided", "empty", link={"kind": "empty", "key": "a", "verdict": "proved"})
EXPLICIT = Evidence(
    "link", "decided", "c", link={"kind": "explicit", "key": "a", "verdict": "proved"}
)
POWER = Evidence("power", "decided", "p", power={"counted": 2, "killed": 1, "survivors": ["x"]})


class Bound:
    """Stands for what binds evidence to statements: it says what it was asked."""

    deep, loose = True, ["unbound"]

    def __init__(self, own: Any = None, deep: bool = True, file: str = "") -> None:
        self.deep, self.told = deep, (own, deep, file)

    def certificate(self, key: str, proof: Any, whole: bool) -> Iterator[str]:
        yield f"certificate {key} {proof.get('n')} {whole}"

    def constant(self, order: str, key: str) -> Iterator[str]:
        yield f"constant {order} {key}"

    def witness(self, stored: Any, path: Path) -> Iterator[str]:
        yield f"witness {stored['key']} {path.name}"

    def made_of(self, leaf: Any) -> Iterator[str]:
        yield f"made of {leaf['id']}"

    def supported(self, leaf: Any, evidence: Any) -> Iterator[str]:
        yield f"supported {len(evidence)}"

    def narrows(self, entry: Any) -> Iterator[str]:
        yield f"narrows {entry['key']}"


def leaf_of(*evidence: Evidence, deep: bool = True, **more: Any) -> dict[str, Any]:
    found = verdict(evidence) if deep else verdict_told(evidence)
    power = next((dict(e.power) for e in evidence if e.power is not None), None)
    return {
        "id": KEY,
        "verdict": found.word,
        "rung": found.rung,
        "reason": found.reason,
        "power": power,
        "not_needed": list(spared(evidence)),
        "witness": None,
        "tightness": None,
        "evidence": [e.to_json() for e in evidence],
        **more,
    }


def said(
    leaf: dict[str, Any],
    folder: Path = Path("nowhere"),
    known: Any = ({}, {}),
    key: str = KEY,
    deep: bool = True,
) -> list[str]:
    bound: Any = Bound(deep=deep)
    found = list(room._leaf({"key": key}, leaf, known, folder, bound))
    assert all(one.where == leaf["id"] for one in found)
    return [one.what for one in found]


def end(leaf: dict[str, Any]) -> list[str]:
    return [f"made of {leaf['id']}", f"supported {len(leaf['evidence'])}"]


# -- one leaf -------------------------------------------------------------------------------------


@pytest.mark.parametrize("evidence", [(), (PROOF,), (LISTED, POWER), (LINK,), (POWER, PROOF)])
def test_an_honest_leaf_is_bound_and_nothing_else(evidence: Any) -> None:
    leaf = leaf_of(*evidence)
    asked = [
        f"certificate {KEY} {e.proof['n']} {e.status == 'decided'}" for e in evidence if e.proof
    ]
    known = ({"a": "proved"}, {})
    assert said(leaf, known=known) == [*asked, *end(leaf)]


@pytest.mark.parametrize(
    ("name", "value"),
    [("verdict", "holds"), ("rung", "power"), ("reason", "true"), ("power", {"counted": 2})],
)
def test_what_a_leaf_says_follows_from_its_evidence(name: str, value: Any) -> None:
    leaf = leaf_of(PROOF)
    right = str(leaf[name]) if name == "power" else repr(leaf[name])
    told = f"{name} is {value!r}, the evidence gives {right}"
    assert said({**leaf, name: value}) == [told, f"certificate {KEY} 1 True", *end(leaf)]


def test_what_is_not_needed_follows_from_its_evidence() -> None:
    leaf = leaf_of(PROOF)
    assert said({**leaf, "not_needed": ["x"]})[0] == ("not needed are ['x'], the evidence gives []")


def test_power_is_that_of_the_first_evidence_that_has_some() -> None:
    other = Evidence("power", "decided", "p", power={"counted": 9, "killed": 1, "survivors": []})
    leaf = leaf_of(POWER, other)
    assert said(leaf) == end(leaf)
    assert said({**leaf, "power": dict(other.power or {})})[0].startswith("power is {'counted': 9")
    assert said({**leaf, "power": None})[0].startswith("power is None")


def test_a_leaf_stands_under_its_entry() -> None:
    for key in (KEY, f"{KEY}/part", f"{KEY}@reading", f"{KEY}/part@reading"):
        assert said(leaf_of(PROOF, id=key))[0].startswith("certificate")
    assert said(leaf_of(PROOF), key="mine.other")[0] == "the leaf stands under mine.other"
    assert said(leaf_of(PROOF, id="mine.one.more"))[0] == f"the leaf stands under {KEY}"


def test_evidence_that_cannot_be_read_is_named_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unread(raw: Any) -> Any:
        raise ValueError("no status")

    leaf = leaf_of(PROOF)
    monkeypatch.setattr(Evidence, "from_json", unread)
    assert said(leaf) == ["the evidence cannot be read (no status)"]


def test_only_a_deep_audit_asks_the_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for name in ("verdict", "verdict_told"):
        real = getattr(room, name)
        monkeypatch.setattr(
            room, name, lambda evidence, name=name, real=real: asked.append(name) or real(evidence)
        )
    said(leaf_of(POWER))
    said(leaf_of(POWER), deep=False)
    assert asked == ["verdict", "verdict_told"]


@pytest.mark.parametrize(
    ("evidence", "known", "told"),
    [
        (LINK, ({"a": "proved"}, {}), []),
        (LINK, ({"a": "holds"}, {}), ["a is linked as 'proved', its line says 'holds'"]),
        (LINK, ({}, {"a": "proved"}), ["a is linked as 'proved', its line says None"]),
        (EXPLICIT, ({}, {"a": "proved"}), [f"constant {KEY} a"]),
        (
            EXPLICIT,
            ({"a": "proved"}, {}),
            ["a is linked as 'proved', its line says None", f"constant {KEY} a"],
        ),
    ],
)
def test_a_link_says_what_its_line_says(evidence: Evidence, known: Any, told: list[str]) -> None:
    leaf = leaf_of(evidence)
    assert said(leaf, known=known) == [*told, *end(leaf)]


def test_a_link_of_a_proof_needs_no_line() -> None:
    own = Evidence(
        "certificate",
        "reported",
        "p",
        proof={"n": 3},
        link={"kind": "empty", "key": "b", "verdict": "proved"},
    )
    leaf = leaf_of(own)
    assert said(leaf) == [f"certificate {KEY} 3 False", *end(leaf)]


# -- its witness ----------------------------------------------------------------------------------


def with_file(monkeypatch: pytest.MonkeyPatch, **more: Any) -> list[Path]:
    read: list[Path] = []

    def reader(path: Path) -> Any:
        read.append(path)
        if path.name == "broken.json":
            raise InvalidInput("no witness")
        return {**WITNESS, **more}

    monkeypatch.setattr(room, "read_witness", reader)
    return read


def test_a_witness_is_looked_up_and_recomputed(monkeypatch: pytest.MonkeyPatch) -> None:
    read = with_file(monkeypatch)
    leaf = leaf_of(BREAKS, witness="w/one.json")
    assert leaf["verdict"] == "violated"
    assert said(leaf, Path("folder")) == [f"witness {KEY} one.json", *end(leaf)]
    assert read == [Path("folder/w/one.json")]
    assert said({**leaf, "witness": "broken.json"})[0] == "no witness"


@pytest.mark.parametrize(
    "name", ["/tmp/one.json", "../one.json", "w/../../one.json", "w/../x.json"]
)
def test_a_witness_lies_in_the_folder_of_the_ledger(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = with_file(monkeypatch)
    assert said(leaf_of(BREAKS, witness=name))[0] == (
        f"the witness {name} lies outside the ledger's folder"
    )
    assert read == []


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"key": "mine.other"}, ["the witness one.json is about mine.other"]),
        ({"left": "1/1"}, ["the numbers in one.json carry no accusation", IN_NONE := "the numbers "
          "in one.json are in none of the leaf's evidence"]),
        ({"left": "3/1"}, [IN_NONE]),
        ({"right": "1/2"}, [IN_NONE]),
        ({"number": "ball"}, [IN_NONE]),
        ({"margins": {"h": {"value": "1/1", "strict": False}}}, [IN_NONE]),
        ({"quantifier": "some"}, ["the numbers in one.json carry no accusation", IN_NONE]),
        ({"quantifier": "some", "left": "1/2"}, [IN_NONE]),
        ({"relation": "=="}, [IN_NONE]),
        ({"instance": {"x": 1}}, [f"witness {KEY} one.json"]),
        ({"left": "4/2"}, [f"witness {KEY} one.json"]),
    ],
)  # fmt: skip
def test_a_witness_says_what_the_evidence_says(
    more: Any, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_file(monkeypatch, **more)
    leaf = leaf_of(POWER, BREAKS, witness="one.json")
    assert said(leaf) == [*told, *end(leaf)]


def test_a_violated_leaf_names_a_witness_or_a_proof_that_there_is_none() -> None:
    missing = "violated, but no witness is named"
    leaf = leaf_of(BREAKS)
    assert said(leaf) == [missing, *end(leaf)]
    negated = leaf_of(NEGATED, verdict="violated")
    assert missing not in said(negated)
    assert missing not in said(leaf_of(POWER, NEGATED, verdict="violated"))
    for evidence in (PROOF, Evidence("certificate", "reported", "n", proof=NEGATED.proof)):
        assert missing in said(leaf_of(evidence, verdict="violated"))
    assert missing not in said(leaf_of(PROOF))


# -- entries and the whole ------------------------------------------------------------------------


def test_what_names_a_constant() -> None:
    def leaf(*pairs: tuple[str, str]) -> Any:
        return {"evidence": [{"rung": rung, "status": status} for rung, status in pairs]}

    assert room._named(leaf(("search", "decided"), ("constant", "reported"))) is True
    assert room._named(leaf(("constant", "decided"), ("search", "reported"))) is False
    assert room._named(leaf()) is False


def test_a_key_stands_once() -> None:
    def doubles(*keys: str) -> list[str]:
        return [str(one) for one in room._doubles({"entries": [{"key": key} for key in keys]})]

    assert doubles("a", "b") == doubles() == []
    assert doubles("a", "b", "a", "c", "c", "a") == [
        "a: the key stands on several lines",
        "c: the key stands on several lines",
    ]


def test_what_is_told_of_a_statement_is_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    def told_of(leaf: Any) -> Any:
        return SimpleNamespace(to_json=lambda: {"key": leaf.key, "said": "s"})

    monkeypatch.setattr(room, "Told", SimpleNamespace(of=told_of))
    leaves = [SimpleNamespace(key=KEY), SimpleNamespace(key=f"{KEY}/b")]
    own: Any = [
        SimpleNamespace(key=KEY, leaves=leaves),
        SimpleNamespace(key="mine.other", leaves=[SimpleNamespace(key="mine.other")]),
    ]

    def told(*stored: Any, own: Any = own) -> list[str]:
        return list(room._told({"key": KEY, "told": stored}, own))

    right = {"key": KEY, "said": "s"}
    assert told() == told(right) == told(right, {"key": f"{KEY}/b", "said": "s"}) == []
    assert list(room._told({"key": KEY}, own)) == []
    assert told({**right, "said": "t"}) == [f"what is told of {KEY} is not what its statement says"]
    assert told({**right, "said": "t"}, own=None) == []
    assert told({"key": f"{KEY}@r", "said": "t"}) == []
    about = "what is told under it is about mine.other"
    assert told({"key": "mine.other", "said": "s"}) == [about]
    assert told({"key": "mine.other", "said": "s"}, own=None) == [about]


def lines(*keys: str) -> Any:
    return [
        {"key": key, "paper": "mine", "verdict": "proved", "leaves": [{"id": key, "evidence": []}]}
        for key in keys
    ]


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The audit of a leaf, of what is told, and what is added up, written down."""
    asked: list[Any] = []

    def leaf(entry: Any, one: Any, known: Any, folder: Path, bound: Any) -> Iterator[Discrepancy]:
        asked.append((one["id"], known, folder, bound.told))
        if one["id"] == "broken":
            raise LookupError("x")
        yield Discrepancy(one["id"], "leaf")

    monkeypatch.setattr(room, "_leaf", leaf)
    monkeypatch.setattr(room, "Bindings", Bound)
    monkeypatch.setattr(room, "_told", lambda entry, own: [f"told {entry['key']} {own}"])
    monkeypatch.setattr(room, "_added_up", lambda ledger: [Discrepancy("all", "added up")])
    return asked


def test_every_entry_is_looked_at_in_its_order(parts: list[Any]) -> None:
    entries = lines("a", "b")
    entries[1]["leaves"][0]["evidence"] = [{"rung": "constant", "status": "reported"}]
    entries[1]["leaves"][0]["verdict"] = "holds"
    done: list[str] = []
    found = audit(
        Path("folder/l.json"), content={"entries": entries}, observe=done.append, file="f"
    )
    assert [str(one) for one in found.flaws] == [
        *(
            f"{key}: {what}"
            for key in "ab"
            for what in (f"narrows {key}", "leaf", f"told {key} None")
        ),
        "all: added up",
    ]
    assert found.loose == ["unbound", "unbound"]
    assert found.ledger == {"entries": entries}
    assert done == ["a", "b"]
    known = ({"a": "proved", "b": "proved"}, {"b": "holds"})
    assert parts == [(key, known, Path("folder"), (None, True, "f")) for key in "ab"]


def test_what_a_leaf_does_to_its_reader_is_named(parts: list[Any]) -> None:
    flaws = audit(Path("l.json"), content={"entries": lines("broken", "b")}).flaws
    assert [one.where for one in flaws] == ["broken", "broken", "broken", "b", "b", "b", "all"]
    assert flaws[1].what.startswith("evidence must be as fedassay wrote it, got l.json")


def test_lines_are_looked_at_elsewhere_but_not_with_statements_of_ones_own(
    parts: list[Any],
) -> None:
    given: list[Any] = []

    def execute(lines: Any, work: Any) -> Any:
        given.append([line.proofs for line in lines])
        return [work(line) for line in reversed(lines)]

    content = {"entries": lines("a", "b")}
    found = audit(Path("l.json"), False, content=content, execute=execute)
    assert [one.where for one in found.flaws] == ["a", "a", "a", "b", "b", "b", "all"]
    assert given == [[False, False]]
    assert [told for *_, told in parts] == [(None, False, "")] * 2
    own: Any = []
    audit(Path("l.json"), content=content, execute=execute, own=own)
    assert len(given) == 1
    assert parts[-1][-1] == ([], True, "")


def test_a_key_on_two_lines_is_named_first(parts: list[Any]) -> None:
    flaws = audit(Path("l.json"), content={"entries": lines("a", "a")}).flaws
    assert str(flaws[0]) == "a: the key stands on several lines"


def test_a_ledger_is_read_from_its_file(parts: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(room, "read_json", lambda *args: asked.append(args) or {"entries": []})
    assert audit(Path("l.json")).ledger == {"entries": []}
    assert asked == [(Path("l.json"), "fedassay-ledger/1")]


def test_what_adding_up_does_to_its_reader_is_one_sentence(
    parts: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Any) -> Iterator[Discrepancy]:
        raise LookupError("x")
        yield

    monkeypatch.setattr(room, "_added_up", broken)
    with pytest.raises(InvalidInput, match="ledger must be as fedassay wrote it, got l.json"):
        audit(Path("l.json"), content={"entries": []})
