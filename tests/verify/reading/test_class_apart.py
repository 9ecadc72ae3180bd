"""Claims about FedAvg over a class where clients stand apart: sums over them, and single ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy

from bounds import generic as xp
from verify.claim import Real, Statement, statement
from verify.claim.functions import functions
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.classes import apart
from verify.reading.classes.apart import EachLoss, deviation
from verify.reading.classes.claims import class_claims, settings_of
from verify.reading.classes.rounds import any_rounds
from verify.reading.classes.world import PL, POOLED, START, UPPER
from verify.reading.parts.refusals import NotReadable
from verify.world.visited import visited
from verify.world.world import World

Side = Callable[[World], Any]

BOX = {
    "share": Real(1 / 16, 1, domain=(0, 1)),
    "size": Real(1 / 8, 8, log=True, per=("N",)),
}
STEPS = {"step_size": lambda w: w.share / w.beta}
SHARES = {**STEPS, "client_weights": lambda w: w.size / xp.total(w.size)[..., None]}


def slopes(w: World) -> Any:
    """(B, R, T, N, d)."""
    return visited(w).gradients[..., :-1, :, :]


def own(w: World) -> Any:
    """Mean squared gradient of the first client, any of them."""
    return xp.squared_norm(slopes(w)[..., 0, :]).sum(-1) / w.rounds


def dissimilarity(w: World) -> Any:
    """Weighted mean of its squared distance from the others' gradients."""
    g = slopes(w)
    gaps = w.client_weights[..., None, :] * xp.squared_norm(g[..., :1, :] - g)
    return xp.total(gaps).sum(-1) / w.rounds


def top(w: World) -> Any:
    return xp.largest(w.sigma2)


def weighted(w: World) -> Any:
    return xp.total(w.client_weights**2 * w.sigma2)


def followed(
    start: int = 2,
    others: Any = 1,
    noise: Any = 1,
    left: Side = own,
    among: Side = dissimilarity,
    variance: Side = top,
    **more: Any,
) -> Statement:
    """SGD of one client whose direction is the average over its group."""

    def sides(w: World) -> Any:
        seen = visited(w)
        return {"slopes": left(w)}, {
            "start": start * seen.excess[..., 0, 0] / (w.step_size * w.rounds),
            "others": others * among(w),
            "noise": noise * w.beta * w.step_size * variance(w),
        }

    fields = {"clients": (1, 2), "rounds": (1, 2), "method": "fedavg", "noise": True}
    made = statement(
        "apart.claim",
        where="here",
        latex="",
        over="mean",
        family=functions("smooth", **{**fields, "extra": BOX, **more}),
        defines=SHARES,
    )
    return made(sides)


def test_one_client_in_its_group_is_proved_for_all_losses_weights_rounds_and_noise() -> None:
    (found,) = prove(followed())
    assert found.status == "decided"
    assert "any number of clients, for any number of rounds" in found.summary
    proof = json.loads(json.dumps(found.proof))
    assert recheck(followed(), proof)
    assert not recheck(followed(noise=0), proof)
    assert not recheck(followed(others=Fraction(1, 2)), proof)


def test_noise_is_divided_by_the_weights() -> None:
    (found,) = prove(followed(variance=weighted))
    assert found.status == "decided"


FALSE: dict[str, dict[str, Any]] = {
    "half of the dissimilarity": {"others": Fraction(1, 2)},
    "no noise": {"noise": 0},
    "half of the start": {"start": 1},
    "half of the noise of the average": {"noise": Fraction(1, 2), "variance": weighted},
    "longer steps": {"extra": {**BOX, "share": Real(1 / 16, 3, domain=(0, 3))}},
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n != "no noise")) for n in FALSE]
)
def test_what_is_false_is_not_proved(name: str) -> None:
    assert not [*prove(followed(**FALSE[name]))]


# -- what is read ----------------------------------------------------------------------------------


def first_of_two(w: World) -> Any:
    return xp.squared_norm(slopes(w)[..., 1, :]).sum(-1) / w.rounds


def uniform(w: World) -> Any:
    return xp.mean(xp.squared_norm(slopes(w))).sum(-1) / w.rounds


def fourth_power(w: World) -> Any:
    return xp.total(w.client_weights[..., None, :] * xp.squared_norm(slopes(w)) ** 2).sum(-1)


REFUSED: dict[str, Callable[[], Statement]] = {
    "a mean under other weights": lambda: followed(among=uniform),
    "the square of squares": lambda: followed(among=fourth_power),
    "the largest gradient": lambda: followed(
        left=lambda w: xp.largest(xp.squared_norm(slopes(w))).sum(-1) / w.rounds
    ),
    "the first noise": lambda: followed(variance=lambda w: w.sigma2[..., 0]),
    "the mean variance": lambda: followed(variance=lambda w: xp.mean(w.sigma2)),
    "the weights' squares": lambda: followed(variance=lambda w: xp.total(w.client_weights**2)),
    "a client that not all groups have": lambda: followed(left=first_of_two),
    "weights that are no shares": lambda: followed().variant(
        "apart.weights", defines={**STEPS, "client_weights": lambda w: w.size}
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_mean_under_the_weights_is_not_read(name: str) -> None:
    made = REFUSED[name]()
    assert [s.apart for s in settings_of(made)] == [True]
    assert not [*any_rounds(made)]
    assert class_claims(made) == ([], False)


def test_sums_over_clients_are_means_over_a_draw() -> None:
    """sum_k <u_k, v_k>/N is the product of the means, and what is left of each."""

    def sides(w: World) -> Any:
        g = visited(w).gradients[..., 0, :, :]
        right = xp.squared_norm(xp.mean(g, -2)) + xp.mean(
            xp.squared_norm(g - xp.mean(g, -2)[..., None, :])
        )
        return {"squares": xp.mean(xp.squared_norm(g))}, {"parts": right}

    made = statement(
        "apart.parts",
        where="here",
        latex="",
        relation="==",
        family=functions("smooth", clients=(1, 2), method="fedavg", extra={"share": BOX["share"]}),
        defines=STEPS,
    )(sides)
    (setting,) = (one for one in settings_of(made) if one.apart)
    read = setting.loss()
    claim = setting.read(made.family.shapes[0], read)
    squares = sympy.Symbol("g_0", real=True) ** 2 + deviation(0) ** 2
    assert sympy.expand(claim.left - squares) == 0
    assert sympy.expand(claim.left - claim.right) == 0
    assert setting.agrees(made.family.shapes[0], claim, read)


def test_a_part_of_the_run_on_the_right_is_read_as_part_of_the_left_side() -> None:
    (claims,) = any_rounds(followed())
    first, more = claims
    assert "rounds" in {str(s) for s in more.claim.right.free_symbols}
    assert str(deviation(0)) in {str(s) for s in first.claim.left.free_symbols}
    assert str(deviation(0)) not in {str(s) for s in first.claim.right.free_symbols}


# -- planted faults --------------------------------------------------------------------------------


def loss(weighted: bool) -> EachLoss:
    made = EachLoss(UPPER, -UPPER, PL, noisy=True, count=apart.COUNT, weighted=weighted)
    made.at(START)
    return made


@pytest.mark.parametrize("weighted", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_deviation_that_is_forgotten_is_noticed(
    monkeypatch: pytest.MonkeyPatch, weighted: bool
) -> None:
    """Without it the mean of squares would be the square of the mean."""
    made = followed() if weighted else plain()
    monkeypatch.setattr(apart, "_off", lambda _: sympy.Integer(0))
    assert not [*any_rounds(made)]


@pytest.mark.slow
def test_clients_of_one_weight_are_read_too() -> None:
    assert [*any_rounds(plain())]


def plain() -> Statement:
    """The same without weights."""
    made = followed(extra={"share": BOX["share"]}, among=uniform, left=uniform)
    return made.variant("apart.plain", defines=STEPS)


def test_a_pooled_variance_that_is_too_small_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = followed(variance=weighted)
    monkeypatch.setattr(apart, "POOLED", POOLED / 2)
    assert not [*any_rounds(made)]


def test_sums_that_are_no_means_are_refused() -> None:
    k, count = apart.CLIENT, apart.COUNT
    g, p, sigma = (sympy.IndexedBase(name, real=True)[k] for name in ("g_0", "p", "sigma"))
    over = sympy.Tuple(k, 1, count)
    assert loss(True).lowered(sympy.Sum(p * g**2, over)).has(deviation(0))
    for body in (g**2, p**2 * g**2, p * g**3, p * sigma**2, p * sigma * g, g / p):
        with pytest.raises(NotReadable):
            loss(True).lowered(sympy.Sum(body, over))
    for body in (p * g**2, sigma, sigma**2 * g, g**4):
        with pytest.raises(NotReadable):
            loss(False).lowered(sympy.Sum(body, over))
