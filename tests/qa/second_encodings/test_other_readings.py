"""Leaves under the other options of a paper's axes are what some reading of a second encoding says.

The literal leaves are in `test_agreement`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.qa.second_encodings.aggregation import encodings as aggregation
from tests.qa.second_encodings.compare import compare
from tests.qa.second_encodings.test_agreement import ENCODINGS, LITERAL, OTHERS
from verify.catalogue.library import library
from verify.claim import Statement
from verify.claim.axes import options_of, part_of

COUNT = 240
LEAVES: dict[str, Statement] = {
    leaf.key: leaf
    for paper in ("aggregation", "fedbc", "hcct")
    for entry in library().select(paper=paper)
    for leaf in entry.leaves
    if part_of(leaf.key) in ENCODINGS and leaf.key != LITERAL[part_of(leaf.key)].key
}
READING: dict[str, str] = {
    "fedbc.lemmaB1i@V+printed+as-met": "",
    "fedbc.lemmaB2@V": "closed_domain+orders, before (81)",
    "hcct.theorem1@bounded+loss": "",
    "hcct.theorem1@bounded+error": "absolute error",
    "hcct.theorem2@algorithm+divided": "averaged_sum",
    "hcct.theorem2@own-models+undivided": "own_models",
    "hcct.theorem2@own-models+divided": "own_models+averaged_sum",
    "hcct.corollary1/recalled@own-models": "own",
}
"""Leaf -> reading of its second encoding, nothing for the literal one."""
_MENDED = "read past a slip; the second has what is printed"
APART = {
    "fedbc.grad/18@all-clients": _MENDED,
    "fedbc.lemmaB1i@V+traced": _MENDED,
    "fedbc.lemmaB1ii@traced": _MENDED,
    "fedbc.explicit90@traced": _MENDED,
    "fedbc.lemmaB1ii@printed+derived": "asks for what comes in after (61) too",
    "fedbc.lemmaB1i@V+printed+derived": "also on losses whose constants the second does not know",
    "fedbc.corollary46@relaxed": "0/0 of the server step: the second takes the plain mean",
    **{key: "no instance meets the hypotheses" for key in LEAVES if key.endswith("@space")},
}
"""Leaves that no reading of the second encodings is, and why."""


def _reading(key: str) -> str:
    """The reading that the options of a leaf name."""
    options = options_of(key)
    if key in READING:
        return READING[key]
    if key.startswith("hcct.lemma1/"):
        return ""
    if part_of(key).endswith(("eq17", "eq19")):
        return "past, T rounds" if "rounds" in options else "past"
    words = ["past, round"]
    words += ["p in the centre"] if "section2" in options else []
    words += ["end"] if "endless" in options else []
    if "rounds" in options:
        words.append("T rounds")
    elif "iterations" in options:
        words.append("within a round")
    return ", ".join(words)


@pytest.mark.parametrize("key", sorted(LEAVES.keys() - APART.keys()))
def test_a_leaf_is_what_the_second_encoding_says_in_its_reading(key: str) -> None:
    part, name = part_of(key), _reading(key)
    found = compare(OTHERS[part][name] if name else ENCODINGS[part], LEAVES[key], count=COUNT)
    assert found.same, str(found)


def test_named_leaves_exist() -> None:
    assert READING.keys() | APART.keys() <= LEAVES.keys()


def test_a_planted_slip_is_seen() -> None:
    """Negative control: half of the noise term of (9) is lost."""
    key = "aggregation.theorem3@run+algorithm+loop"
    second = OTHERS["aggregation.theorem3"][_reading(key)]

    def halved(w: Any) -> Any:
        left, right = aggregation.theorem3(w)
        return left, {**right, "noise": right["noise"] / 2}

    found = compare(replace(second, sides=halved), LEAVES[key], count=COUNT)
    assert found.result == "sides differ"
