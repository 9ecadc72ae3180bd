"""``collaborate``: what the rates promise the clients of a table, and whether it comes true."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verify.cli.output import output_file, say, table
from verify.cli.tables.gains import gain_records, sentence, show_gains

YES, NO, OPEN = "yes", "no", "undecided"
FEW = 6
"""Clients up to which every pair has a line of its own."""


def add(commands: Any) -> None:
    """Register the command."""
    trying = commands.add_parser(
        "collaborate",
        help="say who gains by training together, and try what the rates promise",
        description="Takes a table (.csv, .npz, or the words diabetes and breast-cancer), one "
        "client per value of a column, or a folder with such a file for each client. One half of "
        "every client's rows gives models, constants and predictions; on the other half the "
        "models are compared and the methods run.",
    )
    trying.add_argument("data", metavar="DATA")
    trying.add_argument(
        "--client", metavar="COLUMN", help="tells clients apart (of a folder: the file's name)"
    )
    trying.add_argument("--target", metavar="COLUMN", required=True, help="what is predicted")
    trying.add_argument(
        "--features", metavar="COLUMN,COLUMN,...", help="what from (all other columns)"
    )
    trying.add_argument(
        "--clients", metavar="N", type=int, help="cut the client column into N ranges"
    )
    trying.add_argument(
        "--loss",
        choices=("least-squares", "logistic"),
        help="logistic where the target has two values, else least squares",
    )
    trying.add_argument("--ridge", type=float, default=0.1, help="of the logistic loss (0.1)")
    trying.add_argument("--batch", type=int, default=1, help="rows per gradient (1)")
    trying.add_argument(
        "--precision",
        metavar="EPS,EPS,...",
        help="excess losses to reach (0.5, 0.2 and 0.1 times the clients' mean at the start)",
    )
    trying.add_argument(
        "--threshold",
        metavar="LAMBDA",
        type=float,
        help="weigh clients by the binary rule (by the continuous one)",
    )
    trying.add_argument(
        "--alpha", type=float, help="of the groups, see partition (mean rows of a client)"
    )
    trying.add_argument("--level", type=float, default=0.95, help="of the intervals (0.95)")
    trying.add_argument("--resamples", type=int, default=100, help="for the intervals (100)")
    trying.add_argument("--runs", type=int, default=64, help="per method and client (64)")
    trying.add_argument("--rounds", type=int, default=1000, help="of a run at most (1000)")
    trying.add_argument("--seed", type=int, default=0, help="of halves, resamples and runs (0)")
    output_file(trying, "also write the result")
    trying.set_defaults(call=collaborate)


def collaborate(args: argparse.Namespace) -> int:
    """Print constants with intervals, predictions, and what the held-out runs say."""
    from algorithms.collaboration.forecast import PhiRule, forecast
    from algorithms.collaboration.gains import held_out_gains
    from algorithms.collaboration.intervals import resampled_intervals
    from algorithms.collaboration.tables import split_table
    from algorithms.collaboration.trial import held_out_trial
    from bounds.numbers.validate import require
    from verify.catalogue.json_files import plain, write_json
    from verify.catalogue.whole_files import require_ours, require_writable
    from verify.cli.tables.table_file import read_table

    if args.json is not None:
        require_writable("output", args.json, [Path(args.data)])
        require_ours(args.json, ["fedassay-collaboration/1"], args.force)
    require(args.seed >= 0, "seed", "a non-negative integer", args.seed, "drop the sign")
    rule = PhiRule() if args.threshold is None else PhiRule("binary", args.threshold)
    features = (
        None
        if args.features is None
        else [name.strip() for name in args.features.split(",") if name.strip()]
    )
    _say_if_few(args.runs)
    read = read_table(args.data)
    halves = split_table(
        read.columns,
        _client_column(args.client, read.folder),
        args.target,
        features=features,
        model=None if args.loss is None else args.loss.replace("-", " "),
        groups=args.clients,
        ridge=args.ridge,
        seed=args.seed,
    )
    precisions = _precisions(args.precision, halves.estimate)
    shared: dict[str, Any] = {"batch": args.batch, "seed": args.seed}
    found = forecast(halves.estimate, precisions, rule=rule, tradeoff=args.alpha, **shared)
    ends = resampled_intervals(
        halves.estimate, precisions, level=args.level, resamples=args.resamples, **shared
    )
    tried = held_out_trial(
        found, halves.held_out, runs=args.runs, most_rounds=args.rounds, **shared
    )
    gains = held_out_gains(
        halves.estimate, halves.held_out, _numbered(found), level=args.level, seed=args.seed
    )
    result = summary(halves, found, ends, tried, gains, read.notes)
    show(result)
    if args.json is not None:
        write_json(args.json, plain(result))
        say(f"Result: {args.json}")
    return 0


def summary(
    halves: Any, found: Any, ends: Any, tried: Any, gains: Any, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """Everything that is printed, as plain records.

    Parameters
    ----------
    halves, found, ends, tried, gains
        Of :mod:`algorithms.collaboration`: the split, the forecast, the intervals, the trial, the
        held-out losses.
    notes : sequence of str
        What was done to the table before.

    Returns
    -------
    dict
        ``schema``, ``sentence``, ``gains``, ``notes``, ``loss``, ``estimated`` (whether suprema are
        taken over sampled models), ``clients``, ``pairs``, ``predictions``, ``groups``.
    """
    names, n, c = halves.estimate.names, halves.estimate.clients, found.constants
    clients = [
        {
            "client": names[i],
            "rows": int(halves.estimate.counts[i]),
            "held_out": int(halves.held_out.counts[i]),
            "mu": c.mu[i],
            "beta": c.smoothness[i],
            "sigma2": c.sigma2[i],
            "start": c.start_excess[i],
            "held_out_start": tried.start_excess[i],
        }
        for i in range(n)
    ]
    pairs = [
        {
            "precision": eps,
            "client": names[i],
            "helper": names[k],
            "b": found.bias[p, i, k],
            "b_interval": ends.bias[:, p, i, k],
            "b_by_chance": ends.chance[p, i, k],
            "c": found.slope[p, i, k],
            "c_interval": ends.slope[:, p, i, k],
            "r": found.ratio[p, i, k],
            "r_interval": ends.ratio[:, p, i, k],
            "member": bool(found.members[p, i, k]),
        }
        for p, eps in enumerate(found.precisions)
        for i in range(n)
        for k in range(n)
        if i != k
    ]
    predictions = [
        prediction(found, tried, names, method, p, i)
        for p in range(len(found.precisions))
        for method in tried.reached
        for i in range(tried.rounds[method].shape[1])
    ]
    records = gain_records(gains, names)
    return {
        "schema": "fedassay-collaboration/1",
        "sentence": sentence(records),
        "gains": records,
        "notes": [*notes, *halves.notes],
        "loss": halves.estimate.model,
        "features": list(halves.features),
        "left_out": halves.left_out,
        "estimated": not c.exact,
        "level": ends.level,
        "resamples": ends.resamples,
        "runs": int(next(iter(tried.reached.values())).shape[-1]),
        "clients": clients,
        "pairs": pairs,
        "groups": [list(group) for group in found.grouping.groups],
        "predictions": predictions,
    }


def prediction(found: Any, tried: Any, names: Any, method: str, p: int, i: int) -> dict[str, Any]:
    """One predicted number of rounds and what became of it.

    Parameters
    ----------
    found, tried
        Forecast and trial.
    names : sequence of str
    method : str
        A method of the trial.
    p, i : int
        Numbers of the precision and of the client; 0 for the mean under all-for-all.
    """
    import numpy as np

    everybody = method == "all for all"
    rounds = {
        "alone": found.alone,
        "all for one": found.all_for_one,
        "group": found.grouped,
        "all for all": found.together[:, None],
    }[method][p, i]
    alone = found.apart[p] if everybody else found.alone[p, i]
    measured = tried.crossing[method][p, i]
    base = np.nan if everybody else tried.crossing["alone"][p, i]
    missed = tried.missed(method, p, i)
    looked_at = tried.rounds[method][p, i]
    return {
        "precision": found.precisions[p],
        "method": method,
        "client": "mean" if everybody else names[i],
        "rounds": _finite(rounds),
        "speed_up": _quotient(alone, rounds),
        "measured": _finite(measured),
        "measured_speed_up": _quotient(base, measured),
        "looked_at": looked_at,
        "reached": float(1 - missed.mean()) if np.isfinite(rounds) else 0.0,
        "came_true": _came_true(missed, rounds, looked_at),
    }


def show(result: dict[str, Any]) -> None:
    """Print a result of :func:`summary`."""
    logistic = result["loss"] == "logistic"
    say(f"{result['sentence']}.\n")
    for note in result["notes"]:
        say(note)
    say(
        f"{result['loss']} on {', '.join(result['features'])} and an intercept, whitened; loss in "
        f"{'nats' if logistic else 'half squared standard deviations of the target'}"
    )
    for name, rows in result["left_out"].items():
        say(f"left out: {name}, whose {rows} rows are too few")
    show_gains(result["gains"], result["level"])
    say()
    table(
        ["client", "rows", "held out", "mu", "beta", "sigma^2", "excess at 0", "held out at 0"],
        [
            [
                c["client"],
                str(c["rows"]),
                str(c["held_out"]),
                *(f"{c[k]:.3g}" for k in ("mu", "beta", "sigma2", "start", "held_out_start")),
            ]
            for c in result["clients"]
        ],
    )
    say(
        "mu, b and c: over sampled models, so mu may be smaller and b, c larger"
        if result["estimated"]
        else "mu, beta, b and c: exact for these rows; sigma^2: from above, "
        "on models no worse than the start"
    )
    say(
        f"intervals: {100 * result['level']:g} % for each number by itself, from "
        f"{result['resamples']} resamples of the rows; by chance: b where rows are dealt out "
        "at random"
    )
    for eps in dict.fromkeys(p["precision"] for p in result["pairs"]):
        say(f"\nprecision {eps:.4g}")
        _show_pairs([p for p in result["pairs"] if p["precision"] == eps], len(result["clients"]))
        say()
        table(
            [
                "method",
                "client",
                "rounds at most",
                "speed-up",
                "measured",
                "its speed-up",
                "reached",
                "looked at",
                "came true",
            ],
            [
                [
                    p["method"],
                    p["client"],
                    _count(p["rounds"]),
                    _times(p["speed_up"]),
                    _count(p["measured"]),
                    _times(p["measured_speed_up"]),
                    f"{p['reached']:.0%}",
                    _count(p["looked_at"]),
                    p["came_true"],
                ]
                for p in result["predictions"]
                if p["precision"] == eps
            ],
        )
    say(f"\ngroups: {' | '.join(', '.join(group) for group in result['groups'])}")
    say(
        "rounds at most: half of the runs have reached the precision by then; measured: when the "
        f"mean of {result['runs']} runs on held-out rows has; came true: e-value of 10^6 for or "
        "against it; all for all counts the clients' mean, and its speed-up is over the same "
        "bound without sharing"
    )


# -- private helpers ---------------------------------------------------------------------


def fewest_runs() -> int:
    """Smallest number of runs of which all together can decide a promise."""
    import numpy as np

    from algorithms.collaboration.forecast import MISSED
    from verify.verdict.e_values import e_value, e_value_in_favour
    from verify.verdict.relation import ACCUSE

    runs = 1
    while (
        min(e_value_in_favour(np.zeros(runs), MISSED, 1.0), e_value(np.ones(runs), MISSED)) < ACCUSE
    ):
        runs += 1
    return runs


def _say_if_few(runs: int) -> None:
    """Tell beforehand that so few runs leave every promise undecided."""
    least = fewest_runs()
    if 1 <= runs < least:
        print(
            f"note: {runs} runs cannot decide a promise, whatever they show: pass --runs {least} "
            "or more; with fewer the column 'came true' says undecided",
            file=sys.stderr,
        )


def _client_column(named: str | None, folder: bool) -> str:
    """Column that tells clients apart: the one that is named, or that of a folder's files."""
    from bounds.numbers.validate import require
    from verify.cli.tables.table_file import FOLDER_COLUMN

    if folder:
        remedy = "leave it out: every file is a client"
        require(named is None, "--client", "absent for a folder", named, remedy)
        return FOLDER_COLUMN
    require(named is not None, "--client", "given", None, "name the column that tells them apart")
    return str(named)


def _numbered(found: Any) -> list[list[int]]:
    """Groups of the forecast by the clients' numbers."""
    groups: dict[int, list[int]] = {}
    for k, report in enumerate(found.grouping.clients):
        groups.setdefault(report.group, []).append(k)
    return list(groups.values())


def _show_pairs(pairs: list[dict[str, Any]], clients: int) -> None:
    """Every pair, or one line per asking client where they are many."""
    if clients <= FEW:
        table(
            [
                "client",
                "helper",
                "b",
                "interval",
                "by chance",
                "c",
                "interval",
                "r",
                "interval",
                "in cluster",
            ],
            [
                [
                    p["client"],
                    p["helper"],
                    f"{p['b']:.3g}",
                    _ends(p["b_interval"]),
                    f"{p['b_by_chance']:.3g}",
                    f"{p['c']:.3g}",
                    _ends(p["c_interval"]),
                    f"{p['r']:.2f}",
                    _ends(p["r_interval"]),
                    "yes" if p["member"] else "-",
                ]
                for p in pairs
            ],
        )
        return
    asking: dict[str, list[dict[str, Any]]] = {}
    for pair in pairs:
        asking.setdefault(pair["client"], []).append(pair)
    table(
        ["client", "smallest b", "smallest c", "largest r", "sufficient cluster beside itself"],
        [
            [
                name,
                *(f"{min(p[k] for p in own):.3g}" for k in "bc"),
                f"{max(p['r'] for p in own):.2f}",
                ", ".join(p["helper"] for p in own if p["member"]) or "-",
            ]
            for name, own in asking.items()
        ],
    )
    say("every pair with its intervals: in the file of --output")


def _precisions(text: str | None, tables: Any) -> Any:
    """Precisions given, or parts of the mean excess loss at the start."""
    import numpy as np

    from bounds.numbers.validate import InvalidInput

    if text is None:
        start = float(np.asarray(tables.problem().excess(np.zeros(tables.dim))).mean())
        return start * np.array([0.5, 0.2, 0.1])
    try:
        return np.array([float(word) for word in text.split(",")])
    except ValueError as error:
        raise InvalidInput(
            f"precision must be numbers with commas between them, got {text!r}: correct it."
        ) from error


def _came_true(missed: Any, rounds: float, looked_at: float) -> str:
    """Whether at least half of the runs reach the precision in time, by e-values.

    A run that is late because the cap came first says nothing against a longer prediction.
    """
    import numpy as np

    from algorithms.collaboration.forecast import MISSED
    from verify.verdict.e_values import e_value, e_value_in_favour
    from verify.verdict.relation import ACCUSE

    if not np.isfinite(rounds):
        return "nothing predicted"
    if e_value_in_favour(missed, MISSED, 1.0) >= ACCUSE:
        return YES
    whole = looked_at >= rounds
    return NO if whole and e_value(missed, MISSED) >= ACCUSE else OPEN


def _finite(value: float) -> float | None:
    import math

    return float(value) if math.isfinite(value) else None


def _quotient(over: float, under: float) -> float | None:
    """A speed-up, where both numbers are known and something had to be done."""
    import math

    known = math.isfinite(over) and math.isfinite(under) and over > 0 and under > 0
    return float(over / under) if known else None


def _ends(interval: Any) -> str:
    return f"{interval[0]:.2g}..{interval[1]:.2g}"


def _count(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def _times(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
