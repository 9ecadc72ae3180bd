"""The file of a line, printed from its terms: what one would have written by hand."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence

from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.line.drawn import LAWS
from verify.line.kinds import COUNTS, MEANS
from verify.line.made import SIZES, Made
from verify.terms.direct.build import TermFunction
from verify.terms.direct.python import python_text
from verify.terms.node import Node

__all__ = ["file_text", "record"]

WIDTH = 88
"""Columns of a line of the file before an argument goes on a line of its own."""


def record(made: Made) -> str:
    """The decorated function of the sides of a line."""
    box = {name: _real(one) for name, one in made.box.items()}
    shapes = _shapes(made)
    items = [f"{_quoted(name)}: {text}" for name, text in box.items()]
    family = [_listed("{", items, "}"), *([f"shapes={shapes}"] if shapes else [])]
    family += [f"about={_quoted(made.about)}"]
    family += [f"grow={tuple(made.sizes)!r}", "listed=True"] if made.whole else []
    builder, defines = "Family", {name: python_text(term) for name, term in made.defines.items()}
    if made.placed is not None:
        builder, family = "functions", made.placed.family(box)
        defines = {**made.placed.defines([*box]), **defines}
    body = [
        f"    {_quoted(made.key)},",
        f"    where={_quoted(made.where)},",
        *(f"    {name}={_quoted(value)}," for name, value in made.more.items() if value),
        f"    latex={_raw(made.shown)},",
        f"    family={_listed(f'{builder}(', family, ')')},",
    ]
    if defines:
        items = [f"{_quoted(k)}: lambda w: {v}" for k, v in defines.items()]
        body.append(f"    defines={_listed('{', items, '}')},")
    if made.given:
        body.append(f"    given={_listed('[', [*map(_hypothesis, made.given)], ']')},")
    body.append(f"    relation={_quoted(made.parts.claim.relation)},")
    left, right = _side(made.left), _side(made.right)
    sides = f"    return {left}, {right}"
    if len(sides) > WIDTH:
        sides = f"    left = {left}\n    right = {right}\n    return left, right"
    text = "\n".join(body)
    return f"@statement(\n{text}\n)\ndef {made.name}(w):\n{sides}\n"


def _side(side: Mapping[str, Node]) -> str:
    return "{" + ", ".join(f"{_quoted(k)}: {python_text(v)}" for k, v in side.items()) + "}"


def _hypothesis(one: Hypothesis) -> str:
    assert isinstance(one.rule, TermFunction)
    margin = python_text(one.rule.term)
    parts = [_quoted(one.name), _raw(one.latex), f"lambda w: {margin}"]
    parts += [f"where={_quoted(one.where)}"] if one.where else []
    parts += [f"{name}=True" for name in ("strict", "defining") if getattr(one, name)]
    return f"Hypothesis({', '.join(parts)})"


def _real(one: Real) -> str:
    parts = [f"{one.low!r}", f"{one.high!r}", *(["log=True"] if one.log else [])]
    named = {"near": one.near, "per": one.per or None, "domain": one.domain}
    parts += [f"{name}={value!r}" for name, value in named.items() if value is not None]
    return f"Real({', '.join(parts)})"


def _shapes(made: Made) -> str:
    """Whole numbers and sizes, small ones first; empty where there are none."""
    names = [*made.whole, *made.sizes]
    row = ", ".join(f"{_quoted(name)}: {name}" for name in names)
    ends = {name: one.wholes() for name, one in made.whole.items()}
    runs = [f"for {name} in range({w[0]}, {w[-1] + 1})" for name, w in ends.items()]
    runs += [f"for {name} in {SIZES}" for name in made.sizes]
    return f"tuple({{{row}}} {' '.join(runs)})" if names else ""


def file_text(about: str, records: Sequence[str]) -> str:
    """A file of records, with what they import."""
    text = "\n\n".join(records)
    names = [n for n in ("Family", "Hypothesis", "Real", "Source", "Statement") if f"{n}(" in text]
    names += ["statement"] * ("@statement(" in text)
    used = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
    names += sorted(used & {*LAWS, *MEANS.values(), "functions", "placed"})
    counts = sorted(used & {*COUNTS.values(), "prod"}) + ["inf"] * bool(
        re.search(r"[ (-]inf\b", text)
    )
    needed = f"from math import {', '.join(counts)}\n\n" if counts else ""
    generic = "from bounds import generic as xp\n" if "xp." in text else ""
    head = f"{needed}{generic}from verify import {', '.join(sorted(names, key=_isort))}"
    return f'"""{_quoted(about)[1:-1]}"""\n\n{head}\n\n\n{text}'


def _isort(name: str) -> tuple[bool, str]:
    """Classes before functions, as formatters list names."""
    return not name[0].isupper(), name


def _listed(start: str, items: list[str], end: str) -> str:
    """A list on one line, or an item a line."""
    flat = f"{start}{', '.join(items)}{end}"
    if len(flat) <= WIDTH - 20:
        return flat
    inner = [item.replace("\n", "\n    ") for item in items]
    return f"{start}\n" + "".join(f"        {item},\n" for item in inner) + f"    {end}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _raw(text: str) -> str:
    good = '"' not in text and "\n" not in text and not text.endswith("\\")
    return f'r"{text}"' if good else _quoted(text)
