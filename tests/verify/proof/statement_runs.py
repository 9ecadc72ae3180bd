"""Exact runs that outlines beside statements speak of: their facts are true of something."""

from fractions import Fraction as Q

from tests.verify.proof.instances import coin, even, fixed, quadratics, still
from verify.proof.bridge import ExactRun


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


RUNS = {
    "aggregation.theorem3.repaired": lambda: local_steps(0),
    "aggregation.theorem3.refined": lambda: local_steps(1),
}
