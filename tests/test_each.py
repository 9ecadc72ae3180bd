"""A loop that is one test tries every case, names what fails, and is never empty."""

from __future__ import annotations

import pytest

from tests.each import each


def test_every_case_is_tried_and_each_that_fails_is_named() -> None:
    tried = []

    @each("number", range(6))
    def odd(number: int) -> None:
        tried.append(number)
        assert number % 2

    with pytest.raises(ExceptionGroup, match="3 of 6 cases") as found:
        odd()
    assert tried == list(range(6))
    assert [e.__notes__ for e in found.value.exceptions] == [[f"case: {k}"] for k in (0, 2, 4)]


def test_a_loop_over_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="must be at least one"):
        each("number", [])


def test_parameters_of_pytest_are_cases_unless_they_are_marked() -> None:
    seen = []

    @each(("a", "b"), [pytest.param(1, 2, id="one"), pytest.param(3, 4, id="two")])
    def total(a: int, b: int) -> None:
        seen.append(a + b)

    total()
    assert seen == [3, 7]
    with pytest.raises(ValueError, match="must have no marks"):
        each("a", [pytest.param(1, marks=pytest.mark.slow)])


def test_a_loop_that_leaves_out_every_case_is_left_out() -> None:
    @each(("a", "b"), [(1, 2), (3, 4)])
    def nothing(a: int, b: int) -> None:
        pytest.skip("no use")

    with pytest.raises(pytest.skip.Exception, match="no use"):
        nothing()


@each("letter", "ab")
@each(("number", "square"), [(1, 1), (2, 4)])
def test_loops_may_stand_in_each_other_and_take_fixtures(
    letter: str, number: int, square: int, capsys: pytest.CaptureFixture[str]
) -> None:
    print(letter * number)
    assert capsys.readouterr().out.strip() == letter * number
    assert number**2 == square


def test_of_every_third_case_the_others_are_slow() -> None:
    seen = []

    @each("number", range(7), every=3)
    def noted(number: int) -> None:
        seen.append(number)
        assert number != 6

    (mark,) = noted.pytestmark  # type: ignore[attr-defined]
    some, others = mark.args[1]
    assert mark.name == "parametrize"
    assert [one.name for one in others.marks] == ["slow"]
    with pytest.raises(ExceptionGroup, match="1 of 3 cases"):
        noted(share=some)
    assert seen == [0, 3, 6]
    noted(share=others.values[0])
    assert seen == [0, 3, 6, 1, 2, 4, 5]
