"""Check that a proof of empty hypotheses is about the hypotheses of the statement that it names.

Such a proof speaks about a few scalars.  On sampled instances of the refuted statement, each of its
hypotheses must either hold always (a fact about all instances) or hold wherever one hypothesis of
that statement does, and that one must hold somewhere, so that the implication is not idle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.instance import Instance
from verify.claim.statement import Shape, Statement
from verify.ladder.rung_search import analytic_points
from verify.verdict.evidence import Evidence
from verify.verdict.relation import meets
from verify.world.noise_plan import AllOutcomes
from verify.world.score import Score, score

COUNT = 96
"""Sampled instances per shape."""


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
    facts: dict[str, list[Any]] = {}
    assumed: dict[str, list[Any]] = {}
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
    u = analytic_points(parent.family, shape, COUNT // 2, rng)[: COUNT // 2]
    u = np.concatenate([u, rng.random((COUNT // 2, u.shape[1]))])
    instance = parent.family.instance(parent.family.decode(u, shape), shape)
    return score(parent, instance, noise=AllOutcomes())


def _collect(into: dict[str, list[Any]], result: Score, usable: Any) -> None:
    for name, margin in result.margins.items():
        lowest = np.asarray(margin, dtype=float).min(axis=1)
        holds = meets(lowest, name in result.strict)
        into.setdefault(name, []).append(np.broadcast_to(holds, usable.shape)[usable])


def _implications(facts: dict[str, list[Any]], assumed: dict[str, list[Any]]) -> Evidence:
    given = {name: np.concatenate(parts) for name, parts in assumed.items()}
    found: dict[str, str] = {}
    for name, parts in facts.items():
        holds = np.concatenate(parts)
        if holds.size and holds.all():
            found[name] = "always"
            continue
        sources = [p for p, there in given.items() if there.any() and holds[there].all()]
        if not sources:
            return Evidence(
                "link", "undecided", f"{name} does not follow from one hypothesis of the statement",
                details={"sources": found},
            )  # fmt: skip
        found[name] = min(sources, key=lambda p: (p != name, -int(given[p].sum())))
    size = next((len(v) for v in given.values()), 0)
    return Evidence(
        "link", "reported", f"every hypothesis of the proof follows from one of the statement's on "
        f"{size} sampled instances", tried=size, details={"sources": found},
    )  # fmt: skip
