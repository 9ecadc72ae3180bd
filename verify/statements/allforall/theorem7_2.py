"""Theorems 2.2 and 7.2, and the naive approach: samples of weighted averaging under Setting 2."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import rates
from verify.claim import Array, Hypothesis, Reading, Real, Sides, hypothesis
from verify.statements.allforall import quantities as q
from verify.statements.allforall import theorem6b as runs
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Theorem 2.2 :: theorem :: weighted gradient averaging
    theorem2.2 <~ :: T_\varepsilon\le\tilde{\mathcal O}\Bigl(\frac{\kappa\sigma^2}{\mu\varepsilon}\frac N{\mathcal N_i^\varepsilon(2b)}\Bigr)
    theorem2.2.repaired mean :: T=N\max\bigl(2\kappa,\tfrac{8(m+1)\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon
Theorem 7.2 :: theorem :: weighted gradient averaging
    theorem7.2/any <~ :: T_\varepsilon\le\tilde{\mathcal O}\Bigl(\frac{(m+1)\kappa^2\sigma^2}{\mu\varepsilon}\frac N{\mathcal N_i^\varepsilon(2b)}\Bigr)
    theorem7.2.repaired/similar mean :: T=N\max\bigl(2\kappa,\tfrac{8(m+1)\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon
    theorem7.2.repaired/relaxed mean :: T=N\max\bigl(2\kappa,\tfrac{8(m+1)\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon
Theorem 7.2 :: theorem :: weighted gradient averaging, m at most 1/2
    theorem7.2/small <~ :: T_\varepsilon\le\tilde{\mathcal O}\Bigl(\frac{\kappa\sigma^2}{\mu\varepsilon}\frac N{\mathcal N_i^\varepsilon(2b)}\Bigr)
Section 5 :: theorem :: naive all-for-all
    naive.b <~ :: T_\varepsilon\le\tilde{\mathcal O}\Bigl(\frac{\kappa\sigma^2}{\mu\varepsilon}\max_i\frac N{\mathcal N_i^\varepsilon(2b)}\Bigr)
Section 5 :: theorem :: all-for-all
    naive.b.repaired mean :: T=N\max_i\max\bigl(2\kappa,\tfrac{8\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i}\bigr)\ln\tfrac{8\kappa F_i^0}\varepsilon
""")

_ENOUGH = r"K\ge\max\bigl(2\kappa,\tfrac{8(m+1)\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon"
_SHARED = """|grad f_i|^2 <= 2 sum lambda b~ + 4 L (m + 1) F_lambda and PL give 2 (m + 1) kappa F_lambda
+ bias. The bias is at most eps/2. F_lambda is at most exp(-eta mu K) F_lambda^0 + eta L sigma^2
S/(2 mu) (Lemma 4.a, A = I), S = 1/N_i, and with eta = min(1/(2 L), mu^2 eps/(8 (m + 1) L^2 sigma^2
S)) and K as stated both are at most eps/(8 (m + 1) kappa)."""
_RUN: dict[str, object] = {"family": runs.SIMILAR_TARGET, "defines": runs.SMOOTH}

# -- as printed, up to the constants of their O~ --------------------------------------------------
_EQUAL = q.family(
    "mu condition excess variance precision relaxation",
    "N = ceil(1/eps) equal agents, F = (1 + excess) eps at the start",
    excess=Real(1 / 4, 4, log=True),
    precision=Real(1 / 64, 1 / 4, unit=(1, 0), log=True),
    relaxation=Real(0, 1 / 2),
)


def _samples(w: World, r: Reading, power: int = 1, relaxed: bool = False) -> Sides:
    size = w.variance / w.mu
    right = w.condition**power * size / w.precision
    if relaxed:
        right = (w.relaxation + 1) * right
    if r.squares == "below":
        return {"samples of one round": w.agents}, {"printed number": right}
    needed = w.agents**2 * w.condition * size / (w.precision * (1 + w.excess))
    return {"samples with a positive step": needed}, {"printed number": right}


hidden = tuple(
    leaf
    for name, rule in (
        ("theorem2.2", _samples),
        ("theorem7.2/any", partial(_samples, power=2, relaxed=True)),
        ("theorem7.2/small", _samples),
        ("naive.b", _samples),
    )
    for leaf in claim(
        name,
        readings=("squares",),
        family=_EQUAL,
        defines={"agents": lambda w: xp.ceil(1 / w.precision)},
        note="""All N agents are close, N_i = N. Where x^0 is not precise yet a positive step is
        needed, and the printed one, with the sum of lambda^2 = 1/N beside the fraction under the
        logarithm, is positive for K > N kappa sigma^2/(mu F) only, that is for T = N K > N^2 kappa
        sigma^2/(mu F), against kappa sigma^2/(mu eps): N^2 eps/F grows as eps falls. Besides, a
        round takes N samples even without noise: the optimisation term N kappa is missing, which
        the text after Theorem 7 lets vanish for eps small enough.""",
    )(rule)
)


# -- similar gradients ----------------------------------------------------------------------------
def _near_weights(w: World, agent: int = 0) -> Array:
    return rates.close_weights(runs.pair_bias(w, agent), w.precision)


def _room(w: World, agent: int = 0) -> Array:
    weights = _near_weights(w, agent)
    gap, square = runs.weighted_gap(w, weights), q.mass(weights)
    return w.rounds - rates.averaging_smooth_rounds(
        gap, w.mu, w.smoothness, w.variance, square, w.precision, 0 * w.mu
    )


def _target(w: World, agent: int) -> Array:
    weights = _near_weights(w, agent)
    square = q.mass(weights)
    step = rates.averaging_smooth_step(
        w.mu, w.smoothness, w.variance, square, w.precision, 0 * w.mu
    )
    return runs.final_gap(w, weights, step, agent)


enough = Hypothesis("K at least the number", _ENOUGH, _room)


@claim("theorem7.2.repaired/similar", **_RUN, given=[enough], note="m = 0.", proof=_SHARED)
def theorem7_2(w: World) -> Sides:
    return {"E F": _target(w, 0)}, {"precision": w.precision}


theorem2_2 = claim.variant(
    theorem7_2,
    "theorem2.2.repaired",
    note="""m = 0. Besides the logarithms the optimisation term N kappa is missing, and the proof
    gives kappa^2.""",
)


@hypothesis("K at least the number of every agent", _ENOUGH)
def enough_for_all(w: World) -> Array:
    return rooms(w, w.N)


@quantity
def rooms(w: World, agents: int) -> Array:
    """By how much K exceeds the number of every agent."""
    return xp.stack([_room(w, i) for i in range(agents)], -1)


@quantity
def largest_target(w: World, agents: int) -> Array:
    """Largest E F_i."""
    return xp.largest(xp.stack([_target(w, i) for i in range(agents)], -1))


@claim("naive.b.repaired", **_RUN, given=[enough_for_all], uses=("allforall.theorem7.2.repaired",))
def naive_b(w: World) -> Sides:
    """Proof. Theorem 7.2 (repaired) for every agent."""
    return {"largest E F_i": largest_target(w, w.N)}, {"precision": w.precision}


# -- relaxed similarity ---------------------------------------------------------------------------
def _equal_mass(w: World) -> Array:
    return 0 * w.mu + 1 / (0 * w.mu + w.N)


@hypothesis("K at least the number", _ENOUGH)
def enough_relaxed(w: World) -> Array:
    low, high, relaxation = runs.constants(w)
    start = xp.mean(runs.curvatures(w)) * w.start**2 / 2
    return w.rounds - rates.averaging_smooth_rounds(
        start, low, high, w.variance, _equal_mass(w), w.precision, relaxation
    )


@claim(
    "theorem7.2.repaired/relaxed",
    family=runs.RELAXED_TARGET,
    given=[enough_relaxed],
    note="Equal weights, b = 0.",
    proof=_SHARED,
)
def theorem7_2_relaxed(w: World) -> Sides:
    low, high, relaxation = runs.constants(w)
    square_sum, curvature = _equal_mass(w), xp.mean(runs.curvatures(w))
    step = rates.averaging_smooth_step(low, high, w.variance, square_sum, w.precision, relaxation)
    gap = runs.relaxed_gap(w, curvature, step, square_sum)
    return {"E F": gap}, {"precision": w.precision}
