r"""Lemma B.2 in any dimension, for any number of devices: pairs of models, then their average.

Models and gradients are vectors with what the assumptions say of them.  Of a vector of length at
most s only the Cauchy-Schwarz inequality along the difference of two models is used,
<e, x_i - x_j> <= s |x_i - x_j|.  Every device computes.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, numbers
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Lemma B.2 (44) :: lemma
    lemmaB2.explicit/pairs :: two devices, any models and gradients :: \|x_i^{t+1}-x_j^{t+1}\|\le\sqrt\epsilon+\tfrac\delta2
    lemmaB2.explicit/vectors :: consensus error of one device, any models :: \|x_i^{t+1}-z^{t+1}\|^2\le2\epsilon+\tfrac12\delta^2
    lemmaB2.refined/pairs :: two devices, any multipliers, models and gradients :: \lambda_j(2\lambda_i-L_i)\|x_i^{t+1}-x_j^{t+1}\|\le(\lambda_i+\lambda_j)\sqrt\epsilon+\delta
    lemmaB2.refined/domain :: two devices, any dual domain above L/2 :: (2\lambda_{\min}-L)\|x_i^{t+1}-x_j^{t+1}\|\le2\sqrt\epsilon+\tfrac\delta{\lambda_{\min}}
    lemmaB2.refined/vectors :: consensus error of one device, any dual domain above L/2 :: \|x_i^{t+1}-z^{t+1}\|^2\le\Bigl(\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2
""")

MODEL = Real(-1 / 2, 1 / 2, unit=(0, 1), per=("d",))
SLOPE = Real(-2, 2, unit=(1, -1), per=("d",))
BEND = Real(1 / 8, 8, unit=(1, -2), log=True)
PAIR = {
    **dict.fromkeys(("own", "other", "server"), MODEL),
    **dict.fromkeys(("slope", "far", "crossed"), SLOPE),
    **dict.fromkeys(("first", "second"), Real(1, 8, unit=(1, -2), log=True)),
    "stiff": Real(1 / 64, 4, unit=(1, -2), log=True),
    "root": Real(1 / 64, 16, unit=(1, -1), log=True),
    "delta": Real(1 / 64, 64, unit=(2, -3), log=True),
    "distance": Real(1 / 64, 4, unit=(0, 1), log=True),
}
FLAT = ({"d": 1}, {"d": 2})


def _gap(w: World) -> Array:
    return w.own - w.other


def _residual(w: World, slope: Array, multiplier: Array, model: Array) -> Array:
    """Gradient of a device's Lagrangian at its new model."""
    return slope + 2 * multiplier[..., None] * (model - w.server)


KNOWN = [
    Hypothesis(
        "residual of i",
        r"\langle e_i,x_i-x_j\rangle\le\sqrt\epsilon\,\|x_i-x_j\|,\ e_i=\nabla f_i(x_i)+2\lambda_i(x_i-z^t)",
        lambda w: w.root * w.distance - xp.dot(_residual(w, w.slope, w.first, w.own), _gap(w)),
        "(10)",
    ),
    Hypothesis(
        "residual of j",
        r"-\langle e_j,x_i-x_j\rangle\le\sqrt\epsilon\,\|x_i-x_j\|,\ e_j=\nabla f_j(x_j)+2\lambda_j(x_j-z^t)",
        lambda w: w.root * w.distance + xp.dot(_residual(w, w.far, w.second, w.other), _gap(w)),
        "(10)",
    ),
    Hypothesis(
        "smoothness",
        r"-\langle\nabla f_i(x_i)-\nabla f_i(x_j),x_i-x_j\rangle\le L_i\|x_i-x_j\|^2",
        lambda w: w.stiff * xp.squared_norm(_gap(w)) + xp.dot(w.slope - w.crossed, _gap(w)),
        "Assumption 4.2",
    ),
    Hypothesis(
        "dissimilarity",
        r"-\langle\lambda_j\nabla f_i(x_j)-\lambda_i\nabla f_j(x_j),x_i-x_j\rangle\le\delta\,\|x_i-x_j\|",
        lambda w: (
            w.delta * w.distance
            + xp.dot(w.second[..., None] * w.crossed - w.first[..., None] * w.far, _gap(w))
        ),
        "Assumption 4.3",
    ),
    Hypothesis(
        "length",
        r"\|x_i-x_j\|^2\ \text{is at least the square of}\ \|x_i-x_j\|",
        lambda w: xp.squared_norm(_gap(w)) - w.distance**2,
        "definition",
    ),
]
ABOVE_OWN = [
    Hypothesis("lambda_i >= 1 + L_i", r"\lambda_i\ge1+L_i", lambda w: w.first - 1 - w.stiff, "H1"),
    Hypothesis("lambda_j >= 1", r"\lambda_j\ge1", lambda w: w.second - 1, "H1"),
]
ABOVE_HALF = Hypothesis(
    "2 lambda_min > L", r"2\lambda_{\min}>L", lambda w: 2 * w.low - w.stiff, strict=True
)


@claim("lemmaB2.explicit/pairs", family=numbers(PAIR, *FLAT), given=[*KNOWN, *ABOVE_OWN])
def pairs(w: World) -> Sides:
    """Proof. 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) - a_i grad f_j(x_j)),
    times x_i - x_j: a_j (2 a_i - L_i) |x_i - x_j| <= (a_i + a_j) sqrt(epsilon) + delta."""
    return {"|x_i - x_j|": w.distance}, {"sqrt(epsilon)": w.root, "delta/2": w.delta / 2}


def _raw(w: World) -> Sides:
    return {"distance": w.second * (2 * w.first - w.stiff) * w.distance}, {
        "sqrt(epsilon)": (w.first + w.second) * w.root,
        "delta": w.delta,
    }


@claim("lemmaB2.refined/pairs", family=numbers(PAIR, *FLAT), given=KNOWN)
def pairs_refined(w: World) -> Sides:
    """Nothing is asked of the multipliers. Proof. As for the explicit form, times |x_i - x_j|."""
    return _raw(w)


def _raw_margin(w: World) -> Array:
    (left,), right = _raw(w)[0].values(), _raw(w)[1].values()
    return sum(right) - left


@claim(
    "lemmaB2.refined/domain",
    family=numbers(
        {n: p for n, p in {**PAIR, "low": BEND}.items() if not p.per},
        about="any multipliers of two devices",
    ),
    uses=("fedbc.lemmaB2.refined/pairs",),
    given=[
        Hypothesis(
            "pairs",
            r"\lambda_j(2\lambda_i-L_i)\|x_i-x_j\|\le(\lambda_i+\lambda_j)\sqrt\epsilon+\delta",
            _raw_margin,
            "the refined form, of pairs",
        ),
        Hypothesis("lambda_i in Lambda", r"\lambda_i\ge\lambda_{\min}", lambda w: w.first - w.low),
        Hypothesis("lambda_j no smaller", r"\lambda_j\ge\lambda_i", lambda w: w.second - w.first),
    ],
)
def in_domain(w: World) -> Sides:
    """Of a pair the device with the smaller multiplier is called i.

    Proof. Divide by lambda_j: lambda_i + lambda_j is at most twice as large."""
    return {"(2 lambda_min - L) |x_i - x_j|": (2 * w.low - w.stiff) * w.distance}, {
        "2 sqrt(epsilon)": 2 * w.root,
        "delta/lambda_min": w.delta / w.low,
    }


# -- the server's model is an average --------------------------------------------------------------

MODELS = {
    "multipliers": Real(1 / 8, 8, unit=(1, -2), log=True, per=("N",)),
    "models": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "own": MODEL,
    "root": PAIR["root"],
    "delta": PAIR["delta"],
}
SETS = ({"N": 1, "d": 1}, {"N": 2, "d": 1}, {"N": 3, "d": 2})


def _to_server(w: World) -> Array:
    """|x_i - z|^2 of device i, which is any."""
    shares = w.multipliers / xp.total(w.multipliers)[..., None]
    return xp.squared_norm(w.own - xp.total(shares[..., None] * w.models, -2))


def _apart(w: World) -> Array:
    """|x_i - x_j|^2, (B, 1, N)."""
    return xp.squared_norm(w.own[..., None, :] - w.models)


@claim(
    "lemmaB2.explicit/vectors",
    family=numbers(MODELS, *SETS),
    uses=("fedbc.lemmaB2.explicit/pairs", "fedbc.def.server"),
    given=[
        Hypothesis(
            "pairs",
            r"\|x_i-x_j\|\le\sqrt\epsilon+\tfrac\delta2",
            lambda w: ((w.root + w.delta / 2) ** 2)[..., None] - _apart(w),
            "the explicit form, of pairs",
        )
    ],
)
def average(w: World) -> Sides:
    """The devices j are those that were sampled. What holds for each device in each round holds for
    the mean over both.

    Proof. |x_i - sum_j p_j x_j|^2 <= sum_j p_j |x_i - x_j|^2, and (a + b)^2 <= 2 a^2 + 2 b^2."""
    return {"|x_i - z|^2": _to_server(w)}, {
        "2 epsilon": 2 * w.root**2,
        "delta^2/2": w.delta**2 / 2,
    }


@claim(
    "lemmaB2.refined/vectors",
    family=numbers({**MODELS, "low": BEND, "stiff": BEND}, *SETS),
    uses=("fedbc.lemmaB2.refined/domain", "fedbc.def.server"),
    given=[
        Hypothesis(
            "pairs",
            r"(2\lambda_{\min}-L)\|x_i-x_j\|\le2\sqrt\epsilon+\delta/\lambda_{\min}",
            lambda w: (
                ((2 * w.root + w.delta / w.low) ** 2)[..., None]
                - ((2 * w.low - w.stiff) ** 2)[..., None] * _apart(w)
            ),
            "the refined form, of a dual domain",
        ),
        ABOVE_HALF,
    ],
)
def average_refined(w: World) -> Sides:
    """The devices j are those that were sampled. Proof. |x_i - sum_j p_j x_j|^2 <= sum_j p_j |x_i -
    x_j|^2, of pairs within the refined bound."""
    widest = (2 * w.root + w.delta / w.low) / (2 * w.low - w.stiff)
    return {"|x_i - z|^2": _to_server(w)}, {"widest": widest**2}
