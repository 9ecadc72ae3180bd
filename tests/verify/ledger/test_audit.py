"""An honest ledger passes the audit; every kind of tampering is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from verify.ledger.audit import audit
from verify.run.workers import execute

Fedassay = Callable[..., tuple[int, str, str]]


def entry(ledger: dict[str, Any], key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in ledger["entries"] if e["key"] == key)
    return found


def wrong(ledger: dict[str, Any]) -> dict[str, Any]:
    return entry(ledger, "mine.wrong")


def leaf(ledger: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = wrong(ledger)["leaves"][0]
    return found


def spoil_verdict(ledger: dict[str, Any]) -> None:
    leaf(ledger)["verdict"] = "holds"


def spoil_entry(ledger: dict[str, Any]) -> None:
    wrong(ledger)["verdict"] = "holds"


def spoil_reason(ledger: dict[str, Any]) -> None:
    wrong(ledger)["reason"] = "it is true"


def spoil_margin(ledger: dict[str, Any]) -> None:
    witness = next(e["witness"] for e in leaf(ledger)["evidence"] if "witness" in e)
    witness["margins"]["x at least 1"]["value"] = "-1/1"


def spoil_number(ledger: dict[str, Any]) -> None:
    witness = next(e["witness"] for e in leaf(ledger)["evidence"] if "witness" in e)
    witness["left"] = "7/1"


def spoil_power(ledger: dict[str, Any]) -> None:
    entry(ledger, "mine.mean")["leaves"][0]["power"]["killed"] += 1


def spoil_proof(ledger: dict[str, Any]) -> None:
    for item in entry(ledger, "mine.mean")["leaves"][0]["evidence"]:
        item.pop("proof", None)


def spoil_path(ledger: dict[str, Any]) -> None:
    leaf(ledger)["witness"] = wrong(ledger)["witness"] = "../elsewhere.json"


def spoil_missing_file(ledger: dict[str, Any]) -> None:
    leaf(ledger)["witness"] = wrong(ledger)["witness"] = "mine-ledger-witnesses/none.json"


def spoil_no_witness(ledger: dict[str, Any]) -> None:
    leaf(ledger)["witness"] = wrong(ledger)["witness"] = None


def spoil_double(ledger: dict[str, Any]) -> None:
    ledger["entries"].append(wrong(ledger))


def spoil_link(ledger: dict[str, Any]) -> None:
    link = {"kind": "empty", "key": "mine.mean", "verdict": "holds"}
    leaf(ledger)["evidence"].append({"rung": "link", "status": "decided", "link": link})


def spoil_constant(ledger: dict[str, Any]) -> None:
    link = {"kind": "explicit", "key": "mine.mean", "verdict": "proved"}
    leaf(ledger)["evidence"].append({"rung": "link", "status": "reported", "link": link})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (spoil_constant, "mine.mean is linked as 'proved', its line says None"),
        (spoil_verdict, "verdict is 'holds', the evidence gives 'violated'"),
        (spoil_entry, "mine.wrong: verdict is 'holds', its leaves give 'violated'"),
        (spoil_reason, "reason is 'it is true'"),
        (spoil_margin, "verdict is 'violated', the evidence gives"),
        (spoil_number, "are in none of the leaf's evidence"),
        (spoil_power, "power is"),
        (spoil_proof, "mine.mean: verdict is 'proved'"),
        (spoil_path, "outside the ledger's folder"),
        (spoil_missing_file, "must be an existing file"),
        (spoil_no_witness, "no witness is named"),
        (spoil_double, "several lines"),
        (spoil_link, "is linked as 'holds', its line says 'proved'"),
    ],
)
def test_tampering_is_found(
    made: Path, spoil: Callable[[dict[str, Any]], None], message: str, fedassay: Fedassay
) -> None:
    path = made / "mine-ledger.json"
    ledger = json.loads(path.read_text())
    spoil(ledger)
    path.write_text(json.dumps(ledger))
    code, out, err = fedassay("audit", path)
    assert code == 1
    assert message in out
    assert err == ""


def test_a_spoilt_witness_file_is_found(made: Path) -> None:
    path = made / "mine-ledger-witnesses" / "mine.wrong.json"
    witness = json.loads(path.read_text())
    witness["key"], witness["left"] = "mine.mean", "1/1"
    path.write_text(json.dumps(witness))
    flaws = " ".join(str(flaw) for flaw in audit(made / "mine-ledger.json").flaws)
    assert "is about mine.mean" in flaws
    assert "carry no accusation" in flaws


def test_processes_find_the_same_in_the_order_of_the_ledger(made: Path) -> None:
    path = made / "mine-ledger.json"
    ledger = json.loads(path.read_text())
    spoil_power(ledger)
    spoil_no_witness(ledger)
    path.write_text(json.dumps(ledger))
    here, there = audit(path), audit(path, execute=partial(execute, jobs=2))
    assert len(here.flaws) > 1
    assert here.loose
    assert (there.flaws, there.loose) == (here.flaws, here.loose)


def test_an_honest_ledger_passes(made: Path, fedassay: Fedassay) -> None:
    code, out, _ = fedassay("audit", made / "mine-ledger.json", "--trust", made / "mine.py")
    assert (code, out) == (
        0,
        "complete ledger, 3 entries, 3 leaves: every verdict follows from its evidence\n",
    )


def test_without_the_file_nothing_is_said_to_follow(made: Path, fedassay: Fedassay) -> None:
    code, out, _ = fedassay("audit", made / "mine-ledger.json")
    assert code == 0
    assert "mine.mean: certificate of: " in out
    assert "mine.wrong: mine.wrong.json is not compared with a statement" in out
    assert "bound to no statement: pass --trust FILE" in out
    assert "follows" not in out


def test_a_certificate_of_another_claim_is_found(made: Path, fedassay: Fedassay) -> None:
    """A true and checked identity, under the name of a claim that it says nothing about."""
    path, file = made / "mine-ledger.json", made / "mine.py"
    file.write_text(file.read_text().replace("4 * w.x * w.y", "3 * w.x * w.y"))
    code, out, _ = fedassay("audit", path, "--trust", file)
    assert code == 1
    assert "mine.mean: a certificate does not prove this claim" in out


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"x": "-1/1", "y": "-1/1"}, "x = -1 lies outside its domain"),
        ({"x": ["1/1"], "y": "1/1"}, "x has 1 axes instead of 0"),
        ({"x": "1/1", "y": "1/1", "N": 2}, "those of no listed shape"),
        ({"x": "1/1", "y": "2/1"}, "left: stored 5, recomputed 10"),
    ],
)
def test_an_instance_that_is_none_of_the_claims_is_found(
    made: Path, params: dict[str, Any], message: str, fedassay: Fedassay
) -> None:
    path = made / "mine-ledger-witnesses" / "mine.wrong.json"
    witness = json.loads(path.read_text())
    witness["instance"]["params"] = params
    path.write_text(json.dumps(witness))
    code, out, _ = fedassay("audit", made / "mine-ledger.json", "--trust", made / "mine.py")
    assert code == 1
    assert message in out
