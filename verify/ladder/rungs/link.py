"""Check that a proof of empty hypotheses is about the hypotheses of the statement that it names.

Such a proof speaks about a few scalars.  On sampled instances of the refuted statement, each of its
hypotheses must either hold always (a fact about all instances), or be one hypothesis of that
statement (the same margin everywhere), or hold wherever one of them does, which must then hold
somewhere, so that the implication is not idle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.instance import Instance
from verify.claim.statement import Shape, Statement
from verify.ladder.rungs import tuning
from verify.ladder.search.points import analytic_points
from verify.verdict.evidence import Evidence
from verify.verdict.relation import ROUNDING, meets
from verify.world.noise_plan import AllOutcomes
from verify.world.score import Score, score


def check_lift(empty: Statement, parent: Statement | None, seed: int) -> Evidence:
    """Whether the hypotheses of ``empty`` follow from those of ``parent``.

    Returns
    -------
    Evidence
        Of the rung ``link``; undecided, with the hypothesis that does not follow, where it fails.
    """
    if parent is None or empty.lift is None:
        return Evidence("link", "undecided", "the refuted statement or the lift to it is missing")
    rng = np.random.default_rng([seed, 11])
    facts: dict[str, list[Margins]] = {}
    assumed: dict[str, list[Margins]] = {}
    for shape in parent.family.shapes:
        there = _parent_score(parent, shape, rng)
        with unchecked(), np.errstate(all="ignore"):
            scalars = {k: np.asarray(v)[:, 0] for k, v in empty.lift(there.world).items()}
            here = score(empty, Instance("numbers", {}, None, scalars))
        finite = [np.isfinite(v).reshape(len(v), -1).all(axis=1) for v in scalars.values()]
        usable = np.all(finite, axis=0)
        _collect(facts, here, usable)
        _collect(assumed, there, usable)
    return _implications(facts, assumed)


def _parent_score(parent: Statement, shape: Shape, rng: np.random.Generator) -> Score:
    u = analytic_points(parent.family, shape, tuning.LINK_INSTANCES // 2, rng)[
        : tuning.LINK_INSTANCES // 2
    ]
    u = np.concatenate([u, rng.random((tuning.LINK_INSTANCES // 2, u.shape[1]))])
    instance = parent.family.instance(parent.family.decode(u, shape), shape)
    return score(parent, instance, noise=AllOutcomes())


def _collect(into: dict[str, list[Margins]], result: Score, usable: Any) -> None:
    for name, margin in result.margins.items():
        lowest = np.broadcast_to(np.asarray(margin, dtype=float).min(axis=1), usable.shape)[usable]
        strict = name in result.strict
        into.setdefault(name, []).append(Margins(lowest, meets(lowest, strict), strict))


def _implications(facts: dict[str, list[Margins]], assumed: dict[str, list[Margins]]) -> Evidence:
    given = {name: Margins.joined(parts) for name, parts in assumed.items()}
    found: dict[str, str] = {}
    for name, parts in facts.items():
        here = Margins.joined(parts)
        if here.holds.size and here.holds.all():
            found[name] = "always"
            continue
        sources = [p for p, there in given.items() if here.follows(there)]
        if not sources:
            return Evidence(
                "link",
                "undecided",
                f"{name} does not follow from one hypothesis of the statement",
                details={"sources": found},
            )
        found[name] = min(sources, key=lambda p: (p != name, -int(given[p].holds.sum())))
    size = next((len(v.holds) for v in given.values()), 0)
    return Evidence(
        "link",
        "reported",
        f"every hypothesis of the proof follows from one of the statement's on "
        f"{size} sampled instances",
        tried=size,
        details={"sources": found},
    )


@dataclass(frozen=True)
class Margins:
    """Margins of one hypothesis on sampled instances, and where it holds."""

    values: Any
    holds: Any
    strict: bool

    @classmethod
    def joined(cls, parts: list[Margins]) -> Margins:
        """Those of several shapes."""
        values, holds = ([getattr(p, k) for p in parts] for k in ("values", "holds"))
        return cls(np.concatenate(values), np.concatenate(holds), parts[0].strict)

    def follows(self, other: Margins) -> bool:
        """Whether this hypothesis is the other one, or holds wherever that one does somewhere."""
        scale = np.maximum(np.abs(self.values), np.abs(other.values))
        alike = np.abs(self.values - other.values) <= ROUNDING * scale
        weaker = other.strict or not self.strict
        if weaker and len(set(self.values.tolist())) > 1 and alike.all():
            return True
        return bool(other.holds.any() and self.holds[other.holds].all())
