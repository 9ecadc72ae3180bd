"""Coq proves each schema."""

import re
import shutil
from pathlib import Path

import pytest

from verify.certify.coq.asked import OF_THE_REALS, axioms, coqc
from verify.proof.coq.lemmas import LEMMAS, SCHEMA_LEMMAS
from verify.proof.schemas import SCHEMAS


def test_each_schema_names_its_lemma():
    assert {schema.lemma for schema in SCHEMAS.values()} == {*LEMMAS}
    stated = re.findall(r"^Lemma (\w+) :", SCHEMA_LEMMAS, re.MULTILINE)
    assert {*LEMMAS} <= {*stated}
    assert "Admitted" not in SCHEMA_LEMMAS


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coq")
def test_coq_accepts_them(tmp_path):
    asked = "\n".join(f"Print Assumptions {name}." for name in LEMMAS)
    status, said = coqc(f"{SCHEMA_LEMMAS}\n{asked}\n", Path(tmp_path))
    assert status == 0, said
    assert axioms(said) <= OF_THE_REALS
    wrong = SCHEMA_LEMMAS.replace(
        "Sig (fun t => a (S t)) T - INR T * a T", "Sig a T - INR (S T) * a T"
    )
    assert wrong != SCHEMA_LEMMAS
    assert coqc(wrong, Path(tmp_path))[0] != 0
