"""All cases of the calibration set, by kind, and what each may come back as."""

from __future__ import annotations

from dataclasses import dataclass

from tests.qa.calibration.claims.active import ACTIVE_PAIRS
from tests.qa.calibration.claims.constants import CONSTANTS
from tests.qa.calibration.claims.existence import EXIST, MISSING
from tests.qa.calibration.claims.extreme import EXTREME
from tests.qa.calibration.claims.growth import GROWTH
from tests.qa.calibration.claims.idle import IDLE, IDLE_PAIRS
from tests.qa.calibration.claims.laws import LAWS
from tests.qa.calibration.claims.many import MANY
from tests.qa.calibration.claims.methods import METHODS
from tests.qa.calibration.claims.mixing import MIXING
from tests.qa.calibration.claims.outside import OUTSIDE
from tests.qa.calibration.claims.slips import SLIPS
from tests.qa.calibration.claims.words import EMPTY_WORDS
from tests.qa.calibration.record import Pair, Planted, Proved, falsehoods, truths
from tests.qa.calibration.textbook.proofs import PROVED
from tests.qa.calibration.textbook.witnesses import PLANTED
from verify.claim.statement import Statement

PAIRS: tuple[Pair, ...] = (
    *CONSTANTS,
    *ACTIVE_PAIRS,
    *MANY,
    *OUTSIDE,
    *IDLE_PAIRS,
    *SLIPS,
    *LAWS,
    *EXTREME,
    *METHODS,
    *GROWTH,
)

PLANTED_FALSEHOODS: tuple[Planted, ...] = (*PLANTED, *falsehoods(PAIRS))
"""Falsehoods, each with a witness."""

PROVED_TRUTHS: tuple[Proved, ...] = (*PROVED, *truths(PAIRS), *EXIST, *(t for t, _ in IDLE))
"""Truths, each with its proof."""

MISTAKES: dict[str, tuple[str, ...]] = {
    "falsehood": ("holds", "proved", "vacuous"),
    "truth": ("violated", "vacuous"),
    "missing": ("holds", "proved", "vacuous"),
    "words": ("holds", "violated"),
    "mixing": ("holds", "proved", "violated"),
}
"""Verdicts that are wrong, by what a claim is.

A planted falsehood is never vacuous, since its witness meets every hypothesis.
"""

REFUSABLE = ("mixing", "words")
"""What may be refused at the door: no claim at all, or one that says nothing."""


@dataclass(frozen=True)
class Case:
    """One claim, what it is, and the term that it can do without."""

    kind: str
    role: str
    statement: Statement
    idle: str = ""

    def mistaken(self, word: str) -> bool:
        """Whether a verdict is wrong."""
        refused = word == "refused" and self.role not in REFUSABLE
        return refused or word in MISTAKES[self.role]


CASES: tuple[Case, ...] = (
    *(Case("textbook", "falsehood", f.statement) for f in PLANTED),
    *(Case("textbook", "truth", t.statement) for t in PROVED),
    *(Case(p.kind, "falsehood", p.falsehood.statement) for p in PAIRS),
    *(Case(p.kind, "truth", p.truth.statement) for p in PAIRS),
    *(Case("existence", "truth", t.statement) for t in EXIST),
    *(Case("padded", "truth", t.statement, idle) for t, idle in IDLE),
    *(Case("existence", "missing", m.statement) for m in MISSING),
    *(Case("words", "words", w.statement) for w in EMPTY_WORDS),
    *(Case("mixing", "mixing", s) for s in MIXING),
)
