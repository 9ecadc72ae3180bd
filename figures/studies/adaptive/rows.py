r"""Measured error of All-for-one against every row of the theorems, over the horizon, exactly.

*Pair* and *PL pair*: two quadratics, or two non-convex losses with the Polyak-Lojasiewicz
inequality, on the line with symmetric two-point noise and weights of Definition 1 from the true
ratios; all outcomes of up to 8 rounds are enumerated, so that means over runs, and the smallest
excess loss that any run reaches, are exact. *Clusters*: 20 quadratics in two clusters with oracle
weights; mean and covariance follow an exact recursion over 1,024 rounds. Theorem 3 runs on a pair
of equal smooth non-convex losses, by enumeration.

At each horizon the printed row is taken at the largest precision that it admits, the mean excess
one round before the end, and the repaired row at its own, the smallest realised excess. Rows whose
step size contains the sufficient variance take a fixed precision, and say whether it was admitted.

Run as ``python -m figures.studies.adaptive.rows``.

Source: adaptive, Theorems 1 to 3.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.grouping.oracle import cluster_weights
from algorithms.registry import load_method
from bounds import rates
from bounds.numbers.shapes import Array
from bounds.similarity import step_ratio_lower
from bounds.sufficient import sufficient_ratio, sufficient_ratio_printed, sufficient_variance
from synthetic.builders import clustered_quadratics
from synthetic.exact.moments import averaged_gradient_map, expected_excess, moments
from synthetic.noise.outcomes import enumerate_outcomes
from synthetic.noise.sources import Given
from synthetic.nonconvex import SaturatedLoss
from synthetic.pl import WavyParabola
from synthetic.quadratic import Quadratic

ENUMERATED, FOLLOWED = 8, 1024
"""Horizons of the two federations."""

ROUNDING = 1e-9
"""Excess of an exact mean over a bound that rounding may explain."""

FACTOR = 2.0
"""C of the decreasing steps."""


@dataclass(frozen=True)
class RowAtHorizon:
    """One row at one horizon T.

    ``printed`` and ``repaired`` are the right sides, ``measured`` the left one (unit loss, or
    squared gradient for Theorem 3); ``admitted`` says whether the run met what the printed and
    the repaired row assume. A side is nan where the two forms need runs of their own.
    """

    row: str
    federation: str
    rounds: int
    measured: float
    printed: float
    repaired: float
    admitted: tuple[bool, bool]

    @property
    def broken(self) -> bool:
        """Whether an admitted run exceeds the printed row."""
        return self.admitted[0] and self.measured > self.printed * (1 + ROUNDING)


@dataclass(frozen=True)
class Path:
    """Mean excess (T+1), smallest excess of any run (T+1) and mean variance bound (T)."""

    mean: Array
    lowest: Array
    variance: Array


@dataclass(frozen=True)
class Federation:
    """What the rows need to know of a federation.

    Attributes
    ----------
    measure : callable
        Step sizes (T,) to a `Path`.
    variance : callable
        (precision, printed) to sigma_suf^2, or to the fixed variance of fixed weights.
    initial, mu, smoothness, step_ratio : float
        E_0; mu; beta; q, a lower bound of (sigma_phi/sigma_psi)^2.
    precisions : pair of float
        eps of the printed and of the repaired row whose step size contains it.
    """

    name: str
    rounds: int
    measure: Callable[[Array], Path]
    variance: Callable[[float, bool], float]
    initial: float
    mu: float
    smoothness: float
    step_ratio: float
    precisions: tuple[float, float]

    @property
    def step_size(self) -> float:
        """Largest admissible constant step."""
        return self.step_ratio / self.smoothness


def pair(separation: float = 0.25, noise: float = 1.0) -> Federation:
    """Two quadratics on the line."""
    plain = Quadratic(
        {
            "A": np.ones((2, 1, 1)),
            "xi": np.array([[0.0], [-separation]]),
            "half": True,
            **_noise(noise),
        }
    )
    return enumerated("pair", plain, 1.0, (0.05, 1e-4))


def polyak_pair(separation: float = 0.25, noise: float = 1.0) -> Federation:
    """Two non-convex losses on the line that satisfy the Polyak-Lojasiewicz inequality."""
    plain = WavyParabola(
        {
            "height": np.ones(2),
            "width": np.asarray(1.0),
            "centre": np.array([[0.0], [separation]]),
            **_noise(noise),
        }
    )
    return enumerated("PL pair", plain, 2.0, (0.05, 1e-4))


def enumerated(
    name: str, plain: Any, start_at: float, precisions: tuple[float, float]
) -> Federation:
    """Two clients on the line, weights from the true ratios, every outcome of the noise."""
    bias, slope = (x[0] for x in plain.heterogeneity())
    mu, beta = float(plain.pl_constant), float(plain.smoothness)
    method, problem = load_method("all_for_one"), plain.map(torch.as_tensor)
    start = np.array([start_at])

    def measure(steps: Array) -> Path:
        draws, chances = _outcomes(plain, len(steps))
        hyper = {"step_sizes": steps, "start": start, "weights": "true", "focus": [0]}
        found = run(method, problem, hyper, Given(draws), len(steps))
        excess = problem.expand(1).excess(found.theta[..., 0, :])[..., 0].numpy()
        # sigma_psi^2 = (sum_k r_k phi(r_k) / sigma_k^2)^{-1} with phi(r) = r
        ratio = found.extras["ratio"][..., 0, :].numpy()
        variance = 1 / (ratio**2 / plain.noise_variance).sum(-1)
        return Path(chances @ excess, excess.min(0), chances @ variance)

    def variance(precision: float, printed: bool) -> float:
        rule = sufficient_ratio_printed if printed else sufficient_ratio
        ratio = rule(np.sqrt(bias) if printed else bias, slope, mu, precision)
        return float(sufficient_variance(ratio, "continuous", plain.noise_variance))

    ratio = float(step_ratio_lower(plain.noise_variance))
    initial = float(plain.excess(start)[0])
    return Federation(name, ENUMERATED, measure, variance, initial, mu, beta, ratio, precisions)


def clusters(noise: float = 1.0) -> Federation:
    """20 quadratics in two clusters, d = 2, oracle weights."""
    plain = clustered_quadratics(
        20, 2, seed=127, strong_convexity=0.5, smoothness=1.0, noise_scale=noise
    )
    weights = cluster_weights(np.arange(20) % 2)[0]
    spread = float((weights**2 * plain.noise_variance).sum())
    start = plain.optimum[0] + np.array([3.0, -2.0])

    def measure(steps: Array) -> Path:
        path = moments(lambda t: averaged_gradient_map(plain, weights, steps[t]), start, len(steps))
        mean = expected_excess(plain, path)[..., 0]
        return Path(mean, mean, np.full(len(steps), spread))

    initial = float(plain.excess(start)[0])
    mu, beta = float(plain.strong_convexity), float(plain.smoothness)
    return Federation(
        "clusters",
        FOLLOWED,
        measure,
        lambda precision, printed: spread,
        initial,
        mu,
        beta,
        1.0,
        (0.0, 0.0),
    )


def points(one: Federation) -> Iterator[RowAtHorizon]:
    """Theorem 1 and the three rows of Theorem 2 at every horizon of a grid."""
    horizons = _horizons(one.rounds)
    path = one.measure(np.full(one.rounds, one.step_size))
    for rounds in horizons:
        bound = rates.theorem1_upper(
            one.initial, one.step_size, one.mu, one.smoothness, path.variance[:rounds]
        )
        right = _sum(bound)
        yield _point("theorem1", one, rounds, path.mean[rounds], right, right, (True, True))
    for rounds in horizons:
        printed, repaired = (
            _sum(
                rates.theorem2_constant_upper(
                    one.initial, one.step_size, one.mu, one.smoothness, variance, rounds
                )
            )
            for variance in _variances(one, path, rounds)
        )
        measured = path.mean[rounds]
        yield _point("theorem2.const", one, rounds, measured, printed, repaired, (True, True))
    yield from _horizon(one, horizons)
    yield from _decreasing(one, horizons)


def nonconvex_points(noise: float = 0.1) -> Iterator[RowAtHorizon]:
    """Theorem 3 on two equal smooth non-convex losses: sigma_suf^2 = sigma^2/2 at any precision."""
    data = {
        "height": np.ones(2),
        "width": np.asarray(1.0),
        "centre": np.zeros((2, 1)),
        **_noise(noise),
    }
    plain = SaturatedLoss(data)
    problem, method, start = plain.map(torch.as_tensor), load_method("all_for_one"), np.array([1.0])
    initial, beta = float(plain.excess(start)[0]), float(plain.smoothness)
    ratio, variance = float(step_ratio_lower(plain.noise_variance)), noise**2 / 2
    for rounds in _horizons(ENUMERATED):
        step = float(rates.theorem3_step_size(initial, beta, variance, rounds, ratio))
        draws, chances = _outcomes(plain, rounds)
        hyper = {"step_size": step, "start": start, "weights": "true", "focus": [0]}
        found = run(method, problem, hyper, Given(draws), rounds)
        slopes = problem.expand(1).gradients(found.theta[..., :-1, 0, :])[..., 0, :]
        mean = float(chances @ (slopes**2).sum(-1).mean(-1).numpy())
        printed = float(rates.theorem3_printed(initial, beta, variance, rounds))
        repaired = _sum(rates.theorem3_upper(initial, step, beta, variance, rounds))
        yield RowAtHorizon("theorem3", "nonconvex", rounds, mean, printed, repaired, (True, True))


def table(found: Sequence[RowAtHorizon]) -> str:
    """Text table of points."""
    lines = [
        f"{'row':26} {'federation':10} {'T':>5} {'measured':>11} {'printed':>11} {'repaired':>11}"
    ]
    for p in found:
        forms = zip((p.printed, p.repaired), p.admitted, strict=True)
        sides = "".join(f" {right:11.5g}{' ' if ok else '!'}" for right, ok in forms)
        lines.append(
            f"{p.row:26} {p.federation:10} {p.rounds:5d} {p.measured:11.5g}{sides}"
            f"{' broken' if p.broken else ''}"
        )
    return "\n".join([*lines, "! the run does not meet what this form assumes"])


def main() -> None:
    """Print all points."""
    found = [
        *points(pair()),
        *points(polyak_pair()),
        *points(clusters()),
        *nonconvex_points(),
    ]
    sys.stdout.write(table(found) + "\n")


def _horizon(one: Federation, horizons: Sequence[int]) -> Iterator[RowAtHorizon]:
    """A run of its own for every horizon and form: the step contains the sufficient variance.

    Horizons whose step is not admissible (too short a horizon, or noise above the start) have no
    row.
    """
    for printed, precision in zip((True, False), one.precisions, strict=True):
        variance = one.variance(precision, printed)
        bound = rates.theorem2_horizon_printed if printed else rates.theorem2_horizon_upper
        for rounds in horizons:
            numbers = (one.initial, one.mu, one.smoothness, variance, rounds)
            step = float(rates.horizon_step_size(*numbers))
            if not 0 < step <= one.step_size:
                continue
            path = one.measure(np.full(rounds, step))
            reached = path.mean[rounds - 1] if printed else path.lowest[:rounds].min()
            ok = bool(reached >= precision)
            right = _sum(bound(*numbers))
            row, sides, admitted = (
                ("theorem2.horizon", (right, np.nan), (ok, True))
                if printed
                else ("theorem2.horizon.repaired", (np.nan, right), (True, ok))
            )
            yield _point(row, one, rounds, path.mean[rounds], *sides, admitted)


def _decreasing(one: Federation, horizons: Sequence[int]) -> Iterator[RowAtHorizon]:
    """Delayed steps; the printed row's own first step C/mu is never admissible."""
    shift = float(rates.decreasing_shift(FACTOR, one.mu, one.smoothness, one.step_ratio))
    steps = rates.decreasing_step_size(FACTOR, one.mu, shift, np.arange(1, one.rounds + 1))
    path = one.measure(steps)
    for rounds in horizons:
        loose, close = _variances(one, path, rounds)
        numbers = (one.initial, one.mu, one.smoothness)
        printed = rates.theorem2_decreasing_printed(*numbers, loose, rounds, FACTOR)
        repaired = rates.theorem2_decreasing_upper(*numbers, close, rounds, FACTOR, shift)
        yield _point(
            "theorem2.decr", one, rounds, path.mean[rounds], printed, repaired, (False, True)
        )


def _variances(one: Federation, path: Path, rounds: int) -> tuple[float, float]:
    """sigma_suf^2 as printed at the mean excess before T, and the true one at the lowest."""
    lowest = float(path.lowest[:rounds].min())
    return one.variance(float(path.mean[rounds - 1]), True), one.variance(lowest, False)


def _point(
    row: str,
    one: Federation,
    rounds: int,
    measured: Any,
    printed: Any,
    repaired: Any,
    admitted: tuple[bool, bool],
) -> RowAtHorizon:
    values = float(measured), float(printed), float(repaired)
    return RowAtHorizon(row, one.name, rounds, *values, admitted)


def _outcomes(problem: Any, rounds: int) -> tuple[Any, Array]:
    """All outcomes of client 0's round slots as tensors, and their probabilities."""
    draws, chances = enumerate_outcomes(problem.noise_support(), rounds, problem.clients)
    return torch.as_tensor(draws), chances


def _noise(scale: float) -> dict[str, Any]:
    """Plus or minus this scale, for two clients."""
    return {"noise_scale": np.full(2, scale), "law": "two_point", "skew": np.ones(2)}


def _horizons(rounds: int) -> list[int]:
    """Every horizon up to 8, then powers of two."""
    return [t for t in range(1, rounds + 1) if t <= 8 or t & (t - 1) == 0]


def _sum(terms: dict[str, Any]) -> float:
    return float(sum(terms.values()))


if __name__ == "__main__":
    main()
