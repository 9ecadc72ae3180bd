"""One loop is one test: every case is tried, and all that fail are told by name.

``@each("key", TABLE)`` takes the place of ``@pytest.mark.parametrize("key", TABLE)`` where a test
is one loop over many small cases: thousands of names cost more than what they stand for.  Fixtures
are made once for the whole loop; where a case needs one of its own, parametrize.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each(
    names: str | tuple[str, ...],
    cases: Iterable[Any],
    *,
    ids: Callable[[Any], Any] | Iterable[str] = str,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test of all cases at once.

    Parameters
    ----------
    names : str or tuple of str
        Arguments of the test that a case gives: one, or as many as a case has members.
    cases : iterable
    ids : function or iterable of str, optional
        What a failing case is called; by default its text.

    Raises
    ------
    ValueError
        If there are no cases (a loop over nothing cannot fail), or one has marks.
    ExceptionGroup
        By the test: what failed, each with a note that names the case.
    """
    listed = list(cases)
    parameters = [case for case in listed if hasattr(case, "marks")]
    if parameters:  # of pytest.param: a mark is for a test, and a case is none
        if any(case.marks for case in parameters):
            raise ValueError(f"cases for {names} must have no marks: parametrize those that have")
        one = isinstance(names, str)
        ids = [str(case.id) for case in parameters]
        listed = [case.values[0] if one else case.values for case in parameters]
    if not listed:
        raise ValueError(f"cases for {names} must be at least one, got none: mend the table")
    told = [ids(case) for case in listed] if callable(ids) else list(ids)

    def given(case: Any) -> dict[str, Any]:
        if isinstance(names, str):
            return {names: case}
        return dict(zip(names, case, strict=True))

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(check)
        mine = {names} if isinstance(names, str) else set(names)
        assert mine <= set(signature.parameters), f"{check.__name__} does not take {names}"

        def loop(**fixtures: Any) -> None:
            failed: list[Exception] = []
            skipped: list[str] = []
            for case, name in zip(listed, told, strict=True):
                try:
                    check(**fixtures, **given(case))
                except pytest.skip.Exception as reason:
                    skipped.append(str(reason))
                except Exception as error:
                    error.add_note(f"case: {name}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(listed)} cases", failed)
            if len(skipped) == len(listed):
                pytest.skip(skipped[0])

        loop.__name__, loop.__doc__, loop.__module__ = (
            check.__name__,
            check.__doc__,
            check.__module__,
        )
        loop.__dict__.update(check.__dict__)  # marks
        rest = [p for name, p in signature.parameters.items() if name not in mine]
        loop.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return loop

    return decorate
