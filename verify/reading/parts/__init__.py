"""What all readers use: they know no program but by what it gives.

In come parameters, formulas and claims; out come symbols, values and claims that are easier to
prove. Its files in order: ``refusals`` (what is not readable, and what is a fault), ``symbols``
(parameters as symbols), ``quotients`` (rational functions as polynomials of flint), ``values``
(formulas held to a program at random rational points), ``claim`` (a claim as it was read, and sets
of them), ``equalities`` (hypotheses that say that two numbers are equal), ``draws`` (sums over
clients as means over one that is drawn), ``squares`` (those that may help a proof), ``power_parts``
and ``free_parts`` (numbers in place of exponentials, and of what else a claim is made of).

Examples
--------
>>> import sympy
>>> from verify.reading.parts.values import Formulas
>>> x = sympy.Symbol("x", real=True)
>>> Formulas({}).at(x**2 + 1, {}, {("x", ()): 3})
Fraction(10, 1)
"""
