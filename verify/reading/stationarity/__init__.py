"""Programs about the slope of the mean loss at the server's models, in the mean over rounds.

In comes a statement about runs of FedBC from a common start, of any length and any number of
clients; out come sets of claims about one round, and about the sum over all of them.  Its files in
order: ``world`` (a run known where it is looked at), ``reading`` (the bound, and how it depends on
the number of rounds), ``agreement`` (is all of that what exact runs give), ``claims``, ``sets``.

Examples
--------
>>> from verify.reading.stationarity.world import known_at
>>> known_at("slope", "server0_1")
slope_of_server0_1
"""
