"""allforall.lemma4a.refined/convex: stochastic gradient descent with any step of at most 1/L."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "allforall.lemma4a.refined/convex"
MEANS = {
    "f": "f",
    "star": "x^*, a minimiser",
    "x[t]": "x^t",
    "n[t]": "the noise of the gradient at x^t",
    "L, mu, eta, sigma, T": "L, mu, eta, sigma, T",
}


def lemma4a_convex() -> Outline:
    """The last value of a smooth function that is strongly convex."""
    from verify.proof.outline import Outline

    o = Outline("Lemma 4.a of allforall, strongly convex")
    o.indices("t")
    o.numbers("positive", "L", "mu", "eta")
    o.numbers("nonnegative", "sigma")
    o.numbers("nonnegative integer", "T")
    o.vectors("x[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.vectors("star", known="0")
    o.function("f")
    o.fact("rule", "method", entry="x[t + 1]", is_="x[t] - eta*(grad(f, x[t]) + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("smooth", "smooth", f="f", L="L", at="x[t]", to="x[t + 1]")
    o.fact("convex", "strongly convex", f="f", mu="mu", at="x[t]", to="star")
    o.given("eta <= 1/L", "mu <= L")
    power, excess = "(1 - eta*mu)**T", "f(x[t]) - f(star)"
    bound = f"f(x[T]) - f(star) <= {power}*(f(x[0]) - f(star)) + eta*L*sigma**2/(2*mu)"
    o.claim(bound)

    o.step(
        "PL",
        f"2*mu*({excess}) <= grad(f, x[t])**2",
        "convex times 2*mu",
        roots="grad(f, x[t]) + mu*(star - x[t])",
    )
    o.step(
        "descent",
        f"f(x[t + 1]) - f(star) <= (1 - eta*mu)*({excess}) + eta**2*L/2*sigma**2",
        "smooth; PL; variance; eta <= 1/L",
    )
    o.step("factor", "0 <= 1 - eta*mu", "eta <= 1/L; mu <= L")
    series = {"step": "descent", "index": "t", "rounds": "T", "of": excess}
    series |= {"factor": "1 - eta*mu", "rest": "eta**2*L/2*sigma**2"}
    o.close(
        "rounds",
        f"f(x[T]) <= f(star) + {power}*(f(x[0]) - f(star)) "
        f"+ eta**2*L/2*sigma**2*(1 - {power})/(eta*mu)",
        "geometric",
        **series,
    )
    o.close("power", f"0 <= {power}", "geometric", **series)
    o.step("bound", bound, "rounds; power times eta*L*sigma**2/(2*mu)")
    return o
