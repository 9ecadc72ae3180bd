"""Files are counted before they are read, and what nobody can print is refused in a sentence."""

from __future__ import annotations

import gzip
import json
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from verify.catalogue.json_files import parse_json, read_json, write_json
from verify.claim.instance import _fetch
from verify.corpus.files import SCHEMA, Corpus
from verify.limits import files
from verify.limits.files import unpacked_lines, unprintable, whole_bytes, whole_text, within


def test_one_endless_line_is_unpacked_no_further_than_its_limit(tmp_path: Path) -> None:
    """A hundred kilobytes that unpack to a hundred megabytes."""
    path = tmp_path / "bomb-corpus.jsonl.gz"
    with gzip.open(path, "wb", 9) as file:
        file.write(json.dumps(SCHEMA).encode() + b"\n")
        for _ in range(100):
            file.write(b"x" * 2**20)
    assert path.stat().st_size < 2**18
    start = time.process_time()
    found = Corpus.read(path)
    assert time.process_time() - start < 5  # no more than a third of it, on any machine
    assert len(found) == 0
    assert "must be at most" in found.fault
    assert path.name in found.fault


def test_what_is_below_the_limits_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGEST_LINE", 8)
    monkeypatch.setattr(files, "LARGEST", 16)
    path = tmp_path / "some.gz"
    for lines, good in (
        ([b"1234567\n", b"1234567\n"], 2),
        ([b"1234567\n", b"12345678\n"], 1),
        ([b"1234567\n", b"1234567\n", b"\n"], 2),
    ):
        path.write_bytes(gzip.compress(b"".join(lines)))
        read = []
        try:
            read.extend(unpacked_lines(path))
            for _ in unpacked_lines(path):
                pass
            complete = True
        except InvalidInput:
            complete = False
        assert complete == (good == len(lines))
    path.write_bytes(b"0" * 16)
    assert whole_bytes(path, "file", "") == b"0" * 16
    path.write_bytes(b"0" * 17)
    with pytest.raises(InvalidInput, match=r"file must be at most 16 bytes.*: drop it"):
        whole_text(path, "file", "drop it")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without endless devices")
def test_what_never_ends_is_read_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 2**16)
    for read in (
        lambda p: read_json(p, "fedassay-ledger/1"),
        lambda p: whole_text(p, "ledger", ""),
    ):
        with pytest.raises(InvalidInput, match="ledger must be at most 65536 bytes"):
            read(Path("/dev/zero"))


def test_arrays_that_unpack_to_more_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verify.cli.tables.columns import npz_arrays

    path = tmp_path / "0123456789abcdef.npz"
    np.savez_compressed(path, value=np.zeros(10_000))
    assert npz_arrays(path)["value"].shape == (10_000,)
    monkeypatch.setattr(files, "LARGEST", 50_000)
    assert path.stat().st_size < 50_000
    raw = {"npz": path.name, "sha256": "0"}
    for read in (npz_arrays, lambda _: _fetch(raw, tmp_path)):
        with pytest.raises(InvalidInput, match="file must be at most 50000 bytes"):
            read(path)
    (tmp_path / "none.npz").write_bytes(b"no zip")
    within(tmp_path / "none.npz", "file", "")
    assert zipfile.is_zipfile(path)


ODD: tuple[tuple[str, str], ...] = (
    (json.dumps({"a": "x\ud800"}), "half a surrogate pair U+D800 in a text"),
    (json.dumps({"a": [{"\udfff": 1}]}), "half a surrogate pair U+DFFF in a text"),
    (json.dumps({"a": "\x1b[2J"}), "the control character U+001B in a text"),
    (json.dumps(["\x00"]), "the control character U+0000 in a text"),
    (json.dumps(["\x9b"], ensure_ascii=False), "the control character U+009B in a text"),
    (json.dumps("\x7f"), "the control character U+007F in a text"),
    ("[" * 120 + "]" * 120, "more than 100 levels"),
    ('{"a":' * 50_000, "more than 100 levels"),
    ("[" + "1" * 5_000 + "]", "an integer of thousands of digits"),
    ('{"a": ', "an error at line 1"),
)


@each(("text", "said"), ODD)
def test_what_no_file_of_ours_holds_is_named(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    with pytest.raises(InvalidInput) as caught:
        parse_json(text, "ledger", path, "restore it")
    assert str(caught.value) == f"ledger must be a JSON file, got {path} with {said}: restore it."


@each("text", ("\U0001f600", "a\tb\nc", "\\beta", "\x08eta \x0crac", "é \u2028", "\\ud800", ""))
def test_what_one_writes_is_read(text: str, tmp_path: Path) -> None:
    for ascii_alone in (True, False):
        raw = json.dumps({text: [text]}, ensure_ascii=ascii_alone)
        assert parse_json(raw, "ledger", tmp_path, "") == {text: [text]}


def test_a_text_of_millions_of_characters_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.catalogue.json_files.LONGEST_TEXT", 10)
    assert parse_json('["1234567890"]', "ledger", tmp_path, "") == ["1234567890"]
    for text in ('["12345678901"]', '{"12345678901": 1}'):
        with pytest.raises(InvalidInput, match="with a text of more than 10 characters"):
            parse_json(text, "ledger", tmp_path, "restore it")


@each(
    ("text", "read"),
    [
        ("a\ud800b", "a\\ud800b"),
        ("\x1b[0m", "\\u001b[0m"),
        ("\x00", "\\u0000"),
        ("\x9b", "\\u009b"),
        ("\\\x01", "\\\\u0001"),
        ("\\u0001", "\\u0001"),
        ("\\\\u001b", "\\\\u001b"),
        ("\x08\x0c\n", "\x08\x0c\n"),
        ("plain", "plain"),
    ],
)
def test_what_we_write_can_be_read_again(text: str, read: str, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    write_json(path, {"said": text})
    assert parse_json(path.read_text(), "ledger", path, "") == {"said": read}
    assert unprintable(read) == ""


def test_a_witness_with_half_a_surrogate_pair_is_refused(
    made: Path, fedassay: Callable[..., Any]
) -> None:
    path = made / "mine-ledger-witnesses" / "mine.wrong.json"
    for change in (
        lambda raw: {**raw, "key": "mine.wrong\ud800"},
        lambda raw: {**raw, "instance": {**raw["instance"], "params": {"\ud800": "1/1"}}},
        lambda raw: {**raw, "margins": {"\udcff": {"value": "1/1", "strict": False}}},
    ):
        spoilt = path.with_name("spoilt.json")
        spoilt.write_text(json.dumps(change(json.loads(path.read_text()))))
        code, out, err = fedassay("replay", spoilt, "--trust")
        assert code == 2
        assert "half a surrogate pair" in err
        assert "Traceback" not in out + err
