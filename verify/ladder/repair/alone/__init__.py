"""One number moves by itself.

Order of the files: ``reach`` (how far a size is followed), ``paths``, ``confirm``, ``words``, the
``laws``, and ``again`` (those of an earlier search, measured again).
"""
