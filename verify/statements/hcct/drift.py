"""Equation 39: how far two clients drift apart that meet in a group after training in others.

Clients 0 and 1 meet in the last epoch of every schedule; t is that epoch.
"""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Sides, numbers, statement
from verify.statements.hcct.quantities.claims import averaging
from verify.statements.hcct.quantities.symbols import symbols
from verify.statements.hcct.quantities.training import DRIFT, NOISY, SHORT_STEPS, run_of
from verify.terms.vocabulary import quantity
from verify.world.world import World


def _gap(w: World) -> Array:
    """(w_0^t - w_1^t)^2."""
    models = run_of(w).models[run_of(w).last]
    return (models[..., 0] - models[..., 1]) ** 2


def _moved(w: World, later: int) -> Array:
    """|grad J_0(w_0^{t + later}) - grad J_0(w_1^t)|^2."""
    run = run_of(w)
    if later == 0:
        crossed = run.crossed(run.last)
        return (crossed[..., 0, 0] - crossed[..., 0, 1]) ** 2
    apart = run.models[run.last + later][..., 0] - run.models[run.last][..., 1]
    return (run.bend[..., 0] * apart) ** 2


def _smooth(w: World, later: int) -> Sides:
    return {"moved gradient": _moved(w, later)}, {"L^2 |w_i - w_j|^2": w.curvature**2 * _gap(w)}


smooth_next = statement(
    "hcct.eq39/e@own-models+misplaced",
    where="Equation 39",
    kind="proof step",
    title="smoothness",
    latex=r"\mathbb E\|\nabla J_i(\mathbf w_i^{t+1})-\nabla J_i(\mathbf w_j^t)\|^2\le L^2\mathbb E\|\mathbf w_i^t-\mathbf w_j^t\|^2",
    over="mean",
    given=SHORT_STEPS,
    defines=DRIFT,
    family=numbers(
        NOISY,
        {"N": 2, "schedule": "0|1 01"},
        {"N": 2, "schedule": "0|1*2 01"},
        {"N": 3, "schedule": "02|1 01|2"},
        {"N": 2, "schedule": "01*2"},
        about="parabolas of one curvature, up to three epochs, two-point noise enumerated",
    ),
    note="Tight with equal models of equal epochs. w^{t+1} has taken one more step.",
)(partial(_smooth, later=1))
smooth_now = smooth_next.variant(
    "hcct.eq39/e@own-models+in-place",
    latex=smooth_next.latex.replace("t+1", "t"),
    note="The third term of (38), which (39) is to bound.",
    sides=partial(_smooth, later=0),
)


@smooth_next.like(
    "hcct.eq39/unrolled@own-models",
    title="from the common start",
    relation="==",
    latex=r"\mathbf w_i^t-\mathbf w_j^t=\sum_s\eta^s(\sum_{\mathcal C_j^s}a\mathbf g-\sum_{\mathcal C_i^s}a\mathbf g)",
    note="w_0^t - w_1^t unrolled from the common start.",
)
def unrolled(w: World) -> Sides:
    return {"|w_i - w_j|^2": _gap(w)}, {"of the sums": _moves(w) ** 2}


@quantity
def _moves(w: World) -> Array:
    """sum_s eta^s (sum_j a g - sum_i a g), over the epochs before the last."""
    return sum(w.step_size * (u[..., 1] - u[..., 0]) for u in run_of(w).updates[:-1])


@quantity
def _squares(w: World) -> Array:
    """sum_s (eta^s)^2 |sum_i a g - sum_j a g|^2."""
    return sum(w.step_size**2 * (u[..., 0] - u[..., 1]) ** 2 for u in run_of(w).updates[:-1])


def _independence(w: World, repaired: bool) -> Sides:
    factor = run_of(w).last if repaired else 1
    right = factor * w.curvature**2 * _squares(w)
    return {"L^2 |w_i - w_j|^2": w.curvature**2 * _gap(w)}, {"sum of squares": right}


@statement(
    "hcct.eq39/f-deduced",
    where="Equation 39",
    kind="deduction",
    latex="",
    family=symbols("first second"),
)
def squares_deduced(w: World) -> Sides:
    """Two epochs of updates: nothing is known of their product."""
    return {"(x + y)^2": (w.first + w.second) ** 2}, {"x^2 + y^2": w.first**2 + w.second**2}


independence = smooth_next.like(
    "hcct.eq39/f@own-models",
    title="independence",
    deduction=squares_deduced,
    latex=r"\mathbb E\|\mathbf w_i^t-\mathbf w_j^t\|^2\le \sum_s(\eta^s)^2\mathbb E\|\sum_{\mathcal C_i^s}a\mathbf g-\sum_{\mathcal C_j^s}a\mathbf g\|^2",
    note="Updates of different epochs share their means, so that no factor less than t serves.",
)(partial(_independence, repaired=False))
independence_repaired = independence.variant(
    "hcct.eq39.repaired/f",
    title="a factor t in place of independence",
    deduction=None,
    latex=independence.latex.replace(r"\le ", r"\le t"),
    proof="|x_0 + ... + x_{t-1}|^2 <= t (|x_0|^2 + ... + |x_{t-1}|^2).",
    sides=partial(_independence, repaired=True),
)


@quantity
def _compared(w: World) -> list[Array]:
    """sum_z a_z (grad J_0 - grad J_1)(w_z) over client 0's group, every epoch before t."""
    run, gaps = run_of(w), []
    for s, word in enumerate(run.words[:-1]):
        crossed, row = run.crossed(s), run.weights[word][..., 0, :]
        gaps.append(xp.total(row * (crossed[..., 0, :] - crossed[..., 1, :])))
    return gaps


def _noise(w: World) -> Array:
    return w.curvature**2 * (2 * run_of(w).last * w.step_size**2 * w.sigma**2)


@quantity
def _squared_gaps(w: World, repaired: bool) -> Array:
    """sum_s (eta^s)^2 of the squared gaps: of the groups' gradients, or as printed."""
    groups = [run_of(w).group_gradients(s) for s in range(run_of(w).last)]
    gaps = [g[..., 0] - g[..., 1] for g in groups] if repaired else _compared(w)
    return sum(w.step_size**2 * gap**2 for gap in gaps)


def _variance(w: World, repaired: bool) -> Sides:
    right = _squared_gaps(w, repaired)
    bound = {"gradients": w.curvature**2 * right, "noise": _noise(w)}
    return {"sum of squares": w.curvature**2 * _squares(w)}, bound


_G = r"\mathbb E\|\sum_{\mathcal C_i}a\mathbf g-\sum_{\mathcal C_j}a\mathbf g\|^2\le\mathbb E\|%s\|^2+2\sigma^2"
variance = smooth_next.like(
    "hcct.eq39/g@own-models",
    title="variance",
    latex=_G % r"\sum_{\mathcal C_i}a_z(\nabla J_i-\nabla J_j)(\mathbf w_z)",
    note="The two groups evaluate different clients' gradients at different models.",
)(partial(_variance, repaired=False))
variance_repaired = variance.variant(
    "hcct.eq39.repaired/g",
    title="gradients of the clients that gave them",
    proof="""sum_i a g - sum_j a g has the mean difference of these
    gradients, and the noise of each group's mean has variance at most sigma^2; the groups are
    equal, without noise in the difference, or disjoint with independent noise.""",
    latex=_G
    % r"\sum_{\mathcal C_i}a_z\nabla J_z(\mathbf w_z)-\sum_{\mathcal C_j}a_z\nabla J_z(\mathbf w_z)",
    sides=partial(_variance, repaired=True),
)


@quantity
def _constants(w: World) -> list[Array]:
    """sum_z a_z kappa_0z^2 over client 0's group, every epoch before t."""
    run = run_of(w)
    return [xp.total(run.weights[k][..., 0, :] * w.kappa2[..., 0, :]) for k in run.words[:-1]]


@quantity
def _weighted_constants(w: World) -> Array:
    """sum_s (eta^s)^2 times the printed constants, over the epochs before the last."""
    return sum(w.step_size**2 * constant for constant in _constants(w))


def _similarity(w: World, repaired: bool) -> Sides:
    scale = w.step_size**2 * w.curvature**2
    return {"gradients": scale * _squares_compared(w)}, {
        "kappa": scale * _all_constants(w, repaired)
    }


@quantity
def _squares_compared(w: World) -> Array:
    """Sum over the epochs before the last of the squares of `_compared`."""
    return sum(gap**2 for gap in _compared(w))


@quantity
def _all_constants(w: World, repaired: bool) -> Array:
    """Sum over the epochs before the last of kappa_01^2, or of the printed constants."""
    return sum([w.kappa2[..., 0, 1]] * run_of(w).last if repaired else _constants(w))


@statement(
    "hcct.eq39/h-deduced",
    where="Equation 39",
    kind="deduction",
    latex="",
    family=symbols("moved kappa kappa_pair"),
    given=[
        Hypothesis(
            "Assumption 3",
            r"\|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|^2\le\kappa_{i,j}^2",
            lambda w: w.kappa_pair - w.moved,
            "Assumption 3",
        )
    ],
)
def pair_deduced(w: World) -> Sides:
    return {"|grad J_i - grad J_j|^2": w.moved}, {"kappa_iz^2": w.kappa}


_H = r"\|\sum_{\mathcal C_i}a_z(\nabla J_i-\nabla J_j)(\mathbf w_z)\|^2\le %s"
similarity = smooth_next.like(
    "hcct.eq39/h@own-models",
    title="similarity",
    latex=_H % r"\sum_za_z\kappa_{i,z}^2",
    deduction=pair_deduced,
    note="grad J_i and grad J_j at one model differ by kappa_ij, whoever's model it is.",
)(partial(_similarity, repaired=False))
similarity_repaired = similarity.variant(
    "hcct.eq39.repaired/h",
    title="the constant of the pair",
    proof="The weights of a group add up to one.",
    latex=_H % r"\kappa_{i,j}^2",
    deduction=None,
    sides=partial(_similarity, repaired=True),
)


def _whole(w: World, later: int) -> Sides:
    right = _weighted_constants(w)
    return {"moved gradient": _moved(w, later)}, {
        "kappa": w.curvature**2 * right,
        "noise": _noise(w),
    }


whole_next = smooth_next.like(
    "hcct.eq39/whole@own-models+misplaced",
    title="first against last",
    latex=r"\mathbb E\|\nabla J_i(\mathbf w_i^{t+1})-\nabla J_i(\mathbf w_j^t)\|^2\le L^2\sum_s(\eta^s)^2(\sum_za_z\kappa_{i,z}^2+2\sigma^2)",
    note="The first and the last expression.",
)(partial(_whole, later=1))
whole_now = whole_next.variant(
    "hcct.eq39/whole@own-models+in-place",
    latex=whole_next.latex.replace("t+1", "t"),
    sides=partial(_whole, later=0),
)


ALGORITHM = tuple(
    averaging(claim)
    for claim in (
        smooth_next,
        smooth_now,
        unrolled,
        independence,
        variance,
        similarity,
        whole_next,
        whole_now,
    )
)
