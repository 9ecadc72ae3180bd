"""Partners and held-out losses: planted relations are found, strangers are not, intervals cover."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from algorithms.collaboration.gains import (
    fitted,
    held_out_gains,
    partners_of,
    row_losses,
)
from algorithms.collaboration.tables import ClientTables
from bounds.numbers.validate import InvalidInput

NAMES = ("a", "b", "c", "d")
MODELS = np.array([[1.0, 0, 0, 0, 0], [-1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 1, 1, 0]])


def tables(seed: int, rows: tuple[int, ...], logistic: bool = False) -> ClientTables:
    """Clients a and b on their own, c and d with one model."""
    rng = np.random.default_rng(seed)
    X, y = [], []
    for k, n in enumerate(rows):
        table = rng.normal(size=(n, 5))
        inner = table @ MODELS[k] * (2 if logistic else 1)
        noise = rng.logistic(size=n) if logistic else rng.normal(size=n)
        X.append(table)
        y.append(np.where(inner + noise > 0, 1.0, -1.0) if logistic else inner + noise)
    return ClientTables(
        NAMES, tuple(X), tuple(y), "logistic" if logistic else "least squares", 0.01
    )


def gains(seed: int, rows: tuple[int, ...], **more: Any) -> Any:
    held = (400, 400, 400, 400)
    logistic = more.pop("logistic", False)
    first, second = tables(seed, rows, logistic), tables(seed + 1000, held, logistic)
    return held_out_gains(first, second, [[0], [1], [2, 3]], **more)


@pytest.mark.parametrize("logistic", [False, True])
def test_planted_relations_are_found(logistic: bool) -> None:
    """c has few rows and d many of the same model: c gains from d; a and b need nobody."""
    found = gains(1, (300, 300, 14, 300), logistic=logistic)
    assert found.found[2][0] == 3
    assert found.word(2) == "gains"
    assert found.word(0) == found.word(1) == "nobody"
    # the group of c is its partner: the same model, the same loss; everybody is worse
    np.testing.assert_allclose(found.group[2], found.partners[2], atol=1e-9)
    assert found.everybody[2, 0] > found.group[2, 0]
    assert found.gain[2, 0] == pytest.approx(found.alone[2, 0] - found.partners[2, 0])


def test_strangers_are_seldom_said_to_help() -> None:
    """Negative control: where nobody shares a model, hardly anybody is said to gain."""
    said = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        first, second = (
            ClientTables(
                NAMES,
                tuple(rng.normal(size=(n, 5)) for _ in NAMES),
                tuple(np.zeros(n) for _ in NAMES),
                "least squares",
                0.1,
            )
            for n in (60, 200)
        )
        far = [3 * rng.normal(size=5) for _ in NAMES]
        first, second = (
            ClientTables(
                NAMES,
                half.X,
                tuple(x @ m + rng.normal(size=len(x)) for x, m in zip(half.X, far, strict=True)),
                "least squares",
                0.1,
            )
            for half in (first, second)
        )
        found = held_out_gains(first, second, [[0, 1, 2, 3]], seed=seed)
        said += sum(found.word(k) == "gains" for k in range(4))
        assert found.everybody[:, 0].min() > found.alone[:, 0].max()
    assert said == 0


def test_no_gain_is_claimed_wrongly_more_often_than_the_level_says() -> None:
    """Partners fixed at a useless client: the true difference is negative, or zero for a copy."""
    wrong = 0
    for seed in range(40):
        found = gains(seed, (40, 40, 40, 40), level=0.8)
        for k in (0, 1):
            first = tables(seed, (40, 40, 40, 40))
            alone, with_them = (fitted(first, [k]), fitted(first, [k, *found.found[k]]))
            truth = sum(np.square(alone - MODELS[k])) - sum(np.square(with_them - MODELS[k]))
            wrong += found.word(k) == "gains" and truth <= 0
            wrong += found.word(k) == "loses" and truth >= 0
    assert wrong <= 2 * 40 * 0.2 / 4  # the error is shared by four clients


def test_intervals_cover_the_loss_of_the_model() -> None:
    """On N(0, I) rows with unit noise the expected half square is (1 + |theta - model|^2)/2."""
    inside = total = 0
    for seed in range(60):
        first = tables(seed, (60, 60, 60, 60))
        second = tables(seed + 500, (80, 80, 80, 80))
        found = held_out_gains(first, second, [[0, 1, 2, 3]], level=0.9, seed=seed)
        for k in range(4):
            error = fitted(first, [k]) - MODELS[k]
            truth = (1 + error @ error) / 2
            _, low, high = found.alone[k]
            inside, total = inside + (low <= truth <= high), total + 1
    assert inside >= 0.84 * total  # 240 trials at 0.9: three standard errors are 0.058


def test_a_logistic_fit_is_the_minimiser() -> None:
    data = tables(2, (30, 30, 30, 30), logistic=True)
    problem: Any = data.merged([0, 1]).problem()
    np.testing.assert_allclose(fitted(data, [0, 1]), problem.optimum[0], atol=1e-8)


def test_row_losses_are_those_of_the_problem() -> None:
    data, model = tables(2, (30, 31, 32, 33)), np.arange(5) / 5
    problem: Any = data.problem()
    means = [row_losses(data, k, model).mean() for k in range(4)]
    np.testing.assert_allclose(means, problem.losses(model), rtol=1e-12)


def test_the_same_seed_gives_the_same_partners_and_intervals() -> None:
    one, two = (gains(3, (40, 40, 20, 60)) for _ in range(2))
    assert one.found == two.found
    np.testing.assert_array_equal(one.gain, two.gain)
    assert partners_of(tables(3, (40, 40, 20, 60)), 2) == one.found[2]


@pytest.mark.parametrize(
    ("more", "message"), [({"level": 1.0}, "level"), ({"resamples": 99}, "resamples")]
)
def test_what_is_no_level_or_number_is_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=f"{message} must be"):
        gains(1, (40, 40, 40, 40), **more)
