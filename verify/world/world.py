"""The world of a statement: an instance seen through one number type and one noise plan.

Sides and hypotheses read symbols as attributes (``w.beta``, ``w.step_size``), run methods
(``w.run()``) and take exact means (``w.mean(x)``).  Every array has the leading axes (B, R):
instances, then noise outcomes; values that do not depend on the noise have R = 1 and broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bounds import generic as xp
from bounds.numbers import as_rational
from bounds.numbers.shapes import Array
from bounds.numbers.symbolic import Symbolic, expression
from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.world.noise_plan import AllOutcomes, NoisePlan, NotAvailable, sure

if TYPE_CHECKING:
    from algorithms.method import Method
    from synthetic.problem import Problem
    from verify.world.trajectories import Trajectory


ANY = "*"
"""Among the symbols of a term: it may name others than one sees, see `verify.terms.node`."""

SYMBOLS: dict[str, Callable[[World], Array]] = {}
"""Names that a problem lends to statements, filled in below."""


class World:
    """An instance (batch) in one number type with one noise plan.

    Parameters
    ----------
    instance : Instance
        A batch: arrays with a leading axis of instances.
    number : {"float64", "exact", "symbolic"}
        Number type of the instance's arrays.
    noise : AllOutcomes or Samples
        How the replicate axis is filled.
    defines : mapping
        Symbols that the statement itself defines.
    """

    on_unknowns: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    """What stands in for functions of `bounds.generic`, by name, where numbers have no order."""

    def __init__(
        self,
        instance: Instance,
        number: str = "float64",
        noise: NoisePlan | None = None,
        defines: Mapping[str, Callable[[World], Array]] | None = None,
    ) -> None:
        self._instance = instance
        self._number = number
        self._noise = noise or AllOutcomes()
        self._defines = dict(defines or {})
        self._cache: Any = {}
        self._changed: dict[str, Array] = {}
        self._control = ""
        self._size: int | None = None
        self._read: set[str] = set()
        self._made: dict[Any, tuple[Any, frozenset[str]]] = {}
        self._kept: dict[Any, tuple[Any, frozenset[str]]] = {}
        self.no_chances: list[Any] = []
        """Chances of random variables that lay outside [0, 1], as far as the referee has looked."""
        self._own: dict[Any, tuple[Mapping[str, Any], Trajectory, Array]] = {}
        self.terms: dict[Any, Any] = {}  # values of the nodes of terms, see verify.terms.values
        self.chosen: dict[
            Any, Any
        ] = {}  # which terms a statement has here, see verify.terms.claims

    def __len__(self) -> int:
        """Number of instances."""
        if self._size is None:
            self._size = len(self._instance)
        return self._size

    # -- symbols -------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.symbol(name)

    def symbol(self, name: str) -> Array:
        """Value of a symbol: changed, defined by the statement, of the instance, of the problem."""
        self._read.add(name)
        if name in self._changed:
            return self._changed[name]
        if name not in self._cache:
            self._cache[name] = self._find(name)
        return self._cache[name]

    def original(self, name: str) -> Array:
        """Value of a symbol whatever the sides see; what problems and methods use."""
        if name not in self._cache:
            self._cache[name] = self._find(name)
        return self._cache[name]

    def given(self, name: str) -> bool:
        """Whether the statement defines the symbol or the instance holds it as a parameter.

        Hyper-parameters come from here alone: a constant that the problem could lend under the
        same name (mu of FedProx, say) must be passed on purpose.
        """
        return name in self._defines or name in self._instance.params

    def has(self, name: str) -> bool:
        """Whether the symbol exists in this world."""
        sources = (self._changed, self._defines, self._instance.params, self._instance.data)
        lent = self._instance.family != "numbers" and name in SYMBOLS
        return lent or any(name in s for s in sources)

    def _find(self, name: str) -> Array:
        if name in self._defines:
            return self._defines[name](self)
        derived = name in SYMBOLS and self._instance.family != "numbers"
        for fields in (self._instance.params, self._instance.data):
            if name in fields and derived:
                raise InvalidInput(
                    f"parameter must not have the name of a constant that the problem derives, "
                    f"got {name!r}: rename it"
                )
            if name in fields:
                return _lead(fields[name])
        if derived:
            return SYMBOLS[name](self)
        lent = SYMBOLS if self._instance.family != "numbers" else ()
        known = sorted({*self._defines, *self._instance.params, *self._instance.data, *lent})
        near = get_close_matches(name, known, n=1)
        remedy = f"did you mean {near[0]}, of" if near else "use one of"
        raise InvalidInput(
            f"symbol must be one that the instance, its problem or the statement defines, got "
            f"{name!r}: {remedy} {', '.join(known) or 'none (pass family=)'}"
        )

    @property
    def read(self) -> frozenset[str]:
        """Symbols read so far."""
        return frozenset(self._read)

    @property
    def instance(self) -> Instance:
        """The batch of instances."""
        return self._instance

    @property
    def number(self) -> str:
        """Number type of this world."""
        return self._number

    @property
    def noise_plan(self) -> NoisePlan:
        """How the replicate axis is filled."""
        return self._noise

    def with_changed(self, changes: Mapping[str, Array]) -> World:
        """The same world with other values for some symbols, as seen by the sides alone.

        Everything that was derived before keeps its value: a mutant changes the formula, not the
        problem or the run that it is compared with.
        """
        other = World(self._instance, self._number, self._noise, self._defines)
        other._cache = dict(self._cache)
        other._changed = dict(changes)
        other._control = self._control
        other._kept = self._kept if self._changed else self._made
        other.chosen = self.chosen
        if not self._changed:
            other.terms = {
                term: value
                for term, value in self.terms.items()
                if term.symbols.isdisjoint((ANY, *changes))
            }
        return other

    def anew(self) -> World:
        """The same world with its problem and its runs, in which every function is asked again."""
        other = self.with_changed(self._changed)
        other._kept, other.terms = {}, {}
        return other

    def still(self) -> World:
        """The same world if every run stayed where it begins, under the same hyper-parameters.

        What a side is there is a bound that needs no theorem about training.
        """
        from verify.world.controls import STILL

        return self.exchanged(STILL)

    def exchanged(self, control: str) -> World:
        """The same world if every run were one of this control, see :mod:`.controls`.

        What is claimed there is claimed of another method. The problem, and the runs for which it
        stands in, are those of this world.
        """
        other = World(self._instance, self._number, self._noise, self._defines)
        other._control = control
        if type(self) is World:  # other worlds put something else in the place of both
            other._own = self._own
            if "problem" in self._cache:
                other._cache["problem"] = self._cache["problem"]
        return other

    @property
    def runs(self) -> int:
        """Different runs that were made in this world."""
        return sum(isinstance(key, tuple) and key[0] == "run" for key in self._cache)

    @property
    def methods(self) -> frozenset[str]:
        """Names of the methods that were run in this world."""
        return frozenset(k[1] for k in self._cache if isinstance(k, tuple) and k[0] == "run")

    @property
    def diverged(self) -> np.ndarray[Any, Any] | None:
        """Whether a run has left all floats, (B or 1,); None where none has been made."""
        found = [v.diverged for k, v in self._cache.items() if k[:1] == ("run",)]
        return np.logical_or.reduce(np.broadcast_arrays(*found)) if found else None

    def once(self, rule: Callable[[World], Any]) -> Any:
        """``rule(self)``, evaluated once.

        A world with other values for some symbols takes over what the rule gave before, unless the
        rule has read one of these symbols.
        """
        if rule not in self._made:
            value, read = self._kept.get(rule, (None, None))
            if read is None or not read.isdisjoint(self._changed):
                before, self._read = self._read, set()
                try:
                    value, read = rule(self), frozenset(self._read)
                finally:
                    self._read |= before
            self._made[rule] = value, read
        value, read = self._made[rule]
        self._read |= read
        return value

    # -- problem and runs ----------------------------------------------------------------------

    @property
    def problem(self) -> Problem:
        """The problem, its data with leading axes (B, 1)."""
        if "problem" not in self._cache:
            from synthetic.registry import make

            data = {k: _lead(v) for k, v in self._instance.data.items()}
            self._cache["problem"] = make(self._instance.family, data)
        made: Problem = self._cache["problem"]
        return made

    def run(
        self, method: str | None = None, rounds: int | None = None, **hyper: Array
    ) -> Trajectory:
        """Train with a method; client 0 is followed.

        Hyper-parameters come from the keyword arguments, else from the symbols of this world.
        """
        from algorithms.registry import load_method
        from verify.world.controls import exchanged

        name = method or self._instance.method
        if name is None:
            raise InvalidInput("method must be named, got None: give the instance a method")
        rounds = _whole(self.original("rounds") if rounds is None else rounds)
        key = ("run", name, rounds, *((k, _digest(v)) for k, v in sorted(hyper.items())))
        if key not in self._cache:
            rule = load_method(name)
            settings = {**self._settings(rule), **hyper}
            asked = (rule, self.problem, settings, rounds, self._noise, self._number)
            made, weights = self._ran(key, *asked)
            if self._control:
                made, weights = exchanged(self._control, made, weights, *asked)
            self._cache[key] = made
            self._drawn(weights)
        found: Trajectory = self._cache[key]
        return found

    def _ran(
        self, key: Any, rule: Method, problem: Problem, settings: Mapping[str, Any], *asked: Any
    ) -> tuple[Trajectory, Array]:
        """The method's own run and the weights of its outcomes, made once for all controls."""
        from verify.world.trajectories import trajectory

        known = self._own.get(key)
        if known is None or not _alike(settings, known[0]):
            try:
                known = (settings, *trajectory(rule, problem, settings, *asked))
            except KeyError as error:
                raise InvalidInput(
                    f"run of {key[1]} must know its hyper-parameter {error}, got none: add it by "
                    f"extra={{{error}: Real(...)}} or defines={{{error}: lambda w: ...}}"
                ) from error
            self._own[key] = known
        return known[1:]

    def pathwise(self, rule: Callable[[World, Array], Any]) -> Any:
        """``rule(self, theta)`` at theta^0 .. theta^{T-1} of the run, (B, R, T, d).

        Parameters
        ----------
        rule : callable
            Of every point by itself; an array (B, R, T, ...) or a dataclass of such.
        """
        return rule(self, self.run().theta[..., :-1, :])

    def _settings(self, method: Method) -> dict[str, Any]:
        """The method's hyper-parameters among the symbols of this world.

        Of a method that does not say which it has, all constants.
        """
        from algorithms.method import names_of

        params, names = self._instance.params.items(), names_of(method)
        constants = {
            k: v
            for k, v in params
            if not isinstance(v, np.ndarray) and (names is None or k in names)
        }
        known = [*method.axes, *method.units]
        found = {k: self.original(k) for k in known if self.given(k) and k not in constants}
        return {k: v for k, v in {**constants, **found}.items() if k != "rounds"}

    def _drawn(self, weights: Array) -> None:
        """Keep the weights of the outcomes that a run has drawn; all runs share them."""
        known = self.outcome_weights
        if known is None or known.size == 1 or not isinstance(self._noise, AllOutcomes):
            self.outcome_weights = weights
        elif weights.size > 1 and not np.array_equal(xp.to_float(weights), xp.to_float(known)):
            raise NotAvailable("two runs of one claim draw different gradients")

    def array(self, values: Any) -> Array:
        """Literal numbers (nested lists) as an array of this world's number type."""
        if self._number == "float64":
            return np.asarray(values, dtype=float)
        exact = np.asarray(as_rational(np.asarray(values)), dtype=object)
        if self._number == "symbolic":  # else a logarithm of one would be no number beside symbols
            for place, value in np.ndenumerate(exact):
                exact[place] = Symbolic(expression(value))
        return exact

    def mean(self, x: Array) -> Array:
        """Expectation over the noise, (B, R) -> (B, 1); exact where all outcomes are there."""
        x = np.asarray(x) if not isinstance(x, np.ndarray) else x
        if x.ndim < 2 or x.shape[1] == 1:
            return x
        if not isinstance(self._noise, AllOutcomes):
            raise NotAvailable("a mean inside a side needs a law with finitely many outcomes")
        weights = self.weights
        weights = weights.reshape(weights.shape + (1,) * (x.ndim - 2))
        return (weights * x).sum(axis=1, keepdims=True)

    def probability(self, event: Array) -> Array:
        """Probability of an event given as booleans, (B, R) -> (B, 1)."""
        event = np.asarray(event)
        one = xp.indicator(event, self.weights)
        return self.mean(one)

    @property
    def outcome_weights(self) -> Array | None:
        """Weights of the outcomes that runs have drawn, None if there was no run."""
        return self._cache.get("weights")

    @outcome_weights.setter
    def outcome_weights(self, weights: Array) -> None:
        self._cache["weights"] = weights

    @property
    def outcome_names(self) -> list[str] | None:
        """What the outcomes are called in a hand computation, None if nobody has named them."""
        names: list[str] | None = self._cache.get("outcome names")
        return names

    @outcome_names.setter
    def outcome_names(self, names: list[str]) -> None:
        self._cache["outcome names"] = names

    @property
    def weights(self) -> Array:
        """Weights of the outcomes, (B or 1, R); one outcome of weight 1 if nothing was drawn."""
        if self.outcome_weights is not None:
            return self.outcome_weights
        return sure(self._number)


def once(rule: Callable[[World], Array]) -> Callable[[World], Array]:
    """A quantity of worlds that each of them evaluates once (see :meth:`World.once`)."""

    @wraps(rule)
    def value(w: World) -> Array:
        return w.once(rule)

    return value


def _lead(value: Array) -> Array:
    """Insert the replicate axis after the instance axis; constants pass."""
    return value[:, None] if isinstance(value, np.ndarray) else value


def _digest(value: Array) -> Any:
    if isinstance(value, np.ndarray):
        return (value.shape, repr(value.tolist()) if value.dtype == object else value.tobytes())
    return value


def _alike(settings: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    """Whether two runs have the same hyper-parameters, digit for digit."""
    return settings.keys() == known.keys() and all(
        value is known[name] or _digest(value) == _digest(known[name])
        for name, value in settings.items()
    )


def _symbol(name: str) -> Callable[[Callable[[World], Array]], Callable[[World], Array]]:
    def enter(rule: Callable[[World], Array]) -> Callable[[World], Array]:
        SYMBOLS[name] = rule
        return rule

    return enter


@_symbol("beta")
def _beta(w: World) -> Array:
    return w.problem.smoothness


@_symbol("mu")
def _mu(w: World) -> Array:
    return w.problem.mu


@_symbol("sigma2")
def _sigma2(w: World) -> Array:
    return w.problem.noise_variance


@_symbol("squared_bias")
def _squared_bias(w: World) -> Array:
    return w.once(_heterogeneity)[0]


@_symbol("slope")
def _slope(w: World) -> Array:
    return w.once(_heterogeneity)[1]


def _heterogeneity(w: World) -> tuple[Array, Array]:
    """Constants of A3 between client 0 and all others.

    At the place that the instance names, s = 1/(tradeoff^2 - 1), or at s = 1.
    """
    if not w.has("tradeoff"):
        return w.problem.heterogeneity_of(0)
    return w.problem.heterogeneity_of(0, 1 / (w.original("tradeoff") ** 2 - 1))


def _whole(rounds: Any) -> int:
    """A number of rounds, one for the whole batch; half a round is none."""
    known = list(np.ravel(rounds))
    if len(set(known)) != 1 or known[0] != int(known[0]) or known[0] < 0:
        raise InvalidInput(f"rounds must be one whole number, got {rounds}: pass a positive int")
    return int(known[0])
