"""Written proofs put to both judges: the stand-alone checker, and Coq where it is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.certify.checker import Refused, check
from verify.certify.coq.document import NotInCoq, coq_file

OF_THE_REALS = frozenset(
    {
        "ClassicalDedekindReals.sig_not_dec",
        "ClassicalDedekindReals.sig_forall_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""What Coq's own theory of the real numbers assumes."""

SECONDS = 1500.0
"""Patience with Coq on the proofs of one statement."""


@dataclass(frozen=True)
class Opinions:
    """What the two judges say of the proofs of one statement.

    Parameters
    ----------
    key : str
    proofs : int
        How many there are.
    checked : int
        How many of them the stand-alone checker accepts.
    refused : str
        Why Coq does not accept all of them, the last it said; empty if it does.
    """

    key: str
    proofs: int
    checked: int
    refused: str


def required() -> str:
    """Version of Coq, or :class:`InvalidInput` where it is not installed."""
    if shutil.which("coqc") is None:
        raise InvalidInput("coqc must be on the path, got none: install Coq (Debian: coq)")
    done = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"version (\S+)", done.stdout)
    return found[1] if found else "of unknown version"


def judged(
    proofs: Mapping[str, Sequence[Mapping[str, Any]]],
    write: Callable[[Mapping[str, Sequence[Mapping[str, Any]]]], str] = coq_file,
    check: Callable[[Mapping[str, Any]], str] = check,
) -> Iterator[Opinions]:
    """Put the proofs of each statement to the checker and to Coq, as many at a time as cores.

    Parameters
    ----------
    proofs : mapping
        For each key its proofs, as the checker reads them.
    write, check : callable, optional
        Of proofs of other kinds: the file for Coq, and their checker.

    Yields
    ------
    Opinions
        In the order of the keys.

    Raises
    ------
    InvalidInput
        If Coq is not installed.
    """
    required()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = []
        for key, written in proofs.items():
            # the parser of Python 3.11 fails in several threads at once: only Coq runs in them
            checked = sum(_checked(proof, check) for proof in written)
            try:
                text, reason = write({key: written}), ""
            except NotInCoq as missing:
                text, reason = "", f"there are no words for {missing}"
            said = pool.submit(_refused, text, len(written)) if text else None
            asked.append((key, len(written), checked, said, reason))
        for key, count, checked, said, reason in asked:
            yield Opinions(key, count, checked, reason if said is None else said.result())


def _checked(proof: Mapping[str, Any], check: Callable[[Mapping[str, Any]], str]) -> bool:
    try:
        check(proof)
    except Refused:
        return False
    return True


def _refused(text: str, proofs: int) -> str:
    with TemporaryDirectory() as folder:
        code, said = coqc(text, Path(folder))
    if code:
        return " ".join(said.split())[-400:] or f"exit status {code}"
    if said.count("Axioms:") != proofs:
        return "not every proof came to its end"
    more = sorted(axioms(said) - OF_THE_REALS)
    return f"assumed besides the theory of the reals: {', '.join(more)}" if more else ""


def coqc(text: str, folder: Path) -> tuple[int, str]:
    """Exit status of Coq on a file, written into a folder of its own, and what it said."""
    (folder / "proof.v").write_text(text, encoding="utf-8")
    try:
        done = subprocess.run(
            ["coqc", "-q", "proof.v"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, f"no answer within {SECONDS:g} s"
    return done.returncode, done.stdout + done.stderr


def axioms(said: str) -> set[str]:
    """Names that ``Print Assumptions`` lists."""
    return set(re.findall(r"^([A-Za-z_.]+)\s*:", said, re.MULTILINE)) - {"Axioms"}
