"""Readings: what is refused on loading, the kindest assignment recounted, forged ledgers."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from tests.cli.conftest import axis, claim
from tests.report import ledgers
from verify.catalogue.json_files import read_json, write_json
from verify.catalogue.library import Library
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.axes import Axes, Axis
from verify.claim.statement import described
from verify.ledger.audit import audit
from verify.ledger.diff import diff
from verify.ledger.ledger import SCHEMA
from verify.ledger.readings import in_words, kindest, read
from verify.ledger.rests import rests_in_words, with_rests
from verify.run.runner import Run
from verify.run.tasks import Settings

Fedassay = Callable[..., tuple[int, str, str]]
Ledger = dict[str, Any]

# -- what is refused on loading --------------------------------------------------------------------

PLACES = (axis("steps", "rounds"), axis("last", "mean", "any"))


def load(*keys: str, axes: Sequence[Axis] = PLACES, **more: Any) -> Library:
    """A paper with these leaves."""
    return Library([claim(key, **more) for key in keys], {"p": Axes(axes)})


def test_a_part_may_leave_axes_out_and_split_unevenly() -> None:
    load("p.a@steps+last", "p.a@steps+mean", "p.a@steps+any", "p.a@rounds", "p.b/x", "p.b/y@last",
         "p.b/y@mean", "p.b/y@any")  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (("p.a@steps", "p.a@round"), r"options of p.a@round .* got \['round'\]: correct the key"),
        (("p.a@steps+rounds", "p.a@rounds"), "p.a@steps.rounds must be one on each axis at most"),
        (("p.a@steps",), "readings of p.a must be one leaf .* p.a under rounds: no leaf"),
        (("p.a", "p.a@rounds"), "p.a under rounds: p.a and p.a@rounds"),
        (
            ("p.a/x@steps", "p.a/x@rounds", "p.a/y@steps", "p.b@last", "p.b@mean", "p.b@any"),
            "p.a/y under rounds: no leaf",
        ),
        (("p.a@steps+last", "p.a@rounds"), "p.a under steps and mean: no leaf"),
        (("p.a@steps", "p.a@rounds+last", "p.a@rounds", "p.b"), "p.a under rounds and last"),
        (("p.a@steps", "p.a@rounds"), r"AXES must be .* got \['last-mean-any'\]: remove them"),
        (("p.a", "p.a.empty@steps", "p.a.empty@rounds"), "key of p.a.empty must be without"),
    ],
)
def test_readings_that_do_not_fit_are_refused(keys: Sequence[str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        load(*keys)


def test_a_part_that_claims_in_one_reading_only_is_refused() -> None:
    leaves = [claim("p.a@steps", kind="definition"),
              described("p.a@rounds", "definition", "Section 1", "x", "x")]  # fmt: skip
    with pytest.raises(InvalidInput, match="claims in every reading of a part, or in none"):
        Library(leaves, {"p": Axes(PLACES[:1])})


def test_options_without_axes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="it has none"):
        Library([claim("p.a@steps")])


def test_names_are_unique_over_all_axes() -> None:
    with pytest.raises(InvalidInput, match=r"options of all axes .* got \['rounds'\]"):
        Axes([axis("steps", "rounds"), axis("rounds", "epochs")])


def test_too_many_joined_assignments_are_refused() -> None:
    many = [axis(f"a{i}", f"b{i}") for i in range(21)]
    names = [f"a{i}" for i in range(21)]
    keys = [f"p.x/{i}@{one}" for i, pair in enumerate(zip(names, many, strict=True))
            for one in pair[1].names]  # fmt: skip
    with pytest.raises(InvalidInput, match="assignments at most, got 2097152"):
        load(*keys, axes=many)
    assert load(*keys[:8], axes=many[:4]).axes["p"] == Axes(many[:4])


# -- the kindest assignment ------------------------------------------------------------------------

WORDS = ("proved", "holds", "violated", "inconclusive", "vacuous", "not-checkable")


def lines_of(axes: Sequence[Axis], draw: random.Random) -> list[dict[str, Any]]:
    """Entries over random axes, each part with a leaf for each assignment of some of them."""
    lines = []
    for number in range(draw.randint(1, 6)):
        leaves = []
        for part in range(draw.randint(1, 2)):
            own = draw.sample(list(axes), draw.randint(0, min(2, len(axes))))
            for names in itertools.product(*(a.names for a in own)):
                key = f"p.e{number}/{part}" + ("@" + "+".join(names) if names else "")
                leaves.append({"id": key, "verdict": draw.choice(WORDS), "reason": ""})
        kind = draw.choice(["theorem", "lemma", "claim"])
        form = draw.choice(["printed", "printed", "repaired"])
        lines.append({"key": f"p.e{number}", "kind": kind, "form": form, "leaves": leaves})
    return lines


def counted_by_hand(axes: Sequence[Axis], lines: list[dict[str, Any]]) -> list[Any]:
    """Every assignment of all axes: how many main results stand, how many axes changed."""
    found = []
    for names in itertools.product(*(a.names for a in axes)):
        total = 0
        for line in lines:
            options = [set(leaf["id"].partition("@")[2].split("+")) for leaf in line["leaves"]]
            fits = [named - {""} <= set(names) for named in options]
            taken = list(itertools.compress(line["leaves"], fits))
            fine = all(leaf["verdict"] in ("proved", "holds") for leaf in taken)
            total += fine and line["kind"] != "claim" and line["form"] == "printed"
        changed = sum(name != a.names[0] for name, a in zip(names, axes, strict=True))
        found.append((total, changed, names))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_the_kindest_is_the_best_of_all_and_the_most_literal_of_the_best(seed: int) -> None:
    draw = random.Random(seed)
    axes = [axis(*(f"{a}{i}" for i in range(draw.randint(2, 3)))) for a in "abcd"]
    lines = lines_of(axes, draw)
    every = counted_by_hand(axes, lines)
    first = min(every, key=lambda one: (-one[0], one[1]))  # the first of equals
    assert tuple(kindest(lines, Axes(axes)).values()) == first[2]
    said = read(lines, Axes(axes), ())
    assert said["stand"]["kindest"] == first[0]
    assert said["stand"]["literal"] == every[0][0]


def test_of_equals_the_one_with_fewer_changes_wins() -> None:
    axes = [axis(f"{a}0", f"{a}1") for a in "abc"]
    leaves = [
        {"id": f"p.t@a{a}+b{b}+c{c}", "verdict": "holds" if a or (b and c) else "violated",
         "reason": ""}
        for a, b, c in itertools.product((0, 1), repeat=3)
    ]  # fmt: skip
    lines = [{"key": "p.t", "kind": "theorem", "form": "printed", "leaves": leaves}]
    assert list(kindest(lines, Axes(axes)).values()) == ["a1", "b0", "c0"]


# -- a real ledger ---------------------------------------------------------------------------------

FILE = r'''
"""A theorem with two parts and two open places; a corollary that rests on it."""
from verify import Axis, Option, numbers, Real, statement

AXES = (
    Axis("factor", "what 'a multiple' is", (
        Option("five", "'a multiple', Lemma 1", "a multiple is five times"),
        Option("four", "'a multiple', Lemma 1", "a multiple is four times"),
    )),
    Axis("sign", "whether zero is positive", (
        Option("positive", "'positive', Section 2", "zero is not positive"),
        Option("zero", "'positive', Section 2", "zero is positive"),
    )),
)
BOX = numbers({"x": Real(0, 10), "y": Real(0, 10)})


def made(key, factor, **more):
    @statement(key, where="Lemma 1", latex=r"cxy \le (x+y)^2", family=BOX, **more)
    def claim(w):
        return {"product": factor * w.x * w.y}, {"square": (w.x + w.y) ** 2}

    return claim


ALL = (
    made("mine.theorem/a@five", 5), made("mine.theorem/a@four", 4),
    made("mine.theorem/b", 3),
    made("mine.corollary@five+positive", 5, kind="corollary"),
    made("mine.corollary@five+zero", 5, kind="corollary"),
    made("mine.corollary@four", 4, kind="corollary"),
    made("mine.remark", 2, kind="remark"),
)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file and its ledger, made by the real ladder."""
    folder = tmp_path_factory.mktemp("readings")
    (folder / "mine.py").write_text(FILE)
    origin = Origin.of(folder / "mine.py")
    known = load_statements(origin)
    Run(known, known.select(), Settings(jobs=1), folder / "mine-ledger.json", origin).finish()
    return folder


@pytest.fixture
def ledger(folder: Path) -> Ledger:
    return read_json(folder / "mine-ledger.json", SCHEMA)


def line(ledger: Ledger, key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in ledger["entries"] if e["key"] == key)
    return found


def test_the_ledger_says_both_readings(ledger: Ledger) -> None:
    said = ledger["readings"]["mine"]
    assert (said["literal"], said["kindest"]) == (["five", "positive"], ["four", "positive"])
    assert said["stand"] == {"literal": 0, "kindest": 2, "of": 2}
    assert said["missing"] == []
    theorem, corollary = line(ledger, "mine.theorem"), line(ledger, "mine.corollary")
    assert (theorem["verdict"], theorem["stands"]) == ("violated", {"in": 1, "of": 2})
    assert theorem["kindest"] == {"verdict": "proved", "options": ["four"]}
    assert corollary["stands"] == {"in": 2, "of": 4}
    assert line(ledger, "mine.remark")["stands"] is None
    assert in_words(theorem, Axes.from_json(said["axes"])) == (
        "stands if a multiple is four times (in 1 of 2 readings)"
    )


def test_every_output_says_so(folder: Path, fedassay: Fedassay) -> None:
    path = folder / "mine-ledger.json"
    beside = "stands if a multiple is four times (in 1 of 2 readings)"
    out = fedassay("check", folder / "mine.py", "--json", folder / "again.json", "--jobs", 1)[1]
    assert beside in next(row for row in out.splitlines() if row.startswith("mine.theorem "))
    assert "mine: 0 of 2 main results stand as the words say, 2 if a multiple is four times." in out
    witness = folder / line(read_json(path, SCHEMA), "mine.theorem")["witness"]
    told = fedassay("replay", witness, "--trust", "--explain")[1]
    assert "Reading: a multiple is five times; 'a multiple', Lemma 1" in told
    assert "Read so that a multiple is five times ('a multiple', Lemma 1)." in told
    assert fedassay("audit", path)[0] == 0


def test_a_witness_says_what_is_printed(made: Path) -> None:
    witness = json.loads((made / "mine-ledger-witnesses" / "mine.wrong.json").read_text())
    assert witness["given"] == {"x at least 1": {"tag": "added", "where": ""}}


def forge_kindest(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["kindest"] = ["four", "zero"]


def forge_count(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["stand"]["literal"] = 2


def forge_word(ledger: Ledger) -> None:
    line(ledger, "mine.theorem")["verdict"] = "proved"


def forge_entry(ledger: Ledger) -> None:
    line(ledger, "mine.theorem")["kindest"] = None


def forge_stands(ledger: Ledger) -> None:
    line(ledger, "mine.corollary")["stands"]["in"] = 4


def forge_silence(ledger: Ledger) -> None:
    del line(ledger, "mine.corollary")["stands"]


def forge_axis(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["axes"].pop()


def forge_order(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["axes"][0]["options"].reverse()


def forge_loss(ledger: Ledger) -> None:
    line(ledger, "mine.theorem")["leaves"].pop(0)


def forge_missing(ledger: Ledger) -> None:
    ledger["readings"]["mine"]["missing"].append("mine.theorem")


def forge_paper(ledger: Ledger) -> None:
    ledger["readings"]["other"] = ledger["readings"]["mine"]


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (forge_kindest, "mine: kindest is ['four', 'zero'], the entries give ['four', 'positive']"),
        (forge_count, "mine: stand is {'literal': 2"),
        (forge_word, "mine.theorem: verdict is 'proved', its leaves give 'violated'"),
        (forge_entry, "mine.theorem: kindest is None, its readings give {'verdict': 'proved'"),
        (forge_stands, "mine.corollary: stands is {'in': 4"),
        (forge_silence, "mine.corollary: stands is None"),
        (forge_axis, "options of mine.corollary@five+positive must be among"),
        (forge_order, "mine.theorem: verdict is 'violated', its leaves give 'proved'"),
        (forge_loss, "mine.theorem/a under five: no leaf"),
        (forge_missing, "said to be missing, but here: mine.theorem"),
        (forge_paper, "other: readings of a paper that has no open places here"),
    ],
)
def test_a_forged_reading_is_found(
    folder: Path, ledger: Ledger, forge: Callable[[Ledger], None], message: str, fedassay: Fedassay
) -> None:
    forge(ledger)
    path = folder / "forged.json"
    write_json(path, json.loads(json.dumps(ledger)))
    code, out, err = fedassay("audit", path)
    assert (code, err) == (1, "")
    assert message in out


def test_diff_names_a_changed_reading(folder: Path, ledger: Ledger) -> None:
    forge_kindest(ledger)
    forge_stands(ledger)
    write_json(folder / "other.json", ledger)
    found = {(c.key, c.what): (c.before, c.after)
             for c in diff(folder / "mine-ledger.json", folder / "other.json")}  # fmt: skip
    assert found == {
        ("mine", "kindest"): ("four+positive", "four+zero"),
        ("mine.corollary", "readings"): (
            "stands in 2 of 4, proved@four", "stands in 4 of 4, proved@four"
        ),
    }  # fmt: skip


def test_a_partial_ledger_counts_what_it_has_and_says_what_is_missing(
    folder: Path, fedassay: Fedassay, tmp_path: Path
) -> None:
    origin = Origin.of(folder / "mine.py")
    known = load_statements(origin)
    some = known.select(["mine.corollary"])
    made = Run(known, some, Settings(jobs=1), tmp_path / "a.json", origin).finish()
    said = made["readings"]["mine"]
    assert said["missing"] == ["mine.theorem"]
    assert said["stand"] == {"literal": 0, "kindest": 1, "of": 1}
    assert fedassay("audit", tmp_path / "a.json")[0] == 0


# -- vacuity travels along uses --------------------------------------------------------------------


def used(key: str, word: str, *uses: str, kind: str = "empty") -> dict[str, Any]:
    """Entry of one leaf; a vacuous one is linked."""
    link = {"kind": kind, "key": f"{key}.{kind}", "verdict": "proved"}
    evidence = [{"link": link}] if word == "vacuous" else []
    leaf = {"id": key, "verdict": word, "reason": "", "witness": None, "evidence": evidence}
    return {"key": key, "paper": "p", "leaves": [leaf], "uses": list(uses)}


def test_vacuity_travels_along_uses() -> None:
    lines = [
        used("p.a", "vacuous"), used("p.b", "holds", "p.a"), used("p.c", "violated", "p.b", "p.e"),
        used("p.d", "holds", "p.d", "p.none"), used("p.e", "vacuous", "p.a"),
        used("p.f", "vacuous", kind="trivial"), used("p.g", "holds", "p.f"),
        used("p.h", "holds", "p.i"), used("p.i", "holds", "p.h", "p.e"),
    ]  # fmt: skip
    found = {line["key"]: line["rests"] for line in with_rests(lines, {})}
    assert found == {
        "p.a": [], "p.b": ["p.a"], "p.c": ["p.e", "p.a"], "p.d": [], "p.e": ["p.a"], "p.f": [],
        "p.g": [], "p.h": ["p.e"], "p.i": ["p.e"],
    }  # fmt: skip
    assert rests_in_words({"rests": ["p.a"]}) == "rests on p.a, whose hypotheses nothing meets"


def test_a_use_of_one_reading_is_that_reading() -> None:
    line = used("p.a@steps", "vacuous")
    line["key"], line["leaves"] = "p.a", [*line["leaves"], used("p.a@rounds", "holds")["leaves"][0]]
    users = [used(f"p.u{i}", "holds", key) for i, key in
             enumerate(["p.a", "p.a@steps", "p.a@rounds"])]  # fmt: skip
    for place, rest in ((axis("steps", "rounds"), 1), (axis("rounds", "steps"), 0)):
        told = with_rests([line, *users], {"p": Axes([place])})
        assert [len(one["rests"]) for one in told[1:]] == [rest, 1, 0]


@pytest.mark.parametrize("rests", [[], ["one.theorem"], None])
def test_a_forged_rest_is_found(tmp_path: Path, rests: list[str] | None) -> None:
    path = ledgers.ledger(tmp_path)
    ledgers.change(path, "one.lemma", uses=["one.nothing"], rests=["one.nothing"])
    ledgers.change(path, "one.theorem", rests=["one.nothing"])
    ledgers.change(path, "one.corollary", rests=["one.nothing"])
    assert audit(path)[1] == []
    content = json.loads(path.read_text())
    line(content, "one.lemma")["rests"] = rests
    if rests is None:
        del line(content, "one.lemma")["rests"]
    path.write_text(json.dumps(content))
    assert [str(flaw) for flaw in audit(path)[1]] == [
        f"one.lemma: rests on {rests or []}, its uses give ['one.nothing']"
    ]
