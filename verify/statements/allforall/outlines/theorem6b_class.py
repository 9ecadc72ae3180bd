"""allforall.theorem6b.refined/class: weighted gradient averaging with any step of at most 1/L."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "allforall.theorem6b.refined/class"
MEANS = {
    "G": "f_i, the loss of the agent that is followed",
    "lowest": "f_i(x_i^*)",
    "f": "f_j of each agent; the mean over agents is by the weights lambda_j",
    "H": "f^lambda = sum_j lambda_j f_j",
    "least": "least value of f^lambda",
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


def theorem6b_class() -> Outline:
    """Weighted gradient averaging: any losses of the class, any noise, any step of at most 1/L."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 6.b of allforall, any losses of the class")
    o.indices("t", "j")
    o.numbers("positive", "L", "mu", "eta")
    o.numbers("nonnegative", "relax", "spread", "share[j]", "sigma2[j]", "b[j]")
    o.numbers("real", "low", "lowest", "least")
    o.numbers("nonnegative integer", "K")
    o.numbers("positive integer", "N")
    o.vectors("x[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.function("G")
    o.function("f", own=True)
    o.function("H", mean_of="f")
    o.fact("rule", "method", entry="x[t + 1]", is_="x[t] - eta*(grad(H, x[t]) + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="spread")
    spread = "Sum(share[j]**2*sigma2[j], (j, 0, N - 1))"
    bias = "Sum(share[j]*b[j], (j, 0, N - 1))"
    o.fact("independent", "relation", less="spread", more=spread)
    o.fact("smooth", "smooth", f="H", L="L", at="x[t]", to="x[t + 1]")
    o.fact("steep", "smooth above its infimum", f="H", L="L", at="x[K]", low="least")
    o.fact("PL", "PL", f="H", mu="mu", at="x[t]", low="least")
    o.fact("PL of i", "PL", f="G", mu="mu", at="x[K]", low="lowest")
    slope = "grad(H, x[K])**2"
    apart = "(grad(G, x[K]) - grad(H, x[K]))**2"
    o.fact("similar", "relation", less=apart, more=f"relax*{slope} + mu*{bias}")
    o.given("eta <= 1/L", "mu <= L", "low <= least")
    power, excess = "(1 - eta*mu)**K", "H(x[t]) - least"
    factor = "2*(relax + 1)*L/mu"
    bound = (
        f"G(x[K]) - lowest <= {factor}*{power}*(H(x[0]) - low) "
        f"+ {factor}*(eta*L/(2*mu))*{spread} + {bias}"
    )
    o.claim(bound)

    o.step(
        "descent",
        f"H(x[t + 1]) - least <= (1 - eta*mu)*({excess}) + eta**2*L/2*spread",
        "smooth; PL; variance; eta <= 1/L",
    )
    o.step("factor", "0 <= 1 - eta*mu", "eta <= 1/L; mu <= L")
    series = {"step": "descent", "index": "t", "rounds": "K", "of": excess}
    series |= {"factor": "1 - eta*mu", "rest": "eta**2*L/2*spread"}
    o.close(
        "rounds",
        f"H(x[K]) - least <= {power}*(H(x[0]) - least) + eta**2*L/2*spread*(1 - {power})/(eta*mu)",
        "geometric",
        **series,
    )
    o.close("power", f"0 <= {power}", "geometric", **series)
    o.step(
        "two parts",
        f"grad(G, x[K])**2 <= 2*{apart} + 2*{slope}",
        roots="grad(G, x[K]) - 2*grad(H, x[K])",
    )
    o.step(
        "at the end",
        f"G(x[K]) <= lowest + {factor}*(H(x[K]) - least) + {bias}",
        "PL of i times 1/(2*mu); two parts times 1/(2*mu); similar times 1/mu;"
        "steep times (relax + 1)/mu",
    )
    o.step("start", f"{power}*low <= {power}*least", "low <= least; power")
    o.step(
        "all",
        bound,
        f"at the end; rounds times {factor}; power times {factor}*eta*L/(2*mu)*spread;"
        f"start times {factor}; independent times {factor}*eta*L/(2*mu)",
    )
    return o
