"""Whole documents as lines: claims with their hypotheses, cases, inductions, worst cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from verify.certify.checker import COVER, SIGNS, WORST_CASE, check
from verify.certify.explain.formulas import ToldFormulas, escaped
from verify.certify.explain.steps import Steps

Document = Mapping[str, Any]
INDENT = "  "

__all__ = ["explained"]


def explained(document: Document, *, tex: bool = False, accepted: bool = False) -> list[str]:
    """The lines of a proof.

    Parameters
    ----------
    document : mapping
        As ``verify.certify.checker.check`` reads it.
    tex : bool
        Whether to write TeX (inline formulas) instead of plain text.
    accepted : bool
        Whether the caller has had the checker accept just this document; a proof in symbols is
        not checked again then.

    Returns
    -------
    list of str

    Raises
    ------
    Refused
        If the checker does not accept the document: then there is nothing to explain.
    """
    show = ToldFormulas(tex)
    if not accepted or document["format"] == WORST_CASE:
        said = check(document)
        if document["format"] == WORST_CASE:
            return list(_WorstCase(document, show, count(1)).lines(said))
    return list(_Proof(document, show, count(1)).lines())


class _Proof:
    """A claim in symbols, in one piece, in cases or by induction."""

    def __init__(self, document: Document, show: ToldFormulas, numbers: Iterator[int]) -> None:
        self._document, self._show, self._numbers = document, show, numbers

    def lines(self) -> Iterator[str]:
        """Claim, hypotheses, what is written for what, then the proof."""
        d = self._document
        yield f"Claim: {self._relation(d['claim'])}."
        yield from self._symbols()
        for i, h in enumerate(d["given"], 1):
            each = f" for every {h['each']} = 0, 1, ..." if "each" in h else ""
            yield f"(H{i}) {self._show.positive(self._show.bare(h['expr']), h['strict'])}{each}"
        if d["format"] == COVER:
            yield from self._cases(d["cases"], [])
            return
        for name, meaning in d["atoms"]:
            yield f"Write {self._show.relation(name, '==', meaning)}."
        yield from self._sums()
        if "induction" in d["proof"]:
            yield from self._induction()
            return
        proof = d["proof"]
        if any(proof[side] != d["claim"][side] for side in ("left", "right")):
            yield f"In these names the claim is {self._relation(proof)}."
        yield from Steps(d, self._show, self._numbers).lines(proof)

    def _relation(self, claim: Document) -> str:
        return self._show.relation(claim["left"], claim["relation"], claim["right"])

    def _symbols(self) -> Iterator[str]:
        """Kinds of symbols, the client and the number of clients, and vectors."""
        d, show = self._document, self._show
        vectors, families = set(d.get("vectors", [])), " ".join(_texts(d))
        kinds: dict[str, list[str]] = {}
        for name, kind in d["symbols"].items():
            if name not in vectors:
                many = "[...]" if f"{name}[" in families else ""
                kinds.setdefault(kind, []).append(show.math(show.name(name)) + many)
        parts = [f"{kind} {', '.join(kinds[kind])}" for kind in SIGNS if kind in kinds]
        if vectors:
            named = ", ".join(show.math(show.name(name)) for name in sorted(vectors))
            parts.append(f"vectors {named} of any dimension, products being inner products")
        if {"k", "N"} & _words(d):
            clients = show.math(r"k = 1, \dots, N" if show.tex else "k = 1, ..., N")
            parts.append(f"any number {show.math('N')} of clients and any client {clients}")
        if parts:
            yield f"For {'; '.join(parts)}."

    def _sums(self) -> Iterator[str]:
        """How sums are taken apart, where this is more than a name for them."""
        show = self._show
        for split in self._document["sums"]:
            if [c for c, _ in split["parts"]] == ["1"] or not split["parts"]:
                continue
            index, low, high = split["over"].strip("()").split(", ")
            edge = f"({index}, {low}, {high})"
            whole = " + ".join(f"({c})*({s})" for c, s in split["parts"])
            apart = " + ".join(f"({c})*Sum({s}, {edge})" for c, s in split["parts"])
            yield f"Constants leave a sum: {show.relation(f'Sum({whole}, {edge})', '==', apart)}."

    def _induction(self) -> Iterator[str]:
        proof = self._document["proof"]
        rounds = self._show(proof["induction"])
        yield f"By induction on {rounds}."
        for name, heading in (
            ("start", f"Start, the claim for the first {rounds}:"),
            ("step", f"Step, from {rounds} to the next, the claim for {rounds} being known:"),
        ):
            yield heading
            yield from _indented(_Proof(proof[name], self._show, self._numbers).lines())

    def _cases(self, node: Document, answers: Sequence[str]) -> Iterator[str]:
        """Each answer to each condition, then the proof of what the claim says there."""
        if "if" not in node:
            yield f"Where {' and '.join(answers)}:" if answers else "In every case:"
            yield from _indented(_Proof(node, self._show, self._numbers).lines())
            return
        text, strict = node["if"], node["strict"]
        less, more = ("<=", ">") if strict else ("<", ">=")
        yield from self._cases(node["then"], [*answers, self._show.relation(text, more, "0")])
        yield from self._cases(node["else"], [*answers, self._show.relation(text, less, "0")])


class _WorstCase:
    """An upper bound of one step of averaging over a class of functions."""

    def __init__(self, document: Document, show: ToldFormulas, numbers: Iterator[int]) -> None:
        self._document, self._show, self._numbers = document, show, numbers

    def lines(self, said: str) -> Iterator[str]:
        """Claim, meaning of the letters, premises with multipliers, and the identity."""
        d, show = self._document, self._show
        yield f"Claim: {escaped(said) if show.tex else said}."
        yield (
            "Write x for the place before the step, g for the own gradient there, h for what it "
            "gains by the step, e for the others' weighted errors; products are inner products, "
            "and the minimum or infimum of f is 0."
        )
        parts = []
        for item in d["premises"]:
            number = f"({next(self._numbers)})"
            form = " + ".join(self._term(names, q) for names, q in item["terms"])
            yield f"{number} {show.positive(form, False)}  [{self._why(item['rule'])}]"
            parts.append(show.times([item["multiplier"], number]))
        if d["vectors"]:
            names = ", ".join(map(show.math, d["vectors"]))
            rows = "; ".join(", ".join(row) for row in d["matrix"])
            number = f"({next(self._numbers)})"
            yield (
                f"{number} The form in {names} with the matrix [{rows}] is not negative, as the "
                "matrix is positive semidefinite."
            )
            parts.append(number)
        total, bound = show.math(" + ".join(parts)), show.math(f"{d['bound']} - f(x+)")
        yield (
            f"Add {total}: up to a constant that is not negative the sum is identically {bound}, "
            "which therefore is not negative."
        )

    def _term(self, names: Sequence[str], q: str) -> str:
        squared = "^{2}" if self._show.tex else "^2"
        factors = [f"{names[0]}{squared}"] if len(names) == 2 and len({*names}) == 1 else [*names]
        return self._show.times([f"({q})" if q.startswith("-") else q, *factors])

    def _why(self, rule: Document) -> str:
        ((kind, about),) = rule.items()
        if kind == "interpolation":
            one, other = ("the minimiser" if name == "*" else name for name in about)
            return f"functions of this curvature, between {one} and {other}"
        if kind == "infimum":
            return f"one gradient step from {about} does not fall below the infimum"
        if kind == "start":
            return f"hypothesis: the excess loss before the step is at most {about}"
        shares = ", ".join(map(str, about["shares"]))
        return f"convexity of the squared norm, the errors weighed as {shares}, rounded upwards"


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (INDENT + line for line in lines)


def _texts(document: Document) -> list[str]:
    """Claim and hypotheses as they stand."""
    claim = document["claim"]
    return [claim["left"], claim["right"], *(h["expr"] for h in document["given"])]


def _words(document: Document) -> set[str]:
    return {*re.findall(r"\w+", " ".join(_texts(document)))}
