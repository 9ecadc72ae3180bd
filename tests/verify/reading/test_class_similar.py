"""Claims about agents that are similar at each point of a run, and of their average's least value.

Weighted averaging of strongly convex losses, for any number of rounds: what is asked of the losses
at the points of the run is read as that, and the bound begins with each client's own gap.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy

from bounds import generic as xp
from verify.claim import Hypothesis, Real, Statement, statement
from verify.claim.functions import functions
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.classes import claims as read_claims
from verify.reading.classes import rounds
from verify.reading.classes.apart import EachLoss
from verify.reading.classes.claims import class_claims, settings_of
from verify.reading.classes.factors import factor_apart
from verify.reading.classes.least import LEAST, least_facts
from verify.reading.classes.rounds import any_rounds
from verify.statements.allforall.general.each_agent import theorem6b, theorem7_2
from verify.world.visited import visited
from verify.world.world import World

Margin = Callable[[World], Any]

BOX = {
    "share": Real(1 / 16, 1, domain=(0, 1)),
    "size": Real(1 / 8, 8, log=True, per=("N",)),
    "slack": Real(0, 4),
    "bias": Real(0, 64, unit=(1, 0), per=("N",)),
}
STEPS = {
    "step_size": lambda w: w.share / w.beta,
    "client_weights": lambda w: w.size / xp.total(w.size)[..., None],
}


def similar(w: World) -> Any:
    """Of the first client and the average, at each point."""
    slopes = visited(w).gradients
    mean = xp.total(w.client_weights[..., None, :, None] * slopes, -2)
    apart = xp.squared_norm(slopes[..., 0, :] - mean)
    bias = w.mu * xp.total(w.client_weights * w.bias)
    return w.slack[..., None] * xp.squared_norm(mean) + bias[..., None] - apart


def at_start(w: World) -> Any:
    return similar(w)[..., :1]


def begin(w: World) -> Any:
    return xp.total(w.client_weights * visited(w).excess[..., 0, :])


def last(w: World) -> Any:
    return visited(w).excess[..., -1, 0]


def mean_bias(w: World) -> Any:
    return xp.total(w.client_weights * w.bias)


def followed(
    start: Any = 2,
    noise: Any = 2,
    bias: Any = 1,
    margin: Margin | None = similar,
    biases: Margin = mean_bias,
    left: Margin = last,
    **more: Any,
) -> Statement:
    """The gap of one client whose direction is the average over those that are similar."""

    def sides(w: World) -> Any:
        factor, eta = (w.slack + 1) * w.beta / w.mu, w.step_size
        spread = xp.total(w.client_weights**2 * w.sigma2)
        return {"gap": left(w)}, {
            "start": start * factor * (1 - eta * w.mu) ** w.rounds * begin(w),
            "noise": noise * factor * eta * w.beta * spread / (2 * w.mu),
            "bias": bias * biases(w),
        }

    fields = {"clients": (1, 2), "rounds": (1, 2), "method": "fedavg", "noise": True}
    made = statement(
        "similar.claim",
        where="here",
        latex="",
        over="mean",
        family=functions("smooth strongly convex", **{**fields, "extra": BOX, **more}),
        defines=STEPS,
        given=[] if margin is None else [Hypothesis("similar", "", margin, where="here")],
    )
    return made(sides)


@pytest.mark.slow  # by default its outline is proved anew: tests/verify/outlines
def test_the_theorem_is_proved_for_all_losses_weights_rounds_and_noise() -> None:
    (found,) = prove(theorem6b)
    assert found.status == "decided"
    assert "any number of clients, for any number of rounds" in found.summary
    assert found.scope.startswith("all smooth strongly convex functions in every dimension, noise")
    proof = json.loads(json.dumps(found.proof))
    assert recheck(theorem6b, proof, whole=True)
    assert not recheck(followed(noise=1), proof)


FALSE: dict[str, dict[str, Any]] = {
    "half of the start": {"start": 1},
    "half of the noise": {"noise": 1},
    "no similarity": {"bias": 0},
    "half of the bias": {"bias": Fraction(1, 2)},
    "nothing is asked": {"margin": None},
    "asked at the start alone": {"margin": at_start},
    "steps twice as long": {"extra": {**BOX, "share": Real(1 / 16, 2, domain=(0, 2))}},
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n != "half of the noise")) for n in FALSE]
)
@pytest.mark.every(2)
def test_what_is_false_is_not_proved(name: str) -> None:
    assert not [*prove(followed(**FALSE[name]))]


@pytest.mark.slow
def test_any_precision_is_reached() -> None:
    (found,) = prove(theorem7_2)
    assert found.status == "decided"
    assert recheck(theorem7_2, json.loads(json.dumps(found.proof)), whole=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", [h.name for h in theorem7_2.given])
def test_each_hypothesis_of_the_precision_is_needed(name: str) -> None:
    given = [h for h in theorem7_2.given if h.name != name]
    assert not [*prove(theorem7_2.variant("similar.precision", given=given))]


def test_the_false_ones_differ_from_a_true_one_in_what_their_names_say() -> None:
    (found,) = prove(followed())
    assert found.status == "decided"


# -- what is asked at each point -------------------------------------------------------------------


def but_the_last(w: World) -> Any:
    return similar(w)[..., :-1]


def more_and_more(w: World) -> Any:
    """Asked less of the last point."""
    return xp.stack([*(similar(w)[..., t] for t in range(w.rounds)), similar(w)[..., -1] + 1], -1)


def by_length(w: World) -> Any:
    return similar(w) + w.rounds


def of_steps(w: World) -> Any:
    """About two points each."""
    points = visited(w).points
    return 9 - xp.squared_norm(points[..., 1:, :] - points[..., :-1, :])


def of_clients(w: World) -> Any:
    return w.bias - visited(w).excess[..., -1, :]


def squared(w: World) -> Any:
    return similar(w) ** 2


def in_mean(w: World) -> Any:
    return w.mean(xp.squared_norm(visited(w).gradients[..., 0, :])) - 1


REFUSED: dict[str, Callable[[], Statement]] = {
    "not asked at the last point": lambda: followed(margin=but_the_last),
    "another one at the last point": lambda: followed(margin=more_and_more),
    "one that knows the number of rounds": lambda: followed(margin=by_length),
    "about steps": lambda: followed(margin=of_steps),
    "about each client": lambda: followed(margin=of_clients),
    "no mean of products": lambda: followed(margin=squared),
    "the bias under other weights": lambda: followed(biases=lambda w: xp.mean(w.bias)),
    "the largest bias": lambda: followed(biases=lambda w: xp.largest(w.bias)),
    "the first bias": lambda: followed(biases=lambda w: w.bias[..., 0]),
    "the square of the mean bias": lambda: followed(
        biases=lambda w: xp.total(w.client_weights * w.bias**2)
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_such_form_is_not_read(name: str) -> None:
    made = REFUSED[name]()
    assert [s.apart for s in settings_of(made)] == [True]
    assert not [*any_rounds(made)]


def test_hypotheses_stand_at_the_points_of_one_round() -> None:
    none, more, *_ = next(iter(any_rounds(followed())))
    names = [{h.name for h in one.claim.hypotheses if "similar" in h.name} for one in (none, more)]
    assert names == [{"similar at 0"}, {"similar at 0", "similar at 1"}]


def test_listed_rounds_have_a_hypothesis_for_each_point() -> None:
    found, complete = class_claims(followed(rounds=2))
    assert complete
    assert {h.name for h in found[0].claim.hypotheses if "similar" in h.name} == {
        f"similar at {place}" for place in range(3)
    }


def test_a_margin_that_the_run_does_not_have_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact runs tell where a hypothesis was read at the wrong point."""
    true = read_claims.entries

    def shifted(name: str, margin: Any) -> Any:
        found = [*true(name, margin)]
        names = [n for n, _ in found]
        return zip(names, [e for _, e in (*found[1:], *found[:1])], strict=True)

    monkeypatch.setattr(read_claims, "entries", shifted)
    assert class_claims(followed(rounds=2)) == ([], False)


# -- the least value of an average -----------------------------------------------------------------


def test_the_least_value_is_no_part_of_what_is_said() -> None:
    """It is taken off a bound, and that this makes it smaller is a claim."""
    (setting,) = settings_of(followed())
    loss = setting.loss()
    claim = setting.read(followed().family.shapes[0], loss)
    assert LEAST not in claim.left.free_symbols | claim.right.free_symbols
    parts = {one.label["part"]: one.claim for one in next(iter(any_rounds(followed())))}
    assert set(parts) == {"no round", "one more round", "its factor", "rest"}
    assert all(LEAST in parts[name].right.free_symbols for name in ("no round", "rest"))


def test_only_strongly_convex_losses_fall_to_the_least_value_at_a_rate() -> None:
    (setting,) = settings_of(followed())
    loss = setting.loss()
    loss.at(rounds.START)
    names = {
        kind: [h.name for h in least_facts(kind, loss, {LEAST})]
        for kind in ("smooth convex", "smooth strongly convex")
    }
    assert names["smooth convex"] == ["f at 0 above the least of all"]
    assert len(names["smooth strongly convex"]) == 2
    assert not [*least_facts("smooth", loss, set())]


def test_its_facts_hold_of_averages_of_parabolas() -> None:
    """Two of curvatures a, b, one of them moved: the average at x, its slope, its least value."""
    a, b, share = sympy.Rational(1, 2), sympy.Integer(2), sympy.Rational(1, 3)
    x = sympy.Symbol("x", real=True)
    mean = share * a * x**2 / 2 + (1 - share) * b * (x - 3) ** 2 / 2
    (place,) = sympy.solve(sympy.diff(mean, x), x)
    loss = EachLoss(b, a, a, count=sympy.Integer(2), weighted=True)
    one = loss.at(x)
    for at in (-1, 0, 2, 5):
        values = {
            one.f: mean.subs(x, at),
            one.g: sympy.diff(mean, x).subs(x, at),
            LEAST: mean.subs(x, place),
        }
        facts = least_facts("smooth strongly convex", loss, {LEAST})
        assert all(h.expr.xreplace(values) >= 0 for h in facts)


def test_a_gap_is_taken_apart_into_its_factor_and_the_rest() -> None:
    f, c, t = sympy.Symbol("f"), sympy.Symbol("c", positive=True), sympy.Symbol("t", integer=True)
    gap = sympy.expand((c + 1) * (1 - c / 2) ** t * (3 * f - c) / c)
    scale, rest = factor_apart(gap, {f})
    assert f not in scale.free_symbols
    assert sympy.simplify(scale * rest - gap) == 0
    assert scale.subs({c: 1, t: 0}) > 0
