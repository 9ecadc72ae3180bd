"""Records without sides: a definition describes, a claim that lacks something does not."""

from __future__ import annotations

from verify.catalogue.library import describes
from verify.claim.statement import described, open_claim


def test_a_definition_has_nothing_to_decide() -> None:
    made = described("mine.rho", "definition", "eq. 8", r"\rho", "skew")
    assert made.key == "mine.rho"
    assert (made.source.paper, made.source.where) == ("mine", "eq. 8")
    assert describes(made)


def test_an_open_claim_says_what_is_missing() -> None:
    made = open_claim("mine.fast", "claim", "Section 3", "T", "speed", "the constant")
    assert made.missing == "the constant"
    assert made.sides is None
    assert not describes(made)
