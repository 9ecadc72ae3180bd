"""Programs about clients that train in groups: claims about any smooth losses, any groups.

In comes a statement about means over runs that it makes itself, of clients that each keep a model
and take a step along the mean gradient of their group; out come sets of claims about one client in
one epoch, of which the losses are known by what is assumed of them: smoothness, similarity, noise
of mean zero.  Its files in order: ``names`` (of what is known of a client in an epoch), ``world``
(a run known where it is looked at), ``reading`` (both sides after some epochs, a client's part),
``epochs`` (what the sides are after any number), ``claims``, ``falling`` (the same of steps that
fall), ``pairs`` (of two clients), ``moves`` (of the last epoch, whatever was before), ``exact``
(exact runs), ``agreement``, ``pair_agreement`` and ``move_agreement`` (is all of that what they
give), ``sets``.

Examples
--------
>>> from verify.reading.groups.names import moved, value_at
>>> value_at(0), moved(value_at(0), 3)
(value0, value3)
"""
