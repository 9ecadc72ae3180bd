"""Repair: what is true instead of a claim that fell.

In come the climbs of a broken claim; out come the laws by which its worst ratio grows, and mended
claims that are proved or hold by a climb of their own.

Order of the files: ``tuning`` (all numbers), ``mends`` (a change of a claim as a claim),
``monomials`` and ``powers`` (products of powers, one and all of them), ``candidates`` (mends that
are tried, simple ones first), ``fitted`` (those that are read off the sample), ``conditions``
(hypotheses that are), ``mending`` (which is the smallest, on a sample), ``recipes`` (mends as plain
data), ``repairs`` (candidate, climb, counterexample, and so on); ``fit`` (the law of a few values),
``ladders`` and ``rays`` (the values), ``effort`` (what a size takes), ``laws`` (which of them
grow), ``alone`` (laws of one number that moves by itself), ``again`` (a printed law, measured
again), ``held`` (a mended claim at all known places); ``best_constant`` (the least factor of the
right side that suffices).

Examples
--------
>>> from fractions import Fraction
>>> import numpy as np
>>> from verify import Real, numbers, statement
>>> from verify.ladder.repair.mends import mended, scaled_term
>>> from verify.world.score import score
>>> @statement("my.bound", family=numbers({"x": Real(0, 2), "y": Real(0, 2)}))
... def bound(w):
...     return {"square": (w.x + w.y) ** 2}, {"squares": w.x**2 + w.y**2}
>>> twice = scaled_term("", Fraction(2))
>>> print(twice)
2 times the right side
>>> batch = bound.family.instance({"x": np.ones(1), "y": np.ones(1)}, {})
>>> float(score(bound, batch).ratio[0]), float(score(mended(bound, [twice]), batch).ratio[0])
(2.0, 1.0)
"""
