"""The page as HTML: valid, complete, safe, the same each time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.verify.report import ledgers
from tests.verify.report.ledgers import NASTY
from tests.verify.report.outline import Node, Outline, flaws
from verify.catalogue.library import Library
from verify.ledger.ledger import entry_json
from verify.report import report
from verify.report.model import build
from verify.report.summary import group
from verify.report.words import GLYPHS


@pytest.fixture
def root(page: str) -> Node:
    return Outline(page).root


def entry(root: Node, key: str) -> Node:
    return root.one("article", id=f"e-{key}")


def test_page_is_valid_and_self_contained(page: str, root: Node) -> None:
    assert page.startswith("<!DOCTYPE html>\n")
    assert flaws(root) == []
    assert not re.search(r"https?:|url\(|@import", page)
    assert len(root.all("script")) == 1
    assert root.one("html").attributes["lang"] == "en"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("<p id=a></p><p id=a></p>", "id a stands 2 times"),
        ("<a href='#no'>x</a>", "#no leads nowhere"),
        ("<img src='http://example.org/x.png'>", "asks for"),
        ("<p onclick='x()'></p>", "has onclick"),
        ("<p><div></div></p>", "p holds div"),
    ],
)
def test_a_flaw_is_seen(wrong: str, said: str) -> None:
    assert any(said in flaw for flaw in flaws(Outline(wrong).root))


@pytest.mark.parametrize("wrong", ["<p><b></p></b>", "<p>", "<p id=a id=b></p>"])
def test_unbalanced_tags_are_seen(wrong: str) -> None:
    with pytest.raises(AssertionError):
        Outline(wrong)


@pytest.mark.parametrize(
    "key",
    ["one.lemma", "one.theorem", "one.nothing", "two.claim", "two.open", "two.exists", "one.def"],
)
def test_entry_shows_its_verdict_in_word_and_glyph(root: Node, key: str, small: Path) -> None:
    line = next(e for e in json.loads(small.read_text())["entries"] if e["key"] == key)
    badge = entry(root, key).one("h4").one("span", class_="badge")
    word = line["verdict"] or "no verdict"
    assert badge.text == f"{GLYPHS.get(word, '·')} {word}"
    assert entry(root, key).attributes["data-verdict"] == word


def test_entries_carry_what_the_filters_need(root: Node, small: Path) -> None:
    lines = json.loads(small.read_text())["entries"]
    articles = root.all("article")
    assert [a.attributes["id"] for a in articles] == [f"e-{line['key']}" for line in lines]
    for article, line in zip(articles, lines, strict=True):
        assert article.attributes["data-paper"] == line["paper"]
        assert article.attributes["data-form"] == line["form"]
        assert article.attributes["data-rung"] == (_decides(line) or "-")
    filters = root.one("form", id="filters")
    values = {box.attributes["value"] for box in filters.all("input", name="verdict")}
    assert values == {a.attributes["data-verdict"] for a in articles}
    for name in ("paper", "rung", "form"):
        options = {o.attributes["value"] for o in filters.one("select", name=name).all("option")}
        assert options == {"", *(a.attributes[f"data-{name}"] for a in articles)} - {"-"}


def test_violated_entry_shows_mathematics_source_witness_and_replay(root: Node) -> None:
    lemma = entry(root, "one.lemma")
    assert lemma.all("math")[0].attributes["alttext"] == r"x \le \beta"
    assert "Lemma 1 · arXiv:1234.56789 · decided by exact" in lemma.one("p", class_="meta").text
    witness = lemma.one("div", class_="witness")
    assert "left = 7/3 = 2.33333 > 2 = right, in rational arithmetic" in witness.text
    assert "x at least 11/3 = 0.333333≥ 0" in witness.one("table").text
    command = "fedassay replay small-witnesses/one.lemma.json --explain"
    assert witness.one("code", class_="command").text == command
    assert witness.one("button").text == "Copy"
    assert "with 2 beta no instance breaks the claim" in lemma.text
    assert "it cannot be deduced from the displays before it" in lemma.text
    assert "x≥1 x at least 1 (Lemma 1)" in lemma.text


def test_holding_entry_shows_scope_tightness_power_and_rungs(root: Node) -> None:
    text = entry(root, "one.lemma.repaired").text
    for part in (
        "left/right up to 0.97",
        "x = 0.5, A = [[1, 2.5]]",
        "family (5 shapes)",
        "2 of 3 counted mutants killed",
        "0.9 beta",
        "40 instances; largest ratio 0.9750 tried",
        "fewest in N=1: 44",
        "hypothesesnever failed alone: x at least 1",
        "termsneeded: noise; not needed: drift",
    ):
        assert part in text
    assert "do-nothing bounds" not in text
    rungs = entry(root, "one.lemma.repaired").one("table", class_="rungs")
    assert [row.one("th").text for row in rungs.all("tr")] == [
        "hypotheses",
        "search",
        "power",
        "needed",
        "sides",
        "terms",
        "standing",
        "method",
    ]


def test_parts_and_readings_are_told_apart(root: Node) -> None:
    theorem = entry(root, "one.theorem")
    heads = [head.text for head in theorem.all("h5")]
    assert heads == ["✓ holds a", "✗ violated b, reading “first”", "✓ holds b, reading “second”"]
    assert len({m.attributes["alttext"] for m in theorem.all("math")}) == 3


def test_what_stands_in_some_readings_only_says_so(root: Node) -> None:
    assert "in 1 of 2 readings" in entry(root, "one.theorem").text
    for key in ("one.lemma", "one.lemma.repaired", "one.corollary"):
        assert "readings" not in entry(root, key).text
    assert root.text.count("1 of 2 readings") == 2  # in its line and in the summary
    assert "1 stands in some of its readings only" in root.text


def test_open_places_are_a_table_with_the_words(root: Node) -> None:
    places = root.one("details", class_="axes")
    rows = [[cell.text for cell in row.all("td")] for row in places.one("tbody").all("tr")]
    assert rows == [
        ["x is divided by three literal kindest", "'a third', Lemma 1"],
        [f"x is halved {NASTY}", f"'a half', {NASTY}"],
    ]
    assert places.one("th", scope="rowgroup").text == "what x is divided by"
    assert "stand in the literal reading" in places.text
    assert "which is the same" in places.text


def test_a_kinder_reading_stands_beside_the_word(small: Path) -> None:
    content = json.loads(small.read_text())
    content["readings"]["one"]["axes"][0]["options"].reverse()
    content["readings"]["one"].update(literal=["first"], kindest=["second"])
    line = next(line for line in content["entries"] if line["key"] == "one.theorem")
    line.update(verdict="violated", kindest={"verdict": "holds", "options": ["second"]})
    small.write_text(json.dumps(content))
    report(small, small.parent / "page.html")
    root = Outline((small.parent / "page.html").read_text()).root
    head = entry(root, "one.theorem")
    assert head.one("p", class_="beside").text == (
        "stands if x is divided by three (in 1 of 2 readings)"
    )
    rows = root.one("details", class_="axes").one("tbody").all("tr")
    assert [row.one("small").text for row in rows] == ["literal", "kindest"]


def test_what_rests_on_an_empty_claim_says_so(small: Path) -> None:
    ledgers.change(small, "one.lemma", rests=["one.nothing"])
    report(small, small.parent / "page.html")
    root = Outline((small.parent / "page.html").read_text()).root
    said = entry(root, "one.lemma").text
    assert "it rests on one.nothing, whose hypotheses nothing meets." in said
    assert "nothing meets" not in entry(root, "one.corollary").text


def test_unreadable_mathematics_stays_source(root: Node) -> None:
    claim = entry(root, "two.claim")
    assert not claim.all("math")
    assert claim.one("code", class_="tex").text == r"\unknown{x}"


def test_a_fallen_lemma_weakens_what_rests_on_it(root: Node) -> None:
    for key in ("one.theorem", "one.corollary"):
        assert (
            "rests on ✗Lemma 1: the lemma (violated)"
            in entry(root, key).one("p", class_="weakness").text
        )
    assert not entry(root, "one.corollary.repaired").all("p", class_="weakness")
    assert not entry(root, "one.lemma").all("p", class_="weakness")


def test_links_between_entries(root: Node) -> None:
    theorem = entry(root, "one.theorem").one("details", class_="more")
    assert "one.other (not in this ledger)" in theorem.text
    links = {a.attributes["href"] for a in theorem.all("a")}
    assert links == {"#e-one.lemma", "#e-one.def", "#e-one.corollary"}


def test_summary_counts_what_stands_what_falls_and_what_is_empty(root: Node) -> None:
    summary = root.one("section", class_="summary")
    said = [item.text for item in summary.all("ul")[0].all("li")]
    assert said == [
        "3 stand as printed",
        "1 falls, and stands after a repair",
        "1 is empty: no instance meets the hypotheses, or the bound says nothing",
        "1 is open: neither way",
    ]
    assert "Of 6 theorems" in summary.text
    assert "Of those that stand, 2 rest on a statement that fell" in summary.text
    numbers = [
        [c.text for c in row.children]
        for row in summary.one("table", class_="numbers").one("tbody").all("tr")
    ]
    head = [cell.text for cell in summary.one("table", class_="numbers").one("thead").all("th")]
    kinds = ("empty", "open", "inconclusive")
    assert head == ["paper", "main results", "stand", *kinds, "other forms that stand"]
    assert numbers == [
        ["one", "4", "2", "1", "1", "0", "3 of 3"],
        ["two", "2", "1", "0", "0", "1", "0 of 0"],
    ]
    repairs = summary.one("table", class_="repairs")
    cells = [[cell.text for cell in row.all("td")] for row in repairs.one("tbody").all("tr")]
    assert cells[0][0].startswith("✗Lemma 1: the lemma")
    assert "instead: ✓lemma.repaired" in cells[0][0]  # its place alone is not its own
    assert cells[0][1].startswith("✗ violated open: nothing was followed")
    assert cells[1][0].endswith("instead: nothing in this ledger")


def test_totals_say_of_which_set(root: Node) -> None:
    """Each bar names what it counts, and its numbers add up to that."""
    summary = root.one("section", class_="summary")
    sets = [p.text for p in summary.all("p", class_="of")]
    assert sets == ["7 claims as printed", "3 claims in other forms"]
    for name, keys in zip(sets, summary.all("ul", class_="keys"), strict=True):
        counted = [int(item.text.split()[-1]) for item in keys.all("li")]
        assert sum(counted) == int(name.split()[0])
    assert "1 further entry (assumptions, definitions, data)" in summary.text


def test_a_law_of_growth_is_drawn(small: Path) -> None:
    law = {
        "along": "N",
        "kind": "power",
        "exponent": [1.0, 1.0],
        "supremum": None,
        "formula": "",
        "limit": "",
        "values": [[1.0, 2.0], [2.0, 4.0], [4.0, 8.0]],
        "exact": 0,
        "text": "along N left/right grows like N",
    }
    content = json.loads(small.read_text())
    line = next(line for line in content["entries"] if line["key"] == "one.lemma")
    line["leaves"][0]["laws"] = [law, {**law, "values": [[1.0, 2.0], [2.0, 0.0]]}]
    small.write_text(json.dumps(content))
    report(small, small.parent / "page.html")
    root = Outline((small.parent / "page.html").read_text()).root
    assert flaws(root) == []
    drawn, none = entry(root, "one.lemma").all("figure")
    points = [(float(c.attributes["cx"]), float(c.attributes["cy"])) for c in drawn.all("circle")]
    (x0, y0), (x1, y1), (x2, y2) = points
    assert x0 < x1 < x2
    assert y0 > y1 > y2
    assert (x2 - x1) == pytest.approx(x1 - x0, abs=0.11)  # a power is a straight line
    assert (y2 - y1) == pytest.approx(y1 - y0, abs=0.11)
    assert "along N left/right grows like N" in drawn.text
    assert not none.all("svg")  # too few values with a logarithm: the words alone
    assert not entry(root, "one.corollary").all("figure")


def test_text_of_a_user_stays_text(page: str, root: Node) -> None:
    assert page.count("<script") == 1
    assert not root.all("img")
    assert NASTY in entry(root, "two.open").one("h4").text
    assert NASTY in entry(root, "one.lemma").one("div", class_="witness").text


def test_page_forbids_everything_but_its_own_script(page: str, root: Node) -> None:
    policy = root.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy


def test_same_ledger_gives_the_same_bytes(small: Path, page: str) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.verify.report import ledgers;"
        "import verify.report.write as w; w.library = ledgers.library;"
        f"w.report(Path({str(small)!r}), Path({str(small.parent / 'again.html')!r}))"
    )
    root = str(ROOT)
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": root}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, cwd=small.parent)
    assert (small.parent / "again.html").read_bytes() == page.encode("utf-8")


def test_an_edited_verdict_is_announced(small: Path) -> None:
    ledgers.change(small, "one.lemma", verdict="proved")
    report(small, small.parent / "page.html")
    root = Outline((small.parent / "page.html").read_text()).root
    assert "These verdicts do not follow" in root.one("section", class_="summary").text
    assert "fedassay audit" in entry(root, "one.lemma").one("p", class_="warning").text


def test_a_lost_witness_is_named(small: Path) -> None:
    (small.parent / "small-witnesses" / "one.lemma.json").unlink()
    report(small, small.parent / "page.html")
    root = Outline((small.parent / "page.html").read_text()).root
    assert "is not beside the ledger" in entry(root, "one.lemma").text
    assert "left = 7/3" in entry(root, "one.lemma").text


def test_a_witness_outside_the_folder_is_not_read(small: Path) -> None:
    content = json.loads(small.read_text())
    content["entries"][1]["leaves"][0]["witness"] = "../small-witnesses/one.lemma.json"
    small.write_text(json.dumps(content))
    report(small, small.parent / "page.html")
    root = Outline((small.parent / "page.html").read_text()).root
    assert "lies outside the ledger's folder" in entry(root, "one.lemma").text


@pytest.mark.parametrize(("form", "word"), [("repaired", "repaired"), ("refined", "fall")])
def test_a_refinement_is_no_repair(form: str, word: str) -> None:
    known = Library([ledgers.statement("p.a"), ledgers.statement(f"p.a.{form}", form=form)])
    evidence = (ledgers.EVIDENCE["violated"], ledgers.EVIDENCE["holds"])
    entries = [
        entry_json(one, [ledgers.leaf(one.key, found)], {one.key: 0.1}, None)
        for one, found in zip(known, evidence, strict=True)
    ]
    made = build({"entries": entries}, known)
    assert group(made, made.items[0]) == word


@pytest.mark.parametrize(
    ("entry_key", "where", "value"),
    [
        ("one.lemma", ("witness", "left"), "1/0"),
        ("one.lemma", ("witness", "margins"), [1]),
        ("one.lemma", ("witness", "margins", "x at least 1"), {}),
        ("one.lemma", ("proof",), {"certificates": 5}),
        ("two.exists", ("witness", "right"), {"ball": ["x", "y"]}),
    ],
)
def test_spoilt_evidence_is_named_and_the_rest_is_shown(
    small: Path, entry_key: str, where: tuple[str, ...], value: object
) -> None:
    content = json.loads(small.read_text())
    line = next(e for e in content["entries"] if e["key"] == entry_key)
    part = line["leaves"][0]["evidence"][0]
    for name in where[:-1]:
        part = part[name]
    part[where[-1]] = value
    small.write_text(json.dumps(content))
    report(small, small.parent / "page.html")
    root = Outline((small.parent / "page.html").read_text()).root
    assert flaws(root) == []
    assert "cannot be read" in entry(root, entry_key).text
    assert "cannot be read" not in entry(root, "one.corollary").text


def _decides(line: dict[str, object]) -> str:
    from verify.ledger.conclude import conclude

    deciding = conclude(line["leaves"], ledgers.AXES.get(str(line["paper"]))).deciding  # type: ignore[arg-type]
    return str(deciding["rung"]) if deciding is not None else ""
