"""What a worst case is put together of, and what is wrong with a certificate about a problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as Q
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.trusted.worst_case.by_hand import (
    DATA,
    HALVES,
    PROGRAMME,
    condition,
    e,
    matrix,
    programme,
)
from verify.certify.gram.claim import Form, GramCertificate
from verify.worst_case import ClassProblem, Convex, SmoothConvex, StronglyConvex, solution
from verify.worst_case.conic import Multipliers, Optimum
from verify.worst_case.exact.data import Data
from verify.worst_case.exact.exact_proof import assembled
from verify.worst_case.instance import ExactInstance, FunctionData, instance
from verify.worst_case.points import rational
from verify.worst_case.solution import WorstCase, objection, solved, worst
from verify.worst_case.solver import NoSolution

PROBLEM: Any = SimpleNamespace(tight=True, vectors=["a", "b"])
FOUND = Optimum(0.99, Multipliers(np.zeros(3), []), [], {}, {}, 1e-8)


# -- objections ------------------------------------------------------------------------------------


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    def put(whole: Any) -> None:
        monkeypatch.setattr(solution, "programme", lambda problem: whole)

    put(PROGRAMME)
    return put


def certificate(whole: Any = PROGRAMME, exact: Any = HALVES) -> GramCertificate:
    return assembled(whole, exact, "what", {})


def with_first(found: GramCertificate, **more: Any) -> GramCertificate:
    return replace(found, premises=(replace(found.premises[0], **more), *found.premises[1:]))


def test_a_certificate_about_the_problem_has_no_objection(made: Any) -> None:
    assert objection(PROBLEM, certificate()) == ""


def test_the_objective_and_each_premise_are_those_of_the_problem(made: Any) -> None:
    own = certificate()
    other = replace(own, objective=Form({("f",): Q(2)}))
    assert objection(PROBLEM, other) == "the objective is not that of the problem"
    for wrong in (
        with_first(own, form=Form({(): Q(1)})),
        with_first(own, equality=True),
        with_first(own, name="product"),
        with_first(own, name="nobody's"),
    ):
        said = f"'{wrong.premises[0].name}' is no condition of the problem"
        assert objection(PROBLEM, wrong) == said
    last = own.premises[2]
    wrong = replace(own, premises=(*own.premises[:2], replace(last, form=last.form * 2)))
    assert objection(PROBLEM, wrong) == "'second' is no condition of the problem"


def test_an_inequality_is_no_equation_in_the_problem_either(made: Any) -> None:
    equal = replace(PROGRAMME.conditions[0], equality=True)
    made(replace(PROGRAMME, conditions=(equal, *PROGRAMME.conditions[1:])))
    own = certificate()
    assert objection(PROBLEM, own) == "'first' is no condition of the problem"
    assert objection(PROBLEM, with_first(own, equality=True)) == ""


def test_the_identity_and_signs_count_in_the_end(made: Any) -> None:
    own = certificate()
    assert "exceeds the bound" in objection(PROBLEM, replace(own, bound=Q(1, 2)))
    assert "negative" in objection(PROBLEM, replace(own, multipliers=(Q(-1), *own.multipliers[1:])))


def test_a_square_is_along_a_matrix_of_the_problem(made: Any) -> None:
    seen = matrix("m", [e(one=1, f=-1), e()], [e(), e(one=1)])
    whole = programme(matrices=(seen,))
    made(whole)
    own = certificate(whole, [rational(q) for q in (1, 0, 0)])
    assert objection(PROBLEM, own) == ""
    name = "m, square 1"
    rule = own.premises[0].rule
    nowhere = f"'{name}' is along no matrix of the problem"
    assert objection(PROBLEM, with_first(own, rule={**rule, "matrix": "k"})) == nowhere
    assert objection(PROBLEM, with_first(own, rule={**rule, "direction": ["1"]})) == nowhere
    for more in (
        {"rule": {**rule, "direction": ["1", "1"]}},
        {"form": Form({(): Q(1)})},
        {"equality": True},
    ):
        wrong = with_first(own, **more)
        assert objection(PROBLEM, wrong) == f"'{name}' is no condition of the problem"


# -- what is put together --------------------------------------------------------------------------


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch, made: Any) -> dict[str, Any]:
    """What the parts of the search give, or raise; and what they were asked."""
    found: dict[str, Any] = {
        "optimum": FOUND,
        "attained": DATA,
        "sharp": certificate(),
        "proved": replace(certificate(), bound=Q(2)),
        "instance": ExactInstance(2, (), (), Q(3, 4)),
        "asked": {},
    }

    def part(name: str) -> Callable[..., Any]:
        def given(*args: Any) -> Any:
            found["asked"][name] = args
            if isinstance(found[name], Exception):
                raise found[name]
            return found[name]

        return given

    for name in ("optimum", "attained", "sharp", "proved", "instance"):
        monkeypatch.setattr(solution, name, part(name))
    return found


def test_the_value_alone_is_that_of_the_solver(parts: dict[str, Any]) -> None:
    assert solved(PROBLEM) == WorstCase(0.99, 1e-8, True)
    assert parts["asked"] == {"optimum": (PROGRAMME,)}
    assert solved(PROBLEM).missing == ()


def test_both_bounds_with_what_shows_them(parts: dict[str, Any]) -> None:
    one = worst(PROBLEM, "mine")
    assert (one.value, one.accuracy, one.tight) == (0.99, 1e-8, True)
    assert (one.upper, one.certificate) == (Q(1), parts["sharp"])
    assert (one.lower, one.instance) == (Q(3, 4), parts["instance"])
    assert one.missing == ()
    assert one.gap == 0.25
    assert parts["asked"]["attained"] == (PROGRAMME, FOUND, ["a", "b"])
    assert parts["asked"]["sharp"] == (PROGRAMME, FOUND, DATA, "mine")
    assert parts["asked"]["instance"] == (PROBLEM, DATA)
    assert "proved" not in parts["asked"]


def test_where_what_is_attained_is_no_bound_a_bit_more_is_shown(parts: dict[str, Any]) -> None:
    parts["sharp"] = NoSolution("no")
    one = worst(PROBLEM)
    assert (one.upper, one.lower) == (Q(2), Q(3, 4))
    assert parts["asked"]["proved"] == (PROGRAMME, FOUND, "the worst case of a problem")
    for denominator, sharp in ((10**12 - 1, True), (10**12, False), (10**12 + 1, False)):
        parts["asked"].clear()
        parts["attained"] = replace(DATA, objective=Q(1, denominator))
        worst(PROBLEM)
        assert ("sharp" in parts["asked"]) is sharp
        assert "proved" in parts["asked"]


def test_what_is_missing_is_told_with_its_reason(parts: dict[str, Any]) -> None:
    parts["attained"] = NoSolution("no data")
    one = worst(PROBLEM)
    assert (one.upper, one.lower, one.instance) == (Q(2), None, None)
    assert one.missing == ("lower: no data",)
    assert one.gap == float("inf")
    parts["proved"] = NoSolution("no proof")
    one = worst(PROBLEM)
    assert (one.upper, one.certificate) == (None, None)
    assert one.missing == ("lower: no data", "upper: no proof")
    parts["attained"] = DATA
    parts["sharp"] = NoSolution("no")
    assert (worst(PROBLEM).gap, worst(PROBLEM).lower) == (float("inf"), Q(3, 4))
    parts["asked"].clear()
    loose = worst(SimpleNamespace(tight=False, vectors=[]))  # type: ignore[arg-type]
    assert loose.tight is False
    assert loose.missing == ("lower: the conditions are necessary only", "upper: no proof")
    assert not {"attained", "instance", "sharp"} & {*parts["asked"]}


# -- instances -------------------------------------------------------------------------------------


def only(found: Any) -> Any:
    (one,) = found
    return one


def test_an_instance_is_the_functions_point_by_point() -> None:
    p = ClassProblem()
    f = p.function(SmoothConvex(1), "f")
    x = p.point("x0")
    g, value = only(f.gradient(x).parts), only(f(x).terms)[0]
    data = Data({"x0": (Q(2), Q(0)), g: (Q(1), Q(3))}, {value: Q(7)}, Q(5), 2)
    shown = instance(p, data)
    assert (shown.dimension, shown.value) == (2, Q(5))
    assert shown.points == (("x0", data.vectors["x0"]), (g, data.vectors[g]))
    own = only(shown.functions)
    assert (own.name, own.kind) == ("f", repr(SmoothConvex(1)))
    assert [(one.x, one.g, one.f) for one in own.samples] == [((2, 0), (1, 3), 7)]
    assert own.explicit is not None
    assert own.explicit.value((Q(2), Q(0))) == 7
    assert own.explicit.gradient((Q(2), Q(0))) == (1, 3)
    assert shown.written_out is True
    p.point("z")
    assert "z" not in dict(instance(p, data).points)


def test_an_instance_without_coordinates_has_one_that_is_nought() -> None:
    p = ClassProblem()
    f = p.function(StronglyConvex(1), "f")
    value = only(f(p.point("x")).terms)[0]
    shown = instance(p, Data({}, {value: Q(7)}, Q(0), 0))
    own = only(shown.functions)
    assert (own.samples[0].x, own.samples[0].g) == ((), ())
    assert own.explicit is not None
    assert [own.explicit.value((q,)) for q in (Q(0), Q(1))] == [7, Q(15, 2)]
    assert own.explicit.gradient((Q(0),)) == (0,)
    p.function(Convex(), "h")
    shown = instance(p, Data({}, {value: Q(7)}, Q(0), 0))
    assert (shown.functions[1].samples, shown.functions[1].explicit) == ((), None)
    assert shown.written_out is False


def test_clients_that_enter_alike_are_two_with_opposite_deviations() -> None:
    p = ClassProblem()
    f = p.clients(SmoothConvex(1), "f")
    x = p.point("x", own=True)
    g = f.gradient(x)
    names = [*g.parts]
    mean, off = (next(n for n in names if n.startswith("~") is own) for own in (False, True))
    value = only(f(x).terms)[0]
    vectors = {
        "x": (Q(1), Q(0)),
        "~x": (Q(0), Q(2)),
        mean: (Q(3), Q(0)),
        off: (Q(0), Q(4)),
    }
    shown = instance(p, Data(vectors, {value: Q(9)}, Q(0), 2))
    first, second = shown.functions
    assert [first.name, second.name] == ["f, client 1", "f, client 2"]
    assert (first.samples[0].x, first.samples[0].g) == ((1, 2), (3, 4))
    assert (second.samples[0].x, second.samples[0].g) == ((1, -2), (3, -4))
    assert first.samples[0].f == second.samples[0].f == 9


def test_an_instance_is_written_out_if_all_of_its_functions_are() -> None:
    whole = SimpleNamespace()
    own, other = (FunctionData("f", "k", (), one) for one in (whole, None))  # type: ignore[arg-type]
    for functions, written in (((own,), True), ((own, other), False), ((), True)):
        assert ExactInstance(1, functions, (), Q(0)).written_out is written
    assert condition("c", f=1).name == "c"
