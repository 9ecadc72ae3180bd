"""``rates``: theorems that bound a run, on many drawn federations, over whole curves."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import require
from verify.catalogue.counted import several
from verify.catalogue.json_files import read_json
from verify.catalogue.library import unknown
from verify.cli.output import (
    backend_options,
    output_file,
    progress,
    say,
    scheduler_of,
    table,
)
from verify.run.tasks import Settings

if TYPE_CHECKING:
    from verify.rates.record import Rate

STATUS = (
    "Exit status: 0, whatever was found; 2 for bad input; 130 after Ctrl-C. Started again with the "
    "same settings, a run that was stopped goes on where it was."
)


def add(commands: Any) -> None:
    """Register the command."""
    measuring = commands.add_parser(
        "rates", help="measure rates under their bounds on many drawn federations", epilog=STATUS
    )
    measuring.add_argument("keys", nargs="*", metavar="KEY", help="keys or globs; all if none")
    measuring.add_argument("--paper", help="only this paper")
    measuring.add_argument("--profile", default="quick", help="quick or default")
    measuring.add_argument("--federations", type=int, metavar="N", help="federations of each rate")
    measuring.add_argument("--rounds", type=int, metavar="T", help="largest horizon")
    measuring.add_argument("--clients", type=int, metavar="N", help="clients of each federation")
    measuring.add_argument("--dimension", type=int, metavar="D", help="dimension of the models")
    measuring.add_argument("--replicates", type=int, metavar="R", help="runs of each federation")
    measuring.add_argument("--seed", type=int, default=0, help="seed of the run (default 0)")
    measuring.add_argument("--device", default="cpu", help="device of simulated runs (default cpu)")
    backend_options(measuring)
    output_file(measuring, "where the result goes")
    measuring.add_argument("--plot", type=Path, metavar="DIR", help="draw every curve there")
    measuring.add_argument(
        "--ledger", type=Path, metavar="FILE", help="add what was found to this ledger"
    )
    measuring.add_argument("--list", action="store_true", help="rates only, nothing is run")
    measuring.set_defaults(call=measure_rates)


def measure_rates(args: argparse.Namespace) -> int:
    """Measure the rates that were named."""
    from verify.catalogue.rates import select
    from verify.catalogue.whole_files import require_ours, require_writable
    from verify.ledger.ledger import SCHEMA as LEDGER
    from verify.rates.many import PROFILES
    from verify.run.curves import DEFAULT_NAME, rates_json

    rates = select(args.keys, args.paper)
    if args.list:
        table(
            ["rate", "bounded", "iterate", "method", "way"],
            [[r.key, r.bounded, r.iterate, r.federation(0).method or "-", r.way] for r in rates],
        )
        return 0
    if args.profile not in PROFILES:
        raise unknown("profile", args.profile, PROFILES)
    given = sizes_asked(args)
    rates, without = with_sizes(rates, given)
    settings = Settings(seed=args.seed, device=args.device, jobs=args.jobs).checked()
    size = replace(PROFILES[args.profile], seed=args.seed, device=args.device, **given)
    path = args.json or Path(DEFAULT_NAME)
    require_writable("result", path)
    require_ours(path, ["fedassay-rates/1"], args.force)
    if args.ledger is not None:
        read_json(args.ledger, LEDGER)  # what cannot be added to is told before the work
    if args.plot is not None:
        taken = args.plot.exists() and not args.plot.is_dir()
        require(not taken, "plot", "a folder", args.plot, "name another")
    with progress("measuring", 1) as observe:
        made = rates_json(
            rates,
            size,
            path,
            jobs=settings.processes,
            observe=observe,
            scheduler=scheduler_of(args),
        )
    show(made)
    if without:
        say(f"\nleft out: {several(len(without), 'rate')} whose federations have other sizes")
    if args.plot is not None:
        from verify.report.rate_pictures import draw_rates

        drawn = draw_rates(made, args.plot)
        say(f"\nPictures: {len(drawn)} in {args.plot}")
    if args.ledger is not None:
        from verify.run.curve_ledger import add_to_ledger

        told = add_to_ledger(args.ledger, made)
        leaves = several(len(told), "leaf", "leaves")
        say(f"\nLedger: evidence for {leaves} added to {args.ledger}")
    each = several(size.federations, "federation")
    say(f"\n{several(len(made['rates']), 'rate')}, {each} each: {path}")
    return 0


def sizes_asked(args: argparse.Namespace) -> dict[str, int]:
    """Sizes that were given, each in its range."""
    from verify.rates.sizes import CLIENTS, DIMENSION, ROUNDS, checked

    limits = {
        "federations": (1, 10**6),
        "rounds": (1, ROUNDS),
        "replicates": (2, 10**6),
        "clients": (1, CLIENTS),
        "dimension": (1, DIMENSION),
    }
    found = {
        name: checked(name, getattr(args, name), most, least)
        for name, (least, most) in limits.items()
    }
    return {name: value for name, value in found.items() if value is not None}


def with_sizes(
    rates: Sequence[Rate], given: Mapping[str, int]
) -> tuple[tuple[Rate, ...], tuple[Rate, ...]]:
    """Rates with federations of the sizes given, and those without."""
    from verify.rates.sizes import of_size

    sizes = given.get("clients"), given.get("dimension")
    kept = tuple(rate for rate in rates if of_size(rate, *sizes) is not None)
    asked = [name for name in ("clients", "dimension") if name in given]
    told = " and ".join(f"{name} {given[name]}" for name in asked)
    require(
        bool(kept),
        "sizes",
        "those of some federation of these rates",
        told,
        "choose others, or other rates",
    )
    return kept, tuple(rate for rate in rates if rate not in kept)


def show(made: Mapping[str, Any]) -> None:
    """One line per rate: worst measured/bound over time, median at the end, and the e-value."""
    decades = [10**k for k in range(5) if 10**k <= made["size"]["rounds"]]
    columns = [
        "rate",
        "means",
        *(f"t={t}" for t in decades),
        "T",
        "last",
        "median",
        "number",
        "slope",
        "claimed",
        "e-value",
        "found",
    ]
    rows = []
    for item in made["rates"]:
        at = dict(zip(item["times"], item["worst"], strict=True))
        worst = [
            *(_ratio(at.get(t)) for t in decades),
            str(item["times"][-1]),
            _ratio(item["worst"][-1]),
        ]
        number = item["worst_federation"]
        slope, claimed = item["slope"], item["claimed"]
        rows.append(
            [
                item["rate"],
                "exact" if item["exact"] else "sampled",
                *worst,
                _ratio(item["median"][-1]),
                "-" if number is None else str(number),
                "-" if slope is None else f"{slope[1]:.2f}",
                "-"
                if claimed is None
                else " ".join([f"{claimed[0]:g}..{claimed[1]:g}", item["order"] or ""]).strip(),
                "-" if item["exact"] else f"1e{item['log10_e']:.1f}",
                item["word"],
            ]
        )
    table(columns, rows)


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
