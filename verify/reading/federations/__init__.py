"""Programs about runs of All-for-one: claims about any losses that meet the assumptions.

In comes a statement about means over the runs of a method that weighs the clients' gradients by
their similarity; out come sets of claims about one round, with any number of clients, of which the
losses are known by what is assumed of them: smoothness, similarity, the Polyak-Lojasiewicz
inequality, noise of mean zero.  Its files in order: ``places`` (names of what is known), ``world``
(losses known where they are looked at), ``rule`` (what the weights are), ``reading`` (both sides
after some rounds), ``sums`` (names for sums over clients), ``rounds`` (what the sides are after any
number), ``sizes``, ``averages`` (the same of decreasing steps, of averages), ``limits``,
``weights`` (claims about the weights), ``claims`` (about a round), ``fixed``, ``at_place`` (of
given weights, of one place), ``exact``, ``agreement`` (is all of that what exact runs give),
``steps`` (a round with given weights, in vectors), ``sets``.

Examples
--------
>>> from verify.reading.federations.places import value_at
>>> value_at(0), value_at(3)
(value0, value3)
"""
