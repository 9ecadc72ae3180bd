"""Groups of tasks have the models, sizes and ratios that they claim."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from synthetic.grouped_tasks import (
    half_normal_sizes,
    rotated_regressions,
    three_clients,
)


def test_groups_of_tasks_have_their_models() -> None:
    tasks = rotated_regressions((0, 1, 0), (200, 300, 400), angle=np.pi / 2, noise=0.0, seed=3)
    for k, (features, labels) in enumerate(tasks.tables):
        found = np.linalg.lstsq(features, labels, rcond=None)[0]
        assert tasks.excess(k, found) < 1e-20
    assert tasks.excess(0, tasks.models[1]) == pytest.approx(1.0)
    assert tasks.sizes.tolist() == [200, 300, 400]


def test_sizes_are_imbalanced_and_positive() -> None:
    sizes = half_normal_sizes(400, 120.0, seed=4)
    assert min(sizes) >= 1
    assert np.mean(sizes) == pytest.approx(120, rel=0.15)
    assert np.std(sizes) > 60


def test_the_example_of_three_clients() -> None:
    """With little data of its own client 1 gains from client 2 and loses with client 3."""
    ratios = {"alone": [], "(1,2)": [], "(1,3)": [], "all": []}  # type: ignore[var-annotated]
    groups = {"alone": (0,), "(1,2)": (0, 1), "(1,3)": (0, 2), "all": (0, 1, 2)}
    for seed in range(40):
        tasks = three_clients(8, seed)
        for name, group in groups.items():
            x = np.concatenate([tasks.tables[k][0] for k in group])
            y = np.concatenate([tasks.tables[k][1] for k in group])
            ratios[name].append(tasks.excess(0, np.linalg.lstsq(x, y, rcond=None)[0]))
    mean = {name: float(np.mean(values)) for name, values in ratios.items()}
    assert mean["(1,2)"] < mean["alone"] < mean["(1,3)"]
    assert mean["(1,2)"] < mean["all"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": (1,)}, "sizes must be 2 numbers"),
        ({"sizes": (0, 1)}, "sizes must be at least"),
        ({"dim": 1}, "dim must be at least 2"),
        ({"noise": -1.0}, "noise must be non-negative"),
    ],
)
def test_bad_tasks_are_refused(change: dict[str, Any], message: str) -> None:
    arguments = {"groups": (0, 1), "sizes": (4, 4), "angle": 1.0, **change}
    with pytest.raises(InvalidInput, match=message):
        rotated_regressions(**arguments)
