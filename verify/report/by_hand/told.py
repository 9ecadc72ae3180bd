"""A world whose numbers remember their names, so that sides come out as formulas."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers import Ball
from bounds.numbers.shapes import Array
from verify.report.by_hand.shown import Names, Shown, same
from verify.world.noise_plan import AllOutcomes, NotAvailable
from verify.world.trajectories import Trajectory
from verify.world.world import World

__all__ = ["NamedWorld", "place"]

Namer = Callable[[str, tuple[int, ...], tuple[int, ...]], str]
"""TeX of an entry: name of the symbol, index of the entry and shape of the array, both without the
axis of instances."""


class NamedWorld(World):
    """A world that hands out numbers with names, once it has a namer.

    Attributes
    ----------
    runs_made : list of tuples
        Runs that the sides have asked for: method, rounds, settings that came with the call, and
        the run in plain numbers.
    formulas : dict of str to array
        What the statement defines, as formulas, by name.
    fields : dict of str to str
        Name in the programs of each number that was handed out, by its TeX.
    """

    names: Names
    namer: Namer
    runs_made: list[tuple[str, Any, dict[str, Any], Trajectory]]
    formulas: dict[str, Any]
    fields: dict[str, str]

    def telling(self, namer: Namer) -> NamedWorld:
        """The same world, from now on with names."""
        self.__dict__.update(names=Names(), namer=namer, runs_made=[], formulas={}, fields={})
        return self

    def symbol(self, name: str) -> Array:
        """Value of a symbol, each number with its name."""
        value = super().symbol(name)
        if name in self._defines and name not in self.formulas:
            self.formulas[name] = value
        return self._told(name, value)

    def original(self, name: str) -> Array:
        """Value of a symbol in plain numbers, as problems and methods use it."""
        value: Array = self.names.plain(super().original(name))
        return value

    def run(
        self, method: str | None = None, rounds: int | None = None, **hyper: Array
    ) -> Trajectory:
        """Train in plain numbers; the models come back with names."""
        own = {k: self.names.plain(v) for k, v in hyper.items()}
        made = super().run(method, rounds, **own)
        name = method or self.instance.method or ""
        if all(made is not known[3] for known in self.runs_made):
            self.runs_made.append((name, rounds, own, made))
        extras = {k: self._told(k, made.extras[k]) for k in made.extras}
        return Trajectory(self._told("theta", made.theta), extras)

    def mean(self, x: Array) -> Array:
        """Expectation over the noise; outcomes that are written alike count together."""
        x = np.asarray(x)
        if x.ndim < 2 or x.shape[1] == 1 or x.dtype != object:
            return super().mean(x)
        if not isinstance(self.noise_plan, AllOutcomes):
            raise NotAvailable("a mean inside a side needs a law with finitely many outcomes")
        out = np.empty((x.shape[0], 1, *x.shape[2:]), dtype=object)
        for index in np.ndindex(out.shape):
            weights = self.weights[index[0] if self.weights.shape[0] > 1 else 0]
            groups: dict[Any, tuple[Any, Any]] = {}
            for weight, number in zip(weights, x[(index[0], slice(None), *index[2:])], strict=True):
                key = number.key if isinstance(number, Shown) else repr(number)
                groups[key] = (groups.get(key, (0,))[0] + weight, number)
            parts = [weight * number for weight, number in groups.values()]
            out[index] = sum(parts[1:], start=parts[0])
        return out

    def tex_of(self, name: str, path: Array, index: tuple[int, ...]) -> str:
        """TeX of an entry; a second run with another value there has a mark of its own."""
        plain = self.namer(name, *place(path, index))
        tex, mark = plain, 1
        while self.names.differs(tex, path[index]):
            mark += 1
            tex = _marked(plain, mark)
        return tex

    def _told(self, name: str, value: Any) -> Any:
        if not isinstance(value, np.ndarray) or value.dtype != object or not value.size:
            return value
        value = self.names.plain(value)
        out = np.empty(value.shape, dtype=object)
        for index in np.ndindex(value.shape):
            number = value[index]
            if isinstance(number, int) and not isinstance(number, bool):
                number = Fraction(number)
            if isinstance(number, Fraction | Ball):
                tex = self.tex_of(name, value, index)
                self.fields.setdefault(tex, name)
                number = self.names.named(tex, number)
            out[index] = number
        return out


def place(path: Array, index: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Index and shape by which an entry is named, without the axis of instances.

    An outcome is named only where outcomes differ, by the first of those that agree with it.
    """
    here, shape = index[1:], path.shape[1:]
    if len(index) < 2 or shape[0] == 1:
        return here, shape
    across = path[(index[0], slice(None), *index[2:])]
    alike = [r for r in range(shape[0]) if same(across[r], across[index[1]])]
    if len(alike) == shape[0]:
        return (0, *here[1:]), (1, *shape[1:])
    return (alike[0], *here[1:]), shape


def _marked(tex: str, mark: int) -> str:
    if tex.endswith("}") and "^{" in tex:
        return f"{tex[:-1]},({mark})}}"
    return f"{tex}^{{({mark})}}"
