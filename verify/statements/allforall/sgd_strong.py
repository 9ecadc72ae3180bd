"""Appendix F: Lemma 4 and the steps of its proof, on quadratics with exact moments."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import sgd
from verify.claim import Array, Hypothesis, Real, Sides, Terms, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.world.world import World, once

TITLE = "stochastic gradient descent"
STEP = {"step_share": Real(1 / 16, 1, domain=(0, 1))}
_BOX = {
    "mu": box.CURVATURE,
    "condition": box.CONDITION,
    "ratio": Real(1 / 64, 1, log=True, domain=(0, 1)),
    "point": Real(-2, 2, unit=(0, 1), per=("d",)),
    "variance": box.NOISE,
}
_AXES = tuple({"d": d, "rounds": k} for d, k in ((1, 1), (2, 1), (2, 8), (2, 32)))
_ABOUT = "f = sum_c a_c h_c x_c^2/2, A = diag(a), h from mu to L; closed-form moments"


def long_step(w: World) -> Array:
    return w.step_share / (2 * w.smoothness)


def _metric(w: World) -> Array:
    """Diagonal of A: 1 and ratio, (B, 1, d)."""
    first = 0 * w.point[..., 0] + 1
    return xp.stack([first, w.ratio * first][: w.d], -1)


def _relative(w: World) -> Array:
    """Relative curvatures: L along the first axis, mu along the second."""
    first = 0 * w.point[..., 0] + 1
    return xp.stack([w.smoothness * first, w.mu * first][: w.d], -1)


def _lowest(w: World) -> Array:
    return xp.smallest(_metric(w))


def _start_gap(w: World) -> Array:
    return xp.total(_metric(w) * _relative(w) * w.point**2) / 2


def _after(w: World, step: Array, rounds: int) -> Array:
    """E f(x^T) - f^*; the noise falls on the first axis, where it does least good.

    x_c' = (1 - eta a_c h_c) x_c - eta n_c.
    """
    factor = (1 - step[..., None] * _metric(w) * _relative(w)) ** 2
    spread: Array = 0 * factor[..., 0]
    for _ in range(rounds):
        spread = factor[..., 0] * spread + step**2 * w.variance
    shape = _metric(w) * _relative(w) / 2
    return xp.total(shape * factor**rounds * w.point**2) + shape[..., 0] * spread


def _lemma4a(w: World, printed: bool) -> Sides:
    left = {"E f(x^T)": _after(w, w.step_size, w.rounds)}
    common = (_start_gap(w), w.step_size, w.mu, w.smoothness, w.variance, w.rounds)
    if printed:
        return left, sgd.lemma4_printed(*common)
    return left, sgd.lemma4_upper(*common, _lowest(w), 0 * w.mu + 1)


lemma4a = statement(
    "allforall.lemma4a",
    where="Lemma 4",
    kind="lemma",
    title=TITLE,
    latex=r"\mathbb E f(x^T)-f^*\le e^{-\eta\mu T}f_0+\tfrac{\eta L\sigma^2}\mu",
    family=numbers({**_BOX, **STEP}, *_AXES, about=_ABOUT),
    defines={"step_size": long_step, "smoothness": lambda w: w.mu * w.condition},
    note="L_A = 1. The slow axis contracts at 1 - eta mu ratio a step, not 1 - eta mu.",
)(partial(_lemma4a, printed=True))
lemma4a_repaired = lemma4a.variant(
    "allforall.lemma4a.repaired",
    sides=partial(_lemma4a, printed=False),
    proof="""f_{t+1} <= f_t - eta (1 - eta L high/2) |grad|^2 + noise, |grad|^2 >= low
    |grad|^2_{A^+} >= 2 mu low f_t, and 1 - eta L high/2 >= 1/2.""",
    latex=r"\mathbb E f(x^T)-f^*\le e^{-\eta\mu\lambda_{\min}^+(A)T}f_0+\tfrac{\eta LL_A\sigma^2}{2\mu\lambda_{\min}^+(A)}",
)


def _effective(w: World, printed: bool) -> Array:
    return w.mu if printed else w.mu * _lowest(w)


def _lemma4b(w: World, printed: bool) -> Sides:
    args = (_start_gap(w), _effective(w, printed), w.smoothness, w.variance, w.rounds)
    left = {"E f(x^T)": _after(w, sgd.horizon_step(*args), w.rounds)}
    return left, (sgd.horizon_printed if printed else sgd.horizon_upper)(*args)


def _log_argument(w: World, printed: bool) -> Array:
    mu = _effective(w, printed)
    return _start_gap(w) * mu**2 * w.rounds / (w.smoothness * w.variance) - 1


lemma4b = lemma4a.like(
    "allforall.lemma4b",
    latex=r"\mathbb E f(x^T)-f^*\le e^{-\frac\mu{2L}T}f_0+\tfrac{L\sigma^2}{\mu^2T}\ln\tfrac{f_0\mu^2T}{L\sigma^2}",
    family=numbers(_BOX, *_AXES, about=_ABOUT),
    defines={"smoothness": lemma4a.defines["smoothness"]},
    given=[
        Hypothesis(
            "logarithm positive",
            r"f_0\mu^2T>L\sigma^2",
            partial(_log_argument, printed=True),
            "Lemma 4: eta > 0",
            strict=True,
        )
    ],
    note="""Two faults: the rate (see 4a), and the term exp(-eta mu T) f_0 = L sigma^2/(mu^2 T) of
    the logarithmic step, which the repaired form counts as 1 + ln.""",
)(partial(_lemma4b, printed=True))
lemma4b_repaired = lemma4b.variant(
    "allforall.lemma4b.repaired",
    sides=partial(_lemma4b, printed=False),
    proof="""With mu for mu low: by 4a the gap is at most exp(-eta mu T) f_0 + eta L sigma^2/(2 mu).
    If eta is the logarithmic step, this is L sigma^2/(mu^2 T) (1 + ln(.)/2); if it is 1/(2 L), the
    first term is as printed and the second is smaller.""",
    latex=r"\mu:=\mu\lambda_{\min}^+(A):\ \ldots\le e^{-\frac\mu{2L}T}f_0+\tfrac{L\sigma^2}{\mu^2T}\bigl(1+\ln\tfrac{f_0\mu^2T}{L\sigma^2}\bigr)",
    given=[
        Hypothesis(
            "logarithm positive",
            r"f_0(\mu\lambda_{\min}^+(A))^2T>L\sigma^2",
            partial(_log_argument, printed=False),
            strict=True,
        )
    ],
)


@once
def _norms(w: World) -> tuple[Array, Array]:
    """|grad f|^2 and |grad f|_A^2 at the point."""
    square = (_metric(w) * _relative(w) * w.point) ** 2
    return xp.total(square), xp.total(_metric(w) * square)


def _change(w: World) -> Terms:
    return {"f after": _after(w, w.step_size, 1), "-f before": -_start_gap(w)}


def _descent(w: World, part: str) -> Sides:
    (plain, metric), eta, smooth = _norms(w), w.step_size, w.smoothness
    # the noise lies along the first axis, a = 1
    first = eta**2 * smooth * (metric + w.variance) / 2
    second = eta**2 * smooth * (plain + w.variance) / 2
    if part == "smooth":
        return _change(w), {"-eta |grad|^2": -eta * plain, "step": first}
    if part == "norm":
        return {"step": first}, {"step": second}
    drop = -eta * (1 - eta * smooth / 2) * plain
    return _change(w), {"drop": drop, "noise": eta**2 * smooth * w.variance / 2}


descent = tuple(
    lemma4a.like(
        f"allforall.proof.lemma4_descent/{part}",
        kind="proof step",
        latex=latex,
        note="One step; E |g|_A^2 <= L_A E |g|^2 = L_A (|grad|^2 + sigma^2), L_A = 1.",
    )(partial(_descent, part=part))
    for part, latex in (
        ("smooth", r"f_{t+1}-f_t\le-\eta\|\nabla f\|^2+\tfrac{\eta^2L}2\mathbb E\|g\|_A^2"),
        ("norm", r"\mathbb E\|g\|_A^2\le L_A\mathbb E\|g\|^2"),
        ("last", r"\ldots\le-\eta(1-\tfrac{\eta LL_A}2)\|\nabla f\|^2+\tfrac{\eta^2LL_A\sigma^2}2"),
    )
)


def _pl(w: World, part: str) -> Sides:
    (plain, metric), level = _norms(w), 2 * w.mu * _start_gap(w)
    if part == "first":
        return {"|grad|_A^2": metric}, {"|grad|^2": plain}
    if part == "second":
        return {"|grad|_A^2": metric}, {"2 mu f": level}
    return {"2 mu f": level * _lowest(w)}, {"squared norm": plain}


_PL = """Minimising both sides of f(y) >= f(x) + <grad, y - x> + (mu/2) |y - x|_A^2 over y gives
f^* >= f - |grad|_{A^+}^2/(2 mu), and |grad|_{A^+}^2 is at most |grad|^2/low, as the gradient lies
in the range of A."""
pl = tuple(
    lemma4a.like(
        f"allforall.proof.lemma4_pl{key or '/' + part}",
        kind="proof step",
        latex=latex,
        note="""Relative strong convexity bounds |grad|^2 in the norm of A^+, not of A; with >= the
        second part would fall too.""",
        proof=_PL if key else "",
    )(partial(_pl, part=part))
    for key, part, latex in (
        ("", "first", r"\|\nabla f\|^2\ge\tfrac1{L_A}\|\nabla f\|_A^2"),
        ("", "second", r"\tfrac1{L_A}\|\nabla f\|_A^2\le\tfrac{2\mu}{L_A}f_t"),
        (".repaired/second", "repaired", r"\|\nabla f\|^2\ge2\mu\lambda_{\min}^+(A)f_t"),
    )
)


def _recursion(w: World, printed: bool) -> Sides:
    eta = w.step_size
    rate = 2 * eta * w.mu if printed else eta * w.mu * _lowest(w)
    noise = eta**2 * w.smoothness * w.variance / 2
    return _change(w), {"drop": -rate * _start_gap(w), "noise": noise}


_RECURSION = r"f_{t+1}-f_t\le-%s f_t+\tfrac{\eta^2LL_A\sigma^2}2"
recursion = lemma4a.like(
    "allforall.proof.lemma4_pl/recursion",
    kind="proof step",
    latex=_RECURSION % r"2\eta\tfrac\mu{L_A}",
    note="Printed with 2 eta mu/L_A.",
)(partial(_recursion, printed=True))
recursion_repaired = recursion.variant(
    "allforall.proof.lemma4_pl.repaired/recursion",
    sides=partial(_recursion, printed=False),
    proof="In the descent step 1 - eta L L_A/2 >= 1/2, and |grad|^2 >= 2 mu low f.",
    latex=_RECURSION % r"\eta\mu\lambda_{\min}^+(A)",
)


def _inverse_powers(w: World, terms: int) -> Array:
    return sum(1 / (1 - w.rate) ** (t + 1) for t in range(terms))


@hypothesis(
    "recursion",
    r"f_{t+1}-f_t\le-2\eta\tfrac\mu{L_A}f_t+\tfrac{\eta^2LL_A\sigma^2}2\text{ for all }t",
    where="Lemma 4, proof",
)
def satisfied(w: World) -> Array:
    fall = (2 * w.rate / w.largest)[..., None] * w.gaps[..., :-1]
    return w.gaps[..., :-1] - fall + (w.noise * w.largest)[..., None] - w.gaps[..., 1:]


@statement(
    "allforall.proof.lemma4_sum/weighted",
    where="Lemma 4",
    kind="proof step",
    title=TITLE,
    latex=r"\sum_{t<T}(1-\eta\mu)^{-t-1}f_{t+1}-(1-\eta\mu)^{-t}f_t\le\tfrac{\eta^2L\sigma^2}2\sum_{t<T}(1-\eta\mu)^{-t-1}",
    family=numbers(
        {
            "rate": Real(1 / 64, 1 / 2, log=True, domain=(0, 1 / 2)),
            "largest": Real(1 / 8, 1, log=True, domain=(0, 1)),
            "noise": Real(1 / 64, 4, unit=(1, 0), log=True),
            "gaps": Real(0, 4, unit=(1, 0), per=("T",)),
        },
        {"T": 2},
        {"T": 3},
        {"T": 4},
        about="eta mu <= 1/2, L_A <= 1, any sequence that satisfies the recursion",
    ),
    given=[satisfied],
    note="Sum of the recursion divided by (1 - eta mu)^{t+1}: it telescopes. noise: eta^2 L sigma^2/2.",
)
def weighted_sum(w: World) -> Sides:
    keep = 1 - w.rate
    left = {
        f"change {t}": w.gaps[..., t + 1] / keep ** (t + 1) - w.gaps[..., t] / keep**t
        for t in range(w.T - 1)
    }
    return left, {"noise": w.noise * _inverse_powers(w, w.T - 1)}


@weighted_sum.like(
    "allforall.proof.lemma4_sum/geometric",
    given=(),
    latex=r"\sum_{t<T}(1-\eta\mu)^{-t-1}\le\tfrac{(1-\eta\mu)^{-T-1}}{\eta\mu}",
)
def geometric_sum(w: World) -> Sides:
    right = w.noise / (w.rate * (1 - w.rate) ** (w.T + 1))
    return {"sum": w.noise * _inverse_powers(w, w.T)}, {"bound": right}
