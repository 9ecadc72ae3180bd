"""Where the two encodings of a main result part, and what the paper's words say.

"The statement" is the one of the package, "the second" the one beside this file; numbers of a
difference come from `compare`.  Where the second reads open places the other way, READINGS names
its reading in which both are the same.
"""

from __future__ import annotations

__all__ = ["DIFFERENCES", "READINGS"]

_NUMBER = (
    "settled, 'for a total number T_eps <= ..': with at most that number precision eps is reached, "
    "so after some whole number of samples within it. The statement takes the least gap of all of "
    "them, the second the gap after the last. "
)
_OUTCOME = (
    "settled for the statement, Lemmas 4 and 5: no expectation is printed in the display, after "
    "displays that have one; the second takes it all the same. "
)
_HIDDEN = (
    "settled for the statement: the O~ hides constants and logarithms, so that an order is claimed "
    "and falls where the ratio grows like a power; the second encodes none. "
)
_UNNAMED = (
    "theorem6b",
    "theorem2.2",
    "theorem7.2/any",
    "theorem7.2/small",
    "naive.b",
    "theorem3b/noise",
)
_PAST = (
    "settled for the statement, Assumption 4, 'uniformly bounded': E||g_i(w_i)||^2 is over the "
    "mini-batch at a given model, so that G^2 is the largest second moment given the past, on "
    "every outcome; the total expectation is defined for (7), in Lemma 2, afterwards. The second "
    "takes the total one here too, which is smaller. "
)
_AVERAGE = (
    "And, (4): 'alpha_t^i = p_i' is said of t that are not 0 mod E. With the times of (2) w_E is "
    "an average between two aggregations as well, but E is 0 mod E, and alpha_E is the "
    "coefficient of round E; the second takes p there. "
)
_MERGED = (
    "settled by Algorithm 1, line 16: a group starts from the average of its members' models, and "
    "w_i^t is what client i held before. The second takes (37) by itself, like the proof of (39), "
    "where everybody keeps the own model: the other option, in which both are the same. "
)
_LIMIT = (
    "settled, Corollary 1, (45) and (46): a limit, for which no inequality at a finite T is "
    "printed, and the second has none. The statement compares "
)
_CLOSED = (
    "settled, Assumption 4.1: 'at least one stationary point .. belongs to X' names neither z nor "
    "lambda. The statement takes an X that serves all of them, the largest that is needed, and so "
    "the largest right side; the second those that the run met. "
)

DIFFERENCES: dict[str, str] = {
    # -- aggregation -----------------------------------------------------------------------------
    "aggregation.lemma2": _PAST + _AVERAGE,
    "aggregation.theorem3": _PAST + _AVERAGE,
    "aggregation.corollary4": _PAST + _AVERAGE,
    "aggregation.eq13": _PAST + _AVERAGE,
    "aggregation.eq14": _PAST + _AVERAGE,
    "aggregation.eq17": _PAST,
    "aggregation.eq19": _PAST,
    # -- hcct ------------------------------------------------------------------------------------
    **{
        f"hcct.lemma1/{part}": _MERGED
        for part in ("sum", "smooth", "unbiased", "square", "split", "noise")
    },
    "hcct.corollary1/S1": _LIMIT + "S_1/xi_T with what tends to 0 above it.",
    "hcct.corollary1/S2": _LIMIT + "the value, the same for all T, with 0.",
    "hcct.corollary1/S3": _LIMIT + "the value at T = 2, which the limit is not below, with 0.",
    "hcct.corollary1/S4": _LIMIT + "the value at T = 2, which the limit is not below, with 0.",
    "hcct.corollary1/stationary": "settled for both, Corollary 1: the local models 'converge to "
    "the stationary points of the local loss functions', a limit. The statement has the least "
    "value over all common models, the second the value where the group rests, the same number "
    "there; a group with equal sizes rests nowhere else.",
    # -- fedbc -----------------------------------------------------------------------------------
    "fedbc.lemmaB1i": "settled for the second, Lemma B.1: 'Under Assumption 4.1-4.2', so that "
    "nothing is asked of Lambda. The leaf of participation A stands for both options of the dual "
    "domain and asks for what the proofs derive later; it falls, so the lemma falls without that. "
    "Sides the same.",
    "fedbc.lemmaB1ii": _CLOSED,
    "fedbc.lemmaB2": "settled for the statement, (44): 'O(epsilon) + O(delta^2)'; the second has "
    "the constants of (65), which is fedbc.eq64-65. And " + _CLOSED,
    "fedbc.theorem1": _CLOSED + "And B_0 is 'the initialization dependent constant'; of the two "
    "numbers that the appendix calls G the statement has the bound of the gradients, (81), from "
    "which G of (88) comes, the second that of (37), which is defined by ':='. And the theorem "
    "names Assumptions 4.1 to 4.3: that the last gradients are below G, after (81), is asked in "
    "the proof, and by the second. The statement alone asks for alpha > 0, beneath (14).",
    "fedbc.explicit90": _CLOSED
    + "And C_0 > 0, by which the proof divides, is a hypothesis of the statement alone.",
    "fedbc.corollary46": "settled, (15): the summand k = 0 has z^{-1}, which is not defined. The "
    "statement gives it the largest value, 1, with which the claim falls whatever z^{-1} is; the "
    "second takes z^{-1} = z^0.",
    # -- allforall -------------------------------------------------------------------------------
    "allforall.theorem1b": "settled for the statement, Theorem 1: 'C' > 0' is a constant without a "
    "value, so that an order is claimed; the statement has methods whose samples grow slower. The "
    "second encodes none.",
    **{f"allforall.{name}": _HIDDEN for name in _UNNAMED},
    "allforall.lemma1": "settled for both, Lemma 1: the statement takes one pair of vectors, which "
    "differ in the first coordinates, the second a pair that differs in one sign as well; the same "
    "on the first.",
    "allforall.lemma2": "settled for the statement, Lemma 2: 'there is a test'; the statement's "
    "(smaller gap) errs no more often than the second's (gap below psi/3).",
    "allforall.theorem5b": "settled for both, Theorem 5: the method on the other side is a choice. "
    "The statement has a number of samples that is enough, the second the least that is enough for "
    "its bound of the gap; neither depends on N.",
    "allforall.prop1/values": "settled for both, Proposition 1: the second takes both orders of "
    "the two agents, the statement one; the same on it.",
    "allforall.theorem2.1": _NUMBER,
    "allforall.theorem7.1": _NUMBER,
    "allforall.naive.a": _NUMBER,
    "allforall.theorem3a": "settled for both, after Theorem 3: x^Lambda is 'a minimizer of the "
    "function (8)'. Where two agents of one model are equally steep it has several: the statement "
    "takes the one of the first agent, the second the nearest, with which the claim says more.",
    "allforall.theorem4.1/blocks": _NUMBER,
    "allforall.theorem4.1/simplex": _NUMBER + "At a kink that a run hits exactly the second has "
    "the subgradient 0, the statement that of one side, as an oracle may.",
    "allforall.theorem4.2": _NUMBER + "And for the statement, Theorem 3: 'let K > 0, eta > 0', so "
    "that a horizon whose step is not positive reaches nothing; the second lets it run.",
    "allforall.theorem8/samples": _NUMBER,
    "allforall.prop3": "settled for both, Proposition 3: 'averaged precision' has no formula; the "
    "statement bounds every average from below, the second takes the mean over all iterates, and "
    "asks for at least one sample. The claim fails under both.",
    "allforall.lemma4c/gap": _OUTCOME,
    "allforall.lemma5c": _OUTCOME + "And T: " + _NUMBER,
    # -- adaptive --------------------------------------------------------------------------------
    "adaptive.def1.drift": "settled for the second, Definition 1: phi is a function that does not "
    "decrease; the statement takes any values at most the ratios, so claims more. Sides the same.",
    "adaptive.def1.sum/value": "as adaptive.def1.drift.",
    "adaptive.def1.sum/bound": "as adaptive.def1.drift.",
    "adaptive.def1.var/value": "as adaptive.def1.drift.",
    "adaptive.def1.var/bound": "as adaptive.def1.drift.",
    "adaptive.def2.c1/excluded": "settled for the second, after Definition 2: 'if c_ik >= 1, "
    "client k is excluded'; the statement has the contrapositive, c_ik below 1 by the argument of "
    "psi. One claim.",
    "adaptive.def2.c1/helps": "settled for both, after Definition 2, an existence claim: 'reduce "
    "the variance' to half of sigma_i^2 (the statement) or below what client i "
    "alone has, sigma_i^2/psi(1) (the second); one number for the continuous rule.",
    "adaptive.theorem2.horizon": "settled for the statement, Table 1: ln(..)/(mu T) is a 'step "
    "size', which is not negative; the second runs the formula where it is. Sides the same.",
    "adaptive.corollary1/iterations": "settled for both, Corollary 1: 'reach a generalisation "
    "error epsilon after T_i^eps iterations'; the statement takes every T from there on, the "
    "second the first. No instance meets the hypotheses of either: C > 1 is against the step "
    "condition.",
}
"""Key of a part -> why its encodings differ."""

_ROUND = "past, round, p in the centre"
READINGS: dict[str, str] = {
    "aggregation.lemma2": _ROUND,
    "aggregation.theorem3": _ROUND,
    "aggregation.corollary4": _ROUND,
    "aggregation.eq13": _ROUND,
    "aggregation.eq14": _ROUND,
    "aggregation.eq17": "past",
    "aggregation.eq19": "past",
    **{key: "averaged" for key in DIFFERENCES if key.startswith("hcct.lemma1/")},
    "fedbc.lemmaB1ii": "closed_domain",
    "fedbc.lemmaB2": "closed_domain+orders, before (81)",
    "fedbc.theorem1": "closed_domain+each_G, before (81)",
    "fedbc.corollary46": "first_one",
    **{key: "some" for key, why in DIFFERENCES.items() if why.startswith(_NUMBER)},
    "allforall.theorem3a": "first_of_alike",
    "allforall.theorem4.1/simplex": "some+side",
    "allforall.lemma4c/gap": "every_outcome",
    "allforall.lemma5c": "some+every_outcome",
}
"""Key of a part -> the reading of its second encoding that says what the statement says."""
