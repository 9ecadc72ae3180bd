"""Second judge of the accusations against `fedbc`.

Where a claim is an order, the judge asks that the left side stays while everything that the
constants multiply vanishes, or is smaller by a factor of 10^6 at constants of size one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.fedbc_rounds import Loss, Round, Setting, losses_of, mean, number
from tests.qa.second_judges.record import Judge

Raw = Mapping[str, Any]
ZERO = Fraction(0)


def numbers(raw: Raw) -> Any:
    """Parameters of an instance of free numbers."""
    return {name: number(value) for name, value in raw["instance"]["params"].items()}


# -- Lemma B.1 -------------------------------------------------------------------------------------


def _lemma_i(raw: Raw, virtual: bool) -> bool:
    """Sampled sets in the mean; conditions of the proofs too where devices wait."""
    s = Setting(raw)
    fair = s.is_legal() and (s.virtual if virtual else s.meets_h1() and s.meets_h2())
    left = s.over_clients(lambda r, i: s.pull(i, r.old[i], r.z, r.lam[i]) ** 2)
    move = s.over_clients(lambda r, i: r.move(i) ** 2)
    return fair and left > 2 * s.M1**2 * (move + s.epsilon)


def _descent(s: Setting) -> Fraction:
    """The right side of (21) without and with an expectation of its last term: the larger one."""
    fall = s.over_clients(s.fall)
    spreads = [mean([run[0].spread(i) for i in range(s.n)]) for run in s.runs()]
    return fall + s.epsilon / (2 * s.top) + s.alpha * s.G**2 + s.high * max(spreads)


def _lemma_ii(raw: Raw, derived: bool = False) -> bool:
    s = Setting(raw)
    fair = s.is_legal() and s.meets_h1() and (s.meets_h2() or not derived)
    return fair and s.over_clients(lambda r, i: r.move(i) ** 2) > _descent(s)


def _eq42(raw: Raw) -> bool:
    """(lambda_i^t - L_i) before the sum: no i makes it true."""
    s = Setting(raw)
    move = s.over_clients(lambda r, i: r.move(i) ** 2)
    gaps = [a - L for a, L in zip(s.lam, s.L, strict=True)]
    return s.is_legal() and min(gaps) >= 0 and min(gaps) * move > _descent(s)


def _waiting(raw: Raw, squared: bool) -> bool:
    """(26), (27) for a device outside the sampled set of some outcome."""
    s = Setting(raw)
    broken = False
    for run in s.runs():
        r = run[0]
        for i in range(s.n):
            left, move = abs(s.pull(i, r.old[i], r.z, r.lam[i])), r.move(i)
            if squared:
                broken |= left**2 > 2 * s.M1**2 * move**2 + 2 * s.epsilon
            else:  # left > M1 move + sqrt(epsilon)
                rest = left - s.M1 * move
                broken |= rest > 0 and rest**2 > s.epsilon
    return s.is_legal() and not s.virtual and broken


def _first(s: Setting, r: Round, i: int) -> Fraction:
    """I of (29)."""
    before = s.lagrangian(i, r.old[i], r.z, r.lam[i])
    return s.lagrangian(i, r.new[i], r.z, r.lam[i]) - before


Right = Callable[[Setting, Round, int], Fraction]


def _eq31(s: Setting, r: Round, i: int) -> Fraction:
    step = r.new[i] - r.old[i]
    gaps = (r.new[i] - r.z) ** 2 - (r.old[i] - r.z) ** 2
    return s.losses[i].slope(r.new[i]) * step + s.L[i] / 2 * step**2 + r.lam[i] * gaps


def _eq33(s: Setting, r: Round, i: int) -> Fraction:
    step = r.new[i] - r.old[i]
    return s.residual(r, i) * step + (s.L[i] / 2 - r.lam[i]) * step**2


def _eq34(s: Setting, r: Round, i: int) -> Fraction:
    return s.residual(r, i) ** 2 / (2 * s.L[i]) + (s.L[i] - r.lam[i]) * r.move(i) ** 2


def _eq35(s: Setting, r: Round, i: int) -> Fraction:
    return s.epsilon / (2 * s.top) - (r.lam[i] - s.L[i]) * r.move(i) ** 2


def _unequal(right: Right) -> Callable[[Raw], bool]:
    """Printed with the sign =."""

    def breaks(raw: Raw) -> bool:
        s = Setting(raw)
        r = next(s.runs())[0]
        return s.is_legal() and any(_first(s, r, i) != right(s, r, i) for i in r.solved)

    return breaks


def _eq35_breaks(raw: Raw) -> bool:
    """At a device with lambda_i >= L_i, which the text goes on to ask for."""
    s = Setting(raw)
    r = next(s.runs())[0]
    asked = [i for i in r.solved if r.lam[i] >= s.L[i]]
    return s.is_legal() and any(_first(s, r, i) > _eq35(s, r, i) for i in asked)


def _eq39(raw: Raw) -> bool:
    s = Setting(raw)
    r = next(s.runs())[0]

    def right(i: int) -> Fraction:
        return _eq35(s, r, i) + s.alpha * s.G**2 + s.high * r.spread(i)

    asked = [i for i in r.solved if r.lam[i] >= s.L[i]]
    return s.is_legal() and any(-s.fall(r, i) > right(i) for i in asked)


# -- Lemma B.2 -------------------------------------------------------------------------------------


def _lemma_b2(raw: Raw) -> bool:
    """Constants of size one: N = 2, S = 1, L_i = 1, Lambda = {2}, R at most 4."""
    s = Setting(raw)
    fair = s.is_legal() and not s.virtual and s.meets_h1() and s.meets_h2()
    small = s.n == 2 and s.L == [1, 1] and (s.low, s.high) == (2, 2) and s.R <= 4
    left = s.expected(lambda run: mean([r.spread(i) for r in run for i in range(s.n)]))
    return fair and small and left > 10**6 * (s.epsilon + s.delta**2)


def _sampled_mean(raw: Raw) -> bool:
    """(50) where models depend on the set: the right side in the mean over the sets too."""
    s = Setting(raw)
    broken = False
    for i in range(s.n):
        left = s.expected(lambda run, i=i: run[0].spread(i))
        right = s.expected(lambda run, i=i: sum((run[0].new[i] - x) ** 2 for x in run[0].new))
        broken |= left > Fraction(s.members, s.n) * right
    return s.is_legal() and not s.virtual and broken


def _eq55(raw: Raw) -> bool:
    s = Setting(raw)
    r = next(s.runs())[0]

    def right(i: int) -> Fraction:
        return r.z + (s.residual(r, i) - s.losses[i].slope(r.new[i])) / r.lam[i]

    return s.is_legal() and any(r.lam[i] > 0 and r.new[i] != right(i) for i in r.solved)


def _above_root(value: Fraction, factor: Fraction, square: Fraction) -> bool:
    """value > factor sqrt(square), factor >= 0."""
    return value > 0 and value**2 > factor**2 * square


def _pairs(raw: Raw, broken: Callable[[Setting, Round, int, int], bool]) -> bool:
    s = Setting(raw)
    r = next(s.runs())[0]
    every = [(i, j) for i in range(s.n) for j in range(s.n) if i != j]
    return s.is_legal() and s.virtual and any(broken(s, r, i, j) for i, j in every)


def _cross(s: Setting, r: Round, i: int, j: int, sign: int) -> Fraction:
    own, other = s.losses[i].slope(r.new[i]), s.losses[j].slope(r.new[j])
    return abs(r.lam[j] * own + sign * r.lam[i] * other)


def _eq58(raw: Raw) -> bool:
    def broken(s: Setting, r: Round, i: int, j: int) -> bool:
        rest = abs(r.new[i] - r.new[j]) - _cross(s, r, i, j, -1) / (1 + s.L[i]) ** 2
        return _above_root(rest, 1 / (1 + s.L[i]), s.epsilon)

    return Setting(raw).meets_h1() and _pairs(raw, broken)


def _eq59(raw: Raw) -> bool:
    """With the plus of its head."""

    def broken(s: Setting, r: Round, i: int, j: int) -> bool:
        near = r.lam[j] * s.L[i] * abs(r.new[i] - r.new[j])
        return _cross(s, r, i, j, 1) > near + s.delta

    return _pairs(raw, broken)


def _eq62(raw: Raw) -> bool:
    """The s of (62) left out, as in (63); s = 1 is the same."""

    def broken(s: Setting, r: Round, i: int, j: int) -> bool:
        rest = abs(r.new[i] - r.new[j]) - s.delta / (s.C0 * (1 + s.L[i]) ** 2)
        return _above_root(rest, 1 / (s.C0 * (1 + s.L[i])), s.epsilon)

    s = Setting(raw)
    return s.meets_h1() and s.meets_h2() and s.C0 > 0 and _pairs(raw, broken)


def _proofs(s: Setting) -> bool:
    """What the proofs ask for, and what they say of C_0."""
    return s.is_legal() and s.meets_h1() and s.meets_h2() and s.C0 > 0


def _traced(s: Setting) -> list[Fraction]:
    """The bound of each client with the coefficient of (61) for C_0, and 2 before both terms."""
    found = []
    for L in s.L:
        own = 1 - s.high * L / (1 + L) ** 2
        share = Fraction(2 * s.members * (s.n - 1)) / (s.n * own**2)
        found.append(share * (s.epsilon / (1 + L) ** 2 + s.delta**2 / (1 + L) ** 4))
    return found


def _eq63(raw: Raw, virtual: bool) -> bool:
    """The sum over j covers both terms here, which is the larger of its two readings."""
    s = Setting(raw)
    share = Fraction(s.members * (s.n - 1)) / (s.C0**2 * s.n)

    def right(L: Fraction) -> Fraction:
        first, second = 2 * s.epsilon / (1 + L) ** 2, s.delta**2 / (1 + L) ** 4
        return (s.n - 1) * share * (first + second)

    widest = [max((a - b) ** 2 for a in run[0].new for b in run[0].new) for run in s.runs()]
    return _proofs(s) and s.virtual is virtual and any(mean(widest) > right(L) for L in s.L)


def _eq63_waits(raw: Raw) -> bool:
    s = Setting(raw)
    fair = s.is_legal() and s.meets_h1() and s.meets_h2() and not s.virtual
    left = [s.expected(lambda run, i=i: run[0].spread(i)) for i in range(s.n)]
    return fair and any(a > b for a, b in zip(left, _traced(s), strict=True))


def _eq65(raw: Raw, virtual: bool, traced: bool = False) -> bool:
    s = Setting(raw)
    left = s.expected(lambda run: mean([r.spread(i) for r in run for i in range(s.n)]))
    if traced:
        right = mean(_traced(s))
        fair = s.is_legal() and s.meets_h1() and s.meets_h2()
    else:
        right = sum(s.consensus_bound())
        fair = _proofs(s)
    return fair and s.virtual is virtual and left > right


def _c0(raw: Raw) -> bool:
    g = numbers(raw)
    L, high = g["L"], g["lambda_max"]
    below = min(L) > 0 and all(high < (1 + own) ** 2 / own for own in L)
    # lambda_i >= 1 + L_i for every i leaves room in Lambda
    return below and high >= 1 + max(L) and 1 - high / (4 * max(L)) <= 0


# -- Theorem 4.5 -----------------------------------------------------------------------------------


def _gradient(raw: Raw, square: bool, chain: bool) -> bool:
    """(69), (70), and the step from (68) to (69)."""
    s = Setting(raw)
    z = s.z
    gap = mean([(x - z) ** 2 for x in s.starts])
    own = mean([s.pull(i, x, z, s.lam[i]) ** 2 for i, x in enumerate(s.starts)])
    changes = [loss.slope(z) - loss.slope(x) for loss, x in zip(s.losses, s.starts, strict=True)]
    change = mean([c**2 for c in changes])
    right = 4 * (s.top**2 if square else 1) * (gap if square else change) + 8 * s.high * gap
    left = s.mean_slope(z) ** 2
    if chain:
        pulls = [2 * a * (x - z) for a, x in zip(s.lam, s.starts, strict=True)]
        mixed = mean([(c - p) ** 2 for c, p in zip(changes, pulls, strict=True)])
        left = 2 * mixed + 2 * own
    return s.is_legal() and left > right + 2 * own


def _eq72(raw: Raw) -> bool:
    s = Setting(raw)
    left = s.over_clients(lambda r, i: s.pull(i, r.old[i], r.z, r.lam[i]) ** 2)
    spread = s.over_clients(lambda r, i: r.spread(i))
    right = 2 * s.M1**2 * s.over_clients(s.fall) + s.high * spread
    right += s.M1**2 * s.epsilon / s.top + s.alpha * s.M1**2 * s.G**2
    return s.is_legal() and s.meets_h1() and left > right


def _average_gradient(s: Setting) -> Fraction:
    return s.expected(lambda run: mean([s.mean_slope(r.z) ** 2 for r in run]))


def _summed(raw: Raw, inserted: bool) -> bool:
    """(76) divided by T, and (77)."""
    s = Setting(raw)

    def whole(run: list[Round]) -> Fraction:
        ends = [
            s.lagrangian(i, run[0].old[i], run[0].z, run[0].lam[i])
            - s.lagrangian(i, run[-1].new[i], run[-1].after, run[-1].updated[i])
            for i in range(s.n)
        ]
        return mean(ends)

    factor = 4 * (s.top**2 + 2 * s.high) + 2 * s.high
    right = 4 * s.M1**2 * s.expected(whole) / s.T
    if inserted:
        first, second = s.consensus_bound()
        right += factor * first + second
    else:
        spread = s.expected(lambda run: mean([r.spread(i) for r in run for i in range(s.n)]))
        right += factor * spread
    right += 2 * s.M1**2 * s.epsilon / s.top + 2 * s.alpha * s.M1**2 * s.G**2
    fair = _proofs(s) if inserted else s.is_legal() and s.meets_h1()
    return fair and s.meets_h3() and _average_gradient(s) > right


def _eq90(raw: Raw) -> bool:
    """A run that stands still, so that T may be as long as one likes."""
    s = Setting(raw)
    (r,) = next(s.runs())
    T = s.given["horizon"]
    still = (r.after, r.updated) == (r.z, r.lam) and s.given["local"] == "argmin"
    flat = all(abs(f.slope(x)) <= s.G for f, x in zip(s.losses, r.new, strict=True))
    start = s.mean_loss(s.z) - s.least_loss + mean([s.G**2 / (2 * L) for L in s.L])
    first, second = s.consensus_bound()
    right = 4 * s.M1**2 * (start + s.high * mean(s.gamma)) / T
    right += (4 * (s.top**2 + 2 * s.high) + 2 * s.high) * first + second
    right += 2 * s.M1**2 * s.epsilon / s.top + 2 * s.alpha * s.M1**2 * s.G**2
    fair = _proofs(s) and s.meets_h3() and flat and still and s.members == s.n
    return fair and s.mean_slope(s.z) ** 2 > right


def _eq78(raw: Raw) -> bool:
    s = Setting(raw)
    return (
        s.is_legal()
        and s.meets_h3()
        and any(
            s.lagrangian(i, s.starts[i], s.z, s.lam[i]) != s.losses[i].value(s.z)
            for i in range(s.n)
        )
    )


def _same_losses(raw: Raw) -> bool:
    """The term of heterogeneity where there is none: delta > 0 of equal losses."""
    s = Setting(raw)
    return s.is_legal() and all(loss == s.losses[0] for loss in s.losses) and s.delta > 0


# -- Corollary 4.6 ---------------------------------------------------------------------------------


def _sign(gap: Fraction, gamma: Fraction) -> int:
    return 1 if gap > gamma else -1


def _projected(raw: Raw) -> bool:
    """No residual and no bracket: whatever the constants, the right side is zero."""
    s = Setting(raw)
    run = next(s.runs())
    signs = [_sign((r.new[0] - r.z) ** 2, s.gamma[0]) for r in run]
    left = mean([s.losses[0].slope(r.new[0]) ** 2 for r in run])
    exact = s.members == s.n and all(s.residual(r, 0) == 0 for r in run)
    return s.is_legal() and exact and 1 + sum(signs) <= 0 < left


def _relaxed(raw: Raw) -> bool:
    """The same along (95), from lambda^0 = 0; where the server step is 0/0 there is no claim."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    z, x = g["start"][0], [start[0] for start in g["starts"]]
    lam, signs, left = [ZERO for _ in x], [], []
    T = int(g["relaxed"])
    fair = g["dual_step"] > 0 and min(g["gamma"]) >= 0 and g["local"] == "argmin"
    for t in range(T):
        x = [loss.solve(a, z) for loss, a in zip(losses, lam, strict=True)]
        left.append(losses[0].slope(x[0]) ** 2)
        now = [_sign((own - z) ** 2, gamma) for own, gamma in zip(x, g["gamma"], strict=True)]
        signs.append(now[0])
        lam = [max(a + g["dual_step"] * sign, ZERO) for a, sign in zip(lam, now, strict=True)]
        if t + 1 < T:
            z = sum((a * own for a, own in zip(lam, x, strict=True)), ZERO) / sum(lam, ZERO)
    return fair and 1 + sum(signs) <= 0 < mean(left)


def _steps(g: Any) -> tuple[list[int], list[Fraction], list[int]]:
    """Signs, multipliers of (95) from 0 on, and brackets with the kindest summand k = 0."""
    signs = [_sign(margin, ZERO) for margin in g["margin"]]
    multipliers, a = [], ZERO
    for sign in signs:
        a = max(a + g["alpha"] * sign, ZERO)
        multipliers.append(a)
    brackets = [max(1 + sum(signs[: t + 1]), 0) for t in range(len(signs))]
    return signs, multipliers, brackets


def _eq97(raw: Raw) -> bool:
    g = numbers(raw)
    _, multipliers, brackets = _steps(g)
    pairs = zip(multipliers, brackets, strict=True)
    return g["alpha"] > 0 and any(a > g["alpha"] * bracket for a, bracket in pairs)


def _eq99(raw: Raw) -> bool:
    g = numbers(raw)
    _, multipliers, brackets = _steps(g)
    left = mean([a**2 for a in multipliers])
    right = g["alpha"] ** 2 * mean([Fraction(b) ** 2 for b in brackets])
    return g["alpha"] > 0 and left > right


def _eq100(raw: Raw) -> bool:
    g = numbers(raw)
    _, _, brackets = _steps(g)
    return g["alpha"] > 0 and mean([Fraction(b) ** 2 for b in brackets]) > brackets[-1] ** 2


def _remark(raw: Raw) -> bool:
    """A larger gamma_i with a larger bracket, whichever sign the summand k = 0 has."""
    s = Setting(raw)
    more = [a + b for a, b in zip(s.gamma, s.given["more"], strict=True)]
    sums = []
    for gamma in (s.gamma, more):
        s.gamma = gamma
        run = next(s.runs())
        sums.append(sum(_sign((r.new[0] - r.z) ** 2, gamma[0]) for r in run))
    larger = min(s.given["more"]) >= 0 and s.given["more"][0] > 0
    brackets = all(max(sums[1] + k, 0) > max(sums[0] + k, 0) for k in (1, -1))
    return s.is_legal() and s.members == s.n and larger and brackets


# -- definitions, assumptions, remarks -------------------------------------------------------------


def _eq18(raw: Raw) -> bool:
    """The derivative of one L_i in z, -2 lambda_i (x_i - z), against the sum over all."""
    g = numbers(raw)
    pulls = [-2 * a * (x - g["server"]) for a, x in zip(g["multiplier"], g["model"], strict=True)]
    return min(g["multiplier"]) >= 0 and any(own != sum(pulls, ZERO) for own in pulls)


def _heuristic(raw: Raw) -> bool:
    """The derivative of (8) in gamma_i is -lambda_i/N."""
    g = numbers(raw)
    lam = g["multiplier"]
    return min(lam) >= 0 and any(-a / len(lam) != -a for a in lam)


def _a4(raw: Raw, variance: bool) -> bool:
    """An unbiased oracle of the own loss, of variance sigma^2, against the mean loss f."""
    data = raw["instance"]["data"]
    losses, theta = losses_of(raw["instance"]), number(raw["instance"]["params"]["start"])[0]
    target = mean([loss.slope(theta) for loss in losses])
    biases = [loss.slope(theta) - target for loss in losses]
    noisy = [a * b for a, b in zip(number(data["sigma"]), number(data["noise_scale"]), strict=True)]
    if not variance:
        return any(biases)
    return any(own and bias for own, bias in zip(noisy, biases, strict=True))


def _minimisers(raw: Raw) -> bool:
    """One minimiser of both losses, and of their sum, but another loss."""
    g = numbers(raw)
    first, second = g["curvature"]
    shared = g["centre"][0] == g["centre"][1] and min(first, second) > 0
    return shared and first != second and g["point"] != g["centre"][0]


def _noiseless(raw: Raw) -> bool:
    data = raw["instance"]["data"]
    return not any(number(data.get("noise_scale", [])))


def _walk(loss: Loss, x: Fraction, step: Fraction, times: int) -> Fraction:
    for _ in range(times):
        x -= step * loss.slope(x)
    return x


def _fedavg(raw: Raw) -> bool:
    """lambda = 0 with the plain mean for 0/0; Algorithm 2 begins at the own model."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    step = g["step_share"] / max(loss.stiffness for loss in losses)
    z = g["start"][0]
    own, average, calibrated = [z for _ in losses], [z], [z]
    for _ in range(int(g["rounds"])):
        times = int(g["local_steps"])
        own = [_walk(loss, x, step, times) for loss, x in zip(losses, own, strict=True)]
        calibrated.append(mean(own))
        average.append(mean([_walk(loss, average[-1], step, times) for loss in losses]))
    return _noiseless(raw) and 0 < g["step_share"] <= 1 and calibrated != average


def _fedprox(raw: Raw) -> bool:
    """f + lambda |x - z|^2 with lambda = mu against f + (mu/2)|x - z|^2."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    z = [g["start"][0], g["start"][0]]
    for _ in range(int(g["rounds"])):
        z = [
            mean([loss.solve(factor * g["pull"], at) for loss in losses])
            for factor, at in zip((Fraction(1), Fraction(1, 2)), z, strict=True)
        ]
    return _noiseless(raw) and g["pull"] > 0 and g["local"] == "argmin" and z[0] != z[1]


def _fedprox_halved(raw: Raw) -> bool:
    """lambda = mu/2, so that objectives agree; FedProx's local steps begin at the server."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    step = g["step_share"] / (max(loss.stiffness for loss in losses) + 2 * g["pull"])
    z = other = g["start"][0]
    own = [z for _ in losses]

    def walked(loss: Loss, x: Fraction, server: Fraction) -> Fraction:
        for _ in range(int(g["local_steps"])):
            x -= step * (loss.slope(x) + 2 * g["pull"] * (x - server))
        return x

    for _ in range(int(g["rounds"])):
        own = [walked(loss, x, z) for loss, x in zip(losses, own, strict=True)]
        other = mean([walked(loss, other, other) for loss in losses])
        z = mean(own)
    fair = g["local"] == "gradient" and 0 < g["step_share"] <= 1 and g["pull"] > 0
    return _noiseless(raw) and fair and z != other


def _l2gd(raw: Raw, average: bool) -> bool:
    """L2GD moves by gradients with chance 1 - p, to the mean with chance p (its own paper)."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    x = [start[0] for start in g["starts"]]
    z, p = mean(x), g["chance"]
    step = g["step_share"] / (max(loss.stiffness for loss in losses) + 2 * g["pull"])
    broken = False
    for loss, own in zip(losses, x, strict=True):
        slope, pull = loss.slope(own), 2 * g["pull"] * (own - z)
        broken |= slope + pull != (pull / p if average else slope / (1 - p))
    return g["start"][0] == z and 0 < p < 1 and step > 0 and g["pull"] > 0 and broken


def _cell(raw: Raw, rival: int, own: int) -> bool:
    """The stored lead is that of this cell of a table (in hundredths), and FedBC is behind."""
    lead = number(raw["right"]) - number(raw["left"])
    return lead == own - rival and lead < 0


JUDGES = [
    Judge(
        "fedbc.lemmaB1i@V+printed+as-met",
        "(20): 2 M_1^2 before the move and before epsilon; Assumptions 4.1-4.2, nothing of lambda",
        lambda raw: _lemma_i(raw, True),
    ),
    Judge(
        "fedbc.lemmaB1i@A",
        "(20) along Algorithm 1, a mean over all i = 1..N, of whom S move",
        lambda raw: _lemma_i(raw, False),
    ),
    Judge(
        "fedbc.lemmaB1ii@printed+as-met",
        "(21) with alpha G^2, G = 16 R^4 + gamma^2 of (37), lambda_i^t >= 1 + L_i",
        _lemma_ii,
    ),
    Judge(
        "fedbc.lemmaB1ii@printed+derived",
        "the same, lambda_max < (1 + L_i)^2/L_i too",
        lambda raw: _lemma_ii(raw, True),
    ),
    Judge(
        "fedbc.eq26@A",
        "(26) for every i and the (x^t, z^t) of Algorithm 1",
        lambda raw: _waiting(raw, False),
    ),
    Judge("fedbc.eq27@A", "(27), as (26)", lambda raw: _waiting(raw, True)),
    Judge("fedbc.eq31@as-set", "(31) as an equality", _unequal(_eq31)),
    Judge("fedbc.eq33@as-set", "(33) as an equality", _unequal(_eq33)),
    Judge("fedbc.eq34@as-set", "(34) as an equality", _unequal(_eq34)),
    Judge("fedbc.eq35@printed", "(35): epsilon/(2L) with L = max L_i", _eq35_breaks),
    Judge("fedbc.eq39-42/client@printed", "(39), alpha G^2", _eq39),
    Judge("fedbc.eq39-42/mean@printed", "(42), lambda_i^t - L_i before the sum", _eq42),
    Judge("fedbc.lemmaB2@A", "(44), the mean over all i of the iterates of Algorithm 1", _lemma_b2),
    Judge("fedbc.eq50-53/mean@A", "(51): S/N sum_j |x_i - x_j|^2", _sampled_mean),
    Judge("fedbc.eq54-55@printed", "(55) divides by lambda_i^t", _eq55),
    Judge("fedbc.eq58@printed", "(58): one residual, (1 + L_i)^2", _eq58),
    Judge("fedbc.eq59@as-set", "head of (59), with a plus", _eq59),
    Judge("fedbc.eq62@printed", "(62), C_0 > 0", _eq62),
    Judge(
        "fedbc.eq63/square@printed+V",
        "(63): the maximum over pairs below the last line",
        lambda raw: _eq63(raw, True),
    ),
    Judge("fedbc.eq63/square@printed+A", "(63), a device waits", lambda raw: _eq63(raw, False)),
    Judge(
        "fedbc.eq63/square@traced+A",
        "(63) with the coefficient of (61) and 2 before both terms, a device waits",
        _eq63_waits,
    ),
    Judge("fedbc.eq64-65@printed+V", "(65) divided by T", lambda raw: _eq65(raw, True)),
    Judge("fedbc.eq64-65@printed+A", "(65), a device waits", lambda raw: _eq65(raw, False)),
    Judge(
        "fedbc.eq64-65@traced+A",
        "(65) with the coefficient of (61) and 2 before both terms, a device waits",
        lambda raw: _eq65(raw, False, True),
    ),
    Judge("fedbc.C0", "after (61): C_0 > 0 if lambda_max < (1 + L_i)^2/L_i", _c0),
    Judge("fedbc.eq69-70/69@printed", "(69)", lambda raw: _gradient(raw, False, False)),
    Judge("fedbc.eq69-70/70@printed", "(70)", lambda raw: _gradient(raw, True, False)),
    Judge(
        "fedbc.eq69-70/chain@printed",
        "first line of (69) <= second",
        lambda raw: _gradient(raw, False, True),
    ),
    Judge("fedbc.eq72@printed", "(72)", _eq72),
    Judge("fedbc.eq73-76@printed", "(76) divided by T", lambda raw: _summed(raw, False)),
    Judge("fedbc.eq77@printed", "(77)", lambda raw: _summed(raw, True)),
    Judge("fedbc.explicit90@printed", "(90) with G of (37)", _eq90),
    Judge("fedbc.eq78/first", "before (78): L_i^0 = f_i(z^0) where x_i^0 = z^0", _eq78),
    Judge("fedbc.theorem1.interp/c", "the third term 'is due to the heterogeneity'", _same_losses),
    Judge("fedbc.corollary46@projected", "(15) for the multipliers of (11)", _projected),
    Judge("fedbc.corollary46@relaxed", "(15) for the multipliers of (95)", _relaxed),
    Judge("fedbc.corollary46.remark@runs", "the bracket is larger for lower gamma_i", _remark),
    Judge("fedbc.eq97", "(97) for every t", _eq97),
    Judge("fedbc.eq99-100/unrolled", "(99) from (94), without 2 epsilon_i and 32 R^2", _eq99),
    Judge("fedbc.eq99-100/last", "(99) <= (100)", _eq100),
    Judge(
        "fedbc.grad/18@one-client",
        "(18): the derivative of L_i in z is a sum over all clients",
        _eq18,
    ),
    Judge(
        "fedbc.heur.gamma/slope@mean", "the derivative of (8) in gamma_i is -lambda_i", _heuristic
    ),
    Judge(
        "fedbc.A4/mean@mean-loss",
        "E[g_i] = grad f(x_i), f without index",
        lambda raw: _a4(raw, False),
    ),
    Judge(
        "fedbc.A4/variance@mean-loss",
        "E|g_i - grad f(x_i)|^2 <= sigma^2, f without index",
        lambda raw: _a4(raw, True),
    ),
    Judge(
        "fedbc.sp.minimisers/distributions",
        "minimisers shared only by equal distributions",
        _minimisers,
    ),
    Judge("fedbc.sp.fedavg", "FedAvg is FedBC with lambda = 0", _fedavg),
    Judge("fedbc.sp.fedprox@whole-mu", "FedBC with lambda = mu is FedProx (4)", _fedprox),
    Judge("fedbc.sp.fedprox@half-mu", "FedBC with lambda = mu/2 is FedProx (4)", _fedprox_halved),
    Judge(
        "fedbc.sp.l2gd/gradient",
        "lambda = c, K_i = 1 is L2GD: its gradient step",
        lambda raw: _l2gd(raw, False),
    ),
    Judge(
        "fedbc.sp.l2gd/average",
        "lambda = c, K_i = 1 is L2GD: its step to the mean",
        lambda raw: _l2gd(raw, True),
    ),
    Judge(
        "fedbc.text/table7-8",
        "FedBC above all baselines on MNIST; Table 7, C = 2, 1.2: Scaffold",
        lambda raw: _cell(raw, 9631, 9503),
    ),
    Judge(
        "fedbc.text/takeaway-global@every-cell",
        "best global performance; Table 6, C = 2, 1.4: q-FedAvg",
        lambda raw: _cell(raw, 5445, 5041),
    ),
]
