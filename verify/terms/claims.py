"""A statement whose functions are terms: traced once, and evaluated from the trace from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bounds.numbers.ball import FloatAmongExact
from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.parameters import RUNS, SIZES, Family, Shape
from verify.claim.program import plain_function
from verify.claim.state import changed_state, state_of
from verify.claim.statement import Sides, Statement
from verify.terms.node import Node
from verify.terms.refusals import NotTraceable
from verify.terms.trace import TracedClaim, traced
from verify.terms.traced import wrapped
from verify.terms.uniform import degree_in_sizes, obstacle, picks_out
from verify.terms.values import value_of
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.world import World

__all__ = ["ClaimTerms", "as_terms", "example_of_family", "program_of", "terms_of", "why_no_terms"]

Key = tuple[Any, ...]

PACKAGES = ("bounds.", "synthetic.", "algorithms.", "verify.")
"""Where quantities are trusted as methods are: measured alike for any number of clients."""

CHOICES = ("row", "client")
"""Entries of shapes that number rows and columns of a printed table: each is a choice."""

LOW, HIGH = 0.3, 0.7
"""Part of each range from which the numbers of an example come."""


def terms_of(statement: Statement) -> ClaimTerms | None:
    """The terms of a statement; None of one that cannot be traced (see `why_no_terms`)."""
    found = _known(statement)
    return None if isinstance(found, str) else found


def why_no_terms(statement: Statement) -> str:
    """Why a statement cannot be traced: the line and what it asks; empty where it can."""
    found = _known(statement)
    return found if isinstance(found, str) else ""


def as_terms(statement: Statement) -> Statement:
    """The statement with the terms of its functions in their place; itself where there are none."""
    terms = terms_of(statement)
    if terms is None or terms.whose(statement):
        return statement
    found = statement.__dict__.get("_as_terms")
    if found is None:
        found = terms.put_into(statement)
        object.__setattr__(statement, "_as_terms", found)
    return found


@dataclass(frozen=True, eq=False)
class ClaimTerms:
    """What a statement says, for each choice of what is no number and no size.

    Attributes
    ----------
    claims : tuple of TracedClaim
        One for each choice of what the functions were told.
    sizes : set of str
        Whole numbers that stay terms.
    builds : tuple of str
        Functions that make instances of the families.
    listed : set of str
        Numbers of something that are choices, as the functions ask for them as plain numbers: of
        others than are listed nothing is known.
    fixed : set of str
        Sizes of which the families have one number alone, which the functions ask for: the claim
        is about no other.
    """

    claims: tuple[TracedClaim, ...]
    sizes: frozenset[str]
    builds: tuple[str, ...] = ()
    listed: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()

    @cached_property
    def obstacle(self) -> str:
        """Why it may say something else at sizes that no reader looks at; empty if it does not."""
        found = (obstacle(claim.every()) for claim in self.claims)
        return self.told_sizes or next(filter(None, found), "")

    @cached_property
    def told_sizes(self) -> str:
        """Why its terms may be other ones at other sizes; empty if they are the same at all."""
        told = {part for claim in self.claims for part in claim.settled}
        sized = any(degree_in_sizes(part) for part in told)
        return "it is told something that depends on a size" if sized else ""

    @cached_property
    def picks_out(self) -> bool:
        """Whether entries between two places are picked out of an axis."""
        return any(map(picks_out, self._every()))

    @cached_property
    def own_program(self) -> str:
        """A quantity or function that no package measures: a program of a user's file."""
        told = (part for claim in self.claims for part in claim.settled)
        every = (part for term in (*self._every(), *told) for part in term.order)
        named = (p for p in every if p.op in ("quantity", "function", "generic"))
        names = (str(p.data[0] if p.op == "generic" else p.data) for p in named)
        return next((n for n in (*self.builds, *names) if not n.startswith(PACKAGES)), "")

    @cached_property
    def size_names(self) -> frozenset[str]:
        """Names of the sizes that the terms name."""
        every = {part for term in self._every() for part in term.parts()}
        return frozenset(p.data for p in every if p.op in ("size", "original size"))

    def _every(self) -> Iterator[Node]:
        for claim in self.claims:
            yield from claim.every()

    def of(self, world: Any) -> TracedClaim | None:
        """The terms for the choice of a world; None for one that no family lists."""
        chosen = world.chosen if type(world) is World else {}
        if self not in chosen:
            chosen[self] = next((claim for claim in self.claims if _is_of(claim, world)), None)
        found: TracedClaim | None = chosen[self]
        return found

    def whose(self, statement: Statement) -> bool:
        """Whether the functions of a statement are these terms already."""
        return isinstance(statement.sides, TermRule) and statement.sides.terms is self

    def put_into(self, statement: Statement) -> Statement:
        """The statement with these terms for its functions."""

        def rule(function: Any, part: str, name: str = "") -> TermRule:
            return TermRule(self, part, name, function)

        defines = {n: rule(f, "defined", n) for n, f in statement.defines.items()}
        given = tuple(
            replace(item, rule=rule(item.rule, "margins", item.name)) for item in statement.given
        )
        level = None if statement.delta is None else rule(statement.delta, "level")
        made = replace(
            statement,
            sides=rule(statement.sides, "sides"),
            given=given,
            defines=defines,
            delta=level,
        )
        return made


class TermRule:
    """A function of the world that evaluates terms.

    Parameters
    ----------
    terms : ClaimTerms
    part : {"sides", "margins", "defined", "level"}
    name : str
        Of the hypothesis or of the symbol.
    function : callable
        From which the terms were traced: asked only where a world is of a choice that no family
        lists.
    """

    def __init__(self, terms: ClaimTerms, part: str, name: str, function: Callable[..., Any]):
        self.terms, self.part, self.name, self.__wrapped__ = terms, part, name, function

    def __call__(self, world: Any) -> Any:
        if getattr(type(world), "traces", False):  # part of another claim
            return self._traced(world)
        claim = None if _CHOOSING.get() else self.terms.of(world)
        if claim is None:
            return self.__wrapped__(world)
        known: dict[Node, Any] = world.terms if type(world) is World else {}
        return self._evaluated(claim, world, lambda term: value_of(term, world, known))

    def _traced(self, world: Any) -> Any:
        claim = self.terms.of(world.example)
        if claim is None:
            return self.__wrapped__(world)
        known: dict[Node, Any] = world.example.terms
        world.defined.update(claim.defined)
        return self._evaluated(
            claim, world, lambda term: wrapped(term, value_of(term, world.example, known))
        )

    def _evaluated(self, claim: TracedClaim, world: Any, value: Callable[[Node], Any]) -> Any:
        if self.part == "sides":
            sides: Sides = (
                {k: _named_value(f"the left term {k!r}", v, value) for k, v in claim.left.items()},
                {
                    k: _named_value(f"the right term {k!r}", v, value)
                    for k, v in claim.right.items()
                },
            )
            return sides
        if self.part == "level":
            assert claim.level is not None
            return value(claim.level)
        term = getattr(claim, self.part).get(self.name)
        # what is defined and never asked for was not traced
        return self.__wrapped__(world) if term is None else value(term)


def _named_value(name: str, term: Node, value: Callable[[Node], Any]) -> Any:
    """Value of a term of a side; a float among exact numbers is told with its name."""
    try:
        return value(term)
    except FloatAmongExact as error:
        raise FloatAmongExact(str(error), name) from error


def program_of(function: Any) -> Any:
    """The function that terms were traced from; any other function is itself."""
    return function.__wrapped__ if isinstance(function, TermRule) else function


def choice_of(instance: Instance, sizes: frozenset[str]) -> Key:
    """What of an instance is no number and no size; what is traced may differ with it."""
    parts = []
    for name, value in sorted({**instance.data, **instance.params}.items()):
        if name in sizes and type(value) is int:
            value = int
        elif not (isinstance(value, bool | str | int) or value is None):
            value = np.ndarray
        parts.append((name, value))
    return (instance.family, instance.method, *parts)


_CHOOSING: ContextVar[bool] = ContextVar("a claim is chosen for a world", default=False)


def _is_of(claim: TracedClaim, world: Any) -> bool:
    known: dict[Node, Any] = world.terms if type(world) is World else {}
    token = _CHOOSING.set(True)  # a symbol that is defined is asked for before its terms are known
    try:
        return all(_same(value_of(p, world, known), told) for p, told in claim.settled.items())
    finally:
        _CHOOSING.reset(token)


def _same(value: Any, told: Any) -> bool:
    return type(value) is type(told) and bool(value == told)


def sizes_of(family: Family) -> frozenset[str]:
    """Names of the entries of a family's shapes that count something, and stay terms."""
    axes = {name for parameter in family.box.values() for name in parameter.per}
    return frozenset({*SIZES, *RUNS, *axes, *family.growing})


def _fixed_numbers(family: Family) -> frozenset[str]:
    """Names of the sizes of which one number alone is meant: no axis, one value, none beyond it."""
    axes = {name for parameter in family.box.values() for name in parameter.per}
    listed: dict[str, set[Any]] = {}
    for shape in family.shapes:
        for name, value in shape.items():
            listed.setdefault(name, set()).add(value)
    return frozenset(n for n, v in listed.items() if len(v) == 1) - axes - {*family.growing}


def _other_numbers(family: Family) -> frozenset[str]:
    """Names of further entries of a family's shapes that count, with several numbers listed."""
    listed: dict[str, set[Any]] = {}
    for shape in family.shapes:
        for name, value in shape.items():
            listed.setdefault(name, set()).add((type(value), value))
    whole = {n for n, v in listed.items() if len(v) > 1 and all(t is int and k >= 0 for t, k in v)}
    return frozenset(whole - {*CHOICES})


# -- private helpers ------------------------------------------------------------------------------


def _known(statement: Statement) -> ClaimTerms | str:
    if isinstance(statement.sides, TermRule):
        return statement.sides.terms
    found = statement.__dict__.get("_terms")
    if found is None:
        try:
            found = _made(statement)
        except NotTraceable as error:
            found = str(error)
        object.__setattr__(statement, "_terms", found)
    return found


def _made(statement: Statement) -> ClaimTerms:
    if statement.sides is None:
        raise NotTraceable("a claim without sides")
    before = state_of(statement)
    found = _of_sizes(statement)
    changed = changed_state(before, state_of(statement))
    if changed:
        raise NotTraceable(f"the functions keep something between two calls: {changed}")
    return found


def _of_sizes(statement: Statement) -> ClaimTerms:
    families = (statement.family, *statement.also)
    sizes = frozenset[str]().union(*map(sizes_of, families))
    others = frozenset[str]().union(*map(_other_numbers, families)) - sizes
    try:
        return _with_sizes(statement, families, sizes | others)
    except NotTraceable:
        pass
    # the others are choices, each by itself, and nothing is known of others than are listed
    try:
        return replace(_with_sizes(statement, families, sizes), listed=others)
    except NotTraceable:
        fixed = sizes & frozenset[str].intersection(*map(_fixed_numbers, families))
        if not fixed:
            raise
    return replace(_with_sizes(statement, families, sizes - fixed), listed=others, fixed=fixed)


def _with_sizes(
    statement: Statement, families: Sequence[Family], sizes: frozenset[str]
) -> ClaimTerms:
    examples: dict[Key, list[World]] = {}
    for family in families:
        for shape in family.shapes:
            world = example_of_family(statement, family, shape)
            examples.setdefault(choice_of(world.instance, sizes), []).append(world)
    claims: list[TracedClaim] = []
    for worlds in examples.values():
        if not any(all(_is_of(claim, w) for w in (worlds[0], worlds[-1])) for claim in claims):
            claims.append(traced(statement, _first_and_last(worlds), sizes))
    return ClaimTerms(tuple(claims), sizes, tuple(map(_place_of_build, families)))


def _place_of_build(family: Family) -> str:
    plain = plain_function(family.build)
    made = type(family.build) if plain is None else plain  # an object that is called, by its class
    return f"{made.__module__}:{made.__qualname__}"


def _first_and_last(worlds: Sequence[World]) -> list[World]:
    return [worlds[0]] if len(worlds) == 1 else [worlds[0], worlds[-1]]


def example_of_family(statement: Statement, family: Family, shape: Shape) -> World:
    """An instance of a shape, in floats: which one does not matter."""
    count = family.width(shape)
    places = LOW + (HIGH - LOW) * (np.arange(2 * count).reshape(2, count) * 0.6180339887 % 1)
    try:
        with np.errstate(all="ignore"):
            made = family.instance(family.decode(places, shape), shape)
    except (NotAvailable, NoValue, InvalidInput, ArithmeticError) as error:
        raise NotTraceable(f"there is no example of {dict(shape)}: {error}") from error
    return World(made, "float64", None, statement.defines)
