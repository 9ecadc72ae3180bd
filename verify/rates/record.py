"""The record of a rate: a statement that bounds a run, and the federations it is put to at scale.

The statement itself says the method, the step rule, the constants and both sides; a rate adds where
it is looked at from further away.  Nothing of the bound is written a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import require
from verify.claim.instance import Instance
from verify.claim.statement import Statement

if TYPE_CHECKING:
    import numpy as np

    from synthetic.exact.moments import AffineMap, Moments
    from verify.rates.control import Controlled
    from verify.world.world import World

Cell = Mapping[str, Any]
"""Sizes, law and constants that federations of one batch share: N, d, law, ..."""
Draw = Callable[["np.random.Generator", Cell], Instance]

WAYS = ("samples", "moments", "sides")
ITERATES = ("last", "average", "best")


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A statement that bounds a run, at scale.

    Parameters
    ----------
    statement : Statement
        Gives key, method, step rule, constants, hypotheses and both sides.
    problems : str
        The class of federations in a few words.
    draw : callable
        ``(generator, cell) -> Instance`` of one federation with hyper-parameters inside the
        theorem's range, without a horizon.
    cells : sequence of mappings
        Small ones first; federation n belongs to cell n modulo their number.
    way : {"samples", "moments", "sides"}
        How means are taken: over addressed noise; exactly, as the sides are functions of mean and
        covariance of one iterate under an affine round; or by the sides alone, which are exact.
    bounded, iterate : str
        What is bounded, and of which iterate.
    own_horizon : bool
        Whether the run depends on the horizon (through its steps), so that every horizon is a run
        of its own.
    ceiling : callable or None
        World -> proved upper bound, (B, 1), of a random right side.
    affine_map : callable or None
        World -> the affine map of each round t = 0, 1, ..., for the way ``moments``; a
        `synthetic.exact.stepped.Stepped` where rounds differ by their steps alone, which is faster,
        or the `synthetic.exact.moments.Moments` themselves where a round is no map of the iterate
        alone.
    control : callable or None
        World -> a control variate of the left side, for the mean that is reported of samples.
    slope : tuple of float or None
        Interval in which the slope of log(measured) over log(t) at the end of the run must lie
        where the noise leads, if the theorem claims an order.
    free : tuple of str
        Sizes of a cell, N and d, that may be any number from the smallest one on.
    wide : bool
        Whether sides or hypotheses look at every client at every model of the run.
    longest : int
        Largest horizon that the sides can be evaluated at.
    defines : mapping
        Symbols that a long run gives otherwise than a small one: its schedule, say, or its mean and
        covariance in place of all of its outcomes.
    """

    statement: Statement
    problems: str
    draw: Draw
    cells: tuple[Cell, ...]
    way: str = "samples"
    bounded: str = "excess loss"
    iterate: str = "last"
    own_horizon: bool = False
    ceiling: Callable[[World], Any] | None = None
    affine_map: Callable[[World], Callable[[int], AffineMap] | Moments] | None = None
    control: Controlled | None = None
    slope: tuple[float, float] | None = None
    free: tuple[str, ...] = ()
    wide: bool = False
    longest: int = 10_000
    defines: Mapping[str, Callable[[World], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, allowed in (("way", WAYS), ("iterate", ITERATES)):
            value = getattr(self, name)
            require(value in allowed, f"{self.key}: {name}", f"one of {allowed}", value, "choose")
        known = (self.affine_map is not None) == (self.way == "moments")
        require(known, f"{self.key}: affine_map", "given for the way moments", None, "pass it")
        alone = self.control is None or (self.way == "samples" and not self.own_horizon)
        require(
            alone,
            f"{self.key}: control",
            "of one sampled run for all horizons",
            self.way,
            "leave it out",
        )
        require(bool(self.cells), f"{self.key}: cells", "at least one", self.cells, "add one")

    @property
    def key(self) -> str:
        """Key of the statement, with the class of federations."""
        return f"{self.statement.key} [{self.problems}]"

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.statement.source.paper

    @property
    def claim(self) -> Statement:
        """The statement as long runs see it."""
        if not self.defines:
            return self.statement
        return replace(self.statement, defines={**self.statement.defines, **self.defines})

    def federation(self, number: int, seed: int = 0) -> Instance:
        """Federation of this number, the same on every machine and in every batch."""
        import numpy as np

        stream = np.random.SeedSequence([seed, number, *self.key.encode()])
        return self.draw(np.random.default_rng(stream), self.cells[number % len(self.cells)])
