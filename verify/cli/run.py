"""``run`` and ``check``: from statements to a ledger."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.counted import several
from verify.catalogue.entry import is_result
from verify.catalogue.json_files import read_json
from verify.catalogue.library import Entry, Library, library
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.axes import Axes
from verify.cli.first_screen import by_hand, clipped, proof_lines, result_lines, width
from verify.cli.output import (
    backend_options,
    output_file,
    progress,
    say,
    scheduler_of,
    table,
)
from verify.cli.own.line import claim_file, paper_file
from verify.corpus.files import beside, stored
from verify.face.beyond import beyond_ranges
from verify.ledger.conclude import conclude
from verify.ledger.costs import best_constants, costs
from verify.ledger.failures import notes
from verify.ledger.ledger import (
    DEFAULT_NAME,
    SCHEMA,
    Finding,
    accused,
    counts,
    failures,
    faulty,
    halted,
)
from verify.ledger.readings import axes_in, summary
from verify.ledger.repair_lines import repair_lines
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings
from verify.run.workers import make_ready
from verify.verdict.verdict import PROVED, VIOLATED

if TYPE_CHECKING:
    from verify.line.papers.stubs import StubRow

COLUMNS = ["key", "verdict", "rung", "tightness", "where", "mutants", "seconds", "notes"]
WIDEST = 44
"""Characters of the instance that stand in the table."""

STATUS = (
    "Exit status: 0, verdicts of any kind included; 1 if an error or the time limit stopped a "
    "statement, or with --strict; 2 for bad input, a statement of your own that cannot be "
    "evaluated among it; 130 after Ctrl-C."
)


def add(commands: Any) -> None:
    """Register both commands."""
    running = commands.add_parser(
        "run", help="put entries of the library to the test", epilog=STATUS
    )
    running.add_argument("keys", nargs="*", metavar="KEY", help="keys or globs; all if none")
    running.add_argument("--paper", help="only this paper")
    _shared(running, limit=None, reasons=False, strict="a form other than printed is")
    running.add_argument(
        "--keep",
        action="store_true",
        help="write what is found back to the library's corpus, for later runs",
    )
    backend_options(running)
    running.set_defaults(call=run_entries, here=False)
    checking = commands.add_parser(
        "check", help="put the statements of your own file, or a line, to the test", epilog=STATUS
    )
    checking.add_argument(
        "file",
        metavar="FILE.py|PAPER.tex|CLAIM",
        help="this file is run; or '5*x*y <= (x+y)**2 for x, y >= 0', which goes into claim.py; or "
        "a LaTeX source, whose results go into PAPER.py",
    )
    _shared(checking, limit=120.0, reasons=True, strict="a statement is")
    checking.add_argument(
        "--all", action="store_true", help="also rungs, what was searched, mutants and prices"
    )
    checking.add_argument("--jobs", type=int, help="processes (default: one per core)")
    checking.set_defaults(call=check_file, keep=True, here=False)


def run_entries(args: argparse.Namespace) -> int:
    """Run the library."""
    known = library()
    everything = not args.keys and args.paper is None
    # --resume alone goes on with what the unfinished run was asked for
    entries = () if args.resume and everything else known.select(args.keys, args.paper)
    path = args.json or Path(DEFAULT_NAME)
    return _run(args, known, entries, path, None, scheduler_of(args))


def check_file(args: argparse.Namespace) -> int:
    """Run a user's file; its ledger has a name of its own, so that no other is replaced."""
    paper, named = None, args.file
    if args.file.endswith(".tex"):
        args.file, paper = paper_file(Path(args.file))
    else:
        args.file = claim_file(args.file)
        args.here = args.file != Path(named)  # a line is no program of anybody's
    if args.limit is not None and not args.here:
        make_ready()
    origin = Origin.of(args.file, named if args.here else "")
    known = load_statements(origin)
    if known.passed_over:
        say(
            f"passed over: {', '.join(known.passed_over)}, which no name of the file holds in the "
            "end: two functions may have one name, or a dict holds it; bind each to its own name"
        )
    path = args.json or Path(f"{args.file.stem}-ledger.json")
    code = _run(args, known, known.select(), path, origin)
    if paper is not None:
        _of_paper(paper.rows, path)
    return code


def _of_paper(rows: Sequence[StubRow], path: Path) -> None:
    """The results of a paper in its order: their words, or what stopped each."""
    ledger = read_json(path, SCHEMA)
    words = {entry["key"]: entry["verdict"] for entry in ledger["entries"]}
    say("\nThe paper's results in its order:")
    listed = [
        [row.place, "open" if row.reason else words.get(row.key) or "-", row.key] for row in rows
    ]
    table(["place", "verdict", "key"], listed)
    for row in rows:
        if row.reason:
            say(f"{row.place}: open because of {row.reason}")


def _shared(
    parser: argparse.ArgumentParser, limit: float | None, reasons: bool, strict: str
) -> None:
    parser.add_argument("--profile", default="quick", help="quick, default or thorough")
    parser.add_argument("--seed", type=int, default=0, help="seed of the run (default 0)")
    parser.add_argument("--device", default="cpu", help="device of simulated runs (default cpu)")
    output_file(parser, "where the ledger goes", force=False)
    parser.add_argument(
        "--cold",
        action="store_true",
        help="search from nothing, without what earlier runs have kept",
    )
    going = parser.add_mutually_exclusive_group()
    going.add_argument(
        "--resume", action="store_true", help="go on with a run that was stopped or killed"
    )
    going.add_argument(
        "--fresh",
        action="store_true",
        help="give an unfinished run up and replace the ledger, instead of putting lines into it",
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=limit,
        metavar="SECONDS",
        help="stop a statement after this time " + (f"(default {limit:g})" if limit else ""),
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help=f"exit with 1 if {strict} neither proved nor holds",
    )
    parser.add_argument(
        "--reasons",
        action=argparse.BooleanOptionalAction,
        default=reasons,
        help="print why, leaf by leaf",
    )


def _run(
    args: argparse.Namespace,
    known: Library,
    entries: Sequence[Entry],
    path: Path,
    origin: Origin | None,
    scheduler: str | None = None,
) -> int:
    settings = Settings(
        args.profile,
        args.seed,
        args.device,
        args.jobs,
        args.limit,
        scheduler,
        cold=args.cold,
        keep=args.keep,
        here=args.here,
    )
    run = LedgerRun(known, entries, settings, path, origin, resume=args.resume, fresh=args.fresh)
    fault = "" if origin is None or args.cold else stored(beside(path)).fault
    if fault:
        say(f"Left aside: {fault}")
    told = _Told(run) if origin is None else None
    with progress("assaying", run.leaves, lines=origin is None) as observe:

        def seen(done: int, total: int, key: str) -> None:
            observe(done, total, key)
            if told is not None:
                told.look()

        ledger = run.finish(seen)
    own = {entry.key for entry in run.finished}
    lines = [line for line in ledger["entries"] if line["key"] in own]
    kept = len(ledger["entries"]) - len(lines)
    ledger = {**ledger, "entries": lines}
    report(
        ledger,
        path,
        reasons=args.reasons,
        trust=origin is not None,
        kept=kept,
        known=known,
        asked=bool(getattr(args, "keys", ())),
        everything=getattr(args, "all", False),
        finished=run.findings,
    )
    if origin is None:
        _go_on(ledger, path)
    if run.unwritten:
        say(f"Not written: {path} holds more, made otherwise, and stays until the run is finished.")
    if run.dropped:
        say(f"Left out, since no statement has these keys any longer: {', '.join(run.dropped)}")
    if run.interrupted:
        say(f"Interrupted: {len(run.finished)} of {len(run.entries)} entries are finished.")
        say("The same command with --resume goes on.")
        return 130
    # all that a user's own file claims is the user's own; of a paper only what we have put right
    failed = failures(ledger, printed=origin is not None) if args.strict else []
    if failed:
        say(f"Strict: neither proved nor holding: {', '.join(failed)}")
    ends = halted(ledger)
    broken = {key: what for key, what in ends.items() if not what.startswith("time limit")}
    if broken and origin is not None:
        first = next(iter(broken))
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        raise InvalidInput(f"{args.file}: {first} has no verdict: {broken[first]}{more}")
    faults = faulty(ledger)
    for text in faults.values():
        say(f"A fault of this package, not of the claim; please report it: {text}")
    return int(bool(failed or ends or faults))


class _Told:
    """One line for each paper, printed once its main results are settled."""

    def __init__(self, run: LedgerRun) -> None:
        self.run = run
        self.left: dict[str, list[Entry]] = {}
        for entry in run.entries:
            if is_result(entry.kind, entry.form):
                self.left.setdefault(entry.paper, []).append(entry)

    def look(self) -> None:
        """Print the papers whose leaves are all there."""
        for paper, entries in list(self.left.items()):
            found = [
                [self.run.findings.get(leaf.key) for leaf in entry.claims] for entry in entries
            ]
            if not all(finding is not None for one in found for finding in one):
                continue
            del self.left[paper]
            axes = self.run.source.axes[paper]
            words = [
                conclude([finding.leaf for finding in one if finding is not None], axes).verdict
                for one in found
            ]
            counts = Counter(word for word in words if word is not None)
            said = ", ".join(f"{number} {word}" for word, number in counts.items())
            print(f"{paper}: {sum(counts.values())} main results: {said}", flush=True)


def _go_on(ledger: Mapping[str, Any], path: Path) -> None:
    """How to go on from a run of the library."""
    main = [line for line in ledger["entries"] if is_result(line["kind"], line["form"])]
    main = [line for line in main if line["verdict"] is not None]
    if not main:
        return
    fallen = next((line["key"] for line in main if line["verdict"] == VIOLATED), main[0]["key"])
    say("\nGo on with:")
    say(f"  fedassay show {fallen}")
    say(f"  fedassay report {path} -o report.html")
    say(f"  fedassay run --reasons {fallen}")


def report(
    ledger: Mapping[str, Any],
    path: Path,
    *,
    reasons: bool,
    trust: bool,
    kept: int = 0,
    known: Library | None = None,
    asked: bool = False,
    everything: bool = False,
    finished: Mapping[str, Finding] | None = None,
) -> None:
    """Print a ledger: results by name, counts, and how to go on.

    Parameters
    ----------
    ledger : mapping
    path : Path
        Where it was written.
    reasons : bool
        Also print the table of all entries, and why, leaf by leaf.
    trust : bool
        The statements are a user's own, so replaying them needs ``--trust``.
    kept : int
        Entries of the file that this run did not make anew.
    known : Library, optional
        The statements: places in the paper, hand computations, which numbers of a witness lie
        outside their ranges.
    asked : bool
        Whether the entries were asked for by key: then each has a line, else main results alone.
    everything : bool
        Whether rungs, scope, prices and mutants are told of a user's own claims too.
    finished : mapping, optional
        Findings of this run, with their witnesses.
    """
    axes = {paper: axes_in(ledger, paper) for paper in ledger["readings"]}
    rows = [_row(entry, axes.get(entry["paper"], Axes())) for entry in ledger["entries"]]
    shown = len(COLUMNS) if any(row[-1] for row in rows) else len(COLUMNS) - 1
    if everything or (reasons and not trust):
        table(COLUMNS[:shown], [row[:shown] for row in rows])
    elif not trust or not reasons:
        _named(ledger, known, asked or trust)
    ends = halted(ledger)
    # the first error in a file of one's own ends the command, with a line of its own
    last = next((key for key in ends if trust and not ends[key].startswith("time limit")), "")
    if reasons:
        for entry in ledger["entries"]:
            _reasons(entry, last, everything or not trust)
            if trust and known is not None:
                _hand(entry, known, finished or {})
                _beyond(entry, known, path)
    claims = counts(ledger)
    say(f"\n{several(sum(claims.values()), 'entry', 'entries')}: {_tally(claims)}")
    checks = counts(ledger, checks=True)
    if checks:
        said = several(sum(checks.values()), "check", "checks")
        say(f"World: {said} of assumptions and data on our own problems: {_tally(checks)}")
    for line in summary(ledger):
        for part in textwrap.wrap(line, width(), subsequent_indent="    ", break_on_hyphens=False):
            say(part)
    for key, what in ends.items():
        if what.startswith("time limit") or not trust:
            say(f"Unfinished: {key}: {what}")
    before = several(kept, "entry that was", "entries that were")
    say(f"Ledger: {path}" + (f", with {before} there before" if kept else ""))
    found = accused(ledger)
    if found:
        flag = " --trust" if trust else ""
        say(f"Witnesses: {len(found)}, for instance:")
        say(f"  fedassay replay {path.parent / found[0]}{flag} --explain")


def _tally(words: Mapping[str, int]) -> str:
    named = {"-": "without verdict"}
    return ", ".join(f"{number} {named.get(word, word)}" for word, number in words.items())


def where(tightness: Mapping[str, Any] | None) -> str:
    """Instance at which a bound is tightest, in a few characters."""
    if tightness is None:
        return ""
    raw = tightness["instance"]
    text = " ".join(f"{k}={_brief(v)}" for k, v in raw.items()) if isinstance(raw, dict) else ""
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def _row(entry: Mapping[str, Any], axes: Axes) -> list[str]:
    leaf = conclude(entry["leaves"], axes).deciding
    if leaf is None:
        return [entry["key"], "-", "", "", "", "", "", ""]
    tightness, power = leaf["tightness"], leaf["power"]
    return [
        entry["key"],
        entry["verdict"],
        leaf["rung"],
        "" if tightness is None else _ratio(tightness["ratio"]),
        where(tightness),
        "" if power is None else f"{power['killed']}/{power['counted']}",
        f"{entry['timing']['seconds']:.1f}",
        notes(entry, axes),
    ]


def _named(ledger: Mapping[str, Any], known: Library | None, every: bool) -> None:
    """Main results by name, or every entry that was asked for, in the width of the terminal."""
    lines = [line for line in ledger["entries"] if line["verdict"] is not None]
    main = [line for line in lines if is_result(line["kind"], line["form"])]
    say("")
    for text in result_lines(ledger, lines if every else main, width(), known):
        say(text)


def _hand(entry: Mapping[str, Any], known: Library, finished: Mapping[str, Finding]) -> None:
    """The witness of a claim that falls, by hand; of one that is proved, where its proof begins."""
    for leaf in entry["leaves"]:
        finding = finished.get(leaf["id"])
        if leaf["verdict"] == VIOLATED and finding is not None and finding.witness is not None:
            for line in by_hand(known, leaf, finding.witness):
                say(f"  {clipped(line, width() - 2)}")
        elif leaf["verdict"] == PROVED:
            for line in proof_lines(leaf):
                say(f"  {clipped(line, width() - 2)}")


def _reasons(entry: Mapping[str, Any], last: str, everything: bool) -> None:
    """Why, leaf by leaf; the reason of the leaf whose error ends the command is told there."""
    for leaf in entry["leaves"]:
        say(f"\n{leaf['id']}: {leaf['verdict']} ({leaf['rung']})")
        for text in best_constants(leaf["evidence"]):
            say(f"  {text}")
        say(f"  {leaf['reason'] if leaf['id'] != last else 'stopped by the error below'}")
        for name in ("scope", "hint", "witness") if everything else ("hint",):
            if leaf[name]:
                say(f"  {name}: {leaf[name]}")
        for name, text in costs(leaf["evidence"]).items() if everything else ():
            say(f"  {name}: {text}")
        for law in leaf.get("laws", []):
            say(f"  law: {law['text']}")
        for line in repair_lines(leaf.get("repairs", [])):
            say(f"  repair {line}")
        survivors = (leaf["power"] or {}).get("survivors", []) if everything else []
        if survivors:
            say(f"  mutants that survive: {', '.join(str(s) for s in survivors)}")


def _beyond(entry: Mapping[str, Any], known: Library, path: Path) -> None:
    """Which numbers of a user's witness lie outside the ranges that were written."""
    for leaf in entry["leaves"]:
        file = path.parent / str(leaf["witness"])
        if leaf["verdict"] == VIOLATED and leaf["witness"] and file.is_file():
            stored = json.loads(file.read_text(encoding="utf-8"))
            for line in beyond_ranges(known.leaf(leaf["id"]), stored):
                say(f"  note: {line}")


def _ratio(value: float) -> str:
    return f"{value:.4g}" if abs(value) < 1e100 else "inf"


def _brief(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        return "[" + ",".join(_brief(v) for v in value) + "]"
    return str(value)
