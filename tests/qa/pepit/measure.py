"""Measure PEPit's examples here: ``python -m tests.qa.pepit.measure`` writes ``measured.md``.

For each example the value, the exact bounds and the CPU seconds of both.  `test_examples` holds the
value to the rate; this says what could be proved and shown beside, and how near the bounds are.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from pathlib import Path

from tests.qa.pepit.examples import EXAMPLES, TIGHT, Example
from verify.worst_case import NoSolution, WorstCase, solved, worst

HERE = Path(__file__).parent / "measured.md"
DIGITS = 14
"""Longest numerator and denominator that a table shows as a fraction."""
SHARE = Fraction(98, 100)


def row(key: str, example: Example) -> tuple[list[str], WorstCase | None]:
    """A line of the table, and what was found."""
    started = time.process_time()
    problem, rate = example.problem()
    try:
        value = solved(problem).value
    except NoSolution as error:
        return [key, str(error), "", "", "", "", ""], None
    first = time.process_time() - started
    problem, _ = example.problem()
    found = worst(problem)
    both = time.process_time() - started - first
    line = [
        key,
        f"{value:.7f}",
        f"{rate:.7f} ({example.rate})",
        shown(found.upper),
        shown(found.lower),
        f"{first:.2f}",
        f"{both:.2f}",
    ]
    return line, found


def shown(bound: Fraction | None) -> str:
    if bound is None:
        return "-"
    short = len(str(bound)) <= DIGITS
    return str(bound) if short else f"{float(bound):.8f}"


def main() -> int:
    lines, found = [], {}
    for key, example in EXAMPLES.items():
        line, one = row(key, example)
        lines.append("| " + " | ".join(line) + " |")
        found[key] = one
        print(*line, flush=True)
    known = [one for one in found.values() if one is not None]
    upper = sum(one.upper is not None for one in known)
    lower = sum(one.lower is not None for one in known)
    equal = sum(one.upper is not None and one.upper == one.lower for one in known)
    written = sum(one.instance is not None and one.instance.written_out for one in known)
    sharp = [key for key, e in EXAMPLES.items() if e.rate == TIGHT]
    broken = 0
    for key in sharp:
        one, (_, rate) = found[key], EXAMPLES[key].problem()
        if one is not None and one.lower is not None:
            broken += float(one.lower) > float(SHARE) * rate if rate > 0 else one.lower >= 0
    text = f"""# PEPit's {len(EXAMPLES)} examples, measured

`python -m tests.qa.pepit.measure` writes this. Upper bounds are proved by certificates over the
rationals, lower bounds attained by exact instances, at PEPit's own parameters (irrational ones as
the nearest fractions). Values {len(known)}; upper bounds {upper}; lower bounds {lower}, of which
{written} have every function written out; equal bounds {equal}. Of the {len(sharp)} tight rates
98 % of the rate is exceeded by an exact instance in {broken}.

| example | value | rate | at most | at least | CPU-s | with bounds |
| --- | --- | --- | --- | --- | --- | --- |
"""
    HERE.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
