"""Notation of weighted gradient averaging, and which outline proves which statement."""
