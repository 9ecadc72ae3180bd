"""What a child does for one call: it reads what was sent, judges it, and writes the files.

Whatever takes time or may go wrong happens in it, so that the server answers others meanwhile and
outlives it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.cli.assistants.calls import Call, Refusal

__all__ = ["answered"]

MEMORY = 6 * 2**30
"""Bytes of addresses that a child may have, where the system can limit them."""


def answered(call: Call) -> Any:
    """The answer to a call as plain data, or a `Refusal`."""
    _apart()
    try:
        return _built()[call.tool](call)
    except InvalidInput as error:
        return Refusal(" ".join(str(error).split()), getattr(error, "marked", ""))
    except (MemoryError, RecursionError) as error:
        what = "memory" if isinstance(error, MemoryError) else "depth of nesting"
        return Refusal(f"input must fit into the {what} of one call, got more: send less.")


def _built() -> dict[str, Callable[[Call], Any]]:
    """What is done for each tool; the server, which does none of it, need not load it."""
    from verify.cli.assistants import judged, read

    return {
        "check": judged.check,
        "repair": judged.repair,
        "explain": read.explain,
        "paper": read.paper,
        "library": read.library,
    }


def _apart() -> None:
    """Keep what anything prints off the wire, and memory within bounds."""
    with contextlib.suppress(OSError):
        os.dup2(sys.stderr.fileno(), 1)
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
