"""Where the tasks of a sweep run: in this process, in several, or on a dask cluster.

A task is a module-level function and one picklable argument.  Nothing that it computes depends on
where it runs: noise is addressed, and every process computes with one thread.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import bounds
from algorithms.engine.kernels import kernels
from bounds.numbers.validate import InvalidInput, require

__all__ = ["Workers", "source_digest", "spread"]

Task = TypeVar("Task")
Result = TypeVar("Result")

PACKAGES = ("bounds", "synthetic", "algorithms")
"""Code that a number of a run depends on."""

PATIENCE = 10.0
"""Seconds within which a scheduler must answer."""

GROWN = 2**33
"""Bytes that a process of ours may grow by. Joblib ends one that has grown by 300 MB, as what has
been learnt and is kept easily takes, and where the thread that makes its successor is gone the
results are waited for without end."""


@dataclass(frozen=True)
class Workers:
    """Where tasks run.

    Parameters
    ----------
    jobs : int
        Processes of this machine; one is this process. Not used on a cluster.
    scheduler : str or None
        Address of a dask scheduler, ``tcp://HOST:PORT``; its workers must have this package, and
        one thread each.
    packages : tuple of str
        Packages whose code must be the same on every worker of a cluster.
    """

    jobs: int = 1
    scheduler: str | None = None
    packages: tuple[str, ...] = PACKAGES


def spread(
    work: Callable[[Task], Result], tasks: Iterable[Task], pool: Workers
) -> Generator[Result, None, None]:
    """Do the work for every task and yield the results as they come.

    Parameters
    ----------
    work : callable
        A module-level function.
    tasks : iterable
        Picklable.
    pool : Pool

    Raises
    ------
    InvalidInput
        If the cluster cannot be reached, has no worker, or runs other code.
    """
    known = list(tasks)
    if pool.scheduler is not None:
        yield from _on_cluster(work, known, pool)
    elif pool.jobs <= 1 or not known:
        yield from map(work, known)
    else:
        yield from _in_processes(work, known, pool.jobs)


@cache
def source_digest(packages: Sequence[str] = PACKAGES) -> str:
    """SHA-256 over the names and contents of every Python file of these packages of ours."""
    root = Path(bounds.__file__).parents[1]
    found = hashlib.sha256()
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            found.update(path.relative_to(root).as_posix().encode() + b"\0")
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _in_processes(
    work: Callable[[Any], Any], tasks: list[Any], jobs: int
) -> Generator[Any, None, None]:
    from joblib import Parallel, delayed

    # one task at a time: a batch would hold back its first results until its last
    parallel = Parallel(n_jobs=min(jobs, len(tasks)), batch_size=1, return_as="generator_unordered")
    with contextlib.closing(parallel(delayed(_staying)(work, task) for task in tasks)) as results:
        yield from results


def _staying(work: Callable[[Any], Any], task: Any) -> Any:
    """Do the work in a process that stays, however much it keeps."""
    vars(import_module("joblib.externals.loky.process_executor"))["_MAX_MEMORY_LEAK_SIZE"] = GROWN
    return work(task)


def _on_cluster(
    work: Callable[[Any], Any], tasks: list[Any], pool: Workers
) -> Generator[Any, None, None]:
    with _client(pool) as client:
        futures = client.map(work, tasks, pure=False, batch_size=1)
        try:
            completed = import_module("distributed").as_completed
            done = completed(futures, with_results=True, loop=client.loop)
            yield from (value for _, value in done)
        finally:
            client.cancel(futures, force=True)


@contextlib.contextmanager
def _client(pool: Workers) -> Generator[Any, None, None]:
    """Connection to a cluster that can do the work, or one sentence."""
    try:
        connect = import_module("distributed").Client
        resolve = import_module("distributed.comm").resolve_address
    except ImportError as error:
        raise InvalidInput(
            "scheduler must be used with dask, which is missing: pip install 'fedassay[cluster]'."
        ) from error
    try:
        if not isinstance(pool.scheduler, str):
            raise ValueError("an address is a text")
        resolve(pool.scheduler)  # a client that is not sent off complains when it is collected
        client = connect(pool.scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise InvalidInput(
            f"scheduler must be reachable, got {pool.scheduler} ({type(error).__name__}): start "
            "'dask scheduler' and pass the tcp:// address that it prints."
        ) from error
    try:
        _require_able(client, pool)
        yield client
    finally:
        client.close()


def _require_able(client: Any, pool: Workers) -> None:
    """Refuse a cluster without workers, and one with several threads, other code or kernels."""
    threads = client.nthreads()
    require(
        bool(threads),
        "cluster",
        "one with workers",
        f"{pool.scheduler} with none",
        "start 'dask worker ADDRESS --nthreads 1'",
    )
    many = [name for name, count in threads.items() if count != 1]
    require(
        not many,
        "worker",
        "one with a single thread",
        ", ".join(many[:3]),
        "start it with --nthreads 1",
    )
    found = client.run(source_digest, pool.packages, on_error="return")
    failed = next((answer for answer in found.values() if isinstance(answer, Exception)), None)
    if failed is not None:  # whatever a worker without this package answers
        raise InvalidInput(
            f"worker must have this package, got one that has not ({failed}): install the same "
            "version there."
        ) from failed
    other = [name for name, digest in found.items() if digest != source_digest(pool.packages)]
    require(
        not other,
        "worker",
        "one with the same code as here",
        ", ".join(other[:3]),
        "install the same version there",
    )
    asked = client.run(kernels)
    differing = [name for name, theirs in asked.items() if theirs != kernels()]
    require(
        not differing,
        "worker",
        f"one with the kernels of {kernels()}, as here",
        ", ".join(f"{name} with {asked[name]}" for name in differing[:3]),
        "start it with the variables that README.md names",
    )
