"""The ledger: entries with their leaves as one file that can be audited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.numbers.validate import require
from verify.catalogue.entry import Entry
from verify.catalogue.json_files import plain, write_json
from verify.catalogue.library import Library
from verify.catalogue.narrowed import narrowed
from verify.catalogue.told import Told
from verify.catalogue.version import __version__, environment
from verify.catalogue.worlds import is_check
from verify.claim.axes import Axes
from verify.ledger.conclude import conclude
from verify.ledger.failures import with_failures
from verify.ledger.readings import with_readings
from verify.ledger.rests import with_rests
from verify.verdict.relation import ACCUSE
from verify.verdict.verdict import ORDER, VIOLATED

SCHEMA = "fedassay-ledger/1"
DEFAULT_NAME = "fedassay-ledger.json"

FAULT = "fault"
"""In the details of evidence: an error of the package, which leaves the word as it is."""

LEAF_FIELDS = (
    "id",
    "verdict",
    "rung",
    "reason",
    "scope",
    "tightness",
    "power",
    "follows",
    "hint",
    "not_needed",
    "repairs",
    "laws",
    "searched",
)


@dataclass(frozen=True)
class Finding:
    """One finished leaf as plain data.

    Parameters
    ----------
    leaf : mapping
        Leaf of the ledger; ``witness`` is still empty.
    witness : mapping or None
        Content of its witness file.
    seconds : float
        Wall-clock time.
    kept : mapping or None
        What a corpus may keep of it (:func:`verify.corpus.files.record_of`).
    """

    leaf: Mapping[str, Any]
    witness: Mapping[str, Any] | None
    seconds: float
    kept: Mapping[str, Any] | None = None

    @property
    def key(self) -> str:
        """Key of the statement."""
        return str(self.leaf["id"])

    @classmethod
    def of(cls, leaf: Any) -> Finding:
        """Take a leaf of :func:`verify.ladder.leaf` apart."""
        fields = {name: plain(getattr(leaf, name)) for name in LEAF_FIELDS}
        evidence = [plain(item.to_json()) for item in leaf.evidence]
        witness = None if leaf.witness is None else plain(leaf.witness)
        return cls({**fields, "witness": None, "evidence": evidence}, witness, leaf.seconds)


def entry_json(
    entry: Entry,
    leaves: Sequence[Mapping[str, Any]],
    seconds: Any,
    axes: Axes,
    told: bool = False,
) -> dict[str, Any]:
    """Entry of the ledger from its finished leaves.

    Parameters
    ----------
    entry : Entry
    leaves : sequence of mappings
        With their witness paths.
    seconds : mapping of str to float
        Time of each leaf.
    axes : Axes
        Open places of its paper.
    told : bool
        Whether to write out what its statements say: those of a file of one's own, which a reader
        of the ledger may not have, or not want to run.
    """
    found = conclude(leaves, axes)
    said = {"told": [Told.of(leaf).to_json() for leaf in entry.leaves]} if told else {}
    return {
        "key": entry.key,
        "paper": entry.paper,
        "kind": entry.kind,
        "form": entry.form,
        "title": entry.title,
        "verdict": found.verdict,
        "reason": found.reason,
        "uses": list(dict.fromkeys(key for leaf in entry.leaves for key in leaf.uses)),
        "leaves": [dict(leaf) for leaf in leaves],
        "witness": found.witness,
        "timing": {
            "seconds": round(sum(seconds.values()), 3),
            "leaves": {key: round(value, 3) for key, value in seconds.items()},
        },
        **said,
    }


def ledger_json(
    entries: Iterable[Mapping[str, Any]],
    source: Library,
    *,
    seed: int,
    profile: str,
    device: str,
    complete: bool,
) -> dict[str, Any]:
    """Whole ledger from its entries.

    Parameters
    ----------
    entries : iterable of mappings
        As :func:`entry_json` makes them.
    source : Library
        Where they are from; it knows each paper's axes and all of its main results.
    """
    by_key = {entry.key: entry for entry in source}
    lines = [{**line, "narrows": narrows_of(line, by_key)} for line in entries]
    here = {line["key"] for line in lines}
    missing = {
        paper: [entry.key for entry in source.results(paper) if entry.key not in here]
        for paper in source.papers
    }
    readings, told = with_readings(lines, source.axes, missing)
    told = with_failures(with_rests(told, source.axes), source.axes)
    return {
        "schema": SCHEMA,
        "version": __version__,
        "environment": environment(device),
        "seed": seed,
        "profile": profile,
        "alpha": 1 / ACCUSE,
        "complete": complete,
        "readings": readings,
        "entries": told,
    }


def narrows_of(line: Mapping[str, Any], by_key: Mapping[str, Entry]) -> list[dict[str, Any]]:
    """Which of an entry's leaves are the printed claim under more hypotheses.

    Parameters
    ----------
    line : mapping
        Entry of a ledger.
    by_key : mapping
        Entries of the library.
    """
    own = by_key.get(str(line["key"]))
    printed = by_key.get(str(line["key"]).removesuffix(f".{line['form']}"))
    return [] if own is None or printed is None or own is printed else [*narrowed(own, printed)]


def witness_folder(ledger: Path) -> Path:
    """Folder of the witnesses of a ledger: one of its own unless the ledger has the usual name."""
    name = "witnesses" if ledger.name == DEFAULT_NAME else f"{ledger.stem}-witnesses"
    return ledger.parent / name


def witness_path(ledger: Path, leaf: str) -> Path:
    """File of the witness of a leaf."""
    return witness_folder(ledger) / (leaf.replace("/", "_").replace("@", "__") + ".json")


def require_names(ledger: Path, source: Library) -> None:
    """Refuse statements whose witnesses would have one file name."""
    taken: dict[str, str] = {}
    for leaf in (leaf.key for entry in source for leaf in entry.leaves):
        # folded: some file systems do not tell capitals apart
        other = taken.setdefault(witness_path(ledger, leaf).name.casefold(), leaf)
        require(
            other == leaf,
            f"key {leaf}",
            "told apart from the others by a file name",
            f"the file of {other}",
            "rename one of the two",
        )


def leaf_json(ledger: Path, finding: Finding) -> dict[str, Any]:
    """Leaf of the ledger, with the path of its witness if it has one."""
    if finding.witness is None:
        return dict(finding.leaf)
    path = witness_path(ledger, finding.key)
    return {**finding.leaf, "witness": path.relative_to(ledger.parent).as_posix()}


def store_witness(ledger: Path, finding: Finding) -> dict[str, Any]:
    """Write the witness of a leaf, if it has one, and return the leaf with the path in it."""
    if finding.witness is not None:
        write_json(witness_path(ledger, finding.key), finding.witness)
    return leaf_json(ledger, finding)


def counts(ledger: Mapping[str, Any], checks: bool = False) -> dict[str, int]:
    """Entries by verdict, best first; entries without a verdict last under ``-``.

    Parameters
    ----------
    ledger : mapping
    checks : bool
        Count what our own problems were asked about assumptions and definitions, instead of what
        papers claim.
    """
    lines = [entry for entry in ledger["entries"] if is_check(entry) == checks]
    words = [entry["verdict"] or "-" for entry in lines]
    return {word: words.count(word) for word in (*ORDER, "-") if word in words}


def proofs_kept(ledger: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Leaves that a proof has decided, each with that proof as evidence keeps it."""
    for entry in ledger["entries"]:
        for leaf in entry["leaves"]:
            for item in leaf["evidence"]:
                if item.get("proof") and item["status"] == "decided":
                    yield leaf["id"], item["proof"]


def accused(ledger: Mapping[str, Any]) -> list[str]:
    """Witness paths of violated entries, then those of single violated leaves."""
    entries = ledger["entries"]
    first = [e["witness"] for e in entries if e["verdict"] == VIOLATED and e["witness"]]
    leaves = [leaf for e in entries for leaf in e["leaves"]]
    rest = [leaf["witness"] for leaf in leaves if leaf["verdict"] == VIOLATED and leaf["witness"]]
    return list(dict.fromkeys([*first, *rest]))


def halted(ledger: Mapping[str, Any]) -> dict[str, str]:
    """Leaves that an error or a time limit stopped, with what happened."""
    return {
        leaf["id"]: item["summary"]
        for entry in ledger["entries"]
        for leaf in entry["leaves"]
        for item in leaf["evidence"]
        if item["status"] == "stopped"
    }


def faulty(ledger: Mapping[str, Any]) -> dict[str, str]:
    """Leaves in which the package itself has met an error, with its file and line."""
    return {
        leaf["id"]: str(item["details"][FAULT])
        for entry in ledger["entries"]
        for leaf in entry["leaves"]
        for item in leaf["evidence"]
        if FAULT in item.get("details", {})
    }


def failures(ledger: Mapping[str, Any], printed: bool = False) -> list[str]:
    """Keys of the entries in a form of our own that are neither proved nor hold.

    Parameters
    ----------
    ledger : mapping
    printed : bool
        Also the printed forms, as a user's own statements are.
    """
    return [
        entry["key"]
        for entry in ledger["entries"]
        if (printed or entry["form"] != "printed")
        and entry["verdict"] not in (None, "proved", "holds")
    ]
