"""Programs about every function of a class: claims about points, gradients and values.

In comes a statement over `verify.claim.functions.functions`; out comes one set of claims whose
hypotheses are the interpolation conditions of the class.  Its files in order: ``world`` (a loss
known where it is met), ``apart`` (clients' losses, means over them), ``means`` (noise: means as
inner products), ``given`` (hypotheses at each point), ``agreement`` (is that what the statement
gives), ``least`` and ``factors`` (parts of a bound), ``claims`` (the reading), ``rounds`` (any
number of them), ``sets``.

Examples
--------
>>> import sympy
>>> from verify.reading.classes.world import MetLoss
>>> L, x = sympy.symbols("L x", positive=True)
>>> MetLoss(L, -L, 0 * L).at(x)
Met(x=x, g=g_0, f=f_0)
"""
