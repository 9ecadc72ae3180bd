"""Axes: what is refused on loading, and the kindest assignment recounted."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.verify.conftest import axis, claim
from verify.catalogue.library import Library
from verify.claim.axes import Axes, Axis
from verify.claim.statement import described
from verify.ledger.readings import kindest, read

# -- what is refused on loading --------------------------------------------------------------------

PLACES = (axis("steps", "rounds"), axis("last", "mean", "any"))


def load(*keys: str, axes: Sequence[Axis] = PLACES, **more: Any) -> Library:
    """A paper with these leaves."""
    return Library([claim(key, **more) for key in keys], {"p": Axes(axes)})


def test_a_part_may_leave_axes_out_and_split_unevenly() -> None:
    load(
        "p.a@steps+last",
        "p.a@steps+mean",
        "p.a@steps+any",
        "p.a@rounds",
        "p.b/x",
        "p.b/y@last",
        "p.b/y@mean",
        "p.b/y@any",
    )


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (("p.a@steps", "p.a@round"), r"options of p.a@round .* got \['round'\]: correct the key"),
        (("p.a@steps+rounds", "p.a@rounds"), "p.a@steps.rounds must be one on each axis at most"),
        (("p.a@steps",), "readings of p.a must be one leaf .* p.a under rounds: no leaf"),
        (("p.a", "p.a@rounds"), "p.a under rounds: p.a and p.a@rounds"),
        (
            ("p.a/x@steps", "p.a/x@rounds", "p.a/y@steps", "p.b@last", "p.b@mean", "p.b@any"),
            "p.a/y under rounds: no leaf",
        ),
        (("p.a@steps+last", "p.a@rounds"), "p.a under steps and mean: no leaf"),
        (("p.a@steps", "p.a@rounds+last", "p.a@rounds", "p.b"), "p.a under rounds and last"),
        (("p.a@steps", "p.a@rounds"), r"AXES must be .* got \['last-mean-any'\]: remove them"),
        (("p.a", "p.a.empty@steps", "p.a.empty@rounds"), "key of p.a.empty must be without"),
    ],
)
def test_readings_that_do_not_fit_are_refused(keys: Sequence[str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        load(*keys)


def test_a_part_that_claims_in_one_reading_only_is_refused() -> None:
    leaves = [
        claim("p.a@steps", kind="claim"),
        described("p.a@rounds", "definition", "Section 1", "x", "x"),
    ]
    with pytest.raises(InvalidInput, match="claims in every reading of a part, or in none"):
        Library(leaves, {"p": Axes(PLACES[:1])})


def test_options_without_axes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="it has none"):
        Library([claim("p.a@steps")])


def test_names_are_unique_over_all_axes() -> None:
    with pytest.raises(InvalidInput, match=r"options of all axes .* got \['rounds'\]"):
        Axes([axis("steps", "rounds"), axis("rounds", "epochs")])


def test_too_many_joined_assignments_are_refused() -> None:
    many = [axis(f"a{i}", f"b{i}") for i in range(21)]
    names = [f"a{i}" for i in range(21)]
    keys = [
        f"p.x/{i}@{one}"
        for i, pair in enumerate(zip(names, many, strict=True))
        for one in pair[1].names
    ]
    with pytest.raises(InvalidInput, match="assignments at most, got 2097152"):
        load(*keys, axes=many)
    assert load(*keys[:8], axes=many[:4]).axes["p"] == Axes(many[:4])


# -- the kindest assignment ------------------------------------------------------------------------

WORDS = ("proved", "holds", "violated", "inconclusive", "vacuous", "not-checkable")


def lines_of(axes: Sequence[Axis], draw: random.Random) -> list[dict[str, Any]]:
    """Entries over random axes, each part with a leaf for each assignment of some of them."""
    lines = []
    for number in range(draw.randint(1, 6)):
        leaves = []
        for part in range(draw.randint(1, 2)):
            own = draw.sample(list(axes), draw.randint(0, min(2, len(axes))))
            for names in itertools.product(*(a.names for a in own)):
                key = f"p.e{number}/{part}" + ("@" + "+".join(names) if names else "")
                leaves.append({"id": key, "verdict": draw.choice(WORDS), "reason": ""})
        kind = draw.choice(["theorem", "lemma", "claim"])
        form = draw.choice(["printed", "printed", "repaired"])
        lines.append({"key": f"p.e{number}", "kind": kind, "form": form, "leaves": leaves})
    return lines


def counted_by_hand(axes: Sequence[Axis], lines: list[dict[str, Any]]) -> list[Any]:
    """Every assignment of all axes: how many main results stand, how many axes changed."""
    found = []
    for names in itertools.product(*(a.names for a in axes)):
        total = 0
        for line in lines:
            options = [set(leaf["id"].partition("@")[2].split("+")) for leaf in line["leaves"]]
            fits = [named - {""} <= set(names) for named in options]
            taken = list(itertools.compress(line["leaves"], fits))
            fine = all(leaf["verdict"] in ("proved", "holds") for leaf in taken)
            total += fine and line["kind"] != "claim" and line["form"] == "printed"
        changed = sum(name != a.names[0] for name, a in zip(names, axes, strict=True))
        found.append((total, changed, names))
    return found


@each("seed", range(40))
def test_the_kindest_is_the_best_of_all_and_the_most_literal_of_the_best(seed: int) -> None:
    draw = random.Random(seed)
    axes = [axis(*(f"{a}{i}" for i in range(draw.randint(2, 3)))) for a in "abcd"]
    lines = lines_of(axes, draw)
    every = counted_by_hand(axes, lines)
    first = min(every, key=lambda one: (-one[0], one[1]))  # the first of equals
    assert tuple(kindest(lines, Axes(axes)).values()) == first[2]
    said = read(lines, Axes(axes), ())
    assert said["stand"]["kindest"] == first[0]
    assert said["stand"]["literal"] == every[0][0]


def test_of_equals_the_one_with_fewer_changes_wins() -> None:
    axes = [axis(f"{a}0", f"{a}1") for a in "abc"]
    leaves = [
        {
            "id": f"p.t@a{a}+b{b}+c{c}",
            "verdict": "holds" if a or (b and c) else "violated",
            "reason": "",
        }
        for a, b, c in itertools.product((0, 1), repeat=3)
    ]
    lines = [{"key": "p.t", "kind": "theorem", "form": "printed", "leaves": leaves}]
    assert list(kindest(lines, Axes(axes)).values()) == ["a1", "b0", "c0"]
