"""Corollary 1, how many iterations reach a precision, and the steps of its proof."""

from __future__ import annotations

from bounds import complexity as closed
from bounds import generic as xp
from bounds import rates
from bounds.adaptive_weights import reach_probability_upper
from bounds.similarity import inverse_variance
from verify.claim import Array, Hypothesis, hypothesis, numbers
from verify.claim.statement import Sides
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive import theorem2
from verify.statements.adaptive.theorem2_proof import largest
from verify.world.world import World

claim = q.claims(r"""
Corollary 1 :: corollary
    corollary1/iterations :: sampling complexity
    corollary1.refined :: probability that the precision is not reached
    corollary1/special :: equal variances
proof of Corollary 1 :: proof step
    corollary1/proof-max :: the start is dropped from the maximum
    corollary1/proof-display :: equal variances
""")

_REACHED = r"T\ge T_i^\varepsilon=\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)\mathcal C}{2\mu^2\varepsilon}\Rightarrow\mathbb E[\varepsilon_i^T]\le\varepsilon"
_MENDED = r"T\ge\frac1\varepsilon\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)},\gamma\varepsilon_i^0\Bigr)-\gamma\Rightarrow"
_NUMBER = r"\tfrac1\varepsilon\max\bigl(\tfrac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\gamma\varepsilon_i^0\bigr)-\gamma"
_OVER_CLUSTER = r"\mathcal N_i^\star(\varepsilon)\min_j\psi(1-\frac{b_{ij}}{2\mu\varepsilon})}"
_SPECIAL = r"T_i^\varepsilon\le\frac{\mathcal C\beta\sigma^2}{2\mu^2\varepsilon\," + _OVER_CLUSTER
_DISPLAY = r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)\le\frac{\sigma^2}{" + _OVER_CLUSTER
_ROW = r"\mathbb E[\varepsilon_i^T]\le\tfrac1T\max\bigl(\tfrac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\varepsilon_i^0\bigr)"
_DROPPED = r"\tfrac1T\max\bigl(\tfrac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)},\varepsilon_i^0\bigr)\le\tfrac1T\tfrac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)}"
_SOLVED = r"T=\tfrac1\varepsilon\max(K,\gamma\varepsilon_i^0)-\gamma\Rightarrow\tfrac1{\gamma+T}\max(K,\gamma\varepsilon_i^0)=\varepsilon"


def _printed_number(w: World, variance: Array) -> Array:
    return closed.sample_complexity_printed(w.mu, w.beta, variance, w.precision, w.factor)


def _number(w: World, start: Array, variance: Array) -> Array:
    """Iterations that the repaired decreasing row needs."""
    symbols = w.mu, w.beta, variance, w.precision, w.factor, w.delay
    return closed.sample_complexity_upper(start, *symbols)


_enough = hypothesis(
    "T at least the printed number",
    r"T\ge\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)\mathcal C}{2\mu^2\varepsilon}",
    where="Corollary 1",
)(lambda w: w.rounds - _printed_number(w, q.sufficient_variance(w)))
_mended_enough = hypothesis("T at least the number", r"T\ge" + _NUMBER)(
    lambda w: w.rounds - _number(w, q.start_excess(w), q.mended_variance(w))
)

reached = claim(
    "corollary1/iterations",
    over="mean",
    latex=_REACHED,
    family=theorem2.WITH_FACTOR,
    given=[*q.ADMISSIBLE, q.factor_above_one, _enough],
    defines=q.DECREASING_STEPS,
    uses=("adaptive.theorem2.decr",),
)(lambda w: (q.end_excess(w), {"precision": w.precision}))

reached_repaired = reached.repaired(
    title="sampling complexity with delayed steps and b^2, on runs that have not reached it before",
    latex=_MENDED + theorem2.STOPPED + r"\le\varepsilon",
    family=theorem2.WITH_DELAY,
    defines=q.DELAYED_STEPS,
    given=[*q.ADMISSIBLE, q.factor_above_one, _mended_enough],
    uses=("adaptive.theorem2.decr.repaired",),
    note="""Enough rounds of the repaired decreasing row bring the mean of the excess loss to the
    precision, counted on the event that the precision was not reached before.""",
    proof="""The repaired row bounds the left side by max(K, gamma eps0)/(gamma + T) with
    K = beta sigma_suf^2 C^2/(2 mu^2 (C-1)), which is at most epsilon once
    T >= max(K, gamma eps0)/epsilon - gamma.""",
)(lambda w: (theorem2.stopped_excess(w), {"precision": w.precision}))

no_instance = theorem2.decreasing_row_empty.variant(
    "adaptive.corollary1.empty", where="Corollary 1", empties="adaptive.corollary1/iterations"
)


@claim(
    "corollary1.refined",
    like=theorem2.stopped_decreasing,
    latex=r"\mathbb P(X_i^t\ge\varepsilon\ \forall t\le T)\le\frac1{\varepsilon(\gamma+T)}"
    + theorem2.K,
    uses=("adaptive.theorem2.decr.refined",),
    note="Probability that epsilon is not reached within T rounds.",
    proof="""epsilon times the probability is at most E[X^T I_{T-1}]; then the decreasing row for
    the stopped excess loss. It is at most delta after T = max(K, gamma eps0)/(delta epsilon) -
    gamma.""",
)
def unreached(w: World) -> Sides:
    bound = reach_probability_upper(theorem2.stopped_bound(w), w.precision)
    return {"P(not reached)": theorem2.still_above(w, w.rounds + 1)}, {"bound": bound}


def _cluster(w: World) -> tuple[Array, Array, Array]:
    """sigma_suf^2, the size of the cluster and its smallest psi."""
    psi = q.cluster_psi(w)
    variance = inverse_variance(psi, w.sigma2_one[..., None] + 0 * psi)
    return variance, q.cluster_size(psi), q.smallest_psi(psi)


@claim(
    "corollary1/special",
    latex=_SPECIAL,
    given=[q.factor_above_one],
    family=q.any_constants(q.PRECISION, q.FACTOR, q.EQUAL, q.BETA),
    note="""Equal sigma_k and c_ik = 0: a sum over the cluster is at least its size times its
    minimum.""",
)
def special_case(w: World) -> Sides:
    variance, *cluster = _cluster(w)
    bound = closed.equal_variance_iterations_upper(
        w.mu, w.beta, w.sigma2_one, w.precision, w.factor, *cluster
    )
    return {"iterations": _printed_number(w, variance)}, {"special case": bound}


# -- the proof -------------------------------------------------------------------------------------

_decreasing_row = hypothesis("decreasing row", _ROW, where=q.TABLE1)(
    lambda w: xp.maximum(w.plateau, w.excess) / w.horizon - w.after
)
_dropped_deduced = q.deduced(
    "corollary1/proof-max", "after excess plateau horizon", _decreasing_row
)(lambda w: ({"excess at T": w.after}, {"noise/T": w.plateau / w.horizon}))

start_dropped = claim(
    "corollary1/proof-max",
    deduction=_dropped_deduced,
    latex=_DROPPED,
    family=q.FREE_FACTOR,
    given=[q.factor_above_one],
    note="The maximum of the decreasing row replaced by its first argument.",
)(lambda w: ({"max/T": largest(w, w.excess)}, {"noise/T": largest(w, 0 * w.excess)}))


@start_dropped.like(
    "adaptive.corollary1/proof-solve",
    title="solving for the number of iterations",
    relation="==",
    latex=r"\frac{\beta\sigma_{i,\mathrm{suf}}^2\mathcal C}{2\mu^2T_i^\varepsilon}=\varepsilon",
    note="T_i^eps solves noise/T = eps; the excess loss stands for epsilon.",
)
def solved(w: World) -> Sides:
    needed = closed.sample_complexity_printed(w.mu, w.beta, w.variance, w.excess, w.factor)
    plateau = w.beta * w.variance * w.factor**2 / (2 * w.mu**2 * (w.factor - 1))
    return {"noise/T": plateau / needed}, {"eps": w.excess}


_positive = Hypothesis(
    "T positive", "T=" + _NUMBER + ">0", lambda w: _number(w, w.excess, w.variance), strict=True
)


@solved.repaired(
    part="proof-solve",
    title="solving for the number of iterations, start and delay kept",
    latex=_SOLVED,
    family=numbers({**q.FREE_DELAY.box, **q.PRECISION}, about=q.FREE_DELAY.about),
    given=[q.factor_above_one, _positive],
    note="With the maximum kept and a delay, T = max(K, gamma eps0)/eps - gamma solves the row.",
    proof="max(K, gamma eps0)/(gamma + T) = eps by substitution, wherever that T is not negative.",
)
def solved_with_maximum(w: World) -> Sides:
    symbols = w.mu, w.beta, w.variance, _number(w, w.excess, w.variance), w.factor, w.delay
    return {"row": rates.theorem2_decreasing_upper(w.excess, *symbols)}, {"eps": w.precision}


@claim(
    "corollary1/proof-display",
    like=special_case,
    given=[],
    latex=_DISPLAY,
    note="""Equal sigma_k and c_ik = 0: the sum of psi is at least the cluster's size times its
    minimum. Tight where psi is the same in the whole cluster. The positive part of Definition 2 is
    read into the display.""",
)
def display(w: World) -> Sides:
    variance, size, smallest = _cluster(w)
    return {"sigma_suf^2": variance}, {"sigma^2/(size min psi)": w.sigma2_one / (size * smallest)}
