"""Evidence of one leaf as HTML: rung by rung, how tight, and what the instances can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verify.catalogue.counted import several
from verify.certify.checker import Refused
from verify.ledger.costs import costs
from verify.ledger.repair_lines import repair_lines
from verify.proof.documents import accepts, explained
from verify.report import words
from verify.report.law_pictures import laws
from verify.report.markup import Content, Markup, el, join

SHORT = 60
"""Characters of one value of the tightest instance."""

LONG = 30
"""Characters of a description that is not repeated."""

SHOWN_SURVIVORS = 40
"""Mutants that are named; the ledger has all of them."""

FOLLOWS = {
    "yes": "yes: it can be deduced from the displays before it, their quantities taken as free "
    "non-negative symbols",
    "no": "no: it cannot be deduced from the displays before it, their quantities taken as free "
    "non-negative symbols",
}


TOLD_LINES = 30
"""Lines of a proof that the page shows."""

TOLD = frozenset(("units", "needed", "sides", "terms", "standing", "method", "constant"))
"""Rungs whose summary says what their details hold."""


def facts(line: Mapping[str, Any], said: dict[str, str]) -> Markup:
    """Why, scope, tightness, power, costs, deduction and hint of a leaf, as a list of terms.

    Parameters
    ----------
    line : mapping
        Leaf of the ledger.
    said : dict
        What the leaves before it said, see :func:`terms`.
    """
    tight, power = line["tightness"], line["power"]
    return terms(
        [
            ("why", line["reason"]),
            ("growth", laws(line.get("laws", []))),
            ("repairs", _repairs(line.get("repairs", []))),
            ("hint", line["hint"]),
            ("follows", FOLLOWS.get(line["follows"], "")),
            ("tightness", None if tight is None else _tightness(tight)),
            ("power", None if power is None else _power(power)),
            *costs(line["evidence"]).items(),
            ("scope", _scope(line["scope"])),
        ],
        said,
    )


def terms(
    rows: list[tuple[str, Markup | str | None]], said: dict[str, str] | None = None
) -> Markup:
    """Terms with their descriptions; rows with nothing in them are left out.

    Parameters
    ----------
    rows : list of (term, description)
    said : dict, optional
        Long descriptions that were given before, by term; one that comes again is "as above".
    """
    shown = []
    for name, value in rows:
        again = said is not None and len(value or "") > LONG and said.get(name) == value
        if value:
            shown.append((el("dt", name), el("dd", "as above" if again else value)))
            if said is not None:
                said[name] = value
    return el("dl", shown, class_="facts") if shown else Markup("")


def rungs(line: Mapping[str, Any]) -> Markup:
    """What each rung found, in the order in which they ran."""
    if not line["evidence"]:
        return Markup("")
    return el("table", [_rung(item, line) for item in line["evidence"]], class_="rungs")


def _rung(item: Mapping[str, Any], line: Mapping[str, Any]) -> Markup:
    worst, summary = item.get("worst"), str(item.get("summary", ""))
    told = summary.split()
    notes = [
        f"{item[name]} {word}"
        for name, word in (("counted", "in favour"), ("tried", "tried"))
        if item.get(name) and str(item[name]) not in told
    ]
    notes += [
        f"largest ratio {words.ratio(worst)}"
        if worst is not None and "largest ratio" not in summary
        else "",
        f"rounding guard {item['guard']:g}" if item.get("guard") else "",
        f"scope: {item['scope']}" if item.get("scope") not in (None, line["scope"]) else "",
        _details(item.get("details") or {}) if item["rung"] not in TOLD else "",
        _proof(item["proof"]) if item.get("proof") else "",
    ]
    small = ", ".join(note for note in notes if note)
    found: list[Content] = [summary, el("small", small) if small else None]
    if item.get("proof"):
        found.append(_told(item["proof"]))
    return el("tr", el("th", item["rung"]), el("td", item["status"]), el("td", found))


def _details(details: Mapping[str, Any]) -> str:
    """Further numbers; exponents of units stand in the summary where they matter."""
    met = details.get("met")
    if isinstance(met, Mapping):
        least = min(met, key=lambda shape: met[shape], default="")
        return f"fewest in {least}: {met[least]}" if least and len(met) > 1 else ""
    return ", ".join(f"{name} = {value}" for name, value in words.pairs(details))


def _proof(proof: Mapping[str, Any]) -> str:
    """Claims of the certificates; ``fedassay audit`` checks them again."""
    made = proof.get("certificates", [])
    claims = [item["written"]["claim"] for item in made]
    said = dict.fromkeys(f"{c['left']} {c['relation']} {c['right']}" for c in claims)
    named = ", ".join(words.compact(claim, 160) for claim in said)
    return f"{several(len(made), 'certificate')} of {named}" if named else "certificate"


def _told(proof: Mapping[str, Any]) -> Markup | None:
    """A short proof line by line; longer ones are what ``fedassay explain`` is for."""
    made = proof.get("certificates", [])
    if len(made) != 1:
        return None
    try:
        written = made[0]["written"]
        lines = explained(written, accepted=accepts(written))
    except Refused as reason:
        return el("small", f"The checker refuses it: {reason}")
    if len(lines) > TOLD_LINES:
        return None
    return el("details", el("summary", "the proof"), *(el("div", line) for line in lines))


def _scope(text: str) -> Markup | None:
    """What stands before the colon, and the shapes after it as a list that can be opened."""
    if not text:
        return None
    head, colon, rest = text.partition(": ")
    shapes = [shape for shape in rest.split("; ") if shape]
    if not colon or len(shapes) < 4:
        return join(text)
    return el("details", el("summary", f"{head} ({len(shapes)} shapes)"), "; ".join(shapes))


def _tightness(tight: Mapping[str, Any]) -> Markup:
    where = tight["instance"]
    shown = (
        ", ".join(f"{name} = {value}" for name, value in words.pairs(where, SHORT))
        if isinstance(where, dict)
        else words.compact(where)
    )
    ratio = words.ratio(tight["ratio"])
    said = "left/right " if ratio == words.UNBOUNDED else "left/right up to "
    return join(said, el("strong", ratio), el("small", "at ", shown))


def _repairs(repairs: Sequence[Mapping[str, Any]]) -> Markup | None:
    """What stands instead."""
    lines = [el("div", line) for line in repair_lines(repairs)]
    return join(*lines) if lines else None


def _power(power: Mapping[str, Any]) -> Markup:
    names = [str(name) for name in power["survivors"]]
    counted, killed = power["counted"], power["killed"]
    said = f"{killed} of {several(counted, 'counted mutant')} killed"
    if not names:
        return join(said)
    more = f" and {len(names) - SHOWN_SURVIVORS} more" if len(names) > SHOWN_SURVIVORS else ""
    return join(said, el("small", "survive: ", ", ".join(names[:SHOWN_SURVIVORS]), more))
