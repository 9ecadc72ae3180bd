"""pytest: statements as tests.

Name it in the root conftest: ``pytest_plugins = ["verify.pytest_plugin"]``. Then::

    @pytest.mark.statement("mine.lemma1", file="mine.py")
    def test_lemma(result):                 # fails unless it is proved or holds
        assert result.tightness["ratio"] > 0.9

    @pytest.mark.statement("hcct.lemma1", verdict="violated")
    def test_the_printed_lemma_falls(): ...

    def test_my_own(assert_holds):
        assert_holds(statement, alpha=1e-9)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verify.claim.statement import Statement
    from verify.face.result import Result

GOOD = ("proved", "holds")
"""Verdicts under which a statement passes, where the test names no other."""

MARKER = (
    "statement(key, file=None, verdict=None, profile='quick', seed=0, alpha=1e-9): put a statement "
    "of the library, or of a file beside the test, to the test; it must be proved or hold"
)

_FOUND: dict[Any, Any] = {}
"""Results of this session: several tests may speak about one statement."""


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture(scope="session")
def assert_holds() -> Callable[..., Result]:
    """Callable that puts a statement to the test and fails with verdict, reason and witness.

    ``assert_holds(statement, profile="quick", seed=0, alpha=1e-9)`` returns the result. A true
    claim fails by chance with probability alpha at most.
    """
    from verify.face.settled import ALPHA, settled

    def holds(
        statement: Statement, profile: str = "quick", seed: int = 0, alpha: float = ALPHA
    ) -> Result:
        found = settled(statement, profile=profile, seed=seed, alpha=alpha)
        _require(found, GOOD)
        return found

    return holds


@pytest.fixture
def statement(request: pytest.FixtureRequest) -> Statement:
    """The statement that the test's marker names."""
    return _named(request, *_marker(request))


@pytest.fixture
def result(request: pytest.FixtureRequest) -> Result:
    """What a check of the statement that the marker names has found."""
    return _result(request)


@pytest.fixture(autouse=True)
def _marked_statement(request: pytest.FixtureRequest) -> None:
    """A test with the marker fails unless its statement has the verdict it should have."""
    if request.node.get_closest_marker("statement") is None:
        return
    _, settings = _marker(request)
    wanted = settings.get("verdict")
    _require(_result(request), GOOD if wanted is None else (wanted,))


def _result(request: pytest.FixtureRequest) -> Result:
    from verify.face.settled import settled

    key, settings = _marker(request)
    made = _named(request, key, settings)
    asked = {k: v for k, v in settings.items() if k not in ("file", "verdict")}
    place = (made.key, str(settings.get("file")), tuple(sorted(asked.items())))
    if place not in _FOUND:
        _FOUND[place] = settled(made, **asked)
    found: Result = _FOUND[place]
    return found


def _marker(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    mark = request.node.get_closest_marker("statement")
    usage = "write @pytest.mark.statement('key'), with file=, verdict=, profile=, seed= or alpha="
    if mark is None:
        pytest.fail(f"no statement is named for this test: {usage}", pytrace=False)
    known = {"file", "verdict", "profile", "seed", "alpha"}
    if len(mark.args) != 1 or not isinstance(mark.args[0], str) or set(mark.kwargs) - known:
        pytest.fail(
            f"marker must name one key, got {mark.args} {mark.kwargs}: {usage}", pytrace=False
        )
    return mark.args[0], dict(mark.kwargs)


def _named(request: pytest.FixtureRequest, key: str, settings: dict[str, Any]) -> Statement:
    from bounds.numbers.validate import InvalidInput
    from verify.catalogue.library import library
    from verify.catalogue.user_file import Origin, load_statements

    try:
        if settings.get("file") is None:
            return library().leaf(key)
        return load_statements(Origin.of(request.path.parent / settings["file"])).leaf(key)
    except InvalidInput as error:
        pytest.fail(str(error), pytrace=False)


def _require(found: Result, good: tuple[str, ...]) -> None:
    if found.verdict not in good:
        pytest.fail(
            f"{found.key} is {found.verdict}, not {' or '.join(good)}\n{found}", pytrace=False
        )
