"""``check`` takes a line: its terms are judged, and a file is printed that witnesses name."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.places import ROOT

Call = Callable[..., tuple[int, str, str]]
FALSE = "5*x*y <= (x+y)**2 for x, y >= 0"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_line_is_checked_and_its_witness_replays(fedassay: Call) -> None:
    code, out, _ = fedassay("check", FALSE, "--jobs", 1)
    assert code == 0
    assert "line.claim: violated" in out
    for line in ("at: x = 1, y = 1", "left: ", "right: ", "so: left = 5 > 4 = right: every"):
        assert f"\n  {line}" in out
    assert "searched" not in out
    assert "scope: " not in out
    _, every, _ = fedassay("check", FALSE, "--jobs", 1, "--all")
    assert "scope: " in every
    assert "key " in every
    witness = Path("claim-ledger-witnesses/line.claim.json")
    stored = json.loads(witness.read_text())
    assert stored["statement"]["file"] == "../claim.py"
    assert fedassay("replay", witness, "--trust")[0] == 0
    assert fedassay("check", FALSE, "--strict", "--jobs", 1)[0] == 1


def test_the_file_of_a_line_is_not_run_until_it_is_replayed(
    fedassay: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a file is run")

    with monkeypatch.context() as patched:
        patched.setattr("verify.catalogue.user_file._execute", refused)
        assert fedassay("check", FALSE)[0] == 0
        with pytest.raises(AssertionError, match="a file is run"):  # the control
            fedassay("check", "claim.py")
    stored = json.loads(Path("claim-ledger-witnesses/line.claim.json").read_text())
    assert (
        stored["statement"]["sha256"] == hashlib.sha256(Path("claim.py").read_bytes()).hexdigest()
    )
    code, out, _ = fedassay("audit", "claim-ledger.json", "--trust", "claim.py")
    assert code == 0
    assert "every verdict follows from its evidence" in out


def test_a_line_starts_no_process_and_loads_no_runs() -> None:
    code = (
        "import sys; from verify.cli import main\n"
        f"assert main(['check', {FALSE!r}]) == 0\n"
        "print([m for m in ('torch', 'joblib', 'multiprocessing.forkserver') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_line_has_its_limit_in_this_process(
    fedassay: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object, **__: object) -> None:
        while True:
            pass

    monkeypatch.setattr("verify.ladder.leaf._laws", endless)
    code, out, _ = fedassay("check", FALSE, "--limit", 3)
    assert code == 1
    assert "line.claim: violated" in out
    assert "time limit: stopped after 3 s" in out


def test_of_a_line_that_is_proved_the_proof_begins(fedassay: Call) -> None:
    _, out, _ = fedassay("check", FALSE.replace("5", "4"), "--jobs", 1)
    assert "\n  Claim: 4*x*y <= (x + y)^2." in out
    assert "\n  (1) " in out
    assert "\n  so: " not in out


def test_a_line_may_be_longer_than_a_name_of_a_file(fedassay: Call) -> None:
    long = f"x <= {' + '.join(['1'] * 200)} for x in [0, 1]"
    assert len(long) > 300
    assert fedassay("check", long, "--strict", "--jobs", 1)[0] == 0


def test_a_file_that_was_changed_by_hand_stays(fedassay: Call) -> None:
    path = Path("claim.py")
    assert fedassay("check", "x <= 2 for x in [0, 1]", "--jobs", 1)[0] == 0
    assert fedassay("check", "x <= 3 for x in [0, 1]", "--jobs", 1)[0] == 0
    assert path.read_text().startswith('"""x <= 3 for')
    assert not Path("claim_2.py").exists()
    mine = path.read_text().replace("line.claim", "mine.claim")
    path.write_text(mine)
    assert fedassay("check", "x <= 4 for x in [0, 1]", "--jobs", 1)[0] == 0
    assert path.read_text() == mine
    assert Path("claim_2.py").read_text().startswith('"""x <= 4 for')


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("5*x*y <= foo(x)", "functions that are known at character 10 ('foo')"),
        ("x < y", "write <="),
        ("nofile", "an existing Python file"),
        ("no <= file.py", "an existing Python file"),
    ],
)
def test_what_cannot_be_read_is_one_line(claim: str, said: str, fedassay: Call) -> None:
    code, out, err = fedassay("check", claim)
    assert (code, out) == (2, "")
    assert said in err
    first, *marked = err.splitlines()
    assert first.startswith("fedassay: ")
    if marked:  # the line as typed, with carets below the place
        assert marked[0].strip() == claim
        assert set(marked[1].strip()) == {"^"}
    assert list(Path().iterdir()) == []


def test_the_line_in_the_readme_does_what_it_says(fedassay: Call) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(
        r'```sh\nfedassay (check ".*")\n```\n\nis `(\w+)`, with a witness at (.*),', text
    )
    assert shown is not None
    code, out, _ = fedassay(*shlex.split(shown[1]), "--jobs", 1)
    assert code == 0
    first = out.partition("line.claim: violated")[2].splitlines()[1].strip()
    assert f'"{first}"' in text
    (entry,) = json.loads(Path("claim-ledger.json").read_text())["entries"]
    assert entry["verdict"] == shown[2]
    witness = json.loads(Path(entry["witness"]).read_text())
    params = witness["instance"]["params"]
    assert " = ".join([*params, params["y"].removesuffix("/1")]) == shown[3].split(", in")[0]


def test_an_error_is_told_once(fedassay: Call) -> None:
    assert fedassay("check", "x <= 2 for x in [0, 1]", "--jobs", 1)[0] == 0
    text = Path("claim.py").read_text()
    wrong = text.replace('{"x": w.x}', '{"x": w.xx}')
    assert wrong != text
    other = wrong.partition("@statement")[2].replace("line.claim", "line.other")
    Path("mine.py").write_text(wrong + "\n\n@statement" + other.replace("def claim", "def other"))
    code, out, err = fedassay("check", "mine.py", "--jobs", 1)
    assert code == 2
    assert f"{out}{err}".count("got 'xx'") == 2  # once for each claim
    assert err.count("got 'xx'") == 1
    assert "mine.py: line.claim has no verdict" in err


def test_a_paper_is_checked_in_its_own_order(fedassay: Call) -> None:
    source = ROOT / "tests" / "verify" / "line" / "data" / "small.tex"
    Path("small.tex").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    code, out, _ = fedassay("check", "small.tex", "--jobs", 1, "--no-reasons")
    assert code == 0
    table = out.partition("The paper's results in its order:")[2]
    told = [line.rsplit(maxsplit=2)[1] for line in table.splitlines()[2:10]]
    assert told == ["open", "proved", "violated", "proved", "proved", "open", "proved", "open"]
    assert "Theorem 2.5 (thm:descent): open because of the words 'suppose assumption" in table
    # the same source, or a new one, replaces a file that nobody has changed, and no other
    longer = Path("small.tex").read_text().replace("4xy", "3xy")
    Path("small.tex").write_text(longer)
    assert fedassay("check", "small.tex", "--jobs", 1)[0] == 0
    assert not Path("small_2.py").exists()
    Path("small.py").write_text(Path("small.py").read_text().replace("Young", "Jung"))
    assert fedassay("check", "small.tex", "--jobs", 1)[0] == 0
    assert "Jung" in Path("small.py").read_text()
    assert Path("small_2.py").exists()


def test_a_source_that_is_no_text_is_one_line(fedassay: Call) -> None:
    Path("nul.tex").write_bytes(b"\\begin{lemma}\0\\end{lemma}")
    code, out, err = fedassay("check", "nul.tex")
    assert (code, out) == (2, "")
    assert "got a NUL byte in line 1" in err
    assert err.count("\n") == 1
