"""Walks towards a minimum that are other than the table of notation says: runs refuse the proof."""

from fractions import Fraction

import pytest

from verify.outlines.proved import document_of
from verify.proof.outline import NoProof
from verify.statements.allforall import walks
from verify.statements.allforall.proofs.theorem4_1 import bound_blocks
from verify.statements.allforall.theorem4_1 import blocks

ROUNDED_UP = blocks.leaf("some-step", "rounded-up")


class Longer(walks.Walk):
    """A walk of longer steps than it says."""

    def __init__(self, share, start, step, awake, rounds):
        super().__init__(share, start, 2 * step, awake, rounds)


class Weaker(walks.Walk):
    """A walk towards the minimum less often than it says."""

    def __init__(self, share, start, step, awake, rounds):
        super().__init__(share / 2, start, step, awake, rounds)


class Farther(walks.Walk):
    """A walk that tells of larger distances."""

    def __init__(self, share, start, step, awake, rounds):
        super().__init__(share, start, step, awake, rounds)
        self.distances = [2 * d for d in self.distances]


def walking(make):
    return ROUNDED_UP.variant("walks.claim", defines={"walk": lambda _: make})


@pytest.mark.parametrize("make", [Longer, Weaker, Farther])
def test_walks_must_be_what_is_known_of_them(make):
    claim = walking(make)
    bound_blocks(claim, "some-step", "rounded-up")
    with pytest.raises(NoProof, match="mean .*is false"):
        document_of(claim)


@pytest.mark.parametrize(("share", "holds"), [(Fraction(3, 5), True), (Fraction(2, 5), False)])
def test_a_smaller_right_side_is_proved_as_far_as_the_recursion_goes(share, holds):
    def sides(w):
        one, other = ROUNDED_UP.sides(w)
        return one, {"less": share * other["precision"]}

    claim = ROUNDED_UP.variant("walks.claim", sides=sides)
    bound_blocks(claim, "some-step", "rounded-up", most="eps/2")
    if holds:
        assert document_of(claim)
    else:
        with pytest.raises(NoProof):
            document_of(claim)
