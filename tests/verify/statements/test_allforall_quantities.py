"""Symbols and shapes of the all-for-all paper, and its tables: no line is without a statement."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from bounds.numbers.validate import InvalidInput
from verify.catalogue.paper import paper
from verify.claim import Real, Wording
from verify.statements import allforall
from verify.statements.allforall import quantities as q


def test_every_line_of_every_table_has_a_statement() -> None:
    """A line without one would be a claim that nobody asks."""
    said = {leaf.key.removeprefix("allforall.") for leaf in paper(allforall)}
    found = 0
    for info in pkgutil.iter_modules(allforall.__path__):
        module = importlib.import_module(f"verify.statements.allforall.{info.name}")
        for table in (v for v in vars(module).values() if isinstance(v, Wording)):
            found += len(table.rows)
            assert [n for n in table.rows if n not in said | {k.split("@")[0] for k in said}] == []
    assert found > 150


def test_symbols_have_the_range_of_the_table_or_their_own() -> None:
    own = Real(0, 2)
    made = q.box("mu share mine", share=own, mine=own)
    assert list(made) == ["mu", "share", "mine"]
    assert (made["mu"], made["share"]) == (q.SYMBOLS["mu"], own)
    with pytest.raises(InvalidInput, match=r"symbols must be among mu, got \{'mine'\}"):
        q.box("mu", mine=own)


def test_shapes_are_rows_of_a_table() -> None:
    assert q.sizes("N rounds", (1, 4), (2, 8)) == ({"N": 1, "rounds": 4}, {"N": 2, "rounds": 8})
    assert q.sizes("graph", "path") == ({"graph": "path"},)
    with pytest.raises(ValueError, match="longer"):
        q.sizes("N", (1, 4))
