"""Whole theorems are proved from named facts, read aloud, and lost where something is missing."""

import ast
import inspect
import json
import re
from pathlib import Path

import pytest

from tests.verify.proof.outlines import OUTLINES
from tests.verify.proof.proved import NAMES, outline_of, proved
from verify.proof.checker import accepts, check, main
from verify.proof.controls import kept, tightened, without
from verify.proof.explain import certificates, explained
from verify.proof.outline import NoProof, Outline
from verify.proof.scope import scope, used
from verify.proof.shown import shown_formula

DEAR = {"scaffold_one_round", "local_sgd_identical_clients"}
"""Their controls take half a minute."""


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_accepts_the_whole_theorem(name):
    document = json.loads(json.dumps(proved(name)))
    assert accepts(document)
    claim = document["claim"]
    assert check(document).startswith(f"{claim['left']} {claim['relation']} {claim['right']}")


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if n in DEAR else n for n in OUTLINES],
)
@pytest.mark.every(3)
def test_no_fact_is_idle_and_no_bound_too_large(name):
    document = outline_of(name).document
    assert list(without(document))
    assert list(tightened(document))
    assert kept(document) == []


def test_an_idle_fact_and_a_bound_that_is_too_large_are_seen():
    o = Outline("loose")
    o.numbers("positive", "a", "b")
    o.given("a <= b")
    o.step("loose", "a <= 2*a + b")
    o.claim("a <= 2*a + b")
    found = kept(o.document)
    assert "without the fact a <= b" in found
    assert "with b a tenth smaller" in found


@pytest.mark.parametrize("name", NAMES)
def test_it_is_explained_in_forty_lines(name):
    document = proved(name)
    lines = explained(document)
    assert len(lines) <= 40
    assert any(
        line.startswith(f"Then {shown_formula(document['claim']['left'])}") for line in lines
    )
    told = " ".join(certificates(document))
    with_proof = [step for step in document["steps"] if "proof" in step]
    assert told.count("Claim:") == len(with_proof)


def test_what_scalars_are_means_over_is_said_where_they_are():
    o = Outline("numbers alone")
    o.numbers("real", "a", "b")
    o.claim("2*a*b <= a**2 + b**2")
    o.step("square", "2*a*b <= a**2 + b**2")
    assert not [line for line in explained(o.proved()) if "means over" in line]
    told = explained(proved("sgd_nonconvex"))  # of one worker
    assert [line for line in told if line.startswith("Scalars are means over all outcomes; so")]


def test_the_scope_names_what_was_used_and_nothing_else():
    said = scope(proved("sgd_nonconvex"))
    assert said == (
        "all unbiased noise, noise of variance at most sigma^2, L-smooth F, F at least low "
        "everywhere; for eta <= 1/L; any T, dimension and start"
    )
    document = proved("gradient_descent_pl")
    assert "noise" not in scope(document)
    idle = {"name": "idle", "rule": "convex", "args": {"f": "F", "at": "w[t]", "to": "w[0]"}}
    more = {**document, "facts": [*document["facts"], idle]}
    assert accepts(more)
    assert "idle" not in used(more)
    assert scope(more) == scope(document)


def test_a_condition_in_the_mean_is_part_of_the_scope():
    o = Outline("a bound in the mean")
    o.numbers("real", "g", "G")
    o.fact("mean bound", "relation", less="g**2", more="G")
    o.step("bound", "g**2 <= G", "mean bound")
    assert scope(o.document) == "all real numbers; for g^2 <= G; any dimension and start"


def test_the_price_of_a_theorem():
    """Calls of the outline before the claim, and after it."""
    tree = ast.parse(Path(inspect.getfile(OUTLINES["sgd_nonconvex"])).read_text(encoding="utf-8"))
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.name not in OUTLINES:
            continue
        calls = [
            n.value.func.attr
            for n in function.body
            if isinstance(n, ast.Expr)
            and isinstance(n.value, ast.Call)
            and isinstance(n.value.func, ast.Attribute)
        ]
        claim = calls.index("claim")
        facts = [c for c in calls[:claim] if c in ("fact", "given")]
        assert len(facts) <= 15
        assert len(calls) - claim - 1 <= 20


def test_a_false_step_is_named():
    o = Outline("wrong")
    o.numbers("real", "a", "b")
    o.step("square", "3*a*b <= a**2 + b**2")
    o.claim("3*a*b <= a**2 + b**2")
    with pytest.raises(NoProof, match="no proof was found for the step square"):
        o.proved()


def test_a_file_is_checked_by_itself(tmp_path, capsys):
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(proved("sgd_nonconvex")), encoding="utf-8")
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith("accepted: Sum(")
    path.write_text(json.dumps({**proved("sgd_nonconvex"), "format": "other"}), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "refused: the format is other" in capsys.readouterr().out


PAPERS = """
training schedule walk lambda_min dual_step gamma pace temperature all_for_one kappa2 adaptive
allforall fedbc hcct aggregation collaboration fedavg fedprox scaffold epoch group
"""


def test_the_engine_knows_no_paper():
    """No word of a paper stands in this room, whatever case it has."""
    files = list(Path(inspect.getfile(Outline)).parent.rglob("*.py"))
    assert len(files) > 30
    for path in files:
        text = path.read_text(encoding="utf-8").replace("ast.walk", "")
        found = {w for w in PAPERS.split() if re.search(rf"(?i)\b{w}\b", text)}
        assert not found, (path.name, found)
    assert re.search(
        r"(?i)\bscaffold\b", Path(inspect.getfile(OUTLINES["sgd_nonconvex"])).read_text()
    )
