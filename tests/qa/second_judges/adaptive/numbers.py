"""Judges of `adaptive` that need no run: sums, limits, Section 4, the prose."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.adaptive.runs import Raw, numbers
from tests.qa.second_judges.federation import Federation, number

# -- Property 1, Remark 3, Corollary 1, sums -------------------------------------------------------


def property1(raw: Raw) -> bool:
    """A3 with b = sqrt 2 |A_k (xi_i - xi_k)|, c = 2 |1 - A_k/A_i|^2 at a point."""
    f = Federation(raw)
    point = f.given["point"][0]
    bias2 = 2 * (f.form[1] * (f.shift[0] - f.shift[1])) ** 2
    slope = 2 * (1 - f.form[1] / f.form[0]) ** 2
    return min(f.form) > 0 and f.gap(1, point) > bias2 + slope * f.own(point)


def phi_of_remark3(raw: Raw) -> bool:
    """(sigma_phi)^2 = (sum psi(r)/sigma^2)^-1 for phi(x) = x, psi(x) = x^2."""
    n = numbers(raw)
    ratios, sigma2 = n["ratio"], n["sigma2"]
    fair = ratios[0] == 1 and all(0 <= r <= 1 for r in ratios) and min(sigma2) > 0
    by_phi = sum(r / s for r, s in zip(ratios, sigma2, strict=True))
    by_psi = sum(r * r / s for r, s in zip(ratios, sigma2, strict=True))
    return fair and n["phi"] == "continuous" and by_phi != by_psi


def proof_of_corollary1(raw: Raw) -> bool:
    """The bound max(K, eps0)/T of the decreasing row is taken to be K/T."""
    n = numbers(raw)
    bound = n["beta"] * n["variance"] * n["factor"] ** 2 / (2 * n["mu"] ** 2 * (n["factor"] - 1))
    fair = n["factor"] > 1 and min(n["beta"], n["mu"], n["variance"], n["excess"]) > 0
    return fair and n["mu"] <= n["beta"] and max(bound, n["excess"]) > bound


def sum_over_askers(raw: Raw) -> bool:
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


def sufficient(n: Any, precision: Fraction) -> tuple[list[Fraction], Fraction]:
    """psi of each client and sigma_suf^2 of free constants; client 0 is oneself."""
    assert n["bias"][0] == n["slope"][0] == 0
    level = 2 * n["mu"] * precision
    pairs = zip(n["bias"], n["slope"], strict=True)
    psi = [psi_of(n, max(Fraction(0), 1 - b / level - c)) for b, c in pairs]
    return psi, 1 / sum(p / s for p, s in zip(psi, n["sigma2"], strict=True))


def psi_of(n: Any, x: Fraction) -> Fraction:
    if n["phi"] == "continuous":
        return x * x
    return x * n["threshold"] if x >= n["threshold"] else Fraction(0)


def positive(n: Any) -> bool:
    return min(n["mu"], *n["sigma2"]) > 0 <= min(*n["bias"], *n["slope"])


def limit_at_zero(raw: Raw) -> bool:
    """The printed limit has sigma_k^2 where Definition 2 has sigma_k^-2."""
    n = numbers(raw)
    small = min((b for b in n["bias"] if b), default=Fraction(1)) / (4 * n["mu"])
    psi, limit = sufficient(n, small)  # constant from here on
    printed = 1 / sum(s * p for s, p in zip(n["sigma2"], psi, strict=True))
    return positive(n) and printed != limit


def falls_strictly(raw: Raw) -> bool:
    """sigma_suf^2(eps) > sigma_suf^2(eps') for eps < eps'."""
    n = numbers(raw)
    low, high = (sufficient(n, n["precision"] * f)[1] for f in (1, n["factor"]))
    return positive(n) and n["factor"] > 1 and not low > high


def strict_lower_bound(raw: Raw) -> bool:
    """sigma_suf^2 > sigma^2/(psi(1) N*), all c_ik = 0 and one variance."""
    n = numbers(raw)
    one = n["sigma2_one"]
    psi, variance = sufficient({**n, "sigma2": [one] * len(n["bias"])}, n["precision"])
    bound = one / (psi_of(n, Fraction(1)) * sum(p > 0 for p in psi))
    return positive(n) and not any(n["slope"]) and one > 0 and not variance > bound


def smallest_psi(raw: Raw) -> bool:
    """min over N* of psi_bin = lambda."""
    n = numbers(raw)
    psi, _ = sufficient(n, n["precision"])
    fair = positive(n) and not any(n["slope"]) and n["phi"] == "binary" and 0 < n["threshold"] <= 1
    return fair and min(p for p in psi if p) != n["threshold"]


def bound_of_lemma1(n: Any, alpha: list[Fraction], half: bool) -> Fraction:
    """eta/2 sum alpha (Delta^2 - G^2) + eta beta sum sigma^2 alpha^2, or with eta^2 beta/2."""
    terms = zip(alpha, n["squared_gaps"], n["sigma2"], strict=True)
    own, step = n["squared_gradient"], n["step_size"]
    factor = step * n["beta"] * (step / 2 if half else 1)
    return sum(step / 2 * a * (gap - own) + factor * s * a * a for a, gap, s in terms)


def optimal_weights(raw: Raw, definition1: bool, half: bool = False) -> bool:
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
    return fair and bound_of_lemma1(n, claimed, half) > bound_of_lemma1(n, n["alpha"], half)


def local_variance(raw: Raw) -> bool:
    """One dissimilar group: collaboration leaves sigma^2, b_alpha = 1 more gradient sigma^2/2."""
    n = numbers(raw)
    others = int(n["N"]) - 1
    weights = [Fraction(1)] + [n["ratio"]] * others
    effective = n["sigma2_one"] / sum(psi_of(n, r) for r in weights)
    fair = 0 <= n["ratio"] <= 1 and n["sigma2_one"] > 0 and others >= 32
    return fair and effective > n["sigma2_one"] / 2


def two_targets(raw: Raw) -> bool:
    """ln(2 mu^2 eps0/(beta sigma_suf^2(eps)))/mu at two targets: the variances differ."""
    n = numbers(raw)
    here, there = (sufficient(n, n["precision"] * f)[1] for f in (1, n["ease"]))
    return positive(n) and n["ease"] > 1 and here != there


def labels(raw: Raw) -> bool:
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


def wider_gap(raw: Raw, everywhere: bool, rivals: tuple[str, ...]) -> bool:
    """Both variants have a larger gap than some rival, on average or on some data set."""
    gaps = {name: [abs(a - b) for a, b in row] for name, row in TESTS.items()}
    if not everywhere:
        gaps = {name: [sum(row)] for name, row in gaps.items()}
    least = [min(gaps[name][i] for name in rivals) for i in range(len(gaps["bin"]))]
    wider = all(any(g > m for g, m in zip(gaps[v], least, strict=True)) for v in ("bin", "cont"))
    return wider and number(raw["left"]) > number(raw["right"])


def printed(left: str, sign: str, right: str) -> Callable[[Raw], bool]:
    """Two printed numbers, the same as those of the witness."""
    a, b = Fraction(left), Fraction(right)
    broken = {"=": a != b, "<=": a > b}[sign]
    return lambda raw: broken and (number(raw["left"]), number(raw["right"])) == (a, b)


# -- Section 1 and text ----------------------------------------------------------------------------


def no_point(raw: Raw) -> bool:
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


def less_collaboration(raw: Raw) -> bool:
    """A gradient step lowers the loss, and the ratio of the other client grows."""
    f = Federation(raw)
    point = f.given["point"][0]
    new = point - f.given["share"] / f.beta * f.gradient(0, point)
    lower = f.excess(new) <= f.excess(point)
    return min(f.form) > 0 and lower and f.ratios(new)[1] > f.ratios(point)[1]


def binary_variance(raw: Raw) -> bool:
    """Variance of the direction, sum (alpha sigma)^2, above that of the own gradient."""
    n = numbers(raw)
    level, sigma2 = n["threshold"], n["sigma2"]
    phi = [level if r >= level else Fraction(0) for r in n["ratio"]]
    psi = 1 / sum(r * p / s for r, p, s in zip(n["ratio"], phi, sigma2, strict=True))
    alpha = [p * psi / s for p, s in zip(phi, sigma2, strict=True)]
    fair = n["ratio"][0] == 1 and all(0 <= r <= 1 for r in n["ratio"]) and 0 < level <= 1
    return fair and sum(a * a * s for a, s in zip(alpha, sigma2, strict=True)) > sigma2[0]


def weights_above_one(raw: Raw) -> bool:
    """Weights of Definition 1, a rule of Definition 3; the own ratio is 1."""
    n = numbers(raw)
    phi = [psi_of(n, r) / r if r else Fraction(0) for r in n["ratio"]]
    scale = 1 / sum(r * p / s for r, p, s in zip(n["ratio"], phi, n["sigma2"], strict=True))
    fair = n["ratio"][0] == 1 and all(0 <= r <= 1 for r in n["ratio"]) and min(n["sigma2"]) > 0
    fair = fair and 0 < n["threshold"] <= 1
    return fair and max(p * scale / s for p, s in zip(phi, n["sigma2"], strict=True)) > 1
