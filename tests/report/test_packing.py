"""Packed evidence is the same evidence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.report.outline import Outline, flaws
from verify.report import report
from verify.report.markup import Markup, el
from verify.report.packing import PACK_FROM, pack, unpack

PLACE = re.compile(r'<p class="packed small" data-place=(\d+)>[^<]*</p>')


def test_a_packed_page_holds_what_the_plain_one_shows(
    small: Path, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.report.packing.PACK_FROM", 0)
    report(small, small.parent / "packed.html")
    packed = (small.parent / "packed.html").read_text(encoding="utf-8")
    root = Outline(packed).root
    assert flaws(root) == []
    store = root.one("script", id="packed")
    bodies = unpack(store.text)
    assert "Witness" not in packed
    filled = PLACE.sub(lambda found: bodies[int(found[1])], packed)
    element = el("script", Markup(store.text), type="application/gzip", id="packed")
    assert filled.replace(element, "") == page
    for body in bodies:
        Outline(body)


def test_short_pages_stay_plain() -> None:
    bodies = {"a": el("p", "x"), "b": el("p", "y")}
    assert pack(bodies) == (bodies, None)


def test_long_pages_are_packed_reproducibly() -> None:
    bodies = {"a": el("p", "x" * PACK_FROM), "b": el("p", "<&>é∑")}
    places, store = pack(bodies)
    assert store is not None
    assert len(store) < PACK_FROM / 100
    assert pack(bodies) == (places, store)
    assert unpack(Outline(store).root.text) == list(bodies.values())
