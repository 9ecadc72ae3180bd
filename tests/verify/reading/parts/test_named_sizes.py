"""Numbers that a program has are heard, wherever it has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from verify.reading.parts.named_sizes import NamedSizes

LATE = 41


def _in_closure() -> Callable[[int], Any]:
    late = 41
    return lambda n: n > late


def _told(n: int, late: int) -> bool:
    return n > late


@pytest.mark.every_point
@pytest.mark.parametrize(
    "asks",
    [
        lambda n: n > 41,
        lambda n: n > 40.5,
        lambda n: n > LATE,
        lambda n: n in {41, 43},
        lambda n: {41: 1}.get(n),
        lambda n, late=41: n > late,
        lambda n: [*range(n)][:41],
        _in_closure(),
        partial(_told, late=41),
    ],
)
def test_a_number_is_heard(asks: Callable[[int], Any]) -> None:
    named = NamedSizes()
    for n in (2, 3):
        with named.listening():
            asks(n)
    assert 41 in named.found


def test_sizes_that_differ_from_run_to_run_are_none_of_the_program() -> None:
    named = NamedSizes()
    for n in (17, 18):
        with named.listening():
            _told(n, 41)
    assert {17, 18}.isdisjoint(named.found)
