"""Files are refused where another reader of JSON Schema refuses them too."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib import resources
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.verify.report import ledgers
from verify.catalogue.json_files import SCHEMAS, schema_flaw

LEDGER = "fedassay-ledger/1"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Content of the small ledger."""
    path = ledgers.ledger(tmp_path_factory.mktemp("schemas"))
    return json.loads(path.read_text())


def plain(schema: str, content: Any) -> bool:
    """Whether a file meets its schema as it is written."""
    text = (resources.files("verify") / "schema" / SCHEMAS[schema]).read_text(encoding="utf-8")
    return bool(Draft202012Validator(json.loads(text)).is_valid(content))


@pytest.mark.parametrize("schema", SCHEMAS)
def test_nothing_is_no_file(schema: str) -> None:
    assert schema_flaw({}, schema)
    assert not plain(schema, {})


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ((), None),
        (("verdict",), "perhaps"),
        (("verdict",), None),
        (("leaves", 0, "verdict"), None),
        (("leaves", 0, "witness"), "/etc/passwd"),
        (("leaves", 0, "evidence", 0, "rung"), 3),
        (("leaves", 0, "laws"), [{"exponent": 1}]),
    ],
)
def test_a_changed_ledger_is_refused_where_the_written_schema_refuses_it(
    content: Any, where: tuple[Any, ...], value: Any
) -> None:
    changed = deepcopy(content)
    part = changed["entries"][1]
    for name in where[:-1]:
        part = part[name]
    if where:
        part[where[-1]] = value
    assert (not schema_flaw(changed, LEDGER)) == plain(LEDGER, changed)
    if value in ("perhaps", 3):
        assert schema_flaw(changed, LEDGER)
