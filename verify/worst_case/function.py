"""Functions of a class, met at points, and their sums: oracles, stationary points, conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from flint import fmpq

from verify.worst_case.points import Expression, Number, SymbolicPoint, rational

if TYPE_CHECKING:
    from verify.worst_case.problem import ClassProblem

__all__ = [
    "Condition",
    "Function",
    "FunctionClass",
    "MatrixCondition",
    "OperatorClass",
    "OracleAnswer",
    "Sum",
]


@dataclass(frozen=True)
class OracleAnswer:
    """A point, a (sub)gradient of a function there, and the value; of an operator A(x) for g."""

    name: str
    x: SymbolicPoint
    g: SymbolicPoint
    f: Expression


@dataclass(frozen=True)
class Condition:
    """``expression >= 0``, or ``== 0`` if `equality`, under a name."""

    name: str
    expression: Expression
    equality: bool = False


@dataclass(frozen=True)
class MatrixCondition:
    """A symmetric matrix of expressions that is positive semidefinite."""

    name: str
    rows: Sequence[Sequence[Expression]]


@dataclass(frozen=True)
class FunctionClass:
    """What is known of functions of a class at the points at which they are met.

    Subclasses are dataclasses whose fields are the constants of the class.

    Attributes
    ----------
    exact : bool
        Whether the conditions suffice: any data that meet them are those of a function of the
        class. Else they are only necessary.
    differentiable : bool
        Whether there is one (sub)gradient at each point.
    valued : bool
        Whether something is known of the values; of operators, nothing is.
    bent : bool
        Whether a vanishing gradient makes no minimum: then a minimiser has a condition of its own.
    """

    exact: ClassVar[bool] = True
    differentiable: ClassVar[bool] = False
    valued: ClassVar[bool] = True
    bent: ClassVar[bool] = False

    def conditions(self, f: Function) -> Iterator[Condition | MatrixCondition]:
        """What the class says of all that was met of a function."""
        raise NotImplementedError

    def suffices(self, f: Function) -> bool:
        """Whether any data of this many points that meet the conditions are a function's."""
        return self.exact


@dataclass(frozen=True)
class OperatorClass(FunctionClass):
    """What is known of operators of a class: A(x) stands for the gradient, there are no values."""

    valued: ClassVar[bool] = False


@dataclass(eq=False)
class Sum:
    """A weighted sum of functions of one problem."""

    problem: ClassProblem
    parts: Mapping[Function, Any]

    def __add__(self, other: Sum) -> Sum:
        total = dict(self.parts)
        for leaf, q in other.parts.items():
            total[leaf] = total[leaf] + q if leaf in total else q
        return Sum(self.problem, total)

    def __sub__(self, other: Sum) -> Sum:
        return self + other * -1

    def __mul__(self, factor: Number) -> Sum:
        return Sum(self.problem, {leaf: q * rational(factor) for leaf, q in self.parts.items()})

    __rmul__ = __mul__

    def __truediv__(self, divisor: Number) -> Sum:
        return self.__mul__(1 / rational(divisor))

    def __call__(self, x: SymbolicPoint) -> Expression:
        """Value at a point."""
        return sum((leaf(x) * q for leaf, q in self.parts.items()), Expression({}))

    def gradient(self, x: SymbolicPoint) -> SymbolicPoint:
        """(Sub)gradient at a point."""
        return sum((leaf.gradient(x) * q for leaf, q in self.parts.items()), SymbolicPoint({}))

    def place(self, x: SymbolicPoint, g: SymbolicPoint) -> Expression:
        """Let g be a (sub)gradient at x; returns the value there.

        All functions but one are asked for theirs, that one has what is left: one that is not met
        at x yet, or that may have another subgradient there.
        """
        if any(leaf.own for leaf in self.parts):
            raise ValueError(
                "a step on a sum with clients' functions must be one of each: write it"
            )
        leaves = sorted(self.parts, key=lambda leaf: not leaf.settled(x))
        *first, last = leaves
        if last.settled(x):
            raise ValueError("every gradient is settled at this point: assume what it should be")
        rest = g
        for leaf in first:
            rest = rest - leaf.gradient(x) * self.parts[leaf]
        last.add(x, rest / self.parts[last])
        return self(x)

    def minimiser(self, name: str = "x*", *, origin: bool = False) -> SymbolicPoint:
        """A new minimiser, or one at the origin; of an operator a zero.

        What is the same wherever the minimiser lies may have it at the origin; noise is orthogonal
        to every point, so that it makes a difference then.

        Raises
        ------
        ValueError
            Where a vanishing gradient makes no minimum: for a difference of functions, say.
        """
        if any(q < 0 or leaf.kind.bent for leaf, q in self.parts.items()):
            raise ValueError(
                "a minimum of the sum must be where its gradient vanishes, which makes none here: "
                "ask for a stationary_point, and assume what is known of its value"
            )
        return self.stationary_point(name, origin=origin)

    def stationary_point(self, name: str = "x*", *, origin: bool = False) -> SymbolicPoint:
        """A new point at which the gradient of the sum vanishes, or the origin.

        Of clients' functions it is the mean over clients that vanishes.
        """
        x = SymbolicPoint({}) if origin else self.problem.point(name)
        *common, last = sorted(self.parts, key=lambda leaf: leaf.own)
        if not last.own:
            self.place(x, SymbolicPoint({}))
            return x
        rest = SymbolicPoint({})
        for leaf in common:
            rest = rest - leaf.gradient(x).mean() * self.parts[leaf]
        free = last.new_gradient()
        last.add(x, rest / self.parts[last] + free - free.mean())
        return x

    def new_gradient(self) -> SymbolicPoint:
        """A vector of which nothing is known yet."""
        return self.problem.point("g")


class Function(Sum):
    """A function of a class; it keeps what is met of it.

    Attributes
    ----------
    problem : ClassProblem
    kind : FunctionClass
    name : str
    differentiable : bool
        Whether it has one gradient at each point.
    met, stationary, lowest : list of OracleAnswer
        All that was met, where the gradient vanishes, and what was made a minimiser.
    own : bool
        Whether it stands for functions of clients, see `AlikeClients`.
    """

    own: ClassVar[bool] = False

    def __init__(
        self, problem: ClassProblem, kind: FunctionClass, name: str, *, differentiable: bool = False
    ) -> None:
        super().__init__(problem, {self: fmpq(1)})
        self.kind, self.name = kind, name
        self.differentiable = differentiable or kind.differentiable
        self.met: list[OracleAnswer] = []
        self.stationary: list[OracleAnswer] = []
        self.lowest: list[OracleAnswer] = []

    def __call__(self, x: SymbolicPoint) -> Expression:
        """Value at a point; met there if it was not yet."""
        found = self._at(x)
        return (found or self.oracle(x)).f

    def gradient(self, x: SymbolicPoint) -> SymbolicPoint:
        """(Sub)gradient at a point: the one that was met where there is one only, else a new one.

        Of an operator what it makes of the point.
        """
        return self.oracle(x).g

    def oracle(self, x: SymbolicPoint) -> OracleAnswer:
        """What is met at a point."""
        found = self._at(x)
        if found is not None and self.differentiable:
            return found
        return self.add(x, self.new_gradient())

    def add(self, x: SymbolicPoint, g: SymbolicPoint) -> OracleAnswer:
        """Let g be a (sub)gradient at x."""
        if not self.own and not (x.same(x.mean()) and g.same(g.mean())):
            raise ValueError(
                f"{self.name} is one function for all clients and was met at points of their own: "
                "meet it at a mean, or make it a function of the clients"
            )
        found = self._at(x)
        f = found.f if found else self.problem.number(f"{self.name}.f")
        made = OracleAnswer(f"{self.name}:{len(self.met)}", x, g, f)
        self.met.append(made)
        if not g.parts:
            self.stationary.append(made)
        return made

    def minimiser(self, name: str = "x*", *, origin: bool = False) -> SymbolicPoint:
        """A new minimiser, or one at the origin; of an operator a zero."""
        x = self.stationary_point(name, origin=origin)
        self.lowest.append(self.met[-1])
        return x

    def settled(self, x: SymbolicPoint) -> bool:
        """Whether its only gradient at x is met already."""
        return self.differentiable and self._at(x) is not None

    def conditions(self) -> Iterator[Condition | MatrixCondition]:
        """What its class says of all that was met."""
        yield from self.kind.conditions(self)

    def fixed_point(self, name: str = "x*") -> SymbolicPoint:
        """A new point that an operator leaves where it is."""
        x = self.problem.point(name)
        self.add(x, x)
        return x

    def new_gradient(self) -> SymbolicPoint:
        """A vector of which nothing is known yet."""
        return self.problem.point(f"{self.name}.g")

    def _at(self, x: SymbolicPoint) -> OracleAnswer | None:
        return next((one for one in self.met if one.x.same(x)), None)
