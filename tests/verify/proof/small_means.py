"""A small outline for weights that may depend on the past, their squares known in the mean."""

from fractions import Fraction as Q

from tests.verify.proof.instances import fixed, still
from verify.proof.bridge import ExactRun
from verify.proof.outline import Outline


def weights_in_the_mean():
    """Two clients with the gradients 2 and 1, and weights 1/2 and 18/25."""
    o = Outline("a sum with weights that make the gaps to one client cancel, in the mean")
    o.numbers("positive", "A", "u")
    o.vectors("own", "told", known="0")
    o.fact("gaps", "weighted gaps in the mean", own="own", sum="told", squares="u")
    o.fact("sum", "weighted sum in the mean", sum="told", squares="u", at_most="A")
    said = "own**2 + told**2/A <= 2*own*told"
    o.step("product", said, "gaps; sum times 1/A")
    o.claim(said)
    world = ExactRun(
        [Q(1)],
        weights=[Q(1, 2)] * 2,
        numbers=fixed({"A": Q(61, 50), "u": Q(68, 25)}),
        vectors={"own": still(2), "told": still(Q(43, 25))},
    )
    return o, world, {}
