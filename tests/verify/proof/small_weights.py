"""Small outlines for weights that may depend on the past, and runs that are stopped."""

from fractions import Fraction as Q

from tests.verify.proof.instances import fixed, quadratics, still
from verify.proof.bridge import ExactRun
from verify.proof.outline import Outline


def weights_of_the_past():
    """Two clients with the gradients 2 and 1, and weights 1/2 and 18/25."""
    o = Outline("a sum with weights that make the gaps to one client cancel")
    o.indices("k")
    o.numbers("positive", "A", "a[k]")
    o.numbers("positive integer", "N")
    o.vectors("own", "told", known="0")
    o.vectors("u", known="0", shared=False)
    o.fact("gaps", "weighted gaps", own="own", sum="told", roots="u")
    o.fact("sum", "weighted sum", sum="told", roots="u", at_most="A")
    o.fact("all", "relation", less="Sum(a[k], (k, 0, N - 1))", more="A")
    said = "own**2 + told**2/A <= 2*own*told"
    o.step("product", said, "gaps; sum times 1/A")
    o.claim(said)
    world = ExactRun(
        [Q(1)],
        weights=[Q(1, 2)] * 2,
        numbers=fixed({"A": Q(61, 50), "N": 2, "a": lambda k: [Q(1, 2), Q(18, 25)][k]}),
        vectors={
            "own": still(2),
            "told": still(Q(43, 25)),
            "u": lambda w, o, i: (Q([2, Q(6, 5)][i]),),
        },
    )
    return o, world, {"k": 2}


def stopped_run():
    o = Outline("a run that is stopped at a minimiser")
    o.numbers("positive", "L")
    o.vectors("w", "v", "star", known="0")
    o.function("F")
    o.fact("stopped", "stopped at a minimiser", f="F", kept="v", before="w", star="star")
    o.fact("smooth", "smooth above its infimum", f="F", L="L", at="v", low="F(star)")
    said = "grad(F, v)**2 <= 2*L*(F(w) - F(star))"
    o.step("slope", said, "smooth; stopped times 2*L")
    o.claim(said)
    world = ExactRun(
        [Q(1, 3), Q(2, 3)],
        numbers=fixed({"L": 4}),
        vectors={
            "star": still(1, 1),
            "w": lambda w, o, i: (Q(2 + o), Q(3)),
            "v": lambda w, o, i: (Q(2), Q(3)) if o == 0 else (Q(1), Q(1)),
        },
        functions={"F": quadratics([(4, 1)], [(1, 1)], [2])},
    )
    return o, world, {}


def growth():
    o = Outline("distances from a minimiser by values")
    o.numbers("positive", "mu")
    o.vectors("x", "star", known="0")
    o.function("F")
    o.fact("growth", "quadratic growth", f="F", mu="mu", at="x", star="star")
    said = "(x - star)**2 <= 2/mu*(F(x) - F(star))"
    o.step("distance", said, "growth times 2/mu")
    o.claim(said)
    world = ExactRun(
        [Q(1)],
        numbers=fixed({"mu": 1}),
        vectors={"x": still(1, 4), "star": still(1, 1)},
        functions={"F": quadratics([(4, 1)], [(1, 1)])},
    )
    return o, world, {}


def from_below():
    o = Outline("a value from the parabola below")
    o.numbers("positive", "L")
    o.vectors("x", "y", known="0")
    o.function("F")
    o.fact("below", "smooth from below", f="F", L="L", at="x", to="y")
    said = "F(x) - F(y) <= L/2*(y - x)**2 - grad(F, x)*(y - x)"
    o.step("values", said, "below")
    o.claim(said)
    world = ExactRun(
        [Q(1)],
        numbers=fixed({"L": 4}),
        vectors={"x": still(1, 4), "y": still(3, 1)},
        functions={"F": quadratics([(-4, 1)], [(1, 1)])},
    )
    return o, world, {}


def exponential():
    """At 1, of which the exponential is less than 3/8 and more than 11/30."""
    o = Outline("a contraction by the exponential")
    o.numbers("positive", "e", "x")
    o.fact("e", "exponential", value="e", of="x")
    said = "1 <= e + x"
    o.step("tangent", said, "e")
    o.claim(said)
    return o, ExactRun([Q(1)], numbers=fixed({"e": Q(11, 30), "x": 1})), {}


OF_WEIGHTS = (weights_of_the_past, stopped_run, growth, from_below, exponential)
