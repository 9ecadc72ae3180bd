"""Arrows between packages, rooms and files run down only."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import pytest

import bounds

ROOT = Path(bounds.__file__).parent.parent
LAYERS = ("bounds", "synthetic", "algorithms", "figures", "verify")
"""From below: a package imports itself and what stands before it."""

ROOMS: Mapping[str, tuple[str, ...]] = {
    "limits": (),
    "claim": (),
    "certify": ("limits",),
    "verdict": ("certify",),
    "world": ("claim", "verdict"),
    "reading": ("world",),
    "ladder": ("reading", "limits"),
    "rates": ("world",),
    "statements": ("rates",),
    "catalogue": ("statements",),
    "corpus": ("catalogue", "ladder"),
    "ledger": ("catalogue", "ladder"),
    "run": ("ledger", "corpus"),
    "report": ("ledger",),
    "assumptions": ("catalogue",),
    "face": ("run", "report"),
    "cli": ("face",),
    "verify": ("face",),  # the package's own face
    "pytest_plugin": ("face",),
}
"""Rooms of ``verify``, and what each stands on; it may import that and all beneath it."""

INNER: Mapping[str, tuple[str, ...]] = {
    "ladder.budgets": (),
    "ladder.search": ("ladder.budgets",),
    "ladder.rungs": ("ladder.search",),
    "ladder.price": ("ladder.rungs",),
    "ladder.repair": ("ladder.price",),
    "ladder": ("ladder.repair",),  # the face, the assay and proofs
    "certify.checker": (),
    "certify.algebra": (),
    "certify.gram": ("certify.algebra",),
    "certify.worst_case": ("certify.gram",),
    "certify.coq": ("certify.checker",),
    "certify.prover": ("certify.algebra", "certify.checker"),
    "certify": (),
}
"""Rooms inside rooms, as ``ROOMS``."""

FACES = ("ladder",)
"""Rooms of which others see the face alone; a benchmark of the search may look inside."""

PRELOADED = {("verify.run.workers", "verify.ladder.leaf")}
"""Modules that a process loads before it is asked for anything, named by a string."""


@dataclass(frozen=True)
class Arrow:
    """One import of ours.

    Attributes
    ----------
    line : int
    target : str
        Module that is imported.
    name : str
        What is taken of it; empty for the module itself.
    bound : str
        What the file calls the module.
    spelled : bool
        Whether it stands in a string, for a later import.
    """

    line: int
    target: str
    name: str = ""
    bound: str = ""
    spelled: bool = False


@cache
def modules() -> dict[str, Path]:
    """Files of all packages by the name of their module; a package is its ``__init__``."""
    found = {}
    for path in sorted(path for package in LAYERS for path in (ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


class WithoutTypeChecks(ast.NodeTransformer):
    """What is left of a module when ``TYPE_CHECKING`` is false."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        return node.orelse if ast.unparse(node.test).endswith("TYPE_CHECKING") else node


@cache
def parse(source: str) -> ast.AST:
    tree: ast.AST = WithoutTypeChecks().visit(ast.parse(source))
    return tree


def ours(name: str) -> bool:
    return name.partition(".")[0] in LAYERS


@cache
def arrows(module: str, source: str) -> tuple[Arrow, ...]:
    """All imports of ours, also those inside functions and those spelled in a string."""
    is_package = modules().get(module, Path()).name == "__init__.py"
    package = module if is_package else module.rpartition(".")[0]
    return tuple(arrow for node in ast.walk(parse(source)) for arrow in _of_node(node, package))


def _of_node(node: ast.AST, package: str) -> Iterator[Arrow]:
    known = modules()
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.Import):
        for alias in node.names:
            if ours(alias.name):
                yield Arrow(line, alias.name, bound=alias.asname or alias.name)
    elif isinstance(node, ast.ImportFrom):
        base = resolve_name("." * node.level + (node.module or ""), package)
        for alias in node.names if ours(base) else ():
            file = f"{base}.{alias.name}"
            if file in known:
                yield Arrow(line, file, bound=alias.asname or alias.name)
            else:
                yield Arrow(line, base, alias.name)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        file, _, name = node.value.partition(":")
        if "." in file and file in known:
            yield Arrow(line, file, name, spelled=True)
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        file = str(node.values[0].value).rpartition(".")[0]
        if file in known:
            yield Arrow(line, file, spelled=True)
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
        named = [str(a.value) for a in node.args if isinstance(a, ast.Constant)]
        yield from (Arrow(line, name, spelled=True) for name in named if name in LAYERS)


def room(module: str) -> str:
    """Room of a module of ``verify``; the package itself is one."""
    return module.split(".")[1] if "." in module else module


def beneath(name: str) -> set[str]:
    """The room itself and all that it stands on."""
    return {name}.union(*map(beneath, ROOMS[name]))


def inner(module: str) -> str:
    """Room inside a room, as it stands in the table; empty where there are none."""
    parts = module.split(".")[1:3]
    if parts[:1] == ["certify"] or parts[:1] == ["ladder"]:
        name = ".".join(parts)
        return name if name in INNER else parts[0]
    return ""


def inside(name: str) -> set[str]:
    """The inner room itself and all that it stands on."""
    return {name}.union(*map(inside, INNER[name]))


def upwards_inside(module: str, source: str) -> list[str]:
    """Imports between rooms inside a room that do not run down."""
    own = inner(module)
    return [
        f"{module}:{arrow.line} -> {arrow.target}"
        for arrow in arrows(module, source)
        if own and room(arrow.target) == room(module) and inner(arrow.target) not in inside(own)
    ]


def behind_a_face(module: str, source: str) -> list[str]:
    """Imports of what lies inside a room that shows a face."""
    return [
        f"{module}:{arrow.line} -> {arrow.target}"
        for arrow in arrows(module, source)
        if arrow.target.startswith(tuple(f"verify.{face}." for face in FACES))
        and room(arrow.target) != room(module)
        and (module, arrow.target) not in PRELOADED
    ]


def upwards(module: str, source: str) -> list[str]:
    """Imports of a layer or a room that does not stand beneath this one."""
    found = []
    own = module.partition(".")[0]
    for arrow in arrows(module, source):
        other = arrow.target.partition(".")[0]
        up = LAYERS.index(other) > LAYERS.index(own)
        if own == other == "verify":
            up = room(arrow.target) not in beneath(room(module))
        if up:
            found.append(f"{module}:{arrow.line} -> {arrow.target}")
    return found


def private(module: str, source: str) -> list[str]:
    """Names with a leading underscore that are taken from another module of ours."""
    made = arrows(module, source)
    found = [f"{module}:{a.line} {a.target}.{a.name}" for a in made if hidden(a.target, a.name)]
    bound = {a.bound: a.target for a in made if a.bound}
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Attribute) and hidden(node.attr):
            owner = ast.unparse(node.value)
            if owner in bound:
                found.append(f"{module}:{node.lineno} {bound[owner]}.{node.attr}")
    return found


def hidden(*names: str) -> bool:
    parts = [part for name in names for part in name.split(".")]
    return any(part.startswith("_") and not part.endswith("__") for part in parts)


def circles(edges: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Sets of files each of which imports, over others, all the rest."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            new = set(edges.get(todo.pop(), ())) - seen
            seen |= new
            todo += new
        return seen

    far = {module: reached(module) for module in edges}
    found = [{m for m in far if m in far[n] and n in far[m]} for n in far if n in far[n]]
    return [c for i, c in enumerate(found) if c not in found[:i]]


def graph() -> dict[str, set[str]]:
    """File -> files that it imports; a string is no arrow here, what it names is loaded late."""
    return {
        module: {a.target for a in arrows(module, path.read_text()) if not a.spelled} - {module}
        for module, path in modules().items()
    }


def test_every_room_is_in_the_table_from_below() -> None:
    names = list(ROOMS)
    mine = [module for module in modules() if module.partition(".")[0] == "verify"]
    assert {room(module) for module in mine} == set(names)
    for name, stands_on in ROOMS.items():
        assert set(stands_on) <= set(names[: names.index(name)])


@pytest.mark.parametrize("package", LAYERS)
def test_arrows_run_down_only(package: str) -> None:
    mine = {m: p for m, p in modules().items() if m.partition(".")[0] == package}
    assert mine
    assert [up for m, p in mine.items() for up in upwards(m, p.read_text())] == []


def test_arrows_between_rooms_inside_a_room_run_down_only() -> None:
    mine = {m: p for m, p in modules().items() if inner(m)}
    assert {inner(m) for m in mine} == set(INNER)
    for name, stands_on in INNER.items():
        assert set(stands_on) <= set(list(INNER)[: list(INNER).index(name)])
    assert [up for m, p in mine.items() for up in upwards_inside(m, p.read_text())] == []


def test_other_rooms_see_the_face_alone() -> None:
    mine = {m: p for m, p in modules().items() if m.startswith("verify")}
    assert [deep for m, p in mine.items() for deep in behind_a_face(m, p.read_text())] == []


def test_the_face_of_the_ladder_has_at_most_eight_names() -> None:
    import verify.ladder as face

    assert len(face.__all__) <= 8
    assert all(getattr(face, name) for name in face.__all__)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("verify.ladder.search.pool", "from verify.ladder.rungs.climb import Climb"),
        ("verify.ladder.repair.flaws", "def f():\n    from verify.ladder.leaf import assay"),
        ("verify.certify.gram.solve", "import verify.certify.prover.prove"),
        ("verify.certify.coq.terms", "from verify.certify.algebra import facts"),
    ],
)
def test_an_arrow_upwards_inside_a_room_is_seen(module: str, source: str) -> None:
    assert len(upwards_inside(module, source)) == 1


@pytest.mark.parametrize(
    "source",
    ["from verify.ladder.leaf import assay", "def f():\n    import verify.ladder.search.pool"],
)
def test_a_look_behind_the_face_is_seen(source: str) -> None:
    assert len(behind_a_face("verify.run.tasks", source)) == 1
    assert behind_a_face("verify.ladder.leaf", source) == []


def test_no_file_imports_itself_over_others() -> None:
    assert circles(graph()) == []


def test_a_leading_underscore_stays_in_its_file() -> None:
    found = [f for m, p in modules().items() for f in private(m, p.read_text())]
    assert found == []


UPWARDS = {
    "a layer": ("bounds.rates", "import verify"),
    "a name": ("synthetic.pl", "from algorithms.engine.run import run"),
    "in a function": ("figures.style", "def f():\n    from verify.world import score"),
    "by name": ("figures.runner", "import importlib\nimportlib.import_module('verify')"),
    "in a table": ("figures.places", "PLACES = {'ladder': 'verify.report.fig_ladder'}"),
    "with its attribute": ("synthetic.registry", "X = 'algorithms.personal.apfl:APFL'"),
    "put together": ("figures.runner", "x = f'verify.report.fig_{name}'"),
    "a room": ("verify.claim.statement", "from verify.world.world import World"),
    "the face": ("verify.world.world", "def f():\n    from verify import check"),
    "a room by a relative name": ("verify.claim.statement", "from ..world import world"),
    "a room in a function": ("verify.ledger.audit", "def f():\n    import verify.run.tasks as t"),
    "a room beside": ("verify.statements.hcct.chain", "from verify.ladder import assay"),
    "the library of proofs": ("verify.certify.prover.prove", "import verify.claim.statement"),
    "where types are not checked": (
        "verify.world.score",
        "if TYPE_CHECKING:\n    x = 1\nelse:\n    from verify.cli import main",
    ),
}
DOWNWARDS = {
    "layers below": ("verify.cli.figures", "import figures.runner, bounds, algorithms.engine.run"),
    "rooms below": ("verify.run.tasks", "from verify.claim.statement import Statement"),
    "its own room": ("verify.claim.statement", "from verify.claim import families"),
    "a type": ("verify.claim.statement", "if TYPE_CHECKING:\n    from verify.world import world"),
    "others' packages": ("bounds.rates", "import numpy.linalg\nfrom scipy import stats"),
    "a word": ("bounds.rates", "x = 'verify'\ny = f'{x}.world'"),
}


@pytest.mark.parametrize("what", UPWARDS)
def test_an_arrow_upwards_is_seen(what: str) -> None:
    assert len(upwards(*UPWARDS[what])) == 1


@pytest.mark.parametrize("what", DOWNWARDS)
def test_other_arrows_are_free(what: str) -> None:
    assert upwards(*DOWNWARDS[what]) == []


TAKEN = [
    "from bounds.rates import _gap",
    "from bounds import rates\nx = rates._gap(1)",
    "from bounds import rates as r\nr._gap",
    "import bounds.rates\nbounds.rates._gap",
    "import bounds.rates as r\ndef f():\n    return r._gap",
    "from . import pl\npl._gap",
    "from bounds import _rates",
]


@pytest.mark.parametrize("source", TAKEN)
def test_a_private_name_of_another_file_is_seen(source: str) -> None:
    assert len(private("synthetic.pl", source)) == 1


@pytest.mark.parametrize(
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
    assert private("synthetic.pl", source) == []


@pytest.mark.parametrize("length", [2, 3])
def test_a_circle_is_seen(length: int) -> None:
    """Planted among the true arrows, each over one more file."""
    chain = ["bounds.generic", "bounds.rates", "bounds.descent"][:length]
    edges = graph()
    for a, b in zip(chain, [*chain[1:], chain[0]], strict=True):
        edges[a] = {*edges[a], b}
    assert any(set(chain) <= circle for circle in circles(edges))


def test_a_name_that_a_package_hands_on_is_an_arrow_to_the_package() -> None:
    (arrow,) = arrows("bounds.rates", "def f():\n    from bounds import descent_gap")
    assert arrow.target == "bounds"
    edges = graph()
    assert "bounds.rates" in edges["bounds"]
    assert circles({**edges, "bounds.rates": {*edges["bounds.rates"], arrow.target}})
