"""All-for-one with the weights of Definition 1, stopped where the excess loss is below epsilon.

Client i asks.  Where its excess loss has been below epsilon it stands at its minimiser and is told
nothing more, so that the excess loss of this run is that of All-for-one on the event that epsilon
was not reached before.  Numbers without a round are those at the outcome and round, among those
before epsilon is reached, at which the noise of the sum is largest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive import theorem1, theorem2
from verify.statements.adaptive.proofs.stopped import Stopped

QUANTITIES = (
    Quantity("t", "index", "round, from 0", "t"),
    Quantity("k", "index", "a client but the one that asks, from 0", "k"),
    Quantity("beta", "positive", "smoothness of the loss", r"\beta"),
    Quantity("mu", "positive", "constant of the Polyak-Lojasiewicz inequality", r"\mu"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("eps", "positive", "precision", r"\varepsilon"),
    Quantity("T", "nonnegative integer", "rounds", "T"),
    Quantity("N", "nonnegative integer", "clients but the one that asks", "N-1"),
    Quantity("s2", "positive", "stated variance of the client that asks", r"\sigma_i^2"),
    Quantity("i2[k]", "positive", "one over the stated variance", r"\sigma_k^{-2}"),
    Quantity("b2[k]", "nonnegative", "bias of A3, squared", "b_{ik}^2"),
    Quantity("c[k]", "nonnegative", "slope of A3", "c_{ik}"),
    Quantity("rs[k]", "nonnegative", "ratio of Definition 2, with the square", r"r_{ik}(\varepsilon)"),
    Quantity("phis[k]", "nonnegative", "phi of it", r"\phi(r_{ik}(\varepsilon))"),
    Quantity("top", "positive", "phi of 1", r"\phi(1)"),
    Quantity("suf", "positive", "sufficient variance", r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)"),
    Quantity("own", "positive", "squared gradient", r"\|\nabla R_i\|^2"),
    Quantity("gap[k]", "nonnegative", "squared gap of gradients", r"\Delta_k^2"),
    Quantity("r[k]", "nonnegative", "similarity ratio", "r_{ik}"),
    Quantity("phi[k]", "nonnegative", "phi of it", r"\phi(r_{ik})"),
    Quantity("q[k]", "nonnegative", "slope of phi between both ratios", "q_k"),
    Quantity("eff", "positive", "effective variance", r"\sigma_{i,\mathrm{eff}}^2"),
    Quantity("noise", "nonnegative", "largest variance of the sum", r"\sum_k(\alpha_{ik}\sigma_k)^2"),
    Quantity("u[t]", "nonnegative", "mean weighted square", r"\mathbb E\sum_k\alpha_{ik}^t\|\nabla R_k\|^2"),
    Quantity("F", "function", "loss of the client that asks", "R_i"),
    Quantity("w[t]", "vector", "its model, stopped after round t - 1", r"\theta_i^t", known="t"),
    Quantity("v[t]", "vector", "its model, stopped after round t", r"\theta_i^t", known="t"),
    Quantity("told[t]", "vector", "weighted sum of gradients", r"\sum_k\alpha_{ik}^t\nabla R_k", known="t"),
    Quantity("n[t]", "vector", "weighted sum of noise", r"\sum_k\alpha_{ik}^t\xi_k^t", known="t + 1"),
    Quantity("star", "vector", "minimiser", r"\theta_i^\star", known="0"),
)  # fmt: skip

_SHORT = (q.short_steps.name,)
_LEAST = "(1 - b2[k]/(2*mu*eps) - c[k])"


def _at_most(less: str, more: str, scope: str) -> Guaranteed:
    return Guaranteed("condition", {"less": less, "more": more}, scope=scope)


def _in_all(less: str, more: str, scope: str) -> Guaranteed:
    return Guaranteed("relation", {"less": less, "more": more}, scope=scope)


_A3 = "similarity |grad R_k - grad R_i|^2 <= b^2 + c |grad R_i|^2 (A3)"
_PHI = "any phi that does not fall and is at most its argument"
_DEF1, _DEF2 = "weights of Definition 1", "the sufficient variance of Definition 2 with b^2"
FACTS = {
    "rule": Guaranteed("method", {"entry": "w[t + 1]", "is_": "v[t] - eta*(told[t] + n[t])"}),
    "stopped": Guaranteed(
        "stopped at a minimiser", {"f": "F", "kept": "v[t]", "before": "w[t]", "star": "star"}
    ),
    "smooth": Guaranteed("smooth", {"f": "F", "L": "beta", "at": ANY, "to": ANY}),
    "PL": Guaranteed("PL", {"f": "F", "mu": "mu", "at": ANY, "low": "F(star)"}),
    "gaps": Guaranteed(
        "weighted gaps in the mean",
        {"own": "grad(F, v[t])", "sum": "told[t]", "squares": "u[t]"},
        scope=_DEF1,
    ),
    "short steps": Guaranteed(
        "weighted sum in the mean",
        {"sum": "told[t]", "squares": "u[t]", "at_most": "1/(eta*beta)"},
        needs=_SHORT,
        scope="steps at most (sigma_phi/sigma_psi)^2/beta",
    ),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "variance": Guaranteed(
        "variance",
        {"noise": "n[t]", "sigma2": "noise"},
        scope="independent noises of variance at most sigma_k^2",
    ),
    "weights": _in_all(
        "noise", "eff**2*top**2/s2 + eff**2*Sum(phi[k]**2*i2[k], (k, 0, N - 1))", _DEF1
    ),
    "effective": _in_all("eff*(top/s2 + Sum(r[k]*phi[k]*i2[k], (k, 0, N - 1)))", "1", _DEF1),
    "sufficient": _in_all("1", "suf*(top/s2 + Sum(rs[k]*phis[k]*i2[k], (k, 0, N - 1)))", _DEF2),
    "phi of 1": _at_most("top", "1", _PHI),
    "phi": _at_most("phi[k]", "r[k]", _PHI),
    "not reached": _at_most("2*mu*eps", "own", ""),
    "similar": _at_most("gap[k]", "b2[k] + c[k]*own", _A3),
    "ratio": _at_most("1 - gap[k]/own", "r[k]", _DEF1),
    "sufficient ratio": _at_most("rs[k]**2", f"rs[k]*{_LEAST}", _DEF2),
    "phi of it": _at_most("rs[k]*phis[k]", f"phis[k]*{_LEAST}", _DEF2),
    "phi rises": _at_most("phis[k] + q[k]*(r[k] - rs[k])", "phi[k]", _PHI),
}
TERMS = (
    Term("eta", lambda w: w.step_size),
    Term("mu", lambda w: w.mu),
    Term("beta", lambda w: w.beta),
    Term("eps", lambda w: w.precision),
    Term("T", lambda w: w.rounds),
    Term("suf", q.mended_variance),
    Term("F(w[0]) - F(star)", lambda w: q.excess(w, 0)),
    Term(
        "F(w[T]) - F(star)",
        lambda w: theorem2.stopped_excess(w)["E stopped excess"],
        random=True,
    ),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The stopped run of a world as outlines see it."""
    run = Stopped(world)
    worst, others = run.worst(), range(1, run.clients)
    rs, phis = run.sufficient()
    numbers: dict[str, Any] = {
        **{n: run.one(n) for n in ("mu", "beta")},
        "eps": run.one("precision"),
        "T": run.rounds,
        "N": run.clients - 1,
        "s2": run.sigma2[0],
        "top": run.phi([Fraction(1)] * run.clients)[0],
        "suf": run.single(q.mended_variance(world)),
        "own": worst.own,
        "eff": worst.effective,
        "noise": max((run.spread(t) for t in range(run.rounds)), default=Fraction(0)),
        "i2": [1 / run.sigma2[k] for k in others],
        "b2": [run.bias[k] for k in others],
        "c": [run.slope[k] for k in others],
        "rs": [rs[k] for k in others],
        "phis": [phis[k] for k in others],
        "gap": [worst.gap[k] for k in others],
        "r": [worst.ratio[k] for k in others],
        "phi": [worst.phi[k] for k in others],
        "q": [_slope(rs[k], worst.ratio[k], phis[k], worst.phi[k]) for k in others],
        "u": [run.squares(t) for t in range(run.rounds)],
    }
    if world.has("step_sizes"):
        factor = run.one("factor")
        delay = factor / (numbers["mu"] * run.steps[0]) - 1
        level = numbers["beta"] * numbers["suf"] * factor**2
        plateau = level / (2 * numbers["mu"] ** 2 * (factor - 1))
        start = run.single(q.excess(world, 0)) if run.rounds else Fraction(0)
        numbers |= {"C": factor, "gamma": delay, "nu": max(plateau, delay * start)}
    numbers["eta"] = run.steps if world.has("step_sizes") else run.steps[0]
    known = run.known_points()
    zero = tuple(Fraction(0) for _ in run.star)
    return ExactRun(
        run.chances,
        numbers={name: _entry(value) for name, value in numbers.items()},
        vectors={
            "star": lambda _, o, i: run.star,
            "w": lambda _, o, i, t: run.model(t, o, t) if t <= run.rounds else zero,
            "v": lambda _, o, i, t: run.model(t, o, t + 1) if t < run.rounds else zero,
            "told": lambda _, o, i, t: run.told(t, o) if t < run.rounds else zero,
            "n": lambda _, o, i, t: run.noise(t, o) if t < run.rounds else zero,
        },
        functions={
            "F": (
                lambda i, x: known.get(x, (Fraction(0), zero))[0],
                lambda i, x: known.get(x, (Fraction(0), zero))[1],
            )
        },
    ), {"t": run.rounds, "k": run.clients - 1}


def _slope(start: Fraction, end: Fraction, low: Fraction, high: Fraction) -> Fraction:
    return Fraction(0) if start == end else (high - low) / (end - start)


def _entry(value: Any) -> Any:
    if not isinstance(value, list):
        return lambda *_: Fraction(value)
    return lambda place: value[place] if place < len(value) else Fraction(0)


STOPPED = OutlineSetting(
    "All-for-one until epsilon is reached",
    (theorem2.constant_row_repaired.family, *theorem2.constant_row_repaired.also),
    QUANTITIES,
    TERMS,
    FACTS,
    measured,
)

__all__ = ["STOPPED"]

_DECREASING = theorem2.decreasing_row_repaired
DECREASING = replace(
    STOPPED,
    name="All-for-one with decreasing steps until epsilon is reached",
    families=(_DECREASING.family, *_DECREASING.also),
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
        Term("nu/(gamma + T)", lambda w: theorem2.decreasing_row_repaired(w)[1]["max/(gamma + T)"]),
    ),
    facts={
        **FACTS,
        "rule": Guaranteed(
            "method", {"entry": "w[t + 1]", "is_": "v[t] - eta[t]*(told[t] + n[t])"}
        ),
        "short steps": replace(
            FACTS["short steps"],
            args={"sum": "told[t]", "squares": "u[t]", "at_most": "1/(eta[t]*beta)"},
        ),
        "steps": Guaranteed("definition", {"entry": "eta[t]", "is_": "C/(mu*(gamma + t + 1))"}),
        "not too long": Guaranteed(
            "condition", {"less": "eta[t]", "more": "1/mu"}, needs=_SHORT, scope=""
        ),
        "plateau": _at_most("beta*suf*C**2/(2*mu**2*(C - 1))", "nu", ""),
        "start": _in_all("gamma*(F(w[0]) - F(star))", "nu", ""),
    },
)


def _elsewhere(
    setting: OutlineSetting, name: str, statement: Any, terms: Any, needs: tuple[str, ...]
) -> OutlineSetting:
    """The same for steps that are short on every path where some hypotheses hold."""
    facts = {
        **setting.facts,
        "short steps": replace(setting.facts["short steps"], needs=needs),
        "not too long": Guaranteed(
            "condition", {"less": _step(setting), "more": "1/mu"}, needs=needs, scope=""
        ),
    }
    families = (statement.family, *statement.also)
    return replace(setting, name=name, families=families, facts=facts, terms=terms)


def _step(setting: OutlineSetting) -> str:
    return next(x.name for x in setting.quantities if x.name.startswith("eta"))


ANY_PATH = _elsewhere(
    STOPPED,
    "All-for-one with one step size for every path, until epsilon is reached",
    theorem2.stopped_constant,
    TERMS,
    (theorem1.no_longer.name,),
)
DECREASING_ON_ANY_PATH = _elsewhere(
    DECREASING,
    "All-for-one with decreasing steps that are short on every path, until epsilon is reached",
    theorem2.stopped_decreasing,
    (
        *(term for term in DECREASING.terms if not term.formula.startswith("nu")),
        Term("nu/(gamma + T)", theorem2.stopped_bound),
    ),
    (),
)
