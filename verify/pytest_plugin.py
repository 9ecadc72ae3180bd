"""pytest fixture for statements: ``assert_holds(statement)`` in an ordinary test.

Name it in the root conftest: ``pytest_plugins = ["verify.pytest_plugin"]``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from verify.claim.statement import Statement

GOOD = ("proved", "holds")


@pytest.fixture(scope="session")
def assert_holds() -> Callable[..., Any]:
    """Callable that puts a statement to the test and fails with verdict, reason and witness."""

    def check(statement: Statement, profile: str = "quick", seed: int = 0) -> Any:
        from verify.ladder.assay import PROFILES, assay

        leaf = assay(statement, profile=PROFILES[profile], seed=seed)
        if leaf.verdict not in GOOD:
            witness = f"\nwitness: {leaf.witness['instance']}" if leaf.witness else ""
            pytest.fail(f"{leaf.id} is {leaf.verdict}: {leaf.reason}{witness}", pytrace=False)
        return leaf

    return check
