"""The stopped run of All-for-one: what the rows of Theorem 2 share.

Client i asks the others.  The run is stopped where its excess loss is below epsilon for the first
time: from there on its model is the minimiser, where nothing is told and nothing is lost.  So the
mean excess loss of the stopped run is that of the run itself on the event that epsilon was not
reached before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

EXCESS = "F(w[t]) - F(star)"


def stopped_run(title: str, eta: str) -> Outline:
    """Notation and facts of a run with a step size, ``eta`` or ``eta[t]``."""
    from verify.proof.outline import Outline

    o = Outline(title)
    o.indices("t", "k")
    o.numbers("positive", "beta", "mu", eta, "eps", "s2", "top", "i2[k]", "own", "eff", "suf")
    o.numbers("nonnegative", "b2[k]", "c[k]", "gap[k]", "r[k]", "rs[k]", "q[k]")
    o.numbers("nonnegative", "phi[k]", "phis[k]", "noise", "u[t]")
    o.numbers("nonnegative integer", "T", "N")
    o.vectors("w[t]", "v[t]", "told[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.vectors("star", known="0")
    o.function("F")
    o.fact("rule", "method", entry="w[t + 1]", is_=f"v[t] - {eta}*(told[t] + n[t])")
    o.fact("stopped", "stopped at a minimiser", f="F", kept="v[t]", before="w[t]", star="star")
    o.fact("smooth", "smooth", f="F", L="beta", at="v[t]", to="w[t + 1]")
    o.fact("PL", "PL", f="F", mu="mu", at="v[t]", low="F(star)")
    o.fact("gaps", "weighted gaps in the mean", own="grad(F, v[t])", sum="told[t]", squares="u[t]")
    o.fact(
        "short steps",
        "weighted sum in the mean",
        sum="told[t]",
        squares="u[t]",
        at_most=f"1/({eta}*beta)",
    )
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="noise")
    weights = "eff**2*top**2/s2 + eff**2*Sum(phi[k]**2*i2[k], (k, 0, N - 1))"
    o.fact("weights", "relation", less="noise", more=weights)
    both = "top/s2 + Sum(r[k]*phi[k]*i2[k], (k, 0, N - 1))"
    o.fact("effective", "relation", less=f"eff*({both})", more="1")
    sufficient = "(top/s2 + Sum(rs[k]*phis[k]*i2[k], (k, 0, N - 1)))"
    o.fact("sufficient", "relation", less="1", more=f"suf*{sufficient}")
    o.given(f"{eta} <= 1/mu", "top <= 1", "phi[k] <= r[k]", "2*mu*eps <= own")
    o.given("gap[k] <= b2[k] + c[k]*own", "1 - gap[k]/own <= r[k]")
    least = "(1 - b2[k]/(2*mu*eps) - c[k])"  # or r_ik of Definition 2 is zero, and phi of it
    o.given(f"rs[k]**2 <= rs[k]*{least}", f"rs[k]*phis[k] <= phis[k]*{least}")
    o.given("phis[k] + q[k]*(r[k] - rs[k]) <= phi[k]")
    return o


def smaller_noise(o: Outline) -> None:
    """The noise of the sum is at most the sufficient variance, before epsilon is reached."""
    sufficient = "(top/s2 + Sum(rs[k]*phis[k]*i2[k], (k, 0, N - 1)))"
    least = "(1 - b2[k]/(2*mu*eps) - c[k])"
    o.step("share", "b2[k]/own <= b2[k]/(2*mu*eps)", "2*mu*eps <= own")
    o.step(
        "near",
        "1 - b2[k]/(2*mu*eps) - c[k] <= r[k]",
        "share; gap[k] <= b2[k] + c[k]*own; 1 - gap[k]/own <= r[k]",
    )
    o.step(
        "nearer",
        "rs[k]**2 <= r[k]*rs[k]",
        f"near times rs[k]; rs[k]**2 <= rs[k]*{least}",
    )
    o.step(
        "nearer by phi",
        "rs[k]*phis[k] <= r[k]*phis[k]",
        f"near times phis[k]; rs[k]*phis[k] <= phis[k]*{least}",
    )
    o.step(
        "larger",
        "rs[k]*phis[k]*i2[k] <= r[k]*phi[k]*i2[k]",
        "nearer; nearer by phi; phis[k] + q[k]*(r[k] - rs[k]) <= phi[k]",
        roots="r[k] - rs[k]",
    )
    several = {"index": "k", "rounds": "N", "of": "0"}
    each = "Sum({}, (k, 0, N - 1))".format
    o.close(
        "sums",
        f"{each('rs[k]*phis[k]*i2[k]')} <= {each('r[k]*phi[k]*i2[k]')}",
        "telescoped",
        step="larger",
        **several,
    )
    o.step(
        "smaller",
        "phi[k]**2*i2[k] <= r[k]*phi[k]*i2[k]",
        "phi[k] <= r[k]",
    )
    o.close(
        "squares",
        f"{each('phi[k]**2*i2[k]')} <= {each('r[k]*phi[k]*i2[k]')}",
        "telescoped",
        step="smaller",
        **several,
    )
    o.step(
        "effective noise",
        "noise <= eff",
        "weights; squares times eff**2; top <= 1 times eff**2*top/s2; effective times eff",
    )
    o.step("no more", f"eff*{sufficient} <= 1", "effective; sums times eff")
    o.step("smaller noise", "eff <= suf", "no more times suf; sufficient times eff")


def one_round(o: Outline, eta: str) -> None:
    """The excess loss after a round, from the excess loss before it."""
    o.step("short", f"{eta}*beta*told[t]**2 <= u[t]", "short steps")
    o.step(
        "descent",
        f"F(w[t + 1]) - F(star) <= (1 - {eta}*mu)*(F(v[t]) - F(star)) + {eta}**2*beta/2*noise",
        f"smooth; gaps times {eta}/2; short times {eta}/2; variance times {eta}**2*beta/2;"
        f"PL times {eta}/2",
    )
    o.step("factor", f"0 <= 1 - {eta}*mu", f"{eta} <= 1/mu")
    o.step(
        "one round",
        f"F(w[t + 1]) - F(star) <= (1 - {eta}*mu)*({EXCESS}) + {eta}**2*beta/2*noise",
        f"descent; stopped times 1 - {eta}*mu",
    )
