r"""Links of Theorem 1 for every method, by the affinity of what it may see under two signs.

The instances are those of `bounds.allforall.lower`: the minimiser of agent 1 is alpha s, alpha = +-1,
and the samples of the n agents that are close tell of the sign. A method that has seen T samples is
an output x_o for each outcome o of them, whichever agents are drawn. Let P_o, Q_o be the chances of
o under the two signs, and sum_o sqrt(P_o Q_o) the affinity. The chain, each link for any numbers:

1. ``output``: no outputs have a smaller mean gap than what sum_o P_o Q_o/(P_o + Q_o), or
   sum_o min(P_o, Q_o), makes of it.
2. ``in-class``, ``close`` (`two_signs`): the instances are what the class allows.
3. ``one-sample``: so much of the affinity is left by one sample.
4. ``one-more-sample``: affinities of samples multiply; so T of them leave the power T.
5. ``method``: with such an affinity, and no more samples than stated, the mean gap is at least eps.

The affinity has a power where the divergence of the paper's proof has a sum, and no logarithm; its
constants are larger. That the power follows from the fourth link, by induction on T, is part of no
claim here; `best_method` has the induction, of agents that toss equal coins.
"""

from __future__ import annotations

from fractions import Fraction

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides
from verify.statements.allforall import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Theorem 1, convex :: proof step :: links of a lower bound for any method
    proof.fanochain.convex.refined/output :: 4\varepsilon\sum_o\min(P_o,Q_o)\le\tfrac12\sum_o\bigl(P_o(f_1^+(x_o)-\min f_1^+)+Q_o(f_1^-(x_o)-\min f_1^-)\bigr),\ \varepsilon=\tfrac{\delta rB}2
    proof.fanochain.convex.refined/one-sample :: 1-\tfrac{33}{64N}\sum_jz_j^2\le\tfrac1N\sum_j\sqrt{1-z_j^2},\ z_j\le\tfrac14
    proof.fanochain.convex.refined/one-more-sample == :: \sum_{o,\xi}\sqrt{P_oP(\xi)Q_oQ(\xi)}=\Bigl(1-\tfrac nN\bigl(1-\sqrt{1-z^2}\bigr)\Bigr)\sum_o\sqrt{P_oQ_o}
    proof.fanochain.convex.refined/method :: T\le\tfrac1{25}\tfrac{r^2B^2N}{\varepsilon^2n},\ \sum_o\sqrt{P_oQ_o}\ge\Bigl(1-\tfrac{33n\varepsilon^2}{4Nr^2B^2}\Bigr)^T:\ \varepsilon\le4\varepsilon\sum_o\min(P_o,Q_o)
Theorem 1, strongly convex :: proof step :: links of a lower bound for any method
    proof.fanochain.quadratic.refined/output :: 4\varepsilon\sum_o\tfrac{P_oQ_o}{P_o+Q_o}\le\tfrac12\sum_o\tfrac{P_o(x_o-s)^2+Q_o(x_o+s)^2}{2r^2},\ s^2=4\varepsilon r^2
    proof.fanochain.quadratic.refined/one-sample :: 1-\tfrac1{2vN}\sum_js_j^2\le\tfrac1N\sum_j\sqrt{1-z_j^2},\ z_j^2=\tfrac{s_j^2}{s_j^2+v},\ v=\sigma^2r^4
    proof.fanochain.quadratic.refined/one-more-sample == :: \sum_{o,\xi}\sqrt{P_oP(\xi)Q_oQ(\xi)}=\Bigl(1-\tfrac nN\bigl(1-\sqrt{1-z^2}\bigr)\Bigr)\sum_o\sqrt{P_oQ_o}
    proof.fanochain.quadratic.refined/method :: T\le\tfrac17\tfrac{r^2\sigma^2N}{\varepsilon n},\ \sum_o\sqrt{P_oQ_o}\ge\Bigl(1-\tfrac{2n\varepsilon}{Nr^2\sigma^2}\Bigr)^T:\ \varepsilon\le4\varepsilon\sum_o\tfrac{P_oQ_o}{P_o+Q_o}
""")
_OUTCOMES = "any outcomes of the samples, with any chances under either sign"
_AGENTS = "any agents, any biases"
_CHANCE = Real(1 / 16, 16, log=True, per=("N",))
_PLACE = Real(-2, 2, unit=(0, 1), per=("N",))
_SIZES = q.sizes("N", 1, 2, 3)
_RUNS = q.sizes("N samples", (1, 1), (2, 4), (3, 16))
_RADIUS = Real(1 / 8, 8, unit=(-1 / 2, 1), log=True)
"""r, where mu = 1/r^2."""
_HALF = Fraction(1, 2)
_LEFT = Fraction(33, 64)
"""sqrt(1 - z^2) is at least 1 less so many z^2, for z at most 1/4."""


def _signed(w: World, sign: int) -> Array:
    """f_1 above its minimum at the outputs: B E|x - r xi| with the mean sign delta of xi."""
    place, radius, share = w.output, w.radius[..., None], sign * w.delta[..., None]
    far = (_HALF + share) * xp.absolute(place - radius)
    far = far + (_HALF - share) * xp.absolute(place + radius)
    return w.size[..., None] * (far - (1 - 2 * w.delta[..., None]) * radius)


# -- 1: outputs ------------------------------------------------------------------------------------
@claim(
    "proof.fanochain.convex.refined/output",
    family=q.family(
        "plus minus output radius size delta",
        _OUTCOMES,
        *_SIZES,
        plus=_CHANCE,
        minus=_CHANCE,
        output=_PLACE,
        radius=q.DISTANCE,
        delta=Real(0, 1 / 2, domain=(0, 1 / 2)),
    ),
)
def output_convex(w: World) -> Sides:
    """Proof. f_1 is at least 2 B delta |x - alpha r| above its minimum, and r, -r are 2 r apart."""
    precision = w.delta * w.radius * w.size / 2
    gap = w.plus * _signed(w, 1) + w.minus * _signed(w, -1)
    return {"least": 4 * precision * xp.total(xp.minimum(w.plus, w.minus))}, {
        "mean gap": xp.total(gap) / 2
    }


@claim(
    "proof.fanochain.quadratic.refined/output",
    family=q.family(
        "plus minus output distance radius",
        _OUTCOMES,
        *_SIZES,
        plus=_CHANCE,
        minus=_CHANCE,
        output=_PLACE,
        radius=_RADIUS,
    ),
)
def output(w: World) -> Sides:
    """Proof. P (x - s)^2 + Q (x + s)^2 = (P + Q) (x - s (P - Q)/(P + Q))^2 + 4 s^2 P Q/(P + Q)."""
    p, m, s = w.plus, w.minus, w.distance[..., None]
    away = xp.total(p * (w.output - s) ** 2 + m * (w.output + s) ** 2)
    size = w.distance**2 / w.radius**2  # 4 eps
    return {"least": size * xp.total(p * m / (p + m))}, {"mean gap": away / (4 * w.radius**2)}


# -- 3 and 4: affinities ---------------------------------------------------------------------------
@claim(
    "proof.fanochain.convex.refined/one-sample",
    family=q.family("tilt", _AGENTS, *_SIZES, tilt=Real(0, 1 / 4, per=("N",), domain=(0, 1 / 4))),
)
def one_sample_convex(w: World) -> Sides:
    """Agent j is drawn with chance 1/N, its coin has chances (1 +- z_j)/2."""
    left = 1 - _LEFT * xp.total(w.tilt**2) / w.N
    return {"left": left}, {"affinity": xp.total(xp.sqrt(1 - w.tilt**2)) / w.N}


@claim(
    "proof.fanochain.quadratic.refined/one-sample",
    family=q.family(
        "shift variance",
        _AGENTS,
        *_SIZES,
        shift=Real(0, 4, unit=(0, 1), per=("N",)),
        variance=Real(1 / 64, 16, unit=(0, 2), log=True),
    ),
)
def one_sample(w: World) -> Sides:
    """Variance is v, 1 - z_j^2 = v/(s_j^2 + v).

    Proof. 1/sqrt(1 + u) >= 1 - u/2."""
    v = w.variance[..., None]
    left = 1 - xp.total(w.shift**2) / (2 * w.variance * w.N)
    return {"left": left}, {"affinity": xp.total(xp.sqrt(v / (w.shift**2 + v))) / w.N}


@claim(
    "proof.fanochain.quadratic.refined/one-more-sample",
    family=q.family(
        "plus minus part share", _OUTCOMES, *_SIZES, plus=_CHANCE, minus=_CHANCE, part=q.SHARE
    ),
)
def one_more_sample(w: World) -> Sides:
    """Part is n/N, share z; plus and minus are roots of the chances before this sample. The agent
    that is drawn tells of the sign by a coin, or nothing.

    Proof. Chances are products, and so are their roots."""
    part, seen = w.part[..., None], w.plus * w.minus
    alike = xp.sqrt((1 + w.share) * (1 - w.share))
    coin = seen * alike[..., None] / 2  # of either side: (1 + z)/2 times (1 - z)/2
    after = xp.total(part * (coin + coin) + (1 - part) * seen)
    return {"after": after}, {"before": (1 - w.part * (1 - alike)) * xp.total(seen)}


one_more_convex = claim.variant(one_more_sample, "proof.fanochain.convex.refined/one-more-sample")


# -- 5: few samples --------------------------------------------------------------------------------
def _lost_convex(w: World) -> Array:
    """(n/N) (33/64) z^2, z = 4 eps/(rB); size is rB."""
    return 16 * _LEFT * w.part * w.precision**2 / w.size**2


def _lost(w: World) -> Array:
    """2 n eps/(N r^2 sigma^2); size is r^2 sigma^2."""
    return 2 * w.part * w.precision / w.size


@claim(
    "proof.fanochain.convex.refined/method",
    family=q.family(
        "low high part precision size",
        _OUTCOMES,
        *_RUNS,
        low=_CHANCE,
        high=_CHANCE,
        part=q.SHARE,
        size=Real(1 / 8, 256, unit=(1, 0), log=True),
    ),
    given=[
        Hypothesis(
            "few samples",
            r"T\le\tfrac1{25}\tfrac{r^2B^2N}{\varepsilon^2n}",
            lambda w: w.size**2 / 25 - w.samples * w.part * w.precision**2,
        ),
        Hypothesis(
            "affinity",
            r"\sum_o\sqrt{P_oQ_o}\ge\Bigl(1-\tfrac{33n\varepsilon^2}{4Nr^2B^2}\Bigr)^T",
            lambda w: (
                2 * xp.total(w.low * w.high)
                - (1 - _lost_convex(w)) ** w.samples * xp.total(w.low**2 + w.high**2)
            ),
        ),
    ],
)
def method_convex(w: World) -> Sides:
    """Low and high are roots of the smaller and of the larger chance, up to one factor.

    Proof. (sum sqrt(P Q))^2 <= sum min(P, Q) (2 - sum min(P, Q)), and by Bernoulli the
    power T is at least 67/100."""
    least = xp.total(w.low**2) / xp.total(w.low**2 + w.high**2)
    return {"precision": w.precision}, {"least gap": 8 * w.precision * least}


@claim(
    "proof.fanochain.quadratic.refined/method",
    family=q.family(
        "both root part precision size",
        _OUTCOMES,
        *_RUNS,
        both=_CHANCE,
        root=_CHANCE,
        part=q.SHARE,
        size=Real(1 / 8, 256, unit=(1, 0), log=True),
    ),
    given=[
        Hypothesis(
            "few samples",
            r"T\le\tfrac17\tfrac{r^2\sigma^2N}{\varepsilon n}",
            lambda w: w.size / 7 - w.samples * w.part * w.precision,
        ),
        Hypothesis(
            "affinity",
            r"\sum_o\sqrt{P_oQ_o}\ge\Bigl(1-\tfrac{2n\varepsilon}{Nr^2\sigma^2}\Bigr)^T",
            lambda w: 2 * xp.total(w.root) - (1 - _lost(w)) ** w.samples * xp.total(w.both),
        ),
    ],
)
def method(w: World) -> Sides:
    """Both is P + Q and root sqrt(P Q), up to one factor.

    Proof. (sum sqrt(P Q))^2 <= 2 sum P Q/(P + Q) by the Cauchy-Schwarz inequality, and by Bernoulli
    the power T is at least 1 - 2/7."""
    least = xp.total(w.root**2 / w.both) / xp.total(w.both)
    return {"precision": w.precision}, {"least gap": 8 * w.precision * least}
