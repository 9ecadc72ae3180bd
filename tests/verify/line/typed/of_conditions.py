"""Lines with conditions, in the words that papers use for them."""

from __future__ import annotations

from math import sqrt as root

from tests.verify.line.typed.meant import Typed

CONDITIONS = (
    Typed("x^2 <= x if 0 <= x <= 1", "x**2 <= x for x in [0, 1]", lambda v: (v.x**2, v.x)),
    Typed("xy <= 1/4 if x + y = 1", "x*y <= 1/4 given x + y == 1", lambda v: (v.x * v.y, 0.25)),
    Typed(
        "xy <= 1/4 s.t. x + y = 1, x, y >= 0",
        "x*y <= 1/4 for x, y >= 0 given x + y == 1",
        lambda v: (v.x * v.y, 0.25),
    ),
    Typed(
        "x*y <= 1/4 subject to x + y = 1 and x, y >= 0",
        "x*y <= 1/4 for x, y >= 0 given x + y == 1",
        lambda v: (v.x * v.y, 0.25),
    ),
    Typed(
        "x^3 >= 3x - 2 where x >= 0", "x**3 >= 3*x - 2 for x >= 0", lambda v: (v.x**3, 3 * v.x - 2)
    ),
    Typed(
        "sum_i p_i x_i^2 >= (sum_i p_i x_i)^2 where p_i >= 0, sum_i p_i = 1",
        "sum_i (p[i]*x[i]**2) >= (sum_i (p[i]*x[i]))**2 for p >= 0, real x given sum_i (p[i]) == 1",
        lambda v: (
            sum(p * x**2 for p, x in zip(v.p, v.x, strict=True)),
            sum(p * x for p, x in zip(v.p, v.x, strict=True)) ** 2,
        ),
    ),
    Typed(
        r"\left(\sum_i p_i x_i\right)^2 \le \sum_i p_i x_i^2 \text{ for all } p_i \ge 0,"
        r"\ x_i \in \mathbb{R} \text{ with } \sum_i p_i = 1",
        "(sum_i (p[i]*x[i]))**2 <= sum_i (p[i]*x[i]**2) for p >= 0, real x given sum_i (p[i]) == 1",
        lambda v: (
            sum(p * x for p, x in zip(v.p, v.x, strict=True)) ** 2,
            sum(p * x**2 for p, x in zip(v.p, v.x, strict=True)),
        ),
    ),
    Typed(
        "x/(1+x) <= y/(1+y) whenever 0 <= x <= y",
        "x/(1 + x) <= y/(1 + y) for x >= 0, real y given x <= y",
        lambda v: (v.x / (1 + v.x), v.y / (1 + v.y)),
    ),
    Typed("If x >= 1, then 1/x <= 1", "1/x <= 1 for x >= 1", lambda v: (1 / v.x, 1)),
    Typed(
        "for all x, y >= 0, 2 sqrt(xy) <= x + y",
        "2*sqrt(x*y) <= x + y for x, y >= 0",
        lambda v: (2 * root(v.x * v.y), v.x + v.y),
    ),
    Typed(
        r"Let \(x, y \ge 0\). Then \[4xy \le (x+y)^2.\]",
        "4*x*y <= (x + y)**2 for x, y >= 0",
        lambda v: (4 * v.x * v.y, (v.x + v.y) ** 2),
    ),
    Typed(
        r"\[x(1-x) \le \frac14\] for \(x \in [0, 1]\)",
        "x*(1 - x) <= 1/4 for x in [0, 1]",
        lambda v: (v.x * (1 - v.x), 0.25),
    ),
    Typed(
        "Let x, y > 0. Then x/y + y/x >= 2",
        "x/y + y/x >= 2 for x, y > 0",
        lambda v: (v.x / v.y + v.y / v.x, 2),
    ),
    Typed(
        r"(x+y)^2 \ge 4xy \quad \forall x, y \ge 0",
        "(x + y)**2 >= 4*x*y for x, y >= 0",
        lambda v: ((v.x + v.y) ** 2, 4 * v.x * v.y),
    ),
    Typed("x + 1/x >= 2, x > 0", "x + 1/x >= 2 for x > 0", lambda v: (v.x + 1 / v.x, 2)),
    Typed("x + 1/x >= 2 (x > 0)", "x + 1/x >= 2 for x > 0", lambda v: (v.x + 1 / v.x, 2)),
    Typed(
        r"x^2 \ge 0 \text{ for all } x \in \mathbb{R}",
        "x**2 >= 0 for real x",
        lambda v: (v.x**2, 0),
    ),
    Typed(r"\forall x \in [0, 1]: x^2 \le x", "x**2 <= x for x in [0, 1]", lambda v: (v.x**2, v.x)),
    Typed(
        r"ab \le \frac{a^2}{2c} + \frac{c b^2}{2}"
        r" \quad \text{for every } c > 0 \text{ and } a, b \in \mathbb{R}",
        "a*b <= a**2/(2*c) + c*b**2/2 for c > 0, real a, b",
        lambda v: (v.a * v.b, v.a**2 / (2 * v.c) + v.c * v.b**2 / 2),
    ),
)
