"""Appendix A.4: infinitely many agents; weak labels."""

from __future__ import annotations

from math import inf

from bounds import generic as xp
from bounds.allforall import distances as law
from bounds.allforall.lower import convex_samples_lower
from verify.claim import Array, Hypothesis, Real, Sides, Terms
from verify.statements.allforall import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Appendix A :: property :: one of infinitely many agents
    prop2.1 :: T_\varepsilon(\theta)\le\mathcal O(B^2D^2\nu(\theta)\varepsilon^{-2-p/q})
    prop2.1.repaired :: \nu=\mathbb 1_{[0,1]},\ q\le2:\ T_\varepsilon(\theta)\le\frac{4\cdot2^{p/q}}{V_p}\frac{B^2D^2}{\nu(\theta)}\varepsilon^{-2-p/q}
Appendix A :: property :: all of infinitely many agents
    prop2.2 :: T_\varepsilon\le\mathcal O(B^2D^2\varepsilon^{-2-p/q})
    prop2.2.explicit :: \Theta=[0,1],\ q\le2:\ T_\varepsilon\le8\cdot2^{1/q}B^2D^2\varepsilon^{-2-1/q}
Appendix A :: proof step :: from one agent's bound
    proof.prop2/fraction :: T_\varepsilon(\theta)\le2B^2D^2\varepsilon^{-2}\frac{\mathcal N_i^\varepsilon(2b)}N
Appendix A :: proof step :: close agents and the ball
    proof.prop2/ball :: \mathcal N_i^\varepsilon(2b)\le|\{j:\|\theta-\theta_j\|\le(\varepsilon/2)^{1/q}\}|
    proof.prop2.repaired/ball :: \mathcal N_i^\varepsilon(2b)\ge|\{j:\|\theta-\theta_j\|\le(\varepsilon/2)^{1/q}\}|
Section 6.2 :: claim :: weak labels
    weaklabel :: d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\lesssim d(\mathcal D_i^\zeta,\mathcal D_j^\zeta)
""")
_SYMBOLS = "precision diameter gradient place"
_SCALE = Real(1 / 8, 8, log=True)
_OWN = {"precision": Real(1 / 4096, 1 / 8, log=True), "diameter": _SCALE, "gradient": _SCALE}
_UNIFORM = q.family(
    _SYMBOLS,
    "one of the agents uniform on [0, 1], b = |theta - theta'|^q",
    *q.sizes("q", 1, 2),
    **_OWN,
)
_ANYWHERE = q.family(
    _SYMBOLS,
    "any agents in [0, 1], b = |theta - theta'|^q",
    *q.sizes("q N", *((k, n) for k in (1, 2) for n in (2, 3, 5))),
    **_OWN,
    place=q.SHARES,
)
_ONE_OR_ALL = q.family(
    "scale",
    "one or all agents close, rB/eps at least 16, iterates within [-r, r]: D = 2 r",
    *q.sizes("N close", (64, 1), (64, 64)),
    scale=Real(16, 256, log=True, domain=(16, inf)),
)
_ON_A_LINE = q.family(
    "place share precision",
    "agents on a line, b = share |theta - theta'|",
    *q.sizes("N", 1, 3),
    place=Real(-1, 1, per=("N",)),
    share=q.SHARES,
    precision=Real(1 / 64, 2, log=True),
)
_BELOW = r"\theta+(\varepsilon/2)^{1/q}\le1"
_ABOVE = r"\theta-(\varepsilon/2)^{1/q}\ge0"
_BALL = [
    Hypothesis("ball below 1", _BELOW, lambda w: 1 - (w.place + _radius(w))),
    Hypothesis("ball above 0", _ABOVE, lambda w: w.place - _radius(w)),
]
_SMALL = Hypothesis(
    "eps at most 2",
    r"\varepsilon\le2",
    lambda w: 2 - w.precision,
    "Proposition 2, as eps tends to 0",
)


def _radius(w: World) -> Array:
    """(eps/2)^(1/q)."""
    return w.precision / 2 if w.q == 1 else xp.sqrt(w.precision / 2)


hidden_one = claim.open(
    "prop2.1", "the constant of the O(.), which may depend on theta and so hide the density"
)
hidden_all = claim.open("prop2.2", "the constant of the O(.)")


@claim("prop2.1.repaired", family=_UNIFORM, given=_BALL)
def one_agent(w: World) -> Sides:
    """A ball inside [0, 1] holds the share 2 h of the agents: the constant is 4 2^(p/q)/V_p
    over nu(theta). The density stands below: agents in dense places need fewer samples.

    Proof. Theorem 2.1 asks for 4 B^2 D^2 N/(eps^2 N_i), and N_i/N tends to the mass of a ball that
    holds agents with b <= eps/2: 2 (eps/2)^(1/q) nu(theta)."""
    top, bottom = w.place + _radius(w), w.place - _radius(w)
    ball = xp.minimum(top, xp.ones_like(top)) - xp.positive_part(bottom)
    left = law.continuum_samples_upper(w.gradient**2, w.diameter, w.precision, ball)
    root = w.precision if w.q == 1 else xp.sqrt(w.precision)
    two = 2 if w.q == 1 else xp.sqrt(2 * xp.ones_like(w.precision))
    right = 4 * two * w.gradient**2 * w.diameter**2 / (2 * w.precision**2 * root)
    return {"4 B^2 D^2/(eps^2 nu(ball))": left}, {"explicit rate": right}


@claim("prop2.2.explicit", family=_ANYWHERE, given=[_SMALL], uses=("allforall.theorem4.1",))
def all_agents(w: World) -> Sides:
    """Theorem 4.1 for any finite number of agents, with its shorter step.

    Proof. Agents in one of 1 + floor(1/h) <= 2/h cells of length h = (eps/2)^(1/q) are close to
    each other, so that the sum of 1/N_i over a cell is at most 1."""
    apart = xp.absolute(w.place[..., :, None] - w.place[..., None, :])
    close = xp.total(xp.indicator(apart <= _radius(w)[..., None, None], apart))
    size = 4 * w.gradient**2 * w.diameter**2 / w.precision**2
    return {"bound of 4.1": size * xp.total(1 / close)}, {"explicit rate": 2 * size / _radius(w)}


@claim("proof.prop2/fraction", family=_ONE_OR_ALL)
def fraction(w: World) -> Sides:
    """No method can need fewer samples than the lower bound of Theorem 1 with its constant.
    Theorem 2.1 has the factor N/N_i; the proof writes the fraction upside down, which falls below
    the lower bound as soon as N/N_i >= 24."""
    least = convex_samples_lower(w.scale, xp.ones_like(w.scale), w.N, w.close)
    right = 2 * (2 * w.scale) ** 2 * w.close / w.N
    return {"samples that any method needs": least}, {"in the proof": right}


def _counts(w: World) -> tuple[Terms, Terms]:
    """Close agents, and agents in the ball."""
    distance = xp.absolute(w.place)
    half = w.precision[..., None] / 2
    close = 1 + xp.total(xp.indicator(w.share * distance <= half, distance))
    return {"N_i": close}, {"ball": 1 + xp.total(xp.indicator(distance <= half, distance))}


@claim("proof.prop2/ball", family=_ON_A_LINE)
def ball(w: World) -> Sides:
    """b <= |theta - theta'|^q makes every agent of the ball close, and perhaps others."""
    return _counts(w)


@claim("proof.prop2.repaired/ball", family=_ON_A_LINE, note=ball.note)
def ball_repaired(w: World) -> Sides:
    """Proof. |theta - theta_j| <= (eps/2)^(1/q) gives b <= eps/2."""
    close, inside = _counts(w)
    return inside, close


weak_labels = claim.open(
    "weaklabel", "qualitative: no formula and no precise assumption on the labelling map"
)
