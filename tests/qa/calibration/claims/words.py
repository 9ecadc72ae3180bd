"""Empty words: true, but nothing that a search could have refuted, so never ``holds``.

``deserved`` says whether refusing the word is right: it is where no instance could ever have
spoken against the claim.  Where it is False the claim has content, and only the form in which it is
written hides it; the house rule refuses it all the same, and the reason says what to write instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import record
from tests.qa.calibration.worlds import (
    ANY,
    POSITIVE,
    SHARE,
    deviation,
    excess,
    last,
    numbers,
    scale,
    sgd,
)
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.world.world import World


@dataclass(frozen=True)
class Words:
    """A claim that says nothing, and why it deserves no ``holds``."""

    statement: Statement
    why: str
    deserved: bool = True


def _words(
    name: str, sides: Any, family: Family, why: str, *, deserved: bool = True, **fields: Any
) -> Words:
    return Words(record(f"truth.words.{name}", sides, family, **fields), why, deserved)


def _expanded(w: World) -> Any:
    return {"square": (w.a + w.b) ** 2}, {"product": (w.a + w.b) * (w.b + w.a)}


def _same_run(w: World) -> Any:
    return {"f1": excess(w, last(w))}, {"f1": excess(w, w.run().theta[:, :, w.rounds])}


def _doubled_start(w: World) -> Any:
    start = excess(w, w.start)
    return {"f1": excess(w, last(w))}, {"f0": start, "more": start, "slack": w.beta}


def _sum_of_parts(w: World) -> Any:
    return {"x": w.x}, {"plus": xp.positive_part(w.x), "minus": -xp.positive_part(-w.x)}


ANYONE = Real(-2, 2, per=("N",))
QUIET = {"quiet": lambda w: -scale(w)}

EMPTY_WORDS: tuple[Words, ...] = (
    _words(
        "one_expression",
        lambda w: ({"x^2": w.x**2}, {"x^2": w.x**2}),
        numbers(x=ANY),
        "Both sides are one expression.",
    ),
    _words(
        "equal_to_itself",
        lambda w: ({"x": w.x}, {"x": w.x}),
        numbers(x=ANY),
        "Both sides are one expression.",
        relation="==",
    ),
    _words(
        "one_over_clients",
        lambda w: ({"sum": xp.total(w.x)}, {"sum": xp.total(w.x)}),
        numbers({"N": 2}, {"N": 3}, x=ANYONE),
        "Both sides are one expression.",
        relation=">=",
    ),
    _words("one_run", _same_run, sgd(), "Both sides read the same entry of the same run."),
    _words(
        "expanded",
        _expanded,
        numbers(a=ANY, b=ANY),
        "One expression up to the order of a sum: it deserves to be proved, as an identity of "
        "polynomials, but no search may support it.",
        relation="==",
    ),
    _words(
        "parts",
        _sum_of_parts,
        numbers(x=ANY),
        "x is its positive minus its negative part: the scorer itself writes a side like that.",
        relation="==",
    ),
    _words(
        "constants",
        lambda w: ({"1": 1}, {"2": 2}),
        numbers(x=ANY),
        "No symbol occurs: one evaluation is all there is.",
    ),
    _words(
        "nothing_below_square",
        lambda w: ({"0": 0}, {"x^2": w.x**2}),
        numbers(x=ANY),
        "A number below zero cannot come out of a square.",
    ),
    _words(
        "minus_below_plus",
        lambda w: ({"-|x|": -xp.absolute(w.x)}, {"|y|": xp.absolute(w.y)}),
        numbers(x=ANY, y=ANY),
        "Moved across, it is 0 <= |x| + |y|.",
    ),
    _words(
        "variance",
        lambda w: ({"0": 0}, {"variance": deviation(w) ** 2}),
        sgd(),
        "The mean of a square is not negative.",
        over="mean",
    ),
    _words(
        "do_nothing",
        _doubled_start,
        sgd(),
        "Standing still gives f0, which is below the right side everywhere.",
        given=QUIET,
    ),
    _words(
        "share_below_two",
        lambda w: ({"p": w.p}, {"2": 2 + 0 * w.p}),
        numbers(p=SHARE),
        "The domain says more.",
    ),
    _words(
        "probability_below_one",
        lambda w: ({"x": last(w)[..., 0]}, {"level": w.level}),
        sgd(level=Real(-2, 2, (0, 1))),
        "Every probability is at most one.",
        over="prob",
        delta=lambda w: 1 + 0 * w.level,
    ),
    _words(
        "indicator",
        lambda w: ({"1{x>y}": xp.indicator(xp.above(w.x, w.y), w.x)}, {"1": 1}),
        numbers(x=ANY, y=ANY),
        "An indicator is at most one.",
    ),
    _words(
        "own_hypothesis",
        lambda w: ({"x": w.x}, {"y": w.y}),
        numbers(x=ANY, y=ANY),
        "The hypothesis is the claim: no instance that meets it can break it.",
        given={"x <= y": lambda w: w.y - w.x},
    ),
    _words(
        "own_definition",
        lambda w: ({"x": w.x}, {"top": w.top}),
        numbers(x=POSITIVE, y=POSITIVE),
        "The right side is defined as the left one and something not negative.",
        defines={"top": lambda w: w.x + w.y**2},
    ),
    # with content: tight at x = 1, and a mutant of the constant would be refuted there
    _words(
        "constant_bound",
        lambda w: ({"2x/(1+x^2)": 2 * w.x / (1 + w.x**2)}, {"1": 1}),
        numbers(x=POSITIVE),
        "A side is constant, though the claim has content: it is 2x <= 1 + x^2.",
        deserved=False,
    ),
    _words(
        "constant_identity",
        lambda w: ({"sum": xp.total(w.x / xp.total(w.x)[..., None])}, {"1": 1}),
        numbers({"N": 2}, {"N": 3}, x=Real(1 / 8, 8, log=True, per=("N",))),
        "A side is constant, though weights that forget to divide would break it; it deserves to "
        "be proved.",
        deserved=False,
        relation="==",
    ),
)
