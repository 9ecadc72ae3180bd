"""``fedassay report``: what it writes, says and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.verify.conftest import USER_FILE
from tests.verify.report import ledgers
from tests.verify.report.outline import Node, Outline, flaws
from verify.catalogue.json_files import write_json
from verify.catalogue.library import Library
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.axes import Axes
from verify.cli import main
from verify.ledger.ledger import entry_json, ledger_json
from verify.report import report

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000"
    "000301010018dd8db00000000049454e44ae426082"
)
SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
    "<script>window.top.hacked = 3</script><rect id='summary' width='9' height='9'/></svg>"
)


def read(path: Path) -> Node:
    root = Outline(path.read_text(encoding="utf-8")).root
    assert flaws(root) == []
    return root


@pytest.fixture
def figures(tmp_path: Path) -> Path:
    folder = tmp_path / "figures"
    folder.mkdir()
    (folder / "b.svg").write_text(SVG)
    (folder / "a.png").write_bytes(PIXEL)
    (folder / "b.png").write_bytes(PIXEL)
    (folder / "notes.txt").write_text("not a figure")
    said = {
        "title": "The second",
        "caption": f"As seen {ledgers.NASTY}",
        "seeds": "0 to 9",
        "cpu_seconds": 1.25,
    }
    (folder / "captions.json").write_text(json.dumps({"b": said, "gone": {"title": "Gone"}}))
    (folder / "a.json").write_text(json.dumps({"caption": "One pixel"}))
    return folder


def test_it_says_what_it_wrote(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = small.parent / "deep" / "r.html"
    assert main(["report", str(small), "-o", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"{out}: 11 entries, 0 figures, 0.0")
    assert not read(out).all("figure")
    assert [path.name for path in out.parent.iterdir()] == ["r.html"]


def test_the_usual_name(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", small.name]) == 0
    read(tmp_path / "report.html")


def test_figures_are_in_the_page_with_their_captions(small: Path, figures: Path) -> None:
    out = small.parent / "r.html"
    assert main(["report", str(small), "--figures", str(figures), "-o", str(out)]) == 0
    shown = read(out).all("figure")
    assert [figure.one("img").attributes["alt"] for figure in shown] == ["The second", "A"]
    assert shown[0].one("img").attributes["src"].startswith("data:image/svg+xml,%3Csvg ")
    assert shown[1].one("img").attributes["src"].startswith("data:image/png;base64,")
    caption = shown[0].one("figcaption").text
    assert caption.startswith(f"The second. As seen {ledgers.NASTY}")
    assert caption.endswith("Seeds: 0 to 9. Computed in 1.25 s of CPU time.")
    assert shown[1].one("figcaption").text == "A. One pixel"


def test_a_heavy_drawing_gives_way_to_its_picture(small: Path, figures: Path) -> None:
    (figures / "b.svg").write_text(SVG + " " * 100_000)
    out = small.parent / "r.html"
    assert main(["report", str(small), "--figures", str(figures), "-o", str(out)]) == 0
    assert "image/svg" not in out.read_text()


def own_ledger(tmp_path: Path, told: bool) -> Path:
    """Ledger of a file of one's own, with what its statements say or without."""
    file = tmp_path / "mine.py"
    file.write_text(USER_FILE)
    known = load_statements(Origin.of(file))
    held = ledgers.EVIDENCE["holds"]
    entries = [
        entry_json(e, [ledgers.leaf(e.key, held)], {e.key: 0.1}, Axes(), told=told) for e in known
    ]
    path = tmp_path / "mine-ledger.json"
    settings: dict[str, Any] = {"seed": 0, "profile": "quick", "device": "cpu"}
    write_json(path, ledger_json(entries, known, **settings, complete=False))
    file.unlink()  # nobody runs it to read
    return path


def test_statements_of_ones_own_need_no_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = own_ledger(tmp_path, told=True), tmp_path / "r.html"
    assert main(["report", str(path), "-o", str(out)]) == 0
    assert "Shown without mathematics" not in capsys.readouterr().out
    root = read(out)
    assert "This ledger is partial" in root.text
    wrong = root.one("article", id="e-mine.wrong")
    assert wrong.all("math")
    assert "left ≤ right" in wrong.text


def test_a_ledger_that_does_not_say_what_it_is_about_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = own_ledger(tmp_path, told=False), tmp_path / "r.html"
    assert main(["report", str(path), "-o", str(out)]) == 0
    assert "Shown without mathematics" in capsys.readouterr().out
    wrong = read(out).one("article", id="e-mine.wrong")
    assert not wrong.all("math")
    assert "Neither the library nor the ledger says what this is" in wrong.text


def test_progress_counts_every_entry_twice(small: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    report(small, small.parent / "r.html", observe=lambda *step: seen.append(step))
    keys = [line["key"] for line in json.loads(small.read_text())["entries"]]
    assert [key for _, _, key in seen] == [*keys, *keys]
    assert [done for done, _, _ in seen] == list(range(1, 2 * len(keys) + 1))
    assert {total for _, total, _ in seen} == {2 * len(keys)}


def test_an_empty_ledger(tmp_path: Path) -> None:
    path, out = tmp_path / "l.json", tmp_path / "r.html"
    made = ledger_json([], Library([]), seed=0, profile="quick", device="cpu", complete=True)
    write_json(path, made)
    assert main(["report", str(path), "-o", str(out)]) == 0
    assert "holds no theorems" in read(out).text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (["missing.json"], "ledger must be an existing file"),
        (["small.json", "--figures", "nowhere"], "figures must be an existing folder"),
        (["small.json", "--figures", "empty"], "a folder with SVG or PNG files"),
        (["small.json", "--figures", "broken"], "captions must be a JSON file"),
        (["small.json", "-o", "empty"], "output must be a file"),
        (["small.json", "-o", "small.json"], "output must be another file than the input"),
        (["small.json", "-o", "small.json/r.html"], "output must be writable"),
        (["twice.json"], "a single line per key"),
        (["empty"], "ledger must be readable"),
    ],
)
def test_bad_input_gets_one_clear_sentence(
    small: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "a.png").write_bytes(PIXEL)
    (tmp_path / "broken" / "captions.json").write_text("{")
    content = json.loads(small.read_text())
    content["entries"].append(content["entries"][0])
    (tmp_path / "twice.json").write_text(json.dumps(content))
    before = small.read_bytes()
    assert main(["report", *change]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "report.html").exists()
    assert small.read_bytes() == before


def test_a_picture_about_an_entry_stands_beside_it(small: Path, figures: Path) -> None:
    said = json.loads((figures / "captions.json").read_text())
    said["b"]["entries"] = ["gone.theorem", "one.lemma"]
    (figures / "captions.json").write_text(json.dumps(said))
    out = small.parent / "r.html"
    assert main(["report", str(small), "--figures", str(figures), "-o", str(out)]) == 0
    root = read(out)
    (beside,) = [a for a in root.all("article") if a.all("figure")]
    assert "one.lemma" in beside.text
    assert len(root.all("figure")) == 2
