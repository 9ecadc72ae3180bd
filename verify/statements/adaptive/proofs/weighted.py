"""All-for-one with the weights of Definition 1 in every round: notation, and what runs guarantee.

Client i asks, and its loss is counted above its least value.  Weights depend on the model, so what
Definition 1 makes of it is a number for each outcome and round; means over the outcomes are sums.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive import theorem1, theorem2, theorem3
from verify.statements.adaptive.proofs.place import EVERYWHERE, PLACE, in_all
from verify.statements.adaptive.proofs.weighted_run import first_round, measured

__all__ = ["EFFECTIVE", "FIRST_ROUND", "GRADIENTS", "ONE_STEP", "SUFFICIENT", "mean"]

_AT_LEVEL = (
    Quantity(
        "level[o, t]", "positive", "where Definition 2 has twice mu epsilon", r"2\mu\varepsilon"
    ),
    *EVERYWHERE.sufficient(),
)
_CONTRACTION = (
    Quantity("mu", "positive", "constant of the Polyak-Lojasiewicz inequality", r"\mu"),
    Quantity("D[t]", "nonnegative", "what the rounds have added", r"\sum_{s\le t}(1-\eta\mu)^{t-s}\sigma_s^2"),
)  # fmt: skip
_ROUND = (
    Quantity("t", "index", "round, from 0", "t"),
    Quantity("k", "index", "a client, from 0, which asks", "k"),
    Quantity("beta", "positive", "smoothness of the loss", r"\beta"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("u[t]", "nonnegative", "mean weighted square", r"\mathbb E\sum_k\alpha_{ik}^t\|\nabla R_k\|^2"),
    Quantity("F", "function", "loss of the client that asks above its least value", r"\varepsilon_i"),
    Quantity("w[t]", "vector", "its model", r"\theta_i^t", known="t"),
    Quantity("told[t]", "vector", "weighted sum of gradients", r"\sum_k\alpha_{ik}^t\nabla R_k", known="t"),
    Quantity("n[t]", "vector", "weighted sum of noise", r"\sum_k\alpha_{ik}^t\xi_k^t", known="t + 1"),
)  # fmt: skip
_RUN = (
    *_ROUND,
    Quantity("T", "positive integer", "rounds", "T"),
    Quantity("o", "index", "an outcome, from 0", r"\omega"),
    Quantity("R", "positive integer", "outcomes", r"|\Omega|"),
    Quantity("chance[o]", "nonnegative", "probability of an outcome", r"\mathbb P(\omega)"),
    *EVERYWHERE.weights(),
)


def mean(name: str, t: str = "t") -> str:
    """Of a number of each outcome and round."""
    return f"Sum(chance[o]*{name}[o, {t}], (o, 0, R - 1))"


_INDEPENDENT = "independent noises of variance at most sigma_k^2"
_MOVES = {
    "rule": Guaranteed("method", {"entry": "w[t + 1]", "is_": "w[t] - eta*(told[t] + n[t])"}),
    "smooth": Guaranteed("smooth", {"f": "F", "L": "beta", "at": ANY, "to": ANY}),
    "gaps": Guaranteed(
        "weighted gaps in the mean",
        {"own": "grad(F, w[t])", "sum": "told[t]", "squares": "u[t]"},
        scope="weights of Definition 1",
    ),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
}
_FACTS = {
    **_MOVES,
    "variance": in_all("n[t]**2", mean("noise"), _INDEPENDENT),
    **EVERYWHERE.definition1(),
}


def _short(hypothesis: str, scope: str) -> dict[str, Guaranteed]:
    """Steps that are short on every path, by a hypothesis."""
    told = {"sum": "told[t]", "squares": "u[t]", "at_most": "1/(eta*beta)"}
    return {
        "short steps": Guaranteed(
            "weighted sum in the mean", told, needs=(hypothesis,), scope=scope
        ),
        "not too long": Guaranteed(
            "condition", {"less": "eta", "more": "1/mu"}, needs=(hypothesis,), scope=""
        ),
    }


_BY_LIMIT = "steps at most (sigma_phi/sigma_psi)^2/beta"
_ON_EVERY_PATH = _short(q.short_steps.name, _BY_LIMIT)
_BY_FORMULA = _short(
    theorem1.no_longer.name, "steps at most q/beta, which are at most (sigma_phi/sigma_psi)^2/beta"
)


def _contracting(added: str) -> dict[str, Guaranteed]:
    """A loss with the inequality of A5, and what rounds add to it."""
    return {
        "PL": Guaranteed("PL", {"f": "F", "mu": "mu", "at": ANY, "low": "0"}),
        "added": in_all(f"(1 - eta*mu)*D[t] + {added}", "D[t + 1]", ""),
    }


def _contraction(statement: Any) -> tuple[Term, ...]:
    """Terms of a bound after T rounds."""
    return (
        Term("(1 - eta*mu)**T*F(w[0])", lambda w: statement(w)[1]["contraction"]),
        Term("eta**2*beta/2*D[T]", lambda w: statement(w)[1]["noise"], random=True),
    )


_END = Term("F(w[T])", lambda w: q.excess(w, w.rounds), random=True)
_STEP, _BETA = Term("eta", lambda w: w.step_size), Term("beta", lambda w: w.beta)
_START = Term("F(w[0])", lambda w: q.excess(w, 0))
_NAME = "All-for-one with the weights of Definition 1"

EFFECTIVE = OutlineSetting(
    _NAME,
    (theorem1.theorem1.family, *theorem1.theorem1.also),
    (*_RUN, *_CONTRACTION),
    (
        _END,
        *_contraction(theorem1.theorem1),
        Term(
            "(1 - eta*mu)*F(w[T - 1])",
            lambda w: theorem1.recursion(w)[1]["contraction"],
            random=True,
        ),
        Term(
            f"eta**2*beta/2*{mean('eff', 'T - 1')}",
            lambda w: theorem1.recursion(w)[1]["noise"],
            random=True,
        ),
    ),
    _FACTS | _ON_EVERY_PATH | _contracting(mean("eff")),
    measured("eff"),
)
"""The rounds add the effective variances."""

_S2 = theorem1.descent_of_definition1
FIRST_ROUND = replace(
    EFFECTIVE,
    name=f"a round of {_NAME}",
    families=(_S2.family, *_S2.also),
    quantities=(*_ROUND, *PLACE.weights()),
    terms=(
        _STEP,
        _BETA,
        _START,
        Term("F(w[1])", lambda w: q.excess(w, 1), random=True),
        Term("grad(F, w[0])**2", lambda w: q.at_start(w).squared_gradient),
        Term("eff", lambda w: q.at_start(w).effective),
    ),
    facts={
        **_MOVES,
        "variance": Guaranteed(
            "variance", {"noise": "n[0]", "sigma2": "noise"}, scope=_INDEPENDENT
        ),
        **PLACE.definition1(),
        "short steps": _short(_S2.given[0].name, _BY_LIMIT)["short steps"],
    },
    measured=first_round,
)
"""(S2): the first model is no random one."""

ONE_STEP = replace(
    EFFECTIVE,
    name=f"{_NAME} and one step size for every path",
    families=(theorem1.direction.family,),
    terms=(_END, *_contraction(theorem1.direction)),
    facts=_FACTS | _BY_FORMULA | _contracting(mean("noise")),
    measured=measured("noise"),
)
"""The rounds add the variances of the direction."""

SUFFICIENT = replace(
    ONE_STEP,
    quantities=(*_RUN, *_AT_LEVEL, *_CONTRACTION),
    terms=(_END, *_contraction(theorem2.running)),
    facts=_FACTS
    | _BY_FORMULA
    | EVERYWHERE.definition2("the Polyak-Lojasiewicz inequality (A5)")
    | _contracting(mean("suf")),
    measured=measured("suf", "excess"),
)
"""The rounds add the sufficient variances at the running excess losses."""

GRADIENTS = replace(
    ONE_STEP,
    families=(theorem3.smooth.family, theorem3.smooth_pl.family),
    quantities=(*_RUN, *_AT_LEVEL),
    terms=(
        Term(
            "Sum(grad(F, w[t])**2, (t, 0, T - 1))/T",
            lambda w: theorem3.smooth(w)[0]["average squared gradient"],
            random=True,
        ),
        Term("2*F(w[0])/(T*eta)", lambda w: theorem3.smooth(w)[1]["start"]),
        Term(
            f"eta*beta*Sum({mean('suf')}, (t, 0, T - 1))/T",
            lambda w: theorem3.smooth(w)[1]["noise"],
            random=True,
        ),
    ),
    facts=_FACTS
    | EVERYWHERE.definition2("")
    | {
        "short steps": _BY_FORMULA["short steps"],
        "above": Guaranteed("bounded below", {"f": "F", "low": "0", "at": ANY}, scope=""),
    },
    measured=measured("", "own"),
)
"""The level of Definition 2 is the running squared gradient."""
