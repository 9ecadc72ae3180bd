"""``explain``: a proof as numbered lines of mathematics."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.counted import several
from verify.catalogue.entry import Entry
from verify.catalogue.json_files import foreign, read_json
from verify.catalogue.library import library
from verify.certify.checker import Refused
from verify.claim.statement import Statement
from verify.cli.output import say
from verify.cli.proofs.certificate import proofs_of
from verify.cli.proofs.claims import add_claim, is_line, leaves_of
from verify.ledger.ledger import DEFAULT_NAME, SCHEMA, proofs_kept
from verify.limits.files import whole_text


def add(commands: Any) -> None:
    """Register the command."""
    explaining = commands.add_parser(
        "explain",
        help="a proof as numbered lines of mathematics",
        description="Print the proof of a statement line by line. An outline is told as a paper "
        "would: facts with their source, steps, and how they close, the certificates of its steps "
        "below. Of a single inequality: hypotheses, what is written for what, each fact with the "
        "rule by which it follows, and the sum that ends the proof. Every line is made of what "
        "the stand-alone checker checks, and nothing that it refuses is printed.",
    )
    add_claim(explaining, "FILE.json")
    explaining.add_argument(
        "--ledger",
        metavar="LEDGER",
        type=Path,
        help=f"take the proof that this ledger keeps (default: {DEFAULT_NAME} of this folder, "
        "where it is and has one); else it is searched for",
    )
    explaining.add_argument(
        "--trust",
        metavar="FILE",
        type=Path,
        help="of a ledger of your own: run this file of statements, to derive what each proof must "
        "be about",
    )
    explaining.add_argument("--latex", action="store_true", help="as a fragment of LaTeX")
    explaining.set_defaults(call=explain_proofs)


def explain_proofs(args: argparse.Namespace) -> int:
    """Print every proof of a key, or of a file."""
    try:
        return _of_file(args) if args.key.endswith(".json") else _of_key(args)
    except Refused as reason:
        raise InvalidInput(
            f"the proof must be accepted by its checker, got one that is not: {reason}"
        ) from reason


def _of_file(args: argparse.Namespace) -> int:
    path = Path(args.key)
    try:
        document = json.loads(whole_text(path, "file", "pass a proof"))
        if isinstance(document, dict) and document.get("schema") == SCHEMA:
            return _of_ledger(path, args.own, args)
        require(args.own is None, "KEY", "left out beside a file of proofs", args.own, "drop it")
        found = proofs_of(document)
    except InvalidInput:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"file must hold proofs as JSON, got {path}: {error}") from error
    if not found:
        raise InvalidInput(f"file must hold a proof, got none in {path}: export one first")
    _print(path.name, found, args.latex)
    return 0


def _of_key(args: argparse.Namespace) -> int:
    from verify.ladder import Proofs

    own_file = args.key.endswith(".py") or is_line(args.key)
    unknown = not own_file and all(args.key not in _keys(entry) for entry in library())
    if args.ledger is not None and unknown:
        require(args.own is None, "KEY", "one", f"{args.key} {args.own}", "name the ledger first")
        return _of_ledger(args.ledger, args.key, args)
    leaves = leaves_of(args)
    kept = _kept(args.ledger)
    reasons: list[str] = []
    shown = 0
    for leaf in leaves:
        documents = _stored(leaf, kept[leaf.key]) if leaf.key in kept else Proofs(leaf).documents
        if documents:
            if shown:
                say()
            _print(leaf.key, documents, args.latex)
            shown += 1
        else:
            reasons.append(f"{leaf.key}: {Proofs(leaf).why_none}")
    if not shown:
        why = "; ".join(dict.fromkeys(reasons)) or "it claims nothing"
        raise InvalidInput(
            f"key must name a statement with a proof, got {args.key}: there is none, since {why}. "
            "Write an outline of it (@proof_of, docs/proofs.rst), or check it first"
        )
    for reason in reasons:
        say(f"\nWithout a proof, {reason}")
    return 0


def _keys(entry: Entry) -> set[str]:
    """An entry's own key and those of its leaves."""
    return {entry.key, *(leaf.key for leaf in entry.leaves)}


def _of_ledger(path: Path, key: str | None, args: argparse.Namespace) -> int:
    """Proofs that a ledger keeps, of statements of one's own too.

    What a proof is of is what the checker reads in it; that it is a proof of the statement under
    whose key it stands is derived anew where the statement is at hand: of the library, and with
    ``--trust`` of one's own file.
    """
    from verify.catalogue.user_file import Origin, load_statements

    kept = {
        leaf: proof
        for leaf, proof in _kept(path).items()
        if key is None or leaf == key or leaf.startswith((f"{key}/", f"{key}@"))
    }
    if not kept:
        what = "a proof" if key is None else f"a proof of {key}"
        raise InvalidInput(f"ledger must keep {what}, got none in {path}: check the key")
    sources = [library()]
    if args.trust is not None:
        sources.append(load_statements(Origin.of(args.trust)))
    known = {leaf.key: leaf for source in sources for entry in source for leaf in entry.leaves}
    loose = []
    for number, (name, proof) in enumerate(kept.items()):
        if number:
            say()
        if name in known:
            _print(name, _stored(known[name], proof), args.latex)
        else:
            loose.append(name)
            _print(name, [item["written"] for item in proof["certificates"]], args.latex)
    if loose:
        few = ", ".join(loose[:3]) + (", ..." if len(loose) > 3 else "")
        say(
            f"\n{'% ' * args.latex}Proofs of what stands there; that this is what {few} says is "
            "not derived: pass --trust FILE with the file that the statements are in"
        )
    return 0


def _print(name: str, documents: Sequence[Any], latex: bool) -> None:
    """The lines of each document; which statement they are for is what the reader says."""
    from verify.proof.documents import explained

    told = [explained(document, tex=latex) for document in documents]
    many = f": {several(len(documents), 'claim')}, each with its proof" * (len(documents) > 1)
    if latex:
        from verify.certify.explain.formulas import escaped

        say(rf"\paragraph{{{escaped(name)}{many}}}")
    else:
        say(f"{name}{many}")
    for number, lines in enumerate(told, 1):
        say()
        if len(documents) > 1:
            say(f"{number} of {len(documents)}" + r"\par" * latex)
        for line in lines:
            say(line + r"\par" * latex)


def _kept(path: Path | None) -> dict[str, Mapping[str, Any]]:
    """Proofs that a ledger keeps, by leaf."""
    if path is None and not Path(DEFAULT_NAME).is_file():
        return {}
    ledger = read_json(path or Path(DEFAULT_NAME), SCHEMA)
    with foreign("ledger", path or Path(DEFAULT_NAME)):
        return dict(proofs_kept(ledger))


def _stored(leaf: Statement, proof: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Documents of a stored proof: it must be one of this very statement."""
    from verify.ladder import recheck

    if not recheck(leaf, proof):
        raise InvalidInput(
            f"ledger must keep a proof of {leaf.key}, got one of something else: name another "
            "ledger, or search in a folder without one"
        )
    return [item["written"] for item in proof["certificates"]]
