"""allforall.lemma5a/class: the mean of the iterates for a smooth convex function."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "allforall.lemma5a/class"
MEANS = {
    "f": "f",
    "star": "x^*, a minimiser",
    "x[t]": "x^t",
    "mean": "the mean of x^0, ..., x^{T-1}",
    "n[t]": "the noise of the gradient at x^t",
    "L, eta, sigma, T": "L, eta, sigma, T",
}


def lemma5a_class() -> Outline:
    """Stochastic gradient descent on any smooth convex loss, with a step of at most 1/(2 L)."""
    from verify.proof.outline import Outline

    o = Outline("Lemma 5.a of allforall, any smooth convex loss")
    o.indices("t")
    o.numbers("positive", "L", "eta")
    o.numbers("nonnegative", "sigma")
    o.numbers("positive integer", "T")
    o.vectors("x[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.vectors("star", known="0")
    o.vectors("mean")
    o.function("f")
    o.fact("rule", "method", entry="x[t + 1]", is_="x[t] - eta*(grad(f, x[t]) + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("convex", "convex", f="f", at="x[t]", to="star")
    o.fact("steep", "smooth above its infimum", f="f", L="L", at="x[t]", low="f(star)")
    o.fact("mean", "average", called="mean", of="x[t]", weight="1", index="t", rounds="T")
    o.given("eta <= 1/(2*L)")
    bound = "f(mean) - f(star) <= (x[0] - star)**2/(eta*T) + eta*sigma**2"
    o.claim(bound)

    excess = "(f(x[t]) - f(star))"
    o.step("gradients", f"eta**2*grad(f, x[t])**2 <= 2*L*eta**2*{excess}", "steep times eta**2")
    o.step("above", f"0 <= {excess}", "steep", roots="grad(f, x[t])")
    o.step("short", f"2*L*eta**2*{excess} <= eta*{excess}", "above; eta <= 1/(2*L)")
    o.step(
        "one step",
        f"(x[t + 1] - star)**2 + eta*{excess} <= (x[t] - star)**2 + eta**2*sigma**2",
        "convex times 2*eta; gradients; short; variance times eta**2",
    )
    values = "Sum(f(x[t]), (t, 0, T - 1))"
    o.close(
        "all steps",
        f"(x[T] - star)**2 + eta*({values} - T*f(star)) <= (x[0] - star)**2 + T*eta**2*sigma**2",
        "telescoped",
        step="one step",
        index="t",
        rounds="T",
        of="(x[t] - star)**2",
    )
    o.close(
        "value of the mean",
        f"T*f(mean) <= {values}",
        "averaged",
        f="f",
        called="mean",
        of="x[t]",
        weight="1",
        index="t",
        rounds="T",
    )
    o.step("last", "0 <= (x[T] - star)**2", roots="x[T] - star")
    o.step(
        "bound",
        bound,
        "all steps times 1/(eta*T); value of the mean times 1/T; last times 1/(eta*T)",
    )
    return o
