r"""The constant that an order hides, written out: what stands in place of O(.).

A claim ``left <~ right`` leaves a constant unnamed, so that no search can make it stand.  Its
*explicit form* names it: the same left side, and every term of the same right side with a
coefficient.  :meth:`verify.claim.statement.Statement.bounded` makes such a form of the order
itself, under the order's own hypotheses, so that nothing but the constant is new::

    order = statement("mine.rate", relation="<~", ...)(lambda w: ({"e": w.e}, {"1/T": 1 / w.T}))
    explicit = order.bounded(
        "mine.rate.explicit", lambda c: 2 * c.L, says="2 L", depends={"L": lambda w: w.beta}
    )

The coefficient is a function of the values that ``depends`` names, and of nothing else: it never
sees the world.  That none of these is a size, or follows a term of the order, is asked of the
instances (:mod:`verify.ladder.price.constants`).  An order with a tilde hides logarithms too:
``logs`` names what may stand under one, and the coefficient is given 1 plus that logarithm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from bounds import generic as xp
from bounds.numbers.validate import require

if TYPE_CHECKING:
    from verify.claim.statement import Rule, Sides, Statement
    from verify.world.world import World

__all__ = ["Bounded", "NamedConstant", "faults"]

KEPT = ("over", "quantifier", "defines", "delta")
"""Fields in which an order and its explicit form are alike, beside the sides."""


@dataclass(frozen=True, eq=False)
class NamedConstant:
    """What an explicit form puts in place of an order.

    Parameters
    ----------
    of : str
        Key of the order.
    value : callable
        Of the named values, and ``one``, a 1 of the world's kind of numbers -> a coefficient, or
        one for each term of the order by its name.
    says : str
        The constant in words or a formula, for the reader.
    depends : mapping
        What the coefficient may depend on, by name, world -> value: constants of the class.
    logs : mapping
        Of an order with a tilde: by name, world -> x; the coefficient sees 1 + ln max(x, 1).
    """

    of: str
    value: Callable[[Any], Any]
    says: str
    depends: Mapping[str, Callable[[World], Any]] = field(default_factory=dict)
    logs: Mapping[str, Callable[[World], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        twice = sorted({*self.depends} & {*self.logs})
        require(not twice, f"constant of {self.of}", "of names used once", twice, "rename one")
        require(
            bool(self.says.strip()),
            f"constant of {self.of}",
            "said in words",
            repr(self.says),
            "pass says='2 L', for instance",
        )

    def coefficients(self, world: World, terms: Mapping[str, Any]) -> dict[str, Any]:
        """The coefficient of each term in a world.

        Raises
        ------
        InvalidInput
            If ``value`` names other terms than the order has.
        """
        some = next(iter(terms.values()))
        seen = {"one": xp.ones_like(some), **{k: rule(world) for k, rule in self.depends.items()}}
        for name, rule in self.logs.items():
            value = rule(world)
            one = xp.ones_like(value)
            seen[name] = 1 + xp.log(xp.maximum(value, one))
        found = self.value(SimpleNamespace(**seen))
        if not isinstance(found, Mapping):
            return dict.fromkeys(terms, found)
        require(
            set(found) == set(terms),
            f"constant of {self.of}",
            f"given for each of {', '.join(terms)}",
            ", ".join(found),
            "name the terms as the order does",
        )
        return dict(found)


@dataclass(frozen=True)
class Bounded:
    """The sides of an order with its constant put in: a function of the world."""

    sides: Rule
    constant: NamedConstant

    def __call__(self, world: World) -> Sides:
        """Both sides in a world."""
        left, right = self.sides(world)
        by = self.constant.coefficients(world, right)
        return left, {name: by[name] * term for name, term in right.items()}


def faults(explicit: Statement, order: Statement) -> list[str]:
    """Why a form is not the order that it names, with its constant; empty where it is.

    Parameters
    ----------
    explicit : Statement
        With a ``constant``.
    order : Statement
        The one whose key it names.
    """
    found = []
    if order.relation != "<~":
        found.append(f"{order.key} is no claim up to a constant")
    if explicit.sides != Bounded(order.sides, explicit.constant):  # type: ignore[arg-type]
        found.append(f"its sides are not those of {order.key} with the constant put in")
    if explicit.relation != "<=":
        found.append(f"its relation is {explicit.relation}")
    more = [item.name for item in explicit.given if item not in tuple(order.given)]
    if more:
        found.append(f"it assumes more than {order.key}: {', '.join(more)}")
    for name in KEPT:
        if getattr(explicit, name) != getattr(order, name):
            found.append(f"{name} is not that of {order.key}")
    return found
