"""Lemma B.1: gradient of the Lagrangian, its three differences, and the descent of the mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import fedbc as closed
from bounds import generic as xp
from bounds.fedbc_constants import moving_constant
from verify.parameters import Shape
from verify.statement import Statement, Terms
from verify.statements.fedbc import deductions
from verify.statements.fedbc.common import (
    PRINTED,
    STEPPED,
    Round,
    domain_of,
    expected,
    first_rounds,
    in_domain,
    lagrangian,
    lagrangian_slope,
    losses,
    printed_domain,
    residuals,
    rounds_of,
    runs,
    size,
    slopes,
    source,
    stiffness,
    tolerance,
)
from verify.world import World

Array = Any
Sides = Callable[[World], tuple[Terms, Terms]]

FULL = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(2, 2))
VIRTUAL: tuple[Shape, ...] = (*FULL, size(2, 1, virtual=True, **STEPPED), size(2, 1, virtual=True))
LITERAL: tuple[Shape, ...] = (*FULL, size(2, 1, **STEPPED), size(2, 1))
READINGS = {"V": VIRTUAL, "A": LITERAL}
"""Devices outside the sampled set: every device computes, or they keep model and multiplier."""


def _first(w: World) -> Round:
    return first_rounds(w)[0]


def _moved(r: Round) -> Array:
    return r.new - r.old


# -- (i) gradient of the Lagrangian ------------------------------------------------------------


def _all_runs(w: World, value: Callable[[Round], Array]) -> Array:
    """A per-client quantity of round 0 in every run, (B, 1, runs N)."""
    parts = [value(r) for r in first_rounds(w)]
    stacked = xp.stack([p + 0 * w.multipliers for p in parts], -2)
    return stacked.reshape((*stacked.shape[:-2], -1))


def _gradient(power: int) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Tight where curvature and residual push the same way."""
        slope = _all_runs(w, lambda r: lagrangian_slope(w, r.old, r.server, r.multipliers))
        move = _all_runs(w, _moved)
        most = moving_constant(w.beta, w.lambda_max)[..., None]
        epsilon = tolerance(w, rounds_of(w))[..., None]
        if power == 1:
            return {"|grad L_i|": xp.absolute(slope)}, {
                "(L + 2 lambda_max) |move|": most * xp.absolute(move),
                "sqrt epsilon": xp.sqrt(epsilon),
            }
        return {"|grad L_i|^2": slope**2}, {
            "2 M_1^2 |move|^2": 2 * most**2 * move**2, "2 epsilon": 2 * epsilon,
        }  # fmt: skip

    return sides


def _mean_gradient(w: World) -> Array:
    """Mean over clients and sampled sets of |grad L_i|^2 before the round."""
    return expected([
        xp.mean(lagrangian_slope(w, r.old, r.server, r.multipliers) ** 2) for r in first_rounds(w)
    ])  # fmt: skip


def _mean_move(w: World) -> Array:
    return expected([xp.mean(_moved(r) ** 2) for r in first_rounds(w)])


def _b1i(w: World) -> tuple[Terms, Terms]:
    """2 M_1^2 multiplies epsilon too, which is right only where M_1 >= 1."""
    factor = 2 * moving_constant(w.beta, w.lambda_max) ** 2
    return {"mean |grad L_i|^2": _mean_gradient(w)}, {
        "mean |move|^2": factor * _mean_move(w),
        "epsilon": factor * tolerance(w, rounds_of(w)),
    }


def _b1i_repaired(w: World) -> tuple[Terms, Terms]:
    """2 M_1^2 mean |move|^2 + 2 epsilon, with every client computing in every round.

    Proof. grad L_i(x^t) = [grad f_i(x^t) - grad f_i(x^{t+1})] + 2 lambda (x^t - x^{t+1}) + e_i; its
    norm is at most M_1 |move| + sqrt(epsilon). Square, and average over clients.
    """
    factor = 2 * moving_constant(w.beta, w.lambda_max) ** 2
    return {"mean |grad L_i|^2": _mean_gradient(w)}, {
        "mean |move|^2": factor * _mean_move(w), "2 epsilon": 2 * tolerance(w, rounds_of(w)),
    }  # fmt: skip


# -- (ii) differences of the Lagrangian --------------------------------------------------------


def _part_one(w: World, r: Round) -> Array:
    return lagrangian(w, r.new, r.server, r.multipliers) - lagrangian(
        w, r.old, r.server, r.multipliers
    )


def _part_two(w: World, r: Round) -> Array:
    """(lambda' - lambda) (|x' - z|^2 - gamma), where f_i(x') has cancelled."""
    return (r.updated - r.multipliers) * (_gap(r) - w.gamma)


def _part_three(r: Round) -> Array:
    """lambda' (|x' - z'|^2 - |x' - z|^2), where the rest has cancelled."""
    return r.updated * (_spread(r) - _gap(r))


def _rise(w: World, r: Round) -> Array:
    """L_i^{t+1} - L_i^t."""
    return lagrangian(w, r.new, r.after, r.updated) - lagrangian(
        w, r.old, r.server, r.multipliers
    )


def _sides_of_one(w: World, r: Round) -> tuple[Terms, Terms]:
    """Both Lagrangians of the first difference without gamma, so that no digits cancel."""
    before = (r.old - r.server[..., None]) ** 2
    after = {"f_i(x')": losses(w, r.new), "lambda |x' - z|^2": r.multipliers * _gap(r)}
    return after, {"f_i(x)": losses(w, r.old), "lambda |x - z|^2": r.multipliers * before}


def _gap(r: Round) -> Array:
    """Squared distance of the new local models from z^t."""
    return (r.new - r.server[..., None]) ** 2


def _spread(r: Round) -> Array:
    """Squared distance of the new local models from z^{t+1}."""
    return (r.new - r.after[..., None]) ** 2


def _eq29(w: World) -> tuple[Terms, Terms]:
    """The three differences telescope."""
    r = _first(w)
    return {"after": lagrangian(w, r.new, r.after, r.updated)}, {
        "before": lagrangian(w, r.old, r.server, r.multipliers),
        "I": _part_one(w, r), "II": _part_two(w, r), "III": _part_three(r),
    }  # fmt: skip


def _eq31(w: World) -> tuple[Terms, Terms]:
    """As an inequality: f_i(x') - f_i(x) <= <grad f_i(x'), x' - x> + (L_i/2) |x' - x|^2."""
    r = _first(w)
    move = _moved(r)
    after, before = _sides_of_one(w, r)
    return after, {
        "f_i(x)": before["f_i(x)"], "slope": slopes(w, r.new) * move,
        "L_i/2 |move|^2": stiffness(w) * move**2 / 2,
        "lambda |x' - z|^2": after["lambda |x' - z|^2"],
    }  # fmt: skip


def _eq33(w: World) -> tuple[Terms, Terms]:
    """(31) with the difference of squares written out."""
    r = _first(w)
    move = _moved(r)
    after, before = _sides_of_one(w, r)
    return after, {
        **before, "residual": residuals(w, r) * move,
        "L_i/2 |move|^2": stiffness(w) * move**2 / 2, "-lambda |move|^2": -r.multipliers * move**2,
    }  # fmt: skip


def _eq34(w: World) -> tuple[Terms, Terms]:
    """<e, d> <= |e|^2/(2 L_i) + (L_i/2) |d|^2. Tight where d = e/L_i and the curvature is -L_i."""
    r = _first(w)
    move, stiff = _moved(r), stiffness(w)
    after, before = _sides_of_one(w, r)
    return after, {
        **before, "|e|^2/(2 L_i)": residuals(w, r) ** 2 / (2 * stiff),
        "L_i |move|^2": stiff * move**2, "-lambda |move|^2": -r.multipliers * move**2,
    }  # fmt: skip


def _eq35(common: bool) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        r = _first(w)
        stiff = stiffness(w)
        bottom = w.beta[..., None] if common else stiff
        epsilon = tolerance(w, rounds_of(w))[..., None]
        return {"I": _part_one(w, r)}, {
            "epsilon": epsilon / (2 * bottom),
            "-(lambda - L_i) |move|^2": (stiff - r.multipliers) * _moved(r) ** 2,
        }

    sides.__doc__ = (
        "epsilon/(2L) with the largest L: (34) gives epsilon/(2 L_i), which is larger."
        if common
        else "epsilon/(2 L_i).\n\nProof. (34) and |e_i|^2 <= epsilon."
    )
    return sides


def _eq36(w: World) -> tuple[Terms, Terms]:
    """II is the product of the two differences."""
    r = _first(w)
    excess = _gap(r) - w.gamma
    return {"with lambda'": lagrangian(w, r.new, r.server, r.updated)}, {
        "with lambda": lagrangian(w, r.new, r.server, r.multipliers),
        "|change| |gap - gamma|": xp.absolute(r.updated - r.multipliers) * xp.absolute(excess),
    }


def _eq37(part: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The projection does not lengthen the dual step; both parts of the square are positive."""
        r = _first(w)
        alpha, gap = w.dual_step[..., None], _gap(r)
        square = {"alpha (gap - gamma)^2": alpha * (gap - w.gamma) ** 2}
        split = {"alpha gap^2": alpha * gap**2, "alpha gamma^2": alpha * w.gamma**2}
        if part == "projected":
            excess = gap - w.gamma
            return {"lambda' (gap - gamma)": r.updated * excess}, {
                "lambda (gap - gamma)": r.multipliers * excess, **square,
            }  # fmt: skip
        if part == "split":
            return square, split
        reach = domain_of(w, rounds_of(w)).diameter[..., None]
        return split, {"alpha 16 R^4": 16 * alpha * reach**4, "alpha gamma^2": alpha * w.gamma**2}

    return sides


def _eq38(part: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The second square is dropped, and lambda <= lambda_max."""
        r = _first(w)
        if part == "equal":
            return {"at z'": lagrangian(w, r.new, r.after, r.updated)}, {
                "at z": lagrangian(w, r.new, r.server, r.updated), "difference": _part_three(r),
            }  # fmt: skip
        return {"III": _part_three(r)}, {
            "lambda_max |x - z|^2": w.lambda_max[..., None] * _spread(r)
        }

    return sides


def _dual_constant(w: World, reading: str) -> Array:
    """G: of (37) with the largest gamma_i, or the bound of the gradients of (81)."""
    every = rounds_of(w)
    if reading == "dual":
        return 16 * domain_of(w, every).diameter ** 4 + xp.largest(w.gamma) ** 2
    last = [xp.largest(xp.absolute(slopes(w, run[-1].new))) for run in every]
    return xp.largest(xp.stack(last, -1))


def _eq39(reading: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """alpha G of (37) has become alpha G^2."""
        r = _first(w)
        epsilon = tolerance(w, rounds_of(w)) / (2 * w.beta)
        square = w.dual_step * _dual_constant(w, reading) ** 2
        return {"rise": _rise(w, r)}, {
            "epsilon": epsilon[..., None],
            "-(lambda - L_i) |move|^2": (stiffness(w) - r.multipliers) * _moved(r) ** 2,
            "alpha G^2": square[..., None],
            "consensus": w.lambda_max[..., None] * _spread(r),
        }

    return sides


def _eq39_repaired(w: World) -> tuple[Terms, Terms]:
    """epsilon/(2 L_i) and alpha (16 R^4 + gamma_i^2).

    Proof. Add the bounds (34), (37) and (38) of the three differences.
    """
    r = _first(w)
    reach = domain_of(w, rounds_of(w)).diameter[..., None]
    return {"rise": _rise(w, r)}, {
        "epsilon": tolerance(w, rounds_of(w))[..., None] / (2 * stiffness(w)),
        "-(lambda - L_i) |move|^2": (stiffness(w) - r.multipliers) * _moved(r) ** 2,
        "alpha G": w.dual_step[..., None] * (16 * reach**4 + w.gamma**2),
        "consensus": w.lambda_max[..., None] * _spread(r),
    }


def fall(w: World) -> Array:
    """Mean over clients and sampled sets of L_i^t - L_i^{t+1}."""
    return expected([xp.mean(-_rise(w, r)) for r in first_rounds(w)])


def spread(w: World) -> Array:
    """Mean over clients and sampled sets of |x_i^{t+1} - z^{t+1}|^2."""
    return expected([xp.mean(_spread(r)) for r in first_rounds(w)])


def _descent(reading: str, factor: bool) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Alone at its minimum with gamma > 0, the Lagrangian rises by alpha gamma^2 each round,
        which is G of (37), not its square."""
        epsilon = tolerance(w, rounds_of(w))
        least = xp.smallest(w.multipliers - stiffness(w)) if factor else 1 + 0 * w.beta
        return {"mean |move|^2": least * _mean_move(w)}, closed.lagrangian_descent_printed(
            fall(w), epsilon, w.beta, w.dual_step, _dual_constant(w, reading), w.lambda_max,
            spread(w),
        )  # fmt: skip

    return sides


def _descent_repaired(w: World) -> tuple[Terms, Terms]:
    """With lambda_min - L before the moves, epsilon/(2 L_i) and alpha (16 R^4 + gamma_i^2).

    Proof. I <= epsilon/(2 L_i) - (lambda_i - L_i) |move|^2, where lambda_i - L_i >= lambda_min - L;
    II <= alpha (16 R^4 + gamma_i^2); III <= lambda_max |x - z|^2. Add, and average. A device that
    keeps model and multiplier has I = II = 0, so both readings of participation are covered.
    """
    every = rounds_of(w)
    return {"mean |move|^2": (w.lambda_min - w.beta) * _mean_move(w)}, (
        closed.lagrangian_descent_upper(
            fall(w), tolerance(w, every), stiffness(w), w.dual_step, domain_of(w, every).diameter,
            w.gamma, w.lambda_max, spread(w),
        )
    )  # fmt: skip


def _above(w: World) -> Terms:
    return {**in_domain(w), "lambda_min > L": w.lambda_min - w.beta}


_STEP: dict[str, Any] = {"kind": "proof step"}
_PRINTED: dict[str, Any] = {"given": printed_domain, "strict": PRINTED}
_WIDE = runs(*VIRTUAL, *LITERAL[3:], domain="wide")
_WHERE = "proof of Lemma B.1"


_FREE: dict[str, Any] = {"given": in_domain, "strict": frozenset()}
"""Steps that need no condition on the multipliers but that they lie in Lambda."""


def _step(name: str, title: str, latex: str, sides: Sides, **more: Any) -> Statement:
    fields = {**_STEP, **_PRINTED, "family": runs(*FULL), "source": source(_WHERE), **more}
    return Statement(key=f"fedbc.{name}", title=title, latex=latex, sides=sides, **fields)


_GRADIENT = r"\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|"
_B1I = (
    r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le"
    r"2M_1^2\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2+%s\epsilon"
)
_B1II = (
    r"%s\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-"
    r"\mathcal L_i^{t+1}]+%s+\alpha %s+\lambda_{\max}\tfrac1N\sum_i\|x_i^{t+1}-z^{t+1}\|^2"
)
_DIFFERENCE = r"\mathcal L_i^{t+1}-\mathcal L_i^t"
_EQ39 = _DIFFERENCE + (
    r"\le\frac\epsilon{2%s}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2+\alpha %s"
    r"+\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2"
)

STATEMENTS = (
    *(
        Statement(
            key=f"fedbc.lemmaB1i@{reading}", source=source("Lemma B.1 (20)"), kind="lemma",
            title="gradient of the Lagrangian", latex=_B1I % "2M_1^2", sides=_b1i,
            family=runs(*shapes), uses=("fedbc.eq27",), deduction=deductions.B1I, **_PRINTED,
        )
        for reading, shapes in READINGS.items()
    ),
    Statement(
        key="fedbc.lemmaB1i.refined", source=source("Lemma B.1 (20)"), kind="lemma",
        form="refined", title="2 epsilon, for any dual domain", latex=_B1I % "2",
        sides=_b1i_repaired, family=runs(*VIRTUAL, domain="convex"), given=in_domain,
        uses=("fedbc.eq27",),
    ),
    *(
        Statement(
            key=f"fedbc.lemmaB1ii@{reading}-{constant}", source=source("Lemma B.1 (21)"),
            kind="lemma", title="descent of the Lagrangian", sides=_descent(constant, False),
            latex=_B1II % ("", r"\tfrac\epsilon{2L}", "G^2"), family=runs(*shapes),
            uses=("fedbc.eq39-42",), **_PRINTED,
        )
        for reading, shapes in READINGS.items()
        for constant in ("dual", "gradient")
    ),
    Statement(
        key="fedbc.lemmaB1ii.repaired", source=source("Lemma B.1 (21)"), kind="lemma",
        form="repaired", title="descent of the Lagrangian", sides=_descent_repaired, given=_above,
        latex=_B1II % (r"(\lambda_{\min}-L)", r"\tfrac1N\sum_i\tfrac\epsilon{2L_i}",
                       r"\tfrac1N\sum_i(16R^4+\gamma_i^2)"),
        family=_WIDE, strict=frozenset({"lambda_min > L"}), uses=("fedbc.eq39-42.repaired",),
    ),
    *(
        _step(
            f"{name}@{reading}", "gradient before the round", latex, _gradient(power),
            family=runs(*shapes), **({"deduction": deductions.EQ27} if power == 2 else {}),
        )
        for name, latex, power in (
            ("eq26", _GRADIENT + r"\le(L+2\lambda_{\max})\|x_i^{t+1}-x_i^t\|+\sqrt\epsilon", 1),
            ("eq27", _GRADIENT + r"^2\le2M_1^2\|x_i^{t+1}-x_i^t\|^2+2\epsilon", 2),
        )
        for reading, shapes in READINGS.items()
    ),
    _step("eq29", "three differences", _DIFFERENCE + "=I+II+III", _eq29, relation="==",
          family=_WIDE, **_FREE),
    *(
        _step(
            f"{name}@{reading}", title, latex.replace("REL", sign), sides, relation=relation,
            family=_WIDE, **_FREE,
            **({"deduction": deduction} if reading == "upper" and deduction else {}),
        )
        for name, title, latex, sides, deduction in (
            ("eq31", "smoothness",
             r"I\,REL\,\langle\nabla f_i(x_i^{t+1}),x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2+\lambda_i^t(\|x_i^{t+1}-z^t\|^2-\|x_i^t-z^t\|^2)",
             _eq31, None),
            ("eq33", "difference of squares",
             r"I\,REL\,\langle e_i^{t+1},x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2-\lambda_i^t\|x_i^{t+1}-x_i^t\|^2",
             _eq33, deductions.EQ33),
            ("eq34", "Peter-Paul",
             r"I\,REL\,\tfrac1{2L_i}\|e_i^{t+1}\|^2+L_i\|x_i^{t+1}-x_i^t\|^2-\lambda_i^t\|x_i^{t+1}-x_i^t\|^2",
             _eq34, deductions.EQ34),
        )
        for reading, relation, sign in (("upper", "<=", r"\le"), ("equal", "==", "="))
    ),
    _step("eq35", "bound of the first difference",
          r"I\le\frac\epsilon{2L}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2", _eq35(True),
          deduction=deductions.EQ35),
    _step("eq35.repaired", "bound of the first difference",
          r"I\le\frac\epsilon{2L_i}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2", _eq35(False),
          form="repaired", family=runs(*VIRTUAL, domain="convex"), **_FREE),
    _step("eq36-37/product", "bound of the second difference",
          r"II\le|\lambda_i^{t+1}-\lambda_i^t|\,|\|x_i^{t+1}-z^t\|^2-\gamma_i|", _eq36, family=_WIDE,
          **_FREE),
    *(
        _step(f"eq36-37/{part}", "bound of the second difference", latex, _eq37(part),
              family=_WIDE, **_FREE, **({"deduction": deduction} if deduction else {}))
        for part, latex, deduction in (
            ("projected", r"II\le\alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)^2", None),
            ("split", r"\alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)^2\le\alpha\|x_i^{t+1}-z^t\|^4+\alpha\gamma_i^2",
             deductions.EQ37),
            ("diameter", r"\alpha\|x_i^{t+1}-z^t\|^4+\alpha\gamma_i^2\le16\alpha R^4+\alpha\gamma_i^2",
             None),
        )
    ),
    _step("eq38/equal", "third difference",
          r"III=\lambda_i^{t+1}(\|x_i^{t+1}-z^{t+1}\|^2-\|x_i^{t+1}-z^t\|^2)", _eq38("equal"),
          relation="==", family=_WIDE, **_FREE),
    _step("eq38/dropped", "third difference",
          r"III\le\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2", _eq38("dropped"), family=_WIDE,
          deduction=deductions.EQ38, **_FREE),
    *(
        _step(f"eq39-42/client@{constant}", "one client", _EQ39 % ("L", "G^2"), _eq39(constant),
              deduction=deductions.EQ39)
        for constant in ("dual", "gradient")
    ),
    *(
        _step(f"eq39-42/mean@{constant}", "mean over the clients", _B1II % (
            r"(\lambda_i^t-L_i)", r"\tfrac\epsilon{2L}", "G^2"), _descent(constant, True))
        for constant in ("dual", "gradient")
    ),
    _step("eq39-42.repaired", "one client", _EQ39 % ("L_i", r"(16R^4+\gamma_i^2)"), _eq39_repaired,
          form="repaired", family=_WIDE, **_FREE),
)  # fmt: skip
