"""Theorem 6.b refined for any losses of the class, and Theorems 2.2 and 7.2, which follow."""

from __future__ import annotations

from verify.outlines.registry import proved_by
from verify.statements.allforall.general import each_agent
from verify.statements.allforall.outlines.theorem6b_class import theorem6b_class
from verify.statements.allforall.proofs.setting import AVERAGING

THEOREM6B = proved_by(each_agent.theorem6b, AVERAGING, theorem6b_class)
