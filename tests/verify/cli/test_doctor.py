"""What ``doctor`` says of missing parts is what happens without them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.places import ROOT
from verify import check
from verify.cli import doctor
from verify.cli.main import main

HIDDEN = Path(__file__).parent / "hidden"
PRODUCTS = "4*x*y <= (x + y)**2 for x, y >= 0"
SQUARES = "x**4 + y**4 + 1 >= x*y*(x + y) for real x, y"
FALSE = "5*x*y <= (x + y)**2 for x, y >= 0"


def without(package: str, *command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command line in a fresh interpreter in which a package cannot be imported."""
    path = os.pathsep.join([str(HIDDEN), str(ROOT)])
    return subprocess.run(
        [sys.executable, "-m", "verify.cli", *command],
        env={**os.environ, "PYTHONPATH": path, "FEDASSAY_HIDDEN": package},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def word(package: str, line: str, folder: Path) -> str:
    """Verdict of a line, searched from nothing."""
    done = without(package, "check", line, "--cold", folder=folder)
    found = re.search(r"^line\.claim: (\S+)", done.stdout, re.MULTILINE)
    return found[1] if found else done.stderr


def test_here_every_dependency_works(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^torch +\d", said, re.MULTILINE)
    missing = set(re.findall(r"^(\S+) is missing", said, re.MULTILINE))
    assert missing <= {"GPU", "coq", "mcp", "dask", "scikit-learn"}


def test_every_dependency_of_the_package_is_looked_at() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in ("cluster", "data", "mcp")
                                          for one in extras[name])]  # fmt: skip
    names = {re.split(r"[<>=]", one)[0] for one in wanted} - {"distributed"}  # comes with dask
    assert names <= {part.name for part in doctor.PARTS}


def test_a_part_that_answers_wrongly_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import flint

    monkeypatch.setattr(flint, "fmpq", lambda *_: object())
    found = {part.name: (version, why) for part, version, why in doctor.looked_at()}
    version, why = found["python-flint"]
    assert version == ""
    assert why


@pytest.mark.parametrize(
    ("package", "part", "line", "expected"),
    [
        ("highspy", "highspy", PRODUCTS, "holds"),
        ("highspy", "highspy", FALSE, "violated"),
        ("matplotlib", "matplotlib", SQUARES, "proved"),
        ("clarabel", "clarabel", SQUARES, "holds"),
        ("clarabel", "clarabel", PRODUCTS, "proved"),
        ("torch", "torch", PRODUCTS, "proved"),
    ],
)
@pytest.mark.every(6)
def test_a_missing_part_costs_what_is_said(
    package: str, part: str, line: str, expected: str, tmp_path: Path
) -> None:
    done = without(package, "doctor", "--json", folder=tmp_path)
    assert done.returncode == 0
    told = {one["part"]: one for one in json.loads(done.stdout)}
    assert told[part]["version"] is None
    assert told[part]["costs"]
    assert told[part]["cure"].startswith("pip install")
    assert word(package, line, tmp_path) == expected
    assert check(line).verdict == ("violated" if line == FALSE else "proved")


@pytest.mark.slow
def test_without_the_core_nothing_is_judged_and_it_says_so(tmp_path: Path) -> None:
    done = without("sympy", "doctor", folder=tmp_path)
    assert done.returncode == 1
    assert "Nothing can be judged" in done.stdout
    assert "violated" not in word("sympy", FALSE, tmp_path)


@pytest.mark.slow
def test_without_its_package_the_server_says_what_to_install(tmp_path: Path) -> None:
    done = without("mcp", "mcp", folder=tmp_path)
    assert done.returncode == 2
    assert "pip install 'fedassay[mcp]'" in done.stderr
    assert without("mcp", "check", PRODUCTS, folder=tmp_path).returncode == 0
