"""Runs on unlike clients: local steps drift, partial participation drifts, noise stays."""

from bounds import generic as xp
from tests.qa.own.record import Table
from verify import Hypothesis, Real, functions, quadratics, statement

own = Table("drift")

STEP = {"step_size": Real(1 / 64, 1, unit=(-1, 2), log=True)}
SHORT = Hypothesis(
    "short step", r"\eta\le1/\beta", lambda w: 1 - w.step_size * w.beta, where="here"
)


def shapes(*listed, **more):
    return tuple({"N": n, "d": 1, "rounds": 1, "method": "fedavg", **more} for n in listed)


ONE, TWO = (quadratics(shapes(2, 3, local_steps=k), extra=STEP) for k in (1, 2))
ALONE = quadratics(shapes(1, 1, local_steps=2), extra=STEP)


def gaps(w):
    """Squared distances to the minimiser of the average, before and after; what noise may add."""
    best, path = w.problem.mean_optimum, w.run().theta
    noise = w.step_size**2 * xp.mean(w.sigma2)
    first, last = (xp.squared_norm(path[..., t, :] - best) for t in (0, 1))
    return first, last, noise


@own.true(
    "One local step is a gradient step on the average: the gap shrinks, noise adds eta^2 s^2/N."
)
@statement(
    "own.drift.one_step",
    where="here",
    over="mean",
    family=ONE,
    given=[SHORT],
    latex=r"E|x_1-\bar x_*|^2\le|x_0-\bar x_*|^2+\eta^2\bar\sigma^2,\ K=1",
)
def one_step(w):
    first, last, noise = gaps(w)
    return {"after": last}, {"before": first, "noise": noise}


@own.false(
    "Curvatures 1 and 2, minima 0 and 1, eta = 1/4, no noise, from 2/3: 0 before, not after."
)
@one_step.like(
    "own.drift.two_steps",
    family=TWO,
    latex=r"E|x_1-\bar x_*|^2\le|x_0-\bar x_*|^2+4\eta^2\bar\sigma^2,\ K=2",
)
def two_steps(w):
    first, last, noise = gaps(w)
    return {"after": last}, {"before": first, "noise": 4 * noise}


@own.false("The same: the loss grows from its minimum.")
@one_step.like(
    "own.drift.loss", family=TWO, latex=r"E\bar f(x_1)\le\bar f(x_0)+4\beta\eta^2\bar\sigma^2"
)
def loss(w):
    path = w.run().theta
    before, after = (xp.mean(w.problem.excess(path[..., t, :])) for t in (0, 1))
    return {"after": after}, {"before": before, "noise": 4 * w.beta * gaps(w)[2]}


@own.true("A single client takes two gradient steps on its own parabola.")
@one_step.like(
    "own.drift.single", family=ALONE, latex=r"E|x_1-x_*|^2\le|x_0-x_*|^2+2\eta^2\bar\sigma^2,\ N=1"
)
def single(w):
    first, last, noise = gaps(w)
    return {"after": last}, {"before": first, "noise": 2 * noise}


@own.true("Each client moves towards its own minimiser, at most onto it.")
@one_step.like(
    "own.drift.hull",
    family=TWO,
    latex=r"E|x_1-x_0|^2\le\max_i|x_i^*-x_0|^2+2\eta^2\bar\sigma^2,\ K=2",
)
def hull(w):
    path, best = w.run().theta[..., 0], w.problem.optimum[..., 0]
    far = xp.largest((best - path[..., 0][..., None]) ** 2)
    return {"moved": (path[..., 1] - path[..., 0]) ** 2}, {"far": far, "noise": 2 * gaps(w)[2]}


@own.false("The minima 0 and 1 at curvature 1: one full step from 0 goes to 1/2, and 1/4 > 1/5.")
@one_step.like(
    "own.drift.hull_less", latex=r"|x_1-x_0|^2\le\tfrac15\max_i|x_i^*-x_0|^2+\eta^2\bar\sigma^2"
)
def hull_less(w):
    path, best = w.run().theta[..., 0], w.problem.optimum[..., 0]
    far = xp.largest((best - path[..., 0][..., None]) ** 2)
    return {"moved": (path[..., 1] - path[..., 0]) ** 2}, {"fifth": far / 5, "noise": gaps(w)[2]}


@own.false("N equal clients without noise, two steps of eta = 1/2 at curvature 1: 1/4 against 1/2.")
@statement(
    "own.drift.once",
    where="here",
    relation="==",
    over="path",
    family=TWO,
    latex=r"x_1(K=2)=x_1(K=1)",
)
def once(w):
    return {"two": w.run().theta[..., 1, 0]}, {"one": w.run(local_steps=1).theta[..., 1, 0]}


@own.true("Client 0 alone in a federation of one is FedAvg itself.")
@once.like(
    "own.drift.local",
    latex=r"x_2^{\mathrm{FedAvg}}=x_2^{\mathrm{local}},\ N=1",
    family=quadratics(shapes(1, rounds=2), extra=STEP),
)
def local(w):
    return {"FedAvg": w.run().theta[..., 2, 0]}, {"local": w.run("local").theta[..., 2, 0]}


@own.false("Two clients with minima 0 and 1: the average moves to the middle, client 0 stays.")
@once.like(
    "own.drift.local_two", latex=r"x_1^{\mathrm{FedAvg}}=x_1^{\mathrm{local}},\ N=2", family=ONE
)
def local_two(w):
    return {"FedAvg": w.run().theta[..., 1, 0]}, {"local": w.run("local").theta[..., 1, 0]}


CLASS = functions("smooth convex", clients=2, method="fedavg", extra=STEP)


@own.true("One step of gradient descent on the average, which is L-smooth.")
@statement(
    "own.drift.class_one",
    where="here",
    family=CLASS,
    given=[SHORT],
    latex=r"\bar f(x_1)\le\bar f(x_0)-\tfrac\eta2|\nabla\bar f(x_0)|^2",
)
def class_one(w):
    end = w.run().server[..., 1, :]
    slope = xp.squared_norm(xp.mean(w.problem.gradients(w.start), -2))
    return {"after": xp.mean(w.problem.excess(end)), "fall": w.step_size * slope / 2}, {
        "before": xp.mean(w.problem.excess(w.start))
    }


@own.false("From the minimiser of the average of unlike parabolas the second local step drifts.")
@class_one.like("own.drift.class_two", latex=r"\bar f(x_1)\le\bar f(x_0),\ K=2")
def class_two(w):
    end = w.run(local_steps=2).server[..., 1, :]
    return {"after": xp.mean(w.problem.excess(end))}, {"before": xp.mean(w.problem.excess(w.start))}


@own.false("The full fall with eta = 1/L at a parabola: eta/2 |g|^2, not 3/5 of eta |g|^2.")
@class_one.like(
    "own.drift.class_more", latex=r"\bar f(x_1)\le\bar f(x_0)-\tfrac{3\eta}5|\nabla\bar f(x_0)|^2"
)
def class_more(w):
    left, right = class_one(w)
    return {"after": left["after"], "fall": 6 * left["fall"] / 5}, right


@own.true("The mean of two nonexpansive steps.")
@class_one.like(
    "own.drift.class_gap", latex=r"|x_1-z|^2\le\tfrac12\sum_i|x_0-x_i^*|^2,\ z=\tfrac12\sum_ix_i^*"
)
def class_gap(w):
    end, best = w.run().server[..., 1, :], w.problem.optimum
    middle = xp.mean(best, -2)
    far = xp.mean(xp.squared_norm(w.start[..., None, :] - best))
    return {"after": xp.squared_norm(end - middle)}, {"mean": far}


@own.false("Minima -1 and 1, start 0 = z: unlike curvatures move away from 0.")
@class_one.like(
    "own.drift.class_gap_middle", latex=r"|x_1-z|^2\le|x_0-z|^2,\ z=\tfrac12\sum_ix_i^*"
)
def class_gap_middle(w):
    middle = xp.mean(w.problem.optimum, -2)
    return {"after": xp.squared_norm(w.run().server[..., 1, :] - middle)}, {
        "before": xp.squared_norm(w.start - middle)
    }


NOISY = quadratics(shapes(2, 3), extra=STEP)


@own.true("Independent noises of N clients: eta^2 mean s_i^2/N.")
@statement(
    "own.drift.noise",
    where="here",
    over="mean",
    family=NOISY,
    latex=r"E|x_1-Ex_1|^2\le\eta^2\bar\sigma^2/N",
)
def noise(w):
    end = w.run().theta[..., 1, 0]
    return {"variance": (end - w.mean(end)) ** 2}, {
        "noise": w.step_size**2 * xp.mean(w.sigma2) / w.problem.clients
    }


@own.false("N = 2 with full noise: eta^2 s^2/2, not eta^2 s^2/4.")
@noise.like("own.drift.noise_squared", latex=r"E|x_1-Ex_1|^2\le\eta^2\bar\sigma^2/N^2")
def noise_squared(w):
    left, right = noise(w)
    return left, {"noise": right["noise"] / w.problem.clients}


@own.false("At skew 2 the noise is -1/2 with chance 4/5.")
@statement(
    "own.drift.chance",
    where="here",
    over="prob",
    delta=lambda w: xp.divide(1, 2) + 0 * w.step_size,
    family=quadratics(shapes(1), extra=STEP),
    latex=r"P(x_1>Ex_1)\le\tfrac12",
)
def chance(w):
    end = w.run().theta[..., 1, 0]
    return {"end": end}, {"mean": w.mean(end)}


@own.true("Chebyshev: 4 noises away is at most 1/16 likely.")
@chance.like(
    "own.drift.chance_far",
    delta=lambda w: xp.divide(1, 16) + 0 * w.step_size,
    latex=r"P(|x_1-Ex_1|^2>16\eta^2\sigma^2)\le\tfrac1{16}",
)
def chance_far(w):
    end = w.run().theta[..., 1, 0]
    return {"away": (end - w.mean(end)) ** 2}, {"noise": 16 * w.step_size**2 * w.sigma2[..., 0]}


@own.false("Skew 8: the rare outcome 8 s has the chance 1/65 > 1/100, and 64 > 36.")
@chance.like(
    "own.drift.chance_rare",
    delta=lambda w: xp.divide(1, 100) + 0 * w.step_size,
    latex=r"P(|x_1-Ex_1|^2>36\eta^2\sigma^2)\le\tfrac1{100}",
)
def chance_rare(w):
    end = w.run().theta[..., 1, 0]
    return {"away": (end - w.mean(end)) ** 2}, {"noise": 36 * w.step_size**2 * w.sigma2[..., 0]}
