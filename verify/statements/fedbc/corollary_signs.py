"""Corollary 4.6: the relaxed dual update unrolled, on bare sequences of signs."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim.parameters import Family, Real
from verify.claim.statement import Rule, Terms
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.common import Array, described, steps_of
from verify.statements.fedbc.corollary_bracket import sign_of
from verify.world.world import World

SIGNS = Family(
    {"margin": Real(-1, 1, per=("T",)), "alpha": Real(1 / 16, 4, log=True)},
    tuple({"T": t} for t in (1, 2, 3, 5)),
    about="any sequence of satisfied and violated constraints, lambda^0 = 0",
)


def _signs(w: World) -> list[Array]:
    steps = sign_of(w.margin, 0)
    return [steps[..., t] for t in range(w.margin.shape[-1])]


def _multipliers(w: World) -> list[Array]:
    """lambda^1 .. lambda^T of (95)."""
    out = [0 * w.alpha]
    for sign in _signs(w):
        out.append(xp.positive_part(out[-1] + w.alpha * sign))
    return out[1:]


def _eq95(w: World) -> tuple[Terms, Terms]:
    """(95) itself: up by alpha where the constraint is violated, down, not below 0, where not."""
    before = [0 * w.alpha, *_multipliers(w)[:-1]]
    steps = [xp.absolute(b - a) for a, b in zip(before, _multipliers(w), strict=True)]
    return {"|change|": xp.largest(xp.stack(steps, -1))}, {"alpha": w.alpha}


def _eq97(first: int) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The projection at 0 forgets satisfied rounds, the sum does not: signs -1, -1, 1."""
        signs = _signs(w)
        return {"lambda^T": _multipliers(w)[-1]}, {
            "alpha [.]_+": w.alpha * xp.positive_part(first + sum(signs[1:], signs[0]))
        }

    return sides


def _tail(w: World) -> Array:
    """Largest of the sums of the last signs, at least 0."""
    best, total = 0 * w.alpha, 0 * w.alpha
    for sign in reversed(_signs(w)):
        total = total + sign
        best = xp.maximum(best, total)
    return best


def _eq97_repaired(w: World) -> tuple[Terms, Terms]:
    """lambda^T = alpha times the largest sum of the last signs, or 0.

    Proof. Induction: max(0, max_s sum_{k>s}) at T is [the same at T - 1 plus the last sign]_+.
    """
    return {"lambda^T": _multipliers(w)[-1]}, {"alpha largest tail": w.alpha * _tail(w)}


def _partial_sums(w: World, first: int) -> list[Array]:
    out, total = [], first + 0 * w.alpha
    for sign in _signs(w):
        total = total + sign
        out.append(xp.positive_part(total) ** 2)
    return out


def _eq99(part: str, first: int) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        sums = _partial_sums(w, first)
        average = sum(sums[1:], sums[0]) / len(sums)
        if part == "first":
            squares = [m**2 for m in _multipliers(w)]
            return {"average lambda^2": sum(squares[1:], squares[0]) / len(squares)}, {
                "alpha^2 average [.]^2": w.alpha**2 * average
            }
        return {"average": average}, {"last": sums[-1]}

    sides.__doc__ = (
        "(97) in (94), without the common factor 32 R^2 and 2 epsilon_i."
        if part == "first"
        else "The sums may fall: signs 1, -1 have squares 1, 0."
    )
    return sides


def _eq99_repaired(w: World) -> tuple[Terms, Terms]:
    """Average of lambda^2 at most alpha^2 times the square of the number of violated rounds.

    Proof. lambda rises by alpha in a violated round and never falls below 0.
    """
    squares = [m**2 for m in _multipliers(w)]
    violated = [(s + 1) / 2 for s in _signs(w)]
    return {"average lambda^2": sum(squares[1:], squares[0]) / len(squares)}, {
        "alpha^2 count^2": w.alpha**2 * sum(violated[1:], violated[0]) ** 2
    }


_bare = steps_of("proof of Corollary 4.6", family=SIGNS)
BRACKET = r"\Bigl[\sum_{k=0}^%s\mathbb I_k\Bigr]_+"

STATEMENTS = (
    _bare("eq95-96/step", "relaxed dual update", r"|\lambda_i^t-\lambda_i^{t-1}|\le\alpha", _eq95),
    described("eq95-96/definition", "definition", "(95), (96)",
              r"\lambda_i^t=[\lambda_i^{t-1}+\alpha\mathbb I_t]_+", "relaxed dual update"),
    *(
        _bare(f"eq97@{reading}", "unrolled", r"\lambda_i^t\le\alpha" + BRACKET % "t", _eq97(first),
              deduction=deduced.EQ97, uses=("fedbc.eq95-96",))
        for reading, first in (("from-1", 0), ("from-0", 1))
    ),
    _bare("eq97.repaired", "unrolled", r"\lambda_i^t=\alpha\max_{s\le t}\Bigl[\sum_{k=s+1}^t\mathbb I_k\Bigr]_+",
          _eq97_repaired, relation="==", form="repaired", uses=("fedbc.eq95-96",)),
    *(
        _bare(f"eq99-100/{part}@{reading}", title, latex, _eq99(kind, first), uses=uses)
        for reading, first in (("from-1", 0), ("from-0", 1))
        for part, title, kind, uses, latex in (
            ("unrolled", "sum over the rounds", "first", ("fedbc.eq94", "fedbc.eq97"),
             r"\tfrac1T\sum_t(\lambda_i^t)^2\le\alpha^2\tfrac1T\sum_t\Bigl(" + BRACKET % "t" + r"\Bigr)^2"),
            ("last", "last sum", "last", (),
             r"\tfrac1T\sum_t\Bigl(" + BRACKET % "t" + r"\Bigr)^2\le\Bigl(" + BRACKET % "T" + r"\Bigr)^2"),
        )
    ),
    _bare("eq99-100.repaired", "number of violated rounds",
          r"\tfrac1T\sum_t(\lambda_i^t)^2\le\alpha^2\#\{k\le T:\mathbb I_k=1\}^2", _eq99_repaired,
          form="repaired", uses=("fedbc.eq95-96",)),
)  # fmt: skip
