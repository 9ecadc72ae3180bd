"""Corollary 4.6: its bracket of signs, along the relaxed dual update (95) and against gamma."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Reading, Real, Sides, numbers
from verify.statements.fedbc import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
proof of Corollary 4.6 :: proof step
    eq95-96/step :: relaxed dual update :: |\lambda_i^t-\lambda_i^{t-1}|\le\alpha
    eq97 :: unrolled :: \lambda_i^t\le\alpha\Bigl[\sum_{k=0}^t\mathbb I_k\Bigr]_+ <- eq95-96
    eq97.repaired :: unrolled :: \lambda_i^t=\alpha\max_{s\le t}\Bigl[\sum_{k=s+1}^t\mathbb I_k\Bigr]_+ <- eq95-96
    eq99-100/unrolled :: sum over the rounds :: \tfrac1T\sum_t(\lambda_i^t)^2\le\alpha^2\tfrac1T\sum_t\Bigl(\Bigl[\sum_{k=0}^t\mathbb I_k\Bigr]_+\Bigr)^2 <- eq94 eq97
    eq99-100/last :: last sum :: \tfrac1T\sum_t\Bigl(\Bigl[\sum_{k=0}^t\mathbb I_k\Bigr]_+\Bigr)^2\le\Bigl(\Bigl[\sum_{k=0}^T\mathbb I_k\Bigr]_+\Bigr)^2
    eq99-100.repaired :: number of violated rounds :: \tfrac1T\sum_t(\lambda_i^t)^2\le\alpha^2\#\{k\le T:\mathbb I_k=1\}^2 <- eq95-96
after Corollary 4.6 :: remark
    corollary46.remark ::  :: \gamma\le\gamma'\Rightarrow[\cdot]_+(\gamma')\le[\cdot]_+(\gamma)
""")


def sign_of(gap: Array, gamma: Array) -> Array:
    """1 where the constraint of (96) is violated, gap > gamma, and -1 where it is satisfied."""
    return 2 * xp.indicator(gap > gamma, gap) - 1


def bracket_of(signs: list[Array]) -> Array:
    """[sum of the signs]_+, with 1 for the summand k = 0: it needs z^{-1}, which is not defined,
    and 1 is the value kindest to the claims."""
    return xp.positive_part(sum(signs, 1))


def average(values: list[Array]) -> Array:
    """Average over the rounds."""
    return sum(values[1:], values[0]) / len(values)


# -- the recursion on bare sequences of signs (95)-(100) -------------------------------------------


@quantity
def _signs(w: World) -> list[Array]:
    steps = sign_of(w.margin, 0)
    return [steps[..., t] for t in range(w.margin.shape[-1])]


@quantity
def _multipliers(w: World) -> list[Array]:
    """lambda^1 .. lambda^T of (95)."""
    out = [0 * w.alpha]
    for sign in _signs(w):
        out.append(xp.positive_part(out[-1] + w.alpha * sign))
    return out[1:]


@quantity
def _sums(w: World) -> list[Array]:
    """[sum of the signs up to t]_+ for t = 1..T, with 1 for the summand k = 0."""
    signs = _signs(w)
    return [bracket_of(signs[: t + 1]) for t in range(len(signs))]


@claim(
    "eq95-96/step",
    family=numbers(
        {"margin": Real(-1, 1, per=("T",)), "alpha": Real(1 / 16, 4, log=True)},
        *({"T": t} for t in (1, 2, 3, 5)),
        about="any sequence of satisfied and violated constraints, lambda^0 = 0",
    ),
)
def eq95(w: World) -> Sides:
    """(95) itself: up by alpha where the constraint is violated, down, not below 0, where not."""
    before = [0 * w.alpha, *_multipliers(w)[:-1]]
    steps = [xp.absolute(b - a) for a, b in zip(before, _multipliers(w), strict=True)]
    return {"|change|": xp.largest(xp.stack(steps, -1))}, {"alpha": w.alpha}


LISTED = q.listed(r"""
definition :: eq95-96/definition :: (95), (96) :: \lambda_i^t=[\lambda_i^{t-1}+\alpha\mathbb I_t]_+ :: relaxed dual update
""")


follows, shown = q.deductions(
    claim,
    r"""
proof of Corollary 4.6
(95) :: \lambda_i^t\le[\lambda_i^{t-1}+\alpha\mathbb I_t]_+ :: (95), printed as an equality
(97) before :: \lambda_i^{t-1}\le\alpha\Bigl[\sum_{k=0}^{t-1}\mathbb I_k\Bigr]_+ :: (97) at t - 1
""",
)


@follows(
    "eq97",
    "after before alpha+ past~ sign",
    shown("(95)", lambda w: xp.positive_part(w.before + w.alpha * w.sign) - w.after),
    shown("(97) before", lambda w: w.alpha * xp.positive_part(w.past) - w.before),
    note="""The inductive step of the unrolling: lambda forgets a negative past, the sum does not. I_t is
    any number of [-1, 1].""",
    sign=Real(-1, 1),
)
def inductive_step(w: World) -> Sides:
    return {"lambda": w.after}, {"alpha [.]_+": w.alpha * xp.positive_part(w.past + w.sign)}


@claim(
    "eq97",
    family=numbers(
        {"margin": Real(-1, 1, per=("T",)), "alpha": Real(1 / 16, 4, log=True)},
        *({"T": t} for t in (1, 2, 3, 5)),
        about="any sequence of satisfied and violated constraints, lambda^0 = 0",
    ),
    deduction=inductive_step,
)
def eq97(w: World) -> Sides:
    """The projection at 0 forgets satisfied rounds, the sum does not: signs -1, -1, 1. x_k^t is
    read as x_i^k, as in (98)."""
    return {"lambda^T": _multipliers(w)[-1]}, {"alpha [.]_+": w.alpha * _sums(w)[-1]}


@claim("eq97.repaired", like=eq97, relation="==")
def eq97_repaired(w: World) -> Sides:
    """lambda^T = alpha times the largest sum of the last signs, or 0.

    Proof. Induction: max(0, max_s sum_{k>s}) at T is [the same at T - 1 plus the last sign]_+."""
    largest, total = 0 * w.alpha, 0 * w.alpha
    for sign in reversed(_signs(w)):
        total = total + sign
        largest = xp.maximum(largest, total)
    return {"lambda^T": _multipliers(w)[-1]}, {"alpha largest tail": w.alpha * largest}


def _average_square(w: World) -> Array:
    return average([m**2 for m in _multipliers(w)])


@claim(
    "eq99-100/unrolled",
    family=numbers(
        {"margin": Real(-1, 1, per=("T",)), "alpha": Real(1 / 16, 4, log=True)},
        *({"T": t} for t in (1, 2, 3, 5)),
        about="any sequence of satisfied and violated constraints, lambda^0 = 0",
    ),
)
def eq99(w: World) -> Sides:
    """(97) in (94), without the common factor 32 R^2 and 2 epsilon_i."""
    squares = average([s**2 for s in _sums(w)])
    right = {"alpha^2 average [.]^2": w.alpha**2 * squares}
    return {"average lambda^2": _average_square(w)}, right


@claim(
    "eq99-100/last",
    family=numbers(
        {"margin": Real(-1, 1, per=("T",)), "alpha": Real(1 / 16, 4, log=True)},
        *({"T": t} for t in (1, 2, 3, 5)),
        about="any sequence of satisfied and violated constraints, lambda^0 = 0",
    ),
)
def eq100(w: World) -> Sides:
    """The sums may fall: signs 1, -1, -1 have sums 2, 1, 0."""
    return {"average": average([s**2 for s in _sums(w)])}, {"last": _sums(w)[-1] ** 2}


@claim("eq99-100.repaired", like=eq99)
def eq99_repaired(w: World) -> Sides:
    """Average of lambda^2 at most alpha^2 times the square of the number of violated rounds.

    Proof. lambda rises by alpha in a violated round and never falls below 0."""
    violated = [(s + 1) / 2 for s in _signs(w)]
    count = sum(violated[1:], violated[0])
    return {"average lambda^2": _average_square(w)}, {"alpha^2 count^2": w.alpha**2 * count**2}


# -- the bracket against gamma ---------------------------------------------------------------------

DISTANCES = numbers(
    {
        "gap": Real(0, 4, unit=(0, 2), per=("T",)),
        "gamma": Real(0, 4, unit=(0, 2)),
        "more": Real(0, 4, unit=(0, 2)),
    },
    *({"T": t} for t in (1, 2, 3)),
    about="any distances of one run",
)
PAIR = q.runs(
    *(q.size(2, 2, rounds=t) for t in (2, 4)),
    domain="above",
    extra={
        "height": Real(8, 64, unit=(1, 0), log=True, per=("N",)),
        "width": Real(2, 4, unit=(0, 1)),
        "dual_step": Real(6, 8, unit=(1, -4)),
        "gamma": Real(0, 0.3, unit=(0, 2), per=("N",)),
        "more": Real(2.0**-10, 1 / 4, unit=(0, 2), log=True, per=("N",)),
    },
)
"""Long dual steps and small tolerances: a larger gamma lowers the multiplier, and the next distance
may then pass it."""
TITLES = {
    "thresholds": "bracket against gamma, distances fixed",
    "runs": "bracket against gamma, along Algorithm 1",
}
NOTES = {
    "thresholds": "On fixed distances every sign falls as gamma grows.",
    "runs": """Two runs, the second with larger gamma_i: multipliers and models differ too. f =
    x^2/2 and (x - 2)^2/2, Lambda = [2, 3], lambda = (2, 2), z = 1, alpha = 64, gamma_2 = 0: the
    signs of the first device are 1, -1 for gamma_1 = 3/125, but 1, 1 for 39/1000.""",
}


@quantity
def _bracket_of_a_run(w: World, gamma: Array) -> Array:
    run = w.run(gamma=gamma)
    signs = []
    for t in range(w.rounds):
        gap = (run.local_models[..., t, 0, 0] - run.server[..., t, 0]) ** 2
        signs.append(sign_of(gap, gamma[..., 0]))
    return xp.positive_part(sum(signs, -1))  # of 1 and -1 for k = 0 the kinder here


def _bracket(w: World, gamma: Array, r: Reading) -> Array:
    if "runs" in r:
        return _bracket_of_a_run(w, gamma)
    return xp.positive_part(xp.total(sign_of(w.gap, gamma[..., None])))


@claim(
    "corollary46.remark",
    readings=("lower-gamma: thresholds, runs",),
    title=lambda r: TITLES[r.lower_gamma],
    family=lambda r: PAIR if "runs" in r else DISTANCES,
    note=lambda r: NOTES[r.lower_gamma],
)
def remark(w: World, r: Reading) -> Sides:
    return {"larger gamma": _bracket(w, w.gamma + w.more, r)}, {"gamma": _bracket(w, w.gamma, r)}
