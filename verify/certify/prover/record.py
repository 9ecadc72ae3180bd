"""The record of a proof by contradiction: what it used, what it multiplied, what cancels.

A certificate of ``left <= right`` lists polynomial facts, the negated claim among them, and
positive rationals such that the weighted products of the facts sum to the zero polynomial while
one of the products is strictly positive.  A certificate of ``left == right`` lists the two cross
products of numerators and denominators, which cancel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

FORMAT = "fedassay-certificate/1"

__all__ = ["Certificate", "PolynomialPremise", "Terms"]

Terms = tuple[tuple[tuple[int, ...], str], ...]
"""A polynomial: exponents, each different, with coefficients "p/q" that are not zero."""


@dataclass(frozen=True)
class PolynomialPremise:
    """One polynomial fact of a certificate.

    Attributes
    ----------
    name : str
        Statement of the fact as it was given, such as ``r[k] <= 1``.
    terms : tuple of (exponents, "p/q")
        The polynomial that is ``>= 0`` (``> 0`` if `strict`) once denominators are cleared.
    strict : bool
    kind : str
        "negation", "hypothesis", "symbol", "square", "definition", "sum", "power", or, in an
        equality, "numerator" and "denominator".
    reason : str
        Where the fact comes from, in words.
    lemmas : tuple of int
        Positions in the certificate's lemmas of what the fact rests on.
    """

    name: str
    terms: Terms
    strict: bool
    kind: str
    reason: str = ""
    lemmas: tuple[int, ...] = ()


@dataclass(frozen=True)
class Certificate:
    """A proof that can be checked by hand, or by `verify_certificate`.

    Attributes
    ----------
    claim, claim_tex : str
        What is proved, as it was put.
    reading, reading_tex : str
        The claim in the variables of the certificate; empty where that is the claim itself.
    relation : str
        "<=", "<" or "==".
    hypotheses : tuple of str
        Names of the hypotheses that were available.
    variables, variables_tex : tuple of str
        Variables of the polynomials, in the order of the exponents.
    definitions : tuple of (str, str, str)
        Variables that stand for formal sums and other atoms: name, meaning, both in TeX.
    premises : tuple of Premise
        The facts that the identity uses.
    products : tuple of (str, tuple of str)
        Multiplier "p/q" and names of the premises whose product it multiplies.
    identity : str
        The sum that vanishes identically.
    lemmas : tuple of Certificate
        Proofs of the facts that are not hypotheses.
    text, tex : str
        The derivation in words.
    """

    claim: str
    relation: str
    hypotheses: tuple[str, ...]
    variables: tuple[str, ...]
    variables_tex: tuple[str, ...]
    definitions: tuple[tuple[str, str, str], ...]
    premises: tuple[PolynomialPremise, ...]
    products: tuple[tuple[str, tuple[str, ...]], ...]
    claim_tex: str = ""
    reading: str = ""
    reading_tex: str = ""
    identity: str = ""
    lemmas: tuple[Certificate, ...] = ()
    text: str = ""
    tex: str = ""

    @property
    def uses_claim(self) -> bool:
        """Whether the negated claim takes part; if not, the hypotheses contradict each other."""
        if self.relation == "==":
            return True
        negation = {p.name for p in self.premises if p.kind == "negation"}
        return any(negation & set(names) for _, names in self.products)

    def to_json(self) -> dict[str, Any]:
        """Return plain lists, strings and dictionaries."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Certificate:
        """Rebuild a certificate; the result equals the original.

        Raises
        ------
        ValueError
            If the format is unknown.
        """
        if data.get("format", FORMAT) != FORMAT:
            raise ValueError(
                f"format must be {FORMAT}, got {data['format']}: use the release that wrote it."
            )
        fields = {k: _tuples(v) for k, v in data.items() if k not in ("format", "lemmas")}
        fields["premises"] = tuple(
            PolynomialPremise(**{k: _tuples(v) for k, v in p.items()}) for p in data["premises"]
        )
        lemmas = tuple(cls.from_json(lemma) for lemma in data["lemmas"])
        return cls(**fields, lemmas=lemmas)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list | tuple) else value
