"""A fault of the package's own code surfaces; one of a statement's program is an answer.

Each part of the ladder that goes on where a changed claim makes no sense is made to meet an
AttributeError of its own, as a typo would raise it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import verify
from tests.verify.cases import SMALL, assume, claim, numbers
from verify import check
from verify.claim.instance import Instance
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement
from verify.ladder import assay
from verify.ladder.price import mutants, trials
from verify.ladder.price.power import measure_power
from verify.ladder.repair import candidates, mending, repairs
from verify.ladder.rungs import program_check
from verify.ladder.search import growth
from verify.ladder.search.pool import Pool
from verify.world import returned
from verify.world.noise_plan import AllOutcomes, NoValue
from verify.world.score import score

FAMILY = numbers(x=Real(1 / 8, 8), y=Real(1 / 8, 8))
ROOT = Path(verify.__file__).parent


class TypoError(AttributeError):
    """What a planted typo raises; an AttributeError that nobody else raises."""


def typo(*_: Any, **__: Any) -> Any:
    raise TypoError("'Pool' object has no attribute 'tpos'")


HOLDS = claim(
    lambda w: ({"l": w.x}, {"x": w.x, "y": w.y}),
    FAMILY,
    given=assume({"x is at least y": lambda w: w.x - w.y}),
)
FALLS = claim(lambda w: ({"l": 2 * w.x}, {"x": w.x}), FAMILY)
ORDER = claim(lambda w: ({"l": w.x**2}, {"x": w.x}), FAMILY, relation="<~")
PLANTED: dict[str, tuple[Any, str, Statement]] = {
    "mutants": (mutants, "right_side", HOLDS),
    "trials": (trials, "breaks_on_kept", HOLDS),
    "the search of a trial": (trials, "small_hunt", HOLDS),
    "the program": (program_check, "_rows", HOLDS),
    "candidates": (candidates, "further_term", FALLS),
    "the sample of mends": (mending, "_excess", FALLS),
    "a changed claim": (repairs, "mended", FALLS),
    "what is removed": (repairs, "rescore", FALLS),
    "rays": (growth, "_grows", ORDER),
}


@pytest.mark.parametrize("where", PLANTED)
def test_a_planted_attribute_error_surfaces(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, statement = PLANTED[where]
    monkeypatch.setattr(module, name, typo)
    with pytest.raises(TypoError):
        assay(statement, profile=replace(SMALL, effort=1))


@pytest.mark.parametrize("statement", [HOLDS, FALLS, ORDER], ids=["holds", "falls", "order"])
def test_without_it_the_same_claim_is_judged(statement: Statement) -> None:
    """Control."""
    assert assay(statement, profile=replace(SMALL, effort=1)).verdict


def of_a_typo(w: Any) -> Any:
    return {"l": w.x.real_part}, {"x": w.x}


def of_a_text(w: Any) -> Any:
    return {"l": w.x + len(3)}, {"x": w.x}  # type: ignore[arg-type]


def of_an_unknown_name(w: Any) -> Any:
    return {"l": nowhere * w.x}, {"x": w.x}  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("sides", "error"),
    [(of_a_typo, "AttributeError"), (of_a_text, "TypeError"), (of_an_unknown_name, "NameError")],
)
def test_a_wrong_program_is_one_sentence(sides: Callable[[Any], Any], error: str) -> None:
    reason = check(claim(sides, FAMILY)).reason
    assert reason.startswith(f"stopped by {error} in test_planted_errors.py, line ")
    assert "\n" not in reason


def test_what_a_program_meets_is_the_cause() -> None:
    batch = FAMILY.instance({"x": np.ones(2), "y": np.ones(2)}, {})
    with pytest.raises(NoValue) as caught:
        score(claim(of_a_typo, FAMILY), batch)
    assert isinstance(caught.value.__cause__, AttributeError)
    assert str(caught.value) == str(caught.value.__cause__)


@pytest.mark.parametrize("error", [ValueError, KeyError, ZeroDivisionError, RuntimeError])
def test_what_formulas_raise_outside_their_domain_stays_what_it_is(error: type[Exception]) -> None:
    def sides(w: Any) -> Any:
        raise error

    batch = FAMILY.instance({"x": np.ones(2), "y": np.ones(2)}, {})
    with pytest.raises(error) as caught:
        returned.sides_of(claim(sides, FAMILY), score(HOLDS, batch).world)
    assert not isinstance(caught.value, NoValue)


def test_a_mutant_without_a_value_is_no_fault() -> None:
    """A count becomes a float in a mutant, and no range ends at one."""

    def counted(values: Mapping[str, Any], shape: Shape) -> Instance:
        made = FAMILY.build(values, shape)
        return replace(made, params={**made.params, "n": 2})

    def sides(w: Any) -> Any:
        return {"l": w.x}, {"r": sum((w.x for _ in range(w.n)), 0 * w.x)}

    statement = claim(sides, replace(FAMILY, build=counted))
    pool = Pool(statement, AllOutcomes())
    pool.evaluate({"x": np.array([1.0, 2.0]), "y": np.array([1.0, 2.0])}, {}, keep=True)
    assert "n" in pool.kept[0].world.read
    power = measure_power(pool).power
    assert power is not None
    assert power["counted"] > 0
    assert not any("n" in name for name in power["survivors"])


def test_no_file_of_these_rooms_catches_type_or_attribute_errors() -> None:
    rooms = ("ladder", "world", "ledger", "run", "cli")
    open_yet = {"unproved.py"}  # it asks the symbolic reading, which raises these
    files = [p for room in rooms for p in sorted((ROOT / room).rglob("*.py"))]
    assert len(files) > 80
    caught = {path.name: names for path in files if (names := _caught(path.read_text()))}
    assert {name: names for name, names in caught.items() if name not in open_yet} == {}


def test_a_caught_type_error_is_seen() -> None:
    """Control."""
    source = "BAD = (OSError, TypeError)\ntry:\n    pass\nexcept AttributeError:\n    pass\n"
    assert _caught(source) == ["AttributeError", "TypeError"]


def _caught(source: str) -> list[str]:
    """TypeError and AttributeError in handlers, and in tuples that stand for handlers."""
    tree = ast.parse(source)
    places: list[ast.AST] = [
        n.type for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler) and n.type
    ]
    places += [
        n.value
        for n in tree.body
        if isinstance(n, ast.Assign)
        and isinstance(n.value, ast.Tuple)
        and all(isinstance(x, ast.Name) for x in n.value.elts)
    ]
    names = {n.id for place in places for n in ast.walk(place) if isinstance(n, ast.Name)}
    return sorted(names & {"TypeError", "AttributeError"})
