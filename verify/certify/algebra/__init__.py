"""Exact algebra that proofs are made with: polynomials, quotients, sums over clients.

In come expressions of sympy, out come polynomials with rational coefficients whose variables are
atoms: symbols, sums over clients, roots.

Order of the files: ``ratios`` and ``quotients`` (cancelling), ``formal_sums`` (any number of
clients), ``facts`` (polynomials with a sign), ``packed`` (many products), ``squares`` (what may
complete one), ``points`` (where facts hold with a margin), ``elimination`` (exact rounding),
``solvers`` (the two in floats, whose answers only propose), ``boxes`` (variables in intervals),
``square_blocks`` (monomials of sums of squares), ``conic_solver`` (one call, whatever it stops
with), ``semidefinite`` (their programme in floats), ``exact_squares`` (its answer rounded).

Examples
--------
>>> from verify.certify.algebra.facts import square
>>> fact = square({(1, 0): 1, (0, 1): -1}, ("a", "b"))
>>> print(fact.name, {power: int(c) for power, c in fact.polynomial.items()})
(a - b)**2 {(0, 2): 1, (1, 1): -2, (2, 0): 1}
"""
