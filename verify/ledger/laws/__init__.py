"""Laws that a ledger prints: ``letters`` of a paper, ``in_print``, and ``again`` as a check."""
