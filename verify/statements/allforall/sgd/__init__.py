"""Appendix F: stochastic gradient descent, the lemmas on which the upper bounds rest.

Its files: ``lemma4`` and ``lemmas5_6`` (parabolas and absolute losses, whose moments have a closed
form), ``classes`` (every function of a class, any noise).

Examples
--------
>>> from verify.statements.allforall.sgd.classes import lemma5a_class
>>> lemma5a_class.over, len(lemma5a_class.family.shapes)
('mean', 3)
"""
