"""Audit of a ledger: every verdict is recomputed from the stored evidence, every file looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.json_files import foreign, read_json
from verify.catalogue.library import Library
from verify.catalogue.told import Told
from verify.claim.axes import Axes
from verify.ledger.bindings import Bindings
from verify.ledger.conclude import conclude
from verify.ledger.failures import with_failures
from verify.ledger.ledger import SCHEMA
from verify.ledger.readings import axes_in, with_readings
from verify.ledger.rests import with_rests
from verify.ledger.witness import read_witness
from verify.verdict.evidence import Evidence, number_from_json
from verify.verdict.verdict import (
    EXPLICIT,
    VIOLATED,
    breaks,
    exhibits,
    negates,
    spared,
    verdict,
    verdict_told,
)

NUMBERS = ("number", "relation", "quantifier", "left", "right", "margins")
"""What a witness file and the evidence in the ledger both say."""


@dataclass(frozen=True)
class Discrepancy:
    """One place where a ledger says something else than its evidence."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True)
class Audit:
    """What an audit has found.

    Parameters
    ----------
    ledger : dict
        Content of the file.
    flaws : list of Discrepancy
        Where it says something else than its evidence, or that than its statements.
    loose : list of str
        Certificates and witnesses whose statement was not at hand: nothing binds them to it.
    """

    ledger: dict[str, Any]
    flaws: list[Discrepancy]
    loose: list[str]


@dataclass(frozen=True)
class _Line:
    """One entry of a ledger, with what its evidence may refer to.

    Parameters
    ----------
    number : int
        Its place in the ledger.
    entry : dict
    known : tuple of mappings
        The words of all entries, and of all leaves that name a constant.
    path : Path
        The ledger.
    proofs : bool
    """

    number: int
    entry: dict[str, Any]
    known: tuple[Mapping[str, Any], Mapping[str, Any]]
    path: Path
    proofs: bool


_Said = tuple[int, list[Discrepancy], list[str]]
Execute = Callable[[Sequence[_Line], Callable[[_Line], _Said]], Iterable[_Said]]
"""Does work for each line, in any order; it may be done in other processes."""


def audit(
    path: Path,
    proofs: bool = True,
    own: Library | None = None,
    observe: Callable[[str], None] | None = None,
    content: dict[str, Any] | None = None,
    execute: Execute | None = None,
    file: str = "",
) -> Audit:
    """Check a ledger against itself, its witness files, and the statements at hand.

    Parameters
    ----------
    path : Path
    proofs : bool
        Also compute every certificate and witness again, most of the work. Without it the checker
        is asked only about proofs in a single certificate, others count at their word.
    own : Library, optional
        Statements beside those of the library.
    observe : callable, optional
        Told the key of each entry that is done.
    content : dict, optional
        What the file holds, where it was read already.
    execute : callable, optional
        Where lines are looked at, if it is not here; not with statements of one's own.
    file : str
        Digest of the file that ``own`` is from: each leaf must have been made of it.

    Returns
    -------
    Audit

    Raises
    ------
    InvalidInput
        If the file is no ledger.
    """
    ledger = read_json(path, SCHEMA) if content is None else content
    verdicts = {entry["key"]: entry["verdict"] for entry in ledger["entries"]}
    leaves = (leaf for entry in ledger["entries"] for leaf in entry["leaves"])
    constants = {leaf["id"]: leaf["verdict"] for leaf in leaves if _named(leaf)}
    lines = [
        _Line(number, entry, (verdicts, constants), path, proofs)
        for number, entry in enumerate(ledger["entries"])
    ]
    done: Iterable[_Said]
    if execute is None or own is not None:
        done = (_looked_at(line, own, file) for line in lines)
    else:
        done = execute(lines, _looked_at)
    found: dict[int, _Said] = {}
    for said in done:
        found[said[0]] = said
        if observe is not None:
            observe(str(lines[said[0]].entry["key"]))
    flaws, loose = list(_doubles(ledger)), list[str]()
    for _, wrong, unbound in (found[line.number] for line in lines):
        flaws += wrong
        loose += unbound
    with foreign("ledger", path):
        flaws.extend(_added_up(ledger))
    return Audit(ledger, flaws, loose)


def _looked_at(line: _Line, own: Library | None = None, file: str = "") -> _Said:
    """Where one entry says something else than its evidence, and what is bound to no statement."""
    entry, bindings = line.entry, Bindings(own, line.proofs, file)
    flaws = [Discrepancy(str(entry["key"]), what) for what in bindings.narrows(entry)]
    for leaf in entry["leaves"]:
        try:
            with foreign("evidence", line.path):
                flaws.extend(_leaf(entry, leaf, line.known, line.path.parent, bindings))
        except InvalidInput as error:
            flaws.append(Discrepancy(str(leaf["id"]), str(error)))
    flaws += [Discrepancy(str(entry["key"]), what) for what in _told(entry, own)]
    return line.number, flaws, bindings.loose


def _told(entry: Mapping[str, Any], own: Library | None) -> Iterator[str]:
    """Compare what a ledger says of a statement of one's own with that statement."""
    stored = {str(raw["key"]): raw for raw in entry.get("told", ())}
    known = {leaf.key: leaf for e in own or () if e.key == entry["key"] for leaf in e.leaves}
    for key, raw in stored.items():
        if key.partition("/")[0].partition("@")[0] != entry["key"]:
            yield f"what is told under it is about {key}"
        elif key in known and Told.of(known[key]).to_json() != raw:
            yield f"what is told of {key} is not what its statement says"


def _doubles(ledger: Mapping[str, Any]) -> Iterator[Discrepancy]:
    keys = [entry["key"] for entry in ledger["entries"]]
    for key in dict.fromkeys(key for key in keys if keys.count(key) > 1):
        yield Discrepancy(key, "the key stands on several lines")


def _added_up(ledger: Mapping[str, Any]) -> Iterator[Discrepancy]:
    """Add leaves up to entries and entries to the readings of their papers, all again."""
    try:
        axes = {entry["paper"]: axes_in(ledger, entry["paper"]) for entry in ledger["entries"]}
    except InvalidInput as error:
        yield Discrepancy("readings", f"the axes cannot be read ({error})")
        return
    for entry in ledger["entries"]:
        yield from _entry(entry, axes[entry["paper"]])
    stored = ledger.get("readings", {})
    missing = {paper: raw["missing"] for paper, raw in stored.items()}
    try:
        readings, told = with_readings(ledger["entries"], axes, missing)
    except InvalidInput:
        return  # an option that is none of the axes, which was named above
    yield from _readings(ledger, readings)
    told = with_failures(with_rests(told, axes), axes)
    for entry, again in zip(ledger["entries"], told, strict=True):
        for name in ("kindest", "stands", "fails"):
            # earlier ledgers do not say how a claim falls
            if entry.get(name) != again[name] and (name != "fails" or name in entry):
                what = f"{name} is {entry.get(name)}, its leaves give {again[name]}"
                yield Discrepancy(entry["key"], what)
        if entry.get("rests", []) != again["rests"]:
            what = f"rests on {entry.get('rests', [])}, its uses give {again['rests']}"
            yield Discrepancy(entry["key"], what)


def _entry(entry: Mapping[str, Any], axes: Axes) -> Iterator[Discrepancy]:
    """Add the leaves of one entry up again."""
    try:
        found = conclude(entry["leaves"], axes)
        keys = [str(leaf["id"]) for leaf in entry["leaves"]]
        gaps = list(axes.gaps(keys))
    except InvalidInput as error:
        yield Discrepancy(entry["key"], str(error))
        return
    for gap in gaps:
        yield Discrepancy(entry["key"], f"not one leaf of each part under each assignment: {gap}")
    for name in ("verdict", "reason", "witness"):
        if entry[name] != getattr(found, name):
            yield Discrepancy(
                entry["key"], f"{name} is {entry[name]!r}, its leaves give {getattr(found, name)!r}"
            )


def _readings(ledger: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[Discrepancy]:
    """Compare what is said about whole papers."""
    stored = ledger.get("readings", {})
    here = {entry["key"] for entry in ledger["entries"]}
    for paper, raw in stored.items():
        for name, value in again.get(paper, {}).items():
            if raw[name] != value:
                yield Discrepancy(paper, f"{name} is {raw[name]}, the entries give {value}")
        both = sorted(here & set(raw["missing"]))
        if both:
            yield Discrepancy(paper, f"said to be missing, but here: {', '.join(both)}")
    for paper in stored.keys() - again.keys():
        yield Discrepancy(paper, "readings of a paper that has no open places here")


def _leaf(
    entry: Mapping[str, Any],
    leaf: Mapping[str, Any],
    known: tuple[Mapping[str, Any], Mapping[str, Any]],
    folder: Path,
    bindings: Bindings,
) -> Iterator[Discrepancy]:
    """Add the evidence of one leaf up again and look at what it refers to."""
    where = leaf["id"]
    if where.partition("/")[0].partition("@")[0] != entry["key"]:
        yield Discrepancy(where, f"the leaf stands under {entry['key']}")
    try:
        evidence = [Evidence.from_json(raw) for raw in leaf["evidence"]]
        found = verdict(evidence) if bindings.deep else verdict_told(evidence)
    except ValueError as error:
        yield Discrepancy(where, f"the evidence cannot be read ({error})")
        return
    again = {"verdict": found.word, "rung": found.rung, "reason": found.reason}
    for name, value in again.items():
        if leaf[name] != value:
            yield Discrepancy(where, f"{name} is {leaf[name]!r}, the evidence gives {value!r}")
    power = next((dict(e.power) for e in evidence if e.power is not None), None)
    if leaf["power"] != power:
        yield Discrepancy(where, f"power is {leaf['power']}, the evidence gives {power}")
    unused = list(spared(evidence))
    if leaf["not_needed"] != unused:
        yield Discrepancy(
            where, f"not needed are {leaf['not_needed']}, the evidence gives {unused}"
        )
    for item in (item for item in evidence if item.proof is not None):
        for fault in bindings.certificate(where, item.proof or {}, item.status == "decided"):
            yield Discrepancy(where, fault)
    linked = (e.link for e in evidence if e.link is not None and e.proof is None)
    for link in linked:
        key, word = str(link.get("key")), link.get("verdict")
        explicit = link.get("kind") == EXPLICIT
        entries, forms = known
        said = (forms if explicit else entries).get(key)
        if said != word:
            yield Discrepancy(where, f"{key} is linked as {word!r}, its line says {said!r}")
        for fault in bindings.constant(where, key) if explicit else ():
            yield Discrepancy(where, fault)
    yield from _witness(leaf, evidence, folder, bindings)
    for fault in (*bindings.made_of(leaf), *bindings.supported(leaf, evidence)):
        yield Discrepancy(where, fault)


def _named(leaf: Mapping[str, Any]) -> bool:
    """Whether a leaf says that the constant that it names may be one."""
    return any(
        (e.get("rung"), e.get("status")) == ("constant", "reported") for e in leaf["evidence"]
    )


def _witness(
    leaf: Mapping[str, Any], evidence: list[Evidence], folder: Path, bindings: Bindings
) -> Iterator[Discrepancy]:
    """Look the witness file up and compare it with the evidence."""
    where, name = leaf["id"], leaf["witness"]
    if name is None:
        # that nothing exists has no witness
        proved = any(item.status == "decided" and negates(item.proof) for item in evidence)
        if leaf["verdict"] == VIOLATED and not proved:
            yield Discrepancy(where, "violated, but no witness is named")
        return
    if Path(name).is_absolute() or ".." in Path(name).parts:
        yield Discrepancy(where, f"the witness {name} lies outside the ledger's folder")
        return
    try:
        stored = read_witness(folder / name)
    except InvalidInput as error:
        yield Discrepancy(where, str(error))
        return
    if stored["key"] != where:
        yield Discrepancy(where, f"the witness {name} is about {stored['key']}")
    if not (breaks(stored) or exhibits(stored)):
        yield Discrepancy(where, f"the numbers in {name} carry no accusation")
    numbers = _numbers(stored)
    if not any(e.witness is not None and _numbers(e.witness) == numbers for e in evidence):
        yield Discrepancy(where, f"the numbers in {name} are in none of the leaf's evidence")
    elif stored["key"] == where:
        for fault in bindings.witness(stored, folder / name):
            yield Discrepancy(where, fault)


def _numbers(witness: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers of a witness in a form that can be compared for equality."""
    kept = {name: witness.get(name) for name in NUMBERS}
    for name in ("left", "right"):
        kept[name] = repr(number_from_json(kept[name]))
    return kept
