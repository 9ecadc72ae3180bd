"""Assumptions 4.1 to 4.4 on problem families, and which conditions can be met at once."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds.fedbc.constants import dual_interval_printed
from verify.claim import Array, Hypothesis, Reading, Real, Sides, numbers, quadratics
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Assumption 4.1 :: assumption
    A1/double_well :: stationary points in the domain :: \exists x\in\mathcal X:\nabla_{x_i}\mathcal L_i(x,z,\lambda)=0\ \forall z\in\mathcal X
Assumption 4.2 :: assumption
    A2/double_well :: smoothness :: \|\nabla f_i(x)-\nabla f_i(y)\|\le L_i\|x-y\|
Assumption 4.3 :: assumption
    A3/double_well :: heterogeneity :: \|a\nabla f_i(x)-b\nabla f_j(x)\|\le\delta
Assumption 4.4 :: assumption
    A4/mean :: unbiased gradients :: \mathbb E[g_i]=\nabla f(x_i)
    A4/variance :: bounded variance :: \mathbb E\|g_i-\nabla f(x_i)\|^2\le\sigma^2
after (61) :: assumption
    H2/met :: all conditions at once :: \exists:\ \lambda_i^t\ge1+L_i,\ \lambda_{\max}<(1+L_i)^2/L_i,\ C_0\ge0
    H2.refined/close :: clients of like smoothness leave room :: \max_{ij}(L_i-L_j)\le1\Rightarrow1+L\le\min_i(1+L_i)^2/L_i
    H2.refined/apart :: clients of unlike smoothness leave none :: \exists L_1,L_2:\ \min_i(1+L_i)^2/L_i\le1+L
    C0.refined :: C_0 > 0 needs L > 1/3 :: C_0>0\Rightarrow L>\tfrac13
""")

_SHARE = Real(0, 1, domain=(0, 1))
WHERE = {"where": _SHARE, "weight": _SHARE, "other": _SHARE}
"""Places in X and in Lambda."""


@claim(
    "A1/double_well",
    family=q.runs(q.size(1, 1), q.size(2, 2), domain="half", extra=WHERE),
    given=[q.in_domain],
)
def stationary_point(w: World) -> Sides:
    """At the ends of an interval with inward gradients the gradient of L_i(., z, lambda) points
    inward for every z inside, so that its zero lies in between: no farther from z than the end."""
    problem: Any = w.problem
    domain = q.domain_of(w)
    z = domain.low + w.where * domain.diameter
    multiplier = w.lambda_min + w.weight * (w.lambda_max - w.lambda_min)
    zero = problem.proximal(2 * multiplier[..., None] + 0 * w.multipliers, z[..., None])[..., 0]
    z, low, high = (p[..., None] + 0 * zero for p in (z, domain.low, domain.high))
    return {"to the zero": xp.absolute(zero - z)}, {
        "to the end": xp.where(zero < z, z - low, high - z)
    }


@claim("A2/double_well", like=stationary_point)
def smoothness(w: World) -> Sides:
    """Tight inside one piece of a double well."""
    domain = q.domain_of(w)
    one, other = (domain.low + share * domain.diameter for share in (w.where, w.other))
    like = w.multipliers
    gap = q.slopes(w, q.everywhere(one, like)) - q.slopes(w, q.everywhere(other, like))
    return {"|difference|": xp.absolute(gap)}, {
        "L_i |x - y|": q.stiffness(w) * xp.absolute(one - other)[..., None]
    }


@claim(
    "A3/double_well", like=stationary_point, family=q.runs(q.size(2, 2), domain="half", extra=WHERE)
)
def heterogeneity(w: World) -> Sides:
    """Any (a, b) of the square and any x of X against the corners, the ends and the kinks."""
    x = q.domain_of(w).low + w.where * q.domain_of(w).diameter
    span = w.lambda_max - w.lambda_min
    a, b = w.lambda_min + w.weight * span, w.lambda_min + w.other * span
    slope = q.slopes(w, q.everywhere(x, w.multipliers))
    gap = xp.absolute(a * slope[..., 0] - b * slope[..., 1])
    return {"|a f_1' - b f_2'|": gap}, {"delta": q.dissimilarity(w)}


NOISY = quadratics(
    ({"N": 2, "d": 1, "rounds": 1, "method": "local"},),
    {
        "step_size": Real(1 / 8, 1, unit=(-1, 2)),
        "noise_share": Real(0, 1, per=("N",), domain=(0, 1)),
    },
)
"""Noise of at most the variance that is claimed."""
NOTES = {
    "mean-loss": "f without index is the mean loss, of which no device draws gradients.",
    "own-loss": "With the index i on the right.",
}


def _drawn(w: World) -> Array:
    """The gradient that client 0 draws at its start, read off its first step, (B, R)."""
    theta = w.run().theta
    return ((theta[..., 0, :] - theta[..., 1, :]) / w.step_size[..., None])[..., 0]


def _true(w: World, r: Reading) -> Array:
    """Gradient of f at the start of device 0, f being its own loss or the mean, (B, 1)."""
    gradients = w.problem.gradients(w.start)[..., 0]
    return gradients[..., 0] if "own-loss" in r else xp.mean(gradients)


@claim(
    "A4/mean",
    readings=("index-of-f",),
    relation="==",
    over="mean",
    family=NOISY,
    note=lambda r: NOTES[r.index_of_f],
)
def unbiased(w: World, r: Reading) -> Sides:
    return {"g_i": _drawn(w)}, {"gradient": _true(w, r)}


@claim(
    "A4/variance",
    readings=("index-of-f",),
    like=unbiased,
    relation="<=",
    note=lambda r: NOTES[r.index_of_f],
)
def variance(w: World, r: Reading) -> Sides:
    return {"|g_i - grad|^2": (_drawn(w) - _true(w, r)) ** 2}, {"sigma^2": w.sigma2[..., 0]}


# -- conditions printed inside the proofs ----------------------------------------------------------

LISTED = q.listed(r"""
definition :: H1 :: before (43) and (58) :: \lambda_i^t\ge1+L_i :: multipliers from 1 + L_i on
definition :: H2/condition :: after (61) :: \lambda_{\max}<(1+L_i)^2/L_i :: multipliers below (1 + L_i)^2/L_i
definition :: H3 :: before (76) :: x_i^0=z^0 :: common start
definition :: H4 :: after (81) :: \|\nabla f_i(x_i^T)\|\le G :: gradients bounded by G
definition :: H5 :: (45)-(54) :: \text{A: devices outside }\mathcal S_t\text{ wait; V: all compute} :: participation
""")


@claim("H2/met", quantifier="some", family=q.runs(q.size(2, 2), domain="proofs"), given=q.PROOFS)
def conditions_met(w: World) -> Sides:
    """An instance of two clients with C_0 >= 0, both conditions, and multipliers in Lambda."""
    r = q.first_round(w)
    return {"0": 0 * w.lambda_min}, {"C_0": 1 - w.lambda_max / (4 * w.beta) + 0 * r.server}


@claim(
    "H2.refined/close",
    family=numbers(
        {"L": Real(1 / 16, 16, log=True, per=("N",))},
        *({"N": n} for n in (1, 2, 3)),
        about="any smoothness constants",
    ),
    given=[
        Hypothesis(
            "L_i differ by at most 1",
            r"\max_{i,j}(L_i-L_j)\le1",
            lambda w: 1 - xp.largest(w.L) + xp.smallest(w.L),
        )
    ],
)
def room(w: World) -> Sides:
    """Clients whose constants differ by at most 1 always leave room.

    Proof. (1 + L_i)^2/L_i = L_i + 2 + 1/L_i > L_i + 2 >= 1 + L."""
    least, below = dual_interval_printed(w.L)
    return {"1 + L": least}, {"min (1 + L_i)^2/L_i": below}


@claim("H2.refined/apart", like=room, quantifier="some", given=())
def no_room(w: World) -> Sides:
    return room(w)[1], room(w)[0]


@claim(
    "C0.refined",
    family=numbers(
        {"L": Real(1 / 16, 16, log=True), "lambda_max": Real(1, 64, log=True)},
        about="any smoothness and lambda_max",
    ),
    given=[
        Hypothesis("H1", r"\lambda_{\max}\ge1+L", lambda w: w.lambda_max - 1 - w.L),
        Hypothesis(
            "C_0 > 0", r"C_0=1-\lambda_{\max}/(4L)>0", lambda w: 4 * w.L - w.lambda_max, strict=True
        ),
    ],
)
def third(w: World) -> Sides:
    """lambda_max >= 1 + L, as H1 makes it, and C_0 > 0 leave only L > 1/3.

    Proof. 1 + L <= lambda_max < 4 L."""
    return {"1/3": 1}, {"L": 3 * w.L}
