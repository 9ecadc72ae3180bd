"""Small outlines: one for each schema and rule that the theorems do not use."""

from fractions import Fraction as Q

from tests.verify.proof.instances import even, fixed, noise, quadratics, still
from tests.verify.proof.small_means import weights_in_the_mean
from tests.verify.proof.small_weights import OF_WEIGHTS
from verify.proof.bridge import ExactRun
from verify.proof.outline import Outline


def last_iterate():
    o = Outline("gradient descent does not rise, so the last iterate is the best")
    o.indices("t")
    o.numbers("positive", "L", "eta")
    o.numbers("positive integer", "T")
    o.vectors("w[t]", known="t")
    o.function("F")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*grad(F, w[t])")
    o.fact("smooth", "smooth", f="F", L="L", at="w[t]", to="w[t + 1]")
    o.given("eta <= 2/L")
    falls = "eta*(1 - L*eta/2)*grad(F, w[t])**2"
    o.step("fall", f"0 <= {falls}", "eta <= 2/L times eta*L/2", roots="grad(F, w[t])")
    o.step("one step", "F(w[t + 1]) <= F(w[t])", "smooth; fall")
    said = "T*F(w[T]) <= Sum(F(w[t + 1]), (t, 0, T - 1))"
    o.close("last", said, "last iterate", step="one step", index="t", rounds="T", of="F(w[t])")
    o.claim(said)
    world = ExactRun(
        [Q(1)],
        numbers=fixed({"L": 4, "eta": Q(1, 2), "T": 2}),
        vectors={"w[0]": still(3, 1)},
        functions={"F": quadratics([(4, 1)], [(1, 1)])},
    )
    return o, world, {"t": 2}


def best_of_all():
    o = Outline("the smallest gradient among all, the largest, and a chance")
    o.indices("t")
    o.numbers("positive", "G", "c")
    o.numbers("positive integer", "T")
    o.vectors("w[t]", known="t")
    o.function("F")
    o.fact("bounded", "Lipschitz", f="F", G="G", at="w[t]")
    g, edge = "grad(F, w[t])**2", "(t, 0, T - 1)"
    o.close(
        "best",
        f"Min({g}, {edge})*T <= Sum({g}, {edge})",
        "smallest",
        of=g,
        weight="1",
        index="t",
        rounds="T",
    )
    o.close(
        "worst",
        f"Sum({g}, {edge}) <= T*Max({g}, {edge})",
        "largest",
        of=g,
        weight="1",
        index="t",
        rounds="T",
    )
    o.close(
        "all",
        f"Sum({g}, {edge}) <= T*G**2",
        "telescoped",
        step="bounded",
        index="t",
        rounds="T",
        of="0",
    )
    o.step("smallest", f"Min({g}, {edge}) <= G**2", "best times 1/T; all times 1/T")
    o.close(
        "rare",
        "c*Chance(grad(F, w[0]), c) <= grad(F, w[0])**2",
        "Markov",
        of="grad(F, w[0])",
        level="c",
    )
    o.step(
        "chance", "Chance(grad(F, w[0]), c) <= G**2/c", "rare times 1/c; bounded at t = 0 times 1/c"
    )
    o.claim(f"Min({g}, {edge}) <= G**2")
    world = ExactRun(
        [Q(1, 3), Q(2, 3)],
        numbers=fixed({"G": 3, "c": 2, "T": 2}),
        vectors={"w": lambda w, o, i, t: (Q(1 + o + t), Q(1))},
        functions={"F": quadratics([(1, 1)], [(0, 0)])},
    )
    return o, world, {"t": 2}


def in_two_cases():
    o = Outline("a number in two cases")
    o.numbers("real", "x", "y")
    o.step("positive", "-(x**2) <= x*y + y**2 + x**2/4", supposing="0 <= x*y")
    o.step(
        "negative", "-(x**2) <= x*y + y**2 + x**2/4", supposing="0 <= -(x*y)", roots="x + y; x; y"
    )
    claim = "x*y + y**2 + x**2/4 + x**2"
    o.close(
        "both", f"0 <= {claim}", "cases", claim=claim, on="x*y", then="positive", else_="negative"
    )
    o.claim(f"0 <= {claim}")
    return o, ExactRun([Q(1)], numbers=fixed({"x": -1, "y": Q(1, 2)})), {}


def triangle():
    o = Outline("the length of a sum, of vectors that may vanish")
    o.numbers("nonnegative", "a", "b", "c")
    o.vectors("u", "v", known="0")
    o.fact("first", "relation", less="u**2", more="a**2")
    o.fact("second", "relation", less="v**2", more="b**2")
    o.fact("whole", "relation", less="c**2", more="(u + v)**2")
    about = {"one": "u", "other": "v", "size": "a", "its": "b"}
    o.close("product", "u*v <= a*b", "Cauchy, Schwarz", **about, first="first", second="second")
    o.step("squares", "c**2 <= (a + b)**2", "whole; first; second; product times 2")
    o.step("sum", "c <= a + b", "squares")
    o.claim("c <= a + b")
    world = ExactRun(
        [Q(1)],
        numbers=fixed({"a": 2, "b": 3, "c": 5}),
        vectors={"u": still(2, 0), "v": still(3, 0)},
    )
    return o, world, {}


def bounded_in_the_mean():
    o = Outline("slopes that are bounded in the mean over clients")
    o.numbers("nonnegative", "G")
    o.numbers("positive", "eta")
    o.vectors("g", known="0", shared=False)
    o.fact("mean bound", "relation", less="g**2", more="G**2")
    said = "eta**2*g**2/2 <= eta**2*G**2/2"
    o.step("scaled", said, "mean bound times eta**2/2")
    o.claim(said)
    world = ExactRun(
        [Q(1)],
        [Q(1, 2)] * 2,
        numbers=fixed({"G": 2, "eta": Q(1, 2)}),
        vectors={"g": lambda w, o, i: (Q(1 + i), Q(0))},
    )
    return o, world, {}


def noise_of_unequal_clients():
    o = Outline("relative noise of clients with unequal weights")
    o.numbers("nonnegative", "sigma", "M")
    o.numbers("positive", "p")
    o.vectors("g", known="0", shared=False)
    o.vectors("n", known="1", shared=False)
    o.fact("unbiased", "unbiased", noise="n", given="0")
    o.fact("noise", "relative variance", noise="n", sigma2="sigma**2", factor="M", slope="g")
    o.fact("weights", "independent clients of unequal weight", noise="n", largest="p")
    said = "avg(g + n)**2 <= avg(g)**2 + p*(sigma**2 + M*g**2)"
    o.step("mean", said, "weights; noise times p")
    o.claim(said)
    world = ExactRun(
        even(2),
        [Q(1, 4), Q(3, 4)],
        numbers=fixed({"sigma": 2, "M": Q(1, 10), "p": Q(3, 4)}),
        vectors={"g": lambda w, o, i: (Q(1), Q(i)), "n": lambda w, o, i: noise(2)(w, o, i, 0)},
    )
    return o, world, {}


def drawn_again():
    o = Outline("a mean over clients that are drawn with replacement")
    o.numbers("positive integer", "S")
    o.vectors("u", known="0", shared=False)
    o.draws("D", given="0", known="1")
    o.fact("draw", "drawn with replacement", draw="D", size="S")
    said = "drawn(D, u)**2 <= avg(u)**2 + u**2/S"
    o.step("mean", said, roots="avg(u)")
    o.claim(said)
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1)]
    world = ExactRun(
        [Q(1, 4)] * 4,
        [Q(1, 2)] * 2,
        numbers=fixed({"S": 2}),
        vectors={"u": lambda w, o, i: (Q(1 + 2 * i), Q(2))},
        draws={"D": lambda outcome: pairs[outcome]},
    )
    return o, world, {}


def proximal_point():
    o = Outline("a proximal step comes closer, a projection too")
    o.numbers("positive", "s")
    o.vectors("x", "p", "star", "q", "z", known="0")
    o.function("F")
    o.fact("prox", "proximal step", f="F", step="s", of="x", at="p", to="star")
    o.fact("star", "minimiser", f="F", star="star", at="p")
    o.fact("set", "projection", at="q", of="p", inside="star")
    o.fact("shift", "definition", entry="z", is_="q - star")
    o.fact("again", "square", of="q - p")
    said = "z**2 + (x - p)**2 <= (x - star)**2"
    o.step(
        "closer", "(p - star)**2 + (x - p)**2 <= (x - star)**2", "prox times 2*s; star times 2*s"
    )
    o.step("both", said, "closer; set; again")
    o.claim(said)
    world = ExactRun(
        [Q(1)],
        numbers=fixed({"s": 1}),
        vectors={
            "x": still(3, 2),
            "p": still(2, 2),
            "star": still(1, 0),
            "q": still(2, 0),
        },
        functions={"F": quadratics([(1, 0)], [(1, 1)])},
    )
    return o, world, {}


SMALL = (
    bounded_in_the_mean,
    last_iterate,
    best_of_all,
    in_two_cases,
    triangle,
    noise_of_unequal_clients,
    drawn_again,
    proximal_point,
    *OF_WEIGHTS,
    weights_in_the_mean,
)
