"""Second encodings of adaptive: Lemma 1, Property 1, Definitions 1 and 2."""

from __future__ import annotations

import numpy as np

from tests.qa.second_encodings.record import Second

# -- quantities ------------------------------------------------------------------------------------


def phi(w, x):
    """Definition 3: x, or lambda where x is at least lambda; a power is another phi."""
    if w.phi == "binary":
        level = w.threshold[..., None] if x.ndim > w.threshold.ndim else w.threshold
        return np.where(x >= level, level, 0)
    return x ** int(w.exponent) if w.phi == "power" else x


def psi(w, x):
    """x phi(x)."""
    return x * phi(w, x)


def variance_of(values, sigma2):
    """sigma_f^2 = 1/(sum_k sigma_k^-2 f(r_ik))."""
    return 1 / (values / sigma2).sum(-1)


def similarity(w, point):
    """r_1k at a point (.., d): (.., N)."""
    gradients = w.problem.gradients(point)
    own = gradients[..., :1, :]
    apart, size = ((gradients - own) ** 2).sum(-1), (own**2).sum(-1)
    return np.maximum(1 - apart / size, 0)


def largest_step(w, point):
    """(sigma_phi/sigma_psi)^2/beta with the ratios at a point (B, R, .., d)."""
    ratio = similarity(w, point)
    extra = (1,) * (ratio.ndim - w.sigma2.ndim)
    sigma2 = w.sigma2.reshape(*w.sigma2.shape[:2], *extra, -1)
    flat = _with_levels(w, ratio)
    shares = variance_of(flat, sigma2) / variance_of(ratio * flat, sigma2)
    return shares / w.beta.reshape(*w.beta.shape[:2], *extra)


def _with_levels(w, ratio):
    if w.phi != "binary":
        return phi(w, ratio)
    level = w.threshold.reshape(*w.threshold.shape[:2], *(1,) * (ratio.ndim - 2))
    return np.where(ratio >= level, level, 0)


def effective_variance(w, point):
    """sigma_psi^2 with the ratios at a point."""
    ratio = similarity(w, point)
    extra = (1,) * (ratio.ndim - w.sigma2.ndim)
    sigma2 = w.sigma2.reshape(*w.sigma2.shape[:2], *extra, -1)
    return variance_of(ratio * _with_levels(w, ratio), sigma2)


def sufficient_share(w, precision, bias, slope):
    """(1 - b/(2 mu eps) - c)_+ with b as printed, not squared: (.., N)."""
    return np.maximum(1 - bias / (2 * w.mu * precision)[..., None] - slope, 0)


# -- Lemma 1 ---------------------------------------------------------------------------------------


def _asked(w):
    """alpha, one row for every client."""
    return w.alpha[..., None, :] + np.zeros((w.problem.clients, 1))


def _lemma1_step(w):
    return w.step_share / (w.beta * w.alpha.sum(-1))


def _lemma1(w):
    theta = w.run().theta
    before, after = theta[..., 0, :], theta[..., 1, :]
    change = w.mean(w.problem.excess(after)[..., 0]) - w.problem.excess(before)[..., 0]
    gradients = w.problem.gradients(before)
    apart = ((gradients - gradients[..., :1, :]) ** 2).sum(-1)
    own = (w.problem.gradients(after)[..., 0, :] ** 2).sum(-1)
    step = w.step_size
    return {"change": change}, {
        "differences": step / 2 * (w.alpha * apart).sum(-1),
        "own gradient": -step / 2 * w.alpha.sum(-1) * own,
        "noise": step * w.beta * (w.sigma2 * w.alpha**2).sum(-1),
    }


# -- Property 1 ------------------------------------------------------------------------------------


def _property1(w):
    gradients = w.problem.gradients(w.point)
    form, shift = w.problem.form, -w.problem.optimum
    difference = form[..., 1, :, :] @ (shift[..., 0, :] - shift[..., 1, :])[..., None]
    turned = np.eye(w.problem.dim) - form[..., 1, :, :] @ np.linalg.inv(form[..., 0, :, :])
    own = (gradients[..., 0, :] ** 2).sum(-1)
    apart = ((gradients[..., 0, :] - gradients[..., 1, :]) ** 2).sum(-1)
    return {"|grad R_i - grad R_k|^2": apart}, {
        "b^2": 2 * (difference**2).sum((-2, -1)),
        "c |grad R_i|^2": 2 * np.linalg.norm(turned, 2, (-2, -1)) ** 2 * own,
    }


# -- Definition 1 ----------------------------------------------------------------------------------


def _sigma(w, values):
    return variance_of(values, w.sigma2)


def _weights(w):
    return w.phi * _sigma(w, w.ratio * w.phi)[..., None] / w.sigma2


def _drift(w):
    return {"sum alpha r": (_weights(w) * w.ratio).sum(-1)}, {"1": 1 + 0 * w.ratio[..., 0]}


def _sum_value(w):
    quotient = _sigma(w, w.ratio * w.phi) / _sigma(w, w.phi)
    return {"sum alpha": _weights(w).sum(-1)}, {"(s_psi/s_phi)^2": quotient}


def _sum_bound(w):
    quotient = _sigma(w, w.ratio * w.phi) / _sigma(w, w.phi)
    return {"(s_psi/s_phi)^2": quotient}, {"1": 1 + 0 * quotient}


def _var_value(w):
    quotient = _sigma(w, w.ratio * w.phi) ** 2 / _sigma(w, w.phi**2)
    return {"sum (alpha s)^2": (_weights(w) ** 2 * w.sigma2).sum(-1)}, {"quotient": quotient}


def _var_bound(w):
    psi_variance = _sigma(w, w.ratio * w.phi)
    return {"quotient": psi_variance**2 / _sigma(w, w.phi**2)}, {"s_psi^2": psi_variance}


def _monotone(w):
    """phi is one function and does not decrease."""
    margins = []
    for i in range(w.N):
        for k in range(i):
            r, f = w.ratio[..., i] - w.ratio[..., k], w.phi[..., i] - w.phi[..., k]
            margins.append(np.where(r == 0, -np.abs(f), r * f))
    return np.stack(margins, -1)


ANY_PHI = {
    "ratios in [0, 1]": lambda w: w.ratio * (1 - w.ratio),
    "phi at least 0": lambda w: w.phi,
    "phi does not decrease": _monotone,
    "phi(x) <= x": lambda w: w.ratio - w.phi,
}

# -- Definition 2 ----------------------------------------------------------------------------------


def _sufficient(w, precision):
    return variance_of(psi(w, sufficient_share(w, precision, w.bias, w.slope)), w.sigma2)


def _decreasing(w):
    return {"at a larger eps": _sufficient(w, w.precision * w.factor)}, {
        "at eps": _sufficient(w, w.precision)
    }


def _limit(w):
    one = np.ones_like(w.sigma2[..., 0])
    return {"s_suf^2(eps)": _sufficient(w, w.precision)}, {
        "s_i^2/psi(1)": w.sigma2[..., 0] / psi(w, one)
    }


def _at_zero(w):
    """The limit itself (b_ik > 0 shuts client k out for small eps), and the printed one."""
    kept = psi(w, np.maximum(1 - w.slope, 0)) * (w.bias == 0)
    return {"limit": 1 / (kept / w.sigma2).sum(-1)}, {"printed": 1 / (kept * w.sigma2).sum(-1)}


def _at_infinity(w):
    share = np.maximum(1 - w.slope, 0)
    here = sufficient_share(w, w.precision, w.bias, w.slope)
    apart = np.abs(((share**2 - here**2) / w.sigma2).sum(-1))
    rate = (w.bias / w.sigma2).sum(-1) / (w.mu * w.precision)  # x^2 is 2-Lipschitz on [0, 1]
    return {"|1/s^2 - 1/limit|": apart}, {"vanishing": rate}


def _excluded(w):
    share = psi(w, sufficient_share(w, w.precision, w.bias, w.slope))
    return {"psi of client k": share[..., 1]}, {"0": 0 * w.mu}


def _helps(w):
    start = w.start
    alone = w.sigma2[..., 0] / psi(w, np.ones_like(w.sigma2[..., 0]))
    return {"s_eff^2": effective_variance(w, start)}, {"alone": alone}


def _with_other(w):
    ratio = similarity(w, w.start)
    return _with_levels(w, ratio)[..., 1]


SHORT = "eta below 1/(beta sum alpha)"
WEIGHTS = {
    "adaptive.lemma1": Second(
        _lemma1,
        {
            SHORT: lambda w: 1 - w.step_size * w.beta * w.alpha.sum(-1),
            "alpha at least 0": lambda w: w.alpha,
        },
        frozenset([SHORT]),
        over="path",
        defines={"weight_matrix": _asked, "step_size": _lemma1_step},
        words="A1, A2, alpha >= 0, eta < 1/(beta sum alpha): E[eps^t | theta^{t-1}] - eps^{t-1} <= "
        "eta/2 sum alpha_k (|grad R_k(theta^{t-1}) - grad R_i(theta^{t-1})|^2 - |grad R_i("
        "theta^t)|^2) + eta beta s_k^2 alpha_k^2 (Lemma 1; eta, not its square, and theta^t).",
        open_places="eps^t inside the conditional mean is the realised excess; the right side is "
        "random through theta^t: pathwise (other: its mean).",
    ),
    "adaptive.property1": Second(
        _property1,
        words="R_i = (theta + xi_i)^T A_i (theta + xi_i): A3 with b = sqrt 2 |A_k (xi_i - xi_k)| "
        "and c = 2 |I - A_k A_i^-1|^2 (Property 1).",
        open_places="'b <=, c <=' is read as: the printed right sides serve as constants of A3.",
    ),
    "adaptive.def1.drift": Second(
        _drift,
        ANY_PHI,
        relation="==",
        words="sum alpha_ik r_ik = 1 (Definition 1).",
        open_places="phi is given by its values at the ratios; that it is a function that does not "
        "decrease is in the definition, so a hypothesis here.",
    ),
    "adaptive.def1.sum/value": Second(
        _sum_value, ANY_PHI, relation="==", words="sum alpha_ik = (s_psi/s_phi)^2."
    ),
    "adaptive.def1.sum/bound": Second(
        _sum_bound, ANY_PHI, relation=">=", words="(s_psi/s_phi)^2 >= 1."
    ),
    "adaptive.def1.var/value": Second(
        _var_value,
        ANY_PHI,
        relation="==",
        words="sum (alpha_ik s_k)^2 = s_psi^4/s_{phi^2}^2.",
    ),
    "adaptive.def1.var/bound": Second(_var_bound, ANY_PHI, words="s_psi^4/s_{phi^2}^2 <= s_psi^2."),
    "adaptive.def2.mono/decreasing": Second(
        _decreasing,
        words="s_suf^2 is decreasing in eps (after Definition 2); b is not squared.",
        open_places="'Decreasing' is weak.",
    ),
    "adaptive.def2.mono/limit": Second(
        _limit,
        words="s_suf^2 admits a limit as eps decreases.",
        open_places="Monotone by the part before, so the limit is finite if s_suf^2 is bounded: "
        "the own client (b = c = 0) alone bounds it.",
    ),
    "adaptive.def2.lim0": Second(
        _at_zero,
        relation="==",
        words="lim eps -> 0 of s_suf^2 = 1/sum s_k^2 psi((1 - c)_+) 1{b = 0}; s_k^2 is printed.",
    ),
    "adaptive.def2.liminf": Second(
        _at_infinity,
        words="lim eps -> infinity of s_cont^2 = 1/sum s_k^-2 psi((1 - c)_+).",
        open_places="A limit has no value at one eps: encoded as a rate, |1/s^2(eps) - 1/limit| <= "
        "sum s_k^-2 b_k/(mu eps).",
    ),
    "adaptive.def2.c1/excluded": Second(
        _excluded,
        {"c of client k at least 1": lambda w: w.slope[..., 1] - 1},
        words="c_ik >= 1: client k is not in N_i(eps), i.e. psi(..) is not above 0.",
        open_places="k is the second client.",
    ),
    "adaptive.def2.c1/helps": Second(
        _helps,
        {
            "c of client k at least 1": lambda w: w.slope[..., 1] - 1,
            "client k collaborates": _with_other,
        },
        frozenset(["client k collaborates"]),
        defines={"step_size": lambda w: 0 * w.step_share},
        words="Such a client may be in the effective cluster and help to reduce the variance: "
        "some instance with s_eff^2 below the own s_i^2/psi(1).",
        open_places="c_ik is not unique; the one of the family is taken. An existence claim.",
    ),
}
