r"""Federated methods as worst-case problems: one call builds what a round, or several, can do.

Clients enter alike (:mod:`.clients`), so that any number of them costs what two do.  The minimiser
of the average is x*, heterogeneity the mean of :math:`|\nabla f_i(x^*)|^2`, at most ``spread``, and
the start is within ``radius`` of x* in squared distance.  What is asked for is the squared distance
from x* at the end, or with ``drift`` how much it has grown.
"""

from __future__ import annotations

from verify.worst_case.clients import AlikeClients
from verify.worst_case.function import FunctionClass
from verify.worst_case.points import Expression, Number, SymbolicPoint, rational
from verify.worst_case.problem import ClassProblem
from verify.worst_case.steps import prox

__all__ = ["all_for_one", "fedavg", "fedbc", "fedprox", "scaffold"]


def fedavg(
    kind: FunctionClass,
    *,
    step: Number,
    local_steps: int,
    rounds: int = 1,
    spread: Number = 1,
    radius: Number = 1,
    drift: bool = False,
    variance: Number = 0,
    number: int | None = None,
) -> ClassProblem:
    """Federated averaging: local gradient steps from the server's model, and the mean of the ends.

    Parameters
    ----------
    kind : FunctionClass
        That of each client's loss.
    step : number
        Of local steps, length^2 / loss.
    local_steps, rounds : int
        At least one.
    spread : number
        Bound on the mean squared gradient at x*, (loss / length)^2.
    radius : number
        Bound on the squared distance of the start from x*, length^2.
    drift : bool
        Ask for the growth of the squared distance instead of its end.
    variance : number
        Of independent noise in each gradient; the conditions are necessary only where it is not 0.
    number : int, optional
        Number of clients, at least 2; needed with noise alone, nothing else depends on it.
    """
    p, f, best, x = _begun(kind, spread, radius)
    start = x
    for _ in range(rounds):
        y = x
        for _ in range(local_steps):
            gradient = f.gradient(y)
            if rational(variance):
                if number is None or number < 2:
                    raise ValueError(f"number must be at least 2 with noise, got {number}: give it")
                gradient = gradient + p.noise(variance, number)
            y = y - gradient * step
        x = y.mean()
    _asked(p, best, start, x, drift)
    return p


def fedprox(
    kind: FunctionClass,
    *,
    step: Number,
    rounds: int = 1,
    spread: Number = 1,
    radius: Number = 1,
    drift: bool = False,
) -> ClassProblem:
    """FedProx with exact local solutions: the mean of argmin f_i(y) + |y - x|^2/(2 step).

    Parameters
    ----------
    kind, spread, radius, rounds, drift
        As for `fedavg`.
    step : number
        One over the weight of the proximal term, length^2 / loss.
    """
    p, f, best, x = _begun(kind, spread, radius)
    start = x
    for _ in range(rounds):
        x = prox(f, x, step).x.mean()
    _asked(p, best, start, x, drift)
    return p


def fedbc(
    kind: FunctionClass,
    *,
    step: Number,
    local_steps: int,
    multiplier: Number,
    rounds: int = 1,
    spread: Number = 1,
    radius: Number = 1,
    drift: bool = False,
) -> ClassProblem:
    """FedBC's gradient variant with one constant multiplier: local steps are drawn to the server.

    Parameters
    ----------
    kind, local_steps, rounds, spread, radius, drift
        As for `fedavg`.
    step : number
        Of local steps on f_i + multiplier |y - x|^2, which begin at the server's model x.
    multiplier : number
        lambda, loss / length^2.
    """
    p, f, best, x = _begun(kind, spread, radius)
    start = x
    for _ in range(rounds):
        y = x
        for _ in range(local_steps):
            pull = (y - x) * (2 * rational(multiplier))
            y = y - (f.gradient(y) + pull) * step
        x = y.mean()
    _asked(p, best, start, x, drift)
    return p


def all_for_one(
    kind: FunctionClass,
    *,
    step: Number,
    own: Number,
    rounds: int = 1,
    spread: Number = 1,
    radius: Number = 1,
    drift: bool = False,
) -> ClassProblem:
    """All-for-one with fixed weights: one client's model, moved by its gradient and the others'.

    The others enter alike and share the weight that the client leaves; there are two of them at
    least. Distances are from the minimiser of the client's own loss.

    Parameters
    ----------
    kind, step, rounds, drift
        As for `fedavg`.
    own : number
        Weight of the client's own gradient, between 0 and 1.
    spread : number
        Bound on the squared length of the others' mean gradient at the client's minimiser.
    radius : number
        Bound on the squared distance of the start from it, length^2.
    """
    p = ClassProblem()
    f, others = p.function(kind), p.clients(kind)
    best, x = f.minimiser(origin=True), p.point("x0")
    p.assume((x - best) ** 2 <= radius, "start")
    p.assume(others.gradient(best).mean() ** 2 <= spread, "others at the minimiser")
    start, rest = x, 1 - rational(own)
    for _ in range(rounds):
        x = x - (f.gradient(x) * own + others.gradient(x).mean() * rest) * step
    _asked(p, best, start, x, drift)
    return p


def scaffold(
    kind: FunctionClass,
    *,
    step: Number,
    local_steps: int,
    weight: Number = 1,
    rounds: int = 1,
    drift: bool = False,
) -> ClassProblem:
    r"""SCAFFOLD with all clients: local steps corrected by control variates.

    The potential is :math:`|x - x^*|^2 + w\,\mathrm{mean}_i|c_i - \nabla f_i(x^*)|^2`, at most one
    in the beginning; new control variates are the means of the local gradients (option II), the
    server's is their mean.

    Parameters
    ----------
    kind, step, local_steps, rounds, drift
        As for `fedavg`; of the potential in place of the distance.
    weight : number
        w, (length^2 / loss)^2.
    """
    p = ClassProblem()
    f = p.clients(kind)
    best = f.minimiser(origin=True)
    x, control = p.point("x0"), p.point("c", own=True)

    def potential(x: SymbolicPoint, control: SymbolicPoint) -> Expression:
        away, off = (x - best) ** 2, (control - f.gradient(best)) ** 2
        return away + off.__mul__(weight)

    before = potential(x, control)
    p.assume(before <= 1, "start")
    for _ in range(rounds):
        y, met = x, SymbolicPoint({})
        for _ in range(local_steps):
            gradient = f.gradient(y)
            met = met + gradient / local_steps
            y = y - (gradient - control + control.mean()) * step
        x, control = y.mean(), met
    after = potential(x, control)
    p.maximise(after - before if drift else after)
    return p


# -- private helpers -------------------------------------------------------------------------------


def _begun(
    kind: FunctionClass, spread: Number, radius: Number
) -> tuple[ClassProblem, AlikeClients, SymbolicPoint, SymbolicPoint]:
    """The clients, the minimiser of their average, and a start near it."""
    p = ClassProblem()
    f = p.clients(kind)
    best = f.minimiser(origin=True)
    x = p.point("x0")
    p.assume((x - best) ** 2 <= radius, "start")
    p.assume(f.heterogeneity(best) <= spread, "heterogeneity")
    return p, f, best, x


def _asked(
    p: ClassProblem, best: SymbolicPoint, start: SymbolicPoint, end: SymbolicPoint, drift: bool
) -> None:
    after = (end - best) ** 2
    p.maximise(after - (start - best) ** 2 if drift else after)
