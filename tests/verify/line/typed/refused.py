"""Lines that two readers could read differently, with both readings; and what cannot be read."""

from __future__ import annotations

from tests.verify.line.typed.meant import Refused

REFUSED = (
    Refused(r"f(x+y) \le f(x) + f(y)", "f before a bracket", ("f*(x + y) <= f*x + f*y",)),
    Refused(
        "f(x)^2 + f(y)^2 >= 2 f(x) f(y)",
        "f before a bracket",
        ("f*x**2 + f*y**2 >= 2*f*x*f*y",),
    ),
    Refused(
        "1/2x <= x for x >= 1",
        "one meaning",
        ("(1/2)*x <= x for x >= 1", "1/(2*x) <= x for x >= 1"),
    ),
    Refused(
        "a/b c <= 1 for a, b, c in [1/2, 1]",
        "one meaning",
        ("(a/b)*c <= 1 for a, b, c in [1/2, 1]", "a/(b*c) <= 1 for a, b, c in [1/2, 1]"),
    ),
    Refused(
        r"\sin 2x y \le 1 for x, y in [0, 1]",
        "one meaning",
        ("sin(2*x)*y <= 1 for x, y in [0, 1]", "sin(2*x*y) <= 1 for x, y in [0, 1]"),
    ),
    Refused(
        "2^xy <= 4 for x, y in [0,1]",
        "one meaning",
        ("2**(x*y) <= 4 for x, y in [0, 1]", "2**x*y <= 4 for x, y in [0, 1]"),
    ),
    Refused(
        "x^1/2 <= 1 for x in [0, 1]",
        "one meaning",
        ("x**(1/2) <= 1 for x in [0, 1]", "x/2 <= 1 for x in [0, 1]"),
    ),
    Refused(
        "xy <= 1",
        "one meaning",
        ("x*y <= 1", "xy <= 1 for real xy"),
    ),
    Refused(
        "sum_i x_i >= x_1 for x_i >= 0",
        "x_1",
    ),
    Refused(
        "log x/y <= x for x, y > 0",
        "one meaning",
        ("log(x)/y <= x for x, y > 0", "log(x/y) <= x for x, y > 0"),
    ),
    Refused(
        "(x*y*z)**(1/3) <= (x+y+z)/3",
        "at least 0",
        ("(x*y*z)**(1/3) <= (x+y+z)/3 for x, y, z >= 0",),
    ),
    Refused(
        r"\binom{n}{k} \le 2^n for integers n in [1,8], k in [0,8] given k <= n",
        "whole numbers",
        ("binom(n, k) <= 2**n for integer n in [1, 8], integer k in [0, 8] given k <= n",),
    ),
    Refused(
        "2^n >= n + 1 for n >= 0",
        "one meaning",
        ("2**n >= n + 1 for integer n in [0, 16]", "2**n >= n + 1 for real n >= 0"),
    ),
    Refused(
        "x <= x + y^2 <= x + y^2 + 1",
        "one line for each",
        ("x <= x + y**2", "x + y**2 <= x + y**2 + 1"),
    ),
    Refused(
        "x < y if x + 1 <= y",
        "one of <=",
        ("x <= y given x + 1 <= y",),
    ),
)
