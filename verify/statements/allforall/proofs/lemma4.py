"""Lemma 4, and sums of Lemma 5: stochastic gradient descent on parabolas of known moments.

With a metric A the losses are sum_c a_c h_c x_c^2/2: their gradients are L-Lipschitz, as A is at
most one, and have the PL inequality for mu times the smallest eigenvalue of A, called mu here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds import generic as xp
from bounds.allforall import sgd
from verify.claim import Statement
from verify.outlines.exact import above, below, fractions
from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.allforall import measured as moments
from verify.statements.allforall.outlines import exponential as by
from verify.statements.allforall.proofs.parabolas import LOOKED_AT, descent
from verify.statements.allforall.proofs.walks import root, side
from verify.statements.allforall.sgd import lemma4 as of
from verify.statements.allforall.sgd import lemmas5_6

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

QUANTITIES = (
    Quantity("t", "index", "round, from 0", "t"),
    Quantity("L", "positive", "smoothness", "L"),
    Quantity("mu", "positive", "PL constant", r"\mu\lambda_{\min}^+(A)"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("spread", "nonnegative", "variance of the noise", r"\sigma^2"),
    Quantity("eps", "positive", "precision", r"\varepsilon"),
    Quantity("K", "positive integer", "rounds", "T"),
    Quantity("left", "positive", "what a round leaves, exp(-eta mu)", r"e^{-\eta\mu}"),
    Quantity("half", "positive", "what one of step 1/(2 L) leaves", r"e^{-\mu/2L}"),
    Quantity("argument", "positive", "what stands under the logarithm"),
    Quantity("log", "nonnegative", "its logarithm"),
    Quantity("x[t]", "vector", "model", "x^t", known="t"),
    Quantity("n[t]", "vector", "noise of its gradient", r"\xi^t", known="t + 1"),
    Quantity("star", "vector", "minimiser", "x^*", known="0"),
    Quantity("f", "function", "loss", "f"),
)
GAP = "(f(x[0]) - f(star))"
FACTS = {
    "rule": Guaranteed("method", {"entry": "x[t + 1]", "is_": "x[t] - eta*(grad(f, x[t]) + n[t])"}),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "variance": Guaranteed("variance", {"noise": "n[t]", "sigma2": "spread"}),
    "smooth": Guaranteed("smooth", {"f": "f", "L": "L", "at": "x[t]", "to": "x[t + 1]"}),
    "steep": Guaranteed(
        "smooth above its infimum", {"f": "f", "L": "L", "at": "x[t]", "low": "f(star)"}
    ),
    "PL": Guaranteed("PL", {"f": "f", "mu": "mu", "at": "x[t]", "low": "f(star)"}),
    "convex": Guaranteed("convex", {"f": "f", "at": "x[t]", "to": "star"}),
    "minimum": Guaranteed("minimiser", {"f": "f", "star": "star", "at": "x[0]"}, scope=""),
    "mu <= L": Guaranteed("condition", {"less": "mu", "more": "L"}, scope=""),
    "eta <= 1/(2*L)": Guaranteed("condition", {"less": "eta", "more": "1/(2*L)"}),
    "tangent": Guaranteed("exponential", {"value": "left", "of": "eta*mu"}),
}


def _known(**said: tuple[str, str]) -> dict[str, Guaranteed]:
    """Further relations between numbers, by what is smaller and what is larger."""
    return {
        name: Guaranteed("relation", {"less": less, "more": more}, scope="")
        for name, (less, more) in said.items()
    }


def _setting(
    statement: Statement, terms: Sequence[Term], run: Any, **said: tuple[str, str]
) -> OutlineSetting:
    def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
        numbers, curves, start = run(world)
        rounds = int(world.rounds)
        unsaid = dict.fromkeys(("mu", "eps", "left", "half", "argument", "log"), Fraction(1))
        values = unsaid | {"K": Fraction(rounds)} | numbers
        nowhere = [Fraction(0)] * len(start)
        made = descent(values, [curves], [nowhere], start, [Fraction(1)], 0)
        return made, {"t": min(rounds, LOOKED_AT)}

    return OutlineSetting(
        "stochastic gradient descent on parabolas",
        (statement.family, *statement.also),
        QUANTITIES,
        terms,
        FACTS | _known(**said),
        measured,
        {"t": "K"},
    )


def _number(world: Any, name: str) -> Fraction:
    return fractions(world.original(name))[0]


def _exp(exponent: Fraction) -> Any:
    return xp.exp(np.array([exponent], dtype=object))


# -- Lemma 4.a and 4.b ----------------------------------------------------------------------------
def _low(w: Any) -> Any:
    """mu, times the smallest eigenvalue of A."""
    return w.mu * of._lowest(w)


def _at_horizon(w: Any) -> tuple[Any, ...]:
    return of._start_gap(w), _low(w), w.smoothness, w.variance, w.rounds


def _in_metric(world: Any, eta: Fraction) -> tuple[dict[str, Any], list[Fraction], list[Fraction]]:
    mu, smooth = fractions(_low(world))[0], _number(world, "smoothness")
    curves = fractions(of._metric(world) * of._relative(world))
    numbers = {
        "L": smooth,
        "mu": mu,
        "eta": eta,
        "spread": _number(world, "variance"),
        "left": below(_exp(-eta * mu)),
    }
    return numbers, curves, fractions(world.point)


def _stepped(world: Any) -> Any:
    return _in_metric(world, _number(world, "step_size"))


def _knowing_rounds(world: Any) -> Any:
    args = _at_horizon(world)
    numbers, curves, start = _in_metric(world, below(sgd.horizon_step(*args)))
    gap, rounds = fractions(args[0])[0], world.rounds
    mu, smooth = numbers["mu"], numbers["L"]
    more = {
        "half": above(_exp(-mu / (2 * smooth))),
        "argument": gap * mu**2 * rounds / (smooth * numbers["spread"]),
        "log": above(sgd.horizon_level(*args)),
    }
    return numbers | more, curves, start


TERMS = (
    Term("L", lambda w: w.smoothness),
    Term("1", lambda w: 0 * w.mu + 1),
    Term("mu", _low),
    Term("2*mu", lambda w: 2 * w.mu * of._lowest(w)),
    Term("spread", lambda w: w.variance),
    Term("K", lambda w: w.rounds),
    Term("f(x[0]) - f(star)", of._start_gap),
)
IN_METRIC = _setting(
    of.lemma4a_repaired,
    (
        *TERMS,
        Term("eta", lambda w: w.step_size),
        Term("f(x[K]) - f(star)", side(of.lemma4a_repaired, "E f(x^T)")),
        Term("left**K", lambda w: xp.exp(-w.step_size * w.mu * of._lowest(w) * w.rounds)),
    ),
    _stepped,
)
AT_HORIZON = _setting(
    of.lemma4b_repaired,
    (
        *TERMS,
        Term("f(x[K]) - f(star)", side(of.lemma4b_repaired, "E f(x^T)")),
        Term("half**K", lambda w: xp.exp(-_low(w) * w.rounds / (2 * w.smoothness))),
        Term("log", lambda w: sgd.horizon_level(*_at_horizon(w))),
        Term("argument - 1", of.low_log_positive.rule),
    ),
    _knowing_rounds,
    long=("eta", "log/(mu*K)"),
    step=("argument*left**K", "argument*half**K + 1"),
    argument=(f"{GAP}*mu**2*K", "argument*L*spread"),
)


def _descended(o: StatementOutline) -> None:
    o.uses("rule", "unbiased", "variance", "smooth", "PL", "minimum", "mu <= L")
    o.uses("eta <= 1/(2*L)", "tangent")
    by.descended(o, "f")


@proof_of(of.lemma4a_repaired, IN_METRIC)
def lemma4a(o: StatementOutline) -> None:
    """The start shrinks by exp(-eta mu) a round, and the noise is a geometric series at most."""
    _descended(o)
    o.step("bound", f"{o.left} <= {o.right}", "rounds at t = K")


@proof_of(of.lemma4b_repaired, AT_HORIZON)
def lemma4b(o: StatementOutline) -> None:
    """The step is the smaller of two: with each of them what is left of the start is small."""
    _descended(o)
    o.uses("step", "argument")
    o.uses("long", called="eta <= log/(mu*K)")
    o.step("gap", f"0 <= {GAP}", "minimum")
    by.balanced(o, GAP, "spread")
    o.step("bound", f"{o.left} <= {o.right}", "rounds at t = K; left of the start; noise")


# -- Lemma 4.c ------------------------------------------------------------------------------------
def _to_precision(world: Any) -> Any:
    eta, mu, eps = (_number(world, name) for name in ("step_size", "mu", "precision"))
    gap = eps * below(_exp(eta * mu * (world.rounds - _number(world, "fraction")))) / 2
    numbers = {
        "L": mu,
        "mu": mu,
        "eta": eta,
        "spread": _number(world, "variance"),
        "eps": eps,
        "left": below(_exp(-eta * mu)),
    }
    return numbers, [mu], [below(root(2 * gap / mu))]


PRECISE = _setting(
    of.lemma4c_repaired,
    (
        Term("eps", lambda w: w.precision),
        Term("f(x[K]) - f(star)", side(of.lemma4c_repaired, "E f(x^T)")),
    ),
    _to_precision,
    enough=(f"left**K*{GAP}", "eps/2"),
    short=("2*L*spread*eta", "mu*eps"),
)


@proof_of(of.lemma4c_repaired, PRECISE)
def lemma4c(o: StatementOutline) -> None:
    """Half of the precision is left of the start, and a quarter is noise."""
    _descended(o)
    o.uses("enough", "short")
    o.step("bound", f"{o.left} <= {o.right}", "rounds at t = K; enough; short times 1/(4*mu)")


# -- Lemma 5 --------------------------------------------------------------------------------------
SUM = next(one for one in lemmas5_6.steps5 if one.key.endswith("/sum"))


def _moves(w: Any) -> tuple[Any, Any, Any, Any]:
    """|x^0 - x^*|^2, its factor in a round, what noise adds, and the rounds."""
    factor = (1 - w.step_size * w.curvature * w.smoothness) ** 2
    return w.start**2, factor, w.step_size**2 * w.variance, w.rounds


def _alone(world: Any) -> Any:
    smooth = _number(world, "smoothness")
    numbers = {
        "L": smooth,
        "eta": _number(world, "step_size"),
        "spread": _number(world, "variance"),
    }
    return numbers, [_number(world, "curvature") * smooth], fractions(world.start)


SUMMED = _setting(
    SUM,
    (
        Term("eta", lambda w: w.step_size),
        Term("spread", lambda w: w.variance),
        Term("K", lambda w: w.rounds),
        Term("Sum(f(x[t]) - f(star), (t, 0, K - 1))", side(SUM, "sum of gaps")),
        Term("(x[K] - star)**2", lambda w: moments.after_rounds(w, *_moves(w))),
        Term("(x[0] - star)**2", lambda w: w.start**2),
    ),
    _alone,
)


@proof_of(SUM, SUMMED)
def lemma5_sum(o: StatementOutline) -> None:
    """Distances telescope."""
    o.uses("rule", "unbiased", "variance", "convex", "steep", "eta <= 1/(2*L)")
    excess = "(f(x[t]) - f(star))"
    o.step("above", f"0 <= {excess}", "steep", roots="grad(f, x[t])")
    o.step("short", f"2*L*eta**2*{excess} <= eta*{excess}", "above; eta <= 1/(2*L)")
    o.step(
        "one step",
        f"(x[t + 1] - star)**2 + eta*{excess} <= (x[t] - star)**2 + eta**2*spread",
        "convex times 2*eta; steep times eta**2; short; variance times eta**2",
    )
    o.close(
        "all steps",
        f"(x[K] - star)**2 + eta*Sum({excess}, (t, 0, K - 1)) <= "
        "(x[0] - star)**2 + K*eta**2*spread",
        "telescoped",
        step="one step",
        index="t",
        rounds="K",
        of="(x[t] - star)**2",
    )
    o.step("bound", f"{o.left} <= {o.right}", "all steps times 1/eta")
