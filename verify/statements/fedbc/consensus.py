"""Lemma B.2: distance of local models from each other and from the server's, step by step."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any

from bounds import fedbc as closed
from bounds import generic as xp
from bounds.fedbc_constants import contraction_printed
from verify.parameters import Family, Real, Shape
from verify.statement import Statement, Terms
from verify.statements.fedbc import deductions_consensus as deduced
from verify.statements.fedbc.common import (
    CONTRACTING,
    PRINTED,
    STEPPED,
    Round,
    contracting,
    dissimilarity,
    domain_of,
    expected,
    first_rounds,
    in_domain,
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

FULL = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(3, 3, **STEPPED))
PAIR = (size(2, 2, **STEPPED), size(2, 2))
VIRTUAL: tuple[Shape, ...] = (
    *FULL[:2], size(2, 1, virtual=True, **STEPPED), size(2, 1, rounds=2, virtual=True),
)  # fmt: skip
LITERAL: tuple[Shape, ...] = (*FULL[:2], size(2, 1), size(2, 1, **STEPPED))
READINGS = {"V": VIRTUAL, "A": LITERAL}


def _spread(r: Round) -> Array:
    return (r.new - r.after[..., None]) ** 2


def average_spread(w: World) -> Array:
    """Mean over clients, rounds and sampled sets of |x_i^{t+1} - z^{t+1}|^2."""
    every = [xp.mean(_spread(r)) for run in rounds_of(w) for r in run]
    return expected(every)


def _constants(w: World) -> tuple[Array, Array]:
    """epsilon and delta, (B, 1)."""
    every = rounds_of(w)
    return tolerance(w, every), dissimilarity(w, domain_of(w, every))


# -- from the server to pairs ------------------------------------------------------------------


def _members(w: World, r: Round, mask_of: int) -> list[int]:
    """Clients that the server averages: the sampled ones of the single round."""
    return list(list(combinations(range(w.multipliers.shape[-1]), w.S))[mask_of])


def _each(w: World, value: Callable[[Round, list[int]], Array]) -> Array:
    """A per-client quantity of every sampled set, (B, 1, sets N)."""
    parts = [value(r, _members(w, r, k)) for k, r in enumerate(first_rounds(w))]
    stacked = xp.stack([p + 0 * w.multipliers for p in parts], -2)
    return stacked.reshape((*stacked.shape[:-2], -1))


def _to_members(r: Round, members: list[int]) -> Array:
    """|x_i - x_j|^2 for the sampled j, (B, 1, N, S)."""
    chosen = xp.stack([r.new[..., j] for j in members], -1)
    return (r.new[..., None] - chosen[..., None, :]) ** 2


def _shares(r: Round, members: list[int]) -> Array:
    chosen = xp.stack([r.updated[..., j] for j in members], -1)
    return (chosen / xp.total(chosen)[..., None])[..., None, :]


def _eq45(part: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Jensen, then weights of at most one."""
        weighted = _each(w, lambda r, m: xp.total(_shares(r, m) * _to_members(r, m)))
        if part == "jensen":
            return {"|x_i - z|^2": _each(w, lambda r, m: _spread(r))}, {"weighted": weighted}
        return {"weighted": weighted}, {"sum": _each(w, lambda r, m: xp.total(_to_members(r, m)))}

    return sides


def _pairs(r: Round) -> Array:
    """|x_i - x_j|^2, (B, 1, N, N)."""
    return (r.new[..., None] - r.new[..., None, :]) ** 2


def _eq50(part: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Under V the models do not depend on the sampled set, so its mean passes to j in S_t."""
        every = first_rounds(w)
        n = w.multipliers.shape[-1]
        mean = expected([_spread(r) for r in every])
        total = xp.total(_pairs(every[0])) * w.S / n
        if part == "mean":
            return {"E |x_i - z|^2": mean}, {"S/N sum": total}
        widest = xp.largest(xp.largest(_pairs(every[0])))[..., None]
        return {"S/N sum": total}, {"S (N-1)/N widest": w.S * (n - 1) * widest / n}

    return sides


# -- pairs -------------------------------------------------------------------------------------


def _solution(factor: int) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        r = first_rounds(w)[0]
        step = (residuals(w, r) - slopes(w, r.new)) / (factor * r.multipliers)
        return {"x_i": r.new}, {"z": r.server[..., None] + 0 * r.new, "step": step}

    sides.__doc__ = (
        "(54) divided by 2 lambda.\n\nProof. Solve 2 lambda (x - z) = e - grad f_i(x) for x."
        if factor == 2
        else "(54) divided by lambda, where the factor of x - z is 2 lambda."
    )
    return sides


def _over_pairs(w: World, value: Callable[[Round, int, int], Array]) -> Array:
    """A quantity of every ordered pair, (B, 1, pairs)."""
    r = first_rounds(w)[0]
    n = w.multipliers.shape[-1]
    return xp.stack([value(r, i, j) for i, j in permutations(range(n), 2)], -1)


def _distance(r: Round, i: int, j: int) -> Array:
    return xp.absolute(r.new[..., i] - r.new[..., j])


def _cross(w: World, r: Round, i: int, j: int, sign: int = -1) -> Array:
    """|a_j grad f_i(x_i) -+ a_i grad f_j(x_j)| with a = lambda."""
    slope, a = slopes(w, r.new), r.multipliers
    return xp.absolute(a[..., j] * slope[..., i] + sign * a[..., i] * slope[..., j])


def _eq57(w: World) -> tuple[Terms, Terms]:
    """With a = lambda. With the factor 2 of (54) kept, half of the right side would do."""
    error = xp.absolute(residuals(w, first_rounds(w)[0]))

    def own(r: Round, i: int, j: int) -> Array:
        return error[..., i] / r.multipliers[..., i] + error[..., j] / r.multipliers[..., j]

    def crossed(r: Round, i: int, j: int) -> Array:
        return _cross(w, r, i, j) / (r.multipliers[..., i] * r.multipliers[..., j])

    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "residuals": _over_pairs(w, own), "gradients": _over_pairs(w, crossed),
    }  # fmt: skip


def _eq58(w: World) -> tuple[Terms, Terms]:
    """One residual of the two; true because (55) has lost a factor 2, if lambda_j >= 1 + L_i."""
    L = stiffness(w)
    root = xp.sqrt(tolerance(w, rounds_of(w)))
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (1 + L[..., i])),
        "gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j) / (1 + L[..., i]) ** 2),
    }


def _own_domain(w: World) -> Terms:
    """lambda_i >= 1 + L_i for each device's own constant."""
    L = stiffness(w)
    return {
        **in_domain(w),
        "lambda_i >= 1 + L_i": xp.smallest(w.multipliers - 1 - L),
        "lambda_max < (1 + L_i)^2/L_i": xp.smallest((1 + L) ** 2 / L) - w.lambda_max,
    }


def _eq59(sign: int) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Add and subtract grad f_i(x_j)."""
        L, delta = stiffness(w), _constants(w)[1]
        return {"gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j, sign))}, {
            "a_j L_i |x_i - x_j|": _over_pairs(
                w, lambda r, i, j: r.multipliers[..., j] * L[..., i] * _distance(r, i, j)
            ),
            "delta": delta[..., None],
        }

    return sides


def _eq61(w: World) -> tuple[Terms, Terms]:
    """(59) in (58)."""
    L, (epsilon, delta) = stiffness(w), _constants(w)
    root = xp.sqrt(epsilon)

    def shrunk(r: Round, i: int, j: int) -> Array:
        share = 1 - w.lambda_max * L[..., i] / (1 + L[..., i]) ** 2
        return share * _distance(r, i, j)

    return {"|x_i - x_j|": _over_pairs(w, shrunk)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (1 + L[..., i])),
        "delta": _over_pairs(w, lambda r, i, j: delta / (1 + L[..., i]) ** 2),
    }


def _eq62(w: World) -> tuple[Terms, Terms]:
    """C_0 = 1 - lambda_max/(4 L) is larger than the coefficient of (61) where L_i > 1."""
    L, (epsilon, delta) = stiffness(w), _constants(w)
    root, share = xp.sqrt(epsilon), contraction_printed(w.beta, w.lambda_max)
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (share * (1 + L[..., i]))),
        "delta": _over_pairs(w, lambda r, i, j: delta / (share * (1 + L[..., i]) ** 2)),
    }


def _eq62_repaired(w: World) -> tuple[Terms, Terms]:
    """(2 sqrt(epsilon) + delta/lambda_min)/(2 lambda_min - L).

    Proof. For a pair with a_i <= a_j: 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i)
    - a_i grad f_j(x_j)); by (59) the bracket is at most a_j L_i |x_i - x_j| + delta. Divide by a_j.
    """
    epsilon, delta = _constants(w)
    share = 2 * w.lambda_min - w.beta
    root, apart = 2 * xp.sqrt(epsilon) / share, delta / (w.lambda_min * share)
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": root[..., None], "delta": apart[..., None],
    }  # fmt: skip


def _widest(w: World) -> Array:
    return xp.largest(xp.largest(_pairs(first_rounds(w)[0])))


def _eq63(part: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The square of (62), with S (N-1)/N before it, and a maximum bounded by it."""
        if part == "widest":
            mean = expected([_spread(r) for r in first_rounds(w)])
            return {"E |x_i - z|^2": mean}, {"widest": _widest(w)[..., None]}
        L, (epsilon, delta) = stiffness(w), _constants(w)
        n = L.shape[-1]
        share = w.S * (n - 1) / (contraction_printed(w.beta, w.lambda_max)[..., None] ** 2 * n)
        terms = {
            "epsilon": (n - 1) * 2 * share * epsilon[..., None] / (1 + L) ** 2,
            "delta^2": share * delta[..., None] ** 2 / (1 + L) ** 4,
        }
        if part == "both":
            terms["delta^2"] = (n - 1) * terms["delta^2"]
        return {"widest": _widest(w)[..., None]}, terms

    return sides


# -- the lemma ---------------------------------------------------------------------------------


def _lemma(w: World) -> tuple[Terms, Terms]:
    """Constants of (65). With residuals of opposite sign on a hump two models are
    2 sqrt(epsilon)/(2 lambda - L) apart, more than these constants allow once L > 1 + sqrt 2."""
    return {"average": average_spread(w)}, closed.consensus_printed(
        *_constants(w), stiffness(w), w.lambda_max, w.S
    )


def _sum(w: World) -> tuple[Terms, Terms]:
    """T times the constants of the lemma."""
    left, right = _lemma(w)
    return {"sum": w.rounds * left["average"]}, {k: w.rounds * v for k, v in right.items()}


def _repaired(w: World) -> tuple[Terms, Terms]:
    """((2 sqrt(epsilon) + delta/lambda_min)/(2 lambda_min - L))^2, every device computing.

    Proof. z^{t+1} is an average of local models, so |x_i - z| <= max_j |x_i - x_j|. For a pair with
    a_i <= a_j: 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) - a_i grad f_j(x_j)),
    and the bracket is at most a_j L_i |x_i - x_j| + delta; divide by a_j.
    """
    epsilon, delta = _constants(w)
    return {"average": average_spread(w)}, {
        "widest": closed.consensus_upper(epsilon, delta, w.lambda_min, w.beta)
    }


def _half(w: World) -> Terms:
    return {**in_domain(w), "2 lambda_min > L": 2 * w.lambda_min - w.beta}


_HALF = frozenset({"2 lambda_min > L"})
CONVEX = runs(*FULL, *VIRTUAL[2:], domain="convex")

# -- C_0 ---------------------------------------------------------------------------------------

C0 = Family(
    {"L": Real(1 / 16, 16, log=True), "lambda_max": Real(1 / 16, 64, log=True)},
    about="any smoothness and any lambda_max",
)


def _c0(w: World) -> tuple[Terms, Terms]:
    """Equal L_i, L = 1/4 and lambda_max = 2: the condition asks for less than 6.25, C_0 = -1."""
    return {"0": 0}, {"C_0": contraction_printed(w.L, w.lambda_max)}


def _c0_given(w: World) -> Terms:
    return {
        "lambda_max >= 1 + L": w.lambda_max - 1 - w.L,
        "lambda_max < (1 + L)^2/L": (1 + w.L) ** 2 / w.L - w.lambda_max,
    }


def _c0_repaired(w: World) -> tuple[Terms, Terms]:
    """C_0 = 1 - lambda_max L/(1 + L)^2.

    Proof. The condition times L/(1 + L)^2.
    """
    return {"0": 0}, {"C_0": 1 - w.lambda_max * w.L / (1 + w.L) ** 2}


_STEP: dict[str, Any] = {"kind": "proof step", "source": source("proof of Lemma B.2")}
_PRINTED: dict[str, Any] = {"given": printed_domain, "strict": PRINTED}
_CONTRACTING: dict[str, Any] = {"given": contracting, "strict": CONTRACTING}
_WIDE = runs(*FULL[1:], size(2, 1, virtual=True, **STEPPED), size(3, 2, virtual=True), domain="wide")
_MEAN = (size(2, 2, **STEPPED), size(2, 1, virtual=True, **STEPPED), size(3, 2, virtual=True))
_D = r"\|x_i^{t+1}-x_j^{t+1}\|"
_Z = r"\|x_i^{t+1}-z^{t+1}\|^2"
_C = r"\|a_j\nabla f_i(x_i^{t+1})%sa_i\nabla f_j(x_j^{t+1})\|"
_SUMS = (
    r"\frac{S(N-1)}{C_0^2N^2}\Bigl(\epsilon\sum_i\frac1{(1+L_i)^2}+\delta^2\sum_i\frac1{(1+L_i)^4}"
    r"\Bigr)"
)
_AVERAGE = r"\frac1T\sum_t\frac1N\sum_i\mathbb E" + _Z
_BOUND = r"\Bigl(\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2"


def _step(name: str, title: str, latex: str, sides: Sides, **more: Any) -> Statement:
    fields = {**_STEP, **_PRINTED, "family": runs(*PAIR), **more}
    return Statement(key=f"fedbc.{name}", title=title, latex=latex, sides=sides, **fields)


def _free(**more: Any) -> dict[str, Any]:
    return {"given": in_domain, "strict": frozenset(), "family": _WIDE, **more}


STATEMENTS = (
    *(
        Statement(
            key=f"fedbc.lemmaB2@{reading}", source=source("Lemma B.2 (44), (65)"), kind="lemma",
            title="consensus error", latex=_AVERAGE + r"\le" + _SUMS, sides=_lemma,
            family=runs(*shapes), uses=("fedbc.eq64-65",), **_CONTRACTING,
        )
        for reading, shapes in READINGS.items()
    ),
    Statement(
        key="fedbc.lemmaB2.repaired", source=source("Lemma B.2 (44)"), kind="lemma",
        form="repaired", title="consensus error, every device computing",
        latex=_AVERAGE + r"\le" + _BOUND, sides=_repaired, family=CONVEX, given=_half,
        strict=_HALF,
    ),
    _step("eq45-47/jensen", "average of local models",
          _Z + r"\le\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}" + _D + "^2",
          _eq45("jensen"), **_free()),
    _step("eq45-47/sum", "weights of at most one",
          r"\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}" + _D
          + r"^2\le\sum_{j\in\mathcal S_t}" + _D + "^2", _eq45("sum"), **_free()),
    _step("eq50-53/mean", "mean over the sampled set",
          r"\mathbb E_{\mathcal S_t}" + _Z + r"\le\tfrac SN\sum_j" + _D + "^2", _eq50("mean"),
          **_free(family=runs(*_MEAN, domain="wide"))),
    _step("eq50-53/widest", "widest pair",
          r"\tfrac SN\sum_{j\ne i}" + _D + r"^2\le\tfrac{S(N-1)}N\triangle x^{t+1}",
          _eq50("widest"), **_free(family=runs(*_MEAN, domain="wide"))),
    _step("eq54-55", "local solution", r"x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{\lambda_i^t}",
          _solution(1), relation="==", deduction=deduced.EQ55, **_free()),
    _step("eq54-55.repaired", "local solution",
          r"x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{2\lambda_i^t}", _solution(2),
          relation="==", form="repaired", **_free()),
    _step("eq57", "two models", _D + r"\le\frac{\|e_i\|}{a_i}+\frac{\|e_j\|}{a_j}+\frac1{a_ia_j}"
          + _C % "-", _eq57, deduction=deduced.EQ57, **_free()),
    *(
        _step(f"eq58@{reading}", "two models", _D + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac1{(1+L_i)^2}"
              + _C % "-", _eq58, given=given, deduction=deduced.EQ58, family=family)
        for reading, given, family in (
            ("every", printed_domain, runs(*PAIR)), ("own", _own_domain, runs(*PAIR, domain="own")),
        )
    ),
    *(
        _step(f"eq59@{reading}", "two gradients", _C % word + r"\le a_jL_i" + _D + r"+\delta",
              _eq59(sign), **_free())
        for reading, word, sign in (("minus", "-", -1), ("plus", "+", 1))
    ),
    _step("eq61", "two models, contracted",
          r"\Bigl(1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\Bigr)" + _D
          + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac\delta{(1+L_i)^2}", _eq61, deduction=deduced.EQ61),
    Statement(
        key="fedbc.C0", title="sign of C_0", latex=r"\lambda_{\max}<\frac{(1+L)^2}L\Rightarrow C_0>0",
        family=C0, sides=_c0, given=_c0_given, strict=frozenset({"lambda_max < (1 + L)^2/L"}),
        **_STEP,
    ),
    Statement(
        key="fedbc.C0.repaired", title="sign of C_0 = 1 - lambda_max L/(1 + L)^2", form="repaired",
        latex=r"\lambda_{\max}<\frac{(1+L)^2}L\Rightarrow1-\frac{\lambda_{\max}L}{(1+L)^2}\ge0",
        family=C0, sides=_c0_repaired, given=_c0_given,
        strict=frozenset({"lambda_max < (1 + L)^2/L"}), **_STEP,
    ),
    _step("eq62", "two models", _D + r"\le\frac{\sqrt\epsilon}{C_0(1+L_i)}+\frac\delta{C_0(1+L_i)^2}",
          _eq62, deduction=deduced.EQ62, **_CONTRACTING),
    _step("eq62.repaired", "two models", _D
          + r"\le\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}", _eq62_repaired,
          form="repaired", family=runs(*PAIR, domain="convex"), given=_half, strict=_HALF),
    _step("eq63/widest", "widest pair", r"\mathbb E_t" + _Z + r"\le\max_{i,j}" + _D + "^2",
          _eq63("widest"), **_free(family=runs(*_MEAN, domain="wide"))),
    *(
        _step(f"eq63/square@{reading}", "widest pair, bounded", r"\max_{i,j}" + _D
              + r"^2\le\sum_{j\ne i}\frac{2S(N-1)\epsilon}{C_0^2N(1+L_i)^2}+\frac{S(N-1)\delta^2}{C_0^2N(1+L_i)^4}",
              _eq63(reading), family=runs(*_MEAN[:2]), deduction=deduced.EQ63, **_CONTRACTING)
        for reading in ("first", "both")
    ),
    _step("eq63.repaired", "widest pair, bounded", _AVERAGE + r"\le" + _BOUND, _repaired,
          form="repaired", family=CONVEX, given=_half, strict=_HALF),
    *(
        _step(f"eq64-65@{reading}", "sum over rounds", r"\tfrac1N\sum_t\sum_i\mathbb E" + _Z
              + r"\le T\," + _SUMS, _sum, family=runs(*shapes), deduction=deduced.EQ65,
              **_CONTRACTING)
        for reading, shapes in READINGS.items()
    ),
    _step("eq64-65.repaired", "average over rounds", _AVERAGE + r"\le" + _BOUND, _repaired,
          form="repaired", family=CONVEX, given=_half, strict=_HALF),
)  # fmt: skip
