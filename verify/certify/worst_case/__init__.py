"""Worst cases over classes of functions: proofs and matching instances of an averaging step.

In comes a step with rational constants (smoothness, weights, errors); out comes the largest value
that it can reach, proved by a Gram certificate, and an instance that reaches it.

Order of the files: ``step`` (the step and its programme), ``instance`` (functions that attain the
bound), ``frontier`` (the longest step for which a bound is true).

Examples
--------
>>> from fractions import Fraction
>>> from verify.certify.worst_case.frontier import stated_limit
>>> from verify.certify.worst_case.step import AveragingStep
>>> half, zero = Fraction(1, 2), Fraction(0)
>>> step = AveragingStep(
...     beta=Fraction(4), mu=zero, step=half, weights=(half, half), bias=(zero,), slope=(zero,)
... )
>>> str(stated_limit(step))
'1/4'
"""
