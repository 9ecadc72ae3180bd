r"""Formulas in plain text and TeX as syntax trees.

1. ``signs``      one spelling for each sign, with the places of the typed line
2. ``tokens``     the signs of a formula
3. ``names``      what a word is: a symbol, or symbols beside each other
4. ``lookahead``  what begins with the next token
5. ``fences``, ``over``, ``functions``, ``words``: brackets and bars, sums, functions, symbols
6. ``reader``     sums, products and powers of these
7. ``refused``    what cannot be read: the place, and what to write instead
"""
