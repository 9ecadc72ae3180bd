"""What tests of the readers share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from verify.reading.parts.known_before import fewer_points
from verify.terms import claims


@pytest.fixture(autouse=True)
def few_points(request: pytest.FixtureRequest) -> Iterator[None]:
    """Formulas are held to the program at few points, unless a test is marked ``every_point``.

    Most tests ask what is made of formulas that are read well; that points find those that are not
    is asked by the marked ones.
    """
    if "every_point" in request.keywords:
        yield
        return
    with fewer_points():
        yield


@pytest.fixture(autouse=True)
def quantities_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quantities and families of the tests are trusted as those of the package are."""
    monkeypatch.setattr(claims, "PACKAGES", (*claims.PACKAGES, "tests."))
