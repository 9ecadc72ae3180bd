"""The prover: scalar claims with symbolic parameters and any number of clients.

In come both sides of a claim and its hypotheses; out comes a `Certificate`, a weighted sum of
products of facts that is a contradiction if the claim is false, and the same as a document.

Order of the files: ``record`` and ``text`` (certificates, for people), ``accepted`` and ``check``
(what is asked of one), ``kept`` (answers given before), ``known_facts``, ``sampled``,
``one_client`` (facts and what is tried of them), ``multipliers``, ``refutation``, ``reduced_claim``
(the search for weights), ``square_stages``, ``sums_of_squares`` (what is tried after it),
``deduction`` (one claim), ``explicit`` (written out), ``prove`` (the way
in), ``lifting`` (from the line to vectors), ``induction`` (rounds).

Examples
--------
>>> import sympy
>>> from verify.certify.prover.prove import certify
>>> x = sympy.Symbol("x", real=True)
>>> certify(2 * x, x**2 + 1, "<=").products
(('1', ('not the claim',)), ('1', ('(x - 1)**2',)))
"""
