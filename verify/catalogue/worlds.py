"""The world's checks: what our own test problems are asked about assumptions and definitions.

An assumption or a definition has no word: nothing follows from its being met somewhere.  What a
module computes of one is a check of our own problems, and is moved under a key of its own:
``paper.A1/quadratic`` becomes ``world.paper.A1/quadratic``.  In its place stays a record without
sides, which says what is assumed and where it is checked.  A paper that says something of an
assumption ("harmless", "implied by") claims it: such a statement is of kind ``claim`` and stays.
So is what is computed of printed data or of an algorithm: it is a claim about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from verify.claim.statement import Statement, described

__all__ = ["SILENT", "WORLD", "is_check", "with_checks_apart"]

SILENT = ("assumption", "definition", "algorithm", "data")
"""Kinds of what carries no word."""

CHECKED = ("assumption", "definition")
"""Those that our own problems may meet or not."""

WORLD = "world"
"""Kind of a check of our own problems, and the first piece of its key."""


def is_check(line: Mapping[str, Any]) -> bool:
    """Whether an entry of a ledger is a check of our own problems, no claim of a paper."""
    return bool(line["kind"] == WORLD)


def with_checks_apart(statements: Iterable[Statement]) -> list[Statement]:
    """The statements, those that check an assumption or a definition moved.

    Parameters
    ----------
    statements : iterable of Statement

    Returns
    -------
    list of Statement
        In the same order; before the first check of something that no record describes stands one.
    """
    given = list(statements)
    moved = [leaf for leaf in given if _is_moved(leaf)]
    keys = {key for leaf in moved for key in (leaf.key, *_part(leaf))}
    checks: dict[str, list[Statement]] = {}
    for leaf in moved:
        checks.setdefault(_checked(leaf), []).append(leaf)
    told = {leaf.entry for leaf in given if not _is_moved(leaf)}
    return list(_apart(given, checks, told, keys))


def _apart(
    given: Sequence[Statement],
    checks: Mapping[str, Sequence[Statement]],
    told: set[str],
    keys: set[str],
) -> Iterator[Statement]:
    seen = set(told)
    for leaf in given:
        name = _checked(leaf)
        found = checks.get(name, ())
        if not _is_moved(leaf):
            where = _places(found) if leaf.kind in SILENT else ()
            uses = (*(_renamed(key, keys) for key in leaf.uses), *where)
            kind = "claim" if leaf.kind in SILENT and leaf.sides is not None else leaf.kind
            as_it_was = (kind, uses) == (leaf.kind, tuple(leaf.uses))
            yield leaf if as_it_was else replace(leaf, kind=kind, uses=uses)
            continue
        if name not in seen:
            seen.add(name)
            yield _description(name, found)
        yield replace(
            leaf,
            key=f"{WORLD}.{leaf.key}",
            kind=WORLD,
            uses=tuple(_renamed(key, keys) for key in leaf.uses),
            empties=_renamed(leaf.empties, keys),
        )


def _description(name: str, checks: Sequence[Statement]) -> Statement:
    """What is assumed, in the words of the printed checks; of all where none is printed."""
    said = [leaf for leaf in checks if leaf.form == "printed"] or list(checks)
    first = said[0]
    latex = dict.fromkeys(" ".join(leaf.latex.split()) for leaf in said)
    titles = dict.fromkeys(leaf.title for leaf in said)
    where = _places(checks)
    made = described(
        name,
        first.kind,
        first.source.where,
        r",\qquad ".join(latex),
        "; ".join(filter(None, titles)),
        f"What our own problems meet is checked under {', '.join(where)}.",
    )
    return replace(made, source=first.source, uses=where)


def _places(checks: Sequence[Statement]) -> tuple[str, ...]:
    """Entries of checks, each once."""
    return tuple(dict.fromkeys(f"{WORLD}.{leaf.entry}" for leaf in checks))


def _is_moved(leaf: Statement) -> bool:
    return leaf.kind in CHECKED and leaf.sides is not None


def _checked(leaf: Statement) -> str:
    """Key of what a record is about: its entry's, without the form."""
    return leaf.entry.removesuffix(f".{leaf.form}")


def _part(leaf: Statement) -> tuple[str, ...]:
    """Key of the part that a leaf is a reading of, where that is not the whole entry."""
    part = leaf.key.partition("@")[0]
    return (part,) if part != leaf.entry else ()


def _renamed(key: str, moved: set[str]) -> str:
    """A key that others name; that of a whole entry stays, and leads to where it is checked."""
    return f"{WORLD}.{key}" if key in moved and ("/" in key or "@" in key) else key
