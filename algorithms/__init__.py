"""Training methods on one batched engine, and their serial twins."""
