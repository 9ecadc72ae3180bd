"""Proximal steps: optimality, exact and up to a residual."""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _exact(f: str, step: str, of: str, at: str, to: str, share: str = "1") -> Claims:
    inner = f"(({of}) - ({at}))*(({to}) - ({at}))/({step})"
    return [(f"{f}({to}) - {f}({at}) - {share}*{inner}", False)]


def _residual(f: str, mu: str, theta: str, at: str, around: str, share: str = "1") -> Claims:
    left = f"(grad({f}, {at}) + ({mu})*(({at}) - ({around})))"
    return [(f"{share}*({theta})**2*grad({f}, {around})**2 - {left}**2", False)]


RULES = (
    FactRule(
        "proximal step",
        {"f": "function", "step": "number", "of": "vector", "at": "vector", "to": "vector"},
        _exact,
        lambda **about: _exact(**about, share="(-1)"),
        "{at} is the proximal step of the convex {f} with parameter {step} from {of}, seen from "
        "{to}",
        "convex {f}, proximal steps with parameter {step}",
        "Bauschke, Combettes (2017), Proposition 12.26",
    ),
    FactRule(
        "inexact proximal step",
        {"f": "function", "mu": "number", "theta": "number", "at": "vector", "around": "vector"},
        _residual,
        lambda **about: _residual(**about, share="1/4"),
        "{at} minimises {f} + {mu}/2 |. - {around}|^2 up to {theta} of the gradient at the start",
        "local problems with parameter {mu} solved up to {theta} of the gradient at their start",
        "Li et al. (2020), Definition 1",
    ),
)
