"""What a word of a line is: a symbol, a function, or symbols beside each other.

``xy`` is x times y where the line has symbols x and y and none xy; where it could be either, it is
refused with both readings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from verify.line.grammar.refused import Edit, not_read
from verify.terms.tex import ELEMENTARY, GREEK

__all__ = ["ELEMENTARY", "FUNCTIONS", "MEANS", "OVER", "SHORT", "Symbols", "splittings"]

FUNCTIONS = {
    **ELEMENTARY,
    **{name: name for name in ("sqrt", "abs", "floor", "ceil", "norm", "norm1", "norminf", "dot")},
    **{name: name for name in ("min", "max", "binom", "factorial")},
    "choose": "binom",
}
OVER = ("sum", "mean", "max", "min", "prod")
"""What runs over an index."""
MEANS = {
    **{word: word for word in ("E", "P", "Var", "Cov")},
    "Pr": "P",
    "Prob": "P",
    "var": "Var",
    "cov": "Cov",
}
"""Words of means, variances and probabilities."""
SHORT = {
    **{word: word for word in ("E", "Var", "Cov", *ELEMENTARY, *OVER)},
    "EE": "E",
    "Exp": "E",
    "Pr": "P",
    "Prob": "P",
}
"""Commands that are a word of the line."""
_GLUED = re.compile(r"([A-Za-z]{0,2}?)(log|ln|exp|sin|cos|sqrt|max|min|abs)([A-Za-z]{1,2})")
"""``sinx``, ``xlogx``: a function without a blank."""
SHORT_NAMES = frozenset(("eps",))
"""Short words that are one symbol to everybody."""
LONG = 4
"""A word of so many letters is one symbol where nothing says otherwise."""


@dataclass(frozen=True)
class Symbols:
    """What the line says of its symbols.

    Parameters
    ----------
    in_tex : bool
        Letters beside each other are factors.
    bounded : bool
        The line lists its symbols, so that no other is one.
    declared : frozenset of str
        Symbols that the line lists.
    standing : frozenset of str
        Letters that stand alone somewhere in the claim.
    alone : frozenset of str
        Symbols that stand somewhere without a bracket behind them.
    vectors, whole, random : frozenset of str
        Which of them are vectors, whole numbers and random variables.
    letters : frozenset of str
        Indices of sums and extremes.
    end : int
        Where a further range can be added.
    """

    in_tex: bool = False
    bounded: bool = False
    declared: frozenset[str] = frozenset()
    standing: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    vectors: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    random: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    end: int = 0
    sizes: set[str] = field(default_factory=set)
    """Filled in: letters that say how many entries there are."""
    plain: bool = field(default=False)
    """Each word is one symbol: for pieces that hold no products."""

    def split(self, word: str, start: int) -> list[str]:
        """The symbols of a word."""
        name = "lam" if word == "lambda" else word
        if self.plain or name in self.declared or len(word) == 1:
            return [name]
        letters = re.fullmatch(r"([A-Za-z])(\d+)", word)
        if letters and letters[1] in self.standing | self.declared and not self.in_tex:
            return self._numbered(word, letters[1], letters[2], start)
        known = self.declared if self.bounded else self.declared | self.standing
        found = splittings(word, known)
        if name in GREEK or word in GREEK:
            if self.bounded and found:
                raise self._two(word, start, f"the letter {word}", found[0])
            return [name]
        if re.fullmatch(r"[A-Za-z]\d+", word):
            return [name]
        if len(found) > 1:
            raise self._two(word, start, "*".join(found[1]), found[0])
        if found:
            return ["lam" if one == "lambda" else one for one in found[0]]
        if (mark := _GLUED.fullmatch(word)) and not self.in_tex:
            before, inside = f"{mark[1]}*" if mark[1] else "", f"{mark[2]}({mark[3]})"
            raise self._two(word, start, f"one symbol {word}", [f"{before}{inside}"], declares=word)
        if self.in_tex and word.isalpha():
            return list(word)
        if self.bounded or word in SHORT_NAMES or len(word) >= LONG or not word.isalpha():
            return [name]
        raise self._two(word, start, f"one symbol {word}", list(word), declares=word)

    def is_prose(self, word: str) -> bool:
        """Whether a word may be one of a sentence: a long one that the line does not list."""
        known = word in self.declared or word in GREEK or not word.isalpha()
        if known or self.in_tex or len(word) < LONG:
            return False
        return not splittings(word, self.declared | self.standing)

    def _numbered(self, word: str, letter: str, digits: str, start: int) -> list[str]:
        """``x2`` beside ``x``: its second entry, or its square."""
        raise not_read(
            word,
            start,
            "of one meaning",
            f"{word} beside {letter}",
            f"write {letter}_{digits} for another symbol, or {letter}^{digits} for a power",
            Edit(start, start + len(word), f"{letter}_{digits}"),
            Edit(start, start + len(word), f"{letter}^{digits}"),
        )

    def _two(
        self, word: str, start: int, first: str, product: list[str], declares: str = ""
    ) -> Exception:
        said = "*".join(product)
        edits = [Edit(start, start + len(word), said)]
        if declares and not self.bounded:
            edits.append(Edit(self.end, self.end, f" for real {declares}"))
        elif "*" in first:
            edits.append(Edit(start, start + len(word), first))
        remedy = f"write {said}" + (f", or 'for real {declares}' behind the claim" * bool(declares))
        return not_read(
            word, start, "of one meaning", f"{word}, {first} to some and {said} to others", remedy,
            *edits,
        )  # fmt: skip


def splittings(word: str, known: frozenset[str], most: int = 2) -> list[list[str]]:
    """Ways to write a word as known symbols beside each other, at most so many."""
    if not word:
        return [[]]
    out: list[list[str]] = []
    for size in range(1, len(word) + 1):
        head = word[:size]
        name = "lam" if head == "lambda" else head
        if name not in known:
            continue
        for rest in splittings(word[size:], known, most):
            out.append([name, *rest])
            if len(out) == most:
                return out
    return out
