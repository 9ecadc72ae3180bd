"""Second encodings of allforall: lower bounds, their lemmas, distances between laws."""

from __future__ import annotations

import numpy as np

from tests.qa.second_encodings.record import Second
from tests.qa.second_encodings.runs import stochastic

# -- Theorems 1 and 5: a class in which almost no sample is needed ---------------------------------


def _convex_lower(w):
    agents = np.ceil(1 / w.precision)
    bound = (w.share * w.precision) ** 2 * agents / (w.precision**2 * 1)  # only i itself is close
    samples = np.where(w.share <= 1, 1 + 0 * bound, np.inf)  # its gap is at most r B
    return {"r^2 B^2 N / (eps^2 N_i)": bound}, {"samples of 'answer 0'": samples}


def _quadratic_lower(w):
    agents = np.ceil(1 / w.precision)
    bound = w.noise * agents / w.precision  # the world names r^2 s^2, and r is 1/2
    # a step 1/L = r^2 with the mean of T gradients of any agents: their minimisers are within
    # r^2 5 eps of the own one, the noise adds r^4 sigma^2/T
    bias = (5 * w.precision) ** 2 / 8
    room = w.precision - bias
    enough = np.where(room > 0, np.ceil(w.noise / (2 * room)), np.inf)
    return {"r^2 s^2 N / (eps N_i)": bound}, {"samples of the plain mean": enough}


SMALL = {"eps below 1/16": lambda w: 1 / 16 - w.precision, "eps above 0": lambda w: w.precision}

# -- the lemmas of Agarwal et al. and Fano's inequality --------------------------------------------


def _coordinate(x, sign, delta):
    """One coordinate of d g_alpha (Equation 11)."""
    high, low = 0.5 + sign * delta, 0.5 - sign * delta
    return high * np.abs(x + 0.5) + low * np.abs(x - 0.5) - delta * x


def _least(*signs_and_deltas):
    """Infimum of a sum of such coordinates: at one of the two kinks."""
    kinks = (-0.5, 0.5)
    return np.minimum(*(sum(_coordinate(x, s, d) for s, d in signs_and_deltas) for x in kinks))


def _gap(x, signs, delta):
    """g_alpha(x) - inf g_alpha; coordinates on the last axis."""
    delta = delta[..., None]
    return (_coordinate(x, signs, delta) - _least((signs, delta))).mean(-1)


def _rho(first, second, delta):
    delta = delta[..., None]
    both = _least((first, delta), (second, delta))
    return (both - _least((first, delta)) - _least((second, delta))).mean(-1)


def _lemma1(w):
    ones = np.ones(w.d)
    turned = ones.copy()
    turned[0] = -1
    left, right = [], []
    for other in (turned, -ones):
        left.append(_rho(ones, other, w.delta) / 3)
        gaps = [_gap(w.point, signs, w.delta) for signs in (ones, other)]
        right.append(np.maximum(*gaps))
    return {"psi/3": np.stack(left, -1)}, {"larger gap of the two": np.stack(right, -1)}


def _answered(w):
    """Chances of the answers, the gap of alpha = 1 at each, and psi."""
    one = np.ones(1)
    gap = _gap(w.answers[..., None], one, w.delta[..., None])
    return stochastic(w.mass), gap, _rho(one, -one, w.delta)


def _lemma2(w):
    chance, gap, psi = _answered(w)
    wrong = (chance * (gap >= psi[..., None] / 3)).sum(-1)
    return {"P(test wrong)": wrong}, {"1/3": 1 / 3 + 0 * wrong}


def _lemma2_given(w):
    chance, gap, psi = _answered(w)
    return psi / 9 - (chance * gap).sum(-1)


DELTA = {"delta in [0, 1/2]": lambda w: w.delta * (1 / 2 - w.delta)}


def _fano(w):
    p, size = w.error, w.size
    information = np.log(size) + p * np.log(p / (size - 1)) + (1 - p) * np.log(1 - p)
    return {"P(wrong)": p}, {"1": 1 + 0 * p, "-(I + ln 2)/|V|": -(information + np.log(2)) / size}


# -- Proposition 1 ---------------------------------------------------------------------------------


def _values(w):
    signs = np.array([-1.0, 1.0])
    first = (stochastic(w.mass) * signs).sum(-1)
    second = (stochastic(w.other) * signs).sum(-1)
    best = [np.sign(e) / 2 for e in (first, second)]
    apart, distance = np.abs(best[0] - best[1]), np.abs(first - second)
    # f_i(x) = |x + 1/2| + |x - 1/2| - E[xi] x, and the two kinks have the same first part
    gaps = [first * (best[0] - best[1]), second * (best[1] - best[0])]
    return {"f_i(x_j) - f_i(x_i)": np.stack(gaps, -1)}, {"D* b^": (apart * distance)[..., None]}


def _gradients(w):
    places = np.cumsum(w.step, -1)
    change = stochastic(w.mass) - stochastic(w.other)
    gradient = np.clip(w.point[..., None] - places, -w.clip[..., None], w.clip[..., None])
    wasserstein = (np.abs(np.cumsum(change, -1))[..., :-1] * np.diff(places)).sum(-1)
    apart = np.abs((change * gradient).sum(-1))
    return {"|grad f_i - grad f_j|^2": apart**2}, {"b^^2": wasserstein**2}


def _pl(w):
    places = np.cumsum(w.step, -1)
    means = [(stochastic(m) * places).sum(-1) for m in (w.mass, w.other)]
    steep = w.mu * w.condition
    distance = steep * np.abs(means[0] - means[1])
    return (
        {"f_i(x_j) - f_i(x_i)": steep * (means[0] - means[1]) ** 2 / 2},
        {"b^^2/(2 mu)": distance**2 / (2 * w.mu)},
    )


CLASS = "infimum over all methods and supremum over a class, constant C not given"
LOWER = {
    "allforall.theorem1a": Second(
        _convex_lower,
        SMALL,
        frozenset(SMALL),
        relation="<~",
        words="For eps in (0, 1/16): inf over methods, sup over D(r, b, B), of the samples is at "
        "least C r^2 B^2 N / (eps^2 N_i(b/4)) (Theorem 1).",
        open_places="b_ii is not stated, taken 0, so N_i = 1; 'answer 0' is one method, its gap is "
        "at most rB <= eps, and T is a positive integer, so T = 1.",
    ),
    "allforall.theorem1b": Second(
        None,
        missing=CLASS + "; the interface offers no instances",
        words="As 1a with C' r^2 sigma^2 N / (eps N_i(b/4)) over D with mu = L = 1/r^2.",
    ),
    "allforall.corollary1a": Second(
        None,
        missing=CLASS,
        words="A method with average gap eps on all of D(r, b, B) has T >= C r^2 B^2/(N eps)^2 "
        "sum 1/N_i(b/(4N)) (Corollary 1).",
    ),
    "allforall.corollary1b": Second(
        None,
        missing=CLASS,
        words="As 1a with C' r^2 sigma^2/(N eps) sum 1/N_i(b/(4N)) over D with mu = L = 1/r^2.",
    ),
    "allforall.lemma1": Second(
        _lemma1,
        DELTA,
        words="At any x at most one g_alpha of G(delta) has a gap below psi(delta)/3 (Lemma 1).",
        open_places="psi is an infimum over f, g in G(delta), taken over different f, g (f = g "
        "would make it 0); one of the two vectors is taken to be all ones.",
    ),
    "allforall.lemma2": Second(
        _lemma2,
        {**DELTA, "E gap below psi/9": _lemma2_given},
        frozenset(["E gap below psi/9"]),
        words="Mean gap below psi/9: there is a test that is wrong with chance at most 1/3.",
        open_places="The test: 'the alpha whose gap is below psi/3', as in the cited proof; one "
        "fixed alpha (all ones, d = 1) since the family has one law of answers. The printed claim "
        "is a maximum over alpha.",
    ),
    "allforall.fano": Second(
        _fano,
        {"p a chance": lambda w: w.error * (1 - w.error)},
        relation=">=",
        words="alpha uniform in V, any test: P(wrong) >= 1 - (I + ln 2)/|V| (Equation 9); |V|, "
        "not ln |V|, is printed.",
    ),
    "allforall.prop1/values": Second(
        _values,
        words="d_H(D_i, D_j) <= b^: B.1 holds with b = D* b^ (Proposition 1).",
        open_places="D* is not stated in the proposition; Section 6.1: sup |x_k* - x_l*|. b^ is "
        "taken to be d_H itself, for H the gradients of the loss. Where a mean sign is 0 the "
        "minimiser is not unique, 0 is taken.",
    ),
    "allforall.prop1/gradients": Second(
        _gradients,
        words="d_H(D_i, D_j) <= b^: B.2 holds with b~ = b^^2 (Proposition 1).",
        open_places="H: the 1-Lipschitz maps, so that d_H = W_1.",
    ),
    "allforall.prop1/pl": Second(
        _pl,
        {"mu-PL": lambda w: w.condition - 1},
        words="Under mu-PL: B.1 with b^^2/(2 mu) (Section 6.1).",
        open_places="b^ = d_H for H the gradients of the loss.",
    ),
    "allforall.theorem5a": Second(
        _convex_lower,
        SMALL,
        frozenset(SMALL),
        relation="<~",
        words="As Theorem 1 (convex) with d_H(D_i, D_j) <= b_ij in place of the bias assumptions.",
        open_places="As for Theorem 1.",
    ),
    "allforall.theorem5b": Second(
        _quadratic_lower,
        SMALL,
        frozenset(SMALL),
        relation="<~",
        words="As Theorem 1 (mu = L = 1/r^2) with d_H(D_i, D_j) <= b_ij: samples at least "
        "C' r^2 sigma^2 N / (eps N_i(b/4)).",
        open_places="The method on the other side is a choice: one step 1/L with the mean of T "
        "gradients; any method that needs fewer samples would do.",
    ),
    "allforall.prop2.1": Second(
        None,
        missing="O(.) as eps -> 0 over an unnamed procedure",
        words="There is a procedure with T(theta) <= O(B^2 D^2 nu(theta) eps^(-2-p/q)).",
    ),
    "allforall.prop2.2": Second(
        None,
        missing="O(.) as eps -> 0 over an unnamed procedure",
        words="The mean gap over nu is at most eps for T <= O(B^2 D^2 eps^(-2-p/q)).",
    ),
}
