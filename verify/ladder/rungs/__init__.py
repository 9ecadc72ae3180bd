"""The rungs: each looks at a claim in its own way and gives evidence; then the climb over them.

In comes a statement with a profile; out comes `Evidence`, piece by piece, and at most one witness.

Order of the files: ``tuning`` (all numbers), ``program_check`` (is it a claim about each
instance?), ``given`` (instances of an author), ``worst_cases`` (of a whole class, as semidefinite
programmes), ``units``, ``referee`` (which instances are asked about in exact arithmetic), ``far``
(points far out), ``spots`` (numbers of the program), ``each_size`` (one size after the other),
``certificate`` with ``case_covers`` (proofs), ``proof`` (by an outline where there is one, else a
certificate), ``constants`` (with a number for an order's constant), ``negation`` (that nothing
exists), ``unproved`` (why there is none), ``simulation`` (e-values on samples), ``link`` (a proof
that hypotheses are empty), ``climb`` (all of them in order, cheap and exact first).

Examples
--------
>>> from verify import Real, numbers, statement
>>> from verify.ladder import PROFILES
>>> from verify.ladder.rungs.climb import Climb
>>> @statement("my.bound", family=numbers({"x": Real(0, 2), "y": Real(0, 2)}))
... def bound(w):
...     return {"square": (w.x + w.y) ** 2}, {"squares": w.x**2 + w.y**2}
>>> for item in Climb(bound, PROFILES["quick"], seed=0, device="cpu").searched():
...     print(item.rung, item.status, item.summary)
exact decided an instance breaks the claim: left 4, right 2 in rational arithmetic
"""
