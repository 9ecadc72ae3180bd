"""What a hand computation of a witness is made of: federation, rounds, formulas, short numbers.

A claim's own program is run once more on numbers that remember how they were made
(:mod:`~verify.ledger.by_hand.shown`), in a world whose symbols bear the names of the paper
(:mod:`~verify.ledger.by_hand.told`).  So each term comes out as a formula in these symbols.
:mod:`~verify.ledger.by_hand.federation` writes the problem, the noise and the method's rule as
formulas, :mod:`~verify.ledger.by_hand.rounds` the run round by round, and
:mod:`~verify.ledger.by_hand.mechanism` says in a sentence what makes the two sides part.
"""
