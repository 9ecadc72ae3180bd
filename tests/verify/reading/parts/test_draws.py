"""Sums over clients as means over a draw: what is proved so, what must not be, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
import sympy

from bounds import generic as xp
from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.prove import Hypothesis as Given
from verify.claim import Hypothesis, Real, Statement, numbers, statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading.claim_sets import claim_sets
from verify.reading.parts import draws
from verify.reading.parts.claim import Claim, ReadClaim, said
from verify.reading.parts.draws import DRAWN, as_draws
from verify.reading.parts.squares import squares_met
from verify.world.world import World

SIZES = ({"N": 1, "d": 1}, {"N": 2, "d": 1}, {"N": 3, "d": 2})
VECTOR = Real(-4, 4, per=("N", "d"))
BOX = {
    "size": Real(1 / 8, 8, log=True, per=("N",)),
    **dict.fromkeys(("model", "slope"), VECTOR),
    **dict.fromkeys(("own", "here"), Real(-8, 8, per=("N",))),
    "bend": Real(1 / 8, 8, log=True),
}


def share(w: World) -> Any:
    return w.size / xp.total(w.size)[..., None]


def centre(w: World) -> Any:
    return xp.total(share(w)[..., None] * w.model, -2)


def spread(w: World) -> Any:
    return xp.squared_norm(w.model - centre(w)[..., None, :])


SMOOTH = Hypothesis(
    "smooth",
    "",
    lambda w: (
        w.own
        + xp.dot(w.slope, centre(w)[..., None, :] - w.model)
        + w.bend[..., None] * spread(w) / 2
        - w.here
    ),
)


def at_the_average(factor: Any = 1, given: Sequence[Hypothesis] = (SMOOTH,)) -> Statement:
    """Losses at the average model, by slopes and distances from it."""

    def sides(w: World) -> Any:
        slopes = w.slope - xp.total(share(w)[..., None] * w.slope, -2)[..., None, :]
        away = centre(w)[..., None, :] - w.model
        right = {
            "own": xp.total(share(w) * w.own),
            "slopes": xp.total(share(w) * xp.dot(slopes, away)),
            "spread": factor * w.bend * xp.total(share(w) * spread(w)) / 2,
        }
        return {"here": xp.total(share(w) * w.here)}, right

    family = numbers(BOX, *SIZES)
    return statement("draws.claim", where="here", latex="", family=family, given=given)(sides)


def drawn(made: Statement) -> list[ReadClaim]:
    return [one for claims in claim_sets(made) for one in claims if DRAWN in one.label]


def test_a_mean_of_products_is_proved_for_all_weights_and_dimensions() -> None:
    (one,) = drawn(at_the_average())
    assert not any(e.atoms(sympy.Sum) for e in said(one.claim))
    assert {"model_apart", "slope_apart"} <= set(one.vectors)
    (found,) = prove(at_the_average())
    assert found.status == "decided"
    proof = json.loads(json.dumps(found.proof))
    assert recheck(at_the_average(), proof)
    assert not recheck(at_the_average(Fraction(1, 2)), proof)


@pytest.mark.parametrize("false", [at_the_average(Fraction(1, 2)), at_the_average(given=())])
def test_what_is_false_is_not_proved(false: Statement) -> None:
    assert drawn(false)
    assert not [*prove(false)]


def test_a_deviation_that_is_forgotten_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the second part the mean of a square would be the square of the mean: a falsehood."""

    def sides(w: World) -> Any:
        squares = xp.total(share(w) * xp.squared_norm(w.model))
        return {"squares": squares}, {"square": xp.squared_norm(centre(w))}

    box = {name: BOX[name] for name in ("size", "model")}
    made = statement("draws.fault", where="here", latex="", family=numbers(box, *SIZES))(sides)
    assert not [*prove(made)]
    whole = draws._Draw._linear

    def forgetful(self: Any, base: Any, index: Any) -> Any:
        parts = whole(self, base, index)
        return None if parts is None else (parts[0], sympy.Integer(0))

    monkeypatch.setattr(draws._Draw, "_linear", forgetful)
    assert [*prove(made)]


def through(part: int, given: Sequence[Hypothesis] | None = None) -> Statement:
    """|a - mean of s|^2 by |a - m|^2 and |m - s|^2: a root that no formula has."""

    def first(w: World) -> Any:
        return xp.squared_norm(w.far[..., None, :] - w.model)

    def sides(w: World) -> Any:
        mean = xp.total(share(w)[..., None] * w.slope, -2)
        return {"far": xp.squared_norm(w.far - mean)}, {
            "first": part * xp.total(share(w) * first(w)),
            "second": part * xp.total(share(w) * w.own),
        }

    unlike = Hypothesis("unlike", "", lambda w: w.own - xp.squared_norm(w.model - w.slope))
    box = {name: BOX[name] for name in ("size", "model", "slope", "own")}
    family = numbers({**box, "far": Real(-4, 4, per=("d",))}, *SIZES)
    found = (unlike,) if given is None else given
    return statement("draws.far", where="here", latex="", family=family, given=found)(sides)


def test_a_chain_of_two_squares_is_proved() -> None:
    (found,) = prove(through(2))
    assert found.status == "decided"
    assert not [*prove(through(1))]
    assert not [*prove(through(2, given=()))]


# -- by hand ---------------------------------------------------------------------------------------

k, N = client_symbol()
OVER = sympy.Tuple(k, 1, N)
p, a, b = (sympy.IndexedBase(n, positive=True)[k] for n in "pab")
x, y = (sympy.IndexedBase(n, real=True)[k] for n in "xy")
z = sympy.Symbol("z", real=True)


def read(left: Any, *given: Any, shares: bool = True, vectors: Any = ("x", "y", "z")) -> Any:
    total = sympy.Sum(p, OVER)
    one = [Given("one", total - 1), Given("at most one", 1 - total)] if shares else []
    known = [*one, *(Given(str(e), e) for e in given)]
    return as_draws(ReadClaim({}, Claim(left, sympy.Integer(0), "<=", known), vectors))


def total(body: Any) -> Any:
    return sympy.Sum(p * body, OVER)


def test_two_parts_of_a_product() -> None:
    found = read(total(x * y) + total(x) * z + total(a))
    mean_x, mean_y, apart_x, apart_y = (
        sympy.Symbol(n, real=True) for n in ("mean_of_x", "mean_of_y", "x_apart", "y_apart")
    )
    expected = mean_x * mean_y + apart_x * apart_y + mean_x * z
    assert sympy.expand(found.claim.left - expected) == sympy.Symbol("mean_of_a", positive=True)


def test_what_each_client_has_is_known_in_the_mean() -> None:
    """Of what is no mean nothing is kept, and nothing of the weights themselves."""
    found = read(total(a), 1 - a, 1 - a * x**2, 2 - p, a**2 * b - 1)
    assert [h.name for h in found.claim.hypotheses] == [str(1 - a)]


def test_a_sum_without_weights_is_that_of_all_n() -> None:
    found = read(sympy.Sum(x, OVER) ** 2 - N * sympy.Sum(x**2, OVER), shares=False)
    assert sympy.expand(found.claim.left + N**2 * sympy.Symbol("x_apart", real=True) ** 2) == 0


REFUSED: dict[str, Callable[[], Any]] = {
    "no weights": lambda: read(total(x**2), shares=False),
    "other weights": lambda: read(sympy.Sum(a * x**2, OVER)),
    "weights squared": lambda: read(sympy.Sum(p**2 * x**2, OVER)),
    "a sum of squares": lambda: read(sympy.Sum(x**2, OVER)),
    "three factors": lambda: read(total(a * x * y)),
    "a number times a vector": lambda: read(total(a * x) * z),
    "a fourth power": lambda: read(total(x**4)),
    "a quotient": lambda: read(total(1 / a)),
    "other ends": lambda: read(sympy.Sum(p * x**2, (k, 2, N))),
    "every client by itself": lambda: read(x**2 - total(x**2)),
    "no sum": lambda: read(z**2),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_mean_is_refused(name: str) -> None:
    assert REFUSED[name]() is None


# -- squares that no formula has -------------------------------------------------------------------


def three_points(length: Any = 1) -> Statement:
    """|a - b|^2/2 by a product and |a - z|^2/2: what is over is the square of z - b, halved."""
    point = Real(-4, 4, per=("d",))

    def sides(w: World) -> Any:
        first, second = w.own - w.other, w.far - w.other
        return {"near": length * xp.squared_norm(first) / 2}, {
            "product": xp.dot(first, second),
            "far": w.bend * xp.squared_norm(w.own - w.far) / 2,
        }

    family = numbers(
        {
            **dict.fromkeys(("own", "other", "far"), point),
            "bend": Real(1, 8, log=True, domain=(1, 9)),
        },
        {"d": 1},
        {"d": 2},
    )
    return statement("draws.points", where="here", latex="", family=family)(sides)


def test_squares_of_differences_of_what_is_squared_are_tried() -> None:
    (one, *_) = [one for claims in claim_sets(three_points()) for one in claims]
    own, other, far = (sympy.Symbol(n, real=True) for n in ("own", "other", "far"))
    tried = [sympy.expand(e) for e in squares_met(one)]
    assert any(e in tried for e in (far - other, other - far))
    assert own - 2 * other + far not in tried[:2]
    (found,) = prove(three_points())
    assert found.status == "decided"
    assert not [*prove(three_points(length=2))]
