"""Appendix A.4: infinitely many agents; weak labels."""

from __future__ import annotations

from typing import Any

from bounds import allforall_distances as law
from bounds import generic as xp
from bounds.allforall_lower import convex_samples_lower
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.common import (
    numbers,
    one,
    unchecked_claim,
)
from verify.statements.allforall.distances import (
    A,
    claim,
)
from verify.statements.allforall.one_samples import LATTICE, averaged, enough
from verify.world.world import World

_CONTINUUM: dict[str, Real] = {
    "precision": Real(1 / 4096, 1 / 8, log=True), "diameter": Real(1 / 8, 8, log=True),
    "gradient": Real(1 / 8, 8, log=True),
}
CONTINUUM = numbers(_CONTINUUM, {"q": 1}, {"q": 2},
                    about="agents uniform on [0, 1], b = |theta - theta'|^q")  # fmt: skip
INSIDE = numbers({**_CONTINUUM, "place": Real(0, 1)}, {"q": 1}, {"q": 2},
                 about="one of the agents uniform on [0, 1], b = |theta - theta'|^q")  # fmt: skip


def _radius(w: World) -> Any:
    """(eps/2)^(1/q)."""
    return w.precision / 2 if w.q == 1 else xp.sqrt(w.precision / 2)


def _ends(w: World) -> tuple[Any, Any]:
    """theta + h and theta - h."""
    return w.place + _radius(w), w.place - _radius(w)


def _whole_ball(w: World) -> Terms:
    top, bottom = _ends(w)
    return {"ball below 1": 1 - top, "ball above 0": bottom}


def _one_agent(w: World) -> tuple[Terms, Terms]:
    """A ball inside [0, 1] holds the share 2 h of the agents: the constant is 4 2^(p/q)/V_p over
    nu(theta).

    The density stands below: agents in dense places need fewer samples.
    """
    top, bottom = _ends(w)
    mass = xp.minimum(top, one(top)) - xp.positive_part(bottom)
    left = law.continuum_samples_upper(w.gradient**2, w.diameter, w.precision, mass)
    root = w.precision if w.q == 1 else xp.sqrt(w.precision)
    two = 2 if w.q == 1 else xp.sqrt(2 * one(w.precision))
    size = 4 * two * w.gradient**2 * w.diameter**2
    return {"4 B^2 D^2/(eps^2 nu(ball))": left}, {"explicit rate": size / (2 * w.precision**2 * root)}


def _all_agents(factor: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Mean over the agents of 1/nu(ball); balls at the ends are cut in half at most, which
        the factor 2 covers."""
        inverse = law.interval_inverse_mass(_radius(w))
        size = 4 * w.gradient**2 * w.diameter**2 / w.precision**2
        return {"mean over agents": size * inverse}, {"explicit rate": factor * size / (2 * _radius(w))}

    return sides


AGENTS = numbers(
    {"place": Real(-1, 1, per=("N",)), "share": Real(0, 1, per=("N",)),
     "precision": Real(1 / 64, 2, log=True)}, {"N": 1}, {"N": 3},
    about="agents on a line, b = share |theta - theta'|",
)  # fmt: skip


def _ball(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """b <= |theta - theta'|^q makes every agent of the ball close, and perhaps others.

        Proof of the repaired form.  |theta - theta_j| <= (eps/2)^(1/q) gives b <= eps/2.
        """
        distance = xp.absolute(w.place)
        half = w.precision[..., None] / 2
        close = 1 + xp.total(xp.indicator(w.share * distance <= half, distance))
        ball = 1 + xp.total(xp.indicator(distance <= half, distance))
        return ({"N_i": close}, {"ball": ball}) if printed else ({"ball": ball}, {"N_i": close})

    return sides


SIZES = numbers(
    {"scale": Real(16, 256, log=True)}, {"N": 64, "close": 1}, {"N": 64, "close": 64},
    about="one or all agents close, rB/eps at least 16, iterates within [-r, r]: D = 2 r",
)  # fmt: skip


def _inverse(w: World) -> tuple[Terms, Terms]:
    """No method can need fewer samples than the lower bound of Theorem 1 with its constant.

    Theorem 2.1 has the factor N/N_i; the proof writes the fraction upside down, which falls
    below the lower bound as soon as N/N_i >= 24.
    """
    least = convex_samples_lower(w.scale, one(w.scale), w.N, w.close)
    return {"samples that any method needs": least}, {
        "in the proof": 2 * (2 * w.scale) ** 2 * w.close / w.N
    }


STATEMENTS = (
    unchecked_claim("prop2.1", "property", A, r"T_\varepsilon(\theta)\le\mathcal O(B^2D^2\nu(\theta)\varepsilon^{-2-p/q})",
                    "one of infinitely many agents",
                    "the constant of the O(.), which may depend on theta and so hide the density"),
    claim("prop2.1.explicit", r"\nu=\mathbb 1_{[0,1]},\ q\le2:\ T_\varepsilon(\theta)\le\frac{4\cdot2^{p/q}}{V_p}\frac{B^2D^2}{\nu(\theta)}\varepsilon^{-2-p/q}",
           "one of infinitely many agents", family=INSIDE, sides=_one_agent, form="explicit",
           given=_whole_ball, kind="property"),
    unchecked_claim("prop2.2", "property", A, r"T_\varepsilon\le\mathcal O(B^2D^2\varepsilon^{-2-p/q})",
                    "all of infinitely many agents", "the constant of the O(.)"),
    claim("prop2.2.explicit", r"\nu=\mathbb 1_{[0,1]},\ q\le2:\ T_\varepsilon\le2\frac{4\cdot2^{p/q}|\Theta|}{V_p}B^2D^2\varepsilon^{-2-p/q}",
           "all of infinitely many agents, balls cut at the ends included", family=CONTINUUM,
           sides=_all_agents(2), form="explicit", kind="property"),
    claim("proof.prop2/fraction", r"T_\varepsilon(\theta)\le2B^2D^2\varepsilon^{-2}\frac{\mathcal N_i^\varepsilon(2b)}N",
           "from one agent's bound", family=SIZES, sides=_inverse, kind="proof step"),
    claim("proof.prop2/ball", r"\mathcal N_i^\varepsilon(2b)\le|\{j:\|\theta-\theta_j\|\le(\varepsilon/2)^{1/q}\}|",
           "close agents and the ball", family=AGENTS, sides=_ball(True), kind="proof step"),
    claim("proof.prop2.repaired/fraction", r"T_\varepsilon(\theta)\le4B^2D^2\varepsilon^{-2}\frac N{\mathcal N_i^\varepsilon(2b)}",
           "from one agent's bound", family=LATTICE, over="mean", sides=averaged(True), given=enough(True),
           kind="proof step", form="repaired"),
    claim("proof.prop2.repaired/ball", r"\mathcal N_i^\varepsilon(2b)\ge|\{j:\|\theta-\theta_j\|\le(\varepsilon/2)^{1/q}\}|",
           "close agents and the ball", family=AGENTS, sides=_ball(False), kind="proof step",
           form="repaired"),
    unchecked_claim("weaklabel", "claim", "Section 6.2", r"d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\lesssim d(\mathcal D_i^\zeta,\mathcal D_j^\zeta)",
                    "weak labels", "qualitative: no formula and no precise assumption on the labelling map"),
)  # fmt: skip
