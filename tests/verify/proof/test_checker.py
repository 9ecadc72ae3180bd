"""What the checker of whole documents refuses: forgeries, and readings that would be unsound."""

import ast
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from tests.verify.proof.proved import NAMES, proved
from verify.certify.checker import ZERO
from verify.proof import checker, entries, facts, schemas, term
from verify.proof import reader as reader_room
from verify.proof.checker import Refused, accepts, check, opened
from verify.proof.outline import NoProof, Outline
from verify.proof.reader import OutlineReader
from verify.proof.schemas.schema import put

DEAR = {"scaffold_one_round", "local_sgd_identical_clients", "gradient_tracking"}
SOME = [pytest.param(n, marks=pytest.mark.slow) if n in DEAR else n for n in NAMES]
"""Every forgery of these three takes a minute together."""


def refused(document, match):
    with pytest.raises(Refused, match=match):
        check(document)


def changed(name, change):
    document = deepcopy(proved(name))
    change(document)
    return document


@pytest.mark.parametrize("name", SOME)
def test_no_document_survives_another_claim_or_a_missing_step(name):
    for side in ("left", "right"):
        refused(
            changed(name, lambda d, s=side: d["claim"].update({s: f"({d['claim'][s]}) + 1"})),
            "no step says the claim",
        )
    for place, step in enumerate(proved(name)["steps"]):
        forged = changed(
            name, lambda d, p=place: d["steps"][p].update(right=f"({d['steps'][p]['right']}) - 1")
        )
        assert not accepts(forged), step["name"]


@pytest.mark.parametrize("name", SOME)
@pytest.mark.every(2)
def test_no_certificate_does_without_a_fact(name):
    """Each fact left out of a written proof, and of what steps name."""
    document = proved(name)
    for fact_ in document["facts"]:
        forged = deepcopy(document)
        forged["facts"] = [f for f in forged["facts"] if f["name"] != fact_["name"]]
        assert not accepts(forged), fact_["name"]
        for item in forged["steps"]:
            if "by" in item:
                item["by"] = [b for b in item["by"] if fact_["name"] not in (b, b[0])]
        assert not accepts(forged), fact_["name"]


@pytest.mark.parametrize("name", SOME)
@pytest.mark.every(3)
def test_no_certificate_survives_a_change(name):
    for place, step in enumerate(proved(name)["steps"]):
        if "proof" not in step:
            continue
        for products in range(len(step["proof"].get("products", []))):
            forged = deepcopy(proved(name))
            product = forged["steps"][place]["proof"]["products"][products]
            product[0] = str(int(product[0].partition("/")[0]) + 1)
            assert not accepts(forged), step["name"]


def test_entries_that_nobody_reads_are_refused():
    for where in ("facts", "steps"):
        refused(
            changed("sgd_nonconvex", lambda d, w=where: d[w][0].update(more="1")), "not checked"
        )
    refused(changed("sgd_nonconvex", lambda d: d.update(note="true for all")), "not checked")
    refused(changed("sgd_nonconvex", lambda d: d["facts"][0].update(rule="trust me")), "no rule")
    refused(changed("sgd_nonconvex", lambda d: d["facts"].append(d["facts"][2])), "borne twice")
    refused(changed("sgd_nonconvex", lambda d: d.pop("facts")), "an entry facts is missing")
    refused(changed("sgd_nonconvex", lambda d: d["numbers"].update(L=3)), "the sign of L")


def test_a_schema_needs_its_conditions():
    forged = changed("gradient_descent_pl", lambda d: d["steps"].pop(1))
    refused(forged, "it is not known that 1 - eta")
    refused(changed("sgd_decreasing_step", lambda d: d["steps"].pop(2)), "it is not known that")
    refused(
        changed("gradient_descent_pl", lambda d: d["steps"][2]["args"].update(rest="eta")),
        "says something else",
    )
    refused(
        changed("gradient_descent_pl", lambda d: d["steps"][2]["args"].update(factor="1/(1 + t)")),
        "depends on t",
    )
    refused(
        changed("sgd_nonconvex", lambda d: d["steps"][1]["args"].update(rounds="T + 1")),
        "does not give",
    )
    refused(
        changed(
            "local_sgd_identical_clients",
            lambda d: d["facts"].__setitem__(
                slice(None), [f for f in d["facts"] if f["name"] != "z"]
            ),
        ),
        "needs a fact by the rule average",
    )
    refused(
        changed("gradient_tracking", lambda d: d["steps"][2]["args"].update(index="T")),
        "is no index here",
    )


def test_a_supposition_is_no_fact():
    o = Outline("circle")
    o.numbers("real", "a")
    o.step("so", "1 <= a", "", supposing="1 <= a")
    o.step("then", "1 <= a", "so")
    o.claim("1 <= a")
    with pytest.raises(NoProof, match="nothing is known by the name so"):
        o.proved()
    o = Outline("circle")
    o.numbers("real", "a")
    o.step("so", "1 <= a", "", supposing="1 <= a")
    o.claim("1 <= a")
    with pytest.raises(NoProof, match="no step says the claim"):
        o.proved()


def reader(**more):
    return OutlineReader(
        {
            "indices": ["t", "s"],
            "numbers": {
                "a": "positive",
                "x": "real",
                "N": "positive integer",
                "T": "positive integer",
            },
            "vectors": {
                "u": {"known": "0", "shared": True},
                "v": {"known": "0", "shared": True},
                "w[t]": {"known": "t", "shared": False},
                "n[t]": {"known": "t + 1", "shared": True},
            },
            "functions": {"F": {}, "f": {"own": True}},
            "draws": {"D[t]": {"given": "t", "known": "t + 1"}},
            **more,
        }
    )


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("(u*u)*(v*v) - (u*v)*(u*v)", "two inner products are multiplied"),
        ("(u*v)**2", "no power"),
        ("(u*u)*u*v", "multiplied by an inner product"),
        ("1/(u**2 + a)", "divided by an inner product"),
        ("1/x", "which may vanish"),
        ("1/(a - a)", "divided by zero"),
        ("(u*u)**T", "no power"),
        ("a**x", "no number of times"),
        ("u", "a vector where a number is needed"),
        ("a + u*1", "a number and a vector are added"),
        ("u**3", "the square alone"),
        ("b", "was not declared"),
        ("w[t]*u + w*u", "other indices"),
        ("w[x]*u", "other indices"),
        ("w[t - 1]*u", "other indices"),
        ("F(w[t]) + G(w[t])", "no formula under"),
        ("Sum(t, (t, 0, T - 3))", "may not be one"),
        ("Sum(x, (x, 0, T))", "a declared index"),
        ("Min(t, (t, 1, 0))", "the smallest of no numbers"),
        ("Chance(w[t], a)", "what all clients share"),
        ("drawn(D[t], w[t + 1])*u", "may depend on the draw"),
        ("u if x else v", "is no formula"),
        ("x.real", "is no formula"),
        ("a, x", "no single formula"),
        ("1.5*a", "is no formula"),
        ("a < x", "is no formula"),
        ("__import__(a)", "no formula under"),
    ],
)
def test_what_is_not_read(text, match):
    with pytest.raises(Refused, match=match):
        reader().scalar(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("avg(w[t])*u", "w[t]*u"),
        ("(w[t] - avg(w[t]))*u", "0"),
        ("w[t]**2", "avg(w[t])**2 + (w[t] - avg(w[t]))**2"),
        ("Sum(2*a*t, (t, 0, T - 1))", "a*T*(T - 1)"),
        ("Sum(a*x, (s, 0, T - 1))", "T*a*x"),
        ("Sum(w[t]**2, (t, 0, T - 1))", "Sum(w[s]**2, (s, 0, T - 1))"),
        ("Sum(w[t]*u, (t, 0, 2))", "(w[0] + w[1] + w[2])*u"),
        ("a**(T + 1)", "a*a**T"),
    ],
)
def test_equal_readings(one, other):
    assert reader().scalar(one) == reader().scalar(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("w[t]*w[t]", "avg(w[t])*avg(w[t])"),
        ("a**(T - 1)", "a**T"),
        ("n[t]*w[t]", "0"),
        ("u*v", "v*v"),
        ("Sum(w[t]**2, (t, 0, T - 1))", "Sum(w[t]**2, (t, 0, T))"),
        (
            "Sum(Sum(w[t]*w[s], (s, 0, T - 1)), (t, 0, N - 1))",
            "Sum(Sum(w[t]*w[s], (s, 0, N - 1)), (t, 0, T - 1))",
        ),
        ("F(w[t])", "F(avg(w[t]))"),
        ("f(u)", "F(u)"),
        ("w[t]**2", "w[t + 1]**2"),
    ],
)
def test_different_readings(one, other):
    assert reader().scalar(one) != reader().scalar(other)


def document(**more):
    return {
        "format": checker.FORMAT,
        "title": "a test",
        "indices": ["t", "s"],
        "numbers": {"a": "positive", "x": "real", "y[t]": "real", "N": "positive integer"},
        "vectors": {
            "w[t]": {"known": "t", "shared": True},
            "n[t]": {"known": "t + 1", "shared": True},
            "c[t]": {"known": "t", "shared": False},
        },
        "functions": {"F": {}, "f": {"own": True}},
        "draws": {},
        "mixings": [],
        "clients": {"number": "N", "weights": "equal"},
        "cited": {},
        "facts": [],
        "steps": [],
        "claim": {"left": "0", "relation": "<=", "right": "a"},
        **more,
    }


def fact(rule, **args):
    return {"name": rule, "rule": rule, "args": args}


NOISE = fact("unbiased", noise="n[t]", given="t")


@pytest.mark.parametrize(
    ("facts_", "match"),
    [
        ([fact("method", entry="w[t + 1]", is_="w[t] - n[t + 1]")], "known later"),
        ([fact("method", entry="w[t]", is_="n[t]")], "known later"),
        ([fact("method", entry="w[t + 1]", is_="c[t]")], "said to be shared"),
        ([fact("method", entry="w[t + 1]", is_="w[s]")], "other indices"),
        ([fact("method", entry="y[t]", is_="y[t] + 1")], "leads back"),
        (
            [
                fact("method", entry="y[t]", is_="x"),
                {**fact("method", entry="y[0]", is_="a"), "name": "b"},
            ],
            "a definition already",
        ),
        ([NOISE, fact("method", entry="n[t]", is_="w[t]")], "is noise"),
        ([fact("method", entry="n[t]", is_="w[t]"), NOISE], "is defined or unbiased already"),
        ([fact("unbiased", noise="n[t]", given="t + 1")], "known before it is drawn"),
        ([fact("unbiased", noise="n[s]", given="s")], "known before"),
        ([fact("smooth", f="F", L="F(w[0])", at="w[0]", to="w[1]")], "declared numbers alone"),
        ([fact("smooth", f="F", L="a", at="w[t]) + 1*(w[t]", to="w[t + 1]")], "is no formula"),
        (
            [fact("smooth", f="G", L="a", at="w[t]", to="w[t + 1]")],
            "no function here|no formula under",
        ),
        ([fact("smooth", f="F", L="a", at="w[t]")], "takes f, L, at, to"),
        ([NOISE, fact("independent clients", noise="n[t]", clients="2")], "no clients here"),
        ([fact("variance", noise="n[t]", sigma2="n[t]**2")], "declared numbers alone"),
        ([fact("stationary", f="F", star="c[0]")], "another point for each client"),
        ([fact("drawn with replacement", draw="D", size="a")], "no draw"),
        ([fact("mixing", mixing="W", rho="a", of="c[t]")], "no mixing"),
        ([fact("definition", entry="a", is_="x")], "may not be positive"),
        ([fact("definition", entry="N", is_="a")], "may not be positive integer"),
        ([fact("independent clients", noise="c[t]", clients="N")], "no noise here"),
        ([fact("condition", less="1/x", more="a")], "may vanish"),
    ],
)
def test_what_is_no_fact(facts_, match):
    with pytest.raises((Refused, ValueError), match=match):
        opened(document(facts=facts_))
    assert not accepts(document(facts=facts_))


@pytest.mark.parametrize(
    "names",
    [
        {"numbers": {"off": "real"}},
        {"functions": {"avg": {}}},
        {"numbers": {"j1": "real"}},
        {"indices": ["x"]},
        {"numbers": {"a": "large"}},
        {"numbers": {"a": "complex"}},
        {"vectors": {"a": {"known": "0", "shared": True}}, "numbers": {"a": "real"}},
        {"numbers": {"a[t": "real"}},
        {"functions": {"Sum": {}}},
    ],
)
def test_names_have_one_meaning(names):
    assert not accepts(
        document(
            **names,
            steps=[{"name": "s", "left": "0", "relation": "<=", "right": "1", "by": []}],
            claim={"left": "0", "relation": "<=", "right": "1"},
        )
    )


def step(left, relation, right, by=(), **more):
    return {"name": "s", "left": left, "relation": relation, "right": right, "by": list(by), **more}


@pytest.mark.parametrize(
    ("item", "good"),
    [
        (step("0", "<=", "a"), True),
        (step("0", "<", "a"), True),
        (step("a", "<=", "a"), True),
        (step("a", "<", "a"), False),
        (step("0", "<=", "x"), False),
        (step("0", "<=", "-a"), False),
        (step("0", "<=", "w[t]**2"), True),
        (step("0", "<=", "w[t]*w[s]"), False),
        (step("x", "<=", "a", ["k"]), True),
        (step("x", "<", "a", ["k"]), False),
        (step("a*x", "<=", "a**2", [["k", {}, "a"]]), True),
        (step("-a*a", "<=", "-a*x", [["k", {}, "-a"]]), False),
        (step("x*x", "<=", "a*x", [["k", {}, "x"]]), False),
        (step("y[1]", "<=", "a", [["each", {"t": "1"}, "1"]]), True),
        (step("y[1]", "<=", "a", ["each"]), False),
        (step("y[1]", "<=", "a", [["each", {"t": "1/2"}, "1"]]), False),
        (step("y[1]", "<=", "a", [["each", {"t": "0 - 1"}, "1"]]), False),
        (step("0", "<=", "a", ["nobody"]), False),
        (step("0", ">=", "-a"), False),
        (step("0", "==", "a"), False),
    ],
)
def test_sums_of_what_is_known(item, good):
    given = [
        {**fact("condition", less="x", more="a"), "name": "k"},
        {**fact("condition", less="y[t]", more="a"), "name": "each"},
    ]
    claim = {side: item[side] for side in ("left", "relation", "right")}
    assert accepts(document(facts=given, steps=[item], claim=claim)) == good


def test_a_theorem_is_cited_where_its_assumptions_stand():
    lemma = proved("gradient_descent_pl")
    o = Outline("cites")
    o.document |= {k: deepcopy(lemma[k]) for k in checker.DECLARATIONS}
    o.document["facts"] = deepcopy(lemma["facts"])
    o.cite("rate", lemma)
    claim = lemma["claim"]
    o.step("doubled", f"2*({claim['left']}) <= 2*({claim['right']})", "rate times 2")
    o.claim(f"2*({claim['left']}) <= 2*({claim['right']})")
    document_ = o.proved()
    for place in range(len(lemma["facts"])):
        forged = deepcopy(document_)
        del forged["facts"][place]
        assert not accepts(forged)
    forged = deepcopy(document_)
    forged["cited"]["rate"]["steps"].pop()
    refused(forged, "no step says the claim")
    forged = deepcopy(document_)
    forged["numbers"]["mu"] = "real"
    assert not accepts(forged)


def test_an_index_is_replaced_where_it_is_free():
    assert put("y[t] + Sum(y[t], (t, 0, t))", "t", "t + 1") == "y[t + 1] + Sum(y[t], (t, 0, t + 1))"
    with pytest.raises(Refused, match="is the index of a sum"):
        put("Sum(y[s]*y[t], (s, 0, T))", "t", "s")


def test_mean_and_rest_are_joined_only_where_both_are_met():
    r = reader()
    whole, mean = r.scalar("w[t]**2"), r.scalar("avg(w[t])**2")
    (joined,) = r.joined([whole])
    assert joined.variables() == {"w[t]"}
    apart = r.joined([whole, mean])
    assert apart == [whole, mean]
    assert (apart[0] - whole) == ZERO


def test_what_is_trusted_uses_the_standard_library_alone():
    """Checker, terms, facts and schemas: nothing else, and neither prover nor sympy."""
    rooms = [Path(m.__file__) for m in (checker, entries, reader_room, term)]
    rooms += [p for m in (facts, schemas) for p in Path(m.__file__).parent.glob("*.py")]
    assert len(rooms) > 20
    own = (
        "verify.proof.facts",
        "verify.proof.schemas",
        "verify.proof.term",
        "verify.proof.entries",
        "verify.proof.reader",
        "verify.certify",
    )
    for path in rooms:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                known = name.split(".")[0] in sys.stdlib_module_names
                assert known or name.startswith(own), (path.name, name)
                if name == "verify.certify":
                    assert [a.name for a in node.names] == ["checker"]
                elif name.startswith("verify.certify"):
                    assert name == "verify.certify.checker"
