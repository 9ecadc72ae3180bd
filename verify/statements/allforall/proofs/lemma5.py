"""Lemma 5: the sum of the gaps of stochastic gradient descent on a parabola."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verify.outlines.exact import fractions
from verify.outlines.registry import proof_of
from verify.outlines.setting import Term
from verify.statements.allforall import measured as moments
from verify.statements.allforall.proofs.descents import Run, number, on_parabola
from verify.statements.allforall.proofs.walks import side
from verify.statements.allforall.sgd import lemmas5_6

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

SUM = next(one for one in lemmas5_6.steps5 if one.key.endswith("/sum"))


def _moves(w: Any) -> tuple[Any, Any, Any, Any]:
    """|x^0 - x^*|^2, its factor in a round, what noise adds, and the rounds."""
    factor = (1 - w.step_size * w.curvature * w.smoothness) ** 2
    return w.start**2, factor, w.step_size**2 * w.variance, w.rounds


def _alone(world: Any) -> Run:
    smooth = number(world, "smoothness")
    numbers = {
        "L": smooth,
        "eta": number(world, "step_size"),
        "spread": number(world, "variance"),
    }
    return numbers, [number(world, "curvature") * smooth], fractions(world.start)


SUMMED = on_parabola(
    SUM,
    (
        Term("eta", lambda w: w.step_size),
        Term("spread", lambda w: w.variance),
        Term("K", lambda w: w.rounds),
        Term("Sum(f(x[t]) - f(star), (t, 0, K - 1))", side(SUM, "sum of gaps")),
        Term("(x[K] - star)**2", lambda w: moments.after_rounds(w, *_moves(w))),
        Term("(x[0] - star)**2", lambda w: w.start**2),
    ),
    _alone,
)


@proof_of(SUM, SUMMED)
def lemma5_sum(o: StatementOutline) -> None:
    """Distances telescope."""
    o.uses("rule", "unbiased", "variance", "convex", "steep", "eta <= 1/(2*L)")
    excess = "(f(x[t]) - f(star))"
    o.step("above", f"0 <= {excess}", "steep", roots="grad(f, x[t])")
    o.step("short", f"2*L*eta**2*{excess} <= eta*{excess}", "above; eta <= 1/(2*L)")
    o.step(
        "one step",
        f"(x[t + 1] - star)**2 + eta*{excess} <= (x[t] - star)**2 + eta**2*spread",
        "convex times 2*eta; steep times eta**2; short; variance times eta**2",
    )
    o.close(
        "all steps",
        f"(x[K] - star)**2 + eta*Sum({excess}, (t, 0, K - 1)) <= "
        "(x[0] - star)**2 + K*eta**2*spread",
        "telescoped",
        step="one step",
        index="t",
        rounds="K",
        of="(x[t] - star)**2",
    )
    o.step("bound", f"{o.left} <= {o.right}", "all steps times 1/eta")
