"""Plain numbers: polynomials, quotients, exponentials, logarithms, roots, and what overflows."""

from __future__ import annotations

from tests.qa.calibration.known.record import Kind, Known

p, q = Kind("polynomial"), Kind("rational")
e, o, n = Kind("transcendental"), Kind("overflow"), Kind("integer")

POLYNOMIALS: tuple[Known, ...] = (
    p.true(
        "quartic",
        "x**4 + y**4 >= x**3*y + x*y**3",
        "The difference is (x - y)(x^3 - y^3), a product of equal signs.",
    ),
    p.false(
        "quartic_more",
        "x**4 + y**4 >= 101/100*(x**3*y + x*y**3)",
        "At x = y = 1: 2 < 2.02.",
        at={"x": 1, "y": 1},
    ),
    p.true(
        "rearranged",
        "x**2 + y**2 + z**2 >= x*y + y*z + z*x",
        "Twice the difference is the sum of three squares of differences.",
    ),
    p.false(
        "rearranged_more",
        "x**2 + y**2 + z**2 >= x*y + y*z + z*x + (x - y)**2",
        "At z between x and y the left side is ahead by 3/4 (x - y)^2 only.",
        at={"x": 0, "y": 2, "z": 1},
    ),
    p.true(
        "motzkin",
        "x**4*y**2 + x**2*y**4 + 1 >= 3*x**2*y**2",
        "The mean of x^4 y^2, x^2 y^4 and 1 is at least their geometric mean x^2 y^2.",
    ),
    p.false(
        "motzkin_more",
        "x**4*y**2 + x**2*y**4 + 1 >= 3*x**2*y**2 + 1/1000",
        "Equality without the thousandth at x = y = 1.",
        at={"x": 1, "y": 1},
    ),
    p.true(
        "form",
        "x**2 - x*y + y**2 >= 3/4*x**2",
        "The difference is (x/2 - y)^2.",
    ),
    p.false(
        "form_more",
        "x**2 - x*y + y**2 >= 19/25*x**2",
        "At x = 2, y = 1: 3 < 3.04.",
        at={"x": 2, "y": 1},
    ),
    p.true(
        "double_roots",
        "x**4 + 13*x**2 + 4 >= 6*x**3 + 12*x",
        "The difference is ((x - 1)(x - 2))^2.",
    ),
    p.false(
        "double_roots_more",
        "x**4 + 13*x**2 + 4 >= 6*x**3 + 12*x + 1/100",
        "Equality without the hundredth at x = 1.",
        at={"x": 1},
    ),
    p.true(
        "three_powers",
        "x**2 <= 2/3*x**3 + 1/3 for x >= 0",
        "Young with weights 2/3 and 1/3.",
    ),
    p.false(
        "three_powers_less",
        "x**2 <= 2/3*x**3 + 33/100 for x >= 0",
        "At x = 1: 1 > 0.9967.",
        at={"x": 1},
    ),
)

RATIONALS: tuple[Known, ...] = (
    q.true(
        "subadditive",
        "x/(1+x) + y/(1+y) >= (x+y)/(1+x+y) for x, y >= 0",
        "x/(1+x) >= x/(1+x+y), and the same for y.",
    ),
    q.false(
        "subadditive_turned",
        "x/(1+x) + y/(1+y) <= (x+y)/(1+x+y) for x, y >= 0",
        "At x = y = 1: 1 > 2/3.",
        at={"x": 1, "y": 1},
    ),
    q.true(
        "titu",
        "x**2/(y+z) + y**2/(z+x) + z**2/(x+y) >= (x+y+z)/2 for x, y, z > 0",
        "Cauchy-Schwarz: (sum x)^2 over the sum of the denominators 2 (x+y+z).",
    ),
    q.false(
        "titu_more",
        "x**2/(y+z) + y**2/(z+x) + z**2/(x+y) >= 51/100*(x+y+z) for x, y, z > 0",
        "At equal numbers 3/2 < 1.53.",
        at={"x": 1, "y": 1, "z": 1},
    ),
    q.true(
        "inverses",
        "1/x + 1/y >= 4/(x+y) + 4*(x-y)**2/(x+y)**3 for x, y > 0",
        "1/x + 1/y - 4/(x+y) = (x-y)^2/(xy(x+y)), and xy <= (x+y)^2/4.",
    ),
    q.false(
        "inverses_more",
        "1/x + 1/y >= 4/(x+y) + 5*(x-y)**2/(x+y)**3 for x, y > 0",
        "At x = 2, y = 1: 3/2 < 4/3 + 5/27.",
        at={"x": 2, "y": 1},
    ),
    q.true(
        "bump",
        "2*c*x/(1+x**2) <= c for c > 0, real x",
        "1 + x^2 - 2x is a square.",
    ),
    q.false(
        "bump_less",
        "c*x/(1+x**2) <= 49/100*c for c > 0, real x",
        "At x = 1: c/2.",
        at={"c": 1, "x": 1},
    ),
)

TRANSCENDENTAL: tuple[Known, ...] = (
    e.true(
        "cubic_series",
        "exp(x) >= 1 + x + x**2/2 + x**3/6",
        "The remainder is exp(xi) x^4/24.",
    ),
    e.false(
        "square_series",
        "exp(x) >= 1 + x + x**2/2",
        "The remainder exp(xi) x^3/6 is negative for x < 0.",
        at={"x": -1},
    ),
    e.true(
        "karamata",
        "log(1+x) <= x/sqrt(1+x) for x >= 0",
        "Equal at 0; the derivative of the difference is (sqrt(1+x) - 1)^2/(2 (1+x)^(3/2)).",
    ),
    e.false(
        "karamata_less",
        "log(1+x) <= 99/100*x/sqrt(1+x) for x >= 0",
        "At small x both quotients by x tend to 1 and 0.99.",
        at={"x": "1/16"},
    ),
    e.true(
        "root_step",
        "sqrt(x+1) <= sqrt(x) + 1/(2*sqrt(x)) for x > 0",
        "The square of the right side is x + 1 + 1/(4x).",
    ),
    e.true(
        "alternating",
        "exp(-x) <= 1 - x + x**2/2 for x >= 0",
        "The remainder is -exp(-xi) x^3/6.",
    ),
    e.false(
        "alternating_less",
        "exp(-x) <= 1 - x + 49/100*x**2 for x in [0, 1]",
        "The difference is x^2/100 - x^3/6 + ... in the wrong direction below x = 0.06.",
        at={"x": "1/32"},
    ),
    e.true(
        "entropy",
        "x*log(x) >= x - 1 for x > 0",
        "x log x is convex with tangent x - 1 at 1.",
    ),
    e.false(
        "entropy_more",
        "x*log(x) >= x - 1 + (x-1)**2/2 for x > 0",
        "The third derivative -1/x^2 is negative: at x = 2, 1.386 < 1.5.",
        at={"x": 2},
    ),
    e.true(
        "roots",
        "sqrt(x) + sqrt(y) <= sqrt(2*(x+y)) for x, y >= 0",
        "The difference of the squares is (sqrt x - sqrt y)^2.",
    ),
    e.false(
        "roots_less",
        "sqrt(x) + sqrt(y) <= 7/5*sqrt(x+y) for x, y >= 0",
        "At x = y: sqrt 2 > 7/5.",
        at={"x": 1, "y": 1},
    ),
    e.true(
        "hyperbolic",
        "exp(x) + exp(-x) <= 2*exp(x**2/2)",
        "Term by term: (2k)! >= 2^k k!.",
    ),
    e.false(
        "hyperbolic_less",
        "exp(x) + exp(-x) <= 2*exp(12/25*x**2)",
        "At small x the quadratic terms are 1/2 and 0.48.",
        at={"x": "1/4"},
    ),
)

OVERFLOWING: tuple[Known, ...] = (
    o.true(
        "square_in_exponent",
        "exp(x**2) <= exp(40*x) for x in [0, 40]",
        "x^2 <= 40 x there.",
    ),
    o.false(
        "square_in_exponent_less",
        "exp(x**2) <= exp(30*x) for x in [0, 40]",
        "At x = 35: 1225 > 1050; both sides are beyond all floats.",
        at={"x": 35},
    ),
    o.true(
        "tangent",
        "exp(x) - exp(y) <= exp(x)*(x-y) for x, y in [-800, 800]",
        "exp is convex: exp(y) >= exp(x) + exp(x)(y - x).",
    ),
    o.false(
        "tangent_turned",
        "exp(x) - exp(y) <= exp(y)*(x-y) for x, y in [0, 800]",
        "Convexity says the contrary.",
        at={"x": 1, "y": 0},
    ),
    o.true(
        "softplus",
        "log(1 + exp(x)) <= max(x, 0) + log(2) for x in [-2000, 2000]",
        "1 + exp(x) <= 2 exp(max(x, 0)).",
    ),
    o.false(
        "softplus_less",
        "log(1 + exp(x)) <= max(x, 0) + 69/100 for x in [-2000, 2000]",
        "At 0: log 2 = 0.6931.",
        at={"x": 0},
    ),
    o.true(
        "large_powers",
        "2*x**50 <= 1 + x**100 for x in [0, 10000000]",
        "(x^50 - 1)^2 is not negative.",
    ),
    o.false(
        "large_powers_more",
        "2*x**50 + 1/100 <= 1 + x**100 for x in [0, 10000000]",
        "At x = 1: 2.01 > 2.",
        at={"x": 1},
    ),
    o.true(
        "long_vector",
        "sqrt(x**2 + y**2) <= abs(x) + abs(y) for x, y in [-1e200, 1e200]",
        "The square of the right side has 2|xy| more.",
    ),
    o.false(
        "long_vector_less",
        "sqrt(x**2 + y**2) <= max(abs(x), abs(y)) for x, y in [-1e200, 1e200]",
        "At x = y = 1: sqrt 2 > 1.",
        at={"x": 1, "y": 1},
    ),
    o.false(
        "only_where_floats_end",
        "x**80 <= 10**20*x**79 for x in [1, 10**30]",
        "False exactly for x > 10^20, where both sides are beyond all floats.",
        at={"x": "1000000000000000000000"},
    ),
)

INTEGERS: tuple[Known, ...] = (
    n.true(
        "bernoulli",
        "(1+x)**n >= 1 + n*x for x >= -1, integer n in [1, 64]",
        "Induction: (1 + nx)(1 + x) >= 1 + (n+1)x.",
    ),
    n.false(
        "bernoulli_anywhere",
        "(1+x)**n >= 1 + n*x for real x, integer n in [1, 9]",
        "At n = 3, x = -4: -27 < -11.",
        at={"x": -4},
        shape={"n": 3},
    ),
    n.true(
        "bonferroni",
        "(1-t)**n <= 1 - n*t + n*(n-1)/2*t**2 for t in [0, 1], integer n in [1, 40]",
        "Bonferroni's inequality for n independent events of chance t.",
    ),
    n.false(
        "bonferroni_less",
        "(1-t)**n <= 1 - n*t + n*t**2/2 for t in [0, 1], integer n in [1, 40]",
        "n(n-1)/2 > n/2 for n > 2 and small t.",
        at={"t": "1/8"},
        shape={"n": 4},
    ),
    n.true(
        "between_whole_numbers",
        "c*(n**2 + 930) >= 61*c*n for c > 0, integer n in [1, 64]",
        "n^2 - 61n + 930 = (n - 30)(n - 31), not negative at whole numbers.",
    ),
    n.false(
        "one_whole_number",
        "c*(n**2 + 929) >= 61*c*n for c > 0, integer n in [1, 64]",
        "At n = 30: 1829 < 1830; true for all but n = 30 and 31.",
        at={"c": 1},
        shape={"n": 30},
    ),
    n.false(
        "late",
        "c*2**n <= 1000*c*n**3 for c > 0, integer n in [1, 64]",
        "First false at n = 24: 16777216 > 13824000.",
        at={"c": 1},
        shape={"n": 24},
    ),
    n.false(
        "early",
        "c*2**n >= c*n**3 for c > 0, integer n in [1, 64]",
        "False for n = 2 to 9: 4 < 8.",
        at={"c": 1},
        shape={"n": 2},
    ),
    n.true(
        "binomial",
        "x**n + n*x**(n-1)*y <= (x+y)**n for x, y > 0, integer n in [1, 12]",
        "The first two terms of the binomial theorem.",
    ),
    n.false(
        "union_capped",
        "1 - (1-p)**n <= 20*p for p in [0, 1], integer n in [1, 64]",
        "For small p the left side is about n p, and n may be 64.",
        at={"p": "1/1024"},
        shape={"n": 64},
    ),
)

NUMBERS = (*POLYNOMIALS, *RATIONALS, *TRANSCENDENTAL, *OVERFLOWING, *INTEGERS)
"""All of them."""
