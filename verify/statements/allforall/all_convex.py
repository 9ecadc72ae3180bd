"""Section 5 and Appendix E: all-for-all under Setting 1, Theorems 3.a and 4.1, Proposition 3."""

from __future__ import annotations

from functools import partial

from bounds import allforall_rates as rates
from bounds import generic as xp
from synthetic.exact_runs import absolute_gaps, absolute_lattice, absolute_tree
from verify.claim import Array, Hypothesis, Real, Sides, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import gram, mass, mixing
from verify.world.world import World

TITLE = "all-for-all"


def _determinant(w: World) -> Array:
    m = mixing(w.rows)
    return m[..., 0, 0] * m[..., 1, 1] - m[..., 0, 1] * m[..., 1, 0]


def _squared_distance(w: World) -> Array:
    """|y^0 - y^Lambda|^2 with Lambda y^Lambda = x^*, a minimiser of f^Lambda."""
    target = w.centre
    if w.N == 2:
        m, c, det = mixing(w.rows), w.centre, _determinant(w)
        first = (m[..., 1, 1] * c[..., 0] - m[..., 0, 1] * c[..., 1]) / det
        second = (m[..., 0, 0] * c[..., 1] - m[..., 1, 0] * c[..., 0]) / det
        target = xp.stack([first, second], -1)
    return xp.total((w.start[..., None] - target) ** 2)


@statement(
    "allforall.theorem3a", where="Theorem 3.a", title=TITLE,
    latex=r"\mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\sqrt{\tfrac{2B^2\sum_i\|x_i^0-x_i^\Lambda\|^2}{NK}\sum_{ij}\lambda_{ij}^2}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
    family=numbers(
        {"rows": box.ROWS, "slope_share": box.SHARES, "centre": box.LENGTHS,
         "size": box.GRADIENT, "start": box.LENGTH},
        {"N": 1, "rounds": 1}, {"N": 1, "rounds": 4}, {"N": 2, "rounds": 2}, {"N": 2, "rounds": 3},
        about="f_i = s_i |x - m_i|, gradients +-B, all drawn agents and signs, any Lambda",
    ),
    given=[
        Hypothesis("Lambda invertible", r"\det\Lambda\ne0", strict=True,
                   rule=lambda w: xp.ones_like(w.size) if w.N == 1 else _determinant(w) ** 2),
        Hypothesis("distance", r"x^0\ne x^\Lambda", _squared_distance, strict=True),
    ],
    note="""E|G_Lambda|^2 <= B^2 S/N, and Lemma 6 on f^Lambda: the printed bound is 4/3 of what the
    recursion gives. b_ij = s_i |m_j - m_i|: B.1 with equality.""",
)
def theorem3a(w: World) -> Sides:
    lam, slopes = mixing(w.rows), w.slope_share * w.size[..., None]
    args = (w.size**2, _squared_distance(w), w.N, xp.total(mass(lam)), w.rounds)
    step = rates.all_convex_step(*args)
    tree = absolute_tree(gram(lam), slopes, w.centre, w.size, w.start, step, w.rounds - 1)
    gaps = [xp.mean(absolute_gaps(tree, k, slopes, w.centre)) for k in range(w.rounds)]
    pairs = slopes[..., :, None] * xp.absolute(w.centre[..., :, None] - w.centre[..., None, :])
    bias = xp.total(xp.total(lam * pairs)) / w.N
    return {"mean F": sum(gaps[1:], start=gaps[0]) / w.rounds}, rates.all_convex_upper(*args, bias)


def _over_blocks(w: World, best: bool) -> Sides:
    square = xp.ones_like(w.size) * w.N / w.block
    step = rates.all_convex_step(w.size**2, w.N * w.distance**2, w.N, square, w.rounds)
    if best:
        step = step / xp.sqrt(2 * xp.ones_like(w.size))
    awake = xp.ones_like(w.size) * w.block / w.N
    move = step * w.size / w.block
    tree = absolute_lattice(w.share, w.distance * w.offset, move, awake, w.rounds - 1)
    gaps = [xp.total(c * xp.absolute(tree.points[0][..., 0])) for c in tree.chances]
    mean = w.share * w.size * sum(gaps[1:], start=gaps[0]) / w.rounds
    return {"mean F": mean}, {"precision": w.precision}


@hypothesis("K at least the bound", r"K\ge\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)}",
            where="Theorem 4.1")
def enough(w: World) -> Array:
    square = xp.ones_like(w.size) * w.N / w.block
    asked = rates.all_convex_samples_upper(w.size**2, w.distance**2, w.precision, square)
    return w.rounds - asked


_41 = r"T_\varepsilon\le\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)}"
blocks = statement(
    "allforall.theorem4.1/blocks", where="Theorem 4.1", title=TITLE, over="mean", latex=_41,
    family=numbers({"share": Real(0, 1), "size": box.GRADIENT, "offset": Real(0, 1),
                    "precision": box.PRECISION, "distance": box.DISTANCE}, {"N": 1, "block": 1,
                    "rounds": 16}, {"N": 2, "block": 1, "rounds": 32}, {"N": 4, "block": 4,
                    "rounds": 32}, {"N": 4, "block": 2, "rounds": 48},
                   about="blocks of equal agents s |x - m|, gradients +-B"),
    given=[enough],
    note="""Lambda = 1/c within blocks of c agents: S = N/c and each model rests unless its block is
    drawn. With the step of Theorem 3.a, longer by sqrt 2 than the one that makes the recursion
    least, the two parts of its bound are 1.06 eps/2 and eps/2.""",
)(partial(_over_blocks, best=False))


def _slopes(w: World) -> tuple[Array, Array, Array]:
    """s/h, beta and B, with 4 D^2 B^2/eps^2 = K and h = ratio D."""
    size = w.precision * xp.sqrt(xp.ones_like(w.precision) * w.rounds) / (2 * w.distance)
    tilt = w.fill * w.precision / (2 * w.ratio * w.distance)
    return tilt, size - tilt, size


def _move(w: World, best: bool) -> Array:
    """Way of the shared model per unit of gradient: eta/N, S = 1.

    Printed sqrt(2 N (N D^2)/(K B^2))/N; the shorter one is D/(B sqrt K).
    """
    *_, size = _slopes(w)
    step = w.distance / (size * xp.sqrt(xp.ones_like(size) * w.rounds))
    return step if best else step * xp.sqrt(2 * xp.ones_like(size))


def _reached(w: World, best: bool) -> Sides:
    tilt, normal, size = _slopes(w)
    root = xp.sqrt(xp.ones_like(size) * w.N)
    flat = tilt * w.ratio * w.distance * (w.N - 1) / w.N
    z, move = w.distance * w.offset, _move(w, best)
    total: Array = 0 * z
    for _ in range(w.rounds):
        side = xp.indicator(z > 0, z) - xp.indicator(z < 0, z)
        total = total + normal * xp.absolute(z) - tilt * z / root
        z = z - move * (normal * side - tilt / root)
    return {"bias": flat, "above it": total / w.rounds}, {"precision": w.precision}


def _room(w: World, best: bool) -> Array:
    """No coordinate passes h: it starts at h/N + z/sqrt N and gains at most eta s/(N h) a round and
    what z does."""
    tilt, _, size = _slopes(w)
    move, edge = _move(w, best), w.ratio * w.distance
    root = xp.sqrt(xp.ones_like(size) * w.N)
    highest = edge / w.N + (w.distance + move * size) / root + w.rounds * move * tilt
    return edge - highest


@hypothesis("|g| at most B", r"\|g_i^k(x)\|\le\beta+\tfrac sh\le B", where="Equation 3")
def bounded(w: World) -> Array:
    """Exact gradients, so that E|g|^2 <= B^2 is |g| <= B."""
    tilt, normal, size = _slopes(w)
    return size - (normal + tilt)


_SHORT = """The step is N D/(B sqrt(K S)). E|G_Lambda|^2 <= B^2 S/N and |y^0 - y^Lambda|^2 <= N
D^2, so the mean of f^Lambda over K rounds is at most N D^2/(2 eta K) + eta B^2 S/(2 N) = D B
sqrt(S/K) <= eps/2 above its minimum; Lemma 3 adds eps/2 at most."""
simplex = tuple(
    statement(
        f"allforall.theorem4.1/simplex@{name}", where="Theorem 4.1", title=TITLE, over="mean",
        latex=_41 + step,
        family=numbers(
            {"fill": Real(0, 1), "offset": Real(0, 1), "ratio": Real(8, 64, log=True),
             "precision": box.PRECISION, "distance": box.DISTANCE},
            {"N": 4, "rounds": 16}, {"N": 64, "rounds": 36}, {"N": 256, "rounds": 64},
            about="one model for N agents, exact gradients, minimisers at the corners of a simplex",
        ),
        given=[bounded, Hypothesis(
            "coordinates below h", r"\langle e_i,x^k\rangle\le h\text{ for all }i,\ k\le K",
            partial(_room, best=best),
        )],
        note="""E of the mean F over K = 4 D^2 B^2/eps^2 rounds of Algorithm 1, asynchronous oracle.

        Noise and bias are both as large as the recursion allows. N agents share one model,
        Lambda = 1/N. With the simplex of edge points h e_i and n = 1/sqrt(N) in every coordinate,
        f_i(x) = s (1 - x_i/h)^+ + beta |<n, x> - h/sqrt N| is minimal at h e_i and s above that at
        every h e_j, so B.1 holds with b_ij = s = eps/2, while the mean of the f_i is flat, s
        (1 - 1/N), on the whole simplex: no point serves two agents better. All slopes along n are
        the same, so the distance z from the plane moves without chance, and as long as no
        coordinate passes h the expected gap is a function of z alone.

        The theorem names no step of its own: "the same assumptions as in Theorem 3.a" may or may
        not include the step of 3.a, which is too long here by a factor sqrt 2. With the printed
        step the first part is 1.06 eps/2: D/(B sqrt(K/2)) steps down to the plane and half a step
        off it ever after. With eps/2 (1 - 1/N) of bias this passes eps for N > 17.""",
        proof=_SHORT if best else "",
    )(partial(_reached, best=best))
    for name, best, step in (
        ("step-of-3a", False, ""),
        ("shorter-step", True, r",\ \eta=\tfrac{ND}{B\sqrt{K\sum_i1/\mathcal N_i^\varepsilon(2b)}}"),
    )
)


def _speedup(w: World, part: str) -> Sides:
    off = w.bias * (1 - xp.eye(w.N, w.bias))
    rows = rates.close_weights(off, w.precision[..., None] + 0 * off[..., 0])
    sizes = (w.size**2, w.distance**2, w.precision)
    together = rates.all_convex_samples_upper(*sizes, xp.total(mass(rows)))
    close = [rates.close_agents(2 * off[..., i, :], w.precision) for i in range(w.N)]
    if part == "mean":
        each = [rates.averaging_samples_upper(*sizes, w.N, n) for n in close]
        return {"T": together}, {"mean of T(i)": sum(each[1:], start=each[0]) / w.N}
    alone = w.N * rates.averaging_samples_upper(*sizes, 1, xp.ones_like(w.precision))
    shares = sum(1 / n for n in close) / w.N
    return {"T over no collaboration": together / alone}, {"mean of 1/N_i": shares}


_PAIRS = Real(0, 4, unit=(1, 0), per=("N", "N"))
speedup = statement(
    "allforall.speedup/mean", where="after Theorem 4", kind="claim", title=TITLE,
    latex=r"T_\varepsilon\le\tfrac1N\sum_iT_\varepsilon(i)",
    family=numbers({"bias": _PAIRS, "precision": box.PRECISION, "size": box.GRADIENT,
                    "distance": box.DISTANCE}, {"N": 1}, {"N": 3}, about="any biases, b_ii = 0"),
    note="""Between the printed bounds (reading a): Theorem 4.1 with the weights of its Lambda,
    Theorem 2.1 with the agents counted, and Theorem 2.1 for an agent on its own.""",
)(partial(_speedup, part="mean"))
speedup_factor = speedup.variant(
    "allforall.speedup/factor", relation="==", sides=partial(_speedup, part="factor"),
    latex=r"\tfrac{T_\varepsilon}{T_\varepsilon^{\mathrm{alone}}}=\tfrac1N\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)}")


def _terms(w: World, part: str) -> Sides:
    off = w.bias * (1 - xp.eye(w.N, w.bias))
    if part == "equal":
        share, printed = 0 * off + xp.ones_like(off) / w.N, xp.total(xp.total(off)) / w.N**2
    else:
        share = (w.alpha / (w.N - 1))[..., None] + 0 * off
        printed = xp.total(w.alpha * xp.total(off)) / (w.N - 1) / w.N
    return {"bias": xp.total(xp.total(share * off)) / w.N}, {"printed": printed}


bias_terms = tuple(
    statement(
        f"allforall.biasterms/{part}", where="after Theorem 4", kind="claim", title=TITLE,
        relation="==", latex=latex,
        family=numbers({"alpha": box.SHARES, "bias": _PAIRS}, {"N": 2}, {"N": 3},
                       about="any biases, b_ii = 0"),
        note="(1/N) sum lambda b for interpolated and for equal weights.",
    )(partial(_terms, part=part))
    for part, latex in (
        ("interpolation", r"\tfrac1N\sum_i\tfrac{\alpha_i}{N-1}\sum_{j\ne i}b_{ij}"),
        ("equal", r"\tfrac1{N^2}\sum_{ij}b_{ij}"),
    )
)


def _moved(w: World, longer: int) -> Array:
    """Upper bound of the way in 16 D^2 B^2/eps^2 rounds, epochs of ``longer`` times K_eps.

    The epoch of 2^-q has step 2 D^2/(K B^2) = 1/(2 B^4 4^q) with K = 4 D^2 B^2 4^q, and at most one
    round more than its length.
    """
    left = 16 * (w.distance * w.size) ** 2 * 4**w.p
    way: Array = 0 * left
    for q in range(w.p + 2):
        length = xp.minimum(longer * 4 * (w.distance * w.size) ** 2 * 4**q, left)
        way = way + (length + 1) / (2 * w.size**3 * 4**q)
        left = left - length
    return way


def _least_gap(w: World, longer: int) -> Sides:
    gap = xp.positive_part(w.distance * w.offset - _moved(w, longer))
    return {"smallest F": w.size * gap}, {"precision": xp.ones_like(w.size) / 2**w.p}


schedule = tuple(
    statement(
        f"allforall.prop3@{name}", where="Proposition 3", kind="property",
        title="time-adaptive all-for-all",
        latex=r"T_\varepsilon\le\tfrac{16D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\ \eta(\varepsilon)=\tfrac{2ND^2}{K_\varepsilon B^2\sum_i1/\mathcal N_i^\varepsilon(2b)}",
        family=numbers({"size": Real(1 / 8, 64, log=True), "distance": Real(1 / 8, 8, log=True),
                        "offset": Real(0, 1)}, {"p": 0}, {"p": 1}, {"p": 3},
                       about="one agent with f = B |x|, exact gradients, x^0 within D, eps = 2^-p"),
        note="""Smallest gap among all rounds up to the printed number of samples. Whatever
        "averaged precision" averages, over an epoch or over the run, it is no smaller than this.
        The printed eta(eps) is the square of the step of Theorem 3: it has another unit, and an
        epoch moves by 2 D^2/B only, however far the minimum is.""",
    )(partial(_least_gap, longer=longer))
    for name, longer in (("epochs-of-K", 1), ("epochs-of-T", 4))
)


@schedule[0].like(
    "allforall.prop3.repaired/length",
    latex=r"\sum_{q\le p}K_{2^{-q}}\le\tfrac{64}3\tfrac{D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^{\varepsilon/2}(2b)},\ 2^{-p}\le\varepsilon<2^{1-p}",
    family=numbers({"mass": Real(1, 4, log=True), "growth": Real(0, 1, per=("p",)),
                    "scale": Real(1 / 8, 8, log=True)}, {"p": 1}, {"p": 3}, {"p": 8},
                   about="sums of squares that grow from epoch to epoch"),
    note="All epochs down to 2^-p <= eps < 2^-(p-1), against 64/3 (BD)^2 S/eps^2 at the last S.",
    proof="""4 sum_{q<=p} 4^q S_q <= (16/3) 4^p S_p, as fewer agents are close at a smaller
    precision, and 4^p < 4/eps^2.""",
)
def doubling(w: World) -> Sides:
    masses = [w.mass]
    for q in range(w.p):
        masses.append(masses[-1] * (1 + w.growth[..., q]))
    left = rates.doubling_samples_upper(w.scale, xp.ones_like(w.scale), xp.stack(masses, -1))
    right = 64 * w.scale * masses[-1] * 4 ** (w.p - 1) / 3 * xp.ones_like(w.mass)
    return {"all epochs": left}, {"64/3 S/eps^2": right}


epoch = blocks.variant(
    "allforall.prop3.repaired/epoch", where="Proposition 3", kind="property",
    title="time-adaptive all-for-all", sides=partial(_over_blocks, best=True),
    note="""Lambda = 1/c within blocks of c agents: S = N/c and each model rests unless its block is
    drawn.""",
    proof="""The step is N D/(B sqrt(K S)), S = sum 1/N_i. E|G_Lambda|^2 <= B^2 S/N and |y^0 -
    y^Lambda|^2 <= N D^2, so that the mean of f^Lambda over K rounds is at most N D^2/(2 eta K) +
    eta B^2 S/(2 N) = D B sqrt(S/K) <= eps/2 above its minimum for K >= 4 D^2 B^2 S/eps^2; Lemma 3
    adds eps/2 at most.""",
    latex=r"\eta(\varepsilon)=\tfrac{ND}{B\sqrt{K_\varepsilon\sum_i1/\mathcal N_i^\varepsilon(2b)}},\ \text{restarted}:\ \mathbb E\bigl[\tfrac1{K_\varepsilon}\sum_kF^k\bigr]\le\varepsilon\ \text{over the epoch}",
    uses=("allforall.theorem4.1",))
