"""How far the local models are from their mean: what Lemma 2 and Theorem 3 share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

ROOTS = {"r[j]": "1/(j + 1)"}
REFINED = {
    "w[j]": "the local model of a client after j + 1 steps of the round",
    "first, e": "the gradient that is drawn in the first step, and the step size there",
    "avg(w[P])": "w_t",
    "P + 1": "E - 1, and 1 where E is 1",
    "s": "1, and 0 where E is 1, so that s (P + 1) is E - 1",
    **ROOTS,
}
FIRST = "start - e*first"
"""Where the first step leads."""


def printed_given(o: Outline) -> None:
    """No step before is more than twice this one."""
    o.numbers("positive", "r[j]")
    o.given("J + 1 <= E", "eta[j] <= 2*h", "r[j + 1]*(j + 2) <= 1", "1 <= r[j]*(j + 1)")


def printed(o: Outline) -> str:
    """Within 4 E^2 h^2 G^2."""
    told = "(grad(F, w[j]) + n[j])"
    o.step("squares", "eta[j]**2 <= 4*h**2", "eta[j] <= 2*h")
    o.step(
        "shorter",
        f"eta[j]**2*{told}**2 <= 4*h**2*{told}**2",
        "squares",
        roots="grad(F, w[j]); n[j]",
    )
    o.step("local step", f"eta[j]**2*{told}**2 <= 4*h**2*G**2", "shorter; bounded times 4*h**2")
    o.step(
        "one more",
        "r[j + 1]*(w[j + 1] - start)**2 <= r[j]*(w[j] - start)**2 + 4*h**2*G**2",
        "local step; r[j + 1]*(j + 2) <= 1; 1 <= r[j]*(j + 1)",
        roots="w[j] - start + (j + 1)*eta[j]*grad(F, w[j]); n[j]",
        degree=4,
    )
    o.close(
        "way",
        "r[J]*(w[J] - start)**2 <= r[0]*(w[0] - start)**2 + 4*J*h**2*G**2",
        "telescoped",
        step="one more",
        index="j",
        rounds="J",
        of="r[j]*(w[j] - start)**2",
    )
    o.step(
        "way of a round",
        "(w[J] - start)**2 <= 4*E**2*h**2*G**2",
        "way; J + 1 <= E; 1 <= r[j]*(j + 1) at j = J",
        roots="w[J] - start",
    )
    spread = "4*E**2*h**2*G**2"
    o.step("spread", f"(w[J] - avg(w[J]))**2 <= {spread}", "way of a round", roots="w[J] - start")
    return spread


def refined_given(o: Outline) -> None:
    """The same of at most E - 1 steps, the first one apart."""
    o.numbers("nonnegative", "s", "e")
    o.numbers("positive", "r[j]")
    o.vectors("first", known="0", shared=False)
    o.fact("bounded first", "relation", less="first**2", more="G**2")
    o.given("e <= 2*s*h", "eta[j] <= 2*s*h", "s*(P + 1) <= E - 1")
    o.given("r[j + 1]*(j + 2) <= 1", "1 <= r[j]*(j + 1)", "r[0] <= 1")


def refined(o: Outline) -> str:
    """Within 4 (E - 1)^2 h^2 G^2."""
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
    return spread
