"""No page lists a value of the instance that nothing on it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.report.by_hand.cases import PAPERS, stored, told
from verify.catalogue.library import library
from verify.claim.instance import Instance
from verify.ledger.inside import inside
from verify.report.by_hand.matters import Matters
from verify.report.by_hand.notation import notation
from verify.world.referee import exact_instance, rescore

FEW = [
    "adaptive.lemma2/cluster@plain-b+mean-excess+after-step",
    "allforall.ineq.wga_rec@every-outcome",
    "allforall.lemma4a",
    "fedbc.eq59@as-set",
    "hcct.lemma1/unbiased@algorithm",
    "hcct.theorem1@bounded+loss",
]
"""Among them one whose formulas are too long, and means that no noise of mean zero changes."""
READ_BUT_UNUSED = "adaptive.lemma2/cluster@plain-b+mean-excess+after-step"
"""A claim with a continuous rule of weights that reads the threshold of the other rule."""


def unused(key: str) -> list[str]:
    """Fields that a page lists, that no other line names and no number of the claim rests on."""
    statement = library().leaf(key)
    paper = statement.source.paper
    table = notation(paper)
    assert table is not None
    instance = exact_instance(Instance.from_json(stored(paper)[key]["instance"]))
    rows = [(p.heading, r.tex) for p in told(key).parts for r in p.rows if r.tex]
    found = []
    for name, value in {**instance.data, **instance.params}.items():
        if not isinstance(value, np.ndarray | Fraction) or not table.has(name):
            continue
        array = np.asarray(value, dtype=object)
        texs = [table.entry(name, (0, *i), (1, *array.shape)) for i in np.ndindex(array.shape)]
        mine = [t for t in texs if any(h == "Numbers" and r.startswith(f"{t} ") for h, r in rows)]
        named = [t for t in mine if sum(t in r for _, r in rows) > 1]
        if mine and not named and not _changes(statement, instance, name):
            found.append(name)
    return found


def _changes(statement: Any, instance: Instance, name: str) -> bool:
    before = _numbers(statement, instance)
    return any(_numbers(statement, other) != before for other in _others(instance, name))


def _numbers(statement: Any, instance: Instance) -> str:
    try:
        found = rescore(statement, instance)
    except InvalidInput:
        return ""  # a value without which the claim says nothing
    event = inside(statement, instance) if statement.over == "prob" else None
    return repr((found.numbers(statement.quantifier), found.terms, event and event.terms))


def _others(instance: Instance, name: str) -> Iterator[Instance]:
    for where in ("data", "params"):
        fields = getattr(instance, where)
        if name in fields:
            for factor in (Fraction(3, 4), Fraction(5, 4)):
                array = np.asarray(fields[name], dtype=object)
                flat = list(array.reshape(-1))
                # all at once, then each alone: weights may be divided by their sum
                for chosen in [range(len(flat)), *([k] for k in range(len(flat)))]:
                    moved = np.array(
                        [x * factor or factor if k in chosen else x for k, x in enumerate(flat)],
                        dtype=object,
                    )
                    value = moved.reshape(array.shape) if array.ndim else moved.item()
                    yield replace(instance, **{where: {**fields, name: value}})


@pytest.mark.parametrize("key", FEW)
def test_a_page_lists_no_unused_value(key: str) -> None:
    assert unused(key) == []


def test_an_unused_value_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Matters, "__call__", lambda self, name: True)
    told.cache_clear()
    try:
        assert "threshold" in unused(READ_BUT_UNUSED)
    finally:
        told.cache_clear()


def has_formulas(key: str) -> bool:
    """Whether a page has a formula; claims too long for one list all that they read."""
    sides = [p for p in told(key).parts if p.heading in ("Left side", "Right side", "Hypotheses")]
    return any(row.tex.count("=") > 1 for part in sides for row in part.rows)


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_no_page_with_formulas_lists_an_unused_value(paper: str) -> None:
    keys = [key for key in stored(paper) if has_formulas(key)]
    assert keys
    assert {key: found for key in keys if (found := unused(key))} == {}
