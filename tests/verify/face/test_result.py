"""A result prints, goes to JSON and comes back equal, and shows the mathematics in a notebook."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.verify.cases import assume, numbers
from verify import Real, Statement, check, statement
from verify.face import Result, Results
from verify.face.result import instance_text
from verify.ledger.shown import value_tex, value_text


def product(factor: int) -> Statement:
    """factor x y - x <= (x + y)^2 - x: true up to factor 4."""

    def sides(w: Any) -> Any:
        total = w.x + w.y
        return {"product": factor * w.x * w.y, "less": -w.x}, {"square": total**2, "same": -w.x}

    made = statement(
        f"mine.times{factor}",
        where="Lemma 1",
        latex=rf"{factor}xy - x \le (x+y)^2 - x",
        family=numbers(x=Real(0, 10), y=Real(0, 10), idle=Real(1, 2)),
        given=assume({"x is at least 1": lambda w: w.x - 1}),
    )
    return made(sides)


@cache
def found() -> Results:
    """Once, and not before it is asked for."""
    return check([product(4), product(5)])


def test_several_claims_give_their_results_in_order() -> None:
    assert isinstance(found(), Results)
    assert [one.verdict for one in found()] == ["proved", "violated"]
    assert [one.stands for one in found()] == [True, False]
    assert str(found()) == f"{found()[0]}\n\n{found()[1]}" == repr(found())


@each("number", [0, 1])
def test_a_result_goes_to_json_and_comes_back(number: int) -> None:
    one = found()[number]
    text = json.dumps(one.to_json(), allow_nan=False)
    assert Result.from_json(text) == one
    assert str(Result.from_json(json.loads(text))) == str(one)


def forged(**leaf: Any) -> dict[str, Any]:
    raw = json.loads(json.dumps(found()[1].to_json()))
    return {**raw, "leaf": {**raw["leaf"], **leaf}}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            lambda: forged(verdict="proved"),
            "verdict must be 'violated', as its evidence says, got proved",
        ),
        (lambda: forged(evidence=[]), "verdict must be 'inconclusive', as its evidence says"),
        (lambda: {**forged(), "leaf": {}}, "result must hold a claim and a leaf"),
        (lambda: {**forged(), "more": 1}, "result must be a record with"),
        ({"schema": "fedassay-ledger/1"}, "must be a fedassay-result/1 record, got 'fedassay-led"),
        ([1], "must be a fedassay-result/1 record, got 'list'"),
        ("{", "result must be JSON"),
    ],
)
def test_a_verdict_that_does_not_follow_is_refused(raw: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Result.from_json(raw() if callable(raw) else raw)


def test_the_hand_computation_is_what_the_author_wrote() -> None:
    lines = {r["name"]: r["text"] for s in found()[1].by_hand["sections"] for r in s["lines"]}
    assert lines["product"] == "5*x*y = 5*1*1 = 5"  # from the term: what a name stands for
    assert lines["total"] == "3"  # of the right side: 4 - 1, nothing moved
    assert lines["less"] == "-x = -1"
    assert lines["same"] == "-x = -1"
    assert lines["left"] == "6"
    assert "idle" not in lines
    assert "idle" in found()[1].tightness["instance"]  # type: ignore[index]


class Balanced(HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_notebook_shows_mathematics_verdict_and_witness() -> None:
    page = found()._repr_html_()
    reader = Balanced()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    assert page.count("<math") > 10
    for part in ("✔ proved", "✗ violated", "left/right = 1.25 at x = ", "by hand", "Lemma 1"):
        assert part in reader.text
    hostile = statement(
        "mine.b", where="<i>", title="<b>", latex=r"\unknown", family=numbers(x=Real(0, 1))
    )
    page = check(hostile(lambda w: ({"<s>": w.x + 1}, {"b": w.x})))._repr_html_()
    assert not any(tag in page for tag in ("<i>", "<b>", "<s>"))
    assert all(tag in page for tag in ("&lt;i&gt;", "&lt;b&gt;", "&lt;s&gt;"))
    assert r"\unknown" in page  # TeX that is not known stays as it is


@pytest.mark.parametrize(
    ("sides", "reason"),
    [
        (lambda w: ({"a": 1 / 0}, {"b": w.x}), "stopped by ZeroDivisionError in test_result.py"),
        (lambda w: ({"a": w.z}, {"b": w.x}), "stopped: symbol must be one that"),
        (lambda w: ({"a": undefined}, {"b": w.x}), "NameError in test_result.py"),  # noqa: F821
        (lambda w: (w.x, w.x), "must be a pair of dicts"),
    ],
)
def test_an_error_in_a_claim_is_a_reason_and_no_traceback(sides: Any, reason: str) -> None:
    made = statement("mine.wrong", where="", latex="", family=numbers(x=Real(0, 1)))
    found = check([made(sides), product(4)])
    assert [one.verdict for one in found] == ["inconclusive", "proved"]
    assert reason in found[0].reason
    assert Result.from_json(found[0].to_json()) == found[0]


def test_a_matrix_of_one_entry_is_a_number_and_no_tex_is_raw() -> None:
    text = str(check("5*norm(x)**2 <= 4*norm(x)**2 + y for vector x, real y"))
    assert "x = [" in text  # one coordinate: a vector stays one
    assert "\\" not in text
    assert instance_text({"A": [["1/2"]], "x": [1.0], "B": [[1.0, 2.0]]}) == (
        "A = 1/2, x = [1], B = [[1, 2]]"
    )
    one = np.array([[Fraction(1, 2)]], dtype=object)
    assert (value_text(one), value_tex(one)) == ("1/2 = 0.5", r"\tfrac{1}{2}")
    assert value_text(np.array([Fraction(1)], dtype=object)).startswith("[")
