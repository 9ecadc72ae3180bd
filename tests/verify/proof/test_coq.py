"""Outlines as theorems of Coq, on vectors of any real inner product space."""

import re
import shutil
from pathlib import Path

import pytest

from tests.verify.proof.proved import proved
from verify.certify.checker import accepts
from verify.certify.coq.asked import OF_THE_REALS, axioms, coqc
from verify.proof.checker import opened
from verify.proof.coq.gram import in_numbers
from verify.proof.coq.theorem import NotInCoq, whole_file

WHOLE = (
    "gradient_descent_pl",
    "sgd_nonconvex",
    "sgd_decreasing_step",
    "last_iterate",
    "fedavg_identical_clients",
    "fedprox_inexact",
    "groups_that_stay",
)


@pytest.mark.parametrize("name", WHOLE)
def test_a_step_in_numbers_is_accepted(name):
    document = proved(name)
    outlined = opened(document)
    for item in document["steps"]:
        if "proof" in item:
            proof = {k: item[k] for k in ("proof", "atoms", "sums")}
            found = in_numbers({**outlined.question(item), **proof})
            assert accepts(found.document)
        outlined.know(item["name"], [(f"({item['right']}) - ({item['left']})", False)])


@pytest.mark.parametrize("name", WHOLE)
def test_the_theorem_says_for_all_rounds_and_functions(name):
    text = whole_file(proved(name), "whole")
    said = text[text.index("Theorem whole :") : text.index("Proof.", text.index("Theorem whole :"))]
    assert name == "fedprox_inexact" or re.search(r"\([TK] : nat\)", said)
    assert re.search(r"\(([FfJ]) : V -> R\) \(d\1 : V -> V\)", said)
    assert "Admitted" not in text
    assert "Axiom" not in text


def test_what_has_no_words_is_named():
    with pytest.raises(NotInCoq, match="draws"):
        whole_file(proved("scaffold_one_round"), "whole")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coq")
@pytest.mark.parametrize("name", WHOLE)
def test_coq_accepts_the_whole_theorem(name, tmp_path):
    text = whole_file(proved(name), "whole")
    status, said = coqc(text, Path(tmp_path))
    assert status == 0, said
    assert said.count("Axioms:") == 1
    assert axioms(said) <= OF_THE_REALS


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coq")
def test_coq_refuses_a_theorem_without_a_hypothesis(tmp_path):
    text = whole_file(proved("gradient_descent_pl"), "whole")
    before, after = text.split("Theorem whole :")
    line = next(part for part in after.split("\n") if "vsub point_to point_at" in part)
    weaker = after.replace(line, line.replace("0 <=", "-1 <="))
    assert coqc(f"{before}Theorem whole :{weaker}", Path(tmp_path))[0] != 0
