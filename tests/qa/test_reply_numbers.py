"""The instances that the reply sheets ask for, computed again without code of the package.

Each case is a page of `docs/replies/`, what stands there in print, and the numbers behind it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction as Q

from tests.each import each
from tests.places import ROOT

PAGES = ROOT / "docs" / "replies"
Noise = list[tuple[float, float]]


def _adaptive_run(
    start: float, step: float, rounds: int, other: Noise, own: float = 100
) -> tuple[list[float], bool]:
    """All-for-one, continuous weights, on x^2 and (x - 1)^2: mean excess losses, step condition.

    The asking client has noise +-own; the other one has the law `other` (values and chances).
    """
    variance = sum(chance * value**2 for value, chance in other)
    states, excess, admissible = [(start, 1.0)], [], True
    for _ in range(rounds):
        excess.append(sum(chance * x * x for x, chance in states))
        after = []
        for x, chance in states:
            ratio = max(0.0, 1 - 1 / x**2)
            scale = 1 / (1 / own**2 + ratio**2 / variance)
            mine, theirs = scale / own**2, ratio * scale / variance
            admissible &= 2 * step * (mine + theirs) <= 1
            for sign, (noise, part) in itertools.product((1, -1), other if theirs else [(0, 1)]):
                move = mine * (2 * x + sign * own) + theirs * (2 * (x - 1) + noise)
                after.append((x - step * move, chance * part / 2))
        states = after
    return [*excess, sum(chance * x * x for x, chance in states)], admissible


def _sufficient(precision: float, other: Noise, own: float = 100) -> float:
    """Sufficient variance with b^2 = 4, mu = 2, c = 0."""
    variance = sum(chance * value**2 for value, chance in other)
    return 1 / (1 / own**2 + (1 - 1 / precision) ** 2 / variance)


def constant_step() -> list[str]:
    """Every mean excess before T is at least epsilon and falls; the row fails."""
    law, step, precision = [(1.0, 12 / 13), (-12.0, 1 / 13)], 1 / 3, 3.5
    excess, admissible = _adaptive_run(2, step, 2, law)
    right = (1 - 2 * step) ** 2 * 4 + step / 2 * _sufficient(precision, law)
    assert admissible
    assert excess[0] > excess[1] >= precision
    assert excess[2] > 200 * right
    return [f"{excess[1]:.2f}", f"E X² = {excess[2]:.0f} > {right:.2f}"]


def horizon_step() -> list[str]:
    """The row's own step; beta = 2 in the logarithm."""
    law, precision = [(0.5, 16 / 17), (-8.0, 1 / 17)], 2.16
    inside = 2 * 2 * 4 * 9 / (2 * _sufficient(precision, law))
    step = math.log(inside) / 4
    excess, admissible = _adaptive_run(3, step, 2, law)
    right = 2 * _sufficient(precision, law) / 16 * (math.log(inside) + 1)
    assert admissible
    assert step <= 1 / 2
    assert min(excess[:2]) >= precision
    return [f"{step:.3f}"[1:], f"9, {precision}", f"E X² = {excess[2]:.0f} > {right:.1f}"]


def non_convex_step() -> list[str]:
    """The first argument of the minimum is the smaller one."""
    law, precision = [(0.5, 4 / 5), (-2.0, 1 / 5)], 1.41
    variance = _sufficient(precision, law)
    step = math.sqrt(2 * 4 / (3 * 2 * variance))
    excess, admissible = _adaptive_run(2, step, 3, law)
    left, right = 4 * sum(excess[:3]) / 3, 2 * math.sqrt(2 * 4 * 2 * variance / 3)
    assert admissible
    assert min(excess[:3]) >= precision
    return [
        f"step {step:.3f}".replace("0.", "."),
        f"4, 1.41, {excess[2]:.0f}",
        f"{left:.0f} > {right:.1f}",
    ]


def decreasing_step() -> list[str]:
    """50 x^2 + y^2/2 from (0, 1), steps 2/(199 + t): what is left of 1/2 after ten."""
    share = math.prod(1 - Q(2, 199 + t) for t in range(1, 11))
    assert Q(2, 200) <= Q(1, 100)  # the first step is at most 1/beta
    return [f"the excess is {float(share**2 / 2):.2f}".replace("0.", "."), ".5/10"]


def fedmax() -> list[str]:
    """Theorem 3 of aggregation at t = 1, from 0 with the steps of Corollary 4."""
    share = Q(1, 4000)
    first, second = Q(1, 4), Q(1, 5)
    middle = first
    end = middle - second * (middle - 1)
    gamma, at_start, at_best = share * (1 - share) / 2, 1 / share, (1 - share) / share
    factor = 1 - second * (1 + Q(3, 8) * at_start)
    noise = second**2 * (32 * 4 + 6 * at_start * gamma)
    right = factor * (middle - share) ** 2 + noise + 2 * second * gamma * (at_best - at_start)
    return [
        f"{float((end - share) ** 2):.3f} ≤ {float(right):.1f}".replace("0.", ".", 1),
        f"ρ̄ = {at_start}",
    ]


def common_minimiser() -> list[str]:
    """(13) as (2) and (4) have it, losses w^2/2 and 64 w^2/2, at the aggregation t = 2."""
    seen = []
    for steps in ((Q(1, 256), Q(1, 256), Q(1, 2**16)), (Q(1, 64), Q(1, 64), Q(1, 2**16))):
        first = 1 - steps[0] * Q(1000 + 64, 1001)
        one, two = first * (1 - steps[1]), first * (1 - 64 * steps[1])
        average, new = (one + two) / 2, Q(1000, 1001) * one + Q(1, 1001) * two
        new -= steps[2] * (Q(1000, 1001) * one + Q(64, 1001) * two)
        skew = Q(1000 + 64, 1001) / Q(65, 2)
        right = (1 - steps[2] * (1 + Q(3, 8) * skew)) * average**2
        right += steps[2] ** 2 * 32 * 4 * 64**2
        seen.append(f" {float(new**2):.3f} > {float(right):.3f}".replace(" 0.", " ."))
    return seen


def waiting_devices() -> list[str]:
    """(20) and Lemma B.2 along Algorithm 1 with one start for all."""
    after = Q(4, 5)  # least of x^2/2 + 2 (x - 1)^2
    assert after + 4 * (after - 1) == 0
    right = 2 * 5**2 * (1 - after) ** 2 / 4
    assert right * 4 / 2 == 1
    server, models, least = Q(0), [Q(0), Q(0)], []
    for pick in (0, 1, 1, 0, 0, 0, 1):
        models[pick] = server + Q(1, 4)  # least of -x + 2 (x - z)^2
        server = models[pick]
        least.append(sum((x - server) ** 2 for x in models) / 2)
    return [f"= {right}", f"at least {min(least)}"]


def resting_device() -> list[str]:
    """(21) on X = [-1/8, 1/8]: what the Lagrangian rises by, and alpha G^2."""
    tolerance, diameter = Q(1, 2), Q(1, 4)
    g = 16 * diameter**4 + tolerance**2
    assert g**2 < tolerance**2
    assert g**2 < 2 * tolerance**2
    return [f"G = {g}", f"{float(tolerance**2)}"[1:] + "α", f"{float(g**2):.3f}"[1:] + "α"]


def bracket() -> list[str]:
    """Corollary 4.6: gradients that stay while the bracket is 0, with (11) and with (95)."""
    first, second = Q(2 * 2) * Q(5, 2) / 5, (5 + 4 * Q(5, 2)) / 5
    assert (first + second) / 2 == Q(5, 2)
    assert (first - Q(5, 2)) ** 2 == Q(1, 4)
    centre, tolerance, weight = (-4.0, -3.0, 3.0), (9, 0, 1), [0.0, 0.0, 0.0]
    server, signs, squares = 3.0, [], []
    for _ in range(5000):
        models = [(c + 2 * w * server) / (1 + 2 * w) for c, w in zip(centre, weight, strict=True)]
        sign = [1 if (x - server) ** 2 > g else -1 for x, g in zip(models, tolerance, strict=True)]
        weight = [max(0.0, w + 2 * s) for w, s in zip(weight, sign, strict=True)]
        server = sum(w * x for w, x in zip(weight, models, strict=True)) / sum(weight)
        signs.append(sign[0])
        squares.append((models[0] - centre[0]) ** 2)
    sums = list(itertools.accumulate(signs))
    assert {sums[t - 1] for t in range(4, 5001, 2)} == {-2}
    assert {sums[t - 1] for t in range(5, 5001, 2)} == {-1}
    marks = "".join("+" if s > 0 else "-" for s in signs[:10])
    return [f"{sum(squares[:60]) / 60:.1f} at T = 60, {sum(squares) / 5000:.1f} at T = 5000", marks]


def free_coordinate() -> list[str]:
    """(35) with right labels and the least loss 0: one sample of two coordinates."""
    radius = Q(1, 100)
    left, right = float(radius) / math.sqrt(2), 4 * (2 * radius) ** 2 / Q(1, 2)
    assert left > right
    return [f"{left:.4f}"[1:], f"{float(right):.4f}"[1:]]


def own_partition() -> list[str]:
    """Theorem 2 of hcct on the schedule of its own rule: two parabolas in the plane."""
    seen = []
    for step in (0.01, 0.003, 0.001):
        rounds = int(200 / step)
        one, two = (0.0, 1.0), (0.0, 1.0)
        last: list[tuple[float, float]] = []
        left = pooled = meetings = late = 0.0
        for _ in range(rounds):
            slopes = [(one[0] - 1, one[1] / 100), (two[0] + 1, two[1] / 100)]
            left += step * sum(x * x + y * y for x, y in slopes)
            late += 2 * step * pooled
            mean = [(a + b) / 2 for a, b in zip(*last, strict=True)] if last else [0.0, 0.0]
            length = math.hypot(*mean)
            alike = sum((x * mean[0] + y * mean[1]) / math.hypot(x, y) for x, y in last)
            if last and length and 1 + alike / length > 2:
                meetings, pooled = meetings + 1, pooled + 4 * step**2
                x, y = (one[0] + two[0]) / 2, (one[1] + two[1]) / 2
                last = [(x - 1, y / 100), (x + 1, y / 100)]
                one = two = (x - step * x, y - step * y / 100)
            else:
                last = slopes
                one = (one[0] - step * slopes[0][0], one[1] - step * slopes[0][1])
                two = (two[0] - step * slopes[1][0], two[1] - step * slopes[1][1])
        assert meetings == 39
        right = 2 * (1 + 1 / 100) + 2 * step * meetings * 4 + late
        seen.append(f"{left / right:.1f}")
    return [f"{', '.join(seen)} at η", "39 meetings"]


def five_meetings() -> list[str]:
    """The instance that is shown: alpha 7/4 of a size, steps of 1/32, in fractions."""
    step, flat = Q(1, 32), Q(1, 16)
    apart, height = Q(1), Q(1)
    left = similar = drift = past = Q(0)
    meetings, epochs, merged = 0, 0, False
    while not (merged and meetings == 5):
        left += 2 * step * (apart**2 + (flat * height) ** 2)
        drift += step * past
        if merged:
            meetings, apart = meetings + 1, Q(1)
            similar, past = similar + 4 * step, past + 4 * step**2
        # the cosine of either gradient with their mean is above 1/8
        benefit = 64 * (flat * height) ** 2 > apart**2 + (flat * height) ** 2
        if not merged:
            apart *= 1 - step
        height *= 1 - step * flat
        epochs, merged = epochs + 1, benefit
    xi = step * epochs
    left, right = left / xi, 2 * (1 + flat + similar + drift) / xi
    assert 2 * left > 3 * right
    shown = f"{float(left):.2f} > {float(right):.2f}"
    return [f"five meetings in {epochs} epochs", shown, f"a ratio of {float(left / right):.2f}"]


CASES: list[tuple[str, Callable[[], list[str]]]] = [
    *(
        ("adaptive", case)
        for case in (constant_step, horizon_step, non_convex_step, decreasing_step)
    ),
    *(("aggregation", case) for case in (fedmax, common_minimiser)),
    *(("fedbc", case) for case in (waiting_devices, resting_device, bracket)),
    *(("hcct", case) for case in (free_coordinate, own_partition, five_meetings)),
]


def _missing(text: str, numbers: list[str]) -> list[str]:
    """Which of the numbers a page does not have, however its lines are broken."""
    flat = " ".join(text.split())
    return [number for number in numbers if number not in flat]


@each(("paper", "case"), CASES)
def test_what_is_printed_is_what_comes_out(paper: str, case: Callable[[], list[str]]) -> None:
    text = (PAGES / f"{paper}.rst").read_text(encoding="utf-8")
    assert _missing(text, case()) == []


@each(("paper", "case"), CASES)
def test_another_number_in_the_page_is_seen(paper: str, case: Callable[[], list[str]]) -> None:
    """Every digit of the page one higher: no number of the case is found any more."""
    text = (PAGES / f"{paper}.rst").read_text(encoding="utf-8")
    raised = text.translate({ord(digit): str((int(digit) + 1) % 10) for digit in "0123456789"})
    numbers = [number for number in case() if any(sign.isdigit() for sign in number)]
    assert numbers
    assert _missing(raised, numbers) != []
