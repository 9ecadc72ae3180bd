"""Claims up to an unnamed constant: a growing ray refutes them, one bad instance does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verify.claim.statement import Family, Real, Source, Statement
from verify.ladder.assay import PROFILES, assay
from verify.verdict.verdict import breaks

FAMILY = Family(
    {
        "beta": Real(0.1, 10, unit=(1, -2), log=True),
        "eta": Real(0.01, 1, unit=(-1, 2), log=True),
        "x": Real(0.1, 2, unit=(0, 1), log=True),
    }
)
SMALL = replace(PROFILES["quick"], evaluations=1_000)


def claim(sides: object) -> Statement:
    return Statement(
        key="test.order", source=Source("test", ""), latex="x", family=FAMILY, relation="<~",
        sides=sides,  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_hundred_times_too_small_is_no_violation() -> None:
    true = claim(lambda w: ({"b": w.beta * w.x**2}, {"c": w.beta * w.x**2 / 100}))
    found = assay(true, profile=SMALL)
    assert (found.verdict, found.witness) == ("inconclusive", None)
    assert "explicit" in found.reason


@pytest.mark.parametrize(
    "sides",
    [
        lambda w: ({"b": w.beta**2 * w.x**2}, {"c": w.beta * w.x**2}),
        lambda w: ({"b": w.beta * w.x**2}, {"c": w.eta * w.x**2}),
    ],
)
def test_a_wrong_power_is_refuted_by_a_ray(sides: object) -> None:
    found = assay(claim(sides), profile=SMALL)
    assert found.verdict == "violated"
    assert found.witness is not None
    assert breaks(found.witness)
    # the far point alone, or a ray without growth, accuses nobody
    assert not breaks({k: v for k, v in found.witness.items() if k != "near"})
    assert not breaks({**found.witness, "doublings": 10**4})
