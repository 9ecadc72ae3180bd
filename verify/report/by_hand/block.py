"""The record of a witness as HTML, for the report page and for a notebook."""

from __future__ import annotations

from verify.report.by_hand.record import Page, Row
from verify.report.markup import Markup, el, join
from verify.report.tex.mathml import formula

__all__ = ["block"]


def block(page: Page, opened: bool = False) -> Markup:
    """A folded block: federation, run, hypotheses, both sides, conclusion.

    Parameters
    ----------
    page : Page
    opened : bool
        Whether it is unfolded at first.
    """
    read = [el("p", f"Read so that {one}.", class_="small") for one in page.readings]
    parts = [
        join(el("h6", part.heading), el("ul", [_row(row) for row in part.rows], class_="by-hand"))
        for part in page.parts
    ]
    said = [el("p", el("strong", _row_of(page.conclusion)), class_="math")]
    said += [el("p", page.mechanism)] if page.mechanism else []
    return el(
        "details",
        el("summary", "by hand"),
        el("p", f"Compared: {page.compared}."),
        read,
        parts,
        said,
        open=opened,
    )


def _row(row: Row) -> Markup:
    return el("li", _row_of(row))


def _row_of(row: Row) -> Markup:
    if not row.tex:
        return join(row.words)
    return join(formula(row.tex), f" ({row.words})" if row.words else "")
