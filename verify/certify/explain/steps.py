"""One proof of a document as lines: facts, and the sum that shows what is claimed.

The checker derives a contradiction: with T = what the claim was multiplied by, facts of which
products add up to zero, one of them being T (left - right) > 0, the supposition that the claim is
false.  Where the supposition enters linearly, the same sum read from the other side is a direct
proof: the other products add up to M T (right - left) with M T >= 0.  Only where the supposition is
multiplied by itself the lines say "suppose not".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verify.certify.checker import Context
from verify.certify.explain.facts import Reasons
from verify.certify.explain.formulas import ToldFormulas

Entry = Mapping[str, Any]

__all__ = ["Steps"]


class Steps:
    """Writes the proofs of one document.

    Parameters
    ----------
    document : mapping
        Claim, hypotheses, atoms and sums.
    formulas : ToldFormulas
    numbers : iterator of int
        Numbers of the lines.
    """

    def __init__(self, document: Entry, formulas: ToldFormulas, numbers: Iterator[int]) -> None:
        self._show, self._numbers = formulas, numbers
        self._reasons = Reasons(document, formulas)
        self._context = Context(document)
        self._shown: dict[str, str] = {}

    def lines(self, proof: Entry) -> Iterator[str]:
        """Lines that end with what the proof proves."""
        show = self._show
        lemmas = [""] * len(proof["lemmas"])
        for i, lemma in enumerate(proof["lemmas"]):
            said = show.relation(lemma["left"], lemma["relation"], lemma["right"])
            if said not in self._shown:
                yield from self.lines(lemma)
            lemmas[i] = self._shown[said]
        if proof["relation"] == "==":
            yield from self._equality(proof, lemmas)
            return
        linear = all(
            sum(self._supposed(proof, i) for i in factors) <= 1 for _, factors in proof["products"]
        )
        used = {i for _, factors in proof["products"] for i in factors}
        names: dict[int, str] = {}
        for i, fact in enumerate(proof["facts"]):
            if i not in used or (self._supposed(proof, i) and linear):
                continue
            formula = show.positive(show.bare(fact["polynomial"]), fact["strict"])
            if self._supposed(proof, i):
                why = f"suppose not{self._reasons.multiplied(fact)}"
            else:
                why = self._reasons.of(fact, [lemmas[j] for j in fact["lemmas"]])
            if (said := f"{formula}  [{why}]") not in self._shown:
                self._shown[said] = f"({next(self._numbers)})"
                yield f"{self._shown[said]} {said}"
            names[i] = self._shown[said]
        yield from self._direct(proof, names) if linear else self._contradiction(proof, names)

    # -- ends of proofs ----------------------------------------------------------------------------

    def _equality(self, proof: Entry, lemmas: Sequence[str]) -> Iterator[str]:
        if lemmas:
            why = f"from {' and '.join(lemmas)}"
        else:
            why = "as quotients of polynomials the two sides are the same"
        yield self._concluded(proof, why)

    def _direct(self, proof: Entry, names: Mapping[int, str]) -> Iterator[str]:
        """The products without the supposition add up to what it is multiplied by."""
        show, facts = self._show, proof["facts"]
        supposed = {i for i in range(len(facts)) if self._supposed(proof, i)}
        others = [one for one in proof["products"] if not supposed & {*one[1]}]
        mine = [one for one in proof["products"] if supposed & {*one[1]}]
        total = show.math(self._sum(others, names))
        if not mine:
            yield self._concluded(
                proof,
                f"add {total}: identically 0, and positive; so the hypotheses contradict each "
                "other, and there is nothing left to show",
            )
            return
        weight = self._sum([(q, [i for i in at if i not in supposed]) for q, at in mine], names)
        factors = [show.braced(weight)] if len(mine) > 1 else [weight] * (weight != "1")
        claim = next(f for i, f in enumerate(facts) if i in supposed)
        factors += self._factors(claim, [proof["lemmas"][i] for i in claim["lemmas"]])
        gap = r"(\text{right} - \text{left})" if show.tex else "(right - left)"
        whole = show.times([*factors, gap])
        if not others:
            yield self._concluded(proof, f"identically {show.math(f'{whole} = 0')}")
            return
        positive = any(all(facts[i]["strict"] for i in at) for _, at in mine)
        kind = "positive" if positive else "not negative, and the sum is positive"
        said = f", where the factor before the difference is {kind}" if factors else ""
        yield self._concluded(proof, f"add {total}: identically {show.math(whole)}{said}")

    def _contradiction(self, proof: Entry, names: Mapping[int, str]) -> Iterator[str]:
        total = self._show.math(self._sum(proof["products"], names))
        yield self._concluded(
            proof, f"add {total}: identically 0, although no product is negative and one positive"
        )

    def _concluded(self, proof: Entry, why: str) -> str:
        """The last line of a proof, by whose number it is cited."""
        said = self._show.relation(proof["left"], proof["relation"], proof["right"])
        self._shown[said] = f"({next(self._numbers)})"
        return f"{self._shown[said]} {said}  [{why}]"

    # -- sums --------------------------------------------------------------------------------------

    def _supposed(self, proof: Entry, i: int) -> bool:
        return bool(proof["facts"][i]["rule"] == "claim is false")

    def _sum(self, products: Sequence[tuple[str, list[int]]], names: Mapping[int, str]) -> str:
        """Weighted products in the numbers of their lines."""
        parts = []
        for q, factors in products:
            powers = []
            for i in dict.fromkeys(factors):
                times = factors.count(i)
                power = f"^{{{times}}}" if self._show.tex else f"^{times}"
                powers.append(names[i] + (power if times > 1 else ""))
            parts.append(self._show.times([q] * (q != "1" or not powers) + powers))
        return " + ".join(parts)

    def _factors(self, claim: Entry, lemmas: Sequence[Entry]) -> list[str]:
        """By what the claim was multiplied, each factor so that it is not negative."""
        found = []
        for text, exponent in claim["times"]:
            minus = self._context.read(f"-({text})")
            turned = exponent % 2 and self._context.shown(lemmas, minus, True)
            base = self._show.inside(f"-({text})" if turned else text, 4)
            power = f"^{{{exponent}}}" if self._show.tex else f"^{exponent}"
            found.append(base + (power if exponent != 1 else ""))
        return found
