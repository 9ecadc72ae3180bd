"""Fixtures of more than one folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Scheduler of two workers with one thread each."""
    distributed = pytest.importorskip("distributed", reason="needs fedassay[cluster]")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=None,
        protocol="tcp://",
    ) as made:
        yield made.scheduler_address
