"""Runs of methods on quadratics, and means over their noise, every outcome enumerated."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.known.record import FALSE, TRUE, Kind, Known
from tests.qa.calibration.worlds import (
    DEFINES,
    ONE,
    POSITIVE,
    curvature,
    deviation,
    distance2,
    excess,
    last,
    optimum,
    plain,
    point,
    scale,
    server,
    sgd,
    sigma,
    slope2,
)
from verify.world.world import World

r, n = Kind("run"), Kind("noise")

TWO = {"N": 2, "d": 1, "rounds": 1}
THREE = {"N": 3, "d": 1, "rounds": 1}
ROUNDS = ({**ONE, "rounds": 1}, {**ONE, "rounds": 2}, {**ONE, "rounds": 4})
STEPS = ({**TWO, "local_steps": 1}, {**TWO, "local_steps": 2}, {**TWO, "local_steps": 3})
PLANES = ({**ONE, "d": 1}, {**ONE, "d": 2})


# -- without noise ---------------------------------------------------------------------------------


def _descent(k: int) -> Any:
    def sides(w: World) -> Any:
        fall = w.step_size * (1 - 50 * w.step_size * w.beta / k) * slope2(w, w.start)
        return {"f1": excess(w, server(w)), "fall": fall}, {"f0": excess(w, w.start)}

    return sides


def _contracts(power: int) -> Any:
    def sides(w: World) -> Any:
        kept = (1 - w.step_size * w.mu) ** (power * w.rounds)
        return {"gap^2": distance2(w, server(w))}, {"kept": kept * distance2(w, w.start)}

    return sides


def _local_steps(together: bool) -> Any:
    def sides(w: World) -> Any:
        lam, best, k = w.problem.client_smoothness, w.problem.optimum[..., 0], int(w.local_steps)
        rate = w.step_size[..., None] * lam
        kept = 1 - k * rate if together else (1 - rate) ** k
        own = best + kept * (w.start[..., 0][..., None] - best)
        return {"server": server(w)[..., 0]}, {"mean": xp.mean(own)}

    return sides


def _to_the_mean(weighted: bool) -> Any:
    """One step brings the server nearer to the minimiser of the mean loss, or of the plain mean."""

    def sides(w: World) -> Any:
        lam, best = w.problem.client_smoothness, w.problem.optimum[..., 0]
        weight = lam if weighted else 1 + 0 * lam
        middle = xp.total(weight * best) / xp.total(weight)
        after, before = server(w)[..., 0] - middle, w.start[..., 0] - middle
        return {"after": after**2}, {"before": before**2}

    return sides


def _inside(narrow: bool) -> Any:
    """The server stays between the start and the farthest minimiser."""

    def sides(w: World) -> Any:
        best = w.problem.optimum[..., 0]
        far = xp.largest if not narrow else xp.mean
        most = xp.maximum(w.start[..., 0], far(best))
        return {"server": server(w)[..., 0]}, {"most": most}

    return sides


def _proximal(k: int) -> Any:
    def sides(w: World) -> Any:
        moved = w.pull * xp.squared_norm(server(w) - w.start)
        return {"moved": moved, "2 f1": 2 * excess(w, server(w))}, {
            "2 f0": k * excess(w, w.start) / 100
        }

    return sides


def _proximal_gap(squared: bool) -> Any:
    def sides(w: World) -> Any:
        kept = w.pull / (w.pull + w.mu_of)
        power = 2 if squared else 4
        return {"gap^2": distance2(w, server(w))}, {"kept": kept**power * distance2(w, w.start)}

    return sides


def _first_alone(w: World) -> Any:
    """Only client 0 takes part."""
    clients = w.problem.clients
    return w.array([[[int(i == 0) for i in range(clients)]]])[None]


def _partial(mean: bool) -> Any:
    def sides(w: World) -> Any:
        g = w.problem.gradients(w.start)[..., 0]
        slope = xp.mean(g) if mean else g[..., 0]
        return {"server": server(w)[..., 0]}, {"step": w.start[..., 0] - w.step_size * slope}

    return sides


def _prox(*shapes: Any) -> Any:
    made = tuple({**shape, "local": "argmin"} for shape in shapes)
    return sgd(*made, method="fedprox", law="none", pull=POSITIVE)


PULL = {**DEFINES, "mu": lambda w: w.pull, "mu_of": curvature}
ALONE = {**DEFINES, "participation": _first_alone}

RUNS: tuple[Known, ...] = (
    r.built(
        "descent",
        TRUE,
        "f1 + eta (1 - eta beta/2)|g|^2 <= f0, gradient descent",
        _descent(100),
        plain(*PLANES),
        "The descent lemma.",
    ),
    r.built(
        "descent_more",
        FALSE,
        "f1 + eta (1 - eta beta/2.2)|g|^2 <= f0, gradient descent",
        _descent(110),
        plain(*PLANES),
        "A full step on one curvature: 0 + (1 - 1/2.2) > 1/2.",
        at=point(),
    ),
    r.built(
        "contraction",
        TRUE,
        "|x_T - x*|^2 <= (1 - eta mu)^(2T) |x_0 - x*|^2",
        _contracts(2),
        plain(*ROUNDS),
        "Every factor 1 - eta lambda lies between 0 and 1 - eta mu.",
    ),
    r.built(
        "contraction_more",
        FALSE,
        "|x_T - x*|^2 <= (1 - eta mu)^(3T) |x_0 - x*|^2",
        _contracts(3),
        plain(*ROUNDS),
        "At half a step: 1/4 > 1/8.",
        at=point(step_share="1/2"),
    ),
    r.built(
        "local_steps",
        TRUE,
        "K local steps multiply each gap by (1 - eta lambda)^K, the server averages",
        _local_steps(False),
        plain(*STEPS),
        "Each local step multiplies a client's gap by 1 - eta lambda.",
        relation="==",
    ),
    r.built(
        "local_steps_added",
        FALSE,
        "K local steps are one of K times the length",
        _local_steps(True),
        plain(*STEPS),
        "At K = 2 and full steps on one curvature: 0 and -1.",
        at=point(2),
        shape=STEPS[1],
        relation="==",
    ),
    r.built(
        "nearer",
        TRUE,
        "one step of FedAvg: nearer to the minimiser of the mean loss",
        _to_the_mean(True),
        plain(TWO, THREE),
        "The gap is multiplied by 1 - eta times the mean curvature.",
    ),
    r.built(
        "nearer_the_mean",
        FALSE,
        "one step of FedAvg: nearer to the mean of the minimisers",
        _to_the_mean(False),
        plain(TWO, THREE),
        "Unequal curvatures pull to one side: from the mean itself it moves away.",
        at=point(2, curvature=[[1], [2]], optimum=[[0], [2]], start=[1]),
    ),
    r.built(
        "inside",
        TRUE,
        "one step of FedAvg stays below the larger of start and farthest minimiser",
        _inside(False),
        plain(TWO, THREE),
        "Each local model lies between the start and its own minimiser.",
    ),
    r.built(
        "inside_the_mean",
        FALSE,
        "one step of FedAvg stays below the larger of start and mean minimiser",
        _inside(True),
        plain(TWO, THREE),
        "The steeper client has the larger minimiser: 2/2 * 1/2 * ... > mean.",
        at=point(2, curvature=[[8], ["1/8"]], optimum=[[4], [-4]], start=[0]),
    ),
    r.built(
        "proximal",
        TRUE,
        "FedProx: pull |x1 - x0|^2 + 2 f(x1) <= 2 f(x0)",
        _proximal(200),
        _prox(ONE),
        "x1 minimises f + pull/2 |x - x0|^2.",
        defines=PULL,
    ),
    r.built(
        "proximal_less",
        FALSE,
        "FedProx: pull |x1 - x0|^2 + 2 f(x1) <= f(x0)",
        _proximal(100),
        _prox(ONE),
        "At pull = curvature = 1 from 1: 1/4 + 1/4 = 1/2 = f0 is equality; a stronger pull fails.",
        at=point(pull=3),
        defines=PULL,
    ),
    r.built(
        "proximal_gap",
        TRUE,
        "FedProx: gap^2 <= (pull/(pull + lambda))^2 gap0^2",
        _proximal_gap(True),
        _prox(ONE),
        "The proximal point solves pull (x - x0) + lambda (x - x*) = 0: equality.",
        defines=PULL,
    ),
    r.built(
        "proximal_gap_less",
        FALSE,
        "FedProx: gap^2 <= (pull/(pull + lambda))^4 gap0^2",
        _proximal_gap(False),
        _prox(ONE),
        "At pull = lambda: 1/4 > 1/16.",
        at=point(pull=1),
        defines=PULL,
    ),
    r.built(
        "one_takes_part",
        TRUE,
        "FedAvg with client 0 alone is a gradient step on its loss",
        _partial(False),
        plain(TWO, THREE),
        "The average runs over those who take part.",
        relation="==",
        defines=ALONE,
    ),
    r.built(
        "all_take_part",
        FALSE,
        "FedAvg with client 0 alone is a gradient step on the mean loss",
        _partial(True),
        plain(TWO, THREE),
        "The others do not take part.",
        at=point(2, optimum=[[0], [1]]),
        relation="==",
        defines=ALONE,
    ),
)


# -- means over noise ------------------------------------------------------------------------------


def _mean_descent(k: int) -> Any:
    def sides(w: World) -> Any:
        half = w.step_size**2 * w.beta / 2
        noise = k * half * sigma(w) ** 2 / 100
        fall = (w.step_size - half) * slope2(w, w.start)
        return {"E f1": excess(w, last(w)), "fall": fall}, {
            "f0": excess(w, w.start),
            "noise": noise,
        }

    return sides


def _floor(k: int) -> Any:
    def sides(w: World) -> Any:
        kept = (1 - w.step_size * w.mu) ** w.rounds * distance2(w, w.start)
        noise = k * w.step_size * sigma(w) ** 2 / (100 * w.mu)
        return {"E gap^2": distance2(w, last(w))}, {"kept": kept, "noise": noise}

    return sides


def _biased(away: bool) -> Any:
    def sides(w: World) -> Any:
        x, best = last(w)[..., 0], optimum(w)[..., 0]
        kept = (1 - w.step_size * curvature(w)) ** (w.rounds + away)
        return {"E x - x*": x - best}, {"kept": kept * (w.start[..., 0] - best)}

    return sides


def _pooled(power: int) -> Any:
    def sides(w: World) -> Any:
        x, clients = server(w)[..., 0], w.sigma.shape[-1]
        most = xp.mean(w.noise_scale**2)
        return {"variance": (x - w.mean(x)) ** 2}, {"s^2/N": w.step_size**2 * most / clients**power}

    return sides


def _fourth(k: int) -> Any:
    """The fourth power of the mean deviation against the mean of fourth powers."""

    def sides(w: World) -> Any:
        x = deviation(w)
        return {"(E x^2)^2": k * w.mean(x**2) ** 2 / 100}, {"E x^4": x**4}

    return sides


def _loss_of_mean(turned: bool) -> Any:
    def sides(w: World) -> Any:
        middle = excess(w, w.mean(last(w)))
        after = excess(w, last(w))
        return (
            ({"E f": after}, {"f(E x)": middle}) if turned else ({"f(E x)": middle}, {"E f": after})
        )

    return sides


def _doubled(w: World) -> Any:
    """Twice the step, four times the variance: over the square of the step it stays."""
    return {"variance": deviation(w) ** 2}, {"s^2 eta^2": w.step_size**2 * scale(w) ** 2}


def _once(w: World) -> Any:
    return {"variance": deviation(w) ** 2}, {"s^2 eta": w.step_size * scale(w) ** 2 / w.beta / 2}


NOISE: tuple[Known, ...] = (
    n.built(
        "descent",
        TRUE,
        "E f1 + eta (1 - eta beta/2)|g|^2 <= f0 + eta^2 beta sigma^2/2",
        _mean_descent(100),
        sgd(),
        "The descent lemma in the mean.",
        over="mean",
    ),
    n.built(
        "descent_less",
        FALSE,
        "E f1 + eta (1 - eta beta/2)|g|^2 <= f0 + 0.49 eta^2 beta sigma^2",
        _mean_descent(98),
        sgd(),
        "A full step from the minimiser: 1/2 > 0.49.",
        at=point(start=[0]),
        over="mean",
    ),
    n.built(
        "floor",
        TRUE,
        "E gap_T^2 <= (1 - eta mu)^T gap_0^2 + eta sigma^2/mu",
        _floor(100),
        sgd(*ROUNDS[:2]),
        "(1 - eta mu)^2 <= 1 - eta mu, and the noises add up to at most eta^2 s^2/(eta mu).",
        over="mean",
    ),
    n.built(
        "floor_less",
        FALSE,
        "E gap_T^2 <= (1 - eta mu)^T gap_0^2 + 0.9 eta sigma^2/mu",
        _floor(90),
        sgd(*ROUNDS[:2]),
        "A full step from the minimiser: 1 > 0.9.",
        at=point(start=[0]),
        over="mean",
    ),
    n.built(
        "unbiased",
        TRUE,
        "E x_T - x* = (1 - eta lambda)^T (x_0 - x*)",
        _biased(False),
        sgd(*ROUNDS[:2]),
        "The noise has mean zero.",
        over="mean",
        relation="==",
    ),
    n.built(
        "unbiased_later",
        FALSE,
        "E x_T - x* = (1 - eta lambda)^(T+1) (x_0 - x*)",
        _biased(True),
        sgd(*ROUNDS[:2]),
        "At half a step: 1/2 and 1/4.",
        at=point(step_share="1/2"),
        over="mean",
        relation="==",
    ),
    n.built(
        "pooled",
        TRUE,
        "Var server <= eta^2 mean s_k^2/N",
        _pooled(1),
        sgd(ONE, TWO, THREE, method="fedavg"),
        "N independent noises: equality.",
        over="mean",
    ),
    n.built(
        "pooled_more",
        FALSE,
        "Var server <= eta^2 mean s_k^2/N^2",
        _pooled(2),
        sgd(ONE, TWO, THREE, method="fedavg"),
        "At two clients: 1/2 > 1/4.",
        at=point(2),
        shape=TWO,
        over="mean",
    ),
    n.built(
        "fourth",
        TRUE,
        "(E dev^2)^2 <= E dev^4",
        _fourth(100),
        sgd(),
        "Jensen.",
        over="mean",
    ),
    n.built(
        "fourth_more",
        FALSE,
        "1.01 (E dev^2)^2 <= E dev^4",
        _fourth(101),
        sgd(),
        "A fair sign has equality.",
        at=point(),
        over="mean",
    ),
    n.built(
        "loss_of_mean",
        TRUE,
        "f(E x) <= E f(x)",
        _loss_of_mean(False),
        sgd(),
        "The loss is convex.",
        over="mean",
    ),
    n.built(
        "loss_of_mean_turned",
        FALSE,
        "E f(x) <= f(E x)",
        _loss_of_mean(True),
        sgd(),
        "The loss is strictly convex, and there is noise.",
        at=point(),
        over="mean",
    ),
    n.built(
        "squared_step",
        TRUE,
        "Var x = eta^2 s^2",
        _doubled,
        sgd(),
        "One noise, times eta.",
        over="mean",
        relation="==",
    ),
    n.built(
        "half_step",
        FALSE,
        "Var x <= eta s^2/(2 beta)",
        _once,
        sgd(),
        "At a full step with beta = 1: 1 > 1/2.",
        at=point(),
        over="mean",
    ),
)
