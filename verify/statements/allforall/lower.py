"""Lower bounds on the number of samples: Theorems 1 and 5, Corollary 1, Equation 12.

The paper names none of its constants C > 0, so one bad instance refutes nothing.  A claim up to a
constant is tried where the number of agents grows as the precision falls, N = ceil(1/eps): what a
constant had to bridge grows with N.
"""

from __future__ import annotations

from functools import partial

from bounds import allforall_lower as lower
from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, hypothesis, numbers, open_claim, statement
from verify.statements.allforall import box
from verify.world.world import World

_A = r"\inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{Cr^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)}"
_B_LEFT = r"\inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{C'r^2\sigma^2N}{\varepsilon\,"
_B = _B_LEFT + r"\mathcal N_i^\varepsilon(b/4)}"
_ONE = "lower bound, all-for-one"
_HIDDEN = "the constant {} is not named; a bound over all methods needs its value"


_SMALL = Real(1 / 64, 1 / 17, unit=(1, 0), log=True)
_MANY = {"agents": lambda w: xp.ceil(1 / w.precision)}
_AGENTS = "N = ceil(1/eps) agents, "


@statement(
    "allforall.theorem1a", where="Theorem 1, convex", title=_ONE, relation="<~", latex=_A,
    family=numbers({"share": Real(1 / 4, 1), "precision": _SMALL},
                   about=_AGENTS + "none close, rB = share eps"),
    defines=_MANY,
    note="""With rB <= eps the point 0 is within B |x_i^*| <= rB <= eps of every agent's minimum. So
    one sample (the least that the definition allows) suffices on the whole class, while the right
    side grows with N where no other agent is close (all b_ij = 5 eps, which is a metric). The class
    of Theorem 5 asks for |x_i^*| <= r and E|g|^2 <= B^2 as well. What is missing in both is a lower
    bound on rB/eps, which the proof needs (its delta <= 1/2 grows with eps/(rB)) and the repaired
    forms assume.""",
)
def theorem1a(w: World) -> Sides:
    scale = w.share * w.precision
    right = scale**2 * w.agents / w.precision**2
    return {"(rB)^2 N/(eps^2 N_i)": right}, {"samples used": xp.ones_like(right)}


_SHAPES = tuple(
    {"agents": n, "informative": m, "samples": t}
    for n, m, t in ((1, 1, 1), (1, 1, 4), (2, 1, 3), (3, 1, 6), (3, 2, 5), (1, 1, 9))
)
_BEST = "two signs, every outcome of the oracle, best possible method"
_CONVEX = {
    "share": Real(1 / 256, 1 / 16, log=True), "precision": Real(1 / 64, 1, unit=(1, 0), log=True),
}
_QUADRATIC = {
    "bias": Real(1 / 64, 15 / 16, log=True), "precision": Real(1 / 64, 1 / 17, unit=(1, 0)),
}


@hypothesis("fewer samples than the bound",
            r"T\le\frac{15}{1024}\frac{r^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)}")
def few_convex(w: World) -> Array:
    scale = w.precision / w.share
    return lower.convex_samples_lower(scale, w.precision, w.agents, w.informative) - w.samples


@hypothesis("fewer samples than the bound",
            r"T\le\frac1{16}\frac{r^2\sigma^2N}{\varepsilon\,\mathcal N_i^\varepsilon(b/4)}")
def few_quadratic(w: World) -> Array:
    """r^2 sigma^2 = v / r^2 with v = s^2 (1 - z^2)/z^2 and s^2 = 4 eps r^2."""
    noise = 4 * w.precision * (1 - w.bias**2) / w.bias**2
    return lower.quadratic_samples_lower(noise, w.precision, w.agents, w.informative) - w.samples


@statement(
    "allforall.theorem1a.repaired", where="Theorem 1, convex", over="mean",
    title="lower bound, all-for-one, precision relative to rB",
    latex=_A + r",\ C=\tfrac{15}{1024},\ \varepsilon\le rB/16",
    family=numbers(_CONVEX, *_SHAPES, about=_BEST), given=[few_convex],
    note="C = 15/1024 where eps <= rB/16 and b is symmetric.",
    proof="""The two-sign instance of `bounds.allforall_lower` lies in the class; its Bayes gap is
    4 eps (1 - TV), and Pinsker with KL <= (T/N) N_i 2 z^2/(1 - z^2), z = 4 eps/(rB) <= 1/4, keeps
    TV below 1/2 for fewer samples. Here the Bayes gap itself is computed and must exceed eps.""",
)
def theorem1a_repaired(w: World) -> Sides:
    scale = w.precision / w.share
    gap = lower.convex_bayes_gap(w.precision, scale, w.agents, w.informative, w.samples)
    return {"precision": w.precision}, {"best mean gap": gap}


theorem1b = open_claim(
    "allforall.theorem1b", "theorem", "Theorem 1, strongly convex", _B, _ONE, _HIDDEN.format("C'"))


@statement(
    "allforall.theorem1b.explicit", where="Theorem 1, strongly convex", title=_ONE, over="mean",
    latex=_B + r",\ C'=\tfrac1{16}", family=numbers(_QUADRATIC, *_SHAPES, about=_BEST),
    given=[few_quadratic], note="C' = 1/16 where b is symmetric.",
    proof="""The two-sign instance of `bounds.allforall_lower` lies in the class; its Bayes gap is
    at least 2 eps (1 - TV), and Pinsker with KL <= (T/N) N_i 2 s^2/v keeps TV below 1/2 for fewer
    samples. Here the Bayes gap itself is computed and must exceed eps.""",
)
def theorem1b_explicit(w: World) -> Sides:
    gap = lower.quadratic_bayes_gap(w.precision, w.bias, w.agents, w.informative, w.samples)
    return {"precision": w.precision}, {"best mean gap": gap}


_1A = r"T\ge\frac{Cr^2B^2}{N^2\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(b/4N)}"
_1B = r"T\ge\frac{C'r^2\sigma^2}{N\varepsilon}\sum_i\frac1{\mathcal N_i^\varepsilon(b/4N)}"
corollary1 = tuple(
    open_claim(f"allforall.corollary1{part}", "corollary", "Corollary 1", latex,
               "lower bound, all-for-all", _HIDDEN.format(constant))
    for part, latex, constant in (("a", _1A, "C"), ("b", _1B, "C'"))
)


def _corollary(w: World, power: int) -> Sides:
    n = w.N
    rule = lower.convex_samples_lower if power == 2 else lower.quadratic_samples_lower
    each = rule(w.scale[..., None], n * w.precision[..., None], n, w.close)
    inverse = xp.total(1 / w.close)
    constant = lower.CONVEX_CONSTANT if power == 2 else lower.QUADRATIC_CONSTANT
    size = w.scale**power / (n**power * w.precision**power)
    left = size * inverse * constant.numerator / constant.denominator
    return {"right side of the corollary": left}, {"bound of Theorem 1": xp.largest(each)}


corollary1a_explicit = statement(
    "allforall.corollary1a.explicit", where="Corollary 1", kind="corollary",
    title="lower bound, all-for-all, from the one for each agent",
    latex=_1A + r",\ C=\tfrac{15}{1024},\ N\varepsilon\le rB/16",
    family=numbers({"close": Real(1, 64, log=True, per=("N",)),
                    "scale": Real(16, 256, unit=(1, 0), log=True), "precision": box.PRECISION},
                   {"N": 1}, {"N": 2}, {"N": 3}, about="any numbers of close agents"),
    uses=("allforall.theorem1a.repaired",),
    note="""Average gap eps means gap at most N eps for each agent: the largest bound of Theorem 1
    at N eps, which is at least the mean of them, is a bound on T.""",
)(partial(_corollary, power=2))
corollary1b_explicit = corollary1a_explicit.variant(
    "allforall.corollary1b.explicit", latex=_1B + r",\ C'=\tfrac1{16}",
    uses=("allforall.theorem1b.explicit",), sides=partial(_corollary, power=1))


_LAWS = "lower bound under distances of laws"
theorem5a = theorem1a.variant("allforall.theorem5a", where="Theorem 5, convex", title=_LAWS)
theorem5a_repaired = theorem1a_repaired.variant(
    "allforall.theorem5a.repaired", where="Theorem 5, convex", title=_LAWS,
    latex=_A + r",\ C=\tfrac{15}{1024},\ B\le1\le rB",
    family=numbers({**_CONVEX, "precision": Real(1 / 256, 1 / 16, log=True)}, *_SHAPES[-2:],
                   about=_BEST),
    given=[few_convex, Hypothesis("rB at least 1", r"rB\ge1", lambda w: w.precision / w.share - 1)],
    note="B <= 1 <= rB, with the two-sign instance of Theorem 1 for delta_j = (delta - b_1j)^+.",
    proof="""delta = 2 eps/(rB) <= 4 eps, so at most N_i(b/4) agents tell anything, and the Bayes
    gap is that of Theorem 1. The gradient of B |x - r xi|, xi = +-1, is affine in xi with slope at
    most B <= 1. On Xi = [-1, 1], one ball of radius 1, a locally bounded map has values of diameter
    1, so d_H <= TV = |delta_i - delta_j| <= b_ij.""")


@statement(
    "allforall.theorem5b", where="Theorem 5, strongly convex", title=_LAWS, relation="<~", latex=_B,
    family=numbers({"noise": Real(1 / 8, 8, log=True), "radius": Real(1 / 2, 1),
                    "precision": _SMALL}, about=_AGENTS + "all distances 5 eps"),
    defines=_MANY,
    given=[Hypothesis("25 eps r^2 at most 1", r"25\,\varepsilon r^2\le1",
                      lambda w: 1 - 25 * w.precision * w.radius**2)],
    note="""Laws within 5 eps of each other have gradients within 5 eps, as the class of Theorem
    5 asks. All f_i are quadratics of curvature 1/r^2, so minimisers differ by at most 5 eps r^2.
    One step of length r^2 with the mean of T gradients at 0, of any agents, ends at expected gap
    r^2 (5 eps)^2/2 + r^2 sigma^2/(2 T) of every agent: at most eps where 25 eps r^2 <= 1 and
    T >= r^2 sigma^2/eps, whatever N. But 5 eps > 4 eps: the bound counts one close agent.""",
)
def theorem5b(w: World) -> Sides:
    size = w.noise / w.precision
    return {"r^2 sigma^2 N/(eps N_i)": size * w.agents}, {"samples used": size + 1}


@hypothesis("fewer samples than the bound",
            r"T\le\frac1{32}\frac{r^2\sigma^2N}{\varepsilon\,|\{j:b_{ij}<2r\sqrt\varepsilon\}|}")
def few_common(w: World) -> Array:
    """r^2 sigma^2 = c^2/r^2 with c^2 = s^2/z^2, s^2 = 4 eps r^2."""
    noise = 4 * w.precision / w.bias**2
    bound = lower.quadratic_samples_lower(noise, w.precision, w.agents, w.informative) / 2
    return bound - w.samples


theorem5b_repaired = theorem1b_explicit.variant(
    "allforall.theorem5b.repaired", where="Theorem 5, strongly convex", title=_LAWS,
    latex=_B_LEFT + r"|\{j:b_{ij}<2r\sqrt\varepsilon\}|},\ C'=\tfrac1{32}",
    family=numbers(_QUADRATIC, *_SHAPES[-2:], about=_BEST),
    given=[few_common, Hypothesis("r^2 sigma^2 >= 8 eps", r"r^2\sigma^2\ge8\varepsilon",
                                  lambda w: 1 - 2 * w.bias**2)],
    note="r >= 1, r^2 sigma >= 1/2, r^2 sigma^2 >= 8 eps, agents count up to b_ij < 2 r sqrt eps.",
    proof="""Two signs, xi = +-c with c = sigma r^2 and means alpha s_j, s_j = (s - b_1j)^+,
    s = 2 r sqrt eps <= r: the noise has variance (c^2 - s_j^2)/r^4 <= sigma^2 and KL <=
    2 s^2/(c^2 - s^2) <= 4 s^2/c^2, so T >= (1/32) r^2 sigma^2 N/(eps n) for n agents with s_j > 0.
    The gradient (x - xi)/r^2 is affine with slope at most 1. On Xi = [-c, c] a locally bounded map
    changes by at most max(1, c + 1) <= 2 c if c >= 1, by at most 1 <= 2 c if 1/2 <= c <= 1, so
    d_H <= 2 c TV = |s_i - s_j| <= b_ij.""")


_12_CONVEX = r"T_\varepsilon\ge C\frac{dN}{\varepsilon^2\,\mathcal N_1^\varepsilon(%s)}"
_12_QUADRATIC = r"T_\varepsilon\ge C'\frac{dN}{\varepsilon\,\mathcal N_1^\varepsilon(%s)}"


@statement(
    "allforall.eq12/convex", where="Equation 12", kind="proof step", relation="<~",
    title="samples of the construction", latex=_12_CONVEX % "4b", defines=_MANY,
    family=numbers({"precision": _SMALL}, about=_AGENTS + "all others at one distance"),
    note="""The construction with d = 2 and V = {(1, 1), (1, -1)}, solved by a majority of signs.
    Convex: eps = psi = delta/2 and b_1j = eps/2, so delta_j = 3 delta/4 while only agent 1 has
    4 b_1j <= eps. A sample shows the second coordinate with chance 1/2, so by Hoeffding the
    majority errs with chance at most (1/2 + exp(-u)/2)^T <= exp(-u T/4), u = 2 (3 delta/4)^2, and
    an error costs at most 3 eps: T = 12/delta^2 gives a mean gap below eps/9. Quadratic:
    eps = delta^2/4, b_1j = eps, delta_j = delta/2, an error costs 4 eps: T = 29/delta^2.""",
)
def eq12_convex(w: World) -> Sides:
    eps = w.precision
    return {"d N/(eps^2 N_1)": 2 * w.agents / eps**2}, {"samples used": 1 + 3 / eps**2}


@eq12_convex.like("allforall.eq12/quadratic", latex=_12_QUADRATIC % "4b", note=eq12_convex.note)
def eq12_quadratic(w: World) -> Sides:
    eps = w.precision
    return {"d N/(eps N_1)": 2 * w.agents / eps}, {"samples used": 1 + 29 / (4 * eps)}


eq12_repaired = (
    theorem1a_repaired.variant(
        "allforall.eq12.repaired/convex", where="Equation 12", kind="proof step",
        title=eq12_convex.title, latex=_12_CONVEX % "b/4",
        family=numbers(_CONVEX, *_SHAPES[-2:], about=_BEST),
    ),
    theorem1b_explicit.variant(
        "allforall.eq12.repaired/quadratic", where="Equation 12", kind="proof step",
        title=eq12_convex.title, latex=_12_QUADRATIC % "b/4", family=theorem5b_repaired.family,
    ),
)


@eq12_convex.like(
    "allforall.claim.match@same", where="after Theorem 2", kind="claim",
    title="upper and lower bounds match",
    latex=r"\frac N{\mathcal N_i^\varepsilon(2b)}\lesssim\frac N{\mathcal N_i^\varepsilon(b/4)}",
    note="""b_1j = eps for every other agent: close for the lower bound (4 eps), far for the upper
    one (eps/2). The quotient of the two personal factors is N.""",
)
def match_same(w: World) -> Sides:
    return {"N/N_i(2b)": w.agents}, {"N/N_i(b/4)": xp.ones_like(w.precision)}


@statement(
    "allforall.claim.match@rescaled", where="after Theorem 2", kind="claim", relation="==",
    title="upper and lower bounds match",
    latex=r"\frac N{\mathcal N_i^\varepsilon(2b)}=\frac N{\mathcal N_i^{\varepsilon/8}(b/4)}",
    family=numbers({"bias": Real(0, 4, unit=(1, 0), per=("N",)), "precision": box.PRECISION},
                   {"N": 1}, {"N": 3}, about="agent i and others, any biases"),
    note="The factor of the upper bound at eps is that of the lower one at eps/8, agent i counted.",
)
def match_rescaled(w: World) -> Sides:
    n = w.N + 1
    close = 1 + rates.close_agents(2 * w.bias, w.precision)
    other = 1 + rates.close_agents(w.bias / 4, w.precision / 8)
    return {"N/N_i(2b) at eps": n / close}, {"N/N_i(b/4) at eps/8": n / other}


sqrt_kappa = open_claim(
    "allforall.conj.sqrtkappa", "claim", "after Theorem 2", r"T_\varepsilon\propto\sqrt\kappa",
    "conjecture on the condition number", "a conjecture without constants or hypotheses")
