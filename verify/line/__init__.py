r"""A claim in one line of text, made into the same record as any other statement.

In comes ``"5*x*y <= (x+y)**2 for x, y >= 0"``, out goes a :class:`verify.claim.statement.Statement`
or the file that one would have written by hand.  The order of the files:

1. ``grammar``  formulas in plain text and TeX as syntax trees
2. ``pieces``   relations and formulas that stand in a piece of the line
3. ``cut``      the line is cut into its claim, its ranges (``for``) and hypotheses (``given``)
4. ``ranges``   each symbol gets its range: numbers, integers, vectors, one entry per index
5. ``drawn``    random variables, and ``moments``: means of normal ones written out
6. ``parts``    all that a line says, as data; what it leaves in doubt is refused in ``doubts``
7. ``kinds``    what each piece is, a number or a vector, by a list of what is allowed
8. ``program``  the two sides become terms
9. ``solved``   what an equality among the hypotheses says becomes a definition
10. ``made``    the statement; ``record`` its file, printed from the terms; ``written`` either one
11. ``papers``  the results of a LaTeX source as lines, and all of them as one file

Nothing of the line is ever evaluated as it stands: each piece of its syntax tree is one that is
known here, and a name is a symbol of the claim or refused.

>>> from verify.line import one_line
>>> one_line("4*x*y <= (x+y)**2 for x, y >= 0").latex
'4 x y \\le \\left(x + y\\right)^{2}'
"""

from verify.line.written import module_text, one_line

__all__ = ["module_text", "one_line"]
