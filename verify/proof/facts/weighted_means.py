"""Sums over clients with weights that may depend on the past, their squares known in the mean.

Weights a_k that differ from outcome to outcome are no numbers of an outline.  So there are the
vector sum of a_k u_k, which all clients share, and the number ``squares``, the mean of sum a_k
|u_k|^2.  Exact runs have both, where the roots of the weights are no fractions
(`verify.proof.facts.weights`).
"""

from verify.proof.facts.rule import Claims, FactRule

__all__ = ["RULES"]


def _gaps(own: str, sum: str, squares: str, share: str = "2") -> Claims:
    return [(f"{share}*({own})*({sum}) - ({own})**2 - ({squares})", False)]


def _cauchy(sum: str, squares: str, at_most: str, share: str = "1") -> Claims:
    return [(f"{share}*({at_most})*({squares}) - ({sum})**2", False)]


RULES = (
    FactRule(
        "weighted gaps in the mean",
        {"own": "vector", "sum": "vector", "squares": "number"},
        _gaps,
        lambda **about: _gaps(**about, share="1"),
        "the weights of the sum {sum}, whose terms have the weighted squares {squares}, make "
        "the weighted squared gaps to {own} at most the sum of weights less one times |{own}|^2",
        "weights that make the weighted gaps to {own} cancel",
        "expansion of |u - {own}|^2",
    ),
    FactRule(
        "weighted sum in the mean",
        {"sum": "vector", "squares": "number", "at_most": "number"},
        _cauchy,
        lambda **about: _cauchy(**about, share="1/4"),
        "the sum {sum} has weights of sum at most {at_most}, none negative; {squares} is the "
        "mean of the weighted squares of its terms",
        "weights of sum at most {at_most}",
        "Cauchy, Schwarz",
    ),
)
