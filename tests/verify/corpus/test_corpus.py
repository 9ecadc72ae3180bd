"""What is kept of a run is scored again, and no change of it makes a verdict wrong."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from verify.claim import Hypothesis, Real, numbers, statement
from verify.claim.statement import Statement
from verify.corpus.files import SCHEMA, Corpus, _line, beside, record_of
from verify.ladder import PROFILES, Leaf, assay
from verify.ladder.search.seeds import Kept, Seed, Seeds
from verify.ladder.search.tuning import SEEDS_TIGHT
from verify.line.written import one_line
from verify.verdict.evidence import Evidence

QUICK = PROFILES["quick"]
BOX = {"x": Real(0, 10), "y": Real(0, 10)}


def claim(factor: Any, key: str = "kept.mean") -> Statement:
    @statement(
        key,
        where="Lemma 1",
        latex="x",
        family=numbers(BOX, about="two non-negative numbers"),
        given=[Hypothesis("x is at least 1", "x", lambda w: w.x - 1, where="Lemma 1")],
    )
    def sides(w: Any) -> Any:
        square = (w.x + w.y) ** 2
        return {"product": factor * w.x * w.y}, {"square": square, "spare": w.x * 0 + 1}

    return sides


def claim_of_one(breaks: Any) -> Statement:
    """A number is at most 1, but where a condition holds."""

    @statement(
        "kept.spike", where="Lemma 1", latex="x", family=numbers({"x": Real(0, 1, domain=(0, 1))})
    )
    def sides(w: Any) -> Any:
        return {"x": xp.where(breaks(w), 2 + w.x, w.x)}, {"1": 1}

    return sides


FALSE, TRUE = claim(5), claim(4, "kept.true")


@pytest.fixture(scope="module")
def cold() -> dict[str, Leaf]:
    return {one.key: assay(one, profile=QUICK) for one in (FALSE, TRUE)}


@pytest.fixture(scope="module")
def corpus(cold: dict[str, Leaf]) -> Corpus:
    return Corpus({}).with_records({one.key: record(one, cold) for one in (FALSE, TRUE)})


def record(one: Statement, cold: dict[str, Leaf]) -> dict[str, Any]:
    keep = cold[one.key].keep
    assert keep is not None
    return record_of(one, keep())


def tried(leaf: Leaf) -> int:
    return max(e.tried for e in leaf.evidence)


@pytest.mark.parametrize("one", [FALSE, TRUE], ids=["false", "true"])
def test_a_kept_search_is_judged_again_at_a_fraction_of_the_cost(
    one: Statement, cold: dict[str, Leaf], corpus: Corpus
) -> None:
    before, after = cold[one.key], assay(one, profile=QUICK, kept=corpus.kept(one))
    assert after.verdict == before.verdict
    assert before.tightness is not None
    assert after.tightness is not None
    assert after.tightness["ratio"] == pytest.approx(before.tightness["ratio"])
    assert tried(after) < tried(before) / 2


def test_laws_of_growth_are_told_again_from_their_instances(
    cold: dict[str, Leaf], corpus: Corpus
) -> None:
    before = cold[FALSE.key].searched
    assert before
    kept = corpus.kept(FALSE)
    assert kept is not None
    warm = assay(FALSE, profile=QUICK, kept=kept)
    again = warm.searched
    assert [law["text"] for law in warm.laws] == [law["text"] for law in cold[FALSE.key].laws]
    assert [law["text"] for law in again] == [law["text"] for law in before]
    assert again == before
    # an instance with another ratio, and a ladder of another family, have no law
    ladder = kept.ladders[0]
    (x, seed), *rest = ladder.steps
    for other in (
        replace(ladder, steps=((x, replace(seed, ratio=2.0)), *rest)),
        replace(ladder, family=1),
    ):
        forged = replace(kept, ladders=(other,))
        assert assay(FALSE, profile=QUICK, kept=forged).searched == ()


@pytest.mark.slow
def test_repairs_are_looked_for_again_at_the_whole_budget() -> None:
    profile = replace(QUICK, mends=1)
    before = assay(FALSE, profile=profile)
    assert before.keep is not None
    after = assay(FALSE, profile=profile, kept=before.keep())
    assert tried(after) < tried(before)
    for leaf in (before, after):
        assert {repair["word"] for repair in leaf.repairs} == {"proved"}


def test_the_witness_is_the_one_that_was_kept(cold: dict[str, Leaf], corpus: Corpus) -> None:
    after = assay(FALSE, profile=QUICK, kept=corpus.kept(FALSE)).witness
    before = cold[FALSE.key].witness
    assert after is not None
    assert before is not None
    assert after["instance"] == before["instance"]


def test_a_kept_witness_of_long_numbers_is_shrunk_again(corpus: Corpus) -> None:
    kept = corpus.kept(FALSE)
    assert kept is not None
    (main,), short = kept.families, kept.families[0].points[0]
    values = {"x": np.asarray(np.pi), "y": np.asarray(np.e)}
    ratio = 5 * np.pi * np.e / ((np.pi + np.e) ** 2 + 1)
    long = replace(short, values=values, ratio=ratio)
    asked = replace(kept, families=(replace(main, points=(long,)),))
    after = assay(FALSE, profile=QUICK, kept=asked).witness
    assert after is not None
    assert {len(str(text)) for text in after["instance"]["params"].values()} == {3}  # as 1/1
    # what is short already stays, though there are shorter ones
    values = {"x": np.asarray(5.0), "y": np.asarray(4.0)}
    plain = replace(short, values=values, ratio=100 / 82)
    asked = replace(kept, families=(replace(main, points=(plain,)),))
    after = assay(FALSE, profile=QUICK, kept=asked).witness
    assert after is not None
    assert after["instance"]["params"] == {"x": "5/1", "y": "4/1"}


def test_of_a_false_claim_the_witness_and_the_tightest_are_kept(corpus: Corpus) -> None:
    kept = corpus.kept(FALSE)
    assert kept is not None
    (main,) = kept.families
    assert main.struck in ("search", "exact")
    assert len(main.points) <= 1 + SEEDS_TIGHT


def test_a_witness_that_floats_do_not_see_is_judged_first() -> None:
    """x + 2**-80 is x in floats, so that the claim falls by the referee alone."""
    claim = one_line("x + 1/1208925819614629174706176 <= x for x in [1, 2]")
    before = assay(claim, profile=QUICK)
    assert (before.verdict, before.keep is None) == ("violated", False)
    assert before.keep is not None
    kept = before.keep()
    assert kept.families[0].struck == "exact"
    after = assay(claim, profile=QUICK, kept=kept)
    assert (after.verdict, after.rung) == ("violated", before.rung)
    assert tried(after) <= len(kept.families[0].points)


def test_mutants_that_survived_are_survivors_without_a_try(corpus: Corpus) -> None:
    """In what came with the package; elsewhere nothing is believed of a mutant."""
    kept = corpus.kept(TRUE)
    assert kept is not None
    kept = kept.of_the_package()
    before = assay(TRUE, profile=QUICK, kept=kept).power
    assert before is not None
    name = "0.9 x"
    assert name not in before["survivors"]
    known = (*kept.families[0].survivors, name, "no mutant of it")
    main = replace(kept.families[0], survivors=known)
    after = assay(TRUE, profile=QUICK, kept=replace(kept, families=(main,))).power
    assert after is not None
    assert after["survivors"] == sorted([name, *before["survivors"]])
    assert after["killed"] == before["killed"] - 1
    foreign = replace(kept, families=(main,), shipped=False)
    tried_out = assay(TRUE, profile=QUICK, kept=foreign).power
    assert tried_out is not None
    assert name not in tried_out["survivors"]


def test_a_proof_is_checked_again(corpus: Corpus) -> None:
    kept = corpus.kept(TRUE)
    assert kept is not None
    (item,) = kept.families[0].certificate
    text = json.dumps(item.to_json()).replace('"4', '"5')
    forged = Evidence.from_json(json.loads(text))
    swapped = replace(kept.families[0], certificate=(forged,))
    after = assay(TRUE, profile=QUICK, kept=Kept((swapped,)))
    assert after.verdict == "proved"  # by a search of its own
    proofs = [e.proof for e in after.evidence if e.proof is not None]
    assert "5*" not in json.dumps(proofs)


def test_a_changed_statement_is_searched_anew(corpus: Corpus) -> None:
    changed = claim(4, FALSE.key)
    assert corpus.kept(changed) is None  # another digest
    earlier = corpus.earlier(changed)
    assert earlier is not None
    assert earlier.changed
    assert not assay(changed, profile=QUICK, kept=earlier).witness
    same = corpus.earlier(FALSE)
    assert same == corpus.kept(FALSE)
    assert same is not None
    assert not same.changed


def test_the_search_of_a_changed_claim_begins_with_what_was_kept() -> None:
    """A spike that no other search meets, x = 5/8 + 2**-30: no number of the claim is that."""
    place = 5 / 8 + 2.0**-30
    spike = claim_of_one(lambda w: (1024 * w.x - 640 - 2.0**-20) ** 2 < 2.0**-60)
    instance = Seed(0, {}, {"x": np.asarray(place)}, 1.0)
    kept = Kept((Seeds(QUICK.evaluations, (instance,)),), changed=True)
    assert assay(spike, profile=QUICK).witness is None
    found = assay(spike, profile=QUICK, kept=kept)
    assert found.verdict == "violated"
    assert tried(found) <= 8
    assert assay(TRUE, profile=QUICK, kept=kept).verdict == "proved"  # of another claim


def test_instances_with_other_ratios_are_searched_anew(corpus: Corpus) -> None:
    """Also where the digest did not notice."""
    kept = corpus.kept(TRUE)
    after = assay(claim(5, TRUE.key), profile=QUICK, kept=kept)
    assert after.verdict == "violated"


@pytest.mark.parametrize("values", [{"x": 2.0, "y": -1.0}, {"x": 2.0}, {"x": 2.0, "y": [1.0, 2.0]}])
def test_instances_outside_the_domain_do_not_count(values: dict[str, Any]) -> None:
    seed = Seed(0, {}, {k: np.asarray(v) for k, v in values.items()}, None)
    kept = Kept((Seeds(QUICK.evaluations, (seed,)),), shipped=True)
    after = assay(TRUE, profile=QUICK, kept=kept)
    assert after.verdict == "proved"
    assert tried(after) > QUICK.evaluations / 12


def test_without_its_witness_a_false_claim_is_still_false(corpus: Corpus) -> None:
    kept = corpus.kept(FALSE)
    assert kept is not None
    few = tuple(p for p in kept.families[0].points if p.ratio is not None and p.ratio < 0.9)
    few_left = Kept((replace(kept.families[0], points=few),))
    after = assay(FALSE, profile=QUICK.word_alone(), kept=few_left)
    assert after.verdict == "violated"


def test_a_larger_budget_searches_in_full(corpus: Corpus) -> None:
    more = replace(QUICK, evaluations=QUICK.evaluations + 1)
    short, long = (tried(assay(TRUE, profile=p, kept=corpus.kept(TRUE))) for p in (QUICK, more))
    assert long > 2 * short


def test_the_same_corpus_makes_the_same_bytes(corpus: Corpus, tmp_path: Path) -> None:
    one, other = tmp_path / "one.gz", tmp_path / "other.gz"
    corpus.write(one)
    Corpus.read(one).write(other)
    assert one.read_bytes() == other.read_bytes()
    assert len(Corpus.read(one)) == 2


def test_a_user_s_corpus_lies_beside_the_ledger() -> None:
    assert beside(Path("a/mine-ledger.json")) == Path("a/mine-corpus.jsonl.gz")


def packed(path: Path, lines: list[str]) -> Path:
    with gzip.open(path, "wb") as file:
        file.write("\n".join(lines).encode())
    return path


def test_files_that_are_none_hold_nothing(tmp_path: Path, corpus: Corpus) -> None:
    whole = tmp_path / "whole.gz"
    corpus.write(whole)
    raw = whole.read_bytes()
    for number, broken in enumerate((b"", b"no gzip", raw[:40], raw[:-30])):
        path = tmp_path / f"{number}.gz"
        path.write_bytes(broken)
        found = Corpus.read(path)
        assert all(found.kept(one) in (None, corpus.kept(one)) for one in (FALSE, TRUE))
    assert len(Corpus.read(tmp_path / "absent.gz")) == 0
    other = packed(tmp_path / "other.gz", ['"fedassay-corpus/9"', '["kept.true", "", "", {}]'])
    assert len(Corpus.read(other)) == 0


def test_a_line_that_is_not_what_its_digest_says_is_none(tmp_path: Path, corpus: Corpus) -> None:
    corpus.write(tmp_path / "whole.gz")
    lines = gzip.decompress((tmp_path / "whole.gz").read_bytes()).decode().splitlines()
    assert lines[0] == json.dumps(SCHEMA)
    key, code, digest, kept = json.loads(lines[1])
    kept["families"][0]["points"] = []
    forged = json.dumps([key, code, digest, kept])
    found = Corpus.read(packed(tmp_path / "forged.gz", [lines[0], forged, lines[2]]))
    assert found.kept(FALSE) is None
    assert found.kept(TRUE) is not None


def _with_point(values: Any, ratio: Any) -> dict[str, Any]:
    points = [[0, {}, {"x": values}, ratio]]
    return {"families": [{"evaluations": 1, "points": points, "certificate": []}]}


BEYOND_FLOATS = 10**400
ODD = [
    {},
    {"families": 1},
    {"families": [{"points": [[]]}]},
    [],
    "x",
    _with_point(1.0, BEYOND_FLOATS),
    _with_point(BEYOND_FLOATS, 1.0),
    _with_point(["1/2", BEYOND_FLOATS], 1.0),
    {"families": [], "ladders": [[0, "x", 1, [[BEYOND_FLOATS, [0, {}, {"x": 1.0}, 1.0]]]]]},
]


def test_the_odd_records_are_odd_by_their_numbers_alone() -> None:
    assert Kept.from_json(_with_point(["1/2", 2], 1.0)).families[0].points


@pytest.mark.parametrize("kept", ODD)
def test_a_record_that_is_none_holds_nothing(tmp_path: Path, kept: Any) -> None:
    from verify.terms.digest import statement_digest

    code = statement_digest(TRUE)
    line = _line(TRUE.key, code, json.dumps(kept))
    path = packed(tmp_path / "odd.gz", [json.dumps(SCHEMA), line])
    assert Corpus.read(path).kept(TRUE) is None


@pytest.mark.parametrize("stride", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_digests_do_not_depend_on_the_process(stride: int) -> None:
    import subprocess
    import sys

    code = (
        "from verify.catalogue.library import library\n"
        "from verify.terms.digest import statement_digest as d\n"
        "leaves = [leaf for entry in library() for leaf in entry.leaves]\n"
        f"print(*map(d, leaves[::{stride}]))"
    )
    root = Path(__file__).parents[3]
    made = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
        ).stdout
        for seed in ("1", "2")
    ]
    assert made[0] == made[1]
    assert len(made[0].split()) > 1000 / stride, "every statement of the library, or a share"


def test_a_file_that_changes_changes_the_digest(tmp_path: Path) -> None:
    """Within one process too: a notebook checks, mends and checks again."""
    from verify.terms.digest import _text

    path = tmp_path / "mine.py"
    path.write_text("left = 1\n")
    first = _text(str(path))
    path.write_text("left = 12\n")
    assert _text(str(path)) != first


OPEN = statement(
    "kept.open",
    where="Lemma 1",
    latex="x",
    family=numbers(BOX, about="two non-negative numbers"),
    relation="<~",
)(lambda w: ({"product": 2000 * w.x * w.y}, {"square": (w.x + w.y) ** 2}))


def test_what_was_left_open_is_not_searched_again_from_nothing() -> None:
    before = assay(OPEN, profile=QUICK)
    assert before.keep is not None
    kept = Kept.from_json(before.keep().to_json()).of_the_package()
    assert (before.verdict, kept.open) == ("inconclusive", before.rung)
    after = assay(OPEN, profile=QUICK, kept=kept)
    assert (after.verdict, after.rung) == ("inconclusive", before.rung)
    assert tried(after) < tried(before) / 2
    # without the mark, with one for another place, or kept at a smaller budget: from nothing
    smaller = replace(kept, families=(replace(kept.families[0], evaluations=10),))
    foreign = replace(kept, shipped=False)
    for other in (replace(kept, open=""), replace(kept, open="terms"), smaller, foreign):
        assert tried(assay(OPEN, profile=QUICK, kept=other)) == tried(before)


@pytest.mark.parametrize("one", [FALSE, TRUE], ids=["false", "true"])
@pytest.mark.parametrize("rung", ["search", "terms", "hypotheses"])
def test_a_mark_that_is_forged_makes_no_word_of_its_own(
    one: Statement, rung: str, cold: dict[str, Leaf], corpus: Corpus
) -> None:
    kept = corpus.kept(one)
    assert kept is not None
    assert not kept.open
    after = assay(one, profile=QUICK, kept=replace(kept, open=rung))
    assert after.verdict == cold[one.key].verdict
