"""A corpus of benign instances, with right digests, makes no false claim hold.

So it was with 32 of the 200 planted falsehoods: the record said that a long search had been made,
and a short one went on from it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bounds import generic as xp
from tests.each import each
from tests.qa.calibration.cases import PLANTED_FALSEHOODS
from tests.qa.calibration.record import Planted
from tests.verify.cases import claim as made
from tests.verify.cases import numbers
from tests.verify.corpus.forging import NO_PROOF, benign, benign_points
from verify.claim import Real
from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay
from verify.ladder.search.seeds import Kept, Seeds
from verify.line.written import one_line
from verify.world.world import World

QUICK = PROFILES["quick"]
WORD = QUICK.word_alone()
EVERY = 7
"""Which of the planted falsehoods are forged here; ``pytest -m slow`` forges the others."""

TURNED = (
    "false.constant.inside",
    "false.edge.threshold",
    "false.corner.moment",
    "false.active.product_corner",
    "false.active.descent",
    "false.law.upper_half",
)
"""Some of those that a benign record has made hold."""

SAMPLE = [
    p for k, p in enumerate(PLANTED_FALSEHOODS) if k % EVERY == 0 or p.statement.key in TURNED
]
OTHERS = [p for p in PLANTED_FALSEHOODS if p not in SAMPLE]


def wrong(planted: Planted) -> str:
    """The word of a falsehood beside a benign record, where it is wrong."""
    word = assay(planted.statement, profile=WORD, kept=benign(planted.statement)).verdict
    return word if word in ("holds", "proved", "vacuous") else ""


@each("planted", SAMPLE, ids=lambda p: p.statement.key)
def test_no_falsehood_holds_by_a_benign_record(planted: Planted) -> None:
    assert not wrong(planted)


@pytest.mark.slow
@each("planted", OTHERS, ids=lambda p: p.statement.key)
def test_no_other_falsehood_holds_by_a_benign_record(planted: Planted) -> None:
    assert not wrong(planted)


@pytest.mark.parametrize("key", TURNED)
def test_nor_by_one_that_came_with_the_package(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There a part of the budget sees nothing of it; without that part the word is wrong."""
    claim = next(p.statement for p in PLANTED_FALSEHOODS if p.statement.key == key)
    shipped = benign(claim).of_the_package()
    assert assay(claim, profile=WORD, kept=shipped).verdict == "violated"
    monkeypatch.setattr("verify.ladder.budgets.AFRESH", 10**9)
    assert assay(claim, profile=WORD, kept=shipped).verdict == "holds"


TRUE = one_line("x^(1/2)*y^(1/2) <= x + y for x in [0, 10], y in [0, 10]")


def test_a_word_says_first_that_it_began_with_kept_evidence() -> None:
    cold = assay(TRUE, profile=replace(QUICK, effort=1))
    assert (cold.verdict, cold.keep is None) == ("holds", False)
    assert "kept evidence" not in cold.reason
    assert cold.keep is not None
    kept = cold.keep()
    warm = assay(TRUE, profile=QUICK, kept=kept.of_the_package())
    assert warm.verdict == "holds"
    afresh = next(e for e in warm.evidence if e.rung == "search").details["kept"]
    assert afresh["instances"] == len(kept.families[0].points)
    assert afresh["afresh"] >= QUICK.evaluations / 10
    said = f"began with kept evidence: {afresh['instances']} instances scored again, beside "
    assert warm.reason.startswith(f"{said}{afresh['afresh']} evaluated afresh; ")


def test_a_corpus_of_one_s_own_is_no_search() -> None:
    """What it says of evaluations, of survivors and of places left open counts for nothing."""
    own = benign(TRUE)
    unproved = replace(WORD, effort=1)
    found, cold = (assay(TRUE, profile=unproved, kept=k) for k in (own, None))
    assert (found.verdict, found.power) == (cold.verdict, cold.power)
    assert found.tightness == cold.tightness
    tried = [sum(e.tried for e in leaf.evidence if e.rung == "search") for leaf in (found, cold)]
    assert tried[0] == tried[1], "instances that were evaluated in this run alone"


def test_what_a_record_says_of_proofs_is_told_as_its_word() -> None:
    forged = replace(NO_PROOF, summary="refuted by twelve referees")
    seeds = Seeds(10**9, benign_points(TRUE, TRUE.family), (forged,))
    for kept in (Kept((seeds,)), Kept((seeds,), shipped=True)):
        leaf = assay(TRUE, profile=WORD, kept=kept)
        said = [e.summary for e in leaf.evidence if e.rung == "certificate"]
        assert said == [
            "no proof was looked for: what was kept says that an earlier search found none"
        ]


def test_what_is_said_of_a_kept_proof_is_found_anew() -> None:
    claim = one_line("4*x*y <= (x + y)^2 for x, y >= 0")
    cold = assay(claim, profile=WORD)
    assert cold.verdict == "proved"
    assert cold.keep is not None
    kept = cold.keep()
    (item,) = kept.families[0].certificate
    boast = replace(item, summary="proved for all x, by Gauss", scope="everything")
    main = replace(kept.families[0], certificate=(boast,))
    for one in (replace(kept, families=(main,)), Kept((main,), shipped=True)):
        warm = assay(claim, profile=WORD, kept=one)
        assert (warm.verdict, warm.reason) == (cold.verdict, cold.reason)
        assert "everything" not in [e.scope for e in warm.evidence]


def test_a_proof_of_a_smaller_text_is_read_again_at_all_points() -> None:
    """A program that behaves otherwise at one size has no proof, whoever says so."""

    def claim(trick: bool) -> Statement:
        def sides(w: World) -> Any:
            clients = w.x.shape[-1]
            more = clients * xp.total(w.x**2)
            return {"l": xp.total(w.x) ** 2}, {"r": more / 2 if trick and clients == 7 else more}

        family = numbers({"N": 2}, {"N": 3}, x=Real(0, 4, per=("N",)))
        return made(sides, family, key="forged.sizes")

    honest = assay(claim(False), profile=WORD)
    assert honest.keep is not None
    kept = honest.keep()
    assert honest.verdict == "proved"
    assert assay(claim(True), profile=WORD, kept=kept).verdict != "proved"


def test_a_further_family_is_searched_whatever_is_kept_of_it() -> None:
    """A proof speaks of the main family; of the other benign instances are kept."""
    other = numbers(x=Real(-4, -3))
    claim = made(lambda w: ({"l": w.x}, {"r": 2 * w.x}), numbers(x=Real(0, 4)), key="forged.other")
    proof = assay(claim, profile=WORD)
    assert proof.verdict == "proved"
    assert proof.keep is not None
    both = replace(claim, also=(other,))
    forged = Kept((proof.keep().families[0], Seeds(10**9, benign_points(both, other))))
    assert assay(both, profile=WORD).verdict == "violated"
    assert assay(both, profile=WORD, kept=forged).verdict == "violated"
