"""Put rates to the test at scale: batch by batch, resumable, each accusation on fresh noise.

Every batch that is finished is one line of a journal beside the result, so that a run which was
killed goes on where it was. A line that was cut short is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import plain, write_json
from verify.catalogue.rates import rate_of
from verify.catalogue.version import __version__, environment
from verify.limits.files import whole_text
from verify.rates.findings import ACCUSED, UNDER, finding, part
from verify.rates.many import Size, batches, measure, sizes
from verify.rates.record import Rate
from verify.run.workers import execute

SCHEMA = "fedassay-rates/1"
DEFAULT_NAME = "fedassay-rates.json"

CONFIRM = 2
"""Times as many fresh replicates that an accusation is confirmed on."""

Observer = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Batch:
    """Some federations of one rate, named so that they can travel to another process."""

    rate: str
    numbers: tuple[int, ...]
    size: Size


def work(batch: Batch) -> dict[str, Any]:
    """Curves of one batch as plain data."""
    rate = rate_of(batch.rate)
    found = measure(rate, batch.numbers, batch.size)
    return {"rate": batch.rate, **plain(part(batch.numbers, found))}


class FinishedBatches:
    """Finished batches on disk.

    Parameters
    ----------
    path : Path or None
        None keeps nothing.
    size : Size
        A journal of another size is started anew.
    """

    def __init__(self, path: Path | None, size: Size) -> None:
        self.path = path
        head = {"schema": SCHEMA, "version": __version__, "size": asdict(size)}
        self.done = self._read(head) if path is not None else {}
        if path is not None and not self.done:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(head) + "\n", encoding="utf-8")

    def add(self, line: Mapping[str, Any]) -> None:
        """Keep one batch; a line is on disk before the next one is begun."""
        self.done[_name(line)] = dict(line)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, allow_nan=False) + "\n")

    def parts(self, rate: Rate) -> list[dict[str, Any]]:
        """Finished batches of a rate."""
        return [line for line in self.done.values() if line["rate"] == rate.key]

    def _read(self, head: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        assert self.path is not None
        if not self.path.is_file():
            return {}
        whole = whole_text(self.path, "journal", "remove it")
        kept = whole[: whole.rfind("\n") + 1]  # the last line may have been cut short
        try:
            lines = [json.loads(line) for line in kept.splitlines()]
        except ValueError as error:
            raise InvalidInput(
                f"journal must be one that 'fedassay rates' wrote, got {self.path}: remove it."
            ) from error
        if not lines or lines[0] != plain(head):
            return {}
        if kept != whole:
            self.path.write_text(kept, encoding="utf-8")
        return {_name(line): line for line in lines[1:]}


def rates_json(
    rates: Sequence[Rate],
    size: Size,
    path: Path | None,
    *,
    jobs: int = 1,
    observe: Observer | None = None,
    scheduler: str | None = None,
) -> dict[str, Any]:
    """Measure rates and return everything that was found.

    Parameters
    ----------
    rates : sequence of Rate
    size : Size
    path : Path or None
        Where the result goes; the journal stands beside it until then.
    jobs : int
        Processes.
    observe : callable, optional
        Called with batches done, batches in all, and the key of the last one.
    scheduler : str, optional
        Address of a dask scheduler whose workers do the batches.
    """
    require(size.federations >= 1, "federations", "at least 1", size.federations, "raise it")
    require(size.rounds >= 1, "rounds", "at least 1", size.rounds, "raise it")
    beside = None if path is None else path.with_name(path.name + ".part")
    journal = FinishedBatches(beside, size)
    todo = [Batch(rate.key, numbers, size) for rate, numbers in sizes(rates, size)]
    total = len(todo)
    todo = [batch for batch in todo if _name(asdict(batch)) not in journal.done]
    jobs = min(jobs, max(len(todo), 1))
    with closing(execute(todo, work, jobs=jobs, scheduler=scheduler)) as results:
        for line in results:
            journal.add(line)
            if observe is not None:
                observe(len(journal.done), total, line["rate"])
    made = {
        "schema": SCHEMA,
        "version": __version__,
        "environment": environment(size.device),
        "size": asdict(size),
        "rates": [found(rate, journal, size) for rate in rates],
    }
    if path is not None and beside is not None:
        write_json(path, plain(made))
        beside.unlink(missing_ok=True)
    return made


def found(rate: Rate, journal: FinishedBatches, size: Size) -> dict[str, Any]:
    """Finding of one rate; one that is accused on the first noise is judged on fresh noise."""
    wanted = {_name({"rate": rate.key, "numbers": numbers}) for numbers in batches(rate, size)}
    made = finding(rate, [p for p in journal.parts(rate) if _name(p) in wanted])
    return confirmed(rate, made, size) if made["word"] == ACCUSED else made


def confirmed(rate: Rate, first: Mapping[str, Any], size: Size) -> dict[str, Any]:
    """The worst federation of an accused rate on fresh noise, whose e-value alone decides."""
    number = first["worst_federation"]
    fresh = replace(size, replicates=CONFIRM * size.replicates)
    again = finding(rate, [part([number], measure(rate, [number], fresh, fresh_noise=True))])
    word = ACCUSED if again["word"] == ACCUSED else UNDER
    return {
        **first,
        "word": word,
        "confirmed": {name: again[name] for name in ("log10_e", "worst_ratio", "worst_time")},
    }


def _name(line: Mapping[str, Any]) -> str:
    return f"{line['rate']} {line['numbers'][0]} {len(line['numbers'])}"


def lines(made: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Rates that are not under their bound, with the word."""
    for item in made["rates"]:
        if item["word"] != UNDER:
            yield item["rate"], item["word"]
