r"""Claims about one client in one round, about the mean over all, and about the whole run.

In a round a client goes from x to y, its multiplier from :math:`\lambda` to :math:`\mu`, and the
server's model from z to w.  With the residual e of the local problem, the gradients and losses of
the client are known by smoothness, and :math:`d = y - x`, :math:`u = y - z`, :math:`v = y - w`.
A client that waits may be taken to have solved its problem exactly, as what is read does not
depend on its model: its multiplier stays, and the server's model is still a mean of the others'.
In the last round every multiplier may be taken to stay: no later round depends on it.  Where a
bound speaks of the whole fall itself no client waits, and the last multiplier is above the lower
end.  Where it speaks of the distances of x to z, their sum is that of y to w without the last
round, as in the first one x is z.

The fall of a client's Lagrangian is :math:`f(x) - f(y) + \lambda((x-z)^2 - \gamma) -
\mu(v^2 - \gamma)`.  What one round is said to fall by adds up over rounds to the difference of the
first and the last Lagrangian; that, and that what holds for each client in each round holds for
the mean over both, is all that is not a claim.  In the first round x is z.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy

from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.prove import Hypothesis
from verify.reading.consensus.claims import HIGH, LEAST, LOW, ROOT, GivenOfRounds, consensus_claims
from verify.reading.consensus.names import AFTER, BOUND, MODEL, MOST, STIFF, TOP
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable
from verify.reading.stationarity.reading import (
    FALLS,
    RANGE,
    ROUNDS,
    SPREADS,
    STEEPEST,
    TrainingRead,
)
from verify.reading.stationarity.reading import LEAST as LEAST_LOSS
from verify.reading.stationarity.world import known_at

Expr = Any  # sympy carries no types


def _real(names: str) -> Any:
    return sympy.symbols(names, real=True)


def _positive(names: str) -> Any:
    return sympy.symbols(names, positive=True)


MOVE, NEAR, SPREAD_ROOT = _real("move to_server to_next")
"""d, u, v."""
RESIDUAL, TURN, BEND, SLOPE_BEFORE, SERVER_SLOPE, LAST_SLOPE = _real(
    "residual turn bend slope_before server_slope last_slope"
)
RISE, EXCESS, FALL, LOSS, LATER_LOSS, FIRST_LOSS = _real(
    "rise excess fall loss later_loss first_loss"
)
OWN, NEXT, MOST_MULTIPLIER, STIFFNESS, SQUARE, GAP, STEP = _positive(
    "own next most_multiplier stiffness square gap step"
)
GAMMA, WITHIN, FACTOR = sympy.symbols("tolerance within factor", nonnegative=True)
AVERAGE, SQUARES, START, REST = _real("average squares start rest")

WAYS = {
    "own": ((sympy.sqrt(MOST) + BOUND / 2) ** 2, sympy.Integer(1)),
    "domain": (((2 * sympy.sqrt(MOST) + BOUND / LOW) / (2 * LOW - TOP)) ** 2, LOW - TOP),
}
"""Bounds of squared distances to the server, and of multipliers beside the stiffness from below."""

__all__ = ["WAYS", "training_claims"]


def training_claims(read: TrainingRead, strict: frozenset[str], way: str) -> Iterator[ReadClaim]:
    """Claims about rounds and the run, one of `WAYS` being what the bound rests on.

    Parameters
    ----------
    read : TrainingRead
    strict : set of str
        Names of the hypotheses whose margin is positive.
    way : str

    Raises
    ------
    NotReadable
    """
    k, _ = client_symbol()
    within, gap = WAYS[way]
    near = replace(read.known, body=(MODEL[k] - AFTER) ** 2, right=within)
    for one in () if read.spreads else consensus_claims(near, strict, way):
        yield one._replace(label={k: v for k, v in one.label.items() if k != "losses"})
    given, zero = GivenOfRounds(read.known, strict), sympy.Integer(0)
    facts = given.raw_facts()
    raw, stiff = given.raw, next(iter(facts[-1].expr.free_symbols - {TOP}))
    yield _claim("upper end above zero", zero, HIGH, facts, "<")
    yield _claim("multiplier beside the stiffness", gap, raw - stiff, facts)
    yield _claim("gap above zero", zero, gap, given.plain, "<")
    yield _claim("first round", zero, _rooted(within, way), [])
    yield from _dual()
    yield from _round()
    yield from _spread() if read.spreads else ()
    if read.whole_fall:
        sign = Hypothesis("lower end above zero", LOW, True)
        if way == "domain":
            sign = Hypothesis("lower end", LOW - TOP)
        elif not read.positive:
            raise NotReadable("a last multiplier of which no sign is known")
        after = [*_known(in_the_interval=raw - LOW), sign]
        yield _claim("last multiplier above zero", zero, raw, after, "<")
    elif read.spreads:
        raise NotReadable("distances to the server without the whole fall")
    yield from _ends()
    yield from _whole(read, way)


def _claim(
    part: str, left: Expr, right: Expr, given: list[Hypothesis], relation: str = "<="
) -> ReadClaim:
    return ReadClaim({"part": part}, Claim(left, right, relation, given), ())


def _known(**exprs: Expr) -> list[Hypothesis]:
    """Hypotheses by name."""
    return [Hypothesis(name.replace("_", " "), e) for name, e in exprs.items()]


def _dual() -> Iterator[ReadClaim]:
    """The change of a multiplier by a projected step, times the excess."""
    low, high, moved = LOW, MOST_MULTIPLIER, OWN + STEP * EXCESS
    inside = _known(from_below=OWN - low, from_above=high - OWN)
    cases = {
        "stays": (OWN, {}),
        "moves freely": (moved, {}),
        "is held at the lower end": (low, {"below": low - moved}),
        "is held at the upper end": (high, {"above": moved - high}),
    }
    for name, (value, more) in cases.items():
        claim = (value - OWN) * EXCESS, STEP * EXCESS**2
        yield _claim(f"multiplier {name}", *claim, [*inside, *_known(**more)])


def _descent() -> Expr:
    """What the move is at most, times the multiplier beside the stiffness."""
    rest = STEP * (RANGE**4 + GAMMA**2) + MOST_MULTIPLIER * SPREAD_ROOT**2
    return FALL + MOST / (2 * STIFFNESS) + rest


def _round() -> Iterator[ReadClaim]:
    """One client in one round."""
    move, near, next_, high = MOVE, NEAR, SPREAD_ROOT, MOST_MULTIPLIER
    before = near - move
    residual = _known(residual=MOST - RESIDUAL**2)
    models = RISE + OWN * (near**2 - before**2)
    bound = RESIDUAL**2 / (2 * STIFFNESS) + (STIFFNESS - OWN) * move**2
    slope = (RESIDUAL - 2 * OWN * near) * move + STIFFNESS * move**2 / 2
    yield _claim("with the models", models, bound, _known(smoothness=slope - RISE))
    turned = NEXT * (next_**2 - near**2)
    ends = _known(upper_end=high - NEXT)
    yield _claim("with the server", turned, high * next_**2, ends)
    square = RANGE**4 + GAMMA**2
    inside = _known(range=RANGE**2 - near**2)
    yield _claim("fourth powers", near**4, RANGE**4, inside)
    fourth = _known(fourth_powers=RANGE**4 - near**4)
    yield _claim("excess", (near**2 - GAMMA) ** 2, square, fourth)
    of_step = STEP * (near**2 - GAMMA) ** 2
    excess = _known(excess=square - (near**2 - GAMMA) ** 2)
    yield _claim("excess, times the step", of_step, STEP * square, excess)
    fall = -RISE + OWN * (before**2 - GAMMA) - NEXT * (next_**2 - GAMMA)
    parts = _known(
        models=bound - models,
        multiplier=of_step - (NEXT - OWN) * (near**2 - GAMMA),
        server=high * next_**2 - turned,
        excess=STEP * square - of_step,
    )
    parts += residual
    left = (OWN - STIFFNESS) * move**2
    yield _claim("descent", left, _descent().xreplace({FALL: fall}), parts)

    apart = _known(
        slopes_fall=STIFFNESS * move**2 - TURN * move,
        slopes_rise=STIFFNESS * move**2 + TURN * move,
        slopes=STIFFNESS**2 * move**2 - TURN**2,
    )
    own = 2 * sympy.expand((STIFFNESS + 2 * OWN) ** 2) * move**2 + 2 * RESIDUAL**2
    was = (TURN + RESIDUAL - 2 * OWN * move) ** 2
    yield _claim("slope before, own constants", was, own, apart)
    largest = _known(largest=TOP - STIFFNESS, upper_end=high - OWN)
    top, mine = sympy.expand((TOP + 2 * high) ** 2), sympy.expand((STIFFNESS + 2 * OWN) ** 2)
    yield _claim("constants", mine, top, largest)
    yield _claim(
        "constants, times a square", mine * move**2, top * move**2, _known(constants=top - mine)
    )
    scaled = _known(constants=(top - mine) * move**2, own=own - was)
    yield _claim("slope before", was, 2 * top * move**2 + 2 * MOST, [*scaled, *residual])

    slope = SLOPE_BEFORE + BEND - 2 * OWN * before
    factor = 4 * STIFFNESS**2 + 16 * OWN**2
    bend = _known(smoothness=STIFFNESS**2 * before**2 - BEND**2)
    near_ = 2 * SLOPE_BEFORE**2 + factor * before**2
    yield _claim("slope at the server, own constants", slope**2, near_, bend)
    most = 4 * TOP**2 + 16 * high**2
    yield _claim("factors", factor, most, largest)
    given = _known(own=near_ - SERVER_SLOPE**2, factors=most - factor)
    right = 2 * SLOPE_BEFORE**2 + most * before**2
    yield _claim("slope at the server", SERVER_SLOPE**2, right, given)

    near_by = _known(
        consensus=WITHIN - next_**2,
        descent=_descent() - (OWN - STIFFNESS) * move**2,
        multiplier=OWN - STIFFNESS - GAP,
    )
    rest = _descent().xreplace({next_: sympy.sqrt(WITHIN)})
    yield _claim("move", GAP * move**2, rest, near_by)
    chain = _known(
        at_the_server=2 * SLOPE_BEFORE**2 + FACTOR * before**2 - SERVER_SLOPE**2,
        before=2 * SQUARE * move**2 + 2 * MOST - SLOPE_BEFORE**2,
        move=rest - GAP * move**2,
        consensus=WITHIN - before**2,
    )
    whole = GAP * (FACTOR * WITHIN + 4 * MOST) + 4 * SQUARE * rest
    yield _claim("client in a round", GAP * SERVER_SLOPE**2, whole, chain)


def _spread() -> Iterator[ReadClaim]:
    """One client in one round, by its distances to the server; of the first x is z."""
    known = _known(
        descent=_descent() - (OWN - STIFFNESS) * MOVE**2, multiplier=OWN - STIFFNESS - GAP
    )
    yield _claim("move, by distances", GAP * MOVE**2, _descent(), known)
    before = NEAR - MOVE
    chain = _known(
        at_the_server=2 * SLOPE_BEFORE**2 + FACTOR * before**2 - SERVER_SLOPE**2,
        before=2 * SQUARE * MOVE**2 + 2 * MOST - SLOPE_BEFORE**2,
        move=_descent() - GAP * MOVE**2,
    )
    whole = GAP * (FACTOR * before**2 + 4 * MOST) + 4 * SQUARE * _descent()
    yield _claim("client in a round, by distances", GAP * SERVER_SLOPE**2, whole, chain)
    first, last, both = sympy.symbols("distances_before last_distance distances", nonnegative=True)
    given = _known(shifted=both - first - last)
    yield _claim("distances a round before", first, both, given)


def _ends() -> Iterator[ReadClaim]:
    """The Lagrangian at the start, and at the end."""
    k, count = client_symbol()
    slopes = sympy.IndexedBase("server_slopes", real=True)[k]
    over = (k, 1, count)
    mean = (sympy.Sum(slopes, over) / count) ** 2
    yield _claim("square of a mean", mean, sympy.Sum(slopes**2, over) / count, [])
    yield _claim("start", FIRST_LOSS - OWN * GAMMA, FIRST_LOSS, [])
    gap, high = SPREAD_ROOT, MOST_MULTIPLIER
    bound = LAST_SLOPE**2 / (2 * STIFFNESS) + STIFFNESS * gap**2 / 2
    yield _claim("slope at the end", -LAST_SLOPE * gap, bound, [])
    steep, own = STEEPEST**2 / (2 * STIFFNESS), LAST_SLOPE**2 / (2 * STIFFNESS)
    yield _claim("steepest", own, steep, _known(steepest=STEEPEST**2 - LAST_SLOPE**2))
    known = _known(
        smoothness=LOSS - LAST_SLOPE * gap + STIFFNESS * gap**2 / 2 - LATER_LOSS,
        slope=bound + LAST_SLOPE * gap,
        steepest=steep - own,
        multiplier=OWN - STIFFNESS,
        upper_end=high - OWN,
    )
    last = LOSS + OWN * (gap**2 - GAMMA)
    right = last + high * GAMMA + steep
    yield _claim("end", LATER_LOSS, right, known)


def _whole(read: TrainingRead, way: str) -> Iterator[ReadClaim]:
    """The run: both means, and the right side."""
    k, count = client_symbol()
    given = _known(
        square_of_a_mean=SQUARES - AVERAGE,
        client_in_a_round=REST + 4 * SQUARE * FALLS / ROUNDS - GAP * SQUARES,
        start_and_end=START - FALLS,
    )
    bound = (REST + 4 * SQUARE * START / ROUNDS) / GAP
    yield _claim("sum over rounds", AVERAGE, bound, given)

    lower = {LEAST: GAP + TOP} if way == "domain" else {}
    within, gap = (_rooted(e, way).xreplace(lower) for e in WAYS[way])
    high, most, over = MOST_MULTIPLIER, ROOT**2, (k, 1, count)
    gamma = sympy.IndexedBase("gamma", nonnegative=True)[k]
    loss, stiff = known_at("loss", "start")[k], STIFF[k]
    square, factor = (TOP + 2 * high) ** 2, 4 * TOP**2 + 16 * high**2
    fall = loss + high * gamma + STEEPEST**2 / (2 * stiff) - LEAST_LOSS
    rest = most / (2 * stiff) + STEP * (RANGE**4 + gamma**2) + high * within
    if read.whole_fall:
        fall = FALLS
    if read.spreads:
        within = SPREADS
        rest = most / (2 * stiff) + STEP * (RANGE**4 + gamma**2) + high * within
    each = factor * within + 4 * most + 4 * square * (rest + fall / ROUNDS) / gap
    plain = {
        HIGH: high,
        MOST: most,
        sympy.Symbol("dual_step", real=True): STEP,
    }
    right = _rooted(read.right, way).xreplace({**plain, **lower})
    bases = {sympy.IndexedBase("gamma", real=True): gamma.base}
    right = right.replace(
        lambda e: isinstance(e, sympy.Indexed) and e.base in bases,
        lambda e: bases[e.base][e.indices],
    )
    allowed = {
        ROUNDS,
        ROOT,
        BOUND,
        TOP,
        high,
        LOW,
        GAP,
        STEP,
        RANGE,
        STEEPEST,
        LEAST_LOSS,
        FALLS,
        SPREADS,
    }
    if {s for s in right.free_symbols if not s.is_integer} - allowed - set(_bases(right)):
        raise NotReadable("a bound with something else in it")
    left = sympy.Sum(each, over) / count
    body = _each_client(right - left)
    yield _claim("bound of a client", sympy.Integer(0), body, [])
    yield _claim("bound", left, right, [Hypothesis("each client", body)])


def _each_client(gap: Expr) -> Expr:
    """What a difference is the mean of over the clients."""
    k, count = client_symbol()
    sums = sorted(gap.atoms(sympy.Sum), key=str)
    means = {s: sympy.Dummy(f"m{i}", real=True) for i, s in enumerate(sums)}
    found = sympy.expand(gap.xreplace({s: count * m for s, m in means.items()}))
    if (
        found.free_symbols & {k, count}
        or any(s.limits != (sympy.Tuple(k, 1, count),) for s in sums)
        or any(sympy.diff(found, m, n) != 0 for m in means.values() for n in means.values())
    ):
        raise NotReadable("a bound that is no mean over clients")
    return sympy.expand(found.xreplace({m: s.function for s, m in means.items()}))


def _bases(e: Expr) -> Iterator[Expr]:
    for i in e.atoms(sympy.Indexed):
        yield from (i, i.base.label)


def _rooted(e: Expr, way: str) -> Expr:
    """A formula in the root of the largest squared residual, the lower end having a sign."""
    return e.xreplace({MOST: ROOT**2, **({LOW: LEAST} if way == "domain" else {})})
