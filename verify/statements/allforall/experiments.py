"""Section 6.4: the two panels of the figure, described without the settings they need."""

from __future__ import annotations

from verify.statements.allforall.common import unchecked_claim

_MISSING = (
    "dimension, steps, epochs, oracle, start, repetitions and constants of the runs are not stated, "
    "and the claim is qualitative; figures/ draws both panels with stated choices"
)

STATEMENTS = (
    unchecked_claim(
        "expt.a", "claim", "Section 6.4, first panel", r"\frac1N\sum_i\tfrac12\|x_i^t-p_i\|^2",
        "all-for-all against no collaboration and a single model", _MISSING,
    ),
    unchecked_claim(
        "expt.b", "claim", "Section 6.4, second panel",
        r"b_{ij}=\tfrac12(p_i+n_i-p_j-n_j)^2", "noise in the bias parameters", _MISSING,
    ),
)  # fmt: skip
