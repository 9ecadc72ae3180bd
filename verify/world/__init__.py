"""An instance in which a claim is evaluated: runs, scores, and the exact referee."""
