r"""Sums over clients as means over a draw: claims in which no sum is left.

Let p be numbers that are not negative and have sum one, a part for each client.  Draw a client with
probability p_k: what the clients have is a random vector, and of two such
:math:`\sum_kp_k\langle u_k,v_k\rangle` is an inner product.  With m the mean of u and d what is
left of it, :math:`\sum_kp_k\langle d_k,v\rangle=0` for all v that are the same for every client, so
that

.. math:: \sum_k p_k\langle u_k, v_k\rangle
          = \langle m, m'\rangle + \sum_k p_k\langle d_k, d'_k\rangle .

So a formula in sums, linear in numbers and in products of two vectors of a client, is one in m and
d, and what is known of each client is known in the mean.  What is proved of any m and d of a space
with an inner product holds for the clients.  The same of means over N clients, p_k = 1/N.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from bounds.numbers.symbolic import client_symbol
from verify.reading.parts.claim import Claim, ReadClaim, said
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

__all__ = ["DRAWN", "as_draws", "summed"]

DRAWN = "draw"
"""In the labels of such claims."""
MEAN, APART = "mean_of_", "_apart"
"""Names of the two parts of what a client has."""


def as_draws(one: ReadClaim) -> ReadClaim | None:
    """A claim that implies one with sums over clients; None where there is none of this kind.

    Parameters
    ----------
    one : ReadClaim
        About any number of clients, none of them singled out by its index.

    Returns
    -------
    ReadClaim or None
        Hypotheses that are no means are left out.
    """
    import sympy

    from verify.certify.prover.prove import Hypothesis

    claim = one.claim
    k, _ = client_symbol()
    if not any(e.atoms(sympy.Sum) for e in (claim.left, claim.right)):
        return None
    draw = _Draw(_weights(claim), one.vectors, claim)
    try:
        left, right = (draw.whole(sympy.sympify(e)) for e in (claim.left, claim.right))
        if k in (left.free_symbols | right.free_symbols):
            return None
    except NotReadable:
        return None
    given = []
    for h in claim.hypotheses:
        try:
            expr = draw.mean(draw.whole(h.expr))
        except NotReadable:
            continue
        if not expr.is_number:
            given.append(Hypothesis(h.name, expr, h.strict))
    made = Claim(left, right, claim.relation, given)
    named = {str(s) for e in said(made) for s in e.free_symbols}
    vectors = (*(n for n in one.vectors if n in named), *(n for n in draw.vectors if n in named))
    return ReadClaim({**one.label, DRAWN: "a client"}, made, tuple(dict.fromkeys(vectors)))


def summed(body: Expr, index: Expr, term: Callable[[Sequence[Expr]], Expr]) -> Expr:
    """A sum over an index, by its terms: each a number that all have, times what each one has.

    Parameters
    ----------
    body : expression
        What is summed.
    index : symbol
    term : callable
        Of the factors with that index.

    Raises
    ------
    NotReadable
        Where the body is no polynomial in what has the index.
    """
    import sympy

    parts = sympy.Add.make_args(body)
    same = sympy.Add(*(e for e in parts if index not in e.free_symbols))
    rest = sympy.Add(*(e for e in parts if index in e.free_symbols))
    own = sorted((s for s in rest.atoms(sympy.Indexed) if index in s.free_symbols), key=str)
    try:
        terms = sympy.Poly(sympy.expand(rest), *own).terms() if own else [((), rest)]
    except sympy.PolynomialError as error:
        raise NotReadable(f"a sum of {body}") from error
    total = same * term([]) if same != 0 else sympy.Integer(0)
    for powers, factor in terms:
        if index in factor.free_symbols:
            raise NotReadable(f"a sum of {rest}")
        found = [s for s, n in zip(own, powers, strict=True) for _ in range(n)]
        total += factor * term(found)
    return total


class _Draw:
    """Formulas in sums over clients, in symbols of the draw."""

    def __init__(self, weights: Expr | None, vectors: Collection[str], claim: Claim) -> None:
        self.weights, self._vectors = weights, set(vectors)
        self._taken = {str(s) for e in said(claim) for s in e.free_symbols}
        self.vectors: dict[str, None] = {}

    def whole(self, e: Expr) -> Expr:
        """The formula without its sums."""
        import sympy

        _, count = client_symbol()

        def of(part: Expr) -> Expr:
            index, *ends = part.limits[0]
            if len(part.limits) > 1 or ends != [1, count]:
                raise NotReadable("a sum over something else than clients")
            return self._kept(part.function, index, self._sum)

        found = e.replace(lambda part: isinstance(part, sympy.Sum), of)
        return found if self.weights is not None else sympy.factor_terms(found)  # N over N

    def mean(self, e: Expr) -> Expr:
        """The mean of what is said of client k."""
        import sympy

        k, _ = client_symbol()
        found = self._kept(e, k, self._mean) if k in e.free_symbols else e
        if found.atoms(sympy.Indexed):
            raise NotReadable("a number of one client")
        return found

    def _kept(self, body: Expr, index: Expr, term: Callable[[Sequence[Expr]], Expr]) -> Expr:
        """A sum in which squares of linear forms in vectors stay squares: the two of its parts."""
        import sympy

        squares: dict[Expr, Expr] = {}

        def put(part: Expr) -> Expr:
            parts = self._linear(part.base, index)
            if parts is None:
                return part
            symbol = sympy.IndexedBase(f"square{len(squares)}_", real=True)[index]
            squares[symbol] = parts[0] ** 2 + parts[1] ** 2
            return symbol

        changed = body.replace(lambda part: part.is_Pow and part.exp == 2, put)

        def of(found: Sequence[Expr]) -> Expr:
            mine = [s for s in found if s in squares]
            if not mine:
                return term(found)
            rest = [s for s in found if s not in squares and s.base != self.weights]
            if len(mine) > 1 or rest:
                raise NotReadable("a mean that is linear neither in numbers nor in products")
            return term([s for s in found if s not in squares]) * squares[mine[0]]

        return summed(changed, index, of)

    def _linear(self, base: Expr, index: Expr) -> tuple[Expr, Expr] | None:
        """The two parts of a linear form in vectors; None where it is something else."""
        import sympy

        own = sorted((s for s in base.atoms(sympy.Indexed) if index in s.free_symbols), key=str)
        if not own or any(str(s.base) not in self._vectors or len(s.indices) > 1 for s in own):
            return None
        try:
            poly = sympy.Poly(sympy.expand(base), *own)
        except sympy.PolynomialError:
            return None
        if poly.total_degree() != 1 or any(index in c.free_symbols for c in poly.coeffs()):
            return None
        means = {s: self._symbol(s, MEAN, "") for s in own}
        aparts = sympy.Add(*(poly.coeff_monomial(s) * self._symbol(s, "", APART) for s in own))
        return base.xreplace(means), aparts

    def _sum(self, found: Sequence[Expr]) -> Expr:
        _, count = client_symbol()
        if self.weights is None:
            return count * self._mean(found)
        if [s.base for s in found].count(self.weights) != 1:
            raise NotReadable("a sum that is no mean under these weights")
        return self._mean([s for s in found if s.base != self.weights])

    def _mean(self, found: Sequence[Expr]) -> Expr:
        """The mean of a product of what the drawn client has."""
        import sympy

        if any(len(s.indices) > 1 or s.base == self.weights for s in found):
            raise NotReadable("a mean of pairs of clients, or of the weights")
        kinds = {str(s.base) in self._vectors for s in found}
        if len(found) > 2 or len(kinds) > 1:
            raise NotReadable("a mean that is linear neither in numbers nor in products")
        product = sympy.Mul(*(self._symbol(s, MEAN, "") for s in found))
        if len(found) < 2:
            return product
        return product + sympy.Mul(*(self._symbol(s, "", APART) for s in found))

    def _symbol(self, s: Expr, before: str, after: str) -> Expr:
        import sympy

        own = str(s.base)
        name = f"{before}{own}{after}"
        if name in self._taken:
            raise NotReadable(f"{name} would stand for two things")
        if after or own in self._vectors:
            self.vectors.setdefault(name)
            return sympy.Symbol(name, real=True)
        signs = {"positive": s.is_positive, "nonnegative": s.is_nonnegative}
        known = next((word for word, holds in signs.items() if holds), "real")
        return sympy.Symbol(name, **{known: True})


def _weights(claim: Claim) -> Expr | None:
    """What the clients have that is not negative and has sum one, by the hypotheses."""
    import sympy

    k, count = client_symbol()
    gaps = {sympy.expand(h.expr) for h in claim.hypotheses}
    for e in said(claim):
        for total in sorted(e.atoms(sympy.Sum), key=str):
            body = total.function
            whole = isinstance(body, sympy.Indexed) and total.limits == (sympy.Tuple(k, 1, count),)
            if whole and body.is_nonnegative and {total - 1, 1 - total} <= gaps:
                return body.base
    return None
