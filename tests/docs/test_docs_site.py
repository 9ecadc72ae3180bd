"""The documentation builds without a warning, has every page, and needs no network."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from figures.places import NAMES
from tests.patience import HANGS
from tests.places import ROOT
from verify.catalogue.library import library

DOCS = ROOT / "docs"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("sphinx_gallery") is None,
        reason="the extra [docs] is not installed",
    ),
]


def _copy(folder: Path) -> Path:
    """The sources of the site, and what they include, away from the checkout."""
    ignored = shutil.ignore_patterns("_build", "_generated", "__pycache__")
    shutil.copytree(DOCS, folder / "docs", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "new_paper", folder / "tests" / "new_paper")
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "tests" / "expected").mkdir()
    shutil.copy(ROOT / "tests" / "expected" / "quick.json", folder / "tests" / "expected")
    return folder / "docs"


def _build(source: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            *options,
            "-b",
            "html",
            str(source),
            str(out),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=HANGS,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = _build(_copy(folder), folder / "html")
    assert done.returncode == 0, done.stderr[-4000:]
    return folder / "html"


def test_every_paper_has_its_page_and_every_entry_its_place(site: Path) -> None:
    for paper in library().papers:
        text = (site / "_generated" / "papers" / f"{paper}.html").read_text(encoding="utf-8")
        missing = [e.key for e in library() if e.paper == paper and f">{e.key}<" not in text]
        assert missing == []
        assert text.count("<math ") > 20


def test_every_figure_is_in_the_gallery(site: Path) -> None:
    images = "\n".join(path.name for path in (site / "_images").iterdir())
    assert [name for name in NAMES if f"figure_{name}_001" not in images] == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loaded = re.compile(
        r"<(?:script|img|iframe|source)[^>]*\bsrc=\"(?:https?:)?//|"
        r"<link[^>]*rel=\"stylesheet\"[^>]*href=\"(?:https?:)?//"
    )
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    assert [page.name for page in pages if loaded.search(page.read_text(encoding="utf-8"))] == []
    assert loaded.search('<script src="https://example.org/x.js">')


def test_most_formulas_are_mathematics(site: Path) -> None:
    """TeX that the converter does not know stays source; of the papers' formulas none does."""
    for page in (site / "_generated" / "papers").glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert text.count('<code class="tex"') == 0, page.name


@pytest.mark.parametrize("width", [1400, 390])
def test_no_page_is_wider_than_the_window_and_the_console_is_silent(site: Path, width: int) -> None:
    chromium = pytest.importorskip(
        "tests.verify.report.chromium", reason="the browser is driven through a Unix pipe"
    )
    command = chromium.binary()
    if command is None:
        pytest.skip("no Chromium or Chrome is installed")
    pages = [*site.glob("*.html"), *(site / "_generated" / "papers").glob("*.html")]
    assert len(pages) > 12
    wide = {}
    with chromium.browser(command) as tab:
        tab.size(width, 844)
        for page in pages:
            tab.open(page.as_uri())
            found = tab.evaluate("document.documentElement.scrollWidth")
            if found > width:
                wide[page.name] = found
        assert wide == {}
        # and it would have been seen
        tab.evaluate(
            "document.body.insertAdjacentHTML('beforeend', '<div style=\"width:9999px\">x</div>')"
        )
        assert tab.evaluate("document.documentElement.scrollWidth") > width
        for event in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            assert tab.events(event) == []


def test_a_page_that_leads_nowhere_does_not_build(tmp_path: Path) -> None:
    source = _copy(tmp_path)
    (source / "index.rst").write_text("x\n=\n\n.. toctree::\n\n   nowhere\n", encoding="utf-8")
    # figures and API are left out: they have no part in it
    done = _build(source, tmp_path / "html", "-D", "plot_gallery=0", "-D", "exclude_patterns=_*")
    assert done.returncode != 0
    assert "nowhere" in done.stderr
