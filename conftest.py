"""Names the pytest plugin, bounds the threads, hears Ctrl-C, and fixes Hypothesis' profile."""

from __future__ import annotations

import os
import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell makes what it puts behind an ampersand deaf, and some tests press Ctrl-C themselves
    signal.signal(signal.SIGINT, signal.default_int_handler)

for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # before numpy and torch start their pools

from algorithms.engine.kernels import pin  # noqa: E402

pin()  # the same for their kernels

from hypothesis import settings  # noqa: E402

pytest_plugins = ["verify.pytest_plugin"]

# a first torch import takes seconds; on a build machine (CI is set) examples are the same each time
CI = bool(os.environ.get("CI"))
settings.register_profile("fedassay", deadline=None, derandomize=CI, max_examples=50)
settings.register_profile("many", deadline=None, max_examples=1000)  # --hypothesis-profile=many
settings.load_profile("fedassay")
