"""Formulas and claims by chance, for so long: ``python -m tests.qa.fuzz [SECONDS] [SEED]``.

Seconds are of the processor, nine of ten for formulas (`terms`), the others for the words of claims
(`statements`).  A fault is printed with the smallest claim that has it; the exit status is 1 then.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tests.qa.fuzz import statements, terms

FORMULAS = 9 / 10
"""Part of the time that formulas have."""


def until(spent: float, seed: int, one: Callable[[int, Counter[str]], list[str]]) -> int:
    """Ask about one claim after the other; how many have a fault."""
    seen, wrong, number = Counter[str](), 0, seed
    while time.process_time() < spent:
        found = one(number, seen)
        wrong += bool(found)
        for text in found:
            print(f"{number}: {text}", flush=True)
        number += 1
    told = ", ".join(f"{count} {name}" for name, count in seen.most_common())
    print(f"{number - seed} claims, {wrong} with a fault; {told}", flush=True)
    return wrong


def of_terms(seed: int, seen: Counter[str]) -> list[str]:
    """Faults of a claim, and the smallest one that has some."""
    sides = terms.pair(Random(seed))
    if not terms.faults(sides, seed, seen):
        return []
    sides = terms.least(sides, seed)
    return [f"{terms.told(sides)}: {fault}" for fault in terms.faults(sides, seed)]


def of_statements(seed: int, seen: Counter[str]) -> list[str]:
    """Faults of the words of a claim."""
    return statements.faults(statements.pair(Random(seed)), seed, seen)


def main(argv: list[Any]) -> int:
    seconds, seed = (int(one) for one in (*argv, *(600, 0)[len(argv) :]))
    start = time.process_time()
    wrong = until(start + FORMULAS * seconds, seed, of_terms)
    wrong += until(start + seconds, seed, of_statements)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
