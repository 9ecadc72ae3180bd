"""What the synthetic study of the adaptive paper leaves: one curve per algorithm."""

from __future__ import annotations

from dataclasses import dataclass

from bounds.numbers.validate import require

CLIENTS = 20
"""Clients of the federation; every second one has the same target."""


@dataclass(frozen=True)
class AlgorithmCurve:
    """One algorithm's path.

    Attributes
    ----------
    name : str
    mean_log : tuple of float, length T + 1
        Mean over seeds of log10 of the excess loss averaged over clients.
    band : tuple of float
        Standard deviation over seeds of that logarithm.
    log_mean : tuple of float
        log10 of the excess loss averaged over clients and seeds.
    inside, outside : tuple of float, length T or 0
        Share of the other clients of the own cluster, and of those of the other cluster, that
        have a positive weight; empty where a method has no weights.
    cpu_seconds : float
    inside_error, outside_error : tuple of float, length T or 0
        Standard errors of the two shares over seeds.
    """

    name: str
    mean_log: tuple[float, ...]
    band: tuple[float, ...]
    log_mean: tuple[float, ...]
    inside: tuple[float, ...]
    outside: tuple[float, ...]
    cpu_seconds: float
    inside_error: tuple[float, ...] = ()
    outside_error: tuple[float, ...] = ()


@dataclass(frozen=True)
class AdaptiveStudy:
    """Curves of all algorithms on one federation.

    Attributes
    ----------
    dim, seeds, rounds : int
    label_variance : float
        Variance of the labels' noise; the curves show the loss above it.
    step_size : float
    curves : tuple of Curve
    """

    dim: int
    seeds: int
    rounds: int
    label_variance: float
    step_size: float
    curves: tuple[AlgorithmCurve, ...]

    def curve(self, name: str) -> AlgorithmCurve:
        """Curve of that algorithm."""
        found = {c.name: c for c in self.curves}
        require(name in found, "name", f"one of {sorted(found)}", name, "check the spelling")
        return found[name]
