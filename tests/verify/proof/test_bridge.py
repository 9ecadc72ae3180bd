"""Exact runs agree with every fact, reading and step, and refuse the false twin of each rule."""

from dataclasses import replace
from fractions import Fraction as Q

import pytest

from tests.verify.proof import instances
from tests.verify.proof.outlines import OUTLINES
from tests.verify.proof.proved import outline_of, proved
from tests.verify.proof.small import SMALL
from verify.proof.bridge import ExactRun, broken
from verify.proof.checker import Refused
from verify.proof.facts import FACTS
from verify.proof.outline import Outline

RUNS = {name: getattr(instances, name) for name in OUTLINES} | {
    make.__name__: (lambda make=make: [make()[1:]]) for make in SMALL
}
HOME = {}
for _name in (*(make.__name__ for make in SMALL), *OUTLINES):
    for _fact in outline_of(_name).document["facts"]:
        HOME.setdefault(_fact["rule"], _name)


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.every(3)
def test_facts_readings_and_steps_hold_on_exact_runs(name):
    document = proved(name)
    count = 0
    for world, ranges in RUNS[name]():
        assert broken(document, world, ranges) == []
        count += 1
    assert count >= 1 + (name in OUTLINES)


def test_every_rule_has_a_twin_that_is_tried():
    assert {*HOME} == {*FACTS}


@pytest.mark.parametrize("rule", FACTS)
@pytest.mark.every(2)
def test_a_false_twin_is_refused(rule):
    name = HOME[rule]
    document = {**outline_of(name).document, "steps": []}
    true = FACTS[rule]
    rules = {**FACTS, rule: replace(true, says=true.twin, declares=true.twin_declares)}
    assert any(_refused(document, world, ranges, rules) for world, ranges in RUNS[name]())


def _refused(document, world, ranges, rules):
    try:
        return bool(broken(document, world, ranges, rules))
    except Refused as reason:  # noise that is drawn when it is known already
        return "is known before it is drawn" in str(reason)


def test_a_claim_that_the_run_contradicts_is_found():
    document = proved("sgd_nonconvex")
    claim = document["claim"]
    step = {**claim, "name": "wrong", "left": claim["right"], "right": claim["left"]}
    world, ranges = next(iter(instances.sgd_nonconvex()))
    found = broken({**document, "steps": [step]}, world, ranges)
    assert {b.name for b in found} == {"wrong"}


def test_a_strict_condition_that_a_run_meets_with_equality_is_broken():
    o = Outline("a positive number")
    o.numbers("real", "eta")
    o.given("0 < eta")
    for eta, names in ((1, []), (0, ["0 < eta"])):
        world = ExactRun([Q(1)], numbers={"eta": lambda eta=eta: Q(eta)})
        assert [one.name for one in broken(o.document, world, {})] == names


def test_an_equation_is_broken_by_either_side_that_is_larger():
    o = Outline("a number")
    o.numbers("real", "eta")
    o.step("one", "1 == eta")
    for eta, names in ((Q(1, 2), ["one"]), (1, []), (2, ["one"])):
        world = ExactRun([Q(1)], numbers={"eta": lambda eta=eta: Q(eta)})
        assert [one.name for one in broken(o.document, world, {})] == names


def test_weights_of_an_average_are_shares_of_their_sum():
    world = ExactRun(
        [Q(1)],
        numbers={"a": lambda t: Q(t + 1)},
        vectors={"x": lambda world, outcome, client, t: (Q(t),)},
    )
    about = {"called": "m[T]", "rounds": "T", "index": "t", "weight": "a[t]", "of": "x[t]"}
    world.averages = {"m": about}
    assert world.vector("m[2]") == [[(Q(2, 3),)]]


def test_weights_that_are_chosen_are_those_of_each_outcome():
    points = [[(Q(1),), (Q(3),)], [(Q(5),), (Q(9),)]]
    world = ExactRun(
        [Q(1, 4), Q(3, 4)],
        chosen=[[Q(1, 2), Q(1, 2)], [Q(0), Q(1)]],
        vectors={"x": lambda world, outcome, client: points[outcome][client]},
        functions={"F": (lambda client, x: (client + 1) * x[0], lambda client, x: x)},
    )
    assert world.vector("avg(x)") == [[(Q(2),)] * 2, [(Q(9),)] * 2]
    assert world.scalar("x**2") == (Q(1 + 9, 2) + 3 * 81) / 4
    assert world.scalar("F(x)") == (Q(1 + 6, 2) + 3 * 18) / 4
    mean = {"facts": [], "functions": {"F": {"own": True}, "H": {"mean of": "F"}}}
    with pytest.raises(ValueError, match="chosen"):
        world.knows(mean)


def test_a_long_sum_of_a_run_that_stands_still_is_not_added_up():
    counted = []

    def slope(t):
        counted.append(t)
        return Q(3 if t == 0 else 2)

    world = ExactRun([Q(1)], numbers={"y": slope}, steady={"t": 1})
    assert world.scalar("Sum(y[t] + 1, (t, 0, 10**9 - 1))") == 4 + 3 * (10**9 - 1)
    assert world.scalar("Sum(y[t], (t, 0, 0))") == 3
    assert world.scalar("Max(y[t], (t, 0, 10**9))") == 3
    assert len(counted) <= 4


def test_a_sum_goes_on_with_what_stands_still_at_last():
    world = ExactRun([Q(1)], numbers={"y": lambda t: Q((5, 3, 2)[min(t, 2)])}, steady={"t": 2})
    assert world.scalar("Sum(y[t] + 1, (t, 0, 10**6))") == 6 + 4 + 3 * (10**6 - 1)


def test_a_long_sum_of_what_changes_is_none():
    world = ExactRun([Q(1)], numbers={"y": lambda t: Q(t)}, steady={"t": 1})
    with pytest.raises(ValueError, match="changes from 1 to 9"):
        world.scalar("Sum(y[t], (t, 0, 9))")
    assert world.scalar("Sum(y[t], (t, 0, 1))") == 1


def test_what_a_formula_is_at_a_place_is_told_apart_by_the_place():
    world = ExactRun([Q(1)], numbers={"y": lambda t: Q(t + 1)})
    assert [world.scalar("y[t]**2 + y[t]", {"t": t}) for t in (0, 1, 0)] == [2, 6, 2]
    assert world.scalar("Sum(y[t]**2*t, (t, 0, 1))", {"t": 5}) == 4
