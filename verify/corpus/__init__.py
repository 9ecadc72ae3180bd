"""Evidence that is kept from one run to the next, as instances and certificates.

Finding is dear, judging is cheap.  A corpus holds for each leaf the witness, the tightest
instances, those that paid for the word `holds`, and the certificates of its proofs; never a
verdict.  A run scores and checks all of it again (:func:`verify.ladder.assay` with ``kept``): a
witness and a proof count wherever they are from; what came with the package is searched on, beside
a search that sees none of it; else, and where a statement has changed or what is kept does not
suffice, the search is made from nothing.  Wrong, foreign or broken data cost time, never truth.

:mod:`verify.corpus.files` reads and writes the files: one per paper in ``data``, and one beside
the ledger of a user's own statements.  Worked example: ``fedassay check mine.py`` writes
``mine-corpus.jsonl.gz``; the same command again scores the witness of a claim that fell, and
searches no more.
"""
