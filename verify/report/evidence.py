"""Evidence of one leaf as HTML: rung by rung, how tight, and what the instances can tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verify.report import words
from verify.report.markup import Content, Markup, el, join

SHOWN_SURVIVORS = 40
"""Mutants that are named; the ledger has all of them."""

FOLLOWS = {
    "yes": "yes: it can be deduced from the displays before it, their quantities taken as free "
    "non-negative symbols",
    "no": "no: it cannot be deduced from the displays before it, their quantities taken as free "
    "non-negative symbols",
}


def facts(line: Mapping[str, Any]) -> Markup:
    """Why, scope, tightness, power, deduction and hint of a leaf, as a list of terms.

    Parameters
    ----------
    line : mapping
        Leaf of the ledger.
    """
    tight, power = line["tightness"], line["power"]
    return terms(
        [
            ("why", line["reason"]),
            ("hint", line["hint"]),
            ("follows", FOLLOWS.get(line["follows"], "")),
            ("tightness", None if tight is None else _tightness(tight)),
            ("power", None if power is None else _power(power)),
            ("scope", _scope(line["scope"])),
        ]
    )


def terms(rows: list[tuple[str, Markup | str | None]]) -> Markup:
    """Terms with their descriptions; rows with nothing in them are left out."""
    shown = [(el("dt", name), el("dd", value)) for name, value in rows if value]
    return el("dl", shown, class_="facts") if shown else Markup("")


def rungs(line: Mapping[str, Any]) -> Markup:
    """What each rung found, in the order in which they ran."""
    if not line["evidence"]:
        return Markup("")
    return el("table", [_rung(item, line) for item in line["evidence"]], class_="rungs")


def _rung(item: Mapping[str, Any], line: Mapping[str, Any]) -> Markup:
    worst = item.get("worst")
    notes = [
        f"{item['counted']} in favour" if item.get("counted") else "",
        f"{item['tried']} tried" if item.get("tried") else "",
        f"largest ratio {words.ratio(worst)}" if worst is not None else "",
        f"rounding guard {item['guard']:g}" if item.get("guard") else "",
        f"scope: {item['scope']}" if item.get("scope") not in (None, line["scope"]) else "",
        _details(item.get("details") or {}) if item["rung"] != "units" else "",
        _proof(item["proof"]) if item.get("proof") else "",
    ]
    small = ", ".join(note for note in notes if note)
    found: list[Content] = [item.get("summary", "")]
    if small:
        found.append(el("div", small, class_="small"))
    return el("tr", el("th", item["rung"]), el("td", item["status"]), el("td", found))


def _details(details: Mapping[str, Any]) -> str:
    """Further numbers; exponents of units stand in the summary where they matter."""
    return ", ".join(f"{name} = {value}" for name, value in words.pairs(details))


def _proof(proof: Mapping[str, Any]) -> str:
    """Claims of the certificates; ``fedassay audit`` checks them again."""
    made = proof.get("certificates", [])
    claims = [item.get("certificate", {}).get("claim", "") for item in made]
    named = ", ".join(words.compact(str(claim), 160) for claim in dict.fromkeys(claims) if claim)
    return f"{words.several(len(made), 'certificate')} of {named}" if named else "certificate"


def _scope(text: str) -> Markup | None:
    """What stands before the colon, and the shapes after it as a list that can be opened."""
    if not text:
        return None
    head, colon, rest = text.partition(": ")
    shapes = [shape for shape in rest.split("; ") if shape]
    if not colon or len(shapes) < 4:
        return join(text)
    listed = el("ul", [el("li", shape) for shape in shapes])
    return el("details", el("summary", f"{head} ({len(shapes)} shapes)"), listed, class_="scope")


def _tightness(tight: Mapping[str, Any]) -> Markup:
    where = tight["instance"]
    shown = _details(where) if isinstance(where, dict) else words.compact(where)
    ratio = words.ratio(tight["ratio"])
    said = "left/right " if ratio == words.UNBOUNDED else "left/right up to "
    return join(said, el("strong", ratio), el("div", "at ", shown, class_="small"))


def _power(power: Mapping[str, Any]) -> Markup:
    names = [str(name) for name in power["survivors"]]
    counted, killed = power["counted"], power["killed"]
    said = f"{killed} of {words.several(counted, 'counted mutant')} killed"
    if not names:
        return join(said)
    shown = [join(el("code", name), " ") for name in names[:SHOWN_SURVIVORS]]
    more = f"and {len(names) - SHOWN_SURVIVORS} more" if len(names) > SHOWN_SURVIVORS else ""
    return join(said, el("div", "survive: ", shown, more, class_="small"))
