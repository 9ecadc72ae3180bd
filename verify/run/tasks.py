"""One leaf as a task that can travel to another process, and what comes back from it."""

from __future__ import annotations

import inspect
import os
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.entry import is_result
from verify.catalogue.json_files import plain
from verify.catalogue.library import Library, library, unknown
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.statement import Statement
from verify.corpus.files import record_of, stored, with_repairs
from verify.ladder import Kept
from verify.ledger.laws.in_print import GROWING, in_print
from verify.ledger.laws.letters import letters
from verify.ledger.ledger import FAULT, Finding
from verify.limits.clock import OutOfTime, at_most
from verify.limits.foreign import LIMITS, CodeFailed, code_of_others
from verify.reading.parts.refusals import noted_faults
from verify.run.printed import quiet
from verify.run.workers import listened, one_thread, report
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import PROVED, VIOLATED, breaks, verdict
from verify.world.noise_plan import NoValue

Reported = tuple[Mapping[str, Any], Mapping[str, Any] | None]
"""A piece of evidence as JSON, and the witness that it has brought."""

Observer = Callable[[Evidence, Mapping[str, Any] | None], None]
"""Called with a piece of evidence, and the witness that it has brought."""

LONGEST = 1e6
"""Seconds of the longest time limit, eleven days; a timer cannot count many more."""


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
    scheduler : str or None
        Address of a dask scheduler whose workers do the leaves; there is no time limit then.
    cold : bool
        Leave what earlier runs have kept aside.
    keep : bool
        Keep what this run finds for later ones.
    here : bool
        Work in this process, one leaf after the other: of claims without a program of anybody's,
        whose evaluation needs no process of its own that can be killed.
    """

    profile: str = "quick"
    seed: int = 0
    device: str = "cpu"
    jobs: int | None = None
    limit: float | None = None
    scheduler: str | None = None
    cold: bool = False
    keep: bool = False
    here: bool = False

    def checked(self) -> Settings:
        """These settings, or :class:`InvalidInput` if a run could not start with them."""
        from verify.ladder import PROFILES

        if self.profile not in PROFILES:
            raise unknown("profile", self.profile, PROFILES)
        whole = isinstance(self.seed, int) and self.seed >= 0
        require(whole, "seed", "a non-negative integer", self.seed, "pass 0, 1, ...")
        require(self.jobs is None or self.jobs > 0, "jobs", "at least 1", self.jobs, "raise it")
        require(
            self.limit is None or 0 < self.limit <= LONGEST,
            "limit",
            f"a positive number of seconds, at most {LONGEST:g}",
            self.limit,
            "change it or leave it out",
        )
        require(
            self.scheduler is None or self.limit is None,
            "limit",
            "left out on a cluster",
            self.limit,
            "leave --limit out, or run here",
        )
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
    corpus: Path | None = None

    def statement(self) -> Statement:
        """The statement, found again in this process."""
        return self.source.leaf(self.key)

    def parent(self) -> Statement | None:
        """The statement whose hypotheses this one refutes, if it is of the form ``empty``."""
        named = self.statement().empties
        if not named:
            return None
        return next((e.leaves[0] for e in self.source if e.key == named), None) or next(
            (leaf for e in self.source for leaf in e.leaves if leaf.key == named), None
        )

    @property
    def source(self) -> Library:
        """The library, or the user's file, that the leaf is of."""
        return library() if self.origin is None else load_statements(self.origin)


def work(task: Task) -> Finding:
    """Put one leaf through the ladder; an error inside a statement leaves it inconclusive."""
    one_thread()
    links = [Evidence.from_json(raw) for raw in task.links]
    statement, kept = task.statement(), None
    # a warm run of the library tells the laws that are kept: of main results all are worth keeping
    library_kept = task.settings.keep and task.origin is None
    if task.corpus is not None and not task.settings.cold:
        kept = stored(task.corpus).earlier(statement)
    found = examine(
        statement,
        task.settings,
        links=links,
        parent=task.parent(),
        kept=kept,
        full=library_kept and is_result(statement.kind, statement.form),
        observe=_report if listened() else None,
        limit=task.settings.limit if task.settings.here else None,
    )
    if found.leaf["verdict"] == VIOLATED and statement.options:
        found = replace(found, leaf={**found.leaf, "read": read_beside(statement, found, task)})
    if task.corpus is None or found.kept is None or found.leaf["verdict"] != VIOLATED:
        return found
    # a search of a small budget looks for no repairs
    return replace(found, kept=with_repairs(found.kept, statement, stored(task.corpus)))


MOST_READ = 8
"""Other readings of a leaf whose right sides are set beside its own."""


def read_beside(statement: Statement, found: Finding, task: Task) -> list[dict[str, Any]]:
    """Right sides of other readings of a part over its own, along its laws that grow.

    ``alike`` says whether both compare the same: what is claimed in mean has no bound along one
    run.
    """
    from verify.ladder.told import right_sides

    part = statement.key.partition("@")[0]
    others = [
        leaf
        for entry in task.source
        for leaf in entry.leaves
        if leaf.key.partition("@")[0] == part and leaf.key != statement.key
    ][:MOST_READ]
    out: list[dict[str, Any]] = []
    if statement.relation == "==" or not others:
        return out  # of an identity nothing is asked
    laws = [law for law in found.leaf["laws"] if law["kind"] in GROWING]
    along = [right_sides(statement, others, law) for law in laws]
    for number, other in enumerate(others):
        for law, sides in zip(laws, along, strict=True):
            if len(sides[number]) > 1:
                values, same = sides[number], other.over == statement.over
                out.append(
                    {"leaf": other.key, "along": law["along"], "values": values, "alike": same}
                )
    return out


def _report(item: Evidence, witness: Mapping[str, Any] | None) -> None:
    """Hand over a piece of evidence, and the witness that it has brought."""
    report((plain(item.to_json()), plain(witness)))


def examine(
    statement: Statement,
    settings: Settings,
    *,
    links: Sequence[Evidence] = (),
    parent: Statement | None = None,
    kept: Kept | None = None,
    full: bool = False,
    word: bool = False,
    observe: Observer | None = None,
    limit: float | None = None,
) -> Finding:
    """Put a statement through the ladder in this process.

    Parameters
    ----------
    statement : Statement
    settings : Settings
        Profile, seed and device; processes, and a time limit for these, are the caller's.
    links : sequence of Evidence
        What linked entries say.
    parent : Statement, optional
        For the form ``empty``: the statement whose hypotheses this one refutes.
    kept : Kept, optional
        What an earlier search has left.
    full : bool
        Whether laws of growth are looked for along every size and number.
    word : bool
        Whether the word alone is asked for: of a claim that falls neither laws nor mends.
    observe : callable, optional
        Called with each piece of evidence as it is found, and the witness that it has brought.
    limit : float, optional
        Seconds that this thread may compute; what was found until then is kept.

    Returns
    -------
    Finding
        Inconclusive, with the reason, where a function of the statement stops with an error.
    """
    from verify.ladder import PROFILES, assay

    clock, profile = time.perf_counter(), PROFILES[settings.profile]
    if full or word:
        profile = profile.in_full() if full else profile.word_alone()
    done: list[Reported] = []

    def seen(item: Evidence, witness: Mapping[str, Any] | None) -> None:
        if limit is not None:  # else nothing is cut
            done.append((plain(item.to_json()), plain(witness)))
        if observe is not None:
            observe(item, witness)

    if limit is not None and not settings.here:
        import verify.certify.prover.prove  # noqa: F401  (loading it is not charged)
    try:
        limited = nullcontext() if limit is None else at_most(limit)
        with (
            quiet(statement.key),
            noted_faults() as faults,
            limited,
            code_of_others(exits=True),
        ):
            leaf = assay(
                statement,
                profile=profile,
                seed=settings.seed,
                links=links,
                parent=parent,
                device=settings.device,
                kept=kept,
                observe=seen,
            )
            record = record_of(statement, leaf.keep()) if settings.keep and leaf.keep else None
    except (CodeFailed, *LIMITS) as error:
        if isinstance(error, OutOfTime) and limit is not None:
            reason = f"time limit: stopped after {limit:g} s"
            return _cut(statement.key, links, done, reason, clock)
        reason = _error(error.met if isinstance(error, CodeFailed) else error, statement)
        end = Evidence("hypotheses", "stopped", reason)
        return _without_answer(statement.key, links, end, clock)
    made = Finding.of(leaf)
    told = [Evidence("certificate", "not-applicable", details={FAULT: text}) for text in faults]
    leaf_ = {**made.leaf, "evidence": [*made.leaf["evidence"], *(e.to_json() for e in told)]}
    leaf_["laws"] = in_print(leaf_["laws"], letters(statement.source.paper))
    return _with_witness(replace(made, leaf=leaf_, kept=record))


def stopped(task: Task, reason: str, reports: Sequence[Reported]) -> Finding:
    """Finding of a leaf whose worker was stopped or died; what it had found is kept."""
    clock = time.perf_counter() - (task.settings.limit or 0.0)
    links = [Evidence.from_json(raw) for raw in task.links]
    return _cut(task.key, links, reports, reason, clock)


def _cut(
    key: str, links: Sequence[Evidence], done: Sequence[Reported], reason: str, clock: float
) -> Finding:
    """Finding of a leaf that was stopped: the word that was earned until then, and the witness."""
    until = [Evidence.from_json(raw) for raw, _ in done]
    found = [*links, *until]
    if verdict(found).word not in (VIOLATED, PROVED):
        reason += _reached(until)
    end = Evidence("search", "stopped", reason, details={"cut": True})
    made = _without_answer(key, found, end, clock)
    witness = next((w for _, w in done if w is not None), None)
    accused = made.leaf["verdict"] in (VIOLATED, PROVED)
    return _with_witness(replace(made, witness=witness if accused else None))


def _reached(done: Sequence[Evidence]) -> str:
    """How far a leaf came before it was stopped: instances, largest ratio, and the last rung."""
    if not done:
        return "; until then no rung had come to its end"
    counted = max(item.counted for item in done)
    ratios = [item.worst for item in done if item.worst is not None]
    ratio = f", largest ratio {max(ratios):.4g}" if ratios else ""
    many = f"{counted} instances{ratio}, and " if counted else ""
    return f"; until then {many}the rung {done[-1].rung} was done"


def _error(error: BaseException, statement: Statement) -> str:
    """What went wrong, in one line; where, if no message was meant for the reader."""
    if isinstance(error, NoValue) and error.__cause__ is not None:
        error = error.__cause__  # what the program of the statement met
    text = " ".join(str(error).split())
    if isinstance(error, InvalidInput):
        return f"stopped: {text}"
    frames = traceback.extract_tb(error.__traceback__)
    home = str(Path(__file__).parents[2])
    sides = None if statement.sides is None else inspect.unwrap(statement.sides)
    file = getattr(getattr(sides, "__code__", None), "co_filename", "")
    # the file of the statement if it takes part, else ours: a library is not where the fault is
    own = [frame for frame in frames if frame.filename == file]
    ours = [frame for frame in frames if frame.filename.startswith(home)]
    last = (own or ours or frames)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"stopped by {type(error).__name__} in {place}" + (f": {text}" if text else "")


def _without_answer(key: str, done: Sequence[Evidence], end: Evidence, clock: float) -> Finding:
    evidence = [*done, end]
    found = verdict(evidence)
    leaf = {
        "id": key,
        "verdict": found.word,
        "rung": found.rung,
        "reason": found.reason,
        "scope": "",
        "tightness": None,
        "power": None,
        "follows": "unknown",
        "hint": "",
        "not_needed": [],
        "repairs": [],
        "laws": [],
        "searched": [],
        "witness": None,
        "evidence": [plain(item.to_json()) for item in evidence],
    }
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
                "schema": "fedassay-witness/1",
                "key": finding.key,
                **numbers,
                "noise_key": found.get("key", 0),
            }
            return replace(finding, witness=witness)
    return finding


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
