"""Rounds of a method as one tensor graph: drawn, used and compiled together.

A graph is traced from the very step that runs eagerly. Round, key and numbers of the replicates
are tensors of it, and so is every array of state, problem, hyper-parameters and noise law, so that
one compilation serves all rounds, runs, chunks and federations of one shape.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import torch
import torch._inductor
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx

from algorithms.engine.compiler import failed
from algorithms.engine.trees import Unfit, built_in, leaves, rebuild, signature
from algorithms.method import Hyper, Method, State
from bounds.numbers.validate import require, unchecked
from synthetic.noise.philox import round_keys
from synthetic.noise.sources import Addressed

BACKENDS = ("inductor", "trace")
"""Compiled to machine code, or the traced graph run operation by operation (for tests)."""

OPTIONS: dict[str, Any] = {
    # a block of Philox is some two hundred integer operations: stored half-way, it is drawn twice
    "realize_opcount_threshold": 100_000,
    # and draws are stored where they are put together, not drawn again by each of their readers
    "max_pointwise_cat_inputs": 1,
    # a product and a sum in one instruction, rounded once
    "cpp.enable_floating_point_contract_flag": "fast",
}
LIMIT = 64
ROWS = 1 << 13
"""Rows of counters with keys of their own, 160 bytes each: more would fill the caches."""

_programs: dict[Any, Callable[..., Any] | Unfit] = {}
_counts = {"compiled": 0, "eager": 0}
_noticed: set[str] = set()


def compilations() -> int:
    """How many graphs this process has compiled so far."""
    return _counts["compiled"]


def fallbacks() -> int:
    """How many runs of this process went on eagerly though a graph was asked for."""
    return _counts["eager"]


def notice(reason: str) -> None:
    """Say that a run goes on eagerly, and why; each reason once per process."""
    _counts["eager"] += 1
    if reason not in _noticed:
        _noticed.add(reason)
        logging.getLogger(__name__).warning("fedassay: runs eagerly, %s", reason)


class Rounds:
    """Several rounds of one run in one launch.

    Parameters
    ----------
    method, problem, hyper
        As in :func:`algorithms.engine.run.run`, with arrays as tensors.
    noise : Noise or None
        An :class:`synthetic.noise.sources.Addressed` is drawn inside the graph, others before it.
    state : State
        State after a few rounds: its entries and shapes are those of all later rounds.
    kept : names
        Entries of the state to record after each round.
    count : int
        Rounds per launch.
    backend : {"inductor", "trace"}
    draws_of : callable
        Draws of a round that are made outside.
    """

    def __init__(
        self,
        method: Method,
        problem: Any,
        hyper: Hyper,
        noise: Any,
        state: State,
        kept: list[str],
        count: int,
        backend: str,
        draws_of: Callable[[int], Tensor],
    ) -> None:
        self.method, self.problem, self.hyper, self.noise = method, problem, dict(hyper), noise
        self.kept, self.count, self.backend, self.draws_of = kept, count, backend, draws_of
        self.inside = type(noise) is Addressed and not noise.per_instance
        self.moving = [k for k, v in state.items() if isinstance(v, Tensor)]
        self.scheduled = {
            name: axes.split()
            for name, axes in method.axes.items()
            if "T" in axes.split()
            and isinstance(hyper.get(name), Tensor)
            and hyper[name].shape[-len(axes.split())] > 1
        }
        like = next(v for v in problem.data.values() if isinstance(v, Tensor))
        self.device = like.device
        self.tree: dict[str, Any] = {
            "state": {k: v for k, v in state.items() if k not in self.moving},
            "problem": problem,
            "hyper": {k: v for k, v in self.hyper.items() if k not in self.scheduled},
        }
        if self.inside:
            keys = _keys(noise, count)
            numbers = torch.tensor(list(noise.replicates), device=self.device)
            blank = replace(noise, key=(0, 0), replicates=range(len(numbers)))
            blank.draw_at(0, noise.key, numbers[:1])  # fills what it keeps
            self.tree |= {"noise": blank, "address": (keys, numbers)}
        self.still = list(leaves(self.tree))
        self.programs: dict[Any, Callable[..., Any]] = {}

    def __call__(self, t: int, state: State) -> tuple[State, list[dict[str, Tensor]]]:
        """Go on from round t; also the kept entries after each of the rounds."""
        phases = tuple(self._phase(t + j) for j in range(self.count))
        for name, axes in self.scheduled.items():
            length = self.hyper[name].shape[-len(axes)]
            longer, remedy = f"longer than {length} rounds", "pass one entry per round"
            require(t + self.count <= length, name, longer, length, remedy)
        changing = [state[name] for name in self.moving]
        changing += [
            self.hyper[name].narrow(-len(axes), t, self.count)
            for name, axes in self.scheduled.items()
        ]
        if self.inside:
            changing.append(torch.arange(t, t + self.count, device=self.device))
        else:
            changing += [self.draws_of(t + j) for j in range(self.count)]
        out = self._program(state, changing, phases)(*changing, *self.still)
        if self.device.type == "cuda":  # CUDA graphs write over their results at the next launch
            out = [x.clone() for x in out]
        new = dict(zip(self.moving, out, strict=False))
        rest, width = out[len(self.moving) :], max(1, len(self.kept))
        records = [
            dict(zip(self.kept, rest[j : j + width], strict=True))
            for j in range(0, len(rest), width)
        ]
        return {**state, **new}, records

    def _phase(self, t: int) -> int:
        phase = self.method.phase(t, self.hyper)
        if phase is None:
            raise Unfit(f"each round of {self.method.name} is a program of its own")
        return phase

    def _program(
        self, state: State, changing: list[Tensor], phases: tuple[int, ...]
    ) -> Callable[..., Any]:
        # an entry may get an axis late, as weights that are refreshed do
        asked = (phases, *((x.shape, x.stride()) for x in changing))
        if asked in self.programs:
            return self.programs[asked]
        known = (
            signature([self.tree, changing]),
            built_in(self.method),
            phases,
            tuple(self.moving),
            tuple(self.kept),
            tuple(self.scheduled),
            self.backend,
        )
        if known not in _programs:
            made: Callable[..., Any] | Unfit
            try:
                made = self._made(changing, phases)
            except Unfit as reason:
                made = Unfit(*reason.args)  # found out once: it takes seconds
            while len(_programs) >= LIMIT:
                _programs.pop(next(iter(_programs)))
            _programs[known] = made
        found = _programs[known]
        if isinstance(found, Unfit):
            raise Unfit(*found.args)
        self.programs[asked] = found
        return found

    def _made(self, changing: list[Tensor], phases: tuple[int, ...]) -> Callable[..., Any]:
        """Traced and compiled."""
        places = {id(x): i for i, x in enumerate(self.still)}

        def program(*tensors: Tensor) -> list[Tensor]:
            given, still = iter(tensors), tensors[len(changing) :]
            tree = rebuild(self.tree, lambda x: still[places[id(x)]])
            now = {**tree["state"], **{name: next(given) for name in self.moving}}
            rows = {name: next(given) for name in self.scheduled}
            draws: Any = [next(given) for _ in range(1 if self.inside else self.count)]
            if self.inside:
                # all rounds in one kernel: it is by far the longest, and compiled once
                draws = tree["noise"].draw_at(draws[0], *tree["address"]).unbind(0)
            records = []
            for j, phase in enumerate(phases):
                hyper = {**tree["hyper"], **self._rows_of(rows, j, phase)}
                after = self.method.step(phase, now, tree["problem"], hyper, draws[j])
                odd = [k for k in now if k not in self.moving and after.get(k) is not now[k]]
                if odd or set(after) != set(now):
                    raise Unfit(f"{self.method.name} changes {', '.join(odd) or 'its entries'}")
                now = after
                records += [now[name] for name in self.kept]
            return [now[name] for name in self.moving] + records

        with torch.no_grad(), unchecked():
            try:
                # of shapes alone: with numbers a trace would keep every array that it makes
                traced = make_fx(program, tracing_mode="fake", _allow_non_fake_inputs=True)
                graph = traced(*changing, *self.still)
            except RuntimeError as error:  # a decision on values, or an operation without a graph
                first = (str(error).strip() or type(error).__name__).splitlines()[0].split(" - ")[0]
                raise Unfit(f"a round of {self.method.name} is no graph ({first})") from error
        return _compile(graph, [*changing, *self.still], self.backend)

    def _rows_of(self, rows: dict[str, Tensor], j: int, phase: int) -> dict[str, Tensor]:
        """Schedules of which the entry at ``phase`` is that of round t + j."""
        out = {}
        for name, axes in self.scheduled.items():
            row = rows[name].narrow(-len(axes), j, 1)
            shape = list(row.shape)
            shape[-len(axes)] = phase + 2  # longer than one: a single row would serve every round
            out[name] = row.expand(shape)
        return out


def compiled_draws(source: Addressed) -> Callable[[Tensor], Tensor]:
    """The compiled generator alone: rounds (T,) to the draws of all of them.

    What it gives is stored, as the graph of a run stores it. :class:`Unfit` is raised by the first
    call, where the compiler fails.
    """
    span = torch.tensor(list(source.replicates), device=source.device)
    blank = replace(source, key=(0, 0), replicates=range(len(span)))
    blank.draw_at(0, source.key, span[:1])

    def draw(rounds: Tensor, keys: Tensor, replicates: Tensor) -> Tensor:
        return blank.draw_at(rounds, keys, replicates)

    compiled: Any = torch.compile(draw, dynamic=False, fullgraph=True, options=dict(OPTIONS))

    @lru_cache(maxsize=1)
    def keys(count: int) -> Tensor:
        return _keys(source, count)

    def rounds_of(rounds: Tensor) -> Tensor:
        try:
            found: Tensor = compiled(rounds, keys(len(rounds)), span)
        except RuntimeError as error:
            raise Unfit(failed(error, rounds.device)) from error
        return found

    return rounds_of


def _keys(source: Addressed, rounds: int) -> Tensor:
    """Round keys, for every row of counters while there are few of them."""
    rows = source.rows_of(rounds)
    return round_keys(source.key, source.device, rows if rows <= ROWS else 1)


def _compile(graph: Any, inputs: list[Tensor], backend: str) -> Callable[..., Any]:
    """The graph as a function of its tensors."""
    if backend == "trace":
        # traced without numbers, a vmap may promise strides that it does not keep: where a view
        # of what it gives is none, a copy is
        for node in graph.graph.nodes:
            if node.target is torch.ops.aten.view.default:
                node.target = torch.ops.aten.reshape.default
        graph.recompile()
        return graph  # type: ignore[no-any-return]
    options = dict(OPTIONS)
    _counts["compiled"] += 1
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of torch about its own insides, while it compiles
        try:
            if inputs[0].device.type == "cuda":
                options["triton.cudagraphs"] = True
                compiled: Any = torch.compile(graph, dynamic=False, fullgraph=True, options=options)
            else:
                # the graph is traced and its shapes are known: what else torch.compile would check
                # at every call takes as long as a hundred thousand draws
                given: list[Any] = list(inputs)
                compiled = torch._inductor.compile(graph, given, options=options)
            compiled(*inputs)
        except RuntimeError as error:
            raise Unfit(failed(error, inputs[0].device)) from error
    return compiled  # type: ignore[no-any-return]
