"""Exact runs that outlines beside statements speak of: their facts are true of something."""

from fractions import Fraction as Q

from tests.verify.proof.instances import coin, even, fixed, quadratics, still
from verify.proof.bridge import ExactRun


def theorem2_const():
    """Two clients in four dimensions, the gradient of one that of the other, turned a little.

    The gap is 11/36 of the squared gradient, so r is 25/36 and the weights are 1/2 and 18/25.
    """
    zero = (Q(0),) * 4

    def turned(x):
        a, b, c, d = x
        aside = (3 * a - b - c, 3 * b + a - d, 3 * c + d + a, 3 * d - c + b)
        return tuple(u + v / 6 for u, v in zip(x, aside, strict=True))

    def kept(world, outcome, client, t):
        x = world.vector("w[t]", {"t": t})[outcome][client]
        return x if sum(a * a for a in x) / 2 >= Q(1, 8) else zero

    def told(world, outcome, client, t):
        x = world.vector("v[t]", {"t": t})[outcome][client]
        return tuple(u / 2 + Q(18, 25) * v for u, v in zip(x, turned(x), strict=True))

    def roots(world, outcome, client, t):
        x = world.vector("v[t]", {"t": t})[outcome][client]
        return x if client == 0 else tuple(Q(6, 5) * v for v in turned(x))

    def noise(world, outcome, client, t):
        if all(a == 0 for a in world.vector("v[t]", {"t": t})[outcome][client]):
            return zero
        side = Q(coin(outcome, t), 2)
        return (side, side, Q(0), Q(0))

    rs, i2 = Q(7, 12), Q(1296, 625)
    for start, eta in (((1, 1, 1, 1), Q(1, 2)), ((1, 0, 0, 0), Q(3, 4))):
        own = sum(a * a for a in start)
        yield (
            ExactRun(
                even(2),
                weights=[Q(1, 2)] * 2,
                numbers=fixed(
                    {
                        "beta": 1,
                        "mu": 1,
                        "eta": eta,
                        "eps": Q(1, 8),
                        "s2": 1,
                        "top": 1,
                        "eff": Q(1, 2),
                        "noise": Q(1, 2),
                        "suf": 1 / (1 + rs**2 * i2),
                        "own": own,
                        "T": 2,
                        "N": 1,
                        "i2": lambda k: i2,
                        "b2": lambda k: Q(1, 36),
                        "c": lambda k: Q(11, 36),
                        "gap": lambda k, own=own: Q(11, 36) * own,
                        "r": lambda k: Q(25, 36),
                        "rs": lambda k: rs,
                        "phis": lambda k: rs,
                        "q": lambda k: 1,
                        "phi": lambda k: Q(25, 36),
                    }
                ),
                vectors={
                    "w[0]": still(*start),
                    "v": kept,
                    "told": told,
                    "u": roots,
                    "n": noise,
                    "star": still(0, 0, 0, 0),
                },
                functions={"F": quadratics([(1, 1, 1, 1)] * 2, [(0, 0, 0, 0)] * 2)},
            ),
            {"t": 2, "k": 1},
        )


def local_steps(sent):
    """Two clients with weights 1/3 and 2/3 whose second local step is looked at."""
    shares, fixed_weights = [Q(1, 3), Q(2, 3)], [Q(1, 2), Q(1, 2)]
    slopes, optima = (Q(4), Q(2)), (Q(1), Q(3))
    best = Q(5, 3)  # of the mean with equal shares

    def mean_value(_, x):
        each = (
            p * h * (x[0] - b) ** 2 / 2
            for p, h, b in zip(fixed_weights, slopes, optima, strict=True)
        )
        return sum(each)

    def mean_slope(_, x):
        return (
            sum(p * h * (x[0] - b) for p, h, b in zip(fixed_weights, slopes, optima, strict=True)),
        )

    gap = mean_value(0, (best,))
    numbers = {
        "L": 4,
        "mu": 2,
        "h": Q(1, 16),
        "G": 60,
        "E": 2,
        "gam": gap,
        "least": 0,
        "sigma": 2,
        "low": Q(2, 3),
        "high": Q(4, 3),
        "eta": lambda j: Q(1, 8) * (j < 1 - sent),
        "r": lambda j: Q(1, j + 1),
        "s": 1,
        "e": Q(1, 8),
        "J": 1,
        "P": 0,
    }
    functions = {
        "F": quadratics([(h,) for h in slopes], [(b,) for b in optima]),
        "f": (mean_value, mean_slope),
    }
    for start in (0, 5):

        def drawn(world, outcome, client, start=start):
            slope = slopes[client] * (start - optima[client])
            return (slope + coin(outcome, 4 + client),)

        vectors = {
            "start": still(start),
            "star": still(best),
            "first": drawn,
            "n": lambda w, o, i, j: (Q(coin(o, 2 * j + i)) if j < 2 else Q(0),),
        }
        yield (
            ExactRun(even(6), shares, fixed(numbers), vectors, functions),
            {"j": 2},
        )


def theorem1_explicit():
    """Two devices that solve their problems exactly, of which the second waits in round 1."""
    slopes, optima, alpha, high = (Q(2), Q(1)), (Q(1), Q(3)), Q(1, 4), Q(9, 2)
    bends = (Q(3), Q(1))

    def which(x):
        return next((i for i in (0, 1) if x[1 + i]), 0)

    def value(_, x):
        i = which(x)
        return slopes[i] * (x[0] - optima[i]) ** 2 / 2

    def slope(_, x):
        i = which(x)
        return (slopes[i] * (x[0] - optima[i]), Q(0), Q(0))

    for start in (Q(0), Q(4)):
        models, servers, multipliers, reach = [[start] * 2], [start], [[Q(4), Q(4)]], []
        for t in range(6):
            z, lam = servers[-1], multipliers[-1]
            new = [
                (h * b + 2 * m * z) / (h + 2 * m)
                for h, b, m in zip(slopes, optima, lam, strict=True)
            ]
            sampled = (0,) if t == 1 else (0, 1)
            reach.append([(x - z) ** 2 for x in new])
            moved = [
                min(max(m + alpha * (u - 1), h + 1), high) if i in sampled else m
                for i, (m, u, h) in enumerate(zip(lam, reach[-1], bends, strict=True))
            ]
            models.append(new)
            multipliers.append(moved)
            servers.append(sum(new[i] for i in sampled) / len(sampled))
        yield (
            ExactRun(
                [Q(1)],
                numbers=fixed(
                    {
                        "L": lambda i: bends[min(i, 1)],
                        "inv": lambda i: 1 / bends[min(i, 1)],
                        "top": 3,
                        "lam": lambda i, t, m=multipliers: m[t][i],
                        "U": lambda i, t, u=reach: u[t][i],
                        "a": lambda j, t: Q(1, 2) if t != 1 else Q(1 - j),
                        "gam": lambda i: 1,
                        "alpha": alpha,
                        "high": high,
                        "R": 3,
                        "G": 6,
                        "root": Q(1, 10),
                        "delta": 60,
                        "best": 0,
                        "N": 2,
                        "T": 2,
                        "most": sum(
                            Q(1, 200) / h + alpha * (16 * 81 + 1) + high * Q(301, 10) ** 2
                            for h in bends
                        )
                        / 2,
                    }
                ),
                vectors={
                    "x[0, 0]": still(start, 0, 0),
                    "x": lambda w, o, c, i, t, m=models: (m[t][min(i, 1)], Q(0), Q(0)),
                    "z": lambda w, o, c, t, z=servers: (z[t], Q(0), Q(0)),
                    "e": lambda w, o, c, i: (Q(0), Q(i == 0), Q(i > 0)),
                    "slope": lambda w, o, c, t, z=servers: (
                        sum(h * (z[t] - b) for h, b in zip(slopes, optima, strict=True)) / 2,
                        Q(0),
                        Q(0),
                    ),
                },
                functions={"F": (value, slope)},
            ),
            {"i": 2, "j": 2, "t": 2},
        )


RUNS = {
    "adaptive.theorem2.const.repaired": theorem2_const,
    "aggregation.theorem3.repaired": lambda: local_steps(0),
    "aggregation.theorem3.refined": lambda: local_steps(1),
    "fedbc.theorem1.explicit": theorem1_explicit,
}
