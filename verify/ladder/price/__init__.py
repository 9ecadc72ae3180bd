"""The price of ``holds``: what a claim must survive, or lose, after its climb.

In comes the pool of a claim that no witness has broken; out comes evidence that hypotheses, terms
and mutants would have been found out, and which terms nothing needs.

Order of the files: ``tuning`` (all numbers), ``changed_claims`` (claims made of a claim),
``trials`` (how one is tried), ``hypotheses`` (each broken alone), ``sides`` (do they say
anything?), ``tautologies`` (or are they true whatever they are about?), ``terms`` (which are
needed), ``standing`` (do-nothing bounds), ``controls`` (is it about its method?), ``constants``
(what may stand in place of an order), ``mutants`` and ``power`` (could a falser claim have been
told?), ``earned`` (what is paid last, in order).

Examples
--------
>>> import numpy as np
>>> from verify import Real, numbers, statement
>>> from verify.ladder.price.changed_claims import without
>>> from verify.world.score import score
>>> @statement("my.bound", family=numbers({"x": Real(0, 2), "y": Real(0, 2)}))
... def bound(w):
...     return {"x": w.x}, {"x": w.x, "spare": w.y}
>>> smaller = without(bound, {"spare"})
>>> batch = bound.family.instance({"x": np.ones(1), "y": np.ones(1)}, {})
>>> sorted(score(smaller, batch).terms[1])
['x']
"""
