"""The checker of whole documents, each condition by hand, on documents of a line or two.

What it lets through is `proved` for every number of clients and rounds.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from verify.certify.checker import Refused
from verify.proof import checker
from verify.proof.checker import (
    Outlined,
    accepts,
    adds_up,
    check,
    instance,
    is_known,
    main,
    opened,
)
from verify.proof.facts import FACTS, FactRule
from verify.proof.schemas import Closed, Schema

Document = dict[str, Any]


def document(**more: Any) -> Document:
    return {
        "format": "fedassay-outline/1",
        "title": "t",
        "indices": ["t", "s"],
        "numbers": {
            "a": "positive",
            "b": "nonnegative",
            "x": "real",
            "y[t]": "real",
            "N": "positive integer",
            "M": "positive integer",
        },
        "vectors": {
            "w[t]": {"known": "t", "shared": True},
            "n[t]": {"known": "t + 1", "shared": True},
            "c[t]": {"known": "t", "shared": False},
        },
        "functions": {"F": {}, "f": {"own": True}},
        "draws": {"D[t]": {"given": "t", "known": "t + 1"}},
        "mixings": ["W"],
        "clients": {"number": "N", "weights": "equal"},
        "cited": {},
        "facts": [],
        "steps": [step("0", "<=", "a")],
        "claim": claim("0", "<=", "a"),
        **more,
    }


def claim(left: str, relation: str, right: str) -> Document:
    return {"left": left, "relation": relation, "right": right}


def step(left: str, relation: str, right: str, by: Any = (), name: str = "s", **more: Any) -> Any:
    return {"name": name, **claim(left, relation, right), "by": list(by), **more}


def fact(rule: str, name: str = "", **args: str) -> Document:
    return {"name": name or rule, "rule": rule, "args": args}


LESS = fact("condition", "k", less="x", more="a")
BELOW = fact("strict condition", "below", less="x", more="a")
EACH = fact("condition", "each", less="y[t]", more="a")


def outlined(*facts: Document, **more: Any) -> Outlined:
    return opened(document(facts=list(facts), **more))


def refused(match: str, **more: Any) -> None:
    with pytest.raises(Refused, match=match):
        check(document(**more))


# -- the document ---------------------------------------------------------------------------------


def test_the_smallest_document_is_accepted_and_said() -> None:
    numbers = (
        "positive a; nonnegative b; real x; real y[t]; positive integer N; positive integer M; "
        "vector w[t] shared known at t; vector n[t] shared known at t + 1; vector c[t] of each "
        "client known at t; function F; function f of each client; draw D[t] after t known at "
        "t + 1; mixing W that keeps means; N clients of equal weights"
    )
    assert check(document()) == f"0 <= a, for every {numbers}"
    assert accepts(document()) is True
    assert accepts(document(steps=[])) is False
    facts = [LESS, EACH]
    assert check(document(facts=facts)) == (
        "0 <= a if condition (less = x, more = a); condition (less = y[t], more = a), for every "
        + numbers
    )
    plain = {"format": checker.FORMAT, "title": "", "facts": [], "steps": [step("0", "<=", "1")]}
    assert check({**plain, "claim": claim("0", "<=", "1")}) == "0 <= 1"
    more = document(
        vectors={"v": {"known": None, "shared": False}}, functions={"g": {"mean of": "f"}, "f": {}}
    )
    assert "vector v of each client; function g mean of f; function f;" in check(more)


@pytest.mark.parametrize("name", ["format", "title", "facts", "steps", "claim"])
def test_what_a_document_needs(name: str) -> None:
    made = document()
    del made[name]
    with pytest.raises(Refused, match=f"malformed: an entry {name} is missing"):
        check(made)


def test_what_a_document_may_not_have() -> None:
    refused("there is an entry note that is not checked", note="true for all")
    refused("the format is other, not fedassay-outline/1", format="other")
    refused("an entry note that is not checked", claim={**claim("0", "<=", "a"), "note": ""})
    refused("an entry left is missing", claim={"relation": "<=", "right": "a"})
    refused("an entry note that is not checked", facts=[{**LESS, "note": ""}])
    refused("an entry args is missing", facts=[{"name": "k", "rule": "condition"}])
    refused("an entry note that is not checked", steps=[step("0", "<=", "a", note="")])
    refused("an entry by is missing", steps=[{"name": "s", **claim("0", "<=", "a")}])
    refused("an entry proof that is not checked", steps=[used(proof={})])
    refused("the file is malformed: ", steps=[3])
    refused("the file is malformed: ", facts=3)
    refused("the file is malformed: ", numbers=None)
    refused("no rule is called magic", facts=[fact("magic")])
    refused("the rule condition takes less, more", facts=[fact("condition", less="x")])
    refused(
        "the rule condition takes less, more",
        facts=[fact("condition", less="x", more="a", most="x")],
    )
    refused("is no single formula", facts=[fact("condition", less="x", more="a, b")])
    deep = "(" * 5000 + "a" + ")" * 5000
    refused("is no formula, or too long", steps=[step("0", "<=", deep)])
    for wrong in (None, [], "x", 3):
        assert not accepts(wrong)  # type: ignore[arg-type]


def test_the_claim_is_what_a_step_says_left_and_right() -> None:
    steps = [step("0", "<=", "a"), step("x", "<=", "x + 2*a", name="u")]
    check(document(steps=steps))
    check(document(steps=steps, claim=claim("x", "<=", "2*a + x")))
    check(document(steps=steps, claim=claim("a - a", "<=", "a")))
    for other in (
        claim("0", "<=", "2*a"),
        claim("0", "<", "a"),
        claim("0", "==", "a"),
        claim("a", "<=", "0"),
        claim("0", "<=", "x + 2*a"),
        claim("x", "<=", "a"),
        claim("-a", "<=", "0"),
    ):
        refused("no step says the claim", steps=steps, claim=other)
    refused("no step says the claim", steps=[])
    supposed = [step("0", "<=", "a + x", supposing="x")]
    refused("no step says the claim", steps=supposed, claim=claim("0", "<=", "a + x"))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RecursionError(), "formulas are too deep to read"),
        *(
            (kind("x"), f"the file is malformed: {kind.__name__} ")
            for kind in (KeyError, TypeError, AttributeError, ZeroDivisionError, ValueError)
        ),
    ],
)
def test_what_a_file_does_to_its_reader_is_said(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise error

    monkeypatch.setattr(checker, "opened", broken)
    refused(said)


def test_declarations_agree_with_each_other() -> None:
    refused("said to be shared", facts=[fact("method", entry="w[t + 1]", is_="c[t]")])


def test_the_index_of_a_sum_is_nobody_elses() -> None:
    """Where y = z = (1, -1) the fact holds, as y adds up to nothing, and the claim does not.

    At j1, the name that a sum has for its index, what it is a sum of took part in it: so the claim
    was proved.
    """
    cross = fact("relation", "k", less="Sum(y[s]*z[t], (s, 0, N + 9))", more="0")
    says = ("Sum(y[s]*z[s], (s, 0, N + 9))", "<=", "0")
    numbers = {"y[t]": "real", "z[t]": "real", "N": "positive integer"}
    plain = {"numbers": numbers, "facts": [cross], "claim": claim(*says)}
    for at in ("j1", "j1 + 0", "j2"):
        refused("is the index of a sum", steps=[step(*says, by=[["k", {"t": at}, "1"]])], **plain)
    refused(
        "is no sum of what it rests on", steps=[step(*says, by=[["k", {"t": "s"}, "1"]])], **plain
    )
    for text in ("Sum(y[s]*z[j1], (s, 0, N))", "j1", "y[j1]"):
        with pytest.raises(Refused, match="j1 is the index of a sum"):
            outlined(numbers=numbers).reader.scalar(text)


# -- what is known --------------------------------------------------------------------------------


def test_a_name_has_one_meaning() -> None:
    one = outlined(LESS)
    for name in ("k", "", "a\nb", "a;b", "ä{"):
        with pytest.raises(Refused, match="is borne twice, or is none"):
            one.know(name, [("a", False)])
    one.supposed["later"] = ("a", "x")
    with pytest.raises(Refused, match="is borne twice"):
        one.know("later", [("a", False)])
    one.know("a[t + 1]*2 <= b/(c), 'd'.", [("a", False)])
    assert one.known["a[t + 1]*2 <= b/(c), 'd'."] == [("a", False)]
    refused("borne twice", steps=[step("0", "<=", "a"), step("0", "<=", "b")])
    refused("borne twice", facts=[LESS], steps=[step("0", "<=", "a", name="k")])
    refused("borne twice", facts=[LESS, LESS])
    twice = [step("0", "<=", "a + x", supposing="x", name="u"), step("0", "<=", "b", name="u")]
    refused("borne twice", steps=[*twice, step("0", "<=", "a")])
    refused("borne twice", steps=[*twice[::-1], step("0", "<=", "a")])
    refused("borne twice", steps=[twice[0], twice[0], step("0", "<=", "a")])


def test_only_what_is_strict_is_not_zero() -> None:
    """A positive number may stand under a fraction."""
    under = [step("1/(a - x)", "<=", "1/(a - x)")]
    of = claim("1/(a - x)", "<=", "1/(a - x)")
    check(document(facts=[BELOW], steps=under, claim=of))
    refused("may vanish", facts=[LESS], steps=under, claim=of)


def premises(*by: Any, facts: Any = (LESS, EACH, BELOW)) -> list[tuple[str, str, bool]]:
    one = outlined(*facts)
    return [(name, one.text(value), strict) for name, value, strict in one.premises(by)]


def test_what_a_step_may_use() -> None:
    assert premises("k") == [("k", "a-x", False)]
    assert premises("below", "k") == [("below", "a-x", True), ("k", "a-x", False)]
    assert premises("each") == [("each", "a-y_t", False)]
    assert premises(["each", {"t": "s"}, "1"]) == [("each", "a-y_s", False)]
    assert premises(["each", {"t": "s + 1"}, "1"]) == [("each", "a-y_s_1", False)]
    assert premises(["k", {}, "2"]) == [("k", "2*a-2*x", False)]
    assert premises(["k", {}, "b"]) == [("k", "a*b-b*x", False)]
    # strict only if what it is multiplied by is positive
    assert premises(["below", {}, "a"])[0][2] is True
    assert premises(["below", {}, "b"])[0][2] is False
    assert premises(["below", {}, "0"])[0][2] is False
    # a number that is known not to be negative
    known = fact("condition", "sign", less="0", more="x")
    assert premises(["k", {}, "x"], facts=(LESS, known))[0][0] == "k"
    for by, match in (
        (["nobody", {}, "1"], "nothing is known by the name nobody"),
        ("nobody", "nothing is known by the name nobody"),
        (["k", {}, "x"], "k is multiplied by x, which may be negative"),
        (["k", {}, "-1"], "k is multiplied by -1, which may be negative"),
        (["each", {"t": "1/2"}, "1"], "each is used at what is no index"),
        (["each", {"t": "0 - 1"}, "1"], "each is used at what is no index"),
        (["each", {"t": "a"}, "1"], "each is used at what is no index"),
        (["each", {"t": "s", "s": "a"}, "1"], "each is used at what is no index"),
        (["k", {}, "w[t]**2"], "declared numbers alone"),
    ):
        with pytest.raises(Refused, match=match):
            premises(by)


def test_an_equality_is_used_one_way_or_both() -> None:
    one = outlined()
    one.know("same", [("a - x", False), ("x - a", False)])

    def used(*by: Any) -> list[str]:
        return [one.text(value) for _, value, _ in one.premises(by)]

    assert used("same") == ["a-x", "-a+x"]
    assert used(["same", {}, "1"]) == used(["same", {}, "1"]) == ["a-x"]
    assert used(["same", {}, "-1"]) == ["-a+x"]
    assert used(["same", {}, "-2*b"]) == ["-2*a*b+2*b*x"]
    one.know("one", [("a - x", False)])
    assert used(["one", {}, "2"]) == ["2*a-2*x"]


def test_a_step_is_posed_with_all_that_it_names() -> None:
    one = outlined(LESS)
    posed = one.posed(step("x", "<=", "2*a", ["k"], supposing="b - 1"))
    assert [(n, one.text(v), s) for n, v, s in posed] == [
        ("left", "x", False),
        ("right", "2*a", False),
        ("k", "a-x", False),
        ("supposed", "-1+b", False),
    ]
    asked = outlined(BELOW).question(step("w[t]**2", "<", "a/N", ["below"]))
    assert asked == {
        "format": checker.PROOF,
        "claim": {"left": "w_t*w_t", "relation": "<", "right": "(a)/(N_)"},
        "given": [{"name": "below", "expr": "a-x", "strict": True}],
        "symbols": {"N_": "positive integer", "a": "positive", "w_t": "real", "x": "real"},
        "vectors": ["w_t"],
    }
    assert "vectors" not in one.question(step("x", "<=", "a"))


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("0", "0"),
        ("1", "1"),
        ("-1", "-1"),
        ("-x", "-x"),
        ("x - 1", "-1+x"),
        ("2*x*a - 3", "-3+2*a*x"),
        ("x/2", "1/2*x"),
        ("1/a", "(1)/(a)"),
        ("-x/(2*a)", "(-1/2*x)/(a)"),
    ],
)
def test_a_value_is_written_in_plain_names(formula: str, said: str) -> None:
    one = outlined()
    assert one.text(one.reader.scalar(formula)) == said


# -- parameters of facts --------------------------------------------------------------------------

KINDS: dict[str, tuple[str, str]] = {
    "function": ("F f", "G a"),
    "number": ("a 2*x N y[t]", "w[t]**2"),
    "vector": ("w[t] 2*w[0]-n[t] grad(F,w[t])", ""),
    "noise": ("n[t]", "w[t] c[t] n[t]**2 n[t]*w[t]"),
    "formula": ("a w[t]**2 F(w[t])", ""),
    "moment": ("t t+1", ""),
    "count": ("N N+1 2 t", "x a 1/2"),
    "pattern": ("w[t] n[t]", "w[s] w y[t]"),
    "draw": ("D[t]", "D[s] D w[t]"),
    "clients": ("N", "M 2"),
    "mixing": ("W", "V w[t]"),
    "index": ("t s", "N u"),
    "entry": ("anything", ""),
    "formula or vector": ("anything", ""),
    "word": ("", "anything"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_parameter_is_of_its_kind(kind: str) -> None:
    one = outlined(fact("unbiased", noise="n[t]", given="t"))
    good, bad = (texts.split() for texts in KINDS[kind])
    for text in good:
        checker._checked(one, "p", kind, text)
    for text in bad:
        with pytest.raises(
            Refused,
            match=r"is no .* here|declared numbers|is no vector|no formula|a vector is needed",
        ):
            checker._checked(one, "p", kind, text)


def test_clients_are_equal_and_as_many_as_declared() -> None:
    for clients in ({}, {"number": "M", "weights": "equal"}, {"number": "N", "weights": "any"}):
        with pytest.raises(Refused, match="clients = N is no clients here"):
            checker._checked(outlined(clients=clients), "clients", "clients", "N")
    one = outlined()
    one.clients = {"number": "x", "weights": "equal"}
    with pytest.raises(Refused, match="is no clients here"):
        checker._checked(one, "clients", "clients", "x")


def test_facts_are_declared_before_any_is_read_and_say_what_their_rules_say() -> None:
    asked: list[str] = []

    def rule(name: str, declares: bool) -> FactRule:
        def said(less: str) -> Any:
            asked.append(f"{name} says {less}")
            return [(less, False)]

        def told(_: Any, less: str) -> None:
            asked.append(f"{name} declares {less}")

        made: Any = {"declares": told} if declares else {}
        return FactRule(name, {"less": "number"}, said, said, "", "", "", **made)

    rules = {"one": rule("one", False), "two": rule("two", True)}
    made = document(facts=[fact("one", less="a"), fact("two", less="b")])
    one = opened(made, rules=rules)
    assert asked == ["two declares b", "one says a", "two says b"]
    assert one.known == {"one": [("a", False)], "two": [("b", False)]}
    with pytest.raises(Refused, match="no rule is called condition"):
        opened(document(facts=[LESS]), rules=rules)
    with pytest.raises(Refused, match="declared numbers alone"):
        opened(document(facts=[fact("one", less="w[t]**2")]), rules=rules)
    assert outlined().rules is FACTS
    entry = FactRule("any", {"it": "entry"}, lambda it: [], lambda it: [], "", "", "")
    assert opened(document(facts=[fact("any", it="w[t]")]), rules={"any": entry}).known == {
        "any": []
    }
    with pytest.raises((Refused, ValueError), match="formula"):
        opened(document(facts=[fact("any", it="a) + (b")]), rules={"any": entry})


# -- theorems that are cited ----------------------------------------------------------------------

LEMMA = document(facts=[LESS], steps=[step("x", "<=", "2*a", ["k"])], claim=claim("x", "<=", "2*a"))
CITES = document(
    cited={"lemma": LEMMA},
    facts=[LESS, EACH, fact("cite", "c", of="lemma")],
    steps=[step("3*x", "<=", "6*a", [["c", {}, "3"]])],
    claim=claim("3*x", "<=", "6*a"),
)


def test_a_theorem_is_cited_where_it_stands() -> None:
    assert accepts(CITES)
    outlined_ = opened(CITES)
    assert outlined_.known["c"] == [("(2*a) - (x)", False)]
    strict = {**LEMMA, "facts": [BELOW], "steps": [step("x", "<", "a", ["below"])]}
    strict["claim"] = claim("x", "<", "a")
    made = {**CITES, "cited": {"lemma": strict}, "facts": [BELOW, CITES["facts"][2]], "steps": []}
    assert opened(made).known["c"] == [("(a) - (x)", True)]


def changed(**more: Any) -> Document:
    return {**deepcopy(LEMMA), **more}


@pytest.mark.parametrize(
    ("lemma", "match"),
    [
        (
            changed(facts=[EACH, {**LESS, "args": {"less": "x", "more": "b"}}]),
            "no sum of what it rests on",
        ),
        (changed(steps=[]), "no step says the claim"),
        (changed(numbers={**LEMMA["numbers"], "x": "nonnegative"}), "with other numbers"),
        (changed(numbers={**LEMMA["numbers"], "z": "real"}), "with other numbers"),
        (changed(indices=["t", "s", "r"]), "with other indices"),
        (changed(mixings=["W", "V"]), "with other mixings"),
        (changed(clients={}), "with other clients"),
        (changed(clients={"number": "M", "weights": "equal"}), "with other clients"),
        (changed(functions={"F": {"own": True}, "f": {"own": True}}), "with other functions"),
        (changed(draws={"D[t]": {"given": "t", "known": "t + 2"}}), "with other draws"),
        (
            changed(vectors={**LEMMA["vectors"], "w[t]": {"known": "t", "shared": False}}),
            "with other vectors",
        ),
        (changed(facts=[LESS, fact("condition", "m", less="b", more="a")]), "assumes more"),
        (changed(facts=[{**LESS, "rule": "strict condition"}]), "assumes more|no sum"),
    ],
)
def test_a_theorem_that_says_more_or_of_something_else_is_not_cited(
    lemma: Document, match: str
) -> None:
    with pytest.raises(Refused, match=match):
        check({**CITES, "cited": {"lemma": lemma}})


def test_less_may_be_declared_there() -> None:
    less = changed(indices=["t"], mixings=[], functions={}, draws={}, vectors={})
    less["numbers"] = {"a": "positive", "x": "real", "N": "positive integer"}
    assert accepts({**CITES, "cited": {"lemma": less}})


def test_what_is_not_there_is_not_cited() -> None:
    for cited in ({}, {"other": LEMMA}):
        with pytest.raises(Refused, match="c cites what is not there"):
            check({**CITES, "cited": cited})
    without = {name: value for name, value in CITES.items() if name != "cited"}
    with pytest.raises(Refused, match="c cites what is not there"):
        check(without)


def test_theorems_are_cited_so_deep() -> None:
    def deep(levels: int) -> Document:
        made = LEMMA
        for _ in range(levels):
            made = {
                **CITES,
                "cited": {"lemma": made},
                "facts": [LESS, fact("cite", "c", of="lemma")],
                "steps": [step("x", "<=", "2*a", ["c"])],
                "claim": LEMMA["claim"],
            }
        return made

    assert check(LEMMA, 5)
    with pytest.raises(Refused, match="cited too deep"):
        check(LEMMA, 6)
    assert check(deep(1), 4)
    assert check(deep(5))
    assert opened(deep(5)).known["c"]
    with pytest.raises(Refused, match="cited too deep"):
        check(deep(6))
    with pytest.raises(Refused, match="cited too deep"):
        check(deep(1), 5)


# -- steps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "good"),
    [
        (step("0", "<=", "a"), True),
        (step("0", "<", "a"), True),
        (step("0", "<", "b"), False),
        (step("0", "<=", "b"), True),
        (step("a", "<=", "a"), True),
        (step("a", "<", "a"), False),
        (step("0", "<=", "x"), False),
        (step("0", "<=", "-a"), False),
        (step("x", "<=", "a", ["k"]), True),
        (step("x", "<", "a", ["k"]), False),
        (step("x", "<", "a", ["below"]), True),
        (step("x", "<=", "a", ["below"]), True),
        (step("2*x", "<", "2*a", ["k", "below"]), True),
        (step("x", "<=", "a + b", ["k"]), True),
        (step("x", "<=", "a - b", ["k"]), False),
        (step("2*x", "<=", "2*a", ["k"]), False),
        (step("0", "==", "0"), False),
        (step("0", "==", "a"), False),
    ],
)
def test_a_step_without_a_certificate_adds_up(item: Document, good: bool) -> None:
    assert adds_up(outlined(LESS, BELOW), item) is good


def test_what_a_step_needs() -> None:
    refused("the relation >= is unknown", steps=[step("a", ">=", "0")])
    refused("s is no sum of what it rests on", steps=[step("0", "<=", "x")])
    refused(
        "under a supposition the relation is <=", steps=[step("0", "<", "a + x", supposing="x")]
    )
    one = outlined()
    checker._taken(one, step("0", "<=", "a + x", supposing="x", name="u"))
    assert one.supposed == {"u": ("(a + x) - (0)", "x")}
    assert "u" not in one.known
    checker._taken(one, step("0", "<", "a"))
    assert one.known == {"s": [("(a) - (0)", True)]}
    assert checker._claims(step("x", "==", "a")) == [("(a) - (x)", False), ("-((a) - (x))", False)]
    assert checker._claims(step("x", "<=", "a")) == [("(a) - (x)", False)]
    for wrong in (step("x) + (a", "<=", "a"), step("x", "<=", "a) - (1")):
        with pytest.raises((Refused, ValueError)):
            checker._claims(wrong)


def test_a_certificate_is_put_to_the_other_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def other(made: Any, words: bool = True) -> None:
        seen.append((made, words))
        if made["proof"].get("wrong"):
            raise Refused("it is wrong")

    monkeypatch.setattr(checker.checker, "check", other)
    parts: Document = {"atoms": {"A": "a"}, "sums": {}}
    item = step("0", "<=", "x", proof={"p": 1}, **parts)
    check(document(steps=[item], claim=claim("0", "<=", "x")))
    ((made, words),) = seen
    assert words is False
    assert made == {**outlined().question(item), "proof": {"p": 1}, **parts}
    refused("s: it is wrong", steps=[step("0", "<=", "x", proof={"wrong": 1}, **parts)])
    refused(
        "an induction is a schema here",
        steps=[step("0", "<=", "x", proof={"induction": 1}, **parts)],
    )
    refused("malformed", steps=[step("0", "<=", "x", proof={"p": 1}, atoms={})])


# -- schemas --------------------------------------------------------------------------------------


def schema(closed: Closed, **takes: str) -> dict[str, Schema]:
    def close(**about: Any) -> Closed:
        schema_asked.append(about)
        return closed

    return {"rule": Schema("rule", takes or {"index": "index"}, close, "", "")}


schema_asked: list[Any] = []


def used(left: str = "0", relation: str = "<=", right: str = "x", **more: Any) -> Document:
    args = more.pop("args", {"index": "t"})
    return {"name": "s", "schema": "rule", "args": args, **claim(left, relation, right), **more}


GIVES = (("x", False),)


@pytest.mark.parametrize(
    ("closed", "item", "match"),
    [
        (Closed(GIVES), used(), ""),
        (Closed((("b", False), *GIVES)), used(), ""),
        (Closed(GIVES), used("a", "<=", "x + a"), ""),
        (Closed(GIVES), used(right="2*x"), "says what its schema does not give"),
        (Closed(GIVES), used(relation="<"), "says what its schema does not give"),
        (Closed((("x", True),)), used(relation="<"), "says what its schema does not give"),
        (Closed(GIVES), used(relation="=="), "says what its schema does not give"),
        (Closed(()), used(), "says what its schema does not give"),
        # side conditions, seen by their form or known
        (Closed(GIVES, needs=(("a", True),)), used(), ""),
        (Closed(GIVES, needs=(("b", False),)), used(), ""),
        (Closed(GIVES, needs=(("b", True),)), used(), "it is not known that b > 0"),
        (Closed(GIVES, needs=(("x", False),)), used(), "it is not known that x >= 0"),
        (Closed(GIVES, needs=(("a", True), ("x", False))), used(), "it is not known that x >= 0"),
        (Closed(GIVES, needs=(("a - x", False),)), used(), ""),
        (Closed(GIVES, needs=(("a - x", True),)), used(), ""),
        (Closed(GIVES, needs=(("a - y[t]", True),)), used(), "it is not known that"),
        (Closed(GIVES, needs=(("a - y[t]", False),)), used(), ""),
        # what must be equal
        (Closed(GIVES, same=(("2*a", "a + a"),)), used(), ""),
        (
            Closed(GIVES, same=(("a", "a"), ("a", "b"))),
            used(),
            "what it starts from says something",
        ),
        # what may not depend on the index
        (Closed(GIVES, free=("a", "y[s]", "y[tt]")), used(), ""),
        (Closed(GIVES, free=("a", "y[t]")), used(), r"y\[t\] depends on t"),
        (Closed(GIVES, free=("y[t]",)), used(args={"index": "s"}), ""),
        # facts by name
        (Closed(GIVES, facts=((("condition",), {"less": "x"}),)), used(), ""),
        (Closed(GIVES, facts=((("other", "condition"), {"less": "x", "more": "a"}),)), used(), ""),
        (
            Closed(GIVES, facts=((("other",), {"less": "x"}),)),
            used(),
            "needs a fact by the rule oth",
        ),
        (
            Closed(GIVES, facts=((("condition", "c"), {"less": "b"}),)),
            used(),
            "needs a fact by the rule condition or c",
        ),
        (Closed(GIVES, facts=((("condition",), {}),)), used(), ""),
        (
            Closed(GIVES, facts=((("condition",), {"less": "x", "more": "b"}),)),
            used(),
            "needs a fact by the rule condition",
        ),
    ],
)
def test_a_schema_closes_where_its_conditions_are_met(
    closed: Closed, item: Document, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "SCHEMAS", schema(closed))
    made = document(
        facts=[LESS, BELOW, EACH],
        steps=[item],
        claim={name: item[name] for name in ("left", "relation", "right")},
    )
    if match:
        with pytest.raises(Refused, match=match):
            check(made)
    else:
        assert check(made)


def test_what_a_schema_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    takes = {"step": "step", "next": "supposed", "of": "formula", "index": "index", "else": "count"}
    monkeypatch.setattr(checker, "SCHEMAS", schema(Closed(GIVES), **takes))
    one = outlined(LESS, BELOW)
    one.know("same", [("a", False), ("-a", False)])
    one.supposed["u"] = ("b", "x")
    args = {"step": "below", "next": "u", "of": "w[t]**2", "index": "t", "else": "N"}
    schema_asked.clear()
    assert instance(one, used(args=args)) == Closed(GIVES)
    assert schema_asked == [
        {"step": one.known["below"][0][0], "next": ("b", "x"), "of": "w[t]**2", "index": "t"}
        | {"else_": "N"}
    ]
    # what is put into a formula may be a vector
    assert instance(one, used(args={**args, "of": "w[t]"})) == Closed(GIVES)
    for name, value, match in (
        ("step", "same", "same is no single inequality"),
        ("step", "nobody", "nobody is no single inequality"),
        ("step", "u", "u is no single inequality"),
        ("next", "k", "k was proved under no supposition"),
        ("of", "a, b", "no single formula|is no formula"),
        ("index", "N", "index = N is no index here"),
        ("else", "1/2", "else = 1/2 is no count here"),
    ):
        with pytest.raises(Refused, match=match):
            instance(one, used(args={**args, name: value}))
    for other in ({}, {**args, "more": "a"}, {k: v for k, v in args.items() if k != "of"}):
        with pytest.raises(Refused, match="the schema rule takes step, next, of, index, else"):
            instance(one, used(args=other))
    with pytest.raises(Refused, match="no schema is called other"):
        instance(one, {**used(args=args), "schema": "other"})


def test_what_is_known_of_a_value() -> None:
    one = outlined(LESS, BELOW, EACH)
    at = one.reader.scalar
    assert is_known(one, at("a - y[t]"), False) is True
    assert is_known(one, at("a - y[t]"), True) is False
    assert is_known(one, at("a - x"), True) is True
    assert is_known(one, at("x - a"), False) is False
    assert is_known(outlined(LESS), at("a - x"), True) is False
    one.know("two", [("a", False), ("b - 1", False)])
    assert is_known(one, at("b - 1"), False) is True


# -- the command ----------------------------------------------------------------------------------


def test_the_command_says_what_is_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "proof.json"

    def asked(content: str) -> tuple[int, str]:
        path.write_text(content)
        return main([str(path)]), capsys.readouterr().out

    status, said = asked(json.dumps(document()))
    assert (status, said) == (0, f"accepted: {check(document())}\n")
    status, said = asked(json.dumps(document(steps=[])))
    assert (status, said) == (1, "refused: no step says the claim\n")
    for content in ("", "[" * 100_000, "{", "[]", "3", '{"format": ' + "1" * 5000 + "}"):
        status, said = asked(content)
        assert (status, said.startswith("refused: ")) == (1, True)
    assert main([]) == main([str(tmp_path / "none")]) == 1
    for error in (MemoryError, RecursionError):

        def broken(_: Any, error: type[BaseException] = error) -> None:
            raise error

        monkeypatch.setattr(checker.json, "load", broken)
        assert asked("{}")[0] == 1
