"""A user's own file: what is collected from it, and how it may fail to load."""

from __future__ import annotations

import compileall
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bounds.numbers.validate import InvalidInput
from tests.places import ROOT
from tests.verify.conftest import USER_FILE
from verify.catalogue.user_file import Origin, load_statements

Fedassay = Callable[..., tuple[int, str, str]]
README = ROOT / "README.md"


def write(folder: Path, text: str) -> Origin:
    path = folder / "mine.py"
    path.write_text(text)
    return Origin.of(path)


def test_module_level_statements_are_collected_in_order(user_file: Path) -> None:
    keys = [entry.key for entry in load_statements(Origin.of(user_file))]
    assert keys == ["mine.mean", "mine.wrong", "mine.unclear"]


def test_statements_in_a_tuple_count_and_each_counts_once(tmp_path: Path) -> None:
    more = "\nSEVERAL = (falsehood, *(falsehood.variant(f'mine.wrong/{k}') for k in 'ab'))\n"
    origin = write(tmp_path, USER_FILE + more)
    leaves = [leaf.key for entry in load_statements(origin) for leaf in entry.leaves]
    assert leaves == ["mine.mean", "mine.wrong", "mine.wrong/a", "mine.wrong/b", "mine.unclear"]


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_mine.py").write_text("NAME = 'mine.mean'")
    origin = write(tmp_path, USER_FILE + "\nimport neighbour_of_mine\n")
    assert len(load_statements(origin)) == 3


@pytest.mark.parametrize(
    ("more", "loaded"),
    [
        ("", False),
        ("from verify.statements.hcct.convergence import theorem2_repaired", True),
        ("from verify.catalogue.library import library\nother = library().leaf('hcct.eq28')", True),
    ],
)
def test_the_package_is_loaded_only_by_a_file_that_names_it(
    tmp_path: Path, more: str, loaded: bool
) -> None:
    origin = write(tmp_path, f"{USER_FILE}\n{more}\n")
    program = (
        "import sys; from pathlib import Path; from verify.catalogue.user_file import *;"
        f"made = load_statements(Origin.of(Path({str(origin.file)!r})));"
        "print([e.key for e in made], any('verify.statements.' in name for name in sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == f"['mine.mean', 'mine.wrong', 'mine.unclear'] {loaded}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = (", "SyntaxError in .*, line 1"),
        ("import no_such_module_anywhere", "ModuleNotFoundError in .*, line 1"),
        ("\n\nx = 1 / 0", "ZeroDivisionError in .*, line 3"),
        ("raise SystemExit(0)", "SystemExit"),
        ("import sys\nsys.exit()", "SystemExit in .*mine.py, line 2"),
        ("import os\n\nos._exit(0)", r"SystemExit in .*mine.py, line 3 \(os\._exit\(0\)\)"),
        ("from os import _exit\n_exit(3)", r"SystemExit in .*mine.py, line 2 \(os\._exit\(3\)\)"),
        ("x = 1", "one that defines a Statement"),
        (USER_FILE + "\nagain = __import__('dataclasses').replace(truth)", "key must be unique"),
        (
            "from verify.claim.statement import *\n"
            "Statement(key='a', source=Source('a', 'b'), latex='')",
            "a: sides must be given",
        ),
    ],
)
def test_files_that_do_not_load_get_one_sentence(
    tmp_path: Path, text: str, message: str, fedassay: Fedassay
) -> None:
    with pytest.raises(InvalidInput, match=message):
        load_statements(write(tmp_path, text))
    code, out, err = fedassay("check", tmp_path / "mine.py")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_file_must_exist(tmp_path: Path, fedassay: Fedassay) -> None:
    code, _, err = fedassay("check", tmp_path / "none.py")
    assert code == 2
    assert "file must be an existing Python file" in err


ENDLESS = """
from verify import Family, Real, Source, Statement

def forever(w):
    while True:
        pass

endless = Statement(
    key="mine.endless", source=Source("mine", "Lemma 2"), latex="",
    family=Family({"x": Real(0, 1)}), sides=forever,
)
"""


def test_a_statement_without_end_is_stopped_by_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Fedassay
) -> None:
    write(tmp_path, ENDLESS)
    monkeypatch.chdir(tmp_path)
    code, out, err = fedassay("check", "mine.py", "--limit", 1, "--jobs", 1)
    assert (code, err) == (1, "")
    assert "Unfinished: mine.endless: time limit: stopped after 1 s" in out


def test_check_prints_and_writes_a_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Fedassay
) -> None:
    write(tmp_path, USER_FILE)
    monkeypatch.chdir(tmp_path)
    code, out, err = fedassay("check", "mine.py", "--strict", "--jobs", 1, "--all")
    assert (code, err) == (1, "")
    lines = {line.split()[0]: line.split() for line in out.splitlines() if line}
    assert lines["mine.mean"][1] == "proved"
    assert lines["mine.wrong"][1] == "violated"
    assert lines["mine.unclear"][1] == "not-checkable"
    assert "fedassay replay mine-ledger-witnesses/mine.wrong.json --trust --explain" in out
    assert (tmp_path / "mine-ledger.json").is_file()
    assert fedassay("audit", "mine-ledger.json")[0] == 0


def test_the_example_of_the_readme_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Fedassay
) -> None:
    first, second, third = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    write(tmp_path, first)
    monkeypatch.chdir(tmp_path)
    assert "violated" in fedassay("check", "mine.py")[1]
    witness = "mine-ledger-witnesses/mine.mean.json"
    code, out, _ = fedassay("replay", witness, "--trust", "--explain")
    assert code == 0
    assert "left = 5 > 4 = right" in out
    write(tmp_path, second)
    assert "mine.gradient: violated" in fedassay("check", "mine.py")[1]
    write(tmp_path, third)
    told = fedassay("check", "mine.py")[1]
    assert "mine.rounds: proved" in told
    assert "any T, dimension and start (by its outline" in told


def test_statements_in_a_list_count_too(tmp_path: Path) -> None:
    path = tmp_path / "listed.py"
    path.write_text(
        "from verify import Real, numbers, statement\n"
        "def made(key):\n"
        "    box = {'x': Real(0, 1)}\n"
        "    made = statement(key, latex='x', family=numbers(box))\n"
        "    return made(lambda w: ({'x': w.x}, {'1': 1}))\n"
        "LISTED = [made('mine.first'), made('mine.second')]\n"
    )
    known = load_statements(Origin.of(path))
    assert [entry.key for entry in known] == ["mine.first", "mine.second"]


def test_a_process_that_the_file_starts_may_end(tmp_path: Path) -> None:
    fork = "import os\nchild = os.fork()\nif not child:\n    os._exit(7)\n"
    fork += "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7\n"
    before = os._exit
    assert len(load_statements(write(tmp_path, f"{fork}\n{USER_FILE}"))) == 3
    assert os._exit is before


def test_an_edit_within_the_second_is_judged_by_its_own_text(tmp_path: Path) -> None:
    """Python's kept bytecode is told apart by second and length alone."""
    text = FILE_OF_ONE % 4
    origin = write(tmp_path, text)
    path = Path(origin.file)
    stamp = path.stat()
    compileall.compile_file(path, quiet=1, force=True)
    path.write_text(FILE_OF_ONE % 8)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    (entry,) = load_statements(Origin.of(path))
    assert [leaf.latex for leaf in entry.leaves] == ["8"]


FILE_OF_ONE = """
from verify import Real, numbers, statement


@statement("mine.one", where="x", latex="%d", family=numbers({"x": Real(1, 4)}))
def one(w):
    return {"x": w.x}, {"square": w.x**2}
"""
