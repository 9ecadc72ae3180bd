"""How long a test waits for another process: a guard against hanging, which decides nothing.

What a test says must not depend on what else the machine does.  Where a limit by the clock is
itself what is tested, that is counted in computing time, or nothing else in the test ends in time.
"""

HANGS = 1800.0
"""Seconds: on a free core the longest of these takes a quarter of a minute."""
