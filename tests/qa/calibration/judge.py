"""The ladder on the cases of the set: one judgement each, and a summary by kind."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from bounds.numbers.validate import InvalidInput
from tests.qa.calibration.cases import Case
from verify.ladder import PROFILES, assay

REFUSED, CRASHED = "refused", "crashed"
MOST_INCONCLUSIVE = 1 / 10
"""Largest share of truths that may come back inconclusive."""


@dataclass(frozen=True)
class Judgement:
    """Verdict on one case; ``names`` says whether the report names the idle term."""

    kind: str
    role: str
    key: str
    verdict: str
    rung: str
    reason: str
    mistaken: bool
    names: bool | None
    seconds: float


def judge(case: Case, profile: str, seed: int = 0) -> Judgement:
    """Put one case through the ladder; what it raises is a refusal, or a crash."""
    clock = time.perf_counter()
    rung = text = ""
    try:
        leaf = assay(case.statement, profile=PROFILES[profile], seed=seed)
        word, rung, reason = leaf.verdict, leaf.rung, leaf.reason
        text = json.dumps(leaf.to_json(), default=str)
    except InvalidInput as error:
        word, reason = REFUSED, str(error)
    except Exception as error:
        word, reason = CRASHED, f"{type(error).__name__}: {error}"
    names = f"not needed: {case.idle}" in text if case.idle else None
    return Judgement(
        case.kind,
        case.role,
        case.statement.key,
        word,
        rung,
        reason,
        word == CRASHED or case.mistaken(word),
        names,
        time.perf_counter() - clock,
    )


def too_vague(found: Sequence[Judgement]) -> bool:
    """Whether too many truths came back inconclusive."""
    truths = [j for j in found if j.role == "truth"]
    vague = sum(j.verdict == "inconclusive" for j in truths)
    return vague > MOST_INCONCLUSIVE * len(truths)


def table(found: Iterable[Judgement]) -> str:
    """Verdicts by kind and role, the mistakes marked, one line each."""
    rows: dict[tuple[str, str], list[Judgement]] = {}
    for item in found:
        rows.setdefault((item.role, item.kind), []).append(item)
    lines = []
    for (role, kind), group in sorted(rows.items()):
        words = Counter(item.verdict for item in group)
        told = ", ".join(f"{word} {count}" for word, count in sorted(words.items()))
        wrong = sum(item.mistaken for item in group)
        mark = f"   MISTAKES {wrong}" if wrong else ""
        seconds = sum(item.seconds for item in group)
        lines.append(f"{role:9} {kind:10} {len(group):4}  {seconds:7.1f} s  {told}{mark}")
    return "\n".join(lines)


def as_json(found: Iterable[Judgement], profile: str, seed: int) -> str:
    """Everything that was found, verdict by verdict."""
    cases = [asdict(item) for item in found]
    return json.dumps({"profile": profile, "seed": seed, "cases": cases}, indent=1)
