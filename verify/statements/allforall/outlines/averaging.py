"""Weighted gradient averaging: what Theorem 6.b and the theorems on its number of samples share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

MEANS = {
    "G": "f_i, the loss of the agent that is followed",
    "lowest": "f_i(x_i^*)",
    "f": "f_j of each agent; the mean over agents is by the weights lambda_j",
    "H": "f^lambda = sum_j lambda_j f_j",
    "star": "x^lambda, its minimiser",
    "low": "sum_j lambda_j f_j(x_j^*)",
    "H(x[0]) - low": "F_lambda^0",
    "G(x[K]) - lowest": "E F_i^K",
    "x[t]": "x^t",
    "n[t]": "sum_j lambda_j times the noise of agent j",
    "share[j], sigma2[j], b[j]": "lambda_j, sigma_j^2, b_ij",
    "spread": "variance of n[t], at most sum_j lambda_j^2 sigma_j^2 as noises are independent",
    "kappa": "L/mu",
    "relax, mu, L, eta, K, N": "m, mu, L, eta, K, number of agents",
}
POWER, FACTOR = "(1 - eta*mu)**K", "2*(relax + 1)*L/mu"
START = f"{FACTOR}*{POWER}*(H(x[0]) - low)"
OWN_NOISE = "Sum(share[j]**2*sigma2[j], (j, 0, N - 1))"
NOISE = f"{FACTOR}*(eta*L/(2*mu))*{OWN_NOISE}"
BIAS = "Sum(share[j]*b[j], (j, 0, N - 1))"
LEFT = "G(x[K]) - lowest"


def averaging(
    title: str,
    noise: str = OWN_NOISE,
    step: str = "eta <= 1/L",
    rounds: str = "nonnegative integer",
) -> Outline:
    """Quantities and facts, with a bound of the variance, the step condition and the sign of K."""
    from verify.proof.outline import Outline

    o = Outline(title)
    o.indices("t", "j")
    o.numbers("positive", "L", "mu", "eta")
    o.numbers("nonnegative", "relax", "spread", "share[j]", "b[j]")
    o.numbers("nonnegative", "sigma2[j]" if noise == OWN_NOISE else "sigma2")
    o.numbers("real", "low", "lowest")
    o.numbers(rounds, "K")
    o.numbers("positive integer", "N")
    o.vectors("x[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.vectors("star", known="0")
    o.function("G")
    o.function("f", own=True)
    o.function("H", mean_of="f")
    o.fact("rule", "method", entry="x[t + 1]", is_="x[t] - eta*(grad(H, x[t]) + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="spread")
    o.fact("independent", "relation", less="spread", more=noise)
    o.fact("smooth", "smooth", f="H", L="L", at="x[t]", to="x[t + 1]")
    o.fact("steep", "smooth above its infimum", f="H", L="L", at="x[K]", low="H(star)")
    o.fact("PL", "PL", f="H", mu="mu", at="x[t]", low="H(star)")
    o.fact("below", "bounded below", f="f", low="low", at="star")
    o.fact("PL of i", "PL", f="G", mu="mu", at="x[K]", low="lowest")
    slope = "grad(H, x[K])**2"
    apart = "(grad(G, x[K]) - grad(H, x[K]))**2"
    o.fact("similar", "relation", less=apart, more=f"relax*{slope} + mu*{BIAS}")
    o.given(step, "mu <= L")
    return o


def descended(o: Outline, f: str = "H") -> None:
    """One round, and that it contracts."""
    after, excess = f"{f}(x[t + 1]) - {f}(star)", f"{f}(x[t]) - {f}(star)"
    o.step(
        "descent",
        f"{after} <= (1 - eta*mu)*({excess}) + eta**2*L/2*spread",
        "smooth; PL; variance; eta <= 1/L",
    )
    o.step("factor", "0 <= 1 - eta*mu", "eta <= 1/L; mu <= L")


def ended(o: Outline) -> None:
    """From f^lambda to f_i at the end."""
    slope = "grad(H, x[K])**2"
    apart = "(grad(G, x[K]) - grad(H, x[K]))**2"
    o.step(
        "two parts",
        f"grad(G, x[K])**2 <= 2*{apart} + 2*{slope}",
        roots="grad(G, x[K]) - 2*grad(H, x[K])",
    )
    o.step(
        "at the end",
        f"G(x[K]) <= lowest + {FACTOR}*(H(x[K]) - H(star)) + {BIAS}",
        "PL of i times 1/(2*mu); two parts times 1/(2*mu); similar times 1/mu;"
        "steep times (relax + 1)/mu",
    )


def averaged(o: Outline) -> None:
    """To the step called all, the bound of Theorem 6.b."""
    descended(o)
    series = {"step": "descent", "index": "t", "rounds": "K", "of": "H(x[t]) - H(star)"}
    series |= {"factor": "1 - eta*mu", "rest": "eta**2*L/2*spread"}
    o.close(
        "rounds",
        f"H(x[K]) - H(star) <= {POWER}*(H(x[0]) - H(star)) "
        f"+ eta**2*L/2*spread*(1 - {POWER})/(eta*mu)",
        "geometric",
        **series,
    )
    o.close("power", f"0 <= {POWER}", "geometric", **series)
    ended(o)
    o.step("start", f"{POWER}*low <= {POWER}*H(star)", "below; power")
    o.step(
        "all",
        f"G(x[K]) <= lowest + {START} + {NOISE} + {BIAS}",
        f"at the end; rounds times {FACTOR}; power times {FACTOR}*eta*L/(2*mu)*spread;"
        f"start times {FACTOR}; independent times {FACTOR}*eta*L/(2*mu)",
    )
