"""The command ``collaborate``: tables from files, what is printed, what is decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from verify.cli import collaborate as command
from verify.cli import main

QUICK = ["--resamples", "20", "--runs", "40", "--rounds", "200", "--batch", "4"]
SHORT = ["--resamples", "20", "--runs", "4", "--rounds", "20", "--batch", "4"]
"""Where no prediction is looked at."""


def _csv(folder: Path, *, separator: str = ",", rows: int = 60) -> Path:
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=(2, rows)).round(6)
    y = (u + 0.3 * rng.normal(size=rows)).round(6)
    lines = [["town", "u", "v", "y"]]
    cells = enumerate(zip(u, v, y, strict=True))
    lines += [["abc"[j % 3], *map(str, values)] for j, values in cells]
    path = folder / "rows.csv"
    path.write_text("\n".join(separator.join(line) for line in lines) + "\n", encoding="utf-8")
    return path


def test_a_table_is_taken_to_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    call = ["collaborate", str(_csv(tmp_path)), "--client", "town", "--target", "y", *QUICK]
    assert main([*call, "--json", str(out)]) == 0
    printed = capsys.readouterr().out
    for words in ("least squares on u, v", "b and c: exact", "95 %", "groups: ", "came true"):
        assert words in printed
    result = json.loads(out.read_text())
    assert [c["client"] for c in result["clients"]] == ["a", "b", "c"]
    assert len(result["pairs"]) == 3 * 6
    assert len(result["predictions"]) == 3 * (3 * 3 + 1)
    for pair in result["pairs"]:
        assert pair["b_interval"][0] <= pair["b"] <= pair["b_interval"][1]
        assert pair["r_interval"][0] <= pair["r"] <= pair["r_interval"][1]
    words = {p["came_true"] for p in result["predictions"]}
    assert words <= {"yes", "undecided", "nothing predicted"}
    assert "yes" in words


def test_the_same_call_gives_the_same_result(tmp_path: Path) -> None:
    made = []
    for separator, name in ((",", "one.json"), (";", "two.json")):
        path, out = _csv(tmp_path, separator=separator), tmp_path / name
        call = ["collaborate", str(path), "--client", "town", "--target", "y", "--precision", "0.1"]
        assert main([*call, *SHORT, "--json", str(out)]) == 0
        made.append(out.read_text())
    assert made[0] == made[1]


@pytest.mark.slow
def test_npz_columns_and_matrices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    X, side = rng.normal(size=(80, 2)), np.arange(80) % 2
    path = tmp_path / "rows.npz"
    np.savez(path, X=X, side=side, label=np.where(X[:, 0] + 0.5 * rng.normal(size=80) > 0, 1, 0))
    call = ["collaborate", str(path), "--client", "side", "--target", "label"]
    assert main([*call, *SHORT, "--precision", "0.1", "--threshold", "0.5"]) == 0
    printed = capsys.readouterr().out
    assert "logistic on X1, X2" in printed
    assert "over sampled models" in printed


def test_many_clients_have_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(2)
    u, side = rng.normal(size=200), np.arange(200) % 8
    path = tmp_path / "rows.npz"
    np.savez(path, u=u, side=side, y=u + 0.1 * rng.normal(size=200))
    call = ["collaborate", str(path), "--client", "side", "--target", "y", "--precision", "0.1"]
    assert main([*call, "--resamples", "20", "--runs", "2", "--rounds", "5"]) == 0
    printed = capsys.readouterr().out
    lines = printed[printed.index("largest r") : printed.index("every pair")].splitlines()[1:]
    assert [line.split()[0] for line in lines] == list("01234567")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        [
            "diabetes",
            "--client",
            "age",
            "--clients",
            "3",
            "--target",
            "progression",
            "--features",
            "bmi,bp,s5",
        ],
        [
            "breast-cancer",
            "--client",
            "mean_texture",
            "--clients",
            "3",
            "--target",
            "diagnosis",
            "--features",
            "mean_radius,mean_smoothness",
        ],
    ],
)
def test_the_worked_examples_run(words: list[str], tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="the extra [data] is not installed")
    out = tmp_path / "out.json"
    assert main(["collaborate", *words, *QUICK, "--json", str(out)]) == 0
    result = json.loads(out.read_text())
    alone = [p for p in result["predictions"] if p["method"] == "alone"]
    assert all(p["came_true"] == "yes" for p in alone if p["reached"] > 0.95)


BAD = {
    "no such file": (["nowhere.csv"], "table must be an existing file, or diabetes"),
    "an unknown ending": (["rows.txt"], "file must be one of .npz, .csv"),
    "half a line": (["ragged.csv"], "line 3 must be 2 cells"),
    "a heading alone": (["empty.csv"], "heading and a line per row"),
    "one name twice": (["twice.csv"], "heading must be of different columns"),
    "no npz": (["broken.npz"], "readable npz"),
    "unequal lengths": (["uneven.npz"], "columns must be of one length"),
    "a cube": (["cube.npz"], "one or two axes"),
    "an unknown column": (["rows.csv", "--features", "nothing"], "column must be one of"),
    "a precision in words": (["rows.csv", "--precision", "small"], "precision must be numbers"),
    "a precision of zero": (["rows.csv", "--precision", "0"], "precisions must be positive"),
    "a level of one": (["rows.csv", "--level", "1"], "level must be in (0, 1)"),
    "few resamples": (["rows.csv", "--resamples", "3"], "resamples must be at least 20"),
    "no runs": (["rows.csv", "--runs", "0"], "runs must be at least 1"),
    "no rounds": (["rows.csv", "--rounds", "0"], "rounds must be at least 1"),
    "no batch": (["rows.csv", "--batch", "0"], "batch must be a positive integer"),
    "a negative seed": (["rows.csv", "--seed", "-1"], "seed must be a non-negative integer"),
    "a threshold above one": (["rows.csv", "--threshold", "2"], "threshold must be in (0, 1]"),
    "a negative alpha": (["rows.csv", "--alpha", "-1"], "tradeoff must be non-negative"),
    "a result over its table": (["rows.csv", "--json", "rows.csv"], "output must be"),
    "a ridge of zero": (["rows.csv", "--ridge", "0"], "ridge must be positive"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_line(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _csv(tmp_path)
    texts = {
        "rows.txt": "a",
        "ragged.csv": "town,y\na,1\nb\n",
        "empty.csv": "town,y\n",
        "twice.csv": "y,y\n1,2\n",
        "broken.npz": "no",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    np.savez(tmp_path / "uneven.npz", town=np.zeros(3), y=np.zeros(4))
    np.savez(tmp_path / "cube.npz", town=np.zeros((2, 2, 2)))
    words, sentence = BAD[what]
    settings = [] if any(w in words for w in ("--resamples", "--runs", "--rounds")) else QUICK
    call = ["collaborate", *words, "--client", "town", "--target", "y"]
    given = call if "--batch" in words else [*call, *settings]
    assert main(given) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert sentence in lines[0]


EDGES = {
    # a flag at the edge of its domain, and a little beyond it
    "--threshold": ("1", "1.000001", "threshold must be in (0, 1]"),
    "--resamples": ("20", "19", "resamples must be at least 20"),
    "--runs": ("1", "0", "runs must be at least 1"),
    "--rounds": ("1", "0", "rounds must be at least 1"),
    "--batch": ("1", "0", "batch must be a positive integer"),
    "--seed": ("0", "-1", "seed must be a non-negative integer"),
    "--alpha": ("0", "-1e-12", "tradeoff must be non-negative"),
    "--level": ("0.999999", "1", "level must be in (0, 1)"),
    "--ridge": ("1e-9", "0", "ridge must be positive"),
    "--precision": ("1e-6", "0", "precisions must be positive"),
}


def test_every_number_of_the_command_at_the_edge_of_its_domain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _csv(tmp_path)
    call = ["collaborate", "rows.csv", "--client", "town", "--target", "y"]
    on = {flag: f"{flag}={edge}" for flag, (edge, _, _) in EDGES.items()}
    assert main([*call, *on.values()]) == 0
    for flag, (_, beyond, sentence) in EDGES.items():
        capsys.readouterr()
        given = {**on, flag: f"{flag}={beyond}"}
        assert main([*call, *given.values()]) == 2, flag
        assert sentence in capsys.readouterr().err, flag


@pytest.mark.parametrize(
    ("late", "rounds", "looked_at", "word"),
    [
        (0, 50.0, 50.0, "yes"),
        (64, 50.0, 50.0, "no"),
        (64, 5000.0, 50.0, "undecided"),  # the cap came first
        (30, 50.0, 50.0, "undecided"),
        (64, np.inf, 0.0, "nothing predicted"),
    ],
)
def test_a_promise_is_decided_by_its_runs(
    late: int, rounds: float, looked_at: float, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty-four runs of which some are late, shown through the record that is printed."""

    class Found:
        precisions = np.array([0.1])
        alone = all_for_one = grouped = np.array([[rounds]])
        together = apart = np.array([rounds])

    class Tried:
        def __init__(self) -> None:
            self.crossing = {"alone": np.array([[10.0]])}
            self.rounds = {"alone": np.array([[looked_at]])}

        def missed(self, method: str, p: int, i: int) -> Any:
            return (np.arange(64) < late).astype(float)

    made = command.prediction(Found(), Tried(), ["a"], "alone", 0, 0)
    assert made["came_true"] == word
