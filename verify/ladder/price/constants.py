"""What the constant of an explicit form depends on, and whether it may.

An order speaks of sizes (rounds, clients, dimension) and of the quantities that its terms are; what
it hides may depend on the constants of the class alone.  A constant that reads a size, or that goes
up and down with a term of the order on the instances tried, hides the order itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.shapes import Array
from bounds.numbers.validate import unchecked
from verify.claim.constant import Bounded
from verify.claim.statement import Shape, Statement
from verify.ladder.price import tuning
from verify.ladder.search.pool import Pool
from verify.terms.claims import program_of
from verify.verdict.evidence import Evidence
from verify.world.world import World

__all__ = ["look_at_constant"]


def look_at_constant(pool: Pool) -> Evidence | None:
    """What the constant of an explicit form depends on; None for any other claim.

    Parameters
    ----------
    pool : Pool
        After the search.

    Returns
    -------
    Evidence or None
        Of the rung ``constant``, undecided where the constant depends on what the order speaks of.
    """
    sides, constant = program_of(pool.statement.sides), pool.statement.constant
    if constant is None or not isinstance(sides, Bounded):
        return None  # of a claim made of an explicit form nobody asks
    details = {"of": constant.of, "depends": [*constant.depends], "logs": [*constant.logs]}
    fault = _fault(pool, sides)
    if fault:
        return Evidence("constant", "undecided", fault, details=details)
    named = ", ".join(constant.depends)
    text = f"the constant, {constant.says}, depends on {named or 'nothing'}"
    logs = f", and on a logarithm of {', '.join(constant.logs)}" if constant.logs else ""
    return Evidence("constant", "reported", text + logs, details=details)


def _fault(pool: Pool, sides: Bounded) -> str:
    """Why the constant is none, in one sentence."""
    statement, constant = pool.statement, sides.constant
    seen: dict[str, list[tuple[Array, dict[str, Array]]]] = {}
    with unchecked(), np.errstate(all="ignore"):
        for result, (_, shape, _) in zip(pool.kept, pool.points, strict=True):
            rows = result.feasible
            if not rows.any():
                continue
            terms = {k: _column(v)[rows] for k, v in sides.sides(result.world)[1].items()}
            for name, rule in constant.depends.items():
                world = _afresh(statement, result.world)
                value = _column(rule(world))
                read = sorted(world.read & {*_sizes(shape)})
                if read:
                    return f"{name}, of the constant, depends on {', '.join(read)}, a size"
                value = np.broadcast_to(value, rows.shape)[rows]
                seen.setdefault(name, []).append((value, terms))
    for name, found in seen.items():
        values = np.concatenate([value for value, _ in found])
        for term in found[0][1]:
            of = [np.broadcast_to(terms[term], value.shape) for value, terms in found]
            goes = _goes_with(values, np.concatenate(of))
            if goes is None:
                return f"too few instances tell whether {name}, of the constant, goes with {term}"
            if goes:
                return f"{name}, of the constant, goes up and down with {term}, a term of the order"
    return ""


def _sizes(shape: Shape) -> list[str]:
    return [k for k, v in shape.items() if isinstance(v, int) and not isinstance(v, bool)]


def _afresh(statement: Statement, world: World) -> World:
    """The same instances, of which nothing has been read."""
    return World(world.instance, world.number, None, statement.defines)


def _column(value: Any) -> Array:
    """One number for each instance: the largest over outcomes and clients."""
    found = xp.to_float(np.asarray(value))
    return found.reshape(len(found), -1).max(axis=1) if np.ndim(found) else np.full(1, found)


def _goes_with(one: Array, other: Array) -> bool | None:
    """Whether of two instances the one with the larger term always has the larger value.

    Or always the smaller one; None where too few different terms can tell.  A value that never
    changes goes with nothing.
    """
    usable = np.isfinite(one) & np.isfinite(other)
    one, other = one[usable], other[usable]
    different = len(np.unique(other))
    if len(np.unique(one)) < 2 or different == 1:
        return False
    if different < tuning.CONSTANT_VALUES:
        return None
    order = np.argsort(other, kind="stable")
    steps = np.diff(one[order])[np.diff(other[order]) > 0]
    return bool((steps >= 0).all() or (steps <= 0).all())
