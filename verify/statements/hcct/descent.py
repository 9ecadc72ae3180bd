"""Lemma 1 and its per-client chain, Equations 28 and 38, on one epoch from any state."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds.hcct_convergence import descent_upper
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import CURVATURE, numbers, source
from verify.statements.hcct.deductions import JENSEN
from verify.statements.hcct.training import kappa2, largest_bend, run_of, training
from verify.world.world import World

Array = Any

_POINT = Real(-2, 2, unit=(0, 1), per=("N",))
_NOISE = {
    "sigma": Real(1 / 8, 4, unit=(1, -1), log=True), "share": Real(0, 1, per=("N",)),
    "step_size": Real(1 / 64, 4, unit=(-1, 2), log=True),
}  # fmt: skip
_STATE = {"optimum": _POINT, "start": _POINT, "size": Real(1, 16, log=True, per=("N",))}
_GROUPS = (
    {"N": 1, "schedule": "0"}, {"N": 2, "schedule": "01"}, {"N": 2, "schedule": "0|1"},
    {"N": 3, "schedule": "01|2"},
)  # fmt: skip
ANY = numbers(
    {"bend": Real(-4, 4, unit=(1, -2), per=("N",)), **_STATE, **_NOISE}, *_GROUPS,
    about="parabolas up or down, one epoch from any models, two-point noise enumerated",
)  # fmt: skip
ALIKE = numbers(
    {"curvature": CURVATURE, "slack": Real(1 / 1024, 1, unit=(1, -1), log=True), **_STATE,
     "step_size": _NOISE["step_size"]}, *_GROUPS[1:2], {"N": 3, "schedule": "012"}, _GROUPS[3],
    about="parabolas of one curvature, one epoch from any models",
)  # fmt: skip


def _descent(w: World) -> tuple[Terms, Terms]:
    """Smoothness of every J_i along its own step; the noise of a weighted mean is at most sigma^2."""
    run = run_of(w)
    own, group = run.gradients(0), run.group_gradients(0)
    right = descent_upper(
        w.step_size, w.smoothness, xp.total(own * group), xp.total(group**2), w.sigma**2, run.clients
    )
    return {"sum J after": xp.total(run.losses(1))}, {"sum J before": xp.total(run.losses(0)), **right}


# -- (37), client 0 ----------------------------------------------------------------------------


def _first(values: Array) -> Array:
    return values[..., 0]


def _smooth(w: World) -> tuple[Terms, Terms]:
    run = run_of(w)
    move = _first(run.models[1] - run.models[0])
    return {"J after": _first(run.losses(1))}, {
        "J before": _first(run.losses(0)), "slope": _first(run.gradients(0)) * move,
        "square": w.smoothness * move**2 / 2,
    }  # fmt: skip


def _unbiased(w: World) -> tuple[Terms, Terms]:
    run = run_of(w)
    own, move = _first(run.gradients(0)), _first(run.models[1] - run.models[0])
    return {"slope": own * move}, {"alignment": -w.step_size * own * _first(run.group_gradients(0))}


def _squared_move(w: World) -> tuple[Terms, Terms]:
    run = run_of(w)
    move = _first(run.models[1] - run.models[0])
    return {"square": move**2}, {"eta^2 |sum a g|^2": w.step_size**2 * _first(run.updates[0]) ** 2}


def _split(w: World) -> tuple[Terms, Terms]:
    """The deviation has mean zero."""
    run = run_of(w)
    group, update = _first(run.group_gradients(0)), _first(run.updates[0])
    scale = w.step_size**2 * w.smoothness / 2
    return {"second moment": scale * update**2}, {
        "mean": scale * group**2, "deviation": scale * (update - group) ** 2
    }


def _noise(w: World) -> tuple[Terms, Terms]:
    """Tight for one client, or all noise in one."""
    run = run_of(w)
    deviation = _first(run.updates[0] - run.group_gradients(0))
    scale = w.step_size**2 * w.smoothness / 2
    return {"deviation": scale * deviation**2}, {"sigma^2": scale * w.sigma**2}


# -- (28), (38) --------------------------------------------------------------------------------


def _moved(w: World) -> tuple[Terms, Terms]:
    """|grad J_i(w_i) - grad J_i(w_j)|^2 for i = 0 and the last client j."""
    run = run_of(w)
    crossed = run.crossed(0)
    gap = (run.models[0][..., 0] - run.models[0][..., -1]) ** 2
    return {"moved gradient": (crossed[..., 0, 0] - crossed[..., 0, -1]) ** 2}, {
        "L^2 |w_i - w_j|^2": w.smoothness**2 * gap
    }


def _polarised(w: World) -> tuple[Terms, Terms]:
    run = run_of(w)
    own, group = _first(run.gradients(0)), _first(run.group_gradients(0))
    return {"-<x, y>": -own * group}, {
        "x^2": -(own**2) / 2, "y^2": -(group**2) / 2, "(x - y)^2": (own - group) ** 2 / 2
    }


def _other(w: World, bound: bool) -> tuple[Array, Array]:
    """|grad J_i(w_i) - grad J_i(w_j)|^2 and |grad J_i(w_j) - sum_j a_j grad J_j(w_j)|^2, i = 0.

    With the index bound by the sum, both are means over the group, the second inside the square;
    with a fixed one, j = 1.
    """
    run = run_of(w)
    crossed, own = run.crossed(0), run.gradients(0)
    apart = (own[..., :, None] - crossed) ** 2
    if bound:
        rest = run.in_group(0, crossed - own[..., None, :])
        return _first(run.in_group(0, apart)), _first(rest) ** 2
    return apart[..., 0, 1], (crossed[..., 0, 1] - _first(run.group_gradients(0))) ** 2


def _halved(bound: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """|x + y|^2/2 <= x^2 + y^2, under the mean of the group where the index is bound."""
        run = run_of(w)
        first, second = _other(w, bound)
        whole = _first(run.gradients(0) - run.group_gradients(0)) ** 2 / 2
        return {"(x - y)^2/2": whole}, {"moved": first, "rest": second}

    return sides


def _similar(bound: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Assumption 3 compares two gradients at one model; a fixed w_j is not the other members'."""
        row = run_of(w).weights[run_of(w).words[0]][..., 0, :]
        return {"rest": _other(w, bound)[1]}, {"sum a kappa^2": xp.total(row * w.kappa2[..., 0, :])}

    return sides


_L: dict[str, Any] = {"over": "mean", "kind": "lemma", "family": ANY}
_OWN: dict[str, Any] = {"training": training(), "smoothness": largest_bend}
_P: dict[str, Any] = {**_L, "source": source("Equation 37"), "defines": _OWN, "title": "one client"}
_S: dict[str, Any] = {
    "kind": "proof step", "source": source("Equation 38"), "family": ALIKE,
    "defines": {"training": training(), "kappa2": kappa2},
}  # fmt: skip
_LEMMA = r"\sum_i\mathbb E[J_i(\mathbf w_i^{t+1})]-\sum_i\mathbb E[J_i(\mathbf w_i^t)]\le-\eta^t\sum_i\mathbb E\langle\nabla J_i,\sum_ja_j\nabla J_j\rangle+\frac{L(\eta^t)^2}2\sum_i\mathbb E\|\sum_ja_j\nabla J_j\|^2+\frac{L(\eta^t)^2N}2\sigma^2"
_X38 = r"\tfrac12\|\nabla J_i(\mathbf w_i)-\textstyle\sum_ja_j\nabla J_j(\mathbf w_j)\|^2\le\|\nabla J_i(\mathbf w_i)-\nabla J_i(\mathbf w_j)\|^2+\|\nabla J_i(\mathbf w_j)-\sum_ja_j\nabla J_j(\mathbf w_j)\|^2"
_D38 = r"\|\nabla J_i(\mathbf w_j)-\textstyle\sum_ja_j\nabla J_j(\mathbf w_j)\|^2\le\sum_ja_j\kappa_{i,j}^2"

STATEMENTS = (
    Statement(key="hcct.lemma1/sum@own-models", source=source("Lemma 1"), latex=_LEMMA, sides=_descent,
              defines=_OWN, title="descent in one epoch", **_L),
    Statement(key="hcct.lemma1/sum@averaged-models", source=source("Lemma 1, Algorithm 1"),
              latex=_LEMMA, sides=_descent, title="descent in one epoch",
              defines={**_OWN, "training": training(True)}, **_L),
    Statement(key="hcct.lemma1/smooth", sides=_smooth, **_P,
              latex=r"\mathbb E J_i(\mathbf w_i^{t+1})-\mathbb EJ_i(\mathbf w_i^t)\le\mathbb E\langle\nabla J_i,\mathbf w_i^{t+1}-\mathbf w_i^t\rangle+\frac L2\mathbb E\|\mathbf w_i^{t+1}-\mathbf w_i^t\|^2"),
    Statement(key="hcct.lemma1/unbiased", sides=_unbiased, relation="==", **_P,
              latex=r"\mathbb E\langle\nabla J_i,\mathbf w_i^{t+1}-\mathbf w_i^t\rangle=\mathbb E\langle\nabla J_i,-\eta^t\sum_ja_j\nabla J_j\rangle"),
    Statement(key="hcct.lemma1/square", sides=_squared_move, relation="==", **_P,
              latex=r"\mathbb E\|\mathbf w_i^{t+1}-\mathbf w_i^t\|^2=(\eta^t)^2\mathbb E\|\sum_ja_j\mathbf g_j\|^2"),
    Statement(key="hcct.lemma1/split", sides=_split, relation="==", **_P,
              latex=r"\mathbb E\|\sum_ja_j\mathbf g_j\|^2=\mathbb E\|\sum_ja_j\nabla J_j\|^2+\mathbb E\|\sum_ja_j(\nabla J_j-\mathbf g_j)\|^2"),
    Statement(key="hcct.lemma1/noise", sides=_noise, deduction=JENSEN, **_P,
              latex=r"\mathbb E\|\sum_ja_j(\nabla J_j-\mathbf g_j)\|^2\le\sigma^2"),
    Statement(key="hcct.eq28", source=source("Equation 28"), kind="proof step", family=ANY,
              latex=r"\mathbb E\|\nabla J_i(\mathbf w_i)-\nabla J_i(\mathbf w_j)\|^2\le L^2\mathbb E\|\mathbf w_i-\mathbf w_j\|^2",
              sides=_moved, defines=_OWN, title="moved gradients"),
    Statement(key="hcct.eq38/a", sides=_polarised, relation="==", title="polarisation", **_S,
              latex=r"-\langle x,y\rangle=-\tfrac12\|x\|^2-\tfrac12\|y\|^2+\tfrac12\|x-y\|^2"),
    Statement(key="hcct.eq38/c@fixed-j", sides=_halved(False), latex=_X38, title="split", **_S),
    Statement(key="hcct.eq38/c@summed-j", sides=_halved(True), latex=_X38, title="split", **_S),
    Statement(key="hcct.eq38/d@fixed-j", sides=_similar(False), latex=_D38, title="similarity", **_S),
    Statement(key="hcct.eq38/d@summed-j", sides=_similar(True), latex=_D38, title="similarity", **_S),
)  # fmt: skip
