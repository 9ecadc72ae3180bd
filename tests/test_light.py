"""What imports load: the closed forms nothing that draws, looking things up nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bounds
from verify.run.workers import PRELOADED

BOUNDS = Path(bounds.__file__).parent


def unpredictable(source: str) -> bool:
    """Whether a module imports torch or draws at random."""
    names = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    return bool(names & {"torch", "random", "secrets"}) or "np.random" in source


def test_bounds_import_no_torch_and_no_randomness() -> None:
    paths = sorted(BOUNDS.rglob("*.py"))
    assert paths
    assert [path for path in paths if unpredictable(path.read_text())] == []


@pytest.mark.parametrize(
    "source",
    ["import torch.nn", "def f():\n    from random import choice", "np.random.default_rng(0)"],
)
def test_torch_and_randomness_are_seen(source: str) -> None:
    assert unpredictable(source)


CLASS_CLAIM = """
from bounds import generic as xp
from verify import functions, statement, visited
from verify.ladder import PROFILES, assay
@statement("light.step", where="x", latex="x", family=functions("smooth convex"),
           defines={"step_size": lambda w: 1 / w.beta})
def step(w):
    away = xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    return {"f": visited(w).excess[..., 1, 0]}, {"bound": w.beta * away / 7}
assert assay(step, profile=PROFILES["quick"].word_alone()).verdict == "violated"
"""

LIGHT = {
    "closed forms": "import bounds",
    "catalogue": "from verify.catalogue.library import library; assert len(library()) > 30",
    "command line": "import verify.cli",
    "a claim on a class of functions": CLASS_CLAIM,
    "children of a run": f"import {', '.join(PRELOADED)}",
}


def loads(program: str) -> set[str]:
    """Heavy modules that a fresh interpreter has loaded after a program."""
    code = f"{program}\nimport sys; print(*(m for m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=BOUNDS.parent
    )
    return {"torch", "scipy.stats", "matplotlib", "figures"} & set(done.stdout.split())


@pytest.mark.parametrize("name", LIGHT)
def test_looking_things_up_loads_nothing_heavy(name: str) -> None:
    assert loads(LIGHT[name]) == set()


def test_a_heavy_import_is_seen() -> None:
    assert loads("import scipy.stats") == {"scipy.stats"}
