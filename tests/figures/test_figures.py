"""Figures: committed data agree with what is computed, files are reproducible, captions whole."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from figures import places, runner, style
from figures.places import Place
from tests.each import each
from verify.cli import figures as command
from verify.cli import main

KNOWN = {place.name: place for place in command.every_figure()}
"""All figures by name."""

CHEAP = ("sufficient_cluster", "allforall_samples", "tightness", "step_frontier")
"""Figures whose quick settings take about two seconds or less."""

SAMPLE = tuple(KNOWN)[::6]
"""Every sixth figure: drawn in all formats by default; ``pytest -m slow`` draws all of them."""

LIMIT = 300_000
"""Bytes of all committed data together."""


@pytest.fixture(scope="module", params=[SAMPLE, pytest.param(KNOWN, marks=pytest.mark.slow)])
def drawn(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of figures from the committed data."""
    folder = tmp_path_factory.mktemp("figures")
    for name in request.param:
        made = runner.paint(KNOWN[name], "stored", folder)
        runner.note(made, folder, tuple(KNOWN.values()))
    return folder


def names_in(folder: Path) -> list[str]:
    """Figures of this folder, in the order of all."""
    found = {path.stem for path in folder.glob("*.svg")}
    assert found
    return [name for name in KNOWN if name in found]


def test_every_module_is_a_figure_and_has_data() -> None:
    root = Path(places.__file__).parents[1]
    paths = [*(root / "figures").rglob("fig_*.py"), *(root / "verify").rglob("fig_*.py")]
    modules = {".".join(path.relative_to(root).with_suffix("").parts): path for path in paths}
    assert modules.keys() == {place.module for place in KNOWN.values()}
    assert len(KNOWN) == len(modules)
    for place in KNOWN.values():
        assert modules[place.module].stem == f"fig_{place.name}"
        assert place.data.name == "data"
        assert place.data.parent in modules[place.module].parents
    data = {path for place in KNOWN.values() for path in place.data.glob("*.npz")}
    assert data == {place.file for place in KNOWN.values()}


def test_places_name_nothing_above_the_figures() -> None:
    assert {place.module.partition(".")[0] for place in places.PLACES} == {"figures"}
    assert list(KNOWN.values())[: len(places.PLACES)] == list(places.PLACES)


def test_committed_data_are_small_and_finite_numbers_or_text() -> None:
    assert sum(place.file.stat().st_size for place in KNOWN.values()) < LIMIT
    for name, place in KNOWN.items():
        for key, values in runner.stored(place).items():
            assert values.dtype.kind in "biufU", (name, key)


@pytest.mark.parametrize("name", CHEAP)
def test_committed_data_are_what_is_computed(name: str) -> None:
    assert runner.check(KNOWN[name]) == []


@each("name", KNOWN)
def test_committed_data_make_a_figure_of_column_width_and_a_caption(name: str) -> None:
    module = places.load(KNOWN[name])
    data, seconds = runner.numbers(KNOWN[name], "stored")
    with style.style():
        figure = module.plot(data)
    assert figure.get_size_inches()[0] == pytest.approx(style.WIDTH)
    assert sum(len(axes.get_children()) for axes in figure.axes) > 10
    assert seconds >= 0
    assert module.TITLE
    assert module.SEEDS
    caption = module.caption(data).split()
    assert len(" ".join(caption)) > 100
    assert "nan" not in caption


def test_titles_differ_and_the_figure_of_worst_cases_comes_last() -> None:
    titles = [places.load(place).TITLE for place in KNOWN.values()]
    assert len(set(titles)) == len(titles)
    assert list(KNOWN)[-2:] == ["step_frontier", "worst_case"]


def test_figures_are_drawn_in_three_formats_at_column_width(drawn: Path) -> None:
    for name in names_in(drawn):
        for ending, magic in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
            assert (drawn / f"{name}.{ending}").read_bytes().startswith(magic)
        text = (drawn / f"{name}.svg").read_text()
        assert 'width="237.6pt"' in text  # 3.3 inches
        assert "<dc:date>" not in text
        assert len(text) < 400_000


def test_files_are_the_same_bytes_each_time(drawn: Path, tmp_path: Path) -> None:
    name = names_in(drawn)[1]
    runner.draw(KNOWN[name], "stored", tmp_path)
    for ending in ("svg", "pdf", "png"):
        file = f"{name}.{ending}"
        assert (tmp_path / file).read_bytes() == (drawn / file).read_bytes()


def test_ids_of_a_figure_are_its_own_and_every_link_has_its_target(drawn: Path) -> None:
    seen: set[str] = set()
    for name in names_in(drawn):
        text = (drawn / f"{name}.svg").read_text()
        ids = re.findall(r'\bid="([^"]*)"', text)
        links = re.findall(r'href="#([^"]*)"', text) + re.findall(r"url\(#([^)]*)\)", text)
        assert len(ids) == len(set(ids))
        assert set(links) <= set(ids)
        assert not seen & set(ids)
        seen |= set(ids)


def test_captions_are_written_in_the_order_of_the_figures(drawn: Path) -> None:
    captions = json.loads((drawn / runner.CAPTIONS).read_text())
    assert list(captions) == names_in(drawn)
    for name, entry in captions.items():
        module = places.load(KNOWN[name])
        data, seconds = runner.numbers(KNOWN[name], "stored")
        assert entry == {
            "title": module.TITLE,
            "caption": " ".join(module.caption(data).split()),
            "seeds": module.SEEDS,
            "cpu_seconds": round(seconds, 2),
        }


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidInput, match="figure must be one of .*, got nonsense"):
        places.select(["nonsense"])
    assert main(["figures", "nonsense"]) == 2
    assert "check the spelling" in capsys.readouterr().err


def test_an_unknown_profile_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", CHEAP[0], "--profile", "slow"]) == 2
    assert "profile must be one of quick, full, stored" in capsys.readouterr().err


def test_names_may_be_globs() -> None:
    assert places.select(["suff*"]) == [KNOWN["sufficient_cluster"]]
    assert places.select([]) == list(places.PLACES)
    assert places.select(["worst*"], command.every_figure()) == [KNOWN["worst_case"]]


def test_a_figure_without_its_package_is_left_out_unless_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first, other = CHEAP[:2]
    monkeypatch.setattr(command, "every_figure", lambda: (KNOWN[first], KNOWN[other]))
    monkeypatch.setattr(places.load(KNOWN[other]), "NEEDS", "no_such_package", raising=False)
    assert places.lacking(KNOWN[first]) == ""
    assert places.lacking(KNOWN[other]) == "no_such_package"
    assert main(["figures", "--profile", "quick", "-o", str(tmp_path)]) == 0
    assert f"{other}: left out, no_such_package is missing" in capsys.readouterr().out
    assert [path.stem for path in tmp_path.glob("*.svg")] == [first]
    assert main(["figures", "--profile", "stored", "-o", str(tmp_path)]) == 0
    assert "left out" not in capsys.readouterr().out
    assert len(list(tmp_path.glob("*.svg"))) == 2


def elsewhere(name: str, folder: Path) -> Place:
    """The figure, with its committed data in another folder."""
    return replace(KNOWN[name], data=folder)


def test_check_catches_a_changed_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Negative control: one number moved by a thousandth."""
    name = CHEAP[0]
    copy = elsewhere(name, tmp_path)
    shutil.copy(KNOWN[name].file, copy.file)
    assert runner.check(copy) == []
    data = runner.stored(copy)
    data["half"][0] *= 1.001
    np.savez_compressed(copy.file, **data)
    found = runner.check(copy)
    assert [one.array for one in found] == ["half"]
    assert "1 of 4 values differ" in found[0].what
    monkeypatch.setattr(runner, "check", lambda place: found)
    assert main(["figures", name, "--check"]) == 1
    assert "half" in capsys.readouterr().out


def test_missing_arrays_shapes_and_texts_are_differences() -> None:
    new = {"a": np.zeros(2), "b": np.array(["x"]), "c": np.zeros(1)}
    old = {"a": np.zeros(3), "b": np.array(["y"]), "d": np.zeros(1)}
    found = {one.array: one.what for one in runner.differences("n", new, old, {})}
    assert found == {
        "a": "shape (2,), committed (3,)",
        "b": "another text",
        "c": "not among the committed data",
        "d": "not among the computed data",
    }


def test_tolerances_are_per_array() -> None:
    new, old = {"a": np.ones(1), "b": np.ones(1)}, {"a": np.ones(1) * 1.01, "b": np.ones(1) * 1.01}
    found = runner.differences("n", new, old, {"a": (0.1, 0.0)})
    assert [one.array for one in found] == ["b"]


@pytest.mark.parametrize("spoilt", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_a_spoilt_data_file_is_named(spoilt: bytes, tmp_path: Path) -> None:
    copy = elsewhere(CHEAP[0], tmp_path)
    copy.file.write_bytes(spoilt)
    with pytest.raises(InvalidInput, match="npz file of arrays"):
        runner.stored(copy)
