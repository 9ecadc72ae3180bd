"""Reading: a statement's program becomes claims in symbols.

In comes a statement; out come sets of claims, each set by itself what the statement says at each
point.  A program that has no form in symbols is refused (`NotReadable`); formulas count only where
they give what the program gives in exact numbers.  From below:

1. ``parts``: claims, symbols, values of formulas, refusals, and numbers in place of parts.
2. ``clients``: programs on numbers, with any number of clients, sizes and coordinates.
3. ``classes``: any function of a class.
4. ``claim_sets``: one reader for all of them.

Examples
--------
>>> from bounds import generic as xp
>>> from verify import Real, numbers, statement
>>> @statement("my.bound", family=numbers({"r": Real(0, 1, per=("N",))}, {"N": 2}, {"N": 3}))
... def bound(w):
...     return {"one": w.r[..., 0]}, {"all": xp.total(w.r)}
>>> from verify.reading.claim_sets import claim_sets
>>> for label, claim, _ in next(claim_sets(bound)):
...     print(label, claim.left, claim.relation, claim.right)
{'N': 'any', 'singled out': 1} r_0 <= r_0 + Sum(r[k], (k, 1, N))
"""
