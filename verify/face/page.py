"""A result in a notebook: mathematics, verdict, tightest instance, and the witness by hand.

One block of HTML that needs no style sheet and no network; colours come with the glyph and the word
of each verdict, so that none of them carries the meaning alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verify.ledger.costs import costs
from verify.ledger.repair_lines import repair_lines
from verify.report import words
from verify.report.markup import Markup, el, join
from verify.report.tex.mathml import formula

if TYPE_CHECKING:
    from verify.face.result import Result

COLOURS = {
    "proved": "#0b6b3a",
    "holds": "#0b6b3a",
    "violated": "#a11616",
    "vacuous": "#7a2a8c",
    "inconclusive": "#8a5a00",
    "not-checkable": "#1d5f8a",
}
"""Dark enough to read on white, and light enough as a frame on black."""


def block(result: Result) -> Markup:
    """One result as HTML."""
    colour = COLOURS.get(result.verdict, "#555")
    glyph = words.GLYPHS.get(result.verdict, "·")
    badge = el("strong", f"{glyph} {result.verdict}", style=f"color:{colour}")
    title = f" {result.claim['title']}" if result.claim["title"] else ""
    place = f", {result.claim['where']}" if result.claim["where"] else ""
    parts = [
        el("div", el("code", result.key), title, place, ": ", badge, f" by {result.rung}"),
        el("div", formula(str(result.claim["latex"])), style="margin:.4em 0"),
        _assumed(result.claim["given"]),
        el("div", result.reason),
        _facts(result),
        _by_hand(result.by_hand),
    ]
    frame = f"border-left:4px solid {colour};padding:.2em .8em;margin:.5em 0"
    return el("div", parts, style=frame, class_="fedassay-result")


def _assumed(given: list[Mapping[str, str]]) -> Markup:
    if not given:
        return Markup("")
    rows = [
        el("li", f"{one['name']}: ", formula(one["latex"]), f" ({one['tag']})") for one in given
    ]
    return join(el("div", "given"), el("ul", rows, style="margin:0"))


def _facts(result: Result) -> Markup:
    """Tightest instance, repairs, scope and costs, name by name."""
    rows: list[tuple[str, str]] = []
    found = result.tightness
    if found is not None:
        values = found["instance"] if isinstance(found["instance"], Mapping) else {}
        listed = ", ".join(f"{name} = {value}" for name, value in words.pairs(values))
        rows.append(("tightest", f"left/right = {words.ratio(found['ratio'])} at {listed}"))
    rows += [("hint", result.hint)] if result.hint else []
    rows += [("law", law["text"]) for law in result.laws]
    rows += [("repair", line) for line in repair_lines(list(result.repairs))]
    rows += [("searched", result.scope)] if result.scope else []
    rows += list(costs(result.leaf["evidence"]).items())
    cell = "text-align:left;vertical-align:top"
    return el(
        "table",
        [el("tr", el("th", n, style=cell), el("td", text, style=cell)) for n, text in rows],
    )


def _by_hand(made: Mapping[str, Any]) -> Markup:
    if not made:
        return Markup("")
    parts = []
    for section in made["sections"]:
        rows = [_row(line) for line in section["lines"]]
        parts += [el("div", section["heading"]), el("ul", rows, style="margin:0")]
    said = el("div", el("strong", made["conclusion"]))
    return el("details", el("summary", "by hand"), parts, said, open=True)


def _row(line: Mapping[str, str]) -> Markup:
    """``name = formula = numbers = value``, and what it must be."""
    said: list[Any] = [f"{line['name']} = "] if line["name"] else []
    said.append(formula(line["tex"]) if line["tex"] else line["text"])
    notes = "; ".join(part for part in (line["needed"], line["note"]) if part)
    if line["means"]:
        said += [" (", formula(line["means"]), ")"]
    return el("li", said, f" ({notes})" if notes else "")
