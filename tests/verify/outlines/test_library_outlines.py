"""Outlines of the library's statements: proved, told, lost where cut, false where false."""

from dataclasses import replace

import pytest

from tests.verify.outlines.library import is_refused, keys, measured, of, proved, unproved
from verify.ladder.rungs.proof import prove, recheck, told_again
from verify.outlines.proved import proves
from verify.outlines.scoped import scope_of
from verify.proof.controls import kept
from verify.proof.facts import FACTS
from verify.terms.claims import as_terms

KEYS = keys()


def test_there_are_outlines():
    assert {"adaptive.theorem2.const.repaired", "hcct.theorem2.repaired"} <= {*KEYS}


@pytest.mark.parametrize("key", KEYS)
def test_the_ladder_proves_by_it(key):
    statement = as_terms(of(key)[0])
    (evidence,) = prove(statement)
    assert evidence.status == "decided"
    assert recheck(statement, evidence.proof, whole=True)
    assert told_again(statement, evidence.proof, True) == evidence
    assert evidence.scope == scope_of(statement, proved(key))
    assert of(key)[1].setting.name in evidence.scope


@pytest.mark.parametrize("key", KEYS)
def test_a_smaller_bound_is_another_statement(key):
    document = proved(key)
    claim = document["claim"]
    smaller = {**claim, "right": f"9/10*({claim['right']})"}
    assert proves(of(key)[0], document)
    assert not proves(of(key)[0], {**document, "claim": smaller})


# each costs seconds: one of each paper by default, all of them with -m slow
SAMPLE = {
    "adaptive.theorem2.const.repaired",
    "allforall.theorem6b.refined/class",
    "hcct.eq40.repaired/second",
}
SAMPLED = [pytest.param(k, marks=() if k in SAMPLE else pytest.mark.slow) for k in KEYS]


@pytest.mark.parametrize("key", SAMPLED)
def test_no_fact_is_idle_and_no_bound_too_large(key):
    assert kept(unproved(key)) == []


@pytest.mark.parametrize("key", SAMPLED)
def test_runs_refuse_the_false_twin_of_every_fact(key):
    document = unproved(key)
    assert measured(key)
    assert not is_refused(key, document, FACTS)
    for fact in document["facts"]:
        rule = FACTS[fact["rule"]]
        twin = replace(rule, name="twin", says=rule.twin, declares=rule.twin_declares)
        facts = [{**f, "rule": "twin"} if f is fact else f for f in document["facts"]]
        false = {**document, "facts": facts}
        assert is_refused(key, false, {**FACTS, "twin": twin}), fact["name"]
