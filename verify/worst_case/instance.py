"""An exact worst instance as people and other programs read it: the functions, point by point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.worst_case.clients import AlikeClients
from verify.worst_case.exact.data import Data
from verify.worst_case.exact.explicit import Coordinates, ExactAnswer, Explicit, written
from verify.worst_case.function import Function
from verify.worst_case.points import DEVIATION, SymbolicPoint
from verify.worst_case.problem import ClassProblem

__all__ = ["FunctionData", "ExactInstance", "instance"]


@dataclass(frozen=True)
class FunctionData:
    """A function, or an operator, of an instance.

    Attributes
    ----------
    name : str
        That of the problem; of clients that enter alike with the client's number.
    kind : str
        Its class, with constants.
    samples : tuple of ExactAnswer
        What the method meets.
    explicit : Explicit, optional
        A function with these data, evaluated at each of them; None where none is written out here.
    """

    name: str
    kind: str
    samples: tuple[ExactAnswer, ...]
    explicit: Explicit | None


@dataclass(frozen=True)
class ExactInstance:
    """Functions in coordinates, and what the problem's objective is on them.

    Attributes
    ----------
    dimension : int
    functions : tuple of FunctionData
    points : mapping as tuple of pairs
        Coordinates of what the problem named.
    value : Fraction
    """

    dimension: int
    functions: tuple[FunctionData, ...]
    points: tuple[tuple[str, Coordinates], ...]
    value: Fraction

    @property
    def written_out(self) -> bool:
        """Whether every function is written out and reproduces its data."""
        return all(one.explicit is not None for one in self.functions)


def instance(problem: ClassProblem, data: Data) -> ExactInstance:
    """The instance of exact data."""
    functions: list[FunctionData] = []
    for f in problem.functions:
        numbers: Sequence[int] = (1, -1) if isinstance(f, AlikeClients) else (1,)
        for sign in numbers:
            said = f.name if len(numbers) == 1 else f"{f.name}, client {2 if sign < 0 else 1}"
            samples = tuple(
                ExactAnswer(_at(data, one.x, sign), _at(data, one.g, sign), data.of(one.f))
                for one in f.met
            )
            functions.append(FunctionData(said, repr(f.kind), samples, _written(f, samples)))
    points = tuple((name, data.vectors[name]) for name in problem.vectors if name in data.vectors)
    return ExactInstance(data.dimension, tuple(functions), points, data.objective)


def _written(f: Function, samples: tuple[ExactAnswer, ...]) -> Explicit | None:
    """A function with the data, in one dimension at least."""
    if samples and not samples[0].x:
        samples = tuple(ExactAnswer((Fraction(0),), (Fraction(0),), one.f) for one in samples)
    return written(f.kind, samples) if samples else None


def _at(data: Data, point: SymbolicPoint, sign: int) -> Coordinates:
    """Coordinates of a point, with deviations of the second of two clients turned round."""
    turned = {a: q * sign if a.startswith(DEVIATION) else q for a, q in point.parts.items()}
    return data.at(SymbolicPoint(turned))
