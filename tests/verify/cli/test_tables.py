"""Tables as data frames and spreadsheets write them, in `collaborate` and `partition`.

What is no data is left out and told, what could mean two things is refused with the cure, and each
of it has a control beside it that passes unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms.collaboration.prepared import CATEGORIES, prepared
from bounds.numbers.validate import InvalidInput
from tests.each import each
from verify.cli import main
from verify.cli.collaborate import fewest_runs
from verify.cli.tables.gains import sentence
from verify.cli.tables.row_numbers import without_row_numbers
from verify.cli.tables.table_file import read_table
from verify.verdict.e_values import e_value, e_value_in_favour
from verify.verdict.relation import ACCUSE

Fedassay = Callable[..., tuple[int, str, str]]
SHORT = ["--resamples", "20", "--runs", "4", "--rounds", "20", "--batch", "4"]
MODELS = {"A": (1.0, 0.0), "B": (0.0, 1.0), "C": (-1.0, -1.0), "D": (-1.0, -1.0)}
ROWS = {"A": 60, "B": 60, "C": 14, "D": 120}


def rows(seed: int = 1) -> list[dict[str, str]]:
    """Towns A and B with models of their own, C with few rows of D's."""
    rng = np.random.default_rng(seed)
    made = []
    for town, count in ROWS.items():
        for _ in range(count):
            u, v = rng.normal(size=2)
            y = MODELS[town][0] * u + MODELS[town][1] * v + 0.5 * rng.normal()
            made.append({"town": town, "u": f"{u:.5f}", "v": f"{v:.5f}", "y": f"{y:.5f}"})
    return made


def written(path: Path, table: list[dict[str, str]], *, index: str | None = None) -> Path:
    """A CSV file, with a first column of row numbers under this heading if one is given."""
    head = list(table[0])
    first = [] if index is None else [index]
    lines = [",".join([*first, *head])]
    lines += [
        ",".join([*([] if index is None else [str(k)]), *(row[name] for name in head)])
        for k, row in enumerate(table)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def result(path: Path, *more: str, out: Path) -> dict[str, Any]:
    """What `collaborate` writes."""
    assert main(["collaborate", str(path), "--target", "y", *SHORT, *more, "-o", str(out)]) == 0
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def plain(found: dict[str, Any]) -> dict[str, Any]:
    """A result without the lines on what was done to the table."""
    return {name: value for name, value in found.items() if name != "notes"}


# -- row numbers -------------------------------------------------------------------------


@pytest.mark.parametrize("heading", ["", "Unnamed: 0"])
def test_row_numbers_of_a_data_frame_are_no_coordinate(heading: str, tmp_path: Path) -> None:
    table, town = rows(), ("--client", "town")
    without = result(written(tmp_path / "a.csv", table), *town, out=tmp_path / "a.json")
    numbered = written(tmp_path / "b.csv", table, index=heading)
    found = result(numbered, *town, out=tmp_path / "b.json")
    assert plain(found) == plain(without)
    assert without["notes"] == []
    (note,) = found["notes"]
    assert note.startswith("left out: column 1")
    named = result(written(tmp_path / "c.csv", table, index="t"), *town, out=tmp_path / "c.json")
    assert "t" in named["features"]  # the control: what has a name is data


def test_row_numbers_are_left_out_of_gradients(tmp_path: Path, fedassay: Fedassay) -> None:
    """With them as a coordinate the first client's utility would be 0.6454 instead of 0.8285."""
    clients = [("a", 20, 1.0, 0.0), ("b", 80, 1.0, 0.5), ("c", 100, 0.0, 1.0)]
    table = [{"client": n, "size": str(s), "g1": str(g), "g2": str(h)} for n, s, g, h in clients]
    clean = fedassay("partition", written(tmp_path / "a.csv", table), "--alpha", 10)[1]
    for heading in ("", "Unnamed: 0", "Unnamed: 0.1"):
        path = written(tmp_path / "b.csv", table, index=heading)
        code, out, err = fedassay("partition", path, "--alpha", 10)
        assert (code, err) == (0, "")
        first, rest = out.split("\n", 1)
        assert "row numbers" in first
        assert rest == clean
    kept = fedassay("partition", written(tmp_path / "c.csv", table, index="t"), "--alpha", 10)[1]
    assert kept != clean
    first = {text: text.splitlines()[1].split()[3] for text in (clean, kept)}
    assert (first[clean], first[kept]) == ("0.8285", "0.6454")


@each("cells", [["0", "1", "2"], ["5", "9", "12"], ["0", "1", "0"]])
def test_whole_numbers_without_a_name_are_an_index(cells: list[str]) -> None:
    """From zero, of some rows that were kept, or of tables that were joined."""
    kept, (line,) = without_row_numbers({"": cells, "u": ["1", "2", "3"]})
    assert list(kept) == ["u"]
    assert "column 1" in line


def test_a_column_without_a_name_that_is_data_is_refused() -> None:
    with pytest.raises(InvalidInput, match="column 2 must have a name .* got '0.5' in it"):
        without_row_numbers({"u": ["1", "2"], "": ["0.5", "2"]})


# -- gaps, categories, spellings ---------------------------------------------------------


def test_rows_with_gaps_are_left_out_and_counted(tmp_path: Path) -> None:
    table = rows()
    holes = [{**row} for row in table]
    for k, gap in ((3, ""), (70, "NA"), (150, "nan")):
        holes[k]["u"] = gap
    holes[150]["v"] = "null"
    kept = [row for k, row in enumerate(table) if k not in (3, 70, 150)]
    town = ("--client", "town")
    found = result(written(tmp_path / "a.csv", holes), *town, out=tmp_path / "a.json")
    (note,) = found["notes"]
    assert note == f"left out: 3 of {len(table)} rows, which have gaps (u 3, v 1)"
    without = result(written(tmp_path / "b.csv", kept), *town, out=tmp_path / "b.json")
    assert plain(found) == plain(without)


def test_gaps_elsewhere_do_not_count() -> None:
    columns = {"who": ["a", "b"], "u": ["1", "2"], "y": ["3", "4"], "unused": ["", "5"]}
    assert prepared(columns, "who", "y", ["u"]).notes == ()


def test_words_become_zeros_and_ones() -> None:
    columns = {
        "who": ["a", "b", "a", "b"],
        "y": ["1", "2", "3", "4"],
        "colour": ["red", "blue", "red", "green"],
    }
    found = prepared(columns, "who", "y", ["colour"])
    assert found.features == ("colour=blue", "colour=green")
    assert found.columns["colour=blue"].tolist() == [0, 1, 0, 0]
    assert found.columns["colour=green"].tolist() == [0, 0, 0, 1]
    assert found.notes == ("column colour: 3 categories, told from red by zeros and ones",)


def test_a_dash_is_a_gap_among_numbers_and_a_word_among_words() -> None:
    columns = {"who": ["a", "b", "a"], "y": ["1", "2", "3"], "x": ["1", "-", "3"]}
    assert "1 of 3 rows" in prepared(columns, "who", "y", ["x"]).notes[0]
    columns["x"] = ["none", "pollen", "none"]
    assert prepared(columns, "who", "y", ["x"]).features == ("x=pollen",)


def test_one_number_in_two_spellings_is_one_value() -> None:
    columns = {"who": ["1", "1.0", "2"], "y": ["0", "1", "1.0"], "u": ["1", "2", "3"]}
    found = prepared(columns, "who", "y", ["u"])
    assert found.columns["who"] == ["1", "1", "2"]
    assert found.columns["y"] == ["0", "1", "1"]
    assert "column who: 1.0 is read as 1, the same number" in found.notes


WORDS = {"who": ["a", "b", "a"], "y": ["1", "2", "3"], "u": ["1", "2", "3"]}
REFUSED: dict[str, tuple[dict[str, list[str]], str]] = {
    "a client in two spellings": (
        {"who": ["Oslo", "oslo", "Rome"]},
        "column who must spell each value in one way, got 'Oslo' and 'oslo'",
    ),
    "a client with spaces inside": (
        {"who": ["New York", "new  york", "Rome"]},
        "got 'New York' and 'new york'",
    ),
    "a label in two spellings": ({"y": ["yes", "Yes", "no"]}, "got 'yes' and 'Yes'"),
    "a category in two spellings": ({"u": ["red", "Red", "blue"]}, "got 'red' and 'Red'"),
    "numbers and words": ({"u": ["1", "two", "3"]}, "column u must hold numbers, got 'two'"),
    "one word": ({"u": ["red", "red", "red"]}, "must be of different words, got red"),
    "nothing": ({"u": ["", "NA", "nan"]}, "columns must be with values, got u"),
    "a gap in every row": (
        {"u": ["1", "", "3"], "y": ["", "2", ""]},
        "with a value in every column",
    ),
}


@each("name", REFUSED)
def test_what_could_mean_two_things_is_refused(name: str) -> None:
    change, message = REFUSED[name]
    prepared(WORDS, "who", "y", ["u"])  # the control
    with pytest.raises(InvalidInput) as error:
        prepared({**WORDS, **change}, "who", "y", ["u"])
    assert message in str(error.value)


@pytest.mark.parametrize("count", [CATEGORIES, CATEGORIES + 1])
def test_the_number_of_categories_has_an_end(count: int) -> None:
    words = [f"w{j}" for j in range(count)]
    columns = {"who": ["a"] * count, "y": ["1"] * count, "u": words}
    if count <= CATEGORIES:
        assert len(prepared(columns, "who", "y", ["u"]).features) == count - 1
        return
    with pytest.raises(InvalidInput, match=f"at most {CATEGORIES} different words"):
        prepared(columns, "who", "y", ["u"])


# -- a folder of tables ------------------------------------------------------------------


def folder(path: Path, **index: str) -> Path:
    """A file for each town."""
    path.mkdir()
    for town in ROWS:
        table = [
            {name: cell for name, cell in row.items() if name != "town"}
            for row in rows()
            if row["town"] == town
        ]
        written(path / f"{town}.csv", table, **index)
    return path


def test_a_folder_is_one_table(tmp_path: Path, fedassay: Fedassay) -> None:
    table = written(tmp_path / "all.csv", rows())
    one = result(table, "--client", "town", out=tmp_path / "a.json")
    many = folder(tmp_path / "towns")
    assert result(many, out=tmp_path / "b.json") == one
    numbered = result(folder(tmp_path / "numbered", index=""), out=tmp_path / "c.json")
    assert plain(numbered) == plain(one)
    assert numbered["notes"][0].endswith("(in A, B, C, D)")
    fedassay("list", "--help")  # what was printed until here is read
    single = [{"client": row["town"], **{n: row[n] for n in "uvy"}} for row in rows()]
    printed = [
        fedassay("partition", path, "--alpha", 5)[1]
        for path in (written(tmp_path / "single.csv", single), many)
    ]
    assert printed[0] == printed[1]


BAD_FOLDERS: dict[str, tuple[dict[str, str], str]] = {
    "one file": ({"a.csv": "u,y\n1,2\n"}, "with a file per client, got 1 files"),
    "a stranger": (
        {"a.csv": "u,y\n1,2\n", "b.csv": "u,y\n1,2\n", "notes.txt": "x"},
        "of files .npz, .csv alone, got notes.txt",
    ),
    "other columns": (
        {"a.csv": "u,y\n1,2\n", "b.csv": "w,y\n1,2\n"},
        "columns of b.csv must be those of the first file, got a difference in u, w",
    ),
    "a column of the name": (
        {"a.csv": "client,y\n1,2\n", "b.csv": "client,y\n1,2\n"},
        "columns must be without client",
    ),
}


@each("name", BAD_FOLDERS)
def test_folders_of_another_kind_are_refused(name: str, tmp_path: Path) -> None:
    files, message = BAD_FOLDERS[name]
    place = tmp_path / name
    place.mkdir()
    for file, text in files.items():
        (place / file).write_text(text)
    with pytest.raises(InvalidInput) as error:
        read_table(str(place))
    assert message in str(error.value)


def test_who_the_clients_are_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many, one = folder(tmp_path / "towns"), written(tmp_path / "all.csv", rows())
    assert main(["collaborate", str(many), "--target", "y", "--client", "u", *SHORT]) == 2
    assert "--client must be absent for a folder" in capsys.readouterr().err
    assert main(["collaborate", str(one), "--target", "y", *SHORT]) == 2
    assert "--client must be given" in capsys.readouterr().err


# -- the answer --------------------------------------------------------------------------


def test_the_answer_begins_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Thirty features and eighty rows of C to learn from, as many of D's as one could wish."""
    rng, lines = np.random.default_rng(4), []
    for town, count in {"A": 400, "B": 400, "C": 160, "D": 800}.items():
        model = np.random.default_rng(ord(town) - (town == "D")).normal(size=30)
        for _ in range(count):
            x = rng.normal(size=30)
            cells = {f"x{j}": f"{value:.5f}" for j, value in enumerate(x)}
            lines.append({"town": town, **cells, "y": f"{x @ model + 2 * rng.normal():.5f}"})
    path = written(tmp_path / "all.csv", lines)
    assert main(["collaborate", str(path), "--client", "town", "--target", "y", *SHORT]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "C gains from D; A, B and D need nobody."
    row = next(line for line in lines[1:] if line.startswith("C ") and " D " in line)
    assert row.count("..") == 5  # every loss has its interval


def record(client: str, word: str, *partners: str) -> dict[str, Any]:
    return {
        "client": client,
        "word": word,
        "partners": list(partners),
        "gain": [1.0 + ord(client) / 1000, 0.5, 1.5],
        "alone": [2.0, 1.0, 3.0],
    }


SENTENCES = [
    (
        [record("a", "gains", "b", "c"), record("b", "open", "a")],
        "a gains from b and c; b shows no gain",
    ),
    ([record("a", "nobody"), record("b", "nobody")], "a and b need nobody"),
    (
        [record("a", "loses", "b"), record("b", "nobody")],
        "b needs nobody; a loses by the partners found",
    ),
    (
        [record(c, "gains", "z") for c in "abcdefgh"],
        "8 of 8 clients gain, the most h from z",
    ),
]


@each(("records", "words"), SENTENCES)
def test_sentences(records: list[dict[str, Any]], words: str) -> None:
    assert sentence(records) == words


UNDECIDED = {"undecided", "nothing predicted"}


def test_runs_that_cannot_decide_are_told_beforehand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    least = fewest_runs()
    for runs, decides in ((least - 1, False), (least, True)):
        for_it = e_value_in_favour(np.zeros(runs), 0.5, 1.0)
        against = e_value(np.ones(runs), 0.5)
        assert (min(for_it, against) >= ACCUSE) == decides
    path = written(tmp_path / "all.csv", rows())
    call = ["collaborate", str(path), "--client", "town", "--target", "y", "--precision", "0.3"]
    out = tmp_path / "out.json"
    call += ["--resamples", "20", "--rounds", "2000", "--batch", "4", "-o", str(out)]
    assert main([*call, "--runs", "16"]) == 0
    few = capsys.readouterr()
    assert few.err == (
        f"note: 16 runs cannot decide a promise, whatever they show: pass --runs {least} or more; "
        "with fewer the column 'came true' says undecided\n"
    )
    assert {p["came_true"] for p in json.loads(out.read_text())["predictions"]} <= UNDECIDED
    assert main([*call, "--runs", str(least)]) == 0
    enough = capsys.readouterr()
    assert enough.err == ""
    assert {p["came_true"] for p in json.loads(out.read_text())["predictions"]} - UNDECIDED


def test_a_client_in_two_spellings_is_refused_by_partition(
    tmp_path: Path, fedassay: Fedassay
) -> None:
    table = [
        {"client": name, "size": "5", "g1": "1", "g2": str(k)}
        for k, name in enumerate(["Oslo", "oslo", "Rome"])
    ]
    code, _, err = fedassay("partition", written(tmp_path / "a.csv", table), "--alpha", 1)
    assert code == 2
    assert "must spell each value in one way, got 'Oslo' and 'oslo'" in err
    table[1]["client"] = "Oslo 2"
    assert fedassay("partition", written(tmp_path / "a.csv", table), "--alpha", 1)[0] == 0
