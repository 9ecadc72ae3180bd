"""The page in a real browser: filters, links, copying, themes, widths, and a silent console."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fcntl", reason="the browser is driven through a Unix pipe")

from tests.verify.report import ledgers
from tests.verify.report.chromium import Page, binary, browser
from verify.report import report

BINARY = binary()
pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium or Chrome is installed")

SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'>"
    "<script>window.top.hacked = 3; fetch('https://example.org')</script>"
    "<image href='https://example.org/a.png' width='9' height='9'/>"
    "<rect id='summary' width='90' height='60'/></svg>"
)
"""A figure that would like to act."""

SHOWN = "[...document.querySelectorAll('.entry')].filter(e => e.checkVisibility()).map(e => e.id)"
INSIDE = """(() => {{
  const box = document.querySelector({0}).getBoundingClientRect();
  return box.top >= -1 && box.top < innerHeight;
}})()"""


@pytest.fixture(scope="module", params=["plain", "packed"])
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Page, str]]:
    """A browser, and the address of the page of the small ledger, its evidence packed or not."""
    assert BINARY is not None
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verify.report.write.library", ledgers.library)
        if request.param == "packed":
            patch.setattr("verify.report.packing.PACK_FROM", 0)
        (folder / "figures").mkdir()
        (folder / "figures" / "one.svg").write_text(SVG)
        report(ledgers.ledger(folder), folder / "page.html", folder / "figures")
    with browser(BINARY) as tab:
        yield tab, (folder / "page.html").as_uri()


@pytest.fixture
def page(opened: tuple[Page, str]) -> Iterator[Page]:
    """The page freshly opened; afterwards nothing may have been reported or asked for."""
    tab, address = opened
    tab.size(1280, 900)
    tab.scheme("light")
    tab.open("about:blank")
    tab.open(address)
    yield tab
    assert tab.events("Runtime.exceptionThrown") == []
    assert tab.events("Runtime.consoleAPICalled") == []
    assert tab.events("Log.entryAdded") == []
    asked = {e["request"]["url"].partition("#")[0] for e in tab.events("Network.requestWillBeSent")}
    assert {url for url in asked if not url.startswith("data:")} <= {"about:blank", address}
    assert tab.evaluate("window.hacked === undefined")


def click(page: Page, selector: str) -> None:
    page.evaluate(f"document.querySelector({json.dumps(selector)}).click()")


def shown(page: Page) -> set[str]:
    return {str(name)[2:] for name in page.evaluate(SHOWN)}


EVERYTHING = {entry.key for entry in ledgers.library()}


@pytest.mark.slow
def test_filters_by_verdict_paper_rung_and_form(page: Page) -> None:
    assert shown(page) == EVERYTHING
    click(page, "[name=verdict][value=violated]")
    assert shown(page) == EVERYTHING - {"one.lemma"}
    for name, value, left in [
        ("paper", "two", {"two.claim", "two.open", "two.exists"}),
        ("rung", "exact", {"two.exists"}),
        ("form", "repaired", set()),
    ]:
        page.evaluate(
            f"(s => {{ s.value = {value!r}; s.dispatchEvent(new Event('input', {{bubbles: true}}))"
            f" }})(document.querySelector('[name={name}]'))"
        )
        assert shown(page) == left
    assert page.evaluate("document.querySelector('#nothing').checkVisibility()")
    click(page, "#filters [type=reset]")  # takes effect in the next turn
    page.until(f"({SHOWN}).length === {len(EVERYTHING)}")
    assert page.evaluate("document.querySelector('#shown').value") == "11 of 11 entries shown"


def test_text_is_searched_from_the_keyboard(page: Page) -> None:
    page.press("/", 191, "/")
    page.send("Input.insertText", text="the THEOREM \\frac{x}{3}")  # a formula within the evidence
    page.until(f"({SHOWN}).length < {len(EVERYTHING)}")
    assert shown(page) == {"one.theorem"}
    page.press("Escape", 27)
    assert shown(page) == EVERYTHING


def test_a_box_of_the_graph_leads_to_its_entry(page: Page) -> None:
    page.evaluate("document.querySelector('.graph [data-node=\"e-one.theorem\"]').focus()")
    page.until("document.querySelectorAll('.graph.dim .node.lit').length === 4")
    page.press("Enter", 13, "\r")
    page.until("document.activeElement.id === 'e-one.theorem'")
    assert page.evaluate("location.hash") == "#e-one.theorem"
    page.until("document.querySelector('#e-one\\\\.theorem .more').open")
    page.until(INSIDE.format("'#e-one\\\\.theorem'"))


def test_a_link_shows_what_a_filter_hides(page: Page) -> None:
    click(page, "[name=verdict][value=violated]")
    page.evaluate("location.hash = '#e-one.lemma'")
    page.until("document.querySelector('#e-one\\\\.lemma').checkVisibility()")
    page.until(INSIDE.format("'#e-one\\\\.lemma'"))


def test_the_copy_button_copies_the_command(page: Page) -> None:
    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    page.send("Browser.grantPermissions", **grant)
    page.evaluate("location.hash = '#e-one.lemma'")
    page.until("document.querySelector('#e-one\\\\.lemma .copy')?.checkVisibility()")
    click(page, "#e-one\\.lemma .copy")
    page.until("document.querySelector('#e-one\\\\.lemma .copy')?.textContent === 'Copied'")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == "fedassay replay small-witnesses/one.lemma.json --explain"


def test_the_theme_follows_the_system_and_the_button(page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.scheme("dark")
    dark = page.evaluate(ground)
    assert light != dark
    for wanted in (light, dark, dark):  # light, dark, and the system's again
        click(page, "#theme")
        assert page.evaluate(ground) == wanted


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(
    page: Page, width: int, scheme: str, tmp_path: Path
) -> None:
    page.size(width, 844)
    page.scheme(scheme)
    click(page, "#unfold")
    page.until("!document.querySelector('.packed')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 5000


def test_a_long_name_breaks_on_a_narrow_window(page: Page) -> None:
    page.size(390, 844)
    click(page, "#unfold")
    page.until("!document.querySelector('.packed')")
    page.evaluate(
        "document.querySelectorAll('.ref').forEach(r => r.append(' of a long name' + "
        "', which goes on and on'.repeat(3)))"
    )
    beyond = "r => r.getBoundingClientRect().right > r.parentElement.getBoundingClientRect().right"
    assert page.evaluate("document.querySelectorAll('.facts .ref').length") > 0
    found = f"[...document.querySelectorAll('.facts .ref')].filter({beyond}).length"
    assert page.evaluate(found) == 0
    page.evaluate("document.querySelectorAll('.ref').forEach(r => r.style.whiteSpace = 'nowrap')")
    assert page.evaluate(found) > 0  # it would not fit on one line


def test_figures_are_drawn_and_do_nothing_else(page: Page) -> None:
    page.evaluate("document.querySelector('figure').scrollIntoView()")
    page.until("document.querySelector('figure img').naturalWidth === 90")


def test_mathematics_is_drawn(page: Page) -> None:
    size = "document.querySelector('#e-one\\\\.lemma math').getBoundingClientRect()"
    assert page.evaluate(f"{size}.width > 20 && {size}.height > 8")


@pytest.mark.slow
def test_print_leaves_the_controls_out(page: Page) -> None:
    page.send("Emulation.setEmulatedMedia", media="print")
    for selector in ("#filters", "#theme", "nav", ".skip"):
        assert not page.evaluate(f"document.querySelector('{selector}').checkVisibility()")
    assert page.send("Page.printToPDF", pageRanges="1")["data"]
    page.send("Emulation.setEmulatedMedia", media="")
