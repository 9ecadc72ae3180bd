"""What a proof speaks of must be defined where its claim is: otherwise 1 <= 0 has a proof."""

from __future__ import annotations

from typing import Any

import pytest

from verify.certify.checker import FORMAT, Refused, check

EQUAL = [
    {"name": "", "expr": "x - y", "strict": False},
    {"name": "", "expr": "y - x", "strict": False},
]
FALSE: dict[str, Any] = {
    "polynomial": "1",
    "strict": True,
    "rule": "claim is false",
    "about": None,
    "times": [],
    "lemmas": [],
}


def fact(polynomial: str, rule: str, about: Any = None, **more: Any) -> dict[str, Any]:
    return {
        **FALSE,
        "polynomial": polynomial,
        "strict": False,
        "rule": rule,
        "about": about,
        **more,
    }


def proof(facts: Any, products: Any, left: str = "1", right: str = "0", **more: Any) -> Any:
    return {
        "left": left,
        "right": right,
        "relation": "<=",
        "facts": facts,
        "products": products,
        "lemmas": [],
        **more,
    }


def document(made: Any, **more: Any) -> dict[str, Any]:
    claim = {side: made[side] for side in ("left", "right", "relation")}
    return {
        "format": FORMAT,
        "claim": claim,
        "given": [],
        "symbols": {},
        "atoms": [],
        "sums": [],
        "proof": made,
        **more,
    }


CANCELLED = proof(
    [
        fact("(x - y)**2*u[k]", "claim is false", strict=True, times=[["x - y", 2]]),
        fact("x - y", "hypothesis", 0),
        fact("y - x", "hypothesis", 1),
        fact("u[k]", "declared", strict=True),
    ],
    [["1", [0]], ["1", [1, 2, 3]]],
    "0",
    "-u[k]*(x - y)**2/(x - y)**2",
)
SUM = ["S1", "Sum(u[k], (k, 1, N))"]
BOTH = proof(
    [fact("-S1", "sum", [["-1", "S1"]], lemmas=[0]), fact("S1", "declared", strict=True)],
    [["1", [0]], ["1", [1]]],
    lemmas=[CANCELLED],
)
REALS = {"x": "real", "y": "real", "u": "positive"}

PARTS = {"x": "real", "s": "real", "u": "real"}
SCALED = {"over": "(k, 1, N)", "parts": [["s", "u[k]"]]}


def divided(by: str) -> dict[str, Any]:
    """0 <= (x/(Sum s u_k - 1))**2, by the square of the quotient with another divisor."""
    made = proof(
        [
            fact(f"-x**2*({by})**2", "claim is false", strict=True, times=[[by, 4]]),
            fact(f"x**2*({by})**2", "squares", [["1", f"x*({by})"]]),
        ],
        [["1", [0]], ["1", [1]]],
        "0",
        "x**2/(Sum(s*u[k], (k, 1, N)) - 1)**2",
    )
    return made


FORGERIES: dict[str, tuple[dict[str, Any], str]] = {
    "the root of a negative number": (
        document(
            proof(
                [
                    fact("-1 - w1**2", "definition", "w1"),
                    fact("w1**2", "squares", [["1", "w1"]]),
                    FALSE,
                ],
                [["1", [0]], ["1", [1]], ["1", [2]]],
            ),
            atoms=[["w1", "sqrt(-1)"]],
        ),
        "takes what may be undefined",
    ),
    "the same without a name": (
        document(proof([fact("sqrt(-1)**2", "squares", [["1", "sqrt(-1)"]]), FALSE], [])),
        "takes what may be undefined",
    ),
    "the logarithm of a negative number": (
        document(
            proof(
                [fact("-2 - w1", "definition", "w1"), fact("w1 - 2", "definition", "w1"), FALSE],
                [["1", [0]], ["1", [1]], ["4", [2]]],
            ),
            atoms=[["w1", "log(-1)"]],
        ),
        "takes what may be undefined: log of -1",
    ),
    "a lemma where nothing is defined": (
        document(BOTH, given=EQUAL, symbols=REALS, atoms=[SUM]),
        "divides by what may vanish",
    ),
    "a divisor that only the file names": (
        document(
            BOTH,
            given=EQUAL,
            symbols=REALS,
            atoms=[SUM],
            sums=[{"over": "(k, 1, N)", "parts": [["(x - y)/(x - y)", "u[k]"]]}],
        ),
        "divides by what may vanish",
    ),
    "a divisor that only the file names, where it takes a sum of the claim apart": (
        document(
            proof(
                [
                    fact(f"-{SUM[1]}", "sum", [["-1", SUM[1]]], lemmas=[0]),
                    fact(SUM[1], "declared", strict=True),
                ],
                [["1", [0]], ["1", [1]]],
                SUM[1],
                "0",
                lemmas=[CANCELLED],
            ),
            given=EQUAL,
            symbols=REALS,
            sums=[{"over": "(k, 1, N)", "parts": [["(x - y)/(x - y)", "u[k]"]]}],
        ),
        r"divides by what may vanish: 1\*x \+ -1\*y",
    ),
    "a sum that is divided by and is not the one of the claim": (
        document(divided("S1 - 1"), symbols=PARTS, atoms=[SUM], sums=[SCALED]),
        "S1 - 1 may vanish",
    ),
    "a fact with a pole": (
        document(
            proof([fact("x/x", "squares", [["1", "x/x"]]), FALSE], [["1", [0]]]), symbols=REALS
        ),
        "divides by what may vanish",
    ),
    "a pole that a negative power makes": (
        document(
            proof([fact("1", "hypothesis", 0, times=[["x - y", -1]]), FALSE], [["1", [0]]]),
            given=EQUAL,
            symbols=REALS,
        ),
        "no lemma shows the sign of x - y",
    ),
    "a client hidden in a name": (
        document(proof([FALSE], [["1", [0]]]), symbols=REALS, atoms=[["w1", "exp(u[k])"]]),
        "k is neither declared nor defined",
    ),
    "a symbol that bears the name of an atom": (
        document(proof([FALSE], [["1", [0]]]), symbols={"<0>": "positive integer"}),
        "a symbol must have a name",
    ),
    "an index that is no name": (
        document(proof([FALSE], [["1", [0]]], "Sum(u[2], (2, 1, N))"), symbols=REALS),
        "the index of a sum",
    ),
}


def test_a_sum_that_the_claim_divides_by_may_be_taken_apart() -> None:
    honest = document(divided("s*S1 - 1"), symbols=PARTS, atoms=[SUM], sums=[SCALED])
    assert check(honest).startswith("0 <= x**2/(Sum(s*u[k], (k, 1, N)) - 1)**2, for every real")


@pytest.mark.parametrize("fault", FORGERIES)
def test_what_may_be_undefined_is_refused(fault: str) -> None:
    forged, reason = FORGERIES[fault]
    with pytest.raises(Refused, match=reason):
        check(forged)


def test_what_the_claim_itself_divides_by_may_be_used() -> None:
    left = "Sum(u[k], (k, 1, N))*(x - y)**2/(x - y)**2"
    facts = [
        fact("S1*(x - y)**2", "claim is false", strict=True, times=[["x - y", 2]]),
        fact("x - y", "hypothesis", 0),
        fact("y - x", "hypothesis", 1),
        fact("S1", "declared", strict=True),
    ]
    made = proof(facts, [["1", [0]], ["1", [1, 2, 3]]], left, "0")
    granted = document(made, given=EQUAL, symbols=REALS, atoms=[SUM])
    assert check(granted).startswith(left)
    lemma = {**BOTH, "left": left, "right": "0"}
    assert check({**granted, "proof": lemma})  # where left is defined the hypotheses are not


def test_an_induction_goes_through_rounds_in_which_the_claim_is_defined() -> None:
    claim = {"left": "x/(T - 2)", "right": "x/(T - 2)", "relation": "=="}
    part = {**document(proof([], [])), "symbols": {"T": "positive integer", "x": "real"}}
    identity = proof([], [], "x/(T - 1)", "x/(T - 1)", relation="==")
    step = {
        **part,
        "claim": {**claim, "left": "x/(T - 1)", "right": "x/(T - 1)"},
        "proof": identity,
    }
    made = {**part, "claim": claim, "proof": {"induction": "T", "start": step, "step": step}}
    with pytest.raises(Refused, match="may be undefined in some round"):
        check(made)
