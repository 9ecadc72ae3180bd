"""Which of the paper's observations on the synthetic data are reproduced, in numbers.

Source: adaptive, Section 5, text around Figures 2a and 2b.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from figures.studies.adaptive.curves import CLIENTS, AdaptiveStudy, AlgorithmCurve
from figures.studies.observation import Observation

FLOOR = -27.0  # log10 of the squared rounding errors of float64 at models of order one, with room
FLAT = 0.03  # a curve has levelled off below this part of its early slope
SAME = 0.25  # relative difference of slopes that still count as one rate
LEVEL = 0.3  # difference of log10 levels, a factor of two, that still counts as one level
PERSONAL = ("Ditto", "CoBo", "WGA-BC", "APFL")
ADAPTIVE = ("All-for-one-bin", "All-for-one-cont")


@dataclass(frozen=True)
class Shape:
    """Slopes of one curve, in powers of ten per round.

    Attributes
    ----------
    name : str
    early, late : float
        Least-squares slopes of the mean logarithm over the first tenth and over the last third of
        the rounds before float64 ends the descent.
    last : float
        Mean logarithm at the end of those rounds.
    linear_error, power_error : float
        Residual standard deviations of straight lines against t and against log t.
    usable : int
        Rounds used.
    """

    name: str
    early: float
    late: float
    last: float
    linear_error: float
    power_error: float
    usable: int

    @property
    def saturated(self) -> bool:
        """Whether the late slope is a small part of the early one."""
        return self.late > FLAT * self.early

    @property
    def exponential(self) -> bool:
        """Whether a straight line against t fits better than one against log t."""
        return self.linear_error < self.power_error


def shape(curve: AlgorithmCurve) -> Shape:
    """Slopes of a curve over its usable rounds."""
    values = np.array(curve.mean_log)
    above = np.flatnonzero(values < FLOOR)
    usable = max(9, int(above[0]) if len(above) else len(values) - 1)
    values = values[: usable + 1]
    t = np.arange(1, usable + 1)
    first, third = max(3, usable // 10), usable - usable // 3
    return Shape(
        curve.name,
        _slope(values[: first + 1]),
        _slope(values[third:]),
        float(values[-1]),
        _residual(t, values[1:]),
        _residual(np.log(t), values[1:]),
        usable,
    )


def exact_log_rate(step_size: float, dim: int, batch: int = 2, helpers: int = 1) -> float:
    r"""log10 of the factor by which the expected excess loss shrinks in a round.

    .. math:: 1 - 4\eta + 4\eta^2 \Big(1 + \frac{d+1}{b\,n}\Big)

    for the average of n clients' gradients with one optimum, H = I and exact labels.

    Parameters
    ----------
    step_size : float
        eta; length^2 / loss.
    dim, batch, helpers : int
        d, b and n.

    Returns
    -------
    float

    Source
    ------
    E ||g||^2 = 4 (1 + (d + 1)/(b n)) ||e||^2 from the Gaussian fourth moments.
    """
    return math.log10(1 - 4 * step_size + 4 * step_size**2 * (1 + (dim + 1) / (batch * helpers)))


def observations(study: AdaptiveStudy) -> tuple[Observation, ...]:
    """The paper's claims about Figure 2a (d = 2) or 2b (d = 10) against the study."""
    shapes = {c.name: shape(c) for c in study.curves}
    return tuple(check(study, shapes) for check in _CHECKS)


def table(study: AdaptiveStudy) -> str:
    """A printable table of slopes and observations."""
    lines = [
        f"d = {study.dim}, {study.seeds} seeds, {study.rounds} rounds, "
        f"label variance {study.label_variance:g}, step {study.step_size:g}",
        f"{'algorithm':20} {'early':>8} {'late':>8} {'last':>8} {'band':>6} {'mean':>8} "
        f"{'rounds':>6} {'inside':>6} {'outside':>7} {'CPU s':>6}  fit",
    ]
    for curve in study.curves:
        s = shape(curve)
        shares = (
            f"{_late(curve.inside, s.usable):6.2f} {_late(curve.outside, s.usable):7.2f}"
            if curve.inside
            else " " * 14
        )
        fit = "saturated" if s.saturated else "exponential" if s.exponential else "power"
        lines.append(
            f"{s.name:20} {s.early:8.4f} {s.late:8.4f} {s.last:8.2f} {curve.band[s.usable]:6.2f} "
            f"{curve.log_mean[s.usable]:8.2f} {s.usable:6d} {shares} {curve.cpu_seconds:6.1f}  "
            f"{fit}"
        )
    lines.append(
        "exact slopes of the mean: Local "
        f"{exact_log_rate(study.step_size, study.dim):.4f}, oracle "
        f"{exact_log_rate(study.step_size, study.dim, helpers=CLIENTS // 2):.4f} (exact labels)"
    )
    for o in observations(study):
        lines.append(f"[{'yes' if o.reproduced else ' no'}] {o.claim}: {o.measured}")
    return "\n".join(lines)


def _fedavg(_: AdaptiveStudy, shapes: dict[str, Shape]) -> Observation:
    s, local = shapes["FedAvg"], shapes["Local"]
    ok = abs(s.late) < FLAT * abs(local.early) and s.last > local.last + 0.5
    return Observation(
        "FedAvg saturates at once",
        ok,
        f"late slope {s.late:.4f}, level 10^{s.last:.2f} against Local's 10^{local.last:.2f}",
    )


def _sublinear(_: AdaptiveStudy, shapes: dict[str, Shape]) -> Observation:
    names = [n for n in (*ADAPTIVE, "oracle", "Local", *PERSONAL) if n in shapes]
    flat = [n for n in names if shapes[n].saturated]
    power = [n for n in names if not shapes[n].exponential and n not in flat]
    straight = [n for n in names if shapes[n].exponential and n not in flat]
    local = shapes["Local"]
    return Observation(
        "all others converge sub-linearly",
        len(power) == len(names),
        f"a power of t: {_list(power)}; exponential: {_list(straight)}; levelled off: "
        f"{_list(flat)}; late/early slope of Local {local.late / local.early:.2f}",
    )


def _same_rate(_: AdaptiveStudy, shapes: dict[str, Shape]) -> Observation:
    local = shapes["Local"]
    present = [n for n in PERSONAL if n in shapes]
    early = [n for n in present if abs(shapes[n].early / local.early - 1) < SAME]
    late = [n for n in present if _as_local(shapes[n], local)]
    numbers = ", ".join(
        f"{n} {shapes[n].early / local.early:.2f} then {_pace(shapes[n], local)}" for n in present
    )
    return Observation(
        "Ditto, CoBo, WGA-BC and APFL have the rate of Local",
        len(early) == len(late) == len(present),
        f"at first {_list(early)}, at the end {_list(late)}; slope over Local's: {numbers}",
    )


def _faster(study: AdaptiveStudy, shapes: dict[str, Shape]) -> Observation:
    t, local = _common(shapes, (*ADAPTIVE, "Local")), study.curve("Local")
    gaps, hits = {}, []
    for name in ADAPTIVE:
        gaps[name] = study.curve(name).mean_log[t] - local.mean_log[t]
        hits.append(f"{name} {_rounds_to(study.curve(name))}")
    return Observation(
        "All-for-one is faster than Local",
        all(g < -0.1 for g in gaps.values()),
        f"log10 loss at round {t} minus Local's: "
        + ", ".join(f"{n} {g:+.2f}" for n, g in gaps.items())
        + f"; rounds to a hundredth: {', '.join(hits)}, Local {_rounds_to(local)}",
    )


def _oracle_best(study: AdaptiveStudy, shapes: dict[str, Shape]) -> Observation:
    names = [n for n in (*ADAPTIVE, "FedAvg", "Local", *PERSONAL) if n in shapes]
    oracle, t = study.curve("oracle"), _common(shapes, ("oracle",))
    said, ok = [], True
    for label, of in (("mean log", _mean_log), ("log mean", _log_mean)):
        best = min(names, key=lambda n: of(study.curve(n))[t])
        gap = of(oracle)[t] - of(study.curve(best))[t]
        ok = ok and gap <= 0
        said.append(f"{label} at round {t} minus {best}'s {gap:+.2f}")
    return Observation("the oracle is best", ok, "; ".join(said))


def _regimes(study: AdaptiveStudy, shapes: dict[str, Shape]) -> Observation:
    oracle, local = shapes["oracle"], shapes["Local"]
    said, ok = [], True
    for name in ADAPTIVE:
        s, curve = shapes[name], study.curve(name)
        first = abs(s.early / oracle.early - 1) < SAME
        ok = ok and first and _as_local(s, local) and s.last < local.last
        said.append(
            f"{name} early {s.early / oracle.early:.2f} of the oracle's slope, then "
            f"{_pace(s, local)} (Local's), helpers inside {curve.inside[0]:.2f} then "
            f"{_late(curve.inside, s.usable):.2f}, outside {curve.outside[0]:.2f} then "
            f"{_late(curve.outside, s.usable):.2f}"
        )
    return Observation(
        "All-for-one has two regimes: its cluster's rate, then Local's", ok, "; ".join(said)
    )


_CHECKS: tuple[Callable[[AdaptiveStudy, dict[str, Shape]], Observation], ...] = (
    _fedavg,
    _sublinear,
    _same_rate,
    _faster,
    _oracle_best,
    _regimes,
)


def _common(shapes: dict[str, Shape], names: Iterable[str]) -> int:
    """Last round that all of these curves reach above the floor of float64."""
    return min(shapes[n].usable for n in names)


def _slope(values: np.ndarray) -> float:
    return float(np.polyfit(np.arange(len(values)), values, 1)[0])


def _residual(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.std(y - np.polyval(np.polyfit(x, y, 1), x)))


def _late(values: tuple[float, ...], usable: int) -> float:
    """Mean over the last third of the usable rounds.

    Beyond them models sit on their optima, where all ratios are one by convention.
    """
    kept = values[:usable]
    return float(np.mean(kept[-max(1, len(kept) // 3) :])) if kept else math.nan


def _as_local(s: Shape, local: Shape) -> bool:
    """Whether a curve ends at Local's slope, or at Local's level where Local has levelled off."""
    if local.saturated:
        return s.saturated and abs(s.last - local.last) < LEVEL
    return abs(s.late / local.late - 1) < SAME


def _pace(s: Shape, local: Shape) -> str:
    """Late slope over Local's, or the distance of levels where Local has levelled off."""
    if local.saturated:
        return f"level {s.last - local.last:+.2f}"
    return f"{s.late / local.late:.2f} at level 10^{s.last:.1f}"


def _rounds_to(curve: AlgorithmCurve, drop: float = 2.0) -> str:
    """First round at which the curve has fallen by these powers of ten."""
    values = np.array(curve.mean_log)
    below = np.flatnonzero(values < values[0] - drop)
    return str(int(below[0])) if len(below) else "never"


def _mean_log(curve: AlgorithmCurve) -> tuple[float, ...]:
    return curve.mean_log


def _log_mean(curve: AlgorithmCurve) -> tuple[float, ...]:
    return curve.log_mean


def _list(names: list[str]) -> str:
    return ", ".join(names) if names else "none"
