"""Where the second encodings of hcct part from the first, and what the paper's words say."""

from __future__ import annotations

__all__ = ["DIFFERENCES"]

_AVERAGED = (
    "OPEN: the second takes the models of Algorithm 1, line 16 included, the first those of the "
    "proof of (39), which are never averaged; Theorem 2 speaks of HCCT. "
)
_SUM = "The first divides the last sum by xi_T as (42) to (44) do; (26) prints it without. "
_LIMIT = "A limit: the paper prints no inequality at a finite T, and the second has none. "

DIFFERENCES: dict[str, str] = {
    "hcct.theorem1@error-exact-labels": (
        "OPEN: the risk of Theorem 1. The second has the expected loss (1), the first the absolute "
        "error of (33). The first also keeps outputs in [0, 1], a range that the paper leaves open."
    ),
    "hcct.theorem1@absolute-loss": (
        "The second misread the world: the client's law lives on the atoms that are seen, where "
        "(29) and (30) make both labels one. Read so, the sides agree."
    ),
    "hcct.theorem1@whole-space": (
        "The sides agree; the Lipschitz condition is tested between other points, and the first "
        "asks in addition that they are far, which is not printed. No instance meets both."
    ),
    "hcct.lemma1/sum@averaged-models": "OPEN: the models of line 16 in the first, of (37) here.",
    "hcct.theorem2@own-models-printed": _AVERAGED,
    "hcct.theorem2@own-models-averaged-sum": _AVERAGED + _SUM,
    "hcct.theorem2@algorithm-averaged-sum": _SUM,
    "hcct.theorem2@algorithm-common-start-averaged-sum": _SUM,
    "hcct.corollary1/recalled@own-models": _AVERAGED,
    **{f"hcct.corollary1/S{k}": _LIMIT for k in (1, 2, 3, 4)},
    "hcct.corollary1/stationary": (
        "OPEN: a limit. The first compares the least value over all common models with 0, the "
        "second the squared gradients where the group rests, the same number there; the first asks "
        "that the optima differ, which is not printed and excludes only the instances where 0 = 0."
    ),
}
