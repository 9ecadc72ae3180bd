"""Programs on numbers: any number of clients, read from a few that are written out.

In comes a statement on numbers; out come sets of claims with single clients ``x_0`` and any of the
others ``x[k]``.  Its files in order: ``reading`` (the program run on symbols), ``agreement`` (is
that what it says in other numbers of clients), ``sizes`` and ``shares`` (lengths, dimensions, parts
of one), ``groups`` (shapes that one reading stands for), ``lowering`` (conditions and extremes as
symbols with facts), ``cases`` and ``attained`` (one claim for each answer), ``sets``.

Examples
--------
>>> from bounds import generic as xp
>>> from verify import Real, numbers, statement
>>> @statement("my.bound", family=numbers({"r": Real(0, 1, per=("N",))}, {"N": 2}, {"N": 3}))
... def bound(w):
...     return {"one": w.r[..., 0]}, {"all": xp.total(w.r)}
>>> from verify.reading.clients.reading import read_clients
>>> print(read_clients(bound, {"N": 2}, "N", leads=1, sizes={}).right[()])
r[i0_] + Sum(r[k], (k, 1, N))
"""
