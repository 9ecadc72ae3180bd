"""The stand-alone checker: honest proofs pass, and each forgery is refused for its own reason."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

from tests.patience import HANGS
from tests.trusted.certify.claims import CLAIMS, N, a, b, k, s, total, u, v, x, z
from verify.certify import checker
from verify.certify.checker import Refused, check
from verify.certify.prover.prove import Hypothesis, certify, written_out

MORE: dict[str, Any] = {
    "a sign to be shown": (1 / (x + s), 1 / s, "<=", [Hypothesis("x >= 0", x)]),
    "a weighted mean": (
        total(u * v) / total(v),
        1,
        "<=",
        [Hypothesis("u_k <= 1", 1 - u)],
    ),
    "two hypotheses": (a, 2, "<=", [Hypothesis("a < 1", 1 - a, True), Hypothesis("b <= 7", 7 - b)]),
    "strict": (a, 1, "<", [Hypothesis("a < 1", 1 - a, True)]),
}
ALL = {**CLAIMS, **MORE}


YOUNG = "accepted: 2*a*b <= a**2*s + b**2/s, for every positive s; real a, b"


def proof_of(name: str) -> Any:
    claim = ALL[name]
    certificate = certify(*claim)
    assert certificate is not None
    return json.loads(json.dumps(written_out(certificate, *claim)))


@pytest.mark.parametrize("name", ALL)
def test_honest_proofs_are_accepted(name: str) -> None:
    left, right, relation = ALL[name][:3]
    assert check(proof_of(name)).startswith(f"{left} {relation} {right}")


def _facts(document: Any) -> Any:
    return document["proof"]["facts"]


def _fact(document: Any, rule: str) -> Any:
    return next(f for f in _facts(document) if f["rule"] == rule)


def _negative(d: Any) -> None:
    d["proof"]["products"][0][0] = "-" + d["proof"]["products"][0][0]


def _no_multiplier(d: Any) -> None:
    d["proof"]["products"][0][0] = "0"


def _doubled(d: Any) -> None:
    d["proof"]["products"][0][0] = str(2 * Fraction(d["proof"]["products"][0][0]))


def _digit(d: Any) -> None:
    fact = _fact(d, "claim is false")
    fact["polynomial"] += " + 1/1000000"


def _swapped(d: Any) -> None:
    _fact(d, "hypothesis")["about"] = 1


def _strict(d: Any) -> None:
    d["given"][0]["strict"] = False


def _weaker(d: Any) -> None:
    d["claim"]["relation"] = d["proof"]["relation"] = "<="
    for fact in _facts(d):
        fact["strict"] = False


def _lemma_out(d: Any) -> None:
    for fact in _facts(d):
        fact["lemmas"] = []


def _lemmas_gone(d: Any) -> None:
    d["proof"]["lemmas"] = []


def _other_lemma(d: Any) -> None:
    d["proof"]["lemmas"][0]["right"] += " + 1"


def _undeclared(d: Any) -> None:
    d["symbols"]["s"] = "real"


def _complex(d: Any) -> None:
    d["symbols"]["a"] = "complex"


def _other_root(d: Any) -> None:
    _fact(d, "squares")["about"][0][1] += " + 1"


def _negative_square(d: Any) -> None:
    fact = _fact(d, "squares")
    fact["about"][0][0], fact["polynomial"] = "-1", f"-({fact['polynomial']})"


def _strict_square(d: Any) -> None:
    _fact(d, "squares")["strict"] = True


def _other_claim(d: Any) -> None:
    d["claim"]["right"] = "(" + d["claim"]["right"] + ")/2"


def _other_relation(d: Any) -> None:
    d["claim"]["relation"] = "<"


def _atom_again(d: Any) -> None:
    d["atoms"].append(d["atoms"][0])


def _atom_of_itself(d: Any) -> None:
    name = d["atoms"][0][0]
    d["atoms"][0][1] = f"exp({name})"


def _other_sum(d: Any) -> None:
    d["atoms"][0][1] = d["atoms"][0][1].replace("u[k]", "(u[k] - 1)")


def _moving_coefficient(d: Any) -> None:
    d["sums"] = [{"over": "(k, 1, N)", "parts": [["u[k]", "1"]]}]
    d["atoms"] = []


def _other_format(d: Any) -> None:
    d["format"] = "fedassay-proof/0"


def _other_rule(d: Any) -> None:
    _fact(d, "claim is false")["rule"] = "it is so"


def _no_contradiction(d: Any) -> None:
    d["proof"]["products"] = []


def _missing(d: Any) -> None:
    del d["proof"]["facts"]


FORGERIES: dict[str, tuple[str, Callable[[Any], None], str]] = {
    "negative multiplier": ("Young", _negative, "a multiplier is -1, which is not positive"),
    "multiplier zero": ("Young", _no_multiplier, "a multiplier is 0, which is not positive"),
    "multiplier changed": ("Young", _doubled, "the products do not cancel"),
    "one digit changed": ("half", _digit, "it is another polynomial"),
    "premise swapped": ("two hypotheses", _swapped, "it is not known to be strict|another poly"),
    "strictness of a hypothesis dropped": ("strict", _strict, "it is not known to be strict"),
    "strictness dropped": ("Young", _weaker, "no product is strictly positive"),
    "lemma left out": ("a sign to be shown", _lemma_out, r"no lemma shows the sign of s \+ x"),
    "lemma left out of a sum": ("bounded terms", _lemma_out, "by the rule sum: a lemma is missing"),
    "lemmas gone": ("bounded terms", _lemmas_gone, "something is counted as number 0 of 0"),
    "another lemma": ("bounded terms", _other_lemma, "it is another polynomial"),
    "sign undeclared": ("Young", _undeclared, "no lemma shows the sign of s"),
    "square of a complex number": ("Young", _complex, "a square of what may not be real"),
    "another square": ("Young", _other_root, "by the rule squares: it is another polynomial"),
    "negative square": ("Young", _negative_square, "a weight of a square is negative"),
    "strict square": ("Young", _strict_square, "squares: it is not known to be strict"),
    "another claim": ("Young", _other_claim, "the right side that is proved is not the claimed"),
    "another relation": ("Young", _other_relation, "the relation that is proved is not the"),
    "atom twice": ("exponential", _atom_again, "the name w1 is borne twice"),
    "atom of itself": ("exponential", _atom_of_itself, "w1 is neither declared nor defined"),
    "another sum": ("bounded terms", _other_sum, "the left side that is proved is not the"),
    "coefficient with the index": ("bounded terms", _moving_coefficient, "names its index k"),
    "another format": ("Young", _other_format, "the format is fedassay-proof/0"),
    "unknown rule": ("Young", _other_rule, "the rule it is so is unknown"),
    "nothing contradicted": ("Young", _no_contradiction, "no product is strictly positive"),
    "malformed": ("Young", _missing, "the file is malformed: a proof has no entry facts"),
}


@pytest.mark.parametrize("fault", FORGERIES)
def test_each_forgery_is_refused_for_its_own_reason(fault: str) -> None:
    name, forge, reason = FORGERIES[fault]
    document = proof_of(name)
    check(document)
    forge(document)
    with pytest.raises(Refused, match=reason):
        check(document)


def test_an_atom_in_a_claim_is_refused() -> None:
    document = proof_of("exponential")
    document["claim"]["right"] = "w1"
    with pytest.raises(Refused, match="w1 is neither declared nor defined"):
        check(document)


# -- Gram matrices ---------------------------------------------------------------------------------


def gram(matrix: Any, polynomial: str, monomials: tuple[str, ...] = ("x", "y")) -> Any:
    """A proof of 0 <= polynomial by one Gram matrix."""
    return {
        "format": checker.FORMAT,
        "given": [],
        "symbols": {"x": "real", "y": "real"},
        "claim": {"left": "0", "right": polynomial, "relation": "<="},
        "atoms": [],
        "sums": [],
        "proof": {
            "left": "0",
            "right": polynomial,
            "relation": "<=",
            "lemmas": [],
            "facts": [
                {
                    "polynomial": f"-({polynomial})",
                    "strict": True,
                    "rule": "claim is false",
                    "about": None,
                    "times": [],
                    "lemmas": [],
                },
                {
                    "polynomial": polynomial,
                    "strict": False,
                    "rule": "gram",
                    "times": [],
                    "about": {"monomials": list(monomials), "matrix": matrix},
                    "lemmas": [],
                },
            ],
            "products": [["1", [0]], ["1", [1]]],
        },
    }


def test_a_gram_matrix_is_decomposed_exactly() -> None:
    check(gram([["1", "-1"], ["-1", "1"]], "(x - y)**2"))
    check(gram([["1", "1/2"], ["1/2", "1"]], "x**2 + x*y + y**2"))
    check(gram([["0", "0"], ["0", "3"]], "3*y**2"))


BAD_GRAMS = {
    "indefinite by 1e-12": (
        [["1", "-1"], ["-1", "999999999999/1000000000000"]],
        "x**2 - 2*x*y + 999999999999/1000000000000*y**2",
        "not positive semidefinite",
    ),
    "zero pivot": ([["0", "1"], ["1", "5"]], "2*x*y + 5*y**2", "not positive semidefinite"),
    "negative": ([["1", "0"], ["0", "-1"]], "x**2 - y**2", "not positive semidefinite"),
    "asymmetric": ([["1", "2"], ["0", "1"]], "x**2 + 2*x*y + y**2", "not symmetric"),
    "another shape": ([["1"]], "x**2", "another shape"),
    "another polynomial": (
        [["1", "0"], ["0", "1"]],
        "x**2 + y**2 - 1",
        "by the rule gram: it is another polynomial",
    ),
}


@pytest.mark.parametrize("name", BAD_GRAMS)
def test_a_wrong_gram_matrix_is_refused(name: str) -> None:
    matrix, polynomial, reason = BAD_GRAMS[name]
    with pytest.raises(Refused, match=reason):
        check(gram(matrix, polynomial))


# -- alone -----------------------------------------------------------------------------------------


def test_the_checker_needs_the_standard_library_alone() -> None:
    tree = ast.parse(Path(checker.__file__).read_text())
    found = {n.names[0].name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import)}
    found |= {str(n.module).split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert found <= sys.stdlib_module_names


def test_the_checker_runs_where_nothing_is_installed(tmp_path: Path) -> None:
    def run(document: Any) -> tuple[int, str]:
        (tmp_path / "proof.json").write_text(json.dumps(document))
        copy = tmp_path / "checker.py"
        copy.write_text(Path(checker.__file__).read_text())
        command = [sys.executable, "-I", "-S", str(copy), str(tmp_path / "proof.json")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)
        return done.returncode, done.stdout

    honest = proof_of("Young")
    assert run(honest) == (0, f"{YOUNG}\n")
    assert run({"proofs": [honest, honest]})[0] == 0
    forged = proof_of("Young")
    _negative(forged)
    code, said = run({"proofs": [honest, forged]})
    assert code == 1
    assert "refused: a multiplier is -1" in said
    assert run({"proofs": []})[0] == run([])[0] == run({})[0] == 1


def test_sums_over_clients_are_read_whatever_their_index_is_called() -> None:
    j = sympy.Symbol("j", integer=True)
    base = sympy.IndexedBase("z", real=True)
    claim = (sympy.Sum(base[j], (j, 1, N)) ** 2, N * total(z**2), "<=")
    certificate = certify(*claim)
    assert certificate is not None
    check(written_out(certificate, *claim))
    assert k not in (sympy.Sum(base[j], (j, 1, N))).free_symbols
