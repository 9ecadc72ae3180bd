"""Losses at one point, shares and weights as free numbers: what claims about rho are made of."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Terms
from verify.statements.aggregation.common import source
from verify.world.world import World

SHARE = Real(1 / 64, 1, log=True, per=("N",))
RAW = Real(1 / 256, 1, log=True, per=("N",))
EXCESS = Real(0, 8, unit=(1, 0), per=("N",))
TEMPERATURE = Real(1 / 4, 16, unit=(1, 0), log=True)
FEW: tuple[Shape, ...] = ({"N": 2}, {"N": 3})
SIZES: tuple[Shape, ...] = ({"N": 1}, *FEW, {"N": 5})


def normalised(x: Any) -> Any:
    """Positive numbers of sum one, (..., N)."""
    return x / xp.total(x)[..., None]


def some_excess(w: World) -> Terms:
    """Footnote 1: rho(t, w) is defined."""
    return {"F(w) differs from sum p F*": xp.total(w.excess)}


SOME_EXCESS = frozenset({"F(w) differs from sum p F*"})


def claim_on(name: str, where: str = "Section 2.3") -> dict[str, Any]:
    """Key, source and kind of a claim on a strategy."""
    return {"key": f"aggregation.strategy.{name}", "source": source(where), "kind": "claim"}
