"""What a statement's functions get for each question of the world while they are traced.

A term and the example's value for everything that is a number; the plain value, written down as
told, for texts, truth values and choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from verify.terms.node import Node, constant, node
from verify.terms.refusals import NotTraceable
from verify.terms.traced import SETTLED, Traced, TracedObject, example_of, lifted
from verify.terms.world import TracingWorld

X = np.array([[5.0]])
THETA = np.arange(24.0).reshape(1, 1, 4, 3, 2)
VALUES = {"x": X, "flag": True, "word": "gradient", "none": None, "N": 3, "row": 2, "z": X + 1}


class Fake:
    """A world that says what it was asked."""

    problem = SimpleNamespace(A=X)
    weights = np.array([0.25, 0.75])
    outcome_weights = np.array([0.5, 0.5])

    def original(self, name: str) -> Any:
        return VALUES[name]

    def has(self, name: str) -> bool:
        return name in VALUES

    def given(self, name: str) -> bool:
        return name == "x"

    def run(self, method: Any, rounds: Any, **hyper: Any) -> Any:
        return SimpleNamespace(method=method, asked=rounds, hyper=hyper, theta=THETA)

    def array(self, values: Any) -> Any:
        return np.asarray(values, dtype=float)

    def mean(self, x: Any) -> Any:
        return x + 100

    def probability(self, event: Any) -> Any:
        return event + 200


FAKE = Fake()
Rules = Mapping[str, Callable[[Any], Any]]


def world(defines: Rules | None = None, exact: bool = False) -> TracingWorld:
    return TracingWorld(FAKE, frozenset({"N"}), defines or {}, exact)


@pytest.fixture
def told() -> Iterator[dict[Node, Any]]:
    found: dict[Node, Any] = {}
    token = SETTLED.set(found)
    yield found
    SETTLED.reset(token)


def test_a_quantity_is_a_term_with_the_value_of_the_example() -> None:
    w = world()
    for value, op in ((w.x, "symbol"), (w.symbol("x"), "symbol"), (w.original("x"), "original")):
        assert type(value) is Traced
        assert value.node is node(op, data="x")
        assert value.example is X


def test_a_size_that_stays_a_term_is_one_of_its_own_kind() -> None:
    w = world()
    assert (w.N.node, w.N.example) == (node("size", data="N"), 3)
    other = w.original("N")
    assert (other.node, other.example) == (node("original size", data="N"), 3)


def test_texts_truth_values_nothing_and_choices_are_told(told: dict[Node, Any]) -> None:
    w = world()
    for name in ("flag", "word", "none", "row"):
        assert w.symbol(name) is VALUES[name]
    assert told == {node("plain", data=n): VALUES[n] for n in ("flag", "word", "none", "row")}
    assert w.has("x") is True
    assert w.has("y") is False
    assert w.given("x") is True
    assert w.given("word") is False
    asked = {node("has", data="x"): True, node("has", data="y"): False}
    asked |= {node("given", data="x"): True, node("given", data="word"): False}
    assert {k: v for k, v in told.items() if k.op != "plain"} == asked


def test_a_symbol_that_the_statement_defines_is_traced_once_and_named(
    told: dict[Node, Any],
) -> None:
    calls: list[str] = []

    def z(w: Any) -> Any:
        calls.append("z")
        return w.x + 1

    def row(w: Any) -> int:
        return int(VALUES["row"])

    w = world({"z": z, "flag": lambda w: True, "row": row})
    first, second = w.z, w.z
    assert first.node is second.node is node("symbol", data="z")
    assert calls == ["z"]
    assert w.defined["z"] is node("operator", node("symbol", data="x"), constant(1), data="+")
    assert w.flag is True
    assert w.defined["flag"] is constant(True)
    assert told == {}, "what a definition is made of has been told"
    counted = w.row
    assert type(counted) is Traced
    assert counted.node is node("count", node("symbol", data="row"))
    assert set(w.defined) == {"z", "flag", "row"}
    assert w.x.node is node("symbol", data="x")
    assert "x" not in w.defined


def test_a_definition_that_names_itself_is_asked_once() -> None:
    """The world of the example says what comes of it."""
    w = world({"z": lambda w: w.z * 2})
    assert w.z.node is node("symbol", data="z")
    assert w.defined["z"] is node("operator", node("symbol", data="z"), constant(2), data="*")


def test_where_literals_shall_be_exact_a_function_has_its_twin_if_there_is_one() -> None:
    def own() -> None: ...

    def twin(_: Any) -> Any:
        return len

    assert world().traced(own, twin) is own
    assert world(exact=True).traced(own, twin) is len
    assert world(exact=True).traced(own, lambda _: None) is own
    assert TracingWorld(FAKE, frozenset(), {}).traced(own, twin) is own


def test_a_rule_is_traced_once() -> None:
    calls: list[Any] = []

    def rule(w: Any) -> Any:
        calls.append(w)
        return w.x * 2

    w = world()
    assert w.once(rule) is w.once(rule)
    assert calls == [w]
    assert w.once(lambda w: w.x).example is X


def test_problems_and_runs_are_records_whose_parts_are_terms() -> None:
    w = world()
    assert w.example is FAKE
    assert type(w.problem) is TracedObject
    assert w.problem.A.node is node("attribute", node("problem"), data="A")
    assert w.problem.A.example is X
    run = w.run("gradient", w.N, step=w.x, rho=2)
    inputs = (node("size", data="N"), constant(2), node("symbol", data="x"))
    assert lifted(run) is node("run", *inputs, data=("gradient", ("rho", "step")))
    held = example_of(run)
    assert (held.method, held.asked, held.hyper) == ("gradient", 3, {"step": X, "rho": 2})
    assert lifted(w.run()) is node("run", constant(None), data=(None, ()))


def test_what_holds_along_a_path_is_asked_at_every_point_but_the_last() -> None:
    w = world()
    seen = []

    def rule(own: Any, points: Any) -> Any:
        seen.append(own)
        return points

    points = w.pathwise(rule)
    assert seen == [w]
    assert np.array_equal(points.example, THETA[..., :-1, :])
    run = node("run", constant(None), data=(None, ()))
    theta = node("attribute", run, data="theta")
    places = (Ellipsis, (None, -1, None), (None, None, None))
    assert points.node is node("index", theta, data=places)


def test_literal_arrays_are_each_a_term_of_its_own() -> None:
    w = world()
    first, second = w.array([1, 2]), w.array([1, 2])
    inside = lifted([1, 2])
    assert first.node is node("literal", inside, data=1)
    assert second.node is node("literal", inside, data=2)
    assert first.example.tolist() == [1.0, 2.0]


def test_means_chances_and_weights_are_terms() -> None:
    w = world()
    x = node("symbol", data="x")
    for value, made, wanted in (
        (w.mean(w.x), node("mean", x), [[105.0]]),
        (w.probability(w.x), node("probability", x), [[205.0]]),
        (w.weights, node("weights"), [0.25, 0.75]),
        (w.outcome_weights, node("outcome weights"), [0.5, 0.5]),
    ):
        assert value.node is made
        assert value.example.tolist() == wanted


ASKED: dict[str, Callable[[TracingWorld], Any]] = {
    "the number of instances": len,
    "the kind of number": lambda w: w.number,
    "the plan of the noise": lambda w: w.noise_plan,
    "the instance": lambda w: w.instance,
    "another world": lambda w: w.with_changed({}),
}


@pytest.mark.parametrize("what", ASKED)
def test_what_differs_from_world_to_world_ends_the_trace(what: str) -> None:
    with pytest.raises(NotTraceable, match=f"{what} is asked"):
        ASKED[what](world())


def test_other_worlds_are_refused_by_every_name_and_hidden_names_are_none() -> None:
    w = world()
    for name in ("still", "anew", "exchanged"):
        with pytest.raises(NotTraceable, match="another world"):
            getattr(w, name)({})
    with pytest.raises(AttributeError, match="_hidden"):
        w._hidden  # noqa: B018
    assert w.traces is True
