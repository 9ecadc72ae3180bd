"""Statements, the ladder of evidence, verdicts, ledger and command line."""
