"""Committed data do not depend on the processor: checked with the sums of another one's kernels."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from figures import many, runner
from figures.fedbc import fig_fedbc
from figures.places import Place, lacking, select
from verify.cli.figures import every_figure

OLD = "Prescott"
"""A processor that every x86-64 one can stand in for, whose kernels add in another order."""
DIGEST = """
import numpy as np
x = np.random.default_rng(1).normal(size=(200, 37))
sys_ = x.T @ x
print(np.float64(np.linalg.solve(sys_, x[0]).sum() + (x @ sys_).sum()).hex())
"""
AFFECTED = ("hcct", "clusters", "fedbc")
"""Figures whose data once were another processor's: a mean without direction, a band of zero, a
chaotic run."""


def there(name: str) -> Place:
    (found,) = select([name], every_figure())
    return found


def said(*command: str, **changed: str) -> tuple[int, str]:
    """Exit status and output of a Python process whose environment is changed like that."""
    kept = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    made = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        env={**kept, **changed},
        check=False,
    )
    return made.returncode, made.stdout + made.stderr


@pytest.mark.slow
def test_figures_agree_on_another_processors_kernels() -> None:
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("the kernels named are those of x86-64")
    here, other = said("-c", DIGEST), said("-c", DIGEST, OPENBLAS_CORETYPE=OLD)
    assert here[0] == other[0] == 0
    if here == other:
        pytest.skip(f"numpy's BLAS does not honour OPENBLAS_CORETYPE={OLD}")
    command = ("-m", "verify.cli", "figures", *AFFECTED, "--check", "--jobs", "1")
    status, text = said(*command, OPENBLAS_CORETYPE=OLD)
    assert status == 0, text
    assert "0 of 3 differ" in text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("DUAL_STEP", 0.95), ("SPREAD", 0.31)])
def test_a_wrong_step_and_another_federation_are_refused(
    name: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative control: also at the two tolerances alone whose runs are chaotic."""
    committed = runner.stored(there("fedbc"))
    committed.pop(runner.SECONDS)
    wanders = committed["wanders"]
    assert 0 < wanders.sum() < 4
    monkeypatch.setattr(fig_fedbc, name, value)
    new = fig_fedbc.compute("quick")
    curves = set(fig_fedbc.CHAOTIC)
    alone = {
        key: np.where(wanders, new[key], committed[key]) if key in curves else committed[key]
        for key in committed
    }
    for data in (new, alone):
        found = runner.differences(
            "fedbc", data, committed, fig_fedbc.TOLERANCES, fig_fedbc.CHAOTIC
        )
        assert {one.array for one in found} >= {"local", "server", "gain"}


def test_chaos_is_small_beside_the_bands_and_one_band_away_is_refused() -> None:
    data = runner.stored(there("fedbc"))
    data.pop(runner.SECONDS)
    for key in ("local", "server", "gain"):
        error, wander = data[f"{key}_error"], data[f"{key}_wander"]
        assert ((wander > 0) == data["wanders"]).all()
        assert (wander <= error / 10).all()
        for place in np.flatnonzero(wander):
            new = {**data, key: data[key] + error * (np.arange(len(error)) == place)}
            found = runner.differences("fedbc", new, data, fig_fedbc.TOLERANCES, fig_fedbc.CHAOTIC)
            assert [one.array for one in found] == [key]


def test_of_runs_at_one_place_the_band_is_zero() -> None:
    band = runner.stored(there("clusters"))["band"]
    assert band[0] == 0
    assert band[1:].min() > 1e-6  # far above what is allowed beside a hundredth


def test_one_group_of_all_has_no_direction() -> None:
    """Gradients at the common minimiser add up to zero: the trade-off alone is left."""
    utility = runner.stored(there("hcct"))["utility"]
    assert utility[0] == pytest.approx(-1.0, abs=1e-12)


def in_groups() -> list[str]:
    """All figures; those of the same runs after one another."""
    return [place.name for task in many.groups(every_figure()) for place in task]


@pytest.mark.slow
@pytest.mark.parametrize("name", in_groups())
def test_committed_data_are_those_of_this_code(name: str) -> None:
    if lacking(there(name)):
        pytest.skip(f"needs {lacking(there(name))}")
    assert runner.check(there(name)) == []
