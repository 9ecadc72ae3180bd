"""Where the figures are, and what a figure module must offer.

A module has ``TITLE``, ``SEEDS`` (which ones it uses, in words), ``TOLERANCES``,
``compute(profile)``, ``plot(data)`` and ``caption(data)``. Data are arrays by name. The committed
ones were computed at the quick settings and lie in a folder beside the module.
"""

from __future__ import annotations

import fnmatch
import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from bounds.numbers.validate import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ORDER: Mapping[str, tuple[str, ...]] = {
    "adaptive": (
        "sufficient_cluster",
        "adaptive_loss",
        "adaptive_digits",
        "rows",
        "clusters",
        "estimator",
    ),
    "allforall": (
        "allforall",
        "allforall_samples",
    ),
    "fedbc": (
        "fedbc",
        "fedbc_training",
        "fedbc_users",
        "fedbc_multipliers",
    ),
    "aggregation": (
        "fedsoftmax",
        "fedsoftmax_rounds",
        "fedsoftmax_map",
    ),
    "hcct": (
        "hcct",
        "hcct_arrivals",
        "hcct_clients",
        "hcct_patterns",
    ),
    "across": (
        "collaboration",
        "bounds",
        "tightness",
        "step_frontier",
    ),
}
"""Folders of this package and the figures in each that have a place in the report.

Any other ``fig_*.py`` comes after those of its folder, any other folder before ``across``.
"""


def _folders() -> dict[str, tuple[str, ...]]:
    """Every folder that has figures, with all of them, in the order of the report."""
    there: dict[str, list[str]] = {}
    for path in sorted(Path(__file__).parent.glob("*/fig_*.py")):
        there.setdefault(path.parent.name, []).append(path.stem.removeprefix("fig_"))
    *papers, across = ORDER
    return {
        folder: tuple(dict.fromkeys([*ORDER.get(folder, ()), *there.get(folder, ())]))
        for folder in [*papers, *(other for other in there if other not in ORDER), across]
    }


FOLDERS: Mapping[str, tuple[str, ...]] = _folders()

NAMES = tuple(name for names in FOLDERS.values() for name in names)

DATA = Path(__file__).parent / "data"

Data = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """Where a figure is; nothing is imported before `load`, and any process can follow it.

    Attributes
    ----------
    name : str
        That of its files.
    module : str
        In full.
    data : Path
        Folder of its committed data.
    """

    name: str
    module: str
    data: Path

    @property
    def file(self) -> Path:
        """The committed data."""
        return self.data / f"{self.name}.npz"


PLACES: tuple[Place, ...] = tuple(
    Place(name, f"figures.{folder}.fig_{name}", DATA)
    for folder, names in FOLDERS.items()
    for name in names
)


class FigureModule(Protocol):
    """What a figure module offers.

    Attributes
    ----------
    TITLE, SEEDS : str
    TOLERANCES : mapping
        Array -> (relative, absolute) where it is not the default.

    Notes
    -----
    A module may say as ``CHAOTIC`` which arrays are compared within their standard errors; see
    :mod:`figures.stable`. It may name a package of the ``data`` extra as ``NEEDS``; see `lacking`.
    """

    TITLE: str
    SEEDS: str
    TOLERANCES: Mapping[str, tuple[float, float]]

    def compute(self, profile: str) -> Data:
        """Arrays of the figure at these settings."""

    def plot(self, data: Data) -> Figure:
        """Draw them."""

    def caption(self, data: Data) -> str:
        """What is shown, and what the numbers say about the paper's claim."""


def load(place: Place) -> FigureModule:
    """The module of a figure."""
    return cast(FigureModule, importlib.import_module(place.module))


def select(wanted: Sequence[str], among: Sequence[Place] = PLACES) -> list[Place]:
    """Figures whose names match, in the order of ``among``; all if none is wanted.

    Parameters
    ----------
    wanted : sequence of str
        Names or globs.
    among : sequence of Place
        By default those of this package.

    Raises
    ------
    InvalidInput
        If a name or glob matches nothing.
    """
    names = [place.name for place in among]
    for pattern in wanted:
        known = any(fnmatch.fnmatchcase(name, pattern) for name in names)
        require(known, "figure", f"one of {', '.join(names)}", pattern, "check the spelling")
    return [p for p in among if not wanted or any(fnmatch.fnmatchcase(p.name, w) for w in wanted)]


def lacking(place: Place) -> str:
    """Package of the ``data`` extra that a figure's computation needs and that is not there."""
    package = str(getattr(load(place), "NEEDS", ""))
    return package if package and importlib.util.find_spec(package) is None else ""
