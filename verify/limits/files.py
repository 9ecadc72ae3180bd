"""Limits of what is read from a file: its bytes are counted before they are in memory.

A small file may unpack to many gigabytes, and a device never ends.  What is larger than anything
that this package writes is refused in one sentence, and so is text that no writer of ours makes:
half a surrogate pair, which nothing can print, and control characters that steer a terminal.
"""

from __future__ import annotations

import gzip
import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from bounds.numbers.validate import InvalidInput

__all__ = ["LONGEST_TEXT", "unpacked_lines", "unprintable", "whole_bytes", "whole_text", "within"]

LARGEST = 2**29
"""Bytes of a file, or of what is packed in it; the ledger of the library has 2**25."""

LARGEST_LINE = 2**25
"""Bytes of a line of a packed file; the longest of the library has 2**18."""

LONGEST_TEXT = 2**24
"""Characters of one text in a file; a fraction of a long run has 200,000."""

_STEERING = re.compile("[\x00-\x06\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters beside those that stand for white space, or come of ``\\b`` and ``\\a`` in TeX
that was not written as a raw text; and half a surrogate pair."""


def whole_bytes(path: Path, name: str, remedy: str) -> bytes:
    """Content of a file.

    Parameters
    ----------
    path : Path
    name, remedy : str
        What the sentence calls the file, and what to do.

    Raises
    ------
    InvalidInput
        If it is larger than `LARGEST`, however long it goes on. Other errors are the caller's.
    """
    with path.open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise InvalidInput(_too_large(name, path, "bytes", remedy))
    return raw


def whole_text(path: Path, name: str, remedy: str, encoding: str = "utf-8") -> str:
    """The same as text, the ends of its lines as Python has them; `UnicodeDecodeError` if none."""
    text = whole_bytes(path, name, remedy).decode(encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def within(path: Path, name: str, remedy: str) -> None:
    """Raise if what a zip file (npz) says that it holds is larger than `LARGEST`.

    Raises
    ------
    InvalidInput
        Of a file that is no zip file nothing is said.
    """
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as packed:
        size = sum(item.file_size for item in packed.infolist())
    if size > LARGEST:
        raise InvalidInput(_too_large(name, path, "bytes unpacked", remedy))


def unpacked_lines(path: Path) -> Iterator[bytes]:
    """Lines of a gzip file, up to where it is broken or larger than anything that we write.

    Raises
    ------
    InvalidInput
        Where a line, or all of them, are larger: after no more than that was unpacked.
    """
    total = 0
    try:
        with gzip.open(path, "rb") as packed, BufferedReader(packed) as file:
            while line := file.readline(LARGEST_LINE + 1):
                total += len(line)
                if len(line) > LARGEST_LINE or total > LARGEST:
                    raise InvalidInput(
                        _too_large(
                            "corpus",
                            path,
                            f"bytes unpacked, or a line of more than {LARGEST_LINE}",
                            "remove it",
                        )
                    )
                yield line
    except (OSError, EOFError, zlib.error):
        return


def unprintable(text: str) -> str:
    """The first character of a text that no file of ours holds, as its number; empty if none."""
    found = _STEERING.search(text)
    if found is None:
        return ""
    code = ord(found.group())
    kind = "half a surrogate pair" if 0xD800 <= code <= 0xDFFF else "the control character"
    return f"{kind} U+{code:04X}"


def _too_large(name: str, path: Path, unit: str, remedy: str) -> str:
    return f"{name} must be at most {LARGEST} bytes, got {path} with more {unit}: {remedy}."
