"""Appendix A up to the bound of A_1: the expansion and its first term, on real runs.

Whether a step follows from the displays before it is decided over free symbols.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Sides, Terms, hypothesis, statement
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.assumptions import A2
from verify.statements.aggregation.runs import runs, section2, size
from verify.statements.aggregation.space import spaced
from verify.statements.aggregation.symbols import symbols
from verify.statements.aggregation.theorem import LEMMA1, LEMMA2
from verify.world.world import World

PROOF = "Appendix A"
ONE = (size(1, 1, 1, "fedavg"), size(2, 1, 1, "fixed"), size(2, 1, 1, "fedmax"))
TWO = (
    size(2, 2, 2, "fixed"),
    size(2, 2, 2, "fedmax"),
    size(2, 2, 2, "fixed", quiet=True, d=2),
    size(3, 2, 2, "fixed", quiet=True),
    size(2, 3, 3, "fixed", quiet=True),
)
ALL = runs(*ONE, *TWO, paced=True)
INSIDE = runs(
    size(2, 2, 2, "fixed", at=0),
    size(2, 2, 2, "fixed", quiet=True),
    size(2, 2, 2, "fedmax", quiet=True, d=2),
    paced=True,
)
BETWEEN = runs(*section2(*(size(2, 3, 2, "fixed", quiet=True, at=at) for at in (1, 2))), paced=True)
LONG = runs(*ONE[1:], *(size(2, e, e, "fixed", quiet=True) for e in (2, 3, 6)), paced=True)


@dataclass(frozen=True)
class Sums:
    """Weighted sums over clients before iteration ``at``, each (B, R) or (B, R, d)."""

    error: Array  # w_t - w*
    slope: Array  # sum alpha grad F_i(w_i)
    drawn: Array  # sum alpha g_i(w_i)
    spread: Array  # sum alpha |w_t - w_i|^2
    excess: Array  # sum alpha (F_i(w_i) - F_i*)
    drop: Array  # sum alpha (F_i(w_i) - F_i(w*))
    along: Array  # sum alpha <w_i - w*, grad F_i(w_i)>
    distances: Array  # sum alpha |w_i - w*|^2


def sums(w: World) -> Sums:
    """Evaluate the sums; the drawn direction is read off the step of the virtual average."""
    run, eta = w.run(), w.step_sizes[..., w.at, None]
    models, alpha, point = run.models[..., w.at, :, :], run.alpha[..., w.at, :], q.best(w)
    slopes = w.problem.own_gradients(models)
    before, after = q.point(w, w.at), run.theta[..., w.at + 1, :]
    excess = w.problem.own_excess(models)
    away = models - point[..., None, :]

    def mean(x: Array) -> Array:
        return xp.total(alpha * x)

    return Sums(
        before - point,
        xp.total(alpha[..., None] * slopes, axis=-2),
        (before - after) / eta,
        mean(xp.squared_norm(before[..., None, :] - models)),
        mean(excess),
        mean(excess - q.excess_at(w, point)),
        mean(xp.dot(away, slopes)),
        mean(xp.squared_norm(away)),
    )


# -- the expansion -----------------------------------------------------------------------------


@statement(
    "aggregation.proof.expand@section2",
    where=PROOF,
    kind="proof step",
    title="expansion",
    latex=r"\|w_{t+1}-w^\star\|^2=\|w_t-w^\star\|^2+A_1+A_2+A_3+A_4",
    relation="==",
    over="path",
    family=BETWEEN,
    defines=q.FREE,
    note="""w_t is the p-average of eq. 4 until models are aggregated with other weights, which is
    no step from there.""",
)
def expand(w: World) -> Sides:
    run, eta = w.run(), w.step_sizes[..., w.at]
    models, alpha = run.models[..., w.at, :, :], run.alpha[..., w.at, :]
    slopes = w.problem.own_gradients(models)
    ends = (w.at if w.timing == "equation" else w.at + 1) % w.local_steps == 0
    if w.timing == "equation" and not ends:
        alpha = w.client_weights
    # inside a round every client's own step is on record; at its end the run has no noise
    drawn = slopes if ends else (models - run.models[..., w.at + 1, :, :]) / eta[..., None, None]
    before = q.point(w, w.at) - q.best(w)
    slope = xp.total(alpha[..., None] * slopes, axis=-2)
    off = slope - xp.total(alpha[..., None] * drawn, axis=-2)
    return {"|w+ - w*|^2": q.distance(w, w.at + 1)}, {
        "|w - w*|^2": xp.squared_norm(before),
        "A1": -2 * eta * xp.dot(before, slope),
        "A2": 2 * eta * xp.dot(before - eta[..., None] * slope, off),
        "A3": eta**2 * xp.squared_norm(slope),
        "A4": eta**2 * xp.squared_norm(off),
    }


expand_algorithm = expand.variant(
    "aggregation.proof.expand@algorithm",
    family=INSIDE,
    note="w_t with the weights of the round at all its steps, as Appendix A writes it.",
)

# -- A_1 at the local models -------------------------------------------------------------------

lemma1 = Hypothesis(
    "Lemma 1",
    r"\sum\alpha_t^i\|\nabla F_i(w_t^i)\|^2\le2L\sum\alpha_t^i(F_i(w_t^i)-F_i^\star)",
    lambda w: 2 * w.smoothness * w.excess - w.slopes,
    f"{LEMMA1}, weighted sum",
)
lemma2 = Hypothesis(
    "Lemma 2",
    r"\mathbb E\Bigl[\sum\alpha_t^i\|w_t-w_t^i\|^2\Bigr]\le16\eta_t^2E^2G^2",
    lambda w: 16 * w.step_size**2 * w.steps**2 * w.G2 - w.spread,
    LEMMA2,
)


def _first(w: World, s: Sums) -> Terms:
    return {"A1": -2 * w.step_sizes[..., w.at] * xp.dot(s.error, s.slope)}


@statement(
    "aggregation.proof.A1a-deduced",
    where=PROOF,
    kind="deduction",
    latex="",
    family=symbols("spread cross slope slopes excess step_size smoothness"),
    given=[
        Hypothesis(
            "a square",
            r"\sum\alpha_t^i\|w_t-w_t^i+\eta_t\nabla F_i(w_t^i)\|^2\ge0",
            lambda w: w.spread + w.step_size**2 * w.slopes + 2 * w.step_size * w.cross,
        ),
        lemma1,
    ],
)
def a1a_deduced(w: World) -> Sides:
    slopes, rest = 2 * w.smoothness * w.step_size**2 * w.excess, -2 * w.step_size * w.slope
    left = {"A1": -2 * w.step_size * (w.cross + w.slope)}
    return left, {"spread": w.spread, "slopes": slopes, "rest": rest}


@expand.like(
    "aggregation.proof.A1a",
    title="inner product at the local models",
    relation="<=",
    family=ALL,
    latex=r"A_1\le\sum\alpha\|w_t-w_t^i\|^2+2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)-2\eta_t\sum\alpha\langle w_t^i-w^\star,\nabla F_i(w_t^i)\rangle",
    deduction=a1a_deduced,
    uses=("aggregation.lemma1",),
    note="Young's inequality for the cross term, then Lemma 1 for each client.",
)
def a1a(w: World) -> Sides:
    s, eta = sums(w), w.step_sizes[..., w.at]
    slopes, rest = 2 * w.beta * eta**2 * s.excess, -2 * eta * s.along
    return _first(w, s), {"spread": s.spread, "slopes": slopes, "rest": rest}


# -- A_1 by strong convexity -------------------------------------------------------------------

_A1 = "first spread excess slope drop distances step_size smoothness mu"
_LAST = r"\eta_t^2E^2G^2-\eta_t\mu\sum\alpha\|w_t^i-w^\star\|^2+2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)-2\eta_t\sum\alpha(F_i(w_t^i)-F_i(w^\star))"
_MIDDLE = r"-2\eta_t\sum\alpha\bigl(F_i(w_t^i)-F_i(w^\star)+\tfrac\mu2\|w_t^i-w^\star\|^2\bigr)"


@hypothesis("A1a", a1a.latex, where=PROOF)
def after_a1a(w: World) -> Array:
    eta = w.step_size
    return w.spread + 2 * w.smoothness * eta**2 * w.excess - 2 * eta * w.slope - w.first


strong_convexity = Hypothesis(
    "A2",
    r"\sum\alpha_t^i\langle w_t^i-w^\star,\nabla F_i(w_t^i)\rangle\ge\sum\alpha_t^i\bigl(F_i(w_t^i)-F_i(w^\star)+\tfrac\mu2\|w_t^i-w^\star\|^2\bigr)",
    lambda w: w.slope - w.drop - w.mu * w.distances / 2,
    f"{A2}, weighted sum",
)


@statement(
    "aggregation.proof.A1b/first-deduced",
    where=PROOF,
    kind="deduction",
    latex="",
    family=symbols(_A1),
    given=[after_a1a, strong_convexity],
)
def a1b_first_deduced(w: World) -> Sides:
    drop, distances = -2 * w.step_size * w.drop, -w.step_size * w.mu * w.distances
    return {"A1": w.first}, {"drop": drop, "distances": distances}


def _middle(w: World, s: Sums) -> Terms:
    eta = w.step_sizes[..., w.at]
    return {"drop": -2 * eta * s.drop, "distances": -eta * w.mu * s.distances}


@a1a.like(
    "aggregation.proof.A1b/first",
    latex=r"A_1\le" + _MIDDLE,
    title="strong convexity",
    deduction=a1b_first_deduced,
    uses=("aggregation.proof.A1a",),
    note="""The cross term with w_t - w_t^i is dropped, whose sign is free: a steep client is soon
    at rest, a flat one still moves towards where the steep one is.""",
)
def a1b_first(w: World) -> Sides:
    s = sums(w)
    return _first(w, s), _middle(w, s)


def _line(w: World, s: Sums, factor: int) -> Terms:
    eta = w.step_sizes[..., w.at]
    return {
        "spread": factor * eta**2 * w.local_steps**2 * w.G2,
        "distances": -eta * w.mu * s.distances,
        "slopes": 2 * w.beta * eta**2 * s.excess,
        "drop": -2 * eta * s.drop,
    }


@a1a.like(
    "aggregation.proof.A1b/second",
    latex=_MIDDLE + r"\le" + _LAST,
    title="terms added",
    note="Two terms are added that are not negative.",
)
def a1b_second(w: World) -> Sides:
    s = sums(w)
    return _middle(w, s), {f"last {name}": value for name, value in _line(w, s, 1).items()}


def line(w: World, factor: int) -> Terms:
    """The last line of the bound of A_1, of free symbols."""
    eta = w.step_size
    return {
        "spread": factor * eta**2 * w.steps**2 * w.G2,
        "distances": -eta * w.mu * w.distances,
        "slopes": 2 * w.smoothness * eta**2 * w.excess,
        "drop": -2 * eta * w.drop,
    }


def _whole_deduced(w: World, factor: int) -> Sides:
    return {"A1": w.first}, line(w, factor)


def _whole(w: World, factor: int) -> Sides:
    s = sums(w)
    return _first(w, s), _line(w, s, factor)


a1b_whole_deduced, a1b_repaired_deduced = (
    statement(
        f"aggregation.proof.A1b{name}-deduced",
        where=PROOF,
        kind="deduction",
        latex="",
        family=symbols(f"{_A1} G2 steps"),
        given=[after_a1a, strong_convexity, lemma2],
    )(partial(_whole_deduced, factor=factor))
    for name, factor in (("/whole", 1), (".repaired", 16))
)
a1b_whole = a1a.like(
    "aggregation.proof.A1b/whole@run+section2",
    latex=r"\mathbb EA_1\le" + _LAST,
    title="first and last line",
    family=BETWEEN,
    over="mean",
    deduction=a1b_whole_deduced,
    uses=("aggregation.proof.A1a", "aggregation.lemma2"),
    note="""A_1 against the last line, in mean; the spread enters with the factor 1 where Lemma 2
    has 16, and Lemma 2 needs steps that do not fall fast.""",
)(partial(_whole, factor=1))
a1b_whole_algorithm = a1b_whole.variant("aggregation.proof.A1b/whole@run+algorithm", family=LONG)
A1B_SPACE, A1B_EMPTY = spaced(a1b_whole)
a1b_repaired = a1a.like(
    "aggregation.proof.A1b.repaired",
    title="strong convexity",
    over="mean",
    latex=r"\mathbb EA_1\le" + _LAST.replace(r"\eta_t^2E^2", r"16\eta_t^2E^2", 1),
    deduction=a1b_repaired_deduced,
    given=[q.halving],
    uses=("aggregation.proof.A1a", "aggregation.lemma2.repaired"),
    note="""16 eta^2 E^2 G^2, as the display before A_5 has it, no middle line, and steps that at
    most halve within a round.""",
    proof="A1a, strong convexity between w_t^i and w*, and Lemma 2 for the spread.",
)(partial(_whole, factor=16))
