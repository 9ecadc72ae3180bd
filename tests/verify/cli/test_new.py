"""Templates that run as they are, and what goes with a file of one's own."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.verify.conftest import USER_FILE
from verify.catalogue.library import library
from verify.cli.completion import script
from verify.cli.main import main
from verify.cli.own.new import KINDS, template

Fedassay = Callable[..., tuple[int, str, str]]


WRITING = (
    "run",
    "check",
    "report",
    "figures",
    "partition",
    "new",
    "certify",
    "collaborate",
    "rates",
    "export",
)
"""Commands that write a file or folder."""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_stands_as_it_is(kind: str, fedassay: Fedassay) -> None:
    code, out, err = fedassay("new", f"my_{kind}", "--kind", kind)
    assert (code, err) == (0, "")
    assert f"fedassay check my_{kind}.py" in out
    text = Path(f"my_{kind}.py").read_text()
    assert "NAME" not in text
    assert text.count("#") >= 2
    assert max(map(len, text.splitlines())) <= 100
    code, out, err = fedassay("check", f"my_{kind}.py", "--strict", "--jobs", 1)
    assert (code, err) == (0, ""), out
    assert "Unfinished" not in out


def test_a_template_that_claims_too_much_falls(fedassay: Fedassay) -> None:
    text = template("scalar", "mine").replace("w.x / 2", "w.x / 3")
    Path("mine.py").write_text(text)
    code, out, _ = fedassay("check", "mine.py", "--strict", "--jobs", 1)
    assert code == 1
    assert "Strict: neither proved nor holding: mine.lemma1" in out
    assert fedassay("check", "mine.py", "--jobs", 1)[0] == 0


@pytest.mark.parametrize("name", ["class", "my-lemma", "verify", "1st", "../mine", ""])
def test_a_name_that_no_file_can_have_is_refused(name: str, fedassay: Fedassay) -> None:
    code, out, err = fedassay("new", name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "name must be letters, digits and underscores" in err
    assert list(Path().iterdir()) == []


def test_nothing_is_overwritten(fedassay: Fedassay) -> None:
    Path("mine.py").write_text("precious")
    code, _, err = fedassay("new", "mine")
    assert code == 2
    assert "file must be a new one, got mine.py" in err
    assert Path("mine.py").read_text() == "precious"
    assert fedassay("new", "mine", "-o", "other.py")[0] == 0
    assert "mine.lemma1" in Path("other.py").read_text()


def test_the_list_as_json_holds_every_entry(fedassay: Fedassay) -> None:
    code, out, _ = fedassay("list", "--json")
    found = json.loads(out)
    assert code == 0
    assert [one["key"] for one in found] == [entry.key for entry in library()]
    assert sum(len(one["leaves"]) for one in found) == sum(len(e.leaves) for e in library())
    code, out, _ = fedassay("list", "--keys", "--paper", "hcct")
    assert out.split() == [one["key"] for one in found if one["paper"] == "hcct"]


def test_show_reads_a_file_of_ones_own(fedassay: Fedassay) -> None:
    Path("mine.py").write_text(USER_FILE)
    code, out, err = fedassay("show", "mine.py")
    assert (code, err) == (0, "")
    assert all(key in out for key in ("mine.mean", "mine.wrong", "mine.unclear"))
    code, out, _ = fedassay("show", "mine.py", "mine.wrong", "--all")
    assert r"claim       5xy \le (x+y)^2" in out
    assert "mine.mean" not in out
    out = fedassay("show", "mine.py", "mine.wrong", "--formulas")[1]
    assert "computed    left, product: 5*x*y\n" in out
    assert "(x + y)^2" in out
    assert fedassay("show", "mine.py", "mine.none")[0] == 2
    assert "file must be an existing Python file" in fedassay("show", "none.py")[2]
    assert "key must be one" in fedassay("show", "hcct.lemma1", "hcct.ass1")[2]


def test_the_output_has_one_name(fedassay: Fedassay) -> None:
    Path("mine.py").write_text(USER_FILE)
    assert fedassay("check", "mine.py", "--output", "found.json", "--jobs", 1)[0] == 0
    assert Path("found.json").is_file()
    for command in WRITING:
        with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit):
            main([command, "--help"])
        assert re.search(r"-o (FILE|DIR), --output \1", out.getvalue())
        assert "--json" not in out.getvalue()


# -- completion ----------------------------------------------------------------------------------


def words(*typed: str) -> list[str]:
    """What bash offers, with a stub for the keys of the library."""
    shell = shutil.which("bash")
    assert shell is not None
    stub = "fedassay() { echo mine.first mine.second hcct.lemma1; }\n"
    line = " ".join(f"'{word}'" for word in ("fedassay", *typed))
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(typed)}; _fedassay; echo "${{COMPREPLY[@]}}"'
    made = subprocess.run(
        [shell, "-c", f"{stub}{_printed()}\n{ask}"], capture_output=True, text=True, check=True
    )
    assert made.stderr == ""
    return made.stdout.split()


def _printed() -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["completion", "bash"]) == 0
    return out.getvalue()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("ch",), ["check"]),
        (("run", "mine."), ["mine.first", "mine.second"]),
        (("run", "--pap"), ["--paper"]),
        (("check", "--str"), ["--strict"]),
        (("check", "mine"), []),  # left to the names of files
        (("nothing", "--"), []),
    ],
)
def test_bash_completes(typed: tuple[str, ...], offered: list[str]) -> None:
    assert words(*typed) == offered


def test_every_shell_is_told_of_commands_and_options() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", "--output")
    parser.add_argument("--old", help=argparse.SUPPRESS)
    for shell in ("bash", "zsh", "fish"):
        made = script(shell, {"run": parser, "list": parser})
        assert "run" in made
        assert "output" in made
        assert "old" not in made
