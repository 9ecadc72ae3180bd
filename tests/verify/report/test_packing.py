"""Packed evidence is the same evidence."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import pytest

from tests.verify.report.outline import Outline, flaws
from verify.report import report
from verify.report.markup import Markup, el
from verify.report.packing import PACK_FROM, pack


def unpack(data: str) -> list[str]:
    """Texts of a data block, as the page's script reads them."""
    found: list[str] = json.loads(gzip.decompress(base64.b64decode(data)))
    return found


PLACE = re.compile(r'<p class="packed small" data-place=(\d+)>[^<]*</p>')


def test_a_packed_page_holds_what_the_plain_one_shows(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (small.parent / "figures").mkdir()
    (small.parent / "figures" / "one.svg").write_text("<svg/>")
    report(small, small.parent / "plain.html", small.parent / "figures")
    page = (small.parent / "plain.html").read_text(encoding="utf-8")
    monkeypatch.setattr("verify.report.packing.PACK_FROM", 0)
    report(small, small.parent / "packed.html", small.parent / "figures")
    packed = (small.parent / "packed.html").read_text(encoding="utf-8")
    root = Outline(packed).root
    assert flaws(root) == []
    store = root.one("script", id="packed")
    bodies = unpack(store.text)
    assert "Witness" not in packed
    filled = PLACE.sub(lambda found: bodies[int(found[1])], packed)
    assert bodies[-1] == "data:image/svg+xml,%3Csvg/%3E"
    filled = filled.replace(f"data-place={len(bodies) - 1}", f'src="{bodies[-1]}"')
    element = el("script", Markup(store.text), type="application/gzip", id="packed")
    assert filled.replace(element, "") == page
    for body in bodies[:-1]:
        Outline(body)


def test_short_pages_stay_plain() -> None:
    assert pack(["<p>x</p>", "y"]) is None


def test_long_pages_are_packed_reproducibly() -> None:
    texts = ["x" * PACK_FROM, "<&>é∑</script>"]
    store = pack(texts)
    assert store is not None
    assert len(store) < PACK_FROM / 100
    assert pack(texts) == store
    assert unpack(Outline(store).root.text) == texts
    assert base64.b64decode(Outline(store).root.text)[4:8] == bytes(4), "a time of making"
