"""A witness as HTML: both sides, every hypothesis, the instance, and how to replay it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from bounds.generic import to_float
from bounds.numbers.validate import InvalidInput
from verify.ledger.witness import read_witness
from verify.report import words
from verify.report.markup import Markup, el, join
from verify.report.model import LeafLine
from verify.verdict.evidence import number_from_json

ARITHMETIC = {
    "rational": "in rational arithmetic",
    "ball": "in ball arithmetic",
    "simulated": "simulated",
}


def witness(leaf: LeafLine, folder: Path) -> Markup:
    """Numbers that break (or, for a claim of existence, prove) a leaf; nothing if it has none.

    Parameters
    ----------
    leaf : Leaf
    folder : Path
        Where the ledger lies; witness files are named relative to it.
    """
    stored = next((e["witness"] for e in leaf.line["evidence"] if e.get("witness")), None)
    name = leaf.line["witness"]
    if stored is None and name is None:
        return Markup("")
    parts = [el("h6", "Witness")]
    if stored is not None:
        parts += [el("p", _sides(stored)), _margins(stored.get("margins") or {})]
    if name is not None:
        parts.append(_file(folder, name))
    return el("div", parts, class_="witness")


def _sides(stored: Mapping[str, Any]) -> Markup:
    relation = str(stored.get("relation", "<="))
    some = stored.get("quantifier") == "some"
    sign = (words.RELATIONS if some else words.BROKEN).get(relation, relation)
    left, right = (words.number(stored[side]) for side in ("left", "right"))
    said = [
        "left = ",
        el("strong", left),
        f" {sign} ",
        el("strong", right),
        " = right, ",
        ARITHMETIC.get(str(stored.get("number")), str(stored.get("number"))),
    ]
    if stored.get("number") == "simulated":
        said.append(f" (means; e-value {float(stored.get('e_value', 0.0)):.3g})")
    near = stored.get("near")
    if near:
        before = [number_from_json(near[side]) for side in ("left", "right")]
        quotient = float(to_float(before[0] / before[1])) if to_float(before[1]) else float("inf")
        said.append(
            f"; {stored.get('doublings')} doublings earlier on this ray left/right was "
            f"{quotient:.4g}, so no constant serves"
        )
    return join(said)


def _margins(margins: Mapping[str, Any]) -> Markup:
    if not margins:
        return Markup("")
    rows = [
        el(
            "tr",
            el("th", name),
            el("td", words.number(margin["value"])),
            el("td", "> 0" if margin.get("strict") else "≥ 0"),
        )
        for name, margin in margins.items()
    ]
    head = el("tr", [el("th", n, scope="col") for n in ("hypothesis", "margin", "needed")])
    return el("table", el("thead", head), el("tbody", rows), class_="margins")


def _file(folder: Path, name: str) -> Markup:
    """Instance from the witness file and how to replay it, if it lies beside the ledger."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        return el("p", "The witness file lies outside the ledger's folder.", class_="small")
    try:
        found = read_witness(folder / path)
    except InvalidInput:
        return el("p", f"The witness file {name} is not beside the ledger.", class_="small")
    instance = found["instance"]
    method = f", method {instance['method']}" if instance.get("method") else ""
    values = {**instance.get("data", {}), **instance.get("params", {})}
    rows = [join(el("code", f"{field} = {value}"), " ") for field, value in words.pairs(values)]
    trust = " --trust" if found.get("statement") else ""
    command = f"fedassay replay {shlex.quote(name)}{trust} --explain"
    button = el("button", "Copy", class_="copy")
    return join(
        el("p", f"Instance: {instance['family']}{method}: ", rows, class_="instance"),
        el("p", el("code", command, class_="command"), " ", button, class_="replay"),
    )
