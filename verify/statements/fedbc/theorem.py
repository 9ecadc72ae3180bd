"""Theorem 4.5: stationarity of the server's models, as printed and with every constant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds import generic as xp
from bounds.fedbc import convergence as closed
from bounds.fedbc.constants import gradient_factor, moving_constant
from verify.claim import Array, Family, Real, Shape, Sides
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Theorem 4.5 (14) :: theorem
    theorem1 :: global performance :: \frac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2=\mathcal O(\tfrac{B_0}T)+\mathcal O(\epsilon)+\mathcal O(\delta^2)+\mathcal O(\alpha)+\mathcal O(\tfrac1{NT}\sum_i\gamma_i) <- explicit90
    theorem1.explicit :: global performance with every constant :: \frac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\frac{4M_1^2}T(B_0+\lambda_{\max}\bar\gamma)+4\epsilon+4M_1^2\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+(4L^2+16\lambda_{\max}^2+4M_1^2\lambda_{\max})\bigl(\sqrt\epsilon+\tfrac\delta2\bigr)^2 <- explicit90.repaired
    theorem1.explicit/order :: global performance, the order with its constants :: \frac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le4M_1^2\tfrac{B_0}T+\Bigl(4+\tfrac{2M_1^2}{L_{\min}}+2c\Bigr)\epsilon+\tfrac c2\delta^2+64M_1^2R^4\alpha+8M_1^2\lambda_{\max}\tfrac1{NT}\sum_i\gamma_i,\quad c=4L^2+16\lambda_{\max}^2+4M_1^2\lambda_{\max} <- explicit90.repaired
Theorem 4.5 (90) :: theorem
    explicit90@printed :: global performance, constants of the proof :: \frac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\frac{4M_1^2B_0}T+\frac{4M_1^2\lambda_{\max}}{T}\bar\gamma+(M+2\lambda_{\max})\epsilon\frac{S(N-1)}{C_0^2N^2}\sum_i\frac1{(1+L_i)^2}+\delta^2\frac{S(N-1)}{C_0^2N^2}\sum_i\frac1{(1+L_i)^4}+\frac{2M_1^2\epsilon}L+2\alpha M_1^2G^2 <- eq77 eq87-89
    explicit90@traced :: global performance, constants of the proof :: \frac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\frac{4M_1^2}T(B_0+\lambda_{\max}\bar\gamma)+(4L^2+16\lambda_{\max}^2+4M_1^2\lambda_{\max})\frac{2S(N-1)}{N^2}\sum_i\frac1{C_i^2}\Bigl(\frac\epsilon{(1+L_i)^2}+\frac{\delta^2}{(1+L_i)^4}\Bigr)+4\epsilon+4M_1^2\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr) <- eq69-70/70@traced lemmaB1i@V+traced lemmaB1ii@traced eq64-65@traced+V eq78.repaired eq80-83
    explicit90.repaired :: global performance, constants that the steps give, every device computing :: \frac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\frac{4M_1^2}{\kappa T}(B_0+\lambda_{\max}\bar\gamma)+4\epsilon+\frac{4M_1^2}\kappa\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+\Bigl(4L^2+16\lambda_{\max}^2+\tfrac{4M_1^2\lambda_{\max}}\kappa\Bigr)\Bigl(\tfrac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2,\quad\kappa=\lambda_{\min}-L <- lemmaB1i@V+traced lemmaB1ii@traced lemmaB2.refined eq66-68 eq78.repaired eq80-83
""")

_STILL = (q.still("hump"), q.still("well"))
SAMPLED = (*_STILL, *q.ALL_SAMPLED)
"""Every device is sampled, so that participation is no question."""
EVERY = (*_STILL, *q.TOGETHER, q.size(2, 2, rounds=5, together=True, **q.STEPPED))


def _fixed(*shapes: Shape) -> Family:
    """Along a ray the dual step alone leaves its range: the constants of an order may depend on
    smoothness, dual domain and wells."""
    family = q.horizons(*shapes, domain="proofs")
    box = {k: p if k == "dual_step" else replace(p, unit=(0, 0)) for k, p in family.box.items()}
    return replace(family, box={**box, "height": Real(1, 1, per=("N",)), "width": Real(1, 1)})


@claim(
    "theorem1",
    relation="<~",
    family=_fixed(*EVERY),
    given=[*q.PROOFS, q.common_start, q.positive_step],
)
def theorem(w: World) -> Sides:
    """The five terms, each with one unnamed constant, which may depend on smoothness, dual domain
    and the diameter of X. Both readings of participation: see the explicit form."""
    rounds = q.length(w)
    return {"average |grad f|^2": q.average_gradient(w)}, {
        "B_0/T": q.start_of(w, q.gradient_bound(w), q.best_loss(w)) / rounds,
        "epsilon": q.tolerance(w),
        "delta^2": q.dissimilarity(w) ** 2,
        "alpha": w.dual_step,
        "gamma/T": xp.mean(w.gamma) / rounds,
    }


@claim(
    "theorem1.explicit",
    like=theorem,
    relation="<=",
    family=q.horizons(*EVERY),
    given=[*q.OWN, q.common_start],
)
def explicit(w: World) -> Sides:
    """Constants for lambda_i^t >= 1 + L_i alone. X holds an exact local solution of every device in
    every round, as Assumption 4.1 asks; G of B_0 bounds the gradients on X.

    Proof. Let x_i^{t+1} be what device i computes, or its exact solution where it is not sampled;
    lambda_i stays there. (i) |grad f(z)|^2 <= (4 L^2 + 16 lambda_max^2) mean |x - z|^2 + 2 mean
    |grad L_i|^2 by (68) and (2a + 2b)^2 <= 8 a^2 + 8 b^2. (ii) mean |grad L_i|^2 <= 2 M_1^2 mean
    |move|^2 + 2 epsilon. (iii) As lambda_i - L_i >= 1, mean |move|^2 <= mean (L_i^t - L_i^{t+1}) +
    mean epsilon/(2 L_i) + alpha mean (16 R^4 + gamma_i^2) + lambda_max mean |x - z|^2. (iv) z is an
    average of local models, and a_j (2 a_i - L_i) |x_i - x_j| <= (a_i + a_j) sqrt(epsilon) + delta,
    so |x_i - z| <= sqrt(epsilon) + delta/2 as in (61). Sum over t, where x^0 = z^0; the total fall
    is at most B_0 + lambda_max mean gamma by (87) to (89), where the last round may keep its
    multipliers: that drops a term of (iii), and lambda_i^T >= L_i is known."""
    L, epsilon, rounds = q.stiffness(w), q.tolerance(w), q.length(w)
    delta, reach = q.solved_dissimilarity(w), q.solved_hull_of(w).diameter
    start = q.start_of(w, q.steepest(w), q.hull_best_loss(w))
    most = 4 * q.m1(w) ** 2
    consensus = (xp.sqrt(epsilon) + delta / 2) ** 2
    return {"average |grad f|^2": q.average_gradient(w)}, {
        "start": most * start / rounds,
        "gamma": most * w.lambda_max * xp.mean(w.gamma) / rounds,
        "epsilon": 4 * epsilon + most * epsilon * xp.mean(1 / (2 * L)),
        "dual step": most * w.dual_step * closed.dual_change_upper(reach, w.gamma),
        "heterogeneity": (gradient_factor(w.beta, w.lambda_max) + most * w.lambda_max) * consensus,
    }


def _room(w: World) -> Array:
    """R: length of the interval that holds the start and all wells, whatever the run."""
    problem: Any = w.problem
    centre, width = problem.data["centre"][..., 0], xp.trailing(problem.width)
    start = w.start[..., 0]
    low = xp.minimum(start, xp.smallest(centre))
    return xp.maximum(start, xp.largest(centre + 4 * width)) - low


def _constants(c: Any) -> dict[str, Any]:
    most = 4 * moving_constant(c.L, c.lambda_max) ** 2
    heterogeneity = gradient_factor(c.L, c.lambda_max) + most * c.lambda_max
    return {
        "B_0/T": most,
        "epsilon": 4 + most / (2 * c.least_L) + 2 * heterogeneity,
        "delta^2": heterogeneity / 2,
        "alpha": 16 * most * c.R**4,
        "gamma/T": 2 * most * c.lambda_max,
    }


bounded = claim.bounded(
    theorem,
    "theorem1.explicit/order",
    _constants,
    says="of M_1, the smallest L_i, L, lambda_max and R, one before each term",
    depends={
        "L": lambda w: w.beta,
        "least_L": lambda w: xp.smallest(q.stiffness(w)),
        "lambda_max": lambda w: w.lambda_max,
        "R": _room,
    },
    family=q.horizons(*EVERY[:-1]),
    given=[*q.OWN, q.common_start],
    note="""The constants do not depend on gamma: where gamma_i is at least R^2 the constraint never
    binds, so that the changes of the multiplier have one sign and add up to lambda_max - lambda_min
    over all rounds, which makes lambda_max gamma/T of them; else gamma_i^2 is below R^4.""",
)


follows, shown = q.deductions(
    claim,
    r"""
proof of Theorem 4.5
(77) :: \tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2\le\tfrac{4M_1^2}{NT}\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]+r
(89) :: \tfrac1N\sum_i\mathbb E[\mathcal L_i^0-\mathcal L_i^T]\le B_0+\tfrac{\lambda_{\max}}N\sum_i\gamma_i :: (89), in the mean
""",
)


@follows(
    "explicit90",
    "gradient factor+ fall~ start gamma rest",
    shown("(77)", lambda w: w.factor * w.fall + w.rest - w.gradient),
    shown("(89)", lambda w: w.start + w.gamma - w.fall),
    note="r, or rest: the other terms of (77), which (90) keeps.",
)
def fall_inserted(w: World) -> Sides:
    right = {"start": w.factor * w.start, "gamma": w.factor * w.gamma, "rest": w.rest}
    return {"|grad f|^2": w.gradient}, right


@claim(
    "explicit90@printed",
    family=q.horizons(*SAMPLED, domain="proofs"),
    given=[*q.PROOFS, q.common_start, q.flat, q.positive_step, q.dividing],
    deduction=fall_inserted,
)
def explicit90(w: World) -> Sides:
    """Right side of (90), with G of (37) everywhere. Two clients on opposite curvatures stand still
    at a point where f is not stationary; what remains for large T is the delta^2 term without M + 2
    lambda_max."""
    dual, epsilon, delta = q.dual_bound(w), q.tolerance(w), q.dissimilarity(w)
    start, steps = q.start_of(w, dual, q.best_loss(w)), (w.lambda_max, w.dual_step, dual)
    return {"average |grad f|^2": q.average_gradient(w)}, closed.stationarity_printed(
        q.length(w), start, epsilon, delta, q.stiffness(w), *steps, w.gamma, w.S
    )


@claim(
    "explicit90@traced",
    like=explicit90,
    family=q.horizons(*EVERY, domain="proofs"),
    given=[*q.PROOFS, q.common_start],
)
def explicit90_traced(w: World) -> Sides:
    """(90) where every display has the constants that those before it give: 2 epsilon of (27),
    1/(2 L_i) of (34), alpha G of (37), 2 lambda of (54), the coefficient of (61), 2 of (63), the
    square of (69), 2 M_1^2 of (72) and the factor of (76) before both terms of (65). G of B_0 bounds
    the gradients, as (81) asks.

    Proof. As for the explicit form of the theorem, with the consensus error of (65): z is an average
    of the models of the sampled set, and an exact solution stands for a device that waits, so that
    (53) and (62), with C_i, hold for every device."""
    start = q.start_of(w, q.steepest(w), q.hull_best_loss(w)) + w.lambda_max * xp.mean(w.gamma)
    bound = q.consensus_traced(w, q.solved_dissimilarity(w))
    fall = {"start and gamma": 4 * q.m1(w) ** 2 * start / q.length(w)}
    consensus, reach = xp.mean(sum(bound.values())), q.solved_hull_of(w).diameter
    return {"average |grad f|^2": q.average_gradient(w)}, q.summed_traced(w, fall, consensus, reach)


@claim(
    "explicit90.repaired",
    like=explicit90,
    family=q.horizons(*EVERY[:5], domain="above"),
    given=[*q.ABOVE, q.common_start],
)
def repaired(w: World) -> Sides:
    """For any lambda_min above L; in every system of units.

    Proof. As for the explicit form of the theorem, with lambda_i - L_i >= kappa in (iii) and the
    refined Lemma B.2 in (iv)."""
    start = q.start_of(w, q.gradient_bound(w), q.hull_best_loss(w))
    return {"average |grad f|^2": q.average_gradient(w)}, q.stationarity(
        w, q.length(w), start, q.hull_of(w).diameter
    )
