"""Numbers of things in words."""

from __future__ import annotations


def several(count: int, one: str, many: str = "") -> str:
    """Count with its noun.

    Examples
    --------
    >>> several(1, "entry", "entries"), several(2, "leaf", "leaves"), several(0, "figure")
    ('1 entry', '2 leaves', '0 figures')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"
