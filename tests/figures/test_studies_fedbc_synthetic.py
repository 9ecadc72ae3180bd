"""The study of FedBC on a small federation: devices, gradients, runs, tuning, table, readings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from bounds.numbers.validate import InvalidInput
from figures.studies.fedbc import setup
from figures.studies.fedbc import synthetic as study
from synthetic.tables.alpha_beta import CLASSES, DIM, Device
from synthetic.tables.softmax_devices import ROWS, SoftmaxDevices, whole

SMALL = setup.Setup(
    clients=5, sampled=2, rounds=4, batch=4, most=60, epochs=(1, 5), seeds=(1, 2), every=2
)
FEDERATIONS = SMALL.federations()


def exact() -> SoftmaxDevices:
    return SoftmaxDevices(FEDERATIONS, 4, torch.float64)


def random_point(problem: SoftmaxDevices, seed: int) -> torch.Tensor:
    return torch.as_tensor(np.random.default_rng(seed).normal(size=problem.dim) / 10)


def test_gradients_are_those_of_the_losses() -> None:
    """With every row of a device once in the batch, the mini-batch gradient is the full one."""
    devices = [[replace_rows(d, 20) for d in f] for f in FEDERATIONS]
    problem = SoftmaxDevices(devices, 16, torch.float64)  # 16 training rows of 20
    point, along = random_point(problem, 1), random_point(problem, 2)
    every = (torch.arange(16).double() + 0.5) * ROWS / 16
    found = problem.own_stochastic_gradients(point.expand(2, 5, -1), every.expand(2, 5, -1))
    step = 1e-5  # central differences: error of order step^2
    change = (problem.losses(point + step * along) - problem.losses(point - step * along)) / step
    torch.testing.assert_close(found @ along, change / 2, rtol=1e-6, atol=1e-8)


def replace_rows(device: Device, rows: int) -> Device:
    return replace(device, features=device.features[:rows], labels=device.labels[:rows])


def test_a_draw_picks_one_of_the_device_s_own_training_rows() -> None:
    problem = exact()
    ends = torch.tensor([0, ROWS - 1, ROWS // 2, 1]).double().expand(2, 5, 4)
    point = random_point(problem, 3)
    logits_of_device = []
    for r, devices in enumerate(FEDERATIONS):
        for k, device in enumerate(devices):
            n = device.split()[0].stop
            rows = [0, n - 1, n // 2, 0]
            x = np.c_[device.features[rows], np.ones(4)]
            p = np.exp(x @ point.numpy().reshape(DIM + 1, CLASSES))
            p /= p.sum(1, keepdims=True)
            p[range(4), device.labels[rows]] -= 1
            logits_of_device.append((r, k, (x.T @ p / 4).reshape(-1)))
    found = problem.own_stochastic_gradients(point.expand(2, 5, -1), ends)
    for r, k, gradient in logits_of_device:
        np.testing.assert_allclose(found[r, k].numpy(), gradient, atol=1e-12)


def test_loss_at_zero_is_the_logarithm_of_the_classes() -> None:
    problem = exact()
    expected = torch.full((2, 5), float(np.log(CLASSES)), dtype=torch.float64)
    torch.testing.assert_close(problem.losses(torch.zeros(problem.dim).double()), expected)


def test_the_true_classifier_of_a_device_labels_its_rows_rightly() -> None:
    problem = exact()
    for k, device in enumerate(FEDERATIONS[0]):
        model = torch.as_tensor(np.vstack([device.weights, device.offsets]).reshape(-1))
        assert problem.accuracies(model)[0, k] == 1
        assert problem.accuracies(model, problem.train)[0, k] == 1
        assert problem.accuracies(-model)[0, k] < 0.5
        models = torch.stack([-model] * k + [model] + [-model] * (4 - k))
        own = problem.own_accuracies(models.expand(2, 5, -1))[0]
        assert own[k] == 1
        assert (own.sum() - 1) / 4 < 0.5


def test_mean_over_rows_counts_devices_by_their_rows() -> None:
    values, sizes = torch.tensor([[1.0, 0.0]]), torch.tensor([[3, 1]])
    assert whole(values, sizes).tolist() == [0.75]


def test_sampled_sets_have_the_right_size_and_repeat() -> None:
    mask = setup.sampled_sets(SMALL)
    assert mask.shape == (2, 4, 5)
    assert (mask.sum(-1) == 2).all()
    assert (mask == setup.sampled_sets(SMALL)).all()
    assert (mask[0] != mask[1]).any()


@pytest.mark.parametrize("method", setup.METHODS)
def test_training_lowers_the_loss(method: str) -> None:
    point = {"step_size": 0.1, "fairness": 0.1, "mu": 0.1, "dual_step": 1e-3, "lambda_0": 0.1}
    chosen = {name: point[name] for name in setup.GRIDS[method]}
    longer = replace(SMALL, rounds=10)
    made = study.train(method, exact(), chosen, 5, longer)
    assert made.loss.shape == (2, 6)
    assert (made.loss[:, -1] < made.loss[:, 0]).all()
    assert made.by_device.shape == (2, 11, 5)
    same = np.array_equal(made.local, made.by_device[:, -1])
    if method != setup.SERVER:  # with few test rows its models can agree by chance
        assert same == (method != "fedbc")  # which keeps models of its own
    np.testing.assert_allclose(made.shares.sum(-1), 1, rtol=1e-6)
    outside = setup.sampled_sets(longer).numpy() == 0
    assert (made.shares[outside] == 0).all()


def test_passes_over_the_rows_are_steps_by_size() -> None:
    problem = exact()
    chosen = {"step_size": 0.1}
    passes = replace(SMALL, local_steps="epochs")
    hyper = setup.hyper_parameters("fedavg", chosen, 2, passes, problem.train.sizes)
    assert (hyper["local_steps"] == 2 * torch.ceil(problem.train.sizes / 4)).all()
    more = study.train("fedavg", problem, chosen, 2, passes).loss
    less = study.train("fedavg", problem, chosen, 2, SMALL).loss
    assert (more[:, -1] < less[:, -1]).all()


def test_one_data_set_is_shared_by_all_runs() -> None:
    left, right = replace(SMALL, one_data_set=True).federations()
    assert all((a.features == b.features).all() for a, b in zip(left, right, strict=True))
    assert (FEDERATIONS[0][0].features[:5] != FEDERATIONS[1][0].features[:5]).any()


def test_a_run_does_not_depend_on_those_beside_it() -> None:
    alone = SoftmaxDevices(FEDERATIONS[:1], 4, torch.float64)
    left = study.train("scaffold", alone, {"step_size": 0.1}, 2, SMALL)
    right = study.train("scaffold", exact(), {"step_size": 0.1}, 2, SMALL)
    np.testing.assert_allclose(left.loss[0], right.loss[0], rtol=1e-10)


def test_table_has_one_line_per_method_and_the_printed_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grids = {m: {k: v[2:3] for k, v in grid.items()} for m, grid in setup.GRIDS.items()}
    for m in ("fedbc", setup.SERVER):
        grids[m]["lambda_0"] = (0.0,)
    monkeypatch.setattr(setup, "GRIDS", grids)
    found = study.study.__wrapped__(replace(SMALL, every=4))
    lines = found.rows()
    assert [line.split()[0] for line in lines[1:]] == list(setup.METHODS)
    assert "(83.61)" in lines[1]
    assert lines[-1].count("(87.83)") == 1  # FedBC's, for both starts
    assert found.final("fedbc", 5).shape == (2,)
    assert set(found.chosen["fedbc"]) == {"step_size", "dual_step", "lambda_0"}


def test_interval_is_student_s() -> None:
    mean, half = study.interval(np.array([1.0, 2.0, 3.0]))
    assert mean == 2
    assert half == pytest.approx(4.302653 / 3**0.5, rel=1e-6)  # tabulated, two degrees of freedom


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": (1,)}, "seeds must be at least two"),
        ({"local_steps": "E "}, "local_steps must be 'E' or 'epochs'"),
        ({"sampled": 6}, "sampled must be from 1 to 5"),
    ],
)
def test_bad_choices_are_named(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        replace(SMALL, **changes)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("method", setup.METHODS)
def test_the_recorded_steps_are_as_good_as_the_best_of_the_grid(method: str) -> None:
    """Within two standard errors of an accuracy; a bad point of the grid is far outside."""
    found = study.scores(setup.QUICK, method)
    best, worst = (choose(value for _, value in found) for choose in (max, min))
    recorded = next(value for point, value in found if point == setup.CHOSEN[method])
    rows = sum(device.split()[0].stop for device in setup.QUICK.federations()[0])
    band = 2 * (best * (1 - best) / rows) ** 0.5
    assert best - recorded <= band < best - worst


def test_the_quick_settings_take_the_recorded_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "choose", lambda _: pytest.fail("tuned again"))
    monkeypatch.setattr(study, "train", lambda method, problem, chosen, *_: chosen)
    made = study.study.__wrapped__(SMALL, setup.QUICK)
    assert {name: made.runs[name, 5] for name in setup.METHODS} == setup.CHOSEN
