"""Theorem 1, Theorem 5, Corollary 1: lower bounds on the number of samples."""

from __future__ import annotations

from typing import Any

from bounds import allforall_lower as lower
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import PRECISION, numbers, source, unchecked_claim
from verify.world.world import World

_SIZES = ((1, 1, 1), (1, 1, 4), (2, 1, 3), (3, 1, 6), (3, 2, 5), (1, 1, 9))
_SHAPES = tuple({"agents": n, "informative": m, "samples": t} for n, m, t in _SIZES)

CONVEX = numbers(
    {
        "share": Real(1 / 256, 1 / 16, log=True),
        "precision": Real(1 / 64, 1, unit=(1, 0), log=True),
    },
    *_SHAPES, about="two signs, every outcome of the oracle, best possible method",
)  # fmt: skip
QUADRATIC = numbers(
    {"bias": Real(1 / 64, 15 / 16, log=True), "precision": Real(1 / 64, 1 / 17, unit=(1, 0))},
    *_SHAPES, about="two signs, every outcome of the oracle, best possible method",
)  # fmt: skip


def few_convex(w: World) -> Terms:
    scale = w.precision / w.share
    bound = lower.convex_samples_lower(scale, w.precision, w.agents, w.informative)
    return {"fewer samples than the bound": bound - w.samples}


def convex(w: World) -> tuple[Terms, Terms]:
    """C = 15/1024 where eps <= rB/16 and b is symmetric.

    Proof. The two-sign instance of `bounds.allforall_lower` lies in the class; its Bayes gap is
    4 eps (1 - TV), and Pinsker with KL <= (T/N) N_i 2 z^2/(1 - z^2), z = 4 eps/(rB) <= 1/4, keeps
    TV below 1/2 for fewer samples. Here the Bayes gap itself is computed and must exceed eps.
    """
    gap = lower.convex_bayes_gap(
        w.precision, w.precision / w.share, w.agents, w.informative, w.samples
    )
    return {"precision": w.precision}, {"best mean gap": gap}


def _noise(w: World) -> Any:
    """r^2 sigma^2 = v / r^2 with v = s^2 (1 - z^2)/z^2 and s^2 = 4 eps r^2."""
    return 4 * w.precision * (1 - w.bias**2) / w.bias**2


def few_quadratic(w: World) -> Terms:
    bound = lower.quadratic_samples_lower(_noise(w), w.precision, w.agents, w.informative)
    return {"fewer samples than the bound": bound - w.samples}


def quadratic(w: World) -> tuple[Terms, Terms]:
    """C' = 1/16 where b is symmetric.

    Proof. The two-sign instance of `bounds.allforall_lower` lies in the class; its Bayes gap is at
    least 2 eps (1 - TV), and Pinsker with KL <= (T/N) N_i 2 s^2/v keeps TV below 1/2 for fewer
    samples. Here the Bayes gap itself is computed and must exceed eps.
    """
    gap = lower.quadratic_bayes_gap(w.precision, w.bias, w.agents, w.informative, w.samples)
    return {"precision": w.precision}, {"best mean gap": gap}


_CLOSE = numbers(
    {
        "close": Real(1, 64, log=True, per=("N",)),
        "scale": Real(16, 256, unit=(1, 0), log=True),
        "precision": PRECISION,
    },
    {"N": 1}, {"N": 2}, {"N": 3}, about="any numbers of close agents",
)  # fmt: skip


def _corollary(power: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Average gap eps means gap at most N eps for each agent: the largest bound of Theorem 1
        at N eps, which is at least the mean of them, is a bound on T."""
        n = w.N
        rule = lower.convex_samples_lower if power == 2 else lower.quadratic_samples_lower
        each = rule(w.scale[..., None], n * w.precision[..., None], n, w.close)
        inverse = xp.total(1 / w.close)
        constant = lower.CONVEX_CONSTANT if power == 2 else lower.QUADRATIC_CONSTANT
        size = w.scale**power / (n**power * w.precision**power)
        left = size * inverse * constant.numerator / constant.denominator
        return {"right side of the corollary": left}, {"bound of Theorem 1": xp.largest(each)}

    return sides


_HIDDEN = "the constant {} is not named; a bound over all methods needs its value"
_LATEX_A = r"\inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{Cr^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)}"
_LATEX_B = r"\inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{C'r^2\sigma^2N}{\varepsilon\,\mathcal N_i^\varepsilon(b/4)}"
_COROLLARY = {
    "a": r"T\ge\frac{Cr^2B^2}{N^2\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(b/4N)}",
    "b": r"T\ge\frac{C'r^2\sigma^2}{N\varepsilon}\sum_i\frac1{\mathcal N_i^\varepsilon(b/4N)}",
}


STATEMENTS = (
    Statement(
        key="allforall.theorem1a.repaired", source=source("Theorem 1, convex"), form="repaired",
        latex=_LATEX_A + r",\ C=\tfrac{15}{1024},\ \varepsilon\le rB/16", family=CONVEX, over="mean",
        title="lower bound, all-for-one, precision relative to rB", sides=convex,
        given=few_convex,
    ),
    unchecked_claim(
        "theorem1b", "theorem", "Theorem 1, strongly convex", _LATEX_B, "lower bound, all-for-one",
        _HIDDEN.format("C'"),
    ),
    Statement(
        key="allforall.theorem1b.explicit", source=source("Theorem 1, strongly convex"),
        form="explicit", latex=_LATEX_B + r",\ C'=\tfrac1{16}", family=QUADRATIC, over="mean",
        title="lower bound, all-for-one", sides=quadratic, given=few_quadratic,
    ),
    *(
        unchecked_claim(
            f"corollary1{part}", "corollary", "Corollary 1", latex, "lower bound, all-for-all",
            _HIDDEN.format("C" if part == "a" else "C'"),
        )
        for part, latex in _COROLLARY.items()
    ),
    *(
        Statement(
            key=f"allforall.corollary1{part}.explicit", source=source("Corollary 1"),
            form="explicit", kind="corollary", latex=latex + value, family=_CLOSE,
            title="lower bound, all-for-all, from the one for each agent",
            sides=_corollary(power), uses=(uses,),
        )
        for (part, latex), value, power, uses in zip(
            _COROLLARY.items(), (r",\ C=\tfrac{15}{1024},\ N\varepsilon\le rB/16",
            r",\ C'=\tfrac1{16}"), (2, 1),
            ("allforall.theorem1a.repaired", "allforall.theorem1b.explicit"), strict=True,
        )
    ),
    unchecked_claim(
        "conj.sqrtkappa", "claim", "after Theorem 2", r"T_\varepsilon\propto\sqrt\kappa",
        "conjecture on the condition number", "a conjecture without constants or hypotheses",
    ),
)  # fmt: skip
