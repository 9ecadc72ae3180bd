"""Values at the end of a number of samples, each of which has several outcomes.

A node is what has been seen so far, as some numbers; each sample leads from it to one of several
others. In numbers all sequences of outcomes are gone through. Where the number of samples is a
symbol the value is one too, and whoever reads the program is told of what (`told`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from bounds.numbers.symbolic import NotReadable, Symbolic

__all__ = ["SampleTree", "after_samples", "told"]

Node = tuple[Any, ...]
End = Callable[[Node], Any]
Outcomes = Callable[[Node], Sequence[tuple[Any, Node]]]


@dataclass(frozen=True)
class SampleTree:
    """A value after samples: of a node, by what a sample makes of one.

    Attributes
    ----------
    root : tuple
        Where nothing has been seen.
    end : callable
        The value of a node.
    outcomes : callable
        Of a node: the weight and the node of each outcome of one sample.
    """

    root: Node
    end: End
    outcomes: Outcomes


_TOLD: ContextVar[list[SampleTree] | None] = ContextVar("trees", default=None)


@contextmanager
def told() -> Iterator[list[SampleTree]]:
    """The trees whose value was asked for after a number of samples that is a symbol."""
    found: list[SampleTree] = []
    token = _TOLD.set(found)
    try:
        yield found
    finally:
        _TOLD.reset(token)


def after_samples(root: Node, samples: Any, end: End, outcomes: Outcomes) -> Any:
    """The sum over all sequences of outcomes: the product of their weights, times the last value.

    Parameters
    ----------
    root : tuple of arrays
    samples : int
    end, outcomes : callable
        As in `SampleTree`.

    Raises
    ------
    ValueError
        Where the number of samples is none.

    Examples
    --------
    >>> after_samples((1,), 3, lambda node: node[0], lambda node: [(2, node), (1, (2 * node[0],))])
    64
    """
    if isinstance(samples, Symbolic):
        import sympy

        known = _TOLD.get()
        if known is None:
            raise NotReadable("a value after a number of samples that is left open")
        known.append(SampleTree(root, end, outcomes))
        value = Symbolic(sympy.Symbol(f"after_samples_{len(known)}", real=True))
        return 0 * sum(root[1:], start=root[0]) + value
    if samples == 0:
        return end(root)
    if samples != int(samples) or samples < 0:
        raise ValueError(f"{samples} is no number of samples")
    found = [
        weight * after_samples(node, samples - 1, end, outcomes) for weight, node in outcomes(root)
    ]
    return sum(found[1:], start=found[0])
