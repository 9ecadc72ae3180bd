"""Statements that are written once for all readings of the open places that they depend on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from verify.claim import Axis, Hypothesis, Option, Readings, Real, numbers, statement
from verify.claim.readings import Reading
from verify.terms.digest import statement_digest
from verify.world.score import score


def axis(name: str, *options: str) -> Axis:
    return Axis(name, "what is open", tuple(Option(o, f"'{o}'", f"it means {o}") for o in options))


AXES = (
    axis("range", "run", "space"),
    axis("times", "loop", "endless"),
    axis("dual-part", "a", "b"),
)
BOX = {"x": Real(0, 4)}


def claim(*axes: str, **more: Any) -> Readings:
    fields: dict[str, Any] = {"latex": "x", "family": numbers(BOX), **more}

    @statement("mine.claim", readings=axes, **fields)
    def made(w: Any, r: Reading) -> Any:
        return {"x": w.x}, {"bound": 0.1 * w.x + (2 if "loop" in r else 3)}

    return made


def keys(leaves: Readings) -> list[str]:
    return [leaf.key for leaf in leaves]


def test_one_leaf_for_each_combination_the_literal_one_first() -> None:
    assert keys(claim("range", "times")) == [
        "mine.claim@run+loop",
        "mine.claim@run+endless",
        "mine.claim@space+loop",
        "mine.claim@space+endless",
    ]


def test_an_axis_may_matter_under_one_option_of_another_alone() -> None:
    found = claim("range", "times if run")
    assert keys(found) == ["mine.claim@run+loop", "mine.claim@run+endless", "mine.claim@space"]
    assert [leaf.sides.keywords["r"].times for leaf in found] == ["loop", "endless", ""]  # type: ignore[union-attr]


def test_options_may_be_named_in_another_order() -> None:
    found = claim("range: space, run", "times: endless, loop if run")
    assert keys(found) == ["mine.claim@space", "mine.claim@run+endless", "mine.claim@run+loop"]
    assert found.leaf("loop").sides.keywords["r"].range == "run"  # type: ignore[union-attr]


def test_sides_see_the_reading() -> None:
    values = [
        score(leaf, leaf.family.instance({"x": np.array([1.0])}, {})).right
        for leaf in claim("times")
    ]
    assert [value.item() for value in values] == [2.1, 3.1]


def test_a_decimal_of_the_sides_is_exact() -> None:
    (leaf, _) = claim("times")
    one = leaf.family.instance({"x": np.array([Fraction(1)])}, {})
    assert score(leaf, one, "exact").right[0, 0] == Fraction(21, 10)


def test_every_field_may_be_a_function_of_the_reading() -> None:
    short = Hypothesis("short", "x", lambda w, r: (1 if r.times == "loop" else 2) - w.x)
    found = claim(
        "times",
        latex=lambda r: f"x_{{{r.times}}}",
        family=lambda r: numbers({"x": Real(0, 5 if "loop" in r else 6)}),
        given=[short],
        defines={"size": lambda w, r: w.x * len(r.times)},
        over=lambda r: "mean" if "loop" in r else "path",
    )
    one = {"x": np.array([1.5])}
    scores = [score(leaf, leaf.family.instance(one, {})) for leaf in found]
    assert [leaf.latex for leaf in found] == ["x_{loop}", "x_{endless}"]
    assert [leaf.family.box["x"].high for leaf in found] == [5, 6]
    assert [leaf.over for leaf in found] == ["mean", "path"]
    assert [s.margins["short"].item() for s in scores] == [-0.5, 0.5]
    assert [s.world.size.item() for s in scores] == [6.0, 10.5]


def test_axes_with_a_hyphen_are_spelled_with_an_underscore() -> None:
    assert [leaf.sides.keywords["r"].dual_part for leaf in claim("dual-part")] == ["a", "b"]  # type: ignore[union-attr]


def test_a_misspelt_axis_in_the_sides_is_named() -> None:
    with pytest.raises(AttributeError, match="read along times has no reading 'time'"):
        _ = Reading((("times", "loop"),)).time


@pytest.mark.parametrize(
    ("axes", "says"),
    [
        (("range", "where"), "among the paper's AXES .*got where"),
        (("times if run", "range"), "with a condition on an option before 'times'"),
        (("times: loop",), "all options of times, loop, endless, each once"),
        (("times: loop, never",), "all options of times"),
    ],
)
def test_what_cannot_be_read_is_refused(axes: tuple[str, ...], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        claim(*axes)


def test_one_leaf_is_asked_for_by_options() -> None:
    found = claim("range", "times if run")
    assert found.leaf("space").key == "mine.claim@space"
    with pytest.raises(InvalidInput, match="those of one of"):
        found.leaf("run")


def test_other_formulas_keep_the_setting_and_the_readings() -> None:
    first = claim("times", title=lambda r: r.times, over="mean")

    @first.like("mine.other", latex="2x")
    def other(w: Any, r: Reading) -> Any:
        return {"x": w.x}, {"bound": len(r.times)}

    again = first.variant("mine.again", latex="y")
    assert keys(other) == ["mine.other@loop", "mine.other@endless"]
    assert [leaf.title for leaf in other] == [leaf.title for leaf in again] == ["loop", "endless"]
    assert {leaf.over for leaf in (*other, *again)} == {"mean"}


def test_forms_are_entries_of_their_own() -> None:
    made = claim("times").leaf("loop").repaired(latex="y", part="first")(lambda w: ({}, {}))
    again = made.refined(latex="z")(lambda w: ({}, {}))
    assert (made.key, made.form) == ("mine.claim.repaired/first", "repaired")
    assert (again.key, again.form) == ("mine.claim.refined", "refined")


def test_digests_tell_readings_apart_and_are_no_addresses() -> None:
    first, second = claim("times"), claim("times")
    assert [statement_digest(leaf) for leaf in first] == [statement_digest(leaf) for leaf in second]
    assert len({statement_digest(leaf) for leaf in first}) == 2


def test_the_docstring_of_the_sides_is_their_note_and_proof() -> None:
    @statement("mine.claim", latex="x", family=numbers(BOX))
    def said(w: Any) -> Any:
        """Tight at zero,
        nowhere else.

        Proof. It is plain.

        And short.
        """
        return {"x": w.x}, {"bound": w.x + 1}

    @said.like("mine.other", latex="x", note="Named.")
    def named(w: Any) -> Any:
        """What the function does."""
        return {"x": w.x}, {"bound": w.x + 2}

    @statement("mine.read", readings=("times",), latex="x", family=numbers(BOX), note="Of both.")
    def several(w: Any, r: Reading) -> Any:
        """Proof. None."""
        return {"x": w.x}, {"bound": w.x + len(r.times)}

    assert (said.note, said.proof) == (
        "Tight at zero,\nnowhere else.",
        "It is plain.\n\nAnd short.",
    )
    assert (named.note, named.proof) == ("Named.", "")
    assert [(leaf.note, leaf.proof) for leaf in several] == [("Of both.", "None.")] * 2
    assert said.variant("mine.again").note == said.note
