"""One number moves by itself: ``paths``, ``confirm``, the ``laws`` and their ``words``."""
