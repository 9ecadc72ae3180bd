"""A statement at numbers for its parameters, as a question about unknown vectors and functions.

The statement's own functions are run, the method included, on unknown points: gradients and values
are met where it asks for them.  What comes back is compared place by place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np

from bounds.numbers import Undecided
from bounds.numbers.validate import InvalidInput, unchecked
from verify.claim.functions import NOT_PARAMS, class_of
from verify.claim.instance import Instance
from verify.claim.own_class import own_class_of
from verify.claim.parameters import Shape, plain_numbers
from verify.claim.rough import DATA, rough_class_of
from verify.claim.statement import Statement
from verify.claim.sums import data_names, sums_class_of
from verify.ladder.rungs.worst_cases.compared import (
    ComparedPlace,
    assumed,
    places_of,
    spread,
    total_of,
)
from verify.ladder.rungs.worst_cases.met import MetLosses, MetOperators, objects
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.returned import margins_of, sides_of
from verify.world.world import World
from verify.worst_case.forms import (
    ON_FORMS,
    NotQuadratic,
    value_form,
    vector_forms,
)
from verify.worst_case.function import Function
from verify.worst_case.functions import (
    ConvexLipschitz,
    Smooth,
    SmoothConvex,
    SmoothLojasiewicz,
    SmoothStronglyConvex,
    WeaklyConvex,
)
from verify.worst_case.operators import CocoerciveOperator, LipschitzStronglyMonotoneOperator
from verify.worst_case.parameters import Undetermined
from verify.worst_case.points import SymbolicPoint
from verify.worst_case.problem import ClassProblem

NO_FORM = (
    NotQuadratic,
    NotAvailable,
    NoValue,
    InvalidInput,
    Undecided,
    Undetermined,
    ArithmeticError,
)
"""What a statement's functions raise where they have no such form."""

PL_SHARE = "PL constant over L"
"""Name of the number that a PL loss has beside its curvature; its instances derive it."""

__all__ = ["NO_FORM", "PL_SHARE", "Asked", "ComparedPlace", "Unknowns", "asked", "unknowns_of"]


@dataclass(frozen=True)
class Unknowns:
    """What of a family's box is unknown in a worst case, and what has numbers.

    Attributes
    ----------
    kind : str
        The class; empty where the instances are nothing but vectors and numbers.
    vectors : tuple of str
        Parameters with coordinates.
    values : tuple of str
        Numbers of any sign, which may enter linearly, as values of functions do.
    numbers : tuple of str
        Parameters that have numbers.
    own : bool
        Whether it is a class of one's own: the instances are data that meet its inequality.
    members : bool
        Whether every function of the class, as far as it is met, is an instance of the family.
    """

    kind: str
    vectors: tuple[str, ...]
    values: tuple[str, ...]
    numbers: tuple[str, ...]
    own: bool = False
    members: bool = True

    @property
    def plain(self) -> bool:
        """Whether the instances are nothing but vectors and numbers."""
        return self.own or not self.kind


@dataclass
class Asked:
    """A statement at numbers: the problem with all that is assumed, and what is compared.

    Attributes
    ----------
    problem : ClassProblem
    places : list of ComparedPlace
    functions : list of Function
        One for each client, where the instances are functions.
    minimisers : list of SymbolicPoint
    points : mapping of str to array of SymbolicPoint
        Of each parameter with coordinates.
    values : mapping of str to array of Expression
    """

    problem: ClassProblem
    places: list[ComparedPlace]
    functions: list[Function] = field(default_factory=list)
    minimisers: list[SymbolicPoint] = field(default_factory=list)
    points: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


def unknowns_of(statement: Statement) -> Unknowns | None:
    """What is unknown in a worst case of a statement; None where it is about something else."""
    family = statement.family
    if statement.quantifier != "all" or statement.relation == "<~":
        return None
    box = family.box
    own = own_class_of(family)
    if family.build is plain_numbers or own:
        if statement.over != "point" or (family.constraints and not own):
            return None
        vectors = tuple(n for n, p in box.items() if p.per[-1:] == ("d",) and p.sign == "real")
        values = tuple(n for n, p in box.items() if "d" not in p.per and p.sign == "real")
        values += ("heights",) if own else ()
        numbers = tuple(n for n in box if n not in (*vectors, *values))
        return Unknowns(own or "", vectors, values, numbers, bool(own)) if vectors else None
    smooth, rough, summed = class_of(family), rough_class_of(family), sums_class_of(family)
    kind = smooth or rough or (summed if summed in _SUMMED else None)
    if "sigma" in box or kind is None:
        return None
    data = {*(NOT_PARAMS if smooth else DATA if rough else data_names(kind)), "start", "optimum"}
    own_numbers = [n for n in _OF_CLASS if n in box and n not in _TAKEN.get(summed or "", ())]
    extra = [n for n in box if n not in data]
    vectors = tuple(n for n in extra if box[n].per[-1:] == ("d",))
    numbers = (*own_numbers, *(n for n in extra if n not in vectors))
    more = (PL_SHARE,) if kind == "smooth PL" else ()
    return Unknowns(kind, vectors, (), (*numbers, *more), members=not summed)


_SUMMED = ("smooth PL", "cocoercive", "monotone")
"""Classes whose families have some members alone: a worst case is an instance of none of them."""

_TAKEN = dict.fromkeys(_SUMMED, ("bend",))
"""Names that mean something else there."""


def asked(
    statement: Statement, known: Unknowns, shape: Shape, numbers: Mapping[str, Any]
) -> Asked | None:
    """A statement at numbers for its parameters; None where these miss a hypothesis.

    Parameters
    ----------
    statement : Statement
    known : Unknowns
        Of the statement; its `values` are unknown, unless `numbers` has them.
    shape : mapping
    numbers : mapping of str to array of Fraction
        With the lengths that the family gives them.

    Raises
    ------
    NotQuadratic, or another of `NO_FORM`
        Where it has no such form.
    """
    made = Asked(ClassProblem(), [])
    world = (_of_numbers if known.plain else _of_class)(statement, known, shape, numbers, made)
    with unchecked(), np.errstate(all="ignore"):
        for name, rule in statement.family.constraints.items():
            for one in np.ravel(np.asarray(rule(world.instance), dtype=object)):
                if not assumed(made.problem, name, one):
                    return None
        left, right = (total_of(side) for side in sides_of(statement, world))
        given = margins_of(statement, world)
    for name, margin in given.items():
        for one in np.ravel(np.asarray(margin, dtype=object)):
            if not assumed(made.problem, name, one):
                return None
    if statement.relation == ">=":
        left, right = right, left
    pairs = [*zip(*spread(left, right), strict=True)]
    if statement.relation == "==":
        pairs += [(b, a) for a, b in pairs]
    made.places = [place for a, b in pairs for place in places_of(a, b)]
    return made


# -- worlds ----------------------------------------------------------------------------------------


class UnknownWorld(World):
    """A world in which vectors and values are forms, which have no order."""

    on_unknowns: ClassVar[Mapping[str, Callable[..., Any]]] = ON_FORMS


def _of_numbers(
    statement: Statement, known: Unknowns, shape: Shape, numbers: Mapping[str, Any], made: Asked
) -> World:
    """Vectors and numbers that are what they are."""
    family, params = statement.family, dict[str, Any]()
    for name in known.vectors:
        lengths = family.box[name].lengths(shape)[:-1]
        made.points[name] = points = _filled(lengths, partial(made.problem.point, name))
        params[name] = _coordinates(points)[None]
    for name in known.values:
        lengths = family.box[name].lengths(shape)
        made.values[name] = table = _filled(lengths, partial(made.problem.number, name))
        params[name] = _filled(table.shape, iter(map(value_form, table.ravel())).__next__)[None]
        if family.box[name].sign != "real":
            for one in table.ravel():
                made.problem.assume(one >= 0, f"sign of {name}")
    params |= {name: np.asarray(value, dtype=object)[None] for name, value in numbers.items()}
    instance = family.build(params, shape)
    return UnknownWorld(instance, "exact", None, statement.defines)


def _of_class(
    statement: Statement, known: Unknowns, shape: Shape, numbers: Mapping[str, Any], made: Asked
) -> World:
    """Functions of a class, one for each client, and a method that starts anywhere."""
    problem, clients = made.problem, int(shape["N"])
    constants: dict[str, list[Any]] = {}
    for k in range(clients):
        own = {name: np.ravel(value)[k % np.size(value)] for name, value in numbers.items()}
        kind, said = _class(known.kind, own)
        for name, value in said.items():
            constants.setdefault(name, []).append(value)
        f = problem.function(kind, differentiable=True)  # a problem answers alike each time
        best = f.minimiser(origin=clients == 1 and "optimum" not in statement.family.box)
        if kind.valued:
            problem.assume_equal(f(best), 0, f"minimum of {f.name}")
        made.functions.append(f)
        made.minimisers.append(best)
    box = statement.family.box
    params: dict[str, Any] = {k: v for k, v in shape.items() if k not in _NOT_PARAMS}
    for name in ("start", *known.vectors):
        lengths = box[name].lengths(shape)[:-1] if name in known.vectors else ()
        made.points[name] = points = _filled(lengths, partial(problem.point, name))
        params[name] = _coordinates(points)[None]
    extra = [n for n in known.numbers if n not in _OF_CLASS]
    params |= {name: np.asarray(numbers[name], dtype=object)[None] for name in extra}
    named = ("lipschitz", "bend", "cocoercivity")
    data = {n: objects(constants[n]) for n in named if n in constants}
    instance = Instance("parabolas", {n: v[None] for n, v in data.items()}, shape["method"], params)
    world = UnknownWorld(instance, "exact", None, statement.defines)
    met = MetLosses if made.functions[0].kind.valued else MetOperators
    world._cache["problem"] = met(made.functions, made.minimisers, constants)
    return world


_NOT_PARAMS = ("N", "d", "points", "method")
_OF_CLASS = ("upper", "convexity", "lipschitz", "bend", "cocoercivity", PL_SHARE)
"""Numbers that make the class, and are no parameters of the instance."""


def _class(kind: str, own: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The class at its numbers, and the constants that a problem derives."""
    if kind == "Lipschitz convex":
        return ConvexLipschitz(own["lipschitz"]), {"lipschitz": own["lipschitz"]}
    if kind == "cocoercive":
        c = own["cocoercivity"]
        return CocoerciveOperator(c), {"cocoercivity": c, "client_smoothness": 1 / c}
    if kind == "monotone":
        upper = own["upper"]
        return LipschitzStronglyMonotoneOperator(0, upper), {"client_smoothness": upper}
    if kind == "weakly convex":
        return WeaklyConvex(own["bend"]), {"bend": own["bend"]}
    upper = own["upper"]
    zero = 0 * upper
    said = {"client_smoothness": upper, "client_strong_convexity": zero, "client_pl_constant": zero}
    if kind == "smooth convex":
        return SmoothConvex(upper), said
    if kind == "smooth strongly convex":
        mu = own["convexity"] * upper
        return SmoothStronglyConvex(mu, upper), said | {
            "client_strong_convexity": mu,
            "client_pl_constant": mu,
        }
    said["client_strong_convexity"] = -upper
    if kind == "smooth":
        return Smooth(upper), said
    mu = own[PL_SHARE] * upper
    return SmoothLojasiewicz(upper, mu), said | {"client_pl_constant": mu}


def _filled(lengths: tuple[int, ...], make: Callable[[], Any]) -> Any:
    """An array of objects, each of them made by itself."""
    out = np.empty(lengths, dtype=object)
    for at in np.ndindex(*lengths):
        out[at] = make()
    return out


def _coordinates(points: Any) -> Any:
    """Vectors with an axis for their coordinates."""
    rows = [vector_forms(one) for one in np.ravel(points)]
    return objects(rows).reshape((*np.shape(points), len(rows[0])))
