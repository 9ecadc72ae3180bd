"""A written proof as numbered lines of mathematics, in plain text or in TeX.

In comes a document that the stand-alone checker accepts; out come lines: what is claimed, under
which hypotheses, what is written for what, each fact with the rule by which it follows, and the sum
that ends the proof.  Every line is made of entries that the checker reads: a document that it
refuses is not explained, and words that it does not read (names of hypotheses, of statements) are
not repeated.

Order of the files: ``formulas`` (one expression), ``facts`` (one fact and its reason), ``steps``
(one proof), ``documents`` (claims, cases, inductions, worst cases over a class).

Examples
--------
>>> import sympy
>>> from verify.certify.explain.documents import explained
>>> from verify.certify.prover.prove import certify, written_out
>>> x = sympy.Symbol("x", real=True)
>>> claim = (2 * x, x**2 + 1, "<=")
>>> for line in explained(written_out(certify(*claim), *claim, [])):
...     print(line)
Claim: 2*x <= x^2 + 1.
For real x.
(1) x^2 - 2*x + 1 >= 0  [a square, (x - 1)^2]
(2) 2*x <= x^2 + 1  [add (1): identically (right - left)]
"""
