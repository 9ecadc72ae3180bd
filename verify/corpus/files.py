"""Corpus files: compressed lines of JSON, one for each leaf, each with a digest of its own.

The first line names the format.  Every other line is a list: key of the leaf, digest of the
statement that it was kept for (:func:`verify.terms.digest.statement_digest`), digest of the line,
and the record (:meth:`verify.ladder.search.seeds.Kept.to_json`).  Lines are sorted by key, and the
same records make the same bytes, so that a difference of two corpora can be read.

A line that is not what its digest says, of another statement, or after a place where the file is
broken, is as good as none.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.json_files import plain
from verify.catalogue.whole_files import write_whole
from verify.claim.statement import Statement
from verify.ladder import Kept
from verify.limits.files import unpacked_lines
from verify.terms.digest import statement_digest

__all__ = ["Corpus", "beside", "keep_repairs", "path_of", "record_of", "stored", "with_repairs"]

SCHEMA = "fedassay-corpus/1"
DATA = Path(__file__).parent / "data"


class Corpus:
    """What is kept of some leaves.

    Parameters
    ----------
    lines : mapping
        Text of a leaf's line by its key.
    shipped : bool
        Whether they came with the package.
    fault : str
        Why the file was left aside that they would be from; empty where it was read.
    """

    def __init__(self, lines: Mapping[str, str], shipped: bool = False, fault: str = "") -> None:
        self._lines, self._shipped, self.fault = dict(lines), shipped, fault

    def __len__(self) -> int:
        return len(self._lines)

    @classmethod
    def read(cls, path: Path) -> Corpus:
        """Corpus of a file; an empty one where there is none that can be read."""
        shipped = path.resolve().parent == DATA.resolve()
        try:
            return cls(dict(_lines(path)), shipped)
        except InvalidInput as error:
            return cls({}, shipped, str(error))

    def kept(self, statement: Statement) -> Kept | None:
        """What is kept of a statement; None if nothing is, or it is not about this statement."""
        found = self.earlier(statement)
        return None if found is None or found.changed else found

    def earlier(self, statement: Statement) -> Kept | None:
        """What is kept of a statement of this key, `changed` if it says something else now."""
        line = self._lines.get(statement.key)
        if line is None:
            return None
        try:
            read = json.loads(line)
            if not isinstance(read, list) or len(read) != 4:
                return None
            key, code, digest, record = read
            head = _head(key, code, digest)
            whole = line.startswith(head) and digest == _digest(key, code, line[len(head) : -1])
            if not whole:
                return None
            kept = Kept.from_json(record)
        except (ValueError, RecursionError):  # no JSON, or no such record
            return None
        kept = kept.of_the_package() if self._shipped else kept
        return replace(kept, changed=code != statement_digest(statement))

    def with_records(self, records: Mapping[str, Mapping[str, Any]]) -> Corpus:
        """A corpus in which these records, of `record_of`, stand for their leaves."""
        lines = {key: _line(key, r["code"], json.dumps(r["kept"])) for key, r in records.items()}
        return Corpus({**self._lines, **lines}, self._shipped)

    def only(self, keys: Collection[str]) -> Corpus:
        """The lines of some leaves."""
        lines = {key: line for key, line in self._lines.items() if key in keys}
        return Corpus(lines, self._shipped)

    def write(self, path: Path) -> None:
        """Write the file whole; the same lines make the same bytes."""
        text = (
            "\n".join([json.dumps(SCHEMA), *(self._lines[k] for k in sorted(self._lines))]) + "\n"
        )
        packed = io.BytesIO()
        with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
            file.write(text.encode())
        write_whole(path, packed.getvalue())


def stored(path: Path) -> Corpus:
    """Corpus of a file, read once as long as the file stays as it is."""
    try:
        seen = path.stat()
    except OSError:
        return Corpus({})
    return _stored(path, seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=16)
def _stored(path: Path, _time: int, _size: int) -> Corpus:
    return Corpus.read(path)


def path_of(paper: str) -> Path:
    """File of the corpus of a paper."""
    return DATA / f"{paper}.jsonl.gz"


def beside(ledger: Path) -> Path:
    """File of the corpus of a user's own statements: beside their ledger."""
    return ledger.with_name(f"{ledger.stem.removesuffix('-ledger')}-corpus.jsonl.gz")


def record_of(statement: Statement, kept: Kept) -> dict[str, Any]:
    """What a corpus keeps of a leaf, as plain data."""
    return {"code": statement_digest(statement), "kept": plain(kept.to_json())}


def with_repairs(record: Mapping[str, Any], statement: Statement, earlier: Corpus) -> Any:
    """A new record of a claim that falls, with repairs that were kept of it where it has none."""
    old = earlier.kept(statement)
    if old is None or not old.repairs or record["kept"].get("repairs"):
        return record
    repairs = [plain(one.to_json()) for one in old.repairs]
    return {**record, "kept": {**record["kept"], "repairs": repairs}}


def keep_repairs(path: Path, statement: Statement, record: Mapping[str, Any]) -> bool:
    """Put the repairs of a new record beside what a corpus keeps; whether there are any.

    Parameters
    ----------
    path : Path
        File of the corpus.
    statement : Statement
        The claim that falls.
    record : mapping
        Of `record_of`; all of it is kept where the corpus has nothing of the statement.
    """
    new, corpus = Kept.from_json(record["kept"]), stored(path)
    if new.repairs:
        old = corpus.kept(statement) or new
        kept = record_of(statement, replace(old, repairs=new.repairs))
        corpus.with_records({statement.key: kept}).write(path)
    return bool(new.repairs)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Key and text of each line, as far as the file is whole."""
    lines = unpacked_lines(path)
    try:
        if json.loads(next(lines, b"null")[:1024]) != SCHEMA:
            return
        for raw in lines:
            text = raw.decode()
            key = json.JSONDecoder().raw_decode(text, 1)[0]
            if isinstance(key, str):
                yield key, text.rstrip("\n")
    except InvalidInput:
        raise
    except (ValueError, RecursionError):
        return


def _line(key: str, code: str, record: str) -> str:
    """Line of a leaf, its record as JSON."""
    return f"{_head(key, code, _digest(key, code, record))}{record}]"


def _head(key: Any, code: Any, digest: Any) -> str:
    """A line up to its record."""
    return f"{json.dumps([key, code, digest])[:-1]}, "


def _digest(key: Any, code: Any, record: str) -> str:
    """Digest of what a line says, the record as it is written."""
    return hashlib.sha256(json.dumps([key, code, record]).encode()).hexdigest()[:16]
