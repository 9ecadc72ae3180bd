"""Lines about numbers, as typed in papers, mail and notebooks."""

from __future__ import annotations

from math import comb, exp, factorial, prod
from math import cos as cosine
from math import log as ln
from math import sin as sine
from math import sqrt as root

from tests.verify.line.typed.meant import Typed

NUMBERS = (
    Typed("2xy <= x^2 + y^2", "2*x*y <= x**2 + y**2", lambda v: (2 * v.x * v.y, v.x**2 + v.y**2)),
    Typed(
        "4xy <= (x+y)^2 for x, y >= 0",
        "4*x*y <= (x + y)**2 for x, y >= 0",
        lambda v: (4 * v.x * v.y, (v.x + v.y) ** 2),
    ),
    Typed(
        "sqrt(xy) <= (x+y)/2 for x, y > 0",
        "sqrt(x*y) <= (x + y)/2 for x, y > 0",
        lambda v: (root(v.x * v.y), (v.x + v.y) / 2),
    ),
    Typed(
        r"\sqrt{xy} \le \frac{x+y}{2} for x, y > 0",
        "sqrt(x*y) <= (x + y)/2 for x, y > 0",
        lambda v: (root(v.x * v.y), (v.x + v.y) / 2),
    ),
    Typed("log x <= x - 1 for x > 0", "log(x) <= x - 1 for x > 0", lambda v: (ln(v.x), v.x - 1)),
    Typed(
        r"\log x \le x - 1 for all x > 0",
        "log(x) <= x - 1 for x > 0",
        lambda v: (ln(v.x), v.x - 1),
    ),
    Typed(
        "for all x > 0: log x <= x - 1",
        "log(x) <= x - 1 for x > 0",
        lambda v: (ln(v.x), v.x - 1),
    ),
    Typed(
        r"\log xy \le x+y-2 for x, y > 0",
        "log(x*y) <= x + y - 2 for x, y > 0",
        lambda v: (ln(v.x * v.y), v.x + v.y - 2),
    ),
    Typed(
        "log xy <= x + y - 2 for x, y > 0",
        "log(x*y) <= x + y - 2 for x, y > 0",
        lambda v: (ln(v.x * v.y), v.x + v.y - 2),
    ),
    Typed(
        "ln x >= 1 - 1/x, x > 0",
        "log(x) >= 1 - 1/x for x > 0",
        lambda v: (ln(v.x), 1 - 1 / v.x),
    ),
    Typed(
        "x(1-x) <= 1/4 for x in [0,1]",
        "x*(1 - x) <= 1/4 for x in [0, 1]",
        lambda v: (v.x * (1 - v.x), 0.25),
    ),
    Typed(r"x(1-x) \le \frac14", "x*(1 - x) <= 1/4", lambda v: (v.x * (1 - v.x), 0.25)),
    Typed(
        "xy <= x^p/p + y^q/q for x, y > 0, p, q > 1 s.t. 1/p + 1/q = 1",
        "x*y <= x**p/p + y**q/q for x, y > 0, p, q > 1 given 1/p + 1/q == 1",
        lambda v: (v.x * v.y, v.x**v.p / v.p + v.y**v.q / v.q),
    ),
    Typed(
        r"xy \le \frac{\epsilon x^2}{2} + \frac{y^2}{2\epsilon}"
        r" for \epsilon > 0, x, y \in \mathbb{R}",
        "x*y <= epsilon*x**2/2 + y**2/(2*epsilon) for epsilon > 0, real x, y",
        lambda v: (v.x * v.y, v.epsilon * v.x**2 / 2 + v.y**2 / (2 * v.epsilon)),
    ),
    Typed(
        "(x+y)^2 <= 2x^2 + 2y^2",
        "(x + y)**2 <= 2*x**2 + 2*y**2",
        lambda v: ((v.x + v.y) ** 2, 2 * v.x**2 + 2 * v.y**2),
    ),
    Typed(
        r"(a+b)^2 \le (1+\beta) a^2 + (1 + 1/\beta) b^2 for \beta > 0, a, b \in \mathbb R",
        "(a + b)**2 <= (1 + beta)*a**2 + (1 + 1/beta)*b**2 for beta > 0, real a, b",
        lambda v: ((v.a + v.b) ** 2, (1 + v.beta) * v.a**2 + (1 + 1 / v.beta) * v.b**2),
    ),
    Typed("1 + x <= e^x", "1 + x <= exp(x)", lambda v: (1 + v.x, exp(v.x))),
    Typed(
        r"1 - x \le e^{-x} for x >= 0",
        "1 - x <= exp(-x) for x >= 0",
        lambda v: (1 - v.x, exp(-v.x)),
    ),
    Typed(
        r"e^x + e^{-x} \le 2 e^{x^2/2}",
        "exp(x) + exp(-x) <= 2*exp(x**2/2)",
        lambda v: (exp(v.x) + exp(-v.x), 2 * exp(v.x**2 / 2)),
    ),
    Typed(
        "x^2y + y^2x <= x^3 + y^3 for x, y >= 0",
        "x**2*y + y**2*x <= x**3 + y**3 for x, y >= 0",
        lambda v: (v.x**2 * v.y + v.y**2 * v.x, v.x**3 + v.y**3),
    ),
    Typed(
        "abc <= (a+b+c)^3/27 for a,b,c >= 0",
        "a*b*c <= (a + b + c)**3/27 for a, b, c >= 0",
        lambda v: (v.a * v.b * v.c, (v.a + v.b + v.c) ** 3 / 27),
    ),
    Typed(
        "(1+x)^n >= 1 + nx for n in {1,...,10}, x >= -1",
        "(1 + x)**n >= 1 + n*x for integer n in [1, 10], x >= -1",
        lambda v: ((1 + v.x) ** v.n, 1 + v.n * v.x),
    ),
    Typed(
        r"(1-x)^n \ge 1 - nx \quad \forall x \in [0,1], n = 1,\ldots,8",
        "(1 - x)**n >= 1 - n*x for x in [0, 1], integer n in [1, 8]",
        lambda v: ((1 - v.x) ** v.n, 1 - v.n * v.x),
    ),
    Typed(
        "n! >= 2^(n-1) for integer n in [1, 8]",
        "factorial(n) >= 2**(n - 1) for integer n in [1, 8]",
        lambda v: (factorial(v.n), 2 ** (v.n - 1)),
    ),
    Typed(
        "binom(2n, n) <= 4^n for integer n in [0, 8]",
        "binom(2*n, n) <= 4**n for integer n in [0, 8]",
        lambda v: (comb(2 * v.n, v.n), 4**v.n),
    ),
    Typed(
        r"\sum_{k=1}^n 1/k <= 1 + log n for integer n in [1, 12]",
        "sum_{k=1}^{n} (1/k) <= 1 + log(n) for integer n in [1, 12]",
        lambda v: (sum(1 / k for k in range(1, v.n + 1)), 1 + ln(v.n)),
    ),
    Typed(
        r"\sum_{k=1}^n k = \frac{n(n+1)}{2} for integer n in [1, 12]",
        "sum_{k=1}^{n} (k) == n*(n + 1)/2 for integer n in [1, 12]",
        lambda v: (sum(range(v.n + 1)), v.n * (v.n + 1) / 2),
    ),
    Typed(
        r"\sum_{k=0}^{n} q^k = \frac{1 - q^{n+1}}{1-q} for 0 < q < 1; integer n in [0, 8]",
        "sum_{k=0}^{n} (q**k) == (1 - q**(n + 1))/(1 - q) for 0 < q < 1; integer n in [0, 8]",
        lambda v: (sum(v.q**k for k in range(v.n + 1)), (1 - v.q ** (v.n + 1)) / (1 - v.q)),
    ),
    Typed(
        r"\prod_{k=1}^n (1 + x/k) \ge 1 + x for x >= 0, integer n in [1, 6]",
        "prod_{k=1}^{n} (1 + x/k) >= 1 + x for x >= 0, integer n in [1, 6]",
        lambda v: (prod(1 + v.x / k for k in range(1, v.n + 1)), 1 + v.x),
    ),
    Typed(
        "(n - 3)^2 >= 0 for integer n in [1, 5]",
        "(n - 3)**2 >= 0 for integer n in [1, 5]",
        lambda v: ((v.n - 3) ** 2, 0),
    ),
    Typed(
        "sum_{i=1}^n x_i^2 >= (sum_{i=1}^n x_i)^2/n",
        "sum_i (x[i]**2) >= (sum_i (x[i]))**2/N",
        lambda v: (sum(x**2 for x in v.x), sum(v.x) ** 2 / len(v.x)),
    ),
    Typed(
        r"\left(\sum_{i=1}^n x_i\right)^2 \le n \sum_{i=1}^n x_i^2",
        "(sum_i (x[i]))**2 <= N*(sum_i (x[i]**2))",
        lambda v: (sum(v.x) ** 2, len(v.x) * sum(x**2 for x in v.x)),
    ),
    Typed(
        r"\frac1n \sum_{i=1}^n x_i \ge \min_i x_i",
        "mean_i (x[i]) >= min_i (x[i])",
        lambda v: (sum(v.x) / len(v.x), min(v.x)),
    ),
    Typed(
        r"\max_i x_i \le \sum_i x_i for x_i >= 0",
        "max_i (x[i]) <= sum_i (x[i]) for x >= 0",
        lambda v: (max(v.x), sum(v.x)),
    ),
    Typed(
        r"\left(\sum_{i=1}^n a_i b_i\right)^2 \le \sum_{i=1}^n a_i^2 \sum_{i=1}^n b_i^2",
        "(sum_i (a[i]*b[i]))**2 <= (sum_i (a[i]**2))*(sum_i (b[i]**2))",
        lambda v: (
            sum(a * b for a, b in zip(v.a, v.b, strict=True)) ** 2,
            sum(a**2 for a in v.a) * sum(b**2 for b in v.b),
        ),
    ),
    Typed(
        "1/N sum_i x_i^2 >= (1/N sum_i x_i)^2",
        "(1/N)*(sum_i (x[i]**2)) >= ((1/N)*(sum_i (x[i])))**2",
        lambda v: (sum(x**2 for x in v.x) / len(v.x), (sum(v.x) / len(v.x)) ** 2),
    ),
    Typed(
        "x_1 x_2 <= (x_1^2 + x_2^2)/2",
        "x_1*x_2 <= (x_1**2 + x_2**2)/2",
        lambda v: (v.x_1 * v.x_2, (v.x_1**2 + v.x_2**2) / 2),
    ),
    Typed(
        "|x+y| <= |x| + |y|",
        "abs(x + y) <= abs(x) + abs(y)",
        lambda v: (abs(v.x + v.y), abs(v.x) + abs(v.y)),
    ),
    Typed(
        "||x| - |y|| <= |x - y|",
        "abs(abs(x) - abs(y)) <= abs(x - y)",
        lambda v: (abs(abs(v.x) - abs(v.y)), abs(v.x - v.y)),
    ),
    Typed(
        "|xy| = |x||y|",
        "abs(x*y) == abs(x)*abs(y)",
        lambda v: (abs(v.x * v.y), abs(v.x) * abs(v.y)),
    ),
    Typed(
        r"\left| |x| - |y| \right| \le |x-y|",
        "abs(abs(x) - abs(y)) <= abs(x - y)",
        lambda v: (abs(abs(v.x) - abs(v.y)), abs(v.x - v.y)),
    ),
    Typed(
        "|x| y |z| <= 1 for x, y, z in [0, 1]",
        "abs(x)*y*abs(z) <= 1 for x, y, z in [0, 1]",
        lambda v: (abs(v.x) * v.y * abs(v.z), 1),
    ),
    Typed(
        r"\max\{x, y\} = \frac{x+y+|x-y|}{2}",
        "max(x, y) == (x + y + abs(x - y))/2",
        lambda v: (max(v.x, v.y), (v.x + v.y + abs(v.x - v.y)) / 2),
    ),
    Typed(
        "max(x,y) <= x + y for x,y >= 0",
        "max(x, y) <= x + y for x, y >= 0",
        lambda v: (max(v.x, v.y), v.x + v.y),
    ),
    Typed("|x| = max(x, -x)", "abs(x) == max(x, -x)", lambda v: (abs(v.x), max(v.x, -v.x))),
    Typed("sin x <= x for x >= 0", "sin(x) <= x for x >= 0", lambda v: (sine(v.x), v.x)),
    Typed(
        r"\cos x \ge 1 - \frac{x^2}{2}",
        "cos(x) >= 1 - x**2/2",
        lambda v: (cosine(v.x), 1 - v.x**2 / 2),
    ),
    Typed(
        r"\sin^2 x + \cos^2 x = 1",
        "sin(x)**2 + cos(x)**2 == 1",
        lambda v: (sine(v.x) ** 2 + cosine(v.x) ** 2, 1),
    ),
    Typed(
        r"\log(1+x) \le x for x > -1",
        "log(1 + x) <= x for x > -1",
        lambda v: (ln(1 + v.x), v.x),
    ),
    Typed(
        r"\log \frac{x+y}{2} \ge \frac{\log x + \log y}{2} for x, y > 0",
        "log((x + y)/2) >= (log(x) + log(y))/2 for x, y > 0",
        lambda v: (ln((v.x + v.y) / 2), (ln(v.x) + ln(v.y)) / 2),
    ),
    Typed(
        r"x \log x \ge x - 1 for x > 0",
        "x*log(x) >= x - 1 for x > 0",
        lambda v: (v.x * ln(v.x), v.x - 1),
    ),
    Typed(
        "exp(-x) <= 1/(1+x) for x >= 0",
        "exp(-x) <= 1/(1 + x) for x >= 0",
        lambda v: (exp(-v.x), 1 / (1 + v.x)),
    ),
    Typed("x² + y² ≥ 2xy", "x**2 + y**2 >= 2*x*y", lambda v: (v.x**2 + v.y**2, 2 * v.x * v.y)),
    Typed(
        "√(xy) ≤ (x+y)/2 for x, y ≥ 0",
        "sqrt(x*y) <= (x + y)/2 for x, y >= 0",
        lambda v: (root(v.x * v.y), (v.x + v.y) / 2),
    ),
    Typed(
        "∑_{i=1}^n x_i ≤ n · max_i x_i",
        "sum_i (x[i]) <= N*(max_i (x[i]))",
        lambda v: (sum(v.x), len(v.x) * max(v.x)),
    ),
    Typed(
        "α x^2 + β y^2 ≥ 2 sqrt(αβ) x y for α, β ≥ 0, x, y ∈ ℝ",
        "alpha*x**2 + beta*y**2 >= 2*sqrt(alpha*beta)*x*y for alpha, beta >= 0, real x, y",
        lambda v: (v.alpha * v.x**2 + v.beta * v.y**2, 2 * root(v.alpha * v.beta) * v.x * v.y),
    ),
    Typed(
        r"$2ab \leq a^2 + b^2$ for real a, b",
        "2*a*b <= a**2 + b**2 for real a, b",
        lambda v: (2 * v.a * v.b, v.a**2 + v.b**2),
    ),
    Typed(
        r"\tfrac{1}{2}x^2 + \tfrac{1}{2}y^2 \geq xy",
        "(1/2)*x**2 + (1/2)*y**2 >= x*y",
        lambda v: (v.x**2 / 2 + v.y**2 / 2, v.x * v.y),
    ),
    Typed("-x^2 <= 0", "-(x**2) <= 0", lambda v: (-(v.x**2), 0)),
    Typed(
        "2(x+y) <= x^2 + y^2 + 2",
        "2*(x + y) <= x**2 + y**2 + 2",
        lambda v: (2 * (v.x + v.y), v.x**2 + v.y**2 + 2),
    ),
    Typed(
        "(x+1)(x-1) = x^2 - 1",
        "(x + 1)*(x - 1) == x**2 - 1",
        lambda v: ((v.x + 1) * (v.x - 1), v.x**2 - 1),
    ),
    Typed(
        r"\frac{x_1 + x_2}{2} \ge \sqrt{x_1 x_2} for x_1, x_2 > 0",
        "(x_1 + x_2)/2 >= sqrt(x_1*x_2) for x_1, x_2 > 0",
        lambda v: ((v.x_1 + v.x_2) / 2, root(v.x_1 * v.x_2)),
    ),
    Typed(
        r"(1-\eta\mu)^2 \le 1-\eta\mu for 0 < \eta \le 1/L, \mu, L > 0 given \mu \le L",
        "(1 - eta*mu)**2 <= 1 - eta*mu for eta > 0; mu, L > 0 given eta <= 1/L, mu <= L",
        lambda v: ((1 - v.eta * v.mu) ** 2, 1 - v.eta * v.mu),
    ),
    Typed(
        r"\frac{1}{1-x} \ge 1 + x for x \in [0,1)",
        "1/(1 - x) >= 1 + x for x in [0, 1)",
        lambda v: (1 / (1 - v.x), 1 + v.x),
    ),
    Typed(
        r"(1 - 1/\kappa)^t \le e^{-t/\kappa} for \kappa > 1, t \ge 1",
        "(1 - 1/kappa)**t <= exp(-t/kappa) for kappa > 1, t >= 1",
        lambda v: ((1 - 1 / v.kappa) ** v.t, exp(-v.t / v.kappa)),
    ),
    Typed(
        r"\sqrt[3]{xyz} \le \frac{x+y+z}{3} for x,y,z > 0",
        "(x*y*z)**(1/3) <= (x + y + z)/3 for x, y, z > 0",
        lambda v: ((v.x * v.y * v.z) ** (1 / 3), (v.x + v.y + v.z) / 3),
    ),
    Typed(
        "(xyz)^(1/3) <= (x+y+z)/3 for x, y, z >= 0",
        "(x*y*z)**(1/3) <= (x + y + z)/3 for x, y, z >= 0",
        lambda v: ((v.x * v.y * v.z) ** (1 / 3), (v.x + v.y + v.z) / 3),
    ),
    Typed(
        "(a+b)^p <= 2^(p-1) (a^p + b^p) for a, b >= 0, p >= 1",
        "(a + b)**p <= 2**(p - 1)*(a**p + b**p) for a, b >= 0, p >= 1",
        lambda v: ((v.a + v.b) ** v.p, 2 ** (v.p - 1) * (v.a**v.p + v.b**v.p)),
    ),
)
