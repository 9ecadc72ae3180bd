"""The world in which a statement's functions are traced: every quantity in it is a term."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from verify.terms.node import Node, node
from verify.terms.refusals import NotTraceable
from verify.terms.traced import Traced, TracedObject, example_of, lifted, settled, wrapped

__all__ = ["TracingWorld"]


class TracingWorld:
    """What a statement's functions get for ``w`` while they are traced.

    Parameters
    ----------
    world : verify.world.world.World
        Of the example, in floats.
    sizes : set of str
        Names of the whole numbers that stay terms; other whole numbers are plain.
    defines : mapping
        Rules of the symbols that the statement defines.

    Attributes
    ----------
    defined : dict of str to Node
        Of each symbol that the statement defines and that has been asked for, what it is.
    """

    traces = True
    """Whether functions are traced here, not evaluated: `verify.claim.literals` asks."""

    def __init__(
        self,
        world: Any,
        sizes: frozenset[str],
        defines: Mapping[str, Callable[[Any], Any]],
        exact: bool = False,
    ) -> None:
        self._world, self._sizes, self._defines, self._exact = world, sizes, defines, exact
        self._made: dict[Any, Any] = {}
        self._literals = 0
        self.defined: dict[str, Node] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.symbol(name)

    def symbol(self, name: str) -> Any:
        """A quantity by its name."""
        return self._quantity("symbol", name)

    def original(self, name: str) -> Any:
        """A quantity by its name, whatever the sides see; what problems and methods use."""
        return self._quantity("original", name)

    def traced(self, function: Any, twin: Callable[[Any], Any]) -> Any:
        """The function itself, or where literals shall be exact its twin with exact ones."""
        return (twin(function) if self._exact else None) or function

    def _quantity(self, op: str, name: str) -> Any:
        if name in self._defines and name not in self.defined:
            self.defined[name] = node("constant", data=None)  # while it is made
            self.defined[name] = lifted(self._defines[name](self))
        value = self._world.original(name)
        if isinstance(value, bool | str) or value is None:
            if name in self._defines:  # what it is made of has been told
                return value
            return settled(node("plain", data=name), value)
        if isinstance(value, int) and name not in self._defines:
            kind = "size" if op == "symbol" else "original size"
            if name not in self._sizes:
                return settled(node("plain", data=name), value)
            return Traced(node(kind, data=name), value)
        return wrapped(node(op, data=name), value)

    def has(self, name: str) -> bool:
        """Whether there is a quantity of that name."""
        return bool(settled(node("has", data=name), self._world.has(name)))

    def given(self, name: str) -> bool:
        """Whether the statement defines it or the instance holds it."""
        return bool(settled(node("given", data=name), self._world.given(name)))

    @property
    def example(self) -> Any:
        """The world of the example."""
        return self._world

    def once(self, rule: Callable[[Any], Any]) -> Any:
        """What a rule gives here, traced once."""
        if rule not in self._made:
            self._made[rule] = rule(self)
        return self._made[rule]

    @property
    def problem(self) -> Any:
        """The problem, of which every value is traced."""
        return TracedObject(node("problem"), self._world.problem)

    def run(self, method: str | None = None, rounds: Any = None, **hyper: Any) -> Any:
        """The run of a method, of which every value is traced."""
        names = tuple(sorted(hyper))
        inputs = [lifted(rounds), *(lifted(hyper[k]) for k in names)]
        made = node("run", *inputs, data=(method, names))
        examples = {k: example_of(v) for k, v in hyper.items()}
        return TracedObject(made, self._world.run(method, example_of(rounds), **examples))

    def pathwise(self, rule: Callable[[Any, Any], Any]) -> Any:
        """``rule(self, theta)`` at every point of the run."""
        return rule(self, self.run().theta[..., :-1, :])

    def array(self, values: Any) -> Any:
        """Literal numbers as an array."""
        self._literals += 1  # numbers that are typed twice are not one expression
        made = node("literal", lifted(values), data=self._literals)
        return wrapped(made, self._world.array(example_of(values)))

    def mean(self, x: Any) -> Any:
        """Expectation over the noise."""
        return wrapped(node("mean", lifted(x)), self._world.mean(example_of(x)))

    def probability(self, event: Any) -> Any:
        """Probability of an event."""
        return wrapped(
            node("probability", lifted(event)), self._world.probability(example_of(event))
        )

    @property
    def weights(self) -> Any:
        """Weights of the outcomes."""
        return wrapped(node("weights"), self._world.weights)

    @property
    def outcome_weights(self) -> Any:
        """Weights of the outcomes that runs have drawn."""
        return wrapped(node("outcome weights"), self._world.outcome_weights)

    def __len__(self) -> int:
        raise NotTraceable("the number of instances is asked")

    def _refuse(self, what: str) -> NoReturn:
        raise NotTraceable(f"{what} is asked, which differs from world to world")

    @property
    def number(self) -> str:
        """Refused: what is said must not depend on how numbers are held."""
        self._refuse("the kind of number")

    @property
    def noise_plan(self) -> Any:
        """Refused, as is what follows."""
        self._refuse("the plan of the noise")

    @property
    def instance(self) -> Any:
        """Refused."""
        self._refuse("the instance")

    def with_changed(self, changes: Any) -> Any:
        """Refused."""
        self._refuse("another world")

    still = anew = exchanged = with_changed
