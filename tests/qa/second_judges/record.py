"""The record of a second judge: one accusation, judged from the paper's words alone.

Whoever writes one decides what is claimed from the sheet and the text of the paper, before reading
the statement of the package, and computes in fractions, without code of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Judge"]


@dataclass(frozen=True)
class Judge:
    """One accusation, judged a second time.

    Parameters
    ----------
    key : str
        Leaf that is violated.
    words : str
        What is claimed, with its place.
    breaks : callable
        Content of the witness file -> whether it meets every hypothesis, printed and definitional,
        and the claim fails in the printed sign.
    """

    key: str
    words: str
    breaks: Callable[[Mapping[str, Any]], bool]
