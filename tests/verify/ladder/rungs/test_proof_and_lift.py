"""Proofs with symbols: what is proved, what must not be, and which emptiness proofs count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.each import each
from tests.trusted.verdict.evidence_cases import PROOF
from tests.verify.cases import SMALL, assume, claim, leaf_of, numbers
from verify.catalogue.library import library
from verify.claim.parameters import Family, Real, plain_numbers
from verify.claim.statement import Statement
from verify.ladder import assay
from verify.ladder.rungs.certificate import prove, recheck
from verify.ladder.rungs.link import check_lift
from verify.verdict.verdict import verdict
from verify.world.world import World

POSITIVE = Real(1 / 8, 8, log=True)
PER_CLIENT = Real(0, 1, per=("N",))
PER_POSITIVE = Real(1 / 8, 8, log=True, per=("N",))
CLIENTS = ({"N": 2}, {"N": 3})


def clients(build: Callable[..., Any] = plain_numbers, **box: Real) -> Family:
    return Family(box, CLIENTS, build)


def proved(statement: Statement) -> bool:
    return any(e.status == "decided" and e.proof is not None for e in prove(statement))


# -- what is true of one client alone -------------------------------------------------------------


def test_one_client_does_not_stand_for_two() -> None:
    """All squared differences between clients vanish for one client, and for no others."""

    def gaps(w: World) -> Any:
        return {"gap": (w.r[..., :, None] - w.r[..., None, :]) ** 2}, {"0": 0 * w.x[..., None]}

    pair = claim(gaps, clients(r=PER_CLIENT, x=POSITIVE))
    assert not proved(pair)
    assert assay(pair, profile=SMALL.word_alone()).verdict == "violated"


# -- what is proved --------------------------------------------------------------------------------


def _total(w: World) -> Any:
    return xp.total(w.r * w.v)


SHARES = clients(r=PER_CLIENT, v=PER_POSITIVE)
TRUE = {
    "two numbers": claim(
        lambda w: ({"4xy": 4 * w.x * w.y}, {"": (w.x + w.y) ** 2}), numbers(x=POSITIVE, y=POSITIVE)
    ),
    "sum over clients": claim(
        lambda w: ({"sum rv": _total(w)}, {"sum v": xp.total(w.v)}),
        SHARES,
        given=assume({"r <= 1": lambda w: 1 - w.r}),
    ),
    "every client": claim(
        lambda w: ({"rv": w.r * w.v}, {"v": w.v}),
        SHARES,
        given=assume({"r <= 1": lambda w: 1 - w.r}),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_truths_are_proved_for_all_parameters(name: str) -> None:
    assert proved(TRUE[name])
    leaf = assay(TRUE[name], profile=SMALL)
    assert (leaf.verdict, leaf.rung) == ("proved", "certificate")


@pytest.mark.parametrize("name", TRUE)
def test_without_its_hypothesis_or_constant_nothing_is_proved(name: str) -> None:
    true = TRUE[name]
    if name == "two numbers":
        false = replace(true, sides=lambda w: ({"": 5 * w.x * w.y}, {"": (w.x + w.y) ** 2}))
    else:
        false = replace(true, given=assume({"r <= 2": lambda w: 2 - w.r}))
    assert not proved(false)


# -- sizes -----------------------------------------------------------------------------------------


def _bernoulli(w: World) -> Any:
    """1 - Tx against (1 - x)^T where T is 1 or 2, by branches."""
    power = 1 - w.x if w.T == 1 else (1 - w.x) ** 2 if w.T == 2 else 1 - w.T * w.x
    return {"line": 1 - w.T * w.x}, {"power": power}


_UP_TO_TWO = replace(numbers({"T": 1}, {"T": 2}, x=POSITIVE), grow=())
SIZES = {
    "closed form": (lambda w: ({"x": w.x}, {"Tx": w.T * w.x}), True),
    "listed sizes only": (lambda w: ({"Tx": w.T * w.x}, {"2x": 2 * w.x}), False),
    "branches on the size": (_bernoulli, False),
    "loop": (lambda w: ({"x": w.x}, {"sum": sum((w.x for _ in range(w.T)), 0 * w.x)}), False),
}


@pytest.mark.parametrize("name", SIZES)
def test_a_proof_covers_all_sizes_or_is_none(name: str) -> None:
    sides, whole = SIZES[name]
    statement = claim(sides, _UP_TO_TWO)
    for found in prove(statement):
        assert found.proof is not None
        assert recheck(statement, found.proof)
        assert found.status == ("decided" if whole else "reported")
    assert assay(statement, profile=SMALL).verdict == ("proved" if whole else "holds")


def test_the_number_of_clients_in_a_formula_is_the_one_of_the_sum() -> None:
    def mean(factor: int) -> Any:
        return lambda w: ({"sum": xp.total(w.r) / factor}, {"N": one_of(w) * w.N})

    def one_of(w: World) -> Any:
        return 1 + 0 * w.x

    family = clients(r=PER_CLIENT, x=POSITIVE)
    bounded = {"given": assume({"r <= 1": lambda w: 1 - w.r})}
    assert proved(claim(mean(1), family, **bounded))
    for_two = claim(lambda w: ({"sum": xp.total(w.r)}, {"3": 3 * one_of(w)}), family, **bounded)
    assert not proved(for_two)  # true for the listed N = 2 and 3


def test_an_induction_is_found_and_checked_again() -> None:
    def powers(factor: float) -> Any:
        return claim(
            lambda w: ({"one": (1 + factor * w.x) ** w.T}, {"two": (1 + 2 * w.x) ** w.T}),
            numbers({"T": 1}, {"T": 2}, x=POSITIVE),
        )

    (found,) = prove(powers(1))
    assert found.status == "decided"
    assert "by induction on T: start and step" in found.summary
    assert found.proof is not None
    assert recheck(powers(1), found.proof)
    assert not recheck(powers(1.5), found.proof)
    assert not list(prove(powers(3)))
    assert assay(powers(1), profile=SMALL).verdict == "proved"


# -- builds that would smuggle one client in -------------------------------------------------------


def _first_is_zero(values: Any, shape: Any) -> Any:
    r = values["r"].copy()
    r[..., 0] = 0 * r[..., 0]
    return plain_numbers({**values, "r": r}, shape)


def _all_are_zero(values: Any, shape: Any) -> Any:
    return plain_numbers({**values, "r": 0 * values["r"]}, shape)


def _by_flat(values: Any, shape: Any) -> Any:
    r = values["r"].copy()
    r.flat[0] = 0
    return plain_numbers({**values, "r": r}, shape)


def _by_mask(values: Any, shape: Any) -> Any:
    chosen = np.arange(shape["N"]) > 0
    return plain_numbers({**values, "r": values["r"] * chosen}, shape)


def _by_bare_array(values: Any, shape: Any) -> Any:
    r = np.array(values["r"])
    r[..., 0] = 0 * r[..., 0]
    return plain_numbers({**values, "r": r}, shape)


def _dropped(values: Any, shape: Any) -> Any:
    return plain_numbers({"r": 0 * values["v"], "v": values["v"]}, shape)


BUILDS = (_first_is_zero, _all_are_zero, _by_flat, _by_mask, _by_bare_array, _dropped)


@pytest.mark.parametrize("build", BUILDS, ids=lambda b: b.__name__)
def test_a_build_that_overwrites_a_client_is_not_proved(build: Any) -> None:
    # with r = 0 throughout the claim would hold; it does for no other client
    statement = claim(
        lambda w: ({"sum rv": _total(w)}, {"0": 0 * xp.total(w.v)}),
        clients(build, r=PER_CLIENT, v=PER_POSITIVE),
    )
    assert not proved(statement)


SELECTIONS: dict[str, Callable[[Any], Any]] = {
    "index": lambda r: r[..., 0],
    "take": lambda r: r.take([0], axis=-1)[..., 0],
    "bare array": lambda r: np.asarray(r)[..., 0],
    "flat": lambda r: np.asarray(r).reshape(1, 1),
}


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_fact_about_one_client_is_not_passed_off_as_one_about_all(name: str) -> None:
    # one entry of r is no sum of all of them: with one client the two would be the same
    pick = SELECTIONS[name]
    statement = claim(
        lambda w: ({"sum": xp.total(w.r)}, {"one": pick(w.r)}),
        clients(r=PER_CLIENT, v=PER_POSITIVE),
    )
    assert not proved(statement)


def test_claims_over_noise_or_instances_are_left_to_the_other_rungs() -> None:
    for change in ({"over": "path"}, {"quantifier": "some"}):
        assert not list(prove(replace(TRUE["two numbers"], **change)))


def test_a_mean_of_numbers_without_noise_is_these_numbers() -> None:
    assert proved(replace(TRUE["two numbers"], over="mean"))


@pytest.mark.parametrize("factor", [1, 5])
def test_contradicting_hypotheses_prove_no_claim(factor: int) -> None:
    made = claim(
        lambda w: ({"x": factor * w.x}, {"y": w.y}),
        numbers(x=POSITIVE, y=POSITIVE),
        given=assume({"x <= y": lambda w: w.y - w.x, "x >= 2y": lambda w: w.x - 2 * w.y}),
    )
    assert assay(made, profile=SMALL).verdict in ("vacuous", "inconclusive")


# -- emptiness proofs ------------------------------------------------------------------------------

EMPTY = [leaf for entry in library() for leaf in entry.leaves if leaf.empties]


def parent(empty: Statement) -> Statement:
    known = {leaf.key: leaf for entry in library() for leaf in entry.leaves}
    return known.get(empty.empties) or library().entry(empty.empties).leaves[0]


@each("empty", EMPTY, ids=lambda s: s.key)
def test_committed_emptiness_proofs_speak_of_their_statement(empty: Statement) -> None:
    for seed in (0, 1):
        found = check_lift(empty, parent(empty), seed)
        assert found.status == "reported", found.summary


@each("empty", EMPTY, ids=lambda s: s.key)
def test_a_further_hypothesis_breaks_the_link(empty: Statement) -> None:
    first = empty.given[0].rule
    more = assume({"never said": lambda w: -1 - 0 * first(w)})
    found = check_lift(replace(empty, given=(*empty.given, *more)), parent(empty), 0)
    assert found.status == "undecided"
    assert "never said" in found.summary
    assert verdict([PROOF, found]).word == "inconclusive"


BOX = numbers(x=Real(-2, 2), y=Real(-2, 2))
ASSUMES = claim(
    lambda w: ({"x": w.x}, {"y": w.y}),
    BOX,
    given=assume({"x >= 1": lambda w: w.x - 1, "x <= 0": lambda w: -w.x}),
)


def refutes(given: dict[str, Any], lift: Any) -> Statement:
    return claim(
        lambda w: ({"1": 1}, {"0": 0}),
        numbers(z=Real(-2, 2)),
        form="empty",
        given=assume(given),
        empties="test.claim",
        lift=lift,
        key="test.claim.empty",
    )


LIFTS = {
    "the same hypotheses": (
        {"z >= 1": lambda w: w.z - 1, "z <= 0": lambda w: -w.z},
        lambda w: {"z": w.x},
        "reported",
    ),
    "weaker hypotheses": (
        {"z >= 1/2": lambda w: w.z - 1 / 2, "z <= 1/4": lambda w: 1 / 4 - w.z},
        lambda w: {"z": w.x},
        "reported",
    ),
    "a stronger one": (
        {"z >= 3/2": lambda w: w.z - 3 / 2, "z <= 0": lambda w: -w.z},
        lambda w: {"z": w.x},
        "undecided",
    ),
    "about another number": (
        {"z >= 1": lambda w: w.z - 1, "z <= 0": lambda w: -w.z},
        lambda w: {"z": w.y},
        "undecided",
    ),
    "no lift": ({"z >= 1": lambda w: w.z - 1}, None, "undecided"),
}


@pytest.mark.parametrize("name", LIFTS)
def test_hypotheses_of_the_proof_must_follow(name: str) -> None:
    given, lift, status = LIFTS[name]
    assert check_lift(refutes(given, lift), ASSUMES, 0).status == status


def test_a_proof_about_a_missing_statement_counts_for_nothing() -> None:
    assert check_lift(refutes(*LIFTS["the same hypotheses"][:2]), None, 0).status == "undecided"


def test_a_proof_for_any_dimension_says_so() -> None:
    """It said "in every dimension it has (1)": the plainest case stands beside the general one."""
    assert leaf_of("norminf(x) <= norm(x) for vectors x").reason.endswith(", in any dimension")
