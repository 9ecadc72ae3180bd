"""A user's file, a ledger made from it by the real ladder, and a ladder that can be scripted."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sympy

from verify.catalogue.user_file import Origin, load_statements
from verify.certify.prover.prove import certify, written_out
from verify.claim.axes import Axis, Option
from verify.claim.parameters import Family, Real
from verify.claim.statement import Source, Statement
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import verdict

USER_FILE = r'''
"""One truth, one falsehood, one existence claim, one claim that cannot be checked."""
from verify import Family, Hypothesis, Real, Source, Statement

BOX = Family({"x": Real(0, 10), "y": Real(0, 10)}, about="two numbers")
HERE = Source("mine", "Lemma 1")


def square(w):
    return (w.x + w.y) ** 2


truth = Statement(
    key="mine.mean", source=HERE, latex=r"4xy \le (x+y)^2", family=BOX, form="repaired",
    sides=lambda w: ({"product": 4 * w.x * w.y}, {"square": square(w)}),
)
falsehood = Statement(
    key="mine.wrong", source=HERE, latex=r"5xy \le (x+y)^2", family=BOX,
    sides=lambda w: ({"product": 5 * w.x * w.y}, {"square": square(w)}),
    given=[Hypothesis("x at least 1", r"x \ge 1", lambda w: w.x - 1)],
)
unclear = Statement(
    key="mine.unclear", source=HERE, latex="x is small", missing="what small means"
)
'''

NUMBERS = Family({"x": Real(0, 1)})


@pytest.fixture
def user_file(tmp_path: Path) -> Path:
    """A user's file in an empty folder."""
    path = tmp_path / "mine.py"
    path.write_text(USER_FILE)
    return path


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    path = folder / "mine.py"
    path.write_text(USER_FILE)
    origin = Origin.of(path)
    known = load_statements(origin)
    settings = Settings(jobs=1)
    LedgerRun(known, known.select(), settings, folder / "mine-ledger.json", origin).finish()
    return folder


@pytest.fixture
def made(_made: Path, tmp_path: Path) -> Path:
    """Folder with ``mine.py``, ``mine-ledger.json`` and its witnesses, free to be spoilt."""
    folder = tmp_path / "copy"
    shutil.copytree(_made, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def claim(key: str, **more: Any) -> Statement:
    """A statement whose content does not matter."""
    return Statement(
        key=key,
        source=Source(key.partition(".")[0], "Lemma"),
        latex="x = x",
        family=NUMBERS,
        sides=lambda w: ({"x": w.x}, {"x": w.x}),
        **more,
    )


def axis(*names: str) -> Axis:
    """An open place with these options; it bears the names of all of them."""
    options = tuple(Option(n, f"'{n}', Section 1", f"the words mean {n}") for n in names)
    return Axis("-".join(names), "what the words mean", options)


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Replace the ladder: what it finds for a key is taken from this dictionary.

    A value is a list of Evidence, or an exception to raise; ``links`` collects what was linked.
    """
    from verify.ladder import Leaf

    script: dict[str, Any] = {"links": {}}

    def assay(statement: Statement, *, links: Any, **settings: Any) -> Leaf:
        script["links"][statement.key] = list(links)
        found = script.get(statement.key, [])
        if isinstance(found, KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        if isinstance(found, BaseException):
            raise found
        evidence = (*links, *found)
        word = verdict(evidence)
        return Leaf(
            id=statement.key,
            verdict=word.word,
            rung=word.rung,
            reason=word.reason,
            scope="",
            tightness=None,
            power=None,
            follows="unknown",
            hint="",
            not_needed=(),
            witness=None,
            evidence=evidence,
            seconds=0.5,
        )

    monkeypatch.setattr("verify.ladder.leaf.assay", assay)
    return script


@pytest.fixture
def proof() -> list[Evidence]:
    """Evidence that proves."""
    x = sympy.Symbol("x", positive=True)
    certificate = certify(sympy.Integer(0), x, "<=")
    assert certificate is not None
    written = written_out(certificate, sympy.Integer(0), x, "<=")
    stored = {
        "certificates": [
            {"shape": {}, "certificate": certificate.to_json(), "written": written},
        ]
    }
    return [
        Evidence("hypotheses", "reported", "1 of 1 instances meets every hypothesis", counted=1),
        Evidence("certificate", "decided", "proved", proof=stored),
    ]


@pytest.fixture
def fedassay(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Call the command line in this process: exit status, stdout, stderr."""
    from verify.cli import main

    def call(*argv: object) -> tuple[int, str, str]:
        try:
            code = main([str(a) for a in argv])
        except SystemExit as error:  # argparse leaves this way
            code = int(error.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call
