"""``doctor``: what this install can do, and what each missing part costs.

Each part is tried, not looked up: a package is imported and asked for something small whose answer
is known.  A part that is there and answers wrongly is as bad as none.
"""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from verify.catalogue.counted import several
from verify.catalogue.version import __version__
from verify.cli.output import say, table
from verify.limits.clock import counts_computing
from verify.limits.foreign import CodeFailed, code_of_others

__all__ = ["PARTS", "Ability", "add", "looked_at"]

PATIENCE = 60.0
"""Seconds for another program to tell its version."""


@dataclass(frozen=True)
class Ability:
    """Something that an install has or lacks.

    Parameters
    ----------
    name : str
        As it is installed.
    does : str
        What it is for.
    lack : str
        What cannot be done without it, and what still can.
    cure : str
        How to get it.
    tried : callable
        Its version, or an exception where it does not work.
    needed : bool
        Whether nothing at all is judged without it.
    """

    name: str
    does: str
    lack: str
    cure: str
    tried: Callable[[], str]
    needed: bool = False


def add(commands: Any) -> None:
    """Register the command."""
    looking = commands.add_parser(
        "doctor",
        help="what this install can do, and what each missing part costs",
        epilog="Exit status: 1 if a part is missing without which nothing is judged, else 0.",
    )
    looking.add_argument("--json", action="store_true", help="as JSON, one record per part")
    looking.set_defaults(call=tell)


def looked_at() -> list[tuple[Ability, str, str]]:
    """Each part with its version, or with what went wrong (the other text is empty)."""
    found = []
    for part in PARTS:
        try:
            with code_of_others():
                found.append((part, part.tried(), ""))
        # whatever a broken package raises when it is loaded is what is told of it
        except CodeFailed as failed:
            text = " ".join(str(failed.met).split()) or type(failed.met).__name__
            found.append((part, "", text))
    return found


def tell(args: argparse.Namespace) -> int:
    """Print what is there, and of what is missing the cost and the cure."""
    found = looked_at()
    missing = [(part, why) for part, version, why in found if not version]
    broken = any(part.needed for part, _ in missing)
    if args.json:
        say(json.dumps([_record(*one) for one in found], indent=1))
        return int(broken)
    say(f"fedassay {__version__}, Python {platform.python_version()}, {_processors()}")
    say()
    rows = [[part.name, version or "missing", part.does] for part, version, _ in found]
    table(["part", "version", "for"], rows)
    for part, why in missing:
        say(f"\n{part.name} is missing ({why})")
        say(f"  costs: {part.lack}")
        say(f"  cure:  {part.cure}")
    say()
    if broken:
        say("Nothing can be judged: install what is missing first.")
    elif missing:
        say(f"All else works; {several(len(missing), 'part is', 'parts are')} missing.")
    else:
        say("Everything works.")
    return int(broken)


def _record(part: Ability, version: str, why: str) -> dict[str, Any]:
    there = {"part": part.name, "for": part.does, "version": version or None}
    return there if version else {**there, "why": why, "costs": part.lack, "cure": part.cure}


def _processors() -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return several(cores or 1, "core")


class NotRight(Exception):
    """A part answers, and wrongly."""


def _right(answer: bool, name: str) -> None:
    if not answer:
        raise NotRight(f"{name} gives a wrong answer")


def _package(module: str, distribution: str = "") -> Callable[[], str]:
    """Import a package; its version."""

    def tried() -> str:
        importlib.import_module(module)
        return metadata.version(distribution or module)

    return tried


def _flint() -> str:
    from flint import fmpq

    _right(fmpq(1, 3) + fmpq(1, 6) == fmpq(1, 2), "flint")
    return metadata.version("python-flint")


def _clarabel() -> str:
    """The least x for which [[x, 1], [1, 1]] has no negative eigenvalue is 1."""
    import clarabel
    import numpy as np
    from scipy.sparse import csc_matrix

    cone = [clarabel.PSDTriangleConeT(2)]
    sides = np.array([0, np.sqrt(2), 1])
    quadratic, entries = csc_matrix((1, 1)), csc_matrix([[-1.0], [0.0], [0.0]])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solver = clarabel.DefaultSolver(quadratic, np.ones(1), entries, sides, cone, settings)
    _right(abs(solver.solve().x[0] - 1) < NEAR, "clarabel")
    return metadata.version("clarabel")


NEAR = 1e-4
"""How far a solver in floats may be from a known optimum and still be no wrong one."""


def _highspy() -> str:
    """The least x >= 0 with 2 x >= 3 is 3/2."""
    import numpy as np
    from highspy import Highs, HighsLp, MatrixFormat

    programme = HighsLp()
    programme.num_col_, programme.num_row_ = 1, 1
    programme.col_cost_, programme.col_lower_ = np.ones(1), np.zeros(1)
    programme.col_upper_ = programme.row_upper_ = np.array([1e9])
    programme.row_lower_ = np.array([3.0])
    matrix = programme.a_matrix_
    matrix.format_, matrix.start_ = MatrixFormat.kColwise, np.array([0, 1])
    matrix.index_, matrix.value_ = np.array([0]), np.array([2.0])
    solver: Any = Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.passModel(programme)
    solver.run()
    _right(abs(solver.getSolution().col_value[0] - 1.5) < NEAR, "highspy")
    return metadata.version("highspy")


def _torch() -> str:
    import torch

    _right(float(torch.ones(2, dtype=torch.float64).sum()) == 2, "torch")
    return metadata.version("torch")


def _cuda() -> str:
    import torch

    if not torch.cuda.is_available():
        raise NotRight("torch sees no GPU")
    _right(float(torch.ones(2, device="cuda").sum()) == 2, "the GPU")
    return str(torch.cuda.get_device_name())


def _coq() -> str:
    path = shutil.which("coqc")
    if path is None:
        raise NotRight("no coqc on the path")
    done = subprocess.run(
        [path, "--version"], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    found = re.search(r"version (\S+)", done.stdout)
    return found[1] if found else "of unknown version"


def _children() -> str:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        raise NotRight("this system forks no processes")
    return "forked"


def _clock() -> str:
    if not counts_computing():
        raise NotRight("this system does not tell how long a process waits for a processor")
    return "of computing"


def _folder() -> str:
    here = Path.cwd()
    if not os.access(here, os.W_OK):
        raise NotRight(f"no right to write in {here}")
    return "writable"


def _pip(extra: str = "") -> str:
    return f"pip install 'fedassay[{extra}]'" if extra else "pip install --upgrade fedassay"


CORE = "nothing is judged"

PARTS = (
    Ability("numpy", "numbers in batches", CORE, _pip(), _package("numpy"), needed=True),
    Ability("scipy", "searches", CORE, _pip(), _package("scipy"), needed=True),
    Ability("sympy", "formulas in symbols", CORE, _pip(), _package("sympy"), needed=True),
    Ability("python-flint", "fractions and balls", CORE, _pip(), _flint, needed=True),
    Ability(
        "highspy",
        "proofs by products of facts",
        "most claims that are proved are only 'holds' then; a false one falls all the same",
        _pip(),
        _highspy,
    ),
    Ability(
        "clarabel",
        "proofs by squares, worst cases of classes",
        "no sums of squares and no worst cases: fewer claims are proved",
        _pip(),
        _clarabel,
    ),
    Ability(
        "torch",
        "simulated runs, trained figures",
        "no simulation; lines, exact runs and proofs are as ever",
        _pip(),
        _torch,
    ),
    Ability("joblib", "work in several processes", "no 'run' and no 'check'", _pip(),
         _package("joblib")),
    Ability(
        "jsonschema-rs",
        "files that are read again",
        "no 'audit', 'diff', 'replay' and 'report'",
        _pip(),
        _package("jsonschema_rs", "jsonschema-rs"),
    ),
    Ability("matplotlib", "figures", "no figures; all else is as ever", _pip(),
         _package("matplotlib")),
    Ability("rich", "tables on a terminal", "no tables and no progress on a terminal", _pip(),
         _package("rich")),
    Ability(
        "children",
        "limits that stop a statement",
        "children are started afresh: a second or two more for each statement",
        "use Linux or macOS",
        _children,
    ),
    Ability(
        "clock",
        "limits that do not count waiting",
        "--limit counts what a busy machine makes a statement wait for",
        "use Linux",
        _clock,
    ),
    Ability("folder", "ledgers in this folder", "name another by -o", "cd to another", _folder),
    Ability(
        "dask",
        "runs on a cluster",
        "no '--backend dask'; processes of this machine work",
        _pip("cluster"),
        _package("distributed"),
    ),
    Ability(
        "scikit-learn",
        "well-known tables",
        "no figures of digits and diabetes; tables of one's own work",
        _pip("data"),
        _package("sklearn", "scikit-learn"),
    ),
    Ability(
        "mcp",
        "a server for assistants",
        "no 'fedassay mcp'; 'check' does the same for people",
        _pip("mcp"),
        _package("mcp.server.mcpserver", "mcp"),
    ),
    Ability(
        "coq",
        "a second judge of proofs",
        "no 'audit --coq'; the checker of this package judges alone",
        "install Coq 8.16 or later (Debian: coq)",
        _coq,
    ),
    Ability("GPU", "simulations of many runs", "the processor does the same, slower",
         "none needed", _cuda),
)  # fmt: skip
"""All parts, those first without which nothing goes."""
