"""The best possible method after any number of samples: what a sample does to the weights of signs.

The roots of the weights are vectors: of those after t samples only inner products are known, in the
mean over all sequences of outcomes.  So a sum over the outcomes of a sample is one over sequences,
whose chances and scale are chosen: each outcome has its weight over scale^2 as chance, and what is
left is an outcome in which both roots are zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import isqrt, prod
from typing import TYPE_CHECKING, Any

from verify.outlines.exact import fractions
from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.allforall.general import best_method

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

NAMES = ("plus", "minus", "right", "wrong", "part", "precision")
QUANTITIES = (
    Quantity("t", "index", "samples so far", "t"),
    Quantity("plus", "positive", "root of the weight of plus", r"\sqrt p"),
    Quantity("minus", "positive", "root of the weight of minus", r"\sqrt q"),
    Quantity("right", "positive", "root of (1 + z)/2, up to a factor", r"\sqrt{(1+z)/2}"),
    Quantity("wrong", "positive", "root of (1 - z)/2, up to the same", r"\sqrt{(1-z)/2}"),
    Quantity("part", "nonnegative", "agents that toss a coin", r"n/N"),
    Quantity("precision", "positive", "precision", r"\varepsilon"),
    Quantity("T", "nonnegative integer", "samples", "T"),
    Quantity("a[t]", "vector", "root of the weight of plus", r"\sqrt{P_t}"),
    Quantity("b[t]", "vector", "root of the weight of minus", r"\sqrt{Q_t}"),
    Quantity("c", "vector", "the smaller of both in the end", r"\sqrt{\min(P_T,Q_T)}"),
    Quantity("d", "vector", "the larger of both", r"\sqrt{\max(P_T,Q_T)}"),
)


def _sampled(x: str, y: str, then_x: Sequence[str], then_y: Sequence[str]) -> str:
    """The product of two roots after a sample: a toss, the other one, or none."""
    tosses = " + ".join(
        f"({one}*{x})*({other}*{y})" for one, other in zip(then_x, then_y, strict=True)
    )
    return f"part/(right**2 + wrong**2)*({tosses}) + (1 - part)*({x}*{y})"


def _at_most(less: str, more: str, scope: str = "") -> Guaranteed:
    return Guaranteed("relation", {"less": less, "more": more}, scope=scope)


_TOSS, _OTHER = ("right", "wrong"), ("wrong", "right")
_A_SAMPLE = "samples of which the share n/N is a toss of a coin"
_BOTH = _sampled("a[t]", "b[t]", _TOSS, _OTHER)
FACTS = {
    "a share": Guaranteed("condition", {"less": "part", "more": "1"}, scope=""),
    "begins with plus": _at_most("a[0]**2", "plus**2"),
    "begins with minus": _at_most("b[0]**2", "minus**2"),
    "begins with both": _at_most("plus*minus", "a[0]*b[0]"),
    "plus": _at_most("a[t + 1]**2", _sampled("a[t]", "a[t]", _TOSS, _TOSS), _A_SAMPLE),
    "minus": _at_most("b[t + 1]**2", _sampled("b[t]", "b[t]", _OTHER, _OTHER), _A_SAMPLE),
    "both": _at_most(_BOTH, "a[t + 1]*b[t + 1]", _A_SAMPLE),
    "their product": _at_most("a[T]*b[T]", "c*d"),
    "their squares": _at_most("c**2 + d**2", "a[T]**2 + b[T]**2"),
}
TERMS = (
    Term("plus", lambda w: w.plus),
    Term("minus", lambda w: w.minus),
    Term("right", lambda w: w.right),
    Term("wrong", lambda w: w.wrong),
    Term("part", lambda w: w.part),
    Term("precision", lambda w: w.precision),
    Term("T", lambda w: w.samples),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """All sequences of outcomes, with the roots of weights on each."""
    numbers = {n: fractions(world.original(n))[0] for n in NAMES}
    if world.has("theta"):
        numbers["theta"] = fractions(world.original("theta"))[0]
    right, wrong, part = (numbers[n] for n in ("right", "wrong", "part"))
    samples = int(world.original("samples"))
    toss = part / (right**2 + wrong**2)
    scale = isqrt(int(2 * toss + 1)) + 1
    chances = [x / scale**2 for x in (toss, toss, 1 - part)]
    outcomes = [(right, wrong), (wrong, right), (Fraction(1), Fraction(1)), (Fraction(0),) * 2]
    paths = list(product(range(4), repeat=samples))
    chances.append(1 - sum(chances, Fraction(0)))

    def root(outcome: int, t: int, of: int) -> Fraction:
        start = numbers["minus" if of else "plus"]
        return start * prod(
            (scale * outcomes[k][of] for k in paths[outcome][:t]), start=Fraction(1)
        )

    def at_end(outcome: int) -> dict[str, Fraction]:
        a, b = root(outcome, samples, 0), root(outcome, samples, 1)
        squares = a**2 + b**2
        share = b**2 / squares if squares else squares
        return {"c": min(a, b), "d": max(a, b), "e": a * share, "f": b * (1 - share)}

    return ExactRun(
        [prod((chances[k] for k in path), start=Fraction(1)) for path in paths],
        numbers={n: _number(v) for n, v in {**numbers, "T": Fraction(samples)}.items()},
        vectors={
            "a": lambda _, o, i, t: (root(o, t, 0),),
            "b": lambda _, o, i, t: (root(o, t, 1),),
            "c": lambda _, o, i: (at_end(o)["c"],),
            "d": lambda _, o, i: (at_end(o)["d"],),
            "e": lambda _, o, i: (at_end(o)["e"],),
            "f": lambda _, o, i: (at_end(o)["f"],),
        },
    ), {"t": samples}


def _number(value: Fraction) -> Callable[[], Fraction]:
    return lambda: value


CONVEX = OutlineSetting(
    "two signs, n of N agents that toss equal coins",
    (best_method.best_convex.family,),
    QUANTITIES,
    (*TERMS, Term("8*precision*c**2", best_method.best_convex_gap)),
    FACTS,
    measured,
)
QUADRATIC = replace(
    CONVEX,
    families=(best_method.best_quadratic.family,),
    quantities=(
        *(q for q in QUANTITIES if q.name not in ("c", "d")),
        Quantity("theta", "real", "any number", r"\theta"),
        Quantity("e", "vector", "share of minus in the end, times a", r"\tfrac{Q_T\sqrt{P_T}}{P_T+Q_T}"),
        Quantity("f", "vector", "share of plus in the end, times b", r"\tfrac{P_T\sqrt{Q_T}}{P_T+Q_T}"),
    ),
    terms=(
        *TERMS,
        Term("theta", lambda w: w.theta),
        Term("8*precision*(e**2 + f**2)", best_method.best_quadratic_gap),
    ),
    facts={
        **{n: fact for n, fact in FACTS.items() if not n.startswith("their")},
        "begins with no more": _at_most("a[0]*b[0]", "plus*minus"),
        "no more of both": _at_most("a[t + 1]*b[t + 1]", _BOTH, _A_SAMPLE),
        "shares": _at_most("e*b[T] + f*a[T]", "a[T]*b[T]"),
        "no fewer shares": _at_most("a[T]*b[T]", "e*b[T] + f*a[T]"),
    },
)  # fmt: skip

KAPPA = "(1 - part*(1 - 2*right*wrong/(right**2 + wrong**2)))"


def _masses(o: StatementOutline) -> None:
    """Weights keep their sums."""
    for root, name in (("a", "plus"), ("b", "minus")):
        o.uses(name, f"begins with {name}")
        o.step(f"{name} is kept", f"{root}[t + 1]**2 <= {root}[t]**2", name)
        o.close(
            f"all of {name}",
            f"{root}[T]**2 <= {root}[0]**2",
            "telescoped",
            step=f"{name} is kept",
            index="t",
            rounds="T",
            of=f"{root}[t]**2",
        )


def _alike(o: StatementOutline, name: str, start: str, sample: str, sign: str = "") -> None:
    """By induction, a sample leaves kappa of what both have in common."""
    o.uses(start, sample)
    gap = f"{sign}(a[t]*b[t] - {KAPPA}**t*plus*minus)"
    after = gap.replace("[t]", "[t + 1]").replace("**t*", "**(t + 1)*")
    o.step(
        f"{name} after one more",
        f"0 <= {after}",
        f"{sample}; kappa",
        supposing=f"0 <= {gap}",
    )
    o.close(name, f"0 <= {gap}", "induction", claim=gap, index="t", next=f"{name} after one more")


@proof_of(best_method.best_convex, CONVEX)
def convex(o: StatementOutline) -> None:
    """With l, h the smaller and the larger root, 9 l^2 + h^2 >= 6 l h."""
    o.uses("a share", "their product", "their squares")
    o.step("kappa", f"0 <= {KAPPA}", "a share")
    _masses(o)
    _alike(o, "in common", "begins with both", "both")
    o.step("smaller and larger", "6*(c*d) <= 9*c**2 + d**2", roots="3*c - d")
    o.step(
        "gap",
        f"{o.left} <= {o.right}",
        "smaller and larger times precision; their product times 6*precision;"
        "their squares times precision; in common at t = T times 6*precision;"
        "all of plus times precision; begins with plus times precision;"
        "all of minus times precision; begins with minus times precision",
    )


@proof_of(best_method.best_quadratic, QUADRATIC)
def quadratic(o: StatementOutline) -> None:
    """(e - theta b)^2 + (f - theta a)^2 >= 0, and e b + f a is a b."""
    o.uses("a share", "shares", "no fewer shares")
    o.step("kappa", f"0 <= {KAPPA}", "a share")
    _masses(o)
    _alike(o, "in common", "begins with both", "both")
    _alike(o, "no more in common", "begins with no more", "no more of both", "-")
    both, common = "e*b[T] + f*a[T]", f"{KAPPA}**T*plus*minus"
    o.step("from below", f"{common} <= {both}", "in common at t = T; no fewer shares")
    o.step("from above", f"{both} <= {common}", "no more in common at t = T; shares")
    o.step("a square", "0 <= (1 + theta)**2/2", roots="1 + theta")
    o.step("another", "0 <= (1 - theta)**2/2", roots="1 - theta")
    o.step(
        "any theta",
        f"2*theta*{common} <= 2*theta*({both})",
        "from below times (1 + theta)**2/2; from above times (1 - theta)**2/2",
    )
    o.step(
        "squares",
        f"2*theta*({both}) <= e**2 + f**2 + theta**2*(a[T]**2 + b[T]**2)",
        roots="e - theta*b[T]; f - theta*a[T]",
    )
    o.step(
        "gap",
        f"{o.left} <= {o.right}",
        "any theta times 8*precision; squares times 8*precision;"
        "all of plus times 8*precision*theta**2; begins with plus times 8*precision*theta**2;"
        "all of minus times 8*precision*theta**2; begins with minus times 8*precision*theta**2",
    )
