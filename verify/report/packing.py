"""Long pages carry evidence and figures compressed; a script unpacks what is opened or searched."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence

from verify.report.markup import Markup, el

PACK_FROM = 600_000
"""Characters from which texts are packed; shorter pages stay plain HTML throughout."""


def pack(texts: Sequence[str]) -> Markup | None:
    """Data block that holds texts: base64 of gzip of a JSON list.

    Parameters
    ----------
    texts : sequence of str

    Returns
    -------
    Markup or None
        None where the texts are short enough to stand in the page themselves.
    """
    if sum(map(len, texts)) < PACK_FROM:
        return None
    listed = json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))
    raw = gzip.compress(listed.encode("utf-8"), compresslevel=9, mtime=0)
    data = base64.b64encode(raw).decode("ascii")
    return el("script", Markup(data), type="application/gzip", id="packed")


def place(number: int) -> Markup:
    """What stands in the page for a packed piece of it."""
    note = "The evidence of this entry is packed: it takes a script to show it."
    return el("p", note, class_="packed small", data_place=number)
