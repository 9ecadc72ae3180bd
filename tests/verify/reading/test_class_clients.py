"""Claims about FedAvg with one local step over a class, for every number of clients."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from verify.claim import Real, Statement, statement
from verify.claim.functions import functions
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.classes.claims import class_claims, settings_of
from verify.reading.classes.rounds import any_rounds
from verify.world.visited import visited
from verify.world.world import World

Side = Callable[[World], Any]


def pooled(w: World) -> Any:
    """Mean stated variance over the number of clients."""
    return xp.mean(w.sigma2) / w.problem.clients


def slope(w: World) -> Any:
    return xp.squared_norm(xp.mean(visited(w).gradients[..., 0, :, :], -2))


def descent(
    part: Any = 1,
    noise: Side = pooled,
    slope: Side = slope,
    kind: str = "smooth",
    **more: Any,
) -> Statement:
    """E f(x_1) + eta |grad f(x_0)|^2 / 2 <= f(x_0) + L eta^2 noise / 2 of the average loss."""
    shares = {"share": Real(1 / 16, 1, domain=(0, 1))}
    fields = {"clients": (1, 2), "method": "fedavg", "noise": True, "extra": shares, **more}

    def sides(w: World) -> Any:
        before, after = (xp.mean(visited(w).values[..., t, :]) for t in (0, 1))
        added = Fraction(part) * w.beta * w.step_size**2 * noise(w) / 2
        left = {"after": after, "slope": w.step_size * slope(w) / 2}
        return left, {"before": before, "noise": added}

    made = statement(
        "clients.claim",
        where="here",
        latex="",
        over="mean",
        family=functions(kind, **fields),
        defines={"step_size": lambda w: w.share / w.beta},
    )
    return made(sides)


def test_one_round_is_proved_for_every_number_of_clients() -> None:
    (found,) = prove(descent())
    assert found.status == "decided"
    assert "for any number of clients" in found.summary
    assert "every dimension, noise of any law with mean zero" in found.scope
    proof = json.loads(json.dumps(found.proof))
    assert recheck(descent(), proof)
    assert not recheck(descent(Fraction(9, 10)), proof)


def test_a_tenth_less_noise_is_not_proved() -> None:
    assert read(descent(Fraction(9, 10)))
    assert all(e.proof is None for e in prove(descent(Fraction(9, 10))))


def test_noise_over_the_square_of_their_number_is_not_proved() -> None:
    less = descent(noise=lambda w: pooled(w) / w.problem.clients)
    assert read(less)
    assert all(e.proof is None for e in prove(less))


def test_one_listed_number_stays_that_number() -> None:
    (claim,), _ = class_claims(descent(clients=2))
    assert claim.label["N"] == 2
    assert not {"N"} & {str(s) for s in claim.claim.right.free_symbols}


def test_strongly_convex_losses_are_read_each_by_itself() -> None:
    """Their average has no minimum that is known, but each of them has."""
    made = descent(kind="smooth strongly convex")
    assert [one.apart for one in settings_of(made)] == [True]
    (found,) = prove(made)
    assert found.status == "decided"


def read(made: Statement) -> list[Any]:
    return [one.label["N"] for one in class_claims(made)[0]]


def test_what_is_read_is_about_any_number() -> None:
    assert read(descent()) == ["any"]


def two_clients_alone(w: World) -> Any:
    return xp.mean(w.sigma2[..., :2]) / w.problem.clients


REFUSED: dict[str, Callable[[], Statement]] = {
    "the first client's noise": lambda: descent(noise=lambda w: w.sigma2[..., 0]),
    "the square of a mean": lambda: descent(noise=lambda w: xp.mean(w.sigma) ** 2),
    "the first two clients": lambda: descent(noise=two_clients_alone),
    "a minimiser": lambda: descent(
        slope=lambda w: xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    ),
    "more local steps": lambda: descent(constants={"local_steps": 2}),
    "another method": lambda: descent(method="local"),
    "the average of PL losses": lambda: descent(kind="smooth PL"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_mean_over_clients_is_not_read(name: str) -> None:
    assert read(REFUSED[name]()) == []


def test_nothing_is_taken_for_known_of_the_minimiser_of_an_average() -> None:
    """Its minimum need not be 0: what a loss of minimum 0 satisfies there is not assumed."""
    for clients, told in ((1, True), ((1, 2), False)):
        method = "local" if clients == 1 else "fedavg"
        (claim,), _ = class_claims(descent(clients=clients, method=method))
        assert ("opt" in claim.vectors) == told


@pytest.mark.slow
@pytest.mark.parametrize("part", [1, Fraction(9, 10)])
def test_every_number_of_rounds_and_of_clients(part: Any) -> None:
    def sides(w: World) -> Any:
        seen = visited(w)
        slopes = xp.squared_norm(xp.mean(seen.gradients[..., :-1, :, :], -2)).sum(-1) / w.rounds
        start = 2 * xp.mean(seen.values[..., 0, :]) / (w.step_size * w.rounds)
        return {"slopes": slopes}, {
            "start": start,
            "noise": Fraction(part) * w.beta * w.step_size * pooled(w),
        }

    made = statement(
        "clients.speedup",
        where="here",
        latex="",
        over="mean",
        family=functions(
            "smooth",
            clients=(1, 2),
            rounds=(1, 2),
            method="fedavg",
            noise=True,
            extra={"share": Real(1 / 16, 1, domain=(0, 1))},
        ),
        defines={"step_size": lambda w: w.share / w.beta},
    )(sides)
    assert [one.label["N"] for one in next(any_rounds(made))] == ["any", "any"]
    found = [e for e in prove(made) if e.status == "decided"]
    assert bool(found) == (part == 1)
    if found:
        assert "for any number of clients, for any number of rounds" in found[0].summary
