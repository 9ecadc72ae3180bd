"""Notation of All-for-one, and which outline proves which statement of the paper."""
