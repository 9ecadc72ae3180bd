"""Open places of a paper as HTML: each meaning with its words, and how many results stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verify.catalogue.counted import several
from verify.claim.axes import Axes, Axis, Option
from verify.report.markup import Markup, el, join
from verify.report.model import Model

ASSIGNMENTS = ("literal", "kindest")


def readings(model: Model, paper: str) -> Markup | None:
    """Table of a paper's open places; None where it has none.

    Parameters
    ----------
    model : Model
    paper : str
        Key of the paper.
    """
    raw = model.ledger.get("readings", {}).get(paper)
    if raw is None:
        return None
    axes = Axes.from_json(raw["axes"])
    head = el("tr", [el("th", name, scope="col") for name in ("open place", "read as", "words")])
    rows = [row for axis in axes for row in _rows(axis, raw)]
    return el(
        "details",
        el("summary", f"Open places ({len(axes)}), and how its words are read"),
        el("p", _counted(raw)),
        el(
            "div",
            el("table", el("thead", head), el("tbody", rows), class_="readings"),
            class_="scroll",
            tabindex="0",
            role="region",
            aria_label=f"readings of {paper}",
        ),
        class_="axes",
    )


def _counted(raw: Mapping[str, Any]) -> Markup:
    """How many main results stand under both assignments."""
    stand = raw["stand"]
    of = several(stand["of"], "main result")
    said = [
        f"Of {of}, ",
        el("strong", str(stand["literal"])),
        " stand in the literal reading and ",
        el("strong", str(stand["kindest"])),
        " in the kindest one",
    ]
    if raw["kindest"] == raw["literal"]:
        said.append(", which is the same: no other makes it more")
    said.append(". A verdict is that of the literal reading.")
    if raw["missing"]:
        few = several(len(raw["missing"]), "main result is", "main results are")
        said.append(f" {few} not in this ledger, and not counted.")
    return join(said)


def _rows(axis: Axis, raw: Mapping[str, Any]) -> list[Markup]:
    """One row for each meaning; the open place stands before the first."""
    place = el("th", axis.about, scope="rowgroup", rowspan=len(axis.options))
    return [
        el("tr", place if i == 0 else None, el("td", _meaning(option, raw)), el("td", option.words))
        for i, option in enumerate(axis.options)
    ]


def _meaning(option: Option, raw: Mapping[str, Any]) -> Markup:
    taken = [name for name in ASSIGNMENTS if option.name in raw[name]]
    marks = [join(" ", el("small", name, class_=f"reading-{name}")) for name in taken]
    return join(option.says, marks)
