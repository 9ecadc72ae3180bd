"""Readings of random products are what they are on exact runs."""

from random import Random

import pytest

from tests.verify.proof import instances
from tests.verify.proof.outlines import OUTLINES
from verify.certify.checker import Refused
from verify.proof.bridge import evaluated
from verify.proof.checker import opened

PARTS = {
    "scaffold_one_round": [
        "x[0]",
        "x[1]",
        "star",
        "c[0]",
        "n[0]",
        "avg(c[0])",
        "grad(f, x[0])",
        "grad(F, x[0])",
        "drawn(D[0], c[0] + n[0])",
        "drawn(D[0], grad(f, x[0]))",
        "avg(n[0])",
        "grad(f, star)",
    ],
    "local_sgd_identical_clients": [
        "x[0]",
        "x[1]",
        "w[0, 0]",
        "w[0, 1]",
        "w[0, 2]",
        "n[0, 0]",
        "n[0, 1]",
        "avg(w[0, 1])",
        "grad(F, w[0, 1])",
        "grad(F, avg(w[0, 1]))",
        "grad(F, star)",
        "star",
    ],
    "gradient_tracking": [
        "x[0]",
        "x[1]",
        "y[0]",
        "y[1]",
        "mix(W, x[0])",
        "avg(y[1])",
        "mix(W, mix(W, y[0]))",
        "grad(f, x[1])",
        "grad(F, avg(x[1]))",
    ],
}


def combination(random, parts):
    chosen = random.sample(parts, random.randint(1, 3))
    return " + ".join(f"({random.randint(-3, 3)})*({p})" for p in chosen)


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("seed", range(3))
def test_products_are_read_as_they_are(name, seed):
    random = Random(seed)
    document = OUTLINES[name]().document
    world, _ = list(getattr(instances, name)())[seed % 2]
    outlined = opened(document)
    world.knows(document)
    read = 0
    for _ in range(12):
        one, other = (combination(random, PARTS[name]) for _ in range(2))
        try:
            value = outlined.reader.scalar(f"({one})*({other})")
        except Refused:
            continue
        read += 1
        exact = world.inner(world.vector(one), world.vector(other))
        assert evaluated(outlined.reader, world, value) == exact, (one, other)
    assert read > 6
