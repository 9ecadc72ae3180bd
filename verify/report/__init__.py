"""The report page: a ledger to look at instead of to read."""

from verify.report.write import report

__all__ = ["report"]
