"""Values after a number of samples, `bounds.numbers.trees`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from bounds.numbers.trees import after_samples


def test_all_sequences_are_gone_through() -> None:
    """Weights 1/3 and 2/3 of doubling and of nothing: (4/3)^T."""

    def sample(node: Any) -> Any:
        return [(Fraction(1, 3), (2 * node[0],)), (Fraction(2, 3), node)]

    for samples in range(4):
        found = after_samples((Fraction(1),), samples, lambda node: node[0], sample)
        assert found == Fraction(4, 3) ** samples


@pytest.mark.parametrize("samples", [-1, Fraction(1, 2), 2.5])
def test_no_number_of_samples_is_refused(samples: Any) -> None:
    with pytest.raises(ValueError, match="no number of samples"):
        after_samples((1,), samples, lambda node: node[0], lambda node: [(1, node)])
