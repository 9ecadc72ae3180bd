"""What the proofs ask for; L_i is the smallest Lipschitz constant of client i.

They ask for lambda_i^t >= 1 + L_i, before (43) and (58), and for lambda_max < (1 + L_i)^2/L_i,
after (61).  Forms of ours that do without numbers of no unit ask for lambda_min above L or L/2.
"""

from __future__ import annotations

from collections.abc import Callable

from bounds import generic as xp
from verify.claim import Array, Hypothesis, hypothesis
from verify.statements.fedbc.quantities.domain import dual_bound
from verify.statements.fedbc.quantities.measures import c0, slopes, stiffness
from verify.statements.fedbc.quantities.rounds import Round, rounds_of
from verify.terms.vocabulary import quantity
from verify.world.world import World


def _smallest(w: World, values: list[Array]) -> Array:
    """Smallest of several per-client quantities."""
    return xp.smallest(xp.smallest(xp.stack([v + 0 * w.multipliers for v in values], -1)))


@quantity
def _least_in_every_round(w: World, value: Callable[[World, Round], Array]) -> Array:
    """Smallest of a per-client quantity over clients, rounds and sampled sets, (B, 1)."""
    return _smallest(w, [value(w, r) for run in rounds_of(w) for r in run])


@quantity
def _least_in_last_rounds(w: World, value: Callable[[World, Round], Array]) -> Array:
    """The same over the last rounds alone."""
    return _smallest(w, [value(w, run[-1]) for run in rounds_of(w)])


@hypothesis(
    "multipliers in Lambda",
    r"\lambda_i^t\in\Lambda=[\lambda_{\min},\lambda_{\max}]\ \forall i,t",
    where="after Theorem 4.5, 'constrain the dual variables to a compact set in (11)'",
)
def in_domain(w: World) -> Array:
    # round 0 is the round t of a claim about one round; (11) keeps later multipliers in Lambda
    low = xp.smallest(w.multipliers) - w.lambda_min
    return xp.minimum(low, w.lambda_max - xp.largest(w.multipliers))


@hypothesis(
    "lambda_i >= 1 + L_i", r"\lambda_i^t\ge1+L_i\ \forall i,t", where="before (43) and (58)"
)
def own_above(w: World) -> Array:
    """In every round that is run."""
    return _least_in_every_round(w, _above_one)


def _above_one(w: World, r: Round) -> Array:
    return r.multipliers - 1 - stiffness(w)


def _below_square(w: World) -> Array:
    L = stiffness(w)
    return xp.smallest((1 + L) ** 2 / L) - w.lambda_max


below_square = Hypothesis(
    "lambda_max < (1 + L_i)^2/L_i",
    r"\lambda_{\max}<(1+L_i)^2/L_i\ \forall i",
    _below_square,
    "after (61)",
    strict=True,
)
OWN = (in_domain, own_above)
"""What Lemma B.1 (ii) and all that rests on it asks of the multipliers."""
PROOFS = (*OWN, below_square)
"""What Lemma B.2 and all that rests on it asks of the multipliers."""
dividing = Hypothesis(
    "C_0 > 0",
    r"C_0=1-\lambda_{\max}/(4L)>0",
    c0,
    "after (61), 'strictly positive'",
    strict=True,
)
"""What the proof divides by is positive; that the condition after (61) makes it so is a claim."""
ABOVE = (
    in_domain,
    Hypothesis("lambda_min > L", r"\lambda_{\min}>L", lambda w: w.lambda_min - w.beta, strict=True),
)
HALF = (
    in_domain,
    Hypothesis(
        "2 lambda_min > L", r"2\lambda_{\min}>L", lambda w: 2 * w.lambda_min - w.beta, strict=True
    ),
)
positive_step = Hypothesis(
    "alpha > 0", r"\alpha>0", lambda w: w.dual_step, "Theorem 4.5", strict=True
)


@hypothesis("common start", r"x_i^0=z^0\ \forall i", where="before (76)")
def common_start(w: World) -> Array:
    apart = xp.absolute(w.starts[..., 0] - w.start[..., 0][..., None])
    return -xp.largest(apart + 0 * w.multipliers)


@hypothesis("lambda_i^T >= L_i", r"\lambda_i^T\ge L_i\ \forall i", where="before (82)")
def last_above(w: World) -> Array:
    return _least_in_last_rounds(w, _above)


def _above(w: World, r: Round) -> Array:
    return r.updated - stiffness(w)


@hypothesis("gradients below G", r"\|\nabla f_i(x_i^T)\|\le G=16R^4+\gamma_i^2", where="after (81)")
def flat(w: World) -> Array:
    return _least_in_last_rounds(w, _below_bound)


def _below_bound(w: World, r: Round) -> Array:
    return dual_bound(w)[..., None] - xp.absolute(slopes(w, r.new))
