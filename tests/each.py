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

ALL, SOME, OTHERS = "all", "some", "others"
SHARES = (SOME, pytest.param(OTHERS, marks=pytest.mark.slow))


def each(
    names: str | tuple[str, ...],
    cases: Iterable[Any],
    *,
    ids: Callable[[Any], Any] | Iterable[str] = str,
    every: int = 1,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test of all cases at once.

    Parameters
    ----------
    names : str or tuple of str
        Arguments of the test that a case gives: one, or as many as a case has members.
    cases : iterable
    ids : function or iterable of str, optional
        What a failing case is called; by default its text.
    every : int, optional
        With more than one, the first of each so many cases by default; the others are a slow test.

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
        given_by_case = {names} if isinstance(names, str) else set(names)
        taken = set(signature.parameters)
        assert given_by_case <= taken, f"{check.__name__} does not take {names}"

        def loop(share: str = ALL, **fixtures: Any) -> None:
            failed: list[Exception] = []
            skipped: list[str] = []
            named = list(zip(listed, told, strict=True))
            mine = {ALL: named, SOME: named[::every], OTHERS: _without_each(named, every)}[share]
            for case, name in mine:
                try:
                    check(**fixtures, **given(case))
                except pytest.skip.Exception as reason:
                    skipped.append(str(reason))
                except Exception as error:
                    error.add_note(f"case: {name}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(mine)} cases", failed)
            if len(skipped) == len(mine):
                pytest.skip(skipped[0])

        loop.__name__, loop.__doc__, loop.__module__ = (
            check.__name__,
            check.__doc__,
            check.__module__,
        )
        loop.__dict__.update(check.__dict__)  # marks
        rest = [p for name, p in signature.parameters.items() if name not in given_by_case]
        shared = every > 1 and len(listed) > 1
        if shared:
            rest.insert(0, inspect.Parameter("share", inspect.Parameter.KEYWORD_ONLY))
            rest.sort(key=lambda p: p.kind)
        loop.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return pytest.mark.parametrize("share", SHARES)(loop) if shared else loop

    return decorate


def _without_each(cases: list[Any], every: int) -> list[Any]:
    return [case for number, case in enumerate(cases) if number % every]
