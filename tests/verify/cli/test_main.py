"""A command loads its own module alone, and the table of modules names every command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.each import each
from tests.places import ROOT
from verify.cli.main import COMMANDS, main

CLI = ROOT / "verify" / "cli"


@each("name", COMMANDS)
def test_every_command_is_where_the_table_says(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: fedassay {name} ")


def test_every_module_with_a_command_is_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    homes = {
        ".".join(path.relative_to(CLI).with_suffix("").parts)
        for path in CLI.rglob("*.py")
        if "\ndef add(commands: Any) -> None:" in path.read_text(encoding="utf-8")
    }
    assert homes == set(COMMANDS.values())
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    assert [name for name in COMMANDS if f"    {name}" not in told] == []
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "invalid choice: 'nonsense'" in capsys.readouterr().err


def test_one_command_loads_no_other_one(tmp_path: Path) -> None:
    code = (
        "import sys; from verify.cli.main import main\n"
        "try: main(['mcp', '--help'])\n"
        "except SystemExit: pass\n"
        "print(*(name for name in sys.modules if name.startswith('verify.cli.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "verify.cli.assistants.command" in loaded
    assert not loaded & {"verify.cli.run", "verify.cli.catalogue", "verify.cli.doctor"}
