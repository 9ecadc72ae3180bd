"""Sums over clients with weights that may depend on the past, and runs that are stopped.

Weights a_k that differ from outcome to outcome are no numbers of an outline.  So there are two
vectors: the sum of a_k u_k, which all clients share, and ``roots``, of each client its u_k times
the root of N a_k, whose mean square is the mean of sum a_k |u_k|^2.  Where the roots of weights
are no fractions exact runs have the mean alone: ``squares``, a number.
"""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _gaps(own: str, sum: str, roots: str, share: str = "2") -> Claims:
    return [(f"{share}*({own})*({sum}) - ({own})**2 - ({roots})**2", False)]


def _cauchy(sum: str, roots: str, at_most: str, share: str = "1") -> Claims:
    return [(f"{share}*({at_most})*({roots})**2 - ({sum})**2", False)]


def _gaps_in_mean(own: str, sum: str, squares: str, share: str = "2") -> Claims:
    return [(f"{share}*({own})*({sum}) - ({own})**2 - ({squares})", False)]


def _cauchy_in_mean(sum: str, squares: str, at_most: str, share: str = "1") -> Claims:
    return [(f"{share}*({at_most})*({squares}) - ({sum})**2", False)]


def _stopped(f: str, kept: str, before: str, sign: str = "", **_: str) -> Claims:
    return [(f"{sign}({f}({before}) - {f}({kept}))", False)]


RULES = (
    FactRule(
        "weighted gaps",
        {"own": "vector", "sum": "vector", "roots": "vector"},
        _gaps,
        lambda **about: _gaps(**about, share="1"),
        "the weights of the sum {sum}, whose terms times the roots of their weights are {roots}, "
        "make the weighted squared gaps to {own} at most the sum of weights less one times "
        "|{own}|^2",
        "weights that make the weighted gaps to {own} cancel",
        "expansion of |u - {own}|^2",
    ),
    FactRule(
        "weighted sum",
        {"sum": "vector", "roots": "vector", "at_most": "number"},
        _cauchy,
        lambda **about: _cauchy(**about, share="1/4"),
        "the sum {sum} has weights of sum at most {at_most}, none negative; {roots} are its terms "
        "times the roots of their weights",
        "weights of sum at most {at_most}",
        "Cauchy, Schwarz",
    ),
    FactRule(
        "weighted gaps in the mean",
        {"own": "vector", "sum": "vector", "squares": "number"},
        _gaps_in_mean,
        lambda **about: _gaps_in_mean(**about, share="1"),
        "the weights of the sum {sum}, whose terms have the weighted squares {squares}, make "
        "the weighted squared gaps to {own} at most the sum of weights less one times |{own}|^2",
        "weights that make the weighted gaps to {own} cancel",
        "expansion of |u - {own}|^2",
    ),
    FactRule(
        "weighted sum in the mean",
        {"sum": "vector", "squares": "number", "at_most": "number"},
        _cauchy_in_mean,
        lambda **about: _cauchy_in_mean(**about, share="1/4"),
        "the sum {sum} has weights of sum at most {at_most}, none negative; {squares} is the "
        "mean of the weighted squares of its terms",
        "weights of sum at most {at_most}",
        "Cauchy, Schwarz",
    ),
    FactRule(
        "stopped at a minimiser",
        {"f": "function", "kept": "vector", "before": "vector", "star": "vector"},
        _stopped,
        lambda **about: _stopped(**about, sign="-"),
        "{kept} is {before} on some outcomes and the minimiser {star} of {f} on the others",
        "",
        "definition",
    ),
)
