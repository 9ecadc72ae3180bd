"""Where the two encodings of a main result part, and what the paper's words say.

"The statement" is the one of the package, "the second" the one beside this file; numbers of a
difference come from `compare`.  OPEN marks what the words do not settle.  Where it is one open place
that the second reads the other way, READINGS names its reading in which both are the same.
"""

from __future__ import annotations

__all__ = ["DIFFERENCES", "READINGS"]

_NUMBER = (
    "the sides are the same; the statement asks for K at least the printed number, the second for "
    "the largest K within it. Printed is 'for a total number T_eps <= ...' (an existence claim). "
)

_CONDITION = "That mu is at most L (condition >= 1) stands in the box of the statement alone."

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
    "which G of (88) comes, the second that of (37), which is defined by ':='.",
    "fedbc.explicit90": _CLOSED,
    "fedbc.corollary46": "settled, (15): the summand k = 0 has z^{-1}, which is not defined. The "
    "statement gives it the largest value, 1, with which the claim falls whatever z^{-1} is; the "
    "second takes z^{-1} = z^0.",
    # -- allforall -------------------------------------------------------------------------------
    "allforall.theorem1a": "settled for the second, Theorem 1: 'let eps in (0, 1/16)' is printed; "
    "the statement has it in the box alone, which the search may leave. Sides the same.",
    "allforall.theorem5a": "settled for the second, Theorem 5: as theorem1a.",
    "allforall.theorem5b": "settled, Theorem 5: eps in (0, 1/16) is printed and lacks in the "
    "statement; 25 eps r^2 <= 1 is not printed and stands in it (it says where the method on the "
    "other side works, so it belongs there). 'noise' is r^2 sigma^2 in the statement, sigma in "
    "the second; and the methods need different numbers of samples, both independent of N.",
    "allforall.lemma1": "settled for both, Lemma 1: the statement takes the pair of vectors that "
    "differ everywhere, the second a pair that differs in one sign as well; the same on the first. "
    "delta in [0, 1/2] is printed in B.2 and stands in the box of the statement alone.",
    "allforall.lemma2": "settled for the statement, Lemma 2: 'there is a test'; the statement's "
    "(smaller gap) errs no more often than the second's (gap below psi/3). delta in [0, 1/2] as "
    "for lemma1.",
    "allforall.fano": "settled for the second, Equation 9: any test; that the error is at most "
    "1 - 1/|V| is not printed (it always holds in the box, not beyond). Sides the same.",
    "allforall.prop1/values": "settled for both, Proposition 1: the second takes both orders of "
    "the two agents, the statement one; the same on it.",
    "allforall.prop1/pl": "settled for the second, Section 6.1: b^ is any bound of d_H, and the "
    "gradients h (x - xi) lie in h times the affine class, whose distance is that of the means; "
    "the statement takes h W_1, a larger b^ and so a weaker claim. " + _CONDITION,
    "allforall.theorem2.1": "OPEN, Theorem 2.1: " + _NUMBER + "For ties (b_ij = eps/2) the claim "
    "fails for every T within the number (1.297 eps at best), so under either reading.",
    "allforall.theorem7.1": "OPEN, Theorem 7.1: " + _NUMBER,
    "allforall.naive.a": "settled for the second, Section 5: printed is E[f_i(x_i^k) - f_i*], the "
    "iterate; the statement has the mean over the rounds of Theorem 2.1 and leaves k out of its "
    "formula. OPEN as theorem7.1 for K. On the families the iterate stays below 0.37 eps.",
    "allforall.theorem4.1/blocks": "settled for the second, Theorem 4.1: 'the same assumptions as "
    "in Theorem 3.a', whose step has |x^0 - x^Lambda|; the statement's has D in its place. The "
    "same with D. OPEN as theorem7.1 for K.",
    "allforall.theorem4.1/simplex": "settled for the second, Theorem 4.1: as blocks, |x^0 - "
    "x^Lambda| against D in the step; the same with D, and at offset 1, where the claim fails. "
    "That no coordinate passes h is not printed: it is where the left side is exact.",
    "allforall.theorem4.2": "settled for the statement, Theorem 3: 'let K > 0, eta > 0' is "
    "printed and lacks in the second. OPEN as theorem7.1 for T: the statement takes the first "
    "whole number of rounds beyond the number, the second the last within; sides the same. The "
    "claim fails for every T within the number on the path (4.07 eps at best).",
    "allforall.prop3": "settled for both, Proposition 3: 'averaged precision' has no formula; the "
    "statement bounds every average from below, the second takes the mean over all iterates, and "
    "asks for at least one sample. The claim fails under both.",
    "allforall.theorem8/rate": "settled for the second, Theorem 8: 'generated with Algorithm 1', "
    "so eta is its step; the statement divides it by N (the recursion of y in Appendix E), while "
    "theorem3b takes the step of Algorithm 1: two readings of one open place. The same for N = 1.",
    "allforall.theorem8/samples": "OPEN, Theorem 8: " + _NUMBER + "The claim fails for every T "
    "within the number (1.66 eps at best).",
    "allforall.theorem3b/noiseless": "settled for the second, Theorem 3.b: every f_i is "
    "mu-strongly convex. Sides the same. " + _CONDITION,
    "allforall.lemma4a": "settled for the second, Lemma 4: f is L-relatively smooth. Sides the "
    "same. " + _CONDITION,
    "allforall.lemma4b": "as allforall.lemma4a. " + _CONDITION,
    "allforall.lemma5c": "OPEN, Lemma 5: " + _NUMBER + "Printed without expectation; both take it.",
    "allforall.lemma6a": "OPEN, Lemma 6: printed without expectation. The second takes every "
    "outcome, as printed: it fails there, 1.5 times the bound for T = 2, 2.9 for T = 4. The "
    "statement takes the mean of E f(x^t), at least E f(mean): it holds. The proof takes the mean.",
    "allforall.lemma6b": "OPEN, Lemma 6: as 6a; and T is printed as ceil(2 B^2 D^2/eps^2), which "
    "the second takes, while the statement takes any T from there on.",
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
    "adaptive.theorem2.horizon": "OPEN, Theorem 2, Table 1: the step ln(..)/(mu T) may be "
    "negative; the statement takes 'step size' to exclude that. Sides the same.",
    "adaptive.corollary1/iterations": "OPEN, Corollary 1: 'after T_i^eps iterations'; the "
    "statement takes every T from there on, the second the first. No instance meets the "
    "hypotheses of either: C > 1 is against the step condition.",
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
    "fedbc.lemmaB2": "closed_domain+orders",
    "fedbc.theorem1": "closed_domain+each_G",
    "fedbc.explicit90": "closed_domain",
    "fedbc.corollary46": "first_one",
}
"""Key of a part -> the reading of its second encoding that says what the statement says."""
