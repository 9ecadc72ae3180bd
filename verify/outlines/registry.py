"""Which outline proves which statement: written beside it, in a module or file of the author's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verify.claim.statement import Statement
from verify.outlines.plain import plain_setting
from verify.outlines.setting import OutlineSetting
from verify.terms.claims import as_terms

if TYPE_CHECKING:
    from verify.proof.outline import Outline

__all__ = ["Registered", "proof_of", "proved_by", "registered"]

Steps = Callable[..., Any]

_KNOWN: dict[str, list[Registered]] = {}


@dataclass(frozen=True)
class Registered:
    """An outline as its author registers it.

    Attributes
    ----------
    statement : Statement
        As it was written.
    setting : OutlineSetting
        The notation in which its terms are said, and what may be used of its runs.
    steps : callable
        Adds facts and steps to an outline that has the notation and the claim already.
    """

    statement: Statement
    setting: OutlineSetting
    steps: Steps
    whole: bool = False
    """Whether `steps` takes nothing and gives an outline with notation and claim of its own."""


def proof_of(
    statement: Statement, setting: OutlineSetting | None = None
) -> Callable[[Steps], Steps]:
    """Decorator: the outline of a statement.

    Parameters
    ----------
    statement : Statement
    setting : OutlineSetting, optional
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
        _keep(made)
        return steps

    return kept


def proved_by(
    statement: Statement, setting: OutlineSetting, outline: Callable[[], Outline]
) -> Registered:
    """Let an outline that stands by itself be the one of a statement.

    Parameters
    ----------
    statement : Statement
    setting : OutlineSetting
    outline : callable
        Its names must be those of the setting, and its claim what the statement says.
    """
    made = Registered(statement, setting, outline, whole=True)
    _keep(made)
    return made


def _keep(made: Registered) -> None:
    key = made.statement.key
    _KNOWN[key] = [*(x for x in _KNOWN.get(key, []) if x.statement is not made.statement), made]


def registered(statement: Statement) -> Registered | None:
    """The outline of this very statement; None where it has none."""
    for one in _KNOWN.get(statement.key, []):
        if one.statement is statement or as_terms(one.statement) is statement:
            return one
    return None
