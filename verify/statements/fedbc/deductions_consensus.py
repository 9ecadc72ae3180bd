"""Deductions of the steps of Lemma B.2, on the line and over free symbols."""

from __future__ import annotations

from verify.claim.parameters import Real
from verify.statements.fedbc.deductions import ABOVE, FREE, SIGNED, deduction

EQ55 = deduction(
    "eq54-55",
    lambda w: ({"x": w.model}, {"z": w.server, "step": (w.residual - w.slope) / w.multiplier}),
    lambda w: {
        "(54)": w.residual - w.slope - 2 * w.multiplier * (w.model - w.server),
        "(54) from above": w.slope + 2 * w.multiplier * (w.model - w.server) - w.residual,
    },
    relation="==",
    model=SIGNED, server=SIGNED, residual=SIGNED, slope=SIGNED, multiplier=ABOVE,
)  # fmt: skip

EQ57 = deduction(
    "eq57",
    lambda w: (
        {"x_i - x_j": w.one - w.other},
        {"e_i": w.error / w.a, "e_j": w.fault / w.b, "gradients": w.gradients / (w.a * w.b)},
    ),
    lambda w: {
        "(55) of i": w.server * w.a + w.residual - w.slope - w.a * w.one,
        "(55) of j": w.b * w.other - w.server * w.b - w.rest + w.climb,
        "|e_i|": w.error - w.residual, "|e_j|": w.fault + w.rest,
        "|gradients|": w.gradients + w.b * w.slope - w.a * w.climb,
    },
    one=SIGNED, other=SIGNED, server=SIGNED, residual=SIGNED, rest=SIGNED, slope=SIGNED,
    climb=SIGNED, a=ABOVE, b=ABOVE, error=FREE, fault=FREE, gradients=FREE,
)  # fmt: skip

EQ58 = deduction(
    "eq58",
    lambda w: (
        {"distance": w.distance},
        {"eps": w.root / (1 + w.stiff), "gradients": w.gradients / (1 + w.stiff) ** 2},
    ),
    lambda w: {
        "(57)": w.root / w.a + w.root / w.b + w.gradients / (w.a * w.b) - w.distance,
        "a_i >= 1 + L_i": w.a - 1 - w.stiff, "a_j >= 1 + L_i": w.b - 1 - w.stiff,
    },
    distance=FREE, root=FREE, gradients=FREE, stiff=ABOVE, a=ABOVE, b=ABOVE,
)  # fmt: skip

EQ61 = deduction(
    "eq61",
    lambda w: (
        {"distance": (1 - w.most * w.stiff / (1 + w.stiff) ** 2) * w.distance},
        {"eps": w.root / (1 + w.stiff), "delta": w.delta / (1 + w.stiff) ** 2},
    ),
    lambda w: {
        "(58)": w.root / (1 + w.stiff) + w.gradients / (1 + w.stiff) ** 2 - w.distance,
        "(59)": w.a * w.stiff * w.distance + w.delta - w.gradients,
        "a_j <= lambda_max": w.most - w.a,
    },
    distance=FREE, root=FREE, gradients=FREE, stiff=ABOVE, a=ABOVE, most=ABOVE, delta=FREE,
)  # fmt: skip

EQ62 = deduction(
    "eq62",
    lambda w: (
        {"distance": (1 - w.most / (4 * w.stiff)) * w.distance},
        {"eps": w.root / (1 + w.stiff), "delta": w.delta / (1 + w.stiff) ** 2},
    ),
    lambda w: {
        "(61)": w.root / (1 + w.stiff)
        + w.delta / (1 + w.stiff) ** 2
        - (1 - w.most * w.stiff / (1 + w.stiff) ** 2) * w.distance,
        "C_0 > 0": 1 - w.most / (4 * w.stiff), "lambda_max >= 1 + L": w.most - 1 - w.stiff,
    },
    distance=FREE, root=FREE, stiff=Real(1 / 2, 64, log=True), most=Real(1, 64, log=True),
    delta=FREE,
)  # fmt: skip

EQ63 = deduction(
    "eq63",
    lambda w: (
        {"distance^2": w.distance**2},
        {"epsilon": w.root**2 * w.first**2, "delta^2": (w.delta * w.second) ** 2 / 2},
    ),
    lambda w: {"(62)": w.root * w.first + w.delta * w.second - w.distance},
    distance=FREE, root=FREE, delta=FREE, first=ABOVE, second=ABOVE,
)  # fmt: skip
"""N = 2 and S = 1, where 2 S (N-1)/N = 1; first and second are 1/(C_0 (1 + L)), 1/(C_0 (1 + L)^2)."""

EQ65 = deduction(
    "eq64-65",
    lambda w: (
        {"mean": (w.one + w.other) / 2},
        {"epsilon": w.root**2 * (w.first + w.second) / 4, "delta^2": w.delta * w.third},
    ),
    lambda w: {
        "(63) of 1": w.root**2 * w.first + w.delta * w.third - w.one,
        "(63) of 2": w.root**2 * w.second + w.delta * w.third - w.other,
    },
    one=FREE, other=FREE, root=FREE, first=ABOVE, second=ABOVE, delta=FREE, third=ABOVE,
)  # fmt: skip
"""N = 2 and S = 1: (63) with 2 S (N-1)/N = 1, its average with S (N-1)/N^2 = 1/4 for each."""
