"""Write a certificate as a short derivation, in plain text or in TeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from verify.certify.prover.record import Certificate, PolynomialPremise, Terms

__all__ = ["derivation", "identity_of", "polynomial_text", "written"]


def written(certificate: Certificate) -> Certificate:
    """Fill in the identity and the derivation in words and in TeX."""
    c = replace(certificate, identity=identity_of(certificate))
    return replace(c, text=derivation(c, tex=False), tex=derivation(c, tex=True))


def derivation(c: Certificate, *, tex: bool) -> str:
    """Return the proof that the record holds, one step per line.

    Parameters
    ----------
    c : Certificate
    tex : bool
        Whether to write TeX (inline formulas) instead of plain text.

    Returns
    -------
    str
        Numbered facts, the supposition, the sum that vanishes, and the lemmas in order.
    """
    lines = [f"Claim: {_claim(c, tex)}."]
    lines += [
        f"Write ${formula}$." if tex else f"Write {name} = {meaning}."
        for name, meaning, formula in c.definitions
    ]
    if c.reading:
        reading = f"${c.reading_tex}$" if tex else c.reading
        lines.append(f"In these variables, with constants taken out of sums: {reading}.")
    if c.relation == "==":
        lines += _equality(c, tex)
    else:
        lines += _contradiction(c, tex)
    for i, lemma in enumerate(c.lemmas):
        inner = derivation(lemma, tex=tex).splitlines()
        lines += [f"Lemma {i + 1}. " + inner[0].removeprefix("Claim: ")]
        lines += ["  " + line for line in inner[1:]]
    return "\n".join(lines)


def identity_of(c: Certificate) -> str:
    """Write the vanishing sum with every polynomial in full."""
    body = {p.name: polynomial_text(p.terms, c.variables) for p in c.premises}
    parts = [
        "*".join([f"({q})", *(f"({body[name]})" for name in names)]) for q, names in c.products
    ]
    return " + ".join(parts) + " == 0" if parts else ""


def polynomial_text(terms: Terms, variables: Sequence[str], tex: bool = False) -> str:
    """Print a sparse polynomial, highest exponents first.

    >>> polynomial_text((((0, 1), "-1/2"), ((2, 0), "1")), ("a", "b"))
    'a**2 - 1/2*b'
    """
    times, power = (" ", "^{{{}}}") if tex else ("*", "**{}")
    text = ""
    for exponents, coefficient in sorted(terms, reverse=True):
        q = Fraction(coefficient)
        factors = [
            name + (power.format(e) if e != 1 else "")
            for name, e in zip(variables, exponents, strict=True)
            if e
        ]
        size = abs(q)
        if size != 1 or not factors:
            whole = size.denominator == 1 or not tex
            number = str(size) if whole else rf"\tfrac{{{size.numerator}}}{{{size.denominator}}}"
            factors.insert(0, number)
        sign = ("-" if q < 0 else "") if not text else (" - " if q < 0 else " + ")
        text += sign + times.join(factors)
    return text or "0"


def _equality(c: Certificate, tex: bool) -> list[str]:
    if not c.products:
        return ["Both inequalities hold, by the lemmas below."]
    left, under_left, right, under_right = (_polynomial(c, p, tex) for p in c.premises)
    return [
        f"The left side is (1) {left} over (2) {under_left}.",
        f"The right side is (3) {right} over (4) {under_right}.",
        "The cross products agree: " + _math(_sum(c, tex) + " = 0", tex) + " identically,",
        "so both sides are equal wherever they are defined.",
    ]


def _contradiction(c: Certificate, tex: bool) -> list[str]:
    lines = []
    for i, p in enumerate(c.premises):
        sign = (">" if p.strict else ">=") if not tex else (">" if p.strict else r"\ge")
        fact = _math(f"{polynomial_text(p.terms, _names(c, tex), tex)} {sign} 0", tex)
        proof = ", ".join(f"lemma {j + 1}" for j in p.lemmas)
        reason = _escaped(p.reason) if tex else p.reason
        why = ": ".join(part for part in (reason, _shown(p, tex)) if part)
        lines.append(f"({i + 1}) {fact}  [{why}{'; ' if proof else ''}{proof}]")
    lines.append("The weighted sum " + _math(_sum(c, tex), tex))
    lines.append(
        "vanishes identically, although a term is positive and none is negative: a contradiction."
    )
    if not c.uses_claim:
        lines.append("The negated claim is not needed: the hypotheses contradict each other.")
    return lines


def _shown(p: PolynomialPremise, tex: bool) -> str:
    """The fact as it was given, unless the polynomial says it already."""
    if p.kind in ("symbol", "negation", "sum", "power"):
        return ""
    return rf"\texttt{{{_escaped(p.name)}}}" if tex else p.name


def _sum(c: Certificate, tex: bool) -> str:
    """The weighted sum in the numbers of the facts."""
    number = {p.name: f"({i + 1})" for i, p in enumerate(c.premises)}
    times = r" \cdot " if tex else "*"
    parts = []
    for multiplier, names in c.products:
        factors: list[str] = []
        for name in dict.fromkeys(names):
            count = names.count(name)
            power = "" if count == 1 else (f"^{{{count}}}" if tex else f"**{count}")
            factors.append(number[name] + power)
        if multiplier not in ("1", "-1") or not factors:
            factors.insert(0, multiplier.removeprefix("-"))
        parts.append(("- " if multiplier.startswith("-") else "+ ") + times.join(factors))
    return " ".join(parts).removeprefix("+ ")


def _claim(c: Certificate, tex: bool) -> str:
    return f"${c.claim_tex}$" if tex else c.claim


def _polynomial(c: Certificate, p: PolynomialPremise, tex: bool) -> str:
    return _math(polynomial_text(p.terms, _names(c, tex), tex), tex)


def _names(c: Certificate, tex: bool) -> tuple[str, ...]:
    return c.variables_tex if tex else c.variables


def _math(formula: str, tex: bool) -> str:
    return f"${formula}$" if tex else formula


def _escaped(text: str) -> str:
    for old, new in (
        ("\\", r"\textbackslash{}"),
        ("_", r"\_"),
        ("&", r"\&"),
        ("%", r"\%"),
        ("^", r"\^{}"),
        ("#", r"\#"),
        ("$", r"\$"),
    ):
        text = text.replace(old, new)
    return text
