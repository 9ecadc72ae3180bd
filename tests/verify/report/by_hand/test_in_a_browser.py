"""A witness worked out in a real browser: wide formulas scroll inside their lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("fcntl", reason="the browser is driven through a Unix pipe")

from tests.verify.report.by_hand.in_a_ledger import violated
from tests.verify.report.chromium import Page, binary, browser
from verify.report import report

BINARY = binary()
pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium or Chrome is installed")

WIDE = "aggregation.E_bound@without-factor"
"""A claim whose formulas are wider than a telephone."""

OVERFLOWS = """[...document.querySelectorAll('.by-hand li')]
  .filter(line => line.scrollWidth > line.clientWidth + 1).length"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert BINARY is not None
    path = violated(tmp_path_factory.mktemp("wide"), [WIDE])
    report(path, path.parent / "page.html")
    with browser(BINARY) as tab:
        tab.open((path.parent / "page.html").as_uri())
        tab.evaluate("document.querySelector('#unfold').click()")
        tab.until("document.querySelector('.by-hand')?.checkVisibility()")
        yield tab


@pytest.mark.parametrize("width", [1400, 390])
def test_wide_formulas_scroll_and_the_page_does_not(opened: Page, width: int) -> None:
    opened.size(width, 844)
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    assert width > 400 or opened.evaluate(OVERFLOWS) > 0
    assert "\\" not in opened.evaluate("document.querySelector('.witness').innerText")
    assert opened.events("Runtime.exceptionThrown") == []
    assert opened.events("Log.entryAdded") == []


def test_a_line_that_does_not_scroll_would_be_wider_than_the_window(opened: Page) -> None:
    opened.size(390, 844)
    rule = "document.querySelectorAll('.by-hand li').forEach(x => x.style.overflow = '{}')"
    opened.evaluate(rule.format("visible"))
    wide = opened.evaluate(
        "[...document.querySelectorAll('.by-hand li math')]"
        ".some(x => x.getBoundingClientRect().right > innerWidth)"
    )
    opened.evaluate(rule.format(""))
    assert wide
