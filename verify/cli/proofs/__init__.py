"""Commands for proofs: certificates written, checked, exported, and what has none."""
