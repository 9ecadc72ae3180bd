"""What each rule of facts says, beside the textbook's formula, and what it refuses to declare."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module
from typing import Any

import pytest

from tests.each import each
from tests.trusted.proof.test_outline_reader import read, reader
from verify.certify.checker import Refused
from verify.proof import facts
from verify.proof.facts import FACTS, FactRule
from verify.proof.term import shown

ARGUMENTS = {
    "f": "F",
    "L": "a",
    "mu": "a",
    "G": "a",
    "at": "w[0]",
    "to": "r",
    "star": "r",
    "low": "x",
    "less": "x",
    "more": "b",
    "one": "w[0]",
    "other": "r",
    "at_most": "b",
    "factor": "b",
    "of": "w[0]",
    "noise": "n[0]",
    "sigma2": "b",
    "slope": "w[0]",
    "clients": "N",
    "largest": "b",
    "called": "u",
    "weight": "a",
    "index": "t",
    "rounds": "N",
    "value": "x",
    "step": "a",
    "theta": "b",
    "around": "r",
    "inside": "r",
    "own": "r",
    "sum": "w[0]",
    "roots": "u",
    "squares": "b",
    "kept": "w[0]",
    "before": "w[1]",
    "mixing": "W",
    "rho": "b",
    "after": "w[1]",
    "then": "c[0]",
    "else_": "w[0]",
    "share": "b",
    "draw": "D[0]",
    "size": "b",
    "given": "t",
    "entry": "y[t]",
    "is_": "x",
}
SPECIAL = {
    "mixing": {"of": "c[0]"},
    "average": {"of": "w[t]"},
    "independent clients": {"noise": "e[0]"},
    "independent clients of unequal weight": {"noise": "e[0]"},
    "relative variance": {"factor": "a"},
    "exponential": {"of": "b"},
    "proximal step": {"of": "w[1]"},
    "projection": {"of": "w[1]"},
    "weighted sum in the mean": {"squares": "x"},
}
TANGENT = "F(w[0]) + grad(F, w[0])*(r - w[0])"
DRAWN = "b*(c[0] - r)**2 + (1 - b)*(w[0] - r)**2 - (w[1] - r)**2"
SPREAD = "Sum(a*(w[t] - u)**2, (t, 0, N - 1)) - Sum(a*w[t]**2, (t, 0, N - 1)) + N*a*u**2"
SAYS = {
    "smooth": [f"{TANGENT} + a/2*(r - w[0])**2 - F(r)"],
    "smooth gradients": ["a**2*(r - w[0])**2 - (grad(F, r) - grad(F, w[0]))**2"],
    "smooth above its infimum": ["2*a*(F(w[0]) - x) - grad(F, w[0])**2"],
    "smooth from below": [f"F(r) - ({TANGENT} - a/2*(r - w[0])**2)"],
    "convex": [f"F(r) - ({TANGENT})"],
    "convex and smooth": [f"F(r) - ({TANGENT}) - (grad(F, r) - grad(F, w[0]))**2/(2*a)"],
    "strongly convex": [f"F(r) - ({TANGENT}) - a/2*(r - w[0])**2"],
    "quadratic growth": ["F(w[0]) - F(r) - a/2*(w[0] - r)**2"],
    "PL": ["grad(F, w[0])**2 - 2*a*(F(w[0]) - x)"],
    "Lipschitz": ["a**2 - grad(F, w[0])**2"],
    "minimiser": ["F(w[0]) - F(r)"],
    "bounded below": ["F(w[0]) - x"],
    "stationary": [],
    "unbiased": [],
    "variance": ["b - n[0]**2"],
    "relative variance": ["b + a*w[0]**2 - n[0]**2"],
    "independent clients": ["avg(e[0])**2 - e[0]**2/N", "e[0]**2/N - avg(e[0])**2"],
    "independent clients of unequal weight": ["b*e[0]**2 - avg(e[0])**2"],
    "taking part": [DRAWN, f"-({DRAWN})"],
    "drawn without replacement": [],
    "drawn with replacement": [],
    "method": [],
    "definition": [],
    "average": [SPREAD, f"-({SPREAD})"],
    "condition": ["b - x"],
    "strict condition": ["b - x"],
    "relation": ["b - x"],
    "close": ["b - (w[0] - r)**2"],
    "no longer": ["b*r**2 - w[0]**2"],
    "square": ["w[0]**2"],
    "proximal step": ["F(r) - F(w[0]) - (w[1] - w[0])*(r - w[0])/a"],
    "inexact proximal step": ["b**2*grad(F, r)**2 - (grad(F, w[0]) + a*(w[0] - r))**2"],
    "projection": ["(w[1] - r)**2 - (w[0] - r)**2 - (w[0] - w[1])**2"],
    "mixing": ["b**2*(c[0] - avg(c[0]))**2 - (mix(W, c[0]) - avg(c[0]))**2"],
    "weighted gaps": ["2*r*w[0] - r**2 - u**2"],
    "weighted gaps in the mean": ["2*r*w[0] - r**2 - b"],
    "weighted sum": ["b*u**2 - w[0]**2"],
    "weighted sum in the mean": ["b*x - w[0]**2"],
    "stopped at a minimiser": ["F(w[1]) - F(w[0])"],
    "exponential": ["x - (1 - b)"],
}
STRICT = {"strict condition"}
STRICT_TWINS = {"condition", "relation", "close"}
SOURCE = re.compile(
    r"hypothesis|definition|a square|Fermat|law of total expectation|Cauchy, Schwarz|"
    r"expansion of .*|the tangent of a convex function|variance of a .*|.*\((19|20)\d\d\).*"
)
FILES = [
    import_module(f"{facts.__name__}.{one.name}") for one in pkgutil.iter_modules(facts.__path__)
]


def rule(name: str) -> FactRule:
    """The rule as its file has it now."""
    (found,) = [one for file in FILES for one in getattr(file, "RULES", ()) if one.name == name]
    return found


def arguments(name: str) -> dict[str, str]:
    return {key: {**ARGUMENTS, **SPECIAL.get(name, {})}[key] for key in rule(name).takes}


@each("name", FACTS)
def test_a_rule_says_what_the_textbook_says(name: str) -> None:
    made = reader()
    found = rule(name).says(**arguments(name))
    assert [made.scalar(text) for text, _ in found] == [made.scalar(t) for t in SAYS[name]]
    assert [strict for _, strict in found] == [name in STRICT] * len(found)


@each("name", [name for name in FACTS if SAYS[name]])
def test_its_twin_says_something_else(name: str) -> None:
    made = reader()
    twins = rule(name).twin(**arguments(name))
    assert [strict for _, strict in twins] == [name in STRICT_TWINS] * len(twins)
    found = [shown(made.scalar(text)) for text, _ in twins]
    assert len(found) == len(SAYS[name])
    assert not {*found} & {shown(made.scalar(text)) for text in SAYS[name]}


@each("name", FACTS)
def test_a_rule_is_named_by_its_key_and_says_where_it_is_from(name: str) -> None:
    found = rule(name)
    assert FACTS[name] == found
    assert SOURCE.fullmatch(found.source)
    assert not SOURCE.fullmatch(found.scope)
    assert found.words.format(**arguments(name))
    assert len(found.words) > len(found.scope.format(**arguments(name))) or found.scope == ""
    changes = name in (
        *("stationary", "unbiased", "taking part", "method", "definition", "average"),
        *("drawn without replacement", "drawn with replacement"),
    )
    assert (found.declares is not None) == (found.twin_declares is not None) == changes


# -- rules that change how formulas are read -------------------------------------------------------


def told(name: str, twin: bool = False, **given: str) -> Any:
    made = reader()
    declares = rule(name).twin_declares if twin else rule(name).declares
    assert declares is not None
    declares(made, **given)
    return made


@each(
    ("name", "given", "text", "expected", "twins"),
    [
        ("unbiased", {"noise": "n[t]", "given": "t"}, "n[t]*w[t]", "0", "0"),
        ("unbiased", {"noise": "n[t]", "given": "t"}, "n[t]*w[t + 1]", "n[t]*w[t + 1]", "0"),
        ("stationary", {"f": "F", "star": "r"}, "grad(F, r)*w[0]", "0", "grad(F, r)*w[0]"),
        ("stationary", {"f": "G", "star": "r"}, "grad(G, r)*w[0]", "0", "avg(grad(f, r))*w[0]"),
        (
            *("stationary", {"f": "G", "star": "r"}, "grad(f, r)*c[0]"),
            "off(c[0])*off(grad(f, r))",
            "avg(c[0])*avg(grad(f, r)) + off(c[0])*off(grad(f, r))",
        ),
        ("stationary", {"f": "f", "star": "r"}, "grad(G, r)*w[0]", "0", "avg(grad(f, r))*w[0]"),
        ("method", {"entry": "w[t + 1]", "is_": "w[t] - a*r"}, "w[1]*u", "-a*r*u + u*w[0]", None),
        ("definition", {"entry": "x", "is_": "a + b"}, "x", "a + b", "2*a + 2*b"),
        (
            *("drawn with replacement", {"draw": "D[t]", "size": "N"}),
            "(drawn(D[t], c[t]) - avg(c[t]))**2",
            "(off(c[t])*off(c[t]))/(N)",
            "(1/2*off(c[t])*off(c[t]))/(N)",
        ),
    ],
    ids=lambda case: f"{case[0]} {case[2]}",
)
def test_a_rule_changes_what_is_read(
    name: str, given: dict[str, str], text: str, expected: str, twins: str | None
) -> None:
    assert read(text, told(name, **given)) == expected
    assert {read(text)} != {expected, twins or expected}
    if twins is not None:
        assert read(text, told(name, twin=True, **given)) == twins


def test_a_draw_without_replacement_has_the_variance_of_the_textbook() -> None:
    """(N - S)/(S (N - 1)) of that of one client, with S = 2 of five."""
    given = {"draw": "D[t]", "size": "2", "clients": "5"}
    square = "(drawn(D[t], c[t]) - avg(c[t]))**2"
    made = told("drawn without replacement", **given)
    assert read(square, made) == "3/8*off(c[t])*off(c[t])"
    twin = told("drawn without replacement", twin=True, **given)
    assert read(square, twin) == "3/16*off(c[t])*off(c[t])"
    for name in ("drawn without replacement", "drawn with replacement"):
        declares = rule(name).declares
        assert declares is not None
        more = {k: v for k, v in given.items() if k in rule(name).takes}
        with pytest.raises(ValueError, match="is drawn already"):
            declares(made, **more)


@each(
    ("name", "given", "why"),
    [
        ("unbiased", {"noise": "q2[t]", "given": "t"}, "is defined or unbiased already"),
        ("unbiased", {"noise": "x", "given": "0"}, "is defined or unbiased already"),
        ("stationary", {"f": "F", "star": "c[0]"}, "is another point for each client"),
        ("taking part", {"then": "e[0]"}, "e.0. may depend on the draw"),
        ("taking part", {"else_": "n[0]"}, "n.0. may depend on the draw"),
        ("taking part", {"to": "u"}, "u may depend on the draw"),
        ("average", {"called": "r"}, "must be shared, and known at no moment"),
        ("average", {"called": "v[0]"}, "must be shared, and known at no moment"),
        ("average", {"called": "h[t]"}, "must be shared, and known at no moment"),
        ("average", {"called": "v[t]"}, "must be shared, and known at no moment"),
        ("average", {"of": "c[t]"}, "averages what clients do not share"),
        ("average", {"weight": "b"}, "may have the sum zero"),
        ("average", {"weight": "x"}, "may have the sum zero"),
        ("average", {"rounds": "T"}, "may have the sum zero"),
    ],
    ids=lambda case: f"{case[0]} {case[1]}",
)
def test_what_a_rule_cannot_say_is_refused(name: str, given: dict[str, str], why: str) -> None:
    whole = {**arguments(name), **given}
    if name == "taking part":
        whole["draw"] = "E"
    with pytest.raises((ValueError, Refused), match=why):
        told(name, **whole)


def test_what_a_rule_can_say_is_taken() -> None:
    told("average", **arguments("average"))
    told("taking part", **{**arguments("taking part"), "draw": "E"})
    made = told("unbiased", noise="n[t]", given="t")
    declares = rule("unbiased").declares
    assert declares is not None
    with pytest.raises(ValueError, match="unbiased already"):
        declares(made, noise="n[t]", given="t")
    made = told("method", entry="n[t]", is_="w[t]")
    with pytest.raises(ValueError, match="defined or unbiased already"):
        declares(made, noise="n[t]", given="t")


def test_an_average_has_no_other_definition() -> None:
    made = told("average", **arguments("average"))
    for name in ("method", "definition"):
        declares = rule(name).declares
        assert declares is not None
        with pytest.raises(Refused, match="has a definition already"):
            declares(made, entry="u", is_="r")
