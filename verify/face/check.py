"""One claim, or a few, put to the test from Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

from bounds.numbers.validate import require
from verify.claim.statement import Statement
from verify.face.result import Result, Results, result_of
from verify.line import one_line
from verify.run.printed import quiet
from verify.run.tasks import Settings, examine
from verify.world.unread import check_shapes

__all__ = ["check"]


@overload
def check(
    claim: Statement | str,
    *,
    profile: str = ...,
    seed: int = ...,
    device: str = ...,
    limit: float | None = ...,
) -> Result: ...
@overload
def check(
    claim: Iterable[Statement] | list[str],
    *,
    profile: str = ...,
    seed: int = ...,
    device: str = ...,
    limit: float | None = ...,
) -> Results: ...
def check(
    claim: Statement | str | Iterable[Statement] | list[str],
    *,
    profile: str = "quick",
    seed: int = 0,
    device: str = "cpu",
    limit: float | None = None,
) -> Result | Results:
    r"""Put a claim through the ladder, in this process.

    Parameters
    ----------
    claim : Statement, or several of them
        A text is a claim in one line, ``"5*x*y <= (x+y)**2 for x, y >= 0"``; see
        :func:`verify.line.one_line`.
    profile : {"quick", "default", "thorough"}
        Budget.
    seed : int
        Seed of the run; the same seed gives the same verdict.
    device : str
        Device of simulated runs.
    limit : float, optional
        Seconds that each claim may take to compute. What was found until then is kept: a witness or
        a proof earns its word, and the reason says that time ended the rest.

    Returns
    -------
    Result or Results
        Verdict with everything that it rests on. A side or hypothesis that stops with an error
        leaves its claim ``inconclusive``, with the error and its line as the reason.

    Raises
    ------
    InvalidInput
        If an argument is none of these.

    Examples
    --------
    >>> from verify import Hypothesis, Real, check, numbers, statement
    >>> @statement(
    ...     "mine.mean", where="Lemma 1", latex=r"5xy \le (x+y)^2",
    ...     family=numbers({"x": Real(0, 10), "y": Real(0, 10)}),
    ...     given=[Hypothesis("x is at least 1", r"x \ge 1", lambda w: w.x - 1)],
    ... )
    ... def mean(w):
    ...     return {"product": 5 * w.x * w.y}, {"square": (w.x + w.y) ** 2}
    >>> print(check(mean).reason)
    an instance breaks the claim: left 5, right 4 in rational arithmetic
    >>> check("4*x*y <= (x+y)**2 for x, y >= 0").verdict
    'proved'
    """
    settings = Settings(profile, seed, device, limit=limit).checked()
    if isinstance(claim, Statement | str):
        single: Statement = _read(claim, "line.claim")
        check_shapes([single], whole=False)
        return _checked(single, settings)
    remedy = "decorate the function of its sides with @statement(...)"
    listed = isinstance(claim, Iterable)
    require(listed, "claim", "a Statement, a line, or several", claim, remedy)
    claims: list[Statement] = []
    for number, one in enumerate(claim, 1):
        item = _read(one, f"line.claim{number}")
        good = isinstance(item, Statement)
        require(good, "claim", "a Statement, a line, or several", item, remedy)
        claims.append(item)
    check_shapes(claims, whole=False)
    return Results(_checked(item, settings) for item in claims)


def _read(claim: Any, key: str) -> Any:
    """A claim in one line as the statement that it stands for."""
    return one_line(claim, key) if isinstance(claim, str) else claim


def _checked(claim: Statement, settings: Settings) -> Result:
    with quiet(claim.key):
        return result_of(claim, examine(claim, settings, limit=settings.limit))
