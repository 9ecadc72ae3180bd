"""Compute, draw and check figures; ``check`` computes the committed data again."""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from algorithms.sweeps.checkpoint import ResultFolder, digest
from algorithms.sweeps.long_runs import keeping
from algorithms.sweeps.pool import source_digest
from bounds.numbers.validate import InvalidInput, require
from figures.places import PLACES, Data, Place, load
from figures.stable import How, Wander, drift
from figures.style import save, style

PROFILES = ("quick", "full", "stored")
"""Settings to compute with; ``stored`` draws the committed data as they are."""

CAPTIONS = "captions.json"
SECONDS = "cpu_seconds"
"""Entry of a committed file that is no data: what it took to compute."""
DEFAULT_TOLERANCE = (1e-6, 1e-12)
"""Relative and absolute: exact figures differ between machines by the order of sums alone."""


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


def stored(place: Place) -> Data:
    """Committed data of a figure, with `SECONDS` among them."""
    path = place.file
    try:
        with path.open("rb") as file, np.load(file) as archive:
            return {key: archive[key] for key in archive.files}
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise InvalidInput(
            f"{path} must be an npz file of arrays, got {error}: write it again with --update."
        ) from error


def numbers(place: Place, profile: str, kept: ResultFolder | None = None) -> tuple[Data, float]:
    """Data of a figure at these settings, and the CPU seconds that they took.

    Parameters
    ----------
    place : Place
    profile : str
        One of `PROFILES`.
    kept : Kept, optional
        Where computed numbers are kept, so that a command that was killed finds them again.
    """
    require(profile in PROFILES, "profile", f"one of {', '.join(PROFILES)}", profile, "choose one")
    if profile == "stored":
        data = stored(place)
        return data, float(data.pop(SECONDS))
    name = address(place, profile)
    found = None if kept is None else kept.find(name)
    if found is not None:
        return found, float(found.pop(SECONDS))
    begin = time.process_time()
    with keeping(kept):  # its long runs as well, until it is done
        data = load(place).compute(profile)
    seconds = time.process_time() - begin
    if kept is not None:
        kept.put(name, {**data, SECONDS: seconds})
    return data, seconds


def address(place: Place, profile: str) -> str:
    """Where the numbers of a figure are kept: they depend on all code that computes or draws."""
    return digest("figure", place.name, place.module, profile, source_digest(("figures", "verify")))


def computed(place: Place, profile: str) -> tuple[Place, Data, float]:
    """A figure's numbers from another machine, to be drawn on this one."""
    return (place, *numbers(place, profile))


def draw(place: Place, profile: str, folder: Path) -> Drawn:
    """Compute a figure and write its three files and its caption.

    Parameters
    ----------
    place : Place
    profile : str
        One of `PROFILES`.
    folder : Path
        Made if it is not there.

    Returns
    -------
    Drawn
    """
    made = paint(place, profile, folder)
    note(made, folder)
    return made


def paint(place: Place, profile: str, folder: Path, kept: ResultFolder | None = None) -> Drawn:
    """Compute a figure and write its three files."""
    return paint_numbers(place, *numbers(place, profile, kept), folder)


def paint_numbers(place: Place, data: Data, seconds: float, folder: Path) -> Drawn:
    """Write the three files of a figure whose numbers are there."""
    module = load(place)
    folder.mkdir(parents=True, exist_ok=True)
    with style():
        paths = save(module.plot(data), folder, place.name)
    text = " ".join(module.caption(data).split())
    return Drawn(place.name, module.TITLE, text, module.SEEDS, round(seconds, 2), tuple(paths))


def check(place: Place) -> list[Difference]:
    """Compute a figure again at the quick settings and compare with its committed data."""
    module = load(place)
    data, _ = numbers(place, "quick")
    committed = stored(place)
    committed.pop(SECONDS, None)
    chaotic = getattr(module, "CHAOTIC", {})
    return list(differences(place.name, data, committed, module.TOLERANCES, chaotic))


def compared(place: Place) -> tuple[str, list[Difference]]:
    """The figure's name, and where it parts from its committed data."""
    return place.name, check(place)


def differences(
    name: str,
    computed: Data,
    committed: Data,
    tolerances: Mapping[str, tuple[float, float]],
    chaotic: Mapping[str, How] = MappingProxyType({}),
) -> Iterable[Difference]:
    """Every array that is missing, has another shape, or is off by more than its tolerance.

    What is chaotic is off by more than its standard error; the standard errors themselves, which
    are as chaotic, by a factor of four.
    """
    named = (how.error if isinstance(how, Wander) else how for how in chaotic.values())
    errors = {how for how in named if isinstance(how, str)}
    for key in sorted(set(computed) | set(committed)):
        relative, absolute = tolerances.get(key, DEFAULT_TOLERANCE)
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
        elif key in chaotic:
            what = drift(key, chaotic[key], computed, committed, (relative, absolute))
            if what:
                yield Difference(name, key, what)
        elif key in errors:
            sizes = [float(np.sqrt(np.mean(np.square(x, dtype=float)))) for x in (new, old)]
            if not min(sizes) * 4 >= max(sizes):
                yield Difference(name, key, f"{sizes[0]:.3g} on average, committed {sizes[1]:.3g}")
        else:
            near = np.isclose(new, old, rtol=relative, atol=absolute, equal_nan=True)
            if not near.all():
                off = np.abs(new.astype(float) - old.astype(float))[~near]
                yield Difference(
                    name,
                    key,
                    f"{int((~near).sum())} of {near.size} values differ, by up to {off.max():.3g} "
                    f"(allowed: {relative:g} relative, {absolute:g} absolute)",
                )


def update(place: Place) -> Path:
    """Write the data of a figure at the quick settings."""
    data, seconds = numbers(place, "quick")
    arrays: Data = {key: np.asarray(value) for key, value in data.items()}
    arrays[SECONDS] = np.array(round(seconds, 2))
    np.savez_compressed(place.file, **arrays)
    return place.file


def note(made: Drawn, folder: Path, among: Sequence[Place] = PLACES) -> None:
    """Enter the caption of a figure into the folder's file, in the order of ``among``."""
    path = folder / CAPTIONS
    try:
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError:
        known = {}  # half a file from a run that was stopped
    known[made.name] = {
        "title": made.title,
        "caption": made.caption,
        "seeds": made.seeds,
        "cpu_seconds": made.cpu_seconds,
    }
    ordered = {place.name: known[place.name] for place in among if place.name in known}
    part = path.with_suffix(".part")
    part.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)
