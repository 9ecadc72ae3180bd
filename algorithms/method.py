"""What every training method offers, and the shape helpers that methods share.

Shapes are written with ``...`` for free leading axes, typically ``(R,)`` or ``(B, R)``; F is the
number of followed clients, N of clients, d the dimension, S the number of gradient draws per round
and w the standardised numbers per draw.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from algorithms.engine.arrays import picked, spread
from bounds.numbers.asked import index_of
from bounds.numbers.validate import InvalidInput, require, whole
from synthetic.exact.moments import AffineMap

Hyper = Mapping[str, Any]
State = dict[str, Any]

STEP_UNITS: dict[str, tuple[int, int]] = {
    "step_size": (-1, 2),
    "step_sizes": (-1, 2),
    "start": (0, 1),
}
STEP_AXES: dict[str, str] = {"step_size": "", "step_sizes": "T", "start": "d"}
START_UNITS: dict[str, tuple[int, int]] = {**STEP_UNITS, "starts": (0, 1)}
"""Of methods whose clients may start at points of their own."""
START_AXES: dict[str, str] = {**STEP_AXES, "starts": "N d"}


class Method:
    """A training method: the rule that turns the state of one round into the next.

    Methods are stateless; everything lives in the state mapping, whose entry ``theta``,
    shape (..., F, d), holds the models of the followed clients.

    Attributes
    ----------
    name : str
        Key in :data:`algorithms.registry.METHODS`.
    units : mapping
        Hyper-parameter -> powers of (loss, length).
    axes : mapping
        Hyper-parameter -> names of its trailing axes after the free leading ones, such as
        ``"N d"``. ``T`` is an axis of rounds.
    settings : tuple of str
        Hyper-parameters that are no arrays: names, counts, focus. With those of ``axes`` they are
        all that the method has, and a run refuses any other. A class that does not say them itself
        takes every name, as nobody knows what it reads, see :func:`names_of`; one that is made of
        another says for instance ``settings = (*FedAvg.settings, "momentum")``.
    states : mapping
        Entry recorded before the first round and after every one (T + 1 in all) -> trailing axes.
    traces : mapping
        Entry recorded once per round (T in all) -> trailing axes.
    steady : bool
        Whether every round is the same program: the step sees its number only through schedules
        (:func:`scheduled`, a row per round).
    plain : bool
        Whether its rules run on numpy arrays as well as on tensors
        (:mod:`algorithms.engine.arrays`).
    collapsible : bool
        Whether ``theta`` (or the server's model, of which it is copies) is all that a round of
        :meth:`affine_map` remembers; see :mod:`algorithms.engine.collapse`.
    """

    name: ClassVar[str]
    units: ClassVar[dict[str, tuple[int, int]]] = {}
    axes: ClassVar[dict[str, str]] = {}
    settings: ClassVar[tuple[str, ...]] = ()
    states: ClassVar[dict[str, str]] = {"theta": "F d"}
    traces: ClassVar[dict[str, str]] = {}
    steady: ClassVar[bool] = False
    plain: ClassVar[bool] = False
    collapsible: ClassVar[bool] = False

    def slots(self, clients: int, hyper: Hyper) -> int:
        """Stochastic gradients drawn per round, S; slot numbers are in the module docstring."""
        raise NotImplementedError

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Slots whose draws can change what is kept; None where too many can to leave out others.

        The engine draws no others, and says so to ``start`` and ``step`` as ``hyper["used"]``;
        with ``hyper["in_order"]``, here too, sums must run as if nothing had been left out.
        """
        return None

    def asks_truth(self, hyper: Hyper) -> bool:
        """Whether a round asks for losses or true gradients, of all samples that there are."""
        return False

    def models(self, hyper: Hyper) -> int:
        """Models that every client is evaluated at, K where the tables name that axis."""
        return 1

    def start(self, problem: Any, hyper: Hyper) -> State:
        """State before the first round."""
        raise NotImplementedError

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """State after round ``t`` (counted from 0), given its draws, shape (..., S, w)."""
        raise NotImplementedError

    def phase(self, t: int, hyper: Hyper) -> int | None:
        """A round whose program is that of round ``t``; None where each may be its own.

        Two rounds with one program differ in draws, state and entries of schedules along ``T``
        alone. The smallest such round should be given: every other one is compiled by itself.
        """
        return 0 if self.steady else None

    def affine_map(self, problem: Any, hyper: Hyper, t: int = 0) -> AffineMap:
        """Affine map of round ``t``, for :func:`synthetic.exact.moments.moments`.

        It exists where the weights do not depend on the models. Generic over number types: the
        same expression serves floats, tensors and fractions. A method that follows models gives a
        map per followed client, arrays (..., F, d, d) and (..., F, d); a method whose only memory
        is the server's model gives the map of that model, arrays (..., d, d) and (..., d).

        Raises
        ------
        InvalidInput
            If a round of this method is not an affine map of each followed model.
        """
        require(False, "method", "one with an affine round", self.name, "simulate it instead")
        raise NotImplementedError


def names_of(method: Method) -> frozenset[str] | None:
    """Hyper-parameters that a method has; None where its class does not say all of them.

    What a base class says does not count: a method made of another one may read more.
    """
    for told in (vars(method), vars(type(method))):
        if told.get("settings") is not None:
            return frozenset(method.axes).union(told["settings"])
    return None


def followed(clients: int, hyper: Hyper) -> list[int]:
    """Clients whose models are computed: ``hyper["focus"]``, by default all of them."""
    focus = hyper.get("focus")
    if focus is None:
        return list(range(clients))
    chosen = _numbers(focus)
    if not chosen or min(chosen) < 0 or max(chosen) >= clients:
        known = f"a non-empty list of clients from 0 to {clients - 1}"
        # raised whether or not checks are on: without clients there is nothing to follow
        raise InvalidInput(f"focus must be {known}, got {focus}: name existing clients.")
    return chosen


def count(hyper: Hyper, name: str, default: int = 1) -> int:
    """A positive whole number among the hyper-parameters."""
    return whole(name, hyper.get(name, default))


def choice(hyper: Hyper, name: str, options: Sequence[str]) -> str:
    """A named option among the hyper-parameters; the first is the default."""
    value = hyper.get(name, options[0])
    if not isinstance(value, str) or value not in options:
        require(False, name, f"one of {list(options)}", value, f"use {options[0]}")
    return str(value)


def _numbers(value: Any) -> list[int]:
    """Whole numbers of a list, or one alone; empty where there is anything else."""
    several = isinstance(value, Iterable) and getattr(value, "ndim", 1) > 0
    found = [None if isinstance(x, bool) else index_of(x) for x in (value if several else [value])]
    numbers = [x for x in found if x is not None]
    return numbers if len(numbers) == len(found) else []


def trail(value: Any, axes: int) -> Any:
    """Append ``axes`` axes of length one to an array; plain numbers pass through."""
    return value[(..., *(None,) * axes)] if hasattr(value, "shape") else value


def scheduled(hyper: Hyper, name: str, t: int) -> Any:
    """Value of a hyper-parameter at round ``t``.

    ``name`` holds a constant, shape (...); its plural ``name + "s"`` a schedule, shape (..., T),
    which wins where both are given.
    """
    schedule = hyper.get(name + "s")
    if schedule is None:
        require(hyper.get(name) is not None, name, "given", None, f"pass {name} or {name}s")
        return hyper[name]
    length = schedule.shape[-1]
    require(t < length, name + "s", f"longer than {t} rounds", length, "pass one entry per round")
    return schedule[..., t]


def start_points(problem: Any, hyper: Hyper, chosen: Sequence[int]) -> Any:
    """Starting models, tensor (..., F, d), from ``start`` (..., d) or ``starts`` (..., N, d)."""
    if hyper.get("starts") is not None:
        starts = hyper["starts"]
        everybody = len(chosen) == starts.shape[-2] and list(chosen) == list(range(len(chosen)))
        return starts if everybody else picked(starts, chosen)
    point = one_start(hyper)[..., None, :]  # (..., 1, d)
    return spread(point, *point.shape[:-2], len(chosen), problem.dim)


def one_start(hyper: Hyper) -> Any:
    """The common starting model, tensor (..., d)."""
    require(hyper.get("start") is not None, "start", "given", None, "pass an array (..., d)")
    return hyper["start"]
