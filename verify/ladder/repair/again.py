"""A printed law measured again, from its entry in a ledger alone, and held to what it says.

Every value is computed again from the start and the moves that the entry names, and two further
doublings beyond the last one.  What the law says must then be true of them, within two parts in a
hundred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite, log
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.statement import Family, Statement
from verify.ladder.budgets import PROFILES
from verify.ladder.repair import tuning
from verify.ladder.repair.alone.confirm import near, value_of
from verify.ladder.repair.alone.paths import NumberMove, NumberPath
from verify.ladder.repair.fit import ClosedForm
from verify.ladder.repair.held import trials_of
from verify.ladder.repair.recipes import mend_of
from verify.ladder.repair.repairs import mended_claim
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import NO_INSTANCE, Silenced
from verify.terms.claims import as_terms
from verify.verdict.relation import meets
from verify.world.noise_plan import AllOutcomes, NoValue

__all__ = [
    "GROWING",
    "contradictions_of_law",
    "contradictions_of_mend",
    "law_path",
    "measured_again",
    "right_sides",
]

GROWING = ("exponential", "faster", "power", "logarithm")
"""Kinds of laws that rise at every step."""

FURTHER = 2
"""Doublings beyond the last printed place."""


def law_path(statement: Statement, raw: Mapping[str, Any]) -> tuple[Statement, NumberPath]:
    """The claim on the family of a law, and its path.

    Parameters
    ----------
    statement : Statement
    raw : mapping
        ``path`` of a law.
    """
    number = int(raw.get("family", 0))
    if number:
        statement = replace(statement, family=statement.also[number - 1])
    family = statement.family
    if raw.get("quiet"):
        family = replace(family, build=Silenced(family.build))
    values = {name: np.asarray(value, dtype=float) for name, value in raw["values"].items()}
    start = Candidate(values, raw["shape"], 0.0, family=family)
    moves = tuple(map(NumberMove.from_json, raw["moves"]))
    return statement, NumberPath(start, moves, tuple(raw["factors"]), raw["size"], raw["last"])


def measured_again(
    statement: Statement, law: Mapping[str, Any], further: int = FURTHER
) -> list[tuple[float, float]]:
    """Places and ratios of a law, measured again, and those of some further doublings.

    Shorter where a further place leaves the domain, the hypotheses, or has no value.
    """
    statement, path = law_path(as_terms(statement), law["path"])
    factors = _longer(path, further)
    places = [x for x, _ in law["values"]]
    found: list[tuple[float, float]] = []
    pool = Pool(statement, AllOutcomes())
    for number, factor in enumerate(factors):
        ratio = _ratio(pool, path, factor, statement.family)
        if ratio is None:
            break
        x = places[number] if number < len(places) else _place(places, path, factors, number)
        found.append((x, ratio))
    return found


def _longer(path: NumberPath, further: int) -> list[float]:
    """The factors of a path, and so many more doublings (of a number that falls: halvings)."""
    step = 2.0 if path.rises else 0.5
    return [*path.factors, *(path.factors[-1] * step**k for k in range(1, further + 1))]


def _place(
    places: Sequence[float], path: NumberPath, factors: Sequence[float], number: int
) -> float:
    """A further place, as the last printed one moves."""
    return float(places[-1]) * max(
        factors[number] / path.factors[-1], path.factors[-1] / factors[number]
    )


def _ratio(pool: Pool, path: NumberPath, factor: float, family: Family) -> float | None:
    with np.errstate(all="ignore"):
        try:
            one = path.at(factor, path.start.family or family)
            if one is None:
                return None
            batch = {k: np.asarray(v, dtype=float)[None] for k, v in one.values.items()}
            scored = pool.scored(batch, one.shape, one.family)
        except (*NO_INSTANCE, NoValue, MemoryError):
            return None
    ratio = float(scored.ratio[0])
    fair = bool(np.all(meets(-scored.shortfall, False)))
    return ratio if fair and isfinite(ratio) and ratio <= tuning.LARGEST else None


def right_sides(
    statement: Statement, other: Statement, law: Mapping[str, Any]
) -> list[tuple[float, float]]:
    """Right side of another reading over the claim's own, at the places of a law.

    Means over the outcomes of the noise; places at which either has no value are left out.
    """
    found = []
    first, path = law_path(as_terms(statement), law["path"])
    second, _ = law_path(as_terms(other), law["path"])
    pools = [Pool(one, AllOutcomes()) for one in (first, second)]
    for (x, _), factor in zip(law["values"], path.factors, strict=False):
        sides = [_right(pool, path, factor) for pool in pools]
        if None not in sides and sides[0]:
            found.append((float(x), float(sides[1]) / float(sides[0])))  # type: ignore[arg-type]
    return found


def _right(pool: Pool, path: NumberPath, factor: float) -> float | None:
    with np.errstate(all="ignore"):
        try:
            one = path.at(factor, pool.statement.family)
            if one is None:
                return None
            batch = {k: np.asarray(v, dtype=float)[None] for k, v in one.values.items()}
            scored = pool.scored(batch, one.shape, one.family)
            right = np.asarray(xp.to_float(scored.right), dtype=float)
        except (*NO_INSTANCE, NoValue, MemoryError):
            return None
    weights = np.asarray(scored.weights, dtype=float)
    alike = right.shape[-1] == weights.shape[-1]
    value = float((right * weights).sum(axis=-1)[0]) if alike else float(right.mean())
    return value if isfinite(value) else None


def contradictions_of_law(
    statement: Statement, law: Mapping[str, Any], worst: float = inf
) -> Iterator[str]:
    """What a law says and its values, measured again and twice doubled, do not bear.

    Parameters
    ----------
    statement : Statement
    law : mapping
        Entry of a ledger.
    worst : float
        Largest left/right of the leaf: a bound that is printed must not lie below it.
    """
    again = measured_again(statement, law)
    stored = [(float(x), float(y)) for x, y in law["values"]]
    if len(again) < len(stored):
        yield f"only {len(again)} of {len(stored)} values could be measured again"
        return
    for (x, y), (_, now) in zip(stored, again, strict=False):
        if not near(now, y):
            yield f"at {x:g}: printed {y:.6g}, measured {now:.6g}"
            return
    yield from _against(law, stored, again[len(stored) :], worst)


def _against(
    law: Mapping[str, Any],
    stored: Sequence[tuple[float, float]],
    new: Sequence[tuple[float, float]],
    worst: float,
) -> Iterator[str]:
    form = law.get("form")
    ys = [y for _, y in stored]
    if form:
        made = ClosedForm.from_json(form)
        for x, y in [*stored[-3:], *new]:
            if not near(y, value_of(made, x)):
                yield f"at {x:g}: {law['formula']} is {value_of(made, x):.6g}, measured {y:.6g}"
                return
    elif law["kind"] == "power":
        low, high = law["exponent"]
        for (w, a), (x, b) in zip([stored[-1], *new], new, strict=False):
            slope = log(b / a) / log(x / w)
            room = tuning.CONFIRMS / log(x / w)
            if not low - room <= slope <= high + room:
                yield f"at {x:g}: the exponent is {slope:.4g}, not in [{low:.4g}, {high:.4g}]"
                return
    elif law["kind"] == "exponential":
        low, high = (log(basis) for basis in law["exponent"])
        for (w, a), (x, b) in zip([stored[-1], *new], new, strict=False):
            rate = log(b / a) / (x - w)
            if not low * (1 - tuning.CONFIRMS) <= rate <= high * (1 + tuning.CONFIRMS):
                yield f"at {x:g}: the rate is {rate:.4g}, not in [{low:.4g}, {high:.4g}]"
                return
    if law["kind"] in GROWING:
        for (_, a), (x, b) in zip([stored[-1], *new], new, strict=False):
            if b <= a:
                yield f"at {x:g}: it no longer grows ({a:.6g}, {b:.6g})"
                return
    if law["kind"] == "bounded":
        yield from _bound(law, ys, new, worst)


def _bound(
    law: Mapping[str, Any], ys: Sequence[float], new: Sequence[tuple[float, float]], worst: float
) -> Iterator[str]:
    ends = law["supremum"] or (max(ys), max(ys))
    most = max(ends[1], max(ys)) if law["shape"] == "rises" else max(ys)
    if max([*ys, *(y for _, y in new)]) > most * (1 + tuning.CONFIRMS):
        yield f"it is told to be at most {most:.6g}, and goes beyond it"
    if worst > most * (1 + tuning.CONFIRMS):
        yield f"it is told to be at most {most:.6g}, and the leaf has {worst:.6g}"
    if "tends to" in law["text"]:
        middle = sum(ends) / 2
        if not all(near(y, middle) for y in [ys[-1], *(y for _, y in new)]):
            yield f"it is told to tend to {middle:.6g}, and is at {ys[-1]:.6g}"
    if "where it stays" in law["text"]:
        level = float(law["tail"])
        if not all(near(y, level) for y in [ys[-1], *(y for _, y in new)]):
            yield f"it is told to stay at {level:.6g}, and does not"
    elif law["tail"].startswith("1/") and law["shape"] in ("falls", "peak"):
        for (w, a), (x, b) in zip([(0.0, 0.0), *new], new, strict=False):
            if a and not near(b * x ** _tail_power(law), a * w ** _tail_power(law)):
                yield f"it is told to fall like {law['tail']}, and does not at {x:g}"
                return


def _tail_power(law: Mapping[str, Any]) -> float:
    tail = law["tail"]
    return 0.5 if "sqrt" in tail else float(tail.partition("^")[2] or 1)


def contradictions_of_mend(
    statement: Statement, leaf: Mapping[str, Any], repair: Mapping[str, Any]
) -> Iterator[str]:
    """What speaks against a mended claim that a ledger prints.

    It is evaluated at the places of the leaf's laws and at its worst instance, at sizes and numbers
    up to eight times as large and as small from there, in other units, and from another origin.

    Parameters
    ----------
    statement : Statement
    leaf, repair : mapping
        Entry of a ledger, and one of its mended claims.
    """
    statement = as_terms(statement)
    if not repair.get("changes"):
        yield "the ledger does not say how it is made"
        return
    claim = mended_claim(statement, [mend_of(change) for change in repair["changes"]])
    climb = Climb(statement, PROFILES["quick"], 0, "cpu")
    with np.errstate(all="ignore"):
        found = trials_of(climb, _known(statement, leaf)).against(claim)
    if found is not None:
        yield found.why


def _known(statement: Statement, leaf: Mapping[str, Any]) -> Iterator[Candidate]:
    """Instances that a leaf's record holds: places of its laws, and the worst one."""
    for law in leaf.get("laws", ()):
        own, path = law_path(statement, law["path"])
        if own is statement:  # a further family is not the mended claim's
            ones = (path.at(factor, path.start.family or own.family) for factor in path.factors)
            yield from (one for one in ones if one is not None)
    worst = (leaf.get("tightness") or {}).get("instance")
    box = statement.family.box
    if isinstance(worst, Mapping) and set(box) <= set(worst):
        values = {name: np.asarray(worst[name], dtype=float) for name in box}
        shape = {name: value for name, value in worst.items() if name not in box}
        yield Candidate(values, shape, float(leaf["tightness"]["ratio"]))
