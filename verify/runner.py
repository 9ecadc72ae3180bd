"""Run entries through the ladder and keep the ledger, whatever happens on the way.

Entries that prove hypotheses empty or a bound trivial run first; their verdicts go to the entry
that they speak about as linked evidence.  Results do not depend on the number of processes.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bounds.validate import InvalidInput, require
from verify.check import Origin, load_statements
from verify.evidence import Evidence
from verify.files import plain, require_writable, write_json
from verify.ledger import (
    Finding,
    conclude,
    entry_json,
    ledger_json,
    require_own,
    store_witness,
    witness_folder,
)
from verify.library import LINKS, Entry, Library, library, speaks_of, unknown
from verify.statement import Statement
from verify.verdict import PROVED, breaks, verdict
from verify.workers import execute, one_thread

SAVE_SECONDS = 2.0
"""Least time between two writes of an unfinished ledger."""

Observer = Callable[[int, int, str], None]
"""Called with leaves done, leaves in all, and the key of the last one."""


@dataclass(frozen=True)
class Settings:
    """How a run is made.

    Parameters
    ----------
    profile : str
        Name of a budget: quick, default or thorough.
    seed : int
        Seed of the run.
    device : str
        Device of simulated runs.
    jobs : int or None
        Processes; one per core if None.
    limit : float or None
        Seconds after which a leaf is stopped and left inconclusive.
    """

    profile: str = "quick"
    seed: int = 0
    device: str = "cpu"
    jobs: int | None = None
    limit: float | None = None

    def checked(self) -> Settings:
        """These settings, or :class:`InvalidInput` if a run could not start with them."""
        from verify.ladder import PROFILES

        if self.profile not in PROFILES:
            raise unknown("profile", self.profile, PROFILES)
        require(self.seed >= 0, "seed", "a non-negative integer", self.seed, "drop the sign")
        require(self.jobs is None or self.jobs > 0, "jobs", "at least 1", self.jobs, "raise it")
        require(
            self.limit is None or self.limit > 0, "limit", "a positive number of seconds",
            self.limit, "raise it or leave it out",
        )  # fmt: skip
        _check_device(self.device)
        return self

    @property
    def processes(self) -> int:
        """Number of processes."""
        return self.jobs or _cores()


@dataclass(frozen=True)
class Task:
    """One leaf, named by key so that it can travel to another process."""

    key: str
    settings: Settings
    origin: Origin | None = None
    links: tuple[Mapping[str, Any], ...] = ()

    def statement(self) -> Statement:
        """The statement, found again in this process."""
        return self._source.leaf(self.key)

    def parent(self) -> Statement | None:
        """The statement whose hypotheses this one refutes, if it is of the form ``empty``."""
        named = self.statement().empties
        if not named:
            return None
        return next((e.leaves[0] for e in self._source if e.key == named), None) or next(
            (leaf for e in self._source for leaf in e.leaves if leaf.key == named), None
        )

    @property
    def _source(self) -> Library:
        return library() if self.origin is None else load_statements(self.origin)


@dataclass
class Run:
    """A run under way.

    Parameters
    ----------
    source : Library
    entries : sequence of Entry
        What was asked for; entries that these are linked to are added.
    settings : Settings
    path : Path or None
        Where the ledger goes; None keeps it in memory.
    origin : Origin or None
        The user's file that the statements are from.
    """

    source: Library
    entries: Sequence[Entry]
    settings: Settings
    path: Path | None = None
    origin: Origin | None = None
    findings: dict[str, Finding] = field(default_factory=dict)
    _stored: dict[str, dict[str, Any]] = field(default_factory=dict)
    _saved: float = 0.0

    def __post_init__(self) -> None:
        self.settings.checked()
        asked = {entry.key for entry in self.entries}
        asked |= {link.key for entry in self.entries for link in self.source.links(entry)}
        self.entries = [entry for entry in self.source if entry.key in asked]
        if self.path is not None:
            require_writable("ledger", self.path)
            require_own(self.path)

    @property
    def leaves(self) -> int:
        """Number of leaves to be decided."""
        return sum(len(entry.claims) for entry in self.entries)

    def finish(self, observe: Observer | None = None) -> dict[str, Any]:
        """Run to the end, or to Ctrl-C, and return the ledger.

        An unfinished ledger is kept beside the final name (ending ``.part``), so that an older
        ledger stays until this one can take its place. After Ctrl-C the ledger is written with
        ``complete`` false and holds every entry that was finished.
        """
        complete = False
        try:
            for finding in self._findings():
                self.findings[finding.key] = finding
                self._keep(finding)
                if observe is not None:
                    observe(len(self.findings), self.leaves, finding.key)
            complete = True
        except KeyboardInterrupt:
            pass
        made = self.ledger(complete)
        if self.path is not None:
            write_json(self.path, made)
            self._part.unlink(missing_ok=True)
        return made

    def ledger(self, complete: bool) -> dict[str, Any]:
        """Ledger of every entry whose leaves are all there."""
        done = [
            self._entry(entry)
            for entry in self.entries
            if all(leaf.key in self.findings for leaf in entry.claims)
        ]
        made = self.settings
        return ledger_json(
            done, seed=made.seed, profile=made.profile, device=made.device, complete=complete
        )

    @property
    def _part(self) -> Path:
        assert self.path is not None
        return self.path.with_name(self.path.name + ".part")

    def _findings(self) -> Iterator[Finding]:
        """Links first, so that what they prove is known to the entries that they speak about."""
        links = [entry for entry in self.entries if entry.form in LINKS]
        yield from self._stage(links)
        proofs = [(link, _link_evidence(link, self.findings)) for link in links]
        yield from self._stage([e for e in self.entries if e.form not in LINKS], proofs)

    def _stage(
        self, entries: Sequence[Entry], proofs: Sequence[tuple[Entry, Evidence]] = ()
    ) -> Iterator[Finding]:
        tasks = [
            Task(leaf.key, self.settings, self.origin, tuple(
                plain(evidence.to_json()) for link, evidence in proofs if speaks_of(link, leaf)
            ))
            for entry in entries
            for leaf in entry.claims
        ]  # fmt: skip
        made = self.settings
        with closing(execute(
            tasks, work, jobs=min(made.processes, max(len(tasks), 1)), limit=made.limit,
            stopped=stopped,
        )) as results:  # fmt: skip
            yield from results

    def _keep(self, finding: Finding) -> None:
        """Store the witness at once, and the unfinished ledger now and then."""
        if self.path is None:
            return
        if self.origin is not None and finding.witness is not None:
            where = self.origin.to_json(witness_folder(self.path))
            witness = {**finding.witness, "statement": where}
            finding = Finding(finding.leaf, witness, finding.seconds)
        self._stored[finding.key] = store_witness(self.path, finding)
        now = time.monotonic()
        if now - self._saved > SAVE_SECONDS:
            write_json(self._part, self.ledger(complete=False))
            self._saved = now

    def _entry(self, entry: Entry) -> dict[str, Any]:
        found = [self.findings[leaf.key] for leaf in entry.claims]
        leaves = [self._stored.get(f.key, dict(f.leaf)) for f in found]
        return entry_json(entry, leaves, {f.key: f.seconds for f in found})


def work(task: Task) -> Finding:
    """Put one leaf through the ladder; an error inside a statement leaves it inconclusive."""
    from verify.ladder import PROFILES, assay

    one_thread()
    made = task.settings
    links = [Evidence.from_json(raw) for raw in task.links]
    clock = time.perf_counter()
    statement = task.statement()
    try:
        leaf = assay(
            statement, profile=PROFILES[made.profile], seed=made.seed, links=links,
            parent=task.parent(), device=made.device,
        )  # fmt: skip
    except Exception as error:
        return _without_answer(task, "hypotheses", "undecided", _error(error), clock)
    return _with_witness(Finding.of(leaf))


def stopped(task: Task, reason: str) -> Finding:
    """Finding of a leaf whose worker was stopped or died."""
    spent = task.settings.limit or 0.0
    return _without_answer(task, "search", "stopped", reason, time.perf_counter() - spent)


def _error(error: Exception) -> str:
    """What went wrong and where, in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"stopped by {type(error).__name__} in {place}: {' '.join(str(error).split())}"


def _without_answer(task: Task, rung: str, status: str, reason: str, clock: float) -> Finding:
    evidence = [*(Evidence.from_json(raw) for raw in task.links), Evidence(rung, status, reason)]
    found = verdict(evidence)
    leaf = {
        "id": task.key, "verdict": found.word, "rung": found.rung, "reason": found.reason,
        "scope": "", "tightness": None, "power": None, "follows": "unknown", "hint": "",
        "witness": None, "evidence": [plain(item.to_json()) for item in evidence],
    }  # fmt: skip
    return Finding(leaf, None, time.perf_counter() - clock)


def _with_witness(finding: Finding) -> Finding:
    """Take the witness from the evidence where the leaf itself carries none (simulated ones)."""
    if finding.witness is not None:
        return finding
    for item in finding.leaf["evidence"]:
        found = item.get("witness")
        if found and "instance" in found and breaks(found):
            numbers = {name: value for name, value in found.items() if name != "key"}
            witness = {
                "schema": "fedassay-witness/1", "key": finding.key, **numbers,
                "noise_key": found.get("key", 0),
            }  # fmt: skip
            return Finding(finding.leaf, witness, finding.seconds)
    return finding


def _link_evidence(link: Entry, findings: Mapping[str, Finding]) -> Evidence:
    """What an entry of the form empty or trivial says about its target."""
    found = conclude([findings[leaf.key].leaf for leaf in link.claims])
    says = {
        "empty": "the hypotheses contradict each other",
        "trivial": "the bound says no more than a trivial one",
    }[link.form]
    proved = found.verdict == PROVED
    summary = f"{says}, by {link.key}" if proved else f"no proof that {says}: {link.key} has none"
    return Evidence(
        "link", "decided" if proved else "reported", summary,
        link={"kind": link.form, "key": link.key, "verdict": found.verdict},
    )  # fmt: skip


def _check_device(device: str) -> None:
    remedy = "use cpu, or cuda where torch.cuda.is_available()"
    if device == "cpu":
        return
    import torch

    try:
        torch.empty(1, device=torch.device(device))
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InvalidInput(f"device must be an available one, got {device!r}: {remedy}.") from error


def _cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
