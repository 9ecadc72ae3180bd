"""Programs about how far local models are from the server's average of them, in runs of FedBC.

In comes a statement about a run of any length, of any number of clients of which any number are
averaged while all compute; out come sets of claims about two clients in one round, whose losses are
known by what is assumed of them.  Its files in order: ``names`` (of what is known of a round),
``world`` (a run known where it is looked at), ``reading`` (what is averaged and its bound),
``exact`` (runs at a random point), ``agreement`` (is all of that what they give), ``claims``,
``sets``.

Examples
--------
>>> from verify.reading.consensus.names import MODEL, NamedRound
>>> NamedRound(0, 1).names["model"], MODEL
('model0_2', model)
"""
