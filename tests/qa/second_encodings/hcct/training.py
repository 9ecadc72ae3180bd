"""Second encodings of "How to Collaborate", its convergence: Theorem 2 and Corollary 1.

Worlds are parabolas J_i = c_i (w - o_i)^2 / 2 on the line with a list of groups per epoch; every
epoch is one gradient of each client (Q = 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bounds import generic as xp
from tests.qa.second_encodings.record import Second

Margins = dict[str, Callable[[Any], Any]]


# -- groups --------------------------------------------------------------------------------------


def partitions(schedule: str) -> list[list[list[int]]]:
    """Groups of every epoch: "02|1*8" is eight epochs with the groups {0, 2} and {1}."""
    found: list[list[list[int]]] = []
    for word in schedule.split():
        groups, _, often = word.partition("*")
        once = [[int(c) for c in group] for group in groups.split("|")]
        found += [once] * int(often or 1)
    return found


def group_of(i: int, groups: list[list[int]]) -> list[int]:
    """G_i."""
    return next(group for group in groups if i in group)


def together(groups: list[list[int]], size: Any, values: list[Any]) -> list[Any]:
    """sum_{j in G_i} a_j values_j for every client i, a_j = D_j / D_{G_i}."""
    means = []
    for i in range(len(values)):
        group = group_of(i, groups)
        whole = sum(size[..., j] for j in group)
        means.append(sum(size[..., j] / whole * values[j] for j in group))
    return means


# -- Theorem 2 -------------------------------------------------------------------------------------


class Training:
    """Algorithm 1 with exact gradients and a prescribed list of groups; with `own_models`, nobody
    is averaged and everybody moves by the group's gradients, as the proof of (39) has it."""

    def __init__(self, w: Any) -> None:
        self.groups, n = partitions(w.schedule), int(w.N)
        self.T, self.N = len(self.groups), n
        first = w.start if w.start.ndim > w.curvature.ndim else w.start[..., None]
        models = [first[..., i if first.shape[-1] > 1 else 0] + 0 * w.curvature for i in range(n)]
        self.slopes, self.first = [], models
        for groups in self.groups:
            self.slopes.append([_slope(w, i, models[i]) for i in range(n)])
            own = w.has("own_models")
            averaged = models if own else together(groups, w.size, models)  # line 16
            steps = [_slope(w, i, averaged[i]) for i in range(n)]
            pulled = together(groups, w.size, steps)
            models = [x - w.step_size * g for x, g in zip(averaged, pulled, strict=True)]


def _slope(w: Any, i: int, place: Any) -> Any:
    return w.curvature * (place - w.optimum[..., i])


def dissimilar(w: Any, groups: list[list[int]]) -> Any:
    """sum_i sum_{j in G_i} a_j kappa_ij^2; kappa_ij: distance of the gradients plus slack."""
    total = 0 * w.curvature
    for i in range(int(w.N)):
        squares = []
        for j in range(int(w.N)):
            gap = w.curvature * xp.absolute(w.optimum[..., i] - w.optimum[..., j])
            squares.append((gap + w.slack) ** 2)
        total = total + together(groups, w.size, squares)[i]
    return total


def _theorem(w: Any) -> tuple[Any, dict[str, Any]]:
    """Left side of (26) and its sums S_1 to S_4, the last two of them split, not yet divided."""
    made, eta, bound = w.once(Training), w.step_size, w.curvature
    similar = [dissimilar(w, groups) for groups in made.groups]
    left, second, third, fourth, fifth, before, spread = (0 * eta for _ in range(7))
    for t in range(made.T):
        left = left + eta * sum(g**2 for g in made.slopes[t])
        second = second + eta * similar[t]
        third = third + eta * bound**2 * before
        fourth = fourth + bound * eta**2 * made.N * w.sigma**2
        fifth = fifth + eta * bound**2 * made.N * spread * w.sigma**2
        before, spread = before + eta**2 * similar[t], spread + eta**2
    gaps = [bound * (x - w.optimum[..., i]) ** 2 / 2 for i, x in enumerate(made.first)]
    sums = {"S1": sum(gaps), "S2": second, "S3": third, "S4, one": fourth, "S4, two": fifth}
    return {"gradients": left / (made.T * eta)}, {**sums, "xi": made.T * eta}


def theorem2(w: Any) -> Any:
    """(26): the last sum is not divided by xi_T, as printed."""
    left, s = _theorem(w)
    return left, {
        "start": 2 * s["S1"] / s["xi"],
        "similarity": 2 * s["S2"] / s["xi"],
        "drift": 2 * s["S3"] / s["xi"],
        "noise": s["S4, one"] / s["xi"],
        "carried noise": 4 * s["S4, two"] / (s["xi"] if w.has("averaged_sum") else w.array(1)),
    }


def recalled(w: Any) -> Any:
    """(42) to (44): (26) as it is recalled."""
    left, s = _theorem(w)
    return left, {
        "S1": 2 * s["S1"] / s["xi"],
        "S2": s["S2"] / s["xi"],
        "S3": s["S3"] / s["xi"],
        "S4": (s["S4, one"] + s["S4, two"]) / s["xi"],
    }


def stationary(w: Any) -> Any:
    """The last sentence of Corollary 1, for two clients of equal size in one group."""
    slopes = w.curvature[..., None] * (w.model[..., None] - w.optimum)
    return {"local gradients": (slopes**2).sum(-1)}, {"nothing": 0 * w.curvature}


SHARE = {"step_size": lambda w: w.step_share / w.curvature}
SHORT: Margins = {"eta below 1/L": lambda w: 1 - w.step_size * w.curvature}
RESTING: Margins = {
    "the group's model rests": lambda w: (
        -xp.absolute((w.curvature[..., None] * (w.model[..., None] - w.optimum)).sum(-1))
    )
}
STRICT = frozenset(SHORT)
THEOREM_PLACES = (
    "w_i^t are the client models of Algorithm 1, averaged by line 16 before they train (other: "
    "those of the proof of (39), never averaged), taken before that average. kappa_ij, which must "
    "be positive, is the distance of the gradients plus the slack that the world names; eta is "
    "constant, a share of 1/L. w_i^* is the minimiser of J_i."
)
LIMIT = (
    "A limit T to infinity: no inequality at a finite T is printed, and which one stands for it "
    "(a rate, a power of 1/xi_T, two horizons compared) is a choice of the encoder."
)
ENCODINGS: dict[str, Second] = {
    "hcct.theorem2": Second(
        sides=theorem2,
        given=SHORT,
        strict=STRICT,
        defines=SHARE,
        words="Theorem 2 (26), eta^t < 1/L.",
        open_places=THEOREM_PLACES,
    ),
    "hcct.corollary1/recalled": Second(
        sides=recalled,
        given=SHORT,
        strict=STRICT,
        defines=SHARE,
        words="(42) to (44): 2 S_1 + S_2 + S_3 + S_4 over xi_T.",
        open_places=THEOREM_PLACES,
    ),
    **{
        f"hcct.corollary1/S{k}": Second(sides=None, words="(45), (46) and after", missing=LIMIT)
        for k in (1, 2, 3, 4)
    },
    "hcct.corollary1/stationary": Second(
        sides=stationary,
        given=RESTING,
        relation="==",
        words="Corollary 1: the models converge to stationary points of the local losses.",
        open_places="The limit is a model where the group's average gradient vanishes, which is "
        "where training in one fixed group ends; the two clients have equal sizes.",
    ),
}


def _other(key: str, *options: str) -> Second:
    """The same sentence with open places read the other way."""
    chosen = {option: lambda w: w.array(1) for option in options}
    return replace(ENCODINGS[key], defines={**ENCODINGS[key].defines, **chosen})


OTHERS: dict[str, dict[str, Second]] = {
    "hcct.theorem2": {
        "+".join(options): _other("hcct.theorem2", *options)
        for options in (("own_models",), ("averaged_sum",), ("own_models", "averaged_sum"))
    },
    "hcct.corollary1/recalled": {"own": _other("hcct.corollary1/recalled", "own_models")},
}
"""Models averaged or not before they train, the last sum of (26) divided by xi_T."""
