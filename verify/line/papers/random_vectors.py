r"""Second moments of random vectors with given means, as norms that a line can say.

"Let X_1, ..., X_n be random variables in R^d, not necessarily independent, with E[X_i] = m_i and
E|X_i - m_i|^2 <= s^2" is about the random vectors X_i - m_i, which have mean zero: vectors of a
space whose squared norm is E|.|^2.  So E|sum_i X_i|^2 is |sum_i m_i|^2 + |sum_i z_i|^2 with
|z_i|^2 <= s^2, and any vectors z_i are such random vectors (independent signs times their
coordinates).  The result is rewritten so where all of its words are known; else it stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["SecondMoments", "second_moments"]

_NAME = r"\\?[A-Za-z]+"
_DRAWN = re.compile(
    rf"Let\s+\$(?P<x>{_NAME})_\{{?1\}}?\s*,\s*\\l?dots\s*,\s*(?P=x)_\{{?(?P<n>{_NAME})\}}?\$\s+be\s+"
    r"(?:\$(?P=n)\$\s+)?random\s+(?:variables|vectors)\s+in\s+\$(?P<space>\\mathbb\s*\{?R\}?\^\w)\$"
    r"(?P<any>\s+which\s+are\s+not\s+necessarily\s+independent)?\s*\."
)
_ASSUMED = re.compile(
    r"(?:First,?\s+)?(?:suppose|assume)\s+that\s+(?:their|the)\s+means?\s+(?:is|are)\s+"
    r"\$(?P<mean>[^$]*)\$\s+and\s+(?:their\s+)?variances?\s+(?:is|are)\s+bounded\s+(?:as|by)\s+"
    r"\$(?P<variance>[^$]*)\$\s*\.",
    re.IGNORECASE,
)
_E = r"\\mathbb\s*\{?E\}?(?:_\{?\s*\}?)?\s*(?:\\,)?\s*"
_OPEN, _CLOSE = r"(?:\\left)?\s*\[?\s*", r"\s*(?:\\right)?\s*\]?"
_NORM = r"(?:\\left)?\\lVert\s*(?P<{0}>.+?)\s*(?:\\right)?\\rVert\s*\^\s*\{{?2\}}?"
FRESH = ("z", "u", "q", "r")
"""Names for the parts of mean zero."""


@dataclass(frozen=True)
class SecondMoments:
    """A result without means over draws.

    Parameters
    ----------
    source : str
        The result as a statement on vectors.
    printed : mapping of str to str
        Formulas of it, each with what is printed in their place.
    note : str
        How it was read.
    """

    source: str
    printed: dict[str, str]
    note: str


def second_moments(source: str) -> SecondMoments | None:
    """A result on second moments as one on vectors; None where its words are others."""
    drawn, assumed = _DRAWN.search(source), _ASSUMED.search(source)
    if drawn is None or assumed is None or drawn["any"] is None:
        return None
    x, count, space = (drawn[name] for name in ("x", "n", "space"))
    mean = re.fullmatch(
        rf"{_E}{_OPEN}{re.escape(x)}_i{_CLOSE}\s*=\s*(?P<m>{_NAME})_i", assumed["mean"].strip()
    )
    if mean is None:
        return None
    m = mean["m"]
    bound = re.fullmatch(
        rf"{_E}{_OPEN}{_NORM.format('away')}{_CLOSE}\s*\\leq?\s*(?P<s>{_NAME})\^\{{?2\}}?",
        assumed["variance"].strip(),
    )
    if bound is None or bound["away"].replace(" ", "") != f"{x}_i-{m}_i":
        return None
    z = next(
        (one for one in FRESH if not re.search(rf"(?<![A-Za-z\\]){one}(?![A-Za-z])", source)), ""
    )
    parts = _Parts(x, m, z, count)
    rest = source[: drawn.start()] + source[drawn.end() :].replace(assumed[0], "", 1)
    rest = re.sub(rf"{_E}{_OPEN}{_NORM.format('inner')}{_CLOSE}", parts.split, rest)
    if not z or not parts.printed or re.search(rf"(?<![A-Za-z\\]){re.escape(x)}_", rest):
        return None
    lists = " and ".join(rf"${one}_1,\dots,{one}_{count} \in {space}$" for one in (m, z))
    small = rf"$\max_i \lVert {z}_i\rVert^2 \le {bound['s']}^2$"
    head = rf"Let {lists} satisfy {small}, and let ${bound['s']} \in \mathbb{{R}}$. "
    note = (
        f"{x.lstrip(chr(92))}_i is its mean and a random vector {z}_i of mean zero: squared norms "
        f"of sums of these are their second moments"
    )
    return SecondMoments(head + rest, parts.printed, note)


class _Parts:
    """Splits E|L(X)|^2 for L a sum over i, with a number before it."""

    def __init__(self, x: str, m: str, z: str, count: str) -> None:
        self.printed: dict[str, str] = {}
        self._x, self._m, self._z = x, m, z
        number = rf"(?:\\frac\s*\{{?1\}}?\s*\{{?{re.escape(count)}\}}?\s*)?"
        over = rf"\\sum\s*_\s*\{{\s*i\s*=\s*1\s*\}}\s*\^\s*\{{?\s*{re.escape(count)}\s*\}}?\s*"
        self._linear = re.compile(rf"{number}{over}{re.escape(x)}_i")

    def split(self, found: re.Match[str]) -> str:
        """The squared norm of the means beside that of the parts of mean zero."""
        inner = found["inner"].strip()
        if not self._linear.fullmatch(inner):
            return found[0]
        made = " + ".join(
            rf"\lVert {inner.replace(f'{self._x}_i', f'{one}_i')}\rVert^2"
            for one in (self._m, self._z)
        )
        self.printed[made] = " ".join(found[0].split())
        return f"{made} "
