"""JSON files: written whole or not at all, and refused in one sentence when they are not ours."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import math
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.whole_files import write_whole
from verify.limits.files import LONGEST_TEXT, unprintable, whole_text
from verify.limits.foreign import NotAsWritten, file_of_others

SCHEMAS = {
    "fedassay-ledger/1": "ledger-1.json",
    "fedassay-witness/1": "witness-1.json",
    "fedassay-expected/1": "expected-1.json",
}
"""What a file says of itself, and the JSON Schema in the package that it must meet."""


_CONTROLS = re.compile(r"(?<!\\)((?:\\\\)*)\\(u00[01][0-9a-f])")
_RAW = re.compile("[\x7f-\x9f\ud800-\udfff]")
"""How `json.dumps` writes control characters, and what it leaves as it is."""

DEEPEST = 100
"""Levels of nesting; a ledger has about twenty."""

_ESCAPED = re.compile(r"\\u(?:00[0189]|007|d[89a-f])|[\x7f-\x9f]", re.IGNORECASE)
"""What stands in a JSON text that holds a control character or half a surrogate pair."""

MOST_ERRORS = 100
"""Places that break a schema among which the one furthest out is told."""


def plain(value: Any) -> Any:
    """Turn arrays, fractions and non-finite numbers into what JSON can hold.

    An infinite number becomes the largest float, so that comparisons with it keep their answer.
    """
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else math.copysign(sys.float_info.max, value)
    return value


def write_json(path: Path, value: Any) -> None:
    """Write a file so that a reader finds either the old or the new content, never a piece."""
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(path, _visible(text) + "\n")


def _visible(text: str) -> str:
    """A JSON text in which what cannot be printed stands as its escape, letter by letter.

    A statement's own text may hold it; a reader refuses it.
    """
    text = _CONTROLS.sub(lambda found: f"{found[1]}\\\\{found[2]}", text)
    return _RAW.sub(lambda found: f"\\\\u{ord(found[0]):04x}", text)


def read_json(path: Path, schema: str) -> dict[str, Any]:
    """Read a file of the given schema.

    Raises
    ------
    InvalidInput
        If the file is missing, empty, not JSON, of another kind, or breaks its schema.
    """
    name = schema.partition("/")[0].removeprefix("fedassay-")
    raw = _parsed(path, name)
    found = raw.get("schema") if isinstance(raw, dict) else None
    remedy = f"pass a file that 'fedassay run' wrote as a {name}"
    if isinstance(found, str) and found in SCHEMAS and found != schema:
        remedy = f"this is a {str(found).partition('/')[0].removeprefix('fedassay-')}; {remedy}"
    require(
        isinstance(raw, dict) and found == schema,
        name,
        f"a {schema} file",
        f"{path} with schema {found!r}",
        remedy,
    )
    flaw = schema_flaw(raw, schema)
    require(not flaw, name, f"a valid {schema} file", f"{path}, where {flaw}", remedy)
    return dict(raw)


def schema_of(path: Path) -> str:
    """What a JSON file says of itself; empty where it is none or says nothing."""
    try:
        raw = json.loads(whole_text(path, "file", "pass another"))
    except (OSError, ValueError, RecursionError):
        return ""
    return str(raw.get("schema", "")) if isinstance(raw, dict) else ""


@contextlib.contextmanager
def foreign(name: str, path: Path) -> Iterator[None]:
    """Turn what a file's content does to its reader into one sentence about the file.

    A schema fixes the outer shape of a file; what lies inside evidence, proofs and instances is
    read by their own modules, and a changed file may hold anything there.
    """
    try:
        with file_of_others(InvalidInput):
            yield
    except NotAsWritten as found:
        error = found.met
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}, line {last.lineno}"
        raise InvalidInput(
            f"{name} must be as fedassay wrote it, got {path}, which cannot be read "
            f"({type(error).__name__} in {place}: {' '.join(str(error).split())[:200]}): "
            "restore it, or run again."
        ) from error


def parse_json(text: str, name: str, path: Path, remedy: str) -> Any:
    """Content of a JSON text, or one sentence about what keeps it from being one.

    Raises
    ------
    InvalidInput
        If it is no JSON, nested too deep, holds an integer of thousands of digits, or a text that
        is too long or cannot be printed.
    """
    try:
        found = json.loads(text)
        where = _odd(found, bool(_ESCAPED.search(text)))
    except json.JSONDecodeError as error:
        where = f"an error at line {error.lineno}"
    except RecursionError:
        where = f"more than {DEEPEST} levels"
    except ValueError:  # Python converts no longer ones
        where = "an integer of thousands of digits"
    if where:
        raise InvalidInput(f"{name} must be a JSON file, got {path} with {where}: {remedy}.")
    return found


def _odd(value: Any, every: bool) -> str:
    """What a value holds that no file of ours does; without recursion, at any depth.

    Only where a text has such escapes ``every`` string is looked at for what cannot be printed.
    """
    level = [value]
    for _ in range(DEEPEST + 1):
        texts = [item for item in level if isinstance(item, str)]
        texts += [key for item in level if isinstance(item, dict) for key in item]
        if any(len(one) > LONGEST_TEXT for one in texts):
            return f"a text of more than {LONGEST_TEXT} characters"
        found = next((odd for odd in map(unprintable, texts) if odd), "") if every else ""
        if found:
            return f"{found} in a text"
        level = [
            inner
            for item in level
            if isinstance(item, (list, dict))
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return ""
    return f"more than {DEEPEST} levels"


def schema_flaw(raw: Any, schema: str) -> str:
    """First place where a value breaks its JSON Schema, in words; empty if there is none."""
    errors = islice(_validator(schema).iter_errors(raw), MOST_ERRORS)
    error = min(errors, key=lambda e: len(e.instance_path), default=None)
    if error is None:
        return ""
    where = "/".join(str(part) for part in error.instance_path) or "the top level"
    message = error.message if len(error.message) < 200 else error.message[:200] + "..."
    return f"{where}: {message}"


def sha256(path: Path) -> str:
    """Digest of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def _validator(schema: str) -> Any:
    from jsonschema_rs import Draft202012Validator

    text = (resources.files("verify") / "schema" / SCHEMAS[schema]).read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def _parsed(path: Path, name: str) -> Any:
    remedy = f"pass a {name} that 'fedassay run' wrote"
    try:
        text = whole_text(path, name, remedy)
    except FileNotFoundError as error:
        raise InvalidInput(f"{name} must be an existing file, got {path}: {remedy}.") from error
    except InvalidInput:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not text"
        raise InvalidInput(f"{name} must be readable, got {path} ({reason}): {remedy}.") from error
    require(bool(text.strip()), name, "a JSON file", f"{path}, which is empty", remedy)
    return parse_json(text, name, path, remedy)
