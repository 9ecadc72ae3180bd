"""Theorem 4.5: the whole fall of the Lagrangians by B_0, (78) to (89)."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Sides, Terms
from verify.statements.fedbc import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
proof of Theorem 4.5 :: proof step
    eq78/first :: Lagrangian at the start :: \mathcal L_i(x_i^0,z^0,\lambda_i^0)=f_i(z^0) <- def.lagrangian H3
    eq78/last :: Lagrangian at the end :: \mathcal L_i^T=f_i(x_i^T)+\lambda_i^T(\|x_i^T-z^T\|^2-\gamma_i) <- def.lagrangian
    eq78.repaired :: Lagrangian at the start :: \mathcal L_i(x_i^0,z^0,\lambda_i^0)=f_i(z^0)-\lambda_i^0\gamma_i
    eq80-83/80 :: smoothness :: f_i(z^T)\le f_i(x_i^T)+\langle\nabla f_i(x_i^T),z^T-x_i^T\rangle+\tfrac{L_i}2\|z^T-x_i^T\|^2 <- A2
    eq80-83/81 :: f at the server by the Lagrangian :: f_i(z^T)\le\mathcal L_i^T-(\lambda_i^T-L_i)\|x_i^T-z^T\|^2+\gamma_i\lambda_i^T+\tfrac{G^2}{2L_i} <- eq78/last H4
    eq80-83/83 :: f at the server by the Lagrangian :: \mathcal L_i^T\ge f_i(z^T)-\gamma_i\lambda_i^T-\tfrac{G^2}{2L_i} <- H1
    eq87-89/sum :: fall of the Lagrangian :: \tfrac1N\sum_i[\mathcal L_i^0-\mathcal L_i^T]\le B_0+\tfrac{\lambda_{\max}}N\sum_i\gamma_i <- eq78/first eq80-83
    eq87-89/optimum :: optimal global model :: f(z^\star)\le f(z^T)
""")

PLAIN, WIDE = q.horizons(*q.TOGETHER), q.horizons(*q.TOGETHER, domain="any")
follows, shown = q.deductions(
    claim,
    r"""
proof of Theorem 4.5
lambda >= L_i :: \lambda_i^T\ge L_i :: before (82)
(78) :: \tfrac1N\sum_i\mathcal L_i^0\le\tfrac1N\sum_if_i(z^0) :: before (78), printed as an equality, averaged
(83) :: \tfrac1N\sum_i\mathcal L_i^T\ge\tfrac1N\sum_i\bigl[f_i(z^T)-\gamma_i\lambda_i^T-\tfrac{G^2}{2L_i}\bigr] :: (83), averaged
minimum :: f(z^\star)\le f(z^T) :: before (87)
lambda <= lambda_max :: \tfrac1N\sum_i\gamma_i\lambda_i^T\le\tfrac{\lambda_{\max}}N\sum_i\gamma_i :: (11), averaged
(80) :: eq80-83/80
(81) :: eq80-83/81
""",
)


# -- the Lagrangian at both ends (78) --------------------------------------------------------------


@claim("eq78/first", relation="==", family=WIDE, given=[q.common_start])
def eq78_first(w: World) -> Sides:
    """x_i^0 = z^0 leaves f_i(z^0) - lambda_i^0 gamma_i."""
    run = q.rounds_of(w)[0]
    there = q.losses(w, q.everywhere(run[0].server, w.multipliers))
    return {"L_i^0": q.first_lagrangian(w, run)}, {"f_i(z^0)": there}


@claim("eq78/last", relation="==", family=WIDE)
def eq78_last(w: World) -> Sides:
    """Definition (8)."""
    run, last = q.rounds_of(w)[0], q.rounds_of(w)[0][-1]
    penalty = last.updated * (last.spread - w.gamma)
    right = {"f_i(x_i^T)": q.losses(w, last.new), "penalty": penalty}
    return {"L_i^T": q.last_lagrangian(w, run)}, right


@claim("eq78.repaired", like=eq78_first, uses=eq78_first.uses)
def eq78_repaired(w: World) -> Sides:
    """L_i^0 = f_i(z^0) - lambda_i^0 gamma_i, which is at most f_i(z^0), all that (87) needs.

    Proof. Definition (8) at x_i = z."""
    left, right = eq78_first(w)
    return left, {**right, "-lambda gamma": -w.multipliers * w.gamma}


# -- the Lagrangian at the end from below (80)-(83) ------------------------------------------------

LETTER = "Peter-Paul, for G of (37) as for any G that bounds the gradients: the least is taken."


def _there(w: World) -> Terms:
    return {"f_i(z)": q.losses(w, q.everywhere(q.rounds_of(w)[0][-1].after, w.multipliers))}


def _share(w: World) -> Array:
    """G^2/(2 L_i), (B, 1, N); G is the least that bounds the gradients, as (81) asks of it."""
    return q.gradient_bound(w)[..., None] ** 2 / (2 * q.stiffness(w))


@claim("eq80-83/80", family=WIDE)
def eq80(w: World) -> Sides:
    """Smoothness between x_i^T and z^T."""
    last = q.rounds_of(w)[0][-1]
    gap = last.after[..., None] - last.new
    return _there(w), {
        "f_i(x_i)": q.losses(w, last.new),
        "slope": q.slopes(w, last.new) * gap,
        "L_i/2 |.|^2": q.stiffness(w) * gap**2 / 2,
    }


@follows(
    "eq80-83",
    "there~ here~ slope~ gap~ stiff+ multiplier gamma bound",
    shown("(80)", lambda w: w.here + w.slope * w.gap + w.stiff * w.gap**2 / 2 - w.there),
    Hypothesis(
        "(81)", r"\|\nabla f_i(x_i^T)\|\le G", lambda w: w.bound**2 - w.slope**2, "after (81)"
    ),
)
def young(w: World) -> Sides:
    return {"f(z)": w.there}, {
        "Lagrangian": w.here + w.multiplier * (w.gap**2 - w.gamma),
        "move": (w.stiff - w.multiplier) * w.gap**2,
        "gamma": w.gamma * w.multiplier,
        "G^2/(2 L)": w.bound**2 / (2 * w.stiff),
    }


@claim("eq80-83/81", family=WIDE, deduction=young, note=LETTER)
def eq81(w: World) -> Sides:
    last = q.rounds_of(w)[0][-1]
    # lambda (gap - gamma) + gamma lambda leaves lambda gap, so that no digits cancel
    return _there(w), {
        "f_i(x_i)": q.losses(w, last.new),
        "L_i gap": q.stiffness(w) * last.spread,
        "G^2/(2 L_i)": _share(w),
    }


@follows(
    "eq83",
    "there~ last~ gamma multiplier share stiff+ gap",
    shown(
        "(81)",
        lambda w: (
            w.last + (w.stiff - w.multiplier) * w.gap + w.gamma * w.multiplier + w.share - w.there
        ),
    ),
    shown("lambda >= L_i", lambda w: w.multiplier - w.stiff),
)
def move_dropped(w: World) -> Sides:
    right = {"Lagrangian": w.last, "gamma": w.gamma * w.multiplier, "G^2/(2 L)": w.share}
    return {"f(z)": w.there}, right


@claim("eq80-83/83", family=PLAIN, given=[q.last_above], deduction=move_dropped, note=LETTER)
def eq83(w: World) -> Sides:
    run = q.rounds_of(w)[0]
    gamma = w.gamma * run[-1].updated
    right = {"L_i^T": q.last_lagrangian(w, run), "gamma": gamma, "G^2/(2 L_i)": _share(w)}
    return _there(w), right


# -- the fall (87)-(89) ----------------------------------------------------------------------------


@follows(
    "eq87-89",
    "first~ last~ start~ best~ there~ gamma product most share",
    shown("(78)", lambda w: w.start - w.first),
    shown("(83)", lambda w: w.last + w.product + w.share - w.there),
    shown("minimum", lambda w: w.there - w.best),
    shown("lambda <= lambda_max", lambda w: w.most * w.gamma - w.product),
    note="Means over the clients; product is that of gamma_i lambda_i^T.",
)
def fall_between(w: World) -> Sides:
    right = {"f": w.start - w.best, "gamma": w.most * w.gamma, "G^2/(2 L)": w.share}
    return {"fall": w.first - w.last}, right


@quantity
def _falls(w: World) -> Array:
    """Mean over the clients of L_i^0 - L_i^T in every run, (B, 1, runs)."""
    falls = [q.first_lagrangian(w, run) - q.last_lagrangian(w, run) for run in q.rounds_of(w)]
    return xp.stack([xp.mean(fall) for fall in falls], -1)


@claim(
    "eq87-89/sum",
    family=PLAIN,
    given=[q.in_domain, q.common_start, q.last_above],
    deduction=fall_between,
    note="(78) as an inequality, (83), and f(z^T) >= f(z^*). " + LETTER,
)
def eq87(w: World) -> Sides:
    """In every run, as it is printed without a mean."""
    start = q.start_of(w, q.gradient_bound(w), q.hull_best_loss(w))
    each = _falls(w)
    right = {"B_0": start, "gamma": w.lambda_max * xp.mean(w.gamma)}
    return {"L^0 - L^T": each}, {name: value[..., None] + 0 * each for name, value in right.items()}


@claim("eq87-89/optimum", family=WIDE)
def not_above(w: World) -> Sides:
    """f(z^T) >= f(z^*)."""
    return {"f(z^*)": q.hull_best_loss(w)}, {"f(z^T)": q.mean_loss(w, q.rounds_of(w)[0][-1].after)}
