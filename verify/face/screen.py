"""An entry on one screen: its claim, the verdict at hand, why, what holds instead, where to go on.

What a page cannot hold is left out with a count, never cut without a word; ``show --all`` has it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from verify.catalogue.counted import several
from verify.catalogue.entry import Entry, describes
from verify.catalogue.library import Library
from verify.catalogue.literal import tagged
from verify.claim.axes import Axes
from verify.claim.statement import Statement
from verify.ledger.conclude import STANDS, conclude
from verify.ledger.failures import fails_in_words
from verify.ledger.readings import axes_in, in_words
from verify.ledger.repair_lines import repair_lines
from verify.ledger.rests import rests_in_words
from verify.report.tex.plain import unicode_text
from verify.report.words import GLYPHS

__all__ = ["Ledger", "screen"]

WIDE, HIGH = 100, 40
"""Columns and lines of a screen."""
CLAIMS, GIVEN, FORMS = 3, 4, 3
"""Parts of a claim, hypotheses and other forms that are shown; the others are counted."""


@dataclass(frozen=True)
class Ledger:
    """Verdicts at hand: where they stand, and the lines by key.

    Without a path they were computed for this screen alone.
    """

    path: str = ""
    lines: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    axes: Mapping[str, Axes] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, raw: Mapping[str, Any]) -> Ledger:
        """The ledger of a file's content."""
        lines = {line["key"]: line for line in raw["entries"]}
        return cls(path, lines, {paper: axes_in(raw, paper) for paper in raw["readings"]})

    def word(self, key: str) -> str:
        """Verdict of an entry; empty where the ledger has none."""
        return str(self.lines.get(key, {}).get("verdict") or "")


def screen(entry: Entry, known: Library, ledger: Ledger, leaf: str = "", run: str = "") -> str:
    """One entry, in at most 40 lines of 100 columns.

    Parameters
    ----------
    entry : Entry
    known : Library
        Where its other forms are.
    ledger : Ledger
    leaf : str, optional
        Key of one leaf, to show no other.
    run : str, optional
        Command that judges the entry.

    Returns
    -------
    str
    """
    decided = _deciding(entry, ledger)
    leaves = [one for one in entry.leaves if leaf in ("", entry.key, one.key)]
    first = next((one for one in leaves if one.key == decided.get("id")), leaves[0])
    blocks = [
        list(_head(entry, first)),
        list(_claims(leaves, first)),
        list(_given(first)),
        list(_verdict(entry, first, ledger, decided, known, run)),
        list(_others(entry, known, ledger)),
        list(_on(entry, known, ledger, decided)),
    ]
    lines = [line for block in blocks if block for line in (*block, "")][:-1]
    return "\n".join(lines)


def _head(entry: Entry, leaf: Statement) -> Iterator[str]:
    title = f": {entry.title}" if entry.title else ""
    yield from _wrapped(f"{entry.key}{title}", "", lines=2)
    arxiv = f", arXiv:{leaf.source.arxiv}" if leaf.source.arxiv else ""
    form = "" if entry.form == "printed" else f", {entry.form} form"
    yield from _wrapped(f"{entry.kind}{form}: {entry.paper}, {leaf.source.where}{arxiv}", "", 2)


def _claims(leaves: list[Statement], first: Statement) -> Iterator[str]:
    """The formulas, that of the deciding leaf first."""
    formulas = list(dict.fromkeys(unicode_text(one.latex) for one in (first, *leaves)))
    room = {1: 7, 2: 4}.get(len(formulas), 3)
    for text in formulas[:CLAIMS]:
        yield from _wrapped(text, "  ", room)
    if len(formulas) > CLAIMS:
        yield f"  … and {several(len(formulas) - CLAIMS, 'further part')}"


def _given(leaf: Statement) -> Iterator[str]:
    listed = list(leaf.given)
    for item in listed[:GIVEN]:
        text = f"{item.name}: {unicode_text(item.latex)}  ({tagged(item)})"
        yield from _wrapped(text, "  given  " if item is listed[0] else "         ", 1)
    if len(listed) > GIVEN:
        yield f"         … and {several(len(listed) - GIVEN, 'further hypothesis', 'hypotheses')}"


def _deciding(entry: Entry, ledger: Ledger) -> Mapping[str, Any]:
    """The leaf of the ledger that decides the entry."""
    line = ledger.lines.get(entry.key)
    if line is None:
        return {}
    return conclude(line["leaves"], ledger.axes.get(entry.paper)).deciding or {}


def _verdict(
    entry: Entry,
    leaf: Statement,
    ledger: Ledger,
    decided: Mapping[str, Any],
    known: Library,
    run: str,
) -> Iterator[str]:
    if describes(leaf):
        yield from _wrapped(leaf.missing or "it describes, and claims nothing", "no verdict: ", 2)
        return
    line = ledger.lines.get(entry.key)
    if line is None:
        missing = f" (it names what is not given: {leaf.missing})" if leaf.missing else ""
        yield from _wrapped(
            f"not judged here yet: {run or f'fedassay run {entry.key}'}{missing}", "", 2
        )
        yield from _reading(leaf, known.axes[entry.paper], "the literal reading")
        return
    word = ledger.word(entry.key) or "no verdict"
    reason = decided.get("reason") or line["reason"]
    yield from _wrapped(f"{GLYPHS.get(word, '·')} {word}: {reason}", "", 3)
    axes = ledger.axes.get(entry.paper, Axes())
    said = (in_words(line, axes), rests_in_words(line))
    for text, lines in ((fails_in_words(line), 2), ("; ".join(filter(None, said)), 2)):
        if text:
            yield from _wrapped(text, "  ", lines)
    yield from _record(decided)
    yield from _reading(leaf, axes, "read so")


def _reading(leaf: Statement, axes: Axes, word: str) -> Iterator[str]:
    """The meaning that is taken of each open place."""
    for name in leaf.options[:2]:
        if name in axes.meaning:
            option = axes.meaning[name]
            yield from _wrapped(f"{word}: {option.says}; {option.words}", "  ", 2)


def _others(entry: Entry, known: Library, ledger: Ledger) -> Iterator[str]:
    """Other forms of the entry; what stands in place of a claim that does not, first."""
    forms = [one for one in known if base(one) == base(entry) and one.key != entry.key]
    forms.sort(key=lambda one: ledger.word(one.key) not in STANDS)
    fallen = ledger.word(entry.key) not in ("", *STANDS)
    for one in forms[:FORMS]:
        word = ledger.word(one.key)
        head = "holds instead" if fallen and word in STANDS else "other form"
        told = word or "not judged here yet"
        yield from _wrapped(f"{head}: {one.key}, {told}: {one.title or one.kind}", "", 1)
        claim = one.claims[0] if one.claims else one.leaves[0]
        yield from _difference(entry, claim)
    if len(forms) > FORMS:
        yield f"… and {several(len(forms) - FORMS, 'further form')}"


def _difference(entry: Entry, claim: Statement) -> Iterator[str]:
    """What another form changes: its formula where that is another one, and what it adds."""
    printed = [unicode_text(leaf.latex) for leaf in entry.leaves]
    formula = unicode_text(claim.latex)
    if formula not in printed:
        yield from _wrapped(formula, "  ", 2)
    before = {item.name for leaf in entry.leaves for item in leaf.given}
    added = [item for item in claim.given if item.name not in before]
    for item in added:
        yield from _wrapped(f"given also: {item.name}: {unicode_text(item.latex)}", "  ", 1)
    if formula in printed and not added:
        yield from _wrapped(claim.note or "the same formula, read or searched otherwise", "  ", 1)


def _record(leaf: Mapping[str, Any]) -> Iterator[str]:
    """Laws and mends of the deciding leaf, in the words of the ledger's record."""
    for law in leaf.get("laws", ())[:1]:
        yield from _wrapped(f"law: {law['text']}", "  ", 2)
    for line in repair_lines(leaf.get("repairs", ()))[:1]:
        yield from _wrapped(f"mend {line}", "  ", 2)


def _on(entry: Entry, known: Library, ledger: Ledger, decided: Mapping[str, Any]) -> Iterator[str]:
    """Where to read on."""
    of_it = {entry.key, *(leaf.key for leaf in entry.leaves)}
    uses = dict.fromkeys(key for leaf in entry.leaves for key in leaf.uses)
    used = [e.key for e in known if any(of_it.intersection(leaf.uses) for leaf in e.leaves)]
    for name, keys in (("rests on", list(uses)), ("used by", used)):
        if keys:
            more = f" and {len(keys) - 4} more" if len(keys) > 4 else ""
            yield from _wrapped(f"{name} {', '.join(keys[:4])}{more}", "", 1)
    if decided.get("witness") and ledger.path:
        folder = ledger.path.rpartition("/")[0]
        place = f"{folder}/{decided['witness']}" if folder else decided["witness"]
        yield f"fedassay replay {place} --explain"
    if ledger.word(entry.key):
        now = f"judged just now on kept evidence; fedassay run {entry.key} writes it down"
        yield f"verdict from {ledger.path}" if ledger.path else now
    yield f"more: fedassay show {entry.key} --all"


def base(entry: Entry) -> str:
    """Key without the form."""
    return entry.key.removesuffix(f".{entry.form}")


def _wrapped(text: str, start: str, lines: int) -> Iterable[str]:
    """Text in so many lines at most; what is left out is marked."""
    return textwrap.wrap(
        " ".join(text.split()),
        width=WIDE,
        initial_indent=start,
        subsequent_indent=" " * (len(start) or 4),
        max_lines=lines,
        placeholder=" …",
        break_long_words=True,
        break_on_hyphens=False,
    )
