"""Where the second encodings of fedbc part from the first, and what the paper's words say."""

from __future__ import annotations

__all__ = ["DIFFERENCES"]

_CLOSED = (
    "OPEN: X. The first takes the least interval with the run in which every server model has a "
    "stationary point, the second one with those of the Lagrangians that were met; Assumption 4.1 "
    "leaves (z, lambda) free. "
)
_STIFF = (
    "The first asks for lambda_min >= 1 + max_i L_i, which is not printed; before (43) stands "
    "lambda_i^t >= 1 + L_i. "
)
_WIDE = (
    "OPEN: the first asks for lambda_min >= 1 + max_i L_i and lambda_max < (1 + L_i)^2/L_i; Lemma "
    "B.1 names Assumptions 4.1 and 4.2 alone, and the first condition comes in before (43), the "
    "second after (61). Without them 2 M_1^2 epsilon is too small where M_1 < 1, and (27) has "
    "2 epsilon. "
)
_C0 = (
    "The first asks for C_0 > 0 as well; after (61) the paper says that C_0 is positive if "
    "lambda_max < (1 + L_i)^2/L_i, and asks for that alone. "
)
_SLOPES = "The second asks for |grad f_i(x_i^T)| <= G, printed after (81), with the G of (37). "
_LETTER = "The first reads another G here. "
_FIRST = (
    "OPEN: the summand k = 0 needs z^{-1}, which is not defined; the first gives it the value 1, "
    "the second takes z^{-1} = z^0. "
)
_ORDERS = (
    "Under the conditions printed before (43) and after (61), which the second asks for, no "
    "instance of this family is left; Theorem 4.5 itself names Assumptions 4.1 to 4.3 alone. "
    "G of B_0 is (81) in the first, (37) in the second. "
)

DIFFERENCES: dict[str, str] = {
    "fedbc.grad/18@sum": (
        "(18) names L_i on the left and sums on the right; the first reads L of (16) on the left, "
        "so that the identity holds."
    ),
    "fedbc.grad/18@mean": "As @sum, with the mean (8) on the left.",
    "fedbc.grad/18@one": "The same sentence: the first has device 0, the second every device.",
    **{f"fedbc.lemmaB1i@{devices}": _WIDE for devices in ("V", "A")},
    **{
        f"fedbc.lemmaB1ii@{devices}-{letter}": _CLOSED + _STIFF + more
        for devices in ("V", "A")
        for letter, more in (("dual", ""), ("gradient", _LETTER))
    },
    **{f"fedbc.lemmaB2@{devices}": _CLOSED + _STIFF + _C0 for devices in ("V", "A")},
    **{f"fedbc.theorem1@{devices}": _CLOSED + _ORDERS for devices in ("V", "A")},
    **{
        f"fedbc.explicit90@{devices}-{letter}": _CLOSED + _STIFF + _C0 + _SLOPES + more
        for devices in ("V", "A")
        for letter, more in (("dual", ""), ("gradient", _LETTER), ("each", _LETTER))
    },
    **{
        f"fedbc.corollary46/{part}@{update}": _FIRST + (_CLOSED if update == "projected" else "")
        for part in ("orders", "constants")
        for update in ("projected", "relaxed")
    },
}
