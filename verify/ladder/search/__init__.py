"""The search: instances on which left/right is large while every hypothesis holds.

In comes a statement with a budget of evaluations; out come hits for the referee, and a `Pool` that
remembers the tightest instances, a few scored batches, and a tally of what was met.

Order of the files, from below: ``tuning`` (all numbers), ``curves`` (points moved onto equalities),
``tally`` and ``pool`` (what is remembered), ``goal`` (what is maximised), ``points`` and ``starts``
(where a search begins), ``optima``, ``ascent``, ``alone`` (one parameter after the other) and
``evolution`` (how it climbs), ``hunt`` (one shape), ``sizes`` (shapes that grow), ``plan`` (a whole
claim), ``enough`` (shapes in which few instances were met), ``small`` (a changed claim), ``seeds``
(what is left for a later search), ``rays`` and ``growth`` (claims up to a constant), ``shrink``
(rounder numbers).

Examples
--------
>>> import numpy as np
>>> from verify import Real, numbers, statement
>>> from verify.ladder.search.hunt import Hunt, look
>>> from verify.ladder.search.pool import Pool
>>> from verify.world.noise_plan import AllOutcomes
>>> @statement("my.bound", family=numbers({"x": Real(0, 2), "y": Real(0, 2)}))
... def bound(w):
...     return {"square": (w.x + w.y) ** 2}, {"squares": w.x**2 + w.y**2}
>>> pool = Pool(bound, AllOutcomes())
>>> hits = list(look(Hunt(pool, {}, np.random.default_rng(0)), 64))
>>> round(float(pool.tops[0].ratio), 6), {name: float(x) for name, x in pool.tops[0].values.items()}
(2.0, {'x': 1.0, 'y': 1.0})
"""
