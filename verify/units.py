"""Units rung: read the dimensions of every term off two rescaled copies of an instance.

Rescaling an instance (loss by 2, then length by 2) multiplies a term of unit loss**p * length**q
by 2**p and 2**q.  Terms of one claim whose exponents differ cannot be compared for all instances:
the rung says so, and the search gets a ray.  It never decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.evidence import Evidence
from verify.instance import Instance
from verify.noise_plan import NoisePlan
from verify.score import Score, score
from verify.statement import Statement

Exponents = tuple[float, float] | None
"""Powers of (loss, length), or None where the term does not scale by a power."""


@dataclass(frozen=True)
class Units:
    """Exponents of every term of both sides and of every hypothesis."""

    left: Mapping[str, Exponents]
    right: Mapping[str, Exponents]
    given: Mapping[str, Exponents]

    @property
    def consistent(self) -> bool:
        """Whether all terms of the claim share one unit, and every hypothesis has one."""
        seen = {e for side in (self.left, self.right) for e in side.values()}
        return len(seen) <= 1 and None not in {*seen, *self.given.values()}

    def evidence(self) -> Evidence:
        """What the rung reports; it never decides."""
        words = [
            f"{side} {name}: {_spell(e)}"
            for side, terms in (("left", self.left), ("right", self.right))
            for name, e in terms.items()
        ]
        state = "units agree" if self.consistent else "units differ"
        return Evidence(
            "units", "reported", f"{state} ({'; '.join(words)})",
            details={"left": dict(self.left), "right": dict(self.right), "given": dict(self.given)},
        )  # fmt: skip


def measure_units(statement: Statement, instance: Instance, noise: NoisePlan) -> Units | None:
    """Exponents of every term, measured on one instance; None if the instance has no units."""
    if not any(any(unit) for unit in instance.units.values()):
        return None
    batch = instance.batched()
    base, loss, length = (
        score(statement, batch.scaled(*factors), noise=noise)
        for factors in ((1.0, 1.0), (2.0, 1.0), (1.0, 2.0))
    )

    def exponents(pick: Any) -> dict[str, Exponents]:
        terms = pick(base)
        return {
            name: _pair(value, pick(loss).get(name), pick(length).get(name))
            for name, value in terms.items()
            if np.any(xp.to_float(value) != 0)
        }

    def hypotheses(s: Score) -> dict[str, Any]:
        return s.margins

    return Units(
        exponents(lambda s: s.terms[0]), exponents(lambda s: s.terms[1]), exponents(hypotheses)
    )


def _pair(base: Any, loss: Any, length: Any) -> Exponents:
    p, q = _exponent(base, loss), _exponent(base, length)
    return None if p is None or q is None else (p, q)


def _exponent(base: Any, scaled: Any) -> float | None:
    """Power of 2 between two evaluations, None unless it is one multiple of 1/4 everywhere."""
    if scaled is None:
        return None
    a, b = xp.to_float(base), xp.to_float(scaled)
    a, b = np.broadcast_arrays(a, b)
    used = (a != 0) | (b != 0)
    with np.errstate(all="ignore"):
        powers = np.log2(b[used] / a[used])
    if powers.size == 0 or not np.all(np.isfinite(powers)):
        return None
    rounded = np.round(4 * powers) / 4
    same = np.allclose(powers, rounded, atol=1e-6) and np.all(rounded == rounded[0])
    return float(rounded[0]) if same else None


def _spell(exponents: Exponents) -> str:
    if exponents is None:
        return "no power"
    parts = [
        name if power == 1 else f"{name}^{power:g}"
        for name, power in zip(("loss", "length"), exponents, strict=True)
        if power
    ]
    return " ".join(parts) or "1"
