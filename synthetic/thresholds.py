r"""Clients that label an interval by a threshold: every quantity of the bound in closed form.

Client i draws x uniformly from [a_i, a_i + l_i] and labels it 1 beyond c_i.  The prediction of a
threshold t errs on the points between t and c_i, so that risks are lengths; laws of groups are
piecewise constant on the cells between all ends and thresholds, on which everything is a finite
sum.  Numbers may be floats or `Fraction`.

Source: hcct, Theorem 1, Equations 31 to 34.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bounds.generic import divide
from bounds.numbers.validate import require

__all__ = ["ThresholdClients"]

Number = Any


@dataclass(frozen=True)
class ThresholdClients:
    """Uniform marginals and threshold labels.

    Parameters
    ----------
    left, length : sequences of N numbers
        The interval of client i is [left_i, left_i + length_i], length_i > 0.
    label : sequence of N numbers
        c_i: the label is 1 for x > c_i.
    sizes : sequence of N numbers
        D_i > 0.

    Raises
    ------
    InvalidInput
        If lengths differ or a length or size is not positive.
    """

    left: Sequence[Number]
    length: Sequence[Number]
    label: Sequence[Number]
    sizes: Sequence[Number]

    def __post_init__(self) -> None:
        counts = {len(x) for x in (self.left, self.length, self.label, self.sizes)}
        same = len(counts) == 1
        require(same, "clients", "of one number in every field", sorted(counts), "align them")
        for name in ("length", "sizes"):
            values = getattr(self, name)
            require(all(v > 0 for v in values), name, "positive", list(values), "drop the client")

    @property
    def clients(self) -> int:
        """N."""
        return len(self.left)

    def cells(self, *more: Number) -> list[tuple[Number, Number]]:
        """Intervals between consecutive ends, thresholds and further points, sorted."""
        ends = [a + d for a, d in zip(self.left, self.length, strict=True)]
        points = sorted({*self.left, *ends, *self.label, *more})
        return list(pairwise(points))

    def law(self, i: int, *more: Number) -> list[Number]:
        """Mass of client i on each cell."""
        low, high = self.left[i], self.left[i] + self.length[i]
        return [
            divide(b - a, self.length[i]) if low <= a and b <= high else 0 * self.length[i]
            for a, b in self.cells(*more)
        ]

    def pooled(self, group: Sequence[int], *more: Number) -> list[Number]:
        """Mass of the mixture sum_j D_j/D P_j of a group on each cell."""
        require(len(group) > 0, "group", "not empty", list(group), "name a client")
        whole = sum(self.sizes[j] for j in group)
        laws = [(divide(self.sizes[j], whole), self.law(j, *more)) for j in group]
        return [sum(w * p[k] for w, p in laws) for k in range(len(laws[0][1]))]

    def labels(self, threshold: Number, *more: Number) -> list[int]:
        """Prediction of a threshold on each cell (it has to be one of the ends of cells)."""
        return [int(a >= threshold) for a, _ in self.cells(*more)]

    def risk(self, i: int, threshold: Number) -> Number:
        """E_i|h - f_i| of the prediction of a threshold: the part of the interval between both."""
        low, high = sorted((threshold, self.label[i]))
        start, end = self.left[i], self.left[i] + self.length[i]
        inside = min(high, end) - max(low, start)
        return divide(max(inside, 0 * inside), self.length[i])

    def group_risk(self, group: Sequence[int], threshold: Number) -> Number:
        """Mean of the members' risks, weighted by their samples."""
        whole = sum(self.sizes[j] for j in group)
        return divide(sum(self.sizes[j] * self.risk(j, threshold) for j in group), whole)

    def best_threshold(self, group: Sequence[int]) -> Number:
        """A threshold of smallest group risk: the risk is piecewise linear, its kinks are tried."""
        ends = [self.left[j] + self.length[j] for j in group]
        kinks = sorted({*(self.label[j] for j in group), *(self.left[j] for j in group), *ends})
        return min(kinks, key=lambda t: self.group_risk(group, t))

    def distance(self, i: int, group: Sequence[int]) -> Number:
        """L1 distance of the pooled marginal of x to that of client i, in [0, 2]."""
        pairs = zip(self.pooled(group), self.law(i), strict=True)
        return sum(abs(p - q) for p, q in pairs)

    def threshold_divergence(self, i: int, group: Sequence[int]) -> Number:
        """H-divergence of thresholds: twice the largest gap of the distribution functions.

        Exact, since the functions are linear between the ends of cells.
        """
        gap, largest = 0 * self.length[i], 0 * self.length[i]
        for p, q in zip(self.pooled(group), self.law(i), strict=True):
            gap = gap + p - q
            largest = max(largest, abs(gap))
        return 2 * largest

    def label_shift(self, i: int, group: Sequence[int], threshold: Number) -> Number:
        """min(E_i|f_G - f_i|, E_G|f_G - f_i|) for the group's threshold as f_G."""
        low, high = sorted((threshold, self.label[i]))
        cells = self.cells(threshold)
        wrong = [int(low <= a and b <= high) for a, b in cells]
        laws = (self.law(i, threshold), self.pooled(group, threshold))
        return min(sum(m * x for m, x in zip(law, wrong, strict=True)) for law in laws)

    def signed_label_shift(self, i: int, group: Sequence[int], threshold: Number) -> Number:
        """The printed lambda: min(E_i[f_G - f_i], E_G[f_G - f_i])."""
        ours, theirs = (self.labels(t, threshold) for t in (self.label[i], threshold))
        laws = (self.law(i, threshold), self.pooled(group, threshold))
        return min(
            sum(m * (g - f) for m, g, f in zip(law, theirs, ours, strict=True)) for law in laws
        )
