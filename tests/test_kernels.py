"""The command line and the tests ask for kernels that every x86-64 processor with AVX2 has."""

import json
import os
import subprocess
import sys

import pytest

from algorithms.engine import kernels
from verify.catalogue.version import environment

HAS_AVX2 = {"avx2", "fma"} <= kernels._flags()
AVX512 = "avx512f" in kernels._flags()

LOADED = """
import hashlib
import json
import numpy as np
import scipy.linalg
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from threadpoolctl import threadpool_info
np.ones((2, 2)) @ np.ones((2, 2))
values = np.random.default_rng(0).uniform(0.1, 5, 2001)
print(json.dumps({
    "numpy": [name for name in __cpu_dispatch__ if __cpu_features__[name]],
    "blas": sorted({m["architecture"] for m in threadpool_info() if "architecture" in m}),
    "digits": hashlib.sha1(np.exp(values).tobytes() + (values**1.7).tobytes()).hexdigest(),
}))
"""


def _run(code: str, **variables: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name not in kernels.PINNED}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=clean | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ImportWarning" not in done.stderr
    return done.stdout


@pytest.mark.skipif(not HAS_AVX2, reason="needs a processor with AVX2")
def test_the_command_line_loads_the_avx2_kernels():
    found = json.loads(_run("import verify.cli\n" + LOADED))
    assert found["numpy"] == ["X86_V3"]
    assert found["blas"] == ["Haswell"]


@pytest.mark.skipif(not HAS_AVX2, reason="needs a processor with AVX2")
def test_the_bench_shows_what_the_processor_can_do():
    said = "from algorithms.engine.kernels import kernels; print(kernels())"
    for argument, expected in (("bench", "the processor's own"), ("run", "AVX2")):
        set_up = f"import sys; sys.argv = ['fedassay', {argument!r}]; import verify.cli\n"
        assert _run(set_up + said).strip() == expected


@pytest.mark.skipif(not AVX512, reason="needs a processor with AVX-512")
def test_without_it_a_processor_with_avx512_takes_other_kernels_and_gives_other_digits():
    free, pinned = json.loads(_run(LOADED)), json.loads(_run("import verify.cli\n" + LOADED))
    assert "X86_V4" in free["numpy"]
    assert free["blas"] != ["Haswell"]
    assert free["digits"] != pinned["digits"]


ASKED = """
import sys
from algorithms.engine.kernels import kernels, pin
{before}
pin({flags})
print(kernels())
"""


def _asked(flags: str, before: str = "", **variables: str) -> str:
    return _run(ASKED.format(before=before, flags=flags), **variables).strip()


def test_the_kernels_are_asked_for_where_the_processor_has_them():
    assert _asked("{'avx2', 'fma', 'avx512f'}") == "AVX2"


def test_a_processor_without_them_keeps_its_own():
    assert _asked("{'avx2'}") == "the processor's own"
    assert _asked("set()") == "the processor's own"


def test_once_numpy_is_loaded_nothing_is_asked_for():
    assert _asked("{'avx2', 'fma'}", before="import numpy") == "the processor's own"


def test_an_older_numpy_keeps_its_own():
    older = "import algorithms.engine.kernels as k; k.NUMPY = (99, 0)"
    assert _asked("{'avx2', 'fma'}", before=older) == "the processor's own"


def test_a_variable_that_is_set_stays_and_is_reported():
    said = _asked("{'avx2', 'fma'}", OPENBLAS_CORETYPE="SkylakeX")
    assert "OPENBLAS_CORETYPE=SkylakeX" in said
    assert "NPY_DISABLE_CPU_FEATURES=X86_V4" in said


def test_a_ledger_says_which_kernels_were_asked_for():
    assert environment("cpu")["kernels"] == kernels.kernels()
