"""Corollary 4 and what is like it: T iterations with steps that fall like one over the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.aggregation import chain, corollary
from verify.statements.aggregation.proofs.horizon_setting import HORIZON, OF_WEIGHTS, run_leaves
from verify.statements.aggregation.proofs.one_iteration import AFTER, FAR, iteration
from verify.statements.aggregation.proofs.spread import way

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

BEGUN, GONE, NOW = "(mu*b[t] + 4*L)", "(mu*(P[t] + 1))", "(mu*t + 4*L)"
NOISE = "(32*E**2*G2 + 6*low*L*gam + s2)"
BIAS = "(2*gam*(high - low))"
BY = (
    "smooth mean at t = A + 1; the end at t = A + 1 times L/2; noise times L/2;"
    "start of the run times L/2"
)


def falling_way(o: StatementOutline) -> None:
    """Within 10 eta^2 E^2 G^2 of the round's first model, whatever the number of local steps.

    Many of them lead far by their sizes, but a client is never further than G/mu from its own
    minimiser.  Both bounds are taken, by the squares of the time before and in the round.
    """
    way(o)
    o.uses("gone", "steps", "first step", "time", "few")
    o.uses("steep", "bounded", "steep before", "bounded before")
    o.step(
        "by the minimisers",
        "mu**2*(c[t] - s[t])**2 <= 4*G2",
        "steep times 2; bounded times 2; steep before times 2; bounded before times 2",
        roots="mu*(c[t] - 2*o[t] + s[t])",
    )
    o.step("longest step", f"{BEGUN}**2*top[t]**2 <= 1", "first step")
    o.step("a whole round", "(P[t] + 1)**2 <= E**2", "few")
    o.step(
        "both",
        f"({BEGUN}**2 + {GONE}**2)*(c[t] - s[t])**2 <= 5*E**2*G2",
        f"gone times {BEGUN}**2; way at j = P[t] times {BEGUN}**2;"
        "longest step times (P[t] + 1)**2*G2; by the minimisers times (P[t] + 1)**2;"
        "a whole round times 5*G2",
    )
    o.step("since the start", f"{NOW}**2 <= 2*({BEGUN}**2 + {GONE}**2)", "time times mu")
    o.step(
        "scaled",
        f"{NOW}**2*(c[t] - s[t])**2 <= 2*({BEGUN}**2 + {GONE}**2)*(c[t] - s[t])**2",
        "since the start",
        roots="c[t] - s[t]",
    )
    o.step(
        "way of a round",
        "(c[t] - s[t])**2 <= 10*eta[t]**2*E**2*G2",
        "scaled times eta[t]**2; both times 2*eta[t]**2",
    )


def every_iteration(o: StatementOutline) -> None:
    """From rho-bar <= rho-tilde and mu (1 + 3 rho-bar/8) <= 4 L, known by these names."""
    falling_way(o)
    o.uses("local models")
    o.step("nearest", "(c[t] - w[t])**2 <= (c[t] - s[t])**2", roots="w[t] - s[t]")
    o.step(
        "spread of a round",
        "(c[t] - w[t])**2 <= 10*eta[t]**2*E**2*G2",
        "nearest; way of a round",
    )
    iteration(o, "10*eta[t]**2*E**2*G2")
    o.step("far", f"0 <= {FAR}", roots="w[t] - star")
    o.step("short", "4*L*eta[t] <= 1")
    o.step(
        "printed",
        f"{AFTER} <= (1 - eta[t]*mu*(1 + 3/8*low))*{FAR} + eta[t]**2*{NOISE} + eta[t]*{BIAS}",
        "one iteration; far times 5/8*eta[t]*mu*low; short times 5/2*eta[t]**2*E**2*G2",
    )
    handed_on(o)


def handed_on(
    o: StatementOutline, noise: str = NOISE, bias: str = BIAS, by: str = "ratios"
) -> None:
    """The induction of Appendix A."""
    b = "(1 + 3/8*low)"
    first, rest, most = _parts(noise, bias)
    o.step("room", f"0 <= {rest}", by)
    o.step("start", "0 <= 4*L*(w[0] - star)**2", roots="w[0] - star")
    o.step("factor", f"0 <= ({NOW} + mu)*({NOW} - mu*{b})", "not negative")
    o.step(
        "in time",
        f"{NOW}**2*{AFTER} <= {NOW}*({NOW} - mu*{b})*{FAR} + 3/8*mu*low*({first} + {NOW}*{rest})",
        f"printed times {NOW}**2",
    )
    o.step(
        "shifted",
        f"{NOW}**2*({AFTER} - {rest}) <= {NOW}*({NOW} - mu*{b})*({FAR} - {rest}) + 3/8*mu*low*{first}",
        f"in time; room times mu*{NOW}",
    )
    o.step(
        "goes on",
        f"({NOW} + mu)*({AFTER} - {rest}) <= {most}",
        f"shifted times {NOW} + mu; factor; start times ({NOW} + mu)*mu*low; start",
        supposing=f"{NOW}*({FAR} - {rest}) <= {most}",
    )
    o.step("begins", f"4*L*((w[0] - star)**2 - {rest}) <= {most}", "room times 4*L")
    o.close(
        "every iteration",
        f"{NOW}*({FAR} - {rest}) <= {most}",
        "induction",
        claim=f"{most} - {NOW}*({FAR} - {rest})",
        index="t",
        next="goes on",
    )


def _parts(noise: str, bias: str) -> tuple[str, str, str]:
    """What noise leaves, what no time takes away, and the noise with the start."""
    first = f"(8*{noise}/(3*mu*low))"
    return first, f"(8*{bias}/(3*mu*low))", f"({first} + 4*L*(w[0] - star)**2)"


def until_the_end(o: StatementOutline, noise: str = NOISE, bias: str = BIAS) -> None:
    """From the distances to the losses, after A + 1 iterations and no fewer than H."""
    first, rest, most = _parts(noise, bias)
    o.uses("smooth mean", "counted")
    o.step("the end", f"{FAR} <= {rest} + {most}/{NOW}", f"every iteration times 1/{NOW}")
    o.step("later", "1/(mu*(A + 1) + 4*L) <= 1/(mu*H + 4*L)", "counted times mu")
    o.step(
        "noise",
        f"{first}/(mu*(A + 1) + 4*L) <= {first}/(mu*H + 4*L)",
        f"later times {first}",
    )
    o.step(
        "start of the run",
        "4*L*(w[0] - star)**2/(mu*(A + 1) + 4*L) <= 4*L*(w[0] - star)**2/(mu*H + 4*L)",
        "later",
        roots="w[0] - star",
    )


@proof_of(corollary.repaired, HORIZON)
@proof_of(corollary.order_repaired, HORIZON)
def repaired(o: StatementOutline) -> None:
    """T iterations, rho over all of them, the first step contracting."""
    o.hypothesis("rho-bar at most rho-tilde", "ratios")
    o.hypothesis("1 + 3 rho-bar/8 at most gamma", "contracting")
    o.step("not negative", "mu*(1 + 3/8*low) <= 4*L", "contracting times mu")
    every_iteration(o)
    until_the_end(o)
    o.step("bound", f"{o.left} <= {o.right}", BY)


def by_weights(o: StatementOutline) -> None:
    """The ratios of the weights for those of the losses: nothing of rho is left to assume."""
    o.uses("ratios", "least ratio", "constants")
    o.step("not negative", "mu*(1 + 3/8*low) <= 4*L", "least ratio times 3/8*mu; constants")
    every_iteration(o)
    until_the_end(o)


def seventeen(o: StatementOutline) -> None:
    """The bound by pi and Pi."""
    by_weights(o)
    o.step("bound", f"{o.left} <= {o.right}", BY)


def nineteen(o: StatementOutline) -> None:
    """The bound by pi and the shares."""
    by_weights(o)
    o.uses("largest ratio")
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        f"{BY}; largest ratio times 8*L*gam/(3*mu)/(m*low)",
    )


for _leaf in (*run_leaves(chain.eq17), *run_leaves(chain.eq19)):
    _setting = OF_WEIGHTS[_leaf.key.rpartition("+")[2]]
    proof_of(_leaf, _setting)(seventeen if _leaf.entry.endswith("17") else nineteen)
