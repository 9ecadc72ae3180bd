"""Lower bounds on the number of samples: Theorems 1 and 5, Corollary 1, Equation 12, what matches.

The paper names none of its constants C > 0, so one bad instance refutes nothing.  A claim up to a
constant is tried where the number of agents grows as the precision falls, N = ceil(1/eps): what a
constant had to bridge grows with N.

T_i^eps is the first T at which the output is precise, for one problem at a time.  A method whose
outputs visit a net of the ball as T grows is precise, once, on every problem, without looking at
the data.  The repaired forms therefore ask for one T that serves the whole class.
"""

from __future__ import annotations

from math import inf

from bounds import generic as xp
from bounds.allforall import lower, rates
from verify.claim import Array, Hypothesis, Real, Sides, Statement, hypothesis, numbers
from verify.statements.allforall import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Theorem 1, convex :: theorem :: lower bound, all-for-one
    theorem1a <~ :: \inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{Cr^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)}
Theorem 1, convex :: theorem :: lower bound, all-for-one, precision relative to rB
    theorem1a.repaired mean :: \inf\{T:\inf_{\mathcal M_T}\sup\mathbb E[f_i(x_i^T)-\min f_i]\le\varepsilon\}\ge\tfrac{15}{1024}\tfrac{r^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)},\ \varepsilon\le\tfrac{rB}{16},\ b_{ij}=b_{ji}
Theorem 1, strongly convex :: theorem :: lower bound, all-for-one
    theorem1b <~ :: \inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{C'r^2\sigma^2N}{\varepsilon\,\mathcal N_i^\varepsilon(b/4)}
    theorem1b.repaired mean :: \inf\{T:\inf_{\mathcal M_T}\sup\mathbb E[f_i(x_i^T)-\min f_i]\le\varepsilon\}\ge\tfrac1{16}\tfrac{r^2\sigma^2N}{\varepsilon\,\mathcal N_i^\varepsilon(b/4)},\ b_{ij}=b_{ji}
Corollary 1 :: corollary :: lower bound, all-for-all
    corollary1a :: T\ge\frac{Cr^2B^2}{N^2\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(b/4N)}
    corollary1b :: T\ge\frac{C'r^2\sigma^2}{N\varepsilon}\sum_i\frac1{\mathcal N_i^\varepsilon(b/4N)}
Corollary 1 :: corollary :: lower bound, all-for-all, from the one for each agent
    corollary1a.repaired :: T\ge\frac{Cr^2B^2}{N^2\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(b/4N)},\ C=\tfrac{15}{1024},\ N\varepsilon\le\tfrac{rB}{16}
    corollary1b.repaired :: T\ge\frac{C'r^2\sigma^2}{N\varepsilon}\sum_i\frac1{\mathcal N_i^\varepsilon(b/4N)},\ C'=\tfrac1{16},\ N\varepsilon\le\tfrac1{16}
Theorem 5, convex :: theorem :: lower bound under distances of laws
    theorem5a <~ :: \inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{Cr^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)}
    theorem5a.repaired mean :: \inf\{T:\inf_{\mathcal M_T}\sup\mathbb E[f_i(x_i^T)-\min f_i]\le\varepsilon\}\ge\tfrac{15}{1024}\tfrac{r^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)},\ B\le\tfrac12,\ rB\ge1,\ b_{ij}=b_{ji}
Theorem 5, strongly convex :: theorem :: lower bound under distances of laws
    theorem5b <~ :: \inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{C'r^2\sigma^2N}{\varepsilon\,\mathcal N_i^\varepsilon(b/4)}
    theorem5b.repaired mean :: \inf\{T:\inf_{\mathcal M_T}\sup\mathbb E[f_i(x_i^T)-\min f_i]\le\varepsilon\}\ge\tfrac18\tfrac{r^2\sigma^2N}{\varepsilon\,|\{j:b_{ij}<2\sqrt\varepsilon/r\}|},\ \sigma\le\tfrac12,\ r^2\sigma^4\ge2\varepsilon,\ b_{ij}=b_{ji}
Equation 12 :: proof step :: samples of the construction
    eq12/convex <~ :: T_\varepsilon\ge C\frac{dN}{\varepsilon^2\,\mathcal N_1^\varepsilon(4b)}
    eq12/quadratic <~ :: T_\varepsilon\ge C'\frac{dN}{\varepsilon\,\mathcal N_1^\varepsilon(4b)}
    eq12.repaired/convex mean :: T_\varepsilon\ge C\frac{dN}{\varepsilon^2\,\mathcal N_1^\varepsilon(b/4)},\ \varepsilon\le\tfrac{rB}{16}
    eq12.repaired/quadratic mean :: T_\varepsilon\ge C'\frac{dN}{\varepsilon\,\mathcal N_1^\varepsilon(b/4)}
after Theorem 2 :: claim :: upper and lower bounds match
    claim.match@of-the-bounds <~ :: \frac N{\mathcal N_i^\varepsilon(2b)}\lesssim\frac N{\mathcal N_i^\varepsilon(b/4)}
    claim.match@of-the-precision == :: \frac N{\mathcal N_i^\varepsilon(2b)}=\frac N{\mathcal N_i^{\varepsilon/8}(b/4)}
    claim.match.repaired == :: \frac N{\mathcal N_i^\varepsilon(2b)}=\frac N{\mathcal N_i^{\varepsilon/8}(b/4)}
after Theorem 2 :: claim :: conjecture on the condition number
    conj.sqrtkappa :: T_\varepsilon\propto\sqrt\kappa
""")
_FEW = "fewer samples than the bound"
_FEW_A = r"T\le\frac{15}{1024}\frac{r^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)}"
_FEW_B = r"T\le\frac1{16}\frac{r^2\sigma^2N}{\varepsilon\,\mathcal N_i^\varepsilon(b/4)}"
_FEW_5B = r"T\le\frac18\frac{r^2\sigma^2N}{\varepsilon\,|\{j:b_{ij}<2\sqrt\varepsilon/r\}|}"
_MANY = {"agents": lambda w: xp.ceil(1 / w.precision)}

# N = ceil(1/eps) agents; without a unit where 1 bounds the slopes, as losses have that of lengths
_SMALL = Real(1 / 64, 1 / 17, unit=(1, 0), log=True, domain=(0, 1 / 16))
_NO_UNIT = Real(1 / 64, 1 / 17, log=True, domain=(0, 1 / 16))
_NOISE = {"noise": Real(1 / 8, 8, log=True), "precision": _SMALL}
_AGENTS = "N = ceil(1/eps) agents, "
_BEST = "two signs, every outcome of the oracle, best possible method"
_SHAPES = q.sizes(
    "agents informative samples", (1, 1, 1), (1, 1, 4), (2, 1, 3), (3, 1, 6), (3, 2, 5), (1, 1, 9)
)
_CONVEX = {
    "share": Real(1 / 256, 1 / 16, log=True, domain=(0, 1 / 16)),
    "precision": Real(1 / 64, 1, unit=(1, 0), log=True),
}
_QUADRATIC = {"bias": Real(1 / 64, 15 / 16, log=True, domain=(0, 1)), "precision": _SMALL}
_NONE_CLOSE = numbers(
    {"share": Real(1 / 4, 1, domain=(0, 1)), "precision": _SMALL},
    about=_AGENTS + "none close, rB = share eps",
)
_TWO_CONVEX = numbers(_CONVEX, *_SHAPES, about=_BEST)
_TWO_QUADRATIC = numbers(_QUADRATIC, *_SHAPES, about=_BEST)
_LONG_CONVEX = numbers(_CONVEX, *_SHAPES[-2:], about=_BEST)
_LONG_QUADRATIC = numbers(_QUADRATIC, *_SHAPES[-2:], about=_BEST)
_ROUTES = numbers(
    _NOISE, *q.sizes("route", "net", "pool"), about="r^2 sigma^2 and eps; N = 1, or N = ceil(1/eps)"
)
_NEAR_LAWS = numbers(_NOISE, about=_AGENTS + "all distances 5 eps, r = 1/2")
_ONE_DISTANCE = numbers({"precision": _SMALL}, about=_AGENTS + "all others at one distance")
_ANY_BIASES = q.family(
    "bias precision",
    "agent i and others, any biases",
    *q.sizes("N", 1, 3),
    bias=Real(0, 4, unit=(1, 0), per=("N",)),
)


# -- Theorem 1 and Corollary 1 --------------------------------------------------------------------
@claim("theorem1a", defines=_MANY, family=_NONE_CLOSE)
def theorem1a(w: World) -> Sides:
    """With rB <= eps the point 0 is within B |x_i^*| <= rB <= eps of every agent's minimum. So
    one sample (the least that the definition allows) suffices on the whole class, while the right
    side grows with N where no other agent is close (all b_ij = 5 eps, which is a metric). The class
    of Theorem 5 asks for |x_i^*| <= r and E|g|^2 <= B^2 as well. What is missing in both is a lower
    bound on rB/eps, which the proof needs (its delta <= 1/2 grows with eps/(rB)) and the repaired
    forms assume."""
    scale = w.share * w.precision
    right = scale**2 * w.agents / w.precision**2
    return {"(rB)^2 N/(eps^2 N_i)": right}, {"samples used": xp.ones_like(right)}


@hypothesis(_FEW, _FEW_A)
def few_convex(w: World) -> Array:
    scale = w.precision / w.share
    return lower.convex_samples_lower(scale, w.precision, w.agents, w.informative) - w.samples


@hypothesis(_FEW, _FEW_B)
def few_quadratic(w: World) -> Array:
    """r^2 sigma^2 = v / r^2 with v = s^2 (1 - z^2)/z^2 and s^2 = 4 eps r^2."""
    noise = 4 * w.precision * (1 - w.bias**2) / w.bias**2
    return lower.quadratic_samples_lower(noise, w.precision, w.agents, w.informative) - w.samples


@claim("theorem1a.repaired", family=_TWO_CONVEX, given=[few_convex])
def theorem1a_repaired(w: World) -> Sides:
    """C = 15/1024 where eps <= rB/16 and b is symmetric; one T for the whole class.

    Proof. The two-sign instance of `bounds.allforall.lower` lies in the class; its Bayes gap is
    4 eps (1 - TV), and Pinsker with KL <= (T/N) N_i 2 z^2/(1 - z^2), z = 4 eps/(rB) <= 1/4, keeps
    TV below 1/2 for fewer samples. Here the Bayes gap itself is computed and must exceed eps."""
    scale = w.precision / w.share
    gap = lower.convex_bayes_gap(w.precision, scale, w.agents, w.informative, w.samples)
    return {"precision": w.precision}, {"best mean gap": gap}


@claim("theorem1b", defines=_MANY, family=_ROUTES)
def theorem1b(w: World) -> Sides:
    """Two methods that need fewer samples. Net, d = 1, N = 1: curvature 1/r^2 makes every
    point within r sqrt(2 eps) of x_i^* precise, and x_i^T visits a net of [-r, r] with at most
    1 + 1/sqrt(2 eps) points, so that T_i^eps, the first T with precision eps, is at most that on
    the whole class. Pool: the triangle inequality does not make b symmetric. With b_1j = 5 eps,
    b_j1 = b_jk = 0 it holds, B.2 makes all f_j equal to f_1 up to constants, and a step r^2 with
    the mean of T gradients of any agents has expected gap r^2 sigma^2/(2 T); but N_1 = 1."""
    right = w.noise / w.precision
    if w.route == "net":
        used = 1 + 1 / xp.sqrt(2 * w.precision)
        return {"r^2 sigma^2/eps": right}, {"points of the net": used}
    return {"r^2 sigma^2 N/(eps N_i)": right * w.agents}, {"samples used": right / 2 + 1}


@claim("theorem1b.repaired", family=_TWO_QUADRATIC, given=[few_quadratic])
def theorem1b_repaired(w: World) -> Sides:
    """C' = 1/16 where b is symmetric; one T for the whole class.

    Proof. The two-sign instance of `bounds.allforall.lower` lies in the class; its Bayes gap is
    at least 2 eps (1 - TV), and Pinsker with KL <= (T/N) N_i 2 s^2/v keeps TV below 1/2 for fewer
    samples. Here the Bayes gap itself is computed and must exceed eps."""
    gap = lower.quadratic_bayes_gap(w.precision, w.bias, w.agents, w.informative, w.samples)
    return {"precision": w.precision}, {"best mean gap": gap}


_UNNAMED = "the constant {} is not named; a bound over all methods needs its value"
corollary1 = (
    claim.open("corollary1a", _UNNAMED.format("C")),
    claim.open("corollary1b", _UNNAMED.format("C'")),
)


def _corollary(part: str, small: str, power: int, unit: tuple[int, int]) -> Statement:
    def far_enough(w: World) -> Array:
        """N eps at most rB/16, or 1/16: what Theorem 1 asks at the precision N eps."""
        most = w.scale if power == 2 else xp.ones_like(w.scale)
        return most - 16 * w.N * w.precision

    symbols = {
        "close": Real(1, 64, log=True, per=("N",), domain=(1, inf)),
        "scale": Real(16, 256, unit=unit, log=True),
        "precision": Real(1 / 64, 1 / 17, unit=unit, log=True),
    }

    @claim(
        f"corollary1{part}.repaired",
        family=numbers(symbols, *q.sizes("N", 1, 2, 3), about="any numbers of close agents"),
        given=[Hypothesis("N eps small", small, far_enough)],
        uses=(f"allforall.theorem1{part}.repaired",),
    )
    def corollary(w: World) -> Sides:
        """The right side is at most the bound of Theorem 1 (repaired) for some agent; b symmetric.

        Proof. Average gap eps means gap at most N eps for each agent, and the T of the corollary
        serves the whole class. So T is at least the largest of the agents' bounds at N eps, and
        the largest is at least the mean."""
        n = w.N
        rule = lower.convex_samples_lower if power == 2 else lower.quadratic_samples_lower
        each = rule(w.scale[..., None], n * w.precision[..., None], n, w.close)
        inverse = xp.total(1 / w.close)
        constant = lower.CONVEX_CONSTANT if power == 2 else lower.QUADRATIC_CONSTANT
        size = w.scale**power / (n**power * w.precision**power)
        left = size * inverse * constant.numerator / constant.denominator
        return {"right side of the corollary": left}, {"bound of Theorem 1": xp.largest(each)}

    return corollary


corollary1_repaired = (
    _corollary("a", r",\ C=\tfrac{15}{1024},\ N\varepsilon\le\tfrac{rB}{16}", 2, (1, 0)),
    # 1 bounds the slopes of this class, so that losses have the unit of lengths
    _corollary("b", r",\ C'=\tfrac1{16},\ N\varepsilon\le\tfrac1{16}", 1, (0, 0)),
)


# -- Theorem 5 ------------------------------------------------------------------------------------


theorem5a = claim.variant(theorem1a, "theorem5a")
theorem5a_repaired = claim.variant(
    theorem1a_repaired,
    "theorem5a.repaired",
    family=numbers(
        {
            **_CONVEX,
            "precision": Real(1 / 256, 1 / 17, log=True, domain=(0, 1 / 16)),
            "size": Real(1 / 8, 1 / 2, log=True),
        },
        *_SHAPES[-2:],
        about=_BEST,
    ),
    given=[
        few_convex,
        Hypothesis("B at most 1/2", r"B\le\tfrac12", lambda w: 1 - 2 * w.size),
        Hypothesis("rB at least 1", r"rB\ge1", lambda w: w.precision / w.share - 1),
    ],
    note="One T for the whole class, B <= 1/2 and rB >= 1, with the two-sign instance of Theorem 1 for delta_j = (delta - b_1j)^+; b symmetric, as the distance of laws is.",
    proof="""Where H holds all affine maps of slope at most 1, points of Xi within 1 of a third are
    within 1 of each other, as the identity is locally bounded: take Xi = [-1/2, 1/2], where locally
    bounded maps have values of diameter 1 and d_H <= TV. The loss B ((1 + 2 xi) |x - r| + (1 -
    2 xi) |x + r|)/2 is B |x -+ r| at xi = +-1/2; its gradient is affine in xi with slope at most
    2B <= 1. So d_H <= TV = |delta_i - delta_j| <= b_ij. delta = 2 eps/(rB) <= 2 eps, so at most
    N_i(b/4) agents tell anything, and the Bayes gap is that of Theorem 1.""",
)


@claim("theorem5b", defines=_MANY, family=_NEAR_LAWS)
def theorem5b(w: World) -> Sides:
    """Laws within 5 eps of each other have gradients within 5 eps, as the class of Theorem
    5 asks. All f_i are quadratics of curvature 1/r^2, so minimisers differ by at most 5 eps r^2.
    One step of length r^2 with the mean of T gradients at 0, of any agents, ends at expected gap
    r^2 (5 eps)^2/2 + r^2 sigma^2/(2 T) of every agent: at most eps, as 25 eps r^2 <= 1, for
    T >= r^2 sigma^2/eps, whatever N. But 5 eps > 4 eps: the bound counts one close agent."""
    size = w.noise / w.precision
    return {"r^2 sigma^2 N/(eps N_i)": size * w.agents}, {"samples used": size + 1}


@hypothesis(_FEW, _FEW_5B)
def few_common(w: World) -> Array:
    """r^2 sigma^2 = 4 eps/(q z^2) with q = 1/rare = 4 sigma^2 and z = sqrt eps/(r sigma^2)."""
    noise = 4 * w.precision * w.rare / w.bias**2
    sixteenth = lower.quadratic_samples_lower(noise, w.precision, w.agents, w.informative)
    return 2 * sixteenth - w.samples


@claim(
    "theorem5b.repaired",
    family=numbers(
        {**_QUADRATIC, "precision": _NO_UNIT},
        *q.sizes(
            "rare agents informative samples",
            (1, 1, 1, 1),
            (1, 3, 1, 2),
            (2, 2, 1, 3),
            (4, 3, 2, 6),
        ),
        about="three values, every outcome of the oracle, best possible method",
    ),
    given=[
        few_common,
        Hypothesis(
            "r^2 sigma^4 at least 2 eps", r"r^2\sigma^4\ge2\varepsilon", lambda w: 1 - 2 * w.bias**2
        ),
    ],
)
def theorem5b_repaired(w: World) -> Sides:
    """One T for the whole class; agents count up to b_ij < 2 sqrt eps/r, b symmetric.

    Proof. On Xi = [-1/2, 1/2], where d_H <= TV (as for 5a), take the loss (x - r^2 xi)^2/(2 r^2):
    its gradient x/r^2 - xi is affine in xi with slope 1, its curvature 1/r^2. xi is +-1/2 with
    chances q (1 +- alpha z_j)/2, else 0, for q = 4 sigma^2 <= 1: the noise has variance at most
    q/4 = sigma^2. f_j is least at alpha s_j, s_j = r^2 q z_j/2 = (s - r^2 b_1j)^+ with s =
    2 r sqrt eps <= r, so d_H <= q |z_i - z_j|/2 = |s_i - s_j|/r^2 <= b_ij, and agents with b_1j >=
    2 sqrt eps/r tell nothing. The Bayes gap is 8 eps E[pi (1 - pi)] >= 2 eps A^2 with the affinity A
    = (1 - q (n/N) (1 - sqrt(1 - z^2)))^T. As -log(1 - u x) <= -u log(1 - x) and -log(1 - z^2) <=
    2 z^2 log 2 for z^2 <= 1/2, A^2 is at least 1/2 where T q (n/N) z^2 <= 1/2, which is the bound, as
    q z^2 = 4 eps/(r^2 sigma^2). Here the Bayes gap itself is computed, for q = 1, 1/2, 1/4, and must
    exceed eps; a sample tells something with chance q n/N."""
    gap = lower.quadratic_bayes_gap(
        w.precision, w.bias, w.rare * w.agents, w.informative, w.samples
    )
    return {"precision": w.precision}, {"best mean gap": gap}


# -- Equation 12, and whether upper and lower bounds match ----------------------------------------
@claim("eq12/convex", defines=_MANY, family=_ONE_DISTANCE)
def eq12_convex(w: World) -> Sides:
    """The construction with d = 2 and V = {(1, 1), (1, -1)}, solved by a majority of signs.
    Convex: eps = psi = delta/2 and b_1j = eps/2, so delta_j = 3 delta/4 while only agent 1 has
    4 b_1j <= eps. A sample shows the second coordinate with chance 1/2, so by Hoeffding the
    majority errs with chance at most (1/2 + exp(-u)/2)^T <= exp(-u T/4), u = 2 (3 delta/4)^2, and
    an error costs at most 3 eps: T = 12/delta^2 gives a mean gap below eps/9. Quadratic:
    eps = delta^2/4, b_1j = eps, delta_j = delta/2, an error costs 4 eps: T = 29/delta^2."""
    eps = w.precision
    return {"d N/(eps^2 N_1)": 2 * w.agents / eps**2}, {"samples used": 1 + 3 / eps**2}


@claim("eq12/quadratic", defines=_MANY, family=_ONE_DISTANCE, note=eq12_convex.note)
def eq12_quadratic(w: World) -> Sides:
    eps = w.precision
    return {"d N/(eps N_1)": 2 * w.agents / eps}, {"samples used": 1 + 29 / (4 * eps)}


eq12_repaired = (
    claim.variant(theorem1a_repaired, "eq12.repaired/convex", family=_LONG_CONVEX),
    claim.variant(theorem1b_repaired, "eq12.repaired/quadratic", family=_LONG_QUADRATIC),
)


@claim("claim.match@of-the-bounds", defines=_MANY, family=_ONE_DISTANCE)
def match_same(w: World) -> Sides:
    """b_1j = eps for every other agent: close for the lower bound (4 eps), far for the upper
    one (eps/2). The quotient of the two personal factors is N."""
    return {"N/N_i(2b)": w.agents}, {"N/N_i(b/4)": xp.ones_like(w.precision)}


@claim("claim.match@of-the-precision", family=_ANY_BIASES)
def match_rescaled(w: World) -> Sides:
    """The factor of the upper bound at eps is that of the lower one at eps/8, agent i counted."""
    n = w.N + 1
    close = 1 + rates.close_agents(2 * w.bias, w.precision)
    other = 1 + rates.close_agents(w.bias / 4, w.precision / 8)
    return {"N/N_i(2b) at eps": n / close}, {"N/N_i(b/4) at eps/8": n / other}


match_repaired = claim.variant(
    match_rescaled, "claim.match.repaired", proof="b <= eps/2 and b/4 <= eps/8 say the same."
)
sqrt_kappa = claim.open("conj.sqrtkappa", "a conjecture without constants or hypotheses")
