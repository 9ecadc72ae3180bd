"""Lemmas B.1 and B.2 as steps of outlines, and the facts that they rest on.

A sampled set in each round is fixed: what holds for each holds in the mean.  Clients are told apart
by vectors e[i] to which models are added: F at e[i] + x is f_i at x.  A device that is not sampled
has the exact solution for its model, on which nothing depends, and keeps its multiplier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

ROUND = {
    "F(e[i] + x)": "f_i(x)",
    "x[i, t], z[t]": "x_i^t, or the exact solution where device i is not sampled; z^t",
    "lam[i, t]": "lambda_i^t; after the last round as before it",
    "L[i]": "L_i",
    "root": "sqrt(epsilon), or any positive number where epsilon is 0",
    "N": "N",
}
PAIRS = {
    "a[j, t]": "what device j has in the mean of round t: 1/S, or 0 where it is not sampled",
    "delta": "delta, or any positive number where it is 0",
}
FALLS = {
    "U[i, t]": "|x_i^{t+1} - z^t|^2",
    "inv[i]": "1/L_i",
    "gam[i]": "gamma_i",
    "alpha": "alpha, or any positive number where it is 0",
    "high, R": "lambda_max, R",
}
SLOPES = {"top": "L", "high": "lambda_max", "(top + 2*high)": "M_1"}


def there(i: str, x: str) -> str:
    """Gradient of f_i at x."""
    return f"grad(F, e[{i}] + {x})"


def _residual(i: str) -> str:
    return f"({there(i, f'x[{i}, t + 1]')} + 2*lam[{i}, t]*(x[{i}, t + 1] - z[t]))"


def each(body: str) -> str:
    """The sum over the clients i."""
    return f"Sum({body}, (i, 0, N - 1))"


def _among(body: str) -> str:
    return f"Sum({body}, (j, 0, N - 1))"


NOW, LATER, OTHER = "x[i, t]", "x[i, t + 1]", "x[j, t + 1]"
APART, MOVE = f"({LATER} - {OTHER})", f"({LATER} - {NOW})"
OWN, ITS = _residual("i"), _residual("j")
UNLIKE = f"(lam[j, t]*{there('i', OTHER)} - lam[i, t]*{there('j', OTHER)})"
MOVED = "(lam[i, t + 1] - lam[i, t])"
ABOVE = "1 + L[i] <= lam[i, t]"
W, M = "(root + delta/2)**2", "(top + 2*high)**2"
REST = "root**2*inv[i]/2 + alpha*(16*R**4 + gam[i]**2)"
BEFORE = f"({there('i', NOW)} + 2*lam[i, t]*({NOW} - z[t]))"
"""Gradient of the Lagrangian before the round."""


def lagrangian(t: str) -> str:
    """L_i at the models of round t."""
    return f"(F(e[i] + x[i, {t}]) + lam[i, {t}]*((x[i, {t}] - z[{t}])**2 - gam[i]))"


LAGRANGIAN, LAGRANGIAN_LATER = lagrangian("t"), lagrangian("t + 1")


def rounds(title: str) -> Outline:
    """Models, multipliers, and local problems that are solved up to epsilon."""
    from verify.proof.outline import Outline

    o = Outline(title)
    o.indices("i", "t")
    o.numbers("positive", "L[i]", "lam[i, t]", "root")
    o.numbers("positive integer", "N")
    o.vectors("x[i, t]", "z[t]", "e[i]", known="0")
    o.function("F")
    o.fact("residual", "relation", less=f"{OWN}**2", more="root**2")
    return o


def above(o: Outline) -> None:
    """Multipliers of at least 1 + L_i."""
    o.given(ABOVE)


def pairs(o: Outline) -> None:
    """What is known of two clients, and of the server."""
    o.indices("j")
    o.numbers("positive", "delta")
    o.numbers("nonnegative", "a[j, t]")
    o.fact("residual of j", "relation", less=f"{ITS}**2", more="root**2")
    o.fact("dissimilar", "relation", less=f"{UNLIKE}**2", more="delta**2")
    to_other = {"at": f"e[i] + {LATER}", "to": f"e[i] + {OTHER}"}
    o.fact("gradients of a pair", "smooth gradients", f="F", L="L[i]", **to_other)
    mean = _among(f"a[j, t]*{APART}**2")
    o.fact("server", "relation", less=f"({LATER} - z[t + 1])**2", more=mean)
    o.fact("shares", "relation", less=_among("a[j, t]"), more="1")


CURVE = "lam[j, t]*(2*lam[i, t] - L[i])"
ROUGH = "((lam[i, t] + lam[j, t])*root + delta)"


def pushed(o: Outline) -> None:
    """From a step called double (0 <= 2 CURVE): CURVE^2 |x_i - x_j|^2 is at most ROUGH^2."""
    c = CURVE
    push = f"(lam[j, t]*{OWN} - lam[i, t]*{ITS} - {UNLIKE})"
    turn = f"({there('i', LATER)} - {there('i', OTHER)})"
    o.step(
        "curved",
        f"-2*L[i]*{APART}**2 <= 2*{turn}*{APART}",
        "gradients of a pair times 1/L[i]",
        roots=f"L[i]*{APART} + {turn}",
    )
    o.step("pair", f"{c}*{APART}**2 <= {push}*{APART}", "curved times lam[j, t]/2")
    o.step(
        "pair squared",
        f"({c})**2*{APART}**2 <= {push}**2",
        f"pair times 2*{c}",
        roots=f"{c}*{APART} - {push}",
    )
    o.step(
        "both", f"-2*{OWN}*{ITS} <= 2*root**2", "residual; residual of j", roots=f"{OWN} + {ITS}"
    )
    for way, r, sign in (("first", OWN, "-"), ("second", ITS, "")):
        o.step(
            f"{way} cross",
            f"{sign}2*{r}*{UNLIKE} <= 2*root*delta",
            f"{'residual' if way == 'first' else 'residual of j'} times delta/root;"
            "dissimilar times root/delta",
            roots=f"delta*{r} {'+' if sign else '-'} root*{UNLIKE}",
        )
    o.step(
        "push",
        f"{push}**2 <= {ROUGH}**2",
        "residual times lam[j, t]**2; residual of j times lam[i, t]**2; dissimilar;"
        "both times lam[i, t]*lam[j, t]; first cross times lam[j, t]; second cross times lam[i, t]",
    )


def meaned(o: Outline, within: str) -> None:
    """From a step called distance of a pair to one called near, the distance to the server."""
    o.step("part", f"a[j, t]*{APART}**2 <= a[j, t]*{within}", "distance of a pair times a[j, t]")
    o.close(
        "parts",
        f"{_among(f'a[j, t]*{APART}**2')} <= {within}*{_among('a[j, t]')}",
        "telescoped",
        step="part",
        index="j",
        rounds="N",
        of="0",
    )
    o.step("near", f"({LATER} - z[t + 1])**2 <= {within}", f"server; parts; shares times {within}")


def near(o: Outline) -> None:
    """Lemma B.2: no model is further from the server's than sqrt(epsilon) + delta/2."""
    o.step("other above", "1 <= lam[j, t]", f"{ABOVE} at i = j")
    o.step("twice", f"2 <= {CURVE}", f"{ABOVE}; other above")
    o.step("sum", f"lam[i, t] + lam[j, t] <= {CURVE}", f"{ABOVE}; other above")
    o.step("double", f"0 <= 2*{CURVE}", "twice")
    pushed(o)
    o.step("rough", f"{ROUGH} <= {CURVE}*(root + delta/2)", "twice; sum")
    o.step("rough squared", f"{ROUGH}**2 <= ({CURVE})**2*{W}", "rough")
    o.step("distance of a pair", f"{APART}**2 <= {W}", "pair squared; push; rough squared; twice")
    meaned(o, W)


def gradients(o: Outline) -> None:
    """Smoothness between two models of a client."""
    back = {"at": f"e[i] + {LATER}", "to": f"e[i] + {NOW}"}
    o.fact("gradients", "smooth gradients", f="F", L="L[i]", **back)


def bounds(o: Outline) -> None:
    """M_1."""
    o.numbers("positive", "top", "high")
    o.given("lam[i, t] <= high", "L[i] <= top")


def falls(o: Outline) -> None:
    """Smoothness from below, the range of models, and the step of multipliers."""
    o.numbers("positive", "inv[i]", "alpha")
    o.numbers("nonnegative", "U[i, t]", "gam[i]", "R")
    back = {"at": f"e[i] + {LATER}", "to": f"e[i] + {NOW}"}
    o.fact("values", "smooth from below", f="F", L="L[i]", **back)
    o.fact("U below", "relation", less="U[i, t]", more=f"({LATER} - z[t])**2")
    most = f"alpha*(U[i, t] - gam[i])*{MOVED}"
    o.fact("dual step", "condition", less=f"{MOVED}**2", more=most)
    o.given("U[i, t] <= 4*R**2", "1 <= L[i]*inv[i]")


def fall(o: Outline) -> None:
    """Lemma B.1 (ii): how far a model moves, by what its Lagrangian falls by."""
    o.step(
        "along",
        f"2*{OWN}*{MOVE} <= root**2*inv[i] + L[i]*{MOVE}**2",
        "residual times inv[i]; 1 <= L[i]*inv[i]",
        roots=f"{OWN} - L[i]*{MOVE}; {OWN}; {MOVE}",
    )
    o.step(
        "models",
        f"F(e[i] + {LATER}) + lam[i, t]*({LATER} - z[t])**2 + lam[i, t]*{MOVE}**2 "
        f"<= F(e[i] + {NOW}) + lam[i, t]*({NOW} - z[t])**2 + root**2*inv[i]/2 + L[i]*{MOVE}**2",
        "values; along times 1/2",
    )
    excess = "(U[i, t] - gam[i])"
    o.step(
        "multiplier",
        f"{MOVED}*{excess} <= alpha*{excess}**2",
        "dual step",
        roots=f"alpha*{excess} - {MOVED}",
    )
    o.step("squares", f"{excess}**2 <= 16*R**4 + gam[i]**2", "U[i, t] <= 4*R**2")
    o.step(
        "servers",
        f"lam[i, t + 1]*({LATER} - z[t + 1])**2 <= high*({LATER} - z[t + 1])**2",
        "lam[i, t] <= high at t = t + 1",
        roots=f"{LATER} - z[t + 1]",
    )
    o.step("move", f"{MOVE}**2 + L[i]*{MOVE}**2 <= lam[i, t]*{MOVE}**2", ABOVE, roots=MOVE)
    o.step(
        "fall",
        f"{MOVE}**2 + {LAGRANGIAN_LATER} <= {LAGRANGIAN} + {REST} + high*({LATER} - z[t + 1])**2",
        "models; multiplier; squares times alpha; servers; move;U below times lam[i, t]",
    )


def slope_before(o: Outline) -> None:
    """Lemma B.1 (i): the gradient of the Lagrangian by the move."""
    turned = f"({there('i', NOW)} - {there('i', LATER)})"
    o.step(
        "bent",
        f"-4*lam[i, t]*{turned}*{MOVE} <= 4*lam[i, t]*L[i]*{MOVE}**2",
        "gradients times 2*lam[i, t]/L[i]",
        roots=f"L[i]*{MOVE} + {turned}",
    )
    o.step(
        "turned",
        f"({turned} - 2*lam[i, t]*{MOVE})**2 <= (L[i] + 2*lam[i, t])**2*{MOVE}**2",
        "gradients; bent",
    )
    o.step("constants", f"(L[i] + 2*lam[i, t])**2 <= {M}", "L[i] <= top; lam[i, t] <= high")
    o.step("larger", f"(L[i] + 2*lam[i, t])**2*{MOVE}**2 <= {M}*{MOVE}**2", "constants", roots=MOVE)
    o.step(
        "slope before",
        f"{BEFORE}**2 <= 2*{M}*{MOVE}**2 + 2*root**2",
        "turned times 2; larger times 2; residual times 2",
        roots=f"{turned} - 2*lam[i, t]*{MOVE} - {OWN}",
    )
