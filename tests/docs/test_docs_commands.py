"""Every command that README and the table of commands show runs as printed, with an answer.

Words in capitals stand for what a reader has (a ledger, a witness, a table); the test puts its own
in their places, and nothing else is changed.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import HANGS
from tests.places import ROOT

README = ROOT / "README.md"
TABLE = ROOT / "docs" / "commands.rst"
LIMIT = HANGS

STANDS_FOR = {
    "WITNESS.json": "WITNESS",
    "LEDGER": "fedassay-ledger.json",
    "BEFORE.json": "fedassay-ledger.json",
    "AFTER.json": "fedassay-ledger.json",
    "TABLE": "diabetes",
    "--client COLUMN": "--client age --clients 2",
    "--target COLUMN": "--target progression --features bmi --runs 4 --rounds 20 --resamples 20",
    "compare KEY KEY": "compare adaptive.lemma1.repaired adaptive.lemma1",
    "KEY": "adaptive.alg.afo.repaired",
    "figures NAME": "figures sufficient_cluster --profile stored",
    "paper.tex": "paper.tex",
}
"""Placeholders, longer ones first."""

NOT_HERE = {
    "fedassay run": "the whole library: the suite compares it with the expected ledger",
    "fedassay bench": "tests/verify/cli/test_bench.py runs it",
    "fedassay mcp": "tests/verify/cli/assistants drives it by the client of its package",
}
"""Commands that are run elsewhere, or by nobody in minutes, and why."""

PAPER = r"""
\newtheorem{lem}{Lemma}
\begin{lem}[Young] Let $x, y \ge 0$. Then \[ 4xy \le (x+y)^2. \] \end{lem}
"""


def shown(readme: str, table: str) -> list[str]:
    """Commands in the code of a README and in the first column of the table, each once."""
    code = re.findall(r"`(fedassay [a-z][^`]*)`", re.sub(r"```.*?```", "", readme, flags=re.DOTALL))
    for block in re.findall(r"```sh\n(.*?)```", readme, re.DOTALL):
        code += re.findall(r"fedassay [^\n&]*", block)
    for line in re.findall(r"^   \* - (``.*)$", table, re.MULTILINE):
        for one in re.findall(r"``(.*?)``", line):
            code.append(one if one.startswith("fedassay") else f"fedassay {one}")
    return list(dict.fromkeys(one.strip() for one in code))


def written_out(command: str, witness: str) -> str:
    """A command with the test's own files and keys in the places of words in capitals."""
    for word, own in STANDS_FOR.items():
        command = command.replace(word, own)
    return command.replace("WITNESS", witness)


def ran(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line of the program in a folder."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "verify.cli", *shlex.split(command)[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


COMMANDS = shown(README.read_text(encoding="utf-8"), TABLE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a reader has it who follows README from the top."""
    made = tmp_path_factory.mktemp("reader")
    first = re.search(r"```python\n(# mine.py\n.*?)```", README.read_text(encoding="utf-8"), re.S)
    assert first is not None
    (made / "mine.py").write_text(first[1], encoding="utf-8")
    (made / "paper.tex").write_text(PAPER, encoding="utf-8")
    (made / "clients.csv").write_text("client,size,g1,g2\na,50,1,0\nb,60,1,1\nc,40,-1,2\n")
    for command in (
        "fedassay run adaptive.def1.var adaptive.alg.afo.repaired adaptive.def2.lim0",
        "fedassay check mine.py",
        "fedassay export adaptive.alg.afo.repaired --to json -o proof.json",
    ):
        done = ran(command, made)
        assert done.returncode == 0, done.stderr
    return made


@pytest.mark.slow
@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in NOT_HERE])
def test_a_command_runs_as_printed(command: str, folder: Path) -> None:
    if "collaborate" in command:
        pytest.importorskip("sklearn", reason="the extra [data] is not installed")
    witness = next((folder / "witnesses").glob("*.json")).relative_to(folder).as_posix()
    done = ran(written_out(command, witness), folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()


def test_what_is_shown_is_found() -> None:
    assert len(COMMANDS) >= 30
    assert set(NOT_HERE) <= set(COMMANDS)
    assert 'fedassay check "5*x*y <= (x+y)**2 for x, y >= 0"' in COMMANDS
    assert shown("`fedassay nothing --at all`", "") == ["fedassay nothing --at all"]
    assert shown("", "   * - ``fedassay a``, ``b c``\n") == ["fedassay a", "fedassay b c"]


def test_a_command_that_does_not_run_is_seen(tmp_path: Path) -> None:
    assert ran("fedassay nothing", tmp_path).returncode == 2
