"""Every function or operator of a class, some false in more than one dimension alone."""

from bounds import generic as xp
from tests.qa.own.record import Table
from verify import Real, functions, operators, statement, visited

own = Table("classes")

SHARE = {"share": Real(1 / 16, 1, domain=(0, 1))}
RULE = {"step_size": lambda w: w.share / w.beta}
CONVEX = functions("smooth convex", extra=SHARE)
PLANAR = functions("smooth convex", dimensions=(1, 2), extra=SHARE)
STRONG = functions("smooth strongly convex", extra=SHARE)


def slopes(w):
    seen = visited(w)
    return seen.gradients[..., 0, 0, :], seen.gradients[..., 1, 0, :]


def distances(w):
    points = visited(w).points - w.problem.optimum[..., None, 0, :]
    return xp.squared_norm(points[..., 0, :]), xp.squared_norm(points[..., 1, :])


@own.false("A bowl of curvatures 1 and 1/2 in two dimensions turns the slope; on a line none does.")
@statement(
    "own.classes.parallel",
    where="here",
    family=PLANAR,
    defines=RULE,
    latex=r"|g_0|^2|g_1|^2\le\langle g_0,g_1\rangle^2",
)
def parallel(w):
    first, second = slopes(w)
    product = xp.squared_norm(first) * xp.squared_norm(second)
    return {"norms": product}, {"product": xp.dot(first, second) ** 2}


@own.true("Cocoercivity with x_0 - x_1 = eta g_0, eta <= 1/L.")
@parallel.like("own.classes.turned", latex=r"|g_1|^2\le\langle g_0,g_1\rangle")
def turned(w):
    first, second = slopes(w)
    return {"square": xp.squared_norm(second)}, {"product": xp.dot(first, second)}


@own.false("A parabola of curvature L/2, eta = 1/L: 0.45 > 0.25.")
@parallel.like("own.classes.turned_back", latex=r"\tfrac9{10}\langle g_0,g_1\rangle\le|g_1|^2")
def turned_back(w):
    first, second = slopes(w)
    return {"product": 9 * xp.dot(first, second) / 10}, {"square": xp.squared_norm(second)}


@own.true("g_1 = (I - eta H) g_0 with mu <= H <= L.")
@statement(
    "own.classes.slopes",
    where="here",
    family=STRONG,
    defines=RULE,
    latex=r"|g_1|^2\le(1-\eta\mu)^2|g_0|^2",
)
def shrinking(w):
    first, second = map(xp.squared_norm, slopes(w))
    return {"after": second}, {"before": (1 - w.step_size * w.mu) ** 2 * first}


@own.false("A parabola of curvature mu = L/2, eta = 1/L: 1/4 > 1/8.")
@shrinking.like("own.classes.slopes_more", latex=r"|g_1|^2\le(1-\eta\mu)^3|g_0|^2")
def shrinking_more(w):
    first, second = map(xp.squared_norm, slopes(w))
    return {"after": second}, {"before": (1 - w.step_size * w.mu) ** 3 * first}


@own.true("(1 - eta l)^2 <= 1 - eta mu.")
@shrinking.like("own.classes.distance", latex=r"|x_1-x_*|^2\le(1-\eta\mu)|x_0-x_*|^2")
def distance(w):
    before, after = distances(w)
    return {"after": after}, {"before": (1 - w.step_size * w.mu) * before}


@own.false("A parabola of curvature mu: (1 - eta mu)^2 > 1 - 2 eta mu.")
@shrinking.like(
    "own.classes.distance_twice", latex=r"|x_1-x_*|^2+2\eta\mu|x_0-x_*|^2\le|x_0-x_*|^2"
)
def distance_twice(w):
    before, after = distances(w)
    return {"after": after, "twice": 2 * w.step_size * w.mu * before}, {"before": before}


@own.false("Curvature -L: g_1 = 2 g_0 at eta = 1/L.")
@statement(
    "own.classes.bent",
    where="here",
    family=functions("smooth", extra=SHARE),
    defines=RULE,
    latex=r"|g_1|^2\le|g_0|^2",
)
def bent(w):
    first, second = map(xp.squared_norm, slopes(w))
    return {"after": second}, {"before": first}


@own.true("|g_1 - g_0| <= L eta |g_0|.")
@bent.like("own.classes.bent_true", latex=r"|g_1|^2\le(1+\eta L)^2|g_0|^2")
def bent_true(w):
    first, second = map(xp.squared_norm, slopes(w))
    return {"after": second}, {"before": (1 + w.step_size * w.beta) ** 2 * first}


@own.true("Descent, and |g|^2 >= 2 mu (f - f_*).")
@statement(
    "own.classes.pl",
    where="here",
    family=functions("smooth PL", extra=SHARE),
    defines=RULE,
    latex=r"f_1-f_*\le(1-\eta\mu)(f_0-f_*)",
)
def pl(w):
    excess = visited(w).excess[..., 0]
    return {"after": excess[..., 1]}, {"before": (1 - w.step_size * w.mu) * excess[..., 0]}


@own.false("A parabola of curvature mu: (1 - eta mu)^2 > (1 - eta mu)^3.")
@pl.like("own.classes.pl_more", latex=r"f_1-f_*\le(1-\eta\mu)^3(f_0-f_*)")
def pl_more(w):
    excess = visited(w).excess[..., 0]
    return {"after": excess[..., 1]}, {"before": (1 - w.step_size * w.mu) ** 3 * excess[..., 0]}


@own.false("A parabola of curvature L > 16: the step 1/8 for all goes beyond twice the distance.")
@statement(
    "own.classes.one_step",
    where="here",
    family=functions("smooth convex"),
    defines={"step_size": lambda w: xp.divide(1, 8) + 0 * w.beta},
    latex=r"\exists\eta\,\forall f:\ f_1\le f_0,\ \eta=\tfrac18",
)
def one_step(w):
    excess = visited(w).excess[..., 0]
    return {"after": excess[..., 1]}, {"before": excess[..., 0]}


@own.true("The step 2/L of its own leaves no function above its start.")
@one_step.like(
    "own.classes.own_step",
    defines={"step_size": lambda w: 2 / w.beta},
    latex=r"\forall f\,\exists\eta:\ f_1\le f_0,\ \eta=2/L",
)
def own_step(w):
    return one_step(w)


@own.false("A parabola of curvature L goes from 1 to -1.1 with the step 2.1/L.")
@one_step.like(
    "own.classes.longer_step",
    defines={"step_size": lambda w: 21 / (10 * w.beta)},
    latex=r"f_1\le f_0,\ \eta=2.1/L",
)
def longer_step(w):
    return one_step(w)


FORWARD = {"share": Real(1 / 16, 1, domain=(0, 1))}


@own.false("A turn by a right angle in two dimensions: 1 + eta^2 > 1.")
@statement(
    "own.classes.monotone",
    where="here",
    family=operators("monotone", dimensions=(1, 2), extra=FORWARD),
    defines=RULE,
    latex=r"|x_1-z|^2\le|x_0-z|^2",
)
def monotone(w):
    before, after = distances(w)
    return {"after": after}, {"before": before}


@own.true("|x_0 - eta A x_0 - z|^2 <= |x_0 - z|^2 + eta^2 |A x_0|^2, and |A x_0| <= L |x_0 - z|.")
@monotone.like("own.classes.monotone_true", latex=r"|x_1-z|^2\le(1+\eta^2L^2)|x_0-z|^2")
def monotone_true(w):
    before, after = distances(w)
    return {"after": after}, {"before": (1 + (w.step_size * w.beta) ** 2) * before}


NOISY = functions("smooth strongly convex", noise=True, extra=SHARE)


@own.true("The cross term has mean zero, and the noise adds eta^2 s^2.")
@statement(
    "own.classes.noisy",
    where="here",
    over="mean",
    family=NOISY,
    defines=RULE,
    latex=r"E|x_1-x_*|^2\le(1-\eta\mu)|x_0-x_*|^2+\eta^2\sigma^2",
)
def noisy(w):
    points = w.run().theta - w.problem.optimum[..., None, 0, :]
    before, after = (xp.squared_norm(points[..., t, :]) for t in (0, 1))
    noise = w.step_size**2 * w.sigma2[..., 0]
    return {"after": after}, {"before": (1 - w.step_size * w.mu) * before, "noise": noise}


@own.false("From the minimiser: eta^2 s^2 > eta^2 s^2/2.")
@noisy.like("own.classes.noisy_half", latex=r"\ldots+\tfrac12\eta^2\sigma^2")
def noisy_half(w):
    left, right = noisy(w)
    return left, {**right, "noise": right["noise"] / 2}


@own.false("Skewed noise: from the minimiser the rare outcome 8 s moves by 8 eta s.")
@noisy.like(
    "own.classes.noisy_path", over="path", latex=r"|x_1-x_*|^2\le|x_0-x_*|^2+\eta^2\sigma^2"
)
def noisy_path(w):
    points = w.run().theta - w.problem.optimum[..., None, 0, :]
    before, after = (xp.squared_norm(points[..., t, :]) for t in (0, 1))
    return {"after": after}, {"before": before, "noise": w.step_size**2 * w.sigma2[..., 0]}
