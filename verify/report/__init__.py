"""The report page: a ledger to look at instead of to read.

It is loaded when it is first asked for: much of the program takes words and marks from this room,
and little of it makes the page.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.report.write import report

__all__ = ["report"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("verify.report.write").report
