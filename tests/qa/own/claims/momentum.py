"""Heavy ball and Nesterov's method, on parabolas and on classes of functions."""

from bounds import generic as xp
from tests.qa.own.record import FALSE, TRUE, Table
from verify import Real, functions, numbers, statement, walked

own = Table("momentum")

MOMENTUM = Real(0, 7 / 8, domain=(0, 1))


def ball(w, a, b, rounds):
    """Heavy ball on the parabola of curvature w.l, from 1."""
    x = [1 + 0 * w.l, 1 - a * w.l]
    for _ in range(rounds - 1):
        x.append(x[-1] - a * w.l * x[-1] + b * (x[-1] - x[-2]))
    return x


PARABOLA = numbers({"l": Real(0, 1, domain=(0, 1)), "b": MOMENTUM})


@own.false("At l = 1, b = 1/2: 1, 1/2, 0, -1/4, so the third step climbs from 0.")
@statement("own.momentum.descends", where="here", family=PARABOLA, latex=r"x_3^2\le x_2^2")
def descends(w):
    x = ball(w, 1 - w.b, w.b, 3)
    return {"after": x[3] ** 2}, {"before": x[2] ** 2}


@own.true("f + b/(2a)|d|^2 does not grow where a <= 2(1 - b)/L.")
@descends.like("own.momentum.never_above", latex=r"x_3^2\le x_0^2")
def never_above(w):
    x = ball(w, 1 - w.b, w.b, 3)
    return {"after": x[3] ** 2}, {"start": 1 + 0 * w.b}


@own.true("f + b/(2a)|d|^2 does not grow where a <= 2(1 - b)/L: this is the longest step.")
@descends.like("own.momentum.twice", latex=r"x_3^2\le x_0^2,\ a=2(1-\beta)/L")
def twice(w):
    x = ball(w, 2 * (1 - w.b), w.b, 3)
    return {"after": x[3] ** 2}, {"start": 1 + 0 * w.b}


@own.false("At l = 1, b = 0: x = 1, -2, so 4 > 1; a = 3 is too long.")
@descends.like("own.momentum.thrice", latex=r"x_1^2\le x_0^2,\ a=3(1-\beta)/L")
def thrice(w):
    x = ball(w, 3 * (1 - w.b), w.b, 1)
    return {"after": x[1] ** 2}, {"start": 1 + 0 * w.b}


@own.false("At l = b = 1/2: 7/16 > 1/4.")
@descends.like("own.momentum.faster", latex=r"|x_2^{\mathrm{HB}}|\le|x_2^{\mathrm{GD}}|")
def faster(w):
    x, plain = ball(w, 1 - w.b, w.b, 2), ball(w, 1, 0, 2)
    return {"ball": xp.absolute(x[2])}, {"descent": xp.absolute(plain[2])}


@own.true("Without momentum the ball is gradient descent.")
@descends.like("own.momentum.none", latex=r"x_3(\beta=0)=(1-l)^3", relation="==")
def none(w):
    return {"ball": ball(w, 1, 0, 3)[3]}, {"descent": (1 - w.l) ** 3}


BALL = functions("smooth convex", rounds=(1, 2, 3), extra={"b": MOMENTUM})


def rolled(w, share=1):
    def step(w, x, g):
        a = (share * (1 - w.b) / w.beta)[..., None]
        return x[-1] - a * g[-1][..., 0, :] + (w.b[..., None] * (x[-1] - x[-2]) if x[1:] else 0)

    return walked(w, step)


@own.true("f + b/(2a)|d|^2 does not grow.")
@statement("own.momentum.below_start", where="here", family=BALL, latex=r"f(x_T)\le f(x_0)")
def below_start(w):
    seen = rolled(w)
    return {"after": seen.excess[..., -1, 0]}, {"before": seen.excess[..., 0, 0]}


@own.false("On a parabola of curvature L, b = 1/2: the third step climbs from 0 to 1/32.")
@below_start.like("own.momentum.each_step", latex=r"f(x_T)\le f(x_{T-1})")
def each_step(w):
    seen = rolled(w)
    return {"after": seen.excess[..., -1, 0]}, {"before": seen.excess[..., -2, 0]}


@own.false("On a parabola of curvature L at b = 0 the step 3/L goes from 1 to -2.")
@below_start.like("own.momentum.too_long", latex=r"f(x_T)\le f(x_0),\ a=3(1-\beta)/L")
def too_long(w):
    seen = rolled(w, 3)
    return {"after": seen.excess[..., -1, 0]}, {"before": seen.excess[..., 0, 0]}


@own.true("f(x') + (1/a - b/(2a) - L/2)|d'|^2 <= f(x) + b/(2a)|d|^2, summed; a = (1-b)/L.")
@below_start.like("own.momentum.summed", latex=r"f(x_T)+\tfrac L{2}|d_T|^2/(1-\beta)\le f(x_0)")
def summed(w):
    seen = rolled(w)
    last = xp.squared_norm(seen.points[..., -1, :] - seen.points[..., -2, :])
    left = {"after": seen.excess[..., -1, 0], "move": w.beta * last / (2 * (1 - w.b))}
    return left, {"before": seen.excess[..., 0, 0]}


@own.false("On a parabola of curvature L at b = 0: a full step, 0 + L/2*1*1.1 > L/2.")
@below_start.like(
    "own.momentum.summed_more", latex=r"f(x_T)+\tfrac{11L}{20}|d_T|^2/(1-\beta)\le f(x_0)"
)
def summed_more(w):
    left, right = summed(w)
    return {"after": left["after"], "move": 11 * left["move"] / 10}, right


NESTEROV = functions("smooth convex", rounds=(1, 2, 3))


def nesterov(w, weights):
    """Points y_t, at which gradients are taken, and the last x, one gradient step from there."""

    def step(w, y, g):
        t = len(y)
        x = y[-1] - g[-1][..., 0, :] / w.beta[..., None]
        before = y[0] if t == 1 else y[-2] - g[-2][..., 0, :] / w.beta[..., None]
        return x + weights(t) * (x - before)

    return walked(w, step)


@own.false("On a parabola of curvature L: y_1 = -3 x_0.")
@statement(
    "own.momentum.nesterov_heavy",
    where="here",
    family=NESTEROV,
    latex=r"f(y_T)\le f(x_0),\ \text{weights }3",
)
def heavy(w):
    seen = nesterov(w, lambda t: 3)
    return {"after": seen.excess[..., -1, 0]}, {"before": seen.excess[..., 0, 0]}


own.line(
    "stable",
    TRUE,
    "abs(b*x - (1-b)*h*y) <= max(abs(x), abs(y)) for b in [0, 1], h in [0, 1], real x, y",
    "A weighted mean of |x| and h|y| at most.",
)
own.line(
    "unstable",
    FALSE,
    "abs(b*x - h*y) <= max(abs(x), abs(y)) for b in [0, 1], h in [0, 1], real x, y",
    "At b = h = 1, x = 1, y = -1: 2.",
)
own.line(
    "determinant",
    TRUE,
    "(1 + b - h)**2 <= 4*b given (1 - sqrt(b))**2 <= h, h <= (1 + sqrt(b))**2"
    " for b in [0, 1), h > 0",
    "Both roots of z^2 - (1+b-h)z + b are complex between these steps.",
)
own.line(
    "determinant_more",
    FALSE,
    "(1 + b - h)**2 <= 4*b given (1 - sqrt(b))**2 <= h, h <= 2*(1 + b) for b in [0, 1), h > 0",
    "At h = 2(1 + b): (1+b)^2 > 4b.",
)
own.line(
    "condition",
    TRUE,
    "((sqrt(q) - 1)/(sqrt(q) + 1))**2 <= (q - 1)/(q + 1) for q >= 1",
    "With s = sqrt q: (s-1)(s^2+1) <= (s+1)^3.",
)
own.line(
    "condition_more",
    FALSE,
    "((sqrt(q) - 1)/(sqrt(q) + 1))**2 <= ((q - 1)/(q + 1))**4 for q >= 1",
    "At q = 1 + e: e^2/16 > e^4/16.",
)
