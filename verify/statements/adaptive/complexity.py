"""Corollary 1, how many iterations reach a precision, and the steps of its proof."""

from __future__ import annotations

from bounds import complexity as closed
from bounds import rates
from bounds.similarity import effective_variance
from bounds.sufficient import sufficient_ratio_printed
from verify.claim import Array, Hypothesis, Sides, numbers, statement
from verify.statements.adaptive import common, deductions
from verify.statements.adaptive import rates as rows
from verify.statements.adaptive.common import ADMISSIBLE, FACTOR, PRECISION, factor_above_one
from verify.world.world import World

COROLLARY = "Corollary 1"


def _printed_number(w: World, variance: Array) -> Array:
    return closed.sample_complexity_printed(w.mu, w.beta, variance, w.precision, w.factor)


def _number(w: World, start: Array, variance: Array) -> Array:
    """Iterations that the repaired decreasing row needs."""
    symbols = w.mu, w.beta, variance, w.precision, w.factor, w.delay
    return closed.sample_complexity_upper(start, *symbols)


_enough = Hypothesis(
    "T at least the printed number",
    r"T\ge\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)\mathcal C}{2\mu^2\varepsilon}",
    lambda w: w.rounds - _printed_number(w, rows.sufficient_variance(w)),
    COROLLARY,
)
_mended_enough = Hypothesis(
    "T at least the number",
    r"T\ge\tfrac1\varepsilon\max\bigl(\tfrac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\gamma\varepsilon_i^0\bigr)-\gamma",
    lambda w: w.rounds - _number(w, common.start_excess(w), rows.mended_variance(w)),
)

no_instance = rows.decreasing_row_empty.variant(
    "adaptive.corollary1.empty", where=COROLLARY, empties="adaptive.corollary1/iterations"
)


@statement(
    "adaptive.corollary1/iterations",
    where=COROLLARY,
    kind="corollary",
    over="mean",
    title="sampling complexity",
    latex=r"T\ge T_i^\varepsilon=\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)\mathcal C}{2\mu^2\varepsilon}\Rightarrow\mathbb E[\varepsilon_i^T]\le\varepsilon",
    family=rows.WITH_FACTOR,
    given=[*ADMISSIBLE, factor_above_one, _enough],
    defines=rows.DECREASING_STEPS,
    uses=("adaptive.theorem2.decr",),
)
def reached(w: World) -> Sides:
    return rows.end_excess(w), {"precision": w.precision}


reached_repaired = reached.variant(
    "adaptive.corollary1.repaired",
    title="sampling complexity with delayed steps and b^2, on runs that have not reached it before",
    latex=r"T\ge\frac1\varepsilon\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)},\gamma\varepsilon_i^0\Bigr)-\gamma\Rightarrow"
    + rows.STOPPED
    + r"\le\varepsilon",
    family=rows.WITH_DELAY,
    defines=common.DELAYED_STEPS,
    sides=lambda w: (rows.stopped_excess(w), {"precision": w.precision}),
    given=[*ADMISSIBLE, factor_above_one, _mended_enough],
    uses=("adaptive.theorem2.decr.repaired",),
    note="""Enough rounds of the repaired decreasing row bring the mean of the excess loss to the
    precision, counted on the event that the precision was not reached before.""",
    proof="""The repaired row bounds the left side by max(K, gamma eps0)/(gamma + T) with
    K = beta sigma_suf^2 C^2/(2 mu^2 (C-1)), which is at most epsilon once
    T >= max(K, gamma eps0)/epsilon - gamma.""",
)


def _cluster(w: World) -> tuple[Array, Array, Array]:
    """sigma_suf^2, the size of the cluster and its smallest psi."""
    ratio = sufficient_ratio_printed(w.bias, 0 * w.bias, w.mu, w.precision)
    phi = common.phi_of(w, ratio)
    psi = ratio * phi
    variance = effective_variance(ratio, phi, w.sigma2_one[..., None] + 0 * psi)
    return variance, common.cluster_size(psi), common.smallest_psi(psi)


@statement(
    "adaptive.corollary1/special",
    where=COROLLARY,
    kind="corollary",
    title="equal variances",
    latex=r"T_i^\varepsilon\le\frac{\mathcal C\beta\sigma^2}{2\mu^2\varepsilon\,\mathcal N_i^\star(\varepsilon)\min_j\psi(1-\frac{b_{ij}}{2\mu\varepsilon})}",
    given=[factor_above_one],
    family=common.definition_family(
        {**PRECISION, **FACTOR, "sigma2_one": common.VARIANCE, "beta": common.CURVATURE}
    ),
    note="""Equal sigma_k and c_ik = 0: a sum over the cluster is at least its size times its
    minimum.""",
)
def special_case(w: World) -> Sides:
    variance, size, smallest = _cluster(w)
    bound = closed.equal_variance_iterations_upper(
        w.mu, w.beta, w.sigma2_one, w.precision, w.factor, size, smallest
    )
    return {"iterations": _printed_number(w, variance)}, {"special case": bound}


FREE_FACTOR = numbers({**common.CONSTANTS, **FACTOR}, *common.ROUNDS, about="any constants")
FREE_DELAY = numbers(
    {**FREE_FACTOR.box, **common.DELAY}, *common.ROUNDS, about="any constants and any delay"
)


@statement(
    "adaptive.corollary1/proof-max",
    where="proof of Corollary 1",
    kind="proof step",
    title="the start is dropped from the maximum",
    deduction=deductions.dropped,
    latex=r"\tfrac1T\max\bigl(\tfrac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)},\varepsilon_i^0\bigr)\le\tfrac1T\tfrac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)}",
    family=FREE_FACTOR,
    given=[factor_above_one],
    note="The maximum of the decreasing row replaced by its first argument.",
)
def start_dropped(w: World) -> Sides:
    symbols = w.mu, w.beta, w.variance, w.rounds, w.factor
    bound = rates.theorem2_decreasing_printed
    return {"max/T": bound(w.excess, *symbols)}, {"noise/T": bound(0 * w.excess, *symbols)}


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


@solved.like(
    "adaptive.corollary1.repaired/proof-solve",
    title="solving for the number of iterations, start and delay kept",
    latex=r"T=\tfrac1\varepsilon\max(K,\gamma\varepsilon_i^0)-\gamma\Rightarrow\tfrac1{\gamma+T}\max(K,\gamma\varepsilon_i^0)=\varepsilon",
    family=numbers({**FREE_DELAY.box, **PRECISION}, about=FREE_DELAY.about),
    given=[
        factor_above_one,
        Hypothesis(
            "T positive",
            r"T=\tfrac1\varepsilon\max\bigl(\tfrac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\gamma\varepsilon_i^0\bigr)-\gamma>0",
            lambda w: _number(w, w.excess, w.variance),
            strict=True,
        ),
    ],
    note="With the maximum kept and a delay, T = max(K, gamma eps0)/eps - gamma solves the row.",
    proof="max(K, gamma eps0)/(gamma + T) = eps by substitution, wherever that T is not negative.",
)
def solved_with_maximum(w: World) -> Sides:
    symbols = w.mu, w.beta, w.variance, _number(w, w.excess, w.variance), w.factor, w.delay
    return {"row": rates.theorem2_decreasing_upper(w.excess, *symbols)}, {"eps": w.precision}


@special_case.like(
    "adaptive.corollary1/proof-display",
    where="proof of Corollary 1",
    kind="proof step",
    given=[],
    latex=r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)\le\frac{\sigma^2}{\mathcal N_i^\star(\varepsilon)\min_j\psi(1-\frac{b_{ij}}{2\mu\varepsilon})}",
    note="""Equal sigma_k and c_ik = 0: the sum of psi is at least the cluster's size times its
    minimum. Tight where psi is the same in the whole cluster. The positive part of Definition 2 is
    read into the display.""",
)
def display(w: World) -> Sides:
    variance, size, smallest = _cluster(w)
    return {"sigma_suf^2": variance}, {"sigma^2/(size min psi)": w.sigma2_one / (size * smallest)}
