"""``bench``: how fast the engine is here, each job held against an exact answer."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import InvalidInput, finite, positive, require
from verify.cli.output import output_file, progress, say, table

if TYPE_CHECKING:
    from algorithms.bench.measure import BenchLine

FIELDS = (
    "job",
    "variant",
    "steps_per_cpu_second",
    "ratio_to_serial",
    "share_of_generator_bound",
    "peak_bytes",
    "agrees_with_exact",
)


def add(commands: Any) -> None:
    """Register the command."""
    bench = commands.add_parser(
        "bench",
        help="measure the engine on this machine",
        description="Measures throughput per CPU second, peak memory and the share of what the "
        "noise allows; every job is held against an exact answer.",
        epilog="Exit status: 0; 1 if a job disagrees with its exact answer; 2 for bad input.",
    )
    bench.add_argument("jobs", nargs="*", metavar="JOB", help="names of jobs; all if none")
    bench.add_argument("--list", action="store_true", help="list the jobs")
    bench.add_argument(
        "--seconds", type=float, default=2.0, metavar="S", help="time of each variant (2)"
    )
    bench.add_argument("--device", default="cpu", help="cpu, cuda or cuda:N")
    bench.add_argument("--eager", action="store_true", help="without compiled graphs")
    bench.add_argument("--full", action="store_true", help="long jobs at their full length")
    output_file(bench, "also write the numbers")
    bench.add_argument(
        "--compare", metavar="OLD.json", type=Path, help="ratios to the numbers of another run"
    )
    bench.set_defaults(call=bench_jobs)


def bench_jobs(args: argparse.Namespace) -> int:
    """Run the jobs, print the table, and write or compare the numbers."""
    import torch

    from algorithms.bench.jobs import JOBS
    from algorithms.bench.runs import Bench
    from verify.catalogue.json_files import write_json
    from verify.catalogue.whole_files import require_ours, require_writable
    from verify.run.bench_jobs import LADDER_JOBS

    jobs = {**JOBS, **LADDER_JOBS}
    if args.list:
        for name, job in jobs.items():
            say(f"{name:14} {(job.__doc__ or '').splitlines()[0]}")
        return 0
    for name in args.jobs:
        require(name in jobs, "JOB", f"one of {', '.join(jobs)}", name, "see --list")
    positive("--seconds", args.seconds)
    finite("--seconds", args.seconds, "pass a number of seconds")
    places = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    places += [f"cuda:{j}" for j in range(torch.cuda.device_count())]
    require(
        args.device in places,
        "--device",
        f"one of {', '.join(places)}",
        args.device,
        "pass a device of this machine, or leave it out",
    )
    if args.json is not None:
        require_writable("output", args.json)
        require_ours(args.json, ['"job"', '"variant"', '"steps_per_cpu_second"'], args.force)
    old = None if args.compare is None else read_results(args.compare)
    torch.set_num_threads(1)
    bench = Bench(args.seconds, args.device, not args.eager, args.full)
    found: list[BenchLine] = []
    names = list(args.jobs or jobs)
    with progress("bench", len(names)) as observe:
        for done, name in enumerate(names):
            observe(done, len(names), name)
            found += jobs[name](bench)
    _show(found, old)
    if args.json is not None:
        write_json(args.json, [dataclasses.asdict(line) for line in found])
        say(f"Numbers: {args.json}")
    return 1 if any(line.agrees_with_exact is False for line in found) else 0


def read_results(path: Path) -> dict[tuple[str, str], float]:
    """Rates of a written table by job and variant."""
    remedy = "pass a file that bench -o has written"
    try:
        lines = json.loads(path.read_text())
        if not (isinstance(lines, list) and all(isinstance(x, dict) for x in lines)):
            raise InvalidInput("no list of lines")
        return {(x["job"], x["variant"]): float(x["steps_per_cpu_second"]) for x in lines}
    except (ValueError, KeyError) as error:
        raise InvalidInput(f"{path} must be a table of bench, got {error}: {remedy}.") from error


def _show(found: list[BenchLine], old: dict[tuple[str, str], float] | None) -> None:
    columns = ["job", "variant", "per CPU second", "x serial", "of generator", "peak MiB", "exact"]
    rows = [
        [
            x.job,
            x.variant,
            _number(x.steps_per_cpu_second),
            "" if x.ratio_to_serial is None else f"{x.ratio_to_serial:.1f}",
            "" if x.share_of_generator_bound is None else f"{x.share_of_generator_bound:.2f}",
            "" if x.peak_bytes is None else f"{x.peak_bytes / 2**20:.0f}",
            "" if x.agrees_with_exact is None else "agrees" if x.agrees_with_exact else "DIFFERS",
        ]
        for x in found
    ]
    if old is not None:
        columns.append("new / old")
        for row, x in zip(rows, found, strict=True):
            before = old.get((x.job, x.variant))
            row.append(f"{x.steps_per_cpu_second / before:.2f}" if before else "new")
    table(columns, rows)


def _number(rate: float) -> str:
    """A rate with three digits and its unit of size."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"
