r"""Numbers of theorems as LaTeX gives them: counters that are shared, and counted within others."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["Numbers"]

KINDS = ("theorem", "lemma", "corollary", "proposition", "assumption")
"""Environments that are results."""
USUAL = {
    "thm": "theorem",
    "lem": "lemma",
    "cor": "corollary",
    "prop": "proposition",
    "ass": "assumption",
    "assump": "assumption",
    "defn": "definition",
    "definition": "definition",
    "rem": "remark",
    "remark": "remark",
    "example": "example",
}
"""Short names of environments that most papers give."""
PARTS = ("chapter", "section", "subsection", "subsubsection")

_NEW_THEOREM = re.compile(
    r"\\newtheorem(\*?)\s*\{\s*([\w*]+)\s*\}\s*(?:\[\s*(\w+)\s*\])?\s*\{([^}]*)\}\s*"
    r"(?:\[\s*(\w+)\s*\])?"
)
_DECLARED = re.compile(r"\\declaretheorem\s*(?:\[([^\]]*)\])?\s*\{\s*([\w*]+)\s*\}")
_WITHIN = re.compile(r"\\(?:numberwithin|counterwithin)\*?\s*\{\s*(\w+)\s*\}\s*\{\s*(\w+)\s*\}")


@dataclass
class Numbers:
    """LaTeX's counters.

    Parameters
    ----------
    kinds : dict
        What each environment is, in small letters.
    shared, within : dict
        Counters that are another's, and counters that begin anew with another.
    silent : set
        Environments without a number.
    """

    kinds: dict[str, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)
    within: dict[str, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)
    appendix: bool = False

    @classmethod
    def of(cls, text: str) -> Numbers:
        """Counters as a preamble declares them."""
        made = cls(kinds={**{kind: kind for kind in KINDS}, **USUAL})
        made.within = {"subsection": "section", "subsubsection": "subsection"}
        if "\\chapter" in text:
            made.within["section"] = "chapter"
        for star, name, like, shown, inside in _NEW_THEOREM.findall(text):
            made._declare(name, shown, like, inside, bool(star))
        for options, name in _DECLARED.findall(text):
            said: dict[str, str] = dict(re.findall(r"(\w+)\s*=\s*\{?([^,{}]+)\}?", options))
            like = said.get("sibling", said.get("numberlike", said.get("sharenumber", "")))
            inside = said.get("numberwithin", said.get("parent", ""))
            silent = said.get("numbered", "yes").strip() == "no"
            made._declare(name, said.get("name", name), like.strip(), inside.strip(), silent)
        for name, inside in _WITHIN.findall(text):
            made.within[name] = inside
        return made

    def _declare(self, name: str, shown: str, like: str, inside: str, silent: bool) -> None:
        words = re.sub(r"\\\w+|[{}]", " ", shown).lower().split()
        self.kinds[name] = next(
            (word for word in reversed(words) if word in KINDS), " ".join(words)
        )
        if silent:
            self.silent.add(name)
        if like:
            self.shared[name] = like
        if inside:
            self.within[name] = inside

    def enter(self, part: str, silent: bool) -> None:
        """A section begins."""
        if not silent:
            self._step(part)

    def assign(self, name: str, value: int, add: bool) -> None:
        r"""``\setcounter`` and ``\addtocounter``."""
        self.counts[name] = value + (self.counts.get(name, 0) if add else 0)

    def next(self, name: str) -> str:
        """Number of the next environment of this name."""
        if name in self.silent:
            return ""
        counter, seen = name, {name}
        while (shared := self.shared.get(counter, counter)) not in seen:
            counter = shared
            seen.add(shared)
        self._step(counter)
        return self._shown(counter, set())

    def _step(self, counter: str) -> None:
        self.counts[counter] = self.counts.get(counter, 0) + 1
        self._reset(counter, {counter})

    def _reset(self, counter: str, seen: set[str]) -> None:
        for name, inside in self.within.items():
            if inside == counter and name not in seen:
                self.counts[name] = 0
                self._reset(name, seen | {name})

    def _shown(self, counter: str, seen: set[str]) -> str:
        count = self.counts.get(counter, 0)
        first = counter == ("chapter" if "chapter" in self.counts else "section")
        own = (
            chr(ord("A") + count - 1) if self.appendix and first and 0 < count < 27 else str(count)
        )
        inside = self.within.get(counter, "")
        if not inside or inside in seen:
            return own
        return f"{self._shown(inside, seen | {counter})}.{own}"
