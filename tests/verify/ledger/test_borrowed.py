"""The evidence of a true claim under the name of its false twin: an audit names it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.each import each
from verify.catalogue.json_files import sha256
from verify.catalogue.user_file import Origin, load_statements
from verify.ledger.audit import audit
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings
from verify.terms.digest import statement_digest

TEXT = """from bounds import generic as xp
from verify import Hypothesis, Real, numbers, statement


@statement(
    "mine.sine",
    where="Lemma 1",
    latex="x",
    family=numbers({{"x": Real(0, 3, domain=(0, 8)), "y": Real(0, 1, domain=(0, 1))}}),
    given=[Hypothesis("{given}", "y", lambda w: w.x - w.y / 2, where="Lemma 1")],
)
def sine(w):
    return {{"l": xp.sin(w.x) * (1 + w.y)}}, {{"r": {factor} * w.x * (1 + w.y)}}
"""
TRUE = TEXT.format(factor="1", given="x is at least y/2")
FALSE = TEXT.format(factor="(9 / 10)", given="x is at least y/2")
RENAMED = TEXT.format(factor="1", given="y is at most 2 x")

Ledger = dict[str, Any]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with ``mine.py`` and its ledger, by which the claim holds."""
    folder = tmp_path_factory.mktemp("honest")
    file = folder / "mine.py"
    file.write_text(TRUE)
    origin = Origin.of(file)
    known = load_statements(origin)
    LedgerRun(known, known.select(), Settings(jobs=1), folder / "mine-ledger.json", origin).finish()
    return folder


def found(folder: Path, ledger: Ledger, text: str) -> str:
    """What an audit says of a ledger beside a file of this text."""
    file, path = folder / "other.py", folder / "other-ledger.json"
    file.write_text(text)
    path.write_text(json.dumps(ledger))
    own = load_statements(Origin.of(file))
    return " ".join(str(flaw) for flaw in audit(path, own=own, file=sha256(file)).flaws)


def read(folder: Path) -> Ledger:
    ledger: Ledger = json.loads((folder / "mine-ledger.json").read_text())
    return ledger


def leaf_of(ledger: Ledger) -> dict[str, Any]:
    leaf: dict[str, Any] = ledger["entries"][0]["leaves"][0]
    return leaf


def bound(folder: Path, ledger: Ledger, text: str) -> Ledger:
    """The ledger with digests as if it were made of a file of this text."""
    file = folder / "other.py"
    file.write_text(text)
    (own,) = (leaf for e in load_statements(Origin.of(file)) for leaf in e.leaves)
    leaf_of(ledger)["source"] = {"sha256": sha256(file), "code": statement_digest(own)}
    return ledger


def test_what_is_honest_is_not_accused(honest: Path, fedassay: Callable[..., Any]) -> None:
    assert leaf_of(read(honest))["verdict"] == "holds"
    code, out, _ = fedassay("audit", honest / "mine-ledger.json", "--trust", honest / "mine.py")
    assert code == 0, out
    assert "every verdict follows from its evidence" in out


def test_a_ledger_of_another_file_is_named(honest: Path) -> None:
    said = found(honest, read(honest), FALSE)
    assert "mine.sine: it was made of another file" in said


def test_so_is_one_whose_file_is_not_said(honest: Path) -> None:
    ledger = read(honest)
    del leaf_of(ledger)["source"]
    assert "does not say of which file it was made" in found(honest, ledger, FALSE)


def test_and_one_of_another_statement_of_the_file(honest: Path) -> None:
    ledger = bound(honest, read(honest), FALSE)
    leaf_of(ledger)["source"]["code"] = "0" * 16
    assert "made of another statement of that file" in found(honest, ledger, FALSE)


def test_borrowed_evidence_with_right_digests_is_scored_again(honest: Path) -> None:
    ledger = bound(honest, read(honest), FALSE)
    said = found(honest, ledger, FALSE)
    assert "mine.sine: the tightest instance has the ratio 1.1" in said
    assert found(honest, bound(honest, read(honest), TRUE), TRUE) == ""


def outside(leaf: dict[str, Any]) -> None:
    leaf["tightness"]["instance"]["x"] = -1.0


def of_another_shape(leaf: dict[str, Any]) -> None:
    leaf["tightness"]["instance"]["N"] = 3


def missing_a_hypothesis(leaf: dict[str, Any]) -> None:
    leaf["tightness"]["instance"] |= {"x": 0.0, "y": 1.0}


def without_a_number(leaf: dict[str, Any]) -> None:
    del leaf["tightness"]["instance"]["x"]


def lowered(leaf: dict[str, Any]) -> None:
    leaf["tightness"]["ratio"] = 0.25


def forgotten(leaf: dict[str, Any]) -> None:
    leaf["tightness"] = None


NOT_ONE = "the tightest instance is none of the statement's that meets every hypothesis"


@each(
    ("change", "said"),
    [
        (outside, ""),
        (of_another_shape, NOT_ONE),
        (missing_a_hypothesis, NOT_ONE),
        (without_a_number, NOT_ONE),
        (lowered, "the tightest instance has the ratio 1"),
        (lowered, "the largest ratio of its search is"),
        (forgotten, "its tightest None"),
    ],
)
def test_what_was_changed_of_a_tightest_instance_is_named(
    change: Callable[[dict[str, Any]], None], said: str, honest: Path
) -> None:
    ledger = bound(honest, read(honest), TRUE)
    change(leaf_of(ledger))
    told = found(honest, ledger, TRUE)
    assert told
    assert said in told


def test_a_price_paid_for_a_hypothesis_of_another_claim_is_named(honest: Path) -> None:
    ledger = bound(honest, read(honest), RENAMED)
    said = found(honest, ledger, RENAMED)
    assert "a price was paid for 'x is at least y/2', which is no hypothesis of this claim" in said
