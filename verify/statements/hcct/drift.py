"""Equation 39: how far two clients drift apart that meet in a group after training in others.

Clients 0 and 1 meet in the last epoch of every schedule; t is that epoch.
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import CURVATURE, numbers, source
from verify.statements.hcct.deductions import PAIR, SQUARES
from verify.statements.hcct.training import kappa2, run_of, share_of_inverse, training
from verify.world.world import World

Array = Any

NOISY = {
    "curvature": CURVATURE,
    "slack": Real(1 / 1024, 1, unit=(1, -1), log=True),
    "optimum": Real(-2, 2, unit=(0, 1), per=("N",)),
    "start": Real(-2, 2, unit=(0, 1)),
    "size": Real(1, 16, log=True, per=("N",)),
    "sigma": Real(1 / 1024, 4, unit=(1, -1), log=True),
    "share": Real(0, 1, per=("N",)),
    "step_share": Real(1 / 64, 63 / 64),
}
MEET = numbers(
    NOISY, {"N": 2, "schedule": "0|1 01"}, {"N": 2, "schedule": "0|1*2 01"},
    {"N": 3, "schedule": "02|1 01|2"}, {"N": 2, "schedule": "01*2"},
    about="parabolas of one curvature, up to three epochs, two-point noise enumerated",
)  # fmt: skip
DEFINES = {"training": training(), "kappa2": kappa2, "step_size": share_of_inverse}


def _last(w: World) -> int:
    """t: the epoch in which the two clients meet."""
    return len(run_of(w).words) - 1


def _gap(w: World, t: int) -> Array:
    """(w_0 - w_1)^2 at the beginning of an epoch."""
    models = run_of(w).models[t]
    return (models[..., 0] - models[..., 1]) ** 2


def _moved(w: World, later: int) -> Array:
    """|grad J_0(w_0^{t + later}) - grad J_0(w_1^t)|^2."""
    run, t = run_of(w), _last(w)
    apart = run.models[t + later][..., 0] - run.models[t][..., 1]
    return (run.bend[..., 0] * apart) ** 2


def _smooth(later: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Tight with equal models of equal epochs. w^{t+1} has taken one more step."""
        return {"moved gradient": _moved(w, later)}, {
            "L^2 |w_i - w_j|^2": w.curvature**2 * _gap(w, _last(w))
        }

    return sides


def _sum(w: World) -> tuple[Terms, Terms]:
    """w_0^t - w_1^t unrolled from the common start."""
    run = run_of(w)
    moved: Array = 0
    for update in run.updates[:-1]:
        moved = moved + w.step_size * (update[..., 1] - update[..., 0])
    return {"|w_i - w_j|^2": _gap(w, _last(w))}, {"of the sums": moved**2}


def _squares(w: World) -> Array:
    """sum_s (eta^s)^2 |sum_i a g - sum_j a g|^2."""
    total: Array = 0
    for update in run_of(w).updates[:-1]:
        total = total + w.step_size**2 * (update[..., 0] - update[..., 1]) ** 2
    return total


def _independence(repaired: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Updates of different epochs share their means, so that no factor less than t serves.

        Proof with the factor t: |x_0 + ... + x_{t-1}|^2 <= t (|x_0|^2 + ... + |x_{t-1}|^2).
        """
        factor = _last(w) if repaired else 1
        return {"L^2 |w_i - w_j|^2": w.curvature**2 * _gap(w, _last(w))}, {
            "sum of squares": factor * w.curvature**2 * _squares(w)
        }

    return sides


def _variance(repaired: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The two groups evaluate different clients' gradients at different models.

        Proof of the form with these gradients: sum_i a g - sum_j a g has the mean difference of
        the gradients, and the noise of each group's mean has variance at most sigma^2; the groups
        are equal, without noise in the difference, or disjoint with independent noise.
        """
        run = run_of(w)
        right: Array = 0
        for s, word in enumerate(run.words[:-1]):
            if repaired:
                group = run.group_gradients(s)
                gap = group[..., 0] - group[..., 1]
            else:
                crossed = run.crossed(s)
                weights = run.weights[word][..., 0, :]
                gap = xp.total(weights * (crossed[..., 0, :] - crossed[..., 1, :]))
            right = right + w.step_size**2 * gap**2
        noise = 2 * _last(w) * w.step_size**2 * w.sigma**2
        return {"sum of squares": w.curvature**2 * _squares(w)}, {
            "gradients": w.curvature**2 * right, "noise": w.curvature**2 * noise
        }

    return sides


def _similarity(repaired: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """grad J_i and grad J_j at one model differ by kappa_ij, whoever's model it is.

        Proof with kappa_ij: the weights of a group add up to one.
        """
        run = run_of(w)
        left: Array = 0
        right: Array = 0
        for s, word in enumerate(run.words[:-1]):
            crossed, row = run.crossed(s), run.weights[word][..., 0, :]
            left = left + xp.total(row * (crossed[..., 0, :] - crossed[..., 1, :])) ** 2
            bound = w.kappa2[..., 0, 1] if repaired else xp.total(row * w.kappa2[..., 0, :])
            right = right + bound
        scale = w.step_size**2 * w.curvature**2
        return {"gradients": scale * left}, {"kappa": scale * right}

    return sides


def _whole(w: World) -> tuple[Terms, Terms]:
    """The first and the last expression, with w_i^t on the left."""
    run = run_of(w)
    right: Array = 0
    for word in run.words[:-1]:
        row = run.weights[word][..., 0, :]
        right = right + w.step_size**2 * xp.total(row * w.kappa2[..., 0, :])
    noise = 2 * _last(w) * w.step_size**2 * w.sigma**2
    return {"moved gradient": _moved(w, 0)}, {
        "kappa": w.curvature**2 * right, "noise": w.curvature**2 * noise
    }


_S: dict[str, Any] = {
    "kind": "proof step", "source": source("Equation 39"), "family": MEET, "over": "mean",
    "defines": DEFINES,
}  # fmt: skip
_E = r"\mathbb E\|\nabla J_i(\mathbf w_i^{%s})-\nabla J_i(\mathbf w_j^t)\|^2\le L^2\mathbb E\|\mathbf w_i^t-\mathbf w_j^t\|^2"
_F = r"\mathbb E\|\mathbf w_i^t-\mathbf w_j^t\|^2\le %s\sum_s(\eta^s)^2\mathbb E\|\sum_{\mathcal C_i^s}a\mathbf g-\sum_{\mathcal C_j^s}a\mathbf g\|^2"
_G = r"\mathbb E\|\sum_{\mathcal C_i}a\mathbf g-\sum_{\mathcal C_j}a\mathbf g\|^2\le\mathbb E\|%s\|^2+2\sigma^2"
_H = r"\|\sum_{\mathcal C_i}a_z(\nabla J_i-\nabla J_j)(\mathbf w_z)\|^2\le %s"
_W = r"\mathbb E\|\nabla J_i(\mathbf w_i^t)-\nabla J_i(\mathbf w_j^t)\|^2\le L^2\sum_s(\eta^s)^2(\sum_za_z\kappa_{i,z}^2+2\sigma^2)"
_OWN = r"\sum_{\mathcal C_i}a_z(\nabla J_i-\nabla J_j)(\mathbf w_z)"
_EACH = r"\sum_{\mathcal C_i}a_z\nabla J_z(\mathbf w_z)-\sum_{\mathcal C_j}a_z\nabla J_z(\mathbf w_z)"

STATEMENTS = (
    Statement(key="hcct.eq39/e@next-model", latex=_E % "t+1", sides=_smooth(1), title="smoothness", **_S),
    Statement(key="hcct.eq39/e@same-epoch", latex=_E % "t", sides=_smooth(0), title="smoothness", **_S),
    Statement(key="hcct.eq39/unrolled", sides=_sum, relation="==", title="from the common start",
              latex=r"\mathbf w_i^t-\mathbf w_j^t=\sum_s\eta^s(\sum_{\mathcal C_j^s}a\mathbf g-\sum_{\mathcal C_i^s}a\mathbf g)", **_S),
    Statement(key="hcct.eq39/f", latex=_F % "", sides=_independence(False), title="independence",
              deduction=SQUARES, **_S),
    Statement(key="hcct.eq39/g", latex=_G % _OWN, sides=_variance(False), title="variance", **_S),
    Statement(key="hcct.eq39/h", latex=_H % r"\sum_za_z\kappa_{i,z}^2", sides=_similarity(False),
              title="similarity", deduction=PAIR, **_S),
    Statement(key="hcct.eq39/whole", latex=_W, sides=_whole, title="first against last", **_S),
    Statement(key="hcct.eq39.repaired/f", form="repaired", latex=_F % "t", sides=_independence(True),
              title="a factor t in place of independence", **_S),
    Statement(key="hcct.eq39.repaired/g", form="repaired", latex=_G % _EACH, sides=_variance(True),
              title="gradients of the clients that gave them", **_S),
    Statement(key="hcct.eq39.repaired/h", form="repaired", latex=_H % r"\kappa_{i,j}^2",
              sides=_similarity(True), title="the constant of the pair", **_S),
)  # fmt: skip
