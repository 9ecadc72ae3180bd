"""Outlines in the words of Coq (8.16 or later).

``lemmas`` proves each schema once; ``gram`` writes a step in inner products as a claim in numbers,
which `verify.certify.coq` knows how to prove; ``formulas`` translates formulas as they are written;
``theorem`` joins them to one theorem on vectors of any real inner product space.
"""
