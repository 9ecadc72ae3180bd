"""Proofs as lines: what is printed is what was checked, and adds up when it is read again."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
import sympy

from tests.places import ROOT
from tests.trusted.checker.build import cover
from verify.catalogue.library import library
from verify.certify.checker import WORST_CASE, Refused
from verify.certify.explain.documents import explained
from verify.certify.prover.induction import by_induction
from verify.certify.prover.prove import Hypothesis, certify, written_out
from verify.certify.worst_case.step import AveragingStep, upper
from verify.ladder import Proofs
from verify.proof.documents import accepts, is_outline
from verify.proof.documents import explained as whole_explained

EXPECTED = json.loads((ROOT / "tests/expected/quick.json").read_text(encoding="utf-8"))
PROVED = sorted(key for key, leaf in EXPECTED["leaves"].items() if leaf["verdict"] == "proved")
EVERY = 200
SAMPLE = {*PROVED[::EVERY], *{key.partition(".")[0]: key for key in PROVED}.values()}
"""Which of the proofs are read by default: at a fixed stride, and one of each paper; finding one
again takes a good part of a second."""

NAME = re.compile(r"[a-zA-Z_]\w*(?:\[[^\]]*\])?")
NUMBER = re.compile(r"(?<![\w\[\]'])\d+(?![\w\]'])")
FACT = re.compile(r"\((\d+)\) (.*) >=? 0  \[(?!add |identically )")
END = re.compile(r"\(\d+\) (.*) <=? (.*)  \[(?:add (.*): )?identically (.*?)(?: = 0)?(?:, .*)?\]$")


class NotAdded(Exception):
    """A printed sum is not what it is said to be."""


def added_up(lines: Sequence[str]) -> int:
    """How many printed sums were added up at drawn numbers; `NotAdded` names one that is wrong."""
    drawn, names, count = random.Random(1), dict[str, Fraction](), 0

    def name(found: re.Match[str]) -> str:
        names.setdefault(found[0], Fraction(drawn.randint(1, 99), drawn.randint(1, 9)))
        return f"names['{found[0]}']"

    def number(text: str) -> Fraction:
        text = NAME.sub(name, text.replace("^", "**"))
        text = re.sub(r"\((\d+)\)", r"names['line_\1']", text)
        value = eval(NUMBER.sub(r"Fraction(\g<0>)", text), {"names": names, "Fraction": Fraction})
        return Fraction(value)

    for line in map(str.strip, lines):
        if fact := FACT.match(line):
            names[f"line_{fact[1]}"] = number(fact[2])
        if end := END.match(line):
            names["right"], names["left"] = number(end[2]), number(end[1])
            if number(end[3] or "0") != number(end[4].partition(",")[0]):
                raise NotAdded(line)
            count += 1
    return count


def proof(left: Any, right: Any, relation: str = "<=", given: Sequence[Any] = ()) -> Any:
    found = certify(left, right, relation, list(given))
    assert found is not None
    return written_out(found, left, right, relation, list(given))


@pytest.mark.parametrize(
    "key",
    [pytest.param(k, marks=[] if k in SAMPLE else [pytest.mark.slow]) for k in PROVED],
)
def test_every_proof_of_the_library_is_explained_and_adds_up(key: str) -> None:
    entry = library().entry(key)
    leaf = next(leaf for leaf in entry.leaves if key in (leaf.key, entry.key))
    documents = Proofs(leaf).documents
    assert documents or leaf.quantifier == "some"  # then an instance is the proof
    for document in documents:
        if is_outline(document):
            assert accepts(document)
            assert whole_explained(document)  # its steps are added up in tests/verify/proof
            continue
        lines = explained(document)
        ends = sum("identically" in line for line in lines)
        assert added_up(lines) == ends
        assert ends or "the same]" in lines[-1]
        text = "\n".join(lines)
        atoms = _names(document)
        assert all(f"Write {atom} = " in text for atom in atoms)
        assert "<0>" not in text
        # a name that is what the hypothesis says stands there as what was checked
        said = {f"{h['expr']} {sign} 0" for h in _given(document) for sign in (">=", ">")}
        names = [h["name"] for h in _given(document) if h["name"] not in said]
        assert not any(name in text for name in names if " " in name)
        assert len(explained(document, tex=True)) == len(lines)


def test_a_wrong_number_in_a_printed_sum_does_not_add_up() -> None:
    x = sympy.Symbol("x", real=True)
    lines = explained(proof(2 * x, x**2 + 1))
    assert added_up(lines) == 1
    for old, new in (
        ("x^2 - 2*x", "x^2 - 3*x"),
        ("add (1)", "add 2*(1)"),
        ("(1) x^2", "(1) 2*x^2"),
    ):
        wrong = [line.replace(old, new) for line in lines]
        assert wrong != lines
        with pytest.raises(NotAdded):
            added_up(wrong)


def test_what_the_checker_refuses_is_not_explained() -> None:
    x = sympy.Symbol("x", positive=True)
    good = proof(2 * x, x**2 + 1)
    for path, value in (
        (("claim", "right"), "x**2"),
        (("proof", "products", 0, 0), "2"),
        (("format",), "fedassay-proof/0"),
    ):
        bad = deepcopy(good)
        place = bad
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        with pytest.raises(Refused):
            explained(bad)


def test_names_that_nobody_checks_are_not_repeated() -> None:
    x = sympy.Symbol("x", real=True)
    told = proof(x, 2, given=[Hypothesis("proved by Euler", 1 - x)])
    lines = explained(told)
    assert "(H1) 1 - x >= 0" in lines
    assert not any("Euler" in line for line in lines)


def test_cases_inductions_and_worst_cases_are_told() -> None:
    x = sympy.Symbol("x", real=True)
    parts = [proof(0, x, given=[Hypothesis("", x)]), proof(0, -x, given=[Hypothesis("", -x, True)])]
    whole = cover(
        "0 <= Abs(x)", {"if": "x", "strict": False, "then": parts[0], "else": parts[1]}, "x real"
    )
    lines = explained(whole)
    assert lines[0] == "Claim: 0 <= |x|."
    assert [line for line in lines if line.startswith("Where")] == ["Where x >= 0:", "Where x < 0:"]
    assert added_up(lines) == 2

    T = sympy.Symbol("T", integer=True, nonnegative=True)
    t = sympy.Symbol("t", integer=True, nonnegative=True)
    y, z = sympy.IndexedBase("y", real=True), sympy.IndexedBase("z", real=True)
    falls = Hypothesis("", y[t] - y[t + 1] - z[t])
    paid = sympy.Sum(z[t], (t, 0, T - 1))
    told = by_induction(paid, y[0] - y[T], "<=", [falls], T, t)
    assert told is not None
    lines = explained(told)
    assert "(H1) -y[t + 1] + y[t] - z[t] >= 0 for every t = 0, 1, ..." in lines
    assert "By induction on T." in lines
    assert added_up(lines) == 2

    half = Fraction(1, 2)
    step = AveragingStep(
        beta=Fraction(1), mu=half, step=half, weights=(half, half), bias=(half,), slope=(half,)
    )
    worst = upper(step).to_json()
    assert worst["format"] == WORST_CASE
    lines = explained(worst)
    assert lines[0].startswith("Claim: f(x+) - inf f is at most ")
    assert all(item["multiplier"] in lines[-1] for item in worst["premises"])
    assert r"|g\_k - g|\^{}2" in explained(worst, tex=True)[0]


def test_tex_is_balanced_and_has_no_raw_names() -> None:
    from verify.certify.algebra.formal_sums import CLIENT, CLIENTS

    shares = sympy.IndexedBase("part_of_share", positive=True)
    total = sympy.Sum(shares[CLIENT], (CLIENT, 1, CLIENTS))
    lines = explained(proof(0, total), tex=True)
    for line in lines:
        assert line.count("$") % 2 == 0
        assert line.count("{") == line.count("}")
        for formula in line.split("$")[1::2]:
            assert "**" not in formula
            assert not re.search(r"(?<!\\)[a-z]_[a-z]", formula)


def _names(document: Any) -> list[str]:
    """Atoms that the proof itself speaks of."""
    if "cases" in document or "induction" in document["proof"]:
        return []
    return [name for name, _ in document["atoms"]]


def _given(document: Any) -> list[Any]:
    return list(document["given"])
