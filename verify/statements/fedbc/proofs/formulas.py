"""What the statements about runs of FedBC speak of, as formulas of outlines."""

from __future__ import annotations

__all__ = [
    "APART",
    "BEFORE",
    "BOTH",
    "EARLIER",
    "FAR",
    "GAP",
    "LAGRANGIAN",
    "LAGRANGIAN_LATER",
    "LATER",
    "MOVE",
    "NOW",
    "OTHER",
    "OWN",
    "SERVER",
    "UNLIKE",
    "among",
    "averaged",
    "each",
    "fallen",
    "lagrangian",
    "runs",
    "slope",
    "there",
    "when",
]


def there(i: str, x: str) -> str:
    """Gradient of f_i at x."""
    return f"grad(F, e[{i}] + {x})"


def each(body: str) -> str:
    """The sum over the clients i."""
    return f"Sum({body}, (i, 0, N - 1))"


def among(body: str) -> str:
    """The sum over the clients j."""
    return f"Sum({body}, (j, 0, N - 1))"


def runs(body: str) -> str:
    """The sum over the sequences of sampled sets."""
    return f"Sum({body}, (s, 0, K - 1))"


def when(body: str) -> str:
    """The sum over the rounds."""
    return f"Sum({body}, (t, 0, T - 1))"


def averaged(body: str) -> str:
    """The mean over the clients and the sequences of sampled sets."""
    return f"{runs(each(body))}/(K*N)"


def lagrangian(t: str) -> str:
    """L_i at the models of round t."""
    near = f"((x[s, i, {t}] - z[s, {t}])**2 - gam[i])"
    return f"(F(e[i] + x[s, i, {t}]) + lam[s, i, {t}]*{near})"


def fallen(t: str) -> str:
    """Mean of L_i^0 - L_i^t."""
    return averaged(f"({lagrangian('0')} - {lagrangian(t)})")


def slope(i: str, before: str, t: str) -> str:
    """Gradient of L_i at its model of one round, with the server and multiplier of another."""
    model = f"x[s, {i}, {before}]"
    return f"({there(i, model)} + 2*lam[s, {i}, {t}]*({model} - z[s, {t}]))"


NOW, LATER, OTHER = "x[s, i, t]", "x[s, i, t + 1]", "x[s, j, t + 1]"
EARLIER, SERVER = "z[s, t]", "z[s, t + 1]"
MOVE, APART = f"({LATER} - {NOW})", f"({LATER} - {OTHER})"
BEFORE = slope("i", "t", "t")
"""Gradient of the Lagrangian before the round."""
OWN, BOTH = slope("i", "t + 1", "t"), slope("j", "t + 1", "t")
"""Its residual after the local solve, and that of another client."""
UNLIKE = f"(lam[s, j, t]*{there('i', OTHER)} - lam[s, i, t]*{there('j', OTHER)})"
"""What Assumption 4.3 bounds, at the model of the other."""
LAGRANGIAN, LAGRANGIAN_LATER = lagrangian("t"), lagrangian("t + 1")
FAR = f"({LATER} - {SERVER})"
"""x_i^{t+1} - z^{t+1}."""
GAP = f"({NOW} - {EARLIER})"
"""x_i^t - z^t."""
