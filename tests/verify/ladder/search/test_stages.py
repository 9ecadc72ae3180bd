"""Beyond the ranges, at larger sizes, within limits of time: what each stage of a search finds."""

from __future__ import annotations

import gc
import sys
import time
import weakref
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.each import each
from tests.verify.cases import SMALL, assume, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import Leaf, assay
from verify.ladder.budgets import PROFILES
from verify.ladder.search.ascent import ascend, programme
from verify.ladder.search.evolution import evolve
from verify.ladder.search.hunt import Hunt, evolution, look
from verify.ladder.search.plan import worth_a_climb
from verify.ladder.search.points import PATTERNS, structured_points
from verify.ladder.search.pool import Pool
from verify.limits.clock import OutOfTime, at_most
from verify.limits.counter import QUESTION, spend
from verify.world.noise_plan import AllOutcomes
from verify.world.world import World

UNIT = Real(0, 1, domain=(0, 1))
POSITIVE = Real(1 / 8, 8, log=True)
WIDE = replace(SMALL.word_alone(), reach=16.0, evaluations=4_000)


def met(statement: Statement, **changes: Any) -> Leaf:
    return assay(statement, profile=replace(WIDE, **changes))


# -- beyond the ranges ---------------------------------------------------------------------------

FAR = claim(lambda w: ({"x": w.x}, {"9 y": 9 * w.y}), numbers(x=POSITIVE, y=Real(1, 1)))


def test_a_claim_that_its_box_protects_falls_beyond_it() -> None:
    assert met(FAR, reach=1.0).verdict == "holds"
    found = met(FAR)
    assert found.verdict == "violated"
    assert found.witness is not None


def test_the_domain_binds_beyond_the_ranges_too() -> None:
    share = Real(1 / 8, 1 / 2, domain=(0, 1))
    true = claim(
        lambda w: ({"s(2-s)": w.share * (2 - w.share)}, {"y": w.y}),
        numbers(share=share, y=Real(1, 1)),
    )
    found = met(true)
    assert found.verdict in ("holds", "proved")
    assert "beyond them up to 16 times" in found.scope


# -- larger sizes --------------------------------------------------------------------------------


def _counted(limit: int) -> Statement:
    return claim(
        lambda w: ({"sum": xp.total(w.x)}, {"limit": limit * xp.largest(w.x)}),
        numbers({"N": 2}, {"N": 3}, x=Real(0, 1, per=("N",), domain=(0, 1))),
    )


def test_a_claim_that_fails_for_many_clients_falls_at_a_small_number_of_them() -> None:
    assert met(_counted(6), larger=False).verdict == "holds"
    found = met(_counted(6))
    assert found.verdict == "violated"
    assert found.witness is not None
    assert 7 <= len(found.witness["instance"]["params"]["x"]) <= 12


def test_a_claim_for_all_sizes_stands_and_says_how_far() -> None:
    true = claim(
        lambda w: ({"sum": xp.total(w.x)}, {"N max": w.x.shape[-1] * xp.largest(w.x)}),
        numbers({"N": 2}, {"N": 3}, x=Real(0, 1, per=("N",), domain=(0, 1))),
    )
    found = met(true)
    assert found.verdict == "proved"
    assert "larger sizes: N up to" in found.scope
    spent = next(e.details["spent"] for e in found.evidence if e.rung == "search")
    assert set(spent) == {"in the ranges", "one parameter at a time", "at larger sizes"}


def test_sizes_grow_that_run_over_an_axis_or_count_rounds() -> None:
    box = {"x": Real(0, 1, per=("N",)), "y": UNIT}
    family = numbers({"N": 2, "rounds": 1, "at": 0}, {"N": 3, "rounds": 2, "at": 1}, **box)
    assert family.growing == ("N", "rounds")
    assert numbers({"N": 2}, **box).growing == ()
    assert replace(family, grow=()).growing == ()
    assert replace(family, grow=("at",)).growing == ("at",)


def test_a_listed_size_of_zero_grows_no_further() -> None:
    made = claim(
        lambda w: ({"x": w.x}, {"y": w.y}),
        numbers(
            {"rounds": 0, "N": 2},
            {"rounds": 0, "N": 1},
            {"rounds": 2, "N": 1},
            x=UNIT,
            y=UNIT,
            z=Real(0, 1, per=("N",)),
        ),
        given=assume({"y >= x": lambda w: w.y - w.x}),
    )
    assert met(made).verdict in ("holds", "proved")


def test_a_side_that_grows_like_a_tree_is_left_in_time() -> None:
    def tree(w: World) -> Any:
        leaves = xp.total(0 * w.x[..., None] + np.ones(2 ** int(w.rounds), dtype=int))
        return {"leaves": leaves}, {"2^T": 2 ** int(w.rounds) * (1 + 0 * w.x)}

    clock = time.process_time()
    found = met(claim(tree, numbers({"rounds": 2}, {"rounds": 4}, x=UNIT)), evaluations=30_000)
    assert time.process_time() - clock < 120  # all of it would take for ever
    details = next(e.details for e in found.evidence if e.rung == "search")
    assert "each size takes many times the last" in details["left out"][0]


# -- engines -------------------------------------------------------------------------------------


def test_a_programme_of_one_step_meets_its_limits() -> None:
    p, price = programme(
        np.eye(2)[None],
        np.array([[-1.0, -1.0]]),
        np.array([[0.1]]),
        np.array([[[-1.0, 0.0]]]),
        np.full((1, 2), -0.5),
        np.full((1, 2), 0.5),
    )
    np.testing.assert_allclose(p, [[0.1, 0.5]], atol=1e-5)
    np.testing.assert_allclose(price, [[0.9]], atol=1e-4)


def test_an_ascent_reaches_the_corner_of_two_curves() -> None:
    def landscape(u: Any, marks: Any) -> Any:
        assert marks.shape == u.shape[:1]
        x, y = u.T
        return x + y, np.stack([0.5 - x**2 - y**2, 0.3 - x], axis=1)

    steps = list(ascend(landscape, np.array([[0.9, 0.9], [0.1, 0.2]]), 2, 400))
    heights, margins = (np.concatenate([step[k] for step in steps]) for k in (1, 2))
    inside = (margins >= -1e-12).all(axis=1)
    assert heights[inside].max() == pytest.approx(0.3 + np.sqrt(0.5 - 0.09), abs=1e-6)


def test_marked_starts_climb_their_own_heights() -> None:
    def landscape(u: Any, marks: Any) -> Any:
        return np.where(marks == 1, u[:, 0], -u[:, 0]), np.zeros((len(u), 0))

    steps = list(ascend(landscape, np.full((2, 1), 0.4), 2, 200, np.array([0, 1])))
    ends = np.concatenate([step[0][:, 0] for step in steps])
    assert ends.min() == pytest.approx(0, abs=1e-6)
    assert ends.max() == pytest.approx(1, abs=1e-6)


def test_an_evolution_climbs_stairs() -> None:
    best = -np.inf
    rng = np.random.default_rng(0)
    for _, reached in evolve(
        lambda u: -np.floor(20 * np.abs(u - 0.3)).sum(axis=1), np.full((2, 4), 0.8), 24, 60, rng
    ):
        best = max(best, reached.max())
    assert best == 0


def test_an_evolution_without_a_new_place_to_begin_ends() -> None:
    """A margin of each client has no smallest one where there is no instance."""
    family = numbers({"N": 3}, x=Real(0, 1, per=("N",)))
    several = claim(lambda w: ({"x": w.x}, {"1": 1}), family, given=assume({"m": lambda w: w.x}))
    hunt = Hunt(Pool(several, AllOutcomes()), {"N": 3}, np.random.default_rng(0))
    assert not [*evolution(hunt, 400, 8)]  # from fresh places nothing breaks it
    hunt.starts = lambda count: np.empty((0, hunt.width))  # type: ignore[method-assign]
    assert not [*evolution(hunt, 400, 8)]


@each("name", PATTERNS)
@each("lengths", [(1,), (3,), (3, 2), (3, 3)])
def test_patterns_mark_entries(name: str, lengths: tuple[int, ...]) -> None:
    marked = PATTERNS[name](lengths, np.random.default_rng(0))
    assert marked.shape == lengths
    assert marked.dtype == bool


def test_structured_points_lie_in_the_cube() -> None:
    family = numbers({"N": 3}, pairs=Real(0, 1, per=("N", "N")), x=UNIT)
    u = structured_points(family, {"N": 3}, 50, np.random.default_rng(0))
    assert u.shape == (50, 10)
    assert ((u >= 0) & (u <= 1)).all()


# -- limits of time ------------------------------------------------------------------------------


def test_a_block_is_stopped_in_time() -> None:
    clock = time.process_time()

    def endless() -> None:
        with at_most(0.2):
            while True:
                pass

    with pytest.raises(OutOfTime):
        endless()
    assert time.process_time() - clock < 60
    with at_most(60):
        pass
    with at_most(0.2):  # what waits for others has not computed
        time.sleep(0.4)
    with pytest.raises(OutOfTime), at_most(0):
        pass


@pytest.mark.slow
def test_a_limit_that_strikes_in_a_hook_of_the_collector_is_not_lost() -> None:
    def slow(phase: str, info: object) -> None:
        begun = time.thread_time()
        while time.thread_time() < begun + 0.4:
            pass

    def collecting() -> None:
        with at_most(0.2):
            gc.collect()
            while True:
                pass

    gc.callbacks.append(slow)
    try:
        # pytest makes an error of what Python has to drop
        with pytest.raises(OutOfTime):
            collecting()
    finally:
        gc.callbacks.remove(slow)


@pytest.mark.slow
def test_a_limit_waits_for_callbacks_of_weak_references() -> None:
    class Cell:
        """Garbage that only the collector finds."""

    def slow(_: object) -> None:
        begun = time.thread_time()
        while time.thread_time() < begun + 0.4:
            pass

    def collecting() -> None:
        cell = Cell()
        cell.itself = cell  # type: ignore[attr-defined]
        watch = weakref.ref(cell, slow)
        del cell
        with at_most(0.2):
            gc.collect()
            while watch() is None:
                pass

    gc.collect()
    with pytest.raises(OutOfTime):  # pytest makes an error of what Python has to drop
        collecting()


def test_a_limit_waits_for_a_module_that_is_being_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of it would stay in its place, and break whoever loads it next."""
    module = "import time\nbegun = time.thread_time()\n"
    module += "while time.thread_time() < begun + 0.4:\n    pass\nwhole = True\n"
    (tmp_path / "slow_to_load.py").write_text(module)
    monkeypatch.syspath_prepend(str(tmp_path))

    def loading() -> None:
        with at_most(0.1):
            import_module("slow_to_load")
            while True:
                pass

    with pytest.raises(OutOfTime):
        loading()
    assert sys.modules.pop("slow_to_load").whole


def test_a_limit_that_python_drops_strikes_again() -> None:
    def endless() -> None:
        with at_most(0.1):
            try:
                while True:
                    pass
            except OutOfTime:  # as a finaliser written in C would drop it
                while True:
                    pass

    with pytest.raises(OutOfTime):
        endless()


def test_a_proof_out_of_time_is_named_and_leaves_the_search_its_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def endless(_: Statement, met: bool) -> Any:
        while True:
            pass

    monkeypatch.setattr("verify.ladder.rungs.proof.prove", endless)
    made = claim(
        lambda w: ({"x": w.x}, {"y": w.y}),
        numbers(x=UNIT, y=UNIT),
        given=assume({"y >= x": lambda w: w.y - w.x}),
    )
    found = met(made, proof=0.5)
    assert found.verdict == "holds"
    named = [e.summary for e in found.evidence if e.rung == "certificate"]
    assert named == ["out of time before a proof was found or given up"]


def test_a_proof_out_of_effort_is_named_whatever_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def works_on(_: Statement, met: bool) -> Any:
        while True:
            asked.append(1)
            spend(QUESTION)

    monkeypatch.setattr("verify.ladder.rungs.proof.prove", works_on)
    made = claim(
        lambda w: ({"x": w.x}, {"y": w.y}),
        numbers(x=UNIT, y=UNIT),
        given=assume({"y >= x": lambda w: w.y - w.x}),
    )
    found = met(made, proof=60.0, effort=20 * QUESTION)
    assert found.verdict == "holds"
    assert len(asked) == 21
    named = [e.summary for e in found.evidence if e.rung == "certificate"]
    assert named == ["a proof was looked for as long as the profile says: a larger one may find it"]


def test_more_shapes_than_a_budget_is_meant_for_get_more_of_it() -> None:
    quick = PROFILES["quick"]
    assert quick.total(1) == quick.total(quick.shapes) == quick.evaluations
    assert quick.total(3 * quick.shapes) == 3 * quick.evaluations
    # a part of a budget stays that part, whatever the number of shapes
    part = replace(quick, evaluations=quick.evaluations // 8)
    assert 8 * part.total(12) == quick.total(12)


def test_a_short_engine_goes_on_where_the_looks_came_nearest() -> None:
    statement = claim(
        lambda w: ({"x": w.x}, {"limit": 8 - w.N}),
        numbers({"N": 1}, {"N": 2}, {"N": 3}, x=Real(0, 4, domain=(0, 4))),
    )
    pool = Pool(statement, AllOutcomes())
    hunts = [Hunt(pool, {"N": n}, np.random.default_rng(n)) for n in (1, 2, 3)]
    for hunt in hunts:
        list(look(hunt, 64))
    assert [h.shape["N"] for h in worth_a_climb(hunts, 1, 5)] == [3]
    assert [h.shape["N"] for h in worth_a_climb(hunts, 10**6, 5)] == [1, 2, 3]
