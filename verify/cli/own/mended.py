"""Repairs as text: a file of statements that ``check`` reads, and an erratum in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.claim.statement import Statement
from verify.verdict.verdict import PROVED

__all__ = ["beside", "erratum", "statements"]

HEAD = '''"""What is true instead of a claim that falls, as `fedassay repair` has found it."""

{imports}

{known}
PRINTED = {{key: KNOWN.leaf(key) for key in {keys}}}
'''
LIBRARY = "KNOWN = library()"
OWN = "KNOWN = load_statements(Origin.of(Path(__file__).with_name({name!r})))"
ONE = '''

@PRINTED[{key!r}].like({new!r}, latex={latex!r}{given})
def repaired_{number}(w):
    """{said}"""
    left, right = PRINTED[{key!r}].sides(w)
{lines}
    return left, right
'''


def statements(repairs: Sequence[tuple[Statement, Mapping[str, Any]]], own: str = "") -> str:
    """A Python file with one statement for each repair.

    Parameters
    ----------
    repairs : sequence of (Statement, mapping)
        A leaf that falls and an entry of its ``repairs`` in a ledger.
    own : str
        Name of the user's file that the leaves are from; empty for the library.
    """
    parts = [_statement(number, *pair) for number, pair in enumerate(repairs, 1)]
    body = "".join(parts)
    used = [
        ("Fraction(", "from fractions import Fraction"),
        ("Path(", "from pathlib import Path" if own else ""),
        ("xp.", "from bounds import generic as xp"),
        ("Hypothesis(", "from verify import Hypothesis"),
    ]
    known = OWN.format(name=own) if own else LIBRARY
    imports = [line for word, line in used if line and word in body + known]
    last = "user_file import Origin, load_statements" if own else "library import library"
    imports.append(f"from verify.catalogue.{last}")
    standard = [line for line in imports if line.split()[1] in ("fractions", "pathlib")]
    ours = [line for line in imports if line not in standard]
    blocks = "\n\n".join("\n".join(block) for block in (standard, ours) if block)
    keys = tuple(dict.fromkeys(leaf.key for leaf, _ in repairs))
    return HEAD.format(imports=blocks, known=known, keys=keys) + body


def _statement(number: int, leaf: Statement, repair: Mapping[str, Any]) -> str:
    symbols: dict[str, str] = {}
    rights: list[str] = []
    margins: list[str] = []
    for program in repair["programs"]:
        for name, made in program.items():
            if name == "right":
                rights.append(made)
            elif name == "given":
                margins.append(made)
            else:
                symbols[name] = made
    lines = []
    if symbols:
        changes = ", ".join(f"{name!r}: {made}" for name, made in symbols.items())
        changed = f"w.with_changed({{{changes}}})"
        lines.append(f"right = PRINTED[{leaf.key!r}].sides({changed})[1]")
    lines += [f"right = {made}" for made in rights]
    given = ""
    if margins:
        name = repair.get("given", "added")
        told = rf"\text{{{name}}}"
        strict = ", strict=True" if re.search("[^<]<[^=]|>[^=]", f" {name} ") else ""
        made = ", ".join(
            f"Hypothesis({name!r}, {told!r}, lambda w: {margin}{strict})" for margin in margins
        )
        given = f",\n    given=(*PRINTED[{leaf.key!r}].given, {made}),\n"
    latex = f"{leaf.latex}\\quad\\text{{({repair['mend']})}}"
    return ONE.format(
        number=number,
        key=leaf.key,
        new=f"repair.{re.sub('[^A-Za-z0-9]+', '-', leaf.key)}.{number}",
        latex=latex,
        given=given,
        said=f"With {repair['mend']}: {repair['word']}.",
        lines="\n".join(f"    {line}" for line in lines) or "    # nothing of the sides changes",
    )


def erratum(leaf: Statement, repairs: Sequence[Mapping[str, Any]], why: str) -> str:
    """What an author might print: the claim, why it falls, and what is true instead.

    Parameters
    ----------
    leaf : Statement
    repairs : sequence of mappings
        Entries of the leaf's ``repairs`` in a ledger.
    why : str
        Reason of the verdict.
    """
    from verify.report.by_hand.notation import notation

    printed = notation(leaf.source.paper)

    def letter(found: re.Match[str]) -> str:
        name = found[1]
        plain = name.replace("_", r"\_")
        if printed is not None and printed.has(name):
            return printed.letter(name)
        return name if len(name) == 1 else rf"\mathrm{{{plain}}}"

    lines = [
        rf"\paragraph{{Erratum to {leaf.source.where}.}} As printed,",
        rf"\[ {' '.join(leaf.latex.split())} \]",
        f"does not hold: {_plain(why)}.",
    ]
    for repair in repairs:
        change = re.sub("<([A-Za-z_0-9]+)>", letter, repair["tex"]) or _plain(repair["mend"])
        word = (
            "is proved" if repair["word"] == PROVED else "withstood a full search, without a proof"
        )
        reached = ""
        if repair["ratio"] is not None:
            reached = f" (left over right up to {repair['ratio']:.4g})"
        lines.append(f"With {change} it {word}{reached}.")
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text for TeX."""
    return re.sub(r"([_%&#$])", r"\\\1", text).replace("^", r"\^{}")


def beside(output: Path, file: Path) -> str:
    """Name of a user's file as the written one refers to it: they lie in one folder."""
    return file.name if file.resolve().parent == output.resolve().parent else str(file.resolve())
