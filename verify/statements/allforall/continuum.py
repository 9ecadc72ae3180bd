"""Appendix A.4: infinitely many agents; weak labels."""

from __future__ import annotations

from functools import partial
from math import inf

from bounds import generic as xp
from bounds.allforall import distances as law
from bounds.allforall.lower import convex_samples_lower
from verify.claim import Array, Hypothesis, Real, Sides, numbers, open_claim, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import APPENDIX_A
from verify.world.world import World

_BOX = {
    "precision": Real(1 / 4096, 1 / 8, log=True),
    "diameter": Real(1 / 8, 8, log=True),
    "gradient": Real(1 / 8, 8, log=True),
}
_EXPLICIT = r"\nu=\mathbb 1_{[0,1]},\ q\le2:\ T_\varepsilon"


def _radius(w: World) -> Array:
    """(eps/2)^(1/q)."""
    return w.precision / 2 if w.q == 1 else xp.sqrt(w.precision / 2)


hidden = (
    open_claim(
        "allforall.prop2.1",
        "property",
        APPENDIX_A,
        r"T_\varepsilon(\theta)\le\mathcal O(B^2D^2\nu(\theta)\varepsilon^{-2-p/q})",
        "one of infinitely many agents",
        "the constant of the O(.), which may depend on theta and so hide the density",
    ),
    open_claim(
        "allforall.prop2.2",
        "property",
        APPENDIX_A,
        r"T_\varepsilon\le\mathcal O(B^2D^2\varepsilon^{-2-p/q})",
        "all of infinitely many agents",
        "the constant of the O(.)",
    ),
)


@statement(
    "allforall.prop2.1.repaired",
    where=APPENDIX_A,
    kind="property",
    title="one of infinitely many agents",
    latex=_EXPLICIT
    + r"(\theta)\le\frac{4\cdot2^{p/q}}{V_p}\frac{B^2D^2}{\nu(\theta)}\varepsilon^{-2-p/q}",
    family=numbers(
        {**_BOX, "place": box.SHARE},
        {"q": 1},
        {"q": 2},
        about="one of the agents uniform on [0, 1], b = |theta - theta'|^q",
    ),
    given=[
        Hypothesis(
            "ball below 1",
            r"\theta+(\varepsilon/2)^{1/q}\le1",
            lambda w: 1 - (w.place + _radius(w)),
        ),
        Hypothesis(
            "ball above 0", r"\theta-(\varepsilon/2)^{1/q}\ge0", lambda w: w.place - _radius(w)
        ),
    ],
    note="""A ball inside [0, 1] holds the share 2 h of the agents: the constant is 4 2^(p/q)/V_p
    over nu(theta). The density stands below: agents in dense places need fewer samples.""",
    proof="""Theorem 2.1 asks for 4 B^2 D^2 N/(eps^2 N_i), and N_i/N tends to the mass of a ball that
    holds agents with b <= eps/2: 2 (eps/2)^(1/q) nu(theta).""",
)
def one_agent(w: World) -> Sides:
    top, bottom = w.place + _radius(w), w.place - _radius(w)
    ball = xp.minimum(top, xp.ones_like(top)) - xp.positive_part(bottom)
    left = law.continuum_samples_upper(w.gradient**2, w.diameter, w.precision, ball)
    root = w.precision if w.q == 1 else xp.sqrt(w.precision)
    two = 2 if w.q == 1 else xp.sqrt(2 * xp.ones_like(w.precision))
    right = 4 * two * w.gradient**2 * w.diameter**2 / (2 * w.precision**2 * root)
    return {"4 B^2 D^2/(eps^2 nu(ball))": left}, {"explicit rate": right}


@statement(
    "allforall.prop2.2.explicit",
    where=APPENDIX_A,
    kind="property",
    title="all of infinitely many agents",
    latex=r"\Theta=[0,1],\ q\le2:\ T_\varepsilon\le8\cdot2^{1/q}B^2D^2\varepsilon^{-2-1/q}",
    family=numbers(
        {**_BOX, "place": Real(0, 1, per=("N",), domain=(0, 1))},
        *({"q": q, "N": n} for q in (1, 2) for n in (2, 3, 5)),
        about="any agents in [0, 1], b = |theta - theta'|^q",
    ),
    given=[
        Hypothesis(
            "eps at most 2",
            r"\varepsilon\le2",
            lambda w: 2 - w.precision,
            "Proposition 2, as eps tends to 0",
        )
    ],
    uses=("allforall.theorem4.1",),
    note="Theorem 4.1 for any finite number of agents, with its shorter step.",
    proof="""Agents in one of 1 + floor(1/h) <= 2/h cells of length h = (eps/2)^(1/q) are close to
    each other, so that the sum of 1/N_i over a cell is at most 1.""",
)
def all_agents(w: World) -> Sides:
    apart = xp.absolute(w.place[..., :, None] - w.place[..., None, :])
    close = xp.total(xp.indicator(apart <= _radius(w)[..., None, None], apart))
    size = 4 * w.gradient**2 * w.diameter**2 / w.precision**2
    return {"bound of 4.1": size * xp.total(1 / close)}, {"explicit rate": 2 * size / _radius(w)}


@statement(
    "allforall.proof.prop2/fraction",
    where=APPENDIX_A,
    kind="proof step",
    title="from one agent's bound",
    latex=r"T_\varepsilon(\theta)\le2B^2D^2\varepsilon^{-2}\frac{\mathcal N_i^\varepsilon(2b)}N",
    family=numbers(
        {"scale": Real(16, 256, log=True, domain=(16, inf))},
        {"N": 64, "close": 1},
        {"N": 64, "close": 64},
        about="one or all agents close, rB/eps at least 16, iterates within [-r, r]: D = 2 r",
    ),
    note="""No method can need fewer samples than the lower bound of Theorem 1 with its constant.
    Theorem 2.1 has the factor N/N_i; the proof writes the fraction upside down, which falls below
    the lower bound as soon as N/N_i >= 24.""",
)
def fraction(w: World) -> Sides:
    least = convex_samples_lower(w.scale, xp.ones_like(w.scale), w.N, w.close)
    right = 2 * (2 * w.scale) ** 2 * w.close / w.N
    return {"samples that any method needs": least}, {"in the proof": right}


def _ball(w: World, printed: bool) -> Sides:
    distance = xp.absolute(w.place)
    half = w.precision[..., None] / 2
    close = {"N_i": 1 + xp.total(xp.indicator(w.share * distance <= half, distance))}
    ball = {"ball": 1 + xp.total(xp.indicator(distance <= half, distance))}
    return (close, ball) if printed else (ball, close)


ball = statement(
    "allforall.proof.prop2/ball",
    where=APPENDIX_A,
    kind="proof step",
    title="close agents and the ball",
    latex=r"\mathcal N_i^\varepsilon(2b)\le|\{j:\|\theta-\theta_j\|\le(\varepsilon/2)^{1/q}\}|",
    family=numbers(
        {
            "place": Real(-1, 1, per=("N",)),
            "share": box.SHARES,
            "precision": Real(1 / 64, 2, log=True),
        },
        {"N": 1},
        {"N": 3},
        about="agents on a line, b = share |theta - theta'|",
    ),
    note="b <= |theta - theta'|^q makes every agent of the ball close, and perhaps others.",
)(partial(_ball, printed=True))
ball_repaired = ball.variant(
    "allforall.proof.prop2.repaired/ball",
    sides=partial(_ball, printed=False),
    proof="|theta - theta_j| <= (eps/2)^(1/q) gives b <= eps/2.",
    latex=r"\mathcal N_i^\varepsilon(2b)\ge|\{j:\|\theta-\theta_j\|\le(\varepsilon/2)^{1/q}\}|",
)
weak_labels = open_claim(
    "allforall.weaklabel",
    "claim",
    "Section 6.2",
    r"d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\lesssim d(\mathcal D_i^\zeta,\mathcal D_j^\zeta)",
    "weak labels",
    "qualitative: no formula and no precise assumption on the labelling map",
)
