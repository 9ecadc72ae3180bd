"""Section 5: Theorem 4.1, the number of samples that all-for-all needs under Setting 1."""

from __future__ import annotations

from functools import partial
from math import inf

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact.runs import absolute_lattice
from verify.claim import Array, Family, Real, Rule, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.all_convex import TITLE
from verify.statements.allforall.common import SAMPLES, horizons, number
from verify.world.world import World

_41 = r"T_\varepsilon\le\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)}"
_STEP = r",\ \eta=\tfrac{ND}{B\sqrt{K\sum_i1/\mathcal N_i^\varepsilon(2b)}}"
_SHORT = """The step is N D/(B sqrt(K S)), S = sum lambda_ij^2 = sum 1/N_i. E|G_Lambda|^2 <= B^2 S/N
and |y^0 - y^Lambda|^2 <= N D^2, so the mean of f^Lambda over K rounds is at most N D^2/(2 eta K) +
eta B^2 S/(2 N) = D B sqrt(S/K) <= eps/2 above its minimum; Lemma 3 adds eps/2 at most."""
READINGS = tuple((step, option) for step in ("same-step", "some-step") for option in SAMPLES)


def _least(values: list[Array]) -> Array:
    return xp.smallest(xp.stack(values, -1))


def _over_blocks(w: World, step: str, option: str) -> Sides:
    """Least mean F among the horizons; x^Lambda is the minimiser next to x^0."""
    one = xp.ones_like(w.distance)
    square, begin = one * w.N / w.block, w.distance * w.offset
    size = w.precision * xp.sqrt(number(w, option) / square) / (2 * w.distance)
    found = []
    for rounds in horizons(w, option):
        if step == "same-step":
            eta = rates.all_convex_step(one, w.N * begin**2, w.N, square, rounds)  # times B
        else:
            eta = rates.all_convex_step(one, w.N * w.distance**2, w.N, square, 2 * rounds)
        tree = absolute_lattice(w.share, begin, eta / w.block, one * w.block / w.N, rounds - 1)
        away = xp.absolute(tree.points[0][..., 0])
        gaps = [xp.total(c * away) for c in tree.chances]
        found.append(sum(gaps[1:], start=gaps[0]) / rounds)
    return {"mean F": w.share * size * _least(found)}, {"precision": w.precision}


_BLOCKS = {
    "share": box.SHARE,
    "offset": box.SHARE,
    "precision": box.PRECISION,
    "distance": box.DISTANCE,
    "fraction": box.FRACTION,
}
_BLOCK_SIZES = {
    "at-most": ((1, 1, 4), (2, 1, 8), (4, 4, 8), (4, 2, 10)),
    "rounded-up": ((1, 1, 16), (2, 1, 32), (4, 4, 32), (4, 2, 48)),
}


def _blocks_family(option: str) -> Family:
    sizes = ({"N": n, "block": c, "rounds": k} for n, c, k in _BLOCK_SIZES[option])
    return numbers(_BLOCKS, *sizes, about="blocks of equal agents s |x - m|, gradients +-B")


blocks = tuple(
    statement(
        f"allforall.theorem4.1/blocks@{step}+{option}",
        where="Theorem 4.1",
        title=TITLE,
        over="mean",
        latex=_41 + (_STEP if step == "some-step" else ""),
        family=_blocks_family(option),
        proof=_SHORT if step == "some-step" else "",
        note="""Lambda = 1/c within blocks of c agents: S = N/c and each model rests unless its
        block is drawn. The step of Theorem 3.a, with |x^0 - x^Lambda|, is longer by sqrt 2 than
        the one that makes the recursion least: the two parts of its bound are 1.06 eps/2 and
        eps/2. Some step is enough: the shorter one, with D, is taken.""",
    )(partial(_over_blocks, step=step, option=option))
    for step, option in READINGS
)


def _reached(w: World, step: str, option: str) -> Sides:
    """Least mean F among the horizons, from x^0 at the distance offset D from the plane."""
    size = w.precision * xp.sqrt(number(w, option)) / (2 * w.distance)
    tilt = w.fill * w.precision / (2 * w.ratio * w.distance)
    normal, root = size - tilt, xp.sqrt(xp.ones_like(size) * w.N)
    begin = w.distance * w.offset
    flat = tilt * w.ratio * w.distance * (w.N - 1) / w.N
    found = []
    for rounds in horizons(w, option):
        # way of the shared model per unit of gradient: eta/N, S = 1
        most = begin * xp.sqrt(2 * xp.ones_like(size)) if step == "same-step" else w.distance
        move = most / (size * xp.sqrt(xp.ones_like(size) * rounds))
        z, total = begin, 0 * begin
        for _ in range(rounds):
            side = xp.indicator(z >= 0, z) - xp.indicator(z < 0, z)
            total = total + normal * xp.absolute(z) - tilt * z / root
            z = z - move * (normal * side - tilt / root)
        found.append(total / rounds)
    return {"bias": flat, "above it": _least(found)}, {"precision": w.precision}


def _whatever_step(w: World, option: str) -> Sides:
    """Lower bound of the mean F over all steps, from z^0 = 1 (times offset D).

    z falls by m a round, to -u after t + 1 rounds; then two rounds together are m away from 0 at
    least, and a last odd one u less what the bias adds. Linear in m for 1/(t + 1) <= m <= 1/t.
    """
    size = w.precision * xp.sqrt(number(w, option)) / (2 * w.distance)
    tilt = w.fill * w.precision / (2 * w.ratio * w.distance)
    aside = tilt / xp.sqrt(xp.ones_like(size) * w.N)
    slope = size - tilt - aside
    flat = tilt * w.ratio * w.distance * (w.N - 1) / w.N
    means = []
    for rounds in horizons(w, option):
        for t in range(rounds):
            after = rounds - t - 1
            for m in (t, t + 1) if t else (1,):
                double = 2 * (t + 1) * m - t * (t + 1) + 2 * (after // 2)  # twice m sum |z|
                odd = after % 2 * (t + 1 - m - after * 2 * aside / slope)
                means.append((double + 2 * odd) / (2 * m * rounds) + 0 * aside)
    way = w.distance * w.offset * _least(means)
    return {"bias": flat, "above it": slope * way}, {"precision": w.precision}


def _sides_of(step: str, option: str) -> Rule:
    if (step, option) == ("some-step", "at-most"):
        return partial(_whatever_step, option=option)
    return partial(_reached, step=step, option=option)


SIMPLEX = numbers(
    {
        "fill": box.SHARE,
        "offset": box.SHARE,
        "ratio": Real(8, 64, log=True, domain=(2, inf)),
        "precision": box.PRECISION,
        "distance": box.DISTANCE,
        "fraction": box.FRACTION,
    },
    *({"N": n, "rounds": k} for n, k in ((4, 4), (64, 4), (64, 8), (256, 10))),
    about="one model for N agents, exact gradients, minimisers at the corners of a simplex whose "
    "edges h are 2 D at least",
)
simplex = tuple(
    statement(
        f"allforall.theorem4.1/simplex@{step}+{option}",
        where="Theorem 4.1",
        title=TITLE,
        over="mean",
        latex=_41 + (_STEP if step == "some-step" else ""),
        family=SIMPLEX,
        note="""Noise and bias are both as large as the recursion allows. N agents share one model,
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
        within the number all steps are bounded from below, rounded up the shorter one is taken.""",
        proof=_SHORT if (step, option) == ("some-step", "rounded-up") else "",
    )(_sides_of(step, option))
    for step, option in READINGS
)


repaired = tuple(
    leaf.variant(
        f"allforall.theorem4.1.repaired/{part}",
        proof=_SHORT,
        note="The step shorter by sqrt 2, T the bound rounded up.",
    )
    for part, leaf in (("blocks", blocks[3]), ("simplex", simplex[3]))
)
epoch = blocks[3].variant(
    "allforall.prop3.repaired/epoch",
    where="Proposition 3",
    kind="property",
    title="time-adaptive all-for-all",
    note="""Lambda = 1/c within blocks of c agents: S = N/c and each model rests unless its block is
    drawn.""",
    proof=_SHORT,
    latex=r"\eta(\varepsilon)=\tfrac{ND}{B\sqrt{K_\varepsilon\sum_i1/\mathcal N_i^\varepsilon(2b)}},\ \text{restarted}:\ \mathbb E\bigl[\tfrac1{K_\varepsilon}\sum_kF^k\bigr]\le\varepsilon\ \text{over the epoch}",
    uses=("allforall.theorem4.1",),
)
