"""Run entries through the ladder and keep the ledger, whatever happens on the way.

Entries that prove hypotheses empty or a bound trivial run first; their verdicts go to the entry
that they speak about as linked evidence.  Results do not depend on the number of processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verify.catalogue.entry import LINKS, Entry, speaks_of
from verify.catalogue.json_files import plain, require_writable, write_json
from verify.catalogue.library import Library
from verify.catalogue.user_file import Origin
from verify.ledger.conclude import conclude
from verify.ledger.ledger import (
    Finding,
    entry_json,
    ledger_json,
    require_own,
    store_witness,
    witness_folder,
)
from verify.run.tasks import Settings, Task, stopped, work
from verify.run.workers import execute
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import PROVED

SAVE_SECONDS = 2.0
"""Least time between two writes of an unfinished ledger."""

Observer = Callable[[int, int, str], None]
"""Called with leaves done, leaves in all, and the key of the last one."""


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
            done, self.source, seed=made.seed, profile=made.profile, device=made.device,
            complete=complete,
        )  # fmt: skip

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
        if finding.witness is not None:
            given = self.source.leaf(finding.key).given
            tags = {item.name: {"tag": item.tag, "where": item.where} for item in given}
            witness = {**finding.witness, "given": tags}
            if self.origin is not None:
                witness["statement"] = self.origin.to_json(witness_folder(self.path))
            finding = Finding(finding.leaf, witness, finding.seconds)
        self._stored[finding.key] = store_witness(self.path, finding)
        now = time.monotonic()
        if now - self._saved > SAVE_SECONDS:
            write_json(self._part, self.ledger(complete=False))
            self._saved = now

    def _entry(self, entry: Entry) -> dict[str, Any]:
        found = [self.findings[leaf.key] for leaf in entry.claims]
        leaves = [self._stored.get(f.key, dict(f.leaf)) for f in found]
        seconds = {f.key: f.seconds for f in found}
        return entry_json(entry, leaves, seconds, self.source.axes[entry.paper])


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
