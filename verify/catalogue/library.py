"""The catalogue: every statement of the package, or of a user's file, found by key.

Papers are the sub-packages of :mod:`verify.statements`.  Nothing here imports torch, so that
listing and showing stay quick.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.entry import LINKS, Entry, describes, is_result, speaks_of
from verify.catalogue.paper import paper, paper_axes
from verify.catalogue.readings import check_readings
from verify.catalogue.worlds import WORLD, with_checks_apart
from verify.claim.axes import Axes
from verify.claim.constant import faults
from verify.claim.statement import Statement

__all__ = ["LINKS", "Entry", "Library", "describes", "library", "speaks_of", "unknown"]


class Library:
    """Statements grouped into entries, in their order, the world's checks under their own keys.

    Parameters
    ----------
    statements : iterable of Statement
    axes : mapping, optional
        Open places of each paper; a paper that is not named has none.

    Raises
    ------
    InvalidInput
        If two statements have one key, an entry mixes forms, or a paper's readings are not what
        :func:`verify.catalogue.readings.check_readings` asks for.
    """

    def __init__(
        self, statements: Iterable[Statement], axes: Mapping[str, Axes] | None = None
    ) -> None:
        self.passed_over: tuple[str, ...] = ()
        """Keys of statements that a user's file makes and binds to no name of its own."""
        self._leaves: dict[str, Statement] = {}
        grouped: dict[str, list[Statement]] = {}
        for statement in with_checks_apart(statements):
            key = statement.key
            require(key not in self._leaves, "key", "unique", key, "rename one of the statements")
            self._leaves[key] = statement
            grouped.setdefault(statement.entry, []).append(statement)
        self._entries = {key: Entry(key, tuple(found)) for key, found in grouped.items()}
        for entry in self:
            forms = sorted({leaf.form for leaf in entry.leaves})
            require(
                len(forms) == 1,
                f"form of {entry.key}",
                "one for all its leaves",
                forms,
                "give the other form an entry of its own",
            )
        for leaf in self._leaves.values():
            self._check_constant(leaf)
        declared = axes or {}
        self.axes = {key: declared.get(key, Axes()) for key in self.papers}
        for key, places in self.axes.items():
            check_readings([entry for entry in self if entry.paper == key], places)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    @cached_property
    def papers(self) -> tuple[str, ...]:
        """Keys of the papers, in order of appearance."""
        return tuple(dict.fromkeys(entry.paper for entry in self))

    def find(self, key: str) -> Statement | None:
        """Statement with exactly this key; None if there is none."""
        return self._leaves.get(key)

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
            Entry keys, leaf keys (which select their entry) or globs; none selects everything. An
            assumption brings its checks.
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
            chosen |= found | self._checks(found)
        return tuple(entry for entry in pool if entry.key in chosen)

    def results(self, paper: str) -> tuple[Entry, ...]:
        """Main results of a paper that claim something, as printed."""
        return tuple(
            entry
            for entry in self
            if entry.paper == paper and is_result(entry.kind, entry.form) and entry.claims
        )

    def links(self, entry: Entry) -> tuple[Entry, ...]:
        """Entries that decide something about this one or a part of it: see `Entry.targets`."""
        own = {entry.key, *(leaf.key for leaf in entry.leaves)}
        return tuple(other for other in self if not other.targets.isdisjoint(own))

    def _check_constant(self, leaf: Statement) -> None:
        """Refuse an explicit form that is not the order that it names, with its constant."""
        if leaf.constant is None:
            return
        order = self._leaves.get(leaf.constant.of)
        wrong = [f"there is no {leaf.constant.of}"] if order is None else faults(leaf, order)
        require(
            not wrong and leaf.form == "explicit",
            f"constant of {leaf.key}",
            "put into an order of the library by Statement.bounded, in an entry that is explicit",
            "; ".join(wrong) or leaf.form,
            "make it of the order",
        )

    def _checks(self, keys: Iterable[str]) -> set[str]:
        """Where what these entries assume or define is checked on our own problems."""
        named = {use for key in keys for leaf in self._entries[key].leaves for use in leaf.uses}
        return {e.key for e in self if e.kind == WORLD and e.key in named}

    def _matches(self, pattern: str, pool: Iterable[Entry]) -> set[str]:
        if pattern in self._leaves:
            pattern = self._leaves[pattern].entry
        if any(mark in pattern for mark in "*?["):
            return {entry.key for entry in pool if fnmatchcase(entry.key, pattern)}
        return {entry.key for entry in pool if entry.key == pattern}


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
    axes: dict[str, Axes] = {}
    for info in sorted(pkgutil.iter_modules(root.__path__), key=lambda info: info.name):
        package = importlib.import_module(f"{root.__name__}.{info.name}")
        found += paper(package)
        axes[info.name] = paper_axes(package)
    return Library(found, axes)


def _same_ending(name: str, known: Iterable[str]) -> list[str]:
    """Keys whose last piece is the asked-for one: the paper was left out."""
    return [key for key in known if key.partition(".")[2] == name][:3]
