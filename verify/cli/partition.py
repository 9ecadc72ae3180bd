"""``partition``: who should train with whom, and what each client gains or loses by it."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path
from typing import Any

from verify.catalogue.counted import several
from verify.cli.output import output_file, say, table


def add(commands: Any) -> None:
    """Register the command."""
    grouping = commands.add_parser(
        "partition",
        help="group clients by their gradients and numbers of samples",
        description="Groups clients by the greedy partition of the paper hcct. FILE is .npz, .csv "
        "or .json: gradients (clients, d) and sizes, or the tables X and y of every client; or a "
        "folder with one .csv per client, with a column y.",
    )
    grouping.add_argument("file", metavar="FILE", type=Path)
    grouping.add_argument(
        "--alpha",
        type=float,
        required=True,
        help="samples against similarity: large values make large groups",
    )
    grouping.add_argument("--beta", type=float, default=0.0, help="added to every utility (0)")
    grouping.add_argument(
        "--order",
        choices=("text", "box"),
        default="text",
        help="stop before a merge without benefit (text), or ask after each merge only (box)",
    )
    output_file(grouping, "also write the result")
    grouping.set_defaults(call=partition_file)


def partition_file(args: argparse.Namespace) -> int:
    """Print groups, utilities, the optimum where it is known, and every client's gain."""
    from algorithms.grouping.partition import partition_clients
    from verify.catalogue.json_files import plain, write_json
    from verify.catalogue.whole_files import require_ours, require_writable
    from verify.cli.tables.partition_file import read_clients

    if args.json is not None:
        require_writable("output", args.json, [args.file])
        require_ours(args.json, ["fedassay-grouping/1"], args.force)
    read = read_clients(args.file)
    for note in read.notes:
        say(note)
    found = partition_clients(
        read.gradients,
        read.sizes,
        tradeoff=args.alpha,
        offset=args.beta,
        order=args.order,
        names=read.names,
    )
    table(
        ["client", "group", "samples", "utility", "alone", "gain", "would rather be"],
        [
            [
                c.name,
                str(c.group + 1),
                f"{c.size:g}",
                f"{c.utility:.4f}",
                f"{c.alone:.4f}",
                f"{c.gain:+.4f}",
                c.wish or "-",
            ]
            for c in found.clients
        ],
    )
    say()
    for number, group in enumerate(found.groups, 1):
        say(f"group {number}: {', '.join(group)}")
    say(f"total utility {found.utility:.6g}{_against(found)}")
    wishes = sum(1 for c in found.clients if c.wish)
    say(
        "stable: nobody would rather be elsewhere"
        if found.stable
        else f"not stable: {wishes} of {len(found.clients)} clients would rather be elsewhere"
    )
    losing = [c.name for c in found.clients if c.gain < 0]
    if losing:
        say(f"worse off than alone: {', '.join(losing)}")
    if found.independence_threshold is not None:
        say(f"everybody stays alone for alpha up to {found.independence_threshold:.6g}")
    _show_ranges(found)
    say(f"{several(found.benefits, 'benefit')} and {several(found.cosines, 'cosine')} evaluated")
    if args.json is not None:
        write_json(args.json, plain(found.to_json()))
        say(f"Result: {args.json}")
    return 0


def _show_ranges(found: Any) -> None:
    """For which alpha the groups are these, and what they are elsewhere."""
    here = next(
        (r for r in found.ranges if r.groups == found.groups and r.holds(found.tradeoff)), None
    )
    if here is None:
        return
    say(f"the same groups for alpha {_between(here)}")
    others = [one for one in found.ranges if one is not here]
    if others:
        say()
        table(
            ["alpha", "groups"],
            [
                [_between(one), " | ".join(", ".join(group) for group in one.groups)]
                for one in found.ranges
            ],
        )
        say()


def _between(one: Any) -> str:
    low, high = f"{one.low:.6g}", f"{one.high:.6g}"
    return f"above {low}" if one.high == inf else f"from {low} to {high}"


def _against(found: Any) -> str:
    """How far the greedy partition is from the best one."""
    if found.optimum is None:
        return ", the optimum of so many clients is not computed"
    gap = found.optimum - found.utility
    if gap <= 1e-9 * (1 + abs(found.optimum)):  # the rounding of two equal sums
        return ", which is the optimum"
    groups = " | ".join(", ".join(group) for group in found.optimal_groups)
    return f", {gap:.6g} below the optimum {found.optimum:.6g} of {groups}"
