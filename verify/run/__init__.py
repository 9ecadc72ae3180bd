"""Many statements, in many processes."""
