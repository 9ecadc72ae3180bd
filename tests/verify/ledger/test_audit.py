"""An honest ledger passes the audit; every kind of tampering is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verify.ledger.audit import audit

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


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
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
    flaws = " ".join(str(flaw) for flaw in audit(made / "mine-ledger.json")[1])
    assert "is about mine.mean" in flaws
    assert "carry no accusation" in flaws


def test_an_honest_ledger_passes(made: Path, fedassay: Fedassay) -> None:
    code, out, _ = fedassay("audit", made / "mine-ledger.json")
    assert (code, out) == (
        0,
        "complete ledger, 3 entries, 3 leaves: every verdict follows from its evidence\n",
    )
