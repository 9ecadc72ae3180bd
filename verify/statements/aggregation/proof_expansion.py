"""Appendix A up to the bound of A_1: the expansion and its first term, on real runs.

Whether a step follows from the displays before it is decided over free symbols.
"""

from __future__ import annotations

from dataclasses import dataclass

from bounds import generic as xp
from verify.claim import Array, Reading, Sides, Terms, hypothesis
from verify.statements.aggregation import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
Appendix A :: proof step
    proof.expand :: expansion :: \|w_{t+1}-w^\star\|^2=\|w_t-w^\star\|^2+A_1+A_2+A_3+A_4
    proof.A1a :: inner product at the local models :: A_1\le\sum\alpha\|w_t-w_t^i\|^2+2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)-2\eta_t\sum\alpha\langle w_t^i-w^\star,\nabla F_i(w_t^i)\rangle
    proof.A1b/first@last-term :: strong convexity :: -2\eta_t\sum\alpha\langle w_t^i-w^\star,\nabla F_i(w_t^i)\rangle\le-2\eta_t\sum\alpha\bigl(F_i(w_t^i)-F_i(w^\star)+\tfrac\mu2\|w_t^i-w^\star\|^2\bigr)
    proof.A1b/first :: strong convexity :: A_1\le-2\eta_t\sum\alpha\bigl(F_i(w_t^i)-F_i(w^\star)+\tfrac\mu2\|w_t^i-w^\star\|^2\bigr)
    proof.A1b/second :: terms added :: -2\eta_t\sum\alpha\bigl(F_i(w_t^i)-F_i(w^\star)+\tfrac\mu2\|w_t^i-w^\star\|^2\bigr)\le\eta_t^2E^2G^2-\eta_t\mu\sum\alpha\|w_t^i-w^\star\|^2+2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)-2\eta_t\sum\alpha(F_i(w_t^i)-F_i(w^\star))
    proof.A1b/whole :: first and last line :: \mathbb EA_1\le\eta_t^2E^2G^2-\eta_t\mu\sum\alpha\|w_t^i-w^\star\|^2+2L\eta_t^2\sum\alpha(F_i(w_t^i)-F_i^\star)-2\eta_t\sum\alpha(F_i(w_t^i)-F_i(w^\star))
    proof.A1b.repaired :: strong convexity
given
    Lemma 1 :: \sum\alpha_t^i\|\nabla F_i(w_t^i)\|^2\le2L\sum\alpha_t^i(F_i(w_t^i)-F_i^\star) :: Lemma 1 (eq. 6), weighted sum
    Lemma 2 :: \mathbb E\Bigl[\sum\alpha_t^i\|w_t-w_t^i\|^2\Bigr]\le16\eta_t^2E^2G^2 :: Lemma 2 (eq. 7)
    a square :: \sum\alpha_t^i\|w_t-w_t^i+\eta_t\nabla F_i(w_t^i)\|^2\ge0
    A2 :: \sum\alpha_t^i\langle w_t^i-w^\star,\nabla F_i(w_t^i)\rangle\ge\sum\alpha_t^i\bigl(F_i(w_t^i)-F_i(w^\star)+\tfrac\mu2\|w_t^i-w^\star\|^2\bigr) :: Assumption A2, weighted sum
""")
PROOF = "Appendix A"
SIXTEEN = claim.latex("proof.A1b/whole").replace(r"\eta_t^2E^2", r"16\eta_t^2E^2", 1)
STEP = {"over": "path", "defines": q.FREE}
ONE = (q.size(1, 1, 1, "fedavg"), q.size(2, 1, 1, "fixed"), q.size(2, 1, 1, "fedmax"))
TWO = (
    *(q.size(2, 2, 2, rule) for rule in ("fixed", "fedmax")),
    q.quiet(2, 2, 2, d=2),
    q.quiet(3, 2, 2),
    q.quiet(2, 3, 3),
)
ALL = q.runs(*ONE, *TWO, paced=True)
INSIDE = q.runs(
    q.size(2, 2, 2, "fixed", at=0), q.quiet(2, 2, 2), q.quiet(2, 2, 2, "fedmax", d=2), paced=True
)
BETWEEN = q.runs(*q.section2(*(q.quiet(2, 3, 2, at=at) for at in (1, 2))), paced=True)
LONG = q.runs(*ONE[1:], *(q.quiet(2, e, e) for e in (2, 3, 6)), paced=True)


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
        q.spread(w),
        mean(excess),
        mean(excess - q.excess_at(w, point)),
        mean(xp.dot(away, slopes)),
        mean(xp.squared_norm(away)),
    )


# -- the expansion -----------------------------------------------------------------------------


@quantity
def _weights_and_gradients(w: World, section2: bool) -> tuple[Array, Array]:
    """Weights of the clients and gradients drawn in the step at ``at``, (B, R, N), (B, R, N, d)."""
    run, eta = w.run(), q.step(w)
    models, alpha = run.models[..., w.at, :, :], run.alpha[..., w.at, :]
    slopes = w.problem.own_gradients(models)
    ends = (w.at if section2 else w.at + 1) % w.local_steps == 0
    if section2 and not ends:
        alpha = w.client_weights
    # inside a round every client's own step is on record; at its end the run has no noise
    drawn = slopes if ends else (models - run.models[..., w.at + 1, :, :]) / eta[..., None, None]
    return alpha, drawn


@claim(
    "proof.expand",
    readings=["iterates"],
    **STEP,
    relation="==",
    family=lambda r: BETWEEN if "section2" in r else INSIDE,
    note=lambda r: (
        """w_t is the p-average of eq. 4 until models are aggregated with other weights, which is
        no step from there."""
        if "section2" in r
        else "w_t with the weights of the round at all its steps, as Appendix A writes it."
    ),
)
def expand(w: World, r: Reading) -> Sides:
    eta = q.step(w)
    slopes = w.problem.own_gradients(w.run().models[..., w.at, :, :])
    alpha, drawn = _weights_and_gradients(w, "section2" in r)
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


# -- A_1 at the local models -------------------------------------------------------------------

lemma1 = claim.given("Lemma 1", lambda w: 2 * w.smoothness * w.excess - w.slopes)
lemma2 = claim.given("Lemma 2", lambda w: 16 * w.step_size**2 * w.steps**2 * w.G2 - w.spread)
square = claim.given(
    "a square", lambda w: w.spread + w.step_size**2 * w.slopes + 2 * w.step_size * w.cross
)


def _first(w: World, s: Sums) -> Terms:
    return {"A1": -2 * q.step(w) * xp.dot(s.error, s.slope)}


@q.deduced("proof.A1a", "spread cross slope slopes excess step_size smoothness", [square, lemma1])
def a1a_deduced(w: World) -> Sides:
    slopes, rest = 2 * w.smoothness * w.step_size**2 * w.excess, -2 * w.step_size * w.slope
    left = {"A1": -2 * w.step_size * (w.cross + w.slope)}
    return left, {"spread": w.spread, "slopes": slopes, "rest": rest}


@claim("proof.A1a", **STEP, family=ALL, deduction=a1a_deduced, uses=("aggregation.lemma1",))
def a1a(w: World) -> Sides:
    """Young's inequality for the cross term, then Lemma 1 for each client."""
    s, eta = sums(w), q.step(w)
    slopes, rest = 2 * w.beta * eta**2 * s.excess, -2 * eta * s.along
    return _first(w, s), {"spread": s.spread, "slopes": slopes, "rest": rest}


# -- A_1 by strong convexity -------------------------------------------------------------------

_A1 = "first spread excess slope drop distances step_size smoothness mu"


@hypothesis("A1a", claim.latex("proof.A1a"), where=PROOF)
def after_a1a(w: World) -> Array:
    eta = w.step_size
    return w.spread + 2 * w.smoothness * eta**2 * w.excess - 2 * eta * w.slope - w.first


strong_convexity = claim.given("A2", lambda w: w.slope - w.drop - w.mu * w.distances / 2)


@q.deduced("proof.A1b/first", _A1, [after_a1a, strong_convexity])
def a1b_first_deduced(w: World) -> Sides:
    drop, distances = -2 * w.step_size * w.drop, -w.step_size * w.mu * w.distances
    return {"A1": w.first}, {"drop": drop, "distances": distances}


def _middle(w: World, s: Sums) -> Terms:
    eta = q.step(w)
    return {"drop": -2 * eta * s.drop, "distances": -eta * w.mu * s.distances}


@claim(
    "proof.A1b/first",
    readings=["bounded"],
    **STEP,
    family=ALL,
    deduction=lambda r: a1b_first_deduced if "whole-term" in r else None,
    uses=("aggregation.proof.A1a",),
)
def a1b_first(w: World, r: Reading) -> Sides:
    """Of A_1 the cross term with w_t - w_t^i is dropped, whose sign is free: a steep client is soon
    at rest, a flat one still moves towards where the steep one is."""
    s = sums(w)
    left = {"last term": -2 * q.step(w) * s.along} if "last-term" in r else _first(w, s)
    return left, _middle(w, s)


def _line(w: World, s: Sums, factor: int) -> Terms:
    eta = q.step(w)
    return {
        "spread": factor * eta**2 * w.local_steps**2 * w.G2,
        "distances": -eta * w.mu * s.distances,
        "slopes": 2 * w.beta * eta**2 * s.excess,
        "drop": -2 * eta * s.drop,
    }


@claim("proof.A1b/second", like=a1a)
def a1b_second(w: World) -> Sides:
    """Two terms are added that are not negative."""
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


BEFORE = f"{_A1} G2 steps", (after_a1a, strong_convexity, lemma2)


@q.deduced("proof.A1b/whole", *BEFORE)
def a1b_whole_deduced(w: World) -> Sides:
    return {"A1": w.first}, line(w, 1)


@q.deduced("proof.A1b.repaired", *BEFORE)
def a1b_repaired_deduced(w: World) -> Sides:
    return {"A1": w.first}, line(w, 16)


@claim(
    "proof.A1b/whole",
    readings=q.on_run("iterates", "spread-factor"),
    latex=lambda r: SIXTEEN if "sixteen" in r else claim.latex("proof.A1b/whole"),
    over="mean",
    uses=("aggregation.proof.A1a", "aggregation.lemma2"),
    **q.under_a4(
        tried=lambda r: [BETWEEN if "section2" in r else LONG],
        defines=lambda r: q.FREE,
        deduction=a1b_whole_deduced,
        note="""A_1 against the last line, in mean; the spread enters with the factor 1 where Lemma 2
    has 16, and Lemma 2 needs steps that do not fall fast.""",
    ),
)
def a1b_whole(w: World, r: Reading) -> Sides:
    s = sums(w)
    return _first(w, s), _line(w, s, 16 if "sixteen" in r else 1)


@claim(
    "proof.A1b.repaired",
    like=a1a,
    latex=SIXTEEN,
    over="mean",
    deduction=a1b_repaired_deduced,
    given=[q.halving],
    uses=("aggregation.proof.A1a", "aggregation.lemma2.repaired"),
)
def a1b_repaired(w: World) -> Sides:
    """16 eta^2 E^2 G^2, as the display before A_5 has it, no middle line, and steps that at most
    halve within a round.

    Proof. A1a, strong convexity between w_t^i and w*, and Lemma 2 for the spread."""
    s = sums(w)
    return _first(w, s), _line(w, s, 16)
