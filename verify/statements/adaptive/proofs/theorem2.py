"""Rows of Theorem 2, as repaired."""

from __future__ import annotations

from verify.outlines.registry import proved_by
from verify.statements.adaptive import theorem2
from verify.statements.adaptive.outlines.theorem2_const import theorem2_const
from verify.statements.adaptive.outlines.theorem2_const_refined import theorem2_const_refined
from verify.statements.adaptive.outlines.theorem2_decr import theorem2_decr
from verify.statements.adaptive.proofs.setting import (
    ANY_PATH,
    DECREASING,
    DECREASING_ON_ANY_PATH,
    STOPPED,
)

CONSTANT_ROW = proved_by(theorem2.constant_row_repaired, STOPPED, theorem2_const)
DECREASING_ROW = proved_by(theorem2.decreasing_row_repaired, DECREASING, theorem2_decr)
CONSTANT_ROW_REFINED = proved_by(theorem2.stopped_constant, ANY_PATH, theorem2_const_refined)
DECREASING_ROW_REFINED = proved_by(
    theorem2.stopped_decreasing, DECREASING_ON_ANY_PATH, theorem2_decr
)
