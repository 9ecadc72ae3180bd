"""A paper's results as a file of records: those that a line can say filled in, the others open.

A result with several claims has a record for each, with a, b, ... behind its number.  A record that
stays open says which words stopped it, and which line was tried.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bounds.numbers.validate import InvalidInput, require
from verify.line.papers.claims import Claimed, claims_of
from verify.line.papers.macros import without_comments
from verify.line.papers.recognised import Recognised, method_of, recognised
from verify.line.papers.results import KINDS, TexResult, results
from verify.line.written import file_text, record_text

__all__ = ["StubRow", "Stubs", "stubs"]

MISSING = "its two sides: write them as functions of the world, or as one line"


@dataclass(frozen=True)
class StubRow:
    """One record: key, place in the paper, what stopped it (empty where nothing), and its line."""

    key: str
    place: str
    reason: str = ""
    line: str = ""


@dataclass(frozen=True)
class Stubs:
    """The file, and the keys of its records: filled in, and to be filled in."""

    text: str
    filled: tuple[str, ...]
    empty: tuple[str, ...]
    rows: tuple[StubRow, ...] = field(default=())


def stubs(source: str, paper: str, file: str, proved: Callable[[str], bool] | None = None) -> Stubs:
    """Records of a paper's LaTeX source.

    Parameters
    ----------
    source : str
        Text of the ``.tex`` file.
    paper : str
        What the keys begin with.
    file : str
        Name of the source, for the first line.
    proved : callable, optional
        Whether a line has a proof. Of a letter that may be a whole number or any the claim for any
        number is the stronger one: where it is proved it stands for both, else the record stays
        open.

    Returns
    -------
    Stubs

    Raises
    ------
    InvalidInput
        If there is no result in it, or it cannot be read.
    """
    listed = results(source)
    require(
        bool(listed),
        "source",
        f"one with environments {', '.join(KINDS)}",
        f"none in {file}",
        r"name the file that has them (\input is not followed)",
    )
    records: list[str] = []
    rows: list[StubRow] = []
    names: set[str] = set()
    method = method_of(without_comments(source))
    for one in listed:
        name = _name(one, names)
        known = recognised(one.source, one.title, method)
        claims = [] if one.kind == "assumption" else claims_of(one)
        if not claims:
            reason = "" if one.kind == "assumption" else "no formula is claimed"
            said = _with(reason or "an assumption is no claim", known)
            rows.append(StubRow(f"{paper}.{name}", one.place, said))
            text = _open(one, rows[-1].key, name, reason=reason)
            records.append(_comment(one) + _begin(known) + text)
        for k, claim in enumerate(_settled(one, proved) for one in claims):
            part = _part(k) if len(claims) > 1 else ""
            key = f"{paper}.{name}{part}"
            text, reason = _made(one, claim, key, f"{name}{part}")
            place = f"{one.place}{part and f', {part}'}"
            said = _with(reason, known) if reason else ""
            rows.append(StubRow(key, place, said, " ".join(claim.line.split())))
            words = (_comment(one) if k == 0 else "") + (_begin(known) if reason else "")
            records.append(words + text)
    empty = tuple(row.key for row in rows if row.reason)
    filled = tuple(row.key for row in rows if not row.reason)
    about = (
        f"{paper}: the results of {file}, {len(filled)} filled in, {len(empty)} to be filled in."
    )
    return Stubs(file_text(about, records), filled, empty, tuple(rows))


def _with(reason: str, known: Recognised) -> str:
    """What stopped a record, and what of it is known."""
    return f"{reason}; recognised: {known}" if str(known) else reason


def _begin(known: Recognised) -> str:
    """What is known of an open result, above its record."""
    told = f"# recognised: {known}\n" if str(known) else ""
    return told + (f"# begin with: family={known.family}\n" if known.family else "")


def _settled(claim: Claimed, proved: Callable[[str], bool] | None) -> Claimed:
    """A claim with any number for its doubtful letters, where that is proved."""
    if not claim.doubtful or proved is None or not proved(claim.doubtful):
        return claim
    return replace(claim, line=claim.doubtful, reason="", note=f"{claim.reason}: {FOR_ANY}")


FOR_ANY = "proved for any number, so for whole ones too"


def _part(number: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    letter = chr(ord("a") + number % 26)
    return letter if number < 26 else _part(number // 26 - 1) + letter


def _made(one: TexResult, claim: Claimed, key: str, name: str) -> tuple[str, str]:
    """A record, and what stopped it where it stays open."""
    reason = claim.reason
    if claim.line:
        note = " ".join([*one.assumptions, *filter(None, [claim.note])])
        more = {"kind": one.kind, "title": one.title, "note": note}
        try:
            text = record_text(
                claim.line,
                key,
                name,
                where=one.place,
                latex=claim.latex,
                more=more,
                placed=claim.placed,
            )
        except InvalidInput as error:
            said = " ".join(str(error).split()).rstrip(".")
            reason = f"{said}; the line that was tried: {' '.join(claim.line.split())}"
        else:
            return text, ""
    return _open(one, key, name, latex=claim.latex, reason=reason), reason


def _open(one: TexResult, key: str, name: str, *, latex: str = "", reason: str = "") -> str:
    """A record that waits for its sides."""
    shown = latex or r",\quad ".join(one.displays) or _prose(one.source)
    missing = MISSING + (f"; open because of {reason}" if reason else "")
    fields = {
        "kind": one.kind,
        "title": one.title,
        "latex": shown,
        "note": " ".join(one.assumptions),
        "missing": missing if one.kind != "assumption" else "its rule: write it as a Hypothesis",
    }
    paper = key.partition(".")[0]
    lines = [f"    {k}={json.dumps(v, ensure_ascii=False)}," for k, v in fields.items() if v]
    source = f"Source({json.dumps(paper)}, {json.dumps(one.place, ensure_ascii=False)})"
    head = [f"{name} = Statement(", f"    key={json.dumps(key)},", f"    source={source},"]
    return "\n".join([*head, *lines, ")"]) + "\n"


def _comment(one: TexResult) -> str:
    """The words of the paper above a record."""
    return "".join(f"# {line.strip()}".rstrip() + "\n" for line in one.source.splitlines())


def _prose(source: str) -> str:
    """Words and inline formulas as one formula."""
    out = []
    for k, part in enumerate(re.split(r"\$([^$]*)\$", " ".join(source.split()))):
        text = re.sub(r"[\\{}^_&#%]", "", part)
        out.append(part if k % 2 else rf"\text{{{text}}}" if text.strip() else "")
    return "".join(out)


def _name(one: TexResult, taken: set[str]) -> str:
    """A name of Python's for the record, of kind and number."""
    name = re.sub(r"\W", "_", f"{one.kind}{one.number or '_unnumbered'}")
    while name in taken:
        name += "_"
    taken.add(name)
    return name
