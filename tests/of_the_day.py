"""A few of the slow tests, others each day: ``python -m tests.of_the_day [2026-11-28]``.

Of the files that have slow tests a day draws some, and of the slow tests of each a share, so that
each has its turn within some months.  They run until one fails, or until their time is over: what
is not done by then is left to another day, and only what has failed counts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

FILES = 8
"""Files that a day draws, of some sixty."""
SHARE = 6
"""Of the slow tests of a drawn file one in so many is run, at least one."""
SECONDS = 120
"""Of computing by the clock, after which nothing is waited for."""
DAY, FAILED = "FEDASSAY_DAY", "FEDASSAY_DAY_FAILED"
"""Variables by which `main` tells the plugin the day, and a file to make where a test fails."""
ROOT = Path(__file__).parents[1]


def place(day: str, name: str) -> str:
    """What a day sorts by: as good as drawn, and the same on every machine."""
    return sha256(f"{day} {name}".encode()).hexdigest()


def files_of(day: str, root: Path) -> list[str]:
    """Files with slow tests that a day draws."""
    texts = {p: p.read_text("utf-8") for p in (root / "tests").rglob("test_*.py")}
    able = [p.relative_to(root).as_posix() for p, t in texts.items() if _has_slow(t)]
    return sorted(able, key=lambda name: place(day, name))[:FILES]


def _has_slow(text: str) -> bool:
    return any(sign in text for sign in ("mark.slow", "mark.every(", "every="))


def share_of(day: str, names: list[str]) -> set[str]:
    """Of the tests of each file the day's share."""
    by_file = defaultdict[str, list[str]](list)
    for name in names:
        by_file[name.partition("::")[0]].append(name)
    chosen = set[str]()
    for each in by_file.values():
        chosen.update(sorted(each, key=lambda name: place(day, name))[: -(-len(each) // SHARE)])
    return chosen


@pytest.hookimpl(trylast=True)  # after what is not slow has gone
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the day; pytest asks this of the plugin that `main` names."""
    chosen = share_of(os.environ[DAY], [item.nodeid for item in items])
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = [item for item in items if item.nodeid in chosen]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember a failure at once: the time may be over before pytest ends."""
    if report.failed:
        Path(os.environ[FAILED]).touch()


def pytest_report_header() -> str:
    return f"slow tests of {os.environ[DAY]}: python -m tests.of_the_day {os.environ[DAY]}"


def main(day: str, root: Path = ROOT, seconds: float = SECONDS, *more: str) -> int:
    """Run them; the exit status is 0 unless one fails within the time."""
    files = files_of(day, root)
    print(f"slow tests of {day}: some of", *files, sep="\n  ", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "slow", "--dist=load"]
    with TemporaryDirectory() as folder:
        failed = Path(folder) / "failed"
        told = {DAY: day, FAILED: str(failed), "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            [*command, "-p", "tests.of_the_day", *more, *files],
            cwd=root,
            env={**os.environ, **told},
            start_new_session=True,
        ) as running:
            try:
                status = running.wait(seconds)
            except subprocess.TimeoutExpired:
                print(f"{seconds:g} s are over: the rest is left to another day", flush=True)
                return int(failed.exists())
            finally:
                if running.poll() is None:
                    os.killpg(running.pid, signal.SIGKILL)  # its workers too
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else datetime.now(UTC).date().isoformat()))
