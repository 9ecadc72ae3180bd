"""Laws of one number that moves by itself: each is measured again, and planted wrong ones fall."""

from __future__ import annotations

import copy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.verify.cases import SMALL, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import assay
from verify.ladder.repair.again import contradictions_of_law, measured_again
from verify.ladder.repair.alone.confirm import confirmed, shape_of, slope_of, tail_of
from verify.ladder.repair.alone.laws import law_of
from verify.ladder.repair.alone.words import law_text
from verify.ladder.repair.fit import Fit, fit
from verify.ledger.laws.in_print import in_print
from verify.ledger.laws.letters import letters

BUDGET = replace(SMALL, evaluations=1_500, mends=0)
WIDE = Real(1 / 8, 8, log=True)
EACH = Real(1 / 8, 8, log=True, per=("N",))


def laws_of(statement: Statement) -> dict[str, dict[str, Any]]:
    leaf = assay(statement, profile=BUDGET)
    assert leaf.verdict == "violated"
    return {law["along"]: dict(law) for law in leaf.laws}


def growing() -> Statement:
    """3 k x <= x: by k alone."""
    return claim(lambda w: ({"l": 3 * w.k * w.x}, {"r": w.x}), numbers(x=WIDE, k=WIDE))


def sums() -> Statement:
    """The sum of N numbers is at most the first one: N of them where all are one number."""
    return claim(
        lambda w: ({"l": w.x.sum(axis=-1)}, {"r": w.x[..., 0]}),
        numbers({"N": 2}, {"N": 3}, {"N": 5}, x=EACH),
    )


def test_a_number_that_moves_alone_has_its_law_exactly() -> None:
    law = laws_of(growing())["k"]
    assert (law["kind"], law["formula"]) == ("power", "3 k")
    assert "all else as at the witness" in law["text"]
    assert "exactly" in law["text"]
    assert [move[0] for move in law["path"]["moves"]] == ["k"]


@pytest.mark.parametrize(("first", "kind"), [(1.0, "power"), (4.5e15, None)])
def test_what_grows_grows_beyond_where_it_begins(first: float, kind: str | None) -> None:
    """A right side that is zero is 1e-16 in floats: what comes after it is no growth."""
    places = [2.0**k for k in range(12)]
    walk: Any = SimpleNamespace(
        named=lambda: ("x", places), ratios=[first, *(x**0.5 for x in places[1:])], drops=False
    )
    law = law_of(walk, True)
    assert (law and law.fit.kind) == kind


def test_a_size_repeats_an_entry_and_all_else_stays() -> None:
    found = laws_of(sums())
    law = found["N"]
    assert law["path"]["size"]
    assert law["kind"] == "power"
    places = [x for x, _ in law["values"]]
    assert places[0] == law["path"]["shape"]["N"]
    assert places[-1] >= 4 * places[0]


def test_a_law_is_the_number_that_matters_and_not_the_size_that_ties_it() -> None:
    """Shares that are made to sum to one: what breaks 4/p_1 <= 4 is a small share, not N."""

    def build(values: Any, shape: Any) -> Any:
        from verify.claim.parameters import plain_numbers

        raw = values["raw"]
        return plain_numbers({"share": raw / raw.sum(axis=-1, keepdims=True)}, shape)

    family = replace(numbers({"N": 2}, {"N": 3}, raw=EACH), build=build)
    one = claim(lambda w: ({"l": 4 / w.share.min(axis=-1)}, {"r": 4 + 0 * w.share[..., 0]}), family)
    found = laws_of(one)
    assert "1/min share" in found
    assert found["1/min share"]["kind"] == "power"
    assert "N" not in found


def test_two_numbers_move_together_where_none_grows_alone() -> None:
    ray = claim(
        lambda w: ({"l": w.x * w.y}, {"r": 1 + (w.x - w.y) ** 2}),
        numbers(x=Real(1, 64, log=True), y=Real(1, 64, log=True)),
    )
    leaf = assay(ray, profile=replace(BUDGET, evaluations=4_000))
    (law,) = leaf.laws
    assert [move[0] for move in law["path"]["moves"]] == ["x", "y"]
    assert "y as x" in law["text"]
    assert law["kind"] == "power"


def test_what_only_floats_make_grow_has_no_law() -> None:
    """Negative control: k + 1 - k is 1 for every k; beyond 2^52 floats lose it."""
    lost = claim(
        lambda w: ({"l": 2 + 0 * w.k}, {"r": (w.k**8 + 1) - w.k**8}),
        numbers(k=Real(1, 2, log=True)),
    )
    assert not [law for law in laws_of(lost).values() if law["kind"] == "power"]


def test_what_is_zero_at_the_next_place_has_no_law_by_which_it_grows() -> None:
    """Left/right is k up to 100, and nothing beyond; whoever looks at the values alone is told."""

    def drop(where: int) -> Statement:
        sides = lambda w: ({"l": xp.where(w.k <= where, w.k * w.x, 0 * w.x)}, {"r": w.x})  # noqa: E731
        return claim(sides, numbers(x=WIDE, k=WIDE))

    assert "k" not in laws_of(drop(100))
    grown = laws_of(drop(10**9))["k"]  # control: none of its places is beyond
    assert not [*contradictions_of_law(drop(10**9), grown)]
    assert [*contradictions_of_law(drop(int(grown["values"][-1][0])), grown)]


@pytest.mark.parametrize("further", [0, 2])
def test_a_printed_law_is_measured_again_from_its_record(further: int) -> None:
    for one in (growing(), sums()):
        for law in laws_of(one).values():
            again = measured_again(one, law, further)
            assert len(again) >= len(law["values"])
            for (_, y), (_, now) in zip(law["values"], again, strict=False):
                assert now == pytest.approx(y, rel=1e-9)
            assert not [*contradictions_of_law(one, law)]


FORGED: dict[str, Any] = {
    "another value": lambda law: law["values"].__setitem__(3, [law["values"][3][0], 1.5]),
    "another form": lambda law: law["form"].__setitem__(1, "7/2"),
    "another start": lambda law: law["path"]["values"].__setitem__("k", 0.7),
    "a bound": lambda law: law.update(
        kind="bounded", form=None, supremum=[12.0, 12.0], shape="rises"
    ),
    "another power": lambda law: law.update(form=None, exponent=[2.0, 2.0]),
    "a limit": lambda law: law.update(
        kind="bounded",
        form=None,
        supremum=[1e9, 1e9],
        shape="rises",
        text="rises, and tends to 1e9",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_planted_wrong_law_is_contradicted(name: str) -> None:
    one = growing()
    law = copy.deepcopy(laws_of(one)["k"])
    FORGED[name](law)
    assert [*contradictions_of_law(one, law)]


def test_a_bound_below_the_leafs_own_worst_is_contradicted() -> None:
    level = claim(lambda w: ({"l": 3 * w.x * w.y}, {"r": w.x**2 + w.y**2}), numbers(x=WIDE, y=WIDE))
    for law in laws_of(level).values():
        assert law["kind"] == "bounded"
        assert not [*contradictions_of_law(level, law, 1.5)]
        assert [*contradictions_of_law(level, law, 1.7)]


def test_a_bound_is_not_told_where_another_number_sits_at_an_end_of_its_range() -> None:
    """z may be as small as one likes, and the range ends at 1/8: beyond it there is more."""
    edge = claim(
        lambda w: ({"l": w.x / (1 + w.x)}, {"r": w.z / (1 + w.z)}),
        numbers(x=WIDE, z=WIDE),
    )
    assert not [law for law in laws_of(edge).values() if law["kind"] == "bounded"]


# -- confirming ------------------------------------------------------------------------------------

XS = [2.0**k for k in range(10)]


@pytest.mark.parametrize(
    ("ys", "kind"),
    [
        ([3 * x for x in XS], "power"),
        ([2 + np.log(x) for x in XS], "logarithm"),
        ([2 - 1 / x for x in XS], "bounded"),
    ],
    ids=["power", "logarithm", "limit"],
)
def test_two_more_doublings_confirm_a_law_or_refuse_it(ys: list[float], kind: str) -> None:
    found = fit(XS[:8], ys[:8], "x")
    assert found.kind == kind
    assert confirmed(found, XS, ys, 8)
    bent = [*ys[:8], ys[8] * 1.05, ys[9] * 1.4]
    assert not confirmed(found, XS, bent, 8)


def test_a_word_for_values_follows_from_them() -> None:
    assert shape_of([2.0, 2.01, 2.02]) == "level"
    assert shape_of([1.0, 2.0, 4.0]) == "rises"
    assert shape_of([4.0, 2.0, 1.0]) == "falls"
    assert shape_of([1.0, 4.0, 1.0]) == "peak"
    falling = [8.0 / x for x in XS]
    assert tail_of(XS, falling) == "1/x"
    assert tail_of(XS, [1 + 1e-3 / x for x in XS]) == ""  # level
    assert tail_of(XS, [1 + 8 / x**3 for x in XS]) == "1"
    assert tail_of(XS, [*falling[:-1], falling[-1] * 1.1]) == ""  # control: not the last one
    assert slope_of(XS, [x**2 for x in XS]) == Fit("power", (2.0, 2.0))
    assert slope_of(XS, [x ** (1 + 0.1 * k) for k, x in enumerate(XS)]) is None


# -- words -----------------------------------------------------------------------------------------


def told(along: str, **more: Any) -> dict[str, Any]:
    made = {
        "along": along,
        "kind": "power",
        "exponent": [1.0, 1.0],
        "supremum": None,
        "formula": "",
        "limit": "",
        "values": [[1.0, 2.0], [2.0, 4.0]],
        "exact": 0,
        "shape": "rises",
        "tail": "",
        "tied": [],
        "form": None,
        "path": {"witness": True, "moves": [["k", None, 1.0]], "factors": [1.0, 2.0]},
    }
    return {**made, **more}


def test_a_formula_is_written_with_plain_quotients_and_letters() -> None:
    law = told("1/sigma", formula="9 (1/sigma)^2/8 + 1")
    assert "9/(8 sigma^2) + 1" in law_text(law)
    assert "9/(8 σ^2) + 1" in law_text(law, lambda _: "σ")


def test_names_that_no_author_knows_are_not_printed_where_another_law_has_a_letter() -> None:
    letter = letters("hcct")
    assert letter is not None
    assert letter("slack") is None
    assert letter("optimum[1]") == "w^*_2"
    slack, curvature = told("1/slack"), told("curvature")
    (only,) = in_print([slack, curvature], letter)
    assert only["text"].startswith("along L, ")
    (alone,) = in_print([slack], letter)
    assert "the paper has no letter for it" in alone["text"]
    assert [law["along"] for law in in_print([slack, curvature], None)] == ["1/slack", "curvature"]
    assert letters("nobody") is None
