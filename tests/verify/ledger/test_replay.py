"""Replaying a witness: from the instance alone, and only with trusted code."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.numbers import Ball
from verify.ledger.explain import value_tex, value_text
from verify.ledger.witness import replay, show

Fedassay = Callable[..., tuple[int, str, str]]


@pytest.fixture
def witness(made: Path) -> Path:
    return made / "mine-ledger-witnesses" / "mine.wrong.json"


def change(path: Path, **fields: Any) -> None:
    raw = json.loads(path.read_text())
    for name, value in fields.items():
        if value is None:
            del raw[name]
        else:
            raw[name] = value
    path.write_text(json.dumps(raw))


def test_a_witness_is_confirmed_in_rational_arithmetic(witness: Path, fedassay: Fedassay) -> None:
    code, out, err = fedassay("replay", witness, "--trust")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "mine.wrong, rational arithmetic",
        "number               stored  recomputed",
        "left                 5       5",
        "right                4       4",
        "margin x at least 1  0       0",
        "confirmed",
    ]


def test_the_hand_computation_is_written_in_text_and_tex(witness: Path, fedassay: Fedassay) -> None:
    code, out, _ = fedassay("replay", witness, "--trust", "--explain")
    assert code == 0
    assert "left = 5 > 4 = right: every hypothesis holds and the claim does not." in out
    assert r"\[ 5xy \le (x+y)^2 \]" in out
    assert r"\[ \text{left} = 5 > 4 = \text{right} . \]" in out
    assert out.count(r"\begin{align*}") == out.count(r"\end{align*}") == 4


def test_the_instance_alone_decides(witness: Path, fedassay: Fedassay) -> None:
    change(witness, left="6/1")
    code, out, _ = fedassay("replay", witness, "--trust")
    assert code == 1
    assert "differs: left: stored 6, recomputed 5" in out
    assert out.endswith("not confirmed\n")


def test_an_instance_outside_the_hypotheses_is_no_witness(witness: Path) -> None:
    raw = json.loads(witness.read_text())["instance"]
    raw["params"] = {"x": "1/2", "y": "1/2"}
    change(witness, instance=raw)
    found = replay(witness, trust=True)
    assert not found.confirmed
    assert found.recomputed["margins"]["x at least 1"]["value"] == "-1/2"


def test_a_users_file_runs_only_if_trusted(witness: Path, fedassay: Fedassay) -> None:
    (witness.parents[1] / "mine.py").write_text("raise SystemExit('this file ran')")
    code, out, err = fedassay("replay", witness)
    assert (code, out) == (2, "")
    assert "pass --trust" in err
    assert "this file ran" not in err


def test_a_changed_file_is_not_run(witness: Path, fedassay: Fedassay) -> None:
    (witness.parents[1] / "mine.py").write_text("raise SystemExit('this file ran')")
    code, _, err = fedassay("replay", witness, "--trust")
    assert code == 2
    assert "statement file must be the one that the witness was made by" in err


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"statement": None}, "statement must be a known one, got 'mine.wrong'"),
        ({"key": "mine.none"}, "got 'mine.none'"),
        ({"statement": {"file": "../no.py", "sha256": "0" * 64}}, "an existing Python file"),
        ({"statement": {"file": "../mine.py", "sha256": "0" * 64}}, "with other content"),
        ({"left": "1/0"}, "where left"),
        ({"left": None}, '"left" is a required property'),
        ({"instance": {"family": "numbers", "data": {}, "params": {}}}, "symbol must be"),
        (
            {"instance": {"family": "numbers", "data": {}, "params": {"x": [["1/2"], []], "y": 1}}},
            "ragged",
        ),
        (
            {"instance": {"family": "numbers", "data": {}, "params": {"x": "one", "y": "two"}}},
            "an instance that fits mine.wrong",
        ),
        (
            {
                "instance": {
                    "family": "numbers",
                    "data": {},
                    "params": {"x": {"npz": "../../etc/x", "sha256": ""}, "y": 1},
                }
            },
            "array file must be present",
        ),
    ],
)
def test_foreign_witnesses_get_one_sentence(
    witness: Path, fields: dict[str, Any], message: str, fedassay: Fedassay
) -> None:
    change(witness, **fields)
    code, out, err = fedassay("replay", witness, "--trust")
    assert (code, out) == (2, "")
    assert err.startswith("fedassay: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_ledger_is_no_witness(made: Path, fedassay: Fedassay) -> None:
    code, _, err = fedassay("replay", made / "mine-ledger.json")
    assert code == 2
    assert "this is a ledger" in err


@pytest.mark.parametrize(
    ("value", "text", "tex"),
    [
        (Fraction(-1, 3), "-1/3 = -0.333333", r"-\tfrac{1}{3}"),
        (Fraction(4), "4", "4"),
        (np.array([Fraction(1, 2), Fraction(2)], dtype=object), "[1/2, 2]", r"(\tfrac{1}{2},\, 2)"),
        (np.eye(2, dtype=int), "[[1, 0], [0, 1]]", r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}"),
        ("all_for_one", "all_for_one", r"\text{all\_for\_one}"),
        (np.zeros(100), "array of shape (100,), in the witness file", r"\text{array of size } 100"),
        (None, "None", r"\text{None}"),
    ],
)
def test_values_are_written_as_by_hand(value: Any, text: str, tex: str) -> None:
    assert value_text(value) == text
    assert value_tex(value) == tex


def test_balls_are_written_with_their_radius() -> None:
    ball = Ball("1/3", "1/2")
    assert value_text(ball).startswith("0.41666")
    assert r"\pm" in value_tex(ball)


def test_long_fractions_are_shown_in_decimals() -> None:
    long = Fraction(10**60 + 1, 3 * 10**60)
    assert show(long) == f"0.333333333333 (exactly a fraction of {len(str(long))} characters)"
    assert show(Fraction(10**400)).startswith("1e+400 (exactly")
    assert "tfrac" not in value_tex(long)
