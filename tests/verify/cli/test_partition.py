"""The command that groups clients: every file format, what it prints, and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from algorithms.grouping.partition import Grouping, partition_clients, table_gradients
from bounds.numbers.validate import InvalidInput

Fedassay = Callable[..., tuple[int, str, str]]

GRADIENTS, SIZES = [[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]], [20, 80, 100]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same clients in every format."""
    np.savez(tmp_path / "c.npz", gradients=GRADIENTS, sizes=SIZES, names=["a", "b", "c"])
    lines = [f"{n},{s},{g[0]},{g[1]}" for n, s, g in zip("abc", SIZES, GRADIENTS, strict=True)]
    (tmp_path / "c.csv").write_text("client,size,g1,g2\n" + "\n".join(lines) + "\n")
    (tmp_path / "c.json").write_text(
        json.dumps({"gradients": GRADIENTS, "sizes": SIZES, "names": ["a", "b", "c"]})
    )
    return tmp_path


@pytest.mark.parametrize("name", ["c.npz", "c.csv", "c.json"])
def test_every_format_gives_the_same_groups(name: str, folder: Path, fedassay: Fedassay) -> None:
    code, out, err = fedassay("partition", folder / name, "--alpha", 10)
    assert (code, err) == (0, "")
    assert "group 1: a, b\ngroup 2: c\n" in out
    assert "which is the optimum" in out
    assert "stable: nobody" in out
    rows = {line.split()[0]: line.split() for line in out.splitlines()[1:4]}
    assert rows["a"][1:3] == ["1", "20"]
    assert rows["c"][5:] == ["+0.0000", "-"]


def test_files_of_spreadsheets(folder: Path, fedassay: Fedassay) -> None:
    """With a byte order mark, CRLF, semicolons and names in quotation marks."""
    plain = fedassay("partition", folder / "c.csv", "--alpha", 10)
    text = (folder / "c.csv").read_text()
    for changed in (
        text,
        text.replace("\n", "\r\n"),
        text.replace(",", ";"),
        text.replace("a,", '"a",'),
    ):
        (folder / "sheet.csv").write_bytes(b"\xef\xbb\xbf" + changed.encode())
        assert fedassay("partition", folder / "sheet.csv", "--alpha", 10) == plain
    (folder / "sheet.json").write_bytes(b"\xef\xbb\xbf" + (folder / "c.json").read_bytes())
    assert fedassay("partition", folder / "sheet.json", "--alpha", 10) == plain


def test_tables_of_the_clients(tmp_path: Path, fedassay: Fedassay) -> None:
    rng = np.random.default_rng(5)
    models = {"one": [1.0, 0.0], "two": [1.0, 0.1], "far": [-1.0, 0.5]}
    tables, lines = {}, ["client,x1,x2,y"]
    for name, model in models.items():
        x = rng.normal(size=(40, 2))
        tables[name] = (x, x @ np.array(model))
        lines += [
            f"{name},{a!r},{b!r},{y!r}"
            for (a, b), y in zip(x.tolist(), tables[name][1].tolist(), strict=True)
        ]
    arrays = {f"{k}_{n}": t[j] for n, t in tables.items() for j, k in enumerate("Xy")}
    np.savez(tmp_path / "t.npz", **arrays)
    (tmp_path / "t.csv").write_text("\n".join(lines))
    clients = {n: {"X": x.tolist(), "y": y.tolist()} for n, (x, y) in tables.items()}
    (tmp_path / "t.json").write_text(json.dumps({"clients": clients}))
    printed = {
        fedassay("partition", tmp_path / f"t.{k}", "--alpha", 5)[1] for k in ("npz", "csv", "json")
    }
    assert len(printed) == 1
    assert "group 1: one, two\ngroup 2: far\n" in printed.pop()
    gradients, sizes = table_gradients(list(tables.values()), [1.0, 0.0])
    np.testing.assert_allclose(gradients[0], 0, atol=1e-12)
    assert sizes.tolist() == [40, 40, 40]


def test_the_result_goes_to_json_and_comes_back(folder: Path, fedassay: Fedassay) -> None:
    path = folder / "out" / "r.json"
    code, out, _ = fedassay("partition", folder / "c.npz", "--alpha", 10, "--json", path)
    assert (code, f"Result: {path}" in out) == (0, True)
    stored = Grouping.from_json(json.loads(path.read_text()))
    assert stored == partition_clients(GRADIENTS, SIZES, tradeoff=10.0, names="abc")
    assert stored.optimum == pytest.approx(stored.utility)


def test_a_greedy_partition_below_the_optimum_says_so(tmp_path: Path, fedassay: Fedassay) -> None:
    """Four clients in the plane for which merging the best pair first is a mistake."""
    found = None
    for seed in range(400):
        rng = np.random.default_rng(seed)
        g, sizes = rng.normal(size=(4, 2)), rng.integers(1, 30, 4)
        made = partition_clients(g, sizes, tradeoff=8.0)
        assert made.optimum is not None
        if made.optimum > made.utility + 1e-6:
            found = g, sizes
            break
    assert found is not None
    np.savez(tmp_path / "g.npz", gradients=found[0], sizes=found[1])
    out = fedassay("partition", tmp_path / "g.npz", "--alpha", 8)[1]
    assert "below the optimum" in out


def test_many_clients_have_no_optimum(tmp_path: Path, fedassay: Fedassay) -> None:
    np.savez(
        tmp_path / "m.npz",
        gradients=np.random.default_rng(2).normal(size=(40, 3)),
        sizes=np.full(40, 9),
    )
    out = fedassay("partition", tmp_path / "m.npz", "--alpha", 9)[1]
    assert "the optimum of so many clients is not computed" in out


def test_the_box_makes_the_first_merge_anyway(tmp_path: Path, fedassay: Fedassay) -> None:
    np.savez(tmp_path / "o.npz", gradients=[[1.0], [-1.0]], sizes=[2, 1])
    assert "group 2: 2" in fedassay("partition", tmp_path / "o.npz", "--alpha", 0)[1]
    out = fedassay("partition", tmp_path / "o.npz", "--alpha", 0, "--order", "box")[1]
    assert "group 1: 1, 2" in out
    assert "worse off than alone: 2" in out
    assert "not stable: 1 of 2" in out


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.csv", None, "file must be an existing file"),
        ("a.txt", "x", "file must be one of .npz, .csv, .json"),
        ("a.csv", "size,g\n", "file must be a heading and a line per client"),
        ("a.csv", "size,g\n1,2\n3\n", "line 3 must be 2 cells, got 1"),
        ("a.csv", "size,g\n1,two\n", "column g must hold numbers, got 'two' in line 2"),
        ("a.csv", "a,b\n1,2\n", "first line must be a heading with size, or with client and y"),
        ("a.csv", "a,20,1,1\nb,80,1,2\n", "got a, 20, 1, 1: write the names of the columns there"),
        ("a.csv", "client,g\na,1\n", "first line must be a heading with size"),
        ("a.csv", "size;g\n1;0,5\n", "column g must hold numbers, got '0,5' in line 2"),
        ("a.csv", "size,g,g\n1,2,3\n", "heading must be of different columns"),
        ("a.csv", "size\n1\n", "heading must be at least one column of numbers more"),
        ("a.csv", "size,g\n0,2\n1,1\n", "sizes must be positive"),
        ("a.csv", "client,size,g\na,1,2\na,1,1\n", "names must be 2 different ones"),
        ("a.csv", "size,g\n1,nan\n1,1\n", "gradients must be finite"),
        ("a.json", "[1]", "file must be a JSON object"),
        ("a.json", "{", "file must be a JSON file"),
        ("a.json", '{"gradients": [[1]]}', "file must be sizes beside the gradients"),
        ("a.json", '{"gradients": [[1], [1, 2]], "sizes": [1, 1]}', "gradients must be a rect"),
        ("a.json", '{"clients": {"a": {"X": [[1]]}}}', "file must be gradients and sizes"),
        ("a.json", '{"clients": {"a": {"X": [[1]], "y": [1, 2]}}}', "table 1 must be rows X"),
        ("a.npz", "no zip", "file must be a readable npz"),
    ],
)
def test_bad_files_get_one_sentence(
    name: str, text: str | None, message: str, tmp_path: Path, fedassay: Fedassay
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    code, out, err = fedassay("partition", tmp_path / name, "--alpha", 1)
    assert (code, out) == (2, "")
    assert err.startswith("fedassay: ")
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize("alpha", ["-1", "nan", "inf"])
def test_a_bad_tradeoff_is_refused(alpha: str, folder: Path, fedassay: Fedassay) -> None:
    code, _, err = fedassay("partition", folder / "c.npz", f"--alpha={alpha}")
    assert (code, "tradeoff must be" in err) == (2, True)


def test_tables_of_different_width_are_refused() -> None:
    with pytest.raises(InvalidInput, match="tables must be of one number of columns"):
        table_gradients([([[1.0]], [1.0]), ([[1.0, 2.0]], [1.0])])
