"""A claim in one line says what it says: the sides, the ranges, and the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.verify.cases import leaf_of
from verify import check
from verify.line import module_text, one_line
from verify.world.world import World

# -- the sides ---------------------------------------------------------------------------------

Oracle = Callable[[dict[str, Any]], tuple[Any, Any]]


def _length(v: Any) -> Any:
    return np.sqrt((v**2).sum())


SIDES: dict[str, Oracle] = {
    "5*x*y <= (x+y)^2": lambda v: (5 * v["x"] * v["y"], (v["x"] + v["y"]) ** 2),
    "x - y - 1 <= -(x + 2*y)": lambda v: (v["x"] - v["y"] - 1, -(v["x"] + 2 * v["y"])),
    "sum_i p[i]*x[i] + y <= max_i abs(x[i])": lambda v: (
        sum(a * b for a, b in zip(v["p"], v["x"], strict=True)) + v["y"],
        max(abs(b) for b in v["x"]),
    ),
    "sum_i sum_j p[i]*q[j]*(x[i] - x[j])**2 <= N*y": lambda v: (
        sum(
            v["p"][i] * v["q"][j] * (v["x"][i] - v["x"][j]) ** 2
            for i in range(len(v["x"]))
            for j in range(len(v["x"]))
        ),
        len(v["x"]) * v["y"],
    ),
    "sum_i norm(x[i] - mean_j x[j])**2 <= norm(z)*(sum_i norm(x[i])) for vectors x,z": lambda v: (
        sum(_length(x - v["x"].mean(0)) ** 2 for x in v["x"]),
        sum(_length(x) for x in v["x"]) * _length(v["z"]),
    ),
    "sum_i p[i]*dot(x[i], z) - max_i p[i] <= norm1(sum_i p[i]*x[i]) + norminf(a*z)"
    " for vectors x, z, real p, real a": lambda v: (
        sum(p * (x @ v["z"]) for p, x in zip(v["p"], v["x"], strict=True)) - max(v["p"]),
        abs(v["p"] @ v["x"]).sum() + abs(v["a"] * v["z"]).max(),
    ),
    "sum_i d*x[i] + N <= d*y": lambda v: (
        sum(v["d"] * x for x in v["x"]) + len(v["x"]),
        v["d"] * v["y"],
    ),
    "sum_i p_i*x_i + y_1 <= |y_1| + ||z|| for p_i, x_i, y_1, vector z": lambda v: (
        sum(v["p"] * v["x"]) + v["y_1"],
        abs(v["y_1"]) + _length(v["z"]),
    ),
    "N*x + d <= N": lambda v: (v["N"] * v["x"] + v["d"], v["N"]),
    "d*norm(x) + N <= y for vector x, real y, N": lambda v: (
        len(v["x"]) * _length(v["x"]) + v["N"],
        v["y"],
    ),
    "sum_i sum_j a[i,j]*x[j] <= min(y, 2, N)": lambda v: (
        (v["a"] @ v["x"]).sum(),
        min(v["y"], 2, len(v["x"])),
    ),
    r"\frac{x+y}{2} \ge \sqrt{x^2 y^2}": lambda v: ((v["x"] + v["y"]) / 2, abs(v["x"] * v["y"])),
    r"\left\|\sum_{i=1}^N x_i\right\|^2 \le N \sum_i \|x_i\|^2 for vectors x": lambda v: (
        _length(v["x"].sum(0)) ** 2,
        len(v["x"]) * sum(_length(x) ** 2 for x in v["x"]),
    ),
    r"\tfrac12 x^{2}y \le \eta_1 x(1-y) for x, y, eta_1": lambda v: (
        v["x"] ** 2 * v["y"] / 2,
        v["eta_1"] * v["x"] * (1 - v["y"]),
    ),
    r"(\max_i |x_i|) \cdot y <= 2*eta + \log(1 + y^2)": lambda v: (
        max(abs(v["x"])) * v["y"],
        2 * v["eta"] + np.log(1 + v["y"] ** 2),
    ),
}


@each("line", SIDES)
def test_sides_are_what_the_line_says(line: str) -> None:
    found = one_line(line)
    rng = np.random.default_rng(7)
    for shape in found.family.shapes:
        values = found.family.decode(rng.random((4, found.family.width(shape))), shape)
        world = World(found.family.instance(values, shape), "float64", None, found.defines)
        sides = [sum(np.broadcast_to(t, (4, 1)) for t in s.values()) for s in found(world)]
        for k in range(4):
            one = {name: value[k] for name, value in values.items()}
            np.testing.assert_allclose([s[k, 0] for s in sides], SIDES[line](one), rtol=1e-12)


def test_the_oracle_sees_a_wrong_side() -> None:
    wrong = one_line("5*x*y <= (x-y)^2")
    values = {"x": np.array([1.0]), "y": np.array([2.0])}
    _, right = wrong(World(wrong.family.instance(values, {}), "float64"))
    assert sum(right.values()) != SIDES["5*x*y <= (x+y)^2"]({"x": 1.0, "y": 2.0})[1]


# -- ranges --------------------------------------------------------------------------------------

INF = float("inf")

RANGES = {
    "x <= 1": ("real x", (-INF, INF), ""),
    "x <= 1 for x >= 0": ("x >= 0", (0, INF), "low"),
    "x <= 1 for x > 0": ("x > 0", (0, INF), ""),
    "x <= 1 for positive x": ("x > 0", (0, INF), ""),
    "x <= 1 for x in [0, 1]": ("x in [0, 1]", (0, 1), "low high"),
    "x <= 1 for 0 < x < 1": ("x in (0, 1)", (0, 1), ""),
    "x <= 1 for x in (0, 1]": ("x in (0, 1]", (0, 1), "high"),
    "x <= 1 for x <= -2": ("x <= -2", (-INF, -2), "high"),
    "x <= 1 for x >= 0, x < 3": ("x in [0, 3)", (0, 3), "low"),
    r"x \le 1 for x \in [0, \infty)": ("x >= 0", (0, INF), "low"),
    "x <= 1 for all x ≥ 1/2": ("x >= 1/2", (0.5, INF), "low"),
}


@each("line", RANGES)
def test_a_range_is_the_domain(line: str) -> None:
    about, domain, reached = RANGES[line]
    found = one_line(line).family
    real = found.box["x"]
    assert (found.about, tuple(real.limits)) == (about, domain)
    ends = [w for w, on in (("low", real.low <= domain[0]), ("high", real.high >= domain[1])) if on]
    assert " ".join(ends) == reached
    far = real.wide(1e6)
    assert far.low >= domain[0]
    assert far.high <= domain[1]


MIXED = {
    "x*y <= 1 for x, y >= 0": "x, y >= 0",
    "x*y <= 1 for x; y >= 0": "real x; y >= 0",
    "x*y <= 1 for real x; y >= 0": "real x; y >= 0",
    "x*y <= 1 for y >= 0, real x": "real x; y >= 0",
    "x*y <= 1 for integers x, y in [1, 3]": "integer x, y in [1, 3]",
    "x*y <= 1 for integer x in [1, 3], y >= 0": "integer x in [1, 3]; y >= 0",
    "x*norm(y) <= 1 for vector y, x >= 0": "x >= 0; vectors y",
    "x*y <= 1 for positive x, y": "x, y > 0",
    "x*y <= 1 for positive x; y": "x > 0; real y",
    r"\sum_k \alpha_k x_k \le \max_k x_k for \alpha_k \ge 0, real x_k given \sum_k \alpha_k = 1": (
        "alpha[i] >= 0; real x[i]"
    ),
    r"\|x\|^2 \ge y for x \in \mathbb{R}^d, y \le 0": "vectors x; y <= 0",
    "norm(x) >= y for x in R^d, y <= 0": "vectors x; y <= 0",
    "x*y <= 1 for 0 < x; y <= 1": "x > 0; y <= 1",
    "x*y <= 1 for y <= 1, 0 < x": "x > 0; y <= 1",
}


@each("line", MIXED)
def test_which_symbols_a_range_is_of(line: str) -> None:
    assert one_line(line).family.about == MIXED[line]


def test_an_end_that_is_no_float_is_a_hypothesis() -> None:
    found = one_line("x <= 1/3 for x in [0, 1/3]")
    assert [item.name for item in found.given] == ["x <= 1/3"]
    assert found.family.box["x"].high >= Fraction(1, 3)
    assert check(found).verdict == "proved"


def test_whole_numbers_are_tried_one_by_one() -> None:
    found = one_line("m <= n*x for integers m, n in [2, 4], x >= 0").family
    assert [(s["m"], s["n"]) for s in found.shapes] == [
        (m, n) for m in (2, 3, 4) for n in (2, 3, 4)
    ]
    assert found.growing == ()
    assert list(found.box) == ["x"]


# -- verdicts --------------------------------------------------------------------------------------

VERDICTS = {
    "5*x*y <= (x+y)**2 for x, y >= 0": "violated",
    "4*x*y <= (x+y)**2 for x, y >= 0": "proved",
    r"\frac{x+y}{2} \ge \sqrt{xy} for x, y >= 0": "proved",
    r"\frac{x+y}{2} \le \sqrt{xy} for x, y >= 0": "violated",
    "(1+x)**n >= 1 + n*x for integer n in [1, 8], x >= -1": "proved",
    "(1+x)**n >= 1 + n*x for integer n in [1, 8], x >= -4": "violated",
    "x*y <= 1/4 given x + y == 1": "proved",
    "x*y <= 1/5 for 0 < x < 1 given x + y = 1": "violated",
    "x <= y for x, y >= 0 given x**2 <= y": "violated",
    "x <= y for x >= 0, y >= 1 given x**2 <= y": "proved",
    "x <= 2 for x in [0, 1]": "proved",
    "x <= y for 0 <= x <= y <= 1": "proved",
    "x <= 0.5 for x in [0, 0.5]": "proved",
    "N*x <= N for x in [0, 1], N >= 0": "proved",
    "sqrt(n)*x <= n*x for n = 1..4, x >= 0": "holds",
    "x <= 1/2 for x in [0, 1]": "violated",
    "n**2 <= 2**n for n = 1..9": "violated",
    "(n - 3)**2 >= 0 for integer n in [1, 5]": "proved",
    r"\binom{n}{k} \le 2^n for integer n in [1, 6], integer k in [0, 6] given k <= n": "proved",
    "n*x <= n**2 + x**2 for integer n in [1, 5], real x": "proved",
    r"\sum_{k=1}^n 1/k \le 1 + \log n for integer n in [1, 9]": "holds",
    "log x <= x - 1": "proved",
    "log x <= x - 2": "violated",
    "(x+y)**2 == x**2 + 2*x*y + y**2": "proved",
    "(x+y)**2 == x**2 + y**2": "violated",
    "norm(x + y)**2 <= 2*norm(x)**2 + 2*norm(y)**2 for vectors x, y": "proved",
    "norm(x + y)**2 <= norm(x)**2 + norm(y)**2 for vectors x, y": "violated",
    "(sum_i p[i]*x[i])**2 <= sum_i p[i]*x[i]**2 for p >= 0, real x given sum_i p[i] = 1": "proved",
    "(sum_i p[i]*x[i])**2 <= sum_i p[i]*x[i]**2 for p >= 0, real x": "violated",
}


@each(
    "line",
    [
        r"\sum_{k=1}^n 1/\sqrt{k} \le 2\sqrt{n} for integer n in [1, 9]",
        r"\sum_{k=1}^n \log(k) \le n \log n for integer n in [1, 9]",
    ],
)
def test_the_letter_of_a_sum_needs_no_range(line: str) -> None:
    """It was refused: under a root or a logarithm k got a range, and then was no symbol."""
    assert one_line(line).family.about == "integer n in [1, 9]"


@each("line", VERDICTS)
def test_verdicts(line: str) -> None:
    assert leaf_of(line).verdict == VERDICTS[line]


def test_proofs_at_listed_numbers_are_a_proof_only_where_no_others_are_meant() -> None:
    """The same claim in a file whose numbers are a choice of many is not proved by cases."""
    line = one_line("n*x <= n**2 + x**2 for integer n in [1, 3], real x")
    more = replace(line, family=replace(line.family, listed=False))
    assert leaf_of(line).verdict == "proved"
    assert leaf_of(more).verdict == "holds"
    grows = one_line("sum_i n*x_i <= sum_i x_i^2 + n^2*N for integer n in [1, 2], real x")
    assert grows.family.listed
    assert not grows.family.closed


def test_several_lines_have_keys_of_their_own() -> None:
    found = check(["x <= 2 for x in [0, 1]", "x <= 1/2 for x in [0, 1]"])
    assert [(one.key, one.verdict) for one in found] == [
        ("line.claim1", "proved"),
        ("line.claim2", "violated"),
    ]


def test_a_witness_is_written_out_by_hand() -> None:
    made = check("5*x*y <= (x+y)**2 for x, y >= 0").by_hand
    left = next(s for s in made["sections"] if s["heading"] == "Left side")["lines"][0]
    assert left["text"] == "5*x*y = 5*1*1 = 5"


# -- refusals ------------------------------------------------------------------------------------

REFUSED = {
    "": "a line of 1 to",
    "x + y": "a relation",
    "x <= y <= z": "write one line for each",
    "x < y": "write <=",
    "x != y": "got !=",
    "5xy <= 3": r"write x\*y",
    "5x 3 <= 3": "what some read as",
    "x*(y <= 3": "close every bracket",
    "foo(x) <= 1": "functions that are known",
    "x(1-y) <= 1": "write \\* before a bracket",
    "x.real <= 1": r"at character 2 \('\.'\)",
    "x[0] <= 1": r"write x\[i\] under a sum_i",
    "x[i] <= 1": "put sum_i or max_i before it",
    "sum_i x <= 1": r"write an entry such as x\[i\]",
    "sum_i x[i] + x <= 1": "x with 1 and with 0",
    "sum_i(x[i])**2 <= 1": "of one meaning",
    "x <= ": r"a formula on each side at character 1 \('x <='\), got an empty side",
    "x*y <= 1 for x >= 0": "with y named after 'for' at character 3",
    "x <= 1 for x, y >= 0": "leave it out",
    "x <= 1 for x in [2, 1]": "swap the ends",
    "x*y <= 1 for 0 < x, y <= 1": "do both ends belong to both",
    "x*y <= 1 for real x, y >= 0": "write 'real x; y >= 0' or leave 'real' out",
    "n <= x for integer n, x >= 0": "with two ends",
    "n <= x for integer n >= 1, x >= 0": "write integer n in \\[1, 64\\]",
    "n <= x for integer n in [1, 9999], x >= 0": "narrow its range",
    "n*m <= x for integers m, n in [1, 99], x >= 0": "9801",
    "norm(x) <= 1": "declare vectors",
    "x*y <= 1 for vectors x, y": "write dot\\(x, y\\)",
    "x + a <= 1 for vector x, real a": "a number on each side",
    "norm(x + a) <= 1 for vector x, real a": "take a norm",
    "x <= 1 for vector x": "a number on each side",
    "e*x <= 1": "write exp\\(x\\)",
    "mean <= 1": "rename it",
    "_x <= 1": r"a formula at character 1 \('_'\)",
    r"\foo{x} \le 1": r"got \\foo",
    r"\sum_{i=1}^{3} x_i \le 1": "write N",
    r"\sum_{i=2}^{N} x_i \le 1": "write i=1",
    r"\sum_{i=1}^n x_i + \sum_{i=1}^m y_i \le 1": "one letter",
    "x**(10**9) <= 1": "powers up to 10000",
    "for x <= 1": "with a claim behind",
    "x <= (for": "the word for",
    "x <= 1 for x ~ 3": "character",
    "N <= sum_i x[i] for N >= 1": "rename it",
}


@each("line", REFUSED)
def test_refusals_name_place_and_remedy(line: str) -> None:
    with pytest.raises(InvalidInput, match=REFUSED[line]):
        module_text(line)


HOSTILE = (
    '__import__("os").system("touch owned") <= 1',
    "x <= (lambda: 1)()",
    'x <= 1 for x in [0, open("owned", "w")]',
    "(x := 3) <= 1",
    "x <= [y for y in z][0]",
    "x <= f'{x}'",
    'x <= 1"""\nimport os',
    "x <= exp(x, out=y)",
    "x <= exp(*x)",
)


@each("line", HOSTILE)
def test_nothing_of_a_line_is_run(line: str) -> None:
    with pytest.raises(InvalidInput):
        module_text(line)


DEEP = (
    f"{'(' * 900}x{')' * 900} <= 1",
    f"{'(-' * 600}x{')' * 600} <= 1",
    f"{'sum_i (' * 150}x[i]{')' * 150} <= 1",
    r"\frac{" * 250 + "x" + "}{y}" * 250 + " <= 1",
)


@each("line", DEEP)
def test_what_is_too_deep_is_refused(line: str) -> None:
    with pytest.raises(InvalidInput):
        module_text(line)


PIECES = (
    *("x", "y", "p[i]", "sum_i ", "max_i", "norm(", "(", ")", "**", "^", "*", "/", "+", "-", "2"),
    *("<=", ">=", "=", " for ", " given ", "in", "[0, 1]", ",", "integer ", "vectors ", "\\frac"),
    *("{", "}", "\\le ", "|", "_", "\\sum_{i=1}^N", "..", "lambda", "0.5", '"', "\\", "é", ";"),
)


@each("seed", range(8))
def test_whatever_is_written_is_read_or_refused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    read = 0
    for _ in range(250):
        parts = rng.choice(PIECES, rng.integers(1, 9))
        line = "".join(parts) if rng.random() < 0.5 else f"{''.join(parts[:2])} <= {''.join(parts)}"
        try:
            one_line(line)
            read += 1
        except InvalidInput:
            continue
    assert read >= 1  # else everything is refused and nothing is tried
