"""Lemma 1 and Theorem 2 for groups that change, of what smoothness and noise say in the mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bounds import generic as xp
from verify.outlines.exact import fractions
from verify.outlines.plain import plain_setting
from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.hcct import any_groups

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

NUMBERS = plain_setting(any_groups.lemma1)


def _mean(w: Any, vectors: Any) -> Any:
    """By the weights of the group."""
    return xp.total((w.size / xp.total(w.size)[..., None])[..., None] * vectors, -2)


def _measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """Gradients and noises of a group, with their means."""
    run, ranges = NUMBERS.measured(world)
    gradient, noise = (
        tuple(fractions(_mean(world, vectors))) for vectors in (world.gradient, world.noise)
    )
    means = {"h": lambda *_: gradient, "m": lambda *_: noise}
    return replace(run, vectors={**run.vectors, **means}), ranges


ONE_GROUP = replace(
    NUMBERS,
    name="all numbers and vectors, and their means over a group",
    quantities=(
        *NUMBERS.quantities,
        Quantity("h", "vector", "mean gradient", r"\sum_ja_j\nabla J_j(\mathbf w_j)", known="0"),
        Quantity("m", "vector", "mean noise", r"\sum_ja_j(\mathbf g_j-\nabla J_j)", known="0"),
    ),
    terms=(
        *NUMBERS.terms,
        Term("h", lambda w: _mean(w, w.gradient), per="d"),
        Term("m", lambda w: _mean(w, w.noise), per="d"),
        Term("h + m", lambda w: _mean(w, w.gradient + w.noise), per="d"),
    ),
    facts={
        **NUMBERS.facts,
        "mean noise": Guaranteed(
            "variance",
            {"noise": "m", "sigma2": "variance"},
            needs=("variance",),
            scope="a mean of noises of variance at most sigma^2",
        ),
    },
    measured=_measured,
)


@proof_of(any_groups.lemma1, ONE_GROUP)
def lemma1(o: StatementOutline) -> None:
    """Smoothness along the step; noise has no product with gradients."""
    o.hypothesis("smoothness")
    o.hypothesis("unbiased")
    o.hypothesis("unbiased for the group")
    o.uses("mean noise")
    scale = "curvature*step_size**2"
    o.step(
        "descent",
        f"{o.left} <= {o.right}",
        f"smoothness; unbiased times step_size; unbiased for the group times {scale};"
        f"mean noise times {scale}/2",
    )


@proof_of(any_groups.theorem2)
def theorem2(o: StatementOutline) -> None:
    """Short steps leave nothing of the direction; sum over the epochs."""
    for name in ("smoothness", "unbiased", "unbiased for the group", "variance"):
        o.hypothesis(name)
    o.hypothesis("eta at most 1/L", called="short")
    o.step(
        "short steps",
        "curvature*steps[t]**2*group[t]**2 <= steps[t]*group[t]**2",
        "short times steps[t]",
        roots="group[t]",
    )
    scale = "curvature*steps[t]**2"
    o.step(
        "one epoch",
        f"steps[t]*own[t]**2 <= 2*fall[t] + steps[t]*(own[t] - group[t])**2 + {scale}*variance",
        "smoothness times 2; unbiased times 2*steps[t]; short steps;"
        f"unbiased for the group times 2*{scale}; variance times {scale}",
    )
    each = "Sum({}, (t, 0, T - 1))".format
    o.close(
        "all epochs",
        f"{each('steps[t]*own[t]**2')} <= 2*{each('fall[t]')} "
        f"+ {each('steps[t]*(own[t] - group[t])**2')} + curvature*variance*{each('steps[t]**2')}",
        "telescoped",
        step="one epoch",
        index="t",
        rounds="T",
        of="0",
    )
    o.step("mean", f"{o.left} <= {o.right}", "all epochs")
