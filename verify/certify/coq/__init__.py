"""Written proofs in the words of Coq (8.16 or later), on the checker alone.

In comes a document that the checker accepts; out comes a file that coqc accepts without a search.

Order of the files: ``terms`` and ``vectors`` (expressions), ``statement`` (what is quantified and
assumed), ``facts`` (each rule with its tactic), ``script`` (one proof), ``coordinates`` and
``rounds`` (vectors, inductions), ``prelude`` (what every file starts with), ``document`` (the
file), ``asked`` (what the checker and coqc say of it).

Examples
--------
>>> import sympy
>>> from verify.certify.coq.document import coq_file
>>> from verify.certify.prover.prove import certify_written
>>> x = sympy.Symbol("x", real=True)
>>> text = coq_file({"my.claim": [certify_written(2 * x, x**2 + 1, "<=")[1]]})
>>> [line for line in text.splitlines() if line.startswith("Theorem")]
['Theorem claim_my_claim :']
"""
