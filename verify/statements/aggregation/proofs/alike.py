"""Equations 13 and 14: one minimiser for all clients, rho-bar known where rounds begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.aggregation import error_free
from verify.statements.aggregation.proofs.alike_setting import ALIKE, ALIKE_HORIZON
from verify.statements.aggregation.proofs.horizon import (
    BEGUN,
    BY,
    GONE,
    NOW,
    falling_way,
    handed_on,
    until_the_end,
)
from verify.statements.aggregation.proofs.one_iteration import AFTER, FAR
from verify.statements.aggregation.proofs.spread import MOST, way

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

BEFORE = "(s[t] - star)**2"
KEPT = "(1 - 2*L*eta[t])/(1 + L*eta[t])"
NOISE = "(32*E**2*G2 + s2)"


def young(o: StatementOutline, falling: bool = False) -> None:
    """Young's inequality for both cross terms, of steps 1/(mu t + 4 L) with that under the square."""
    o.uses("local models")
    for name, to, sign in (("Young", "w[t]", "-"), ("Young since", "s[t]", "")):
        way = f"(c[t] - {to})"
        if falling:
            o.step(
                f"{name} of falling steps",
                f"{sign}2*{NOW}*k[t]*({to} - c[t]) <= {NOW}**2*{way}**2 + k[t]**2",
                roots=f"{NOW}*{way} {sign or '+'} k[t]",
            )
        o.step(
            name,
            f"{sign}2*eta[t]*k[t]*({to} - c[t]) <= {way}**2 + eta[t]**2*k[t]**2",
            f"{name} of falling steps times eta[t]**2" if falling else "",
            roots="" if falling else f"{way} {sign or '+'} eta[t]*k[t]",
        )


def before_rho(o: StatementOutline) -> None:
    """One iteration before rho-bar is used: the losses at the local models pay for everything."""
    o.uses("rule", "unbiased", "variance", "strong", "domination", "one minimiser")
    o.step("distances", f"{FAR} <= (c[t] - star)**2", roots="c[t] - star")
    o.step("Jensen", "avg(k[t])**2 <= k[t]**2", roots="k[t]")
    o.step("nearest", "(c[t] - w[t])**2 <= (c[t] - s[t])**2", roots="w[t] - s[t]")
    o.step(
        "before rho-bar",
        f"{AFTER} <= (1 - eta[t]*mu)*{FAR} + (c[t] - s[t])**2 "
        "- 2*eta[t]*(1 - 2*L*eta[t])*own[t] + eta[t]**2*s2",
        "Young; nearest; Jensen times eta[t]**2; domination times 2*eta[t]**2;"
        "strong times 2*eta[t]; one minimiser times 2*eta[t]; distances times eta[t]*mu;"
        "variance times eta[t]**2",
    )


def losses_since(o: StatementOutline) -> None:
    """The losses where the round began by those at the local models, and rho-bar there."""
    o.uses("smooth since", "growth since", "rho-bar")
    o.step(
        "losses",
        "2*eta[t]*first[t] <= (1 + L*eta[t])*(2*eta[t]*own[t] + (c[t] - s[t])**2)",
        "smooth since times 2*eta[t]; Young since; domination times eta[t]**2",
    )
    o.step("kept", f"3/8 <= {KEPT}", "short steps")
    o.step("not lost", f"0 <= {KEPT}", "kept")
    o.step(
        "under the weights",
        f"2*eta[t]*{KEPT}*first[t] <= 2*eta[t]*(1 - 2*L*eta[t])*own[t] "
        "+ (1 - 2*L*eta[t])*(c[t] - s[t])**2",
        f"losses times {KEPT}",
    )
    o.step("some way", "0 <= (c[t] - s[t])**2", roots="c[t] - s[t]")
    o.step(
        "rho-bar since",
        f"3/8*eta[t]*low*mu*{BEFORE} <= 2*eta[t]*(1 - 2*L*eta[t])*own[t] + (c[t] - s[t])**2",
        "growth since times 3/4*eta[t]*low; rho-bar times 3/4*eta[t];"
        "kept times 2*eta[t]*first[t]; under the weights; some way times 2*L*eta[t]",
    )


def drift(o: StatementOutline) -> None:
    """No local step leads away from the minimiser but by its noise."""
    o.uses("towards it", "away", "largest rho")
    o.step(
        "a step from it",
        f"(v[t, j + 1] - star)**2 <= (v[t, j] - star)**2 + {MOST}",
        "towards it times 2*es[t, j]; a local step",
    )
    o.close(
        "steps from it",
        f"(v[t, P[t] + 1] - star)**2 <= (v[t, 0] - star)**2 + (P[t] + 1)*{MOST}",
        "telescoped",
        step="a step from it",
        index="j",
        rounds="P[t] + 1",
        of="(v[t, j] - star)**2",
    )
    o.step(
        "drift",
        f"{FAR} <= {BEFORE} + (P[t] + 1)*{MOST}",
        "distances; away; steps from it",
    )
    o.step(
        "one iteration",
        f"{AFTER} <= (1 - eta[t]*mu*(1 + 3/8*low))*{FAR} + 2*(c[t] - s[t])**2 "
        f"+ 3/8*eta[t]*L*(P[t] + 1)*{MOST} + eta[t]**2*s2",
        "before rho-bar; rho-bar since; drift times 3/8*eta[t]*low*mu;"
        f"largest rho times 3/8*eta[t]*(P[t] + 1)*{MOST}",
    )


@proof_of(error_free.repaired, ALIKE)
def thirteen(o: StatementOutline) -> None:
    """Steps that at most halve within a round."""
    way(o)
    o.hypothesis("steps at most 1/(4L)", "short steps")
    young(o)
    before_rho(o)
    losses_since(o)
    drift(o)
    o.uses("gone", "steps of a round", "halving")
    o.step("steps", "((P[t] + 1)*top[t])**2 <= ((E - 1)*top[t])**2", "steps of a round")
    o.step("lengths", "top[t]**2 <= 4*eta[t]**2", "halving")
    o.step(
        "way of a round",
        "(c[t] - s[t])**2 <= 4*eta[t]**2*(E - 1)**2*G2",
        "gone; way at j = P[t]; steps times G2; lengths times (E - 1)**2*G2",
    )
    o.step(
        "drift of a round",
        f"eta[t]*L*(P[t] + 1)*{MOST} <= eta[t]**2*(E - 1)*G2",
        "steps of a round times eta[t]*L*top[t]*G2; lengths times eta[t]*L*(E - 1)*G2;"
        "short steps times eta[t]**2*(E - 1)*G2",
    )
    o.step("room", "8*(E - 1)**2 + 3/8*(E - 1) <= 32*E**2")
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        "one iteration at t = A; way of a round at t = A times 2;"
        "drift of a round at t = A times 3/8; room times eta[A]**2*G2",
    )


def fourteen(o: StatementOutline) -> None:
    """Steps that fall like one over the time."""
    falling_way(o)
    o.uses("constants")
    o.step("short steps", "4*L*eta[t] <= 1")
    young(o, falling=True)
    before_rho(o)
    losses_since(o)
    drift(o)
    o.step("late", f"{NOW} <= {BEGUN} + {GONE}", "time times mu")
    o.step(
        "slow",
        f"16*L*(P[t] + 1)*{NOW} <= 5*(P[t] + 1)**2*{BEGUN}**2",
        "late times 16*L*(P[t] + 1); constants times 16*L*(P[t] + 1)**2",
    )
    o.step(
        "drift of a round",
        f"eta[t]*L*(P[t] + 1)*{MOST} <= 5/16*eta[t]**2*E**2*G2",
        "slow times eta[t]**2*top[t]**2*G2/16; longest step times 5/16*eta[t]**2*(P[t] + 1)**2*G2;"
        "a whole round times 5/16*eta[t]**2*G2",
    )
    o.step(
        "printed",
        f"{AFTER} <= (1 - eta[t]*mu*(1 + 3/8*low))*{FAR} + eta[t]**2*{NOISE}",
        "one iteration; way of a round times 2; drift of a round times 3/8",
    )
    o.step("not negative", "mu*(1 + 3/8*low) <= 4*L", "largest rho times 3/8; constants")
    handed_on(o, NOISE, "0", "")
    until_the_end(o, NOISE, "0")
    o.step("bound", f"{o.left} <= {o.right}", BY)


for _horizon, _setting in ALIKE_HORIZON.items():
    proof_of(error_free.eq14.leaf("run", "algorithm", "loop", _horizon), _setting)(fourteen)
