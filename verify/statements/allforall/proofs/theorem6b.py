"""Theorem 6.b refined for any losses of the class, and Theorems 2.2 and 7.2, which follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proved_by
from verify.statements.allforall.general import each_agent
from verify.statements.allforall.proofs.setting import AVERAGING

if TYPE_CHECKING:
    from verify.proof.outline import Outline


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


def to_any_precision() -> Outline:
    """Theorem 6.b where its three terms are at most eps/4, eps/4 and eps/2."""
    o = theorem6b_class()
    o.numbers("positive", "eps")
    noise, bias = "Sum(share[j]**2*sigma2[j], (j, 0, N - 1))", "Sum(share[j]*b[j], (j, 0, N - 1))"
    factor = "2*(relax + 1)*L/mu"
    begin = f"{factor}*(1 - eta*mu)**K*(H(x[0]) - low)"
    o.fact("biases", "relation", less=bias, more="eps/2")
    o.fact("short step", "relation", less=f"{factor}*eta*L*{noise}/(2*mu)", more="eps/4")
    o.fact("enough rounds", "relation", less=begin, more="eps/4")
    o.claim("G(x[K]) - lowest <= eps")
    o.step("precise", "G(x[K]) - lowest <= eps", "all; biases; short step; enough rounds")
    return o


proved_by(each_agent.theorem6b, AVERAGING, theorem6b_class)
proved_by(each_agent.theorem7_2, AVERAGING, to_any_precision)
proved_by(each_agent.theorem2_2, AVERAGING, to_any_precision)
