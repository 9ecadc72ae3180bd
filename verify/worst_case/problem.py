"""A worst-case problem: what is unknown, what is assumed of it, and what is to be made large."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from flint import fmpq

from verify.worst_case.clients import AlikeClients
from verify.worst_case.function import Condition, Function, FunctionClass, MatrixCondition
from verify.worst_case.points import (
    BLOCKS,
    DEVIATION,
    Expression,
    Inequality,
    Number,
    SymbolicPoint,
    number,
    rational,
    space,
)

__all__ = ["ClassProblem"]


@dataclass
class ClassProblem:
    """What a method meets on functions of given classes, and what is asked about it.

    Points, functions and conditions are made in the order in which a method meets them; the
    programme is built from all of them when the problem is solved. Problems share nothing.

    Attributes
    ----------
    functions : list of Function
    assumed : list of Condition
        Beside those of the classes.
    measures : list of Expression
        What is made large: the smallest of them.
    blocks : int
        Blocks of coordinates that points have parts in, at most 9.
    exact : bool
        False where a condition is known to be necessary only, as of noise: then the worst case is
        an upper bound, and data that meet all conditions are no instance.

    Examples
    --------
    >>> from verify.worst_case import SmoothConvex, solved
    >>> p = ClassProblem()
    >>> f = p.function(SmoothConvex(1))
    >>> best = f.minimiser()
    >>> x = p.point("x0")
    >>> p.assume((x - best) ** 2 <= 1)
    >>> p.maximise(f(x - f.gradient(x)) - f(best))
    >>> round(solved(p).value, 6)  # L/(4N + 2)
    0.166667
    """

    functions: list[Function] = field(default_factory=list)
    assumed: list[Condition] = field(default_factory=list)
    measures: list[Expression] = field(default_factory=list)
    exact: bool = True
    blocks: int = 1
    vectors: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def point(self, name: str = "x", *, own: bool = False) -> SymbolicPoint:
        """A vector of which nothing is known; with `own` one of each client."""
        if own and self.blocks > 1:
            raise ValueError("vectors of clients have no blocks of coordinates: leave blocks out")
        said = self.fresh(name)
        spaces = BLOCKS[: self.blocks] if self.blocks > 1 else ("", DEVIATION) if own else ("",)
        parts = [f"{where}{said}" for where in spaces]
        self.vectors += parts
        return SymbolicPoint(dict.fromkeys(parts, fmpq(1)))

    def number(self, name: str = "t") -> Expression:
        """A number of which nothing is known."""
        said = self.fresh(name)
        self.numbers.append(said)
        return number(said)

    def function(
        self, kind: FunctionClass, name: str = "", *, differentiable: bool = False
    ) -> Function:
        """A function, or an operator, of a class; `differentiable` makes its gradients unique."""
        made = Function(self, kind, self.fresh(name or "f"), differentiable=differentiable)
        self.functions.append(made)
        return made

    def clients(self, kind: FunctionClass, name: str = "") -> AlikeClients:
        """Functions of any number of clients, at least two, which enter the method alike."""
        made = AlikeClients(self, kind, self.fresh(name or "f"))
        self.functions.append(made)
        return made

    def assume(self, comparison: Inequality, name: str = "") -> None:
        """Assume ``left <= right`` or ``left >= right``."""
        self.assumed.append(
            Condition(name or f"assumed {len(self.assumed) + 1}", comparison.difference)
        )

    def assume_equal(self, left: Expression, right: Expression | Number, name: str = "") -> None:
        """Assume ``left == right``."""
        said = name or f"assumed {len(self.assumed) + 1}"
        self.assumed.append(Condition(said, left - right, equality=True))

    def maximise(self, *measures: Expression) -> None:
        """Ask for the largest value of an expression; of several, of the smallest of them."""
        self.measures.extend(measures)

    def noise(
        self, variance: Number, clients: int | None = None, name: str = "noise"
    ) -> SymbolicPoint:
        """Random vectors of mean zero and given variance, independent of all that was met before.

        Products are expectations from then on, and so are the conditions of the classes, which
        makes them necessary only.  With `clients` there is one vector of each client, independent
        of the others': their mean has the variance over the number of clients.

        Parameters
        ----------
        variance : number
            E|xi|^2 of each of them, at most.
        clients : int, optional
            How many there are; by default the noise is one for all.
        name : str
        """
        before = [*self.vectors]
        made = self.point(name, own=clients is not None)
        shares = (1,) if clients is None else (fmpq(1, clients), fmpq(clients - 1, clients))
        for part, share in zip(made.parts, shares, strict=True):
            here = SymbolicPoint({part: fmpq(1)})
            self.assume(here**2 <= rational(variance) * share, f"variance of {part}")
            for other in before:
                if space(other) == space(part):
                    product = here @ SymbolicPoint({other: fmpq(1)})
                    self.assume_equal(product, 0, f"{part} apart from {other}")
        self.exact = False
        return made

    def conditions(self) -> Iterator[Condition | MatrixCondition]:
        """All of them: those that were assumed, and those of each function's class."""
        yield from self.assumed
        for function in self.functions:
            yield from function.conditions()

    @property
    def tight(self) -> bool:
        """Whether data that meet all conditions are those of some functions of the classes.

        They are not where something is said of values of which the class knows nothing.
        """
        unknown = {
            key for f in self.functions if not f.kind.valued for m in f.met for key in m.f.terms
        }
        said = [*self.measures, *(c.expression for c in self.assumed)]
        free = any(unknown & e.terms.keys() for e in said)
        return self.exact and not free and all(f.kind.suffices(f) for f in self.functions)

    def fresh(self, name: str) -> str:
        """A name that nothing has yet; it begins with a letter."""
        if not name[0].isalpha():
            raise ValueError(f"a name must begin with a letter, got {name}: choose another")
        made = next(
            one for k in count(1) if (one := name if k == 1 else f"{name}.{k}") not in self.names
        )
        self.names.add(made)
        return made
