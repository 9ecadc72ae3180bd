r"""Formulas in plain text and TeX as syntax trees.

1. ``signs``      one spelling for each sign, with the places of the typed line
2. ``tokens``     the signs of a formula
3. ``names``      what a word is: a symbol, or symbols beside each other
4. ``lookahead``  what begins with the next token
5. ``fences``, ``over``, ``functions``, ``subscripts``, ``words``: brackets and bars, sums,
   functions, what stands below a symbol, symbols
6. ``powers``     what stands behind a factor
7. ``reader``     sums and products of these, with ``cursor``, where the reading stands
8. ``refused``    what cannot be read: the place, and what to write instead
"""
