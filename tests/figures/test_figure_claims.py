"""Numbers behind the captions, and captions that follow the numbers when these are turned over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures import runner
from figures.places import Place, load, select


def place(name: str) -> Place:
    (found,) = select([name])
    return found


def stored(name: str) -> dict[str, Any]:
    data = runner.stored(place(name))
    data.pop(runner.SECONDS)
    return data


def said(name: str, data: dict[str, Any]) -> str:
    return " ".join(load(place(name)).caption(data).split())


def test_all_for_one_is_between_local_and_the_oracle_on_digits() -> None:
    data = stored("adaptive_digits")
    names = list(load(place("adaptive_digits")).NAMES)  # type: ignore[attr-defined]
    least = dict(zip(names, data["loss"].min(1), strict=True))
    assert least["oracle"] < least["All-for-one-cont"] < least["Local"]
    train, test = data["train"][:, -1], data["accuracy"][:, -1]
    gap = dict(zip(names, train - test, strict=True))
    assert gap["Local"] > 0.05 > 0.03 > gap["FedAvg"]
    text = said("adaptive_digits", data)
    assert "in decades, so not seen" in text
    assert "FedAvg underperforms Local and All-for-one: seen" in text
    data["loss"][names.index("All-for-one-cont")] = data["loss"][names.index("oracle")]
    data["accuracy"][names.index("FedAvg")] = 0.99
    text = said("adaptive_digits", data)
    assert "goes 100% of the way" in text
    assert "in decades, so seen" in text
    assert "FedAvg underperforms Local and All-for-one: not seen" in text


def test_joining_helps_only_where_groups_form() -> None:
    data = stored("hcct_arrivals")
    gain, half = data["gain"], data["gain_half"]
    assert (gain[0, 1:] < -half[0, 1:]).all()
    assert (gain[1, 1:] > half[1, 1:]).all()
    assert (data["groups"][0] > [9.5, 13.5, 17.5]).all()  # of 10, 14 and 18 clients
    text = said("hcct_arrivals", data)
    assert text.count("lower final error: seen") == 1
    assert text.count("lower final error: not seen") == 1
    data["present"] = data["present"][:, ::-1]
    assert "lower final error: seen" not in said("hcct_arrivals", data)


def test_a_single_federation_is_never_best() -> None:
    data = stored("hcct_clients")
    error, half = data["error"], data["half"]
    assert (error[:, 0] - half[:, 0] > error[:, 2] + half[:, 2]).all()
    assert "one federation: seen" in said("hcct_clients", data)
    data["error"] = error[:, ::-1]
    data["error"][:, 0] = 1e-6
    assert "one federation: not seen" in said("hcct_clients", data)


def test_the_pattern_of_the_paper_is_best_and_found() -> None:
    data = stored("hcct_patterns")
    assert data["risk"].mean(1).argmin() == 2
    assert data["chosen"][2] > 0.95
    assert data["chosen"].sum() == pytest.approx(1)
    benefit, steps = data["benefit"], int(data["steps"])
    assert steps == 3
    assert (benefit[:steps] > 0).all()
    assert (benefit[steps:] < 0).all()
    text = said("hcct_patterns", data)
    assert "{1, 2, 3}, {4, 5}, {6} (the paper's example: seen)" in text
    assert "client 3 alone: seen" in text
    data["risk"] = data["risk"][::-1]  # (1, 2) stays in the middle
    data["risk"][2] = 9.0
    assert "client 3 alone: not seen" in said("hcct_patterns", data)


def test_fedsoftmax_saves_rounds_at_one_temperature_and_loses_them_at_another() -> None:
    data = stored("fedsoftmax_rounds")
    saved = data["reached"][:, :1] - data["reached"]
    assert saved[0, 2] < saved[1, 2] < saved[2, 2]
    assert saved[1, 3] < 0
    assert np.abs(data["mean"][0] - data["mean"][0, :1]).max() < 0.01  # IID
    text = said("fedsoftmax_rounds", data)
    assert "not reproduced if that is T, not reproduced if it is 1/T" in text
    data["reached"][1, 1:] = [9, 8, 7]
    assert "not reproduced if that is T, reproduced if it is 1/T" in said("fedsoftmax_rounds", data)
    data["mean"][0, 2] += 0.1
    assert "(nearly equal: not seen)" in said("fedsoftmax_rounds", data)


def test_few_clients_are_on_top_but_all_of_them_count() -> None:
    data = stored("fedsoftmax_map")
    weights = data["weights"]
    assert weights.sum(1) == pytest.approx(1, abs=1e-5)
    assert weights.min() * weights.shape[1] > 0.5
    assert data["ever"][1] < 25
    assert 0.2 < data["held"][1] < 0.4
    assert data["slope"][0] > -0.9
    text = said("fedsoftmax_map", data)
    assert "the rate is not seen" in text
    data["slope"][0], data["ever"][1] = -1.0, 49
    text = said("fedsoftmax_map", data)
    assert "-1.00 on IID data (seen)" in text
    assert "process: not seen" in text
