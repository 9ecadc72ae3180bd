"""Inductions in the words of Coq: start and step are theorems, and induction joins them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from verify.certify.checker import FIRST, Context
from verify.certify.coq.script import Script
from verify.certify.coq.statement import CoqStatement

__all__ = ["Induction"]

BRIDGES = {"<=": "same_le", "<": "same_lt", "==": "same_eq"}


class Induction:
    """The theorems of one proof by induction."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document, self._proof = document, document["proof"]
        self._terms = CoqStatement(document, Context(document))
        self._rounds = self._proof["induction"]
        self._round = self._terms.named(self._rounds)

    def theorem(self, name: str) -> str:
        """Start, step, and the claim for every round."""
        parts = {end: Script(self._proof[end]) for end in ("start", "step")}
        theorems = [part.theorem(f"{name}_{end}") for end, part in parts.items()]
        return "\n".join([*theorems, self._joined(name, parts)])

    def _joined(self, name: str, parts: Mapping[str, Script]) -> str:
        """The theorem for every round."""
        terms, claim = self._terms, self._document["claim"]
        relation = "=" if claim["relation"] == "==" else claim["relation"]
        goal = f"{terms(claim['left'])} {relation} {terms(claim['right'])}"
        first = FIRST[self._document["symbols"][self._rounds]]
        taken = f"(1 <= {self._round})%nat"
        lines = [line for line in terms.premises()[0] if line != taken]
        bound = [v for v in terms.bound() if v != self._round]
        kinds = re.sub(rf"\b{self._round} ?(?=[^()]*: nat\))", "", terms.variables())
        variables = re.sub(r" ?\( *: nat\) ?", "", kinds)
        names = [f"H{i}" for i in range(1, len(lines) + 1)]
        known = dict(zip(names, lines, strict=True))
        least = f"{taken} -> " if first else ""
        given = ["HT", "IH"] if first else ["IH"]
        step = [self._round, *given]
        body = [
            f"intros {' '.join([*bound, *names])}." if bound or names else "",
            f"apply (rounds_from_{('zero', 'one')[first]} (fun {self._round} => {goal})).",
            f"{{ {self._end(name, 'start', parts['start'], known)} }}",
            f"intros {' '.join(step)}. {self._end(name, 'step', parts['step'], known)}",
        ]
        statement = [
            f"Theorem {name} :",
            *([f"  forall {variables},"] * bool(variables)),
            *(f"  {line} ->" for line in lines),
            f"  forall {self._round} : nat, {least}{goal}.",
            "Proof.",
        ]
        return "\n".join([*statement, *(f"  {line}" for line in body if line), "Qed.", ""])

    def _end(self, name: str, end: str, part: Script, known: Mapping[str, str]) -> str:
        """Commands that prove one end of the induction from its theorem."""
        variables, lines, goal = part.statement()
        tries = [*self._known(known), "assumption", "lia", "solve [pos]", "solve [nz]"]
        shown = f"first [{' | '.join(reversed(tries))}]"
        steps = " | ".join([shown] * len(lines))
        apply = f"apply ({' '.join([f'{name}_{end}', *variables])})"
        apply += f"; [{steps}]" if lines else ""
        bridge = BRIDGES[self._document["claim"]["relation"]]
        return f"assert (B : {goal}) by ({apply}). apply ({bridge} _ _ _ _ B); unroll."

    def _known(self, known: Mapping[str, str]) -> Iterator[str]:
        """Ways to show a hypothesis of the step: a round's, or the claim before it."""
        terms, claim = self._terms, self._document["claim"]
        for h in self._document["given"]:
            if "each" in h:
                each = terms.premise(h)
                (number,) = [n for n, line in known.items() if line == each]
                here = re.sub(rf"\b{h['each']}\b", self._rounds, h["expr"])
                rule = "is_positive" if h["strict"] else "is_nonnegative"
                yield f"(apply ({rule} _ ({terms(here)})); [equal | apply {number}])"
        gap = f"({terms(claim['right'])}) - ({terms(claim['left'])})"
        for difference in (gap, f"- ({gap})"):
            for rule in ("is_nonnegative", "is_positive"):
                yield f"(apply ({rule} _ ({difference})); [equal | lra])"
