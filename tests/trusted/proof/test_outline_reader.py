"""The reader of outlines: what each formula is read as, and what is refused, line by line.

What it reads is what a whole theorem says: a product that vanishes here and not in truth proves
something false.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.each import each
from verify.certify.checker import ONE, ZERO, Refused, Value, number, variable
from verify.proof.entries import declared, defined
from verify.proof.reader import OutlineReader
from verify.proof.term import Vec, parsed, shown, shown_vector

DECLARED: dict[str, Any] = {
    "indices": ["t", "s"],
    "numbers": {
        "a": "positive",
        "b": "nonnegative",
        "x": "real",
        "y[t]": "real",
        "z[t, s]": "real",
        "m[t]": "nonnegative integer",
        "N": "positive integer",
        "T": "nonnegative integer",
        "q": "negative",
    },
    "vectors": {
        "w[t]": {"known": "t", "shared": True},
        "n[t]": {"known": "t + 1", "shared": True},
        "c[t]": {"known": "t", "shared": False},
        "e[t]": {"known": "t + 1", "shared": False},
        "r": {"known": "0", "shared": True},
        "u": {"known": None, "shared": True},
        "v[t]": {"known": None, "shared": False},
        "h[t]": {"known": None, "shared": True},
    },
    "functions": {
        "F": {},
        "f": {"own": True},
        "G": {"mean of": "f"},
        "H": {"mean of": "F"},
    },
    "draws": {"D[t]": {"given": "t", "known": "t + 1"}, "E": {"given": "0", "known": "1"}},
    "mixings": ["W"],
}


def reader(**more: Any) -> OutlineReader:
    return OutlineReader({**DECLARED, **more})


def noisy() -> OutlineReader:
    """n[t] and e[t] have mean zero given what is known at t; a draw D spreads by b/N."""
    made = reader()
    made.unbiased |= {"n": (["t"], parsed("t")), "e": (["t"], parsed("t"))}
    made.spread["D"] = "b/N"
    return made


def read(text: str, made: OutlineReader | None = None) -> str:
    return shown((made or reader()).scalar(text))


# -- declarations ----------------------------------------------------------------------------------


@each(
    ("more", "why"),
    [
        ({"indices": ["t", "s", "a"]}, "the name a is declared twice"),
        ({"mixings": ["F"]}, "the name F is declared twice"),
        ({"functions": {"x": {}}}, "the name x is declared twice"),
        ({"mixings": ["avg"]}, "the name avg is declared twice, or has another meaning"),
        ({"mixings": ["j1"]}, "the name j1 is declared twice, or has another meaning"),
        ({"mixings": ["j12"]}, "the name j12 is declared twice"),
        ({"mixings": ["_q"]}, "_q is no name"),
        ({"mixings": ["2q"]}, "2q is no name"),
        ({"mixings": ["q r"]}, "q r is no name"),
        ({"numbers": {"a": "complex"}}, "the sign of a must be one of"),
        ({"numbers": {"a": "small"}}, "the sign of a must be one of"),
        ({"numbers": {"a[t": "real"}}, "is no name with indices"),
    ],
    ids=lambda case: case[1],
)
def test_what_is_declared_twice_or_badly_is_refused(more: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        reader(**more)


def test_other_names_are_taken() -> None:
    assert reader(mixings=["W", "j", "jj1", "average"]).mixings == {"W", "j", "jj1", "average"}
    assert declared("y[t, s]") == ("y", ["t", "s"])
    assert reader().vectors["c"] == (["t"], {"known": "t", "shared": False})


# -- formulas --------------------------------------------------------------------------------------

FORMULAS = {
    "2 - -x": "x + 2",
    "x - x": "0",
    "t": "t",
    "y[t + 1]": "y[t + 1]",
    "y[0]": "y[0]",
    "y[m[t]]": "y[m[t]]",
    "z[t, s + 1]": "z[t, s + 1]",
    "x/a": "(x)/(a)",
    "x/(a + b)": "(x)/(a + b)",
    "x/(0 - a)": "(x)/(-a)",
    "x/(2*a**2)": "(1/2*x)/(a*a)",
    "x/(t + 1)": "(x)/(t + 1)",
    "a**(0 - 1)": "(1)/(a)",
    "x**40": "*".join(["x"] * 40),
    "x**t": "(x)**(t)",
    "a**(t + 1)": "(a)**(t)*a",
    "a**(t + 2)": "(a)**(t)*a*a",
    "(w[t]**2)**1": "w[t]*w[t]",
    "w[t]*n[t]": "n[t]*w[t]",
    "-w[t]*r": "-r*w[t]",
    "r*x*w[t]": "r*w[t]*x",
    "2*w[t]*(x*r)": "2*r*w[t]*x",
    "r*(w[t] - w[t])": "0",
    "w[t]*w[t]*x/a": "(w[t]*w[t]*x)/(a)",
    # a client's own vector is its mean and a rest, which is orthogonal to what all share
    "c[t]**2": "avg(c[t])*avg(c[t]) + off(c[t])*off(c[t])",
    "c[t]*w[t]": "avg(c[t])*w[t]",
    "avg(c[t])*w[t]": "avg(c[t])*w[t]",
    "(c[t] - avg(c[t]))**2": "off(c[t])*off(c[t])",
    "c[t]*e[t]": "avg(c[t])*avg(e[t]) + off(c[t])*off(e[t])",
    "mix(W, c[t])*c[t]": "avg(c[t])*avg(c[t]) + mix(W, off(c[t]))*off(c[t])",
    "mix(W, w[t])*r": "r*w[t]",
    # functions: one of each client, or their mean
    "F(w[t])": "F(w[t])",
    "F(c[t])": "F(c[t])",
    "f(w[t] + 2*c[t])": "f((2)*c[t] + w[t])",
    "G(w[t])": "f(w[t])",
    "grad(F, w[t])*r": "grad(F, w[t])*r",
    "grad(F, c[t])*r": "avg(grad(F, c[t]))*r",
    "grad(f, w[t])*r": "avg(grad(f, w[t]))*r",
    "grad(f, w[t])*grad(G, w[t])": "avg(grad(f, w[t]))*avg(grad(f, w[t]))",
    "grad(G, w[t])**2": "avg(grad(f, w[t]))*avg(grad(f, w[t]))",
    "Chance(w[t], a)": "Chance(w[t], a)",
    # sums
    "Sum(y[t], (t, 0, 3))": "y[0] + y[1] + y[2] + y[3]",
    "Sum(y[t], (t, 2, 1))": "0",
    "Sum(1, (t, 0, 8))": "9",
    "Sum(y[t], (t, 0, 7))": " + ".join(f"y[{i}]" for i in range(8)),
    "Sum(y[t], (t, 0, 8))": "Sum(y[j1], j1, 0, 8)",
    "Sum(a*y[t], (t, 0, T))": "Sum(y[j1], j1, 0, T)*a",
    "Sum(x, (t, 0, T))": "T*x + x",
    "Sum(y[t], (t, 0, T - 1))": "Sum(y[j1], j1, 0, T - 1)",
    "Sum(t, (t, 0, T))": "1/2*T + 1/2*T*T",
    "Sum(t, (t, 1, T))": "1/2*T + 1/2*T*T",
    "Sum(2*t*y[t], (t, 0, T))": "2*Sum(j1*y[j1], j1, 0, T)",
    "Sum(w[t]*w[t], (t, 0, T))": "Sum(w[j1]*w[j1], j1, 0, T)",
    "Sum(a*r*w[t], (t, 0, T))": "Sum(r*w[j1], j1, 0, T)*a",
    "Sum(x/(t + 1), (t, 0, T))": "Sum((x)/(j1 + 1), j1, 0, T)",
    "Sum(x/(m[t] + 1), (t, 0, T))": "Sum((x)/(m[j1] + 1), j1, 0, T)",
    "Sum(y[t]*r*r, (t, 0, T))": "Sum(y[j1], j1, 0, T)*r*r",
    "Sum(y[t]*r*w[t], (t, 0, T))": "Sum(r*w[j1]*y[j1], j1, 0, T)",
    "Sum(y[t]/a, (t, 0, T))": "(Sum(y[j1], j1, 0, T))/(a)",
    "Sum(Sum(y[t]*y[s], (s, 0, T)), (t, 0, T))": "Sum(y[j1], j1, 0, T)*Sum(y[j2], j2, 0, T)",
    "Sum(Sum(z[t, s], (s, 0, t)), (t, 0, T))": "Sum(Sum(z[j1, j2], j2, 0, j1), j1, 0, T)",
    "Sum(y[t], (t, 0, T)) + Sum(y[s], (s, 0, T))": "2*Sum(y[j1], j1, 0, T)",
    "Min(y[t], (t, 0, T))": "Min(y[j1], j1, 0, T)",
    "Max(y[t], (t, 1, N))": "Max(y[j1], j1, 1, N)",
}


@each("text", FORMULAS)
def test_a_formula_is_read_as_it_says(text: str) -> None:
    assert read(text) == FORMULAS[text]


REFUSED = {
    "w[t]": r"^w\[t\] is a vector where a number is needed",
    "zz": "zz was not declared",
    "zz[t]": "zz was not declared",
    "t[0]": "t is an index",
    "j1": "j1 is the index of a sum",
    "y": "has other indices",
    "y[t, t]": "has other indices",
    "y[x]": "has other indices",
    "y[t - 1]": "has other indices",
    "y[t/2]": "has other indices",
    "x/x": "may vanish",
    "x/a**41": "41 is no exponent",
    "x/b": "may vanish",
    "x/(a - b)": "may vanish",
    "x/0": "divided by zero",
    "x/(a - a)": "divided by zero",
    "x/w[t]**2": "is a vector where a number is needed",
    "x/(w[t]**2 + a)": "divided by an inner product",
    "x**(0 - 1)": "may vanish",
    "x**41": "41 is no exponent",
    "a**(0 - 41)": "-41 is no exponent",
    "x**(1/2)": "1/2 is no exponent",
    "x**y[0]": "is no number of times",
    "x**(0 - t)": "is no number of times",
    "w[t]**3": "the square alone",
    "w[t]**x": "the square alone",
    "(w[t]**2)**2": "there is no power",
    "w[t]*w[t]*w[t]": "a vector is multiplied by an inner product",
    "(w[t]*w[t])*(r*r)": "two inner products are multiplied",
    "w[t] + x": "a number and a vector are added",
    "x + w[t]": "a number and a vector are added",
    "off(c[t])": "is no formula under these declarations",
    "K(w[t])": "is no formula under these declarations",
    "grad(K, w[t])": "the function K was not declared",
    "grad(G, c[t])*r": "G is read at points that all clients share",
    "G(c[t])": "G is read at points that all clients share",
    "H(w[t])": "H is the mean of F, which is no function of each client",
    "mix(F, c[t])*r": "F is no mixing",
    "drawn(x, c[t])*r": "x is no draw",
    "drawn(D, c[0])*r": "D has other indices",
    "drawn(E[t], c[0])*r": "E has other indices",
    "drawn(D[a], c[0])*r": "D has other indices",
    "drawn(D[t], e[t])*r": "may depend on the draw",
    "drawn(D[t], v[t])*r": "may depend on the draw",
    "drawn(E, c[t])*r": "may depend on the draw",
    "Chance(c[t], a)": "a probability is of what all clients share",
    "Sum(y[t], (a, 0, T))": "runs over a declared index",
    "Sum(y[t], (t, 0))": "runs over .index, first, last.",
    "Sum(y[t], t)": "runs over .index, first, last.",
    "Sum(y[t], (t + 1, 0, T))": "runs over a declared index",
    "Sum(y[t], (t, x, T))": "may not be one",
    "Sum(1, (t, x, x + 2))": "may not be one",
    "Sum(y[t], (t, 0, x))": "may not be one",
    "Sum(y[t], (t, 2, T))": "may not be one",
    "Min(y[t], (t, 0, T - 1))": "the smallest of no numbers",
    "Max(y[t], (t, 1, T))": "the smallest of no numbers",
}


@each("text", REFUSED)
def test_what_has_no_such_reading_is_refused(text: str) -> None:
    with pytest.raises(Refused, match=REFUSED[text]):
        read(text)


def test_a_vector_is_asked_for_as_such() -> None:
    made = reader()
    assert shown_vector(made.vector("2*w[t] - r + 0")) == "(-1)*r + (2)*w[t]"
    assert shown_vector(made.vector("a*w[t]/a")) == "w[t]"
    assert shown_vector(made.vector("w[t]/a")) == "((1)/(a))*w[t]"
    assert shown_vector(made.vector("t*r")) == "(t)*r"
    assert made.vector("0 + w[t]") == made.vector("w[t] + 0") == made.vector("w[t]")
    assert made.vector("w[t] - w[t]") == {}
    with pytest.raises(Refused, match="^x is a number where a vector is needed"):
        made.vector("x")
    with pytest.raises(Refused, match=r"^w\[t\] is a vector where a number is needed"):
        made.scalar(parsed("w[t]"))


def test_indices_may_be_put_in() -> None:
    made = reader()
    env = {"t": made.scalar("s + 1")}
    assert shown(made.scalar("y[t] + t", env)) == "s + y[s + 1] + 1"
    assert shown_vector(made.vector("w[t + 1]", env)) == "w[s + 2]"


@each("text", ["a", "x*y[t]", "t + 1", "Sum(x, (t, 0, T))"])
def test_what_is_made_of_numbers_is_constant(text: str) -> None:
    assert shown(reader().constant(text)) == read(text)


@each("text", ["w[t]**2", "F(r)", "x + F(r)", "Sum(y[t], (t, 0, T))", "x**t", "Chance(r, a)"])
def test_what_may_be_random_or_was_not_declared_is_none(text: str) -> None:
    with pytest.raises(Refused, match="is not made of declared numbers alone"):
        reader().constant(text)


# -- signs and whole numbers -----------------------------------------------------------------------


@each(
    ("text", "expected"),
    [
        ("a", 2),
        ("b", 1),
        ("x", 0),
        ("0 - a", 0),
        ("a*b", 1),
        ("t", 1),
        ("t + 1", 2),
        ("N", 2),
        ("x**2", 1),
        ("a**t", 2),
        ("b**t", 1),
        ("x**t", 0),
        ("Sum(a*m[t], (t, 0, T))", 1),
        ("Sum(a/(t + 1), (t, 0, T))", 2),
        ("Sum(a/(t + 1), (t, 0, T - 1))", 1),
        ("Sum(y[t], (t, 0, T))", 0),
        ("Min(a/(t + 1), (t, 0, T))", 2),
        ("Chance(r, a)", 1),
        ("w[t]**2", 1),
    ],
    ids=lambda case: case[0],
)
def test_a_sign_is_that_of_the_form(text: str, expected: int) -> None:
    made = reader()
    assert made.sign(made.scalar(text)) == expected


@each(
    ("text", "expected"),
    [
        ("t + 2", True),
        ("m[t]*N", True),
        ("0", True),
        ("t - 1", False),
        ("t/2", False),
        ("a", False),
        ("t/N", False),
        ("0 - 1", False),
    ],
    ids=lambda case: case[0],
)
def test_whole_numbers_are_seen_by_their_form(text: str, expected: bool) -> None:
    made = reader()
    assert made.whole(made.scalar(text)) is expected


def test_a_variable_has_a_flat_name_of_its_own() -> None:
    made = reader()
    keys = ["y[t + 1]", "y[t - 1]", "y_t_1", "k", "N", "exp", "(x)**(t)", "2x", "y[t  + 1]"]
    names = [made.flat(key) for key in keys]
    assert len({*names}) == len(keys)
    assert names[:6] == ["y_t_1", "y_t_minus_1", "y_t_1_", "k_", "N_", "exp_"]
    assert all(name.isidentifier() and name[0].isalpha() for name in names)
    assert [made.flat(key) for key in keys] == names
    assert made.kind("y[t]") == "real"
    made.scalar("a + y[t] + w[t]*r")
    assert [made.kind(k) for k in ("a", "y[t]", "w[t]")] == ["positive", "real", "vector"]


# -- division --------------------------------------------------------------------------------------


def test_what_is_known_not_to_vanish_may_divide() -> None:
    made = reader()
    made.nonzero.append(made.scalar("x - b"))
    for text in ("1/(x - b)", "1/(b - x)", "1/(2*x - 2*b)", "1/((x - b)*a)"):
        assert "/(" in read(text, made)
    half = reader()
    half.nonzero.append(half.scalar("2*x - 2*b"))
    assert read("1/(x - b)", half) == "(1)/(-b + x)"
    for text in ("1/(x + b)", "1/x", "1/(x - 2*b)", "1/b", "1/(x - b + a)", "1/(x*a - b)"):
        with pytest.raises(Refused, match="may vanish"):
            read(text, made)


# -- what is drawn ---------------------------------------------------------------------------------

NOISY = {
    "n[t]*w[t]": "0",
    "w[t]*n[t]": "0",
    "n[t]*r": "0",
    "n[t]*w[t + 1]": "n[t]*w[t + 1]",
    "n[t]*n[t]": "n[t]*n[t]",
    "n[t]*n[t + 1]": "0",
    "n[t]*n[s]": "n[s]*n[t]",
    "n[t]*u": "n[t]*u",
    "u*n[t]": "n[t]*u",
    "e[t]*c[t]": "0",
    "c[t]*e[t]": "0",
    "avg(e[t])*w[t]": "0",
    "e[t]*n[t]": "avg(e[t])*n[t]",
    "e[t]**2": "avg(e[t])*avg(e[t]) + off(e[t])*off(e[t])",
    "mix(W, c[t])*e[t]": "0",
    "mix(W, e[t])*c[t]": "0",
    "grad(F, w[t])*n[t]": "0",
    "grad(f, w[t])*e[t]": "0",
    "grad(F, w[t + 1])*n[t]": "grad(F, w[t + 1])*n[t]",
    "grad(F, w[t] + n[t])*n[t]": "grad(F, n[t] + w[t])*n[t]",
    "grad(F, u)*n[t]": "grad(F, u)*n[t]",
    "grad(F, w[t] + u)*n[t]": "grad(F, u + w[t])*n[t]",
    # the mean over the clients that are drawn: a deviation of mean zero, whose covariance is known
    "drawn(D[t], c[t])*w[t]": "avg(c[t])*w[t]",
    "drawn(D[t], c[t])*w[t + 1]": "avg(c[t])*w[t + 1] + drawn(D[t], off(c[t]))*w[t + 1]",
    "drawn(D[t], w[t])*r": "r*w[t]",
    "drawn(D[t], c[t])**2": "(N*avg(c[t])*avg(c[t]) + b*off(c[t])*off(c[t]))/(N)",
    "drawn(D[t], c[t])*drawn(D[t], grad(f, w[t]))": "(N*avg(c[t])*avg(grad(f, w[t])) + "
    "b*off(c[t])*off(grad(f, w[t])))/(N)",
    "drawn(D[t], c[t])*drawn(D[t + 1], c[t])": "avg(c[t])*avg(c[t])",
    "drawn(D[t + 1], c[t])*drawn(D[t], c[t])": "avg(c[t])*avg(c[t])",
    "drawn(D[0], c[0])*drawn(E, c[0])": "avg(c[0])*avg(c[0]) + avg(c[0])*drawn(E, off(c[0])) + "
    "drawn(D[0], off(c[0]))*drawn(E, off(c[0]))",
    "drawn(E, c[0])**2": "avg(c[0])*avg(c[0]) + 2*avg(c[0])*drawn(E, off(c[0])) + "
    "drawn(E, off(c[0]))*drawn(E, off(c[0]))",
}


@each("text", NOISY)
def test_what_is_drawn_is_orthogonal_to_what_was_known_before(text: str) -> None:
    assert read(text, noisy()) == NOISY[text]


def test_without_the_facts_nothing_vanishes() -> None:
    assert read("n[t]*w[t]") == "n[t]*w[t]"
    assert read("drawn(D[t], c[t])*w[t]") == "avg(c[t])*w[t] + drawn(D[t], off(c[t]))*w[t]"


def test_samples_of_two_draws_have_no_covariance_that_is_known() -> None:
    """Nor has one sample with what is none, however they are given."""
    made = noisy()
    made.spread["E"] = "x"
    (one,) = [v for v in made.vector("drawn(D[0], c[0])") if v.sample]
    (other,) = [v for v in made.vector("drawn(E, c[0])") if v.sample]
    for left, right in ((one, other), (other, one)):
        assert "drawn(D[0], off(c[0]))*drawn(E, off(c[0]))" in shown(
            made.pair({left: ONE}, {right: ONE})
        )
    late = Vec("late", True)
    assert shown(made.pair({one: ONE}, {late: ONE})) == "drawn(D[0], off(c[0]))*late"
    assert shown(made.pair({late: ONE}, {one: ONE})) == "drawn(D[0], off(c[0]))*late"


def test_a_draw_that_spreads_by_nothing_known_keeps_its_deviation() -> None:
    (mean, rest) = reader().vector("drawn(D[t], c[t])")
    assert (mean.key, rest.key) == ("avg(c[t])", "drawn(D[t], off(c[t]))")
    assert (rest.shared, rest.drawn, rest.sample) == (True, None, None)
    assert rest.known == variable("t") + ONE


def test_before_is_seen_by_the_form() -> None:
    made = reader()
    t, s, one = made.scalar("t"), made.scalar("s"), ONE
    assert made.before(t, t + one)
    assert made.before(t, t)
    assert not made.before(t + one, t)
    assert not made.before(s, t)
    assert not made.before(None, t)
    assert not made.before(t, None)
    assert not made.before(None, None)


@each(
    ("text", "expected"),
    [
        ("w[t]", "t"),
        ("w[t] + r", "t"),
        ("r + w[t] + n[t]", "t + 1"),
        ("n[t] + w[t]", "t + 1"),
        ("w[t] + w[s]", None),
        ("w[t] + n[t] - n[t]", "t"),
        ("w[t] + u", None),
        ("u", None),
        ("r", "0"),
    ],
    ids=lambda case: case[0],
)
def test_a_vector_is_known_when_all_its_parts_are(text: str, expected: str | None) -> None:
    made = reader()
    known = made.known(made.vector(text))
    assert known == (None if expected is None else made.scalar(expected))


# -- mean and rest put together --------------------------------------------------------------------

JOINED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("c[t]**2",): ("c[t]*c[t]",),
    ("c[t]*w[t]",): ("c[t]*w[t]",),
    ("c[t]*e[t]",): ("c[t]*e[t]",),
    ("a*c[t]**2/N",): ("(a*c[t]*c[t])/(N)",),
    ("x*c[t]**2 + c[t]*w[t] + 3", "w[t]**2"): ("c[t]*c[t]*x + c[t]*w[t] + 3", "w[t]*w[t]"),
    ("c[t]**2", "avg(c[t])*w[t]"): ("c[t]*c[t]", "c[t]*w[t]"),
    ("c[t]**2 - c[t]**2 + x",): ("x",),
    # the mean or the rest alone keeps both apart, in all of them
    ("(c[t] - avg(c[t]))**2",): ("off(c[t])*off(c[t])",),
    ("avg(c[t])**2",): ("avg(c[t])*avg(c[t])",),
    ("c[t]**2", "avg(c[t])**2"): (
        "avg(c[t])*avg(c[t]) + off(c[t])*off(c[t])",
        "avg(c[t])*avg(c[t])",
    ),
    ("2*c[t]**2 - avg(c[t])**2",): ("avg(c[t])*avg(c[t]) + 2*off(c[t])*off(c[t])",),
    ("c[t]*avg(e[t])",): ("avg(c[t])*avg(e[t])",),
    ("c[t]*avg(e[t])", "e[t]**2"): (
        "avg(c[t])*avg(e[t])",
        "avg(e[t])*avg(e[t]) + off(e[t])*off(e[t])",
    ),
    # and what is multiplied by such a one is kept apart with it
    ("c[t]*e[t]", "c[t]**2", "avg(e[t])**2"): (
        "avg(c[t])*avg(e[t]) + off(c[t])*off(e[t])",
        "avg(c[t])*avg(c[t]) + off(c[t])*off(c[t])",
        "avg(e[t])*avg(e[t])",
    ),
    ("mix(W, c[t])*c[t]",): ("avg(c[t])*avg(c[t]) + mix(W, off(c[t]))*off(c[t])",),
    ("(c[t] - avg(c[t]))*mix(W, c[t])",): ("mix(W, off(c[t]))*off(c[t])",),
    ("mix(W, c[t])**2", "c[t]**2"): (
        "avg(c[t])*avg(c[t]) + mix(W, off(c[t]))*mix(W, off(c[t]))",
        "avg(c[t])*avg(c[t]) + off(c[t])*off(c[t])",
    ),
    ("grad(f, w[t])**2", "grad(G, w[t])*w[t]"): (
        "grad(f, w[t])*grad(f, w[t])",
        "grad(f, w[t])*w[t]",
    ),
}


@each("texts", JOINED, ids=str)
def test_mean_and_rest_come_together_where_all_allow_it(texts: tuple[str, ...]) -> None:
    made = reader()
    found = made.joined([made.scalar(text) for text in texts])
    assert tuple(map(shown, found)) == JOINED[texts]
    for value in found:
        assert all(value.over.values())  # nothing is written that is nothing
        for key in {k for m in value.over for k in m} & {"c[t]", "e[t]", "w[t]"}:
            assert made.kind(key) == "vector"


# -- definitions -----------------------------------------------------------------------------------


def with_definition(entry: str, says: str) -> OutlineReader:
    made = reader()
    defined(made, entry, says)
    return made


@each(
    ("entry", "says", "text", "expected"),
    [
        ("w[t + 1]", "w[t] - a*r", "w[t + 1]*r", "-a*r*r + r*w[t]"),
        ("w[t + 1]", "w[t] - a*r", "w[t]*r", "r*w[t]"),
        ("w[t + 1]", "w[t] - a*r", "w[2]*r", "-2*a*r*r + r*w[0]"),
        ("w[0]", "r", "w[0]*r", "r*r"),
        ("w[0]", "r", "w[1]*r", "r*w[1]"),
        ("y[t]", "a*t", "y[s + 1]", "a + a*s"),
        ("z[t, 0]", "y[t]", "z[s, 0] + z[s, 1]", "y[s] + z[s, 1]"),
        ("x", "a + b", "x**2", "a*a + 2*a*b + b*b"),
    ],
    ids=lambda case: f"{case[0]} {case[2]}",
)
def test_an_entry_is_read_by_its_definition(
    entry: str, says: str, text: str, expected: str
) -> None:
    assert read(text, with_definition(entry, says)) == expected


def test_a_definition_that_leads_back_ends() -> None:
    made = with_definition("y[t]", "y[t + 1]")
    with pytest.raises(Refused, match="leads back to itself, or is too deep"):
        read("y[0]", made)
    assert read("x", made) == "x"
    long = with_definition("y[t + 1]", "y[t] + 1")
    for _ in range(60):  # what has ended does not count
        assert read("y[40]", long) == "y[0] + 40"
    with pytest.raises(Refused, match="too deep"):
        read("y[41]", long)


@each(
    ("entry", "says", "why"),
    [
        ("a", "b", "the definition of a may not be positive"),
        ("a", "N", ""),
        ("b", "a*m[0]", ""),
        ("b", "x", "the definition of b may not be nonnegative"),
        ("x", "0 - a", ""),
        ("q", "0 - a", "the definition of q may not be negative"),
        ("N", "T", "the definition of N may not be positive integer"),
        ("N", "T + 1", ""),
        ("N", "a", "the definition of N may not be positive integer"),
        ("T", "N", ""),
        ("T", "a", "the definition of T may not be nonnegative integer"),
        ("m[t]", "t", ""),
        ("m[t]", "t - 1", "may not be nonnegative integer"),
        ("w[t + 1]", "w[t] + n[t]", ""),
        ("w[t]", "n[t]", "is known later|known later than it was said"),
        ("w[t]", "u", "known later than it was said"),
        ("w[t + 2]", "n[t]", ""),
        ("w[0]", "r", ""),
        ("w[s + 1]", "r", ""),
        ("w[0]", "n[0]", "known later than it was said"),
        ("w[t]", "c[t]", "w was said to be shared, and its definition is not"),
        ("w[t]", "avg(c[t])", ""),
        ("c[t]", "w[t]", ""),
        ("c[t]", "e[t]", "known later than it was said"),
        ("u", "n[3]", ""),
        ("u", "c[0]", "u was said to be shared"),
    ],
    ids=lambda case: f"{case[0]} = {case[1]}",
)
def test_a_definition_must_agree_with_what_was_declared(entry: str, says: str, why: str) -> None:
    made = with_definition(entry, says)
    if not why:
        made.consistent()
        return
    with pytest.raises(Refused, match=why):
        made.consistent()


def test_an_entry_that_is_not_read_agrees() -> None:
    made = reader()
    defined(made, "w[0]", None)
    made.consistent()
    assert read("w[0]*r", made) == "r*w[0]"


def test_noise_must_not_be_known_before_it_is_drawn() -> None:
    noisy().consistent()
    for name, given in (("w", "t"), ("n", "t + 1"), ("u", "0")):
        made = reader()
        letters = made.vectors[name][0]
        made.unbiased[name] = (letters, parsed(given))
        with pytest.raises(Refused, match=f"{name} is known before it is drawn"):
            made.consistent()
    late = reader()
    late.unbiased["n"] = (["t"], parsed("t"))
    late.consistent()


def test_where_a_gradient_vanishes_it_is_left_out() -> None:
    made = reader()
    made.stationary.add("grad(F, r)")
    assert made.vector("grad(F, r)") == {}
    assert read("grad(F, r)*w[t] + grad(F, w[t])*r", made) == "grad(F, w[t])*r"


def test_values_and_gradients_of_equal_points_are_one() -> None:
    made = reader()
    assert read("F(w[t] + r) - F(r + w[t])", made) == "0"
    assert read("F(c[t]) - F(avg(c[t]))", made) == "-F(avg(c[t])) + F(c[t])"
    assert made.scalar("grad(F, 2*r)*r") == made.scalar("grad(F, r + r)*r")


def test_a_value_is_no_vector_and_zero_is_both() -> None:
    assert isinstance(reader().scalar("0"), Value)
    assert reader().scalar("0*x") == ZERO
    assert reader().vector("0*w[t]") == {next(iter(reader().vector("w[t]"))): ZERO}
    assert number(3) == reader().scalar("1 + 2")
