"""Whether steps of the printed proofs follow from the displays before them, over free symbols."""

from __future__ import annotations

from collections.abc import Callable

from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.fedbc.common import source
from verify.world.world import World

FREE = Real(0, 4)
SIGNED = Real(-4, 4)
ABOVE = Real(1 / 16, 16, log=True)


def deduction(
    name: str,
    sides: Callable[[World], tuple[Terms, Terms]],
    given: Callable[[World], Terms],
    relation: str = "<=",
    **symbols: Real,
) -> Statement:
    """The claim of a step over free symbols, its hypotheses the displays before it."""
    return Statement(
        key=f"fedbc.{name}-deduced", source=source("proofs"), latex="",
        family=Family(symbols, about="free symbols"), sides=sides, given=given, relation=relation,
    )  # fmt: skip


EQ27 = deduction(
    "eq27",
    lambda w: ({"|grad|^2": w.slope**2}, {"move": 2 * w.most**2 * w.move**2, "eps": 2 * w.root**2}),
    lambda w: {"(26)": w.most * w.move + w.root - w.slope},
    slope=FREE, most=ABOVE, move=FREE, root=FREE,
)  # fmt: skip

B1I = deduction(
    "lemmaB1i",
    lambda w: ({"|grad|^2": w.slope}, {"2 M_1^2": 2 * w.most**2 * (w.move + w.epsilon)}),
    lambda w: {"(27)": 2 * w.most**2 * w.move + 2 * w.epsilon - w.slope,
               "lambda_max >= 1 + L": (w.most - w.stiff) / 2 - 1 - w.stiff},
    slope=FREE, most=ABOVE, move=FREE, epsilon=FREE, stiff=FREE,
)  # fmt: skip

EQ33 = deduction(
    "eq33",
    lambda w: (
        {"I": w.part},
        {
            "residual": (w.slope + 2 * w.multiplier * (w.new - w.server)) * (w.new - w.old),
            "move": (w.stiff / 2 - w.multiplier) * (w.new - w.old) ** 2,
        },
    ),
    lambda w: {
        "(31)": w.slope * (w.new - w.old)
        + w.stiff * (w.new - w.old) ** 2 / 2
        + w.multiplier * ((w.new - w.server) ** 2 - (w.old - w.server) ** 2)
        - w.part
    },
    part=SIGNED, slope=SIGNED, multiplier=FREE, stiff=ABOVE, new=SIGNED, old=SIGNED,
    server=SIGNED,
)  # fmt: skip

EQ34 = deduction(
    "eq34",
    lambda w: (
        {"I": w.part},
        {
            "|e|^2/(2 L)": w.residual**2 / (2 * w.stiff),
            "move": (w.stiff - w.multiplier) * w.move**2,
        },
    ),
    lambda w: {
        "(33)": w.residual * w.move + (w.stiff / 2 - w.multiplier) * w.move**2 - w.part
    },
    part=SIGNED, residual=SIGNED, stiff=ABOVE, multiplier=FREE, move=SIGNED,
)  # fmt: skip

EQ35 = deduction(
    "eq35",
    lambda w: (
        {"I": w.part},
        {"epsilon/(2 L)": w.epsilon / (2 * w.top), "move": (w.stiff - w.multiplier) * w.move**2},
    ),
    lambda w: {
        "(34)": w.residual**2 / (2 * w.stiff) + (w.stiff - w.multiplier) * w.move**2 - w.part,
        "(25)": w.epsilon - w.residual**2,
        "L >= L_i": w.top - w.stiff,
    },
    part=SIGNED, residual=SIGNED, stiff=ABOVE, top=ABOVE, multiplier=FREE, move=SIGNED,
    epsilon=FREE,
)  # fmt: skip

EQ37 = deduction(
    "eq37",
    lambda w: (
        {"square": w.alpha * (w.gap - w.gamma) ** 2},
        {"gap": w.alpha * w.gap**2, "gamma": w.alpha * w.gamma**2},
    ),
    lambda w: {},
    alpha=FREE, gap=FREE, gamma=FREE,
)  # fmt: skip

EQ38 = deduction(
    "eq38",
    lambda w: ({"III": w.multiplier * (w.spread - w.gap)}, {"bound": w.most * w.spread}),
    lambda w: {"lambda <= lambda_max": w.most - w.multiplier},
    multiplier=FREE, most=FREE, spread=FREE, gap=FREE,
)  # fmt: skip

EQ39 = deduction(
    "eq39",
    lambda w: (
        {"I + II + III": w.one + w.two + w.three},
        {"I": w.first, "alpha G^2": w.alpha * w.constant**2, "III": w.third},
    ),
    lambda w: {
        "(35)": w.first - w.one, "(37)": w.alpha * w.constant - w.two, "(38)": w.third - w.three,
    },
    one=SIGNED, two=FREE, three=SIGNED, first=SIGNED, alpha=FREE,
    constant=Real(0, 2), third=FREE,
)  # fmt: skip
