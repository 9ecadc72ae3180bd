"""Evidence of every kind."""

from __future__ import annotations

from typing import Any

from verify.certify.checker import FORMAT
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import ACCUSE, verdict

BREAK = {
    "number": "rational",
    "relation": "<=",
    "quantifier": "all",
    "left": "2/1",
    "right": "1/1",
    "margins": {"h": {"value": "0/1", "strict": False}},
}
EXHIBIT = {**BREAK, "quantifier": "some", "left": "1/1", "right": "2/1"}
SIMULATED = {
    "number": "simulated",
    "relation": "<=",
    "quantifier": "all",
    "left": 2.0,
    "right": 1.0,
    "e_value": ACCUSE,
    "margins": {},
}

WITNESS = Evidence("search", "decided", "an instance breaks it", witness=BREAK, tried=9)
SHOWN = Evidence("search", "decided", "an instance shows it", witness=EXHIBIT, tried=9)
ACCUSED = Evidence("simulation", "undecided", "mean above", witness=SIMULATED, tried=1)
MISSING = Evidence("hypotheses", "missing", "what small means")
EMPTY = Evidence(
    "link",
    "decided",
    "the hypotheses contradict each other",
    link={"kind": "empty", "key": "p.a.empty", "verdict": "proved"},
)
ADRIFT = Evidence("link", "undecided", "the lift does not follow")
WRITTEN = {
    "format": FORMAT,
    "claim": {"left": "0", "right": "1", "relation": "<="},
    "given": [],
    "symbols": {},
    "atoms": [],
    "sums": [],
    "proof": {
        "left": "0",
        "right": "1",
        "relation": "<=",
        "lemmas": [],
        "facts": [
            {
                "polynomial": "-1",
                "strict": True,
                "rule": "claim is false",
                "about": None,
                "times": [],
                "lemmas": [],
            }
        ],
        "products": [["1", [0]], ["1", []]],
    },
}
"""A proof of 0 <= 1."""
PROOF = Evidence(
    "certificate",
    "decided",
    "proved",
    proof={"certificates": [{"shape": {}, "written": WRITTEN}]},
)
MET = Evidence(
    "hypotheses",
    "reported",
    "250 of 290 meet every hypothesis",
    counted=250,
    tried=290,
    details={"met": {"N=1": 100, "N=2": 150}},
)
NONE_MET = Evidence("hypotheses", "undecided", "none of 90 meets every hypothesis", tried=90)
SEARCH = Evidence("search", "decided", "50 instances", counted=50, tried=90, worst=0.9)
TIGHT = Evidence("exact", "decided", "the tightest one agrees", counted=1, tried=1, worst=1.0)
POWER = Evidence("power", "reported", "3 of 4", power={"counted": 4, "killed": 3})
UNITS = Evidence("units", "reported", "units differ")
STOPPED = Evidence("search", "stopped", "time limit")
DOUBT = Evidence("search", "undecided", "a float hit could not be decided", counted=3, worst=2.0)
BOTH = {
    "free": True,
    "values": [[0.0, 2.0], [0.5, 3.0]],
    "computed": True,
    "idle": False,
    "expression": "two",
}
SIDES = Evidence("sides", "reported", "both sides depend on the instance", details=BOTH)
ONE = Evidence("sides", "undecided", "one expression", details={**BOTH, "expression": "one"})
NEEDED = Evidence("needed", "reported", "needed: h", details={"needed": ["h"]})
DISGUISED = Evidence("needed", "undecided", "h is called defining", details={"defining": "h"})
TERMS = Evidence("terms", "reported", "needed: a", details={"needed": ["a"]})
SPARED = Evidence(
    "terms",
    "reported",
    "needed: a; not needed: b, c",
    details={"needed": ["a"], "not needed": ["b", "c"]},
)
STANDING = Evidence("standing", "reported", "better somewhere than standing still")
IDLE = Evidence("standing", "undecided", "standing still meets it", details={"bound": "still"})
MIXED = Evidence("hypotheses", "stopped", "one instance depends on the others: pass axis=-1")
METHOD = Evidence("method", "reported", "no run of a method is part of the claim")
PAID = [MET, SIDES, NEEDED, TERMS, STANDING, METHOD]
SUPPORT = [SEARCH, TIGHT, POWER, *PAID]


def word(*evidence: Evidence) -> str:
    return verdict(evidence).word


def changed(evidence: Evidence, **fields: Any) -> Evidence:
    return Evidence(**{**evidence.__dict__, **fields})
