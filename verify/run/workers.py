"""Processes for the leaves of a run: joblib workers, or children that can be stopped.

Each process computes with one thread, so that a leaf's numbers do not depend on how many run.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, TypeVar

from algorithms.sweeps.pool import Workers, spread
from verify.catalogue.code_digest import JUDGING
from verify.limits.clock import unhindered
from verify.limits.foreign import LIMITS, CodeFailed, code_of_others

Task = TypeVar("Task")
Result = TypeVar("Result")

START_SECONDS = 300.0
"""Patience with a child that is still importing; its time limit starts afterwards."""

COLLECTED = (50_000, 20, 50)
"""How rarely a worker looks for cycles: a leaf makes many objects and few cycles."""

PRELOADED = ("verify.ladder.leaf", "verify.run.tasks", "verify.certify.prover.prove")
"""What children have imported when they begin."""

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def one_thread() -> None:
    """Keep numerical libraries of this process, and of those it starts, to one thread."""
    for name in _THREADS:
        os.environ[name] = "1"
    torch = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() != 1:
        torch.set_num_threads(1)


def execute(
    tasks: Iterable[Task],
    work: Callable[[Task], Result],
    *,
    jobs: int,
    limit: float | None = None,
    stopped: Callable[[Task, str, list[Any]], Result] | None = None,
    scheduler: str | None = None,
) -> Generator[Result, None, None]:
    """Do the work for every task and yield the results as they come.

    Parameters
    ----------
    tasks : iterable
        Picklable.
    work : callable
        A module-level function.
    jobs : int
        Processes; one job without a time limit runs in this process.
    limit : float, optional
        Seconds per task. Each task then has a child of its own, which is killed at the limit.
    stopped : callable, optional
        Makes the result of a task that was killed or died, from the task, the reason and what it
        had reported.
    scheduler : str, optional
        Address of a dask scheduler whose workers do the tasks, without a time limit.
    """
    one_thread()
    tasks = list(tasks)
    if not tasks:
        return
    if limit is None and jobs == 1 and scheduler is None:
        yield from map(work, tasks)
    elif limit is None:
        pool = Workers(jobs, scheduler, JUDGING)
        with contextlib.closing(spread(partial(_quietly, work), tasks, pool)) as results:
            yield from results
    else:
        family = _Family(limit, stopped)
        with contextlib.closing(family):
            # threads only wait, each for a child of its own
            yield from _in_threads(partial(family.run, work), tasks, jobs)


class _Family:
    """Children with a time limit; all of them can be killed at once."""

    def __init__(self, limit: float, stopped: Callable[[Any, str, list[Any]], Any] | None) -> None:
        self.limit = limit
        self.stopped = stopped
        self.children: set[BaseProcess] = set()
        self.closed = False
        self.lock = threading.Lock()

    def run(self, work: Callable[[Any], Any], task: Any) -> Any:
        """Run one task in a child and wait for it."""
        with self.lock:
            if self.closed:
                return None
            child, here = begun(work, task)
            self.children.add(child)
        try:
            answer, reason, reports = _listen(here, self.limit, child)
        finally:
            child.kill()
            child.join()
            self.children.discard(child)
            here.close()
        if answer is not None:
            good, value = answer
            if good:
                return value
            raise value
        if self.stopped is None:
            raise RuntimeError(reason)
        reason = reason or f"the worker died (exit code {child.exitcode})"
        return self.stopped(task, reason, reports)

    def close(self) -> None:
        """Kill every child and start no more."""
        with self.lock:
            self.closed = True
            for child in list(self.children):
                child.kill()


def _in_threads(
    call: Callable[[Any], Any], tasks: Iterable[Any], jobs: int
) -> Generator[Any, None, None]:
    from joblib import Parallel, delayed

    # one task at a time: a batch would hold back its first results until its last
    parallel = Parallel(
        n_jobs=jobs, backend="threading", batch_size=1, return_as="generator_unordered"
    )
    with contextlib.closing(parallel(delayed(call)(task) for task in tasks)) as results:
        yield from results


def report(item: Any) -> None:
    """Hand over what is done of a task, so that it is kept if the rest is stopped."""
    if _SEND is not None:
        _SEND(("part", item))


def listened() -> bool:
    """Whether somebody keeps what is reported."""
    return _SEND is not None


_SEND: Callable[[Any], None] | None = None


def _listen(
    pipe: Connection, limit: float, child: BaseProcess
) -> tuple[tuple[bool, Any] | None, str, list[Any]]:
    """Answer of a child, or why there is none (empty if it died), and what it reported before.

    Between two messages it has so many seconds, but for those in which it waits for a processor.
    """
    reports: list[Any] = []
    try:
        if not pipe.poll(START_SECONDS):
            return None, "the worker did not start", reports
        pipe.recv()
        begin = _now(child)
        while (now := _now(child)) is None or begin is None or now < begin + limit:
            # of a child that has ended all messages are there, and then the end of the pipe
            if not pipe.poll(None if now is None or begin is None else begin + limit - now):
                continue
            kind, value = pipe.recv()
            if kind != "part":
                return (kind == "done", value), "", reports
            reports.append(value)
            begin = _now(child)
        return None, f"time limit: stopped after {limit:g} s", reports
    except (EOFError, OSError):
        return None, "", reports


def begun(work: Callable[[Any], Any], task: Any) -> tuple[BaseProcess, Connection]:
    """Start one task in a child of its own.

    Parameters
    ----------
    work : callable
        A module-level function.
    task : object
        Picklable.

    Returns
    -------
    tuple
        The child, which is the caller's to kill and to join, and a pipe from which messages come:
        ``"ready"`` once it has its imports, then pairs ``("part", item)`` of what it reports, and
        ``("done", value)`` or ``("failed", error)`` in the end.
    """
    context = _context()
    here, there = context.Pipe()
    child = context.Process(target=_child, args=(there, work, task), daemon=True)
    child.start()
    there.close()
    return child, here


def _now(child: BaseProcess) -> float | None:
    """Time of a child, see `unhindered`; None once it has ended."""
    try:
        return unhindered(child.pid or 0)
    except OSError:
        return None


def _child(pipe: Connection, work: Callable[[Any], Any], task: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from verify.ladder import assay  # noqa: F401  (imports are not charged to the task)

    one_thread()
    pipe.send("ready")
    global _SEND
    _SEND = pipe.send
    try:
        with code_of_others(exits=True):
            message = ("done", work(task))
    except CodeFailed as failed:
        message = ("failed", failed.met)
    except LIMITS as error:
        message = ("failed", error)
    pipe.send_bytes(_packed(message))
    pipe.close()


def _packed(message: tuple[str, Any]) -> Any:
    """A message as a pipe sends it, or one that says why it cannot be sent."""
    try:
        with code_of_others():  # what is pickled may be anybody's, and so may what it raises
            return ForkingPickler.dumps(message)
    except CodeFailed as failed:
        reason = RuntimeError(f"the answer cannot be sent: {failed.met}")
        return ForkingPickler.dumps(("failed", reason))


def _quietly(work: Callable[[Any], Any], task: Any) -> Any:
    """Leave Ctrl-C to the parent, which stops its workers."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    one_thread()
    gc.set_threshold(*COLLECTED)
    return work(task)


def make_ready(more: Sequence[str] = ()) -> None:
    """Begin with what children need, which goes on beside what this process does meanwhile.

    Parameters
    ----------
    more : sequence of str
        Further modules that they have when they begin, if no child of this process was made yet.
    """
    _context(more)


def _context(more: Sequence[str] = ()) -> Any:
    """Children are forked from a clean server that has the imports, or spawned without one."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*PRELOADED, *more])
    with _safe_path():
        forkserver.ensure_running()
    return context


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    """Processes started inside do not look for modules where the command runs.

    A server of forks would otherwise take a user's bounds.py there for ours.
    """
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
