"""The steps of the proof of Theorem 4.5, (66) to (89), one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import fedbc as closed
from bounds import generic as xp
from bounds.fedbc_constants import gradient_factor, gradient_factor_printed, moving_constant
from verify.statement import Statement, Terms
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.common import (
    CONTRACTING,
    PRINTED,
    STEPPED,
    Round,
    best_loss,
    contracting,
    dissimilarity,
    domain_of,
    everywhere,
    expected,
    first_rounds,
    in_domain,
    lagrangian,
    lagrangian_slope,
    losses,
    mean_loss,
    mean_slope,
    printed_domain,
    rounds_of,
    runs,
    size,
    slopes,
    source,
    stiffness,
    tolerance,
)
from verify.statements.fedbc.descent import fall, spread
from verify.statements.fedbc.horizons import average_gradient, horizons
from verify.statements.fedbc.theorem import dual_bound, gradient_bound, start_of
from verify.world import World

Array = Any
Sides = Callable[[World], tuple[Terms, Terms]]

_AT: dict[str, Any] = {"together": True}
ANY = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(2, 1, virtual=True))
"""One round from any models, the server's included."""
FREE = runs(*ANY, domain="wide")
TOGETHER = (
    size(1, 1, rounds=2, **STEPPED, **_AT), size(2, 2, rounds=2, **STEPPED, **_AT),
    size(2, 1, rounds=2, virtual=True, **_AT),
)  # fmt: skip


def _start(w: World) -> Round:
    return first_rounds(w)[0]


# -- (66) to (70) ------------------------------------------------------------------------------


def _own_slope(w: World) -> Array:
    """Mean of |grad L_i|^2 at the state, (B, 1)."""
    r = _start(w)
    return xp.mean(lagrangian_slope(w, r.old, r.server, r.multipliers) ** 2)


def _gap(w: World) -> Array:
    r = _start(w)
    return xp.mean((r.old - r.server[..., None]) ** 2)


def _mixed(w: World) -> Array:
    """Mean of |grad f_i(z) - grad L_i|^2."""
    r = _start(w)
    own = slopes(w, everywhere(r.server, w.multipliers))
    return xp.mean((own - lagrangian_slope(w, r.old, r.server, r.multipliers)) ** 2)


def _change(w: World) -> Array:
    """Mean of |grad f_i(z) - grad f_i(x_i)|^2."""
    r = _start(w)
    return xp.mean((slopes(w, everywhere(r.server, w.multipliers)) - slopes(w, r.old)) ** 2)


def _gradient(w: World) -> Terms:
    return {"|grad f|^2": mean_slope(w, _start(w).server) ** 2}


def _eq66(w: World) -> tuple[Terms, Terms]:
    """(a + b)^2 <= 2 a^2 + 2 b^2, and Jensen."""
    return _gradient(w), {"mixed": 2 * _mixed(w), "own": 2 * _own_slope(w)}


def _right69(w: World) -> Terms:
    return {
        "4 change": 4 * _change(w), "8 lambda_max gap": 8 * w.lambda_max * _gap(w),
        "own": 2 * _own_slope(w),
    }  # fmt: skip


def _right70(w: World) -> Terms:
    factor = gradient_factor_printed(w.beta, w.lambda_max)
    return {"gap": factor * _gap(w), "own": 2 * _own_slope(w)}


def _eq69(part: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """2 |2 lambda (x - z)|^2 gives 16 lambda_max^2 after (a + b)^2 <= 2 a^2 + 2 b^2."""
        if part == "chain":
            return _eq66(w)[1], _right69(w)
        if part == "smooth":
            return _right69(w), _right70(w)
        return _gradient(w), _right69(w) if part == "69" else _right70(w)

    return sides


def _eq70_repaired(w: World) -> tuple[Terms, Terms]:
    """(4 L^2 + 16 lambda_max^2) mean |x - z|^2 + 2 mean |grad L_i|^2.

    Proof. (68); grad f_i(z) - grad L_i = [grad f_i(z) - grad f_i(x)] - 2 lambda (x - z), whose square
    is at most 2 L^2 |x - z|^2 + 8 lambda_max^2 |x - z|^2.
    """
    factor = gradient_factor(w.beta, w.lambda_max)
    return _gradient(w), {"gap": factor * _gap(w), "own": 2 * _own_slope(w)}


# -- (72) to (77) ------------------------------------------------------------------------------


def _dual(w: World, reading: str) -> Array:
    if reading == "gradient":
        return gradient_bound(w)
    return dual_bound(w, domain_of(w, rounds_of(w)))


def _eq72(reading: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """2 M_1^2 epsilon of (28) is gone, and 2 M_1^2 before two terms of (43) too."""
        most = moving_constant(w.beta, w.lambda_max) ** 2
        epsilon = tolerance(w, rounds_of(w))
        own = [
            xp.mean(lagrangian_slope(w, r.old, r.server, r.multipliers) ** 2)
            for r in first_rounds(w)
        ]
        return {"mean |grad L_i|^2": expected(own)}, {
            "fall": 2 * most * fall(w), "consensus": w.lambda_max * spread(w),
            "epsilon": most * epsilon / w.beta, "alpha G^2": w.dual_step * most * _dual(w, reading) ** 2,
        }  # fmt: skip

    return sides


def _eq72_repaired(w: World) -> tuple[Terms, Terms]:
    """2 M_1^2/(lambda_min - L) times the right side of the repaired descent lemma, plus 2 epsilon.

    Proof. mean |grad L_i|^2 <= 2 M_1^2 mean |move|^2 + 2 epsilon, and the repaired descent lemma.
    """
    every = rounds_of(w)
    epsilon = tolerance(w, every)
    descent = closed.lagrangian_descent_upper(
        fall(w), epsilon, stiffness(w), w.dual_step, domain_of(w, every).diameter, w.gamma,
        w.lambda_max, spread(w),
    )  # fmt: skip
    factor = 2 * moving_constant(w.beta, w.lambda_max) ** 2 / (w.lambda_min - w.beta)
    own = [
        xp.mean(lagrangian_slope(w, r.old, r.server, r.multipliers) ** 2) for r in first_rounds(w)
    ]
    return {"mean |grad L_i|^2": expected(own)}, {
        **{k: factor * v for k, v in descent.items()}, "2 epsilon": 2 * epsilon,
    }  # fmt: skip


def _total_fall(w: World) -> Array:
    """Mean over clients and runs of L_i^0 - L_i^T."""
    parts = []
    for run in rounds_of(w):
        first, last = run[0], run[-1]
        before = lagrangian(w, first.old, first.server, first.multipliers)
        parts.append(xp.mean(before - lagrangian(w, last.new, last.after, last.updated)))
    return expected(parts)


def _spreads(w: World) -> Array:
    """Mean over clients, rounds and runs of |x_i^{t+1} - z^{t+1}|^2."""
    return expected(
        [xp.mean((r.new - r.after[..., None]) ** 2) for run in rounds_of(w) for r in run]
    )


def _eq76(reading: str, inserted: bool) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Divided by T. Alone at a minimum with gamma > 0 the multiplier falls, L_i rises by
        alpha gamma^2 a round, and alpha G^2 makes up for it only where gamma is large."""
        every = rounds_of(w)
        most = moving_constant(w.beta, w.lambda_max) ** 2
        epsilon = tolerance(w, every)
        factor = gradient_factor_printed(w.beta, w.lambda_max) + 2 * w.lambda_max
        terms = {"fall": 4 * most * _total_fall(w) / w.rounds}
        if inserted:
            domain = domain_of(w, every)
            bound = closed.consensus_printed(
                epsilon, dissimilarity(w, domain), stiffness(w), w.lambda_max, w.S
            )
            terms |= {"epsilon": factor * bound["epsilon"], "delta^2": bound["delta^2"]}
        else:
            terms |= {"consensus": factor * _spreads(w)}
        return {"average |grad f|^2": average_gradient(w)}, {
            **terms, "M_1^2 epsilon/L": 2 * most * epsilon / w.beta,
            "alpha G^2": 2 * w.dual_step * most * _dual(w, reading) ** 2,
        }  # fmt: skip

    return sides


def _eq77_repaired(w: World) -> tuple[Terms, Terms]:
    """With the constants of the repaired steps; L^0 - L^T still as it is.

    Proof. Sum (70) repaired over t, then (72) repaired; sum_t |x^t - z^t|^2 is at most T C since
    x^0 = z^0, with C of the repaired Lemma B.2.
    """
    every = rounds_of(w)
    domain = domain_of(w, every)
    bound = closed.stationarity_upper(
        w.rounds, _total_fall(w), tolerance(w, every), dissimilarity(w, domain), stiffness(w),
        w.lambda_min, w.lambda_max, w.dual_step, domain.diameter, w.gamma,
    )  # fmt: skip
    return {"average |grad f|^2": average_gradient(w)}, {
        k: v for k, v in bound.items() if k != "gamma"
    }


# -- (78) to (89) ------------------------------------------------------------------------------


def _eq78(part: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        first, last = rounds_of(w)[0][0], rounds_of(w)[0][-1]
        if part == "first":
            before = lagrangian(w, first.old, first.server, first.multipliers)
            there = losses(w, everywhere(first.server, w.multipliers))
            return {"L_i^0": before}, {"f_i(z^0)": there}
        gap = (last.new - last.after[..., None]) ** 2
        return {"L_i^T": lagrangian(w, last.new, last.after, last.updated)}, {
            "f_i(x_i^T)": losses(w, last.new), "penalty": last.updated * (gap - w.gamma),
        }  # fmt: skip

    sides.__doc__ = (
        "x_i^0 = z^0 leaves f_i(z^0) - lambda_i^0 gamma_i."
        if part == "first"
        else "Definition (8)."
    )
    return sides


def _eq78_repaired(w: World) -> tuple[Terms, Terms]:
    """L_i^0 = f_i(z^0) - lambda_i^0 gamma_i, which is at most f_i(z^0), all that (87) needs.

    Proof. Definition (8) at x_i = z.
    """
    left, right = _eq78("first")(w)
    return left, {**right, "-lambda gamma": -w.multipliers * w.gamma}


def _eq80(w: World) -> tuple[Terms, Terms]:
    """Smoothness between x_i^T and z^T."""
    last = rounds_of(w)[0][-1]
    gap = last.after[..., None] - last.new
    return {"f_i(z)": losses(w, everywhere(last.after, w.multipliers))}, {
        "f_i(x_i)": losses(w, last.new), "slope": slopes(w, last.new) * gap,
        "L_i/2 |.|^2": stiffness(w) * gap**2 / 2,
    }  # fmt: skip


def _share(w: World, reading: str) -> Array:
    """G^2/(2 L_i), (B, 1, N)."""
    return _dual(w, reading)[..., None] ** 2 / (2 * stiffness(w))


def _eq81(reading: str, part: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Peter-Paul with G a bound of the gradients."""
        last = rounds_of(w)[0][-1]
        gap = (last.new - last.after[..., None]) ** 2
        there = losses(w, everywhere(last.after, w.multipliers))
        share, gamma = _share(w, reading), w.gamma * last.updated
        # lambda (gap - gamma) + gamma lambda leaves lambda gap, so that no digits cancel
        if part == "81":
            return {"f_i(z)": there}, {
                "f_i(x_i)": losses(w, last.new), "L_i gap": stiffness(w) * gap, "G^2/(2 L_i)": share,
            }  # fmt: skip
        return {"f_i(z)": there}, {
            "L_i^T": lagrangian(w, last.new, last.after, last.updated), "gamma": gamma,
            "G^2/(2 L_i)": share,
        }  # fmt: skip

    return sides


def _eq87(reading: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """(78) as an inequality, (83), and f(z^T) >= f(z^*)."""
        domain = domain_of(w, rounds_of(w))
        return {"L^0 - L^T": _total_fall(w)}, {
            "B_0": start_of(w, domain, _dual(w, reading)),
            "gamma": w.lambda_max * xp.mean(w.gamma),
        }

    return sides


def _not_above(w: World) -> tuple[Terms, Terms]:
    """f(z^T) >= f(z^*)."""
    domain = domain_of(w, rounds_of(w))
    return {"f(z^*)": best_loss(w, domain)}, {"f(z^T)": mean_loss(w, rounds_of(w)[0][-1].after)}


def _above(w: World) -> Terms:
    return {**in_domain(w), "lambda_min > L": w.lambda_min - w.beta}


_STEP: dict[str, Any] = {"kind": "proof step", "source": source("proof of Theorem 4.5")}
_ABOVE = frozenset({"lambda_min > L"})
_RUN = horizons(*TOGETHER)
_WIDE = horizons(*TOGETHER, domain="wide")
_READINGS = ("dual", "gradient")
_F = r"\|\nabla f(z^t)\|^2"
_OWN = r"\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2"
_R68 = r"\tfrac2N\sum_i\|\nabla f_i(z^t)-\nabla_{x_i}\mathcal L_i\|^2+" + _OWN
_R69 = (
    r"\tfrac4N\sum_i\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2+\tfrac{8\lambda_{\max}}N\sum_i"
    r"\|x_i^t-z^t\|^2+" + _OWN
)
_R70 = r"\tfrac{%s}N\sum_i\|z^t-x_i^t\|^2+" + _OWN
_AVERAGE = r"\tfrac1T\sum_{t<T}\mathbb E" + _F
_FALL = r"\tfrac1N\sum_i\mathbb E[\mathcal L_i^%s-\mathcal L_i^%s]"
_SUM = r"\tfrac{S(N-1)}{C_0^2N^2}\sum_i\tfrac1{(1+L_i)^%d}"


def _step(name: str, title: str, latex: str, sides: Sides, **more: Any) -> Statement:
    fields = {**_STEP, "given": printed_domain, "strict": PRINTED, "family": runs(*ANY), **more}
    return Statement(key=f"fedbc.{name}", title=title, latex=latex, sides=sides, **fields)


_FREE: dict[str, Any] = {"given": in_domain, "strict": frozenset(), "family": FREE}

STATEMENTS = (
    _step("eq66-68", "gradient at the server", _F + r"\le" + _R68, _eq66, **_FREE),
    _step("eq69-70/69", "gradient at the server", _F + r"\le" + _R69, _eq69("69")),
    _step("eq69-70/chain", "from (68) to (69)", _R68 + r"\le" + _R69, _eq69("chain"),
          deduction=deduced.EQ69),
    _step("eq69-70/smooth", "from (69) to (70)", _R69 + r"\le" + _R70 % r"4(L^2+2\lambda_{\max})",
          _eq69("smooth"), deduction=deduced.EQ70, **_FREE),
    _step("eq69-70/70", "gradient at the server", _F + r"\le" + _R70 % r"4(L^2+2\lambda_{\max})",
          _eq69("70")),
    _step("eq69-70.repaired", "gradient at the server", _F + r"\le"
          + _R70 % r"4L^2+16\lambda_{\max}^2", _eq70_repaired, form="repaired", **_FREE),
    *(
        _step(f"eq72@{reading}", "descent in the gradient",
              r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i\|^2\le2M_1^2" + _FALL % ("t", "{t+1}")
              + r"+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2+\tfrac{M_1^2\epsilon}L+\alpha M_1^2G^2",
              _eq72(reading), deduction=deduced.EQ72)
        for reading in _READINGS
    ),
    _step("eq72.repaired", "descent in the gradient",
          r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i\|^2\le\tfrac{2M_1^2}{\lambda_{\min}-L}\Bigl("
          + _FALL % ("t", "{t+1}") + r"+\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+"
          r"\gamma_i^2)+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2\Bigr)+2\epsilon",
          _eq72_repaired, form="repaired", given=_above, strict=_ABOVE, family=FREE),
    *(
        _step(f"eq73-76@{reading}", "sum over the rounds", _AVERAGE + r"\le\tfrac{4M_1^2}T"
              + _FALL % ("0", "T") + r"+\tfrac{M+2\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2"
              r"+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2", _eq76(reading, False), family=_RUN,
              deduction=deduced.EQ76)
        for reading in _READINGS
    ),
    *(
        _step(f"eq77@{reading}", "Lemma B.2 inserted", _AVERAGE + r"\le\tfrac{4M_1^2}T"
              + _FALL % ("0", "T") + r"+(M+2\lambda_{\max})\epsilon" + _SUM % 2 + r"+\delta^2" + _SUM % 4
              + r"+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2", _eq76(reading, True), family=_RUN,
              given=contracting, strict=CONTRACTING, deduction=deduced.EQ77)
        for reading in _READINGS
    ),
    *(
        _step(f"{name}.repaired", "sum over the rounds", _AVERAGE + r"\le\tfrac{4M_1^2}{\kappa T}"
              + _FALL % ("0", "T") + r"+4\epsilon+\tfrac{4M_1^2}\kappa\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}"
              r"+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+\Bigl(4L^2+16\lambda_{\max}^2+\tfrac{4M_1^2"
              r"\lambda_{\max}}\kappa\Bigr)C", _eq77_repaired, form="repaired", given=_above,
              strict=_ABOVE, family=_WIDE)
        for name in ("eq73-76", "eq77")
    ),
    _step("eq78/first", "Lagrangian at the start", r"\mathcal L_i(x_i^0,z^0,\lambda_i^0)=f_i(z^0)",
          _eq78("first"), relation="==", family=_RUN),
    _step("eq78/last", "Lagrangian at the end",
          r"\mathcal L_i^T=f_i(x_i^T)+\lambda_i^T(\|x_i^T-z^T\|^2-\gamma_i)", _eq78("last"),
          relation="==", family=_WIDE, given=in_domain, strict=frozenset()),
    _step("eq78.repaired", "Lagrangian at the start",
          r"\mathcal L_i(x_i^0,z^0,\lambda_i^0)=f_i(z^0)-\lambda_i^0\gamma_i", _eq78_repaired,
          relation="==", form="repaired", family=_WIDE, given=in_domain, strict=frozenset()),
    _step("eq80-83/80", "smoothness",
          r"f_i(z^T)\le f_i(x_i^T)+\langle\nabla f_i(x_i^T),z^T-x_i^T\rangle+\tfrac{L_i}2\|z^T-x_i^T\|^2",
          _eq80, family=_WIDE, given=in_domain, strict=frozenset()),
    *(
        _step(f"eq80-83/{part}@{reading}", "f at the server by the Lagrangian", latex,
              _eq81(reading, part), family=_RUN, deduction=deduction)
        for part, latex, deduction in (
            ("81",
             r"f_i(z^T)\le\mathcal L_i^T-(\lambda_i^T-L_i)\|x_i^T-z^T\|^2+\gamma_i\lambda_i^T+\tfrac{G^2}{2L_i}",
             deduced.EQ81),
            ("83", r"\mathcal L_i^T\ge f_i(z^T)-\gamma_i\lambda_i^T-\tfrac{G^2}{2L_i}", deduced.EQ83),
        )
        for reading in _READINGS
    ),
    *(
        _step(f"eq87-89/sum@{reading}", "fall of the Lagrangian", _FALL % ("0", "T")
              + r"\le B_0+\tfrac{\lambda_{\max}}N\sum_i\gamma_i", _eq87(reading), family=_RUN,
              deduction=deduced.EQ87)
        for reading in _READINGS
    ),
    _step("eq87-89/optimum", "optimal global model", r"f(z^\star)\le f(z^T)", _not_above, family=_RUN),
)  # fmt: skip
