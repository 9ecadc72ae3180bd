"""fedbc.theorem1.explicit: Theorem 4.5 with every constant, on every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.fedbc.outlines import lemmas as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "fedbc.theorem1.explicit"
MEANS = (
    of.ROUND
    | of.PAIRS
    | of.FALLS
    | of.SLOPES
    | {
        "slope[t]": "grad f(z^t)",
        "G": "G",
        "best": "f(z^*)",
        "most": "the mean over i of epsilon/(2 L_i) + alpha (16 R^4 + gamma_i^2), and lambda_max times "
        "(sqrt(epsilon) + delta/2)^2",
        "Sum(F(e[i] + z[0]), (i, 0, N - 1))/N - best + G**2*Sum(inv[i], (i, 0, N - 1))/(2*N)": "B_0",
        "T": "T",
    }
)


def theorem1_explicit() -> Outline:
    """Global performance with every constant, for lambda_i^t >= 1 + L_i."""
    o = of.rounds("Theorem 4.5 of fedbc with every constant")
    of.above(o)
    of.pairs(o)
    of.gradients(o)
    of.bounds(o)
    of.falls(o)
    o.numbers("nonnegative", "G", "most")
    o.numbers("real", "best")
    o.numbers("positive integer", "T")
    o.vectors("slope[t]", known="0")
    o.fact("common start", "method", entry="x[i, 0]", is_="z[0]")
    to_server = {"at": f"e[i] + {of.NOW}", "to": "e[i] + z[t]"}
    o.fact("server gradients", "smooth gradients", f="F", L="L[i]", **to_server)
    mean = of.each("grad(F, e[i] + z[t])**2")
    o.fact("mean slope", "relation", less="N*slope[t]**2", more=mean)
    o.fact("steep", "Lipschitz", f="F", G="G", at=f"e[i] + {of.NOW}")
    last = {"at": "e[i] + x[i, T]", "to": "e[i] + z[T]"}
    o.fact("last values", "smooth", f="F", L="L[i]", **last)
    o.fact("best", "relation", less="N*best", more=of.each("F(e[i] + z[T])"))
    rest = f"{of.REST} + high*{of.W}"
    o.fact("rest above", "relation", less=of.each(rest), more="N*most")
    o.fact("rest below", "relation", less="N*most", more=of.each(rest))
    total = "Sum(slope[t]**2, (t, 0, T - 1))"
    first = f"({of.each('F(e[i] + z[0])')}/N - best + G**2*{of.each('inv[i]')}/(2*N))"
    K = "(4*top**2 + 16*high**2)"
    bound = (
        f"{total}/T <= 4*{of.M}/T*{first} + 4*{of.M}*high*{of.each('gam[i]')}/(T*N) + 4*root**2 "
        f"+ 4*{of.M}*{of.each('root**2*inv[i]/2')}/N "
        f"+ 4*{of.M}*alpha*{of.each('16*R**4 + gam[i]**2')}/N + ({K} + 4*{of.M}*high)*{of.W}"
    )
    o.claim(bound)

    of.near(o)
    o.step(
        "near later",
        f"({of.LATER} - z[t + 1])**2 <= {of.W}",
        "near",
        supposing=f"({of.NOW} - z[t])**2 <= {of.W}",
    )
    o.close(
        "near always",
        f"({of.NOW} - z[t])**2 <= {of.W}",
        "induction",
        claim=f"{of.W} - ({of.NOW} - z[t])**2",
        index="t",
        next="near later",
    )

    of.fall(o)
    of.slope_before(o)
    server = "grad(F, e[i] + z[t])"
    bend, gap = f"({server} - {of.there('i', of.NOW)})", f"({of.NOW} - z[t])"
    o.step(
        "to the server",
        f"{server}**2 <= 2*{of.BEFORE}**2 + 4*{bend}**2 + 16*lam[i, t]**2*{gap}**2",
        roots=f"{of.BEFORE} - {bend} + 2*lam[i, t]*{gap}; {bend} + 2*lam[i, t]*{gap}",
    )
    o.step("factors", f"4*L[i]**2 + 16*lam[i, t]**2 <= {K}", "L[i] <= top; lam[i, t] <= high")
    o.step(
        "larger gap",
        f"(4*L[i]**2 + 16*lam[i, t]**2)*{gap}**2 <= {K}*{gap}**2",
        "factors",
        roots=gap,
    )
    o.step(
        "client in a round",
        f"{server}**2 + 4*{of.M}*{of.LAGRANGIAN_LATER} <= 4*{of.M}*{of.LAGRANGIAN} + 4*root**2 + 4*{of.M}*({rest}) + {K}*{of.W}",
        f"to the server; server gradients times 4; larger gap; near always times {K};"
        f"slope before times 2; fall times 4*{of.M}; near times 4*{of.M}*high",
    )
    # over the clients and the rounds
    o.close(
        "clients",
        f"{of.each(f'{server}**2')} + 4*{of.M}*{of.each(of.LAGRANGIAN_LATER)} <= 4*{of.M}*{of.each(of.LAGRANGIAN)} "
        f"+ N*4*root**2 + 4*{of.M}*{of.each(rest)} + N*{K}*{of.W}",
        "telescoped",
        step="client in a round",
        index="i",
        rounds="N",
        of="0",
    )
    o.step(
        "round",
        f"N*slope[t]**2 + 4*{of.M}*{of.each(of.LAGRANGIAN_LATER)} <= 4*{of.M}*{of.each(of.LAGRANGIAN)} "
        f"+ N*4*root**2 + 4*{of.M}*N*most + N*{K}*{of.W}",
        f"clients; mean slope; rest above times 4*{of.M}",
    )

    o.close(
        "rounds",
        f"N*{total} + 4*{of.M}*{of.each(of.lagrangian('T'))} <= 4*{of.M}*{of.each(of.lagrangian('0'))} "
        f"+ T*(N*4*root**2 + 4*{of.M}*N*most + N*{K}*{of.W})",
        "telescoped",
        step="round",
        index="t",
        rounds="T",
        of=f"4*{of.M}*{of.each(of.LAGRANGIAN)}",
    )
    alone = {"index": "i", "rounds": "N", "of": "0"}
    o.step("begin", f"{of.lagrangian('0')} <= F(e[i] + z[0])")
    o.close(
        "start",
        f"{of.each(of.lagrangian('0'))} <= {of.each('F(e[i] + z[0])')}",
        "telescoped",
        step="begin",
        **alone,
    )
    slack = "x[i, T] - z[T]"
    o.step(
        "last slope",
        f"-2*{of.there('i', 'x[i, T]')}*({slack}) <= G**2*inv[i] + L[i]*({slack})**2",
        "steep at t = T times inv[i]; 1 <= L[i]*inv[i]",
        roots=f"{of.there('i', 'x[i, T]')} + L[i]*({slack}); {of.there('i', 'x[i, T]')}; {slack}",
    )
    o.step(
        "last multiplier",
        f"L[i]*({slack})**2 <= lam[i, T]*({slack})**2",
        f"{of.ABOVE} at t = T",
        roots=slack,
    )
    o.step(
        "end",
        f"F(e[i] + z[T]) <= {of.lagrangian('T')} + high*gam[i] + G**2*inv[i]/2",
        "last values; last slope times 1/2; last multiplier; lam[i, t] <= high at t = T times gam[i]",
    )
    o.close(
        "ends",
        f"{of.each('F(e[i] + z[T])')} <= {of.each(of.lagrangian('T'))} + high*{of.each('gam[i]')} "
        f"+ G**2*{of.each('inv[i]')}/2",
        "telescoped",
        step="end",
        **alone,
    )
    o.step(
        "average",
        bound,
        f"rounds times 1/(N*T); start times 4*{of.M}/(N*T); ends times 4*{of.M}/(N*T);"
        f"best times 4*{of.M}/(N*T); rest below times 4*{of.M}/N",
    )
    return o
