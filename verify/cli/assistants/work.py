"""What a child does for one call: it reads what was sent, judges it, and writes the files.

Whatever takes time or may go wrong happens here, so that the server answers others meanwhile and
outlives it.  A line and a LaTeX source are parsed; a file of statements is run, where the server
was started with ``--allow-files``, and only from the workspace.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import plain
from verify.cli.assistants.answers import answer, mended, numbers, row, shown, text_of
from verify.cli.assistants.points import (
    Until,
    best_constant,
    certificates,
    needed_hypotheses,
    printed_sides,
)
from verify.cli.assistants.workspace import Workspace
from verify.run.workers import report

__all__ = ["BUILT", "Call", "Refusal", "answered"]

LONGEST_LINE = 4_000
"""Characters of a claim in one line."""
LONGEST_SOURCE = 2_000_000
"""Characters of a LaTeX source."""
MEMORY = 6 * 2**30
"""Bytes of addresses that a child may have, where the system can limit them."""
SIDES = 400
"""Characters of a hypothesis's name that are told."""

_FILE = re.compile(r"(?P<file>\S+\.py)(?:\s+(?P<key>\S+))?")
_KEY = re.compile(r"[a-z]\w*\.[\w.+/@-]+", re.ASCII)


@dataclass(frozen=True)
class Call:
    """One call of a tool.

    Parameters
    ----------
    tool : str
        Name of a function of `BUILT`.
    text : str
        What was sent: a claim, a source, words, the name of a file.
    workspace : Workspace
    files : bool
        Whether files of statements may be run.
    seconds : float
        Of processor time.
    part : int
        Which part of a long answer, counted from 1.
    short : bool
        Whether the word alone is asked for, as a row of a table.
    """

    tool: str
    text: str
    workspace: Workspace
    files: bool
    seconds: float
    part: int = 1
    short: bool = False


@dataclass(frozen=True)
class Refusal:
    """What was sent cannot be taken: why, the place, and what to write."""

    reason: str
    marked: str = ""


def answered(call: Call) -> Any:
    """The answer to a call as plain data, or a `Refusal`."""
    _apart()
    try:
        return BUILT[call.tool](call)
    except InvalidInput as error:
        return Refusal(" ".join(str(error).split()), getattr(error, "marked", ""))
    except (MemoryError, RecursionError) as error:
        what = "memory" if isinstance(error, MemoryError) else "depth of nesting"
        return Refusal(f"input must fit into the {what} of one call, got more: send less.")


def _apart() -> None:
    """Keep what anything prints off the wire, and memory within bounds."""
    with contextlib.suppress(OSError):
        os.dup2(sys.stderr.fileno(), 1)
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


# -- check, repair ---------------------------------------------------------------------------------


def _check(call: Call) -> dict[str, Any]:
    """Judge one claim: a line, a key of the library, or a statement of a file."""
    return _judge(call, "quick")


def _repair(call: Call) -> dict[str, Any]:
    """The same by a larger search, which looks for what is true instead."""
    return _judge(call, "default")


def _judge(call: Call, profile: str) -> dict[str, Any]:
    from verify.catalogue.library import library

    text = call.text.strip()
    require(bool(text), "claim", "a line, or a key of the library", "nothing", "send one")
    file = _FILE.fullmatch(text)
    if file is not None:
        return _own(call, file["file"], file["key"], profile)
    if _KEY.fullmatch(text) and any(text == entry.key for entry in library()):
        return _entry(call, text, profile)
    return _line(call, text, profile)


def _line(call: Call, text: str, profile: str) -> dict[str, Any]:
    from verify.line import one_line

    if len(text) > LONGEST_LINE:
        raise InvalidInput(
            f"claim must have at most {LONGEST_LINE} characters, got {len(text)}: name parts of it "
            "by symbols, or send a LaTeX source to the tool for papers."
        )
    return _leaf(call, one_line(text, "line.claim"), profile)


def _own(call: Call, name: str, key: str | None, profile: str) -> dict[str, Any]:
    """A statement of a file in the workspace, which is run."""
    from pathlib import Path

    from verify.catalogue.user_file import Origin, load_statements

    if not call.files:
        raise InvalidInput(
            "claim must be a line or a key of the library, got the name of a file, which would be "
            "run: start the server with --allow-files after reading the file, or send the line."
        )
    known = load_statements(Origin.of(Path(call.workspace.inside(name, ".py"))))
    keys = [leaf.key for entry in known for leaf in entry.claims]
    wanted = keys[0] if key is None and len(keys) == 1 else key
    if wanted not in keys:
        raise InvalidInput(
            f"claim must name one statement of {name}, got {wanted or 'none'}: write '{name} KEY' "
            f"with one of {', '.join(keys[:8])}."
        )
    return _leaf(call, known.leaf(wanted), profile)


def _entry(call: Call, key: str, profile: str) -> dict[str, Any]:
    """An entry of the library: as good as its worst part under the literal reading."""
    from verify.catalogue.library import library
    from verify.corpus.files import path_of, stored
    from verify.ledger.conclude import conclude
    from verify.run.tasks import Settings, examine

    known = library()
    entry, until, word = known.entry(key), Until(call.seconds), call.tool != "repair"
    require(bool(entry.claims), "claim", "something to decide", f"{key}, a definition", "another")
    found = []
    for leaf in entry.claims:
        kept = stored(path_of(entry.paper)).earlier(leaf)
        limit = max(until.left, 0.05)
        found.append(
            examine(leaf, Settings(profile), kept=kept, observe=_progress, word=word, limit=limit)
        )
    deciding = conclude([one.leaf for one in found], known.axes[entry.paper]).deciding
    at = next((k for k, one in enumerate(found) if one.leaf is deciding), 0)
    return _told(call, entry.claims[at], found[at], until)


def _leaf(call: Call, statement: Any, profile: str) -> dict[str, Any]:
    """One statement through the ladder."""
    from verify.run.tasks import Settings, examine

    until = Until(call.seconds)
    word = call.tool != "repair"  # how far it falls is told by the best constant
    found = examine(statement, Settings(profile), observe=_progress, word=word, limit=call.seconds)
    return _told(call, statement, found, until)


def _progress(item: Any, witness: Any) -> None:
    """Tell the server what a rung has found."""
    report(("rung", item.rung, item.summary, (plain(item.to_json()), plain(witness))))


def _told(call: Call, statement: Any, finding: Any, until: Until) -> dict[str, Any]:
    """The answer, and its files in the workspace."""
    from verify.face.beyond import beyond_ranges
    from verify.face.result import result_of

    result = result_of(statement, finding)
    leaf, witness = result.leaf, result.witness
    claim = shown(statement)
    record = call.workspace.write("record", {**result.to_json(), "seconds": 0.0})
    if call.short:
        return row(claim, leaf, record)
    if call.tool == "repair":
        return mended(claim, leaf, record)
    best, needed = None, []
    if leaf["verdict"] in ("proved", "holds", "violated"):
        report(("rung", "constant", "is there a best one?", None))
        best = best_constant(statement, leaf, until)
        needed = list(_hypotheses(statement, leaf, witness, until))
    notes = [] if witness is None else beyond_ranges(statement, witness)
    return answer(
        claim,
        leaf,
        witness,
        notes=notes,
        sides=None if witness is None else printed_sides(statement, witness),
        best=best,
        best_proof=None if best is None else _written(call, statement.key, best.proof),
        hypotheses=needed,
        proof=_written(call, statement.key, certificates(leaf)),
        record=record,
    )


def _written(call: Call, key: str, documents: tuple[Any, ...]) -> dict[str, str] | None:
    """A file of proofs, as ``verify-certificate`` and the checker alone read it."""
    if not documents:
        return None
    return call.workspace.write("proof", {"statement": [key], "proofs": list(documents)})


def _hypotheses(
    statement: Any, leaf: Mapping[str, Any], witness: Mapping[str, Any] | None, until: Until
) -> Iterator[dict[str, Any]]:
    """Hypotheses, each with its role and a point."""
    if leaf["verdict"] == "violated":
        for name, margin in ({} if witness is None else witness["margins"]).items():
            met = text_of(margin["value"])
            yield {"name": name[:SIDES], "role": f"met by the witness, margin {met}", "at": {}}
        return

    def told(what: str) -> None:
        report(("rung", "hypotheses", what, None))

    roles = {
        "violated": "needed: without it the claim falls",
        "proved": "not needed: the claim is proved without it",
    }
    for name, word, broken in needed_hypotheses(statement, until, told):
        role = roles.get(word, "not seen to be needed")
        at = numbers(broken) if word == "violated" and broken is not None else {}
        yield {"name": name[:SIDES], "role": role, "at": at}


# -- explain, papers, library ----------------------------------------------------------------------


def _explain(call: Call) -> dict[str, Any]:
    """A proof or a witness that the server wrote, as numbered lines."""
    from verify.certify.checker import Refused
    from verify.certify.explain.documents import explained

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


PAGE = 1_700
"""Characters of one part of a long answer."""


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


def _paper(call: Call) -> dict[str, Any]:
    """The results of a LaTeX source as lines, or what stopped each."""
    from verify.cli.own.line import proved
    from verify.limits.files import whole_text
    from verify.line.papers.stubs import stubs

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


def _library(call: Call) -> dict[str, Any]:
    """Entries whose words or formulas are like what was sent, best first."""
    from verify.cli.assistants.found import found

    entries, more = found(call.text)
    return {"entries": entries, "more": more}


BUILT = {
    "check": _check,
    "repair": _repair,
    "explain": _explain,
    "paper": _paper,
    "library": _library,
}
"""What is done for each tool."""
