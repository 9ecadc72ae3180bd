"""``export``, ``verify-certificate``, ``explain``: a proof goes out, is checked, is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trusted.certify.coq.test_coq import needs_coq
from verify.catalogue.library import library
from verify.claim.statement import Statement

Call = Callable[..., tuple[int, str, str]]


def test_an_exported_proof_is_accepted_and_a_forged_one_is_not(
    fedassay: Call, tmp_path: Path
) -> None:
    file = tmp_path / "proof.json"
    code, out, _ = fedassay("export", "adaptive.def1.sum", "--to", "json", "-o", file)
    assert code == 0
    assert "2 proofs of adaptive.def1.sum/value, adaptive.def1.sum/bound" in out
    code, out, _ = fedassay("verify-certificate", file)
    assert code == 0
    assert out.count("accepted: ") == 2
    document = json.loads(file.read_text())
    document["proofs"][1]["claim"]["left"] = "2"
    file.write_text(json.dumps(document))
    code, out, _ = fedassay("verify-certificate", file)
    assert code == 1
    assert "refused: the left side that is proved is not the claimed one" in out


def test_what_is_no_proof_is_refused(fedassay: Call, tmp_path: Path) -> None:
    for text in ("no JSON", "[]", "{}", '{"proofs": []}', '{"format": "other"}'):
        (tmp_path / "file").write_text(text)
        code, out, _ = fedassay("verify-certificate", tmp_path / "file")
        assert code == 1
        assert out.startswith("refused: ")
    code, _, said = fedassay("verify-certificate", tmp_path / "missing")
    assert code == 2
    assert "file must be usable" in said


def test_what_has_no_certificate_is_not_exported(fedassay: Call, tmp_path: Path) -> None:
    code, _, said = fedassay(
        "export", "allforall.theorem8.repaired", "--to", "json", "-o", tmp_path / "x"
    )
    assert code == 2
    assert "key must name a statement with a certificate, got allforall.theorem8.repaired" in said
    assert "it is about means over the noise" in said
    assert not (tmp_path / "x").exists()


def test_a_proof_is_written_for_coq(fedassay: Call, tmp_path: Path) -> None:
    file = tmp_path / "proof.v"
    code, _, _ = fedassay("export", "adaptive.def1.sum/bound", "--to", "coq", "-o", file)
    assert code == 0
    text = file.read_text()
    assert "Theorem claim_adaptive_def1_sum_bound :" in text
    assert "(forall k, (1 <= k <= N)%nat -> 0 < sigma2 k) ->" in text
    assert "Print Assumptions claim_adaptive_def1_sum_bound." in text


KINDS: dict[str, Callable[[Statement], bool]] = {
    "it says that an instance exists": lambda leaf: leaf.quantifier == "some",
    "it is about means over the noise": lambda leaf: (
        leaf.quantifier == "all" and leaf.over == "mean"
    ),
    "it leaves a constant open": lambda leaf: leaf.over == "point" and leaf.relation == "<~",
}
"""Reasons that follow from what a claim is, whatever is proved some day."""


def test_what_holds_without_a_proof_is_listed_by_the_reason(fedassay: Call, tmp_path: Path) -> None:
    from verify.ledger.expected import SCHEMA

    leaves = [leaf for entry in library() for leaf in entry.leaves if leaf.sides is not None]
    shown = {why: next(leaf.key for leaf in leaves if kind(leaf)) for why, kind in KINDS.items()}
    words = {"adaptive.def1.sum/value": "proved", **dict.fromkeys(shown.values(), "holds")}
    kept = {
        key: {"verdict": word, "rung": "search", "tightness": None, "met": None}
        for key, word in words.items()
    }
    made = {
        "schema": SCHEMA,
        "profile": "quick",
        "seed": 0,
        "entries": {},
        "readings": {},
        "leaves": kept,
        "partial": [],
    }
    (tmp_path / "expected.json").write_text(json.dumps(made))
    code, out, _ = fedassay("unproved", tmp_path / "expected.json")
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    for why, key in shown.items():
        assert [key, *why.split()] in lines
        assert ["1", *why.split()] in lines
    assert "1 of 4 standing leaves are proved" in out
    code, out, _ = fedassay("unproved", tmp_path / "expected.json", "--count")
    assert code == 0
    assert not any(key in out for key in words)


def test_the_word_of_the_ledger_is_taken(fedassay: Call, tmp_path: Path) -> None:
    """A claim that has a proof, and holds by the ledger: the search for one is not run again."""
    from verify.ledger.expected import SCHEMA

    leaf = {"verdict": "holds", "rung": "search", "tightness": None, "met": None}
    made = {
        "schema": SCHEMA,
        "profile": "quick",
        "seed": 0,
        "entries": {},
        "readings": {},
        "leaves": {"adaptive.def1.sum/value": leaf},
        "partial": [],
    }
    (tmp_path / "expected.json").write_text(json.dumps(made))
    code, out, _ = fedassay("unproved", tmp_path / "expected.json")
    assert code == 0
    assert "its formula was read, and no proof of it found" in out
    assert "0 of 1 standing leaves are proved" in out


def test_a_proof_is_explained_by_search_from_a_file_and_from_a_ledger(
    fedassay: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # no ledger is at hand there
    key, file = "adaptive.def1.sum/bound", tmp_path / "proof.json"
    code, searched, _ = fedassay("explain", key)
    assert code == 0
    assert searched.startswith(f"{key}\n\nClaim: ")
    assert ": identically " in searched
    fedassay("export", key, "--to", "json", "-o", file)
    code, read, _ = fedassay("explain", file)
    assert (code, read.replace(file.name, key, 1)) == (0, searched)
    code, tex, _ = fedassay("explain", key, "--latex")
    assert code == 0
    assert tex.startswith(r"\paragraph{adaptive.def1.sum/bound}")

    fedassay("run", key, "--jobs", "1")  # where a ledger is found by its usual name
    assert (tmp_path / "fedassay-ledger.json").is_file()
    assert fedassay("explain", key) == (0, searched, "")
    ledger = json.loads((tmp_path / "fedassay-ledger.json").read_text())
    (leaf,) = [leaf for entry in ledger["entries"] for leaf in entry["leaves"] if leaf["id"] == key]
    (item,) = [item for item in leaf["evidence"] if item.get("proof")]
    item["proof"]["certificates"][0]["written"]["claim"]["right"] = "2"
    (tmp_path / "forged.json").write_text(json.dumps(ledger))
    code, out, said = fedassay("explain", key, "--ledger", "forged.json")
    assert (code, out) == (2, "")
    assert f"ledger must keep a proof of {key}, got one of something else" in said


def test_what_is_no_proof_is_not_explained(fedassay: Call, tmp_path: Path) -> None:
    code, _, said = fedassay("explain", "allforall.theorem8.repaired")
    assert code == 2
    assert "key must name a statement with a proof, got allforall.theorem8.repaired" in said
    file = tmp_path / "proof.json"
    for text, why in (
        ("no JSON", "file must hold proofs as JSON"),
        ('{"proofs": []}', "file must hold a proof"),
        ('{"format": "other"}', "the proof must be accepted by its checker"),
    ):
        file.write_text(text)
        code, out, said = fedassay("explain", file)
        assert (code, out) == (2, "")
        assert why in said


@needs_coq
@pytest.mark.slow
def test_a_ledger_is_audited_with_coq(fedassay: Call, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    assert fedassay("run", "adaptive.def1.sum", "-o", ledger)[0] == 0
    code, out, _ = fedassay("audit", ledger, "--coq")
    assert code == 0
    assert "2 proofs of 2 leaves: the checker alone accepts 2, Coq " in out
    assert out.endswith("accepts 2, of 2 leaves\n")
    text = json.loads(ledger.read_text())
    for leaf in text["entries"][0]["leaves"]:
        for item in leaf["evidence"]:
            if item.get("proof"):
                item["proof"]["certificates"][0]["written"]["claim"]["right"] = "0"
    ledger.write_text(json.dumps(text))
    code, out, _ = fedassay("audit", ledger, "--coq")
    assert code == 1
    assert "adaptive.def1.sum/value: the checker refuses 1 of 1" in out
    assert "2 proofs of 2 leaves: the checker alone accepts 0, Coq " in out
