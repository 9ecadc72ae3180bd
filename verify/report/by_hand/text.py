"""The record of a witness for the terminal, in Unicode, and for a letter, in LaTeX."""

from __future__ import annotations

import textwrap

from verify.ledger.shown import escape
from verify.report.by_hand.record import Page, Row
from verify.report.tex.plain import unicode_text

__all__ = ["as_tex", "as_text"]

WIDTH = 100


def as_text(page: Page) -> str:
    """Unicode text, one line for each equation."""
    out = [page.title, f"Source: {page.place}", f"Claim:  {unicode_text(page.claim)}"]
    out += [f"Compared: {page.compared}", *(f"Read so that {one}" for one in page.readings)]
    for part in page.parts:
        out += ["", part.heading, *(f"  {_line(row)}" for row in part.rows)]
    out += ["", "Conclusion", f"  {_line(page.conclusion)}"]
    if page.mechanism:
        out += ["", "What happens", *_wrapped(page.mechanism)]
    if page.remark:
        out += ["", "Said of the statement, for every instance"]
        for paragraph in page.remark.split("\n\n"):
            out += _wrapped(" ".join(paragraph.split()))
    return "\n".join(out)


def as_tex(page: Page) -> str:
    """A fragment for ``amsmath``."""
    out = [rf"\paragraph{{{escape(page.title)}}} ({escape(page.place)})", "The claim"]
    out += [rf"\[ {page.claim} \]", f"is compared as follows: {escape(page.compared)}."]
    out += [f"Read so that {escape(one)}." for one in page.readings]
    for part in page.parts:
        out += [rf"\emph{{{escape(part.heading)}.}}", r"\begin{gather*}"]
        out += [" \\\\\n".join(_tex_row(row) for row in part.rows), r"\end{gather*}"]
    out += ["Hence", r"\begin{gather*}", _tex_row(page.conclusion), r"\end{gather*}"]
    if page.mechanism:
        out.append(escape(page.mechanism))
    if page.remark:
        out += [r"\begin{quote}", escape(page.remark), r"\end{quote}"]
    return "\n".join(out)


def _line(row: Row) -> str:
    text = unicode_text(row.tex) if row.tex else ""
    if text and row.words:
        return f"{text}   ({row.words})"
    return text or row.words


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _tex_row(row: Row) -> str:
    words = rf"\text{{{escape(row.words)}}}" if row.words else ""
    return "  " + r" \quad ".join(part for part in (row.tex, words) if part)
