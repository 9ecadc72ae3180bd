"""What the rows of Theorem 2 share: Definitions 1 and 2, A3, and a run that is stopped.

Client i asks the others.  The run is stopped where its excess loss is below epsilon for the first
time: from there on its model is the minimiser, where nothing is told and nothing is lost.  So the
mean excess loss of the stopped run is that of the run itself on the event that epsilon was not
reached before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

OF_LEMMA = {
    "mu, eps": "mu, epsilon",
    "N, k": "number of clients but i, and these clients",
    "i2[k], s2": "1/sigma_k^2, sigma_i^2",
    "b2[k], c[k]": "b_ik^2, c_ik",
    "rs[k], phis[k]": "r_ik of Definition 2 (with b^2, at epsilon), and phi of it",
    "top": "phi(1), what i itself has in both definitions",
    "suf": "sigma_{i,suf}^2(epsilon), one over top/s2 + Sum(rs[k]*phis[k]*i2[k], (k, 0, N - 1))",
    "eff": "sigma_eff^2, one over top/s2 + Sum(r[k]*phi[k]*i2[k], (k, 0, N - 1))",
    "own, gap[k], r[k], phi[k]": "|grad R_i|^2, Delta_k^2, r_ik, phi(r_ik)",
    "q[k]": "slope of phi from r_ik of Definition 2 to r_ik, not negative",
}
MEANS = OF_LEMMA | {
    "F": "R_i, the risk of the client that asks",
    "star": "theta_i^*",
    "w[t]": "theta_i^t where X_i^s >= epsilon for all s < t, theta_i^* elsewhere",
    "v[t]": "theta_i^t where X_i^s >= epsilon for all s <= t, theta_i^* elsewhere",
    "F(w[T]) - F(star)": "E[X_i^T 1{X_i^s >= epsilon for all s < T}]",
    "told[t]": "sum_k alpha_ik^t grad R_k at v[t] with the weights of Definition 1, zero at the "
    "minimiser",
    "u[t]": "of client k its gradient there times the root of N alpha_ik^t",
    "n[t]": "sum_k alpha_ik^t times the noise of client k",
    "beta, T": "beta, T",
    "noise": "sum_k (alpha_ik sigma_k)^2 at the outcome and round at which it is largest, among "
    "those with excess at least epsilon; own, gap, r, phi and eff are meant there",
}
LIMIT = {
    "limit": "min_r (sigma_phi/sigma_psi)^2, one over the largest sum of weights, at most 1",
}
EXCESS = "F(w[t]) - F(star)"


def quantities(o: Outline, step: str, pl: bool = True) -> None:
    """Names and rounds, with the step sizes in letters; of a loss with the PL inequality, or any."""
    o.indices("t")
    o.numbers("positive", "beta")
    o.numbers("nonnegative", "noise")
    o.numbers("nonnegative integer" if pl else "positive integer", "T")
    o.vectors("w[t]", "v[t]", "told[t]", known="t")
    o.vectors("u[t]", known="t", shared=False)
    o.vectors("n[t]", known="t + 1")
    o.vectors("star", known="0")
    o.function("F")
    o.fact("rule", "method", entry="w[t + 1]", is_=f"v[t] - {step}*(told[t] + n[t])")
    o.fact("stopped", "stopped at a minimiser", f="F", kept="v[t]", before="w[t]", star="star")
    o.fact("smooth", "smooth", f="F", L="beta", at="v[t]", to="w[t + 1]")
    if pl:
        o.fact("PL", "PL", f="F", mu="mu", at="v[t]", low="F(star)")
    o.fact("gaps", "weighted gaps", own="grad(F, v[t])", sum="told[t]", roots="u[t]")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="noise")
    weights = "eff**2*top**2/s2 + eff**2*Sum(phi[k]**2*i2[k], (k, 0, N - 1))"
    o.fact("weights", "relation", less="noise", more=weights)
    o.given("top <= 1", "phi[k] <= r[k]")


def short(o: Outline, at_most: str) -> None:
    """The step condition: the sum of the weights is at most that, in every round."""
    o.fact("short steps", "weighted sum", sum="told[t]", roots="u[t]", at_most=at_most)


def short_sums(o: Outline, step: str, by: str) -> None:
    """From a step that says that step times beta is at most limit."""
    o.step("limited", f"{step}*beta*told[t]**2 <= limit*told[t]**2", by, roots="told[t]")
    o.step("short sums", f"{step}*beta*told[t]**2 <= u[t]**2", "limited; short steps times limit")


def lemma_quantities(o: Outline) -> None:
    """Definitions 1 and 2 at one point with excess at least epsilon, and A3 and A5 there."""
    o.indices("k")
    o.numbers("positive", "mu", "eps", "s2", "top", "i2[k]", "own", "eff", "suf")
    o.numbers("nonnegative", "b2[k]", "c[k]", "gap[k]", "r[k]", "rs[k]", "q[k]")
    o.numbers("nonnegative", "phi[k]", "phis[k]")
    o.numbers("nonnegative integer", "N")
    both = "top/s2 + Sum(r[k]*phi[k]*i2[k], (k, 0, N - 1))"
    o.fact("effective", "relation", less=f"eff*({both})", more="1")
    o.fact("sufficient", "relation", less="1", more=f"suf*{SUFFICIENT}")
    o.given("2*mu*eps <= own", "gap[k] <= b2[k] + c[k]*own", "1 - gap[k]/own <= r[k]")
    o.given(f"rs[k]**2 <= rs[k]*{LEAST}", f"rs[k]*phis[k] <= phis[k]*{LEAST}")
    o.given("phis[k] + q[k]*(r[k] - rs[k]) <= phi[k]")


SUFFICIENT = "(top/s2 + Sum(rs[k]*phis[k]*i2[k], (k, 0, N - 1)))"
LEAST = "(1 - b2[k]/(2*mu*eps) - c[k])"
"""What r_ik of Definition 2 is, unless that is zero, and phi of it."""
_SEVERAL = {"index": "k", "rounds": "N", "of": "0"}


def _each(body: str) -> str:
    return f"Sum({body}, (k, 0, N - 1))"


def lemma(o: Outline) -> None:
    """Lemma 2, repaired: the step smaller noise says that eff is at most suf."""
    o.step("share", "b2[k]/own <= b2[k]/(2*mu*eps)", "2*mu*eps <= own")
    o.step(
        "near",
        "1 - b2[k]/(2*mu*eps) - c[k] <= r[k]",
        "share; gap[k] <= b2[k] + c[k]*own; 1 - gap[k]/own <= r[k]",
    )
    o.step(
        "nearer",
        "rs[k]**2 <= r[k]*rs[k]",
        f"near times rs[k]; rs[k]**2 <= rs[k]*{LEAST}",
    )
    o.step(
        "nearer by phi",
        "rs[k]*phis[k] <= r[k]*phis[k]",
        f"near times phis[k]; rs[k]*phis[k] <= phis[k]*{LEAST}",
    )
    o.step(
        "larger",
        "rs[k]*phis[k]*i2[k] <= r[k]*phi[k]*i2[k]",
        "nearer; nearer by phi; phis[k] + q[k]*(r[k] - rs[k]) <= phi[k]",
        roots="r[k] - rs[k]",
    )
    o.close(
        "sums",
        f"{_each('rs[k]*phis[k]*i2[k]')} <= {_each('r[k]*phi[k]*i2[k]')}",
        "telescoped",
        step="larger",
        **_SEVERAL,
    )
    o.step("no more", f"eff*{SUFFICIENT} <= 1", "effective; sums times eff")
    o.step("smaller noise", "eff <= suf", "no more times suf; sufficient times eff")


def effective_noise(o: Outline) -> None:
    """The variance of the direction is at most sigma_eff^2, as phi(r) is at most r."""
    o.step("smaller", "phi[k]**2*i2[k] <= r[k]*phi[k]*i2[k]", "phi[k] <= r[k]")
    o.close(
        "squares",
        f"{_each('phi[k]**2*i2[k]')} <= {_each('r[k]*phi[k]*i2[k]')}",
        "telescoped",
        step="smaller",
        **_SEVERAL,
    )
    o.step(
        "effective noise",
        "noise <= eff",
        "weights; squares times eff**2; top <= 1 times eff**2*top/s2; effective times eff",
    )


def one_round(o: Outline, step: str) -> None:
    """The recursion, from steps called short sums and factor (1 - eta mu is not negative)."""
    o.step(
        "descent",
        f"F(w[t + 1]) - F(star) <= (1 - {step}*mu)*(F(v[t]) - F(star)) + {step}**2*beta/2*noise",
        f"smooth; gaps times {step}/2; short sums times {step}/2;"
        f"variance times {step}**2*beta/2; PL times {step}/2",
    )
    o.step(
        "one round",
        f"F(w[t + 1]) - F(star) <= (1 - {step}*mu)*({EXCESS}) + {step}**2*beta/2*noise",
        f"descent; stopped times 1 - {step}*mu",
    )
