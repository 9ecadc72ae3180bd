"""What import-linter cannot see of the layers, and that it sees the rest.

Arrows between packages and rooms, and circles, are contracts in ``pyproject.toml``.  Here: modules
that are named in a string and loaded later, names with an underscore, and the size of folders.
"""

from __future__ import annotations

import ast
import importlib.util
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import bounds
from tests.each import each
from tests.places import ROOT

CODE = Path(bounds.__file__).parent.parent
PROJECT = ROOT / "pyproject.toml"
RULES = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["tool"]["importlinter"]
PACKAGES = RULES["root_packages"]
MOST = 20
"""Python files in one folder."""


@cache
def modules() -> dict[str, Path]:
    """Files of all packages by the name of their module; a package is its ``__init__``."""
    found = {}
    for path in sorted(path for package in PACKAGES for path in (CODE / package).rglob("*.py")):
        parts = path.relative_to(CODE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


# -- arrows ----------------------------------------------------------------------------------------


def linted(folder: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys; from importlinter.cli import lint_imports_command as run; run()"
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache", "--config", str(PROJECT)],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


UPWARDS = {
    "bounds.rates": "import verify",
    "synthetic.pl": "from algorithms.engine.run import run",
    "figures.style": "def f():\n    from verify.world import score",
    "verify.claim.families": "from ..world import world",
    "verify.world.visited": "def f():\n    from verify import check",
    "verify.statements.hcct.chain": "from verify.ladder import assay",
    "verify.certify.prover.prove": "import verify.claim.statement",
    "verify.ladder.leaf": "from verify.catalogue import library",
    "verify.ladder.search.pool": "from verify.ladder.rungs.climb import Climb",
    "verify.ladder.repair.repairs": "def f():\n    from verify.ladder.leaf import assay",
    "verify.certify.gram.solve": "import verify.certify.worst_case.step",
    "verify.certify.coq.terms": "from verify.certify.prover import prove",
    "verify.run.tasks": "def f():\n    import verify.ladder.search.pool",
    "verify.ledger.audit": "def f():\n    import verify.run.tasks as t",
}
"""One import that runs up, planted in each of these files."""


def test_contracts_hold_and_every_planted_arrow_is_seen(tmp_path: Path) -> None:
    pytest.importorskip("importlinter")
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("data", "__pycache__")
        shutil.copytree(CODE / package, tmp_path / package, ignore=ignored)
    whole = linted(tmp_path)
    assert whole.returncode == 0, whole.stdout + whole.stderr
    for module, line in UPWARDS.items():
        file = tmp_path / modules()[module].relative_to(CODE)
        file.write_text(f"{file.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    planted = linted(tmp_path)
    assert planted.returncode == 1
    assert {module for module in UPWARDS if f"{module} -> " not in planted.stdout} == set()


def test_the_face_of_the_ladder_has_at_most_eight_names() -> None:
    import verify.ladder as face

    assert len(face.__all__) <= 8
    assert all(getattr(face, name) for name in face.__all__)


@cache
def height(module: str) -> tuple[int, int]:
    """How far up a module stands: its package, and its room where there are rooms."""
    packages, rooms = (contract["layers"][::-1] for contract in RULES["contracts"][:2])
    package, _, rest = module.partition(".")
    room = rest.partition(".")[0]
    places = [k for k, layer in enumerate(rooms) if room in layer.split(" | ")]
    top = len(rooms) if package == "verify" else 0  # the package's own face
    return packages.index(package), places[0] if package == "verify" and places else top


def spelled(module: str, tree: ast.AST) -> list[str]:
    """Modules further up that are named in a string, for a later import."""
    found = []
    for node in ast.walk(tree):
        name = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.partition(":")[0]
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            name = str(node.values[0].value).rpartition(".")[0]
        elif isinstance(node, ast.Call) and "import_module" in vars(node.func).values():
            named = [str(a.value) for a in node.args if isinstance(a, ast.Constant)]
            found += [n for n in named if n in PACKAGES and height(n) > height(module)]
        if "." in name and name in modules() and height(name) > height(module):
            found.append(name)
    return found


@each(
    ("module", "source"),
    [
        ("figures.runner", "import importlib\nimportlib.import_module('verify')"),
        ("figures.places", "PLACES = {'worst_case': 'verify.worst_case.figure.fig_worst_case'}"),
        ("figures.runner", "x = f'verify.report.fig_{name}'"),
        ("synthetic.registry", "X = 'algorithms.personal.apfl:APFL'"),
        ("verify.world.world", "X = 'verify.ladder.leaf'"),
    ],
)
def test_a_name_in_a_string_is_seen(module: str, source: str) -> None:
    assert len(spelled(module, ast.parse(source))) == 1


@each("source", ["x = 'verify'\ny = f'{x}.world'", "x = 'bounds.rates'", "x = 'synthetic.pl:PL'"])
def test_words_and_what_stands_below_are_free(source: str) -> None:
    assert spelled("synthetic.pl", ast.parse(source)) == []


# -- names -----------------------------------------------------------------------------------------


def hidden(*names: str) -> bool:
    parts = [part for name in names for part in name.split(".")]
    return any(part.startswith("_") and not part.endswith("__") for part in parts)


def taken(module: str, tree: ast.AST) -> Iterator[tuple[str, str, str]]:
    """Module of ours, what is taken of it, and what the file calls the module, of each import."""
    is_package = modules().get(module, Path()).name == "__init__.py"
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((a.name, "", a.asname or a.name) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            yield from ((base, a.name, a.asname or a.name) for a in node.names)


def private(module: str, tree: ast.AST) -> list[str]:
    """Names with a leading underscore that are taken from another module of ours."""
    made = [one for one in taken(module, tree) if one[0].partition(".")[0] in PACKAGES]
    found = [f"{file}.{name}" for file, name, _ in made if hidden(file, name)]
    files = {bound for file, name, bound in made if not name or f"{file}.{name}" in modules()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and hidden(node.attr):
            found += [ast.unparse(node)] if ast.unparse(node.value) in files else []
    return found


def test_no_string_names_a_module_further_up_and_an_underscore_stays_in_its_file() -> None:
    for module, path in modules().items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert (spelled(module, tree), private(module, tree)) == ([], []), module


@each(
    "source",
    [
        "from bounds.rates import _gap",
        "from bounds import rates\nx = rates._gap(1)",
        "from bounds import rates as r\nr._gap",
        "import bounds.rates\nbounds.rates._gap",
        "import bounds.rates as r\ndef f():\n    return r._gap",
        "from . import pl\npl._gap",
        "from bounds import _rates",
    ],
)
def test_a_private_name_of_another_file_is_seen(source: str) -> None:
    assert len(private("synthetic.pl", ast.parse(source))) == 1


@each(
    "source",
    [
        "from bounds.rates import __doc__",
        "import bounds.rates as r\nr.__name__",
        "self._gap = _f()",
        "from numpy import _core",
        "from bounds import rates\nself.rates._gap",
    ],
)
def test_other_underscores_are_free(source: str) -> None:
    assert private("synthetic.pl", ast.parse(source)) == []


# -- folders ---------------------------------------------------------------------------------------


def crowded(*roots: Path) -> set[str]:
    """Folders with more Python files than one can look through."""
    files = Counter(path.parent for root in roots for path in root.rglob("*.py"))
    return {f.relative_to(roots[0].parent).as_posix() for f, n in files.items() if n > MOST}


def test_no_folder_has_more_than_twenty_files() -> None:
    assert crowded(*(CODE / package for package in PACKAGES)) == set()
    assert crowded(ROOT / "tests") == set()


def test_a_crowded_folder_is_seen(tmp_path: Path) -> None:
    for name in range(MOST + 1):
        assert crowded(tmp_path) == set()
        (tmp_path / f"{name}.py").touch()
    assert crowded(tmp_path) == {tmp_path.name}
