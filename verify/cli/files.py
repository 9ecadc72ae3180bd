"""``replay``, ``audit`` and ``diff``: what is already written, looked at again."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.counted import several
from verify.cli.output import say, table

if TYPE_CHECKING:
    from verify.ledger.witness import Replay


FEW = 20
"""Lines of a ledger for which no process is started."""


def add(commands: Any) -> None:
    """Register the three commands."""
    replaying = commands.add_parser("replay", help="recompute a witness from scratch")
    replaying.add_argument("witness", metavar="WITNESS", type=Path)
    replaying.add_argument(
        "--explain", action="store_true", help="also write the hand computation, in text and TeX"
    )
    replaying.add_argument(
        "--trust", action="store_true", help="run the user's file that the witness names"
    )
    replaying.set_defaults(call=replay_witness)
    auditing = commands.add_parser("audit", help="recompute every verdict of a ledger")
    auditing.add_argument("ledger", metavar="LEDGER", type=Path)
    auditing.add_argument(
        "--trust",
        metavar="FILE",
        type=Path,
        help="run this file of statements, to derive what certificates and witnesses must be about",
    )
    auditing.add_argument(
        "--coq",
        action="store_true",
        help="also put every proof that it keeps to the checker alone and to coqc, and count",
    )
    auditing.set_defaults(call=audit_ledger)
    comparing = commands.add_parser("diff", help="what changed from one ledger to another")
    comparing.add_argument(
        "before", metavar="LEDGER", type=Path, help="a ledger, or an expected ledger"
    )
    comparing.add_argument("after", metavar="LEDGER", type=Path)
    comparing.add_argument("--strict", action="store_true", help="exit with 1 if anything changed")
    comparing.add_argument(
        "--accept",
        action="store_true",
        help="the first file is an expected ledger: write it anew from the second",
    )
    comparing.set_defaults(call=diff_ledgers)


def replay_witness(args: argparse.Namespace) -> int:
    """Print stored and recomputed numbers, and whether they confirm the witness."""
    from verify.catalogue.json_files import foreign
    from verify.ledger.witness import replay

    found = replay(args.witness, args.trust)
    with foreign("witness", args.witness):
        return _tell(found, args.explain)


def _tell(found: Replay, explain: bool) -> int:
    """Print a replay; 1 where it does not confirm the witness."""
    from verify.ledger.witness import changed_code, show
    from verify.verdict.evidence import number_from_json

    stored, again = found.stored, found.recomputed
    names = [("left", stored["left"], again["left"]), ("right", stored["right"], again["right"])]
    for name in dict.fromkeys([*stored["margins"], *again["margins"]]):
        pair = (side["margins"].get(name, {}).get("value") for side in (stored, again))
        names.append((f"margin {name}", *pair))
    if "e_value" in again:
        names.append(("e-value", stored.get("e_value"), again["e_value"]))
    rows = [
        [name, *("" if v is None else show(number_from_json(v)) for v in values)]
        for name, *values in names
    ]
    say(f"{found.statement.key}, {again['number']} arithmetic")
    table(["number", "stored", "recomputed"], rows)
    for line in found.differences:
        say(f"differs: {line}")
    changed = changed_code(found.statement, stored)
    if changed:
        say(f"note: {changed}")
    told = ", by other code than it was found by" if changed else ""
    say(f"confirmed{told}" if found.confirmed else "not confirmed")
    if explain:
        say("\n" + "\n\nTeX\n\n".join(_by_hand(found)))
    return int(not found.confirmed)


def _by_hand(found: Replay) -> tuple[str, str]:
    """The hand computation in text and in TeX, in the paper's symbols where it has a table."""
    from verify.ledger import explain
    from verify.report.by_hand import page, text

    made = page.page(found)
    if made is None:
        return explain.as_text(found), explain.as_tex(found)
    return text.as_text(made), text.as_tex(made)


def audit_ledger(args: argparse.Namespace) -> int:
    """Print every place where a ledger contradicts its evidence."""
    from verify.catalogue.user_file import Origin, load_statements
    from verify.certify.coq.asked import required
    from verify.ledger.audit import audit

    if args.coq:
        required()
    origin = None if args.trust is None else Origin.of(args.trust)
    own, file = (None, "") if origin is None else (load_statements(origin), origin.digest)
    found = audit(args.ledger, own=own, execute=_in_processes, file=file)
    ledger, flaws = found.ledger, found.flaws
    for line in (*flaws, *found.loose):
        say(str(line))
    entries = ledger["entries"]
    leaves = sum(len(entry["leaves"]) for entry in entries)
    state = "complete" if ledger["complete"] else "partial"
    result = "every verdict follows from its evidence"
    if found.loose:
        result = (
            "no difference, but what is listed above is bound to no statement: pass --trust FILE "
            "with the file that the statements are in, after reading it"
        )
    if flaws:
        result = several(len(flaws), "difference")
    size = f"{several(len(entries), 'entry', 'entries')}, {several(leaves, 'leaf', 'leaves')}"
    say(f"{state} ledger, {size}: {result}")
    return int(bool(flaws)) | (_ask_coq(args.ledger, ledger) if args.coq else 0)


def _in_processes(lines: Sequence[Any], work: Callable[[Any], Any]) -> Iterable[Any]:
    """Look at the lines of a ledger here if they are few, else in one process per core."""
    from verify.run.tasks import Settings
    from verify.run.workers import execute

    return execute(lines, work, jobs=Settings().processes if len(lines) > FEW else 1)


def _ask_coq(path: Path, ledger: Mapping[str, Any]) -> int:
    """Count the proofs that the checker alone and Coq accept, and name the others."""
    from verify.catalogue.json_files import foreign
    from verify.certify.coq.asked import judged, required
    from verify.ledger.ledger import proofs_kept
    from verify.proof.documents import check, coq_file

    with foreign("ledger", path):
        kept = proofs_kept(ledger)
        proofs = {key: [x["written"] for x in proof["certificates"]] for key, proof in kept}
    answers = list(judged(proofs, coq_file, check))
    for one in answers:
        if one.checked < one.proofs:
            say(f"{one.key}: the checker refuses {one.proofs - one.checked} of {one.proofs}")
        if one.refused:
            say(f"{one.key}: Coq does not accept it: {one.refused}")
    whole = sum(one.proofs for one in answers)
    good = [one for one in answers if not one.refused]
    say(
        f"{several(whole, 'proof')} of {several(len(answers), 'leaf', 'leaves')}: the checker "
        f"alone accepts {sum(one.checked for one in answers)}, Coq {required()} accepts "
        f"{sum(one.proofs for one in good)}, of {several(len(good), 'leaf', 'leaves')}"
    )
    return int(any(one.refused or one.checked < one.proofs for one in answers))


def diff_ledgers(args: argparse.Namespace) -> int:
    """Print entries whose verdict, tightness or witness changed."""
    from verify.catalogue.json_files import schema_of
    from verify.catalogue.library import library
    from verify.ledger.diff import diff
    from verify.ledger.expected import SCHEMA, compare_files

    if schema_of(args.before) == SCHEMA:
        known = {entry.key for entry in library()} if args.accept else ()
        changes = compare_files(args.before, args.after, args.accept, known)
    elif args.accept:
        raise InvalidInput(
            f"--accept must go with an expected ledger, got {args.before}: name one first"
        )
    else:
        changes = diff(args.before, args.after)
    if changes:
        table(
            ["key", "changed", "before", "after"],
            [[c.key, c.what, c.before or "-", c.after or "-"] for c in changes],
        )
    else:
        say("no verdict, tightness or witness changed")
    return int(args.strict and bool(changes))
