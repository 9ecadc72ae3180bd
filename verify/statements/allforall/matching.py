"""After Theorem 2: whether upper and lower bounds match, and a conjecture."""

from __future__ import annotations

from bounds import generic as xp
from bounds.allforall import rates
from verify.claim import Real, Sides, numbers, open_claim, statement
from verify.statements.allforall import box
from verify.statements.allforall.lower import eq12_convex
from verify.world.world import World


@eq12_convex.like(
    "allforall.claim.match@of-the-bounds",
    where="after Theorem 2",
    kind="claim",
    title="upper and lower bounds match",
    latex=r"\frac N{\mathcal N_i^\varepsilon(2b)}\lesssim\frac N{\mathcal N_i^\varepsilon(b/4)}",
    note="""b_1j = eps for every other agent: close for the lower bound (4 eps), far for the upper
    one (eps/2). The quotient of the two personal factors is N.""",
)
def match_same(w: World) -> Sides:
    return {"N/N_i(2b)": w.agents}, {"N/N_i(b/4)": xp.ones_like(w.precision)}


@statement(
    "allforall.claim.match@of-the-precision",
    where="after Theorem 2",
    kind="claim",
    relation="==",
    title="upper and lower bounds match",
    latex=r"\frac N{\mathcal N_i^\varepsilon(2b)}=\frac N{\mathcal N_i^{\varepsilon/8}(b/4)}",
    family=numbers(
        {"bias": Real(0, 4, unit=(1, 0), per=("N",)), "precision": box.PRECISION},
        {"N": 1},
        {"N": 3},
        about="agent i and others, any biases",
    ),
    note="The factor of the upper bound at eps is that of the lower one at eps/8, agent i counted.",
)
def match_rescaled(w: World) -> Sides:
    n = w.N + 1
    close = 1 + rates.close_agents(2 * w.bias, w.precision)
    other = 1 + rates.close_agents(w.bias / 4, w.precision / 8)
    return {"N/N_i(2b) at eps": n / close}, {"N/N_i(b/4) at eps/8": n / other}


match_repaired = match_rescaled.variant(
    "allforall.claim.match.repaired", proof="b <= eps/2 and b/4 <= eps/8 say the same."
)


sqrt_kappa = open_claim(
    "allforall.conj.sqrtkappa",
    "claim",
    "after Theorem 2",
    r"T_\varepsilon\propto\sqrt\kappa",
    "conjecture on the condition number",
    "a conjecture without constants or hypotheses",
)
