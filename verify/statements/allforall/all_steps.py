"""Section 5 and Appendix E: Lemma 3, identities and matrix inequalities of the proofs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.all_convex import (
    Array,
    _mix,
    claim,
)
from verify.statements.allforall.all_smooth import (
    SMOOTH,
    _bias,
    _curvatures,
    _smoothness,
    _spectrum,
)
from verify.statements.allforall.common import (
    CURVATURE,
    GRADIENT,
    LENGTH,
    gram,
    numbers,
    one,
    unchecked_claim,
)
from verify.world.world import World

ROWS = numbers(
    {"share": Real(0, 1), "condition": Real(1, 8, log=True, per=("N",)), "mu": CURVATURE,
     "centre": Real(-2, 2, unit=(0, 1), per=("N",)), "point": LENGTH}, {"N": 2},
    about="two quadratics, Lambda with equal rows",
)  # fmt: skip


def _common_minimum(w: World) -> tuple[Array, Array]:
    """f^Lambda(x^Lambda) and (1/N) sum lambda b for Lambda = (share, 1 - share) in both rows."""
    a = _curvatures(w)
    gap = (w.centre[..., 0] - w.centre[..., 1]) ** 2
    least = a[..., 0] * a[..., 1] / (a[..., 0] + a[..., 1]) * gap / 4
    bias = ((1 - w.share) * a[..., 0] + w.share * a[..., 1]) * gap / 4
    return least, bias


def _lemma3(w: World) -> tuple[Terms, Terms]:
    """Compare with x^*. Tight where one agent is far steeper and weighs more."""
    least, bias = _common_minimum(w)
    return {"f^Lambda(x^Lambda)": least}, {"bias": bias}


def _e1(w: World) -> tuple[Terms, Terms]:
    least, bias = _common_minimum(w)
    value = xp.mean(_curvatures(w) * (w.point[..., None] - w.centre) ** 2) / 2
    return {"F": value}, {"optimisation": value - least, "bias": bias}


def _mixed_targets(w: World) -> Array:
    return _times(_mix(w), w.centre)


def _jensen(w: World) -> tuple[Terms, Terms]:
    """f^Lambda at y = x^*, agent by agent."""
    value = xp.mean(_curvatures(w) * (_mixed_targets(w) - w.centre) ** 2) / 2
    return {"f^Lambda(x^*)": value}, {"mean of f_i(x_j^*)": _bias(w)}


def _least(w: World) -> tuple[Terms, Terms]:
    """Equal rows: at y = x^* all models are the weighted mean of the minimisers."""
    least, _ = _common_minimum(w)
    middle = w.share * w.centre[..., 0] + (1 - w.share) * w.centre[..., 1]
    value = xp.mean(_curvatures(w) * (middle[..., None] - w.centre) ** 2) / 2
    return {"f^Lambda(x^Lambda)": least}, {"f^Lambda(x^*)": value}


def _biasvar(w: World) -> tuple[Terms, Terms]:
    """One noiseless round in both scales: x^1 = Lambda y^1."""
    lam = _mix(w)
    step = w.step_share / _smoothness(w)
    slope = _curvatures(w) * (w.start[..., None] - w.centre)
    y = w.start[..., None] - step[..., None] * _times(xp.transpose(lam), slope)
    values = xp.mean(_curvatures(w) * (_times(lam, y) - w.centre) ** 2) / 2
    left = _final_once(w, gram(lam), step)
    return {"F": left}, {"f^Lambda(y)": values}


def _times(matrix: Array, vector: Array) -> Array:
    return xp.total(matrix * vector[..., None, :])


def _final_once(w: World, matrix: Array, step: Array) -> Array:
    from synthetic.exact_runs import all_for_all_moments, mean_excess

    error = w.start[..., None] - w.centre
    path = all_for_all_moments(matrix, _curvatures(w), error, 0 * error, step, 1)
    return mean_excess(path[-1], _curvatures(w))


GRADIENTS = numbers(
    {"rows": Real(1 / 16, 1, per=("N", "N")), "size": Real(0, 1, per=("N",)), "bound": GRADIENT},
    {"N": 1}, {"N": 2}, {"N": 3}, about="any Lambda, any second moments up to the bound",
)  # fmt: skip


def _afa2(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One agent drawn: E|G|^2 = (1/N) sum_i |row i|^2 E g_i^2. All agents: independent noises
        with the factor 1/N. Equality where all second moments are the bound."""
        rows = xp.total(_mix(w) ** 2)
        each = w.size * w.bound[..., None] ** 2
        total = xp.total(rows * each)
        mass = xp.total(rows)
        if part == "moment":
            return {"E|G|^2": total / w.N}, {"bound": w.bound**2 * mass / w.N}
        return {"variance": total / w.N / w.N}, {"bound": w.bound**2 * mass / w.N / w.N}

    return sides


def _mean_direction(w: World) -> tuple[Terms, Terms]:
    """Gradient of f^Lambda along the first axis, times a length h = x^0, by a central difference,
    exact on quadratics: a (u^2 - v^2)/4 = a (u - v) (u + v)/4 with the errors u, v at +-h."""
    lam = _mix(w)
    point = w.start[..., None] + 0 * w.centre
    aside = w.start[..., None] * xp.eye(w.N, w.centre)[0]
    ahead, behind = (_times(lam, point + sign * aside) - w.centre for sign in (1, -1))
    difference = _curvatures(w) * (ahead - behind) * (ahead + behind) / 4 / w.N
    direction = lam[..., :, 0] * _curvatures(w) * (_times(lam, point) - w.centre) / w.N
    direction = direction * w.start[..., None]
    return {f"h E G, agent {i}": direction[..., i] for i in range(w.N)}, {
        f"h gradient, agent {i}": difference[..., i] for i in range(w.N)
    }


FORMS = numbers(
    {"rows": Real(0, 1, per=("N", "N")), "mu": CURVATURE, "condition": Real(1, 8, log=True, per=("N",)),
     "point": Real(-2, 2, unit=(0, 1), per=("N",))}, {"N": 2},
    about="any Lambda, quadratics, any direction",
)  # fmt: skip


def _some_weight(w: World) -> Terms:
    return {"rows not zero": xp.smallest(xp.total(w.rows))}


def _forms(part: str, printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """y^T Lambda^T H Lambda y/N against y^T W y; the chain rule gives Lambda^T Lambda, while
        W = Lambda Lambda^T.

        Proof with Lambda^T Lambda.  mu |z|^2 <= z^T H z <= L |z|^2 at z = Lambda y.
        """
        lam = _mix(w)
        curved = xp.total(_curvatures(w) * _times(lam, w.point) ** 2) / w.N
        metric = xp.transpose(lam) if printed else lam
        size = xp.total(_times(metric, w.point) ** 2) / w.N
        if part == "smooth":
            return {"curvature": curved}, {"L |y|^2/N": _smoothness(w) * size}
        return {"mu |y|^2/N": w.mu * size}, {"curvature": curved}

    return sides


SPECTRA = numbers({"rows": Real(0, 1, per=("N", "N"))}, {"N": 2}, about="any two rows")


def _spectral(w: World) -> tuple[Terms, Terms]:
    """1 is no upper bound: columns that many agents use sum to more than 1."""
    return {"largest eigenvalue": _spectrum(w)[1]}, {"1": one(w.rows[..., 0, 0])}


DOUBLY = numbers({"share": Real(0, 1)}, about="two agents, doubly stochastic Lambda")


def _doubly(w: World) -> tuple[Terms, Terms]:
    """Proof.  Lambda 1 = Lambda^T 1 = 1, so 1 is an eigenvalue of Lambda Lambda^T; and
    |Lambda|^2 <= |Lambda|_1 |Lambda|_inf, the largest column sum times the largest row sum, is 1."""
    keep = xp.stack([1 - w.share, w.share], -1)
    swap = xp.stack([w.share, 1 - w.share], -1)
    return {"largest eigenvalue": xp.largest_eigenvalue(gram(xp.stack([keep, swap], -2)))}, {
        "1": one(w.share)
    }


_E = "Appendix E"


def _proof(key: str, latex: str, **fields: Any) -> Statement:
    return claim(key, _E, latex, kind="proof step", **fields)


STATEMENTS = (
    claim("lemma3", "Lemma 3", r"f^\Lambda(x^\Lambda)-\bar f(x^*)\le\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
           family=ROWS, sides=_lemma3, kind="lemma"),
    _proof("ineq.biasvar", r"F^k=\bigl(f^\Lambda(x^\Lambda)-\bar f(x^*)\bigr)+\bigl(f^\Lambda(y^k)-f^\Lambda(x^\Lambda)\bigr)",
           family=SMOOTH, over="path", sides=_biasvar, relation="=="),
    _proof("proof.lemma3/least", r"f^\Lambda(x^\Lambda)\le f^\Lambda(x^*)", family=ROWS, sides=_least),
    _proof("proof.lemma3/convex", r"\tfrac1N\sum_if_i(\sum_j\lambda_{ij}x_j^*)\le\tfrac1N\sum_{ij}\lambda_{ij}f_i(x_j^*)",
                         family=SMOOTH, sides=_jensen),
    _proof("proof.E1", r"\bar f(x^k)-\bar f(x^*)\le f^\Lambda(y^k)-f^\Lambda(x^\Lambda)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
           family=ROWS, sides=_e1),
    _proof("ineq.afa2/mean", r"\mathbb E G_\Lambda^k(y)=\nabla f^\Lambda(y)", family=SMOOTH, over="mean", sides=_mean_direction, relation="=="),
    _proof("ineq.afa2/moment", r"\mathbb E\|G_\Lambda^k\|^2\le\tfrac{B^2}N\sum_{ij}\lambda_{ij}^2", family=GRADIENTS, sides=_afa2("moment")),
    _proof("ineq.afa2/variance", r"\mathbb E\|G_\Lambda^k-\nabla f^\Lambda\|^2\le\tfrac{\sigma^2}{N^2}\sum_{ij}\lambda_{ij}^2", family=GRADIENTS, sides=_afa2("variance")),
    *(_proof(f"proof.relsmooth/{p}", latex, family=FORMS, sides=_forms(p, True), given=_some_weight, strict=frozenset({"rows not zero"}))
      for p, latex in (("smooth", r"\nabla^2f^\Lambda\preceq\tfrac LNW"), ("convex", r"\nabla^2f^\Lambda\succeq\tfrac\mu NW"))),
    *(_proof(f"proof.relsmooth.repaired/{p}", latex, family=FORMS, sides=_forms(p, False), given=_some_weight, strict=frozenset({"rows not zero"}), form="repaired")
      for p, latex in (("smooth", r"\nabla^2f^\Lambda\preceq\tfrac LN\Lambda^\top\Lambda"), ("convex", r"\nabla^2f^\Lambda\succeq\tfrac\mu N\Lambda^\top\Lambda"))),
    claim("claim.spectral", _E, r"\rho(\Lambda\Lambda^\top)=1", family=SPECTRA, sides=_spectral, given=_some_weight,
           strict=frozenset({"rows not zero"}), relation="==", kind="claim"),
    claim("claim.spectral.repaired", _E, r"\Lambda\ \text{doubly stochastic}:\ \rho(\Lambda\Lambda^\top)=1", family=DOUBLY,
           sides=_doubly, relation="==", kind="claim", form="repaired"),
    unchecked_claim("proof.theorem8", "proof step", _E, r"\text{Lemma 5 applied to }f^\Lambda", "all-for-all",
                    "a sentence without a formula"),
)  # fmt: skip
