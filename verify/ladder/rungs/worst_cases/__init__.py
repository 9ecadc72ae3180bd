"""The worst case of a claim over all functions of its class, or over all vectors.

At numbers for its parameters a claim whose sides are linear in inner products and values is a
semidefinite programme.  In comes a statement; out come instances of its family on which it is as
tight as it can be, for the referee to judge.

Order of the files: ``met`` (losses of which only the class is known), ``compared`` (both sides,
place by place), ``asked`` (the claim at numbers), ``values`` (a worst case as parameters of the
family), ``climbing`` (which numbers), ``symbolic`` (the claim for all numbers, for the prover),
``fitted`` (functions through values), ``squares`` (what a proof lacks, from exact certificates).

Examples
--------
>>> from verify.ladder.rungs.worst_cases.climbing import WorstCases
>>> from verify.line import one_line
>>> line = "norm(x - h*v)**2 <= 3*norm(x)**2 for h in (0, 1), vectors x, v given norm(v) <= norm(x)"
>>> cases = WorstCases(one_line(line, "my.step"), seed=0, programmes=40)
>>> for spot in cases.spots():
...     print(round(spot.ratio, 4))
0.75
1.3333
"""
