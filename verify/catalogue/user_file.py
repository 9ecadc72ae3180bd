"""A user's own file of statements: loading it, and finding it again for a replay.

Loading runs the file.  ``fedassay check FILE`` asks for exactly that; a witness that came from
elsewhere must not, so there the user has to say that the file is trusted, and its digest must
still be the one in the witness.
"""

from __future__ import annotations

import importlib.util
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import sha256
from verify.catalogue.library import Library, unknown
from verify.catalogue.paper import collected
from verify.catalogue.readings import declared_axes
from verify.catalogue.whole_files import resolved
from verify.claim.axes import Axes, part_of
from verify.claim.statement import Statement, noting_statements
from verify.limits.clock import TooLong, alarm
from verify.limits.foreign import CodeFailed, code_of_others
from verify.world.unread import check_shapes

LOAD_SECONDS = 8.0
"""A file that only defines statements loads in less than one."""

PATIENCE = "FEDASSAY_LOAD_SECONDS"
"""Variable of the environment that allows a file more, or less."""

OURS = ("bounds", "synthetic", "algorithms", "figures", "verify")


@dataclass(frozen=True)
class Origin:
    """Where a user's statements stand: an absolute path and the digest of the file.

    A file that is printed from a line names that line: its claim is the line's, and it is not run.
    """

    file: str
    digest: str
    line: str = ""

    @classmethod
    def of(cls, path: Path, line: str = "") -> Origin:
        """Origin of a file as it is now."""
        require(path.is_file(), "file", "an existing Python file", path, "check its name")
        return cls(str(path.resolve()), sha256(path), line)

    def to_json(self, folder: Path) -> dict[str, str]:
        """As stored in a witness: the path is relative to the witness."""
        file = Path(os.path.relpath(self.file, folder.resolve())).as_posix()
        return {"file": file, "sha256": self.digest}


def load_statements(origin: Origin) -> Library:
    """Run a user's file and collect its statements; of a line there is one, and nothing is run.

    Every statement that the file binds to a name, alone or in a tuple or list, unless it was
    imported from the package's own catalogue.

    Raises
    ------
    InvalidInput
        If the file changed, does not load, or holds no statement, or where a shape has an entry
        that none of its statements reads.
    """
    return _load(origin)


def library_of(witness: Mapping[str, Any], folder: Path, trust: bool) -> Library:
    """Catalogue with the statement that a witness is about.

    Parameters
    ----------
    witness : mapping
        Content of a witness file.
    folder : Path
        Folder of the witness.
    trust : bool
        Whether a user's file may be run.
    """
    from verify.catalogue.library import library

    stored = witness.get("statement")
    if stored is None:
        return library()
    path = resolved(folder / stored["file"])
    require(
        trust,
        "statement",
        "one of the package, or in a file that you trust",
        f"one in {path}",
        "read that file, then pass --trust to let it run",
    )
    origin = Origin.of(path)
    require(
        origin.digest == stored["sha256"],
        "statement file",
        "the one that the witness was made by",
        f"{path} with other content",
        "restore it, or run 'fedassay check' on it again",
    )
    return load_statements(origin)


@lru_cache(maxsize=8)
def _load(origin: Origin) -> Library:
    if origin.line:
        from verify.line import one_line

        return Library([one_line(origin.line)])
    with noting_statements() as made_keys:
        module = _execute(origin)
    found = _collect(module)
    require(
        bool(found),
        "file",
        "one that defines a Statement",
        origin.file,
        "decorate the function of its sides with @verify.statement(...)",
    )
    check_shapes(found)
    made = Library(found, _axes(module, found))
    _check_uses(made)
    held = {leaf.key for leaf in found}
    made.passed_over = tuple(dict.fromkeys(key for key in made_keys if key not in held))
    return made


def _check_uses(made: Library) -> None:
    """Refuse to rest on what nobody has: an entry, part or leaf of the file or the package."""
    own = _names(made)
    rests = [
        (leaf.key, key)
        for entry in made
        for leaf in entry.leaves
        for key in (*leaf.uses, *([leaf.empties] if leaf.empties else []))
        if key not in own
    ]
    if rests:  # the package is loaded only where a file names something of it
        from verify.catalogue.library import library

        known = own | _names(library())
        for leaf_key, key in rests:
            if key not in known:
                raise unknown(f"what {leaf_key} uses", key, sorted(known))


def _names(source: Library) -> set[str]:
    return {
        name
        for entry in source
        for leaf in entry.leaves
        for name in (entry.key, leaf.key, part_of(leaf.key))
    }


def _axes(module: ModuleType, found: Sequence[Statement]) -> dict[str, Axes]:
    """Open places that the file declares; they are those of its one paper."""
    declared = declared_axes(module)
    if declared is None:
        return {}
    papers = sorted({leaf.source.paper for leaf in found})
    require(
        len(papers) == 1,
        "AXES",
        "in a file whose keys name one paper",
        papers,
        "write one file for each paper",
    )
    return {papers[0]: declared}


def _collect(module: ModuleType) -> list[Statement]:
    """Statements of a file; none of the package's own, which it can have only by loading them."""
    known: set[int] = set()
    if any(name.startswith("verify.statements.") for name in sys.modules):
        from verify.catalogue.library import library

        known = {id(leaf) for entry in library() for leaf in entry.leaves}
    return [item for item in collected([module]) if id(item) not in known]


class _FromSource(SourceFileLoader):
    """Loads a file from its text, never from kept bytecode.

    Python takes kept bytecode for a file's if its second and length are the same: one digit
    changed within the second in which the file was checked would be judged by its old text.
    """

    def get_code(self, fullname: str) -> CodeType:
        """The file's text, compiled."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _execute(origin: Origin) -> ModuleType:
    """Import a file under a name of its own; its folder is importable as for a script."""
    path = Path(origin.file)
    require(
        sha256(path) == origin.digest, "file", "unchanged while it is checked", path, "start again"
    )
    name = f"fedassay_user_{origin.digest[:16]}"
    if path.suffix != ".py":
        raise InvalidInput(f"file must be a Python file, got {path}: give it the ending .py.")
    loader = _FromSource(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    for package in OURS:  # a neighbour of the same name must not take their place
        importlib.import_module(package)
    module = importlib.util.module_from_spec(spec)
    limit = _seconds()
    late = (
        f"file must load within {limit:g} seconds, got {path}, which was still running: look for "
        f"an endless loop, or set {PATIENCE}"
    )
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        with alarm(limit, f"fedassay: {late}."), _no_end(), code_of_others(exits=True):
            loader.exec_module(module)
    except TooLong:
        del sys.modules[name]
        raise InvalidInput(f"{late}.") from None
    except CodeFailed as failed:
        error = failed.met
        del sys.modules[name]
        reason = " ".join(str(error).split())
        where = _line(error, origin.file)
        raise InvalidInput(
            f"file must load without an error, got {type(error).__name__} in {path}{where} "
            f"({reason}): mend the file."
        ) from error
    finally:
        sys.path.remove(str(path.parent))
    return module


@contextmanager
def _no_end() -> Iterator[None]:
    """Inside, ``os._exit`` raises `SystemExit`: the process is not the file's to end.

    Processes that the file starts may end as they like.
    """
    real, own = os._exit, os.getpid()

    def said(status: int) -> NoReturn:
        if os.getpid() != own:
            real(status)
        raise SystemExit(f"os._exit({status})")

    os._exit = said
    try:
        yield
    finally:
        os._exit = real


def _seconds() -> float:
    """Seconds that a file may take to load."""
    raw = os.environ.get(PATIENCE, "")
    try:
        found = float(raw or LOAD_SECONDS)
    except ValueError:
        found = math.nan
    require(0 < found < 1e6, PATIENCE, "a number of seconds below a million", raw, "correct it")
    return found


def _line(error: BaseException, file: str) -> str:
    """Line of the user's file where the error came up."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    found, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            found = trace.tb_lineno
        trace = trace.tb_next
    return f", line {found}" if found else ""
