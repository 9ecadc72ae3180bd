"""Remarks 7 and 8: what makes V and E small, and what the chain says of both."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import weighting_skew
from verify.claim import Array, Real, Sides
from verify.statements.aggregation import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
Remark 7 :: remark
    remark7/speed :: speed by the largest rho-bar :: \overline\rho'\ge\overline\rho\Rightarrow\mathcal V(\overline\rho')\le\mathcal V(\overline\rho)
    remark7/error :: error by the smallest ratio :: \mathcal E\text{ grows with }\tilde\rho/\overline\rho
    remark7/zero :: no error for alpha = p :: \alpha=p\Rightarrow\rho\equiv1
    remark7/least :: no strategy has a smaller error :: \mathcal E\ge0,\text{ that is }\overline\rho\le\tilde\rho
    remark7.refined/least :: how far below zero the error can be :: \mathcal E\ge-\frac{4L}{3\mu\overline\rho}\,\frac{\|w_0-w^\star\|^2+G^2\sum_rQ_r}{\sum_t\eta_t}\to0
Remark 8 :: remark
    remark8/depends :: both bounds depend on pi alone :: \pi=\pi'\Rightarrow\text{equal bounds}
    remark8/ensured :: a smallest weight ensures a bound on the error :: \alpha_t^i\ge a\Rightarrow\frac1{\pi\min p_i}-N\le\frac{\max p_i}{a\min p_i}-N
given
    weights at least a :: \alpha_t^i\ge a :: Remark 8
""")

# -- Remark 7 ----------------------------------------------------------------------------------


@claim("remark7/speed", family=q.constants("low more"))
def speed_falls(w: World) -> Sides:
    """V falls as rho-bar grows, the rest being fixed."""
    return {"V at a larger rho-bar": q.speed_at(w, w.low + w.more)}, {"V": q.speed_at(w, w.low)}


@claim("remark7/error", family=q.family("mu smoothness gap low high less", "any constants"))
def error_grows(w: World) -> Sides:
    """E is 8 L Gamma/(3 mu) times rho-tilde/rho-bar - 1."""
    lower, larger = (q.error_at(w, w.low, high) for high in (w.high, w.high + w.less))
    return {"E": lower}, {"E at a larger ratio": larger}


def skew_of_shares(w: World) -> Sides:
    share = q.normalised(w.share)
    return {"sum alpha x": weighting_skew(share, w.excess, share)}, {"1": 1}


shares_skew = claim(
    "remark7/zero",
    relation="==",
    family=q.family("excess share", "any losses at one point, any shares", *q.SIZES),
    given=[q.some_excess],
    note="rho is one at every point for alpha = p, so that rho-tilde = rho-bar.",
)(skew_of_shares)


@claim(
    "remark7/least",
    readings=["times"],
    family=lambda r: q.runs(q.quiet(2, 2, 1)) if "loop" in r else q.REST,
    also=lambda r: () if "loop" in r else (q.MIDDLE,),
    given=[q.heterogeneous],
    defines=lambda r: q.over_horizon(r.times),
)
def no_error(w: World) -> Sides:
    """rho-bar may exceed rho-tilde on a finite run: the model comes from where the favoured clients
    are badly served. Without an end see remark7.refined."""
    return {"rho-bar": w.low}, {"rho-tilde": w.high}


@claim(
    "remark7.refined/least",
    like=no_error.leaf("loop"),
    family=q.runs(
        *q.short("fixed", "fedmax", quiet=True), q.quiet(2, 6, 2), q.size(2, 1, 1, "fixed")
    ),
)
def no_error_below(w: World) -> Sides:
    """rho-bar and rho-tilde over an endless run: what T of its iterations leave of E, and a rest
    that vanishes with T. The E of FedAvg is that of its own run.

    Proof. In a round that begins at w_r and whose steps sum to S_r, convexity and smoothness give
    <w_r - w*, grad F_i(w_s^i)> >= F_i(w_r) - F_i(w*) - L/2 |w_r - w_s^i|^2. The local models are in
    mean square within G times the steps taken of w_r, and the round moves by at most G S_r, so that
    Delta_{r+1} <= Delta_r - 2 S_r sum alpha (x_i(w_r) - x_i(w*)) + G^2 Q_r with Q_r = S_r^2 + L
    sum_s eta_s (sum_{s'<s} eta_s')^2. The sum over i is at least (rho-bar - rho-tilde) Gamma in
    every round, hence 2 (rho-bar - rho-tilde) Gamma sum eta <= |w_0 - w*|^2 + G^2 sum Q, which is E
    >= -4L (|w_0 - w*|^2 + G^2 sum Q)/(3 mu rho-bar sum eta). With the steps of the corollary sum Q
    is bounded and sum eta is not, so E >= 0 where rho-bar and rho-tilde see all times."""
    own = q.error(w, q.low_of(w, "fedavg"), q.high_of(w, "fedavg"))
    scale = 4 * w.beta / (3 * w.mu * w.low)
    moved = spent(w, w.step_sizes, w.beta, w.rounds, w.local_steps)
    rest = scale * (w.distance0 + w.G2 * moved) / xp.total(w.step_sizes)
    return {"E of FedAvg": own}, {"E": q.error(w, w.low, w.high), "rest after T iterations": rest}


@quantity
def spent(w: World, step_sizes: Array, smoothness: Array, rounds: int, local_steps: int) -> Array:
    """Sum of Q_r over the rounds, (B, 1)."""
    found: Array = 0 * w.mu
    for first in range(0, rounds, local_steps):
        taken = 0 * w.mu
        for t in range(first, first + local_steps):
            eta = step_sizes[..., t]
            found = found + smoothness * eta * taken**2
            taken = taken + eta
        found = found + taken**2
    return found


# -- Remark 8 ----------------------------------------------------------------------------------


def _error_by(w: World, pi: Array, share: Array) -> Array:
    return closed.learning_error_of_weights_upper(
        w.mu, w.smoothness, w.gap, pi, xp.smallest(share), share.shape[-1]
    )


@claim(
    "remark8/depends",
    relation="==",
    family=q.family(
        f"{q.ALL} pi share first second",
        "any constants and shares, two weightings with one smallest ratio",
        *({**shape, "local_steps": 1} for shape in q.FEW),
        pi=Real(1 / 64, 1, log=True, domain=(0, 1)),
    ),
)
def depends(w: World) -> Sides:
    """Two weightings with one pi have one bound (constants and shares of the problem fixed).

    Both give pi p to every client; what is left goes to all but the last, or all but the first."""
    share, bounds = q.normalised(w.share), []
    for name, empty in (("first", w.N - 1), ("second", 0)):
        kept = w.symbol(name) * (1 - xp.eye(w.N, share)[empty])
        weights = w.pi[..., None] * share + (1 - w.pi)[..., None] * q.normalised(kept)
        pi = xp.smallest(weights / share)
        bounds.append(q.speed_at(w, pi) + _error_by(w, pi, share))
    return {"bound": bounds[0]}, {"bound of the other": bounds[1]}


@claim(
    "remark8/ensured",
    family=q.family(
        "mu smoothness gap share raw least_weight",
        "any weights with a given smallest one",
        *q.SIZES[1:],
        least_weight=Real(1 / 256, 1 / 2, log=True, domain=(0, 1)),
    ),
    given=[
        claim.given(
            "weights at least a", lambda w: xp.smallest(q.normalised(w.raw)) - w.least_weight
        )
    ],
)
def ensured(w: World) -> Sides:
    """Weights of at least a have pi >= a/max p, so that the error is at most 8 L Gamma/(3 mu) (max
    p/(a min p) - N)."""
    share, weights = q.normalised(w.share), q.normalised(w.raw)
    ensured = _error_by(w, w.least_weight / xp.largest(share), share)
    error = _error_by(w, xp.smallest(weights / share), share)
    return {"error bound": error}, {"error bound from min alpha": ensured}
