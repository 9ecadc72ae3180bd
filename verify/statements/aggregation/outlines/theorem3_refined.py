"""aggregation.theorem3.refined: one iteration with steps of any size that at most halve.

Steps of length zero are put before the first one of the round until there are E - 1 before this
iteration; one of them where E is 1, and then s is zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.aggregation.outlines import _iteration as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.theorem3.refined"
MEANS = of.MEANS | {
    "w[j]": "the local model of a client after j + 1 steps of the round",
    "first, e": "the gradient that is drawn in the first step, and the step size there",
    "avg(w[P])": "w_t",
    "P + 1": "E - 1, and 1 where E is 1",
    "s": "1, and 0 where E is 1, so that s (P + 1) is E - 1",
    "r[j]": "1/(j + 1)",
}


def theorem3_refined() -> Outline:
    """One iteration with steps of any size that at most halve within a round."""
    o = of.iteration("Theorem 3 of aggregation, refined", "P", "start - e*first")
    o.numbers("nonnegative", "s", "e")
    o.vectors("first", known="0", shared=False)
    o.fact("bounded first", "relation", less="first**2", more="G**2")
    o.numbers("positive", "r[j]")
    o.given("e <= 2*s*h", "eta[j] <= 2*s*h", "s*(P + 1) <= E - 1")
    o.given("r[j + 1]*(j + 2) <= 1", "1 <= r[j]*(j + 1)", "r[0] <= 1")
    before = of.distance("P")
    noise = "h**2*G**2*(1 + 4*h*L*(E - 1)**2)"
    bound = f"{of.AFTER} <= (1 - h*mu*(1 + low))*{before} + {noise} + {of.GAPS}"
    o.claim(bound)

    told, most = "(grad(F, w[j]) + n[j])", "4*s**2*h**2*G**2"
    o.step("squares", "eta[j]**2 <= 4*s**2*h**2", "eta[j] <= 2*s*h")
    o.step(
        "shorter",
        f"eta[j]**2*{told}**2 <= 4*s**2*h**2*{told}**2",
        "squares",
        roots="grad(F, w[j]); n[j]",
    )
    o.step("local step", f"eta[j]**2*{told}**2 <= {most}", "shorter; bounded times 4*s**2*h**2")
    o.step("square of the first", "e**2 <= 4*s**2*h**2", "e <= 2*s*h")
    o.step(
        "shorter first",
        "e**2*first**2 <= 4*s**2*h**2*first**2",
        "square of the first",
        roots="first",
    )
    o.step(
        "first step",
        f"(w[0] - start)**2 <= {most}",
        "shorter first; bounded first times 4*s**2*h**2",
    )
    o.step(
        "one more",
        f"r[j + 1]*(w[j + 1] - start)**2 <= r[j]*(w[j] - start)**2 + {most}",
        "local step; r[j + 1]*(j + 2) <= 1; 1 <= r[j]*(j + 1)",
        roots="w[j] - start + (j + 1)*eta[j]*grad(F, w[j]); n[j]",
        degree=4,
    )
    o.close(
        "way",
        f"r[P]*(w[P] - start)**2 <= r[0]*(w[0] - start)**2 + P*{most}",
        "telescoped",
        step="one more",
        index="j",
        rounds="P",
        of="r[j]*(w[j] - start)**2",
    )
    spread = "4*(E - 1)**2*h**2*G**2"
    o.step(
        "first",
        f"r[0]*(w[0] - start)**2 <= {most}",
        f"first step times r[0]; r[0] <= 1 times {most}",
    )
    o.step(
        "way of a round",
        f"(w[P] - start)**2 <= (P + 1)**2*{most}",
        "way; first; 1 <= r[j]*(j + 1) at j = P",
        roots="w[P] - start",
    )
    o.step("steps", "(s*(P + 1))**2 <= (E - 1)**2", "s*(P + 1) <= E - 1")
    o.step(
        "spread",
        f"(w[P] - avg(w[P]))**2 <= {spread}",
        "way of a round; steps times 4*h**2*G**2",
        roots="w[P] - start",
    )
    of.iterated(o, spread, "P")
    o.step("bound", bound, "one iteration")
    return o
