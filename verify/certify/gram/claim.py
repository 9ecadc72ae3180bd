r"""Claims in inner products: affine forms in function values and the entries of a Gram matrix.

Vectors :math:`v_1, \dots, v_n` of any dimension enter only by :math:`\langle v_a, v_b\rangle`, so
what is shown about the entries of a positive semidefinite matrix holds in every dimension.  A proof
of ``objective <= bound`` from premises ``form >= 0`` (or ``== 0``) is the identity

.. math:: \text{bound} - \text{objective}
          = \sum_j \lambda_j\,\text{premise}_j + \sum_{a,b} S_{ab}\langle v_a, v_b\rangle
            + \text{slack},
          \qquad \lambda_j \ge 0,\ S \succeq 0,\ \text{slack} \ge 0 .

Everything here is exact; the numbers come from `verify.certify.gram.solve`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Number = int | Fraction
Key = tuple[str, ...]
"""``()`` the constant, ``(value,)`` a function value, ``(a, b)`` with a <= b an inner product."""

FORMAT = "fedassay-gram-certificate/1"

__all__ = [
    "FORMAT",
    "Form",
    "GramCertificate",
    "Key",
    "Premise",
    "Vector",
    "constant",
    "value",
    "vector",
]


@dataclass(frozen=True)
class Vector:
    """A linear combination of named vectors, with rational coefficients."""

    parts: Mapping[str, Fraction]

    def __add__(self, other: Vector) -> Vector:
        return Vector(_summed(self.parts, other.parts))

    def __sub__(self, other: Vector) -> Vector:
        return self + other * -1

    def __mul__(self, factor: Number) -> Vector:
        return Vector({a: q * factor for a, q in self.parts.items() if q * factor})

    __rmul__ = __mul__

    def dot(self, other: Vector) -> Form:
        """Inner product."""
        terms: dict[Key, Fraction] = {}
        for a, p in self.parts.items():
            for b, q in other.parts.items():
                key = (a, b) if a <= b else (b, a)
                terms[key] = terms.get(key, Fraction(0)) + p * q
        return Form({k: q for k, q in terms.items() if q})

    def square(self) -> Form:
        """Squared norm."""
        return self.dot(self)


@dataclass(frozen=True)
class Form:
    """An affine form in function values and inner products, with rational coefficients."""

    terms: Mapping[Key, Fraction]

    def __add__(self, other: Form) -> Form:
        return Form(_summed(self.terms, other.terms))

    def __sub__(self, other: Form) -> Form:
        return self + other * -1

    def __mul__(self, factor: Number) -> Form:
        return Form({k: q * factor for k, q in self.terms.items() if q * factor})

    __rmul__ = __mul__

    def to_json(self) -> list[Any]:
        """Terms in order: names, and coefficient "p/q"."""
        return [[list(k), str(q)] for k, q in sorted(self.terms.items())]

    @classmethod
    def from_json(cls, data: Any) -> Form:
        """The form of `to_json`; a key that stands twice, or out of order, is refused."""
        terms = {tuple(map(str, k)): Fraction(q) for k, q in data}
        ordered = all(len(k) < 3 and list(k) == sorted(k) for k in terms)
        if len(terms) != len(data) or not ordered:
            raise ValueError("a term stands twice, or its names are not in order")
        return cls(terms)


@dataclass(frozen=True)
class Premise:
    """A form that is ``>= 0``, or ``== 0`` if `equality`, and the rule that gives it."""

    name: str
    form: Form
    equality: bool = False
    rule: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class GramCertificate:
    """A proof of ``objective <= bound`` from premises, see the module.

    Attributes
    ----------
    claim : str
        What is proved, in words.
    vectors : tuple of str
        Order of the rows of the matrix.
    objective : Form
    bound : Fraction
    premises : tuple of Premise
    multipliers : tuple of Fraction
        One per premise.
    matrix : tuple of tuples of Fraction
        S, symmetric.
    problem : mapping
        What the premises follow from, in the words of the programme that made them.
    """

    claim: str
    vectors: tuple[str, ...]
    objective: Form
    bound: Fraction
    premises: tuple[Premise, ...]
    multipliers: tuple[Fraction, ...]
    matrix: tuple[tuple[Fraction, ...], ...]
    problem: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """All fields as JSON values; rationals as "p/q"."""
        return {
            "format": FORMAT,
            "claim": self.claim,
            "problem": dict(self.problem),
            "vectors": list(self.vectors),
            "objective": self.objective.to_json(),
            "bound": str(self.bound),
            "premises": [
                {
                    "name": p.name,
                    "terms": p.form.to_json(),
                    "equality": p.equality,
                    "rule": dict(p.rule),
                    "multiplier": str(q),
                }
                for p, q in zip(self.premises, self.multipliers, strict=True)
            ],
            "matrix": [[str(q) for q in row] for row in self.matrix],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GramCertificate:
        """The certificate of `to_json`.

        Raises
        ------
        ValueError, KeyError, TypeError
            If the data are no certificate of this format.
        """
        if data["format"] != FORMAT:
            raise ValueError(f"format must be {FORMAT}, got {data['format']}: make it again.")
        return cls(
            claim=str(data["claim"]),
            vectors=tuple(map(str, data["vectors"])),
            objective=Form.from_json(data["objective"]),
            bound=Fraction(data["bound"]),
            premises=tuple(
                Premise(p["name"], Form.from_json(p["terms"]), bool(p["equality"]), p["rule"])
                for p in data["premises"]
            ),
            multipliers=tuple(Fraction(p["multiplier"]) for p in data["premises"]),
            matrix=tuple(tuple(Fraction(q) for q in row) for row in data["matrix"]),
            problem=dict(data["problem"]),
        )


def vector(name: str) -> Vector:
    """One named vector."""
    return Vector({name: Fraction(1)})


def value(name: str) -> Form:
    """One function value, or any other number that enters linearly."""
    return Form({(name,): Fraction(1)})


def constant(number: Number) -> Form:
    """A number."""
    return Form({(): Fraction(number)} if number else {})


def combine(forms: Sequence[Form], factors: Sequence[Number]) -> Form:
    """Sum of forms times factors."""
    total: dict[Key, Fraction] = {}
    for form, factor in zip(forms, factors, strict=True):
        if factor:
            for key, q in form.terms.items():
                total[key] = total.get(key, Fraction(0)) + q * factor
    return Form({k: q for k, q in total.items() if q})


def _summed(one: Mapping[Any, Fraction], other: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    total = dict(one)
    for key, q in other.items():
        total[key] = total.get(key, Fraction(0)) + q
    return {k: q for k, q in total.items() if q}
