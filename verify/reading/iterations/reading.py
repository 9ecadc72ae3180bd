"""Both sides, the hypotheses and the definitions of a statement about one iteration, in symbols.

A program is run with a few numbers of local steps, at each iteration of the first rounds (`READ`).
What it says must be the same formula everywhere; of what is assumed, and of what definitions say of
what they define, that counts which is said at each of these iterations.  That it says the same with
any number of local steps, at any iteration, is read off from them: the numbers that count are
compared with nothing above them (`verify.reading.iterations.counts`), so that no program can ask
whether there are more than were read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Any

import numpy as np
import sympy

from algorithms.aggregation import Aggregation
from bounds.numbers.formal import Axis, listed
from bounds.numbers.formal_terms import extreme_type
from bounds.numbers.symbolic import Symbolic
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Statement
from verify.reading.iterations.draws import AtIteration, start_in
from verify.reading.iterations.names import (
    AWAY,
    BETA,
    CLIENT,
    COUNT,
    EARLIER,
    FIRST,
    FROM,
    GAP,
    HERE,
    IDEAL,
    MU,
    NOISE,
    NUMBERS,
    RESERVED,
    SHARED,
    SHARED_FIRST,
    SLOPE,
    SLOPE_OFF,
    STEP,
    TIME,
    TOLD,
    VARIANCE,
    VECTORS,
    step_at,
)
from verify.reading.iterations.shares import of_clients, summed_over_clients
from verify.reading.iterations.world import EARLY, LocalWorld, clients_axis
from verify.reading.parts.exact_points import instance_of
from verify.reading.parts.factored import cancelled
from verify.reading.parts.known_before import known_before
from verify.reading.parts.named_sizes import NamedSizes, around
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import formula, symbol_values
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Expr = Any  # sympy carries no types

ZERO = sympy.Integer(0)
METHOD = Aggregation.name
KNOWN_BEFORE = ("fixed", "fedavg")
"""Rules by which the weights of all rounds are known when a run begins."""
SETTINGS = frozenset({"rounds", "local_steps", "rule", "at", "timing"})
"""Constants of the method that are read; all others change what an iteration does."""
ARRAYS = frozenset({"client_weights", "coefficients", "start", "pace", "temperature"})
"""Parameters of a run that decide on it, beside the losses."""

READ = {1: 2, 2: 4, 3: 6, 4: 5, 5: 6, 6: 7, 13: 14}
"""Local steps that are read, and iterations: those of two rounds, or of one and a further one."""
REST_OF = (2, 3)
"""Local steps by which the number of iterations of a run that ends is read with every rest."""
MORE_CLIENTS = (17, 19)
"""Other numbers of clients that are written out, as a program may ask an array for its length."""
COUNTS = (11, 13, 17)
"""Numbers of clients of which one is written out where many iterations are."""
LISTED, MOST = 6, 24
"""Of sizes that the program names those above the first are read, up to the second."""
AGAIN = (1, 2)
"""Those of a claim that was held to all of these before."""

_DEFINED: dict[tuple[Any, ...], Mapping[str, Expr]] = {}
"""Formulas of definitions by what they depend on."""

__all__ = ["Iteration", "LocalRuns", "one_minimiser", "settings_of"]


@dataclass(frozen=True)
class Iteration:
    """What a statement says at an iteration, in the mean.

    Attributes
    ----------
    left, right : expressions
    given : mapping
        Name -> what must not be negative at this iteration.
    defined : mapping
        Name -> what definitions say, not negative.
    earlier : set of expressions
        What is not negative at each earlier iteration of the round.
    begun : mapping
        What is given, and under "" what definitions say, of the first model of the round.
    path : bool
        Whether it is said of every outcome; then it is about this iteration alone.
    clients : set of expressions
        What definitions say of the weight and the share of each client, not negative.
    early : bool
        Whether models within a round are averages under the shares.
    """

    left: Expr
    right: Expr
    given: Mapping[str, frozenset[Expr]]
    defined: frozenset[Expr]
    earlier: frozenset[Expr]
    begun: Mapping[str, frozenset[Expr]]
    path: bool = False
    clients: frozenset[Expr] = frozenset()
    early: bool = False


@dataclass
class LocalRuns:
    """A statement about one iteration of runs with local steps.

    Attributes
    ----------
    statement : Statement
    places : list
        Families and their shapes.
    others : mapping
        Parameters that are no settings of the method, each a plain number: of runs that are seen
        for one iteration of one local step, and never leave their start.
    end : bool
        Whether it is about the end of a run alone, so that the last iteration is looked at.
    at_ends : bool, optional
        Whether it is about iterations after which the models are averaged, without noise there, or
        about all others.
    early : bool
        Whether rounds begin after the first iteration, and models between are averages under the
        shares.
    """

    statement: Statement
    places: list[tuple[Family, Shape]]
    others: Mapping[str, Real] = field(default_factory=dict)
    end: bool = False
    at_ends: bool | None = None
    early: bool = False
    axis: Axis = field(default_factory=clients_axis)
    named: NamedSizes = field(default_factory=NamedSizes)

    @property
    def path(self) -> bool:
        """Whether it is said of every outcome."""
        return self.statement.over == "path"

    @cached_property
    def signs(self) -> dict[str, Expr]:
        """A symbol for each number that the statement defines, with the sign that it has."""
        found = {}
        for name, e in self._definitions(1, 2).items():
            if str(name) in RESERVED:
                raise NotReadable(f"a definition with the name of something else: {name}")
            known = {"nonnegative": True} if _not_negative(e) else {"real": True}
            found[name] = sympy.Symbol(name, **known)
        return found

    @cached_property
    def read(self) -> Iteration:
        """What it says at an iteration.

        Raises
        ------
        NotReadable
            Where that differs from one to another.
        """
        lengths = {1: 2} if self.others else self._lengths
        pairs = [*lengths.items()]
        if self.end and not self.others:
            rests = [e for e in REST_OF if e in lengths]
            pairs += [(e, n) for e in rests for n in range(lengths[e] + 1, lengths[e] + e)]
        every = [one for steps, rounds in pairs for one in self._all(steps, rounds)]
        first = every[0]
        every += [] if known_before() or self.others else self._at_named(first)
        if any((one.left, one.right) != (first.left, first.right) for one in every):
            raise NotReadable("sides that differ from one iteration to another")
        left, right = self._of_any_number(first)
        defined = frozenset.intersection(*(one.defined for one in every))
        known = [one.clients for one in every if one.clients is not None]
        clients = frozenset.intersection(*known) if known else frozenset()
        later = [one.earlier for one in every if one.earlier is not None] or [frozenset()]
        return Iteration(
            left,
            right,
            _in_all([one.given for one in every]),
            defined.union(summed_over_clients(clients)),
            frozenset.intersection(*later),
            _in_all([one.begun for one in every]),
            self.path,
            clients,
            self.early,
        )

    def _at_named(self, first: Iteration) -> Iterator[Iteration]:
        """What it says with the numbers of local steps and of iterations that it names.

        Sides may depend on how many clients are written out: what they say of so many is the same
        with any number of local steps, and is given as it is with those that are usual.
        """
        for n in self._named_sizes:
            # an axis of the iterations must not be taken for one of the clients
            count = next(c for c in COUNTS if n % c and (n + 1) % c and (n + 2) % c)
            here = replace(self, axis=clients_axis(count))
            usual = next(here._all(*self._shortest))
            for one in here._all(n, n + 1, (n - 1, n)):
                if (one.left, one.right) != (usual.left, usual.right):
                    raise NotReadable("sides that differ with a number that is named")
                yield replace(one, left=first.left, right=first.right)

    @property
    def _named_sizes(self) -> list[int]:
        """Sizes that the program names, and what follows on them."""
        named = self.named.found
        return [n for n in around(named, LISTED, MOST) if {n, n - 2} & named]

    @property
    def _shortest(self) -> tuple[int, int]:
        """The fewest local steps and iterations that are read."""
        return (2, 4) if self.at_ends is False else (1, 2)

    def _of_any_number(self, first: Iteration) -> tuple[Expr, Expr]:
        """Both sides with the number of clients for the number that is written out."""
        sizes = [*MORE_CLIENTS, *(() if known_before() else self._named_sizes)]
        sides, others = [(first.left, first.right)], replace(first, left=0, right=0)
        for size in sizes:
            one = next(replace(self, axis=clients_axis(size))._all(*self._shortest))
            sides.append((one.left, one.right))
            if replace(one, left=0, right=0) != others:
                raise NotReadable("what is known depends on the number of clients")
        left, right = (_straight(found, sizes) for found in zip(*sides, strict=True))
        return left, right

    def _all(self, steps: int, rounds: int, times: Sequence[int] = ()) -> Iterator[Any]:
        """What it says at each iteration of so many, or at these; of runs that stay, or end, at the
        last one.

        Of a single iteration a smallest value is no smallest value, so two are read.
        """
        definitions = self._definitions(steps, rounds)
        self._steps(steps, rounds)
        known, known_of_all = self._named(definitions)
        said = known_of_all
        last_alone = self.others or self.end
        for at in (rounds - 1,) if last_alone else times or range(rounds):
            place = AtIteration(at, steps, self.path, self.early)
            if self.at_ends not in (None, place.ends):
                continue
            with self.named.listening(), listed(self.axis), asked(), unchecked():
                world = self._world(steps, rounds, at, self.signs)
                sides = sides_of(self.statement, world)
                margins = margins_of(self.statement, world)
            left, right = (self._whole(side, place, known) for side in sides)
            if self.at_ends:
                left, right = (sympy.expand(e.xreplace({NOISE: ZERO})) for e in (left, right))
            if self.statement.relation == ">=":
                left, right = right, left
            flat = {
                n: [formula(v).xreplace(known) for v in np.asarray(m, dtype=object).flat]
                for n, m in margins.items()
            }
            if self.early:
                said = [e for e in said if _whatever_the_weights(e)]
                flat = {n: [e for e in v if not e.has(sympy.Sum)] for n, v in flat.items()}
            every = [e for found in flat.values() for e in found]
            begun = {n: _begun(found, place) for n, found in {**flat, "": said}.items()}
            chosen = not self.early or place.round * steps < rounds
            clients = frozenset(of_clients(known_of_all, place.round)) if chosen else None
            yield Iteration(
                left,
                right,
                {n: frozenset(_means(found, place)) for n, found in flat.items()},
                frozenset(_means(said, place)),
                None if self.path else _earlier([*every, *said], place, bool(times)),  # type: ignore[arg-type]
                {} if self.path or self.early else begun,
                clients=clients,  # type: ignore[arg-type]
            )

    def _whole(
        self, side: Mapping[str, Any], place: AtIteration, known: Mapping[Expr, Expr]
    ) -> Expr:
        total: Any = sum(np.asarray(v, dtype=object) for v in side.values())
        entries = np.asarray(total, dtype=object).reshape(-1)
        if len(entries) != 1:
            raise NotReadable("a claim about several clients or iterations")
        return place.expanded_mean(formula(entries[0]).xreplace(known))

    @property
    def _lengths(self) -> dict[int, int]:
        """Local steps that are read, and iterations."""
        return {e: READ[e] for e in AGAIN} if known_before() else READ

    @cached_property
    def step(self) -> Expr | None:
        """The step in the time, for all that are read; None where it is no one formula."""
        return _in_the_time(tuple(tuple(self._steps(e, n)) for e, n in self._lengths.items()))

    @cached_property
    def alike(self) -> bool:
        """Whether one point minimises the losses of all clients, at random points."""
        drawn = (instance_of(f, s, Random(i))[0] for f, s in self.places for i in range(2))
        return all(one_minimiser(World(instance, "exact").problem) for instance in drawn)

    # -- what is defined -----------------------------------------------------------------------

    def _definitions(self, steps: int, rounds: int) -> Mapping[str, Expr]:
        """Formulas of what the statement defines, but for the steps.

        Of what has been held to the program before they are computed once for all statements that
        define the same: nothing is listened to then.
        """
        if not known_before():
            return self._defined(steps, rounds)
        about = (steps, rounds, self.axis, self.end, self.early)
        key = (*about, *self.others.items(), *self.statement.defines.items())
        if key not in _DEFINED:
            _DEFINED[key] = self._defined(steps, rounds)
        return _DEFINED[key]

    def _defined(self, steps: int, rounds: int) -> dict[str, Expr]:
        with self.named.listening(), listed(self.axis), asked(), unchecked():
            world = self._world(steps, rounds, 0, {})
            found = {
                n: np.asarray(world.symbol(n), dtype=object).reshape(-1)
                for n in self.statement.defines
                if n != "step_sizes"
            }
        if any(len(v) != 1 for v in found.values()):
            raise NotReadable("a definition that is no single number")
        return {n: start_in(formula(v[0])) for n, v in found.items()}

    def _named(self, definitions: Mapping[str, Expr]) -> tuple[dict[Expr, Expr], list[Expr]]:
        """Formulas in place of symbols that are nothing else, and what is known of the others."""
        known: dict[Expr, Expr] = {}
        said: list[Expr] = []
        for name, e in definitions.items():
            symbol = self.signs[name]
            if symbol.is_nonnegative and not _not_negative(e):
                raise NotReadable(f"{name} has another sign with other numbers of local steps")
            bounds = _bounds(symbol, e)
            said += bounds
            if not bounds:
                value = AtIteration(0, 1).mean(e)
                if value.has(*VECTORS, *NUMBERS):
                    raise NotReadable(f"{name} depends on the outcome")
                known[symbol] = value
        return known, said

    def _steps(self, steps: int, rounds: int) -> list[Expr]:
        """Formulas of the steps, which are positive."""
        rule = self.statement.defines.get("step_sizes")
        if rule is None:
            raise NotReadable("steps that are no formula")
        with listed(self.axis), asked(), unchecked():
            world = self._world(steps, rounds, 0, {}, self._rows(rounds))
            found = [formula(v) for v in np.asarray(rule(world), dtype=object).reshape(-1)]
        if len(found) != rounds or not all(e.is_positive for e in found):
            raise NotReadable("steps that are not positive")
        return found

    def _rows(self, rounds: int) -> dict[str, Any]:
        """Parameters of which each iteration has one, with the sign that all families give."""
        rows = {}
        for name in sorted(set.intersection(*(set(f.box) for f, _ in self.places))):
            every = [f.box[name] for f, _ in self.places]
            if all(p.per == ("rounds",) and p.sign == "positive" for p in every):
                symbols = [sympy.Symbol(f"{name}_{t}", positive=True) for t in range(rounds)]
                row = np.empty((1, rounds), dtype=object)
                row[0] = [Symbolic(s) for s in symbols]
                rows[name] = row
        return rows

    def _world(
        self,
        steps: int,
        rounds: int,
        at: int,
        named: Mapping[str, Expr],
        params: Mapping[str, Any] | None = None,
    ) -> LocalWorld:
        return LocalWorld(
            {"timing": EARLY if self.early else "algorithm"},
            (steps, rounds, at),
            {**symbol_values(self.others, {}), **(params or {})},
            self.axis,
            self.statement.defines,
            named,
            self.end,
        )


def settings_of(statement: Statement, end: bool = False, apart: bool = False) -> list[LocalRuns]:
    """The statement about runs with local steps, and about runs that never leave their start.

    Parameters
    ----------
    statement : Statement
    end : bool
        Whether it is read as one about the end of a run.
    apart : bool
        Whether iterations after which models are averaged are read by themselves, of what is said
        of every outcome.

    Raises
    ------
    NotReadable
        Where it is about something else.
    """
    if statement.over not in ("mean", "path") or statement.relation not in ("<=", ">=", "=="):
        raise NotReadable("no claim about means, or about every outcome")
    if apart and statement.over != "path":
        raise NotReadable("a mean that differs from one iteration to another")
    found: dict[str, LocalRuns] = {}
    for family in (statement.family, *statement.also):
        for shape in family.shapes:
            others = _others(family, shape)
            early = shape["timing"] == EARLY
            ends = _ends(shape, early) if apart else None
            made = LocalRuns(statement, [], others, end, ends, early)
            one = found.setdefault(f"{early} {ends} {others}", made)
            one.places.append((family, shape))
    return list(found.values())


def _ends(shape: Shape, early: bool) -> bool:
    """Whether models are averaged after the iteration of a shape, of which none is noisy then."""
    ends = AtIteration(int(shape["at"]), int(shape["local_steps"]), early=early).ends
    if ends and not shape.get("quiet"):
        raise NotReadable("noise where a round ends")
    return ends


def one_minimiser(problem: Any) -> bool:
    """Whether one point minimises the losses of all clients."""
    found = np.asarray(problem.optimum)
    return bool(np.all(found == found[..., :1, :]))


def _others(family: Family, shape: Shape) -> dict[str, Real]:
    """Parameters of the runs that are no settings of the method."""
    if shape.get("timing") not in ("algorithm", EARLY) or "local_steps" not in shape:
        raise NotReadable("no runs with local steps")
    instance, _ = instance_of(family, shape, Random(0))
    if (instance.method, instance.family) != (METHOD, "quadratic"):
        raise NotReadable("runs of another method, or on other losses")
    if shape["timing"] == EARLY and shape.get("rule") not in KNOWN_BEFORE:
        raise NotReadable("weights that are chosen at the end of a round")
    arrays = {n for n, v in instance.params.items() if isinstance(v, np.ndarray)}
    if set(instance.params) - arrays - SETTINGS:
        raise NotReadable("runs with other settings")
    others = {n: family.box.get(n) for n in sorted(arrays - ARRAYS)}
    once = (shape["local_steps"], shape["rounds"], shape.get("at")) == (1, 1, 0)
    if any(p is None or p.per for p in others.values()) or (others and not once):
        raise NotReadable("runs with other parameters")
    if set(others) & RESERVED:
        raise NotReadable("a parameter with the name of something else")
    return {n: p for n, p in others.items() if p is not None}


@lru_cache(64, typed=True)
def _in_the_time(found: tuple[tuple[Expr, ...], ...]) -> Expr | None:
    """The one formula in the time of the steps of some runs, or None."""
    (first, second, *_), *_ = found
    slope = cancelled(1 / second - 1 / first)
    made = cancelled(1 / (1 / first + slope * TIME))
    fits = all(
        cancelled(e - made.xreplace({TIME: sympy.Integer(t)})) == 0
        for steps in found
        for t, e in enumerate(steps)
    )
    return made if fits and made.free_symbols <= {TIME, BETA, MU} else None


def _straight(found: Sequence[Expr], others: Sequence[int]) -> Expr:
    """One formula for those that differ with the number of clients along a straight line."""
    first, second, *more = found
    sizes = clients_axis().size, *others
    slope = sympy.expand((second - first) / (sizes[1] - sizes[0]))
    whole = first if slope == 0 else sympy.expand(first + (COUNT - sizes[0]) * slope)
    fits = all(
        sympy.expand(whole.xreplace({COUNT: sympy.Integer(n)}) - e) == 0
        for n, e in zip(sizes[2:], more, strict=True)
    )
    if not fits:
        raise NotReadable("sides that depend on the number of clients in another way")
    return whole


def _whatever_the_weights(e: Expr) -> bool:
    """Whether it is said of each client, and no weight is in it."""
    bases = {str(i.base) for i in sympy.sympify(e).atoms(sympy.Indexed)}
    plain = not bases or CLIENT in e.free_symbols
    return plain and not e.has(sympy.Sum) and not any(b.startswith("alpha") for b in bases)


# -- what is said at an iteration ------------------------------------------------------------------


def _means(found: Iterable[Expr], place: AtIteration) -> Iterator[Expr]:
    """Means of formulas that are not negative, as far as they are about this iteration."""
    for e in found:
        try:
            mean = place.expanded_mean(e)
        except NotReadable:
            continue
        if not mean.is_number:
            yield mean


def _earlier(found: Iterable[Expr], place: AtIteration, ends: bool) -> frozenset[Expr] | None:
    """What is not negative at each earlier iteration of the round; None where there is none.

    With `ends`, of many the first and the last alone.

    It is about the step there and the squared gradient that the drawn client was told, whose mean
    is that of its squared gradient and of the variance.
    """
    each = []
    times = [*place.earlier]
    for t in times[:: len(times) - 1] if ends and len(times) > 2 else times:
        moved = []
        then = replace(place, at=t)
        for e in found:
            try:
                with_now = e.xreplace({step_at(place.at): sympy.Symbol("now", positive=True)})
                mean = then.expanded_mean(with_now)
            except NotReadable:
                continue
            mean = mean.xreplace({STEP: EARLIER}).xreplace(
                {sympy.Symbol("now", positive=True): STEP}
            )
            told = TOLD**2 - SLOPE**2 - SLOPE_OFF**2
            mean = sympy.expand(mean.xreplace({VARIANCE: told}))
            if not mean.has(*(s for s in (*VECTORS, *NUMBERS) if s != TOLD)):
                moved.append(mean)
        each.append(frozenset(moved))
    return frozenset.intersection(*each) if each else None


def _begun(found: Iterable[Expr], place: AtIteration) -> frozenset[Expr]:
    """What is not negative and about the first model of the round alone."""
    names = {HERE: FIRST, SHARED: SHARED_FIRST, AWAY: FROM}
    kept = {*names, IDEAL, GAP}
    known = _means(found, replace(place, at=place.first))
    return frozenset(
        e.xreplace(names)
        for e in known
        if e.has(*names) and not e.has(STEP, *(s for s in (*VECTORS, *NUMBERS) if s not in kept))
    )


def _in_all(every: Sequence[Mapping[str, frozenset[Expr]]]) -> dict[str, frozenset[Expr]]:
    """By name what all have."""
    met = {n: frozenset.intersection(*(one[n] for one in every)) for n in every[0]}
    return {n: found for n, found in met.items() if found}


def _bounds(symbol: Expr, e: Expr) -> list[Expr]:
    """What a largest or smallest value says of the symbol that stands for it, not negative."""
    if isinstance(e, sympy.Max | sympy.Min):
        sign, values = (1 if isinstance(e, sympy.Max) else -1), list(e.args)
    elif isinstance(e, extreme_type()):
        sign, values = (1 if str(e.args[0]) == "max" else -1), e.values
        values = [v.xreplace({e.args[1]: CLIENT}) for v in values]
    else:
        return []
    found = []
    for value in values:
        top, bottom = sympy.fraction(value)
        if not _not_negative(bottom):
            return []
        found.append(sign * (symbol * bottom - top))
    return found


def _not_negative(e: Expr) -> bool:
    """Whether a formula is seen to be no negative number; what is divided by is positive then."""
    if isinstance(e, sympy.Sum):
        return _not_negative(e.function)
    if isinstance(e, sympy.Max | sympy.Min | sympy.Add | sympy.Mul):
        return all(map(_not_negative, e.args))
    if isinstance(e, extreme_type()):
        return all(map(_not_negative, e.values))
    if e.is_Pow and e.exp == -1:
        return _not_negative(e.base)
    return bool(e.is_nonnegative)
