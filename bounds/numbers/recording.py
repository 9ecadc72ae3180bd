"""Values that write down what is done with them, and functions that ask such values first.

A formula that is given such values becomes a list of the operations that it consists of
(`verify.terms`); given numbers it calculates as ever.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

__all__ = ["RecordedValue", "recordable"]

F = TypeVar("F", bound=Callable[..., Any])


class RecordedValue:
    """Base of values that write down which functions they are given to."""

    __slots__ = ()

    def recorded(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """What the function gives for these arguments, one of which is this value."""
        raise NotImplementedError


def recordable(function: F) -> F:
    """The same function; where an argument is `RecordedValue`, that value says what comes out."""

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        for value in args:
            if isinstance(value, RecordedValue):
                return value.recorded(function, args, kwargs)
            if type(value) in (list, tuple):
                for entry in value:
                    if isinstance(entry, RecordedValue):
                        return entry.recorded(function, args, kwargs)
        for value in kwargs.values():
            if isinstance(value, RecordedValue):
                return value.recorded(function, args, kwargs)
        return function(*args, **kwargs)

    return called  # type: ignore[return-value]
