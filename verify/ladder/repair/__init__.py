"""Repair: what is wrong with a claim that fell, and its smallest mends.

In come the climbs of a broken claim; out come its flaws in the order found, each with the mend that
removes its witness, and one sentence with which changes the claim stood in a search of its own.

Order of the files: ``tuning`` (all numbers), ``mends`` (a change of a right side as a claim),
``candidates`` (those that are tried, simple ones first), ``mending`` (which is the smallest, on a
sample), ``flaws`` (mend, climb again, and so on).

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
