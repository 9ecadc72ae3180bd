"""Long pages carry the evidence compressed; a script unpacks what is opened or searched."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping

from verify.report.markup import Markup, el

PACK_FROM = 600_000
"""Characters of evidence from which it is packed; shorter pages stay plain HTML throughout."""


def pack(bodies: Mapping[str, Markup]) -> tuple[dict[str, Markup], Markup | None]:
    """Places to put in the page instead of the bodies, and the element that holds them.

    Parameters
    ----------
    bodies : mapping
        Key -> markup.

    Returns
    -------
    places : dict
        The bodies themselves where they are short together.
    store : Markup or None
        A data block: base64 of gzip of a JSON list.
    """
    if sum(map(len, bodies.values())) < PACK_FROM:
        return dict(bodies), None
    texts = json.dumps(list(bodies.values()), ensure_ascii=False, separators=(",", ":"))
    raw = gzip.compress(texts.encode("utf-8"), compresslevel=9, mtime=0)
    data = base64.b64encode(raw).decode("ascii")
    note = "The evidence of this entry is packed: it takes a script to show it."
    places = {
        key: el("p", note, class_="packed small", data_place=place)
        for place, key in enumerate(bodies)
    }
    return places, el("script", Markup(data), type="application/gzip", id="packed")


def unpack(data: str) -> list[str]:
    """Bodies from the text of the data block."""
    found: list[str] = json.loads(gzip.decompress(base64.b64decode(data)))
    return found
