"""Results on disk, addressed by a digest of what is computed: a killed run goes on where it was.

An address holds everything that a result depends on: the code of the packages, the name of the
work, and its settings with every array byte by byte.  What was kept under it is therefore what a
new computation would give; a file that is cut short or changed does not count, and is made again.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import torch

from algorithms.engine.midway import Watch
from algorithms.engine.run import Run, run_chunked
from algorithms.method import Hyper, Method
from algorithms.sweeps.pool import PACKAGES, source_digest
from bounds.numbers.validate import InvalidInput, require
from synthetic.noise.sources import Noise, address_of

__all__ = ["Arrays", "ResultFolder", "class_of", "digest", "rule_of", "run_kept"]

SECONDS = 20.0
"""Of processor time between two states of a chunk under way: one takes a moment to write."""
THETA = ".theta"
"""Name of the models among the arrays of a chunk; no extra can have it."""

Arrays = dict[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class ResultFolder:
    """A folder of results.

    Parameters
    ----------
    folder : Path
        Made when the first result is kept.
    """

    folder: Path

    def get(self, address: str, make: Callable[[], Mapping[str, Any]]) -> Arrays:
        """Arrays under an address, made and kept if they are not there.

        Parameters
        ----------
        address : str
            As :func:`digest` gives it.
        make : callable
            Returns arrays or numbers by name.
        """
        found = self.find(address)
        return self.put(address, make()) if found is None else found

    def find(self, address: str) -> Arrays | None:
        """Arrays under an address; None where none are there, or not whole."""
        path = self._path(address)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                return {name: stored[name] for name in stored.files}
        except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zipfile.LargeZipFile):
            return None

    def put(self, address: str, arrays: Mapping[str, Any]) -> Arrays:
        """Keep arrays; a reader finds all of them or none."""
        made = {name: np.asarray(value) for name, value in arrays.items()}
        bad = [name for name, value in made.items() if value.dtype == object]
        require(not bad, "result", "of plain arrays and numbers", bad, "return numbers by name")
        path = self._path(address)
        beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                np.savez(file, **made)  # type: ignore[arg-type]
            beside.replace(path)
        except OSError as error:
            raise InvalidInput(
                f"folder of kept results must be writable, got {self.folder} ({error.strerror}): "
                "make room, or name another one."
            ) from error
        finally:
            beside.unlink(missing_ok=True)
        return made

    def drop(self, address: str) -> None:
        """Remove what is kept under an address, if anything."""
        self._path(address).unlink(missing_ok=True)

    def _path(self, address: str) -> Path:
        return self.folder / f"{address}.npz"


def digest(*parts: Any) -> str:
    """Address of a result that depends on these values, and on the code of the packages.

    Parameters
    ----------
    *parts
        Numbers, strings, None, arrays and tensors, and sequences and mappings of them.

    Raises
    ------
    InvalidInput
        On anything else: two different values might get one address.

    Examples
    --------
    >>> digest("mean", {"step": 0.5}) == digest("mean", {"step": 0.5})
    True
    >>> digest(1) == digest(1.0) or digest([1, 2], 3) == digest([1], [2, 3])
    False
    """
    found = hashlib.sha256(source_digest().encode())
    for part in parts:
        _feed(found, part)
    return found.hexdigest()[:32]


def run_kept(
    kept: ResultFolder,
    method: Method,
    problem: Any,
    hyper: Hyper,
    noise_of: Callable[[range], Noise | None],
    replicates: int,
    rounds: int,
    *,
    what: str = "",
    seconds: float = SECONDS,
    **options: Any,
) -> Run:
    """:func:`algorithms.engine.run.run_chunked`, with chunks of replicates kept as they are done.

    A chunk that is under way is kept from time to time as well, until it is done.

    Parameters
    ----------
    kept : Kept
    method, problem, hyper, noise_of, replicates, rounds
        As there. A source that is not one of :mod:`synthetic.noise.sources` needs an ``address``,
        see :func:`synthetic.noise.sources.address_of`.
    what : str
        Name of what a ``reduce`` among the options does: code that is passed in has no digest of
        its own, so it must be named.
    seconds : float
        Processor time between two states of a chunk under way.
    **options
        ``chunk``, ``record``, ``last_only``, ``reduce`` and the engine's other ones.

    Returns
    -------
    Run
        The same arrays, made or found.

    Raises
    ------
    InvalidInput
        As there, and where it is not known what the noise or ``reduce`` depends on.
    """
    require(
        options.get("reduce") is None or bool(what),
        "what",
        "the name of what reduce does",
        what,
        "pass what=...",
    )
    record = options.get("record")
    setting = digest(
        rule_of(method),
        class_of(type(problem)),
        problem.data,
        hyper,
        rounds,
        replicates,
        None if record is None else sorted(record),
        bool(options.get("last_only")),
        what,
        str(options.get("compile", False)),  # a graph adds in another order
        options.get("rounds_per_launch", 0),
    )
    like = next(v for v in problem.data.values() if isinstance(v, torch.Tensor))
    chunks = _Chunks(kept, setting, noise_of, like, seconds)
    return run_chunked(method, problem, hyper, noise_of, replicates, rounds, keep=chunks, **options)


def rule_of(method: Method) -> list[Any]:
    """What a method does, for :func:`digest`: its class and what an object of it holds."""
    kind, held = type(method), vars(method).items()
    told = {name: rule_of(x) if isinstance(x, Method) else x for name, x in held}
    return [*class_of(kind), told]


def class_of(kind: type) -> list[Any]:
    """What a class is, for :func:`digest`: name and, outside of the packages, code of its modules.

    Raises
    ------
    InvalidInput
        Where that code is in no file.
    """
    modules = {one.__module__ for one in kind.__mro__}
    known = {*PACKAGES, *sys.stdlib_module_names}
    own = sorted(name for name in modules if name.partition(".")[0] not in known)
    try:
        found = [sys.modules.get(name) for name in own]
        if not all(getattr(module, "__file__", None) for module in found):
            raise OSError("it was typed where no file is")
        code = [inspect.getsource(module) for module in found if module is not None]
    except OSError as error:
        raise InvalidInput(
            f"class must be one whose code can be read, got {kind.__qualname__}: put it in a file."
        ) from error
    return [kind.__module__, kind.__qualname__, code]


@dataclass(frozen=True)
class _Chunks:
    """Chunks of one run among the kept results."""

    kept: ResultFolder
    setting: str
    noise_of: Callable[[range], Noise | None]
    like: torch.Tensor
    seconds: float

    def find(self, rows: range) -> Run | None:
        found = self.kept.find(self._address(rows))
        if found is None:
            return None
        tensors = {k: torch.from_numpy(v).to(self.like.device) for k, v in found.items()}
        return Run(tensors.pop(THETA), tensors)

    def put(self, rows: range, part: Run) -> None:
        tensors = {**part.extras, THETA: part.theta}
        self.kept.put(self._address(rows), {k: v.cpu().numpy() for k, v in tensors.items()})

    def inside(self, rows: range) -> Watch:
        address = self._address(rows, "under way")
        return Watch(
            lambda: self.kept.find(address),
            lambda arrays: self.kept.put(address, arrays),
            lambda: self.kept.drop(address),
            self.seconds,
            self.like.device,
        )

    def _address(self, rows: range, *more: str) -> str:
        return digest(self.setting, rows, address_of(self.noise_of(rows)), *more)


def _feed(found: Any, value: Any) -> None:
    """Take a value in, with its kind and length so that two values do not run into each other."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray | np.generic):
        array = np.ascontiguousarray(value)
        if array.dtype != object:
            found.update(f"array {array.dtype.str} {np.shape(value)} ".encode() + array.tobytes())
            return
        value = ["objects", list(np.shape(value)), array.ravel().tolist()]
    if isinstance(value, Mapping):
        value = ["mapping", *(item for key in sorted(value) for item in (key, value[key]))]
    if isinstance(value, list | tuple | range):
        found.update(f"list {len(value)} ".encode())
        for item in value:
            _feed(found, item)
        return
    plain = value is None or isinstance(value, bool | int | float | str | Fraction)
    require(
        plain,
        "part of an address",
        "a number, text, array, or a list or mapping of them",
        type(value).__name__,
        "name it by text",
    )
    text = f"{type(value).__name__} {value!r}"
    found.update(f"{len(text)} {text}".encode())
