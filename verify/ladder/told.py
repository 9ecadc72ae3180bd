"""What a ledger tells of a claim that falls, in words and measured again from its record."""

from __future__ import annotations

from verify.ladder.repair.again import (
    contradictions_of_law,
    contradictions_of_mend,
    measured_again,
    right_sides,
)
from verify.ladder.repair.alone.words import law_text

__all__ = [
    "contradictions_of_law",
    "contradictions_of_mend",
    "law_text",
    "measured_again",
    "right_sides",
]
