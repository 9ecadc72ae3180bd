"""Change what decides verdicts, one condition at a time; some test must notice every change.

``python -m tests.trusted.mutate`` makes every change of `changes` in every module of `modules`, and
asks for each in a process of its own whether a test fails, or an answer of the checkers' table
differs.  Words choose modules.  What survives must stand in ``equivalent.json`` with its reason.
What killed each change is written to ``killed/``.

``--left`` asks only about changes that were not killed before, ``--only TEXT`` about those whose
names hold a text, ``--every N`` about every N-th of those that were killed before, beginning with
what killed it; the last two write nothing.  The exit status is 0 if nothing but what is listed
survived, and nothing that is listed was killed or can no longer be made.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.trusted.mutation import by_table
from tests.trusted.mutation.by_tests import Session, session
from tests.trusted.mutation.changes import Mutant, mutants
from tests.trusted.mutation.forked import ask
from tests.trusted.mutation.modules import MODULES
from tests.trusted.mutation.patch import NotLoaded, replace

HERE = Path(__file__).with_name("mutation")
EQUIVALENT: dict[str, dict[str, str]] = json.loads((HERE / "equivalent.json").read_text())
SECONDS, MEMORY = 6, 3 * 2**30
"""Of one change: many times what its questions take."""
NO_PROGRAM = "cannot be made"
"""A change that does not compile kills itself: no such change may be made."""
NOT_LOADED = "the module cannot be imported"
"""A constant that compiles and raises when the module is read stops every test."""

__all__ = ["Asked", "changes_of", "chosen", "main", "recorded"]


class Asked:
    """One module with all its changes, and how it is asked whether one is noticed."""

    def __init__(self, name: str, tests: Session | None) -> None:
        self.name, self.tests = name, tests
        self.module = import_module(MODULES[name].module)
        self.tree, self.mutants = changes_of(name)
        self._lines: dict[str, set[int]] | None = None

    def killer(self, mutant: Mutant, first: list[str], few: bool = False) -> str:
        """Which question notices a change, empty if none; ``first`` are asked first.

        Of ``few`` changes all questions are asked: to see which lines each takes is slower.
        """
        known = [name for name in first if name in self.names()]
        said = self.asked(mutant, known[:1]) if known else ""
        if said:
            return said
        if few and self.tests is None:
            return self.asked(mutant, [*by_table.QUICK, by_table.AFTER])
        names = [n for n in self.lines() if not mutant.lines or self._touches(n, mutant)]
        return self.asked(
            mutant, sorted(names, key=lambda n: known.index(n) if n in known else len(known))
        )

    def asked(self, mutant: Mutant, names: list[str]) -> str:
        """The first of these questions that notices a change, empty if none does."""

        def question() -> str:
            try:
                mutant.put()
                if mutant.place:
                    replace(self.module, self.tree, mutant.place)
            except NotLoaded:
                return NOT_LOADED
            except Exception as error:
                return f"{NO_PROGRAM}: {type(error).__name__} {error}"
            tests = self.tests
            return by_table.said(self.module, names) if tests is None else tests.said(names)

        said = ask(question, SECONDS, MEMORY if self.tests is None else -1)
        if said.startswith(NO_PROGRAM):
            raise RuntimeError(f"{mutant.name}: {said}")
        return said

    def names(self) -> set[str]:
        """All questions."""
        if self.tests is None:
            return {*by_table.ROWS, by_table.AFTER}
        return {n for n in self.tests.items if n.startswith(MODULES[self.name].tests)}

    def lines(self) -> dict[str, set[int]]:
        """All questions with the lines that they take."""
        if self._lines is None and self.tests is None:
            self._lines = by_table.questions(self.module)
        elif self._lines is None and self.tests is not None:
            self._lines = self.tests.questions(self.module, MODULES[self.name].tests)
        return self._lines or {}

    def _touches(self, name: str, mutant: Mutant) -> bool:
        return name == by_table.AFTER or not self.lines()[name].isdisjoint(mutant.lines)


def changes_of(name: str) -> tuple[Any, list[Mutant]]:
    """A module as a tree, and the changes of it that are asked about."""
    decides = MODULES[name]
    tree, every = mutants(Path(str(import_module(decides.module).__file__)).read_text())
    return tree, [m for m in every if m.place.startswith(decides.only)]


def recorded(name: str) -> dict[str, str]:
    """Changes of a module with what killed each when it was last asked."""
    file = HERE / "killed" / f"{name}.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    return {change: by for by, changes in known.items() for change in changes}


def record(name: str, found: Mapping[str, str], made: set[str]) -> None:
    """Write what killed each change that can be made."""
    by: dict[str, list[str]] = {}
    for change, killer in sorted({**recorded(name), **found}.items()):
        if killer and change in made:
            by.setdefault(killer, []).append(change)
    file = HERE / "killed" / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(dict(sorted(by.items())), indent=0, ensure_ascii=False) + "\n")


def chosen(asked: argparse.Namespace, name: str, every: list[Mutant]) -> Iterator[Mutant]:
    """Changes that a command is about."""
    before, stride = recorded(name), asked.every or 1
    if asked.every:  # a sample is about what was noticed once; of a new module, about everything
        every = [mutant for mutant in every if mutant.name in before] or every
    for number, mutant in enumerate(every):
        again = not asked.left or not before.get(mutant.name)
        if number % stride == stride // 2 and asked.only in mutant.name and again:
            yield mutant


def faults(asked: argparse.Namespace, own: Asked) -> int:
    """Ask about the changes of one module, and say what is wrong with the answers."""
    start, before, late = time.monotonic(), recorded(own.name), list[str]()
    known, made = EQUIVALENT.get(own.name, {}), {mutant.name for mutant in own.mutants}
    found: dict[str, str] = {}
    listed = 0
    for mutant in chosen(asked, own.name, own.mutants):
        if asked.every and mutant.name in known:
            continue
        if not asked.every and not asked.only and len(found) % 50 == 49:
            record(own.name, found, made)  # a long run may be cut short: --left goes on
        first = [before[mutant.name]] if asked.every and mutant.name in before else late
        by = found[mutant.name] = own.killer(mutant, first, few=bool(asked.every))
        late = [by, *(name for name in late if name != by)][:20]
        listed += not by and mutant.name in known
        if not by and mutant.name not in known:
            say(f"  survived: {mutant.name}")
    if not asked.every and not asked.only:
        record(own.name, found, made)
    wrong = [name for name, by in found.items() if not by and name not in known]
    stale = [name for name in known if name not in made]
    for name in stale:
        say(f"  listed as equivalent, but no longer a change: {name}")
    killed = [name for name in known if found.get(name)]
    for name in killed:
        say(f"  listed as equivalent, but killed by {found[name]}: {name}")
    say(
        f"{own.name}: {len(found)} of {len(own.mutants)} changes, "
        f"{sum(bool(by) for by in found.values())} killed, {listed} equivalent, "
        f"{len(wrong)} survived; {time.monotonic() - start:.0f} seconds"
    )
    return len(wrong) + len(stale) + len(killed)


def say(text: str) -> None:
    """Print past what pytest catches."""
    print(text, file=sys.__stdout__, flush=True)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trusted.mutate")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=", ".join(MODULES))
    parser.add_argument("--left", action="store_true", help="only what was not killed before")
    parser.add_argument("--only", default="", metavar="TEXT", help="only changes that hold it")
    parser.add_argument("--every", type=int, metavar="N", help="every N-th that was killed before")
    asked = parser.parse_args(argv)
    unknown = sorted({*asked.modules} - {*MODULES})
    if unknown:
        parser.error(f"MODULE must be one of {', '.join(MODULES)}, got {unknown[0]}")
    names = asked.modules or list(MODULES)
    by_table_names = [name for name in names if not MODULES[name].tests]
    by_test_names = [name for name in names if MODULES[name].tests]
    wrong = sum(faults(asked, Asked(name, None)) for name in by_table_names)
    if by_test_names:

        def work(tests: Session) -> int:
            return sum(faults(asked, Asked(name, tests)) for name in by_test_names)

        wrong += session(sorted(files(by_test_names)), work)
    return 1 if wrong else 0


def files(names: list[str]) -> set[str]:
    """Files of the tests of these modules."""
    starts = tuple(start for name in names for start in MODULES[name].tests)
    root = Path(__file__).parents[2]
    every = (path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py"))
    return {path for path in every if path.startswith(starts)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
