"""Where the second encodings of aggregation part from the first, and what the paper's words say."""

from __future__ import annotations

__all__ = ["DIFFERENCES"]

_ROUND = (
    "OPEN: between two aggregations the first keeps the round's alpha (Appendix A: w_{t+1} = w_t - "
    "eta_t sum alpha_t^i g_i at every t), the second takes alpha_t^i = p_i, which (4) prints for "
    "the t that are not 0 mod E. "
)
_PAST = (
    "OPEN: G^2 of A4. The first takes the largest second moment given the past, on every outcome; "
    "A4 prints E||g_i(w_i)||^2 without a condition, and Lemma 2 calls E the total expectation: the "
    "second takes that mean, which is smaller. "
)
_BOUND = (
    "The first also asks for eta_t <= 1/(4L), by its schedule and as a hypothesis; the paper "
    "states no range for eta_t in Theorem 3. "
)
_END = "The first follows rho to the final model too, the second over the rounds that are run. "
_ROUNDS = "The first lets T count rounds and looks at w_TE, with T rounds in T + gamma. "

DIFFERENCES: dict[str, str] = {
    "aggregation.lemma2@any-schedule": _ROUND,
    "aggregation.lemma2@corollary-steps": _ROUND + _PAST + "Schedule of Corollary 4 in the first. ",
    "aggregation.lemma2@halving": _ROUND + _PAST,
    "aggregation.lemma2@shares-between": (
        _PAST + "OPEN: (4) replaces alpha by p altogether; the first puts p into w_t alone and "
        "keeps the round's alpha as the weights of the squares. "
    ),
    "aggregation.theorem3@rounds": _ROUND + _BOUND,
    "aggregation.theorem3@shares-between": _PAST + _BOUND,
    "aggregation.theorem3@final-model": _ROUND + _BOUND + _END,
    "aggregation.theorem3@eq2-timing": _ROUND + _BOUND,
    "aggregation.corollary4@final-model": _ROUND + _END + "The first looks at w_{at+1}. ",
    "aggregation.corollary4@T-rounds": _END + _ROUNDS,
    "aggregation.corollary4@T-rounds-endless": _PAST
    + _END
    + _ROUNDS
    + "It raises tilde rho to rho.",
    "aggregation.eq13": _PAST + _ROUND + _BOUND,
    "aggregation.eq14": _PAST,
    "aggregation.eq17": _PAST,
    "aggregation.eq19": _PAST,
}
