"""Worst cases of one step, and certificates of inner products: what only one condition refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.trusted.checker.rows.base import Row
from verify.certify.checker import worst_case_claim
from verify.certify.gram.claim import Form, GramCertificate, Premise, constant, value, vector

__all__ = ["GENUINE", "GRAMS", "WORST"]

GENUINE: dict[str, Any] = json.loads(Path(__file__).parent.with_name("genuine.json").read_text())
"""Proofs that the provers have found: small ones of every kind, and worst cases."""


def changed(name: str, path: str, new: Any) -> Any:
    """A genuine document with one entry replaced; a function maps the old entry, None drops it."""
    made = json.loads(json.dumps(GENUINE[name]))
    *keys, last = [int(k) if k.isdigit() else k for k in path.split("/")]
    at = made
    for key in keys:
        at = at[key]
    if new is None:
        del at[last]
    else:
        at[last] = new(at[last]) if callable(new) else new
    return made


def moved(by: int) -> Callable[[str], str]:
    return lambda text: str(Fraction(text) + Fraction(by, 10**6))


def row(name: str, condition: str, path: str, new: Any) -> Row:
    return Row("worst case", f"{name}: {condition}", changed(name, path, new))


def told(name: str, condition: str, **problem: Any) -> Row:
    """Another problem under the words that fit it."""
    made = changed(name, "problem", lambda found: {**found, **problem})
    made["claim"] = worst_case_claim(made["problem"], made["bound"])
    return Row("worst case", f"{name}: {condition}", made)


def in_halves(name: str) -> Row:
    """The same theorem in other units: f and its gradients are twice what they were."""
    made = changed(name, "problem", lambda found: {**found})
    problem = made["problem"]

    def scaled(factor: Fraction | int, texts: list[str]) -> list[str]:
        return [str(factor * Fraction(text)) for text in texts]

    for key, factor in {"beta": 2, "mu": 2, "start": 2, "step": Fraction(1, 2)}.items():
        (problem[key],) = scaled(factor, [problem[key]])
    problem["bias"] = scaled(2, problem["bias"])
    (made["bound"],) = scaled(2, [made["bound"]])
    for premise in made["premises"]:
        squared = "error" in premise["rule"]
        if squared:
            premise["rule"]["error"]["units"][0] = str(
                4 * Fraction(premise["rule"]["error"]["units"][0])
            )
            (premise["multiplier"],) = scaled(Fraction(1, 2), [premise["multiplier"]])
        if "start" in premise["rule"]:
            premise["rule"]["start"] = problem["start"]
        for term in premise["terms"]:
            doubled = sum(v != "x" for v in term[0])
            (term[1],) = scaled(Fraction(4 if squared else 2, 2**doubled), [term[1]])
    halves = [1 if v == "x" else Fraction(1, 2) for v in made["vectors"]]
    made["matrix"] = [
        [str(2 * a * b * Fraction(q)) for b, q in zip(halves, row, strict=True)]
        for a, row in zip(halves, made["matrix"], strict=True)
    ]
    made["claim"] = worst_case_claim(problem, made["bound"])
    return Row("worst case", f"{name}: in other units", made)


BIAS, SMOOTH, ALONE = "worst case: bias", "worst case: smooth", "worst case: alone"
CONVEX, INFIMUM = "worst case: convex", "worst case: infimum"
SLOPE, NOBODY, ONE = "worst case: slope", "worst case: no others", "worst case: one disturbs"
UNUSED = {**GENUINE[BIAS]["premises"][0], "multiplier": "0"}
WORST = [
    row(BIAS, "no multiplier below zero", "premises/0/multiplier", "-1/2"),
    row(BIAS, "another multiplier", "premises/0/multiplier", moved(1)),
    row(BIAS, "a multiplier that is no number", "premises/0/multiplier", "1e3"),
    row(BIAS, "a bound that is smaller", "bound", moved(-1)),
    row(BIAS, "a bound that is larger, but not in words", "bound", moved(1)),
    row(BIAS, "other words", "claim", lambda text: text.replace("1/10", "1/70")),
    row(BIAS, "more words", "claim", lambda text: text + " and more"),
    row(BIAS, "a bound that is no number", "bound", "one"),
    row(BIAS, "another premise", "premises/0/terms", [[["f(x)"], "1"]]),
    row(BIAS, "another rule", "premises/0/rule", {"hope": "1"}),
    row(BIAS, "two rules", "premises/0/rule", {"start": "1", "hope": "1"}),
    row(BIAS, "another name", "premises/0/name", "f(x) is small"),
    row(BIAS, "more than a name", "premises/0/name", lambda text: text + "!"),
    row(BIAS, "an equality", "premises/0/equality", True),
    row(BIAS, "an equality that is no truth value", "premises/0/equality", 0),
    row(BIAS, "more than a premise", "premises/0/note", "x"),
    row(BIAS, "less than a premise", "premises/0/name", None),
    row(BIAS, "a premise left out", "premises/0", None),
    row(BIAS, "a term of no number", "premises/0/terms/0/1", "0.5"),
    row(BIAS, "another objective", "objective", [[["f(x)"], "1"]]),
    row(BIAS, "an indefinite matrix", "matrix/0/0", "-1"),
    row(BIAS, "a crooked matrix", "matrix/0/1", "7"),
    row(BIAS, "another matrix", "matrix/0/0", moved(1)),
    row(BIAS, "a vector that is none", "vectors/0", "f(x)"),
    row(BIAS, "another vector", "vectors/0", "g"),
    row(BIAS, "more than a certificate", "noise", "0"),
    row(BIAS, "less than a certificate", "vectors", None),
    row(BIAS, "another format", "format", "fedassay-gram-certificate/0"),
    row(BIAS, "another kind", "problem/kind", "descent"),
    row(BIAS, "more than a problem", "problem/note", "x"),
    row(BIAS, "less than a problem", "problem/variance", None),
    row(BIAS, "a smaller class", "problem/mu", "1/5"),
    row(BIAS, "a larger class", "problem/beta", "2"),
    row(BIAS, "a curvature above the smoothness", "problem/mu", "1"),
    row(BIAS, "a curvature below all", "problem/mu", "-2"),
    row(BIAS, "a step backwards", "problem/step", "-1"),
    row(BIAS, "a longer step", "problem/step", "2"),
    row(BIAS, "a start at nothing", "problem/start", "0"),
    row(BIAS, "a start below nothing", "problem/start", "-1"),
    row(BIAS, "another start", "problem/start", "1/2"),
    row(BIAS, "another start in the rule", "premises/0/rule/start", "1/2"),
    row(BIAS, "a smaller bias", "problem/bias/0", "0"),
    row(BIAS, "a bias below zero", "problem/bias/0", "-1/10"),
    row(BIAS, "a slope below zero", "problem/slope/0", "-1/10"),
    row(BIAS, "a weight below zero", "problem/weights/1", "-1/4"),
    row(BIAS, "an own weight below zero", "problem/weights/0", "-1/4"),
    row(BIAS, "a variance below zero", "problem/variance", ["-1"]),
    row(BIAS, "a variance that is said to be left out", "problem/variance", ["1"]),
    row(BIAS, "a client too many", "problem/bias", lambda found: [*found, "0"]),
    row(BIAS, "a share of nothing", "premises/1/rule/error/shares/0", 0),
    row(BIAS, "a share below nothing", "premises/1/rule/error/shares/0", -1),
    row(BIAS, "other shares", "premises/1/rule/error/shares/0", 7),
    row(BIAS, "a share too many", "premises/1/rule/error/shares", lambda found: [*found, 1]),
    row(BIAS, "a sum rounded to nothing", "premises/1/rule/error/units/0", "0"),
    row(BIAS, "a slope rounded to nothing", "premises/1/rule/error/units/1", "0"),
    row(BIAS, "a unit below nothing", "premises/1/rule/error/units/0", "-1"),
    row(BIAS, "another unit", "premises/1/rule/error/units/0", "1/3"),
    row(BIAS, "more than a bound", "premises/1/rule/error/note", "x"),
    row(BIAS, "another number of a bound", "premises/1/name", "|e|^2, bound 7"),
    row(BIAS, "a bound without a number", "premises/1/name", "|e|^2, bound "),
    row(BIAS, "the infimum of a convex loss", "premises/2/rule", {"infimum": "x"}),
    row(BIAS, "an interpolation of other points", "premises/2/rule/interpolation", ["x+", "x"]),
    row(
        BIAS, "an interpolation of three points", "premises/2/rule/interpolation", ["*", "x", "x+"]
    ),
    row(BIAS, "an interpolation of no point", "premises/2/rule/interpolation", ["*", "y"]),
    row(BIAS, "a premise that is not used", "premises", lambda found: [*found, UNUSED]),
    row(CONVEX, "the infimum of a convex loss", "premises/0/rule", {"infimum": "x"}),
    row(INFIMUM, "another infimum", "premises/0/multiplier", moved(1)),
    row(SMOOTH, "another infimum", "premises/0/rule", {"infimum": "*"}),
    row(SMOOTH, "a convex class", "problem/mu", "0"),
    row(ALONE, "a client that disturbs nothing has no share", "problem/weights/0", "1"),
    row(BIAS, "a rule that is no mapping", "premises/0/rule", ["start"]),
    row(BIAS, "a multiplier that divides by zero", "premises/0/multiplier", "1/0"),
    told(NOBODY, "a client without weight", weights=["1", "0"], bias=["1/10"], slope=["0"]),
    told(ALONE, "a client that disturbs by its slope alone", slope=["1"]),
    told(ONE, "a client without a share that disturbs by its slope", slope=["0", "1/10", "0"]),
    *map(in_halves, (BIAS, CONVEX, SMOOTH, INFIMUM, SLOPE)),
]


# -- certificates of inner products ----------------------------------------------------------------


def certificate(**more: Any) -> GramCertificate:
    """|v|^2 >= 1 and f == |v|^2/2 give -f <= -1/2, by u, v and a square of their difference."""
    u, v, f = vector("u"), vector("v"), value("f")
    premises = (
        Premise("long", v.square() - constant(1)),
        Premise("half", f - v.square() * Fraction(1, 2) - (u - v).square(), equality=True),
    )
    made: dict[str, Any] = {
        "claim": "f >= 1/2",
        "vectors": ("u", "v"),
        "objective": f * -1,
        "bound": Fraction(-1, 2),
        "premises": premises,
        "multipliers": (Fraction(1, 2), Fraction(1)),
        "matrix": ((Fraction(1), Fraction(-1)), (Fraction(-1), Fraction(1))),
    }
    return GramCertificate(**{**made, **more})


LONG, HALF = certificate().premises
GRAMS: dict[str, GramCertificate] = {
    "as it is": certificate(),
    "a weaker bound": certificate(bound=Fraction(-1, 3)),
    "a multiplier of an equality below zero": certificate(
        objective=value("f"),
        bound=Fraction(0),
        premises=(Premise("zero", value("f"), equality=True),),
        multipliers=(Fraction(-1),),
        matrix=((Fraction(0),) * 2,) * 2,
    ),
    "a multiplier zero": certificate(multipliers=(Fraction(0), Fraction(1)), bound=Fraction(0)),
    "a vector twice": certificate(vectors=("u", "u")),
    "a premise twice": certificate(premises=(LONG, Premise("long", HALF.form, equality=True))),
    "too few rows": certificate(matrix=((Fraction(1), Fraction(-1)),)),
    "too few columns": certificate(matrix=((Fraction(1),), (Fraction(-1),))),
    "too few multipliers": certificate(multipliers=(Fraction(1, 2),)),
    "a multiplier below zero": certificate(
        premises=(Premise("short", LONG.form * -1), HALF),
        multipliers=(Fraction(-1, 2), Fraction(1)),
    ),
    "a crooked matrix": certificate(
        matrix=((Fraction(1), Fraction(0)), (Fraction(-2), Fraction(1)))
    ),
    "an indefinite matrix": certificate(
        objective=vector("v").square() * -1 + vector("u").square(),
        bound=Fraction(0),
        premises=(),
        multipliers=(),
        matrix=((Fraction(-1), Fraction(0)), (Fraction(0), Fraction(1))),
    ),
    "a pivot zero beside something": certificate(
        objective=vector("u").dot(vector("v")) * -2,
        bound=Fraction(0),
        premises=(),
        multipliers=(),
        matrix=((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))),
    ),
    "indefinite in the second row": certificate(
        objective=(vector("u").dot(vector("v")) * 4 + vector("u").square() + vector("v").square())
        * -1,
        bound=Fraction(0),
        premises=(),
        multipliers=(),
        matrix=((Fraction(1), Fraction(2)), (Fraction(2), Fraction(1))),
    ),
    "indefinite with an entry below zero": certificate(
        objective=(vector("u").dot(vector("v")) * -4 + vector("u").square() + vector("v").square())
        * -1,
        bound=Fraction(0),
        premises=(),
        multipliers=(),
        matrix=((Fraction(1), Fraction(-2)), (Fraction(-2), Fraction(1))),
    ),
    "a pivot zero alone": certificate(
        objective=vector("v").square() * -1,
        bound=Fraction(0),
        premises=(),
        multipliers=(),
        matrix=((Fraction(0), Fraction(0)), (Fraction(0), Fraction(1))),
    ),
    "another identity": certificate(multipliers=(Fraction(1, 3), Fraction(1))),
    "a smaller bound": certificate(bound=Fraction(-2, 3)),
}
"""Certificates; the checker says of each what is wrong with it."""

GRAMS["an empty one"] = GramCertificate("0 <= 0", (), Form({}), Fraction(0), (), (), ())
