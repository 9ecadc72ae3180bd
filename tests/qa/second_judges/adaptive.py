"""Second judge of the accusations against `adaptive`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.federation import Federation, Path, number
from tests.qa.second_judges.record import Judge

Raw = Mapping[str, Any]


def mean(paths: list[Path], value: Callable[[Path], Fraction]) -> Fraction:
    return sum((path.chance * value(path) for path in paths), Fraction(0))


def numbers(raw: Raw) -> Any:
    """Parameters of an instance of free numbers."""
    return {name: number(value) for name, value in raw["instance"]["params"].items()}


# -- Lemma 1 ---------------------------------------------------------------------------------------


def _lemma1(raw: Raw, after: bool, each_run: bool = False, half: bool = False) -> bool:
    """eta/2 sum alpha (Delta^2 - G^2) + eta beta sum sigma^2 alpha^2, G after the step or before.

    ``half``: eta^2 beta/2 in place of eta beta.
    """
    f = Federation(raw)
    alpha, whole = f.given["alpha"], sum(f.given["alpha"], Fraction(0))
    step = f.given["step_share"] / (f.beta * whole)
    fair = f.is_legal() and min(alpha) >= 0 and 0 < step * f.beta * whole < 1
    paths = f.paths(step, 1)
    gain = mean(paths, lambda p: f.excess(p.theta[1])) - f.excess(f.start)
    noise = step * f.beta * sum(a * a * s for a, s in zip(alpha, f.sigma2, strict=True))
    noise *= step / 2 if half else 1

    def right(path: Path) -> Fraction:
        own = f.own(path.theta[1] if after else f.start)
        gaps = sum(a * (f.gap(k, f.start) - own) for k, a in enumerate(alpha))
        return step / 2 * gaps + noise

    if each_run:
        return fair and any(gain > right(path) for path in paths if path.chance)
    return fair and gain > mean(paths, right)


# -- Theorems 1 and 2 ------------------------------------------------------------------------------


def _constant_step(f: Federation) -> Fraction:
    """Steps of the constant rows are given as a multiple of 1/beta."""
    share: Fraction = f.given["step_share"]
    return share / f.beta


def _short(f: Federation, paths: list[Path], step: Fraction, strict: bool = False) -> bool:
    """eta <= (sigma_phi/sigma_psi)^2/beta in every round of every run, and a step that moves."""
    limits = [f.limit(theta) / f.beta for path in paths for theta in path.theta[:-1]]
    return step > 0 and all(step < x if strict else step <= x for x in limits)


def _theorem1(raw: Raw, recursion: bool = False) -> bool:
    """The bound with (sigma_psi^t)^2 outside every expectation, on some run."""
    f = Federation(raw)
    step = _constant_step(f)
    paths = f.paths(step)
    rate, end = 1 - step * f.mu, mean(paths, lambda p: f.excess(p.theta[-1]))
    before = mean(paths, lambda p: f.excess(p.theta[-2]))

    def right(path: Path) -> Fraction:
        noises = [step**2 * f.beta / 2 * f.effective(theta) for theta in path.theta[:-1]]
        if recursion:
            return rate * before + noises[-1]
        value = f.excess(f.start)
        for noise in noises:
            value = rate * value + noise
        return value

    fair = f.is_legal() and _short(f, paths, step, strict=True)
    return fair and any(end > right(path) for path in paths if path.chance)


def _precise(f: Federation, paths: list[Path], every: bool) -> bool:
    """epsilon_i^(T-1) >= epsilon > 0, in mean or on every run."""
    level = f.given["precision"]
    excesses = [f.excess(path.theta[-2]) for path in paths if path.chance]
    average = mean(paths, lambda p: f.excess(p.theta[-2]))
    return level > 0 and (min(excesses) if every else average) >= level


def _constant_row(raw: Raw, every: bool, square: bool, replaced: str = "") -> bool:
    """Constant row of Table 1, or the step of its proof that replaces sigma_eff by sigma_suf."""
    f = Federation(raw)
    step = _constant_step(f)
    paths = f.paths(step)
    rate = 1 - step * f.mu
    level = step * f.beta / (2 * f.mu) * f.sufficient(f.given["precision"], square)
    fair = f.is_legal() and _short(f, paths, step) and _precise(f, paths, every) and rate >= 0

    def noise(path: Path) -> Fraction:
        value = Fraction(0)
        for theta in path.theta[:-1]:
            value = rate * value + f.beta * step**2 / 2 * f.effective(theta)
        return value

    if replaced == "each-run":
        return fair and any(noise(path) > level for path in paths if path.chance)
    if replaced == "in-mean":
        return fair and mean(paths, noise) > level
    end = mean(paths, lambda p: f.excess(p.theta[-1]))
    return fair and end > rate**f.rounds * f.excess(f.start) + level


def _log(x: Fraction) -> Fraction:
    """ln x to thirty digits: k ln 2 + ln y with y in [1, 2), each by the series of artanh."""
    k = 0
    while x >= 2:
        x, k = x / 2, k + 1
    while x < 1:
        x, k = x * 2, k - 1

    def series(y: Fraction) -> Fraction:
        z = (y - 1) / (y + 1)
        return 2 * sum((z ** (2 * j + 1) / (2 * j + 1) for j in range(40)), Fraction(0))

    return Fraction(round((k * series(Fraction(2)) + series(x)) * 10**30), 10**30)


def _horizon_row(raw: Raw, every: bool, square: bool, inside: bool) -> bool:
    """Horizon-dependent row, with beta inside the logarithm of its bound or not.

    The step has thirty digits, so every condition and the claim itself are asked with a margin.
    """
    f = Federation(raw)
    small = Fraction(1, 10**9)
    variance = f.sufficient(f.given["precision"], square)
    argument = 2 * f.rounds * f.mu**2 * f.excess(f.start) / variance
    step = _log(argument / f.beta) / (f.mu * f.rounds)
    paths = f.paths(step)
    short = _short(f, paths, step + small)
    fair = f.is_legal() and short and small < step <= 1 / f.mu - small and _precise(f, paths, every)
    scale = f.beta * variance / (2 * f.mu**2 * f.rounds)
    right = scale * (_log(argument / f.beta if inside else argument) + 1)
    left = mean(paths, lambda p: f.excess(p.theta[-1]))
    return fair and left > right + max(right / 100, small)


# -- Theorem 3 -------------------------------------------------------------------------------------


def _average_square(f: Federation, paths: list[Path]) -> Fraction:
    squares = lambda p: sum(map(f.own, p.theta[:-1]), Fraction(0)) / f.rounds  # noqa: E731
    return mean(paths, squares)


def _theorem3(raw: Raw, every: bool, square: bool) -> bool:
    """One round: the step is the second argument of the minimum, which the bound forgets.

    Squares are compared: left^2 > 8 eps0 beta sigma_suf^2/T.
    """
    f = Federation(raw)
    variance = f.sufficient(f.given["precision"], square)
    assert f.rounds == 1
    start = f.excess(f.start)
    second = f.limit(f.start) / f.beta
    first_is_larger = 2 * start > second**2 * f.rounds * f.beta * variance
    paths = f.paths(second)
    fair = f.is_legal() and _short(f, paths, second) and _precise(f, paths, every)
    left = _average_square(f, paths)
    return fair and first_is_larger and left**2 > 8 * start * f.beta * variance / f.rounds


def _summed(raw: Raw, every: bool, square: bool) -> bool:
    """2 eps0/(T eta) + eta beta sigma_suf^2."""
    f = Federation(raw)
    step = _constant_step(f)
    paths = f.paths(step)
    fair = f.is_legal() and _short(f, paths, step) and _precise(f, paths, every)
    noise = step * f.beta * f.sufficient(f.given["precision"], square)
    right = 2 * f.excess(f.start) / (f.rounds * step) + noise
    return fair and _average_square(f, paths) > right


# -- Lemma 2 ---------------------------------------------------------------------------------------


def _lemma2(raw: Raw, realised: bool, after: bool, variance: bool, square: bool) -> bool:
    """At epsilon_i^t itself: N*(epsilon_i^t) in N_i^t, sigma_eff^t <= sigma_suf(epsilon_i^t).

    The lemma asks nothing of the step size; every run counts.
    """
    f = Federation(raw)
    paths = f.paths(_constant_step(f), 1)
    average = mean(paths, lambda p: f.excess(p.theta[1]))
    found = False
    for path in paths:
        level = f.excess(path.theta[1]) if realised else average
        if not path.chance or level <= 0:
            continue
        theta = path.theta[1 if after else 0]
        if variance:
            found |= f.effective(theta) > f.sufficient(level, square)
        else:
            members = [x * f.phi(x) > 0 for x in f.sufficient_ratios(level, square)]
            chosen = [a > 0 for a in f.weights(theta)]
            found |= any(m and not c for m, c in zip(members, chosen, strict=True))
    return f.is_legal() and found


def _a3_in_proof(raw: Raw) -> bool:
    """Delta^2 against b^2 + c |grad R_i(theta_k)|^2: the right side at the other client's model."""
    f = Federation(raw)
    point, other = f.given["point"][0], f.given["other"][0]
    bias, slope = f.dissimilarity(1)
    return f.own(point) > 0 and f.gap(1, point) > bias**2 + slope * f.own(other)


def _pl_in_proof(raw: Raw) -> bool:
    """(b^2 + c |grad R_i(theta_k)|^2)/G^2 against b^2/(2 mu epsilon_i^t) + c."""
    f = Federation(raw)
    point, other = f.given["point"][0], f.given["other"][0]
    bias, slope = f.dissimilarity(1)
    left = (bias**2 + slope * f.own(other)) / f.own(point)
    return left > bias**2 / (2 * f.mu * f.excess(point)) + slope


# -- Property 1, Remark 3, Corollary 1, sums -------------------------------------------------------


def _property1(raw: Raw) -> bool:
    """A3 with b = sqrt 2 |A_k (xi_i - xi_k)|, c = 2 |1 - A_k/A_i|^2 at a point."""
    f = Federation(raw)
    point = f.given["point"][0]
    bias2 = 2 * (f.form[1] * (f.shift[0] - f.shift[1])) ** 2
    slope = 2 * (1 - f.form[1] / f.form[0]) ** 2
    return min(f.form) > 0 and f.gap(1, point) > bias2 + slope * f.own(point)


def _phi_of_remark3(raw: Raw) -> bool:
    """(sigma_phi)^2 = (sum psi(r)/sigma^2)^-1 for phi(x) = x, psi(x) = x^2."""
    n = numbers(raw)
    ratios, sigma2 = n["ratio"], n["sigma2"]
    fair = ratios[0] == 1 and all(0 <= r <= 1 for r in ratios) and min(sigma2) > 0
    by_phi = sum(r / s for r, s in zip(ratios, sigma2, strict=True))
    by_psi = sum(r * r / s for r, s in zip(ratios, sigma2, strict=True))
    return fair and n["phi"] == "continuous" and by_phi != by_psi


def _proof_of_corollary1(raw: Raw) -> bool:
    """The bound max(K, eps0)/T of the decreasing row is taken to be K/T."""
    n = numbers(raw)
    bound = n["beta"] * n["variance"] * n["factor"] ** 2 / (2 * n["mu"] ** 2 * (n["factor"] - 1))
    fair = n["factor"] > 1 and min(n["beta"], n["mu"], n["variance"], n["excess"]) > 0
    return fair and n["mu"] <= n["beta"] and max(bound, n["excess"]) > bound


def _sum_over_askers(raw: Raw) -> bool:
    """sum over i of alpha_ik against (sigma_psi/sigma_phi)^2; all at one point, phi(x) = x."""
    n = numbers(raw)
    gradients, sigma2 = [g[0] for g in n["gradient"]], n["sigma2"]
    clients = range(len(sigma2))
    assert n["phi"] == "continuous"
    assert n["d"] == 1
    rows, values = [], []
    for i in clients:
        r = [max(Fraction(0), 1 - (g - gradients[i]) ** 2 / gradients[i] ** 2) for g in gradients]
        psi = 1 / sum(x * x / s for x, s in zip(r, sigma2, strict=True))
        phi = 1 / sum(x / s for x, s in zip(r, sigma2, strict=True))
        rows.append([x * psi / s for x, s in zip(r, sigma2, strict=True)])
        values.append(psi / phi)
    return any(sum(row[k] for row in rows) != value for k in clients for value in values)


# -- after Definition 2, Section 4 -----------------------------------------------------------------


def _sufficient(n: Any, precision: Fraction) -> tuple[list[Fraction], Fraction]:
    """psi of each client and sigma_suf^2 of free constants; client 0 is oneself."""
    assert n["bias"][0] == n["slope"][0] == 0
    level = 2 * n["mu"] * precision
    pairs = zip(n["bias"], n["slope"], strict=True)
    psi = [_psi(n, max(Fraction(0), 1 - b / level - c)) for b, c in pairs]
    return psi, 1 / sum(p / s for p, s in zip(psi, n["sigma2"], strict=True))


def _psi(n: Any, x: Fraction) -> Fraction:
    if n["phi"] == "continuous":
        return x * x
    return x * n["threshold"] if x >= n["threshold"] else Fraction(0)


def _positive(n: Any) -> bool:
    return min(n["mu"], *n["sigma2"]) > 0 <= min(*n["bias"], *n["slope"])


def _limit_at_zero(raw: Raw) -> bool:
    """The printed limit has sigma_k^2 where Definition 2 has sigma_k^-2."""
    n = numbers(raw)
    small = min((b for b in n["bias"] if b), default=Fraction(1)) / (4 * n["mu"])
    psi, limit = _sufficient(n, small)  # constant from here on
    printed = 1 / sum(s * p for s, p in zip(n["sigma2"], psi, strict=True))
    return _positive(n) and printed != limit


def _falls_strictly(raw: Raw) -> bool:
    """sigma_suf^2(eps) > sigma_suf^2(eps') for eps < eps'."""
    n = numbers(raw)
    low, high = (_sufficient(n, n["precision"] * f)[1] for f in (1, n["factor"]))
    return _positive(n) and n["factor"] > 1 and not low > high


def _strict_lower_bound(raw: Raw) -> bool:
    """sigma_suf^2 > sigma^2/(psi(1) N*), all c_ik = 0 and one variance."""
    n = numbers(raw)
    one = n["sigma2_one"]
    psi, variance = _sufficient({**n, "sigma2": [one] * len(n["bias"])}, n["precision"])
    bound = one / (_psi(n, Fraction(1)) * sum(p > 0 for p in psi))
    return _positive(n) and not any(n["slope"]) and one > 0 and not variance > bound


def _smallest_psi(raw: Raw) -> bool:
    """min over N* of psi_bin = lambda."""
    n = numbers(raw)
    psi, _ = _sufficient(n, n["precision"])
    fair = _positive(n) and not any(n["slope"]) and n["phi"] == "binary" and 0 < n["threshold"] <= 1
    return fair and min(p for p in psi if p) != n["threshold"]


def _bound_of_lemma1(n: Any, alpha: list[Fraction], half: bool) -> Fraction:
    """eta/2 sum alpha (Delta^2 - G^2) + eta beta sum sigma^2 alpha^2, or with eta^2 beta/2."""
    terms = zip(alpha, n["squared_gaps"], n["sigma2"], strict=True)
    own, step = n["squared_gradient"], n["step_size"]
    factor = step * n["beta"] * (step / 2 if half else 1)
    return sum(step / 2 * a * (gap - own) + factor * s * a * a for a, gap, s in terms)


def _optimal_weights(raw: Raw, definition1: bool, half: bool = False) -> bool:
    """Weights that solve the printed equation, or those of Definition 1, against others.

    Weights are at least 0; where those of Definition 1 are compared, Lemma 1 holds for both.
    """
    n = numbers(raw)
    n["squared_gaps"][0] = Fraction(0)  # of the asking client to itself
    terms = list(zip(n["squared_gaps"], n["sigma2"], strict=True))
    own, step, beta = n["squared_gradient"], n["step_size"], n["beta"]
    assert own > 0
    if definition1:
        ratios = [max(Fraction(0), 1 - gap / own) for gap, _ in terms]
        psi = 1 / sum(r * r / s for r, (_, s) in zip(ratios, terms, strict=True))
        claimed = [r * psi / s for r, (_, s) in zip(ratios, terms, strict=True)]
    else:
        claimed = [max(Fraction(0), own - gap) / (2 * step * beta * s) for gap, s in terms]
    fair = min(n["alpha"]) >= 0 and min(step, beta, *n["sigma2"]) > 0
    if definition1:
        fair = fair and step * beta * max(sum(claimed), sum(n["alpha"])) < 1
    return fair and _bound_of_lemma1(n, claimed, half) > _bound_of_lemma1(n, n["alpha"], half)


def _local_variance(raw: Raw) -> bool:
    """One dissimilar group: collaboration leaves sigma^2, b_alpha = 1 more gradient sigma^2/2."""
    n = numbers(raw)
    others = int(n["N"]) - 1
    weights = [Fraction(1)] + [n["ratio"]] * others
    effective = n["sigma2_one"] / sum(_psi(n, r) for r in weights)
    fair = 0 <= n["ratio"] <= 1 and n["sigma2_one"] > 0 and others >= 32
    return fair and effective > n["sigma2_one"] / 2


def _two_targets(raw: Raw) -> bool:
    """ln(2 mu^2 eps0/(beta sigma_suf^2(eps)))/mu at two targets: the variances differ."""
    n = numbers(raw)
    here, there = (_sufficient(n, n["precision"] * f)[1] for f in (1, n["ease"]))
    return _positive(n) and n["ease"] > 1 and here != there


def _labels(raw: Raw) -> bool:
    """{0, .., [K/2]} and {[K/2] + 1, .., K} hold K + 1 labels."""
    count = int(numbers(raw)["K"])
    return count > 1 and number(raw["left"]) == count + 1 != number(raw["right"]) == count


TESTS = {  # Table 2: train/test accuracy in tenths of a percent, Mnist, Cifar10, Heart, Ixi
    "bin": ((1000, 992), (699, 642), (889, 823), (973, 972)),
    "cont": ((1000, 991), (707, 635), (889, 821), (973, 972)),
    "local": ((1000, 991), (752, 590), (778, 821), (973, 973)),
    "fedavg": ((989, 987), (301, 308), (622, 752), (915, 915)),
    "ditto": ((1000, 991), (765, 585), (778, 819), (973, 973)),
    "cobo": ((1000, 991), (762, 587), (889, 819), (974, 973)),
    "wga-bc": ((963, 963), (48, 47), (556, 663), (932, 931)),
    "apfl": ((1000, 991), (758, 587), (778, 821), (704, 704)),
}


def _wider_gap(raw: Raw, everywhere: bool, rivals: tuple[str, ...]) -> bool:
    """Both variants have a larger gap than some rival, on average or on some data set."""
    gaps = {name: [abs(a - b) for a, b in row] for name, row in TESTS.items()}
    if not everywhere:
        gaps = {name: [sum(row)] for name, row in gaps.items()}
    least = [min(gaps[name][i] for name in rivals) for i in range(len(gaps["bin"]))]
    wider = all(any(g > m for g, m in zip(gaps[v], least, strict=True)) for v in ("bin", "cont"))
    return wider and number(raw["left"]) > number(raw["right"])


def _printed(left: str, sign: str, right: str) -> Callable[[Raw], bool]:
    """Two printed numbers, the same as those of the witness."""
    a, b = Fraction(left), Fraction(right)
    broken = {"=": a != b, "<=": a > b}[sign]
    return lambda raw: broken and (number(raw["left"]), number(raw["right"])) == (a, b)


# -- Section 1 and text ----------------------------------------------------------------------------


def _no_point(raw: Raw) -> bool:
    """With exact gradients, one step: alone with the best step there is against other weights."""
    f = Federation(raw)
    alpha = f.given["alpha"]
    drift = sum(a * f.gradient(k, f.start) for k, a in enumerate(alpha))
    whole = sum(alpha, Fraction(0))
    step = f.given["step_share"] / (f.beta * whole)
    together = f.excess(f.start - step * drift)
    alone = f.excess(f.start - f.given["step_share"] / f.beta * f.gradient(0, f.start))
    fair = min(f.form) > 0 and min(alpha) >= 0 and 0 < step * f.beta * whole <= 1
    return fair and alone > together


def _less_collaboration(raw: Raw) -> bool:
    """A gradient step lowers the loss, and the ratio of the other client grows."""
    f = Federation(raw)
    point = f.given["point"][0]
    new = point - f.given["share"] / f.beta * f.gradient(0, point)
    lower = f.excess(new) <= f.excess(point)
    return min(f.form) > 0 and lower and f.ratios(new)[1] > f.ratios(point)[1]


def _binary_variance(raw: Raw) -> bool:
    """Variance of the direction, sum (alpha sigma)^2, above that of the own gradient."""
    n = numbers(raw)
    level, sigma2 = n["threshold"], n["sigma2"]
    phi = [level if r >= level else Fraction(0) for r in n["ratio"]]
    psi = 1 / sum(r * p / s for r, p, s in zip(n["ratio"], phi, sigma2, strict=True))
    alpha = [p * psi / s for p, s in zip(phi, sigma2, strict=True)]
    fair = n["ratio"][0] == 1 and all(0 <= r <= 1 for r in n["ratio"]) and 0 < level <= 1
    return fair and sum(a * a * s for a, s in zip(alpha, sigma2, strict=True)) > sigma2[0]


EXCESSES = (("mean-excess", False), ("realised-excess", True))
SQUARES = (("plain-b", False), ("squared-b", True))
CASES = [(f"{b}+{e}", square, every) for b, square in SQUARES for e, every in EXCESSES]
LEMMA1 = "Lemma 1, own gradient at theta^t: "


def _weights_above_one(raw: Raw) -> bool:
    """Weights of Definition 1, a rule of Definition 3; the own ratio is 1."""
    n = numbers(raw)
    phi = [_psi(n, r) / r if r else Fraction(0) for r in n["ratio"]]
    scale = 1 / sum(r * p / s for r, p, s in zip(n["ratio"], phi, n["sigma2"], strict=True))
    fair = n["ratio"][0] == 1 and all(0 <= r <= 1 for r in n["ratio"]) and min(n["sigma2"]) > 0
    fair = fair and 0 < n["threshold"] <= 1
    return fair and max(p * scale / s for p, s in zip(phi, n["sigma2"], strict=True)) > 1


JUDGES = (
    Judge(
        "adaptive.alg.afo/range",
        "Section 1: 'a set of weights in [0,1]'",
        _weights_above_one,
    ),
    *(
        Judge(
            f"adaptive.lemma1@new-model+{factor}+{random}",
            LEMMA1 + "conditional mean against a right side on each run, or in mean",
            lambda raw, h=factor != "eta", e=random == "each-run": _lemma1(
                raw, after=True, each_run=e, half=h
            ),
        )
        for factor in ("eta", "half-eta-squared")
        for random in ("each-run", "in-mean")
    ),
    *(
        Judge(
            key,
            "own gradient at theta^(t-1), + eta beta sigma^2 alpha^2",
            lambda raw: _lemma1(raw, after=False),
        )
        for key in ("adaptive.lemma1@old-model+eta", "adaptive.lemma1.exact/last@eta")
    ),
    Judge(
        "adaptive.property1",
        "Property 1: A3 with b <= sqrt 2 |A_k(xi_i - xi_k)|, c <= 2 |I - A_k A_i^-1|^2",
        _property1,
    ),
    Judge(
        "adaptive.theorem1@each-run",
        "Theorem 1: (sigma_psi^t)^2 outside the expectation, on each run",
        _theorem1,
    ),
    Judge(
        "adaptive.theorem1.rec@each-run",
        "proof of Theorem 1: recursion with sigma_eff^t outside the expectation",
        lambda raw: _theorem1(raw, recursion=True),
    ),
    Judge(
        "adaptive.theorem1.sumalpha@over-i",
        "proof of Theorem 1: sum over i in [N] of alpha_ik = (sigma_psi/sigma_phi)^2",
        _sum_over_askers,
    ),
    *(
        Judge(
            f"adaptive.lemma2/{part}@{case}+{place}",
            "Lemma 2 at epsilon = epsilon_i^t, any t and any steps",
            lambda raw, v=part == "variance", e=every, a=place == "after-step", b=square: _lemma2(
                raw, realised=e, after=a, variance=v, square=b
            ),
        )
        for part in ("cluster", "variance")
        for case, square, every in CASES
        for place in ("before-step", "after-step")
        if (case, place) != ("squared-b+realised-excess", "after-step")  # stands
    ),
    Judge(
        "adaptive.lemma2/proof-A3@asked",
        "proof of Lemma 2: Delta^2 <= b^2 + c |grad R_i(theta_k^t)|^2",
        _a3_in_proof,
    ),
    Judge(
        "adaptive.lemma2/proof-PL@asked",
        "proof of Lemma 2, second inequality, with grad R_i(theta_k^t)",
        _pl_in_proof,
    ),
    *(
        Judge(
            f"adaptive.theorem2/replace@{runs}+{case}",
            "proof of Theorem 2: 'Upper-bounding with the minimal variance of the cluster'; of the "
            "excess losses that of T-1 alone is bounded from below",
            lambda raw, e=every, r=runs, b=square: _constant_row(raw, e, b, replaced=r),
        )
        for runs in ("each-run", "in-mean")
        for case, square, every in CASES
    ),
    *(
        Judge(
            f"adaptive.theorem2.const@{case}",
            "Theorem 2, Table 1: constant row; epsilon_i^(T-1) >= epsilon, no other excess loss",
            lambda raw, e=every, b=square: _constant_row(raw, e, b),
        )
        for case, square, every in CASES
    ),
    *(
        Judge(
            f"adaptive.theorem2.horizon@{case}{'+' * bool(beta)}{beta}",
            "Theorem 2, Table 1: horizon-dependent row; steps above 0",
            lambda raw, e=every, b=square, i=beta == "with-beta": _horizon_row(raw, e, b, i),
        )
        for case, square, every in CASES
        for beta in (("without-beta", "with-beta") if square else ("",))
    ),
    Judge(
        "adaptive.remark3/c-phi@psi",
        "Remark 3: (sigma_phi)^2 = (sum psi(r)/sigma_k^2)^-1 for the continuous rule",
        _phi_of_remark3,
    ),
    Judge(
        "adaptive.corollary1/proof-max",
        "proof of Corollary 1: the bound is K/T, Theorem 2 has max(K, eps0)/T",
        _proof_of_corollary1,
    ),
    *(
        Judge(
            f"adaptive.theorem3@{case}",
            "Theorem 3: step min(sqrt(2 eps0/(T beta sigma_suf^2)), (sigma_phi/sigma_psi)^2/beta)",
            lambda raw, e=every, b=square: _theorem3(raw, e, b),
        )
        for case, square, every in CASES
    ),
    *(
        Judge(
            f"adaptive.theorem3.step/bound@{case}",
            "proof of Theorem 3: average square <= 2 eps0/(T eta) + eta beta sigma_suf^2",
            lambda raw, e=every, b=square: _summed(raw, e, b),
        )
        for case, square, every in CASES
    ),
    Judge(
        "adaptive.def2.lim0@square",
        "after Definition 2: lim eps to 0 is (sum sigma_k^2 psi((1-c)_+) 1{b = 0})^-1",
        _limit_at_zero,
    ),
    Judge(
        "adaptive.def2.mono/decreasing@strictly-falling",
        "after Definition 2: sigma_suf^2 is decreasing, strictly",
        _falls_strictly,
    ),
    Judge(
        "adaptive.sec4.lb/text@strict",
        "Section 4: sigma_suf^2 > sigma^2/(psi(1) N*)",
        _strict_lower_bound,
    ),
    Judge("adaptive.sec4.binmin", "Section 4: min over N* of psi_bin = lambda", _smallest_psi),
    Judge(
        "adaptive.sec4.opt/stationary@eta",
        "Section 4: the equation's solution minimises the upper bound of Lemma 1 as printed",
        lambda raw: _optimal_weights(raw, definition1=False),
    ),
    *(
        Judge(
            f"adaptive.sec4.opt/normalised@{factor}",
            "Section 4: the normalised weights preserve the minimisation of Lemma 1",
            lambda raw, h=factor != "eta": _optimal_weights(raw, definition1=True, half=h),
        )
        for factor in ("eta", "half-eta-squared")
    ),
    Judge(
        "adaptive.sec4.freq/variance",
        "Section 4: N >> b_alpha, collaboration reduces the variance more than b_alpha gradients",
        _local_variance,
    ),
    Judge(
        "adaptive.inf.fullgrad@loss",
        "Section 1: with full gradients there would be no point in collaborating",
        _no_point,
    ),
    Judge(
        "adaptive.inf.less/ratio",
        "Section 3: as the loss gets better optimised, less collaborations are made",
        _less_collaboration,
    ),
    Judge(
        "adaptive.inf.variance/binary",
        "Section 1: All-for-one is a variance reduction method compared with local training",
        _binary_variance,
    ),
    Judge(
        "adaptive.inf.epsfree/steps@every-step-size",
        "Section 1: convergence guarantees 'do not depend on the final target accuracy'; Table 1",
        _two_targets,
    ),
    Judge("adaptive.data.split/labels", "Definition S1: labels 0 to K of K classes", _labels),
    Judge(
        "adaptive.tableS2/loss@deviation",
        "Table S2: 'Standard deviation of train and test accuracy/loss', entries below 0",
        _printed("401/100", "<=", "0"),
    ),
    *(
        Judge(
            f"adaptive.text.exp/gap@{overall}+{rivals}",
            "Section 5: 'the smaller gap with the train performance', for both variants",
            lambda raw, e=overall == "everywhere", names=names: _wider_gap(raw, e, names),
        )
        for overall, rivals, names in (
            ("on-average", "all-rivals", tuple(TESTS)[2:]),
            ("everywhere", "all-rivals", tuple(TESTS)[2:]),
            ("everywhere", "personal-rivals", ("local", "ditto", "cobo")),
        )
    ),
    Judge(
        "adaptive.text.exp/all-for-one-bin@table",
        "Section 5: test accuracy 63.9 on Cifar10; Table 2: 64.2",
        _printed("639/10", "=", "642/10"),
    ),
    Judge(
        "adaptive.text.exp/local@table",
        "Section 5: 58.5 on Cifar10; Table 2: 59.0",
        _printed("585/10", "=", "59"),
    ),
    Judge(
        "adaptive.text.exp/fedavg@table",
        "Section 5: 28.9 on Cifar10; Table 2: 30.8",
        _printed("289/10", "=", "308/10"),
    ),
    Judge(
        "adaptive.text.exp/best@everywhere",
        "Section 5: best test performance, on every data set; Ixi: Local 97.3, All-for-one 97.2",
        _printed("973/10", "<=", "972/10"),
    ),
)
