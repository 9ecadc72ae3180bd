"""Deductions of the steps of Theorem 4.5 and Corollary 4.6, over free symbols."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real
from verify.statements.fedbc.deductions import ABOVE, FREE, SIGNED, deduction
from verify.world.world import World

EQ69 = deduction(
    "eq69",
    lambda w: (
        {"2 |.|^2": 2 * (w.change - 2 * w.multiplier * w.gap) ** 2},
        {"change": 4 * w.change**2, "gap": 8 * w.most * w.gap**2},
    ),
    lambda w: {"lambda <= lambda_max": w.most - w.multiplier},
    change=SIGNED, gap=SIGNED, multiplier=FREE, most=FREE,
)  # fmt: skip
"""One client: change = f'(z) - f'(x), gap = x - z."""

EQ70 = deduction(
    "eq70",
    lambda w: (
        {"change": 4 * w.change, "gap": 8 * w.most * w.gap},
        {"joint": 4 * (w.stiff**2 + 2 * w.most) * w.gap},
    ),
    lambda w: {"smoothness": w.stiff**2 * w.gap - w.change},
    change=FREE, gap=FREE, most=FREE, stiff=ABOVE,
)  # fmt: skip

_MEANS: dict[str, Any] = {
    "slope": FREE, "move": FREE, "fall": SIGNED, "spread": FREE, "epsilon": FREE, "alpha": FREE,
    "constant": FREE, "stiff": ABOVE, "most": ABOVE,
}
"""Means of |grad L_i|^2, |move|^2, L^t - L^{t+1} and |x - z|^2; epsilon, alpha, G, L, lambda_max."""


def _m1(w: World) -> Any:
    return w.stiff + 2 * w.most


EQ72 = deduction(
    "eq72",
    lambda w: (
        {"slope": w.slope},
        {
            "fall": 2 * _m1(w) ** 2 * w.fall,
            "spread": w.most * w.spread,
            "epsilon": _m1(w) ** 2 * w.epsilon / w.stiff,
            "alpha": w.alpha * _m1(w) ** 2 * w.constant**2,
        },
    ),
    lambda w: {
        "(28)": 2 * _m1(w) ** 2 * (w.move + w.epsilon) - w.slope,
        "(43)": w.fall
        + w.epsilon / (2 * w.stiff)
        + w.alpha * w.constant**2
        + w.most * w.spread
        - w.move,
    },
    **_MEANS,
)

EQ76 = deduction(
    "eq76",
    lambda w: (
        {"|grad f|^2": w.gradient},
        {
            "fall": 4 * _m1(w) ** 2 * w.fall,
            "spread": (4 * (w.stiff**2 + 2 * w.most) + 2 * w.most) * w.spread,
            "epsilon": 2 * _m1(w) ** 2 * w.epsilon / w.stiff,
            "alpha": 2 * w.alpha * _m1(w) ** 2 * w.constant**2,
        },
    ),
    lambda w: {
        "(71)": 4 * (w.stiff**2 + 2 * w.most) * w.spread + 2 * w.slope - w.gradient,
        "(72)": 2 * _m1(w) ** 2 * w.fall
        + w.most * w.spread
        + _m1(w) ** 2 * w.epsilon / w.stiff
        + w.alpha * _m1(w) ** 2 * w.constant**2
        - w.slope,
    },
    gradient=FREE, **{k: v for k, v in _MEANS.items() if k != "move"},
)  # fmt: skip
"""Sums over the rounds, with sum_t |x^t - z^t|^2 at most sum_t |x^{t+1} - z^{t+1}|^2 by x^0 = z^0."""

EQ77 = deduction(
    "eq77",
    lambda w: (
        {"|grad f|^2": w.gradient},
        {"rest": w.rest, "epsilon": w.factor * w.first, "delta^2": w.second},
    ),
    lambda w: {
        "(76)": w.rest + w.factor * w.spread - w.gradient,
        "Lemma B.2": w.first + w.second - w.spread,
        "factor above 8": w.factor - 8,
    },
    gradient=FREE, rest=SIGNED, factor=Real(1, 64, log=True), first=FREE, second=FREE, spread=FREE,
)  # fmt: skip

EQ81 = deduction(
    "eq80-83",
    lambda w: (
        {"f(z)": w.there},
        {
            "Lagrangian": w.here + w.multiplier * (w.gap**2 - w.gamma),
            "move": (w.stiff - w.multiplier) * w.gap**2,
            "gamma": w.gamma * w.multiplier,
            "G^2/(2 L)": w.bound**2 / (2 * w.stiff),
        },
    ),
    lambda w: {
        "(80)": w.here + w.slope * w.gap + w.stiff * w.gap**2 / 2 - w.there,
        "(81)": w.bound**2 - w.slope**2,
    },
    there=SIGNED, here=SIGNED, slope=SIGNED, gap=SIGNED, stiff=ABOVE, multiplier=FREE, gamma=FREE,
    bound=FREE,
)  # fmt: skip

EQ83 = deduction(
    "eq83",
    lambda w: (
        {"f(z)": w.there},
        {"Lagrangian": w.last, "gamma": w.gamma * w.multiplier, "G^2/(2 L)": w.share},
    ),
    lambda w: {
        "(81)": w.last
        + (w.stiff - w.multiplier) * w.gap
        + w.gamma * w.multiplier
        + w.share
        - w.there,
        "lambda >= L_i": w.multiplier - w.stiff,
    },
    there=SIGNED, last=SIGNED, gamma=FREE, multiplier=FREE, share=FREE, stiff=ABOVE, gap=FREE,
)  # fmt: skip

EQ87 = deduction(
    "eq87-89",
    lambda w: (
        {"fall": w.first - w.last},
        {"f": w.start - w.best, "gamma": w.most * w.gamma, "G^2/(2 L)": w.share},
    ),
    lambda w: {
        "(78)": w.start - w.first,
        "(83)": w.last + w.gamma * w.multiplier + w.share - w.there,
        "minimum": w.there - w.best,
        "lambda <= lambda_max": w.most - w.multiplier,
    },
    first=SIGNED, last=SIGNED, start=SIGNED, best=SIGNED, there=SIGNED, gamma=FREE,
    multiplier=FREE, most=FREE, share=FREE,
)  # fmt: skip

EQ90 = deduction(
    "explicit90",
    lambda w: (
        {"|grad f|^2": w.gradient},
        {"start": w.factor * w.start, "gamma": w.factor * w.gamma, "rest": w.rest},
    ),
    lambda w: {
        "(77)": w.factor * w.fall + w.rest - w.gradient,
        "(89)": w.start + w.gamma - w.fall,
    },
    gradient=FREE, factor=ABOVE, fall=SIGNED, start=FREE, gamma=FREE, rest=FREE,
)  # fmt: skip

EQ93 = deduction(
    "eq93",
    lambda w: (
        {"slope": (w.residual - 2 * w.multiplier * w.gap) ** 2},
        {"epsilon": 2 * w.epsilon, "gap": 8 * w.multiplier**2 * w.gap**2},
    ),
    lambda w: {"(25)": w.epsilon - w.residual**2},
    residual=SIGNED, multiplier=FREE, gap=SIGNED, epsilon=FREE,
)  # fmt: skip

EQ94 = deduction(
    "eq94",
    lambda w: ({"slope": w.slope}, {"eps": 2 * w.epsilon, "R": 32 * (w.reach * w.multiplier) ** 2}),
    lambda w: {
        "(93)": 2 * w.epsilon + 8 * w.multiplier**2 * w.gap**2 - w.slope,
        "2R": 2 * w.reach - w.gap,
    },
    slope=FREE, epsilon=FREE, reach=FREE, multiplier=FREE, gap=FREE,
)  # fmt: skip

EQ97 = deduction(
    "eq97",
    lambda w: ({"lambda": w.after}, {"alpha [.]_+": w.alpha * xp.positive_part(w.past + w.sign)}),
    lambda w: {
        "(95)": xp.positive_part(w.before + w.alpha * w.sign) - w.after,
        "(97) before": w.alpha * xp.positive_part(w.past) - w.before,
    },
    after=FREE, before=FREE, alpha=ABOVE, past=SIGNED, sign=Real(-1, 1),
)  # fmt: skip
"""The inductive step of the unrolling: a negative past is forgotten by lambda, not by the sum."""
