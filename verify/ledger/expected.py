"""The expected ledger: what a run is known to give, in few numbers, so that a change is seen.

A change of a statement, of a rung or of the search that changes what comes out is listed by
``fedassay diff EXPECTED LEDGER`` and accepted on purpose with ``--accept``.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.json_files import foreign, read_json, write_json
from verify.ledger.diff import Change, readings_brief
from verify.ledger.ledger import SCHEMA as LEDGER

SCHEMA = "fedassay-expected/1"

BAND = 1e-3
"""Relative band of a tightness: another processor rounds otherwise and the search wanders a little,
while a changed constant moves it by per cents."""

OPEN = "open"
"""Word for a claim of which it has not been found out how it falls."""

SHARE = 0.02
"""Band of the share of instances that meet the hypotheses, for the same reason."""


def brief(ledger: Mapping[str, Any]) -> dict[str, Any]:
    """The expected ledger that a ledger gives.

    Parameters
    ----------
    ledger : mapping
        Content of a complete ledger.

    Returns
    -------
    dict
        Entries (key to verdict), readings (key to what stands beside the verdict, for entries that
        have several), fails (key to how a printed claim falls, in one word and in words), leaves
        (id to verdict, rung, tightness or None, share of the instances that met every hypothesis
        or None), and the papers whose kindest reading lacks main results.
    """
    leaves = {
        leaf["id"]: {
            "verdict": leaf["verdict"],
            "rung": leaf["rung"],
            "tightness": _ratio(leaf),
            "met": _met(leaf),
        }
        for entry in ledger["entries"]
        for leaf in entry["leaves"]
    }
    return {
        "schema": SCHEMA,
        "profile": ledger["profile"],
        "seed": ledger["seed"],
        "entries": {entry["key"]: entry["verdict"] for entry in ledger["entries"]},
        "readings": {
            entry["key"]: told for entry in ledger["entries"] if (told := readings_brief(entry))
        },
        "fails": {
            entry["key"]: dict(entry["fails"]) for entry in ledger["entries"] if entry.get("fails")
        },
        "leaves": leaves,
        "partial": [p for p, raw in ledger.get("readings", {}).items() if raw["missing"]],
    }


def compare(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[Change]:
    """What a run gives that was not expected.

    Parameters
    ----------
    expected, found : mapping
        Both as :func:`brief` makes them; ``found`` may hold some of the entries only.

    Returns
    -------
    list of Change
        New and lost keys, changed verdicts and rungs, tightness and share outside their bands.
    """
    whole = set(expected["entries"]) <= set(found["entries"])
    changes = list(_words(expected["entries"], found["entries"], "entry"))
    changes += _readings(expected, found)
    if whole:  # how a claim falls is told of its other forms too
        changes += _fails(expected.get("fails", {}), found.get("fails", {}))
    for key in found["leaves"].keys() & expected["leaves"].keys():
        changes += _leaf(key, expected["leaves"][key], found["leaves"][key])
    for key in found["leaves"].keys() - expected["leaves"].keys():
        changes.append(Change(key, "leaf", "", found["leaves"][key]["verdict"]))
    for key in expected["leaves"].keys() - found["leaves"].keys():
        if whole or key.partition("/")[0].partition("@")[0] in found["entries"]:
            changes.append(Change(key, "leaf", expected["leaves"][key]["verdict"], ""))
    return sorted(changes, key=lambda change: (change.key, change.what))


def compare_files(
    expected: Path, ledger: Path, accept: bool = False, known: Container[str] = ()
) -> list[Change]:
    """Compare a ledger file with an expected one, and put it in its place if accepted.

    Parameters
    ----------
    expected, ledger : Path
        Files.
    accept : bool
        Whether what was found is what is expected from now on; of a run of some keys, for those.
    known : container of str
        Keys that the library has: an entry that it has no longer may go.

    Raises
    ------
    InvalidInput
        If either is no such file, they were made with another profile or seed, or a ledger whose
        run did not end is to be accepted.
    """
    before, made = read_json(expected, SCHEMA), read_json(ledger, LEDGER)
    with foreign("ledger", ledger):
        found = brief(made)
    lost = [k for k in before["entries"] if k not in found["entries"] and k in known]
    if accept and not made["complete"]:
        raise InvalidInput(
            f"ledger must be complete to be accepted, got {ledger}, which lacks what the run did "
            "not reach: run those keys again"
        )
    if accept and not lost:
        write_json(expected, found)
    for name in ("profile", "seed"):
        if before[name] != found[name] and (lost or not accept):
            raise InvalidInput(
                f"{name} must be that of the expected ledger, {before[name]}, got {found[name]}: "
                "run again with it"
            )
    if accept and lost:
        write_json(expected, _joined(before, found))
    return compare(before, found)


def _joined(before: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """The expected ledger with the entries of a run of some keys in their places.

    What stands beside an entry's word is told of whole papers, so it stays where only some of one
    was run and as many readings stand as before.
    """
    entries, leaves = dict(before["entries"]), dict(before["leaves"])
    for key, word in found["entries"].items():
        entries[key] = word
        old = [x for x in leaves if x.partition("/")[0].partition("@")[0] == key]
        for leaf in old:
            del leaves[leaf]
    leaves |= found["leaves"]
    order = {key: i for i, key in enumerate([*before["leaves"], *found["leaves"]][::-1])}
    readings = dict(before["readings"])
    for key, told in found["readings"].items():
        if readings.get(key, "").partition(",")[0] != told.partition(",")[0]:
            readings[key] = told
    fails = {k: v for k, v in before.get("fails", {}).items() if k not in found["entries"]}
    for key, told in found.get("fails", {}).items():
        # of some keys alone less may be known of how a claim falls
        kept = before.get("fails", {}).get(key, told) if told["kind"] == OPEN else told
        fails[key] = kept
    ordered = dict(sorted(leaves.items(), key=lambda item: -order[item[0]]))
    return {
        **before,
        "entries": entries,
        "readings": readings,
        "fails": {key: fails[key] for key in entries if key in fails},
        "leaves": ordered,
    }


def _words(before: Mapping[str, Any], after: Mapping[str, Any], what: str) -> Iterator[Change]:
    """Changed verdicts of entries, and new entries; what was not run has not changed."""
    for key, word in after.items():
        if key not in before:
            yield Change(key, what, "", word or "-")
        elif before[key] != word:
            yield Change(key, "verdict", before[key] or "-", word or "-")


def _readings(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """What stands beside the words; the kindest reading of a part of a paper is not compared."""
    partial = tuple(f"{paper}." for paper in after.get("partial", ()))
    old, new = before.get("readings", {}), after.get("readings", {})
    for key in after["entries"].keys() & before["entries"].keys():
        pair = old.get(key, ""), new.get(key, "")
        if key.startswith(partial):
            pair = pair[0].partition(",")[0], pair[1].partition(",")[0]
        if pair[0] != pair[1]:
            yield Change(key, "readings", *pair)


def _fails(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """Claims that fall in another way; their numbers may differ."""
    for key in before.keys() & after.keys():
        if before[key]["kind"] != after[key]["kind"]:
            yield Change(key, "fails", before[key]["kind"], after[key]["kind"])


def _leaf(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    for name in ("verdict", "rung"):
        if before[name] != after[name]:
            yield Change(key, name, before[name], after[name])
    for name in ("tightness", "met"):
        a, b = before[name], after[name]
        if not (a is b is None) and (a is None or b is None or abs(a - b) > _band(name, a, b)):
            yield Change(key, name, _number(a), _number(b))


def _band(name: str, a: float, b: float) -> float:
    return BAND * max(a, b) if name == "tightness" else SHARE


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _ratio(leaf: Mapping[str, Any]) -> float | None:
    found = leaf["tightness"]
    return None if found is None else float(f"{found['ratio']:.6g}")


def _met(leaf: Mapping[str, Any]) -> float | None:
    """Share of the evaluated instances that met every hypothesis, where they were counted."""
    for item in leaf["evidence"]:
        if item["rung"] == "hypotheses" and item.get("tried"):
            return float(f"{item.get('counted', 0) / item['tried']:.3g}")
    return None
