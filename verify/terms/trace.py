"""Trace a statement: its functions are called once on traced quantities, and terms come back.

They are called on two examples of different sizes, and must give the same terms: what depends on
the example is no term.
"""

from __future__ import annotations

import dis
import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from types import CodeType, FrameType
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.program import plain_function
from verify.claim.statement import Statement
from verify.limits.clock import OutOfTime, at_most
from verify.limits.foreign import CodeFailed, code_of_others
from verify.terms.node import Node
from verify.terms.refusals import CATCHES, NotTraceable, place_of
from verify.terms.traced import SETTLED, Traced, lifted
from verify.terms.world import TracingWorld
from verify.world.noise_plan import NotAvailable, NoValue

__all__ = ["TracedClaim", "traced"]

TRACE_SECONDS = 5
"""Seconds that one function of a statement may take on an example; the longest of the library takes
a fifth of one. What has no end is a program, which the limits of a run stop."""

NO_EXAMPLE = (ArithmeticError, ValueError, LookupError, NotAvailable, NoValue)
"""What formulas and runs raise outside their domain, and what is raised on purpose."""


@dataclass(frozen=True, eq=True)
class TracedClaim:
    """What a statement says, as terms.

    Attributes
    ----------
    left, right : dict of str to Node
        Terms of both sides by name.
    margins : dict of str to Node
        Of each hypothesis what must not be negative.
    level : Node or None
        Of a claim about a probability.
    defined : dict of str to Node
        Symbols that the statement defines.
    settled : dict
        Texts, truth values and choices that the functions were told, by node: the claim is this one
        where these are what they were.
    called : dict of Node to str
        What the function of the sides calls the pieces of its terms.
    """

    left: Mapping[str, Node]
    right: Mapping[str, Node]
    margins: Mapping[str, Node]
    level: Node | None = None
    defined: Mapping[str, Node] = field(default_factory=dict)
    settled: Mapping[Node, Any] = field(default_factory=dict)
    called: Mapping[Node, str] = field(default_factory=dict, compare=False)

    def every(self) -> Iterator[Node]:
        """All terms."""
        yield from self.left.values()
        yield from self.right.values()
        yield from self.margins.values()
        yield from self.defined.values()
        if self.level is not None:
            yield self.level


def traced(statement: Statement, worlds: list[Any], sizes: frozenset[str]) -> TracedClaim:
    """The terms of a statement.

    Parameters
    ----------
    statement : Statement
    worlds : list of World
        Examples, in floats; of two or more the terms must be the same.
    sizes : set of str
        Whole numbers that stay terms.

    Raises
    ------
    NotTraceable
        If the functions ask for what a term has not, or give different terms.
    """
    found = [_traced(statement, worlds[0], sizes)]
    exact = any(map(_rounded, found[0].every()))
    if exact:  # a literal, or a quotient of two, is meant as the number that is written
        found = []
    found += [_traced(statement, world, sizes, exact) for world in worlds[len(found) :]]
    for other in found[1:]:
        if other != found[0]:
            raise NotTraceable("the functions give another formula in another shape")
    return found[0]


def _rounded(term: Node) -> bool:
    return any(part.op == "constant" and type(part.data) is float for part in term.parts())


def _traced(
    statement: Statement, example: Any, sizes: frozenset[str], exact: bool = False
) -> TracedClaim:
    world = TracingWorld(example, sizes, statement.defines, exact)
    told: dict[Node, Any] = {}
    called: dict[Node, str] = {}
    own = plain_function(statement.sides)
    naming = called, None if own is None else own.__code__
    with unchecked(), np.errstate(all="ignore"), _heard(*naming), _telling(told):
        try:
            with code_of_others(NotTraceable, *NO_EXAMPLE, exits=True):
                sides = _asked(statement.sides, world)
                margins = {item.name: _term(_asked(item.rule, world)) for item in statement.given}
                level = None if statement.delta is None else _term(_asked(statement.delta, world))
                left, right = _two_sides(sides)
        except NotTraceable as error:
            place = place_of(error)
            raise NotTraceable(f"{place}: {error}" if place else str(error)) from error
        except NO_EXAMPLE as error:
            raise NotTraceable(f"the example has no value: {error}") from error
        except CodeFailed as failed:  # a fault of the program: it is told where it is evaluated
            raise NotTraceable(str(failed)) from failed.met
    return TracedClaim(left, right, margins, level, dict(world.defined), told, called)


@contextmanager
def _telling(told: dict[Node, Any]) -> Iterator[None]:
    token = SETTLED.set(told)
    try:
        yield
    finally:
        SETTLED.reset(token)


def _two_sides(sides: Any) -> tuple[dict[str, Node], dict[str, Node]]:
    pair = isinstance(sides, tuple | list) and len(sides) == 2
    if not pair or not all(isinstance(side, Mapping) for side in sides):
        raise NotTraceable("the sides are no pair of dicts")
    left, right = ({k: _term(v) for k, v in side.items()} for side in sides)
    return left, right


def _asked(function: Callable[[Any], Any] | None, world: TracingWorld) -> Any:
    assert function is not None
    try:
        with at_most(TRACE_SECONDS):
            return function(world)
    except OutOfTime as error:
        raise NotTraceable("the functions come to no end") from error


def _term(value: Any) -> Node:
    return lifted(value)


@contextmanager
def _heard(called: dict[Node, str], own: CodeType | None) -> Iterator[None]:
    """Inside the block a function that catches errors ends the trace.

    At other numbers it may do something else.  When the function of the sides (or its twin with
    exact literals) ends, what it calls its pieces is written down.
    """
    before = sys.getprofile()

    def heard(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and own is not None and _alike(frame.f_code, own):
            for name, value in frame.f_locals.items():
                if type(value) is Traced and value.node.inputs:
                    called.setdefault(value.node, name)
        name = _catcher(frame) if event == "call" else ""
        if name:
            raise NotTraceable(
                f"{name} {CATCHES}, so that it may give something else at "
                "other numbers: take xp.where(condition, a, b)"
            )

    collects = gc.isenabled()
    gc.disable()  # it closes generators of others that are over, which would be heard as calls
    sys.setprofile(heard)
    try:
        yield
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()


def _alike(code: CodeType, own: CodeType) -> bool:
    return (
        code.co_filename == own.co_filename
        and code.co_firstlineno == own.co_firstlineno
        and code.co_varnames == own.co_varnames
    )


_SUPPRESS = suppress.__exit__.__code__
_CATCHES: dict[CodeType, bool] = {}


def _catcher(frame: FrameType) -> str:
    """The function of a statement that catches errors, if this call is of one or by one."""
    code, caller = frame.f_code, frame.f_back
    if code is _SUPPRESS and caller is not None:
        code = caller.f_code
    elif code.co_name != "__exit__" and not _catches(code):  # a with block of its own may catch
        return ""
    return code.co_name if _statements(code) else ""


def _catches(code: CodeType) -> bool:
    found = _CATCHES.get(code)
    if found is None:
        instructions = list(dis.get_instructions(code)) if code.co_exceptiontable else []
        names = [one.opname for one in instructions]
        found = _CATCHES[code] = "CHECK_EXC_MATCH" in names or _bare(names)
    return found


def _bare(names: list[str]) -> bool:
    """Whether there is a handler that is none of a ``with`` block and re-raises nothing.

    It is an ``except`` of any error, an ``except*``, or a ``finally`` with a ``return``.
    """
    pairs = list(pairwise(names))
    ends = sum(one == "POP_EXCEPT" and then != "RERAISE" for one, then in pairs)
    return ends > names.count("WITH_EXCEPT_START") or ("PUSH_EXC_INFO", "POP_TOP") in pairs


def _statements(code: CodeType) -> bool:
    from verify.terms.programs import is_statement_code

    return is_statement_code(code.co_filename)
