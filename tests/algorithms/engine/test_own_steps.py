"""Numbers of local steps, one per client: a method takes them as they are, or refuses them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Given
from tests.algorithms.cases import CASES, Case, N, dyadic_draws, federation, floats
from tests.each import each


def _slots(case: Case, steps: int) -> int:
    return load_method(case.method).slots(N, {**case.hyper, "local_steps": steps})


STEPPED = [
    case
    for case in CASES
    if "local_steps" in load_method(case.method).settings
    and case.hyper.get("samples") != "shared"  # which asks for as many as the personal steps
    and _slots(case, 1) != _slots(case, 2)
]
FEW = np.array([1, 2, *[2] * (N - 2)])


def _theta(case: Case, steps: Any) -> torch.Tensor:
    """Models of a run that takes so many steps, on the words of one that takes two."""
    hyper = {**case.hyper, "local_steps": 2}
    words = torch.as_tensor(dyadic_draws(replace(case, hyper=hyper)))
    return run(
        load_method(case.method),
        federation(),
        {**floats(hyper), "local_steps": steps},
        Given(words),
        words.shape[1],
    ).theta


@each("case", STEPPED)
def test_every_client_takes_its_own_number_of_steps_or_none_may_differ(case: Case) -> None:
    alike = _theta(case, 2)
    try:
        found, said = _theta(case, FEW), ""
    except InvalidInput as refused:
        found, said = alike, str(refused)
    if said:
        assert said.startswith("local_steps must be")
        return
    assert torch.equal(_theta(case, np.full(N, 2)), alike)
    assert not torch.equal(found, alike)


def test_ditto_refuses_numbers_of_steps_that_differ_between_replicates() -> None:
    """Its personal draws come after those of the most steps: one alone would get others."""
    case = next(case for case in CASES if case.method == "ditto")
    with pytest.raises(InvalidInput, match="local_steps must be the same for all replicates"):
        _theta(case, np.stack([FEW, FEW, FEW + 1, FEW]))
