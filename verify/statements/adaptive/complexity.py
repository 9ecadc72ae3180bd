"""Corollary 1: how many iterations reach a precision."""

from __future__ import annotations

from bounds import complexity
from bounds import generic as xp
from bounds.similarity import effective_variance
from bounds.sufficient import sufficient_ratio_printed
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive import rates, sufficient
from verify.statements.adaptive.common import PRECISION, excess, phi_of, source
from verify.world.world import World


def _enough(w: World) -> Terms:
    """The instance runs for at least the printed number of iterations."""
    needed = complexity.sample_complexity_printed(
        w.mu, w.beta, rates._sufficient(w, True), w.precision, w.factor
    )
    return {"T at least the printed number": w.rounds - needed}


def _reached(w: World) -> tuple[Terms, Terms]:
    return {"E excess": excess(w, w.rounds)}, {"precision": w.precision}


def _repaired_enough(w: World) -> Terms:
    needed = complexity.sample_complexity_upper(
        rates._start_excess(w), w.mu, w.beta, rates._sufficient(w, False), w.precision,
        w.factor, w.delay,
    )  # fmt: skip
    return {"T at least the number": w.rounds - needed}


def _repaired(w: World) -> tuple[Terms, Terms]:
    """Enough rounds of the repaired decreasing row bring the mean excess to the precision.

    Proof. If the realised excess stays at least epsilon before T, the repaired row bounds
    E[excess] by max(K, gamma eps0)/(gamma + T) with K = beta sigma_suf^2 C^2/(2 mu^2 (C-1)), which
    is at most epsilon once T >= max(K, gamma eps0)/epsilon - gamma.
    """
    return _reached(w)


def _special(w: World) -> tuple[Terms, Terms]:
    """Equal sigma_k and c_ik = 0: a sum over the cluster is at least its size times its minimum."""
    ratio = sufficient_ratio_printed(w.bias, 0 * w.bias, w.mu, w.precision)
    psi = ratio * phi_of(w, ratio)
    inside = psi > 0
    size = xp.total(xp.indicator(inside, psi))
    smallest = xp.smallest(xp.where(inside, psi, 1 + 0 * psi))
    variance = effective_variance(ratio, phi_of(w, ratio), w.sigma2_one[..., None] + 0 * psi)
    needed = complexity.sample_complexity_printed(w.mu, w.beta, variance, w.precision, w.factor)
    bound = complexity.equal_variance_iterations_upper(
        w.mu, w.beta, w.sigma2_one, w.precision, w.factor, size, smallest
    )
    return {"iterations": needed}, {"special case": bound}


_FREE = sufficient.definition_family(
    {
        **PRECISION,
        **rates.FACTOR,
        "sigma2_one": Real(1 / 16, 16, unit=(2, -2), log=True),
        "beta": Real(1 / 16, 16, unit=(1, -2), log=True),
    }
)

STATEMENTS = (
    Statement(
        key="adaptive.corollary1.empty", source=source("Corollary 1"), form="empty",
        title="the decreasing row has no instance", latex=r"1\le0", family=rates.EMPTY,
        sides=rates._falsehood, given=rates._decreasing_hypotheses, strict=frozenset({"C > 1"}),
        empties="adaptive.corollary1/iterations", lift=rates._first_step,
    ),
    Statement(
        key="adaptive.corollary1/iterations", source=source("Corollary 1"),
        title="sampling complexity", kind="corollary",
        latex=r"T\ge T_i^\varepsilon=\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)\mathcal C}{2\mu^2\varepsilon}\Rightarrow\mathbb E[\varepsilon_i^T]\le\varepsilon",
        family=rates._WITH_FACTOR, sides=_reached, over="mean", strict=rates._C,
        given=rates._given(rates._factor_above_one, _enough),
        defines={"step_sizes": rates._decreasing_sizes}, uses=("adaptive.theorem2.decr",),
    ),
    Statement(
        key="adaptive.corollary1/special", source=source("Corollary 1"), kind="corollary",
        title="equal variances", sides=_special,
        latex=r"T_i^\varepsilon\le\frac{\mathcal C\beta\sigma^2}{2\mu^2\varepsilon\,\mathcal N_i^\star(\varepsilon)\min_j\psi(1-\frac{b_{ij}}{2\mu\varepsilon})}",
        family=_FREE, given=rates._factor_above_one, strict=frozenset({"C > 1"}),
    ),
    Statement(
        key="adaptive.corollary1.repaired", source=source("Corollary 1"), kind="corollary",
        form="repaired", title="sampling complexity with delayed steps, b^2 and realised excess",
        latex=r"T\ge\frac1\varepsilon\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)},\gamma\varepsilon_i^0\Bigr)-\gamma\Rightarrow\mathbb E[\varepsilon_i^T]\le\varepsilon",
        family=rates._WITH_DELAY, sides=_repaired, over="mean", strict=rates._C,
        given=rates._given(
            rates._precise_on_paths, rates._factor_above_one, _repaired_enough
        ),
        defines={"step_sizes": rates._delayed_sizes}, uses=("adaptive.theorem2.decr.repaired",),
    ),
)  # fmt: skip
