"""One page per room of the project: every public module with its docstrings."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import bounds
from site_pages.docstrings import escaped
from site_pages.files import write_text

ROOT = Path(bounds.__file__).parents[1]

ROOMS = {
    "verify": "The face of the package: what a user's own file imports",
    "verify.claim": "What is said: statements, hypotheses, families, instances",
    "verify.world": "Where a claim is evaluated: worlds, runs, score, referee",
    "verify.verdict": "What evidence adds up to: relations, e-values, verdicts",
    "verify.certify": "Proofs that can be checked again",
    "verify.limits": "What a computation may spend: a counter, and under it the clock",
    "verify.ladder": "The rungs and the climb over them",
    "verify.catalogue": "Statements by key, files of users",
    "verify.ledger": "What is kept: ledgers, witnesses, audit, hand computations",
    "verify.face": "The search from Python, and results that show themselves",
    "verify.rates": "Rates measured under their bounds on many drawn federations",
    "verify.assumptions": "Assumptions checked on a problem, on functions or on data",
    "verify.run": "Many statements in many processes",
    "bounds": "Closed forms, one module per theorem family",
    "bounds.numbers": "The number types behind the closed forms",
    "synthetic": "Problems that know their constants, noise, moments",
    "algorithms": "Training methods on one batched engine",
    "algorithms.collaboration": "What training together promises the clients of a table",
    "algorithms.grouping": "Who trains with whom",
    "algorithms.reference": "Serial twins of all methods on any number type",
    "figures": "Figures and how they are drawn",
}
"""Packages with a page of their own, and what happens there."""


def write(folder: Path) -> list[Path]:
    """Write the pages and their table of contents."""
    lines = ["API", "===", "", "Every page is made of the docstrings.", "", ".. toctree::", ""]
    lines += [f"   {room}" for room in ROOMS]
    pages = [write_text(folder / f"{room}.rst", page(room)) for room in ROOMS]
    return [write_text(folder / "index.rst", "\n".join(lines) + "\n"), *pages]


def page(room: str) -> str:
    """RST of one package: its modules in the order of their names."""
    out = [room, "=" * len(room), "", f"{ROOMS[room]}.", ""]
    if room == "verify":
        out += _face()
    for name in modules(room):
        out += _module(name, name.removeprefix(f"{room}."))
    return "\n".join(out) + "\n"


def modules(room: str) -> list[str]:
    """Public modules directly in a package that say what they are about."""
    folder = ROOT.joinpath(*room.split("."))
    names = sorted(p.stem for p in folder.glob("*.py") if not p.stem.startswith(("_", "fig_")))
    if room == "verify":
        names = [n for n in names if n == "pytest_plugin"]
    return [f"{room}.{n}" for n in names if _documented(folder / f"{n}.py")]


def _documented(path: Path) -> bool:
    return bool(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))


def _module(name: str, title: str) -> list[str]:
    return [title, "-" * len(title), "", f".. automodule:: {name}", ""]


def _face() -> list[str]:
    """The names that `import verify` offers, each with its first sentence and its home."""
    import verify

    out = [".. list-table::", "   :widths: 20 80", ""]
    for name in verify.__all__:
        thing = getattr(verify, name)
        home = getattr(thing, "__module__", "verify")
        role = "class" if inspect.isclass(thing) else "func" if inspect.isfunction(thing) else ""
        if not role:  # a type with another name: its words stand beside it in the source
            continue
        words = (thing.__doc__ or "").strip().split("\n\n")[0]
        about = " ".join(escaped(words.split("\n"))).strip()
        out += [f"   * - :py:{role}:`{name} <{home}.{name}>`", f"     - {' '.join(about.split())}"]
    return [*out, ""]
