"""allforall.theorem6b.explicit: weighted gradient averaging with the step that knows K."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.allforall.outlines import horizon as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "allforall.theorem6b.explicit"
MEANS = of.MEANS
LOOSE = of.LOOSE


def theorem6b_explicit() -> Outline:
    """The horizon bound with 1 + ln, for any relaxation m and any biases."""
    return of.horizon("Theorem 6.b of allforall, explicit")
