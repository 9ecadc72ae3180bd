"""Theorem 4.5, Lemma B.2 and Corollary 4.6 of FedBC at scale: many devices, long runs.

A run in which every device takes part has one outcome, so that the statements' own sides are exact
whatever the number of devices and rounds. Where some are sampled the sets are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verify.claim import Statement
from verify.rates.boxed import boxed
from verify.rates.record import Cell, Rate
from verify.statements.fedbc import corollary, lemma_b2, sampled, theorem
from verify.statements.fedbc.quantities import STEPPED, size

_DEVICES = (1, 2, 4, 8, 16)


def _cells(**more: Any) -> tuple[Cell, ...]:
    return tuple({k: v for k, v in size(n, n, **more).items() if k != "rounds"} for n in _DEVICES)


_SOLVED = _cells(together=True)
_STEPPED = _cells(together=True, **STEPPED)
_APART = (*_cells(), *_cells(**STEPPED))
_RELAXED: tuple[Cell, ...] = ({"N": 2, "d": 1, **STEPPED},)
_ONE_MORE: dict[str, Any] = {"relaxed": lambda w: int(w.original("rounds")) + 1}
"""The relaxed run takes two rounds at least."""


def _rates(
    claims: Iterable[Statement],
    problems: str,
    cells: tuple[Cell, ...],
    bounded: str,
    **more: Any,
) -> tuple[Rate, ...]:
    return tuple(
        Rate(
            statement=claim,
            problems=problems,
            draw=boxed(claim.family),
            cells=cells,
            way="sides",
            bounded=bounded,
            iterate="average",
            longest=200,
            **more,
        )
        for claim in claims
    )


def _sampled(
    claims: Iterable[Statement], cells: tuple[Cell, ...], bounded: str, problems: str
) -> tuple[Rate, ...]:
    """Exact local solutions, a set of devices drawn in every round."""
    return tuple(
        Rate(
            statement=claim,
            problems=problems,
            draw=boxed(claim.family, sampled.alike),
            cells=cells,
            way="samples",
            bounded=bounded,
            iterate="average",
            longest=200,
            wide=True,
            defines=sampled.DRAWN,
        )
        for claim in claims
    )


_GRADIENT, _SPREAD = "squared gradient", "consensus error"
_COMPUTING = sampled.cells(virtual=True)
_FROM_ONE = sampled.cells(virtual=True, together=True)
_WAITING = sampled.cells(together=True)

RATES: tuple[Rate, ...] = (
    *_rates(
        (theorem.explicit, theorem.repaired, theorem.explicit90),
        "double wells, solved",
        _SOLVED,
        _GRADIENT,
    ),
    *_rates(
        (theorem.explicit, theorem.repaired, theorem.explicit90),
        "double wells, one step",
        _STEPPED,
        _GRADIENT,
    ),
    *_rates((lemma_b2.eq65, lemma_b2.eq65_repaired), "double wells", _APART, _SPREAD),
    *_rates((lemma_b2.lemma_explicit, lemma_b2.lemma_refined), "double wells", _APART, _SPREAD),
    *_rates((corollary.repaired,), "two quadratics", _RELAXED, _GRADIENT, defines=_ONE_MORE),
    *_sampled((theorem.explicit, theorem.repaired), _FROM_ONE, _GRADIENT, "some averaged"),
    *_sampled((theorem.explicit,), _WAITING, _GRADIENT, "some compute, the others wait"),
    *_sampled(
        (lemma_b2.lemma_explicit, lemma_b2.lemma_refined, lemma_b2.eq65_repaired),
        _COMPUTING,
        _SPREAD,
        "some averaged",
    ),
)
