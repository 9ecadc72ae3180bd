"""Studies that compare methods on one federation; callable with ``python -m``."""
