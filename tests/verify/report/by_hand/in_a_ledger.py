"""A ledger whose entries fall by the stored witnesses of the library's own statements."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.verify.report import ledgers
from tests.verify.report.by_hand.cases import stored
from verify.catalogue.json_files import write_json
from verify.catalogue.library import library
from verify.claim.instance import Instance
from verify.ledger.ledger import entry_json, ledger_json, witness_path
from verify.verdict.evidence import Evidence
from verify.world.referee import rescore


def violated(folder: Path, keys: Iterable[str]) -> Path:
    """Write a ledger of the entries of these leaves, with every reading that has a witness."""
    path, known, entries = folder / "fallen.json", library(), []
    for entry in (known.entry(key) for key in keys):
        held = stored(entry.paper)
        leaves = [_leaf(s.key, held[s.key], path) for s in entry.claims if s.key in held]
        spent = dict.fromkeys((leaf["id"] for leaf in leaves), 0.1)
        entries.append(entry_json(entry, leaves, spent, known.axes[entry.paper]))
    content = ledger_json(entries, known, seed=0, profile="quick", device="cpu", complete=False)
    write_json(path, content)
    return path


def _leaf(key: str, case: dict[str, Any], path: Path) -> dict[str, Any]:
    statement = library().leaf(key)
    numbers = rescore(statement, Instance.from_json(case["instance"])).numbers(statement.quantifier)
    found = Evidence("exact", "decided", "an instance breaks the claim", tried=1, witness=numbers)
    file = witness_path(path, key)
    head = {"schema": "fedassay-witness/1", "key": key, "seed": 0, "code": "0" * 64}
    write_json(file, {**head, **numbers, "instance": case["instance"]})
    return ledgers.leaf(key, [found], witness=file.relative_to(path.parent).as_posix())
