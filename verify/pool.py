"""The instances that a search has evaluated: budget, best ones, and where they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from verify.noise_plan import NoisePlan
from verify.score import Score, score
from verify.statement import Shape, Statement

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Candidate:
    """One evaluated parameter point: values without the instance axis, its shape, its ratio."""

    values: Values
    shape: Shape
    ratio: float


@dataclass
class Pool:
    """Evaluates parameter points of one statement and remembers what the later rungs need.

    Kept are the tightest points and, for the mutants, the scores of a few batches.
    """

    statement: Statement
    noise: NoisePlan
    tried: int = 0
    feasible: int = 0
    best: Candidate | None = None
    tops: list[Candidate] = field(default_factory=list)
    kept: list[Score] = field(default_factory=list)

    def evaluate(self, values: Values, shape: Shape, keep: bool = False) -> Score:
        """Score a batch of parameter points (leading axis of instances)."""
        instance = self.statement.family.instance(values, shape)
        result = score(self.statement, instance, noise=self.noise)
        self._remember(result, values, shape)
        if keep:
            self.kept.append(result)
        return result

    def decode(self, u: np.ndarray[Any, Any], shape: Shape) -> Values:
        """Parameter values of points of the unit cube."""
        return self.statement.family.decode(u, shape)

    def _remember(self, result: Score, values: Values, shape: Shape) -> None:
        tight = result.tight
        self.tried += len(tight)
        found = np.isfinite(tight) | (tight == np.inf)
        self.feasible += int(found.sum())
        if not found.any():
            return
        for j in np.argsort(-tight, kind="stable")[:2]:
            if tight[j] == -np.inf:
                continue
            candidate = Candidate({k: v[j] for k, v in values.items()}, shape, float(tight[j]))
            self.tops.append(candidate)
            if self.best is None or candidate.ratio > self.best.ratio:
                self.best = candidate
        self.tops = sorted(self.tops, key=lambda c: -c.ratio)[:8]
