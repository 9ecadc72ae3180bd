"""``new``: a file of one's own to begin with, that runs as it is."""

from __future__ import annotations

import argparse
import keyword
import re
from importlib import resources
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.counted import several
from verify.cli.output import say
from verify.cli.own.line import proved, source_text
from verify.line.papers.stubs import stubs

KINDS = {
    "scalar": "numbers: an inequality or identity between parameters",
    "vector": "vectors of any length, one per client where you like",
    "run": "a training run on quadratics, with exact means over the noise",
    "probability": "what happens with high probability",
    "functions": "a class of functions (smooth, convex, PL), and a method of your own",
}

TAKEN = frozenset({"bounds", "synthetic", "algorithms", "figures", "verify", "tests", "conftest"})
"""Names that the packages of this project have, or that pytest reads."""


def add(commands: Any) -> None:
    """Register the command."""
    kinds = "; ".join(f"{name}: {about}" for name, about in KINDS.items())
    making = commands.add_parser(
        "new",
        help="write a commented statement of your own to begin with",
        description=f"Writes NAME.py, which 'fedassay check NAME.py' runs as it is. {kinds}.",
    )
    making.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="of the file and of the keys in it (with --from-tex: that of the source)",
    )
    how = making.add_mutually_exclusive_group()
    how.add_argument(
        "--from-tex",
        metavar="PAPER.tex",
        type=Path,
        help="records of its theorems, lemmas, corollaries, propositions and assumptions, plain "
        "formulas filled in",
    )
    how.add_argument(
        "--kind", choices=tuple(KINDS), default="scalar", help="what it is about (default scalar)"
    )
    making.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="where it goes (default NAME.py)"
    )
    making.set_defaults(call=write_template)


def write_template(args: argparse.Namespace) -> int:
    """Write the file, unless something is there already."""
    source: Path | None = args.from_tex
    asked = args.name if args.name or source is None else re.sub(r"\W", "_", source.stem)
    name = str(asked or "").removesuffix(".py")
    require(
        name.isidentifier() and not keyword.iskeyword(name) and name not in TAKEN,
        "name",
        "letters, digits and underscores, and not that of a package in use",
        repr(asked),
        "choose another, such as my_lemma",
    )
    path = args.output or Path(f"{name}.py")
    if path.exists() or path.is_symlink():
        raise InvalidInput(f"file must be a new one, got {path}: choose another name or move it.")
    if source is not None:
        return _write_stubs(source, name, path)
    path.write_text(template(args.kind, name), encoding="utf-8")
    say(f"{path}: {KINDS[args.kind]}")
    say(f"Next: edit it, and run  fedassay check {path}")
    return 0


def _write_stubs(source: Path, name: str, path: Path) -> int:
    """Write the results of a paper's source."""
    made = stubs(source_text(source), name, source.name, proved)
    path.write_text(made.text, encoding="utf-8")
    every = several(len(made.filled) + len(made.empty), "record")
    say(f"{path}: {every}, {len(made.filled)} filled in, {len(made.empty)} to be filled in")
    for word, keys in (("filled in", made.filled), ("to be filled in", made.empty)):
        say(f"  {word}: {', '.join(keys) or 'none'}")
    for row in made.rows:
        if row.reason:
            say(f"  {row.key}: {row.reason}")
    say(f"Next: compare it with the paper, and run  fedassay check {path}")
    return 0


def template(kind: str, name: str) -> str:
    """Text of a file of that kind, its keys beginning with the name."""
    file = resources.files("verify") / "cli" / "templates" / f"{kind}.txt"
    return file.read_text(encoding="utf-8").replace("NAME", name)
