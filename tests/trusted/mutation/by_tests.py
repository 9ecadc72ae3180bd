"""Judge changed modules by their tests, all in one session of pytest that has collected them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest

__all__ = ["Session", "session"]


class Session:
    """Tests that were collected; each can be run at any time, also in a fork."""

    def __init__(self, work: Callable[[Session], int]) -> None:
        self.work = work
        self.status = 1
        self.items: dict[str, pytest.Item] = {}
        self.failed = False
        self.seconds: dict[str, float] = {}

    def pytest_collection(self) -> None:
        """Examples are the same each time, and nobody reads the smallest one."""
        from hypothesis import Phase, settings  # pytest wants to see it imported

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("changed", deadline=None, derandomize=True, phases=phases)
        settings.load_profile("changed")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the work instead of running all tests once."""
        if session.testsfailed:
            raise session.Interrupted("not every test could be collected")
        self.items = {item.nodeid: item for item in session.items}
        self.status = self.work(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear of every failure."""
        self.failed |= report.failed

    def fails(self, name: str) -> bool:
        """Whether a test fails."""
        self.failed = False
        item = self.items[name]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return self.failed

    def said(self, names: Sequence[str]) -> str:
        """The first test that fails; empty if none does."""
        return next((name for name in names if self.fails(name)), "")

    def questions(self, module: ModuleType, files: Sequence[str]) -> dict[str, set[int]]:
        """Tests of these files with the lines of the module that each takes, quick ones first."""
        found: dict[str, set[int]] = {}
        for name in self.items:
            if not name.startswith(tuple(files)):
                continue
            seen: set[int] = set()
            code, start = module.__file__, time.perf_counter()

            def line(frame: Any, event: str, _: Any, seen: set[int] = seen) -> Any:
                if event == "line":
                    seen.add(frame.f_lineno)
                return line

            def call(frame: Any, *_: Any, line: Any = line, code: Any = code) -> Any:
                return line if frame.f_code.co_filename == code else None

            sys.settrace(call)
            wrong = self.fails(name)
            sys.settrace(None)
            if wrong:
                raise RuntimeError(f"{name} fails on the file as it is: mend it first")
            found[name], self.seconds[name] = seen, time.perf_counter() - start
        return dict(sorted(found.items(), key=lambda pair: self.seconds[pair[0]]))


def session(files: Sequence[str], work: Callable[[Session], int]) -> int:
    """Collect tests and do the work with them; its status."""
    os.environ.setdefault("CI", "1")
    own = Session(work)
    plain = ["-o", "addopts=", "--import-mode=importlib", "--capture=sys", "-m", "not slow"]
    without = [
        w for n in ("terminal", "xdist", "cacheprovider", "faulthandler") for w in ("-p", f"no:{n}")
    ]
    status = pytest.main([*plain, *without, *files], plugins=[own])
    return own.status if status in (0, 5) else int(status)
