"""Bad input to the end: one line that says what is wrong, exit status 2, nothing lost, no wait."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.patience import HANGS
from tests.verify.cli import bad_inputs as bad
from verify.cli import main

Fedassay = Callable[..., tuple[int, str, str]]
SECONDS = 60.0
"""Of computing, where a refusal takes one: only what goes on and on takes more."""


@pytest.fixture
def here(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file of every kind."""
    (made / "good.py").write_text(bad.HEAD + 's = st("m.a", good)\n')
    (made / "bytes.py").write_bytes(b"\xff\xfe\x00\x01")
    (made / "notes.txt").write_text("what I must not lose")
    (made / "c.csv").write_text("client,size,g\na,1,1\nb,2,0.5\n")
    (made / "link.csv").symlink_to("c.csv")
    shutil.copy(made / "mine-ledger.json", made / "l.json")
    monkeypatch.chdir(made)
    return made


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in files
        if "__pycache__" not in path.parts
    }


def refuse(fedassay: Fedassay, message: str, *argv: object, folder: Path, kept: bool = True) -> str:
    """Run a command that must be refused; what it printed on stdout."""
    before, begin = contents(folder), time.process_time()
    code, out, err = fedassay(*argv)
    assert code == 2, (out, err)
    assert err.startswith("fedassay: ")
    assert err.count("\n") == 1
    assert message in err
    assert "Traceback" not in out
    assert not [c for c in out + err if ord(c) < 32 and c != "\n"]
    assert time.process_time() - begin < SECONDS
    after = contents(folder)
    if kept:
        assert after == before
    assert {name: after.get(name) for name in before} == before
    return out


def test_there_are_many_of_them() -> None:
    assert bad.COUNT >= 150


@pytest.mark.parametrize("name", bad.LOADING)
def test_files_that_do_not_load(name: str, here: Path, fedassay: Fedassay) -> None:
    text, message = bad.LOADING[name]
    (here / "mine.py").write_text(bad.HEAD + text + "\n")
    refuse(fedassay, message, "check", "mine.py", folder=here)


@pytest.mark.parametrize("name", bad.SIDES)
def test_sides_that_cannot_be_evaluated(name: str, here: Path, fedassay: Fedassay) -> None:
    """Beside the line on stderr there is a ledger in which the leaf has no verdict."""
    expression, message = bad.SIDES[name]
    text = f'import numpy as np\ns = st("m.a", lambda w: {expression})\n'
    (here / "mine.py").write_text(bad.HEAD.rstrip("\n") + "\n" + text)
    (here / "mine-ledger.json").unlink()
    out = refuse(
        fedassay, message, "check", "mine.py", "--jobs", 1, "--limit", 60, folder=here, kept=False
    )
    assert "1 entry: 1 inconclusive" in out
    assert "meets every hypothesis" not in out


@pytest.mark.parametrize("name", bad.ARGUMENTS)
def test_command_lines(name: str, here: Path, fedassay: Fedassay) -> None:
    arguments, message = bad.ARGUMENTS[name]
    refuse(fedassay, message, *arguments, folder=here)


@pytest.mark.parametrize("name", bad.TABLES)
def test_tables_of_clients(name: str, here: Path, fedassay: Fedassay) -> None:
    text, message = bad.TABLES[name]
    (here / "bad.csv").write_text(text)
    refuse(fedassay, message, "partition", "bad.csv", "--alpha", 1, folder=here)


@pytest.mark.parametrize("name", bad.CLIENTS)
def test_json_files_of_clients(name: str, here: Path, fedassay: Fedassay) -> None:
    text, message = bad.CLIENTS[name]
    (here / "bad.json").write_text(text)
    refuse(fedassay, message, "partition", "bad.json", "--alpha", 1, folder=here)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", "pickle", "words"])
def test_npz_files_of_clients(content: Any, here: Path, fedassay: Fedassay) -> None:
    path = here / "bad.npz"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "pickle":
        np.savez(path, gradients=np.array([{}], dtype=object), sizes=[1])
    else:
        np.savez(path, gradients=[["x"]], sizes=[1])
    refuse(fedassay, "must be", "partition", path, "--alpha", 1, folder=here)


@pytest.mark.parametrize("name", bad.WITNESS)
def test_witnesses(name: str, here: Path, fedassay: Fedassay) -> None:
    change, message = bad.WITNESS[name]
    path = here / "mine-ledger-witnesses" / "mine.wrong.json"
    raw = json.loads(path.read_text())
    if "params" in change:  # a run: of a statement of the library that trains
        path, raw = running(here)
        change = change["params"]
        raw["instance"]["params"] |= change
    else:
        raw["instance"]["params"] = {"x": 1, "y": 1, **change}
    path.write_text(json.dumps(raw))
    refuse(fedassay, message, "replay", path, "--trust", folder=here)


RUNNING = """
from verify import functions, statement, visited

@statement("run.a", where="L", latex="", family=functions("smooth convex", rounds=1),
           defines={"step_size": lambda w: 1 / w.beta})
def a(w):
    return {"excess": visited(w).excess[..., -1, 0]}, {"none": 0 * w.beta}
"""


def running(folder: Path) -> tuple[Path, dict[str, Any]]:
    """A witness of a statement that trains."""
    (folder / "run.py").write_text(RUNNING)
    assert main(["check", "run.py", "--jobs", "1"]) == 0
    path = folder / "run-ledger-witnesses" / "run.a.json"
    return path, json.loads(path.read_text())


@pytest.mark.parametrize("command", ["audit", "report", "diff", "list"])
@pytest.mark.parametrize("name", bad.LEDGER)
def test_ledgers(name: str, command: str, here: Path, fedassay: Fedassay) -> None:
    place, value, message = bad.LEDGER[name]
    raw = json.loads((here / "l.json").read_text())
    inner = raw
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    (here / "bad.json").write_text(json.dumps(raw))
    argv = {"diff": ["diff", "l.json", "bad.json"], "list": ["list", "--ledger", "bad.json"]}
    refuse(fedassay, message, *argv.get(command, [command, "bad.json"]), folder=here)


def test_a_ledger_with_an_integer_of_5000_digits(here: Path, fedassay: Fedassay) -> None:
    text = (here / "l.json").read_text().replace('"seed": 0', f'"seed": {"7" * 5000}')
    (here / "bad.json").write_text(text)
    refuse(fedassay, "an integer of thousands of digits", "audit", "bad.json", folder=here)


def test_escape_sequences_in_texts_are_written_out(here: Path, fedassay: Fedassay) -> None:
    raw = json.loads((here / "l.json").read_text())
    for reason, hint in (("\x1b[31mred\a", "\x1b[2J"), ("red\a", "\b")):
        raw["entries"][0]["reason"] = reason
        raw["entries"][0]["leaves"][0]["hint"] = hint
        (here / "bad.json").write_text(json.dumps(raw))
        for argv in (["audit", "bad.json"], ["diff", "l.json", "bad.json"]):
            _, out, err = fedassay(*argv)
            assert not [c for c in out + err if ord(c) < 32 and c != "\n"]
            assert ("control character U+001B" in err) == ("\x1b" in reason)
    assert "red\\x07" in fedassay("audit", "bad.json")[1]


def test_a_forged_ledger_is_reported_with_a_word(here: Path, fedassay: Fedassay) -> None:
    assert fedassay("report", "l.json")[0] == 0
    assert "contradicts its own evidence" not in (here / "report.html").read_text()
    raw = json.loads((here / "l.json").read_text())
    raw["entries"][1]["verdict"] = raw["entries"][1]["leaves"][0]["verdict"] = "proved"
    (here / "forged.json").write_text(json.dumps(raw))
    code, out, _ = fedassay("report", "forged.json")
    assert code == 1
    assert "Not what its evidence says: forged.json" in out
    assert "contradicts its own evidence" in (here / "report.html").read_text()


def test_a_ledger_that_misquotes_its_statements_is_named(here: Path, fedassay: Fedassay) -> None:
    assert fedassay("audit", "l.json", "--trust", "mine.py")[0] == 0
    raw = json.loads((here / "l.json").read_text())
    raw["entries"][0]["told"][0]["latex"] = r"1 \le 2"
    (here / "misquoted.json").write_text(json.dumps(raw))
    code, out, _ = fedassay("audit", "misquoted.json", "--trust", "mine.py")
    assert code == 1
    assert "is not what its statement says" in out


def test_a_changed_digest_of_the_code_is_told(here: Path, fedassay: Fedassay) -> None:
    path = here / "mine-ledger-witnesses" / "mine.wrong.json"
    assert "note" not in fedassay("replay", path, "--trust")[1]
    path.write_text(path.read_text().replace('"code": "', '"code": "0'))
    code, out, _ = fedassay("replay", path, "--trust")
    assert code == 0
    assert "the code of mine.wrong has changed since this was written" in out
    assert out.endswith("confirmed, by other code than it was found by\n")


def test_too_many_outcomes_are_named(here: Path, fedassay: Fedassay) -> None:
    text = (
        bad.HEAD
        + """
s = st("m.a", lambda w: ({"a": visited(w).excess[..., -1, 0]}, {"b": w.beta}), over="mean",
       family=functions("smooth convex", rounds=100, noise=True),
       defines={"step_size": lambda w: 1 / w.beta})
"""
    )
    (here / "many.py").write_text(text)
    code, out, _ = fedassay("check", "many.py", "--jobs", 1)
    assert code == 0
    assert "was decided (the law has 2^100 outcomes, above 4096)" in out


def test_a_symlink_stays_a_symlink(here: Path, fedassay: Fedassay) -> None:
    (here / "folder").mkdir()
    (here / "out.json").symlink_to("folder/real.json")
    argv = ("partition", "c.csv", "--alpha", 1, "--json", "out.json")
    for _ in range(2):
        assert fedassay(*argv)[0] == 0
        assert (here / "out.json").is_symlink()
        assert json.loads((here / "folder" / "real.json").read_text())["clients"]
    (here / "loop.json").symlink_to("loop.json")
    refuse(fedassay, "must", *argv[:-1], "loop.json", folder=here)


ENDLESS = {
    "a loop": "while True: pass",
    "a sleep": "import time\nwhile True: time.sleep(1)",
    "a loop that catches everything": """
while True:
    try:
        while True: pass
    except BaseException:
        pass
""",
}


def outside(folder: Path, *argv: str, closed: bool = False) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as a shell would start it."""
    code = "import sys; from verify.cli import main; sys.exit(main())"
    command = [sys.executable, "-P", "-c", code, *argv]
    if closed:
        command = ["sh", "-c", 'exec "$@" >&-', "sh", *command]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "FEDASSAY_LOAD_SECONDS": "1"}
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=HANGS
    )


@pytest.mark.parametrize("name", ENDLESS)
def test_a_file_that_does_not_end(name: str, here: Path) -> None:
    (here / "mine.py").write_text(ENDLESS[name])
    done = outside(here, "check", "mine.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "file must load within 1 seconds" in done.stderr


def test_a_closed_output_is_refused_before_any_work(here: Path) -> None:
    done = outside(here, "list", closed=True)
    assert done.returncode == 2
    assert done.stderr == (
        "fedassay: standard output must be open, got a closed one: send it to a file.\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_output_is_told(here: Path) -> None:
    command = [sys.executable, "-m", "verify.cli", "list"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=env)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", [["-P", "-c", "from verify.cli import main; main()"], ["-m", "verify.cli"]]
)
def test_a_users_files_do_not_take_the_place_of_ours(here: Path, start: list[str]) -> None:
    """Names of our packages where the command runs, beside the file that is checked."""
    for name in ("bounds", "figures", "algorithms", "synthetic"):
        (here / f"{name}.py").write_text("raise SystemExit('not this one')")
    if start[0] == "-P":  # python -m looks for its module in the working directory itself
        (here / "verify").mkdir()
        (here / "verify" / "__init__.py").write_text("raise SystemExit('not this one')")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, *start, "check", "good.py", "--jobs", "2"],
        cwd=here,
        env=env,
        capture_output=True,
        text=True,
        timeout=HANGS,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "m.a  " in done.stdout
    assert "not this one" not in done.stdout
