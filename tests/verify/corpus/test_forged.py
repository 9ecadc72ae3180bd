"""Five hundred forged corpora and ledgers of twenty kinds: no word becomes wrong, each is named.

Each takes what an honest search has left of a small claim, or a ledger of it, and changes it as
somebody would who wants another word; digests are made right again.  A word is wrong where a false
claim is proved, holds or is vacuous, or a true one is violated or vacuous.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.verify.corpus.forging import benign
from verify.catalogue.json_files import sha256
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.statement import Statement
from verify.corpus.files import Corpus, beside, record_of
from verify.ladder import PROFILES, assay
from verify.ledger.audit import audit
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings

WORD = replace(PROFILES["quick"].word_alone(), evaluations=4_000, effort=60_000)

FILE = """from bounds import generic as xp
from verify import Hypothesis, Real, numbers, statement

BOX = numbers({"x": Real(0, 3, domain=(0, 8)), "y": Real(0, 1, domain=(0, 1))})


def claim(key, left, right, **more):
    given = [Hypothesis("x is at least y/2", "y", lambda w: w.x - w.y / 2, where="L")]
    return statement(key, where="L", latex="x", family=BOX, given=given, **more)(
        lambda w: ({"l": left(w)}, {"r": right(w)})
    )


sine = claim("f.sine", lambda w: xp.sin(w.x) * (1 + w.y), lambda w: w.x * (1 + w.y))
sine_false = claim(
    "f.sine-false", lambda w: xp.sin(w.x) * (1 + w.y), lambda w: w.x * (1 + w.y) * 9 / 10
)
mean = claim("f.mean", lambda w: 4 * w.x * w.y, lambda w: (w.x + w.y) ** 2)
mean_false = claim("f.mean-false", lambda w: 5 * w.x * w.y, lambda w: (w.x + w.y) ** 2)
corner_false = claim(
    "f.corner-false", lambda w: w.x**2 * w.y**3, lambda w: 0 * w.x + 60 + w.x / 8
)
"""
FALSE = ("f.sine-false", "f.mean-false", "f.corner-false")
TWIN = {
    "f.sine-false": "f.sine",
    "f.mean-false": "f.mean",
    "f.corner-false": "f.mean",
    "f.sine": "f.sine-false",
    "f.mean": "f.mean-false",
}
WRONG = {True: ("violated", "vacuous"), False: ("holds", "proved", "vacuous")}

Record = dict[str, Any]
Change = Callable[[Record, Record, random.Random], None]


def main(record: Record) -> Record:
    seeds: Record = record["kept"]["families"][0]
    return seeds


def benign_points(record: Record, _: Record, rng: random.Random) -> None:
    """Only instances on which the claim stands."""
    seeds = main(record)
    good = [p for p in seeds["points"] if p[3] is not None and p[3] <= 1]
    seeds["points"] = rng.sample(good, rng.randrange(len(good) + 1))
    seeds.pop("struck", None)


def swapped_points(record: Record, other: Record, _: random.Random) -> None:
    main(record)["points"] = main(other)["points"]
    main(record).pop("struck", None)


def borrowed_record(record: Record, other: Record, _: random.Random) -> None:
    record["kept"] = other["kept"]


def borrowed_proof(record: Record, other: Record, _: random.Random) -> None:
    main(record)["certificate"] = main(other)["certificate"]
    main(record).pop("struck", None)


def edited_proof(record: Record, other: Record, rng: random.Random) -> None:
    text = json.dumps(main(other)["certificate"] or main(record)["certificate"])
    edits = (("4*x*y", "5*x*y"), ('"<="', '"<"'), ("nonnegative", "positive"), ('"1', '"2'))
    main(record)["certificate"] = json.loads(text.replace(*rng.choice(edits)))
    main(record).pop("struck", None)


def inflated_counts(record: Record, _: Record, rng: random.Random) -> None:
    main(record)["evaluations"] = 10 ** rng.randrange(5, 18)
    benign_points(record, _, rng)


def replayed_points(record: Record, _: Record, rng: random.Random) -> None:
    """One instance many times."""
    points = [p for p in main(record)["points"] if p[3] is not None and p[3] <= 1]
    main(record)["points"] = points[:1] * rng.randrange(1, 60)
    main(record).pop("struck", None)


def altered_ratios(record: Record, _: Record, rng: random.Random) -> None:
    for point in main(record)["points"]:
        point[3] = rng.choice([0.5, 0.999, 1.0])
    main(record).pop("struck", None)


def named_witness(record: Record, _: Record, rng: random.Random) -> None:
    rng.shuffle(main(record)["points"])
    main(record)["struck"] = rng.choice(["search", "exact"])


def named_open(record: Record, _: Record, rng: random.Random) -> None:
    benign_points(record, _, rng)
    record["kept"]["open"] = rng.choice(["search", "hypotheses", "terms", "standing"])


def named_survivors(record: Record, _: Record, rng: random.Random) -> None:
    benign_points(record, _, rng)
    main(record)["survivors"] = ["0 x", "0.9 [r]", "x^2", "0 [r]"]


def foreign_digest(record: Record, other: Record, rng: random.Random) -> None:
    benign_points(record, other, rng)
    record["code"] = other["code"]


def more_families(record: Record, other: Record, _: random.Random) -> None:
    record["kept"]["families"] += other["kept"]["families"]


CORPORA: tuple[Change, ...] = (
    benign_points,
    swapped_points,
    borrowed_record,
    borrowed_proof,
    edited_proof,
    inflated_counts,
    replayed_points,
    altered_ratios,
    named_witness,
    named_open,
    named_survivors,
    foreign_digest,
    more_families,
)
EACH = 26
"""Corpora of each kind, and ledgers: 13 and 7 kinds, 520 in all."""

SAMPLE = 3
"""Of each kind in a plain run; ``pytest -m slow`` forges all."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An honest ledger of the file."""
    made = tmp_path_factory.mktemp("forged")
    (made / "forged.py").write_text(FILE)
    origin = Origin.of(made / "forged.py")
    known = load_statements(origin)
    path = made / "forged-ledger.json"
    LedgerRun(known, known.select(), Settings(jobs=1, keep=True), path, origin).finish()
    return made


@pytest.fixture(scope="module")
def claims(folder: Path) -> dict[str, Statement]:
    known = load_statements(Origin.of(folder / "forged.py"))
    return {leaf.key: leaf for entry in known for leaf in entry.leaves}


@pytest.fixture(scope="module")
def records(claims: dict[str, Statement], folder: Path) -> dict[str, Record]:
    """What the run has kept of each claim; of the false ones also benign instances."""
    corpus = Corpus.read(beside(folder / "forged-ledger.json"))
    found = {}
    for key, one in claims.items():
        kept = corpus.kept(one)
        assert kept is not None
        if key in FALSE:
            (mine,), (made,) = kept.families, benign(one).families
            kept = replace(kept, families=(replace(mine, points=(*mine.points, *made.points)),))
        found[key] = json.loads(json.dumps(record_of(one, kept)))
    return found


@pytest.mark.slow
def test_the_claims_are_what_they_are_said_to_be(folder: Path) -> None:
    ledger = json.loads((folder / "forged-ledger.json").read_text())
    words = {entry["key"]: entry["verdict"] for entry in ledger["entries"]}
    assert words == {key: words[key] for key in TWIN}
    assert {words[key] for key in FALSE} == {"violated"}
    assert {words["f.sine"], words["f.mean"]} <= {"holds", "proved"}


def wrong_by_corpora(
    change: Change, count: int, claims: dict[str, Statement], records: dict[str, Record]
) -> list[str]:
    """Wrong words beside so many forged corpora of one kind."""
    rng, found = random.Random(change.__name__), []
    for number in range(count):
        key = [*FALSE, *FALSE, "f.sine", "f.mean"][number % 8]
        record, other = json.loads(json.dumps([records[key], records[TWIN[key]]]))
        change(record, other, rng)
        kept = Corpus({}).with_records({key: record}).earlier(claims[key])
        word = assay(claims[key], profile=WORD, seed=number, kept=kept).verdict
        if word in WRONG[key not in FALSE]:
            found.append(f"{change.__name__} {number}: {key} {word}")
    return found


@pytest.mark.parametrize("change", CORPORA, ids=lambda change: change.__name__)
def test_no_word_is_wrong_beside_a_forged_corpus(
    change: Change, claims: dict[str, Statement], records: dict[str, Record]
) -> None:
    assert not wrong_by_corpora(change, SAMPLE, claims, records)


@pytest.mark.slow
@pytest.mark.parametrize("change", CORPORA, ids=lambda change: change.__name__)
def test_nor_beside_any_of_all_of_them(
    change: Change, claims: dict[str, Statement], records: dict[str, Record]
) -> None:
    assert not wrong_by_corpora(change, EACH, claims, records)


# -- ledgers ---------------------------------------------------------------------------------------

Leaf = dict[str, Any]


def borrowed_evidence(leaf: Leaf, other: Leaf, _: random.Random) -> None:
    """Word, reason and evidence of the twin, under this claim's name and digests."""
    kept = {name: leaf[name] for name in ("id", "source")}
    leaf.update({**json.loads(json.dumps(other)), **kept, "witness": None})


def foreign_source(leaf: Leaf, _: Leaf, rng: random.Random) -> None:
    leaf["source"] = {**leaf["source"], rng.choice(["sha256", "code"]): "0" * 16}
    if len(leaf["source"]["sha256"]) < 64:
        leaf["source"]["sha256"] = "0" * 64


def no_source(leaf: Leaf, _: Leaf, __: random.Random) -> None:
    leaf.pop("source")


def better_word(leaf: Leaf, _: Leaf, rng: random.Random) -> None:
    leaf["verdict"] = rng.choice([w for w in ("proved", "holds") if w != leaf["verdict"]])


def altered_reason(leaf: Leaf, _: Leaf, __: random.Random) -> None:
    leaf["reason"] = "10000000 instances; largest ratio 0.5"


def altered_tightest(leaf: Leaf, _: Leaf, rng: random.Random) -> None:
    ratio = leaf["tightness"]["ratio"] * rng.choice([0.25, 0.5, 0.75])
    leaf["tightness"]["ratio"] = min(ratio, 0.9)
    for item in leaf["evidence"]:
        if item.get("worst"):
            item["worst"] = min(ratio, 0.9)


def without_witness(leaf: Leaf, _: Leaf, __: random.Random) -> None:
    leaf["evidence"] = [e for e in leaf["evidence"] if "witness" not in e and "proof" not in e]


LEDGERS = (
    borrowed_evidence,
    foreign_source,
    no_source,
    better_word,
    altered_reason,
    altered_tightest,
    without_witness,
)


def unnamed(change: Callable[[Leaf, Leaf, random.Random], None], count: int, at: Path) -> list[str]:
    """Forged ledgers of one kind in which an audit finds nothing."""
    rng, found = random.Random(change.__name__), []
    file = at / "forged.py"
    own, digest = load_statements(Origin.of(file)), sha256(file)
    for number in range(count):
        ledger = json.loads((at / "forged-ledger.json").read_text())
        leaves = {entry["key"]: entry["leaves"][0] for entry in ledger["entries"]}
        key = [*FALSE, "f.sine"][number % 4]
        before = json.dumps(ledger)
        change(leaves[key], leaves[TWIN[key]], rng)
        if json.dumps(ledger) == before:
            assert change is without_witness  # of what holds there is none
            continue
        path = at / "changed-ledger.json"
        path.write_text(json.dumps(ledger))
        flaws = [str(flaw) for flaw in audit(path, own=own, file=digest).flaws]
        if not any(key in flaw for flaw in flaws):
            found.append(f"{change.__name__} {number}: {key}")
    return found


@pytest.mark.parametrize("change", LEDGERS, ids=lambda change: change.__name__)
def test_each_forged_ledger_is_named(change: Any, folder: Path) -> None:
    assert not unnamed(change, 4, folder)


@pytest.mark.slow
@pytest.mark.parametrize("change", LEDGERS, ids=lambda change: change.__name__)
def test_each_of_all_of_them_is_named(change: Any, folder: Path) -> None:
    assert not unnamed(change, EACH, folder)


def test_an_honest_one_is_not(folder: Path) -> None:
    file = folder / "forged.py"
    own = load_statements(Origin.of(file))
    assert not audit(folder / "forged-ledger.json", own=own, file=sha256(file)).flaws


def test_five_hundred_of_twenty_kinds() -> None:
    assert len(CORPORA) + len(LEDGERS) == 20
    assert EACH * 20 >= 500
