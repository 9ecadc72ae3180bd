"""Fixtures of more than one folder, and the switch of `tests/other_order.py`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.patience import HANGS

# a file of statements may load slowly on a busy machine; tests of that limit set their own
os.environ.setdefault("FEDASSAY_LOAD_SECONDS", f"{HANGS:g}")


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


@pytest.hookimpl(tryfirst=True)  # before pytest looks at what is slow
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test with the mark `every` each so many cases stay, the others become slow."""
    seen = Counter[str]()
    for item in items:
        mark = item.get_closest_marker("every")
        if mark is None:
            continue
        test = item.nodeid.partition("[")[0]
        if seen[test] % mark.args[0]:
            item.add_marker("slow")
        seen[test] += 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Each test, with its fixtures, under float sums in the order that the environment asks for."""
    if not os.environ.get("FEDASSAY_SUMS") or item.get_closest_marker("two_processes"):
        return (yield)
    from tests.other_order import sums  # loads torch

    with sums():
        return (yield)
