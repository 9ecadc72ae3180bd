"""``explain``, ``paper`` and ``library``: what is written or printed, in parts that fit."""

from __future__ import annotations

from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.certify.checker import Refused
from verify.certify.explain.documents import explained
from verify.cli.assistants.calls import Call
from verify.cli.assistants.found import found
from verify.cli.own.line import proved
from verify.limits.files import whole_text
from verify.line.papers.stubs import stubs

__all__ = ["explain", "library", "paper"]

LONGEST_SOURCE = 2_000_000
"""Characters of a LaTeX source."""
PAGE = 1_700
"""Characters of one part of a long answer."""


def explain(call: Call) -> dict[str, Any]:
    """A proof or a witness that the server wrote, as numbered lines."""
    kind, content = call.workspace.read(call.text.strip())
    lines: list[str] = []
    if kind == "proof":
        try:
            for number, document in enumerate(content["proofs"], 1):
                lines += [f"Proof {number} of {len(content['proofs'])}"]
                lines += explained(document)
        except Refused as reason:
            raise InvalidInput(
                f"file must hold a proof that the checker accepts: {reason}."
            ) from None
    elif kind == "record":
        from verify.face.result import Result

        lines += str(Result.from_json(content)).splitlines()
    elif kind == "table":
        lines += [
            f"{one['claim']}: {one['word']}: {one['reason']} {one['record']}".strip()
            for one in content["rows"]
        ]
    else:
        lines += [
            f"{one['place']}: {one['line'] or 'open because of ' + one['reason']}"
            for one in content["results"]
        ]
    return _part(lines, call.part)


def _part(lines: list[str], part: int) -> dict[str, Any]:
    """One part of a text; a line that is longer than a part is broken."""
    pages, page = [], ""
    for line in lines:
        for piece in (line[k : k + PAGE // 2] for k in range(0, max(len(line), 1), PAGE // 2)):
            if page and len(page) + len(piece) + 1 > PAGE:
                pages.append(page)
                page = ""
            page += piece + "\n"
    pages.append(page)
    require(1 <= part <= len(pages), "part", f"in 1 to {len(pages)}", part, "change it")
    return {"text": pages[part - 1], "part": part, "parts": len(pages)}


def paper(call: Call) -> dict[str, Any]:
    """The results of a LaTeX source as lines, or what stopped each."""
    text = call.text
    if "\n" not in text and text.strip().endswith(".tex"):
        path = call.workspace.inside(text.strip(), ".tex")
        try:
            text = whole_text(path, "source", "name a smaller one")
        except UnicodeDecodeError as error:
            raise InvalidInput(f"source must be text in UTF-8: {error.reason}.") from error
    long = len(text) > LONGEST_SOURCE
    require(not long, "source", f"at most {LONGEST_SOURCE} characters", len(text), "send parts")
    made = stubs(text, "paper", "the source", proved)
    results = [
        {"place": one.place, "line": "" if one.reason else one.line, "reason": one.reason}
        for one in made.rows
    ]
    record = call.workspace.write("paper", {"results": results})
    pages: list[list[dict[str, str]]] = [[]]
    size = 0
    for one in results:
        short = {
            name: value if len(value) <= 400 else f"{value[:398]} …"
            for name, value in one.items()
            if value
        }
        weight = sum(map(len, short.values())) + 40
        if size + weight > PAGE - 200 and pages[-1]:
            pages.append([])
            size = 0
        pages[-1].append({"place": "", "line": "", "reason": "", **short})
        size += weight
    require(1 <= call.part <= len(pages), "part", f"in 1 to {len(pages)}", call.part, "change it")
    return {
        "results": pages[call.part - 1],
        "read": len(made.filled),
        "open": len(made.empty),
        "part": call.part,
        "parts": len(pages),
        "record": record["path"],
    }


def library(call: Call) -> dict[str, Any]:
    """Entries whose words or formulas are like what was sent, best first."""
    entries, more = found(call.text)
    return {"entries": entries, "more": more}
