"""Generalised FedAvg with local steps: notation, and what each run guarantees.

At iteration t a client is drawn by the weights of its round: what is said of clients is in the mean
over outcomes and over that draw.  Its local models since the round began are v[t, 0], v[t, 1], ...:
P[t] + 1 steps, or one of length zero where the round begins with t, and none after those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verify.outlines.exact import fractions
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation import theorem
from verify.statements.aggregation.proofs.run import LocalRun

QUANTITIES = (
    Quantity("t", "index", "iteration, from 0", "t"),
    Quantity("j", "index", "local step of the round, from 0", "j"),
    Quantity("L", "positive", "smoothness of every loss", "L"),
    Quantity("mu", "positive", "strong convexity of every loss", r"\mu"),
    Quantity("G2", "nonnegative", "second moment of a gradient, at most", "G^2"),
    Quantity("s2", "nonnegative", "variance of a gradient, at most", r"\sigma^2"),
    Quantity("gam", "nonnegative", "heterogeneity", r"\Gamma"),
    Quantity("low", "nonnegative", "at most every rho(t, w_t)", r"\overline\rho"),
    Quantity("high", "nonnegative", "at least every rho(t, w*)", r"\tilde\rho"),
    Quantity("E", "positive integer", "local steps of a round", "E"),
    Quantity("A", "nonnegative integer", "the iteration that is looked at", "t"),
    Quantity("P[t]", "nonnegative integer", "local steps of its round before, but the first", ""),
    Quantity("eta[t]", "positive", "step size", r"\eta_t"),
    Quantity("es[t, j]", "nonnegative", "step sizes of its round before", r"\eta_s"),
    Quantity("top[t]", "nonnegative", "the largest of them", r"\max_s\eta_s"),
    Quantity("own[t]", "nonnegative", "losses at the local models", r"\mathbb E\sum\alpha_t^i(F_i(w_t^i)-F_i^\star)"),
    Quantity("here[t]", "nonnegative", "losses at w_t", r"\mathbb E\sum\alpha_t^i(F_i(w_t)-F_i^\star)"),
    Quantity("ideal[t]", "nonnegative", "losses at w*", r"\mathbb E\sum\alpha_t^i(F_i(w^\star)-F_i^\star)"),
    Quantity("squares[t]", "nonnegative", "variances by the squares of weights", r"\mathbb E\sum(\alpha_t^i)^2\sigma_i^2"),
    Quantity("rise[t]", "nonnegative", "excess loss", r"\mathbb E F(w_t)-F^\star"),
    Quantity("star", "vector", "minimiser of F", r"w^\star", known="0"),
    Quantity("w[t]", "vector", "virtual average", "w_t", known="t"),
    Quantity("n[t]", "vector", "noise of the mean direction", r"\sum\alpha_t^i(g_i-\nabla F_i)(w_t^i)", known="t + 1"),
    Quantity("s[t]", "vector", "the model with which its round began", r"w_r", known="t"),
    Quantity("v[t, j]", "vector", "local model after so many steps", r"w_s^i", known="t", shared=False),
    Quantity("u[t, j]", "vector", "what the client was told there", r"g_i(w_s^i)", known="t", shared=False),
    Quantity("c[t]", "vector", "local model", r"w_t^i", known="t", shared=False),
    Quantity("k[t]", "vector", "gradient there", r"\nabla F_i(w_t^i)", known="t", shared=False),
    Quantity("g[t]", "vector", "gradient where its round began", r"\nabla F_i(w_r)", known="t", shared=False),
    Quantity("o[t]", "vector", "minimiser of the client", r"w_i^\star", known="t", shared=False),
)  # fmt: skip

_HALVING = (q.halving.name,)
A1, A2 = "L-smooth losses (A1)", "mu-strongly convex losses (A2)"
A3, A4 = "noise of variance at most sigma^2 (A3)", "gradients of second moment at most G^2 along the run (A4)"  # fmt: skip


def in_mean(less: str, more: str, scope: str = "", needs: tuple[str, ...] = ()) -> Guaranteed:
    """An inequality of means."""
    return Guaranteed("relation", {"less": less, "more": more}, needs, scope)


def of_numbers(less: str, more: str, scope: str = "", needs: tuple[str, ...] = ()) -> Guaranteed:
    """An inequality of numbers."""
    return Guaranteed("condition", {"less": less, "more": more}, needs, scope)


def _method(entry: str, is_: str) -> Guaranteed:
    return Guaranteed("method", {"entry": entry, "is_": is_}, scope="")


FACTS = {
    "rule": _method("w[t + 1]", "w[t] - eta[t]*(avg(k[t]) + n[t])"),
    "sent": _method("v[t, 0]", "s[t]"),
    "local steps": _method("v[t, j + 1]", "v[t, j] - es[t, j]*u[t, j]"),
    "local models": _method("c[t]", "w[t] + v[t, P[t] + 1] - avg(v[t, P[t] + 1])"),
    "gone": in_mean("(c[t] - s[t])**2", "(v[t, P[t] + 1] - s[t])**2"),
    "longest": of_numbers("es[t, j]", "top[t]"),
    "steps of a round": of_numbers("(P[t] + 1)*top[t]", "(E - 1)*top[t]"),
    "halving": of_numbers("top[t]", "2*eta[t]", "steps that at most halve within a round", _HALVING),
    "unbiased": Guaranteed(
        "unbiased",
        {"noise": "n[t]", "given": "t"},
        scope="unbiased gradients, weights of a round that see none of its noise",
    ),
    "told": in_mean("u[t, j]**2", "G2", A4),
    "direction": in_mean("(avg(k[t]) + n[t])**2", "G2", A4),
    "variance": in_mean("n[t]**2", "s2", A3),
    "variance of independent": in_mean("n[t]**2", "squares[t]", "clients that draw independently"),
    "smooth": in_mean(
        "here[t]", "own[t] + k[t]*(w[t] - c[t]) + L/2*(w[t] - c[t])**2", A1
    ),
    "strong": in_mean("own[t] + k[t]*(star - c[t]) + mu/2*(star - c[t])**2", "ideal[t]", A2),
    "domination": in_mean("k[t]**2", "2*L*own[t]", A1),
    "growth": in_mean("mu/2*(w[t] - star)**2", "rise[t]", A2),
    "smooth mean": in_mean("rise[t]", "L/2*(w[t] - star)**2", A1),
    "rho-bar": in_mean("low*(rise[t] + gam)", "here[t]", "rho at least rho-bar at every w_t"),
    "rho-tilde": in_mean("ideal[t]", "high*gam", "rho at most rho-tilde at w*"),
}  # fmt: skip

CONSTANTS = (
    Term("L", lambda w: w.beta),
    Term("mu", lambda w: w.mu),
    Term("G2", lambda w: w.G2),
    Term("s2", lambda w: w.sigma2_max),
    Term("gam", lambda w: w.gap),
    Term("low", lambda w: w.low),
    Term("high", lambda w: w.high),
    Term("E", lambda w: w.local_steps),
    Term("eta[t]", lambda w: w.step_sizes, per="t"),
)
ITERATION = (
    Term("A", lambda w: w.at),
    Term("eta[A]", q.step),
    Term("w[A] - star", lambda w: q.point(w, w.at) - q.best(w), per="d", random=True),
    Term("w[A + 1] - star", lambda w: q.point(w, w.at + 1) - q.best(w), per="d", random=True),
    Term("(c[A] - w[A])**2", q.spread, random=True),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world as outlines see it."""
    return LocalRun(world, int(world.at)).whole(constants(world))


NAMES = {
    "L": "beta",
    "mu": "mu",
    "G2": "G2",
    "s2": "sigma2_max",
    "gam": "gap",
    "low": "low",
    "high": "high",
}


def constants(world: Any) -> dict[str, Any]:
    """Numbers of a statement; one in place of those that it does not speak of."""
    return {n: fractions(world.original(s))[0] if world.has(s) else 1 for n, s in NAMES.items()}


ONE = OutlineSetting(
    "generalised FedAvg, one iteration",
    (theorem.repaired.family, theorem.descent.family, theorem.lemma2_repaired.family),
    QUANTITIES,
    (*CONSTANTS, *ITERATION),
    FACTS,
    measured,
)
