"""Certify: a library of exact proofs that knows no statement.

In comes a claim in symbols with its hypotheses; out comes a document that says every step, which
``checker`` alone accepts or refuses: it uses the standard library, and nothing of the search.

From below: ``algebra`` (polynomials, quotients, sums over clients), ``prover`` (scalar claims),
``gram`` (claims in inner products, by semidefinite programmes), ``worst_case`` (averaging steps
over smooth functions, on gram), ``coq`` and ``explain`` (a document in the words of Coq, and in
those of people, on the checker).

Examples
--------
>>> import sympy
>>> from verify.certify.checker import accepts
>>> from verify.certify.prover.prove import certify_written
>>> a, b = sympy.symbols("a b", real=True)
>>> certificate, document = certify_written(2 * a * b, a**2 + b**2, "<=")
>>> certificate.claim, accepts(document)
('2*a*b <= a**2 + b**2', True)
"""
