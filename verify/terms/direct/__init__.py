"""Terms that are made directly, as a line is read: ``build``; and ``python``, their program."""
