"""Section 5: the samples that all-for-all needs under Setting 1, Theorem 4.1, Proposition 3."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

from bounds import generic as xp
from bounds.allforall import rates
from verify.claim import Array, Family, Reading, Real, Sides, numbers
from verify.statements.allforall import quantities as q
from verify.statements.allforall import walks
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Theorem 4.1 :: theorem :: all-for-all
    theorem4.1/blocks mean :: T_\varepsilon\le\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)}
    theorem4.1.repaired/blocks mean :: T_\varepsilon\le\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)},\ \eta=\tfrac{ND}{B\sqrt{K\sum_i1/\mathcal N_i^\varepsilon(2b)}}
    theorem4.1/simplex mean :: T_\varepsilon\le\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)}
    theorem4.1.repaired/simplex mean :: T_\varepsilon\le\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)},\ \eta=\tfrac{ND}{B\sqrt{K\sum_i1/\mathcal N_i^\varepsilon(2b)}}
after Theorem 4 :: claim :: all-for-all
    speedup/mean :: T_\varepsilon\le\tfrac1N\sum_iT_\varepsilon(i)
    speedup/factor == :: \tfrac{T_\varepsilon}{T_\varepsilon^{\mathrm{alone}}}=\tfrac1N\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)}
    biasterms/interpolation == :: \tfrac1N\sum_i\tfrac{\alpha_i}{N-1}\sum_{j\ne i}b_{ij}
    biasterms/equal == :: \tfrac1{N^2}\sum_{ij}b_{ij}
Proposition 3 :: property :: time-adaptive all-for-all
    prop3 :: T_\varepsilon\le\tfrac{16D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\ \eta(\varepsilon)=\tfrac{2ND^2}{K_\varepsilon B^2\sum_i1/\mathcal N_i^\varepsilon(2b)}
    prop3.repaired/length :: \sum_{q\le p}K_{2^{-q}}\le\tfrac{64}3\tfrac{D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^{\varepsilon/2}(2b)},\ 2^{-p}\le\varepsilon<2^{1-p}
    prop3.repaired/epoch mean :: \eta(\varepsilon)=\tfrac{ND}{B\sqrt{K_\varepsilon\sum_i1/\mathcal N_i^\varepsilon(2b)}},\ \text{restarted}:\ \mathbb E\bigl[\tfrac1{K_\varepsilon}\sum_kF^k\bigr]\le\varepsilon\ \text{over the epoch}
""")
_SHORT = """The step is N D/(B sqrt(K S)), S = sum lambda_ij^2 = sum 1/N_i. E|G_Lambda|^2 <= B^2 S/N
and |y^0 - y^Lambda|^2 <= N D^2, so the mean of f^Lambda over K rounds is at most N D^2/(2 eta K) +
eta B^2 S/(2 N) = D B sqrt(S/K) <= eps/2 above its minimum; Lemma 3 adds eps/2 at most."""
_SHORTER = "The step shorter by sqrt 2, T the bound rounded up."
_BLOCKS = {
    "at-most": q.sizes("N block rounds", (1, 1, 4), (2, 1, 8), (4, 4, 8), (4, 2, 10)),
    "rounded-up": q.sizes("N block rounds", (1, 1, 16), (2, 1, 32), (4, 4, 32), (4, 2, 48)),
}
_SIMPLEX = q.family(
    "fill offset ratio precision distance fraction",
    "one model for N agents, exact gradients, minimisers at the corners of a simplex whose "
    "edges h are 2 D at least",
    *q.sizes("N rounds", (4, 4), (64, 4), (64, 8), (256, 10)),
    fill=q.SHARE,
    ratio=Real(8, 64, log=True, domain=(2, inf)),
)
_PAIRS = Real(0, 4, unit=(1, 0), per=("N", "N"))
_BIASES = q.family(
    "bias precision size distance", "any biases, b_ii = 0", *q.sizes("N", 1, 3), bias=_PAIRS
)
_WEIGHED = q.family(
    "alpha bias", "any biases, b_ii = 0", *q.sizes("N", 2, 3), alpha=q.SHARES, bias=_PAIRS
)
_ONE_AGENT = q.family(
    "size distance offset",
    "one agent with f = B |x|, exact gradients, x^0 within D, eps = 2^-p",
    *q.sizes("p", 0, 1, 3),
    size=Real(1 / 8, 64, log=True),
    distance=Real(1 / 8, 8, log=True),
)
_EPOCHS = numbers(
    {
        "mass": Real(1, 4, log=True),
        "growth": Real(0, 1, per=("p",)),
        "scale": Real(1 / 8, 8, log=True),
    },
    *q.sizes("p", 1, 3, 8),
    about="sums of squares that grow from epoch to epoch",
)


# -- Theorem 4.1 ----------------------------------------------------------------------------------
def _blocks(r: Reading) -> Family:
    about = "blocks of equal agents s |x - m|, gradients +-B"
    return q.family("share offset precision distance fraction", about, *_BLOCKS[r.samples])


def _formula(r: Reading) -> str:
    form = "theorem4.1.repaired" if "some-step" in r else "theorem4.1"
    return claim.latex(f"{form}/blocks")


@claim(
    "theorem4.1/blocks",
    readings=("step", "samples"),
    latex=_formula,
    family=_blocks,
    defines={"walk": lambda _: walks.Walk},
    proof=lambda r: _SHORT if "some-step" in r else "",
)
def blocks(w: World, r: Reading) -> Sides:
    """Lambda = 1/c within blocks of c agents: S = N/c and each model rests unless its
    block is drawn. The step of Theorem 3.a, with |x^0 - x^Lambda|, is longer by sqrt 2 than
    the one that makes the recursion least: the two parts of its bound are 1.06 eps/2 and
    eps/2. Some step is enough: the shorter one, with D, is taken."""
    # least mean F among the horizons; x^Lambda is the minimiser next to x^0
    one = xp.ones_like(w.distance)
    square, begin = one * w.N / w.block, w.distance * w.offset
    size = w.precision * xp.sqrt(q.number(w, r.samples) / square) / (2 * w.distance)
    constants = one, w.distance, square, w.N, w.block
    away = least_away(w, w.share, begin, constants, w.rounds, r.step, r.samples)
    return {"mean F": w.share * size * away}, {"precision": w.precision}


@quantity
def least_away(
    w: World,
    share: Array,
    begin: Array,
    constants: tuple[Array, ...],
    rounds: int,
    step: str,
    samples: str,
) -> Array:
    """Least mean distance from the minimum among the numbers of rounds that may be run."""
    one, distance, square, agents, block = constants
    found = []
    for count in walks.horizons(rounds, samples):
        if step == "same-step":
            eta = rates.all_convex_step(one, agents * begin**2, agents, square, count)  # times B
        else:
            eta = rates.all_convex_step(one, agents * distance**2, agents, square, 2 * count)
        parts = share, begin, eta / block, one * block / agents, count - 1
        found.append(walks.summed(w, *parts) / count)
    return q.least(found)


def _slopes(w: World, r: Reading) -> tuple[Array, Array]:
    """B, and the slope of the functions that differ."""
    size = w.precision * xp.sqrt(q.number(w, r.samples)) / (2 * w.distance)
    return size, w.fill * w.precision / (2 * w.ratio * w.distance)


def _descent(r: Reading) -> dict[str, Callable[[World], Any]]:
    """The way of the shared model along n: z falls with the slope of mean F."""

    def walk(w: World) -> Any:
        size, tilt = _slopes(w, r)
        aside = tilt / xp.sqrt(xp.ones_like(size) * w.N)
        return partial(walks.Descent, slope=size - tilt, aside=aside, largest=size)

    return {"walk": walk}


def _reached(w: World, r: Reading, size: Array) -> Array:
    """Least mean F among the horizons, from x^0 at the distance offset D from the plane."""
    begin, one = w.distance * w.offset, xp.ones_like(size)
    # way of the shared model per unit of gradient over B: eta/N, S = 1
    most = begin * xp.sqrt(2 * one) if r.step == "same-step" else w.distance
    return size * least_fallen(w, begin, most, one, w.rounds, r.samples)


@quantity
def least_fallen(
    w: World, begin: Array, most: Array, one: Array, rounds: int, samples: str
) -> Array:
    """Least mean F over B of the shared model among the numbers of rounds that may be run, with
    steps of the way ``most`` over the root of that number."""
    found = []
    for count in walks.horizons(rounds, samples):
        walk = w.original("walk")(begin, most / xp.sqrt(one * count), count - 1)
        found.append(q.added(walk.distances) / count)
    return q.least(found)


def _whatever_step(w: World, r: Reading, size: Array, tilt: Array) -> Array:
    """Lower bound of the mean F over all steps, from z^0 = 1 (times offset D).

    z falls by m a round, to -u after t + 1 rounds; then two rounds together are m away from 0 at
    least, and a last odd one u less what the bias adds. Linear in m for 1/(t + 1) <= m <= 1/t.
    """
    aside = tilt / xp.sqrt(xp.ones_like(size) * w.N)
    slope = size - tilt - aside
    below = least_below(w, aside, slope, w.rounds, r.samples)
    return slope * (w.distance * w.offset * below)


@quantity
def least_below(w: World, aside: Array, slope: Array, rounds_: int, samples: str) -> Array:
    """Least mean of |z| over all steps and all numbers of rounds that may be run."""
    means = []
    for rounds in walks.horizons(rounds_, samples):
        for t in range(rounds):
            after = rounds - t - 1
            for m in (t, t + 1) if t else (1,):
                double = 2 * (t + 1) * m - t * (t + 1) + 2 * (after // 2)  # twice m sum |z|
                odd = after % 2 * (t + 1 - m - after * 2 * aside / slope)
                means.append((double + 2 * odd) / (2 * m * rounds) + 0 * aside)
    return q.least(means)


@claim(
    "theorem4.1/simplex",
    readings=("step", "samples"),
    latex=_formula,
    family=_SIMPLEX,
    defines=_descent,
    proof=lambda r: _SHORT if {"some-step", "rounded-up"} <= {*r.options} else "",
)
def simplex(w: World, r: Reading) -> Sides:
    """Noise and bias are both as large as the recursion allows. N agents share one model,
    Lambda = 1/N. With the simplex of edge points h e_i and n = 1/sqrt(N) in every coordinate,
    f_i(x) = s (1 - x_i/h)^+ + beta |<n, x> - h/sqrt N| is minimal at h e_i and s above that at
    every h e_j, so B.1 holds with b_ij = s = fill eps/2, while the mean of the f_i is flat, s
    (1 - 1/N), on the whole simplex: no point serves two agents better. |g_i| <= beta + s/h = B.
    All slopes along n are the same, so the distance z from the plane moves without chance.
    Every x_i begins at h/N + z/sqrt N and gains at most K times a step of length D
    sqrt(2/K) s/(h B), less than D^2/h sqrt 3, and what z does; so none passes h >= 2 D, and
    the expected gap is a function of z alone. (Beyond h slopes along n are steeper yet.)

    With the step of 3.a the first part is 1.06 eps/2: D/(B sqrt(K/2)) steps down to the plane
    and half a step off it ever after. With eps/2 (1 - 1/N) of bias this passes eps. Some step:
    within the number all steps are bounded from below, rounded up the shorter one is taken."""  # noqa: D400
    size, tilt = _slopes(w, r)
    flat = tilt * w.ratio * w.distance * (w.N - 1) / w.N
    any_step = {"some-step", "at-most"} <= {*r.options}
    above = _whatever_step(w, r, size, tilt) if any_step else _reached(w, r, size)
    return {"bias": flat, "above it": above}, {"precision": w.precision}


_SHORTEST = blocks.leaf("some-step", "rounded-up")
repaired = tuple(
    claim.variant(leaf, f"theorem4.1.repaired/{part}", proof=_SHORT, note=_SHORTER)
    for part, leaf in (("blocks", _SHORTEST), ("simplex", simplex.leaf("some-step", "rounded-up")))
)


# -- what is said after Theorem 4 -----------------------------------------------------------------
def _others(w: World) -> Array:
    """b_ij with b_ii = 0."""
    return w.bias * (1 - xp.eye(w.N, w.bias))


def _numbers(w: World) -> tuple[Array, Array, tuple[Array, Array, Array]]:
    """The bound of Theorem 4.1, the numbers of close agents, and B^2, D^2 and eps."""
    off = _others(w)
    rows = rates.close_weights(off, w.precision[..., None] + 0 * off[..., 0])
    sizes = (w.size**2, w.distance**2, w.precision)
    close = rates.close_agents(2 * off, w.precision[..., None])
    return rates.all_convex_samples_upper(*sizes, xp.total(q.mass(rows))), close, sizes


@claim("speedup/mean", family=_BIASES)
def speedup(w: World) -> Sides:
    """Between the printed bounds (reading a): Theorem 4.1 with the weights of its Lambda,
    Theorem 2.1 with the agents counted, and Theorem 2.1 for an agent on its own."""
    together, close, sizes = _numbers(w)
    second, square, precision = (size[..., None] for size in sizes)
    each = rates.averaging_samples_upper(second, square, precision, w.N, close)
    return {"T": together}, {"mean of T(i)": xp.total(each) / w.N}


@claim("speedup/factor", family=_BIASES, note=speedup.note)
def speedup_factor(w: World) -> Sides:
    together, close, sizes = _numbers(w)
    alone = w.N * rates.averaging_samples_upper(*sizes, 1, xp.ones_like(w.precision))
    shares = xp.total(1 / close) / w.N
    return {"T over no collaboration": together / alone}, {"mean of 1/N_i": shares}


def _bias_term(w: World, share: Array) -> dict[str, Array]:
    return {"bias": xp.total(xp.total(share * _others(w))) / w.N}


@claim("biasterms/interpolation", family=_WEIGHED)
def interpolated(w: World) -> Sides:
    """(1/N) sum lambda b for interpolated and for equal weights."""
    off = _others(w)
    printed = xp.total(w.alpha * xp.total(off)) / (w.N - 1) / w.N
    return _bias_term(w, (w.alpha / (w.N - 1))[..., None] + 0 * off), {"printed": printed}


@claim("biasterms/equal", family=_WEIGHED, note=interpolated.note)
def equal(w: World) -> Sides:
    off = _others(w)
    share, printed = 0 * off + xp.ones_like(off) / w.N, xp.total(xp.total(off)) / w.N**2
    return _bias_term(w, share), {"printed": printed}


# -- Proposition 3 --------------------------------------------------------------------------------
def _moved(w: World, longer: int) -> Array:
    """Upper bound of the way in 16 D^2 B^2/eps^2 rounds, epochs of ``longer`` times K_eps.

    The epoch of 2^-q has step 2 D^2/(K B^2) = 1/(2 B^4 4^q) with K = 4 D^2 B^2 4^q, and at most one
    round more than its length.
    """
    left = 16 * (w.distance * w.size) ** 2 * 4**w.p
    way: Array = 0 * left
    for k in range(w.p + 2):
        length = xp.minimum(longer * 4 * (w.distance * w.size) ** 2 * 4**k, left)
        way = way + (length + 1) / (2 * w.size**3 * 4**k)
        left = left - length
    return way


@claim("prop3", readings=("epochs",), family=_ONE_AGENT)
def schedule(w: World, r: Reading) -> Sides:
    """Smallest gap among all rounds up to the printed number of samples. Whatever
    "averaged precision" averages, over an epoch or over the run, it is no smaller than this.
    The printed eta(eps) is the square of the step of Theorem 3: it has another unit, and an
    epoch moves by 2 D^2/B only, however far the minimum is."""
    way = _moved(w, 4 if r.epochs == "epochs-of-T" else 1)
    gap = xp.positive_part(w.distance * w.offset - way)
    return {"smallest F": w.size * gap}, {"precision": xp.ones_like(w.size) / 2**w.p}


@quantity
def growing(w: World, first: Array, growth: Array, epochs: int) -> Array:
    """Numbers that grow from epoch to epoch, (..., p + 1)."""
    masses = [first]
    for k in range(epochs):
        masses.append(masses[-1] * (1 + growth[..., k]))
    return xp.stack(masses, -1)


@claim("prop3.repaired/length", family=_EPOCHS)
def doubling(w: World) -> Sides:
    """All epochs down to 2^-p <= eps < 2^-(p-1), against 64/3 (BD)^2 S/eps^2 at the last S.

    Proof. 4 sum_{q<=p} 4^q S_q <= (16/3) 4^p S_p, as fewer agents are close at a smaller
    precision, and 4^p < 4/eps^2."""
    masses = growing(w, w.mass, w.growth, w.p)
    left = rates.doubling_samples_upper(w.scale, xp.ones_like(w.scale), masses)
    right = 64 * w.scale * masses[..., -1] * 4 ** (w.p - 1) / 3 * xp.ones_like(w.mass)
    return {"all epochs": left}, {"64/3 S/eps^2": right}


epoch = claim.variant(
    _SHORTEST,
    "prop3.repaired/epoch",
    note="""Lambda = 1/c within blocks of c agents: S = N/c and each model rests unless its block is
    drawn.""",
    proof=_SHORT,
    uses=("allforall.theorem4.1",),
)
