"""One script per figure, drawn from the committed data, for sphinx-gallery to run."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from figures.places import PLACES, Place, load
from figures.runner import numbers
from site_pages.files import write_text

PREFIX = "figure_"

HEAD = """Figures
=======

Drawn from the committed data, which `fedassay figures --check` computes again. `fedassay figures
NAME` computes a figure at the settings of the report and writes SVG, PDF and PNG.
"""

SCRIPT = '''r"""
{title}
{rule}

{caption}

Seeds: {seeds}.
"""

# %%
# The numbers are computed by `{module}.compute`; here they are read.

from figures.places import load, select
from figures.runner import numbers
from figures.style import style

(place,) = select(["{name}"])
data, seconds = numbers(place, "stored")
with style():
    figure = load(place).plot(data)

# %%
# They took {seconds:.3g} seconds of one core.
'''


def write(folder: Path) -> list[Path]:
    """Write the scripts of all figures, in the order of the report.

    Parameters
    ----------
    folder : Path
        Made if it is not there.

    Returns
    -------
    list of Path
    """
    write_text(folder / "GALLERY_HEADER.rst", HEAD)
    return [write_text(folder / f"{PREFIX}{place.name}.py", script(place)) for place in PLACES]


class ReportOrder:
    """Sort key of the gallery: figures in the order of the report."""

    def __init__(self, src_dir: str) -> None:
        self.names = [f"{PREFIX}{place.name}.py" for place in PLACES]

    def __call__(self, filename: str) -> int:
        """Place of a script."""
        return self.names.index(filename)


def script(place: Place) -> str:
    """Source of a figure's script: its title and caption, then the three lines that draw it."""
    module = load(place)
    data, seconds = numbers(place, "stored")
    words = " ".join(module.caption(data).split())
    # the caption is prose with mathematical signs, none of which is meant as markup
    for mark in "\\|*`_":
        words = words.replace(mark, "\\" + mark)
    return SCRIPT.format(
        title=module.TITLE,
        rule="=" * len(module.TITLE),
        caption=textwrap.fill(words, 96),
        seeds=module.SEEDS,
        module=place.module,
        name=place.name,
        seconds=seconds,
    )


def scraper(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the variable ``figure`` of a script that has just drawn it."""
    from sphinx_gallery.scrapers import figure_rst

    figure = block_vars["example_globals"].pop("figure", None)
    if figure is None:
        return ""
    path = next(block_vars["image_path_iterator"])
    figure.savefig(path, dpi=200)
    text: str = figure_rst([path], gallery_conf["src_dir"])
    return text
