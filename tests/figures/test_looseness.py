"""The committed looseness figure names the rates that the library has now, each where it stands.

To compute it takes minutes; what it is about is read off at once.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from figures import runner
from figures.places import Place
from verify.cli.figures import every_figure
from verify.report import fig_looseness


def place() -> Place:
    (found,) = (place for place in every_figure() if place.name == "looseness")
    return found


def names(data: dict[str, np.ndarray]) -> list[tuple[str, str, str]]:
    return list(
        zip(*(data[key].astype(str).tolist() for key in ("keys", "forms", "papers")), strict=True)
    )


def shown() -> list[tuple[str, str, str]]:
    return [(rate.key, rate.statement.form, rate.paper) for rate in fig_looseness.shown()]


def test_its_rates_are_those_of_the_library() -> None:
    data = runner.stored(place())
    assert names(data) == shown()
    size = fig_looseness.USED["quick"]
    assert data["ratios"].shape == (len(shown()), size.federations)
    assert int(data["rounds"]) == size.rounds


def test_a_reading_that_is_added_or_a_rate_that_goes_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Negative controls: as one axis of readings more, or a form less, would change the library."""
    first, *rest = every = fig_looseness.every_rate()
    statement = first.statement
    renamed = replace(first, statement=replace(statement, key=f"{statement.key}+another"))
    for changed in (tuple(rest), (renamed, *rest), every[::-1]):
        monkeypatch.setattr(fig_looseness, "every_rate", lambda changed=changed: changed)
        assert names(runner.stored(place())) != shown()
