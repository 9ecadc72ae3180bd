"""What terms cost: CPU seconds of the traces, and of evaluation beside the programs.

- ``trace``: of the statement of each paper whose terms have the most nodes;
- ``values``: of 10,000 instances of five statements, by their terms and by their programs, the two
  by turns, the shortest of several times each.

Run from the checkout: ``python benchmarks/terms.py``; it fails where a trace takes 0.2 s, the
terms of the five together take longer than their programs, or one of them a quarter longer.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.run.workers import one_thread
from verify.terms.claims import as_terms, terms_of
from verify.world.score import score

FIVE = (
    "hcct.theorem2@own-models+undivided",
    "adaptive.theorem2.repaired/replace",
    "fedbc.theorem1",
    "aggregation.theorem3@run+section2+loop",
    "adaptive.lemma1@new-model+eta+each-run",
)
INSTANCES = 10_000
TIMES = 9
LONGEST_TRACE = 0.2
LONGEST_VALUES = 1.25


def size(statement: Statement) -> int:
    """Nodes of all terms of a statement."""
    terms = terms_of(statement)
    if terms is None:
        return 0
    return len({part for c in terms.claims for term in c.every() for part in term.order})


def largest() -> Iterator[Statement]:
    """The statement of each paper with the most nodes."""
    papers: dict[str, list[Statement]] = {}
    for entry in library():
        for leaf in entry.leaves:
            if leaf.sides is not None:
                papers.setdefault(leaf.source.paper, []).append(leaf)
    for _, leaves in sorted(papers.items()):
        yield max(leaves, key=size)


def shortest(*functions: Callable[[], Any]) -> list[float]:
    """CPU seconds of each function, the shortest of several times by turns."""
    found = [np.inf] * len(functions)
    for _ in range(TIMES):
        for k, function in enumerate(functions):
            before = time.process_time()
            function()
            found[k] = min(found[k], time.process_time() - before)
    return found


def traced_anew(statement: Statement) -> None:
    """Trace a statement although its terms are known."""
    statement.__dict__.pop("_terms", None)
    terms_of(statement)


def main() -> int:
    """Measure both; 1 where something takes longer than it may."""
    one_thread()
    warnings.simplefilter("ignore")
    slow = 0
    for statement in largest():
        nodes = size(statement)
        (seconds,) = shortest(partial(traced_anew, statement))
        slow += seconds >= LONGEST_TRACE
        print(f"trace  {seconds:6.3f} s  {nodes:4d} nodes  {statement.key}")
    whole = np.zeros(2)
    for key in FIVE:
        statement = library().leaf(key)
        shape = statement.family.shapes[0]
        u = np.random.default_rng(0).random((INSTANCES, statement.family.width(shape)))
        batch = statement.family.instance(statement.family.decode(u, shape), shape)
        terms = as_terms(statement)
        with np.errstate(all="ignore"):
            program, own = shortest(
                partial(score, statement, batch, "float64"), partial(score, terms, batch, "float64")
            )
        slow += own > LONGEST_VALUES * program
        whole += program, own
        print(f"values {own:6.4f} s, the program {program:6.4f} s, {own / program:.2f}  {key}")
    print(f"values {whole[1]:6.4f} s, the programs {whole[0]:6.4f} s, all five")
    return int(slow > 0 or whole[1] > whole[0])


if __name__ == "__main__":
    sys.exit(main())
