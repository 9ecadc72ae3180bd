"""What rates found, added to a ledger: evidence of the rung ``simulation``, and witnesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.catalogue.json_files import plain, read_json, write_json
from verify.catalogue.library import Library, library
from verify.catalogue.rates import rate_of
from verify.ledger.conclude import conclude
from verify.ledger.ledger import SCHEMA, ledger_json, witness_path
from verify.rates.findings import NOWHERE, UNDER
from verify.rates.many import Size
from verify.run.curve_witness import witness
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import breaks, verdict

WITNESS = "fedassay-witness/1"


def evidence_of(found: Mapping[str, Any], size: Size, shown: Mapping[str, Any] | None) -> Evidence:
    """Evidence of one finding; it decides nothing unless it carries a witness."""
    last = found["times"][-1]
    what = (
        f"{len(found['federations'])} federations ({found['problems']}) to round {last}, seed "
        f"{size.seed}"
    )
    if found["word"] == NOWHERE:
        return Evidence("simulation", "not-applicable", f"none of {what} meets the hypotheses")
    means = "exact means" if found["exact"] else f"e-value 1e{found['log10_e']:.1f}"
    said = {
        UNDER: "no curve crosses its bound",
    }.get(found["word"], "a curve crosses its bound")
    summary = (
        f"{said}: {what}, {means}, measured/bound up to {found['worst_ratio']:.4g} "
        f"(federation {found['worst_federation']} at round {found['worst_time']})"
    )
    numbers = (
        None
        if shown is None
        else {
            "e_value": 1.0,
            **{k: v for k, v in shown.items() if k not in ("federation", "noise_key")},
            **({"key": shown["noise_key"]} if "noise_key" in shown else {}),
        }
    )
    if numbers is not None and numbers["number"] != "simulated":
        del numbers["e_value"]
    return Evidence(
        "simulation",
        "reported",
        summary,
        tried=len(found["federations"]),
        worst=found["worst_ratio"],
        witness=numbers,
        scope=f"{found['problems']}, drawn",
        details={"median at the end": found["median"][-1], "rate": found["rate"]},
    )


def add_to_ledger(path: Path, made: Mapping[str, Any]) -> list[str]:
    """Add everything that was measured to a ledger; keys of the leaves that were found there.

    Raises
    ------
    InvalidInput
        If the file is no ledger.
    """
    ledger = read_json(path, SCHEMA)
    size, known = Size(**made["size"]), library()
    told = []
    for entry in ledger["entries"]:
        for leaf in entry["leaves"]:
            mine = [item for item in made["rates"] if item["statement"] == leaf["id"]]
            if mine:
                _add(path, leaf, mine, size)
                told.append(leaf["id"])
        _conclude(entry, known)
    rest = {k: ledger[k] for k in ("seed", "profile", "complete")}
    device = ledger["environment"].get("device", "cpu")
    again = ledger_json(ledger["entries"], known, **rest, device=device)
    write_json(path, {**again, "environment": ledger["environment"], "version": ledger["version"]})
    return told


def _add(path: Path, leaf: dict[str, Any], found: Sequence[Mapping[str, Any]], size: Size) -> None:
    rates = {item["rate"] for item in found}
    leaf["evidence"] = [
        raw for raw in leaf["evidence"] if raw.get("details", {}).get("rate") not in rates
    ]
    for item in found:
        shown = witness(rate_of(item["rate"]), item, size)
        made = evidence_of(item, size, shown)
        leaf["evidence"].append(plain(made.to_json()))
        if leaf["witness"] is None and shown is not None and breaks(shown):
            numbers = {k: v for k, v in shown.items() if k != "federation"}
            target = witness_path(path, leaf["id"])
            write_json(target, plain({"schema": WITNESS, "key": leaf["id"], **numbers}))
            leaf["witness"] = target.relative_to(path.parent).as_posix()
    word = verdict([Evidence.from_json(raw) for raw in leaf["evidence"]])
    leaf["verdict"], leaf["rung"], leaf["reason"] = word.word, word.rung, word.reason


def _conclude(entry: dict[str, Any], known: Library) -> None:
    axes = known.axes.get(entry["paper"], None)
    found = conclude(entry["leaves"], axes)
    entry["verdict"], entry["reason"], entry["witness"] = (
        found.verdict,
        found.reason,
        found.witness,
    )
