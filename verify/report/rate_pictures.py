"""Pictures of rates: what was measured with its band, under its printed and mended bounds.

Every form of a theorem that is drawn from one class of federations is evaluated on one federation,
the worst of the first of them, so that all bounds can stand in one picture.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bounds.numbers.shapes import Array
from figures.style import COLOURS, DASHES, GREY, LEVEL, MARKERS, band, panels, save, style
from verify.catalogue.rates import rate_of
from verify.claim.statement import FORMS
from verify.rates.curve import Curve, curve
from verify.rates.findings import NOWHERE
from verify.rates.many import Size, fitting, noise_key, times_of
from verify.rates.record import Rate
from verify.world.noise_plan import Samples

CAPTIONS = "captions.json"
Group = list[tuple[Rate, Mapping[str, Any]]]


def draw_rates(made: Mapping[str, Any], folder: Path) -> list[Path]:
    """Draw every group of rates of a result; paths of the SVG files.

    Parameters
    ----------
    made : mapping
        What `verify.run.curves.rates_json` returned.
    folder : Path
        Made if it is not there; ``captions.json`` in it lets a report show the pictures beside
        their theorems.
    """
    folder.mkdir(parents=True, exist_ok=True)
    size, captions, paths = Size(**made["size"]), {}, []
    for name, group in groups(made):
        number = int(group[0][1]["worst_federation"])
        curves = [(rate, _on(group[0][0], rate, number, size)) for rate, _ in group]
        with style():
            found = save(_picture(curves), folder, name)
        paths.append(found[0])
        captions[name] = _caption(curves, number, size)
    text = json.dumps(captions, indent=1, ensure_ascii=False) + "\n"
    (folder / CAPTIONS).write_text(text, encoding="utf-8")
    return paths


def groups(made: Mapping[str, Any]) -> Iterator[tuple[str, Group]]:
    """Rates with a measured federation, by theorem and class, with the name of their picture."""
    found: dict[str, Group] = {}
    for item in made["rates"]:
        if item["word"] != NOWHERE:
            rate = rate_of(item["rate"])
            name = f"rate {theorem_of(rate)} {rate.problems} {rate.own_horizon}"
            found.setdefault(name, []).append((rate, item))
    for name, group in found.items():
        words = name.rpartition(" ")[0]
        yield "".join(c if c.isalnum() else "_" for c in words).lower(), group


def theorem_of(rate: Rate) -> str:
    """Key of the entry without its form."""
    entry = rate.statement.entry
    head, _, last = entry.rpartition(".")
    return head if last in FORMS else entry


def _on(first: Rate, rate: Rate, number: int, size: Size) -> Curve:
    """A rate on the federation of this number of another one, drawn alike."""
    first = fitting(first, size)
    instance = first.federation(number, size.seed).batched()
    plan = Samples(noise_key(first, size.seed), size.replicates, 0, size.device)
    return curve(replace(rate, cells=first.cells), instance, times_of(rate, size), plan)


def _picture(curves: Sequence[tuple[Rate, Curve]]) -> Figure:
    figure, axes = panels(height=2.4)
    ax = axes[0, 0]
    drawn: list[Any] = []
    for k, (rate, found) in enumerate(curves):
        times, colour = np.array(found.times), COLOURS[k % len(COLOURS)]
        met = found.met[0]
        left, right = (np.where(met, x[0], np.nan) for x in (found.measured, found.bound))
        width = 2.4 * 0.6**k  # bounds that agree stay visible
        ax.plot(
            times, _above_zero(right), color=colour, linewidth=width, label=f"bound, {_label(rate)}"
        )
        if any(np.allclose(left, other, rtol=1e-9, equal_nan=True) for other in drawn):
            continue  # forms that differ on the right alone
        drawn.append(left)
        ax.plot(
            times,
            _above_zero(left),
            color=colour,
            linestyle=DASHES[1],
            marker=MARKERS[k % len(MARKERS)],
            label="measured" if len(drawn) == 1 else f"measured, {_label(rate)}",
        )
        reach = LEVEL * found.spread[0]
        low = np.where(left > reach, left - reach, left / 10)
        band(ax, times, low, left + reach, colour)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("round")
    ax.set_ylabel(curves[0][0].bounded)
    ax.grid(visible=True, color=GREY, alpha=0.15, linewidth=0.4)
    ax.legend()
    return figure


def _above_zero(values: Array) -> Array:
    """What a logarithmic axis can show."""
    return np.where(values > 0, values, np.nan)


def _label(rate: Rate) -> str:
    statement = rate.statement
    return f"{statement.form} {statement.part}@{statement.reading}".strip("@ ")


def _caption(curves: Sequence[tuple[Rate, Curve]], number: int, size: Size) -> dict[str, Any]:
    rate = curves[0][0]
    below = any((found.bound[0][found.met[0]] <= 0).any() for _, found in curves)
    means = "exact means" if curves[0][1].exact else f"{size.replicates} runs, band of 95 %"
    return {
        "title": f"{theorem_of(rate)}: {rate.problems}",
        "caption": f"Measured {rate.bounded} ({rate.iterate} iterate) and its bounds on federation "
        f"{number}, the one nearest to the first bound or beyond it; {means}."
        + (" Where a bound is not drawn it is not above zero." if below else ""),
        "seeds": str(size.seed),
        "entries": list(dict.fromkeys(r.statement.entry for r, _ in curves)),
    }
