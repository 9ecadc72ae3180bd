"""The fixture for statements in a user's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verify.catalogue.user_file import Origin, load_statements


def test_a_truth_passes_and_a_falsehood_fails(
    assert_holds: Callable[..., Any], user_file: Path
) -> None:
    known = load_statements(Origin.of(user_file))
    assert assert_holds(known.leaf("mine.mean")).verdict == "proved"
    with pytest.raises(pytest.fail.Exception, match="mine.wrong is violated"):
        assert_holds(known.leaf("mine.wrong"))
