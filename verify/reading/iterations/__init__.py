"""Programs about one iteration of runs with local steps: claims about any losses.

In comes a statement about means over the runs of a method whose clients take local steps and are
averaged under weights, or about every outcome; out come sets of claims about one iteration,
wherever in a round, or about any number of them, with any number of clients and of local steps.
Its files in order: ``names`` (of what is known), ``counts`` (numbers that count and are symbols),
``world`` (losses known where they are looked at), ``draws`` (means over outcomes and clients),
``shares`` (of single clients), ``reading`` (both sides and the hypotheses), ``claims`` (what
follows from the assumptions), ``rounds`` (where more is known when a round begins), ``falling`` and
``falling_rounds`` (the same with steps that fall over the time), ``many`` (what one iteration hands
on to the next), ``exact`` and ``agreement`` (is all of that what exact runs give), ``sets``.

Examples
--------
>>> from verify.reading.iterations.counts import CountedSteps
>>> import sympy
>>> steps = CountedSteps(3, sympy.Symbol("E"))
>>> 7 // steps, (steps - 1).formula
(2, E - 1)
"""
