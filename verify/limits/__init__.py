"""Two ways to stop a computation: a counter, and under it the clock; and how much is read.

In comes what may be spent, out comes an exception that no ``except Exception`` swallows:
`OutOfEffort` of a counter, `OutOfTime` of the clock.  ``counter`` is what decides, so that a ledger
is the same everywhere; ``clock`` is the net under it, and stops code of others.  A whole process
is killed in `verify.run.workers` alone.  ``ctrl_c`` tells who wants to
stop from code that raises alike; ``files`` counts the bytes of a file before they are read.
``foreign`` holds the blocks in which code, files and solvers of others run.

Examples
--------
>>> from verify.limits.counter import OutOfEffort, metered, spend
>>> with metered(10) as meter:
...     spend(4)
>>> meter.spent
4
"""
