"""Federated worst cases: any number of clients at once against clients written out one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.each import each
from verify.worst_case import (
    ClassProblem,
    Convex,
    SmoothConvex,
    SmoothStronglyConvex,
    Sum,
    prox,
    solved,
    worst,
)
from verify.worst_case.federated import all_for_one, fedavg, fedbc, fedprox, scaffold
from verify.worst_case.points import Expression

F = Fraction
LOSSES = SmoothStronglyConvex(F(1, 10), 1)
"""mu = 1/10, L = 1."""


def mean(parts: list[Expression]) -> Expression:
    total = parts[0]
    for one in parts[1:]:
        total = total + one
    return total / len(parts)


def written_out(number: int, steps: int, step: Fraction, *, proximal: bool = False) -> ClassProblem:
    """A round of FedAvg, or of FedProx, with a function for each client."""
    p = ClassProblem()
    clients = [p.function(LOSSES) for _ in range(number)]
    average = clients[0]
    for f in clients[1:]:
        average = average + f
    best, x = average.minimiser(), p.point("x0")
    p.assume((x - best) ** 2 <= 1)
    p.assume(mean([f.gradient(best) ** 2 for f in clients]) <= 1)
    ends = 0 * x
    for f in clients:
        y = x
        for _ in range(steps):
            y = prox(f, y, step).x if proximal else y - f.gradient(y) * step
        ends = ends + y / number
    p.maximise((ends - best) ** 2)
    return p


PLANS = [(1, F(1, 2)), (2, F(1, 4)), (2, F(1, 2)), (3, F(1, 4))]


@each(("steps", "step"), PLANS)
def test_two_and_three_clients_written_out_agree_with_any_number(
    steps: int, step: Fraction
) -> None:
    alike = solved(fedavg(LOSSES, step=step, local_steps=steps)).value
    for number in (2, 3):
        assert abs(solved(written_out(number, steps, step)).value - alike) < 1e-6


def test_proximal_steps_agree_too() -> None:
    alike = solved(fedprox(LOSSES, step=1)).value
    for number in (2, 3):
        assert abs(solved(written_out(number, 1, F(1), proximal=True)).value - alike) < 1e-6


def test_one_local_step_is_gradient_descent_whatever_the_clients() -> None:
    for spread in (0, 1, 16):
        one = worst(fedavg(LOSSES, step=F(1, 2), local_steps=1, spread=spread))
        assert one.lower == one.upper == F(19, 20) ** 2


def test_local_steps_drift_away_from_the_minimiser_of_the_average() -> None:
    """The folklore "no further from x*" falls, with two clients in fractions."""
    one = worst(fedavg(LOSSES, step=F(1, 4), local_steps=2, drift=True))
    assert one.lower is not None
    assert one.upper is not None
    assert F(30791, 10**7) < one.lower <= one.upper < F(30793, 10**7)
    assert one.instance is not None
    assert one.instance.written_out
    first, second = one.instance.functions
    # replayed from what the two functions answer: the average's minimiser, the round, the growth
    assert all(a + b == 0 for a, b in zip(first.samples[0].g, second.samples[0].g, strict=True))
    ends = []
    for client in (first, second):
        y = [*client.samples[1].x]
        for k in (1, 2):
            assert tuple(y) == client.samples[k].x
            assert client.explicit is not None
            assert client.explicit.has_gradient(client.samples[k].x, client.samples[k].g)
            y = [p - q / 4 for p, q in zip(y, client.samples[k].g, strict=True)]
        ends.append(y)
    best = first.samples[0].x
    mean_end = [(p + q) / 2 for p, q in zip(*ends, strict=True)]
    grown = square(mean_end, best) - square(first.samples[1].x, best)
    assert grown == one.lower
    assert sum(q * q for q in first.samples[0].g) <= 1


def square(x: object, y: object) -> Fraction:
    return sum(((p - q) ** 2 for p, q in zip(x, y, strict=True)), F(0))  # type: ignore[call-overload]


def test_alike_clients_drift_less_the_less_they_differ() -> None:
    values = [
        solved(fedavg(LOSSES, step=F(1, 4), local_steps=2, spread=s, drift=True)).value
        for s in (F(1, 4), 1, 4)
    ]
    assert values[0] < values[1] < values[2]


def test_noise_falls_with_the_number_of_clients() -> None:
    """One step adds step^2 variance / N exactly; more steps at least that for the last one."""
    step = F(1, 4)
    for steps in (1, 2, 3):
        calm = solved(fedavg(LOSSES, step=step, local_steps=steps)).value
        noisy = {
            n: solved(fedavg(LOSSES, step=step, local_steps=steps, variance=1, number=n))
            for n in (2, 10, 100)
        }
        assert not any(one.tight for one in noisy.values())
        assert noisy[2].value > noisy[10].value > noisy[100].value > calm
        for n, one in noisy.items():
            assert one.value > calm + float(step**2) / n - 1e-7
            if steps == 1:
                assert abs(one.value - calm - float(step**2) / n) < 1e-6


def test_noise_needs_the_number_of_clients() -> None:
    with pytest.raises(ValueError, match="number must be at least 2"):
        fedavg(LOSSES, step=1, local_steps=1, variance=1)


def test_scaffold_contracts_where_averaging_does_not() -> None:
    """Near the minimiser of the average FedAvg goes away, SCAFFOLD's potential falls."""
    step = F(1, 8)
    for steps in (1, 2, 3):
        drifted = solved(fedavg(LOSSES, step=step, local_steps=steps, radius=F(1, 10**4)))
        assert (drifted.value > 1e-4) == (steps > 1)
        made = scaffold(LOSSES, step=step, local_steps=steps, weight=(step * steps) ** 2)
        assert solved(made).value < 1


def test_two_rounds_are_no_worse_than_one_twice() -> None:
    weight = F(1, 4)
    one, two = (
        solved(scaffold(LOSSES, step=F(1, 4), local_steps=2, weight=weight, rounds=rounds)).value
        for rounds in (1, 2)
    )
    assert two < one**2 + 1e-6


def test_convex_clients_may_stay_where_they_are() -> None:
    one = worst(fedavg(SmoothConvex(1), step=1, local_steps=1, drift=True))
    assert one.lower == one.upper == 0


def test_a_multiplier_of_zero_is_averaging_and_a_larger_one_drifts_less() -> None:
    plan = {"step": F(1, 4), "local_steps": 3, "drift": True}
    free, bound, tight = (
        solved(fedbc(LOSSES, multiplier=m, **plan)).value for m in (0, F(1, 4), F(1, 2))
    )
    assert abs(free - solved(fedavg(LOSSES, **plan)).value) < 1e-7
    assert free > bound > tight


def test_all_for_one_with_its_own_weight_alone_is_gradient_descent() -> None:
    one = worst(all_for_one(LOSSES, step=F(1, 2), own=1))
    assert one.lower == one.upper == F(19, 20) ** 2
    shared = [solved(all_for_one(LOSSES, step=F(1, 2), own=w)).value for w in (F(3, 4), F(1, 2))]
    assert 0.9025 < shared[0] < shared[1]


def test_others_of_all_for_one_written_out_agree() -> None:
    p = ClassProblem()
    f, *others = (p.function(LOSSES) for _ in range(3))
    best, x = f.minimiser(), p.point("x0")
    p.assume((x - best) ** 2 <= 1)
    far = others[0].gradient(best) / 2 + others[1].gradient(best) / 2
    p.assume(far**2 <= 1)
    asked = (others[0].gradient(x) + others[1].gradient(x)) / 4
    p.maximise((x - (f.gradient(x) / 2 + asked) / 2 - best) ** 2)
    alike = solved(all_for_one(LOSSES, step=F(1, 2), own=F(1, 2))).value
    assert abs(solved(p).value - alike) < 1e-6


def composite(number: int) -> ClassProblem:
    """A proximal gradient step on the clients' mean plus a common convex function."""
    p = ClassProblem()
    h = p.function(Convex())
    if number:
        clients = [p.function(LOSSES) for _ in range(number)]
        average: Sum = clients[0] / number
        for f in clients[1:]:
            average = average + f / number
        best, x = (average + h).minimiser(), p.point("x0")
        spread = [(f.gradient(best) - average.gradient(best)) ** 2 for f in clients]
        p.assume(mean(spread) <= 1)
        p.assume(average.gradient(best) ** 2 <= 1)
        y = 0 * x
        for f in clients:
            z = x - f.gradient(x) / 4
            y = y + (z - f.gradient(z) / 4) / number
    else:
        alike = p.clients(LOSSES)
        best, x = (alike + h).minimiser(), p.point("x0")
        p.assume(alike.heterogeneity(best) <= 1)
        p.assume(alike.gradient(best).mean() ** 2 <= 1)
        z = x - alike.gradient(x) / 4
        y = (z - alike.gradient(z) / 4).mean()
    p.assume((x - best) ** 2 <= 1)
    p.maximise((prox(h, y, F(1, 2)).x - best) ** 2)
    return p


def test_clients_with_a_common_function_agree_with_clients_written_out() -> None:
    alike = solved(composite(0)).value
    for number in (2, 3):
        assert abs(solved(composite(number)).value - alike) < 1e-6


def test_the_mean_vanishes_at_a_minimiser_of_a_multiple_and_clients_still_differ() -> None:
    p = ClassProblem()
    clients = p.clients(LOSSES)
    (clients * 2).minimiser()
    gradient = clients.met[0].g
    assert gradient.mean().parts == {}
    assert gradient.parts != {}


def test_a_step_on_a_sum_with_clients_is_told() -> None:
    p = ClassProblem()
    total = p.clients(LOSSES) + p.function(Convex())
    with pytest.raises(ValueError, match="must be one of each"):
        prox(total, p.point(), 1)


def test_a_common_function_at_points_of_clients_own_is_told() -> None:
    """Its gradients there would be as many as there are clients, of one function."""
    p = ClassProblem()
    clients, h = p.clients(LOSSES), p.function(Convex())
    x = p.point()
    y = x - clients.gradient(x)
    for asked in (h.gradient, h, lambda point: prox(h, point, 1)):
        with pytest.raises(ValueError, match="one function for all clients"):
            asked(y)
    h.gradient(y.mean())


def test_clients_have_no_blocks() -> None:
    with pytest.raises(ValueError, match="leave blocks out"):
        ClassProblem(blocks=2).point("c", own=True)
