"""Section 4: optimality of the binary rule, and what the continuous one may cost."""

from __future__ import annotations

from typing import Any

from bounds import complexity as closed_complexity
from bounds import generic as xp
from bounds.similarity import (
    effective_variance,
    phi_by_name,
)
from bounds.sufficient import (
    binary_psi_lower,
    binary_psi_lower_printed,
    sufficient_ratio_printed,
    sufficient_variance_lower,
)
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive import rates, sufficient
from verify.statements.adaptive.common import PHI, PRECISION, phi_of, source
from verify.world.world import World

# -- equal variances and c = 0 -----------------------------------------------------------------

_EQUAL = {"sigma2_one": Real(1 / 16, 16, unit=(2, -2), log=True)}
EQUAL = sufficient.definition_family({**PRECISION, **_EQUAL})
BINARY = sufficient.definition_family(PRECISION, ("binary",))
BINARY_RATE = sufficient.definition_family(
    {**PRECISION, **_EQUAL, **rates.FACTOR, "beta": Real(1 / 16, 16, unit=(1, -2), log=True)},
    ("binary",),
)


def _psi(w: World) -> Any:
    """psi((1 - b/(2 mu eps))_+) as printed, with the positive part of Definition 2, (B, 1, N)."""
    ratio = sufficient_ratio_printed(w.bias, 0 * w.bias, w.mu, w.precision)
    return ratio * phi_of(w, ratio)


def _size(psi: Any) -> Any:
    return xp.total(xp.indicator(psi > 0, psi))


def _smallest(psi: Any) -> Any:
    return xp.smallest(xp.where(psi > 0, psi, 1 + 0 * psi))


def _at_one(w: World) -> Any:
    return phi_of(w, 1 + 0 * w.bias)[..., 0]


def _variance(w: World) -> Any:
    return w.sigma2_one / xp.total(_psi(w))


def _members_only(w: World) -> tuple[Terms, Terms]:
    """psi vanishes outside the cluster. By their biases its members are those with b < 2 mu eps, and
    with b <= (1 - lambda) 2 mu eps for the binary rule."""
    psi, reach = _psi(w), (2 * w.mu * w.precision)[..., None]
    binary = w.bias <= (1 - w.threshold[..., None]) * reach
    inside = xp.where(binary if w.phi == "binary" else w.bias < reach, psi, 0 * psi)
    return {"sum over all": xp.total(psi)}, {"sum over the cluster": xp.total(inside)}


def _sum_bounded(w: World) -> tuple[Terms, Terms]:
    """Tight where b = 0 in the whole cluster."""
    psi = _psi(w)
    return {"sum of psi": xp.total(psi)}, {"psi(1) size": _at_one(w) * _size(psi)}


def _lower_bound(w: World) -> tuple[Terms, Terms]:
    """Definition 2 with equal variances. Tight where b = 0 in the whole cluster.

    Proof. psi <= psi(1) on [0, 1], so the sum over the cluster is at most psi(1) times its size.
    """
    lower = sufficient_variance_lower(w.sigma2_one, _at_one(w), _size(_psi(w)))
    return {"sigma^2/(psi(1) size)": lower}, {"sigma_suf^2": _variance(w)}


def _strict(w: World) -> tuple[Terms, Terms]:
    """The strict inequality of the text, as an event that must always happen."""
    psi = _psi(w)
    strict = _at_one(w) * _size(psi) - xp.total(psi)
    return {"1": 1}, {"psi(1) size > sum of psi": xp.indicator(strict > 0, strict)}


def _at_most_at_one(w: World) -> tuple[Terms, Terms]:
    psi_at_one = phi_by_name(w.phi, 1 + 0 * w.x, w.threshold)
    return {"psi(x)": w.x * phi_by_name(w.phi, w.x, w.threshold)}, {"psi(1)": psi_at_one}


UNIT = Family(
    {"x": Real(0, 1), **PHI},
    ({"phi": "continuous"}, {"phi": "binary"}),
    about="both rules on [0, 1]",
)


# -- the rate of the binary rule ---------------------------------------------------------------


def _printed_minimum(w: World) -> tuple[Terms, Terms]:
    """psi_bin(x) = lambda x on its support; the asking client has x = 1."""
    return {"min psi": _smallest(_psi(w))}, {"lambda": binary_psi_lower_printed(w.threshold)}


def _true_minimum(w: World) -> tuple[Terms, Terms]:
    """The minimum is between lambda^2 and lambda.

    Proof. psi_bin(x) = lambda x for x >= lambda. Attained with a client at x = lambda.
    """
    return {"lambda^2": binary_psi_lower(w.threshold)}, {"min psi": _smallest(_psi(w))}


def _true_maximum(w: World) -> tuple[Terms, Terms]:
    """The largest value that the smallest psi can have. Attained where the whole cluster has b = 0.

    Proof. The asking client belongs to its own cluster, with x = 1 and psi = lambda.
    """
    return {"min psi": _smallest(_psi(w))}, {"lambda": binary_psi_lower_printed(w.threshold)}


def _iterations(w: World) -> tuple[Terms, Terms]:
    """The printed number of iterations against C^2/(2 (C - 1) lambda^2) times the rate of the lower
    bound, without logarithm. Tight where every other member of a large cluster is at lambda."""
    psi = _psi(w)
    count = closed_complexity.sample_complexity_printed(
        w.mu, w.beta, _variance(w), w.precision, w.factor
    )
    scale = w.factor**2 / (2 * (w.factor - 1) * w.threshold**2)
    rate = w.beta * w.sigma2_one / (w.mu**2 * w.precision * _size(psi))
    return {"iterations": count}, {"constant times rate": scale * rate}


def _vanishing(w: World) -> tuple[Terms, Terms]:
    """b = 2 mu eps (1 - sqrt(level)) keeps the other client in the cluster, with psi = level."""
    bias = (2 * w.mu * w.precision * (1 - w.root))[..., None]
    ratio = sufficient_ratio_printed(bias, 0 * bias, w.mu, w.precision)[..., 0]
    inside = xp.indicator(ratio > 0, ratio)
    return {"psi of a member": ratio**2, "not a member": 1 - inside}, {"level": w.root**2}


SMALL = Family(
    {
        "root": Real(1 / 1024, 1, log=True),
        "mu": Real(1 / 16, 16, unit=(1, -2), log=True),
        **PRECISION,
    },
    about="any level in (0, 1], any mu and precision",
)


def _degraded(w: World) -> tuple[Terms, Terms]:
    """Two clients, the other one with psi = level: the bound of Corollary 1's special case on
    sigma_suf^2 is sigma^2/(2 level)."""
    own = 1 + 0 * w.root
    bias = 2 * w.mu * w.precision * (1 - w.root)
    ratio = sufficient_ratio_printed(
        xp.stack([0 * bias, bias], -1), 0 * own[..., None], w.mu, w.precision
    )
    bound = w.sigma2_one / (_size(ratio**2) * _smallest(ratio**2))
    return {"sigma^2/(2 level)": w.sigma2_one / (2 * w.root**2)}, {"bound": bound}


def _never_worse(w: World) -> tuple[Terms, Terms]:
    """The continuous rule never has the larger sufficient variance, whatever lambda: what degrades
    is the bound by the smallest weight, not the variance.

    Proof. psi_bin(x) = lambda x 1{x >= lambda} <= x^2 = psi_cont(x) on [0, 1], term by term.
    Tight where every member of the binary cluster is at lambda and no other is similar.
    """
    ratio = sufficient_ratio_printed(w.bias, w.slope, w.mu, w.precision)
    binary = effective_variance(ratio, phi_by_name("binary", ratio, w.threshold), w.sigma2)
    return {"continuous": effective_variance(ratio, ratio, w.sigma2)}, {"binary": binary}


_S4: dict[str, Any] = {"source": source("Section 4"), "kind": "claim"}
_MIN = r"\min_{j\in\mathcal N_i^\star(\varepsilon)}\psi_{\mathrm{bin}}\bigl(1-\tfrac{b_{ij}}{2\mu\varepsilon}\bigr)"
_LB = r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)%s\frac{\sigma^2}{\psi(1)\,\mathcal N_i^\star(\varepsilon)}"
_EVEN = (
    "the constant in Omega(.), and the classes of problems and of algorithms over which the quoted "
    "theorem of Even et al. is stated"
)

STATEMENTS = (
    Statement(
        key="adaptive.sec4.lb/text", title="lower bound, strict as in the text", sides=_strict,
        latex=_LB % ">", family=EQUAL, **_S4,
    ),
    Statement(
        key="adaptive.sec4.lb/members", title="only members count", relation="==", family=EQUAL,
        sides=_members_only, latex=r"\sum_{k\in[N]}\psi=\sum_{k\in\mathcal N_i^\star}\psi", **_S4,
    ),
    Statement(
        key="adaptive.sec4.lb/psi", title="psi is largest at 1", latex=r"\psi(x)\le\psi(1)",
        family=UNIT, sides=_at_most_at_one, **_S4,
    ),
    Statement(
        key="adaptive.sec4.lb/sum", title="sum over the cluster", family=EQUAL, sides=_sum_bounded,
        latex=r"\sum_{k\in\mathcal N_i^\star}\psi\le\psi(1)\,\mathcal N_i^\star(\varepsilon)", **_S4,
    ),
    Statement(
        key="adaptive.sec4.lb/display", title="lower bound, as displayed", sides=_lower_bound,
        latex=_LB % r"\ge", family=EQUAL, **_S4,
    ),
    Statement(
        key="adaptive.sec4.lb.repaired", form="repaired", title="lower bound, not strict",
        sides=_lower_bound, latex=_LB % r"\ge", family=EQUAL, **_S4,
    ),
    Statement(
        key="adaptive.sec4.even/lower", title="quoted lower bound", missing=_EVEN,
        latex=r"T_i^\varepsilon=\Omega\Bigl(\frac{\beta\sigma^2}{\mu^2\varepsilon\,\mathcal N_i^\star(\varepsilon)}\Bigr)",
        **_S4,
    ),
    Statement(
        key="adaptive.sec4.even/recovered", title="the same rate without a logarithm", family=BINARY_RATE,
        latex=r"T_i^\varepsilon\le\frac{C^2}{2(C-1)\lambda^2}\,\frac{\beta\sigma^2}{\mu^2\varepsilon\,\mathcal N_i^\star(\varepsilon)}",
        sides=_iterations, given=rates._factor_above_one, strict=frozenset({"C > 1"}),
        uses=("adaptive.corollary1",), **_S4,
    ),
    Statement(
        key="adaptive.sec4.binmin", title="smallest weight of the binary rule", relation="==",
        latex=_MIN + r"=\lambda", family=BINARY, sides=_printed_minimum, **_S4,
    ),
    Statement(
        key="adaptive.sec4.binmin.repaired/lower", form="repaired", latex=_MIN + r"\ge\lambda^2",
        title="smallest weight of the binary rule", family=BINARY, sides=_true_minimum, **_S4,
    ),
    Statement(
        key="adaptive.sec4.binmin.repaired/upper", form="repaired", latex=_MIN + r"\le\lambda",
        title="smallest weight of the binary rule", family=BINARY, sides=_true_maximum, **_S4,
    ),
    Statement(
        key="adaptive.sec4.contworse/min", title="a member with an arbitrarily small weight",
        latex=r"\forall\delta\in(0,1]\ \exists b_{ij}:\ j\in\mathcal N_i^\star(\varepsilon),\ \psi_{\mathrm{cont}}\bigl(1-\tfrac{b_{ij}}{2\mu\varepsilon}\bigr)\le\delta",
        family=SMALL, sides=_vanishing, **_S4,
    ),
    Statement(
        key="adaptive.sec4.contworse/bound", title="the bound by the smallest weight degrades",
        latex=r"\frac{\sigma^2}{\mathcal N_i^\star(\varepsilon)\min_j\psi_{\mathrm{cont}}}\ge\frac{\sigma^2}{2\delta}",
        family=Family({**SMALL.box, **_EQUAL}, about=SMALL.about), sides=_degraded, **_S4,
    ),
    Statement(
        key="adaptive.sec4.contworse.refined", form="refined", sides=_never_worse,
        title="the continuous rule has the smaller sufficient variance", family=BINARY,
        latex=r"\sigma_{i,\mathrm{suf}}^2(\varepsilon;\phi_{\mathrm{cont}})\le\sigma_{i,\mathrm{suf}}^2(\varepsilon;\phi_{\mathrm{bin}})",
        **_S4,
    ),
)  # fmt: skip
