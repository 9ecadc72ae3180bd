"""Ctrl-C told apart from code of others that raises what Ctrl-C raises."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

__all__ = ["listening", "pressed"]

_PRESSED = False


@contextlib.contextmanager
def listening() -> Iterator[None]:
    """Remember Ctrl-C inside the block; it still raises `KeyboardInterrupt`."""
    global _PRESSED
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    _PRESSED = False
    signal.signal(signal.SIGINT, _press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pressed() -> bool:
    """Whether a `KeyboardInterrupt` is to be taken for Ctrl-C.

    A worker ignores the signal, so there it is never; where nobody listens it always is.
    """
    handler = signal.getsignal(signal.SIGINT)
    return _PRESSED if handler is _press else handler is not signal.SIG_IGN


def _press(_number: int, _frame: FrameType | None) -> None:
    global _PRESSED
    _PRESSED = True
    raise KeyboardInterrupt
