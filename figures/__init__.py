"""The papers' figures that synthetic problems can show, each with ``compute`` and ``plot``."""
