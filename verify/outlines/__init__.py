"""Outlines beside statements: the proof of a whole theorem, in the words of its paper.

In comes a statement and what its author writes of its proof (`proof_of`); out comes a document of
`verify.proof` whose claim is the statement's own term, or the reason why there is none.

1. ``setting``: the table of notation of some families of instances, and what their runs guarantee.
2. ``plain``: the setting of a statement about numbers and vectors alone; ``exact``: fractions of
   what a world gives.
3. ``registry``: which outline proves which statement.
4. ``converted``: a statement's terms as formulas of the notation.
5. ``written``: what an author adds facts and steps to.
6. ``justified``: no fact but those of the setting and the hypotheses of the statement.
7. ``runs``: notation, facts and steps held to exact runs of the statement's own families.
8. ``proved``: all of it together, for a proof that is looked for and for one that is kept.
9. ``scoped``: for what it is proved, by the facts that were used.

What is trusted, beside the checker: that a line of the table of notation says of any instance what
it says of those that were run.
"""
