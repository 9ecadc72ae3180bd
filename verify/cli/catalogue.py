"""``list`` and ``show``: the catalogue; an entry without a ledger is judged on kept evidence."""

from __future__ import annotations

import argparse
import ast
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bounds.numbers.validate import require
from verify.catalogue.counted import several
from verify.catalogue.entry import Entry, describes
from verify.catalogue.json_files import foreign, read_json
from verify.catalogue.library import Library, library
from verify.catalogue.literal import tagged
from verify.claim.axes import Axes
from verify.claim.statement import Statement
from verify.cli.output import progress, say, table
from verify.face.screen import Ledger, base, screen
from verify.ledger.failures import notes
from verify.ledger.ledger import DEFAULT_NAME, SCHEMA
from verify.ledger.readings import axes_in
from verify.terms.claims import why_no_terms
from verify.terms.text import text

LONGEST = 600
"""Characters of a formula that is shown."""

RELATIONS = {
    "point": "at every point",
    "mean": "between means over the noise",
    "path": "on every outcome of the noise",
    "prob": "with the stated probability",
}


def add(commands: Any) -> None:
    """Register both commands."""
    listing = commands.add_parser("list", help="all entries of the library, one line each")
    listing.add_argument("keys", nargs="*", metavar="KEY", help="keys or globs")
    listing.add_argument("--paper", help="only this paper")
    how = listing.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="as JSON, one record per entry")
    how.add_argument(
        "--programs", action="store_true", help="statements that are no terms, and the line why"
    )
    how.add_argument(
        "--keys", dest="bare", action="store_true", help="the keys alone, one per line"
    )
    _ledger(listing)
    listing.set_defaults(call=list_entries)
    showing = commands.add_parser("show", help="claim, verdict and reason of an entry")
    showing.add_argument(
        "key", metavar="KEY|FILE.py", help="of the library, or a file of your own (which is run)"
    )
    showing.add_argument("own", nargs="?", metavar="KEY", help="one entry of your own file")
    showing.add_argument(
        "--all", action="store_true", help="every leaf, meaning and hypothesis, and the comments"
    )
    showing.add_argument(
        "--formulas",
        action="store_true",
        help="all of it, and the formulas that are evaluated, printed from the program's terms",
    )
    _ledger(showing, DEFAULT_NAME)
    showing.set_defaults(call=show_entry)


def list_entries(args: argparse.Namespace) -> int:
    """Print one line per entry."""
    entries = library().select(args.keys, args.paper)
    words = _words(args.ledger)
    if args.bare:
        for entry in entries:
            say(entry.key)
        return 0
    if args.programs:
        _programs(entries)
        return 0
    if args.json:
        say(json.dumps([_record(entry, words) for entry in entries], indent=1, ensure_ascii=False))
        return 0
    columns = ["key", "kind", "form", "leaves", "title"]
    rows = [
        [entry.key, entry.kind, entry.form, str(len(entry.claims)), entry.title]
        for entry in entries
    ]
    if args.ledger is not None:
        columns += ["verdict", "notes"]
        rows = [[*row, *words.get(row[0], ("-", ""))] for row in rows]
    table(columns, rows)
    papers = len({entry.paper for entry in entries})
    say(f"\n{several(len(entries), 'entry', 'entries')} of {several(papers, 'paper')}")
    return 0


def _programs(entries: Sequence[Entry]) -> None:
    """Statements whose functions cannot be traced: they are judged at the sizes that are run."""
    leaves = [leaf for entry in entries for leaf in entry.leaves if leaf.sides is not None]
    rows = [[leaf.key, why] for leaf in leaves if (why := why_no_terms(leaf))]
    table(["key", "what stopped the trace"], rows)
    say(f"\n{len(leaves) - len(rows)} of {several(len(leaves), 'statement')} are terms")


def show_entry(args: argparse.Namespace) -> int:
    """Print what an entry says, leaf by leaf."""
    if not args.key.endswith(".py"):
        both = f"{args.key} {args.own}"
        require(args.own is None, "key", "one", both, "show one after the other")
        _tell(library(), args.key, args, Path(DEFAULT_NAME))
        return 0
    from verify.catalogue.user_file import Origin, load_statements

    known = load_statements(Origin.of(Path(args.key)))
    keys = [args.own] if args.own else [entry.key for entry in known]
    for number, key in enumerate(keys):
        if number:
            say("\n" + "-" * 20 + "\n")
        _tell(known, key, args, Path(f"{Path(args.key).stem}-ledger.json"))
    return 0


def _tell(known: Library, key: str, args: argparse.Namespace, usual: Path) -> None:
    """One entry on a screen, or all of it."""
    path = args.ledger or (usual if usual.exists() else None)
    if args.all or args.formulas:
        _show(known, key, path, args.formulas)
        return
    judge = f"fedassay check {args.key}" if args.key.endswith(".py") else ""
    entry, ledger = known.entry(key), Ledger()
    if path is not None:
        raw = read_json(path, SCHEMA)
        with foreign("ledger", path):
            ledger = Ledger.of(str(path), raw)
    elif not judge:
        ledger = _judged(known, entry)
    with foreign("ledger", path or usual):
        text = screen(entry, known, ledger, key, judge)
    say(text)


def _judged(known: Library, entry: Entry) -> Ledger:
    """An entry and its other forms, judged now on the evidence that the library keeps."""
    from verify.run.runner import LedgerRun
    from verify.run.tasks import Settings

    forms = [one for one in known if base(one) == base(entry)]
    with progress("judging", sum(len(one.claims) for one in forms)) as observe:
        return Ledger.of("", LedgerRun(known, forms, Settings(jobs=1)).finish(observe))


def _show(known: Library, key: str, ledger: Path | None, formulas: bool) -> None:
    entry = known.entry(key)
    leaves = [leaf for leaf in entry.leaves if key in (entry.key, leaf.key)]
    say(f"{entry.key}{': ' + entry.title if entry.title else ''}")
    say(f"{entry.kind}, {entry.form} form, paper {entry.paper}")
    word, told = _words(ledger).get(entry.key, ("", ""))
    if word:
        say(f"verdict: {word}{'; ' + told if told else ''}")
    _readings(known.axes[entry.paper], entry)
    for leaf in leaves:
        _show_leaf(leaf, entry)
        if formulas and not describes(leaf) and not leaf.missing:
            _computed(leaf)
    uses = tuple(dict.fromkeys(key for leaf in leaves for key in leaf.uses))
    _names("uses", uses)
    of_it = {entry.key, *(leaf.key for leaf in leaves)}
    used = [e.key for e in known if any(of_it.intersection(leaf.uses) for leaf in e.leaves)]
    _names("used by", tuple(used))
    _names("other forms", tuple(e.key for e in known if base(e) == base(entry) and e != entry))


def _record(entry: Entry, words: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """What stands in a line of the list, and the mathematics of every leaf."""
    record: dict[str, Any] = {
        "key": entry.key,
        "paper": entry.paper,
        "kind": entry.kind,
        "form": entry.form,
        "title": entry.title,
        "leaves": [
            {
                "key": leaf.key,
                "where": leaf.source.where,
                "latex": leaf.latex,
                "given": [item.name for item in leaf.given],
                "uses": list(leaf.uses),
            }
            for leaf in entry.leaves
        ],
    }
    if entry.key in words:
        record["verdict"], record["notes"] = words[entry.key]
    return record


def _ledger(parser: argparse.ArgumentParser, usual: str = "") -> None:
    more = f" (default {usual}, where there is one)" if usual else ""
    parser.add_argument(
        "--ledger", type=Path, metavar="LEDGER", help=f"also show the verdicts of this ledger{more}"
    )


def _words(path: Path | None) -> dict[str, tuple[str, str]]:
    """Verdict of each entry of a ledger, and what stands beside it."""
    if path is None:
        return {}
    ledger = read_json(path, SCHEMA)
    with foreign("ledger", path):
        return {
            line["key"]: (line["verdict"] or "-", notes(line, axes_in(ledger, line["paper"])))
            for line in ledger["entries"]
        }


def _readings(axes: Axes, entry: Entry) -> None:
    """Open places that an entry depends on, each meaning with the words that it rests on."""
    for axis in axes.of(leaf.key for leaf in entry.leaves):
        say(f"\nopen: {axis.about}")
        for option in axis.options:
            literal = " (literal)" if option.name == axis.literal else ""
            say(f"  @{option.name}{literal}: {option.says}; {option.words}")


def _show_leaf(leaf: Statement, entry: Entry) -> None:
    say()
    if leaf.key != entry.key:
        say(leaf.key)
    arxiv = f", arXiv:{leaf.source.arxiv}" if leaf.source.arxiv else ""
    say(f"  source      {leaf.source.where}{arxiv}")
    say(f"  claim       {' '.join(leaf.latex.split())}")
    if describes(leaf):
        say(f"  no verdict  {leaf.missing or 'it describes, and claims nothing'}")
        return
    if leaf.missing:
        say(f"  missing     {leaf.missing}")
        return
    say(f"  compared    left {leaf.relation} right, {RELATIONS[leaf.over]}")
    say(f"  for         {leaf.quantifier} instances of: {leaf.family.about}")
    for item in leaf.given:
        say(f"  assumes     {item.name}: {' '.join(item.latex.split())}  ({tagged(item)})")
    for name in leaf.defines:
        say(f"  defines     {name}")
    for line in leaf.commentary.splitlines():
        say(f"  | {line.strip()}".rstrip())


def _computed(leaf: Statement) -> None:
    """The formulas that are evaluated, to be held against those that are printed."""
    from verify.terms.printed import printed

    said = printed(leaf)
    if said is None:
        say(f"  computed    by a program: {why_no_terms(leaf)}")
        return
    for side, terms in (("left", said.left), ("right", said.right)):
        for name, tree in terms.items():
            say(f"  computed    {side}, {name}: {_formula(tree)}")
    for item in leaf.given:
        if item.name in said.margins:
            sign = ">" if item.strict else ">="
            say(f"  computed    {item.name}: {_formula(said.margins[item.name])} {sign} 0")
    for name, tree in said.defined.items():
        say(f"  computed    {name} = {_formula(tree)}")


def _formula(tree: ast.expr) -> str:
    shown = text(tree)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."


def _names(heading: str, keys: tuple[str, ...]) -> None:
    if keys:
        say(f"\n{heading}: {', '.join(keys)}")
