"""Terms: what a statement says, as data.

In comes a statement; its functions are called once on traced quantities, and what they do is
written down.  From then on the terms are evaluated, and the functions are not called again.

1. ``node``: an operation and what it is applied to.
2. ``traced``, ``world``: arrays, sizes and records that write down what is done with them.
3. ``trace``: the terms of a statement; ``refusals``: what a term cannot say.
4. ``vocabulary``: quantities that are measured on a run or a problem, and that terms name.
5. ``values``: the value of a term in a world, in floats, fractions, balls or symbols.
6. ``uniform``: whether terms that are read at a few sizes say what they say at every size.
7. ``claims``: the statement with its terms in the place of its functions.
8. ``direct``: terms made by themselves, as a line is read, and such a term as a program.
9. ``formula``: a term as the tree of a formula, with an index for each axis, or with its numbers;
   ``text`` and ``tex`` write such a tree, ``printed`` all of a statement.

Examples
--------
>>> from bounds import generic as xp
>>> from verify import Real, numbers, statement
>>> @statement("my.bound", where="here", latex="x", family=numbers({"x": Real(0, 1)}))
... def bound(w):
...     return {"square": w.x**2}, {"x": w.x}
>>> from verify.terms.claims import terms_of
>>> terms_of(bound).claims[0].left
{'square': operator(**, symbol(x), constant(2))}
"""
