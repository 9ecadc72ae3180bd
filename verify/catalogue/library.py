"""The catalogue: every statement of the package, or of a user's file, found by key.

Papers are the sub-packages of :mod:`verify.statements`; each exposes ``STATEMENTS``.  Nothing here
imports torch, so that listing and showing stay quick.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.paper import paper
from verify.claim.statement import Statement

LINKS = ("empty", "trivial")
"""Forms that speak about another entry; they are tried first."""


@dataclass(frozen=True)
class Entry:
    """One line of the ledger: all parts and readings of one statement.

    Parameters
    ----------
    key : str
        ``paper.id``, followed by the form where it is not the printed one.
    leaves : tuple of Statement
        Parts and readings, in the order of the paper.
    """

    key: str
    leaves: tuple[Statement, ...]

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.leaves[0].source.paper

    @property
    def kind(self) -> str:
        """Theorem, lemma, definition, ..."""
        return self.leaves[0].kind

    @property
    def form(self) -> str:
        """Printed, repaired, explicit, refined, empty or trivial."""
        return self.leaves[0].form

    @property
    def title(self) -> str:
        """Title of the first leaf that has one."""
        return next((leaf.title for leaf in self.leaves if leaf.title), "")

    @property
    def claims(self) -> tuple[Statement, ...]:
        """Leaves with something to decide; definitions, algorithms and data have none."""
        return tuple(leaf for leaf in self.leaves if not describes(leaf))

    @property
    def target(self) -> str:
        """For the forms empty and trivial: key of the entry or leaf that this one is about."""
        if self.form not in LINKS:
            return ""
        named = next((leaf.empties for leaf in self.leaves if leaf.empties), "")
        return named or self.key.removesuffix(f".{self.form}")


class Library:
    """Statements grouped into entries, in their order.

    Parameters
    ----------
    statements : iterable of Statement

    Raises
    ------
    InvalidInput
        If two statements have one key, or an entry mixes forms.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        self._leaves: dict[str, Statement] = {}
        grouped: dict[str, list[Statement]] = {}
        for statement in statements:
            key = statement.key
            require(key not in self._leaves, "key", "unique", key, "rename one of the statements")
            self._leaves[key] = statement
            grouped.setdefault(statement.entry, []).append(statement)
        self._entries = {key: Entry(key, tuple(found)) for key, found in grouped.items()}
        for entry in self:
            forms = sorted({leaf.form for leaf in entry.leaves})
            require(
                len(forms) == 1, f"form of {entry.key}", "one for all its leaves", forms,
                "give the other form an entry of its own",
            )  # fmt: skip

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    @cached_property
    def papers(self) -> tuple[str, ...]:
        """Keys of the papers, in order of appearance."""
        return tuple(dict.fromkeys(entry.paper for entry in self))

    def leaf(self, key: str) -> Statement:
        """Statement with exactly this key."""
        if key not in self._leaves:
            raise unknown("statement", key, self._leaves)
        return self._leaves[key]

    def entry(self, key: str) -> Entry:
        """Entry with this key, or the one that the leaf with this key belongs to."""
        if key in self._leaves:
            key = self._leaves[key].entry
        if key not in self._entries:
            raise unknown("key", key, self._entries)
        return self._entries[key]

    def select(self, patterns: Sequence[str] = (), paper: str | None = None) -> tuple[Entry, ...]:
        """Entries that match any of the keys or globs, in the order of the library.

        Parameters
        ----------
        patterns : sequence of str
            Entry keys, leaf keys (which select their entry) or globs; none selects everything.
        paper : str, optional
            Restrict to one paper.

        Raises
        ------
        InvalidInput
            If a key, glob or paper matches nothing; near keys are suggested.
        """
        if paper is not None and paper not in self.papers:
            raise unknown("paper", paper, self.papers)
        pool = [entry for entry in self if paper in (None, entry.paper)]
        if not patterns:
            return tuple(pool)
        chosen: set[str] = set()
        for pattern in patterns:
            found = self._matches(pattern, pool)
            if not found:
                raise unknown("key", pattern, [entry.key for entry in pool])
            chosen |= found
        return tuple(entry for entry in pool if entry.key in chosen)

    def links(self, entry: Entry) -> tuple[Entry, ...]:
        """Entries of the forms empty and trivial that speak about this one or a part of it."""
        own = {entry.key, *(leaf.key for leaf in entry.leaves)}
        return tuple(other for other in self if other.form in LINKS and other.target in own)

    def _matches(self, pattern: str, pool: Iterable[Entry]) -> set[str]:
        if pattern in self._leaves:
            pattern = self._leaves[pattern].entry
        if any(mark in pattern for mark in "*?["):
            return {entry.key for entry in pool if fnmatchcase(entry.key, pattern)}
        return {entry.key for entry in pool if entry.key == pattern}


def describes(statement: Statement) -> bool:
    """Whether a record only describes (a definition, an algorithm, data): nothing to decide."""
    return statement.sides is None and statement.kind in ("definition", "algorithm", "data")


def speaks_of(link: Entry, leaf: Statement) -> bool:
    """Whether an empty or trivial entry is about this leaf."""
    return link.target in (leaf.key, leaf.entry)


def unknown(what: str, name: str, known: Iterable[str]) -> InvalidInput:
    """Error for a name that nothing has, with near names where there are some."""
    names = list(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5) or _same_ending(name, names)
    if near:
        remedy = f"did you mean {', '.join(near)}"
    elif len(names) <= 10:
        remedy = f"choose one of {', '.join(names) or 'none'}"
    else:
        remedy = "'fedassay list' shows all"
    return InvalidInput(f"{what} must be a known one, got {name!r}: {remedy}.")


@lru_cache(maxsize=1)
def library() -> Library:
    """All statements that come with the package."""
    import verify.statements as root

    found: list[Statement] = []
    for info in sorted(pkgutil.iter_modules(root.__path__), key=lambda info: info.name):
        found += paper(importlib.import_module(f"{root.__name__}.{info.name}"))
    return Library(found)


def _same_ending(name: str, known: Iterable[str]) -> list[str]:
    """Keys whose last piece is the asked-for one: the paper was left out."""
    return [key for key in known if key.partition(".")[2] == name][:3]
