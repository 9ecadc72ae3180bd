"""Remarks 2 and 3, and the claims in the text around Theorem 2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import rates as closed
from bounds.adaptive_weights import step_ratio_binary_sharp, step_ratio_continuous_sharp
from bounds.heterogeneity import mismatch
from bounds.similarity import (
    inverse_variance,
    step_ratio_binary_lower,
    step_ratio_lower,
)
from bounds.similarity import step_ratio as step_ratio_of
from bounds.sufficient import sufficient_ratio_best
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape, plain_numbers
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive import proof_rows, rates, sufficient, weights
from verify.statements.adaptive.common import (
    PHI,
    PRECISION,
    along,
    excess,
    phi_of,
    run_family,
    source,
)
from verify.world.world import World

# -- Remark 2 ----------------------------------------------------------------------------------


def _at_start(w: World) -> tuple[Any, Any]:
    """Whether client 1 is in the effective and in the sufficient cluster at theta^0, as numbers."""
    at = along(w, w.start + 0 * w.problem.optimum[..., 0, :])
    shift, spread = (pair[..., 0, :] for pair in mismatch(w.A, w.xi))
    ratio = sufficient_ratio_best(shift, spread, w.mu, w.problem.excess(w.start)[..., 0])
    return at.alpha[..., 1], (ratio * phi_of(w, ratio))[..., 1]


def _clusters_differ(w: World) -> tuple[Terms, Terms]:
    """Client 1 works with client 0, though none of the constants (b, c) of A3 puts it into the
    sufficient cluster, at the realised excess loss and with b^2 as the proof of Lemma 2 needs it."""
    return {"psi of client 1": _at_start(w)[1]}, {"0": 0}


def _collaborates(w: World) -> Terms:
    return {"weight of client 1": _at_start(w)[0], "excess": w.problem.excess(w.start)[..., 0]}


# -- Remark 3 ----------------------------------------------------------------------------------


def _asking(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Client 0 asks, so that its ratio is 1."""
    ratio = values["ratio"].copy()
    ratio[..., 0] = 0 * ratio[..., 0] + 1
    return plain_numbers({**values, "ratio": ratio}, shape)


def _ratios(phi: str) -> Family:
    box = {"ratio": Real(0, 1, per=("N",)), "sigma2": weights.WEIGHTS.box["sigma2"], **PHI}
    shapes = tuple({"N": n, "phi": phi} for n in (1, 2, 3))
    return Family(box, shapes, _asking, "any ratios with r_i = 1, any variances")


def _variances_ordered(w: World) -> tuple[Terms, Terms]:
    """psi <= phi on [0, 1]. Tight where every phi(r) is zero or r one."""
    return {"sigma_phi^2": inverse_variance(w.phi, w.sigma2)}, {
        "sigma_psi^2": inverse_variance(w.ratio * w.phi, w.sigma2)
    }


def _limit(w: World) -> Any:
    return step_ratio_of(w.ratio, phi_of(w, w.ratio), w.sigma2)


def _binary(w: World) -> tuple[Terms, Terms]:
    return {"lambda": step_ratio_binary_lower(w.threshold)}, {"(sigma_phi/sigma_psi)^2": _limit(w)}


def _binary_sharp(w: World) -> tuple[Terms, Terms]:
    """q is at least lambda + (1 - lambda) p, p the share of client i in the sum of sigma_k^-2.

    Proof. q is the average of the chosen clients' ratios with weights sigma_k^-2; the own ratio is
    1, the others are at least lambda. Attained with every other ratio at lambda.
    """
    return {"sharp bound": step_ratio_binary_sharp(w.sigma2, w.threshold)}, {
        "(sigma_phi/sigma_psi)^2": _limit(w)
    }


def _continuous(w: World) -> tuple[Terms, Terms]:
    """Tight for one client only."""
    return {"bound": step_ratio_lower(w.sigma2)}, {"(sigma_phi/sigma_psi)^2": _limit(w)}


def _continuous_sharp(w: World) -> tuple[Terms, Terms]:
    """q >= 2/(1 + sqrt(sigma_i^2 sum_k sigma_k^-2)): of order 1/sqrt(N), not 1/N.

    Proof. With w_k = sigma_k^-2, W their sum over the others and r their mean ratio, the mean of
    squares is at least the square of the mean, so q >= (w_i + W r^2)/(w_i + W r), which is smallest
    at W r^2 + 2 w_i r = w_i and is 2 r there. Attained with every other ratio equal to that r.
    """
    return {"sharp bound": step_ratio_continuous_sharp(w.sigma2)}, {
        "(sigma_phi/sigma_psi)^2": _limit(w)
    }


def _own_share(w: World) -> tuple[Terms, Terms]:
    """1/sigma_psi^2 is at least the own term. Tight where no other client is similar."""
    return {"1/sigma_i^2": 1 / w.sigma2[..., 0]}, {
        "1/sigma_psi^2": 1 / inverse_variance(w.ratio * phi_of(w, w.ratio), w.sigma2)
    }


def _displayed_phi(w: World) -> tuple[Terms, Terms]:
    """The display writes psi into sigma_phi^2."""
    return {"sigma_phi^2": inverse_variance(phi_of(w, w.ratio), w.sigma2)}, {
        "displayed": inverse_variance(w.ratio * phi_of(w, w.ratio), w.sigma2)
    }


def _displayed_bound(w: World) -> tuple[Terms, Terms]:
    """The lower bound of the display, for sigma_phi^2 itself. Tight where all ratios are 1.

    Proof. phi(x) <= x <= 1, so that sum phi(r_k)/sigma_k^2 <= sum 1/sigma_k^2.
    """
    return {"(sum 1/sigma_k^2)^-1": inverse_variance(1 + 0 * w.sigma2, w.sigma2)}, {
        "sigma_phi^2": inverse_variance(phi_of(w, w.ratio), w.sigma2)
    }


# -- around Theorem 2 --------------------------------------------------------------------------


def _contracts(w: World) -> tuple[Terms, Terms]:
    """The bound of the constant row minus its saturation level shrinks by 1 - eta mu per round."""
    here, after = (
        closed.theorem2_constant_upper(w.excess, w.step_size, w.mu, w.beta, w.variance, t)
        for t in (w.rounds, w.rounds + 1)
    )
    factor = 1 - w.step_size * w.mu
    return {"bound after": after["contraction"], "saturation": after["saturation"]}, {
        "contracted": factor * here["contraction"],
        "level": w.step_size * w.beta * w.variance / (2 * w.mu),
    }


def _own_variance(w: World) -> Any:
    """sigma_i^2/psi(1), the effective variance of a client that is alone."""
    return w.sigma2[..., 0] / phi_of(w, 1 + 0 * w.sigma2)[..., 0]


def _const_without_floor(w: World) -> tuple[Terms, Terms]:
    """The constant row with the own variance: no term depends on the heterogeneity, and no
    precision is assumed.

    Proof. r_ii = 1 gives sigma_eff^2 <= sigma_i^2/psi(1) at every point; then Theorem 1.
    """
    return {"E excess": excess(w, w.rounds)}, closed.theorem2_constant_upper(
        excess(w, 0), w.step_size, w.mu, w.beta, _own_variance(w), w.rounds
    )


def _decr_without_floor(w: World) -> tuple[Terms, Terms]:
    """Decreasing steps with a delay bring the mean excess loss down like 1/T, whatever b and c:
    the repaired decreasing row with sigma_i^2/psi(1) for sigma_suf^2, and no precision assumed."""
    bound = closed.theorem2_decreasing_upper(
        excess(w, 0), w.mu, w.beta, _own_variance(w), w.rounds, w.factor, w.delay
    )
    return {"E excess": excess(w, w.rounds)}, {"max/(gamma + T)": bound}


def _horizon_size(w: World) -> Any:
    return closed.horizon_step_size(
        rates._start_excess(w), w.mu, w.beta, _own_variance(w), w.rounds
    )


def _horizon_without_floor(w: World) -> tuple[Terms, Terms]:
    """The horizon-dependent step with sigma_i^2/psi(1) for sigma_suf^2 and beta in the logarithm:
    ln(T)/T without a floor, no precision assumed."""
    return {"E excess": excess(w, w.rounds)}, closed.theorem2_horizon_upper(
        excess(w, 0), w.mu, w.beta, _own_variance(w), w.rounds
    )


def _with_factor(w: World) -> Terms:
    return {**rates._admissible(w), **rates._factor_above_one(w)}


_R3: dict[str, Any] = {"source": source("Remark 3"), "kind": "remark"}
_T2: dict[str, Any] = {"source": source("after Theorem 2"), "kind": "claim"}
_SHARP = r"(\sigma_{i,\phi}^t/\sigma_{i,\psi}^t)^2\ge"
_LITERATURE = (
    "compares with bounds of three other papers (Even et al., Chayti et al., Hashemi et al.), whose "
    "statements are not in the package"
)

STATEMENTS = (
    Statement(
        key="adaptive.remark2", source=source("Remark 2"), kind="remark", quantifier="some",
        title="sufficient and selected clusters differ", sides=_clusters_differ,
        latex=r"\mathcal N_i^\star(\varepsilon_i^t)\ne\mathcal N_i^t", given=_collaborates,
        strict=frozenset({"weight of client 1", "excess"}), family=run_family((2, 1, 1)),
    ),
    Statement(
        key="adaptive.remark3/a", title="order of the variances", sides=_variances_ordered,
        latex=r"\sigma_{i,\phi}^t\le\sigma_{i,\psi}^t", family=weights.WEIGHTS,
        given=weights._some_weight, strict=weights._STRICT, **_R3,
    ),
    Statement(
        key="adaptive.remark3/b", title="step limit, binary", sides=_binary,
        latex=_SHARP + r"\lambda", family=_ratios("binary"), **_R3,
    ),
    Statement(
        key="adaptive.remark3/c", title="step limit, continuous", sides=_continuous,
        latex=_SHARP + r"\sigma_i^{-2}\bigl(\textstyle\sum_k\sigma_k^{-2}\bigr)^{-1}",
        family=_ratios("continuous"), **_R3,
    ),
    Statement(
        key="adaptive.remark3/c-psi", title="display for psi", sides=_own_share,
        latex=r"\frac1{(\sigma_{i,\psi}^t)^2}=\frac1{\sigma_i^2}+\sum_{k\ne i}\frac{\psi(r_{ik})}{\sigma_k^2}\ge\frac1{\sigma_i^2}",
        family=_ratios("continuous"), **_R3,
    ),
    Statement(
        key="adaptive.remark3/c-phi", title="display for phi, equality", sides=_displayed_phi,
        latex=r"(\sigma_{i,\phi}^t)^2=\Bigl(\sum_k\frac{\psi(r_{ik})}{\sigma_k^2}\Bigr)^{-1}",
        family=_ratios("continuous"), relation="==", **_R3,
    ),
    Statement(
        key="adaptive.remark3/c-phi-bound", title="display for phi, bound", sides=_displayed_bound,
        latex=r"(\sigma_{i,\phi}^t)^2\ge\Bigl(\sum_k\frac1{\sigma_k^2}\Bigr)^{-1}",
        family=_ratios("continuous"), **_R3,
    ),
    Statement(
        key="adaptive.remark3.repaired/c-phi", title="display for phi, with phi", form="repaired",
        latex=r"(\sigma_{i,\phi}^t)^2=\Bigl(\sum_k\frac{\phi(r_{ik})}{\sigma_k^2}\Bigr)^{-1}\ge\Bigl(\sum_k\frac1{\sigma_k^2}\Bigr)^{-1}",
        sides=_displayed_bound, family=_ratios("continuous"), **_R3,
    ),
    Statement(
        key="adaptive.remark3.refined/b", title="step limit, binary, sharp", form="refined",
        latex=_SHARP + r"\lambda+(1-\lambda)\frac{\sigma_i^{-2}}{\sum_k\sigma_k^{-2}}",
        sides=_binary_sharp, family=_ratios("binary"), **_R3,
    ),
    Statement(
        key="adaptive.remark3.refined/c", title="step limit, continuous, sharp", form="refined",
        latex=_SHARP + r"2\Bigl(1+\sqrt{\sigma_i^2\textstyle\sum_k\sigma_k^{-2}}\Bigr)^{-1}",
        sides=_continuous_sharp, family=_ratios("continuous"), **_R3,
    ),
    Statement(
        key="adaptive.text.thm2/speed-up", title="precision costs variance reduction",
        sides=sufficient._mono, uses=("adaptive.def2.mono",),
        latex=r"\varepsilon\le\varepsilon'\Rightarrow\sigma_{i,\mathrm{suf}}^2(\varepsilon')\le\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
        family=sufficient.definition_family({**PRECISION, "factor": Real(1, 64, log=True)}), **_T2,
    ),
    Statement(
        key="adaptive.text.thm2/saturation", title="linear rate up to a level", relation="==",
        latex=r"U_{T+1}-L=(1-\eta\mu)(U_T-L),\quad L=\tfrac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
        sides=_contracts, family=proof_rows.FREE, **_T2,
    ),
    Statement(
        key="adaptive.text.thm2/no-floor", title="no term depends on the heterogeneity", over="mean",
        latex=r"\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\frac{\eta\beta}{2\mu}\frac{\sigma_i^2}{\psi(1)}",
        sides=_const_without_floor, family=rates.RUNS, given=rates._theorem1_given,
        strict=rates._OWN, defines=rates._CONST, uses=("adaptive.theorem1",), **_T2,
    ),
    Statement(
        key="adaptive.text.thm2/sublinear", title="decreasing steps do not saturate", over="mean",
        latex=r"\mathbb E[\varepsilon_i^T]\le\frac1{\gamma+T}\max\Bigl(\frac{\beta\sigma_i^2C^2}{2\psi(1)\mu^2(C-1)},\gamma\varepsilon_i^0\Bigr)",
        sides=_decr_without_floor, given=_with_factor, strict=rates._C,
        family=run_family(*rates.SIZES, extra={**rates.FACTOR, **rates.DELAY}),
        defines={"step_sizes": rates._delayed_sizes}, uses=("adaptive.theorem2.decr.repaired",),
        **_T2,
    ),
    Statement(
        key="adaptive.text.thm2/sublinear-horizon", title="horizon-dependent steps do not saturate",
        latex=r"\mathbb E[\varepsilon_i^T]\le\frac{\beta\sigma_i^2}{2\psi(1)\mu^2T}\Bigl(\ln\frac{2\psi(1)T\mu^2\varepsilon_i^0}{\beta\sigma_i^2}+1\Bigr)",
        sides=_horizon_without_floor, family=rates.RUNS, given=rates._theorem1_given,
        strict=rates._OWN, defines={"step_size": _horizon_size}, over="mean",
        uses=("adaptive.theorem1",), **_T2,
    ),
    Statement(
        key="adaptive.text.thm2/contrast", title="comparison with earlier work", missing=_LITERATURE,
        latex=r"\text{no bias term, speed-up } 1/\mathcal N_i^\star(\varepsilon) \text{ on the excess loss}",
        **_T2,
    ),
)  # fmt: skip
