"""Statements of the papers, one package each."""

UNMIGRATED = frozenset({"adaptive"})
"""TRANSITION: papers that may still be without ``AXES`` and with added hypotheses in printed forms.

Each leaves this set with the commit that declares its axes; then the set goes, and what asks for it.
"""
