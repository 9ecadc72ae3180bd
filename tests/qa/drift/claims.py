"""Sixty claims that forget client drift, each false at the minimiser of the average.

FedAvg with K >= 2 local steps on unlike parabolas does not stand still at the minimiser of their
average; so whatever a claim allows there must be as large as the drift.  None of these is: each is
false on `broken`, computed by hand, without the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from bounds import generic as xp
from verify import Hypothesis, Real, Statement, quadratics, statement
from verify.world.world import World

STEP = {"step_size": Real(1 / 64, 1 / 2, unit=(-1, 2), log=True)}
SHORT = Hypothesis(
    "short step", r"\eta\le1/\beta", lambda w: 1 - w.step_size * w.beta, where="here"
)

Form = Callable[[World, Any, Any, Any, Any], tuple[dict[str, Any], dict[str, Any]]]
"""World, start, end, minimiser of the average, allowance for noise -> sides."""


def _distance(w: World, start: Any, end: Any, best: Any, noise: Any) -> Any:
    left = {"after": xp.squared_norm(end - best)}
    return left, {"before": xp.squared_norm(start - best), "noise": noise}


def _contracted(w: World, start: Any, end: Any, best: Any, noise: Any) -> Any:
    before = (1 - w.step_size * w.mu / 2) * xp.squared_norm(start - best)
    return {"after": xp.squared_norm(end - best)}, {"before": before, "noise": noise}


def _loss(w: World, start: Any, end: Any, best: Any, noise: Any) -> Any:
    before, after = (xp.mean(w.problem.excess(x)) for x in (start, end))
    return {"after": after}, {"before": before, "noise": w.beta * noise}


def _half(w: World, start: Any, end: Any, best: Any, noise: Any) -> Any:
    halved = xp.squared_norm(end - (start + best) / 2)
    return {"after": halved}, {"before": xp.squared_norm(start - best), "noise": noise}


def _little(w: World, start: Any, end: Any, best: Any, noise: Any) -> Any:
    """A drift term of the right order with a constant that is too small."""
    pull = xp.mean(xp.squared_norm(w.problem.gradients(best)))
    drift = w.step_size**4 * w.beta**2 * pull / 400
    left = {"after": xp.squared_norm(end - best)}
    return left, {"before": xp.squared_norm(start - best), "noise": noise, "drift": drift}


FORMS: dict[str, Form] = {
    "distance": _distance,
    "contracted": _contracted,
    "loss": _loss,
    "half": _half,
    "little": _little,
}


def drawn() -> Iterator[Statement]:
    """All sixty: five forms, 2 to 4 local steps, 1 and 2 rounds, two allowances for noise."""
    for (name, form), steps, rounds, much in product(FORMS.items(), (2, 3, 4), (1, 2), (1, 4)):
        yield _claim(name, form, steps, rounds, much)


def _claim(name: str, form: Form, steps: int, rounds: int, much: int) -> Statement:
    shape = {"d": 1, "rounds": rounds, "local_steps": steps, "method": "fedavg"}

    @statement(
        f"drift.{name}-{steps}-{rounds}-{much}",
        where="here",
        latex="x",
        over="mean",
        family=quadratics(({"N": 2, **shape}, {"N": 3, **shape}), extra=STEP),
        given=[SHORT],
    )
    def sides(w: World) -> Any:
        path = w.run().theta
        noise = much * rounds * (steps * w.step_size) ** 2 * xp.mean(w.sigma2)
        return form(w, path[..., 0, :], path[..., rounds, :], w.problem.mean_optimum, noise)

    return sides


def broken(name: str, steps: int, rounds: int) -> tuple[Fraction, Fraction]:
    """Both sides where curvatures are 1 and 2, minima 0 and 1, eta = 1/4, no noise, start 2/3.

    A claim with more for noise has the same sides there.
    """
    eta, best = Fraction(1, 4), Fraction(2, 3)
    end = best
    for _ in range(rounds):
        first, second = end, end
        for _ in range(steps):
            first, second = first - eta * first, second - eta * 2 * (second - 1)
        end = (first + second) / 2
    apart = (end - best) ** 2
    if name == "loss":  # mean of x^2/2 and (x - 1)^2
        return end**2 / 4 + (end - 1) ** 2 / 2, best**2 / 4 + (best - 1) ** 2 / 2
    if name == "little":
        pull = (best**2 + (2 * (best - 1)) ** 2) / 2
        return apart, eta**4 * 4 * pull / 400
    return apart, Fraction(0)
