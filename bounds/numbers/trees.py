"""Values at the end of a number of samples, each of which has several outcomes.

A node is what has been seen so far, as some numbers; each sample leads from it to one of several
others.  All sequences of outcomes are gone through.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["after_samples"]

Node = tuple[Any, ...]
End = Callable[[Node], Any]
Outcomes = Callable[[Node], Sequence[tuple[Any, Node]]]


def after_samples(root: Node, samples: int, end: End, outcomes: Outcomes) -> Any:
    """The sum over all sequences of outcomes: the product of their weights, times the last value.

    Parameters
    ----------
    root : tuple of arrays
        Where nothing has been seen.
    samples : int
    end : callable
        The value of a node.
    outcomes : callable
        Of a node: the weight and the node of each outcome of one sample.

    Raises
    ------
    ValueError
        Where the number of samples is none.

    Examples
    --------
    >>> after_samples((1,), 3, lambda node: node[0], lambda node: [(2, node), (1, (2 * node[0],))])
    64
    """
    if samples == 0:
        return end(root)
    if samples != int(samples) or samples < 0:
        raise ValueError(f"{samples} is no number of samples")
    found = [
        weight * after_samples(node, samples - 1, end, outcomes) for weight, node in outcomes(root)
    ]
    return sum(found[1:], start=found[0])
