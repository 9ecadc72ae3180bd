"""How long rates at scale take, in CPU seconds of one core: the three figures that matter.

- ``quick``: every rate at the quick profile;
- ``exact``: each rate whose means are exact moments, on federations of one size;
- ``sampled``: the first sampled rate of them that looks at the followed client alone, and the
  first that looks at every client at every model.

Run from the checkout: ``python benchmarks/rates.py [quick] [exact] [sampled] [--federations 200]
[--rounds 1000] [--replicates 200] [--clients 20] [--dimension 10]``.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterable

from verify.catalogue.rates import every_rate
from verify.rates.findings import finding, part
from verify.rates.many import PROFILES, Size, batches, measure
from verify.rates.record import Rate
from verify.rates.sizes import of_size
from verify.run.workers import one_thread

PARTS = ("quick", "exact", "sampled")


def seconds(rate: Rate, size: Size) -> tuple[float, str]:
    """CPU seconds of a rate and what was found."""
    before = time.process_time()
    made = finding(rate, [part(n, measure(rate, n, size)) for n in batches(rate, size)])
    return time.process_time() - before, made["word"]


def table(name: str, rates: Iterable[Rate], size: Size) -> None:
    """One line per rate, the slowest first, and the sum."""
    rows = sorted(((*seconds(rate, size), rate.key) for rate in rates), reverse=True)
    print(f"\n{name}: {len(rows)} rates, {size}")
    for spent, word, key in rows[:12]:
        print(f"{spent:8.2f} s  {word:12s} {key}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{sum(row[0] for row in rows):8.2f} s in all, at most {most} MB")


def main() -> None:
    """Measure the parts that were named, all without one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="which figures")
    for name, value in (
        ("federations", 200),
        ("rounds", 1000),
        ("replicates", 200),
        ("clients", 20),
        ("dimension", 10),
    ):
        parser.add_argument(f"--{name}", type=int, default=value)
    args = parser.parse_args()
    one_thread()
    wanted = args.parts or PARTS
    size = Size(
        args.federations,
        args.rounds,
        args.replicates,
        args.clients * args.dimension,
        clients=args.clients,
        dimension=args.dimension,
    )
    rates = every_rate()
    fitting = [r for r in rates if of_size(r, args.clients, args.dimension) is not None]
    if "quick" in wanted:
        table("quick", rates, PROFILES["quick"])
    if "exact" in wanted:
        table("exact", (r for r in fitting if r.way == "moments"), size)
    if "sampled" in wanted:
        sampled = [r for r in fitting if r.way == "samples" and not r.own_horizon]
        first = [next(r for r in sampled if r.wide == wide) for wide in (False, True)]
        table("sampled", first, size)


if __name__ == "__main__":
    main()
