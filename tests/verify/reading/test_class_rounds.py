"""Claims about noisy runs over classes, for every number of rounds: read rightly, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import sympy

from bounds import generic as xp
from verify.claim import Hypothesis, Real, Statement, statement
from verify.claim.functions import functions
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.classes.claims import class_claims
from verify.reading.classes.means import averaged, variance
from verify.reading.classes.rounds import any_rounds
from verify.reading.classes.world import START, MetLoss, noise
from verify.reading.parts.refusals import NotReadable
from verify.statements.allforall.sgd.classes import lemma4a_pl, lemma5a_class
from verify.world.visited import visited
from verify.world.world import World

CONVEX, STRONG = "smooth convex", "smooth strongly convex"
Side = Callable[[World], Any]


def claim(kind: str, left: Side, right: Side, **more: Any) -> Statement:
    """A claim on means over noisy gradient descent with a step of at most 1/L."""
    fields = {"over": "mean", "defines": {"step_size": lambda w: w.share / w.beta}, **more}
    shares = {"share": Real(1 / 16, 1, domain=(0, 1))}
    family = functions(kind, rounds=(1, 2), noise=True, extra=shares)
    made = statement("noisy.claim", where="here", latex="", family=family, **fields)
    return made(lambda w: ({"left": left(w)}, {"right": right(w)}))


def gap(w: World, t: int = -1) -> Any:
    return visited(w).excess[:, :, t, 0]


def distance(w: World, t: int = -1) -> Any:
    return xp.squared_norm(visited(w).points[:, :, t] - w.problem.optimum[..., 0, :])


def variance_of(w: World) -> Any:
    return w.sigma[..., 0] ** 2


def slopes(w: World) -> Any:
    return xp.squared_norm(visited(w).gradients[:, :, :-1, 0]).sum(-1) / w.rounds


@cache
def contracted(factor: float = 1, noise_part: float = 1) -> Statement:
    """Distances of strongly convex losses: (1 - eta mu)^T of the first, and eta sigma^2/mu."""

    def bound(w: World) -> Any:
        kept = (1 - factor * w.step_size * w.mu) ** w.rounds
        return kept * distance(w, 0) + noise_part * w.step_size * variance_of(w) / w.mu

    return claim(STRONG, distance, bound)


@cache
def flat(noise_part: int = 1) -> Statement:
    """Mean squared gradients of smooth losses: 2 gap/(eta T) + L eta sigma^2."""
    return claim(
        "smooth",
        slopes,
        lambda w: (
            2 * gap(w, 0) / (w.step_size * w.rounds)
            + noise_part * w.beta * w.step_size * variance_of(w)
        ),
    )


TRUE = {
    "PL, values": lemma4a_pl,
    "convex, value at the mean": lemma5a_class,
    "strongly convex, distances": contracted(),
    "smooth, gradients": flat(),
}


OTHERS = {
    "PL, values": contracted(noise_part=1 / 2),
    "convex, value at the mean": flat(0),
    "strongly convex, distances": contracted(noise_part=1 / 2),
    "smooth, gradients": flat(0),
}
"""False claims of which a proof is none."""

SLOW = ("strongly convex, distances", "smooth, gradients")
"""The same road as the other two; the leaf of the library is judged in every run."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW)) for n in TRUE]
)
@pytest.mark.every(2)
def test_it_is_proved_for_every_number_of_rounds_and_any_noise(name: str) -> None:
    (found,) = prove(TRUE[name])
    assert found.status == "decided"
    assert "for any number of rounds" in found.summary
    assert "every dimension, noise of any law with mean zero" in found.scope
    proof = json.loads(json.dumps(found.proof))
    assert recheck(TRUE[name], proof)
    assert not recheck(OTHERS[name], proof)


@pytest.mark.parametrize(
    "false",
    [contracted(factor=2), contracted(noise_part=1 / 4), flat(0)],
    ids=["falls too fast", "too little noise", "no noise"],
)
def test_what_is_false_is_not_proved(false: Statement) -> None:
    assert all(e.proof is None or e.status == "reported" for e in prove(false))


# -- what is read ----------------------------------------------------------------------------------


def parts_of(made: Statement) -> list[set[str]]:
    return [{one.label["part"] for one in claims} for claims in any_rounds(made)]


def test_the_claims_are_about_one_round() -> None:
    assert parts_of(contracted()) == [
        {"first round", "one more round"},
        {"first round", "one more round", "rest"},
    ]
    assert parts_of(flat()) == [{"first round", "one more round"}]


def asked(margin: Side) -> Hypothesis:
    return Hypothesis("asked", "", margin, where="here")


def soon(share: Any = Fraction(1, 2), **more: Any) -> Statement:
    """Distances of strongly convex losses at most 1, for enough rounds and steps that are short."""

    def start(w: World) -> Any:
        return share - (1 - w.step_size * w.mu) ** w.rounds * distance(w, 0)

    short = Hypothesis("short", "", lambda w: 1 / 2 - w.step_size * variance_of(w) / w.mu, "here")
    fields = {"given": [asked(start), short], **more}
    return claim(STRONG, distance, lambda w: 1 + 0 * w.mu, **fields)


@pytest.mark.slow
def test_what_is_asked_of_the_start_and_of_the_rounds_is_taken_off_the_bound() -> None:
    (found,) = prove(soon())
    assert found.status == "decided"
    assert "for any number of rounds" in found.summary
    proof = json.loads(json.dumps(found.proof))
    assert recheck(soon(), proof, whole=True)
    assert not recheck(soon(share=1), proof)
    for claims in any_rounds(soon()):
        assert not [h for one in claims for h in one.claim.hypotheses if h.name == "asked"]


@pytest.mark.parametrize(
    "false",
    [
        pytest.param(soon(share=1), id="too few rounds"),
        pytest.param(soon(given=soon().given[:1]), id="steps of any size", marks=pytest.mark.slow),
        pytest.param(soon(given=soon().given[1:]), id="any rounds", marks=pytest.mark.slow),
    ],
)
def test_what_needs_more_rounds_is_not_proved(false: Statement) -> None:
    assert all(e.proof is None or e.status == "reported" for e in prove(false))


WORSE: dict[str, Callable[[], Statement]] = {
    "on every outcome": lambda: claim(CONVEX, distance, distance, over="point"),
    "a step that knows how long the run is": lambda: claim(
        CONVEX,
        distance,
        lambda w: 9 * distance(w, 0),
        defines={"step_size": lambda w: 1 / w.rounds},
    ),
    "a bound that knows the run": lambda: claim(
        CONVEX, distance, lambda w: distance(w, 0) + distance(w, 1)
    ),
    "the square of a mean": lambda: claim(
        CONVEX, lambda w: w.mean(gap(w)) ** 2, lambda w: gap(w, 0) ** 2
    ),
    "the point in the mean": lambda: claim(
        CONVEX, lambda w: xp.squared_norm(w.mean(visited(w).points[:, :, -1])), distance
    ),
    "the best of all rounds": lambda: claim(
        CONVEX, lambda w: visited(w).excess[:, :, :, 0].min(-1), lambda w: gap(w, 0)
    ),
    "a hypothesis about the last point": lambda: claim(
        CONVEX, gap, lambda w: gap(w, 0), given=[asked(lambda w: 1 - distance(w))]
    ),
    "a hypothesis that changes after two rounds": lambda: claim(
        CONVEX,
        gap,
        lambda w: gap(w, 0),
        given=[asked(lambda w: (w.rounds != 3) - distance(w, 0))],
    ),
    "the square of a mean in a hypothesis": lambda: claim(
        CONVEX, gap, lambda w: gap(w, 0), given=[asked(lambda w: 1 - gap(w, 0) ** 2)]
    ),
    "a left side that changes after five rounds": lambda: claim(
        CONVEX,
        lambda w: (2 if isinstance(w.rounds, int) and w.rounds > 5 else 1) * distance(w),
        lambda w: distance(w, 0),
    ),
    "a bound that changes after three rounds": lambda: claim(
        CONVEX,
        gap,
        lambda w: (1 if isinstance(w.rounds, int) and w.rounds > 2 else 2) * gap(w, 0),
    ),
}


@pytest.mark.parametrize("name", WORSE)
def test_no_form_for_every_number_of_rounds(name: str) -> None:
    assert parts_of(WORSE[name]()) == []


def test_a_mean_that_is_forgotten_is_noticed() -> None:
    """|E x|^2 has the form of E |x|^2 in symbols; exact runs tell them apart."""
    made = claim(CONVEX, lambda w: xp.squared_norm(w.mean(visited(w).points[:, :, -1])), distance)
    assert class_claims(made) == ([], False)


# -- means as inner products -----------------------------------------------------------------------


def met() -> MetLoss:
    """Two rounds from the start: x - g_0 - xi_0, and one more."""
    one = sympy.Integer(1)
    loss = MetLoss(one, 0 * one, 0 * one, noisy=True)
    point = START
    for number in range(2):
        point = point - loss.gradient(point, number)
    loss.at(point)
    return loss


def test_noise_vanishes_against_what_was_known_before_it() -> None:
    loss = met()
    g = [one.g for one in loss.met[1:]]
    for before in (START, loss.met[0].x, g[0]):
        assert averaged(noise(0) * before, loss) == 0
        assert averaged(noise(1) * before, loss) == 0
    assert averaged(noise(1) * g[1], loss) == 0
    assert averaged(noise(0) * noise(1), loss) == 0


def test_noise_stays_against_what_came_after_it() -> None:
    loss = met()
    g = [one.g for one in loss.met[1:]]
    for first, later in ((noise(0), g[1]), (noise(0), g[2]), (noise(1), g[2])):
        assert averaged(first * later, loss) == first * later
    assert averaged(noise(1) ** 2, loss) == variance(1)


@pytest.mark.parametrize("power", ["value times value", "value times square", "a root", "a point"])
def test_a_mean_that_is_not_linear_is_refused(power: str) -> None:
    loss = met()
    f, g = loss.met[1].f, loss.met[1].g
    e = {
        "value times value": f * f,
        "value times square": f * g**2,
        "a root": sympy.sqrt(f + 1),
        "a point": g,
    }[power]
    with pytest.raises(NotReadable, match="a mean of"):
        averaged(e, loss)
