"""Appendix F: the steps of the proof of Lemma 4."""

from __future__ import annotations

from collections.abc import Callable

from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.common import numbers
from verify.statements.allforall.sgd_strong import (
    _L4,
    RELATIVE,
    Array,
    _after,
    _lemma,
    _lowest,
    _metric,
    _relative,
    _start_gap,
)
from verify.world.world import World


def _norms(w: World) -> tuple[Array, Array]:
    """|grad f|^2 and |grad f|_A^2 at the point."""
    square = (_metric(w) * _relative(w) * w.point) ** 2
    return xp.total(square), xp.total(_metric(w) * square)


def _descent(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One step; E |g|_A^2 <= L_A E |g|^2 = L_A (|grad|^2 + sigma^2), L_A = 1."""
        plain, metric = _norms(w)
        eta, smooth = w.step_size, w.smoothness
        noise_metric = metric + w.variance  # the noise lies along the first axis, a = 1
        first = eta**2 * smooth * noise_metric / 2
        second = eta**2 * smooth * (plain + w.variance) / 2
        change = {"f after": _after(w, eta, 1), "-f before": -_start_gap(w)}
        if part == "smooth":
            return change, {"-eta |grad|^2": -eta * plain, "step": first}
        if part == "norm":
            return {"step": first}, {"step": second}
        drop = -eta * (1 - eta * smooth / 2) * plain
        return change, {"drop": drop, "noise": eta**2 * smooth * w.variance / 2}

    return sides


def _pl(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Relative strong convexity bounds |grad|^2 in the norm of A^+, not of A.

        Proof of the repaired form.  Minimising both sides of f(y) >= f(x) + <grad, y - x> +
        (mu/2) |y - x|_A^2 over y gives f^* >= f - |grad|_{A^+}^2/(2 mu), and |grad|_{A^+}^2 is at
        most |grad|^2/low, as the gradient lies in the range of A.
        """
        plain, metric = _norms(w)
        level = 2 * w.mu * _start_gap(w)
        if part == "first":
            return {"|grad|_A^2": metric}, {"|grad|^2": plain}
        if part == "printed":
            return {"|grad|_A^2": metric}, {"2 mu f": level}
        return {"2 mu f": level * (1 if part == "reversed" else _lowest(w))}, {
            "squared norm": metric if part == "reversed" else plain
        }

    return sides


def _recursion(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Printed with 2 eta mu/L_A.

        Proof with eta mu low.  In the descent step 1 - eta L L_A/2 >= 1/2, and
        |grad|^2 >= 2 mu low f.
        """
        gap, eta = _start_gap(w), w.step_size
        rate = 2 * eta * w.mu if printed else eta * w.mu * _lowest(w)
        return {"f after": _after(w, eta, 1), "-f before": -gap}, {
            "drop": -rate * gap, "noise": eta**2 * w.smoothness * w.variance / 2,
        }  # fmt: skip

    return sides


SUMS = numbers({"rate": Real(1 / 64, 15 / 16), "noise": Real(1 / 64, 4, unit=(1, 0), log=True),
                "gaps": Real(0, 4, unit=(1, 0), per=("T",))}, {"T": 2}, {"T": 3}, {"T": 4},
               about="any sequence that satisfies the recursion")  # fmt: skip


def _satisfied(w: World) -> Terms:
    """f_{t+1} <= (1 - eta mu) f_t + c with c = eta^2 L sigma^2/2."""
    return {
        f"step {t}": (1 - w.rate) * w.gaps[..., t] + w.noise - w.gaps[..., t + 1]
        for t in range(w.T - 1)
    }


def _weighted(w: World) -> tuple[Terms, Terms]:
    """Sum of the recursion divided by (1 - eta mu)^{t+1}: it telescopes."""
    keep = 1 - w.rate
    left: Terms = {}
    for t in range(w.T - 1):
        change = w.gaps[..., t + 1] / keep ** (t + 1) - w.gaps[..., t] / keep**t
        left = {**left, f"change {t}": change}
    return left, {"noise": w.noise * sum(1 / keep ** (t + 1) for t in range(w.T - 1))}


def _geometric(w: World) -> tuple[Terms, Terms]:
    keep = 1 - w.rate
    left = w.noise * sum(1 / keep ** (t + 1) for t in range(w.T))
    return {"sum": left}, {"bound": w.noise / (w.rate * keep ** (w.T + 1))}


_SUM = r"\sum_{t<T}(1-\eta\mu)^{-t-1}f_{t+1}-(1-\eta\mu)^{-t}f_t\le\tfrac{\eta^2L\sigma^2}2\sum_{t<T}(1-\eta\mu)^{-t-1}"
_REC = r"f_{t+1}-f_t\le-%s f_t+\tfrac{\eta^2LL_A\sigma^2}2"


STATEMENTS = (
    *(_lemma(f"proof.lemma4_descent/{part}", latex, family=RELATIVE, sides=_descent(part),
             defines=_L4) for part, latex in (
        ("smooth", r"f_{t+1}-f_t\le-\eta\|\nabla f\|^2+\tfrac{\eta^2L}2\mathbb E\|g\|_A^2"),
        ("norm", r"\mathbb E\|g\|_A^2\le L_A\mathbb E\|g\|^2"),
        ("last", r"\ldots\le-\eta(1-\tfrac{\eta LL_A}2)\|\nabla f\|^2+\tfrac{\eta^2LL_A\sigma^2}2"),
    )),
    _lemma("proof.lemma4_pl/first", r"\|\nabla f\|^2\ge\tfrac1{L_A}\|\nabla f\|_A^2",
           family=RELATIVE, sides=_pl("first"), defines=_L4),
    _lemma("proof.lemma4_pl/second@printed", r"\tfrac1{L_A}\|\nabla f\|_A^2\le\tfrac{2\mu}{L_A}f_t",
           family=RELATIVE, sides=_pl("printed"), defines=_L4),
    _lemma("proof.lemma4_pl/second@reversed", r"\tfrac1{L_A}\|\nabla f\|_A^2\ge\tfrac{2\mu}{L_A}f_t",
           family=RELATIVE, sides=_pl("reversed"), defines=_L4),
    _lemma("proof.lemma4_pl/recursion", _REC % r"2\eta\tfrac\mu{L_A}", family=RELATIVE,
           sides=_recursion(True), defines=_L4),
    _lemma("proof.lemma4_pl.repaired/second", r"\|\nabla f\|^2\ge2\mu\lambda_{\min}^+(A)f_t",
           family=RELATIVE, sides=_pl("repaired"), defines=_L4, form="repaired"),
    _lemma("proof.lemma4_pl.repaired/recursion", _REC % r"\eta\mu\lambda_{\min}^+(A)",
           family=RELATIVE, sides=_recursion(False), defines=_L4, form="repaired"),
    _lemma("proof.lemma4_sum/weighted", _SUM, family=SUMS, sides=_weighted, given=_satisfied),
    _lemma("proof.lemma4_sum/geometric", r"\sum_{t<T}(1-\eta\mu)^{-t-1}\le\tfrac{(1-\eta\mu)^{-T-1}}{\eta\mu}",
           family=SUMS, sides=_geometric),
)  # fmt: skip
