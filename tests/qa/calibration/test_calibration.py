"""The ladder on claims whose truth is known: no truth is accused, the falsehoods are found."""

from __future__ import annotations

import json
from functools import cache

import pytest

from tests.each import each
from tests.qa.calibration.textbook import falsehoods, truths
from tests.qa.calibration.textbook.falsehoods import CONTROLS, EMPTY, FALSEHOODS
from tests.qa.calibration.textbook.truths import TRUTHS
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ladder import PROFILES, Leaf, assay
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import ACCUSE
from verify.world.referee import rescore

SEED, QUICK = 0, PROFILES["quick"].word_alone()
MORE_SEEDS = (1, 2, 3, 4)
STATEMENTS = {s.key: s for s in (*TRUTHS, *FALSEHOODS, *EMPTY, *CONTROLS)}


@cache
def leaf(key: str, seed: int, refuted: str = "") -> Leaf:
    """Verdict on a statement, told that its hypotheses are empty if that has been proved."""
    links: list[Evidence] = []
    if refuted:
        found = leaf(refuted, seed)
        link = {"kind": "empty", "key": refuted, "verdict": found.verdict}
        links.append(Evidence("link", "decided", "the hypotheses contradict each other", link=link))
    statement = STATEMENTS[key]
    parent = STATEMENTS.get(statement.empties)
    return assay(statement, profile=QUICK, seed=seed, links=links, parent=parent)


def is_supported(statement: Statement, seed: int) -> bool:
    return leaf(statement.key, seed).verdict in ("proved", "holds")


def is_found(statement: Statement, seed: int) -> bool:
    """A witness that the referee confirms from its JSON form, or proved emptiness."""
    empty = next((e for e in EMPTY if e.empties == statement.key), None)
    if empty is not None:
        proof = leaf(empty.key, seed)
        told = leaf(statement.key, seed, empty.key)
        return (proof.verdict, proof.rung, told.verdict) == ("proved", "certificate", "vacuous")
    found = leaf(statement.key, seed)
    if found.verdict != "violated" or found.witness is None:
        return False
    instance = Instance.from_json(json.loads(json.dumps(found.witness["instance"])))
    return rescore(statement, instance).violated


@each("statement", TRUTHS, ids=lambda s: s.key, every=4)
def test_no_truth_is_accused(statement: Statement) -> None:
    found = leaf(statement.key, SEED)
    assert found.verdict in ("proved", "holds", "inconclusive"), found.reason
    assert found.witness is None or statement.quantifier == "some"


NEVER = "truth.sgd.almost_surely"  # the probability of an event that occurs on no instance


@each("statement", [s for s in TRUTHS if s.key != NEVER], ids=lambda s: s.key, every=4)
def test_truths_are_tight_where_they_should_be(statement: Statement) -> None:
    tightness = leaf(statement.key, SEED).tightness
    assert tightness is not None
    assert tightness["ratio"] >= 0.98


@pytest.mark.parametrize("seed", range(3))
def test_rounding_feigns_no_probability(seed: int) -> None:
    tightness = leaf(NEVER, seed).tightness
    assert tightness is not None
    assert tightness["ratio"] == 0


def test_truths_are_supported() -> None:
    assert not {s.key for s in TRUTHS if not is_supported(s, SEED)}


def test_identity_in_the_number_of_clients_is_proved() -> None:
    assert leaf("truth.weights", SEED).verdict == "proved"


SOME = [statement for k, statement in enumerate(FALSEHOODS) if k % 3 == 0]
"""Falsehoods that are judged by default; ``pytest -m slow`` judges all, on four more seeds."""


@each("statement", SOME, ids=lambda s: s.key)
def test_falsehoods_are_found(statement: Statement) -> None:
    assert is_found(statement, SEED), leaf(statement.key, SEED).reason


@each("statement", SOME, ids=lambda s: s.key)
def test_witnesses_are_small(statement: Statement) -> None:
    witness = leaf(statement.key, SEED).witness
    if witness is None:
        assert ".empty." in statement.key
        return
    data = witness["instance"]["data"]
    assert len(data.get("sigma", ())) <= 3
    assert len(json.dumps(witness["instance"]["params"])) <= 200


@pytest.mark.parametrize("statement", CONTROLS, ids=lambda s: s.key)
def test_no_false_claim_of_existence_is_proved(statement: Statement) -> None:
    assert leaf(statement.key, SEED).verdict in ("inconclusive", "violated")


@pytest.mark.parametrize("statement", truths.SIMULATED, ids=lambda s: s.key)
def test_simulated_truth_at_its_bound_is_not_accused(statement: Statement) -> None:
    found = assay(statement, profile=QUICK, seed=SEED)
    assert found.verdict == "holds"
    assert sum(e.rung == "simulation" and e.status == "reported" for e in found.evidence) == 3


@pytest.mark.parametrize("statement", falsehoods.SIMULATED, ids=lambda s: s.key)
def test_simulated_falsehood_is_found(statement: Statement) -> None:
    found = assay(statement, profile=QUICK, seed=SEED)
    assert (found.verdict, found.rung) == ("violated", "simulation")
    witness = next(e.witness for e in found.evidence if e.witness is not None)
    assert witness["number"] == "simulated"
    assert witness["e_value"] >= ACCUSE


def test_same_seed_same_leaf() -> None:
    for key in ("truth.sgd.horizon", "false.level.half"):
        first, second = (
            assay(STATEMENTS[key], profile=PROFILES["quick"], seed=7).to_json() for _ in range(2)
        )
        first.pop("seconds"), second.pop("seconds")
        assert first == second


@pytest.mark.slow
@pytest.mark.parametrize("seed", [SEED, *MORE_SEEDS])
def test_every_falsehood_and_truth_on_several_seeds(seed: int) -> None:
    accused = {s.key for s in TRUTHS if leaf(s.key, seed).verdict in ("violated", "vacuous")}
    assert not accused
    assert not {s.key for s in TRUTHS if not is_supported(s, seed)}
    assert not {s.key for s in FALSEHOODS if not is_found(s, seed)}
