"""Many runs: where they are computed, and what is kept of them."""
