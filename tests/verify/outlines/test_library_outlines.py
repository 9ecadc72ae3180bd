"""Outlines of the library's statements: proved, told, lost where cut, false where false."""

import ast
from dataclasses import replace

import pytest

from tests.verify.outlines.library import (
    LOOSE,
    keys,
    measured,
    of,
    proved,
    refuses,
    refusing,
    unproved,
)
from verify.ladder.rungs.proof import prove, recheck, told_again
from verify.outlines.converted import converted
from verify.outlines.justified import unjustified
from verify.outlines.proved import proves
from verify.outlines.scoped import scope_of
from verify.proof.checker import accepts
from verify.proof.controls import kept
from verify.proof.facts import FACTS
from verify.terms.claims import as_terms

KEYS = keys()


def test_there_are_outlines():
    assert {"adaptive.theorem2.const.repaired", "hcct.theorem2.repaired"} <= {*KEYS}


# each costs seconds: one of each paper by default, all of them with -m slow
SAMPLE = {
    "aggregation.theorem3.refined",
    "adaptive.theorem2.const.repaired",
    "allforall.theorem6b.refined/class",
    "fedbc.lemmaB1i@V+traced",
    "hcct.eq40.repaired/second",
}
SAMPLED = [pytest.param(k, marks=() if k in SAMPLE else pytest.mark.slow) for k in KEYS]

EQUAL = {
    "allforall.theorem6b.repaired/relaxed": ("below",),
    "allforall.theorem7.2.repaired/relaxed": ("below",),
}
"""Facts that are equalities in all families of the statement: no run refuses the other side."""


def test_one_of_each_paper_is_sampled():
    assert {*KEYS} >= SAMPLE
    assert {k.partition(".")[0] for k in KEYS} == {k.partition(".")[0] for k in SAMPLE}


@pytest.mark.parametrize("key", SAMPLED)
@pytest.mark.every(4)
def test_the_ladder_proves_by_it(key):
    statement = as_terms(of(key)[0])
    (evidence,) = prove(statement)
    assert evidence.status == "decided"
    assert recheck(statement, evidence.proof, again=True, whole=True)
    assert told_again(statement, evidence.proof, True) == evidence
    (part,) = evidence.proof["certificates"]
    assert evidence.scope == scope_of(statement, part["written"])
    assert of(key)[1].setting.name in evidence.scope


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.every(3)
def test_its_facts_are_the_settings_and_a_smaller_bound_is_another_statement(key):
    """Runs are made where the ladder proves it, and by each run of the library."""
    document, (statement, one) = proved(key), of(key)
    assert accepts(document)
    assert unjustified(document, one.setting, converted(one.statement, one.setting)) == ""
    claim = document["claim"]
    smaller = {**claim, "right": f"({claim['right']}) - 1"}
    assert not proves(statement, {**document, "claim": smaller})


@pytest.mark.parametrize("key", SAMPLED)
@pytest.mark.every(4)
def test_no_fact_is_idle_and_no_bound_too_large(key):
    loose = [f"with {ast.unparse(ast.parse(term))} a tenth smaller" for term in LOOSE.get(key, ())]
    assert kept(unproved(key)) == loose


@pytest.mark.parametrize("key", SAMPLED)
@pytest.mark.every(6)
def test_runs_refuse_the_false_twin_of_every_fact(key):
    """And the runs that do refuse nothing in the outline as it stands."""
    document = unproved(key)
    assert measured(key)
    blaming = set()
    for fact in document["facts"]:
        rule = FACTS[fact["rule"]]
        twin = replace(rule, name="twin", says=rule.twin, declares=rule.twin_declares)
        facts = [{**f, "rule": "twin"} if f is fact else f for f in document["facts"]]
        place = refusing(key, {**document, "facts": facts}, {**FACTS, "twin": twin})
        assert (place is None) == (fact["name"] in EQUAL.get(key, ())), fact["name"]
        blaming |= set() if place is None else {place}
    assert [k for k in sorted(blaming) if refuses(key, k, document, FACTS)] == []
