"""Exact runs that the outlines speak of, in several shapes: quadratics, coins as noise."""

from fractions import Fraction as Q
from itertools import combinations

from verify.proof.bridge import ExactRun


def quadratics(curvatures, optima, floors=None):
    """f_i(x) = sum_d H_id (x_d - b_id)^2 / 2 + c_i."""
    floors = floors or [Q(0)] * len(curvatures)

    def value(i, x):
        return sum(
            (h * (a - b) ** 2 / 2 for h, a, b in zip(curvatures[i], x, optima[i], strict=True)),
            Q(floors[i]),
        )

    def slope(i, x):
        return tuple(h * (a - b) for h, a, b in zip(curvatures[i], x, optima[i], strict=True))

    return value, slope


def fixed(values):
    return {name: lambda *at, v=v: Q(v(*at) if callable(v) else v) for name, v in values.items()}


def still(*point):
    """The same point for all outcomes and clients."""
    return lambda world, outcome, client, *at: tuple(map(Q, point))


def coin(outcome, place):
    return 1 - 2 * (outcome >> place & 1)


def even(count):
    return [Q(1, 2**count)] * 2**count


def gradient_descent_pl():
    for start, eta in (((3, 1), Q(1, 4)), ((3, 2), Q(1, 8)), ((1, 2), Q(1, 4))):
        yield (
            ExactRun(
                [Q(1)],
                numbers=fixed({"L": 4, "mu": 1, "eta": eta, "low": -1, "T": 2}),
                vectors={"w[0]": still(*start)},
                functions={"F": quadratics([(4, 1)], [(1, 1)], [-1])},
            ),
            {"t": 2},
        )


def noise(clients, first=0):
    """A coin for each round and client, on the first coordinate; more vary the last one."""

    def made(world, outcome, client, *at):
        place = at[-1] * clients + client
        if any(at[:-1]):  # later rounds are without
            return (Q(0), Q(0))
        return (Q(coin(outcome, place) * 2), Q(0))

    return made


def sgd_nonconvex():
    for start, eta, h in (((3, 1), Q(1, 4), (4, 1)), ((0, 2), Q(1, 8), (4, -1))):
        yield (
            ExactRun(
                even(2),
                numbers=fixed({"L": 4, "eta": eta, "sigma": 2, "low": -50, "T": 2}),
                vectors={"w[0]": still(*start), "n": noise(1)},
                functions={"F": quadratics([h], [(1, 1)], [1])},
            ),
            {"t": 2},
        )


def sgd_decreasing_step():
    for start, h in (((3, 1), (4, 1)), ((1, 3), (4, 1)), ((4, 4), (2, 3))):
        yield (
            ExactRun(
                even(2),
                numbers=fixed({"L": 4, "mu": 1, "b": 2, "s": 8, "sigma": 2, "T": 2}),
                vectors={"w[0]": still(*start), "n": noise(1), "star": still(1, 1)},
                functions={"F": quadratics([h], [(1, 1)], [1])},
            ),
            {"t": 2},
        )


def fedavg_identical_clients():
    for start, h in (((3, 1), (4, 1)), ((1, 3), (4, 1)), ((4, 4), (2, 3))):
        yield (
            ExactRun(
                even(4),
                weights=[Q(1, 3), Q(2, 3)],
                numbers=fixed({"L": 4, "mu": 1, "eta": Q(1, 4), "sigma": 2, "K": 2}),
                vectors={"n": noise(2), "star": still(1, 1), "start": still(*start)},
                functions={"F": quadratics([h] * 2, [(1, 1)] * 2, [1, 1])},
            ),
            {"j": 2},
        )


def groups_that_stay():
    for start, h in (((3, 1), (4, 1)), ((1, 3), (4, 4))):

        def told(world, outcome, client, t):
            g = world.vector("grad(J, w[t])", {"t": t})[outcome][client]
            return (g[0] + (1 if client else -1), g[1])

        yield (
            ExactRun(
                even(4),
                weights=[Q(1, 2), Q(1, 2)],
                numbers=fixed(
                    {
                        "L": 4,
                        "eta": lambda t: Q(1, 4 + t),
                        "sigma": 2,
                        "K": lambda t: 2,
                        "T": 2,
                        "N": 2,
                    }
                ),
                vectors={
                    "n": noise(2),
                    "w[0]": still(*start),
                    "h": told,
                    "c": lambda w, o, i, t: w.vector("grad(J, w[t])", {"t": t})[o][i],
                },
                functions={"J": quadratics([h, (3, 4)], [(1, 1), (2, 0)], [1, 1])},
            ),
            {"t": 2},
        )


def scaffold_one_round():
    for size, start, h in ((1, (3, 1), 4), (2, (0, 2), 2), (3, (5, 5), 4)):
        drawn = list(combinations(range(3), size))

        def who(outcome, t, drawn=drawn):
            return drawn[outcome % len(drawn)]

        def flip(world, outcome, client, t, drawn=drawn):
            return (Q(coin(outcome // len(drawn), client) * 2), Q(0))

        def control(world, outcome, client, t, who=who):
            if t == 0:
                return (Q(client), Q(2))
            told = world.vector("grad(f, x[0]) + n[0]")
            before = world.vector("c[0]")
            return (told if client in who(outcome, 0) else before)[outcome][client]

        count = 8 * len(drawn)
        yield (
            ExactRun(
                [Q(1, count)] * count,
                weights=[Q(1, 3)] * 3,
                numbers=fixed({"L": 4, "eta": Q(1, 40), "sigma": 2, "S": size, "N": 3}),
                vectors={"x[0]": still(*start), "star": still(2, 3), "n": flip, "c": control},
                functions={"f": quadratics([(h, 4)] * 3, [(1, 2), (2, 3), (3, 4)], [1, 0, 2])},
                draws={"D": who},
            ),
            {"t": 1},
        )


def local_sgd_identical_clients():
    for start, h in (((3, 1), (4, 1)), ((1, 3), (4, 4)), ((0, 0), (4, 4))):
        yield (
            ExactRun(
                even(4),
                weights=[Q(1, 2), Q(1, 2)],
                numbers=fixed({"L": 4, "eta": Q(1, 4), "sigma": 2, "R": 1, "H": 2, "N": 2}),
                vectors={"x[0]": still(*start), "n": noise(2), "star": still(1, 1)},
                functions={"F": quadratics([h] * 2, [(1, 1)] * 2, [1, 1])},
            ),
            {"r": 1, "j": 2},
        )


def fedprox_inexact():
    for start, theta, turn, B in ((0, Q(1, 2), 1, Q(21, 20)), (5, Q(1, 3), -1, Q(6, 5))):

        def solved(world, outcome, client, start=start, theta=theta, turn=turn):
            g = (4, 2)[client] * (start - (1, 3)[client])
            return (start + (turn * theta * g - g) / ((4, 2)[client] + Q(2)),)

        yield (
            ExactRun(
                [Q(1)],
                weights=[Q(1, 2), Q(1, 2)],
                numbers=fixed({"L": 4, "mu": 2, "theta": theta, "B": B}),
                vectors={"x": still(start), "p": solved},
                functions={"f": quadratics([(4,), (2,)], [(1,), (3,)], [1, 0])},
            ),
            {},
        )


def gradient_tracking():
    half = [[Q(3, 4), Q(1, 4)], [Q(1, 4), Q(3, 4)]]
    for start, h in ((3, 4), (-1, 2)):
        yield (
            ExactRun(
                [Q(1)],
                weights=[Q(1, 2), Q(1, 2)],
                numbers=fixed({"L": 4, "eta": Q(1, 8), "rho": Q(1, 2), "low": 0, "T": 2}),
                vectors={"x[0]": spread_start(start)},
                functions={"f": quadratics([(h,), (4,)], [(1,), (3,)], [1, 0])},
                mixings={"W": half},
            ),
            {"t": 2},
        )


def spread_start(start):
    def made(world, outcome, client, *at):
        return (Q(start + 2 * client),)

    return made
