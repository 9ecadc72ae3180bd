"""``check`` and ``repair``: one claim through the ladder, its answer and its files.

A claim is a line, which is parsed; a key of the library; or, where the server was started with
``--allow-files``, a statement of a file in the workspace, which is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import plain
from verify.catalogue.library import library
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.statement import Statement
from verify.cli.assistants.answers import answer, mended, numbers, row, shown, text_of
from verify.cli.assistants.calls import Call
from verify.cli.assistants.points import (
    Until,
    best_constant,
    certificates,
    needed_hypotheses,
    printed_sides,
)
from verify.corpus.files import path_of, stored
from verify.face.beyond import beyond_ranges
from verify.face.result import result_of
from verify.ledger.conclude import conclude
from verify.ledger.ledger import Finding
from verify.line import one_line
from verify.run.tasks import Settings, examine
from verify.run.workers import report
from verify.verdict.evidence import Evidence

__all__ = ["check", "repair"]

LONGEST_LINE = 4_000
"""Characters of a claim in one line."""
SIDES = 400
"""Characters of a hypothesis's name that are told."""

_FILE = re.compile(r"(?P<file>\S+\.py)(?:\s+(?P<key>\S+))?")
_KEY = re.compile(r"[a-z]\w*\.[\w.+/@-]+", re.ASCII)


def check(call: Call) -> dict[str, Any]:
    """Judge one claim: a line, a key of the library, or a statement of a file."""
    return _judge(call, "quick")


def repair(call: Call) -> dict[str, Any]:
    """The same by a larger search, which looks for what is true instead."""
    return _judge(call, "default")


def _judge(call: Call, profile: str) -> dict[str, Any]:
    text = call.text.strip()
    require(bool(text), "claim", "a line, or a key of the library", "nothing", "send one")
    file = _FILE.fullmatch(text)
    if file is not None:
        return _own(call, file["file"], file["key"], profile)
    if _KEY.fullmatch(text) and any(text == entry.key for entry in library()):
        return _entry(call, text, profile)
    return _line(call, text, profile)


def _line(call: Call, text: str, profile: str) -> dict[str, Any]:
    if len(text) > LONGEST_LINE:
        raise InvalidInput(
            f"claim must have at most {LONGEST_LINE} characters, got {len(text)}: name parts of it "
            "by symbols, or send a LaTeX source to the tool for papers."
        )
    return _leaf(call, one_line(text, "line.claim"), profile)


def _own(call: Call, name: str, key: str | None, profile: str) -> dict[str, Any]:
    """A statement of a file in the workspace, which is run."""
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


def _leaf(call: Call, statement: Statement, profile: str) -> dict[str, Any]:
    """One statement through the ladder."""
    until = Until(call.seconds)
    word = call.tool != "repair"  # how far it falls is told by the best constant
    found = examine(statement, Settings(profile), observe=_progress, word=word, limit=call.seconds)
    return _told(call, statement, found, until)


def _progress(item: Evidence, witness: Mapping[str, Any] | None) -> None:
    """Tell the server what a rung has found."""
    report(("rung", item.rung, item.summary, (plain(item.to_json()), plain(witness))))


def _told(call: Call, statement: Statement, finding: Finding, until: Until) -> dict[str, Any]:
    """The answer, and its files in the workspace."""
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
    statement: Statement, leaf: Mapping[str, Any], witness: Mapping[str, Any] | None, until: Until
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
