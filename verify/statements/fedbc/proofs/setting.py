"""Runs of FedBC with any losses: notation, and what every run guarantees.

Client i solves its problem with the server's model z^t and its multiplier, up to a residual; the
multiplier moves by a projected dual step; the server's next model is an average of the models of
the sampled clients.  A sequence of sampled sets is fixed, and has an index of its own: what holds
for each sequence holds in the mean over all.  Losses are told apart by vectors e_i: F at e_i + x
is f_i at x.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bounds import generic as xp
from bounds.fedbc import convergence as closed
from verify.claim.statement import Statement
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.statements.fedbc import lemma_b1, lemma_b2
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.run import measured_with

QUANTITIES = (
    Quantity("t", "index", "round, from 0", "t"),
    Quantity("i", "index", "client, from 0", "i"),
    Quantity("j", "index", "another client, from 0", "j"),
    Quantity("s", "index", "sequence of sampled sets, from 0", r"\mathcal S"),
    Quantity("N", "positive integer", "clients", "N"),
    Quantity("T", "positive integer", "rounds", "T"),
    Quantity("K", "positive integer", "sequences of sampled sets, equally likely", "K"),
    Quantity("L[i]", "positive", "smoothness of the loss of a client", "L_i"),
    Quantity("inv[i]", "positive", "one over it", "1/L_i"),
    Quantity("top", "positive", "the largest of them", "L"),
    Quantity("lam[s, i, t]", "positive", "multiplier", r"\lambda_i^t"),
    Quantity("low", "positive", "lower end of the multipliers", r"\lambda_{\min}"),
    Quantity("high", "positive", "upper end of the multipliers", r"\lambda_{\max}"),
    Quantity("gam[i]", "nonnegative", "tolerance on the squared distance", r"\gamma_i"),
    Quantity("alpha", "positive", "dual step", r"\alpha"),
    Quantity("root", "nonnegative", "largest residual of a local solve", r"\sqrt\epsilon"),
    Quantity("U[s, i, t]", "nonnegative", "squared distance from the server", r"\|x_i^{t+1}-z^t\|^2"),
    Quantity("a[s, j, t]", "nonnegative", "weight of a client in the server's average", r"\lambda_j^{t+1}/\sum_{k\in\mathcal S_t}\lambda_k^{t+1}"),
    Quantity("R", "nonnegative", "diameter of what holds the models", "R"),
    Quantity("half", "positive", "mean of 1/(2 L_i)", r"\tfrac1N\sum_i\tfrac1{2L_i}"),
    Quantity("dual", "nonnegative", "mean of 16 R^4 + gamma_i^2", "G"),
    Quantity("F", "function", "loss of client i at e_i + x", "f_i"),
    Quantity("e[i]", "vector", "tells a client", "e_i", known="0"),
    Quantity("x[s, i, t]", "vector", "model of a client", "x_i^t", known="0"),
    Quantity("z[s, t]", "vector", "model of the server", "z^t", known="0"),
)  # fmt: skip

RESIDUAL = Quantity("res[s, i, t]", "vector", "residual of a local solve, zero where a client waits", "e_i^{t+1}", known="0")  # fmt: skip
DELTA = Quantity("delta", "nonnegative", "dissimilarity of gradients there", r"\delta")

IN_DOMAIN, ABOVE_ONE = (q.in_domain.name,), (q.own_above.name,)


def _at_most(less: str, more: str, scope: str = "", needs: tuple[str, ...] = ()) -> Guaranteed:
    return Guaranteed("condition", {"less": less, "more": more}, needs, scope)


def _related(less: str, more: str, scope: str = "") -> Guaranteed:
    return Guaranteed("relation", {"less": less, "more": more}, scope=scope)


def smooth(rule: str, at: str, to: str) -> Guaranteed:
    """Smoothness of the loss of client i between two points: F is smooth for each client alone."""
    args = {"f": "F", "L": "L[i]", "at": f"e[i] + {at}", "to": f"e[i] + {to}"}
    return Guaranteed(rule, args, scope="L_i-smooth losses")


_SOLVED = "local solves of squared residual at most epsilon"
_DISSIMILAR = "gradients dissimilar up to delta (Assumption 4.3)"
_MOVED = "(lam[s, i, t + 1] - lam[s, i, t])"
FACTS = {
    "from below": smooth("smooth from below", of.LATER, of.NOW),
    "bend": smooth("smooth gradients", of.LATER, of.NOW),
    "apart": smooth("smooth gradients", of.LATER, of.OTHER),
    "to the server": smooth("smooth gradients", of.NOW, of.EARLIER),
    "last values": smooth("smooth", "x[s, i, T]", "z[s, T]"),
    "inverse": _at_most("1", "L[i]*inv[i]"),
    "mean inverse": _related(of.each("inv[i]"), "2*N*half"),
    "dual bound": _related(of.each("16*R**4 + gam[i]**2"), "N*dual"),
    "largest": _at_most("L[i]", "top"),
    "upper end": _at_most("lam[s, i, t]", "high", "projected dual steps", IN_DOMAIN),
    "lower end": _at_most("low", "lam[s, i, t]", "projected dual steps", IN_DOMAIN),
    "above one": _at_most("1 + L[i]", "lam[s, i, t]", "lambda_i^t >= 1 + L_i", ABOVE_ONE),
    "small": _related("res[s, i, t]**2", "root**2", _SOLVED),
    "solved or still": _related(
        f"{of.OWN}*{of.MOVE}",
        f"res[s, i, t]*{of.MOVE}",
        "clients that compute, or keep model and multiplier",
    ),
    "distance": _related("U[s, i, t]", f"({of.LATER} - {of.EARLIER})**2"),
    "diameter": _at_most("U[s, i, t]", "R**2", "models in a set of diameter R"),
    "dual step": _at_most(
        f"{_MOVED}**2",
        f"alpha*(U[s, i, t] - gam[i])*{_MOVED}",
        "projected dual steps",
        IN_DOMAIN,
    ),
}
"""Of every participation: clients outside the sampled set compute too, or wait."""

COMPUTING_FACTS = {
    **FACTS,
    "residual": _related(f"{of.OWN}**2", "root**2", f"{_SOLVED}, by every client"),
}
"""Where every client computes in each round."""

CONSENSUS_FACTS = {
    **COMPUTING_FACTS,
    "server": _related(
        f"{of.FAR}**2",
        of.among(f"a[s, j, t]*{of.APART}**2"),
        "the server's model an average of models",
    ),
    "weights": _related(of.among("a[s, j, t]"), "1"),
    "dissimilar": _related(f"{of.UNLIKE}**2", "delta**2", _DISSIMILAR),
}
"""What is known of two clients, and of the server, where every client computes."""


Taken = Callable[[Any], Any]
"""What is taken over a run, or over a set of points."""


def _half(w: Any) -> Any:
    return xp.mean(1 / (2 * q.stiffness(w)))


def _root(w: Any) -> Any:
    return xp.sqrt(q.tolerance(w))


def _dual(reach: Taken) -> Taken:
    return lambda w: closed.dual_change_upper(reach(w), w.gamma)


NUMBERS: dict[str, Taken] = {
    "root": _root,
    "R": q.reach_of,
    "half": _half,
    "dual": _dual(q.reach_of),
}
PARAMETERS = (
    Term("L[i]", q.stiffness, per="i"),
    Term("gam[i]", lambda w: w.gamma, per="i"),
    Term("top", lambda w: w.beta),
    Term("low", lambda w: w.lambda_min),
    Term("high", lambda w: w.lambda_max),
    Term("alpha", lambda w: w.dual_step),
    Term("root**2", q.tolerance),
    Term("half", _half),
)
FIRST_ROUND = (
    Term("dual", _dual(q.reach_of)),
    Term(of.averaged("(x[s, i, 1] - x[s, i, 0])**2"), q.mean_move),
    Term(of.averaged("(x[s, i, 1] - z[s, 1])**2"), q.spread),
    Term(of.averaged(f"{of.slope('i', '0', '0')}**2"), q.mean_slope_of_lagrangians),
    Term(of.fallen("1"), q.fall),
)


def families(*statements: Statement) -> tuple[Any, ...]:
    """All families of some statements."""
    return tuple(family for one in statements for family in (one.family, *one.also))


ROUND = OutlineSetting(
    "a round of FedBC",
    families(lemma_b1.lemma_ii_traced),
    (*QUANTITIES, RESIDUAL),
    (*PARAMETERS, *FIRST_ROUND),
    FACTS,
    measured_with(NUMBERS),
    {"i": "N", "j": "N", "t": "T", "s": "K"},
)
"""Any participation: models are those of the method."""

COMPUTING = replace(
    ROUND,
    name="a round of FedBC in which every client computes",
    families=families(lemma_b1.lemma_i.leaf("V", "traced"), lemma_b1.lemma_i.leaf("V", "derived")),
    facts=COMPUTING_FACTS,
)

NEAR = Term(f"{of.runs(of.when(of.each(f'{of.FAR}**2')))}/(K*T*N)", q.average_spread)


def _consensus(name: str, statements: tuple[Statement, ...], delta: Taken) -> OutlineSetting:
    """Every client computes, and delta is taken over some set that holds the models."""
    return replace(
        ROUND,
        name=name,
        families=families(*statements),
        quantities=(*QUANTITIES, DELTA),
        terms=(*PARAMETERS, Term("delta", delta), Term("root", _root), NEAR),
        facts=CONSENSUS_FACTS,
        measured=measured_with({**NUMBERS, "delta": delta}),
    )


CONSENSUS = _consensus(
    "FedBC in which every client computes",
    (lemma_b2.lemma_explicit, lemma_b2.lemma_refined),
    q.hull_dissimilarity,
)
CONSENSUS_IN_X = _consensus(
    "FedBC in which every client computes, on a domain X",
    (lemma_b2.lemma_bounded,),
    q.dissimilarity,
)
