"""Proof: whole theorems from named facts, written beside the theorem in a dozen lines.

In comes an outline: quantities, facts by named rules, steps, how they close, the claim.  Out comes
a document that ``checker`` accepts as a whole or refuses, with the standard library alone.

From below: ``term``, ``entries``, ``reader`` (formulas as polynomials in numbers and products of
two vectors; to be replaced by `verify.terms` when that is there), ``facts`` (one kind of assumption
a file), ``schemas`` (one a file), ``checker`` (a document), ``outline`` (what an author writes, and
the search for certificates), ``bridge`` (facts and readings held to exact runs), ``controls``
(negative controls), ``shown``, ``scope`` and ``explain`` (for readers), ``coq`` (schemas as lemmas,
outlines as theorems).

What is trusted: ``checker``, ``reader``, ``entries``, ``term``, ``facts``, ``schemas`` and
`verify.certify.checker`.  A document says nothing of the world: that the facts hold of a method is
what ``bridge`` tries on exact runs, and what its readers judge by the rules' words.

Examples
--------
>>> from verify.proof.outline import Outline
>>> o = Outline("gradient descent does not rise")
>>> o.indices("t")
>>> o.numbers("positive", "L", "eta")
>>> o.vectors("w[t]", known="t")
>>> o.function("F")
>>> o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*grad(F, w[t])")
>>> o.fact("smooth", "smooth", f="F", L="L", at="w[t]", to="w[t + 1]")
>>> o.given("eta <= 1/L")
>>> o.claim("F(w[t + 1]) <= F(w[t]) - eta/2*grad(F, w[t])**2")
>>> o.step("descent", "F(w[t + 1]) <= F(w[t]) - eta/2*grad(F, w[t])**2", "smooth; eta <= 1/L")
>>> from verify.proof.scope import scope
>>> scope(o.proved())
'all L-smooth F; for eta <= 1/L; any dimension and start'
"""
