"""Programs about walks towards a minimum: claims about any number of rounds.

In comes a statement on numbers that makes walks of its own, each from a start with steps of one
length, and speaks of how far from the minimum they are in the mean; out comes one set of claims
in which no round is left.  ``reading`` (a walk of which only the mean distances are known),
``agreement`` (is that what exact walks give), ``claims``, ``sets``.
"""
