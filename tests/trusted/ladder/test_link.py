"""The lift: which hypotheses of an emptiness proof follow from those of the refuted statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import positive
from tests.trusted.verdict.evidence_cases import PROOF
from tests.verify.cases import assume, claim, numbers
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.ladder.rungs import tuning
from verify.ladder.rungs.link import check_lift
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import verdict
from verify.world.world import World

LINE, PLANE = numbers(x=Real(-2, 2)), numbers(x=Real(-2, 2), y=Real(-2, 2))
RANDOM = tuning.LINK_INSTANCES // 2
ON_LINE = 17 + RANDOM
"""A grid of 17 places fits into half of the instances; the other half is random."""


def parent(given: Mapping[str, Any], family: Family = LINE, **more: Any) -> Statement:
    strict = more.pop("strict", ())
    return claim(lambda w: ({"0": 0}, {"1": 1}), family, given=assume(given, strict), **more)


def same(w: World) -> dict[str, Any]:
    return {"z": w.x}


def proof(given: Mapping[str, Any], lift: Any = same, strict: Any = ()) -> Statement:
    return claim(
        lambda w: ({"1": 1}, {"0": 0}),
        numbers(z=Real(-2, 2)),
        key="test.claim.empty",
        given=assume(given, strict),
        empties="test.claim",
        lift=lift,
    )


def adrift(name: str, **sources: str) -> Evidence:
    return Evidence(
        "link",
        "undecided",
        f"{name} does not follow from one hypothesis of the statement",
        details={"sources": sources},
    )


def follows(tried: int, **sources: str) -> Evidence:
    return Evidence(
        "link",
        "reported",
        "every hypothesis of the proof follows from one of the statement's on "
        f"{tried} sampled instances",
        tried=tried,
        details={"sources": sources},
    )


POSITIVE = {"h": lambda w: w.x}
"""x >= 0, on half of the instances."""


# -- by hand ---------------------------------------------------------------------------------------


def test_the_same_hypothesis_follows_from_itself() -> None:
    found = check_lift(proof({"h": lambda w: w.z}), parent(POSITIVE), 0)
    assert found == follows(ON_LINE, h="h")
    assert verdict([PROOF, found]).word == "proved"


def test_a_weaker_hypothesis_follows_from_a_stronger_one() -> None:
    found = check_lift(proof({"weak": lambda w: w.z + 1 / 2}), parent(POSITIVE), 0)
    assert found == follows(ON_LINE, weak="h")


def test_a_stronger_hypothesis_does_not_follow() -> None:
    found = check_lift(proof({"strong": lambda w: w.z - 1 / 2}), parent(POSITIVE), 0)
    assert found == adrift("strong")
    assert verdict([PROOF, found]).word == "inconclusive"


def test_a_fact_about_all_instances_needs_no_hypothesis() -> None:
    facts = {"square": lambda w: w.z**2, "h": lambda w: w.z}
    assert check_lift(proof(facts), parent(POSITIVE), 0) == follows(ON_LINE, square="always", h="h")


def test_what_was_found_before_the_gap_is_told() -> None:
    facts = {"square": lambda w: w.z**2, "gap": lambda w: w.z - 1, "never": lambda w: w.z - 9}
    assert check_lift(proof(facts), parent(POSITIVE), 0) == adrift("gap", square="always")


def test_two_hypotheses_together_are_not_one() -> None:
    both = parent({"x": lambda w: w.x, "y": lambda w: w.y}, PLANE)
    lift = lambda w: {"z": w.x, "v": w.y}  # noqa: E731
    each = check_lift(proof({"a": lambda w: w.z, "b": lambda w: w.v}, lift), both, 0)
    assert each == follows(25 + RANDOM, a="x", b="y")
    product = proof({"xy": lambda w: w.z * w.v}, lift)
    assert check_lift(product, both, 0) == adrift("xy")


def test_of_several_sources_its_own_name_goes_first_then_the_widest() -> None:
    wide = {"narrow": lambda w: w.x - 1, "wide": lambda w: w.x, "mid": lambda w: w.x - 1 / 2}
    one = proof({"h": lambda w: w.z})
    assert check_lift(one, parent(wide), 0).details == {"sources": {"h": "wide"}}
    same = parent({**wide, "h": lambda w: w.x - 3 / 2})
    assert check_lift(one, same, 0).details == {"sources": {"h": "h"}}


def test_a_hypothesis_of_the_same_name_is_not_enough() -> None:
    assert check_lift(proof({"h": lambda w: -w.z}), parent(POSITIVE), 0) == adrift("h")


@pytest.mark.parametrize(
    ("of_proof", "of_parent", "status"),
    [
        ((), (), "reported"),
        (("h",), (), "undecided"),
        ((), ("h",), "reported"),
        (("h",), ("h",), "reported"),
    ],
)
def test_strict_hypotheses_do_not_follow_from_their_edge(
    of_proof: tuple[str, ...], of_parent: tuple[str, ...], status: str
) -> None:
    # the grid holds the edge x = 0
    made = proof({"h": lambda w: w.z}, strict=of_proof)
    assert check_lift(made, parent(POSITIVE, strict=of_parent), 0).status == status


# -- planted faults: nothing was seen --------------------------------------------------------------

NOTHING = Evidence("link", "undecided", "the refuted statement or the lift to it is missing")


def test_a_missing_statement_or_lift_links_nothing() -> None:
    made = proof({"h": lambda w: w.z})
    assert check_lift(made, None, 0) == NOTHING
    assert check_lift(replace(made, lift=None), parent(POSITIVE), 0) == NOTHING
    assert check_lift(replace(made, lift=None), None, 0) == NOTHING


def test_nothing_follows_from_a_hypothesis_that_was_never_met() -> None:
    # on no instance at all, so that "wherever it holds" would be said of nothing
    never = parent({"x >= 9": lambda w: w.x - 9})
    assert check_lift(proof({"z <= -9": lambda w: -9 - w.z}), never, 0) == adrift("z <= -9")
    beside = parent({"x >= 9": lambda w: w.x - 9, "x >= 0": lambda w: w.x})
    found = check_lift(proof({"z >= 0": lambda w: w.z}), beside, 0)
    assert found.details == {"sources": {"z >= 0": "x >= 0"}}


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nothing_follows_where_the_lift_has_no_value(value: float) -> None:
    nowhere = proof({"h": lambda w: w.z}, lambda w: {"z": value + 0 * w.x})
    assert check_lift(nowhere, parent(POSITIVE), 0) == adrift("h")
    true = proof({"square": lambda w: w.z**2}, lambda w: {"z": value + 0 * w.x})
    assert check_lift(true, parent(POSITIVE), 0) == adrift("square"), "not even what always holds"


def test_a_proof_without_hypotheses_rests_on_nothing() -> None:
    assert check_lift(proof({}), parent(POSITIVE), 0) == follows(ON_LINE)


def test_from_a_statement_without_hypotheses_only_facts_follow() -> None:
    bare = parent({})
    assert check_lift(proof({"h": lambda w: w.z}), bare, 0) == adrift("h")
    found = check_lift(proof({"square": lambda w: w.z**2}), bare, 0)
    assert (found.status, found.details) == ("reported", {"sources": {"square": "always"}})
    assert found.tried == 0, "no instance has met a hypothesis"
    assert check_lift(proof({}), bare, 0).status == "reported"


# -- which instances count -------------------------------------------------------------------------


def test_instances_outside_the_domain_of_the_lift_are_left_out() -> None:
    # a root where x is negative has no value; elsewhere it is at least 0
    root = proof({"root": lambda w: w.z}, lambda w: {"z": np.sqrt(w.x)})
    found = check_lift(root, parent({"any": lambda w: 3 + w.x}), 0)
    assert found.details == {"sources": {"root": "always"}}
    assert ON_LINE // 3 < found.tried < 2 * ON_LINE // 3, "about half of the line"


def test_an_instance_counts_only_if_every_scalar_has_a_value() -> None:
    def lift(w: World) -> dict[str, Any]:
        return {"z": w.x, "t": np.stack([w.y, np.where(w.y > 0, w.y, np.nan)], -1)}

    made = proof({"t": lambda w: w.t}, lift)
    found = check_lift(made, parent({"any": lambda w: 3 + w.x}, PLANE), 0)
    assert found.details == {"sources": {"t": "always"}}, "where t has all its values"
    every = proof({"u": lambda w: w.u}, lambda w: {"u": np.stack([w.x, w.x + w.y], -1)})
    one = check_lift(every, parent({"x": lambda w: w.x, "y": lambda w: w.y}, PLANE), 0)
    assert one == adrift("u"), "its smallest entry decides"


def test_a_lift_may_step_outside_a_domain_without_a_word() -> None:
    def lift(w: World) -> dict[str, Any]:
        positive("x", w.x)
        return {"z": w.x, "v": 1 / (w.x - w.x)}

    found = check_lift(proof({"h": lambda w: w.z}, lift), parent(POSITIVE), 0)
    assert found == adrift("h"), "0/0 is no value"


def test_instances_of_all_shapes_are_gathered() -> None:
    family = numbers({"n": 1}, {"n": 2}, x=Real(-2, 2))
    found = check_lift(proof({"h": lambda w: w.z}), parent(POSITIVE, family), 0)
    assert found == follows(2 * ON_LINE, h="h")
    # true in the first shape, false in the second
    made = proof({"h": lambda w: w.z * w.sign}, lambda w: {"z": w.x, "sign": 3 - 2 * w.n + 0 * w.x})
    assert check_lift(made, parent(POSITIVE, family), 0) == adrift("h")


def test_a_hypothesis_about_no_symbol_holds_on_every_instance() -> None:
    made = proof({"one": lambda w: 1, "h": lambda w: w.z})
    found = check_lift(made, parent({"two": lambda w: 2, **POSITIVE}), 0)
    assert found == follows(ON_LINE, one="always", h="h")


def test_a_hypothesis_of_the_statement_must_hold_on_every_outcome() -> None:
    def margin(w: World) -> Any:
        w.outcome_weights = np.array([[0.5, 0.5]])
        return np.concatenate([w.x, w.x - 1], axis=1)

    later = parent({"x, and then x - 1": margin})
    found = check_lift(proof({"z >= 1": lambda w: w.z - 1}), later, 0)
    assert found == follows(ON_LINE, **{"z >= 1": "x, and then x - 1"})


def test_instances_are_half_simple_and_half_random_and_a_seed_repeats_them() -> None:
    clients = Family({"r": Real(0, 1, per=("N",))}, ({"N": 5}, {"N": 6}))
    seen: list[Any] = []

    def watched(w: World) -> dict[str, Any]:
        seen.append(w.r[:, 0])
        return {"z": w.r.min(-1)}

    def instances(seed: int) -> list[Any]:
        seen.clear()
        least = parent({"h": lambda w: w.r.min(-1) - 1 / 2}, clients)
        assert check_lift(proof({"h": lambda w: w.z - 1 / 2}, watched), least, seed) == follows(
            2 * tuning.LINK_INSTANCES, h="h"
        )
        return list(seen)

    first, again, other = instances(3), instances(3), instances(4)
    assert [len(r) for r in first] == [tuning.LINK_INSTANCES, tuning.LINK_INSTANCES]
    for r in first:
        simple = np.isin(r, np.arange(5) / 4).all(axis=1)
        assert simple[:RANDOM].all()
        assert not simple[RANDOM:].any()
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert not any((a == b).all() for a, b in zip(first, other, strict=True))


def test_a_scalar_of_a_proof_may_bear_any_name() -> None:
    # a problem would lend beta itself; bare numbers have none
    made = proof({"h": lambda w: w.beta}, lambda w: {"beta": w.x})
    assert check_lift(made, parent(POSITIVE), 0) == follows(ON_LINE, h="h")


def test_a_hypothesis_that_nothing_meets_is_known_by_its_margins() -> None:
    never = parent({"h": lambda w: -1 - w.x**2})
    assert check_lift(proof({"h": lambda w: -1 - w.z**2}), never, 0).status == "reported"
    assert check_lift(proof({"h": lambda w: -2 - w.z**2}), never, 0).status == "undecided"
    constant = parent({"h": lambda w: 0 * w.x - 1})
    assert check_lift(proof({"h": lambda w: 0 * w.z - 1}), constant, 0).status == "undecided"
