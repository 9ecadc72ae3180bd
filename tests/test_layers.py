"""Arrows between the packages never go back, and looking things up stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bounds

LAYERS = ("bounds", "synthetic", "algorithms", "figures", "verify")
ROOT = Path(bounds.__file__).parent.parent


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(source: str) -> Iterator[str]:
    """Top names of all imports, also of those inside functions and of type checks."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
            named = [a.value for a in node.args if isinstance(a, ast.Constant)]
            yield from (str(name).partition(".")[0] for name in named)


def backwards(package: str, source: str) -> set[str]:
    """Layers above this one that a module of it imports."""
    return set(imported(source)) & set(LAYERS[LAYERS.index(package) + 1 :])


@pytest.mark.parametrize("package", LAYERS)
def test_no_import_goes_back(package: str) -> None:
    assert modules(package)
    for path in modules(package):
        assert not backwards(package, path.read_text()), path


@pytest.mark.parametrize(
    "source",
    ["import verify", "from verify.world.score import score",
     "def f():\n    from verify import score",
     "import importlib\nimportlib.import_module('verify.world.score')"],
)  # fmt: skip
def test_an_import_that_goes_back_is_seen(source: str) -> None:
    assert backwards("bounds", source) == {"verify"}
    assert backwards("figures", source) == {"verify"}
    assert backwards("verify", source) == set()


def test_bounds_import_no_torch_and_no_randomness() -> None:
    for path in modules("bounds"):
        names = set(imported(path.read_text()))
        assert not names & {"torch", "random", "secrets"}, path
        assert "np.random" not in path.read_text(), path


LIGHT = {
    "closed forms": "import bounds",
    "catalogue": "from verify.catalogue.library import library; assert len(library()) > 30",
    "command line": "import verify.cli",
}


def loads(program: str) -> set[str]:
    """Heavy modules that a fresh interpreter has loaded after a program."""
    code = f"{program}\nimport sys; print(*(m for m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return {"torch", "scipy.stats", "matplotlib", "figures"} & set(done.stdout.split())


@pytest.mark.parametrize("name", LIGHT)
def test_looking_things_up_loads_nothing_heavy(name: str) -> None:
    assert loads(LIGHT[name]) == set()


def test_a_heavy_import_is_seen() -> None:
    assert loads("import scipy.stats") == {"scipy.stats"}
