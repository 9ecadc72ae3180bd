"""The study of Table 1 on a small federation: gradients, scores, tuning, shape of the result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from algorithms.studies import fedbc_synthetic as study
from bounds.validate import InvalidInput
from synthetic.alpha_beta import CLASSES, DIM, alpha_beta

SMALL = study.Setup(clients=5, sampled=2, rounds=3, most=60, epochs=(1, 5), seeds=(1, 2))
DEVICES = alpha_beta(5, seed=1, most=60)


def test_gradients_are_those_of_the_losses() -> None:
    problem = study.Softmax(DEVICES, torch.float64)
    point = torch.as_tensor(np.random.default_rng(1).normal(size=problem.dim) / 10)
    along = torch.as_tensor(np.random.default_rng(2).normal(size=problem.dim))
    found = problem.own_stochastic_gradients(point.expand(5, -1), torch.zeros(5, 1)) @ along
    step = 1e-5  # central differences: error of order step^2
    change = (problem.losses(point + step * along) - problem.losses(point - step * along)) / step
    torch.testing.assert_close(found, change / 2, rtol=1e-6, atol=1e-8)


def test_loss_at_zero_is_the_logarithm_of_the_classes() -> None:
    problem = study.Softmax(DEVICES, torch.float64)
    expected = torch.full((5,), float(np.log(CLASSES)), dtype=torch.float64)
    torch.testing.assert_close(problem.losses(torch.zeros(problem.dim).double()), expected)


def test_the_true_classifier_of_a_device_scores_one_on_it() -> None:
    device = DEVICES[0]
    model = torch.as_tensor(np.vstack([device.weights, device.offsets]).reshape(-1))
    assert model.shape == ((DIM + 1) * CLASSES,)
    assert study.score(model, [device], training=False) == 1.0
    assert study.score(-model, [device], training=False) < 0.5


def test_sampled_sets_have_the_right_size_and_repeat() -> None:
    mask = study.sampled_sets(SMALL, 3)
    assert (mask.sum(1) == 2).all()
    assert (mask == study.sampled_sets(SMALL, 3)).all()
    assert (mask != study.sampled_sets(SMALL, 4)).any()


@pytest.mark.parametrize("method", study.PRINTED)
def test_training_lowers_the_loss(method: str) -> None:
    point = {k: v[0] for k, v in study.GRIDS[method].items()}
    model = study.train(method, DEVICES, point, 5, replace(SMALL, rounds=10), 1)
    problem = study.Softmax(DEVICES)
    assert problem.losses(model).mean() < problem.losses(torch.zeros(problem.dim)).mean()


def test_table_has_one_line_per_method(monkeypatch: pytest.MonkeyPatch) -> None:
    grids = {m: {k: v[1:2] for k, v in grid.items()} for m, grid in study.GRIDS.items()}
    monkeypatch.setattr(study, "GRIDS", grids)
    table = study.synthetic_table(SMALL)
    assert [line.split()[0] for line in table.rows()] == list(study.PRINTED)
    assert all(a.shape == (2, 2) for a in table.accuracy.values())
    assert "(83.61)" in table.rows()[0]


def test_one_seed_gives_no_interval() -> None:
    with pytest.raises(InvalidInput, match="seeds must be at least two"):
        study.synthetic_table(replace(SMALL, seeds=(1,)))
