r"""A place of a paper, where records that stand there begin.

Statements of one section share kind and place.  A record is then written in two steps, so that its
first line says which statement it is, and what follows what it says::

    PROOF = Passage("proof step", "proof of Lemma 1")

    @PROOF("mine.mean", "product and square")(latex=r"4xy \le (x+y)^2", family=NUMBERS)
    def mean(w):
        return {"product": 4 * w.x * w.y}, {"square": (w.x + w.y) ** 2}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from verify.claim.hypothesis import Hypothesis, hypothesis
from verify.claim.readings import Readings
from verify.claim.statement import Rule, Statement, open_claim, statement

__all__ = ["Passage", "like"]

Made = Callable[..., Callable[[Rule], Statement]]
"""Takes the other fields of a record, gives the decorator of its sides."""
Read = Callable[..., Callable[[Callable[..., Any]], Readings]]


@dataclass(frozen=True)
class Passage:
    """What stands where in a paper.

    Parameters
    ----------
    kind : str
        Of the statements there: theorem, lemma, proof step, ...
    where : str
        The place.
    """

    kind: str
    where: str

    def __call__(self, key: str, title: str, **more: Any) -> Made:
        """Begin a statement; what is named here or in the second step are its fields."""
        return cast(Made, partial(statement, key, **self.head(title), **more))

    def read(self, key: str, title: str, *axes: str, **more: Any) -> Read:
        """Begin a statement with a leaf for each reading along some axes."""
        return cast(Read, partial(statement, key, readings=axes, **self.head(title), **more))

    def like(self, other: Statement, key: str, title: str, **more: Any) -> Made:
        """Begin a statement in the setting of another one, see :meth:`Statement.like`."""
        return partial(other.like, key, **self.head(title), **more)

    def open(self, key: str, title: str) -> Callable[[str, str], Statement]:
        """Begin a claim that cannot be checked, to be given its TeX and what is missing."""
        return lambda latex, missing: open_claim(key, self.kind, self.where, latex, title, missing)

    def assumes(
        self, name: str, latex: str, *, strict: bool = False
    ) -> Callable[[Callable[..., Any]], Hypothesis]:
        """Decorator: a hypothesis that is printed there."""
        return hypothesis(name, latex, where=self.where, strict=strict)

    def head(self, title: str) -> dict[str, Any]:
        """Kind, place and title as fields of a record."""
        return {"kind": self.kind, "where": self.where, "title": title}


def like(other: Statement, key: str, title: str, **more: Any) -> Made:
    """Begin a statement in the setting and at the place of another one."""
    return partial(other.like, key, title=title, **more)
