"""Statements found by key, in the package and in files of users; JSON files."""
