"""What every statement of the library has to keep, whatever it says."""

from __future__ import annotations

import json
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import verify
from bounds import generic as xp
from bounds.numbers import as_rational
from tests.each import each
from verify.catalogue.library import describes, library
from verify.catalogue.worlds import WORLD
from verify.claim.families import quadratics
from verify.claim.instance import Instance
from verify.claim.statement import FORMS, Shape
from verify.ladder.rungs.units import measure_units
from verify.world.noise_plan import AllOutcomes, NotAvailable
from verify.world.score import Score, score

LEAVES = {leaf.key: leaf for entry in library() for leaf in entry.leaves}
CLAIMS = {key: leaf for key, leaf in LEAVES.items() if leaf.sides is not None}
_KINDS = """
theorem lemma property proposition corollary definition remark claim assumption example algorithm
data figure table
"""
KINDS = {*_KINDS.split(), "proof step", WORLD}
TRIED = 192
"""Random points among which instances that meet the hypotheses are looked for."""

claims = each("key", CLAIMS)


@cache
def shape_of(key: str) -> Shape:
    """The smallest shape with a helper, else the smallest."""
    shapes = CLAIMS[key].family.shapes
    return next((s for s in shapes if s.get("N", 2) >= 2), shapes[0])


@cache
def points(key: str) -> tuple[dict[str, Any], Score]:
    """Up to four points, those that meet every hypothesis first, and their score."""
    leaf, shape = CLAIMS[key], shape_of(key)
    u = np.random.default_rng(17).random((TRIED, leaf.family.width(shape)))
    values = leaf.family.decode(u, shape)
    tried = score(leaf, leaf.family.instance(values, shape)) if values else None
    if tried is None:
        return {}, score(leaf, leaf.family.instance({}, shape))
    rows = np.argsort(np.nan_to_num(tried.shortfall, nan=1e300), kind="stable")[:4]
    chosen = {k: v[rows] for k, v in values.items()}
    return chosen, score(leaf, leaf.family.instance(chosen, shape))


def sides(result: Score, row: int = 0) -> list[Any]:
    """Both sides of one instance, in floats, every outcome."""
    return [xp.to_float(side)[row if len(side) > 1 else 0] for side in (result.left, result.right)]


def close(one: list[Any], other: list[Any], tolerance: float) -> bool:
    """Equal up to rounding of the larger side."""
    size = max(float(np.abs(x).max()) for x in other)
    return all(
        np.allclose(a, b, rtol=tolerance, atol=tolerance * size)
        for a, b in zip(one, other, strict=True)
    )


# -- numbers ---------------------------------------------------------------------------------------


@claims
def test_builds_and_sides_are_generic(key: str) -> None:
    leaf, (values, batch) = CLAIMS[key], points(key)
    if not batch.feasible.any():
        pytest.skip("no instance meets every hypothesis")
    compared = 0
    for row in np.flatnonzero(batch.feasible)[:1]:
        lifted = {k: np.asarray(as_rational(v[row : row + 1])) for k, v in values.items()}
        try:
            exact = score(
                leaf, leaf.family.instance(lifted, shape_of(key)), "exact", AllOutcomes(1024)
            )
        except NotAvailable:
            continue
        # floats lose digits where two large numbers cancel; the sides say how large they were
        assert close(sides(batch, row), sides(exact), 1e-9)
        compared += 1
    assert compared or key in NO_EXACT_VALUE


NO_EXACT_VALUE: set[str] = set()
"""Claims none of whose instances has an exact value."""


@claims
def test_a_batch_scores_like_its_instances(key: str) -> None:
    leaf, (_, batch) = CLAIMS[key], points(key)
    for row in range(len(batch.world.instance)):
        one = score(leaf, batch.world.instance.rows([row]))
        np.testing.assert_allclose(one.ratio[0], batch.ratio[row], rtol=1e-9)
        np.testing.assert_allclose(one.shortfall[0], batch.shortfall[row], rtol=1e-9, atol=1e-12)


@claims
def test_json_round_trip_keeps_the_score(key: str) -> None:
    leaf, (_, batch) = CLAIMS[key], points(key)
    instance = batch.world.instance[0]
    back = Instance.from_json(json.loads(json.dumps(instance.to_json())))
    assert back.same(instance)
    again, before = score(leaf, back.batched()), score(leaf, instance.batched())
    np.testing.assert_array_equal(again.ratio, before.ratio)
    np.testing.assert_array_equal(again.shortfall, before.shortfall)


# -- units -----------------------------------------------------------------------------------------


@claims
def test_units_agree_or_are_reported(key: str) -> None:
    leaf, (_, batch) = CLAIMS[key], points(key)
    units = measure_units(leaf, [batch])
    if units is None:
        pytest.skip("no units, or no instance meets every hypothesis")
    assert set(units.given) <= set(batch.margins)
    mixed = {name for name, power in units.given.items() if power is None}
    if mixed:
        assert not units.consistent
        own = {item.name for item in leaf.given if item.tag == "added"}
        assert not mixed & own, "a hypothesis of our own must mean the same in all units"
    if not units.consistent:
        assert units.evidence().summary.startswith("units differ")


# -- symmetry --------------------------------------------------------------------------------------


def helped(key: str) -> Shape | None:
    """A shape with two helpers for claims about All-for-one on quadratics."""
    leaf = CLAIMS[key]
    same_build = leaf.family.build is quadratics(({},)).build
    shape = shape_of(key)
    if not same_build or shape.get("method", "all_for_one") != "all_for_one":
        return None
    if "weights" not in shape:
        return None
    return {**shape, "N": 3, "rounds": 1}


TELLS_HELPERS_APART = {"adaptive.def2.c1/helps"}
"""Claims about one helper, by number."""

SYMMETRIC = [key for key in CLAIMS if helped(key) and key not in TELLS_HELPERS_APART]


def swapped(key: str, values: Any, shape: Shape) -> Score:
    """Score after clients 1 and 2 have changed places."""
    box = CLAIMS[key].family.box
    order = [0, 2, 1]
    moved = {k: v[:, order] if box[k].per[:1] == ("N",) else v for k, v in values.items()}
    return score(CLAIMS[key], CLAIMS[key].family.instance(moved, shape))


@each("key", SYMMETRIC)
def test_helpers_may_change_places(key: str) -> None:
    leaf, shape = CLAIMS[key], helped(key)
    assert shape is not None
    u = np.random.default_rng(23).random((4, leaf.family.width(shape)))
    values = leaf.family.decode(u, shape)
    before = score(leaf, leaf.family.instance(values, shape))
    after = swapped(key, values, shape)
    for one, other in ((before.left, after.left), (before.right, after.right)):
        # outcomes change places as well
        one, other = np.sort(one, axis=1), np.sort(other, axis=1)
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(before.shortfall, after.shortfall, rtol=1e-9, atol=1e-12)


def test_a_claim_that_tells_helpers_apart_is_seen() -> None:
    (key,) = TELLS_HELPERS_APART
    shape = helped(key)
    assert shape is not None
    u = np.random.default_rng(23).random((4, CLAIMS[key].family.width(shape)))
    values = CLAIMS[key].family.decode(u, shape)
    before = score(CLAIMS[key], CLAIMS[key].family.instance(values, shape))
    assert not np.allclose(before.shortfall, swapped(key, values, shape).shortfall)


# -- records ---------------------------------------------------------------------------------------


def known(key: str) -> bool:
    return key in LEAVES or key in {entry.key for entry in library()}


def test_keys_are_unique_and_name_their_paper() -> None:
    keys = [leaf.key for entry in library() for leaf in entry.leaves]
    assert len(keys) == len(set(keys))
    for leaf in LEAVES.values():
        of = f"{WORLD}." if leaf.kind == WORLD else ""
        assert leaf.key.startswith(f"{of}{leaf.source.paper}.")


@each("key", LEAVES)
def test_records_are_complete(key: str) -> None:
    leaf = LEAVES[key]
    assert leaf.latex.strip()
    assert leaf.source.where.strip()
    assert leaf.form in FORMS
    assert leaf.kind in KINDS
    assert all(known(used) for used in leaf.uses), leaf.uses
    assert not leaf.empties or known(leaf.empties)
    assert leaf.sides is not None or leaf.missing or describes(leaf)
    if leaf.form in ("repaired", "explicit", "refined", "empty", "trivial"):
        assert f".{leaf.form}" in leaf.key
    else:
        assert not set(FORMS) & set(leaf.entry.split("."))


@claims
def test_strict_hypotheses_exist(key: str) -> None:
    assert CLAIMS[key].strict <= set(points(key)[1].margins)


@each("key", [k for k, leaf in CLAIMS.items() if leaf.form == "repaired"])
def test_repairs_come_with_a_proof(key: str) -> None:
    assert "Proof" in CLAIMS[key].commentary


def test_nothing_rests_on_itself() -> None:
    """An entry that is used stands for all its leaves; one leaf may rest on another."""
    leaves = {entry.key: [leaf.key for leaf in entry.leaves] for entry in library()}
    below = {
        leaf.key: {key for used in leaf.uses for key in leaves.get(used, [used])}
        for entry in library()
        for leaf in entry.leaves
    }
    TopologicalSorter(below).prepare()
    planted = {**below, "adaptive.lemma2.refined": {"adaptive.theorem2.const.refined"}}
    planted["adaptive.theorem2.const.refined"] = {"adaptive.lemma2.refined"}
    with pytest.raises(CycleError):
        TopologicalSorter(planted).prepare()


# -- the core knows no statement -------------------------------------------------------------------


def core() -> dict[str, str]:
    folder = Path(verify.__file__).parent
    rooms = "claim verdict certify world reading ladder catalogue ledger run rates assumptions face"
    files = (p for room in rooms.split() for p in sorted((folder / room).rglob("*.py")))
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def spoken_of(source: str) -> set[str]:
    """Keys of leaves and entries, and quoted papers, that stand in a source."""
    names = {*LEAVES, *(entry.key for entry in library())}
    papers = {f'"{paper}"' for paper in library().papers}
    return {name for name in (*names, *papers) if name in source}


def test_no_core_module_names_a_statement_or_a_paper() -> None:
    assert len(core()) > 150
    assert {name: spoken_of(text) for name, text in core().items() if spoken_of(text)} == {}


def test_a_key_in_the_core_would_be_seen() -> None:
    assert spoken_of(f'if key == "{next(iter(LEAVES))}":')
    assert spoken_of('if paper == "adaptive":')
