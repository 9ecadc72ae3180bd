"""Theorems and lemmas of the all-for-all paper that bound a run, at scale.

Their left sides are exact moments or exact laws on a lattice, polynomial in all sizes, so that the
statements' own sides are evaluated on more agents and for longer.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from verify.claim import Statement
from verify.rates.boxed import boxed
from verify.rates.record import Cell, Draw, Rate
from verify.statements.allforall import (
    drawn,
    lemma4,
    lemmas5_6,
    theorem2_1,
    theorem3a,
    theorem4_1,
    theorem4_2,
    theorem6a,
    theorem6b,
    theorem7_2,
    theorems3b_8,
)

_AGENTS: tuple[Cell, ...] = tuple({"N": n} for n in (1, 2, 4, 16, 64))
_ONE: tuple[Cell, ...] = ({"N": 1},)
_PAIR: tuple[Cell, ...] = ({"N": 1}, {"N": 2})
_AXES: tuple[Cell, ...] = ({"N": 1, "d": 1}, {"N": 1, "d": 2})
_PLANE: tuple[Cell, ...] = tuple(
    {"N": n, "d": d} for n, d in ((1, 1), (2, 2), (8, 1), (32, 2), (128, 2), (512, 2))
)
_MANY: tuple[Cell, ...] = tuple({"N": n} for n in (1, 2, 8, 64, 512))
_BLOCKS: tuple[Cell, ...] = tuple(
    {"N": n, "block": c} for n, c in ((1, 1), (4, 2), (16, 4), (64, 64), (512, 16))
)
_CLOSE: tuple[Cell, ...] = tuple(
    {"N": n, "active": a, "counted": a} for n, a in ((1, 1), (2, 1), (8, 4), (64, 16), (512, 256))
)
_SIMPLEX: tuple[Cell, ...] = tuple({"N": n} for n in (4, 64, 512))
_GRAPHS: tuple[Cell, ...] = tuple(dict(shape) for shape in theorem4_2.repaired.family.shapes)
_ROOT_T = (-0.6, -0.4)
"""Slopes of 1/sqrt(T)."""


def _rates(
    claims: Iterable[Statement],
    problems: str,
    cells: tuple[Cell, ...],
    draw: Draw | None = None,
    **more: Any,
) -> tuple[Rate, ...]:
    return tuple(
        Rate(
            statement=claim,
            problems=problems,
            draw=draw or boxed(claim.family),
            way="sides",
            cells=tuple({k: v for k, v in cell.items() if k != "rounds"} for cell in cells),
            **more,
        )
        for claim in claims
    )


_MEAN: dict[str, Any] = {"iterate": "average"}

RATES: tuple[Rate, ...] = (
    *_rates(theorems3b_8.noiseless, "quadratics", _AGENTS, free=("N",)),
    *_rates(
        (theorems3b_8.at_the_horizon, theorems3b_8.any_step), "quadratics", _AGENTS, free=("N",)
    ),
    *_rates(theorems3b_8.theorem8, "two minimisers", _PAIR),
    *_rates((theorems3b_8.theorem8_repaired,), "two minimisers", _PAIR, **_MEAN),
    *_rates((theorem4_2.repaired,), "graphs", _GRAPHS),
    *_rates(
        (lemma4.lemma4a, lemma4.lemma4a_repaired, lemma4.lemma4b, lemma4.lemma4b_repaired),
        "relative quadratics",
        _AXES,
    ),
    *_rates((*lemma4.lemma4c[1:], lemma4.lemma4c_repaired), "parabolas", _ONE),
    *_rates((lemmas5_6.lemma5a,), "parabolas", _ONE, **_MEAN),
    *_rates((lemmas5_6.lemma5b,), "parabolas", _ONE),
    *_rates(
        (
            theorem6b.theorem6b_similar,
            theorem6b.gap_of_the_mixture,
            theorem7_2.theorem7_2,
            theorem7_2.theorem2_2,
        ),
        "one Hessian",
        _PLANE,
        free=("N",),
    ),
    *_rates((theorem7_2.naive_b,), "one Hessian", _PLANE[:3]),
    *_rates(
        (theorem6b.theorem6b_relaxed, theorem7_2.theorem7_2_relaxed),
        "one minimiser",
        _MANY,
        free=("N",),
    ),
    *_rates(
        theorem4_1.blocks[::2],
        "blocks of absolute losses",
        _BLOCKS,
        wide=True,
        longest=100,
        **_MEAN,
    ),
    *_rates(theorem4_1.blocks[1::2], "blocks of absolute losses", _BLOCKS, wide=True, **_MEAN),
    *_rates(theorem4_1.repaired[:1], "blocks of absolute losses", _BLOCKS, wide=True, **_MEAN),
    *_rates(
        (*theorem4_1.simplex, *theorem4_1.repaired[1:]),
        "a simplex of minimisers",
        _SIMPLEX,
        longest=100,
        **_MEAN,
    ),
    *_rates((theorem4_1.epoch,), "blocks of absolute losses", _BLOCKS, wide=True, **_MEAN),
    *_rates(
        (theorem2_1.theorem2_1_repaired, theorem2_1.one_of_many),
        "absolute losses",
        _CLOSE,
        wide=True,
        **_MEAN,
    ),
    *_rates(
        (*theorem2_1.theorem2_1, *theorem2_1.naive_a, *theorem2_1.theorem7_1),
        "absolute losses",
        _CLOSE,
        wide=True,
        longest=50,
        **_MEAN,
    ),
    *_rates(
        (lemmas5_6.lemma5c.leaf("in-mean", "rounded-up"), lemmas5_6.lemma5c_repaired),
        "parabolas",
        _ONE,
        **_MEAN,
    ),
    *_rates(
        (lemmas5_6.lemma6a[1], lemmas5_6.lemma6b[1], *lemmas5_6.lemma6_repaired),
        "an absolute loss",
        _ONE,
        longest=12,
        **_MEAN,
    ),
    *_rates(
        (theorems3b_8.samples8[1], theorems3b_8.samples8_repaired),
        "one parabola",
        ({"N": 1, "larger": "noise"}, {"N": 1, "larger": "start"}),
    ),
    *_rates(
        (theorem3a.theorem3a,),
        "blocks of absolute losses",
        drawn.BLOCKS,
        partial(drawn.blocks, False),
        wide=True,
        longest=200,
        **_MEAN,
    ),
    *_rates(
        (theorem3a.theorem3a,),
        "blocks of one minimiser",
        drawn.BLOCKS,
        partial(drawn.blocks, True),
        wide=True,
        longest=200,
        slope=_ROOT_T,
        **_MEAN,
    ),
    *_rates(
        (theorem6a.theorem6a, theorem6a.theorem6a_repaired),
        "absolute losses, one minimiser",
        drawn.ACTIVE,
        partial(drawn.inward, False),
        **_MEAN,
    ),
    *_rates(
        (theorem6a.theorem6a_repaired,),
        "absolute losses, no bias",
        drawn.ACTIVE,
        partial(drawn.inward, True),
        slope=_ROOT_T,
        **_MEAN,
    ),
    *_rates(
        (
            theorem4_2.printed.leaf(scale, "rounded-up")
            for scale in ("algorithm-step", "appendix-step")
        ),
        "graphs",
        _GRAPHS,
    ),
)
