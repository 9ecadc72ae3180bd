"""The ledger joined with the library: what the page shows, before it is HTML.

Nothing is decided here.  A verdict comes from the ledger, mathematics and dependencies from the
statements, which the ledger of a file of one's own carries; where the two have drifted apart (a
ledger of another version) the page says so instead of guessing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bounds.numbers.validate import require
from verify.catalogue.entry import LINKS, Entry
from verify.catalogue.library import Library
from verify.catalogue.paper import paper_title
from verify.catalogue.told import Told
from verify.claim.axes import Axes
from verify.ledger.conclude import STANDS, conclude
from verify.ledger.readings import axes_in, in_words
from verify.limits.foreign import NotAsWritten, file_of_others
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import VACUOUS, VIOLATED, verdict_told

FALLEN = (VIOLATED, VACUOUS)
LONGEST_NAME = 48
"""Characters of a place that still serves as a name."""


@dataclass(frozen=True)
class LeafLine:
    """One part or reading: its line in the ledger, and what its statement says where known."""

    line: Mapping[str, Any]
    told: Told | None

    @property
    def key(self) -> str:
        """Key of the leaf."""
        return str(self.line["id"])

    @cached_property
    def sound(self) -> bool:
        """Whether the stored verdict is the one that the stored evidence gives, at its word."""
        try:
            with file_of_others():
                read = [Evidence.from_json(raw) for raw in self.line["evidence"]]
                found = verdict_told(read)
        except NotAsWritten:
            return False
        return bool(found.word == self.line["verdict"])


@dataclass(frozen=True)
class Item:
    """One entry of the ledger.

    Parameters
    ----------
    line : mapping
        The entry as stored.
    leaves : tuple of Leaf
        Those with a verdict, in the order of the ledger.
    told : tuple of Told
        What its statements say, those included that only describe; empty where nobody knows.
    target : str
        Of the forms empty and trivial: key of the entry or leaf that it is about.
    anchor : str
        Name of its place in the page.
    axes : Axes or None
        Open places of its paper, as the ledger holds them.
    """

    line: Mapping[str, Any]
    leaves: tuple[LeafLine, ...]
    told: tuple[Told, ...]
    target: str
    anchor: str
    axes: Axes = field(default_factory=Axes)

    @property
    def key(self) -> str:
        """Key of the entry."""
        return str(self.line["key"])

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return str(self.line["paper"])

    @property
    def form(self) -> str:
        """Printed, repaired, explicit, refined, empty or trivial."""
        return str(self.line["form"])

    @property
    def verdict(self) -> str | None:
        """Stored verdict; None where there is nothing to decide."""
        word = self.line["verdict"]
        return None if word is None else str(word)

    @property
    def base(self) -> str:
        """Key without the form."""
        return self.key.removesuffix(f".{self.form}")

    @property
    def label(self) -> str:
        """Key without the paper."""
        return self.key.removeprefix(f"{self.paper}.")

    @property
    def title(self) -> str:
        """What it is about, in words; may be empty."""
        return str(self.line.get("title") or "")

    @property
    def name(self) -> str:
        """How a reader of the paper calls it: its place and form, its key where that is unknown."""
        place = next((one.where for one in self.told if one.where), "")
        if not place or len(place) > LONGEST_NAME:
            return self.label
        return place if self.form == "printed" else f"{place}, {self.form}"

    @property
    def where(self) -> str:
        """Places in the paper."""
        return "; ".join(dict.fromkeys(one.where for one in self.told if one.where))

    @property
    def deciding(self) -> Mapping[str, Any] | None:
        """Leaf that decides: the worst part in the literal reading."""
        return conclude(self.line["leaves"], self.axes).deciding

    @property
    def readings(self) -> str:
        """What stands beside the word: the kindest one and how many readings it stands in."""
        return in_words(self.line, self.axes)

    @property
    def rung(self) -> str:
        """Rung that decided; empty where there is nothing to decide."""
        return "" if self.deciding is None else str(self.deciding["rung"])

    @property
    def sound(self) -> bool:
        """Whether every stored verdict follows from what is stored below it."""
        again = conclude(self.line["leaves"], self.axes).verdict
        return again == self.verdict and all(leaf.sound for leaf in self.leaves)


@dataclass(frozen=True)
class Use:
    """A statement that another one rests on.

    Parameters
    ----------
    key : str
        As the statement names it: an entry, a part, or a reading.
    entry : str
        Key of the entry.
    verdict : str or None
        Verdict of exactly what is named; None where this ledger has none.
    """

    key: str
    entry: str
    verdict: str | None


@dataclass(frozen=True)
class Model:
    """All entries of a ledger, ready to be shown."""

    ledger: Mapping[str, Any]
    items: tuple[Item, ...]
    by_key: Mapping[str, Item] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_key", {item.key: item for item in self.items})

    @cached_property
    def papers(self) -> dict[str, tuple[Item, ...]]:
        """Entries by paper, in the order of the ledger."""
        grouped: dict[str, list[Item]] = {}
        for item in self.items:
            grouped.setdefault(item.paper, []).append(item)
        return {paper: tuple(found) for paper, found in grouped.items()}

    def called(self, item: Item, longest: int = LONGEST_NAME) -> str:
        """An entry's place, with its title where others stand there too; its key if that is long.

        Parameters
        ----------
        item : Item
        longest : int
            Characters that there is room for.
        """
        named = f"{item.name}: {item.title}"
        for said, count in ((item.name, self._names), (named, self._titled)):
            if count[item.paper, said] == 1 and len(said) <= longest:
                return said
        return item.label

    @cached_property
    def _names(self) -> Counter[tuple[str, str]]:
        return Counter((item.paper, item.name) for item in self.items)

    @cached_property
    def _titled(self) -> Counter[tuple[str, str]]:
        return Counter((item.paper, f"{item.name}: {item.title}") for item in self.items)

    @cached_property
    def titles(self) -> dict[str, str]:
        """What each paper is called."""
        return {paper: paper_title(paper) for paper in self.papers}

    @cached_property
    def forms(self) -> dict[str, tuple[Item, ...]]:
        """Entries by key without the form, the printed one first."""
        grouped: dict[str, list[Item]] = {}
        for item in self.items:
            grouped.setdefault(item.base, []).append(item)
        return {
            base: tuple(sorted(found, key=lambda item: item.form != "printed"))
            for base, found in grouped.items()
        }

    def uses(self, item: Item) -> tuple[Use, ...]:
        """What an entry rests on, each once."""
        keys = dict.fromkeys(key for one in item.told for key in one.uses)
        return tuple(self._use(key) for key in keys)

    @cached_property
    def used_by(self) -> dict[str, tuple[Item, ...]]:
        """Entries that rest on the entry with this key."""
        found: dict[str, dict[str, Item]] = {}
        for item in self.items:
            for use in self.uses(item):
                if use.entry != item.key:
                    found.setdefault(use.entry, {})[item.key] = item
        return {key: tuple(users.values()) for key, users in found.items()}

    def weak(self, item: Item) -> tuple[Use, ...]:
        """Fallen statements that an entry rests on, directly or through others.

        A path ends at the first fallen statement on it.
        """
        found: dict[str, Use] = {}
        seen = {item.key}
        waiting = list(self.uses(item))
        while waiting:
            use = waiting.pop(0)
            if use.verdict in FALLEN:
                found.setdefault(use.key, use)
            elif use.entry not in seen and use.entry in self.by_key:
                seen.add(use.entry)
                waiting.extend(self.uses(self.by_key[use.entry]))
        return tuple(found.values())

    def repairs(self, item: Item) -> tuple[Item, ...]:
        """Forms that stand in the place of a printed entry: proved or holding, repaired first."""
        order = ("repaired", "explicit")
        others = [o for o in self.forms[item.base] if o.form in order and o.verdict in STANDS]
        return tuple(sorted(others, key=lambda other: order.index(other.form)))

    def _use(self, key: str) -> Use:
        entry = key.partition("/")[0].partition("@")[0]
        item = self.by_key.get(entry)
        if item is None:
            return Use(key, entry, None)
        if key == entry:
            return Use(key, entry, item.verdict)
        named = [leaf.line for leaf in item.leaves if key in (leaf.key, leaf.key.partition("@")[0])]
        if len(named) == 1:
            return Use(key, entry, str(named[0]["verdict"]))
        return Use(key, entry, conclude(named, item.axes).verdict)


def build(ledger: Mapping[str, Any], library: Library) -> Model:
    """Join a ledger with what is known about its keys.

    Parameters
    ----------
    ledger : mapping
        Content of a ledger file.
    library : Library
        It describes its own keys; the ledger itself describes those of a file of one's own.

    Raises
    ------
    InvalidInput
        If two lines of the ledger have one key.
    """
    keys = [str(entry["key"]) for entry in ledger["entries"]]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    require(
        twice is None,
        "ledger",
        "one with a single line per key",
        f"several of {twice}",
        "remove the copies, or run the library again",
    )
    known = {entry.key: entry for entry in library}
    items = tuple(
        _item(line, known.get(key), place, axes_in(ledger, line["paper"]))
        for line, key, place in zip(ledger["entries"], keys, anchors(keys), strict=True)
    )
    return Model(ledger, items)


def anchors(keys: Sequence[str]) -> list[str]:
    """Names for places in the page, one for each key, all different."""
    made: dict[str, None] = {}
    for key in keys:
        plain = f"e-{re.sub('[^A-Za-z0-9._-]', '-', key)}"
        name, number = plain, 1
        while name in made:
            number += 1
            name = f"{plain}~{number}"
        made[name] = None
    return list(made)


def _item(line: Mapping[str, Any], entry: Entry | None, anchor: str, axes: Axes) -> Item:
    if entry is not None:
        told, target = tuple(map(Told.of, entry.leaves)), entry.target
    else:
        told = tuple(map(Told.from_json, line.get("told", ())))
        target = str(line["key"]).removesuffix(f".{line['form']}") if line["form"] in LINKS else ""
    by_key = {one.key: one for one in told}
    leaves = tuple(LeafLine(leaf, by_key.get(str(leaf["id"]))) for leaf in line["leaves"])
    return Item(line, leaves, told, target, anchor, axes)
