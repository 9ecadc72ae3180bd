"""What rests and what binds, each beside a run or a formula of which it is not true."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.verify.report.by_hand.cases import told
from verify.catalogue.library import library
from verify.limits.clock import at_most
from verify.report.by_hand.active import binding, resting
from verify.report.by_hand.shown import Names, Shown


def run(**extras: Any) -> Any:
    """A world that has made one run, of one instance; models are those given, else they move."""
    paths = {k: np.array(v, dtype=object)[None] for k, v in extras.items()}
    theta = paths.pop("theta", np.array([[[[0], [1]]]], dtype=object))
    made = SimpleNamespace(theta=theta, extras=paths)
    limits = {"lambda_max": Fraction(2)}
    return SimpleNamespace(
        runs_made=[("method", 1, {}, made)] * 2,
        given=limits.__contains__,
        original=lambda name: np.array([limits[name]], dtype=object),
        names=Names(),
    )


@pytest.mark.parametrize(
    ("extras", "said"),
    [
        ({"weights": [[[1, 0], [1, 0]]]}, ["client 2 has weight zero in every round"]),
        ({"weights": [[[1, 0], [1, 3]]]}, []),
        ({"weights": [[[1, 0]], [[0, 1]]]}, []),  # on one outcome only
        ({"weights": [[[0, 0]]]}, []),  # nobody is heard: no client stands out
        ({"alpha": [[[0, 2, 0]]]}, ["clients 1, 3 have weight zero in every round"]),
        ({"theta": [[[1], [1]]]}, ["the model never moves"]),
        ({"theta": [[[1], [1]], [[1], [2]]]}, []),
        ({"models": [[[[0], [4]], [[1], [4]]]]}, ["client 2 has a model that never moves"]),
        ({"models": [[[[0], [4]], [[1], [5]]]]}, []),
        (
            {"multipliers": [[[0, 1], [2, 1]]]},
            ["client 1 has a multiplier at the upper end of its range after every round"],
        ),
        ({"multipliers": [[[2, 1], [1, 1]]]}, []),  # it starts there and leaves
    ],
)
def test_who_rests_is_read_off_the_run(extras: dict[str, Any], said: list[str]) -> None:
    assert list(resting(run(**extras))) == said


@pytest.mark.parametrize(
    ("made", "values", "said"),
    [
        ("Max", (3, 1), ["max(a, b) is a"]),
        ("Max", (1, 3), ["max(a, b) is b"]),
        ("Min", (1, 3), ["min(a, b) is a"]),
        ("Max", (2, 2), []),
    ],
)
def test_which_argument_counts(made: str, values: tuple[int, int], said: list[str]) -> None:
    names = Names()
    parts = tuple(names.named(n, Fraction(v)) for n, v in zip("ab", values, strict=True))
    worth = max(values) if made == "Max" else min(values)
    term = Shown(made, parts, Fraction(worth), names) + names.named("c", Fraction(1))
    assert list(binding(({}, {"term": term}))) == said


def test_a_formula_that_holds_a_piece_many_times_is_read_once() -> None:
    names = Names()
    a, b = (names.named(n, Fraction(v)) for n, v in (("a", 3), ("b", 1)))
    term = Shown("Max", (a, b), Fraction(3), names)
    for _ in range(100):
        term = term + term
    with at_most(10):
        assert list(binding(({}, {"term": term}))) == ["max(a, b) is a"]


def test_a_page_says_who_rests_and_its_rounds_show_it() -> None:
    made = told("adaptive.lemma2/variance@plain-b+mean-excess+before-step")
    assert "lient 2 has weight zero in every round" in made.mechanism
    rows = [row for part in made.parts for row in part.rows]
    assert any(r"\alpha_{2}" in row.tex and row.words == "a weight of zero" for row in rows)


def test_numbers_of_no_federation_have_their_setting() -> None:
    for key in ("hcct.theorem1@bounded+loss", "allforall.lemma4a"):
        first = told(key).parts[0]
        assert first.heading == "The setting"
        about = library().leaf(key).family.about
        assert first.rows[0].words == about.replace("sum_c", "sum over c of")
    assert told("adaptive.lemma1@new-model+half-eta-squared+each-run").parts[0].rows[0].tex


def test_a_setting_names_symbols_as_they_are_printed() -> None:
    assert "lambda_max" in library().leaf("fedbc.C0").family.about
    assert told("fedbc.C0").parts[0].rows[0].words.endswith("any λₘₐₓ")
