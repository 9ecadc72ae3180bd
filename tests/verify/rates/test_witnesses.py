"""Witnesses of rates: small, re-scored, and in the ledger, whose audit still agrees."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verify.rates.planted import FALSE
from verify.catalogue.rates import select
from verify.claim.instance import Instance
from verify.cli.main import main
from verify.ledger.audit import audit
from verify.rates.findings import UNDER, finding, part
from verify.rates.many import PROFILES, Size, batches, measure
from verify.rates.record import Rate
from verify.run.curve_witness import witness
from verify.verdict.verdict import breaks

SIZE = replace(PROFILES["quick"], federations=12, rounds=50)


def found(rate: Rate, size: Size) -> dict[str, object]:
    return finding(rate, [part(n, measure(rate, n, size)) for n in batches(rate, size)])


@pytest.mark.parametrize("name", ["a quarter of sigma^2, exact", "eta doubled, exact"])
def test_an_exact_crossing_is_re_scored_in_fractions(name: str) -> None:
    rate = FALSE[name]
    shown = witness(rate, found(rate, SIZE), SIZE)
    assert shown is not None
    assert shown["number"] in ("rational", "ball")
    assert breaks(shown)


def test_a_sampled_accusation_is_made_smaller_and_judged_on_fresh_noise() -> None:
    rate = FALSE["noise dropped"]
    made = found(rate, SIZE)
    shown = witness(rate, made, SIZE)
    assert shown is not None
    assert breaks(shown)
    small = Instance.from_json(json.loads(json.dumps(shown["instance"])))
    first = rate.federation(shown["federation"], SIZE.seed)
    assert small.params["rounds"] <= made["worst_time"]
    assert len(small.data["xi"]) <= len(first.data["xi"])


def test_a_true_rate_has_no_witness() -> None:
    (rate, *_) = select(["adaptive.theorem2.const.refined"])
    made = found(rate, SIZE)
    assert made["word"] == UNDER
    assert witness(rate, made, SIZE) is None


def test_evidence_goes_into_the_ledger_and_the_audit_agrees(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    keys = ["allforall.lemma4a", "allforall.lemma4a.repaired"]
    assert main(["run", *keys, "--jobs", "1", "--json", str(ledger)]) == 0
    before = {e["key"]: e["verdict"] for e in json.loads(ledger.read_text())["entries"]}
    asked = ["--federations", "6", "--jobs", "1", "--json", str(tmp_path / "r.json")]
    for _ in range(2):  # a second time replaces what the first has added
        assert main(["rates", *keys, *asked, "--ledger", str(ledger)]) == 0
    found = audit(ledger)
    told, flaws = found.ledger, found.flaws
    assert flaws == []
    assert {e["key"]: e["verdict"] for e in told["entries"]} == before
    for entry in told["entries"]:
        added = [e for e in entry["leaves"][0]["evidence"] if e["rung"] == "simulation"]
        assert len([e for e in added if "rate" in e.get("details", {})]) == 1


def test_a_ledger_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rates", "allforall.lemma4a", "--ledger", "/nowhere/l.json"]) == 2
    assert "pass a ledger that 'fedassay run' wrote" in capsys.readouterr().err
