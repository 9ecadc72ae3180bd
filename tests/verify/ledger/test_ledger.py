"""Adding up leaves, and files that are ours or not."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.conftest import axis
from verify.catalogue.json_files import plain, read_json, write_json
from verify.catalogue.library import Library
from verify.catalogue.whole_files import require_writable
from verify.claim.axes import Axes
from verify.ledger.conclude import conclude
from verify.ledger.ledger import (
    SCHEMA,
    Finding,
    failures,
    ledger_json,
    store_witness,
    witness_path,
)


def leaf(key: str, word: str, witness: str | None = None) -> dict[str, Any]:
    return {"id": key, "verdict": word, "reason": f"because {key}", "witness": witness}


AXES = Axes([axis("1", "2"), axis("p", "q")])


@pytest.mark.parametrize(
    ("leaves", "word", "deciding"),
    [
        ([("a", "holds")], "holds", "a"),
        ([("a@1", "violated"), ("a@2", "holds")], "violated", "a@1"),
        ([("a@1", "holds"), ("a@2", "violated")], "holds", "a@1"),
        ([("a/x", "proved"), ("a/y", "violated")], "violated", "a/y"),
        (
            [("a/x@1", "violated"), ("a/x@2", "inconclusive"), ("a/y", "proved")],
            "violated",
            "a/x@1",
        ),
        ([("a/x", "not-checkable"), ("a/y", "inconclusive")], "not-checkable", "a/x"),
        ([("a/x", "not-checkable"), ("a/y", "violated")], "violated", "a/y"),
        (
            [
                ("a/x@1+p", "holds"),
                ("a/x@1+q", "violated"),
                ("a/x@2", "violated"),
                ("a/y@p", "proved"),
                ("a/y@q", "violated"),
            ],
            "holds",
            "a/x@1+p",
        ),
    ],
)
def test_worst_part_under_the_first_options(
    leaves: list[tuple[str, str]], word: str, deciding: str
) -> None:
    found = conclude([leaf(*pair) for pair in leaves], AXES)
    assert found.verdict == word
    assert found.deciding is not None
    assert found.deciding["id"] == deciding


def test_no_part_takes_an_option_that_another_part_does_not_take() -> None:
    """Each part stands in one of the readings, and the two readings are not the same."""
    leaves = [
        leaf("a/x@1", "holds"),
        leaf("a/x@2", "violated"),
        leaf("a/y@1", "violated"),
        leaf("a/y@2", "holds"),
    ]
    axes = Axes([axis("1", "2")])
    for name in ("1", "2"):
        assert conclude(leaves, axes, {"1-2": name}).verdict == "violated"


def test_the_reason_names_every_leaf() -> None:
    reason = conclude([leaf("p.a/x@1", "violated"), leaf("p.a/x@2", "holds")], AXES).reason
    assert reason == "x@1 violated: because p.a/x@1; x@2 holds: because p.a/x@2"


def test_no_leaves_no_verdict() -> None:
    assert conclude([]).verdict is None


def test_strict_passes_over_printed_forms_and_definitions() -> None:
    entries = [
        {"key": "a", "form": "printed", "verdict": "violated"},
        {"key": "b", "form": "repaired", "verdict": "proved"},
        {"key": "c", "form": "repaired", "verdict": None},
        {"key": "d", "form": "explicit", "verdict": "inconclusive"},
    ]
    assert failures({"entries": entries}) == ["d"]


def test_plain_values_survive_json() -> None:
    value = {
        "a": np.array([1.5, math.inf]),
        "b": Fraction(1, 3),
        "c": (np.int64(2), math.nan),
        "d": np.float64(-math.inf),
    }
    got = json.loads(json.dumps(plain(value), allow_nan=False))
    assert got["a"][0] == 1.5
    assert got["a"][1] > 1e308
    assert got["b"] == "1/3"
    assert got["c"] == [2, None]
    assert got["d"] < -1e308


def test_witnesses_of_different_ledgers_do_not_meet(tmp_path: Path) -> None:
    usual = witness_path(tmp_path / "fedassay-ledger.json", "p.a/x@1")
    other = witness_path(tmp_path / "other.json", "p.a/x@1")
    assert usual == tmp_path / "witnesses" / "p.a_x__1.json"
    assert other.parent == tmp_path / "other-witnesses"


def test_the_leaf_refers_to_its_witness_relative_to_the_ledger(tmp_path: Path) -> None:
    finding = Finding({"id": "p.a", "witness": None}, {"schema": "x"}, 0.0)
    stored = store_witness(tmp_path / "fedassay-ledger.json", finding)
    assert stored["witness"] == "witnesses/p.a.json"
    assert (tmp_path / stored["witness"]).is_file()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"old": 1})
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(path, {"new": math.nan})
    assert json.loads(path.read_text()) == {"old": 1}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "existing file"),
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"{", "error at line 1"),
        (b"\xff\xfe\x00", "not text"),
        (b"[1, 2]", "fedassay-ledger/1 file"),
        (b"null", "fedassay-ledger/1 file"),
        (b'{"a": 1}', "schema None"),
        (b'{"schema": "fedassay-ledger/2"}', "fedassay-ledger/2"),
        (b'{"schema": "fedassay-witness/1"}', "this is a witness"),
        (b'{"schema": "fedassay-ledger/1"}', "required property"),
        (b"[" * 100_000, "more than 100 levels"),
    ],
)
def test_foreign_files_get_one_sentence(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidInput, match=message) as caught:
        read_json(path, SCHEMA)
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="ledger must be readable"):
        read_json(tmp_path, SCHEMA)


def test_unwritable_places_are_found_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match="ledger must be writable"):
        require_writable("ledger", tmp_path / "file" / "ledger.json")
    with pytest.raises(InvalidInput, match="ledger must be a file"):
        require_writable("ledger", tmp_path)
    require_writable("ledger", tmp_path / "new" / "ledger.json")
    assert list((tmp_path / "new").iterdir()) == []


def test_an_empty_ledger_meets_its_schema(tmp_path: Path) -> None:
    made = ledger_json([], Library([]), seed=0, profile="quick", device="cpu", complete=False)
    write_json(tmp_path / "a.json", made)
    assert read_json(tmp_path / "a.json", SCHEMA) == made
