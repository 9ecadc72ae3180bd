"""Claims in inner products: affine forms in function values and the entries of a Gram matrix.

In comes a form that must not be negative with premises on such forms; out comes a
`GramCertificate`: multipliers of the premises and a positive semidefinite matrix, all rational.

Order of the files: ``claim`` (forms, premises, certificates), ``check`` (what a certificate must
meet, over the rationals), ``classes`` (smooth and convex functions as premises), ``floats`` (the
programme for Clarabel), ``solve`` (its answer rounded exactly), ``roots`` (squares that the scalar
prover asks for).

Examples
--------
>>> from fractions import Fraction
>>> from verify.certify.gram.check import is_semidefinite
>>> is_semidefinite([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(1)]])
True
"""
