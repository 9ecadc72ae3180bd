"""What a client reads as a resource, and the prompts that it offers."""

from __future__ import annotations

from verify.cli.assistants.words import MEANINGS

__all__ = ["GRAMMAR", "INSTRUCTIONS", "PROMPTS", "verdicts"]

INSTRUCTIONS = """\
Puts mathematical claims to the test and says exactly what was tested. Use `check` for one claim, \
such as `5*x*y <= (x+y)**2 for x, y >= 0`; TeX may be mixed in. Only `proved` is a proof; `holds` \
means that no counterexample was found, and `inconclusive` is not `false`. Repeat the word, its \
scope and what it leaves open; add nothing to them. Quote numbers as they stand, they are exact \
fractions. What is sent is parsed, never run. Grammar: fedassay://grammar"""

GRAMMAR = r"""# A claim in one line

CLAIM for RANGES given HYPOTHESES. Both lists may be missing. Plain text and TeX may be mixed.

| write | means |
| --- | --- |
| a <= b, a >= b, a == b | the claim; no strict relation here, = is ==, ^ is ** |
| 2xy, \frac{x+y}{2}, e^x | products without a sign, fractions, powers |
| sqrt exp log abs min max sin cos floor ceil | functions of numbers |
| for x, y >= 0; x in [0, 1]; 0 < x < 1; real z | ranges; each symbol must have one |
| integer n in [1, 64] | whole numbers, each tried; with n!, binom(n, k), \sum_{k=1}^n |
| vectors x, y; x in R^d | of any length; norm(x), \|x\|, dot(x, y), x^T y |
| x_i under sum_i, mean_i, max_i | one number or vector for each of N clients |
| x ~ coin(p), uniform(a, b), binomial(n, p), N(m, v) | independent, under E, Var, P(... >= ...) |
| y ~ two_point(a, b, p) | b with probability p, else a |
| given x + y <= 1, x >= y | hypotheses; == takes a symbol out |
| for all x > 0: CLAIM; CLAIM if x > 0; s.t.; where | the words of papers |

A range is a domain: no witness leaves it. What two readers could read differently, such as 1/2x, is
refused with both readings. A letter before a bracket is a function and refused: write f*(x + y) for
a product.

Examples: 4*x*y <= (x+y)**2 for x, y >= 0
(1-h*m)**2 <= 1-h*m for h, m >= 0 given h*m <= 1
||x + y||^2 <= 2||x||^2 + 2||y||^2 for x, y in R^d
(sum_i p_i x_i)^2 <= sum_i p_i x_i^2 where p_i >= 0, sum_i p_i = 1
Var(x) <= 1/4 for x ~ coin(p), p in [0, 1]
"""

PROMPTS = {
    "assay": (
        "Put one claim to the test and report what is known.",
        "claim",
        """Put this claim to the test: {text}

1. Write it as one line (read fedassay://grammar). If it cannot be one, say which part cannot.
2. Call `check`. If it is refused, write what the refusal asks for and say what you changed.
3. Compare the field `claim` of the answer with what was asked, symbol by symbol.
4. Report word, scope, witness or proof file, and the field `leaves_open`. `holds` is no proof.
5. If it is `violated`, call `repair` and report what stands instead, each with its own word.""",
    ),
    "mend": (
        "Find what is true instead of a false claim.",
        "claim",
        """This claim is believed to be false or too strong: {text}

1. Call `check`, and `explain` on its record, and say in one sentence why it falls.
2. Call `repair`. Report each mended claim with its own word; only `proved` is a theorem.
3. If the answer has a `best_constant`, say that every better constant is false, and where.""",
    ),
    "referee": (
        "Read a paper's LaTeX and report on its results.",
        "file",
        """Read the results of {text} with `paper`, all parts.

1. Call `check_many` with the lines that were read.
2. Make a table: place, word, and the witness or the proof file.
3. List what stayed open with its reason, and do not judge it yourself.
4. A result that `holds` has no proof here; one that is `violated` may be misread: compare the line
with the paper before you say that the paper is wrong.""",
    ),
}
"""Prompts by name: what it is for, its argument, its text."""


def verdicts() -> str:
    """What each word means and leaves open, as a table."""
    head = ["# Verdicts", "", "| word | means | leaves open |", "| --- | --- | --- |"]
    rows = [f"| {word} | {one.means} | {one.leaves_open} |" for word, one in MEANINGS.items()]
    return "\n".join([*head, *rows]) + "\n"
