"""A second opinion: Coq accepts what the checker accepts, and refuses what was changed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import places
from tests.trusted.certify.test_checker import ALL, proof_of
from verify.catalogue.json_files import read_json
from verify.catalogue.library import library
from verify.certify.coq.asked import OF_THE_REALS, axioms, coqc
from verify.certify.coq.document import NotInCoq, coq_file
from verify.ladder.rungs.certificate import written_proofs

needs_coq = pytest.mark.skipif(
    shutil.which("coqc") is None,
    reason="coqc is not installed (Debian: apt-get install coq): proofs were not checked by Coq",
)

PARTS = 6
"""Files that the proofs of the library are written to: one would keep a single core for minutes."""

EXPECTED = places.EXPECTED / "quick.json"


def sampled(names: Sequence[Any]) -> list[Any]:
    """Every third by default, as Coq takes about a second for each; all with ``-m slow``."""
    return [
        pytest.param(names[::3], id="some"),
        pytest.param(names, id="all", marks=[pytest.mark.slow]),
    ]


@needs_coq
@pytest.mark.parametrize("names", sampled(list(ALL)))
def test_coq_accepts_each_kind_of_proof(names: list[str], tmp_path: Path) -> None:
    code, said = coqc(coq_file({name: [proof_of(name)] for name in names}), tmp_path)
    assert code == 0, said[-800:]
    assert said.count("Axioms:") == len(names)
    assert axioms(said) <= OF_THE_REALS


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_coq_accepts_every_proof_of_the_library(part: int, tmp_path: Path) -> None:
    leaves = read_json(EXPECTED, "fedassay-expected/1")["leaves"]
    known = {leaf.key: leaf for entry in library() for leaf in entry.leaves}
    listed = sorted(k for k, v in leaves.items() if v["verdict"] == "proved" and k in known)
    proved = [known[key] for key in listed[part::PARTS]]
    proofs = {x.key: found for x in proved if (found := written_proofs(x))}
    left_out = {x.key for x in proved} - set(proofs)
    assert all(known[key].quantifier == "some" for key in left_out)
    code, said = coqc(coq_file(proofs), tmp_path)
    assert code == 0, said[-800:]
    assert axioms(said) <= OF_THE_REALS


def _number(text: str) -> str:
    """A multiplier of the written products, changed."""
    return re.sub(r"(assert \(Z\d+ :) \(1\)", r"\1 (2)", text)


def _claim(text: str) -> str:
    """A stronger claim."""
    return text.replace("2 * a * b <=", "3 * a * b <=")


def _sign(text: str) -> str:
    """A hypothesis less."""
    return text.replace("  0 < s ->\n", "").replace("intros a b s H1.", "intros a b s.")


@needs_coq
@pytest.mark.parametrize("change", [_number, _claim, _sign], ids=lambda c: str(c.__doc__))
def test_coq_refuses_what_was_changed(change: Any, tmp_path: Path) -> None:
    text = coq_file({"Young": [proof_of("Young")]})
    assert change(text) != text
    assert coqc(change(text), tmp_path)[0] != 0


def test_the_statement_reads_like_the_claim() -> None:
    text = coq_file({"one.mean": [proof_of("bounded terms")]})
    statement = re.search(r"Theorem claim_one_mean :(.*?)Proof\.", text, re.DOTALL)
    assert statement is not None
    assert statement[1].split("\n") == [
        "",
        "  forall (N : nat) (u : nat -> R),",
        "  (1 <= N)%nat ->",
        "  (forall k, (1 <= k <= N)%nat -> 0 <= u k) ->",
        "  (forall k, (1 <= k <= N)%nat -> 0 <= 1 - u k) ->",
        "  Sum (fun k => u k) N <= INR N.",
        "",
    ]


def test_what_coq_has_no_words_for_is_named() -> None:
    document = proof_of("half")
    document["claim"]["left"] = "x + floor(x) - floor(x)"
    with pytest.raises(NotInCoq, match="the function floor"):
        coq_file({"one": [document]})
