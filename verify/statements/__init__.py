"""The library: one package per paper, each with its sheet and the places that it leaves open."""

UNMIGRATED = frozenset({
    "allforall",
    "fedbc",
})  # fmt: skip
"""TRANSITION: papers that may still be without ``AXES`` and with added hypotheses in printed forms.

A paper leaves this set when both are mended; the set goes when it is empty.
"""
