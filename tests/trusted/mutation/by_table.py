"""Judge changed checkers by the table: one answer that differs, word by word, kills a change."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.trusted.checker.rows.worst import GENUINE
from tests.trusted.checker.table import FILES, OUTCOMES, ROWS, SAID, TEXTS, answer, gram_answers
from verify.certify import checker
from verify.certify.gram import check as gram_check

ACCEPTED = [checker.accepts(content) for content in FILES.values()]
SLOW = ("genuine: library",)
"""Rows that repeat in long what others say in short."""
QUICK = [name for name in ROWS if not name.startswith(SLOW)]
AFTER = "what is asked after the rows"
"""Whole files, what is read outside of a check, and the short answer."""

__all__ = ["AFTER", "questions", "said", "unread", "without_file"]


def questions(module: ModuleType) -> dict[str, set[int]]:
    """Rows with the lines of a checker that each takes, quick ones first.

    A change elsewhere cannot change the answer to a row.
    """
    if module is gram_check:
        return {AFTER: set()}
    found: dict[str, set[int]] = {}
    took: dict[str, float] = {}
    for name in QUICK:
        row = ROWS[name]
        seen = found[name] = set()

        def line(frame: Any, event: str, _: Any, seen: set[int] = seen) -> Any:
            if event == "line":
                seen.add(frame.f_lineno)
            return line

        def call(frame: Any, *_: Any, line: Any = line) -> Any:
            return line if frame.f_code.co_filename == module.__file__ else None

        start = time.process_time()
        sys.settrace(call)
        text = answer(module, row)
        sys.settrace(None)
        if text != OUTCOMES.get(name):
            raise RuntimeError(f"{name} has another answer already: mend it or read the table anew")
        took[name] = time.process_time() - start
    return {**{name: found[name] for name in sorted(took, key=took.__getitem__)}, AFTER: set()}


def said(module: ModuleType, names: list[str]) -> str:
    """The first question whose answer differs; empty if none does."""
    for name in names:
        if name != AFTER and answer(module, ROWS[name]) != OUTCOMES[name]:
            return name
    return _afterwards(module) if AFTER in names else ""


def _afterwards(module: ModuleType) -> str:
    if module is gram_check:
        wrong = next((name for name, text in gram_answers(module) if text != OUTCOMES[name]), "")
        return wrong and AFTER
    for name, content in FILES.items():
        if printed(module, content) != PRINTED[name]:
            return AFTER
    if without_file(module) != WITHOUT:
        return AFTER
    if module.LIMITS != SAID or [unread(module, text) for text in TEXTS.values()] != UNREAD:
        return AFTER
    left = module._METER.get() is not None or module.Context(GENUINE["prover: Young"]).degree("a*b")
    accepted = [module.accepts(d) for d in FILES.values()]
    return AFTER if left or accepted != ACCEPTED else ""


def printed(module: ModuleType, content: Any) -> tuple[int, str]:
    """What a checker prints of a file, and its exit status."""
    return unread(module, json.dumps(content))


def unread(module: ModuleType, text: str) -> tuple[int, str]:
    """The same of a file with any text; of no text, what it prints of a file that is not there."""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()) as out:
        file = Path(folder, "proof.json")
        if text:
            file.write_text(text)
        return module.main([str(file)]), out.getvalue().replace(folder, "")


def without_file(module: ModuleType) -> tuple[int, str]:
    """The same where no file is named."""
    with redirect_stdout(StringIO()) as out:
        return module.main([]), out.getvalue()


PRINTED = {name: printed(checker, content) for name, content in FILES.items()}
WITHOUT = without_file(checker)
UNREAD = [unread(checker, text) for text in TEXTS.values()]
