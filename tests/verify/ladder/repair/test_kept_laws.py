"""Laws of one number that an earlier search has left are measured again, nothing is believed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import SMALL, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import Kept, Leaf, assay
from verify.ladder.repair.alone.laws import laws_alone
from verify.ladder.repair.alone.reach import Reaches
from verify.ladder.search.seeds import KeptPath, Malformed, Seed

BUDGET = replace(SMALL, evaluations=1_500, mends=0)
WIDE = Real(1 / 8, 8, log=True)
EACH = Real(1 / 8, 8, log=True, per=("N",))


@cache
def growing() -> Statement:
    """3 k x <= x: by k alone."""
    return claim(lambda w: ({"l": 3 * w.k * w.x}, {"r": w.x}), numbers(x=WIDE, k=WIDE))


@cache
def sums() -> Statement:
    """The sum of N numbers is at most the first one: N of them where all are one number."""
    return claim(
        lambda w: ({"l": w.x.sum(axis=-1)}, {"r": w.x[..., 0]}),
        numbers({"N": 2}, {"N": 3}, {"N": 5}, x=EACH),
    )


@cache
def lawless() -> Statement:
    """2 <= 1 at every x: nothing moves left/right."""
    return claim(lambda w: ({"l": 2 + 0 * w.x}, {"r": 1 + 0 * w.x}), numbers(x=WIDE))


CLAIMS = {"a number": growing, "a size": sums, "none": lawless}


@cache
def left(name: str) -> tuple[Leaf, Kept]:
    """A first search and what it leaves, as a corpus of the package has it."""
    leaf = assay(CLAIMS[name](), profile=BUDGET)
    assert leaf.keep is not None
    kept = Kept.from_json(json.loads(json.dumps(leaf.keep().to_json())))
    return leaf, kept.of_the_package()


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each time that laws were looked for anew, after the first searches."""
    for name in CLAIMS:
        left(name)
    found: list[int] = []

    def noted(*args: Any) -> Any:
        found.append(1)
        return laws_alone(*args)

    monkeypatch.setattr("verify.ladder.leaf.laws_alone", noted)
    return found


def texts(leaf: Leaf) -> list[str]:
    return [law["text"] for law in leaf.laws]


@pytest.mark.parametrize("name", CLAIMS)
def test_the_same_laws_are_told_without_a_search(name: str, searches: list[int]) -> None:
    before, kept = left(name)
    assert kept.paths is not None
    assert bool(kept.paths) == (name != "none")
    after = assay(CLAIMS[name](), profile=BUDGET, kept=kept)
    assert texts(after) == texts(before)
    assert not searches
    assert after.keep is not None
    assert after.keep().paths == kept.paths


def other_start(path: KeptPath) -> KeptPath:
    """Another instance, with the ratio that it has: no witness."""
    return replace(path, start=Seed(0, {}, {"x": np.array(1.0), "k": np.array(2.0)}, 6.0))


FORGED: dict[str, Callable[[KeptPath], KeptPath]] = {
    "a ratio that it has not": lambda p: replace(p, start=replace(p.start, ratio=77.0)),
    "another start than the witness": other_start,
    "a number that moves nothing": lambda p: replace(p, moves=(("x", None, 1.0),)),
    "a number that is not there": lambda p: replace(p, moves=(("nobody", None, 1.0),)),
    "an entry that is not there": lambda p: replace(p, moves=(("k", (3,), 1.0),)),
    "too few places": lambda p: replace(p, factors=p.factors[:3]),
    "another family": lambda p: replace(p, family=1),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_path_is_no_law(name: str, searches: list[int]) -> None:
    before, kept = left("a number")
    assert kept.paths
    assert kept.paths[0].witness
    forged = replace(kept, paths=(FORGED[name](kept.paths[0]), *kept.paths[1:]))
    after = assay(growing(), profile=BUDGET, kept=forged)
    assert searches
    assert texts(after) == texts(before)


def test_a_law_follows_from_the_values_of_today(searches: list[int]) -> None:
    """A path on which left/right rises no more has no law, whatever was kept of it."""
    _, kept = left("a number")
    assert kept.paths
    flat = [replace(path, moves=(("x", None, 1.0),)) for path in kept.paths]
    after = assay(growing(), profile=BUDGET, kept=replace(kept, paths=tuple(flat)))
    assert searches
    assert all(law["along"] != "x" for law in after.laws)


def test_that_there_is_no_law_is_taken_from_the_package_alone(searches: list[int]) -> None:
    before, kept = left("a number")
    none = replace(kept, paths=())
    assert texts(assay(growing(), profile=BUDGET, kept=none)) == []
    assert not searches
    own = assay(growing(), profile=BUDGET, kept=replace(none, shipped=False))
    assert searches
    assert texts(own) == texts(before)


def test_what_was_kept_before_there_were_paths_is_looked_for_anew(searches: list[int]) -> None:
    before, kept = left("a number")
    after = assay(growing(), profile=BUDGET, kept=replace(kept, paths=None))
    assert searches
    assert texts(after) == texts(before)


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.pop(),
        lambda raw: raw.__setitem__(0, "0"),
        lambda raw: raw.__setitem__(1, 1),
        lambda raw: raw.__setitem__(3, []),
        lambda raw: raw.__setitem__(3, [["k", [-1], 1.0]]),
        lambda raw: raw.__setitem__(4, [1.0, -2.0]),
        lambda raw: raw.__setitem__(4, [1.0, float("inf")]),
    ],
)
def test_a_malformed_path_is_refused(change: Any) -> None:
    _, kept = left("a number")
    raw = json.loads(json.dumps(kept.to_json()))
    assert Kept.from_json(raw).paths == kept.paths
    change(raw["paths"][0])
    with pytest.raises(Malformed):
        Kept.from_json(raw)


# -- no clock --------------------------------------------------------------------------------------


def test_laws_depend_on_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which every look at the clock is a quarter of a second later."""
    before, _ = left("a size")
    ticks = count()
    monkeypatch.setattr(time, "thread_time", lambda: next(ticks) / 4)
    slow = assay(sums(), profile=replace(BUDGET, seconds=1e9))
    assert texts(slow) == texts(before)
    assert next(ticks) > 20  # control: it was looked at


@pytest.mark.parametrize("most", [0, 20_000])
def test_laws_end_with_the_calls_that_they_may_take(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Reaches] = []

    def few(climb: Any) -> Reaches:
        seen.append(Reaches(climb, most))
        return seen[-1]

    monkeypatch.setattr("verify.ladder.repair.alone.laws.Reaches", few)
    found = texts(assay(sums(), profile=BUDGET))
    assert set(found) < set(texts(left("a size")[0]))
    assert seen
    assert seen[0].left < most or not most
