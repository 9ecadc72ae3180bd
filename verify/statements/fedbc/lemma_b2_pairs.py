"""Lemma B.2: the distance of two local models, (54) to (62), and the sign of C_0; a = lambda."""

from __future__ import annotations

from itertools import permutations

from bounds import generic as xp
from bounds.fedbc.constants import contraction_printed
from verify.claim import Array, Hypothesis, Real, Sides, numbers
from verify.statements.fedbc import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
proof of Lemma B.2 :: proof step
    eq54-55@printed :: local solution :: x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{\lambda_i^t} <- def.oracle
    eq54-55@traced :: local solution :: x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{2\lambda_i^t} <- def.oracle
    eq57 :: two models :: \|x_i^{t+1}-x_j^{t+1}\|\le\frac{\|e_i\|}{a_i}+\frac{\|e_j\|}{a_j}+\frac1{a_ia_j}\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\| <- eq54-55
    eq58@printed :: two models :: \|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{1+L_i}+\frac1{(1+L_i)^2}\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\| <- eq57 H1
    eq58@traced :: two models :: \|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{1+L_i}+\frac{\sqrt\epsilon}{1+L_j}+\frac1{(1+L_i)(1+L_j)}\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\| <- eq54-55@traced
    eq59@as-set :: two gradients :: \|a_j\nabla f_i(x_i^{t+1})+a_i\nabla f_j(x_j^{t+1})\|\le a_jL_i\|x_i^{t+1}-x_j^{t+1}\|+\delta <- A2 A3
    eq59@as-used :: two gradients :: \|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|\le a_jL_i\|x_i^{t+1}-x_j^{t+1}\|+\delta <- A2 A3
    eq61 :: two models, contracted :: \Bigl(1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\Bigr)\|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{1+L_i}+\frac\delta{(1+L_i)^2} <- eq58 eq59
    C0 :: sign of C_0 :: \lambda_{\max}<\frac{(1+L_i)^2}{L_i}\ \forall i\Rightarrow C_0>0 <- H2
    C0.repaired :: sign of C_i = 1 - lambda_max L_i/(1 + L_i)^2 :: \lambda_{\max}<\frac{(1+L_i)^2}{L_i}\ \forall i\Rightarrow1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\ge0 <- H2
    eq62@printed :: two models :: \|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{C_0(1+L_i)}+\frac\delta{C_0(1+L_i)^2} <- eq61 C0
    eq62@traced :: two models :: \|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{C_i(1+L_i)}+\frac\delta{C_i(1+L_i)^2},\quad C_i=1-\frac{\lambda_{\max}L_i}{(1+L_i)^2} <- eq54-55@traced eq59@as-used C0.repaired
""")

PAIR = q.size(2, 2, **q.STEPPED)
follows, shown = q.deductions(
    claim,
    r"""
proof of Lemma B.2
(54) :: \nabla f_i(x_i^{t+1})+2\lambda_i^t(x_i^{t+1}-z^t)\le e_i^{t+1} :: (54), printed as an equality
(54) from above :: \nabla f_i(x_i^{t+1})+2\lambda_i^t(x_i^{t+1}-z^t)\ge e_i^{t+1} :: (54), printed as an equality
(55) of i :: a_ix_i^{t+1}\le a_iz^t+e_i^{t+1}-\nabla f_i(x_i^{t+1}) :: (55), printed as an equality
(55) of j :: a_jx_j^{t+1}\ge a_jz^t+e_j^{t+1}-\nabla f_j(x_j^{t+1}) :: (55), printed as an equality
|e_i| :: e_i^{t+1}\le\|e_i^{t+1}\| :: definition of the norm
|e_j| :: -e_j^{t+1}\le\|e_j^{t+1}\| :: definition of the norm
|gradients| :: a_i\nabla f_j(x_j^{t+1})-a_j\nabla f_i(x_i^{t+1})\le\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\| :: definition of the norm
(57) :: \|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{a_i}+\frac{\sqrt\epsilon}{a_j}+\frac1{a_ia_j}\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\| :: (57) with the bound after (25)
a_i >= 1 + L_i :: a_i\ge1+L_i :: before (58)
a_j >= 1 + L_j :: a_j\ge1+L_j :: before (58)
a_j <= lambda_max :: a_j\le\lambda_{\max} :: before (60)
C_0 > 0 :: C_0=1-\lambda_{\max}/(4L)>0 :: after (61)
(58) :: eq58@printed
(59) :: eq59@as-used
(61) :: eq61
""",
)


# -- one model (54), (55) --------------------------------------------------------------------------


@follows(
    "eq54-55",
    "model~ server~ residual~ slope~ multiplier+",
    shown("(54)", lambda w: w.residual - w.slope - 2 * w.multiplier * (w.model - w.server)),
    shown(
        "(54) from above", lambda w: w.slope + 2 * w.multiplier * (w.model - w.server) - w.residual
    ),
    relation="==",
)
def solved_for_the_model(w: World) -> Sides:
    return {"x": w.model}, {"z": w.server, "step": (w.residual - w.slope) / w.multiplier}


def _solution(w: World, factor: int) -> Sides:
    r = q.first_round(w)
    move = (q.residuals(w, r) - q.slopes(w, r.new)) / (factor * r.multipliers)
    return {"x_i": r.new}, {"z": r.server[..., None] + 0 * r.new, "step": move}


@claim("eq54-55@printed", relation="==", family=q.WIDE, deduction=solved_for_the_model)
def eq55(w: World) -> Sides:
    """(54) divided by lambda, where the factor of x - z is 2 lambda."""
    return _solution(w, 1)


@claim("eq54-55@traced", like=eq55)
def eq55_repaired(w: World) -> Sides:
    """(54) divided by 2 lambda.

    Proof. Solve 2 lambda (x - z) = e - grad f_i(x) for x."""
    return _solution(w, 2)


# -- two models (57)-(61) --------------------------------------------------------------------------


@quantity
def _off_diagonal(w: World, matrix: Array) -> Array:
    """Entries of every ordered pair of clients, (B, 1, N, N) to (B, 1, pairs)."""
    pairs = permutations(range(w.multipliers.shape[-1]), 2)
    return xp.stack([matrix[..., i, j] for i, j in pairs], -1)


def _of_first(w: World, value: Array) -> Array:
    """A per-client quantity of the first client of every pair."""
    return _off_diagonal(w, value[..., :, None] + 0 * value[..., None, :])


def _of_second(w: World, value: Array) -> Array:
    """The same of the second one."""
    return _off_diagonal(w, value[..., None, :] + 0 * value[..., :, None])


def _distance(w: World) -> Array:
    """|x_i - x_j| of every pair."""
    new = q.first_round(w).new
    return _off_diagonal(w, xp.absolute(new[..., :, None] - new[..., None, :]))


def _cross(w: World, sign: int = -1) -> Array:
    """|a_j grad f_i(x_i) -+ a_i grad f_j(x_j)| of every pair, with a = lambda."""
    slope, a = q.slopes(w, q.first_round(w).new), q.first_round(w).multipliers
    first, second = (a[..., None, :] * slope[..., :, None]), (a[..., :, None] * slope[..., None, :])
    return _off_diagonal(w, xp.absolute(first + sign * second))


def _product(w: World, a: Array) -> Array:
    """a_i a_j of every pair."""
    return _off_diagonal(w, a[..., :, None] * a[..., None, :])


@follows(
    "eq57",
    "one~ other~ server~ residual~ rest~ slope~ climb~ a+ b+ error fault gradients",
    shown("(55) of i", lambda w: w.server * w.a + w.residual - w.slope - w.a * w.one),
    shown("(55) of j", lambda w: w.b * w.other - w.server * w.b - w.rest + w.climb),
    shown("|e_i|", lambda w: w.error - w.residual),
    shown("|e_j|", lambda w: w.fault + w.rest),
    shown("|gradients|", lambda w: w.gradients + w.b * w.slope - w.a * w.climb),
)
def norms_of_55(w: World) -> Sides:
    right = {"e_i": w.error / w.a, "e_j": w.fault / w.b, "gradients": w.gradients / (w.a * w.b)}
    return {"x_i - x_j": w.one - w.other}, right


@claim("eq57", family=q.WIDE, deduction=norms_of_55)
def eq57(w: World) -> Sides:
    """With a = lambda. With the factor 2 of (54) kept, half of the right side would do."""
    error, a = xp.absolute(q.residuals(w, q.first_round(w))), q.first_round(w).multipliers
    share = error / a
    return {"|x_i - x_j|": _distance(w)}, {
        "residuals": _of_first(w, share) + _of_second(w, share),
        "gradients": _cross(w) / _product(w, a),
    }


@follows(
    "eq58",
    "distance root gradients stiff+ other+ a+ b+",
    shown("(57)", lambda w: w.root / w.a + w.root / w.b + w.gradients / (w.a * w.b) - w.distance),
    shown("a_i >= 1 + L_i", lambda w: w.a - 1 - w.stiff),
    shown("a_j >= 1 + L_j", lambda w: w.b - 1 - w.other),
)
def multipliers_from_below(w: World) -> Sides:
    right = {"eps": w.root / (1 + w.stiff), "gradients": w.gradients / (1 + w.stiff) ** 2}
    return {"distance": w.distance}, right


@claim(
    "eq58@printed", family=q.runs(PAIR, domain="own"), given=q.OWN, deduction=multipliers_from_below
)
def eq58(w: World) -> Sides:
    """One residual of the two, and 1 + L_i where a_j is at least 1 + L_j: a soft device with a
    residual is farther from a stiff one than the stiff one's constant allows."""
    L, root = q.stiffness(w), xp.sqrt(q.tolerance(w))
    return {"|x_i - x_j|": _distance(w)}, {
        "sqrt epsilon": _of_first(w, root[..., None] / (1 + L)),
        "gradients": _cross(w) / _of_first(w, (1 + L) ** 2),
    }


@claim("eq58@traced", like=eq58)
def eq58_repaired(w: World) -> Sides:
    """Both residuals, and 1 + L_j where a_j stands.

    Proof. From (54), 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) - a_i grad
    f_j(x_j)), which gives half of the right side of (57); residuals are at most sqrt(epsilon), a_i
    >= 1 + L_i and a_j >= 1 + L_j."""
    a, root = 1 + q.stiffness(w), xp.sqrt(q.tolerance(w))
    return {"|x_i - x_j|": _distance(w)}, {
        "sqrt epsilon of i": _of_first(w, root[..., None] / a),
        "sqrt epsilon of j": _of_second(w, root[..., None] / a),
        "gradients": _cross(w) / _product(w, a),
    }


def _dissimilar(w: World, sign: int) -> Sides:
    L = q.stiffness(w)
    moved = _of_second(w, q.first_round(w).multipliers) * _of_first(w, L) * _distance(w)
    right = {"a_j L_i |x_i - x_j|": moved, "delta": q.hull_dissimilarity(w)[..., None]}
    return {"gradients": _cross(w, sign)}, right


@claim("eq59@as-set", like=eq57, given=[q.in_domain])
def eq59(w: World) -> Sides:
    """The sign at the head of (59); its next line goes on with a minus, as (58) has it."""
    return _dissimilar(w, 1)


@claim("eq59@as-used", like=eq59)
def eq59_repaired(w: World) -> Sides:
    """With a minus.

    Proof. Add and subtract a_j grad f_i(x_j)."""
    return _dissimilar(w, -1)


def _bound(w: World, delta: Array) -> dict[str, Array]:
    """sqrt(epsilon)/(1 + L_i) and delta/(1 + L_i)^2 over the pairs."""
    L, root = q.stiffness(w), xp.sqrt(q.tolerance(w))
    return {
        "sqrt epsilon": _of_first(w, root[..., None] / (1 + L)),
        "delta": _of_first(w, delta[..., None] / (1 + L) ** 2),
    }


@follows(
    "eq61",
    "distance root gradients stiff+ a+ most+ delta",
    shown("(58)", lambda w: w.root / (1 + w.stiff) + w.gradients / (1 + w.stiff) ** 2 - w.distance),
    shown("(59)", lambda w: w.a * w.stiff * w.distance + w.delta - w.gradients),
    shown("a_j <= lambda_max", lambda w: w.most - w.a),
)
def distance_contracted(w: World) -> Sides:
    left = {"distance": (1 - w.most * w.stiff / (1 + w.stiff) ** 2) * w.distance}
    return left, {"eps": w.root / (1 + w.stiff), "delta": w.delta / (1 + w.stiff) ** 2}


@claim("eq61", like=eq58, deduction=distance_contracted)
def eq61(w: World) -> Sides:
    """True although (58) is not. With the factor 2 of (54) kept, a_j (2 a_i - L_i) |x_i - x_j| is
    at most (a_i + a_j) sqrt(epsilon) + delta. As 2 a_i - L_i >= a_i + 1 and a_j >= 1, |x_i - x_j|
    <= sqrt(epsilon) + delta/(2 + L_i), and the coefficient is at most 1/(1 + L_i)."""
    share = q.own_contraction(w)
    left = {"|x_i - x_j|": _of_first(w, share) * _distance(w)}
    return left, _bound(w, q.hull_dissimilarity(w))


# -- C_0, and the division by it (62) --------------------------------------------------------------


@claim(
    "C0",
    family=numbers(
        {"L": Real(1 / 16, 16, log=True, per=("N",)), "lambda_max": Real(1 / 16, 64, log=True)},
        *({"N": 1}, {"N": 2}),
        about="any smoothness constants and any lambda_max",
    ),
    given=[
        Hypothesis(
            q.below_square.name,
            q.below_square.latex,
            lambda w: xp.smallest((1 + w.L) ** 2 / w.L) - w.lambda_max,
            "after (61)",
            strict=True,
        )
    ],
)
def c0(w: World) -> Sides:
    """L_i = L = 1/4 and lambda_max = 2, above 1 + L: the condition asks for less than 6.25, and C_0
    = -1."""
    return {"0": 0}, {"C_0": contraction_printed(xp.largest(w.L), w.lambda_max)}


@claim("C0.repaired", like=c0)
def c0_repaired(w: World) -> Sides:
    """C_i = 1 - lambda_max L_i/(1 + L_i)^2, the coefficient of (61).

    Proof. The condition times L_i/(1 + L_i)^2."""
    return {"lambda_max L_i/(1 + L_i)^2": w.lambda_max[..., None] * w.L / (1 + w.L) ** 2}, {"1": 1}


@follows(
    "eq62",
    "distance root stiff+ top+ most+ delta",
    shown(
        "(61)",
        lambda w: (
            w.root / (1 + w.stiff)
            + w.delta / (1 + w.stiff) ** 2
            - (1 - w.most * w.stiff / (1 + w.stiff) ** 2) * w.distance
        ),
    ),
    q.largest_stiffness,
    shown("C_0 > 0", lambda w: 1 - w.most / (4 * w.top), strict=True),
)
def divided_by_c0(w: World) -> Sides:
    left = {"distance": (1 - w.most / (4 * w.top)) * w.distance}
    return left, {"eps": w.root / (1 + w.stiff), "delta": w.delta / (1 + w.stiff) ** 2}


@claim(
    "eq62@printed",
    like=eq58,
    family=q.runs(PAIR, domain="proofs"),
    given=[*q.PROOFS, q.dividing],
    deduction=divided_by_c0,
)
def eq62(w: World) -> Sides:
    """C_0 = 1 - lambda_max/(4 L) is larger than the coefficient of (61) where L_i > 1. The s of
    (62) is left out, as in (63)."""
    share = q.c0(w)[..., None]
    return {"|x_i - x_j|": _distance(w)}, {
        k: v / share for k, v in _bound(w, q.dissimilarity(w)).items()
    }


@claim("eq62@traced", like=eq62, given=q.PROOFS)
def eq62_repaired(w: World) -> Sides:
    """C_i, the coefficient of (61), for C_0.

    Proof. (61), as its note proves it from (54) and (59) with a minus, divided by C_i, which is
    positive by the condition after (61)."""
    share = q.own_contraction(w)
    near = _of_first(w, share)
    return {"|x_i - x_j|": _distance(w)}, {
        k: v / near for k, v in _bound(w, q.hull_dissimilarity(w)).items()
    }
