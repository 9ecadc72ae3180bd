"""Proofs of claims that single clients out, order them, compare pairs or take extremes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers.validate import positive
from tests.verify.cases import assume, claim
from verify.certify.checker import accepts
from verify.claim.parameters import Family, Real, plain_numbers
from verify.claim.statement import Statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.world.world import World

SHARE = Real(0, 1, per=("N",), domain=(0, 1))
WEIGHT = Real(1 / 8, 8, log=True, per=("N",))
PLACE = Real(-4, 4, per=("N",))
LEVEL = Real(1 / 8, 1, domain=(0, 1))
ANY = ({"N": 1}, {"N": 2}, {"N": 3})
SEVERAL = ({"N": 2}, {"N": 3})

Sides = Callable[[World], Any]


def family(build: Any = plain_numbers, shapes: Any = ANY, **box: Real) -> Family:
    return Family(box, shapes, build)


def proof_of(statement: Statement) -> Any:
    found = [e.proof for e in prove(statement) if e.status == "decided" and e.proof]
    return found[0] if found else None


def _asking(values: Any, shape: Any) -> Any:
    """Client 0 has r = 1."""
    r = values["r"].copy()
    r[..., 0] = 0 * r[..., 0] + 1
    return plain_numbers({**values, "r": r}, shape)


def _pairs(w: World) -> Any:
    return xp.total(xp.total((w.x[..., :, None] - w.x[..., None, :]) ** 2))


def _kept(w: World) -> Any:
    return xp.indicator(xp.at_least(w.r, w.level[..., None]), w.r)


BOX: dict[str, Family] = {
    "r": family(r=SHARE),
    "v": family(v=WEIGHT, r=SHARE),
    "x": family(x=PLACE),
    "asking": family(_asking, r=SHARE, v=WEIGHT),
    "level": family(r=SHARE, level=LEVEL),
    "two": family(shapes=SEVERAL, r=SHARE),
    "rows": family(rows=Real(1 / 8, 8, log=True, per=("N", "N")), x=PLACE),
    "place": family(y=Real(-4, 4), level=LEVEL),
    "coordinates": Family(
        {"h": Real(0, 1, per=("d",)), "y": Real(-4, 4, per=("d",))}, ({"d": 1}, {"d": 2})
    ),
}

TRUE: dict[str, tuple[str, Callable[[Any], Sides]]] = {
    "one client is no more than all": (
        "r",
        lambda q: lambda w: ({"one": q * w.r[..., 0]}, {"all": xp.total(w.r)}),
    ),
    "the last client, too": (
        "two",
        lambda q: lambda w: ({"one": q * w.r[..., 1]}, {"all": xp.total(w.r)}),
    ),
    "a client whose value the instance fixes": (
        "asking",
        lambda q: lambda w: ({"own": q / w.v[..., 0]}, {"all": xp.total(w.r / w.v)}),
    ),
    "the largest is no more than the sum": (
        "r",
        lambda q: lambda w: ({"max": q * xp.largest(w.r)}, {"sum": xp.total(w.r)}),
    ),
    "the smallest is no more than the mean": (
        "v",
        lambda q: lambda w: ({"min": q * xp.smallest(w.v)}, {"mean": xp.mean(w.v)}),
    ),
    "the mean is no more than the largest": (
        "v",
        lambda q: lambda w: ({"mean": q * xp.mean(w.v)}, {"max": xp.largest(w.v)}),
    ),
    "pairs": (
        "x",
        lambda q: (
            lambda w: (
                {"pairs": q * _pairs(w)},
                {"squares": 2 * w.N * xp.total(w.x**2) - 2 * xp.total(w.x) ** 2 + 0 * _pairs(w)},
            )
        ),
    ),
    "those above a level": (
        "level",
        lambda q: (
            lambda w: (
                {"level": q * xp.total(w.level[..., None] * _kept(w))},
                {"all": xp.total(w.r)},
            )
        ),
    ),
    "a condition on one number, in cases": (
        "place",
        lambda q: (
            lambda w: (
                {"kept": q * xp.where(w.y > w.level, w.y, 0 * w.y)},
                {"size": xp.absolute(w.y)},
            )
        ),
    ),
    "a condition on each client, in cases": (
        "level",
        lambda q: (
            lambda w: (
                {"fewer": q * xp.total(xp.indicator(w.r >= w.level[..., None], w.r))},
                {"more": xp.total(xp.indicator(2 * w.r >= w.level[..., None], w.r))},
            )
        ),
    ),
    "positive parts": (
        "level",
        lambda q: (
            lambda w: (
                {"part": q * xp.total(xp.positive_part(w.r - w.level[..., None]))},
                {"all": xp.total(w.r) - xp.total(xp.minimum(w.r, w.level[..., None]))},
            )
        ),
    ),
    "rows of a matrix": (
        "rows",
        lambda q: (
            lambda w: (
                {"x": q * xp.total(xp.matvec(w.rows / xp.total(w.rows)[..., None], 1 + 0 * w.x))},
                {"N": w.N + 0 * xp.total(w.x)},
            )
        ),
    ),
    "coordinates": (
        "coordinates",
        lambda q: (
            lambda w: ({"bent": q * xp.total(w.h**2 * w.y**2)}, {"h": xp.total(w.h * w.y**2)})
        ),
    ),
}


def made(name: str, factor: Any = 1) -> Statement:
    box, sides = TRUE[name]
    given = assume({"h at most 1": lambda w: 1 - w.h}) if box == "coordinates" else ()
    return claim(sides(factor), BOX[box], given=given)


@cache
def true_proof(name: str) -> Any:
    return proof_of(made(name))


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.every(2)
def test_a_true_claim_is_proved_for_any_number(name: str) -> None:
    proof = true_proof(name)
    assert proof is not None
    assert recheck(made(name), proof)
    assert all(accepts(part["written"]) for part in proof["certificates"])


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.every(8)
def test_its_false_twin_is_not(name: str) -> None:
    # each claim is tight somewhere, so that a millionth more is false
    twin = made(name, 1 + xp.divide(1, 10**6))
    assert proof_of(twin) is None
    assert not recheck(twin, true_proof(name))


def test_without_its_hypothesis_it_is_not() -> None:
    sides = TRUE["coordinates"][1](1)
    assert proof_of(claim(sides, BOX["coordinates"])) is None


def test_the_proofs_of_other_clients_are_not_enough() -> None:
    proof = true_proof("one client is no more than all")
    assert [part["shape"]["N"] for part in proof["certificates"]] == ["any", 1]
    for left_out in (0, 1):
        kept = [p for i, p in enumerate(proof["certificates"]) if i != left_out]
        assert not recheck(made("one client is no more than all"), {"certificates": kept})


FALSE: dict[str, tuple[Family, Sides]] = {
    "true of few clients only": (
        BOX["r"],
        lambda w: ({"sum": xp.total(w.r)}, {"3": 3 + 0 * xp.total(w.r)}),
    ),
    "true of the number that is written out": (
        BOX["v"],
        lambda w: ({"sum": xp.total(w.r)}, {"5": 5 + 0 * xp.total(w.v)}),
    ),
    "the mean over a length": (
        BOX["v"],
        lambda w: ({"sum": xp.total(w.r) / 5}, {"1": 1 + 0 * xp.total(w.v)}),
    ),
    "the largest of the first four": (
        BOX["r"],
        lambda w: ({"max": xp.largest(w.r)}, {"some": xp.total(w.r[..., :4])}),
    ),
    "another branch for many": (
        BOX["r"],
        lambda w: (
            {"sum": xp.total(w.r) * (0 if w.r.shape[-1] == 5 else 1)},
            {"0": 0 * xp.total(w.r)},
        ),
    ),
    "true of the first client": (
        family(_asking, r=SHARE),
        lambda w: ({"1": 1 + 0 * w.r}, {"r": w.r}),
    ),
    "a largest value that is not attained": (
        BOX["r"],
        lambda w: ({"r": xp.largest(w.r)}, {"r": w.r[..., 0]}),
    ),
    "one level for all": (
        BOX["level"],
        lambda w: ({"r": xp.total(w.r)}, {"kept": xp.total(w.r * _kept(w))}),
    ),
    "a diagonal that is not like the rest": (
        BOX["x"],
        lambda w: (
            {"pairs": xp.total(xp.total(w.x[..., :, None] ** 2 + 0 * w.x[..., None, :]))},
            {"diagonal": xp.total(w.x**2)},
        ),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_for_some_number_of_clients_is_not_proved(name: str) -> None:
    box, sides = FALSE[name]
    assert proof_of(claim(sides, box)) is None


def test_each_side_is_the_one_of_the_claim() -> None:
    # five clients are written out: as a number on both sides five would cancel
    def counted(w: World) -> Any:
        return {"all": xp.total(xp.indicator(w.v > 0, w.v))}, {"N": w.N + 0 * xp.total(w.v)}

    (part,) = proof_of(claim(counted, family(v=WEIGHT), relation="=="))["certificates"]
    assert part["written"]["claim"] == {"left": "N", "right": "N", "relation": "=="}


def _by_mask(values: Any, shape: Any) -> Any:
    chosen = (np.arange(shape["N"]) < 1).astype(int)
    return plain_numbers({**values, "r": values["r"] * chosen}, shape)


def test_a_build_that_treats_a_client_apart_shows_in_the_proof() -> None:
    box = family(_by_mask, r=SHARE)
    first = claim(lambda w: ({"all": xp.total(w.r)}, {"one": w.r[..., 0]}), box)
    assert proof_of(first) is not None  # the others are zero by the build
    assert proof_of(claim(lambda w: ({"all": xp.total(w.r)}, {"0": 0 * w.r[..., 0]}), box)) is None


def test_a_condition_on_vectors_is_not_read_on_the_line() -> None:
    box = Family({"y": Real(-4, 4, per=("N", "d"))}, ({"N": 1, "d": 1}, {"N": 2, "d": 2}))

    def clipped(w: World) -> Any:
        square = xp.squared_norm(w.y)
        return {"kept": square * xp.indicator(square > 1, square)}, {"all": square}

    assert proof_of(claim(clipped, box)) is None


def _below_one(w: World) -> Any:
    positive("1 - level", 1 - w.level)  # as a formula refuses what its theorem excludes
    return {"level": w.level**2}, {"level": w.level + 0 * xp.total(w.r)}


def test_a_claim_may_have_no_value_where_its_hypothesis_fails() -> None:
    box = family(r=SHARE, level=Real(0, 4, domain=(0, 4)))
    below = assume({"level < 1": lambda w: 1 - w.level})
    proof = proof_of(claim(_below_one, box, given=below))
    assert proof is not None
    assert recheck(claim(_below_one, box, given=below), proof)
    other = assume({"level >= 0": lambda w: w.level})
    assert proof_of(claim(_below_one, box, given=other)) is None
