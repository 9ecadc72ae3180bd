"""Ask a question in a process of its own, with a limit on its time and its memory."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable

__all__ = ["ask"]

TOO_MUCH = "time or memory"


def ask(question: Callable[[], str], seconds: int, memory: int = resource.RLIM_INFINITY) -> str:
    """The answer; the name of what was raised, or that it took too much time or memory."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        said = TOO_MUCH
        try:
            said = question()
        except BaseException as error:
            said = f"{type(error).__name__} in the changed file"
        finally:
            os.write(write, (said or "-").encode()[:1000])
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as found:
        said = found.read() or TOO_MUCH
    return "" if said == "-" else said
