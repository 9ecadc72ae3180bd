"""Five hundred corpora that somebody has tampered with: none makes a verdict wrong.

Bytes that are changed, cut off or swapped leave nothing to read, or what was there before.  What
is changed inside a record and given a new digest is read: then the instances are scored again, the
proofs checked again, and the words are those of a search from nothing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.each import each
from verify.claim import Hypothesis, Real, numbers, statement
from verify.claim.statement import Statement
from verify.corpus.files import Corpus, record_of
from verify.ladder import PROFILES, assay

QUICK = PROFILES["quick"]
WORD = QUICK.word_alone()
BOX = {"x": Real(0, 10), "y": Real(0, 10)}
BYTES, RECORDS = 440, 60
"""Corpora with other bytes, and records with other contents: each change meets each claim once."""


Record = dict[str, Any]


def claim(key: str, sides: Callable[[Any], Any], relation: str = "<=") -> Statement:
    given = [Hypothesis("x is at least 1", "x", lambda w: w.x - 1, where="Lemma 1")]
    family = numbers(BOX, about="two non-negative numbers")
    made = statement(
        key, where="Lemma 1", latex="x", family=family, given=given, relation=relation
    )(sides)
    assert isinstance(made, Statement)
    return made


CLAIMS = (
    claim("bad.false", lambda w: ({"l": 5 * w.x * w.y}, {"r": (w.x + w.y) ** 2})),
    claim("bad.close", lambda w: ({"l": 4.01 * w.x * w.y}, {"r": (w.x + w.y) ** 2})),
    claim("bad.proved", lambda w: ({"l": 4 * w.x * w.y}, {"r": (w.x + w.y) ** 2})),
    claim("bad.holds", lambda w: ({"l": w.x**0.5 * w.y**0.5}, {"r": w.x + w.y})),
    claim("bad.order", lambda w: ({"l": 2000 * w.x * w.y}, {"r": (w.x + w.y) ** 2}), "<~"),
)


@pytest.fixture(scope="module")
def words() -> dict[str, str]:
    return {one.key: assay(one, profile=WORD).verdict for one in CLAIMS}


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    found = {}
    for one in CLAIMS:
        keep = assay(one, profile=QUICK).keep
        assert keep is not None
        found[one.key] = record_of(one, keep())
    return found


def test_the_claims_have_different_words(words: dict[str, str]) -> None:
    assert words == {
        "bad.false": "violated",
        "bad.close": "violated",
        "bad.proved": "proved",
        "bad.holds": words["bad.holds"],
        "bad.order": "inconclusive",
    }
    assert words["bad.holds"] in ("holds", "proved")


def test_what_was_kept_gives_the_same_words(
    records: dict[str, Record], words: dict[str, str]
) -> None:
    whole = Corpus({}).with_records(records)
    again = {one.key: assay(one, profile=WORD, kept=whole.kept(one)).verdict for one in CLAIMS}
    assert again == words


def flipped(raw: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(raw))
    return raw[:place] + bytes([raw[place] ^ (1 << rng.randrange(8))]) + raw[place + 1 :]


def cut(raw: bytes, rng: random.Random) -> bytes:
    return raw[: rng.randrange(len(raw))]


def swapped(raw: bytes, rng: random.Random) -> bytes:
    one, other = sorted(rng.sample(range(len(raw)), 2))
    return raw[:one] + raw[other:] + raw[one:other]


def filled(raw: bytes, rng: random.Random) -> bytes:
    start, length = rng.randrange(len(raw)), rng.randrange(1, 40)
    return raw[:start] + rng.randbytes(length) + raw[start + length :]


@each("change", (flipped, cut, swapped, filled))
def test_a_changed_file_holds_nothing_else(
    change: Callable[[bytes, random.Random], bytes], records: dict[str, Record], tmp_path: Path
) -> None:
    rng = random.Random(change.__name__)
    path = tmp_path / "bad.jsonl.gz"
    whole = Corpus({}).with_records(records)
    whole.write(path)
    raw = path.read_bytes()
    for _ in range(BYTES // 4):
        path.write_bytes(change(raw, rng))
        read = Corpus.read(path)
        for one in CLAIMS:
            kept = read.earlier(one)
            assert kept is None or kept == whole.kept(one)


def of_another(record: Record, other: Record, _: random.Random) -> None:
    """Instances and proofs of another claim."""
    record["kept"] = other["kept"]


def other_proofs(record: Record, other: Record, _: random.Random) -> None:
    mine, yours = record["kept"]["families"][0], other["kept"]["families"][0]
    mine["certificate"] = yours["certificate"]


def other_points(record: Record, other: Record, _: random.Random) -> None:
    mine, yours = record["kept"]["families"][0], other["kept"]["families"][0]
    mine["points"] = yours["points"]


def other_values(record: Record, _: Record, rng: random.Random) -> None:
    for point in record["kept"]["families"][0]["points"]:
        point[2] = {name: rng.choice([0.0, 1.0, 3.5, "7/3", -2.0]) for name in point[2]}


def other_ratios(record: Record, _: Record, rng: random.Random) -> None:
    for point in record["kept"]["families"][0]["points"]:
        point[3] = rng.choice([None, 0.5, 1.0, 2.0])


def no_points(record: Record, _: Record, __: random.Random) -> None:
    record["kept"]["families"][0]["points"] = []


def claimed_proof(record: Record, other: Record, _: random.Random) -> None:
    """A proof of another claim under this one's name."""
    mine = record["kept"]["families"][0]
    text = json.dumps(other["kept"]["families"][0]["certificate"] or mine["certificate"])
    mine["certificate"] = json.loads(text.replace("4*x*y", "5*x*y"))


def nonsense(record: Record, _: Record, rng: random.Random) -> None:
    item = rng.choice([None, 1, "x", [], {}, {"proof": 1}, {"certificates": [1]}])
    main = record["kept"]["families"][0]
    main[rng.choice(["points", "certificate"])] = [item]


def named_witness(record: Record, _: Record, rng: random.Random) -> None:
    """An instance that is said to be a witness."""
    main = record["kept"]["families"][0]
    rng.shuffle(main["points"])
    main["struck"] = rng.choice(["search", "exact"])


def named_survivors(record: Record, _: Record, __: random.Random) -> None:
    """Mutants of which it is said that nothing kills them."""
    record["kept"]["families"][0]["survivors"] = ["0 x", "x^2", "0.9 y", "0.9 [r]"]


CHANGES = (
    named_survivors,
    named_witness,
    of_another,
    other_proofs,
    other_points,
    other_values,
    other_ratios,
    no_points,
    claimed_proof,
    nonsense,
)


@each("change", CHANGES, every=3)
def test_a_forged_record_changes_no_word(
    change: Callable[[Record, Record, random.Random], None],
    records: dict[str, Record],
    words: dict[str, str],
) -> None:
    rng = random.Random(change.__name__)
    for number in range(-(-RECORDS // len(CHANGES))):
        one, other = CLAIMS[number % len(CLAIMS)], CLAIMS[rng.randrange(len(CLAIMS))]
        record, foreign = json.loads(json.dumps([records[one.key], records[other.key]]))
        change(record, foreign, rng)
        if rng.randrange(4) == 0:
            record["code"] = "of a claim that said something else"
        kept = Corpus({}).with_records({one.key: record}).earlier(one)
        word = assay(one, profile=WORD, kept=kept).verdict
        # where the proof is gone, what is left is a claim that no instance breaks
        assert word == words[one.key] or (word, words[one.key]) == ("holds", "proved")
