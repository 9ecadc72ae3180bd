"""Which outline proves which statement: written beside it, in a module or file of the author's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verify.claim.statement import Statement
from verify.outlines.plain import plain_setting
from verify.outlines.setting import Setting
from verify.terms.claims import as_terms

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

__all__ = ["Registered", "proof_of", "registered"]

Steps = Callable[["StatementOutline"], Any]

_KNOWN: dict[str, list[Registered]] = {}


@dataclass(frozen=True)
class Registered:
    """An outline as its author registers it.

    Attributes
    ----------
    statement : Statement
        As it was written.
    setting : Setting
        The notation in which its terms are said, and what may be used of its runs.
    steps : callable
        Adds facts and steps to an outline that has the notation and the claim already.
    """

    statement: Statement
    setting: Setting
    steps: Steps


def proof_of(statement: Statement, setting: Setting | None = None) -> Callable[[Steps], Steps]:
    """Decorator: the outline of a statement.

    Parameters
    ----------
    statement : Statement
    setting : Setting, optional
        Without one the statement is about numbers alone: its parameters, by their own names.

    Examples
    --------
    >>> from verify import Real, numbers, proof_of, statement
    >>> box = {"a": Real(-1, 1), "b": Real(-1, 1)}
    >>> @statement("my.mean", where="here", latex="2ab <= a^2 + b^2", family=numbers(box))
    ... def mean(w):
    ...     return {"2ab": 2 * w.a * w.b}, {"squares": w.a**2 + w.b**2}
    >>> @proof_of(mean)
    ... def square(o):
    ...     o.step("square", f"{o.left} <= {o.right}")
    >>> from verify.outlines.proved import document_of
    >>> document_of(mean)["claim"]["left"]
    '2*a*b'
    """

    def kept(steps: Steps) -> Steps:
        made = Registered(statement, setting or plain_setting(statement), steps)
        same = [one for one in _KNOWN.get(statement.key, []) if one.statement is not statement]
        _KNOWN[statement.key] = [*same, made]
        return steps

    return kept


def registered(statement: Statement) -> Registered | None:
    """The outline of this very statement; None where it has none."""
    for one in _KNOWN.get(statement.key, []):
        if one.statement is statement or as_terms(one.statement) is statement:
            return one
    return None
