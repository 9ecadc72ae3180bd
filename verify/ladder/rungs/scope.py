"""The scope line: over which sizes, ranges and laws a search went, and how much of it counted."""

from __future__ import annotations

from verify.claim.parameters import Real
from verify.ladder.search.plan import Plan, widened
from verify.ladder.search.pool import Pool


def scope_line(pool: Pool, reach: float, plan: Plan | None = None) -> str:
    """What a search covers, in words.

    Parameters
    ----------
    pool : Pool
        With what was evaluated.
    reach : float
        Factor by which the search may leave the ranges.
    plan : Plan, optional
        The search, with the sizes that it reached.
    """
    family = pool.statement.family
    parts = [" ".join(f"{k}={v}" for k, v in shape.items()) for shape in family.shapes if shape]
    if plan is not None and plan.growth is not None and plan.growth.reached:
        sizes = ", ".join(f"{name} up to {n}" for name, n in plan.growth.reached.items())
        parts.append(f"larger sizes: {sizes}")
    if family.box:
        parts.append("ranges " + ", ".join(_range(k, p) for k, p in family.box.items()))
    if widened(family, reach) is not None:
        parts.append(f"beyond them up to {reach:g} times, within the domains")
    laws = sorted({str(law) for law in map(_law, pool.kept) if law})
    if laws:
        parts.append("law " + " and ".join(laws))
    if pool.tried:
        parts.append(f"{pool.feasible} of {pool.tried} instances met every hypothesis")
    return f"{family.about}{': ' + '; '.join(parts) if parts else ''}"


def _range(name: str, parameter: Real) -> str:
    per = f" per {' and '.join(parameter.per)}" if parameter.per else ""
    if parameter.low == parameter.high:
        return f"{name} = {parameter.low:g}{per}"
    return f"{name} {parameter.low:g} to {parameter.high:g}{per}"


def _law(result: object) -> object:
    """Noise law of a scored batch."""
    data = getattr(getattr(result, "world", None), "instance", None)
    return None if data is None else data.data.get("law")
