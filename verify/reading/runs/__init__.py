"""Programs about runs of a method on smooth losses: claims about any numbers.

In comes a statement about rounds of a method; out come sets of claims in which models, slopes and
losses are symbols, related by what smoothness says.  Its files in order: ``parts`` (names, and
numbers in place of squared sums), ``rules`` (what a method's rule says of a round), ``forms``
(extremes and ranges), ``world`` (losses known where they are looked at), ``reading``, ``agreement``
(is that what exact runs give), ``steps`` and ``pairs`` (short claims that long ones rest on),
``claims``.

Examples
--------
>>> from verify.reading.runs.parts import name_after
>>> name_after("server", 1, rounds=2), name_after("server", 2, rounds=2)
('server_after_1', 'server_at_the_end')
"""
