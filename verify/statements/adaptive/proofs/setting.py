"""All-for-one with the weights of Definition 1, stopped where epsilon is reached.

Client i asks.  Where its excess loss has been below epsilon it stands at its minimiser and is told
nothing more, so that the excess loss of this run is that of All-for-one on the event that epsilon
was not reached before.  Numbers without a round are those at the outcome and round, among those
before epsilon is reached, at which the noise of the sum is largest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.statements.adaptive import corollary1, theorem1, theorem2, theorem3
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive.proofs.place import PLACE, WORST, at_most, in_all
from verify.statements.adaptive.proofs.stopped import measured

__all__ = [
    "ANY_PATH",
    "DECREASING",
    "DECREASING_ON_ANY_PATH",
    "LARGE_GRADIENTS",
    "STOPPED",
]

QUANTITIES = (
    Quantity("t", "index", "round, from 0", "t"),
    Quantity("k", "index", "a client, from 0, which asks", "k"),
    Quantity("beta", "positive", "smoothness of the loss", r"\beta"),
    Quantity("mu", "positive", "constant of the Polyak-Lojasiewicz inequality", r"\mu"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("eps", "positive", "precision", r"\varepsilon"),
    Quantity("T", "nonnegative integer", "rounds", "T"),
    *WORST.weights(),
    *WORST.sufficient(),
    Quantity("u[t]", "nonnegative", "mean weighted square", r"\mathbb E\sum_k\alpha_{ik}^t\|\nabla R_k\|^2"),
    Quantity("F", "function", "loss of the client that asks", "R_i"),
    Quantity("w[t]", "vector", "its model, stopped after round t - 1", r"\theta_i^t", known="t"),
    Quantity("v[t]", "vector", "its model, stopped after round t", r"\theta_i^t", known="t"),
    Quantity("told[t]", "vector", "weighted sum of gradients", r"\sum_k\alpha_{ik}^t\nabla R_k", known="t"),
    Quantity("n[t]", "vector", "weighted sum of noise", r"\sum_k\alpha_{ik}^t\xi_k^t", known="t + 1"),
    Quantity("star", "vector", "minimiser", r"\theta_i^\star", known="0"),
)  # fmt: skip

_SHORT = (q.short_steps.name,)


def _steps(eta: str, needs: tuple[str, ...]) -> dict[str, Guaranteed]:
    """What depends on the step sizes."""
    told = {"sum": "told[t]", "squares": "u[t]", "at_most": f"1/({eta}*beta)"}
    scope = "steps at most (sigma_phi/sigma_psi)^2/beta"
    return {
        "rule": Guaranteed(
            "method", {"entry": "w[t + 1]", "is_": f"v[t] - {eta}*(told[t] + n[t])"}
        ),
        "short steps": Guaranteed("weighted sum in the mean", told, needs, scope),
        "not too long": at_most(eta, "1/mu", "", needs),
    }


FACTS = {
    **_steps("eta", _SHORT),
    **WORST.definition1(),
    **WORST.definition2(""),
    "stopped": Guaranteed(
        "stopped at a minimiser", {"f": "F", "kept": "v[t]", "before": "w[t]", "star": "star"}
    ),
    "smooth": Guaranteed("smooth", {"f": "F", "L": "beta", "at": ANY, "to": ANY}),
    "PL": Guaranteed("PL", {"f": "F", "mu": "mu", "at": ANY, "low": "F(star)"}),
    "minimiser": Guaranteed("minimiser", {"f": "F", "star": "star", "at": ANY}, scope=""),
    "gaps": Guaranteed(
        "weighted gaps in the mean",
        {"own": "grad(F, v[t])", "sum": "told[t]", "squares": "u[t]"},
        scope="weights of Definition 1",
    ),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "variance": Guaranteed(
        "variance",
        {"noise": "n[t]", "sigma2": "noise"},
        scope="independent noises of variance at most sigma_k^2",
    ),
}
_START = Term("F(w[0]) - F(star)", lambda w: q.excess(w, 0))
TERMS = (
    Term("eta", lambda w: w.step_size),
    Term("mu", lambda w: w.mu),
    Term("beta", lambda w: w.beta),
    Term("eps", lambda w: w.precision),
    Term("T", lambda w: w.rounds),
    Term("suf", q.mended_variance),
    _START,
    Term(
        "F(w[T]) - F(star)",
        lambda w: theorem2.stopped_excess(w)["E stopped excess"],
        random=True,
    ),
)

STOPPED = OutlineSetting(
    "All-for-one until epsilon is reached",
    (theorem2.constant_row_repaired.family, *theorem2.constant_row_repaired.also),
    QUANTITIES,
    TERMS,
    FACTS,
    measured,
)

ANY_PATH = replace(
    STOPPED,
    name="All-for-one with one step size for every path, until epsilon is reached",
    families=(theorem2.stopped_constant.family, *theorem2.stopped_constant.also),
    facts=FACTS | _steps("eta", (theorem1.no_longer.name,)),
)

_ROW = theorem2.decreasing_row_repaired
DECREASING = replace(
    STOPPED,
    name="All-for-one with decreasing steps until epsilon is reached",
    families=(_ROW.family, *_ROW.also),
    quantities=(
        *(x for x in QUANTITIES if x.name not in ("eta", "T")),
        Quantity("eta[t]", "positive", "step size", r"\eta_{t+1}"),
        Quantity("C", "positive", "factor of the steps", "C"),
        Quantity("gamma", "nonnegative", "their delay", r"\gamma"),
        Quantity("nu", "nonnegative", "the larger of two", r"\nu"),
        Quantity("T", "positive integer", "rounds", "T"),
    ),
    terms=(
        *(term for term in TERMS if term.formula != "eta"),
        Term("C", lambda w: w.factor),
        Term("nu/(gamma + T)", lambda w: _ROW(w)[1]["max/(gamma + T)"]),
    ),
    facts={
        **FACTS,
        **_steps("eta[t]", _SHORT),
        "steps": Guaranteed("definition", {"entry": "eta[t]", "is_": "C/(mu*(gamma + t + 1))"}),
        "plateau": at_most("beta*suf*C**2/(2*mu**2*(C - 1))", "nu", ""),
        "start": in_all("gamma*(F(w[0]) - F(star))", "nu", ""),
    },
)


def _unreached(w: Any) -> Any:
    return corollary1.unreached(w)[0]["P(not reached)"]


DECREASING_ON_ANY_PATH = replace(
    DECREASING,
    name="All-for-one with decreasing steps that are short on every path, until epsilon is reached",
    families=(theorem2.stopped_decreasing.family, *theorem2.stopped_decreasing.also),
    quantities=(
        *DECREASING.quantities,
        Quantity("P", "nonnegative", "chance that epsilon is not reached", r"\mathbb P(X_i^t\ge\varepsilon\ \forall t\le T)"),
    ),
    terms=(
        *(term for term in DECREASING.terms if not term.formula.startswith("nu")),
        Term("nu/(gamma + T)", theorem2.stopped_bound),
        Term("P", _unreached, random=True),
    ),
    facts={
        **DECREASING.facts,
        **_steps("eta[t]", ()),
        "where it goes on": in_all("eps*P", "F(v[T]) - F(star)", ""),
    },
)  # fmt: skip

_SUM = theorem3.descents_summed_repaired
LARGE_GRADIENTS = replace(
    STOPPED,
    name="All-for-one until a gradient is small",
    families=(_SUM.family, *_SUM.also),
    quantities=(
        *(x for x in QUANTITIES if x.name not in ("mu", "eps", "T")),
        Quantity("level", "positive", "least squared gradient", r"2\mu\varepsilon"),
        Quantity("T", "positive integer", "rounds", "T"),
    ),
    terms=(
        _START,
        Term(
            "Sum(grad(F, v[t])**2, (t, 0, T - 1))/T",
            lambda w: _SUM(w)[0]["average stopped square"],
            random=True,
        ),
        Term("2*(F(w[0]) - F(star))/(T*eta)", lambda w: _SUM(w)[1]["start"]),
        Term("eta*beta*suf", lambda w: _SUM(w)[1]["noise"]),
    ),
    facts={n: f for n, f in FACTS.items() if n not in ("PL", "not too long")}
    | PLACE.definition2(""),
)
