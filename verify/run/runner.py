"""Run entries through the ladder and keep the ledger, whatever happens on the way.

Entries that prove hypotheses empty or a bound trivial, or name the constant of an order, run
first; their verdicts go to what they speak about as linked evidence.  Results do not depend on the
number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from verify.catalogue.code_digest import code_digest
from verify.catalogue.entry import LINKS, Entry, is_result, speaks_of
from verify.catalogue.json_files import plain, write_json
from verify.catalogue.library import Library
from verify.catalogue.user_file import Origin
from verify.catalogue.version import __version__, environment
from verify.catalogue.whole_files import require_writable
from verify.claim.statement import Statement
from verify.corpus.files import beside, path_of, stored
from verify.ledger.conclude import conclude
from verify.ledger.ledger import (
    Finding,
    entry_json,
    leaf_json,
    ledger_json,
    require_names,
    store_witness,
    witness_folder,
)
from verify.run.journal import SCHEMA, Journal, part_path, unfinished_keys
from verify.run.merge import MADE, NOTHING, Earlier, earlier, require_room
from verify.run.tasks import Settings, Task, stopped, work
from verify.run.workers import execute
from verify.terms.digest import statement_digest
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import EXPLICIT, HOLDS, PROVED

Observer = Callable[[int, int, str], None]
"""Called with leaves done, leaves in all, and the key of the last one."""


@dataclass
class LedgerRun:
    """A run under way.

    Parameters
    ----------
    source : Library
    entries : sequence of Entry
        What was asked for; entries that these are linked to are added.
    settings : Settings
    path : Path or None
        Where the ledger goes; None keeps it in memory. Lines of a ledger that is there stay unless
        this run makes them anew.
    origin : Origin or None
        The user's file that the statements are from.
    resume : bool
        Go on with the unfinished run whose journal lies beside the ledger; what that one was
        asked for is asked for again.
    fresh : bool
        Give an unfinished run up, and replace a ledger that is there.

    Attributes
    ----------
    dropped : tuple of str
        Keys of the ledger that was there which no statement has any longer.
    interrupted, unwritten : bool
        Whether Ctrl-C ended the run, and whether the ledger that was there stayed as it is for
        that reason: half a run must not take its place.
    """

    source: Library
    entries: Sequence[Entry]
    settings: Settings
    path: Path | None = None
    origin: Origin | None = None
    resume: bool = False
    fresh: bool = False
    findings: dict[str, Finding] = field(default_factory=dict)
    interrupted: bool = False
    unwritten: bool = False
    _before: Earlier = NOTHING

    def __post_init__(self) -> None:
        self.settings.checked()
        asked = {entry.key for entry in self.entries}
        if self.path is not None:
            require_writable("ledger", self.path, self._inputs)
            if self.resume:
                asked |= {*unfinished_keys(part_path(self.path))}
            if not self.fresh:
                self._before = earlier(self.path, self.source, self._made)
        asked = self._closed(asked)
        if self.path is not None:
            require_room(self.path, self._before, asked)
            require_names(self.path, self.source)
        self.entries = [entry for entry in self.source if entry.key in asked]

    @cached_property
    def leaves(self) -> int:
        """Number of leaves to be decided."""
        return sum(len(entry.claims) for entry in self.entries)

    @property
    def finished(self) -> list[Entry]:
        """Entries whose leaves are all there."""
        return [
            entry
            for entry in self.entries
            if all(leaf.key in self.findings for leaf in entry.claims)
        ]

    @property
    def dropped(self) -> tuple[str, ...]:
        """Keys of the ledger that was there which no statement has any longer."""
        return self._before.gone

    def finish(self, observe: Observer | None = None) -> dict[str, Any]:
        """Run to the end, or to Ctrl-C, and return the ledger.

        Findings are kept in a journal beside the ledger (ending ``.part``) as they come; witnesses
        and the ledger are written at the end. After Ctrl-C the ledger is written with ``complete``
        false and holds every entry that was finished, and the journal stays for a resumed run.
        """
        if self.path is None:
            return self.ledger(self._ran(None, observe))
        head = {**self._made, **self._code, "keys": [entry.key for entry in self.entries]}
        with Journal(
            part_path(self.path), {"schema": SCHEMA, **head}, resume=self.resume, fresh=self.fresh
        ) as journal:
            if not self.fresh:  # another run may have written since
                self._before = earlier(self.path, self.source, self._made)
            wanted = {leaf.key for entry in self.entries for leaf in entry.claims}
            self.findings = {k: v for k, v in journal.findings.items() if k in wanted}
            complete = self._ran(journal, observe)
            made = self.ledger(complete)
            self.unwritten = not complete and not self._before.alike
            if not self.unwritten:
                for finding in self.findings.values():
                    store_witness(self.path, self._witnessed(finding))
                write_json(self.path, made)
            if self.settings.keep:
                self._write_corpora(self.path)
            if complete:
                journal.done()
        return made

    def ledger(self, complete: bool) -> dict[str, Any]:
        """Ledger of every entry whose leaves are all there, and of the lines that stay."""
        done = {entry.key: self._entry(entry) for entry in self.finished}
        kept = self._before.kept(done) if self._before.alike else {}
        lines = {**kept, **done}
        made = self.settings
        return ledger_json(
            [lines[entry.key] for entry in self.source if entry.key in lines],
            self.source,
            seed=made.seed,
            profile=made.profile,
            device=made.device,
            complete=complete and (not kept or self._before.complete),
        )

    def _ran(self, journal: Journal | None, observe: Observer | None) -> bool:
        """Decide the leaves; False after Ctrl-C."""
        try:
            for finding in self._findings():
                self.findings[finding.key] = finding
                if journal is not None:
                    journal.add(finding)
                if observe is not None:
                    observe(len(self.findings), self.leaves, finding.key)
        except KeyboardInterrupt:
            self.interrupted = True  # code of others that raises this has been made a finding
        return not self.interrupted

    def _write_corpora(self, ledger: Path) -> None:
        """Keep what these findings leave for a later run; lines of statements that are gone go."""
        found: dict[Path, dict[str, Mapping[str, Any]]] = {}
        for key, finding in self.findings.items():
            if finding.kept is not None:
                found.setdefault(self._corpus(key, ledger), {})[key] = finding.kept
        known = {leaf.key for entry in self.source for leaf in entry.leaves}
        for path, records in found.items():
            stored(path).only(known).with_records(records).write(path)

    def _corpus(self, key: str, ledger: Path) -> Path:
        """Corpus of a leaf: its paper's, or the one beside the ledger of a user's own file."""
        return (
            path_of(self.source.leaf(key).source.paper) if self.origin is None else beside(ledger)
        )

    @property
    def _inputs(self) -> list[Path]:
        return [] if self.origin is None else [Path(self.origin.file)]

    @property
    def _made(self) -> dict[str, Any]:
        """What all lines of one ledger have in common."""
        made = self.settings
        values = (__version__, environment(made.device), made.seed, made.profile)
        return dict(zip(MADE, values, strict=True))

    @property
    def _code(self) -> dict[str, str]:
        """Digests of what computes: the package, and the user's file."""
        return {"code": code_digest(), "file": "" if self.origin is None else self.origin.digest}

    def _closed(self, asked: set[str]) -> set[str]:
        """With entries that these are linked to, and lines that stay but rest on one of these."""
        known = [entry for entry in self.source if entry.key in asked]
        stays = self._before.lines
        targets = {
            other.key
            for link in known
            if link.targets
            for other in self.source
            if other.key in stays and any(speaks_of(link, leaf) for leaf in other.leaves)
        }
        every = [entry for entry in self.source if entry.key in asked | targets]
        return asked | targets | {link.key for e in every for link in self.source.links(e)}

    def _findings(self) -> Iterator[Finding]:
        """Links first, so that what they prove is known to the entries that they speak about."""
        links = [entry for entry in self.entries if entry.targets]
        yield from self._stage(links)
        proofs = [pair for link in links for pair in _link_evidence(link, self.findings)]
        yield from self._stage([e for e in self.entries if not e.targets], proofs)

    def _stage(
        self, entries: Sequence[Entry], proofs: Sequence[tuple[str, Evidence]] = ()
    ) -> Iterator[Finding]:
        """Decide the leaves of these entries, those apart that are there with the same links."""
        tasks = [
            Task(
                leaf.key,
                self.settings,
                self.origin,
                tuple(
                    plain(evidence.to_json())
                    for target, evidence in proofs
                    if target in (leaf.key, leaf.entry)
                ),
                None if self.path is None else self._corpus(leaf.key, self.path),
            )
            for entry in entries
            for leaf in entry.claims
        ]
        tasks = [task for task in tasks if not self._has(task)]
        main = {leaf.key for e in entries if is_result(e.kind, e.form) for leaf in e.leaves}
        tasks.sort(key=lambda task: task.key not in main)  # what is asked for first comes first
        made = self.settings
        with closing(
            execute(
                tasks,
                work,
                jobs=1 if made.here else min(made.processes, max(len(tasks), 1)),
                limit=None if made.here else made.limit,
                stopped=stopped,
                scheduler=made.scheduler,
            )
        ) as results:
            yield from results

    def _has(self, task: Task) -> bool:
        found = self.findings.get(task.key)
        links = list(task.links)
        return found is not None and found.leaf["evidence"][: len(links)] == links

    def _witnessed(self, finding: Finding) -> Finding:
        """The finding with what a witness says of its statement."""
        if finding.witness is None or self.path is None:
            return finding
        given = self.source.leaf(finding.key).given
        tags = {item.name: {"tag": item.tag, "where": item.where} for item in given}
        witness = {**finding.witness, "given": tags}
        if self.origin is not None:
            witness["statement"] = self.origin.to_json(witness_folder(self.path))
        return replace(finding, witness=witness)

    def _made_of(self, leaf: Statement) -> dict[str, str]:
        """Digests of a user's file and of one of its statements."""
        assert self.origin is not None
        return {"sha256": self.origin.digest, "code": statement_digest(leaf)}

    def _entry(self, entry: Entry) -> dict[str, Any]:
        found = [self.findings[leaf.key] for leaf in entry.claims]
        leaves = [dict(f.leaf) if self.path is None else leaf_json(self.path, f) for f in found]
        if self.origin is not None:  # each leaf is bound to the file that it was made of
            sources = [self._made_of(leaf) for leaf in entry.claims]
            leaves = [{**one, "source": s} for one, s in zip(leaves, sources, strict=True)]
        seconds = {f.key: f.seconds for f in found}
        axes, own = self.source.axes[entry.paper], self.origin is not None
        return entry_json(entry, leaves, seconds, axes, told=own)


def _link_evidence(link: Entry, findings: Mapping[str, Finding]) -> Iterator[tuple[str, Evidence]]:
    """What an entry says about what it has as targets, each with the key that it is about."""
    if link.form in LINKS:
        found = conclude([findings[leaf.key].leaf for leaf in link.claims])
        says = {
            "empty": "the hypotheses contradict each other",
            "trivial": "the bound says no more than a trivial one",
        }[link.form]
        proved = found.verdict == PROVED
        summary = (
            f"{says}, by {link.key}" if proved else f"no proof that {says}: {link.key} has none"
        )
        yield (
            link.target,
            Evidence(
                "link",
                "decided" if proved else "reported",
                summary,
                link={"kind": link.form, "key": link.key, "verdict": found.verdict},
            ),
        )
    for leaf in link.claims:
        if leaf.constant is not None:
            yield (
                leaf.constant.of,
                _constant_evidence(leaf, str(findings[leaf.key].leaf["verdict"])),
            )


def _constant_evidence(explicit: Statement, word: str) -> Evidence:
    """What an explicit form says of the order whose constant it names."""
    said = {PROVED: "is proved", HOLDS: "holds"}.get(word, f"is {word}")
    assert explicit.constant is not None
    return Evidence(
        "link",
        "reported",
        f"by its explicit form {explicit.key}, which {said} with the constant "
        f"{explicit.constant.says}",
        link={"kind": EXPLICIT, "key": explicit.key, "verdict": word},
    )
