"""The figure of the ladder: what is compared is what stays where a search goes another way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures import runner
from figures.places import load
from verify.cli.figures import every_figure

PLACE = next(place for place in every_figure() if place.name == "ladder")


def found(**changed: Any) -> set[str]:
    """Arrays that part from the committed ones where these are changed."""
    committed = runner.stored(PLACE)
    committed.pop(runner.SECONDS)
    new = {**committed, **changed}
    tolerances = load(PLACE).TOLERANCES
    return {one.array for one in runner.differences("ladder", new, committed, tolerances)}


def test_a_search_that_tries_some_points_more_agrees_and_one_that_does_nothing_does_not() -> None:
    counts = runner.stored(PLACE)["counts"]
    assert counts.max() > 1000
    assert found() == found(counts=counts * 11 // 10) == set()
    assert found(counts=counts // 3) == {"counts"}
    assert found(counts=0 * counts) == {"counts"}


@pytest.mark.parametrize(("name", "text"), [("verdicts", "holds"), ("decided", "units")])
def test_another_verdict_and_another_rung_are_seen(name: str, text: str) -> None:
    changed = runner.stored(PLACE)[name].copy()
    assert changed[-1] != text
    changed[-1] = text
    assert found(**{name: changed}) == {name}


def test_another_ratio_and_a_rung_that_is_silent_are_seen() -> None:
    worst, cells = (runner.stored(PLACE)[name] for name in ("worst", "found"))
    assert np.isfinite(worst).any()
    assert found(worst=worst * 1.001) == {"worst"}
    assert found(found=np.full_like(cells, "")) == {"found"}


def test_every_cell_that_is_filled_is_drawn() -> None:
    data = runner.stored(PLACE)
    drawn = [text.get_text() for text in load(PLACE).plot(data).axes[0].texts]
    filled = int((data["found"] != "").sum())
    assert len([text for text in drawn if text != "–"]) == filled + len(data["keys"])
    some, tried = data["counts"][(data["found"] == "counted") & np.isfinite(data["worst"])][0]
    assert f"{some} of {tried}\nmax {data['worst'][np.isfinite(data['worst'])][0]:.4g}" in drawn
