"""What a statement says of the slopes at the server's models of a run of any length.

The left side must be the average over rounds of the squared mean slope at the server's models, and
the right side a number that does not depend on the rounds, plus another one over their number.
Numbers without a form are told apart by how they enter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis, listed
from bounds.numbers.formal_terms import extreme_type, put
from bounds.numbers.symbolic import Symbolic, client_symbol
from bounds.numbers.validate import InvalidInput, unchecked
from verify.claim.instance import Instance
from verify.reading.consensus.names import (
    BOUND,
    MODEL,
    MOST,
    MULTIPLIER,
    SLOPE,
    SOLVER,
    STIFF,
    TOP,
    NamedRound,
)
from verify.reading.consensus.reading import ConsensusRead, ConsensusRuns, hypotheses_of
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable, NumberOfRounds, asked
from verify.reading.parts.symbols import Listed, formula, symbol_values
from verify.reading.stationarity.world import NumberedWorld, Quantity, known_at
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Expr = Any  # sympy carries no types

ROUNDS = sympy.Symbol("rounds", positive=True)
"""The number of rounds."""
RANGE, STEEPEST, LEAST = (
    sympy.Symbol("range", nonnegative=True),
    sympy.Symbol("steepest", nonnegative=True),
    sympy.Symbol("least_loss", real=True),
)
"""What numbers are taken for: a bound of all distances, of all slopes, and of the mean loss."""
FALLS = sympy.Symbol("total_fall", real=True)
"""The mean fall of the clients' Lagrangians from the first round to the last."""
SPREADS = sympy.Symbol("mean_spread", nonnegative=True)
"""The mean over clients and rounds of the squared distance to the server's next model."""

__all__ = [
    "FALLS",
    "LEAST",
    "RANGE",
    "ROUNDS",
    "SPREADS",
    "STEEPEST",
    "TrainingRead",
    "TrainingRuns",
]


@dataclass(frozen=True)
class TrainingRead:
    """What a statement says.

    Attributes
    ----------
    right : expression
        In ROUNDS, the parameters, MOST, and the numbers as what they are taken for.
    known : ConsensusRead
        The hypotheses, and the residual that MOST is the largest square of.
    numbers : dict
        What a number is taken for -> the quantity.
    positive : bool
        Whether the lower end of the multipliers is above zero, by the family's own program.
    """

    right: Expr
    known: ConsensusRead
    numbers: Mapping[Expr, Quantity]
    positive: bool = False

    @property
    def whole_fall(self) -> bool:
        """Whether the bound speaks of the whole fall itself."""
        return bool(self.right.has(FALLS))

    @property
    def spreads(self) -> bool:
        """Whether the bound speaks of the mean distance to the server."""
        return bool(self.right.has(SPREADS))


class TrainingRuns(ConsensusRuns):
    """A statement about runs of FedBC in which all clients begin at the server's model.

    Raises
    ------
    NotReadable
        Where it is about something else.
    """

    def __post_init__(self) -> None:
        one = self.statement
        if one.over != "point" or one.relation != "<=" or one.quantifier != "all":
            raise NotReadable("no inequality at every point")
        if any(s.get("d") != 1 or "N" not in s or "S" not in s for _, s in self.places):
            raise NotReadable("no runs on the line with sampled clients")
        self._require_method()
        if any(np.any(i.params["starts"] != i.params["start"][:, None]) for i in self._some):
            raise NotReadable("clients that do not begin at the server's model")

    def read_training(self) -> TrainingRead:
        """What the statement says, for any number of rounds.

        Raises
        ------
        NotReadable
        """
        found = [self._of_rounds(t) for t in (1, 2)]
        (one, known, numbers), (two, again, others) = found
        if list(numbers) != list(others) or again.in_one_round != known.in_one_round:
            raise NotReadable("rounds of which another thing is said")
        falling, lasting = 2 * (one - two), 2 * two - one
        right = falling / ROUNDS + lasting
        for clients in () if known_before() else self._named_clients():
            said, here, names = replace(self, axis=Axis.of(clients, 0))._of_rounds(1)
            if list(names) != list(numbers) or here.in_one_round != known.in_one_round:
                raise NotReadable("another thing is said of a number of clients that is named")
            if sympy.expand(said - one) != 0:
                raise NotReadable("a bound that differs with a number of clients that is named")
        roles = _roles(right, [sympy.Symbol(n, real=True) for n in numbers])
        taken = {role: numbers[str(s)] for s, role in roles.items()}
        return TrainingRead(right.xreplace(roles), again, taken, self._positive())

    def _positive(self) -> bool:
        """Whether the lower end of the multipliers is positive for all parameters."""
        for family, shape in self.places:
            sizes = {n: self.axis.size for n, v in shape.items() if n in ("N", "S") and v}
            values = symbol_values(family.box, {**shape, **sizes}, "N", self.axis)
            try:
                with listed(self.axis), asked():
                    built = family.instance(values, {**shape, **sizes})
            except (InvalidInput, NotReadable):
                return False
            low = np.ravel(built.params["lambda_min"])
            if not all(formula(v).is_positive for v in low):
                return False
        return True

    def _of_rounds(self, rounds: int) -> tuple[Expr, ConsensusRead, dict[str, Quantity]]:
        world = self._training_world(rounds)
        with self.named.listening(), listed(self.axis), asked(), unchecked():
            sides = sides_of(self.statement, world)
            margins = margins_of(self.statement, world)
        places = world.places
        if len(places) != rounds:
            raise NotReadable("not one run")
        left, right = (sympy.Add(*(_one(v) for v in side.values())) for side in sides)
        k, count = client_symbol()
        squares = [
            (sympy.Sum(known_at("slope", p.names["server"])[k], (k, 1, count)) / count) ** 2
            for p in places
        ]
        if sympy.expand(left - sympy.Add(*squares) / rounds) != 0:
            raise NotReadable("no average of squared slopes at the server's models")
        right, residual = _largest(right, places)
        given = {n: _one(v) for n, v in margins.items()}
        plain = {n: e for n, e in given.items() if not (e.is_number and bool(e >= 0))}
        every, first, rest = hypotheses_of(plain, places)
        known = ConsensusRead(
            sympy.Integer(0), sympy.Integer(0), residual, every, first, rest, None
        )
        return right, known, world.numbers

    def _training_world(self, rounds: int) -> NumberedWorld:
        some = self._some[0]
        gone = ("participation", "horizon")
        params = {
            n: v for n, v in some.params.items() if not isinstance(v, np.ndarray) and n not in gone
        }
        params |= {"S": self.axis.size, "rounds": NumberOfRounds(rounds), "virtual": True}
        for name, row in self.rows.items():
            base = sympy.IndexedBase(name, real=True)
            one = sympy.Symbol(name, real=True)
            entries = [base[m] for m in self.axis.marks] if row else [one]
            if name == "starts":
                entries = [sympy.Symbol("start", real=True)] * self.axis.size
            value = np.array([Symbolic(e) for e in entries], dtype=object)
            value = value[None] if row else value
            params[name] = (value[..., None] if name in ("start", "starts") else value).view(Listed)
        instance = Instance(some.family, {}, some.method, params)
        exact = World(some, "exact", None, self.statement.defines)
        return NumberedWorld(instance, self.axis, self.statement.defines, exact)


def _largest(right: Expr, places: list[NamedRound]) -> tuple[Expr, Expr]:
    """The right side with MOST for the largest squared residual of all rounds."""
    k, _ = client_symbol()
    stiffest = {x for x in right.atoms(extreme_type()) if x.args[3] == sympy.Tuple(STIFF[k])}
    right = right.xreplace(dict.fromkeys(stiffest, TOP))
    extremes = list(right.atoms(extreme_type()))
    if len(extremes) != 1:
        raise NotReadable("not one largest value in a bound")
    word, index, leads, bodies = extremes[0].args
    residual = (SLOPE[k] + 2 * MULTIPLIER[k] * (MODEL[k] - SOLVER)) ** 2
    said = set()
    for place in places:
        names = place.names
        model = sympy.IndexedBase(names["model"], real=True)[k]
        slope = known_at("slope", names["model"])[k]
        multiplier = sympy.IndexedBase(names["multiplier"], real=True)[k]
        server = sympy.Symbol(names["server"], real=True)
        said.add(sympy.expand((slope + 2 * multiplier * (model - server)) ** 2))
    found = {sympy.expand(put(b, index, k)) for b in bodies}
    if str(word) != "max" or any(leads) or found != said:
        raise NotReadable("the largest value of something else than residuals")
    right = _with_spreads(_with_fall(right.xreplace({extremes[0]: MOST}), places), places)
    rows = {str(i.base) for i in right.atoms(sympy.Indexed)}
    if rows - {"gamma", "stiff", "loss_of_start"}:
        raise NotReadable("a bound that is about rounds")
    return right, residual


def _with_fall(right: Expr, places: list[NamedRound]) -> Expr:
    """The right side with a number for the mean fall of the Lagrangians in the whole run."""
    k, count = client_symbol()
    first, last = places[0].names, places[-1].names
    after = NamedRound(0, len(places)).names["multiplier"]
    model = sympy.IndexedBase(last["model"], real=True)[k]
    begin, end = (sympy.IndexedBase(n, real=True)[k] for n in (first["multiplier"], after))
    gamma = sympy.IndexedBase("gamma", real=True)[k]
    server = sympy.Symbol(last["server_after"], real=True)
    fall = known_at("loss", first["server"])[k] - begin * gamma
    fall -= known_at("loss", last["model"])[k] + end * ((model - server) ** 2 - gamma)
    table = {
        s: count * FALLS
        for s in right.atoms(sympy.Sum)
        if s.limits == (sympy.Tuple(k, 1, count),) and sympy.expand(s.function - fall) == 0
    }
    return right.xreplace(table)


def _with_spreads(right: Expr, places: list[NamedRound]) -> Expr:
    """The right side with a number for the mean squared distance to the server's next model."""
    k, count = client_symbol()
    spreads = []
    for place in places:
        model = sympy.IndexedBase(place.names["model"], real=True)[k]
        gap = model - sympy.Symbol(place.names["server_after"], real=True)
        spreads.append(sympy.expand(gap**2))
    dummies = [sympy.Dummy(f"spread{t}", real=True) for t in range(len(places))]
    table = {
        s: count * dummies[spreads.index(sympy.expand(s.function))]
        for s in right.atoms(sympy.Sum)
        if s.limits == (sympy.Tuple(k, 1, count),) and sympy.expand(s.function) in spreads
    }
    found = right.xreplace(table)
    slopes = [sympy.diff(found, d) for d in dummies]
    if any(sympy.expand(one - slopes[0]) != 0 or one.has(*dummies) for one in slopes):
        raise NotReadable("rounds whose distances are not taken alike")
    return found.xreplace(dict.fromkeys(dummies, SPREADS))


def _roles(right: Expr, numbers: list[Expr]) -> dict[Expr, Expr]:
    """What each number is taken for: bounds of distances enter with the fourth power, those of
    slopes squared, of dissimilarity with a square and beside residuals, the least loss alone."""
    found: dict[Expr, Expr] = {}
    for number in (n for n in numbers if n in right.free_symbols):
        powers = sorted(_powers(right, number))
        role = {(4,): RANGE, (2,): STEEPEST, (1,): LEAST, (1, 2): BOUND}.get(tuple(powers))
        if role is None or role in found.values():
            raise NotReadable("a number that is taken for nothing known")
        found[number] = role
    return found


def _powers(right: Expr, number: Expr) -> set[int]:
    """Powers with which a number enters, with those under sums."""
    plain = sympy.expand(
        right.replace(lambda e: isinstance(e, sympy.Sum), lambda e: e.function).doit()
    )
    return {t.as_powers_dict()[number] for t in sympy.Add.make_args(plain)} - {0}


def _one(value: Any) -> Expr:
    entries = np.asarray(value, dtype=object).reshape(-1)
    if len(entries) != 1:
        raise NotReadable("a claim about several clients or rounds")
    return formula(entries[0])
