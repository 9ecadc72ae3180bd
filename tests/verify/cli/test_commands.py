"""The command line as people meet it: catalogue, tables, bad input, Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.patience import HANGS
from tests.verify.conftest import claim
from verify.catalogue.library import Library
from verify.catalogue.version import __version__
from verify.claim.hypothesis import Hypothesis
from verify.claim.statement import Source, Statement
from verify.verdict.evidence import Evidence

Fedassay = Callable[..., tuple[int, str, str]]


GIVEN = (
    Hypothesis("step size", r"\eta\le1/\beta", lambda w: 1 / w.beta - w.step_size, "Lemma 1"),
    Hypothesis("noise", r"\sigma^2>0", lambda w: w.sigma2, strict=True),
)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Library:
    made = Library(
        [
            claim("p.lemma/a", title="First", uses=("p.def",), given=GIVEN),
            claim("p.lemma/b"),
            claim("p.lemma.repaired", form="repaired", uses=("p.lemma/b",)),
            Statement(
                key="p.def",
                source=Source("p", "Definition 1", "1234.56789"),
                latex="x := 1",
                kind="definition",
                missing="it names x",
            ),
        ]
    )
    for name in ("catalogue", "run"):
        monkeypatch.setattr(f"verify.cli.{name}.library", lambda: made)
    monkeypatch.setattr("verify.run.tasks.library", lambda: made)
    return made


def test_version(fedassay: Fedassay) -> None:
    assert fedassay("--version") == (0, f"fedassay {__version__}\n", "")


def test_list_is_plain_and_aligned(known: Library, fedassay: Fedassay) -> None:
    code, out, _ = fedassay("list")
    assert code == 0
    assert "\x1b" not in out
    assert out.splitlines()[0].split() == ["key", "kind", "form", "leaves", "title"]
    assert out.endswith("3 entries of 1 paper\n")
    assert len({line.index("printed") for line in out.splitlines() if "printed" in line}) == 1
    assert "p.def" not in fedassay("list", "p.lemma*")[1]


def test_show_tells_claim_source_hypotheses_and_relations(
    known: Library, fedassay: Fedassay
) -> None:
    code, out, _ = fedassay("show", "p.lemma", "--all")
    assert code == 0
    assert "p.lemma: First" in out
    assert r"assumes     step size: \eta\le1/\beta  (Lemma 1)" in out
    assert r"assumes     noise: \sigma^2>0  (added)" in out
    assert "uses: p.def" in out
    assert "other forms: p.lemma.repaired" in out
    assert "used by: p.lemma.repaired" in out
    assert "used by: p.lemma.repaired" in fedassay("show", "p.lemma/b", "--all")[1]
    one = fedassay("show", "p.lemma/a", "--all")[1]
    assert "p.lemma/b" not in one
    assert "used by" not in one
    definition = fedassay("show", "p.def", "--all")[1]
    assert "no verdict  it names x" in definition
    assert "arXiv:1234.56789" in definition
    assert "used by: p.lemma" in definition


def test_run_prints_one_line_per_entry(
    known: Library,
    ladder: dict[str, Any],
    proof: list[Evidence],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fedassay: Fedassay,
) -> None:
    ladder.update({"p.lemma/a": proof, "p.lemma/b": proof})
    monkeypatch.chdir(tmp_path)
    code, out, err = fedassay("run", "--jobs", 1)
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    told, results = out.split("\n\n", 1)
    assert told == "p: 1 main results: 1 proved"  # once the paper is settled
    assert results.splitlines()[:2] == [
        "p: 1 main result: 1 stand",
        "  lemma  proved  Lemma",
    ]
    assert "key " not in out
    _, out, _ = fedassay("run", "--jobs", 1, "--reasons")
    _, table = out.split("key ", 1)
    rows = {line.split()[0]: line.split()[1] for line in f"key {table}".splitlines()[:4]}
    assert rows == {
        "key": "verdict",
        "p.lemma": "proved",
        "p.lemma.repaired": "inconclusive",
        "p.def": "-",
    }
    assert "3 entries: 1 proved, 1 inconclusive, 1 without verdict" in out
    assert "Ledger: fedassay-ledger.json" in out
    assert fedassay("audit", "fedassay-ledger.json")[0] == 0


def test_strict_is_about_forms_of_our_own(
    known: Library,
    ladder: dict[str, Any],
    proof: list[Evidence],
    tmp_path: Path,
    fedassay: Fedassay,
) -> None:
    arguments = ("--jobs", 1, "--json", tmp_path / "l.json", "--strict")
    ladder["p.lemma/a"] = proof
    assert fedassay("run", "p.lemma", *arguments)[0] == 0
    code, out, _ = fedassay("run", *arguments)
    assert code == 1
    assert "Strict: neither proved nor holding: p.lemma.repaired" in out
    ladder["p.lemma.repaired"] = proof
    assert fedassay("run", *arguments)[0] == 0


def test_ctrl_c_says_how_far_it_got(
    known: Library, ladder: dict[str, Any], tmp_path: Path, fedassay: Fedassay
) -> None:
    ladder["p.lemma.repaired"] = KeyboardInterrupt()
    path = tmp_path / "l.json"
    code, out, _ = fedassay("run", "--jobs", 1, "--json", path)
    assert code == 130
    assert "Interrupted: 2 of 3 entries are finished." in out
    assert "The same command with --resume goes on." in out
    assert json.loads(path.read_text())["complete"] is False
    del ladder["p.lemma.repaired"]
    assert fedassay("run", "--jobs", 1, "--json", path)[0] == 2
    code, out, _ = fedassay("run", "--jobs", 1, "--json", path, "--resume")
    assert code == 0
    assert json.loads(path.read_text())["complete"] is True


def test_a_part_goes_into_the_ledger_and_says_so(
    known: Library, ladder: dict[str, Any], tmp_path: Path, fedassay: Fedassay
) -> None:
    path = tmp_path / "l.json"
    assert fedassay("run", "--jobs", 1, "--json", path)[0] == 0
    code, out, _ = fedassay("run", "p.lemma", "--jobs", 1, "--json", path)
    assert code == 0
    assert "1 entry: 1 inconclusive" in out
    assert "l.json, with 2 entries that were there before" in out
    assert len(json.loads(path.read_text())["entries"]) == 3


def test_a_terminal_gets_a_table_and_progress(
    known: Library, ladder: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verify.cli import main

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["run", "--jobs", "1", "--reasons", "--json", str(tmp_path / "l.json")]) == 0
    assert "\x1b[" in out.getvalue()
    assert "assaying" in err.getvalue()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "p.lema"], "did you mean p.lemma"),
        (["run", "lemma"], "did you mean p.lemma"),
        (["run", "q.*"], "choose one of"),
        (["run", "--paper", "q"], "paper must be a known one"),
        (["run", "--profile", "quik"], "did you mean quick"),
        (["run", "--device", "cuda:99"], "device must be an available one"),
        (["run", "--seed", "-1"], "seed must be a non-negative integer"),
        (["run", "--jobs", "0"], "jobs must be at least 1"),
        (["run", "--json", "."], "ledger must be a file"),
        (["run", "--json", "/dev/null/x.json"], "ledger must be writable"),
        (["audit", "none.json"], "ledger must be an existing file"),
        (["diff", "none.json", "none.json"], "ledger must be an existing file"),
        (["replay", "none.json"], "witness must be an existing file"),
    ],
)
def test_bad_input_gets_one_sentence(
    known: Library,
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fedassay: Fedassay,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = fedassay(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("fedassay: ")
    assert err.count("\n") == 1
    assert message in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["run", "--seed", "one"], ["show"], ["list", "--pap", "p"]]
)
def test_bad_usage_is_status_two(arguments: list[str], fedassay: Fedassay) -> None:
    code, _, err = fedassay(*arguments)
    assert code == 2
    assert "usage: fedassay" in err


def test_listing_and_showing_load_no_heavy_library() -> None:
    code = (
        "import sys; from verify.cli import main; from verify.catalogue.library import library\n"
        "assert main(['list']) == 0\n"
        "for e in [*library()][::9]: assert main(['show', e.key, '--all']) == 0\n"
        "print([m for m in ('torch', 'scipy.stats') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m verify.cli list | true"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


CHECK = ["-m", "verify.cli", "check", "mine.py", "--jobs", "2"]
WITHOUT_LIMIT = """
from pathlib import Path
from verify.catalogue.user_file import Origin, load_statements
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings
origin = Origin.of(Path("mine.py"))
known = load_statements(origin)
run = LedgerRun(known, known.select(), Settings(jobs=2), Path("mine-ledger.json"), origin)
raise SystemExit(0 if run.finish()["complete"] else 130)
"""


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [CHECK, ["-c", WITHOUT_LIMIT]])
def test_ctrl_c_stops_all_workers(user_file: Path, arguments: list[str]) -> None:
    text = user_file.read_text()
    for number in range(2):
        text += (
            # no printed results, which would come before the repaired one that ends
            f"\ne{number} = Statement(key='mine.endless{number}', source=HERE, latex='', "
            "form='repaired', family=BOX, sides=lambda w: any(False for _ in iter(int, 1)))\n"
        )
    user_file.write_text(text)
    child = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=user_file.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        # tests that run behind a shell's ampersand would pass an ignored signal on
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    part = user_file.parent / "mine-ledger.json.part"
    begin = time.monotonic()
    # its head, and a line for each of the three that end
    while not (part.exists() and part.read_bytes().count(b"\n") == 4):
        assert time.monotonic() < begin + HANGS
        time.sleep(0.2)
    os.killpg(child.pid, signal.SIGINT)
    _, err = child.communicate(timeout=HANGS)
    assert child.returncode == 130, err
    assert "Traceback" not in err
    stored = json.loads((user_file.parent / "mine-ledger.json").read_text())
    assert stored["complete"] is False
    assert {e["key"] for e in stored["entries"]} == {"mine.mean", "mine.wrong", "mine.unclear"}
    assert (user_file.parent / "mine-ledger-witnesses" / "mine.wrong.json").is_file()
