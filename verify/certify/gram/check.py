"""Check a Gram certificate over the rationals: the identity, every sign, the matrix by LDL^T.

Nothing of the search is used, and no float: a certificate that passes proves its claim from its
premises.  That these follow from a problem is for the programme that wrote them to check.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verify.certify.gram.claim import Form, GramCertificate, combine

__all__ = ["complaint", "is_semidefinite", "matrix_form", "proves"]


def proves(certificate: GramCertificate) -> bool:
    """Whether the certificate proves its claim from its premises."""
    return complaint(certificate) == ""


def complaint(certificate: GramCertificate) -> str:
    """What is wrong with a certificate, in a sentence; empty if nothing is."""
    c = certificate
    width = len(c.vectors)
    if len(set(c.vectors)) != width or len({p.name for p in c.premises}) != len(c.premises):
        return "a vector or a premise stands twice"
    if len(c.matrix) != width or any(len(row) != width for row in c.matrix):
        return f"the matrix must be {width} by {width}"
    if len(c.multipliers) != len(c.premises):
        return "each premise needs one multiplier"
    for premise, multiplier in zip(c.premises, c.multipliers, strict=True):
        if multiplier < 0 and not premise.equality:
            return f"the multiplier of '{premise.name}' is negative: {multiplier}"
    if any(c.matrix[i][j] != c.matrix[j][i] for i in range(width) for j in range(i)):
        return "the matrix is not symmetric"
    if not is_semidefinite(c.matrix):
        return "the matrix is not positive semidefinite"
    forms = [p.form for p in c.premises]
    whole = combine([c.objective, *forms, matrix_form(c.vectors, c.matrix)], [1, *c.multipliers, 1])
    rest = Form({(): c.bound}) - whole
    wrong = sorted(key for key in rest.terms if key)
    if wrong:
        return f"the identity fails at {wrong[0]}: {rest.terms[wrong[0]]} is left"
    left = rest.terms.get((), Fraction(0))
    return f"the constant exceeds the bound by {-left}" if left < 0 else ""


def is_semidefinite(matrix: Sequence[Sequence[Fraction]]) -> bool:
    """Whether a symmetric rational matrix is positive semidefinite, by exact elimination.

    Examples
    --------
    >>> is_semidefinite([[1, 1], [1, 1]]), is_semidefinite([[1, 1], [1, Fraction(999, 1000)]])
    (True, False)
    """
    rows = [[Fraction(q) for q in row] for row in matrix]
    while rows:
        pivot = rows[0][0]
        if pivot < 0 or (pivot == 0 and any(rows[0])):
            return False
        head = rows[0]
        rows = [
            [q - row[0] * h / pivot for q, h in zip(row[1:], head[1:], strict=True)]
            if pivot
            else row[1:]
            for row in rows[1:]
        ]
    return True


def matrix_form(vectors: Sequence[str], matrix: Sequence[Sequence[Fraction]]) -> Form:
    """sum_ab S_ab <v_a, v_b> as a form."""
    terms: dict[tuple[str, ...], Fraction] = {}
    for a, row in zip(vectors, matrix, strict=True):
        for b, q in zip(vectors, row, strict=True):
            key = (a, b) if a <= b else (b, a)
            terms[key] = terms.get(key, Fraction(0)) + q
    return Form({k: q for k, q in terms.items() if q})
