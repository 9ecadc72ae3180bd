"""Verdicts and evidence as people see them: a colour class, a glyph, and the word itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verify.ledger.witness import show
from verify.report.markup import Markup, el
from verify.verdict.evidence import number_from_json
from verify.verdict.verdict import ORDER

GLYPHS = {
    "proved": "✔",
    "holds": "✓",
    "inconclusive": "?",
    "not-checkable": "–",
    "vacuous": "∅",
    "violated": "✗",
}
"""Second channel beside the colour."""

NO_VERDICT = "no verdict"

MEANINGS = {
    "proved": "for all parameters, by a certificate that can be checked again",
    "holds": "decided in favour on every instance of the stated scope, and false variants were "
    "caught",
    "inconclusive": "neither way; the reason says what would decide",
    "not-checkable": "the claim names something that is not given; the reason says what",
    "vacuous": "the hypotheses contradict each other, or the bound says no more than a trivial one",
    "violated": "an instance meets every hypothesis and breaks the claim, recomputed; that "
    "something exists, by a certificate that nothing does",
    NO_VERDICT: "a definition, an algorithm or data: nothing to decide",
}

WORDS = (*ORDER, NO_VERDICT)
"""All values of the filter, best first."""

STRENGTHS = {
    "certificate": ("C", "certificate"),
    "exact": ("E", "exact numbers"),
    "search": ("S", "search"),
    "simulation": ("M", "simulation"),
}
"""Rungs that carry evidence, strongest first: letter in the graph, and name."""

UNBOUNDED = "unbounded"

RELATIONS = {"<=": "≤", ">=": "≥", "==": "=", "<~": "≲"}
BROKEN = {"<=": ">", ">=": "<", "==": "≠", "<~": "≫"}
"""What stands between the two sides of a witness."""


def word(verdict: str | None) -> str:
    """Verdict as a word; entries without one have a word too."""
    return verdict or NO_VERDICT


def badge(verdict: str | None) -> Markup:
    """Verdict with its glyph and colour."""
    name = word(verdict)
    return el("span", f"{GLYPHS.get(name, '·')} {name}", class_=f"badge {css(verdict)}")


def css(verdict: str | None) -> str:
    """Class of a verdict."""
    return f"v-{word(verdict).replace(' ', '-')}"


def number(raw: Any) -> str:
    """Number of a witness for people."""
    return show(number_from_json(raw))


def ratio(value: float) -> str:
    """Left over right in a few digits."""
    return f"{value:.4g}" if abs(value) < 1e100 else UNBOUNDED


def compact(value: Any, longest: int = 240) -> str:
    """Value of an instance in one line: arrays in brackets, "p/1" as an integer."""
    written = _compact(value)
    return written if len(written) <= longest else f"{written[: longest - 1]}…"


def pairs(values: Mapping[str, Any], longest: int = 240) -> list[tuple[str, str]]:
    """Names and values of a mapping, nested ones by dotted names; long values are cut."""
    found: list[tuple[str, str]] = []
    for name, value in values.items():
        if isinstance(value, dict) and value and set(value) != {"ball"}:
            found += [(f"{name}.{inner}", shown) for inner, shown in pairs(value, longest)]
        else:
            found.append((str(name), compact(value, longest)))
    return found


def _compact(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        return "[" + ", ".join(_compact(v) for v in value) + "]"
    if isinstance(value, dict) and set(value) == {"ball"}:
        return number(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_compact(v)}" for k, v in value.items()) + "}"
    return str(value).removesuffix("/1")
