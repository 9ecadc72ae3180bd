"""Bounds in fractions: an upper one with a certificate, a lower one with an instance.

In comes a programme with its optimum in floats. ``dual`` with ``faces`` and ``exact_proof`` makes
an exact upper bound of the multipliers; ``primal`` with ``equations`` and ``data`` an exact
instance, whose functions ``explicit`` writes out.
"""
