"""Theorems 1 to 3 and Corollary 1 at scale: the rates of the paper and their federations."""

from verify.statements.adaptive.curves.records import RATES

__all__ = ["RATES"]
