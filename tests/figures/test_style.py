"""Files of figures: light, and drawn as they were."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from figures.style import panels, save, style, tidy


def svg(folder: Path, *colours: str) -> str:
    """A plot of marks, one colour for each row, written and read."""
    with style():
        figure, axes = panels(height=1.0)
        for row, colour in enumerate(colours):
            axes[0, 0].plot(np.arange(5), np.full(5, row), "o", color=colour, alpha=0.5)
        paths = save(figure, folder, "marks")
    return next(path for path in paths if path.suffix == ".svg").read_text()


def test_marks_of_one_group_have_its_style_and_no_other(tmp_path: Path) -> None:
    text = svg(tmp_path, "#112233", "#445566")
    groups = re.findall(r'<g([^>]*)>\n((?:<use [^>]*\bx="[^>]*/>\n)+)</g>', text)
    rows = {attributes for attributes, marks in groups if marks.count("<use") == 5}
    assert len(rows) == 2
    for colour in ("#112233", "#445566"):
        assert sum(f"fill: {colour}; fill-opacity: 0.5" in one for one in rows) == 1
    assert all("style=" not in marks for _, marks in groups if marks.count("<use") == 5)


@pytest.mark.parametrize("second", ["fill: red", "fill: blue"])
@pytest.mark.parametrize("opacity", ["opacity", "fill-opacity"])
def test_a_style_is_shared_where_all_marks_have_it_and_it_is_inherited(
    second: str, opacity: str, tmp_path: Path
) -> None:
    """Opacity itself is of a group as a whole: it would act once where marks overlap."""
    path = tmp_path / "marks.svg"
    marks = [
        f'<use href="#m" x="{k}" style="{s}; {opacity}: 0.5"/>'
        for k, s in enumerate(("fill: red", second))
    ]
    path.write_text(f'<defs><path id="m"/></defs>\n<g>\n{marks[0]}\n{marks[1]}\n</g>')
    tidy(path, "marks")
    shared = second == "fill: red" and opacity == "fill-opacity"
    text = path.read_text()
    assert len(re.findall("<use[^>]*style=", text)) == (0 if shared else 2)
    assert ('<g style="fill: red; fill-opacity: 0.5">' in text) is shared


def test_names_are_numbered_from_nought_and_places_have_two_decimals(tmp_path: Path) -> None:
    text = svg(tmp_path, "#112233")
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert sorted(ids) == sorted(f"marks-{k}" for k in range(len(ids)))
    assert not re.findall(r"translate\([^)]*\.\d{3}", text)
    assert re.findall(r"scale\(0\.015625\)", text)  # a factor keeps its digits
