"""Compute, draw and check figures by name; what a figure module must offer.

A module ``figures.fig_NAME`` has ``TITLE``, ``SEEDS`` (which ones it uses, in words),
``TOLERANCES``, ``compute(profile)``, ``plot(data)`` and ``caption(data)``. Data are arrays by
name. The committed ones, ``figures/data/NAME.npz``, were computed at the quick settings;
``check`` computes them again.
"""

from __future__ import annotations

import fnmatch
import importlib
import importlib.util
import json
import time
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from matplotlib.figure import Figure

from bounds.numbers.validate import InvalidInput, require
from figures.style import save, style

NAMES: tuple[str, ...] = (
    "sufficient_cluster",
    "adaptive_loss",
    "adaptive_digits",
    "rows",
    "clusters",
    "estimator",
    "allforall",
    "allforall_samples",
    "fedbc",
    "fedbc_training",
    "fedbc_users",
    "fedbc_multipliers",
    "fedsoftmax",
    "fedsoftmax_rounds",
    "fedsoftmax_map",
    "hcct",
    "hcct_arrivals",
    "hcct_clients",
    "hcct_patterns",
    "bounds",
    "tightness",
    "step_frontier",
    "ladder",
)
"""All figures, in the order of the report."""

PROFILES = ("quick", "full", "stored")
"""Settings to compute with; ``stored`` draws the committed data as they are."""

DATA = Path(__file__).parent / "data"
CAPTIONS = "captions.json"
SECONDS = "cpu_seconds"
"""Entry of a committed file that is no data: what it took to compute."""
DEFAULT_TOLERANCE = (1e-6, 1e-12)
"""Relative and absolute: exact figures differ between machines by the order of sums alone."""

Data = dict[str, Any]


class FigureModule(Protocol):
    """What a figure module offers.

    Attributes
    ----------
    TITLE, SEEDS : str
    TOLERANCES : mapping
        Array -> (relative, absolute) where it is not `DEFAULT_TOLERANCE`.

    Notes
    -----
    A module may name a package of the ``data`` extra as ``NEEDS``; see `lacking`.
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


@dataclass(frozen=True)
class Drawn:
    """A figure on disk.

    Attributes
    ----------
    name, title, caption, seeds : str
    cpu_seconds : float
        Spent on its numbers.
    paths : tuple of Path
        SVG, PDF and PNG.
    """

    name: str
    title: str
    caption: str
    seeds: str
    cpu_seconds: float
    paths: tuple[Path, ...]


@dataclass(frozen=True)
class Difference:
    """Where computed and committed data part.

    Attributes
    ----------
    name, array : str
    what : str
        In words.
    """

    name: str
    array: str
    what: str


def load(name: str) -> FigureModule:
    """The module of a figure."""
    return cast(FigureModule, importlib.import_module(f"figures.fig_{name}"))


def select(wanted: Sequence[str]) -> list[str]:
    """Names that match, in the order of `NAMES`; all if none is wanted.

    Raises
    ------
    InvalidInput
        If a name or glob matches nothing.
    """
    for pattern in wanted:
        known = any(fnmatch.fnmatchcase(name, pattern) for name in NAMES)
        require(known, "figure", f"one of {', '.join(NAMES)}", pattern, "check the spelling")
    return [n for n in NAMES if not wanted or any(fnmatch.fnmatchcase(n, p) for p in wanted)]


def lacking(name: str) -> str:
    """Package of the ``data`` extra that a figure's computation needs and that is not there."""
    package = str(getattr(load(name), "NEEDS", ""))
    return package if package and importlib.util.find_spec(package) is None else ""


def stored(name: str, folder: Path = DATA) -> Data:
    """Committed data of a figure, with `SECONDS` among them."""
    path = folder / f"{name}.npz"
    try:
        with path.open("rb") as file, np.load(file) as archive:
            return {key: archive[key] for key in archive.files}
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise InvalidInput(
            f"{path} must be an npz file of arrays, got {error}: write it again with --update."
        ) from error


def numbers(name: str, profile: str) -> tuple[Data, float]:
    """Data of a figure at these settings, and the CPU seconds that they took."""
    require(profile in PROFILES, "profile", f"one of {', '.join(PROFILES)}", profile, "choose one")
    if profile == "stored":
        data = stored(name)
        return data, float(data.pop(SECONDS))
    begin = time.process_time()
    data = load(name).compute(profile)
    return data, time.process_time() - begin


def draw(name: str, profile: str, folder: Path) -> Drawn:
    """Compute a figure and write its three files and its caption.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    profile : str
        One of `PROFILES`.
    folder : Path
        Made if it is not there.

    Returns
    -------
    Drawn
    """
    made = paint(name, profile, folder)
    note(made, folder)
    return made


def paint(name: str, profile: str, folder: Path) -> Drawn:
    """Compute a figure and write its three files."""
    module = load(name)
    data, seconds = numbers(name, profile)
    folder.mkdir(parents=True, exist_ok=True)
    with style():
        paths = save(module.plot(data), folder, name)
    text = " ".join(module.caption(data).split())
    return Drawn(name, module.TITLE, text, module.SEEDS, round(seconds, 2), tuple(paths))


def check(name: str, folder: Path = DATA) -> list[Difference]:
    """Compute a figure again at the quick settings and compare with its committed data."""
    module = load(name)
    data, _ = numbers(name, "quick")
    committed = stored(name, folder)
    committed.pop(SECONDS, None)
    return list(differences(name, data, committed, module.TOLERANCES))


def compared(name: str) -> tuple[str, list[Difference]]:
    """The figure's name, and where it parts from its committed data."""
    return name, check(name)


def differences(
    name: str, computed: Data, committed: Data, tolerances: Mapping[str, tuple[float, float]]
) -> Iterable[Difference]:
    """Every array that is missing, has another shape, or is off by more than its tolerance."""
    for key in sorted(set(computed) | set(committed)):
        if key not in committed or key not in computed:
            where = "computed" if key not in computed else "committed"
            yield Difference(name, key, f"not among the {where} data")
            continue
        new, old = np.asarray(computed[key]), np.asarray(committed[key])
        if new.shape != old.shape:
            yield Difference(name, key, f"shape {new.shape}, committed {old.shape}")
        elif new.dtype.kind in "US" or old.dtype.kind in "US":
            if not np.array_equal(new, old):
                yield Difference(name, key, "another text")
        else:
            relative, absolute = tolerances.get(key, DEFAULT_TOLERANCE)
            near = np.isclose(new, old, rtol=relative, atol=absolute, equal_nan=True)
            if not near.all():
                off = np.abs(new.astype(float) - old.astype(float))[~near]
                yield Difference(
                    name, key,
                    f"{int((~near).sum())} of {near.size} values differ, by up to {off.max():.3g} "
                    f"(allowed: {relative:g} relative, {absolute:g} absolute)",
                )  # fmt: skip


def update(name: str, folder: Path = DATA) -> Path:
    """Write the data of a figure at the quick settings."""
    data, seconds = numbers(name, "quick")
    path = folder / f"{name}.npz"
    arrays: Data = {key: np.asarray(value) for key, value in data.items()}
    arrays[SECONDS] = np.array(round(seconds, 2))
    np.savez_compressed(path, **arrays)
    return path


def note(made: Drawn, folder: Path) -> None:
    """Enter the caption of a figure into the folder's file, in the order of `NAMES`."""
    path = folder / CAPTIONS
    try:
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError:
        known = {}  # half a file from a run that was stopped
    known[made.name] = {
        "title": made.title, "caption": made.caption, "seeds": made.seeds,
        "cpu_seconds": made.cpu_seconds,
    }  # fmt: skip
    ordered = {name: known[name] for name in NAMES if name in known}
    part = path.with_suffix(".part")
    part.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)
