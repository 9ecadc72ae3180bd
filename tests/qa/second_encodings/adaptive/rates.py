"""Second encodings of adaptive: Theorems 1 to 3 and Corollary 1."""

from __future__ import annotations

import numpy as np

from tests.qa.second_encodings.adaptive.weights import (
    effective_variance,
    largest_step,
    phi,
    psi,
    similarity,
    sufficient_share,
    variance_of,
)
from tests.qa.second_encodings.record import Second

# -- what runs give --------------------------------------------------------------------------------


def _excess(w, t):
    """R_i(theta^t) - R_i*, every outcome."""
    return w.problem.excess(w.run().theta[..., t, :])[..., 0]


def _first_excess(w):
    return w.problem.excess(w.start)[..., 0]


def _first_limit(w):
    return largest_step(w, w.start)


def _steps_allowed(w):
    """(s_phi^t/s_psi^t)^2/beta - eta^t on every outcome and round."""
    limits = np.stack([largest_step(w, w.run().theta[..., t, :]) for t in range(w.rounds)], -1)
    return limits - (w.step_sizes if w.given("step_sizes") else w.step_size[..., None])


def _still_above(w):
    """eps_i^{T-1} - eps, the mean as the paper defines it."""
    return w.mean(_excess(w, w.rounds - 1)) - w.precision


def _sufficient(w):
    """s_suf^2(eps) of Definition 2."""
    bias = np.sqrt(w.squared_bias)
    return variance_of(psi(w, sufficient_share(w, w.precision, bias, w.slope)), w.sigma2)


LIMIT, ABOVE, SHORT, LARGE = "eta within its limit", "eps^{T-1} >= eps", "eta <= 1/mu", "C > 1"

# -- Theorem 1 -------------------------------------------------------------------------------------


def _theorem1(w):
    keep = 1 - w.step_size * w.mu
    noise = sum(
        keep ** (w.rounds - t) * effective_variance(w, w.run().theta[..., t - 1, :])
        for t in range(1, w.rounds + 1)
    )
    return {"E eps^T": w.mean(_excess(w, w.rounds))}, {
        "start": keep**w.rounds * _first_excess(w),
        "noise": w.beta * w.step_size**2 / 2 * noise,
    }


# -- Theorem 2 -------------------------------------------------------------------------------------


def _const(w):
    return {"E eps^T": w.mean(_excess(w, w.rounds))}, {
        "start": (1 - w.step_size * w.mu) ** w.rounds * _first_excess(w),
        "noise": w.step_size * w.beta / (2 * w.mu) * _sufficient(w),
    }


def _horizon_step(w):
    ratio = 2 * w.rounds * w.mu**2 * _first_excess(w) / (w.beta * _sufficient(w))
    return np.log(ratio) / (w.mu * w.rounds)


def _horizon(w):
    variance = _sufficient(w)
    logarithm = np.log(2 * w.rounds * w.mu**2 * _first_excess(w) / variance)  # no beta is printed
    bound = w.beta * variance / (2 * w.mu**2 * w.rounds) * (logarithm + 1)
    return {"E eps^T": w.mean(_excess(w, w.rounds))}, {"bound": bound}


def _decreasing_steps(w):
    times = np.arange(1, w.rounds + 1)
    return (w.factor / w.mu)[..., None] / times


def _decr(w):
    noise = w.beta * _sufficient(w) * w.factor**2 / (2 * w.mu**2 * (w.factor - 1))
    bound = np.maximum(noise, _first_excess(w)) / w.rounds
    return {"E eps^T": w.mean(_excess(w, w.rounds))}, {"bound": bound}


# -- Corollary 1 -----------------------------------------------------------------------------------


def _number(w):
    """T_i^eps = beta s_suf^2 C^2/(C - 1)/(2 mu^2 eps)."""
    constant = w.factor**2 / (w.factor - 1)
    return w.beta * _sufficient(w) * constant / (2 * w.mu**2 * w.precision)


def _iterations(w):
    return {"E eps^T": w.mean(_excess(w, w.rounds))}, {"eps": w.precision}


def _cluster(w):
    """psi of every client with c = 0, and the size and smallest psi of the cluster."""
    values = psi(w, sufficient_share(w, w.precision, w.bias, 0 * w.slope))
    inside = values > 0
    return values, inside.sum(-1), np.where(inside, values, np.inf).min(-1)


def _display(w):
    values, size, least = _cluster(w)
    return {"s_suf^2": w.sigma2_one / values.sum(-1)}, {"bound": w.sigma2_one / (size * least)}


def _special(w):
    left, right = _display(w)
    constant = w.factor**2 / (w.factor - 1)
    scale = w.beta * constant / (2 * w.mu**2 * w.precision)
    return {"T": scale * left["s_suf^2"]}, {"bound": scale * right["bound"]}


def _proof_noise(w):
    return w.beta * w.variance * w.factor**2 / (2 * w.mu**2 * (w.factor - 1)) / w.rounds


def _proof_max(w):
    bound = np.maximum(_proof_noise(w), w.excess / w.rounds)
    return {"bound of the theorem": bound}, {"bound of the proof": _proof_noise(w)}


def _proof_solve(w):
    """With T = beta s^2 C/(2 mu^2 eps) the bound is eps; eps is called excess here."""
    constant = w.factor**2 / (w.factor - 1)
    number = w.beta * w.variance * constant / (2 * w.mu**2 * w.excess)
    at_number = w.beta * w.variance * constant / (2 * w.mu**2 * number)
    return {"bound at T": at_number}, {"eps": w.excess}


# -- Lemma 2 -------------------------------------------------------------------------------------


def _lemma2_level(w):
    """eps_i^t at t = 1, the mean over runs as the paper defines it."""
    return w.mean(_excess(w, 1))


def _lemma2_share(w, level):
    return sufficient_share(w, level, np.sqrt(w.squared_bias), w.slope)


def _lemma2_cluster(w):
    inside = psi(w, _lemma2_share(w, _lemma2_level(w))) > 0
    asked = phi(w, similarity(w, w.start)) > 0  # alpha is phi times a positive number
    return {"in N*(eps^t)": inside.astype(float)}, {"in N^t": asked.astype(float)}


def _lemma2_variance(w):
    share = _lemma2_share(w, _lemma2_level(w))
    return {"s_eff^2": effective_variance(w, w.start)}, {
        "s_suf^2(eps^t)": variance_of(psi(w, share), w.sigma2)
    }


def _lemma2_monotone(w):
    level = _lemma2_level(w)
    at, below = (_lemma2_share(w, x) for x in (level, level / w.factor))
    return {"s_suf^2(eps^t)": variance_of(psi(w, at), w.sigma2)}, {
        "s_suf^2(eps)": variance_of(psi(w, below), w.sigma2)
    }


def _lemma2_smaller(w):
    level = _lemma2_level(w)
    at, below = (psi(w, _lemma2_share(w, x)) > 0 for x in (level, level / w.factor))
    return {"in N*(eps)": below.astype(float)}, {"in N*(eps^t)": at.astype(float)}


def _lemma2_squares(w, point):
    return (w.problem.gradients(point)[..., 0, :] ** 2).sum(-1)


def _lemma2_parts(w):
    """What the chain subtracts from 1: the gap, A3 with the gradient at theta_k, two precisions."""
    gradients, size = w.problem.gradients(w.point), _lemma2_squares(w, w.point)
    gap = ((gradients[..., 0, :] - gradients[..., 1, :]) ** 2).sum(-1)
    bias, slope = w.squared_bias[..., 1], w.slope[..., 1]
    level = w.problem.excess(w.point)[..., 0]
    return (
        gap / size,
        (bias + slope * _lemma2_squares(w, w.other)) / size,
        bias / (2 * w.mu * level) + slope,
        bias / (2 * w.mu * w.precision) + slope,
    )


def _lemma2_link(first):
    def link(w):
        parts = _lemma2_parts(w)
        return {"subtracted": parts[first]}, {"subtracted next": parts[first + 1]}

    return link


# -- Theorem 3 -------------------------------------------------------------------------------------


def _theorem3_step(w):
    ideal = np.sqrt(2 * _first_excess(w) / (w.rounds * w.beta * _sufficient(w)))
    return np.minimum(ideal, _first_limit(w))


def _theorem3(w):
    run = w.run().theta
    squares = [
        w.mean((w.problem.gradients(run[..., t, :])[..., 0, :] ** 2).sum(-1))
        for t in range(w.rounds)
    ]
    bound = 2 * np.sqrt(2 * _first_excess(w) * w.beta * _sufficient(w) / w.rounds)
    return {"mean of E|grad|^2": sum(squares) / w.rounds}, {"bound": bound}


AT_MOST = {SHORT: lambda w: 1 / w.mu - w.step_size}
POSITIVE = {"eps_i^t above 0": _lemma2_level}
SHARE = {"step_size": lambda w: w.step_share / w.beta}
PRECISE = "eps at most eps_i^t"
OWN = {"own gradient": lambda w: _lemma2_squares(w, w.point)}
STEPS = {"step_sizes": _decreasing_steps}
BETTER = {LARGE: lambda w: w.factor - 1}
STEP = "step_size is step_share/beta (a place in the box); the limit is asked of every round."
SUF = "b_ik in s_suf^2 is printed without a square."
RATES = {
    "adaptive.theorem1": Second(
        _theorem1,
        {LIMIT: _steps_allowed},
        frozenset([LIMIT]),
        over="path",
        defines=SHARE,
        words="A1, A2 (and A4 or A5), constant eta < (s_phi^t/s_psi^t)^2/beta: E eps^T <= "
        "(1 - eta mu)^T eps^0 + beta eta^2/2 sum (1 - eta mu)^{T-t} (s_psi^t)^2 (Theorem 1).",
        open_places="s_psi^t is random: its value along the run (other: its mean). " + STEP,
    ),
    "adaptive.lemma2/cluster": Second(
        _lemma2_cluster,
        POSITIVE,
        frozenset(POSITIVE),
        defines=SHARE,
        words="0 < eps <= eps_i^t: N*(eps) in N*(eps_i^t) in N_i^t (Lemma 2); the second, t = 1.",
        open_places="eps_i^t is the mean, as defined (other: realised); N_i^t at theta^{t-1}, as "
        "in Definition 1 (other: at theta^t, as in the proof). " + SUF,
    ),
    "adaptive.lemma2/variance": Second(
        _lemma2_variance,
        POSITIVE,
        frozenset(POSITIVE),
        defines=SHARE,
        words="s_eff^t <= s_suf(eps_i^t) (Lemma 2); squared here.",
        open_places="As for /cluster.",
    ),
    "adaptive.lemma2/monotone": Second(
        _lemma2_monotone,
        {**POSITIVE, "eps at most eps_i^t": lambda w: w.factor - 1},
        frozenset(POSITIVE),
        defines=SHARE,
        words="s_suf(eps_i^t) <= s_suf(eps) for eps <= eps_i^t (Lemma 2); squared here.",
        open_places="eps_i^t is the mean, as defined (other: realised). " + SUF,
    ),
    "adaptive.lemma2/smaller": Second(
        _lemma2_smaller,
        {**POSITIVE, "eps at most eps_i^t": lambda w: w.factor - 1},
        frozenset(POSITIVE),
        defines=SHARE,
        words="N*(eps) in N*(eps_i^t) for eps <= eps_i^t (Lemma 2).",
        open_places="As for /monotone. Written after the first encoding had been seen.",
    ),
    **{
        f"adaptive.lemma2/proof-{name}": Second(
            _lemma2_link(number),
            given,
            frozenset(given) - {PRECISE},
            words=words,
            open_places="eps_i^t is realised, the kinder one. Written after the first encoding had "
            "been seen.",
        )
        for number, (name, given, words) in enumerate(
            (
                ("A3", OWN, "1 - gap/G^2 >= 1 - (b^2 + c |grad R_i(theta_k)|^2)/G^2 (proof)."),
                ("PL", OWN, "... >= 1 - b^2/(2 mu eps_i^t) - c (proof)."),
                (
                    "precision",
                    {PRECISE: lambda w: w.problem.excess(w.point)[..., 0] - w.precision},
                    "... >= 1 - b^2/(2 mu eps) - c, eps <= eps_i^t (proof).",
                ),
            )
        )
    },
    "adaptive.theorem2.const": Second(
        _const,
        {LIMIT: _steps_allowed, ABOVE: _still_above, **AT_MOST},
        over="mean",
        defines=SHARE,
        words="eps^{T-1} >= eps, eta <= (s_phi^t/s_psi^t)^2/beta, constant eta <= 1/mu: E eps^T <= "
        "(1 - eta mu)^T eps^0 + eta beta/(2 mu) s_suf^2(eps) (Theorem 2, Table 1).",
        open_places=SUF + " eps^{T-1} is the mean over runs, as defined. " + STEP,
    ),
    "adaptive.theorem2.horizon": Second(
        _horizon,
        {LIMIT: _steps_allowed, ABOVE: _still_above, **AT_MOST},
        over="mean",
        defines={"step_size": _horizon_step},
        words="eta = ln(2 T mu^2 eps^0/(beta s_suf^2))/(mu T) <= 1/mu: E eps^T <= beta s_suf^2/"
        "(2 mu^2 T) (ln(2 T mu^2 eps^0/s_suf^2) + 1); no beta in this logarithm.",
        open_places=SUF + " That eta > 0 is not printed.",
    ),
    "adaptive.theorem2.decr": Second(
        _decr,
        {LIMIT: _steps_allowed, ABOVE: _still_above, **BETTER},
        frozenset([LARGE]),
        over="mean",
        defines=STEPS,
        words="eta^t = C/(mu t), C > 1: E eps^T <= max(beta s_suf^2 C^2/(2 mu^2 (C - 1)), eps^0)/T "
        "(Theorem 2, Table 1).",
        open_places=SUF,
    ),
    "adaptive.corollary1/iterations": Second(
        _iterations,
        {
            LIMIT: _steps_allowed,
            **BETTER,
            "T at least the number": lambda w: w.rounds - _number(w),
            "T the first such": lambda w: _number(w) + 1 - w.rounds,
        },
        frozenset([LARGE, "T the first such"]),
        over="mean",
        defines=STEPS,
        words="Decreasing step of Theorem 2: an error of eps after T = beta s_suf^2 C^2/(C - 1)/"
        "(2 mu^2 eps) iterations (Corollary 1).",
        open_places="T is rounded up; 'after T' is at T (other: by T; any T above the number). "
        "eps^{T-1} >= eps of Theorem 2 is not repeated in the corollary. " + SUF,
    ),
    "adaptive.corollary1/special": Second(
        _special,
        BETTER,
        frozenset([LARGE]),
        words="s_k = s, c = 0: T <= C^2/(C - 1) beta s^2/(2 mu^2 eps |N| min psi(1 - b/(2 mu eps)))"
        ", the minimum over the sufficient cluster.",
        open_places="s_k = s and c = 0 are put in, not asked of the drawn constants.",
    ),
    "adaptive.corollary1/proof-max": Second(
        _proof_max,
        BETTER,
        frozenset([LARGE]),
        words="The proof takes the first member of the maximum as the bound.",
    ),
    "adaptive.corollary1/proof-solve": Second(
        _proof_solve,
        BETTER,
        frozenset([LARGE]),
        relation="==",
        words="T solves beta s_suf^2 C/(2 mu^2 T) = eps.",
    ),
    "adaptive.corollary1/proof-display": Second(
        _display,
        words="s_k = s, c = 0: s_suf^2 = s^2/sum psi <= s^2/(|N| min psi).",
        open_places="s_k = s and c = 0 are put in, not asked of the drawn constants.",
    ),
    "adaptive.theorem3": Second(
        _theorem3,
        {LIMIT: _steps_allowed, ABOVE: _still_above},
        over="mean",
        defines={"step_size": _theorem3_step},
        words="A1 to A3, eps^{T-1} >= eps, eta = min(sqrt(2 eps^0/(T beta s_suf^2)), (s_phi^t/"
        "s_psi^t)^2/beta): mean over t of E|grad R_i(theta^{t-1})|^2 <= 2 sqrt(2 eps^0 beta "
        "s_suf^2/T) (Theorem 3).",
        open_places="The limit carries t, the step does not: the limit at the start makes the "
        "step, and the step is asked to be within the limit of every round. s_suf^2 needs a mu, "
        "which Theorem 3 does not have: that of A5. " + SUF,
    ),
}
