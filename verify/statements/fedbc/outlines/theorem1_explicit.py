"""fedbc.theorem1.explicit: Theorem 4.5 with every constant, on every run.

A sampled set in each round is fixed: what holds for each holds in the mean.  Clients are told apart
by vectors e[i] to which models are added: F at e[i] + x is f_i at x.  A device that is not sampled
has the exact solution for its model, on which nothing depends, and keeps its multiplier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "fedbc.theorem1.explicit"
MEANS = {
    "F(e[i] + x)": "f_i(x)",
    "x[i, t], z[t]": "x_i^t, or the exact solution where device i is not sampled; z^t",
    "slope[t]": "grad f(z^t)",
    "lam[i, t]": "lambda_i^t; after the last round as before it",
    "U[i, t]": "|x_i^{t+1} - z^t|^2",
    "a[j, t]": "what device j has in the mean of round t: 1/S, or 0 where it is not sampled",
    "L[i], inv[i], top": "L_i, 1/L_i, L",
    "gam[i]": "gamma_i",
    "root": "sqrt(epsilon), or any positive number where epsilon is 0",
    "delta": "delta, or any positive number where it is 0",
    "alpha": "alpha, or any positive number where it is 0",
    "high, R, G": "lambda_max, R, G",
    "best": "f(z^*)",
    "most": "the mean over i of epsilon/(2 L_i) + alpha (16 R^4 + gamma_i^2), and lambda_max times "
    "(sqrt(epsilon) + delta/2)^2",
    "(top + 2*high)": "M_1",
    "Sum(F(e[i] + z[0]), (i, 0, N - 1))/N - best + G**2*Sum(inv[i], (i, 0, N - 1))/(2*N)": "B_0",
    "N, T": "N, T",
}


def theorem1_explicit() -> Outline:
    """Global performance with every constant, for lambda_i^t >= 1 + L_i."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 4.5 of fedbc with every constant")
    o.indices("i", "j", "t")
    o.numbers("positive", "L[i]", "inv[i]", "lam[i, t]", "top", "high", "root", "delta", "alpha")
    o.numbers("nonnegative", "U[i, t]", "a[j, t]", "gam[i]", "R", "G", "most")
    o.numbers("real", "best")
    o.numbers("positive integer", "N", "T")
    o.vectors("x[i, t]", "z[t]", "e[i]", "slope[t]", known="0")
    o.function("F")

    def near(i: str, t: str = "t + 1") -> str:
        return f"x[{i}, {t}]"

    def there(i: str, x: str) -> str:
        return f"grad(F, e[{i}] + {x})"

    def residual(i: str) -> str:
        return f"({there(i, near(i))} + 2*lam[{i}, t]*({near(i)} - z[t]))"

    y, x = "x[i, t + 1]", "x[i, t]"
    other = "x[j, t + 1]"
    apart = f"({y} - {other})"
    unlike = f"(lam[j, t]*{there('i', other)} - lam[i, t]*{there('j', other)})"
    each = "Sum({}, (i, 0, N - 1))".format
    among = "Sum({}, (j, 0, N - 1))".format
    o.fact("common start", "method", entry="x[i, 0]", is_="z[0]")
    o.fact("residual", "relation", less=f"{residual('i')}**2", more="root**2")
    o.fact("residual of j", "relation", less=f"{residual('j')}**2", more="root**2")
    o.fact("dissimilar", "relation", less=f"{unlike}**2", more="delta**2")
    to_other = {"at": f"e[i] + {y}", "to": f"e[i] + {other}"}
    o.fact("gradients of a pair", "smooth gradients", f="F", L="L[i]", **to_other)
    o.fact(
        "server",
        "relation",
        less=f"({y} - z[t + 1])**2",
        more=among(f"a[j, t]*{apart}**2"),
    )
    o.fact("shares", "relation", less=among("a[j, t]"), more="1")
    back = {"at": f"e[i] + {y}", "to": f"e[i] + {x}"}
    o.fact("values", "smooth from below", f="F", L="L[i]", **back)
    o.fact("gradients", "smooth gradients", f="F", L="L[i]", **back)
    to_server = {"at": f"e[i] + {x}", "to": "e[i] + z[t]"}
    o.fact("server gradients", "smooth gradients", f="F", L="L[i]", **to_server)
    o.fact("U below", "relation", less="U[i, t]", more=f"({y} - z[t])**2")
    o.given("U[i, t] <= 4*R**2")
    moved = "(lam[i, t + 1] - lam[i, t])"
    o.fact(
        "dual step",
        "condition",
        less=f"{moved}**2",
        more=f"alpha*(U[i, t] - gam[i])*{moved}",
    )
    o.given("1 + L[i] <= lam[i, t]", "lam[i, t] <= high", "L[i] <= top")
    o.given("1 <= L[i]*inv[i]")
    o.fact("mean slope", "relation", less="N*slope[t]**2", more=each("grad(F, e[i] + z[t])**2"))
    o.fact("steep", "Lipschitz", f="F", G="G", at=f"e[i] + {x}")
    last = {"at": "e[i] + x[i, T]", "to": "e[i] + z[T]"}
    o.fact("last values", "smooth", f="F", L="L[i]", **last)
    o.fact("best", "relation", less="N*best", more=each("F(e[i] + z[T])"))

    W, M = "(root + delta/2)**2", "(top + 2*high)**2"
    rest = f"root**2*inv[i]/2 + alpha*(16*R**4 + gam[i]**2) + high*{W}"
    o.fact("rest above", "relation", less=each(rest), more="N*most")
    o.fact("rest below", "relation", less="N*most", more=each(rest))

    total = "Sum(slope[t]**2, (t, 0, T - 1))"
    first = f"({each('F(e[i] + z[0])')}/N - best + G**2*{each('inv[i]')}/(2*N))"
    K = "(4*top**2 + 16*high**2)"
    bound = (
        f"{total}/T <= 4*{M}/T*{first} + 4*{M}*high*{each('gam[i]')}/(T*N) + 4*root**2 "
        f"+ 4*{M}*{each('root**2*inv[i]/2')}/N + 4*{M}*alpha*{each('16*R**4 + gam[i]**2')}/N "
        f"+ ({K} + 4*{M}*high)*{W}"
    )
    o.claim(bound)

    # Lemma B.2: no two local models are further apart, and the server's is a mean of them
    c = "lam[j, t]*(2*lam[i, t] - L[i])"
    push = f"(lam[j, t]*{residual('i')} - lam[i, t]*{residual('j')} - {unlike})"
    turn = f"({there('i', y)} - {there('i', other)})"
    o.step(
        "curved",
        f"-2*L[i]*{apart}**2 <= 2*{turn}*{apart}",
        "gradients of a pair times 1/L[i]",
        roots=f"L[i]*{apart} + {turn}",
    )
    o.step("pair", f"{c}*{apart}**2 <= {push}*{apart}", "curved times lam[j, t]/2")
    above = "1 + L[i] <= lam[i, t]"
    o.step("other above", "1 <= lam[j, t]", f"{above} at i = j")
    o.step("twice", f"2 <= {c}", f"{above}; other above")
    o.step("sum", f"lam[i, t] + lam[j, t] <= {c}", f"{above}; other above")
    o.step("double", f"0 <= 2*{c}", "twice")
    o.step(
        "pair squared",
        f"({c})**2*{apart}**2 <= {push}**2",
        f"pair times 2*{c}",
        roots=f"{c}*{apart} - {push}",
    )
    rough = "((lam[i, t] + lam[j, t])*root + delta)"
    ri, rj = residual("i"), residual("j")
    o.step("both", f"-2*{ri}*{rj} <= 2*root**2", "residual; residual of j", roots=f"{ri} + {rj}")
    for way, r, sign in (("first", ri, "-"), ("second", rj, "")):
        o.step(
            f"{way} cross",
            f"{sign}2*{r}*{unlike} <= 2*root*delta",
            f"{'residual' if way == 'first' else 'residual of j'} times delta/root;"
            "dissimilar times root/delta",
            roots=f"delta*{r} {'+' if sign else '-'} root*{unlike}",
        )
    o.step(
        "push",
        f"{push}**2 <= {rough}**2",
        "residual times lam[j, t]**2; residual of j times lam[i, t]**2; dissimilar;"
        "both times lam[i, t]*lam[j, t]; first cross times lam[j, t]; second cross times lam[i, t]",
    )
    o.step("rough", f"{rough} <= {c}*(root + delta/2)", "twice; sum")
    o.step("rough squared", f"{rough}**2 <= ({c})**2*{W}", "rough")
    o.step("distance of a pair", f"{apart}**2 <= {W}", "pair squared; push; rough squared; twice")
    o.step("part", f"a[j, t]*{apart}**2 <= a[j, t]*{W}", "distance of a pair times a[j, t]")
    o.close(
        "parts",
        f"{among(f'a[j, t]*{apart}**2')} <= {W}*{among('a[j, t]')}",
        "telescoped",
        step="part",
        index="j",
        rounds="N",
        of="0",
    )
    o.step("near", f"({y} - z[t + 1])**2 <= {W}", f"server; parts; shares times {W}")
    o.step("near later", f"({y} - z[t + 1])**2 <= {W}", "near", supposing=f"({x} - z[t])**2 <= {W}")
    o.close(
        "near always",
        f"({x} - z[t])**2 <= {W}",
        "induction",
        claim=f"{W} - ({x} - z[t])**2",
        index="t",
        next="near later",
    )

    # Lemma B.1 (ii): what a Lagrangian falls by
    lagrangian = f"(F(e[i] + {x}) + lam[i, t]*(({x} - z[t])**2 - gam[i]))"
    later = f"(F(e[i] + {y}) + lam[i, t + 1]*(({y} - z[t + 1])**2 - gam[i]))"
    move = f"({y} - {x})"
    o.step(
        "along",
        f"2*{ri}*{move} <= root**2*inv[i] + L[i]*{move}**2",
        "residual times inv[i]; 1 <= L[i]*inv[i]",
        roots=f"{ri} - L[i]*{move}; {ri}; {move}",
    )
    o.step(
        "models",
        f"F(e[i] + {y}) + lam[i, t]*({y} - z[t])**2 + lam[i, t]*{move}**2 "
        f"<= F(e[i] + {x}) + lam[i, t]*({x} - z[t])**2 + root**2*inv[i]/2 + L[i]*{move}**2",
        "values; along times 1/2",
    )
    excess = "(U[i, t] - gam[i])"
    o.step(
        "multiplier",
        f"{moved}*{excess} <= alpha*{excess}**2",
        "dual step",
        roots=f"alpha*{excess} - {moved}",
    )
    o.step("squares", f"{excess}**2 <= 16*R**4 + gam[i]**2", "U[i, t] <= 4*R**2")
    o.step(
        "servers",
        f"lam[i, t + 1]*({y} - z[t + 1])**2 <= high*({y} - z[t + 1])**2",
        "lam[i, t] <= high at t = t + 1",
        roots=f"{y} - z[t + 1]",
    )
    o.step("move", f"{move}**2 + L[i]*{move}**2 <= lam[i, t]*{move}**2", above, roots=move)
    o.step(
        "fall",
        f"{move}**2 + {later} <= {lagrangian} + {rest}",
        "models; multiplier; squares times alpha; servers; near times high; move;"
        "U below times lam[i, t]",
    )

    # Lemma B.1 (i), and from the models to the server
    before = f"({there('i', x)} + 2*lam[i, t]*({x} - z[t]))"
    turned = f"({there('i', x)} - {there('i', y)})"
    o.step(
        "bent",
        f"-4*lam[i, t]*{turned}*{move} <= 4*lam[i, t]*L[i]*{move}**2",
        "gradients times 2*lam[i, t]/L[i]",
        roots=f"L[i]*{move} + {turned}",
    )
    o.step(
        "turned",
        f"({turned} - 2*lam[i, t]*{move})**2 <= (L[i] + 2*lam[i, t])**2*{move}**2",
        "gradients; bent",
    )
    o.step("constants", f"(L[i] + 2*lam[i, t])**2 <= {M}", "L[i] <= top; lam[i, t] <= high")
    o.step("larger", f"(L[i] + 2*lam[i, t])**2*{move}**2 <= {M}*{move}**2", "constants", roots=move)
    o.step(
        "slope before",
        f"{before}**2 <= 2*{M}*{move}**2 + 2*root**2",
        "turned times 2; larger times 2; residual times 2",
        roots=f"{turned} - 2*lam[i, t]*{move} - {ri}",
    )
    server = "grad(F, e[i] + z[t])"
    bend, gap = f"({server} - {there('i', x)})", f"({x} - z[t])"
    o.step(
        "to the server",
        f"{server}**2 <= 2*{before}**2 + 4*{bend}**2 + 16*lam[i, t]**2*{gap}**2",
        roots=f"{before} - {bend} + 2*lam[i, t]*{gap}; {bend} + 2*lam[i, t]*{gap}",
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
        f"{server}**2 + 4*{M}*{later} <= 4*{M}*{lagrangian} + 4*root**2 + 4*{M}*({rest}) + {K}*{W}",
        f"to the server; server gradients times 4; larger gap; near always times {K};"
        f"slope before times 2; fall times 4*{M}",
    )
    # over the clients and the rounds
    o.close(
        "clients",
        f"{each(f'{server}**2')} + 4*{M}*{each(later)} <= 4*{M}*{each(lagrangian)} "
        f"+ N*4*root**2 + 4*{M}*{each(rest)} + N*{K}*{W}",
        "telescoped",
        step="client in a round",
        index="i",
        rounds="N",
        of="0",
    )
    o.step(
        "round",
        f"N*slope[t]**2 + 4*{M}*{each(later)} <= 4*{M}*{each(lagrangian)} "
        f"+ N*4*root**2 + 4*{M}*N*most + N*{K}*{W}",
        f"clients; mean slope; rest above times 4*{M}",
    )

    def at(when: str) -> str:
        return f"(F(e[i] + x[i, {when}]) + lam[i, {when}]*((x[i, {when}] - z[{when}])**2 - gam[i]))"

    o.close(
        "rounds",
        f"N*{total} + 4*{M}*{each(at('T'))} <= 4*{M}*{each(at('0'))} "
        f"+ T*(N*4*root**2 + 4*{M}*N*most + N*{K}*{W})",
        "telescoped",
        step="round",
        index="t",
        rounds="T",
        of=f"4*{M}*{each(lagrangian)}",
    )
    alone = {"index": "i", "rounds": "N", "of": "0"}
    o.step("begin", f"{at('0')} <= F(e[i] + z[0])")
    o.close(
        "start", f"{each(at('0'))} <= {each('F(e[i] + z[0])')}", "telescoped", step="begin", **alone
    )
    slack = "x[i, T] - z[T]"
    o.step(
        "last slope",
        f"-2*{there('i', 'x[i, T]')}*({slack}) <= G**2*inv[i] + L[i]*({slack})**2",
        "steep at t = T times inv[i]; 1 <= L[i]*inv[i]",
        roots=f"{there('i', 'x[i, T]')} + L[i]*({slack}); {there('i', 'x[i, T]')}; {slack}",
    )
    o.step(
        "last multiplier",
        f"L[i]*({slack})**2 <= lam[i, T]*({slack})**2",
        f"{above} at t = T",
        roots=slack,
    )
    o.step(
        "end",
        f"F(e[i] + z[T]) <= {at('T')} + high*gam[i] + G**2*inv[i]/2",
        "last values; last slope times 1/2; last multiplier; lam[i, t] <= high at t = T times gam[i]",
    )
    o.close(
        "ends",
        f"{each('F(e[i] + z[T])')} <= {each(at('T'))} + high*{each('gam[i]')} "
        f"+ G**2*{each('inv[i]')}/2",
        "telescoped",
        step="end",
        **alone,
    )
    o.step(
        "average",
        bound,
        f"rounds times 1/(N*T); start times 4*{M}/(N*T); ends times 4*{M}/(N*T);"
        f"best times 4*{M}/(N*T); rest below times 4*{M}/N",
    )
    return o
