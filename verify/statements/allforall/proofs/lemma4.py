"""Lemma 4: stochastic gradient descent on parabolas, in a metric, at a horizon, to a precision.

With a metric A the losses are sum_c a_c h_c x_c^2/2: their gradients are L-Lipschitz, as A is at
most one, and have the PL inequality for mu times the smallest eigenvalue of A, called mu here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bounds import generic as xp
from bounds.allforall import sgd
from verify.outlines.exact import above, below, fractions
from verify.outlines.registry import proof_of
from verify.outlines.setting import Term
from verify.statements.allforall import measured as moments
from verify.statements.allforall.proofs import exponential as by
from verify.statements.allforall.proofs.descents import GAP, Run, number, on_parabola, power
from verify.statements.allforall.proofs.walks import root, side
from verify.statements.allforall.sgd import lemma4 as of

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


# -- Lemma 4.a and 4.b ----------------------------------------------------------------------------
def _metric(w: Any) -> Any:
    """Diagonal of A."""
    one = 0 * w.point[..., 0] + 1
    return moments.per_axis(w, one, w.ratio * one)


def _curves(w: Any) -> Any:
    """Curvatures, those of the metric times those relative to it."""
    one = 0 * w.point[..., 0] + 1
    return _metric(w) * moments.per_axis(w, w.smoothness * one, w.mu * one)


def _start(w: Any) -> Any:
    """f_0."""
    return xp.total(_curves(w) * w.point**2) / 2


def _low(w: Any) -> Any:
    """mu, times the smallest eigenvalue of A."""
    return w.mu * xp.smallest(_metric(w))


def _at_horizon(w: Any) -> tuple[Any, ...]:
    return _start(w), _low(w), w.smoothness, w.variance, w.rounds


def _in_metric(world: Any, eta: Fraction) -> Run:
    mu, smooth = fractions(_low(world))[0], number(world, "smoothness")
    curves = fractions(_curves(world))
    numbers = {
        "L": smooth,
        "mu": mu,
        "eta": eta,
        "spread": number(world, "variance"),
        "left": below(power(-eta * mu)),
    }
    return numbers, curves, fractions(world.point)


def _stepped(world: Any) -> Run:
    return _in_metric(world, number(world, "step_size"))


def _knowing_rounds(world: Any) -> Run:
    args = _at_horizon(world)
    numbers, curves, start = _in_metric(world, below(sgd.horizon_step(*args)))
    gap, rounds = fractions(args[0])[0], world.rounds
    mu, smooth = numbers["mu"], numbers["L"]
    more = {
        "half": above(power(-mu / (2 * smooth))),
        "argument": gap * mu**2 * rounds / (smooth * numbers["spread"]),
        "log": above(sgd.horizon_level(*args)),
    }
    return numbers | more, curves, start


TERMS = (
    Term("L", lambda w: w.smoothness),
    Term("1", lambda w: 0 * w.mu + 1),
    Term("mu", _low),
    Term("2*mu", lambda w: 2 * w.mu * xp.smallest(_metric(w))),
    Term("spread", lambda w: w.variance),
    Term("K", lambda w: w.rounds),
    Term("f(x[0]) - f(star)", _start),
)
IN_METRIC = on_parabola(
    of.lemma4a_repaired,
    (
        *TERMS,
        Term("eta", lambda w: w.step_size),
        Term("f(x[K]) - f(star)", side(of.lemma4a_repaired, "E f(x^T)")),
        Term("left**K", lambda w: xp.exp(-w.step_size * w.mu * xp.smallest(_metric(w)) * w.rounds)),
    ),
    _stepped,
)
AT_HORIZON = on_parabola(
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
def _to_precision(world: Any) -> Run:
    eta, mu, eps = (number(world, name) for name in ("step_size", "mu", "precision"))
    gap = eps * below(power(eta * mu * (world.rounds - number(world, "fraction")))) / 2
    numbers = {
        "L": mu,
        "mu": mu,
        "eta": eta,
        "spread": number(world, "variance"),
        "eps": eps,
        "left": below(power(-eta * mu)),
    }
    return numbers, [mu], [below(root(2 * gap / mu))]


PRECISE = on_parabola(
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
