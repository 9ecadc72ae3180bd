"""Programs on numbers that go through their rounds one by one: claims about any number of rounds.

In comes a statement whose program calculates what a run gives, exact moments say, round by round;
out comes one set of claims in which no round is left.  Its files in order: ``counts`` (a number
of rounds that counts and is a symbol), ``fitted`` (which powers a few numbers are made of),
``closed`` (the formula after any number of rounds),
``parts`` and ``names`` (symbols for logarithms and the like, for sums over clients), ``reading``
(both sides, held to the program), ``cases`` (which of two values is the smaller one), ``points``
(where inequalities are looked at before they are claimed), ``bases`` (powers and exponentials),
``forms`` and ``ends`` (a gap by its coefficients), ``claims``, ``sets``.

Examples
--------
>>> import sympy
>>> from verify.reading.loops.closed import RoundPowers, closed
>>> a, K = sympy.symbols("a K", positive=True)
>>> closed([a, a**2, a**3, a**4], K, RoundPowers())
power_0
"""
