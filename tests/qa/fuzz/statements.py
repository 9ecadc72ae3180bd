"""A claim by chance keeps its word however it is written.

`moved` writes one claim in several ways: other names, summands and factors in another order, other
units, another origin, both sides turned round, and, where means and extremes over clients are asked
and no sum, each client split into alike ones, whose shares are then any.  Each has a word of its
own search; one of them proved or held while another is broken is a fault, and so is one that stands
although a random point breaks it (`formulas.value`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random

from tests.qa.fuzz.formulas import MP, NoPoint, Tree, drawn, is_vector, value
from verify.ladder import PROFILES, assay
from verify.line.written import one_line

__all__ = ["breaks", "faults", "line", "moved", "pair"]

Pair = tuple[Tree, Tree]
POSITIVE, REAL = ("y", "v"), ("x", "z", "u")
OTHER = {"x": "beta", "y": "rho", "z": "omega", "u": "delta", "v": "tau"}
UNITS = {"y": Fraction(7, 3), "v": Fraction(2, 5)}
ORIGIN = {"x": Fraction(3, 2), "z": Fraction(-1), "u": Fraction(2)}
SIGNS = {"+": "+", "-": "-", "*": "*", "/": "/"}
WORDS = {"total": "sum_i", "mean": "mean_i", "largest": "max_i", "smallest": "min_i"}
STAND, FALL = ("proved", "holds"), ("violated",)
POINTS, CLIENTS = 300, 3
SHARE = "p"
SHARES: Tree = ("name", SHARE)
WORD = PROFILES["quick"].word_alone()


def pair(rng: Random) -> Pair:
    """Two sides by chance, of numbers and sums over clients; most are true or nearly so."""
    while True:
        first, second = (_drawn(rng, rng.randint(1, 2)) for _ in range(2))
        if all(any(name in _names(side) for name in OTHER) for side in (first, second)):
            break
    beyond = ("+", first, ("square", second))
    ways: list[Pair] = [
        (first, second),
        (first, beyond),
        (("min", second, first), first),
        (first, ("max", first, second)),
        (first, ("-", beyond, ("number", Fraction(1, 50)))),  # false where the square is small
    ]
    return rng.choice(ways)


def _drawn(rng: Random, depth: int) -> Tree:
    while True:
        tree = drawn(rng, depth)
        if "where" not in _kinds(tree):
            return tree


def _kinds(tree: Tree) -> set[str]:
    inner = [_kinds(part) for part in tree[1:] if isinstance(part, tuple)]
    return {tree[0]}.union(*inner)


def _names(tree: Tree) -> set[str]:
    if tree[0] == "name":
        return {tree[1]}
    return set[str]().union(*(_names(part) for part in tree[1:] if isinstance(part, tuple)))


# -- the ways to write it -------------------------------------------------------------------------


def moved(sides: Pair, rng: Random) -> Mapping[str, str]:
    """Lines of the same truth, by what was done."""
    left, right = sides
    turned = (("neg", right), ("neg", left))
    found = {
        "as drawn": line(sides),
        "other names": line(sides, OTHER),
        "another order": line((_reordered(left, rng), _reordered(right, rng))),
        "other units": line((_put(left, "*", UNITS), _put(right, "*", UNITS))),
        "another origin": line((_put(left, "+", ORIGIN), _put(right, "+", ORIGIN))),
        "turned round": line(turned),
    }
    kinds = _kinds(left) | _kinds(right)
    if "mean" in kinds and "total" not in kinds:
        found["clients split"] = line((_split(left), _split(right)))
    return found


def line(sides: Pair, names: Mapping[str, str] | None = None) -> str:
    """A claim as one types it."""
    used = sorted(_names(sides[0]) | _names(sides[1]))
    called = {name: (names or {}).get(name, name) for name in used}
    positive = [called[name] for name in used if name in POSITIVE]
    real = [called[name] for name in used if name in REAL]
    shares = SHARE in used
    positive += [SHARE] * shares
    ranges = [f"{', '.join(positive)} > 0"] * bool(positive) + [f"real {', '.join(real)}"] * bool(
        real
    )
    left, right = (_typed(side, called) for side in sides)
    given = f" given sum_i({SHARE}[i]) == 1" * shares
    return f"{left} <= {right} for {', '.join(ranges)}{given}"


def _typed(tree: Tree, names: Mapping[str, str]) -> str:
    if tree[0] == "name":
        return f"{names[tree[1]]}[i]" if is_vector(tree) or tree == SHARES else names[tree[1]]
    if tree[0] == "number":
        return f"({tree[1]})"
    parts = [_typed(part, names) for part in tree[1:]]
    if tree[0] in SIGNS:
        return f"({parts[0]} {SIGNS[tree[0]]} {parts[1]})"
    (first, *_) = parts
    other = {
        "neg": f"(-{first})",
        "square": f"({first})^2",
        "cube": f"({first})^3",
        "sqrt": f"sqrt(abs({first}))",
        "log": f"log(1 + abs({first}))",
        "part": f"max({first}, 0)",
    }
    return other.get(tree[0]) or f"{WORDS.get(tree[0], tree[0])}({', '.join(parts)})"


def _reordered(tree: Tree, rng: Random) -> Tree:
    parts = [_reordered(part, rng) if isinstance(part, tuple) else part for part in tree[1:]]
    if tree[0] in ("+", "*", "max", "min") and rng.random() < 3 / 4:
        parts.reverse()
    if tree[0] == "-" and rng.random() < 1 / 2:
        return ("+", ("neg", parts[1]), parts[0])
    return (tree[0], *parts)


def _put(tree: Tree, sign: str, numbers: Mapping[str, Fraction]) -> Tree:
    if tree[0] == "name":
        return (sign, ("number", numbers[tree[1]]), tree) if tree[1] in numbers else tree
    return tuple(_put(part, sign, numbers) if isinstance(part, tuple) else part for part in tree)


def _split(tree: Tree) -> Tree:
    """Means with shares p_i: of clients that are split into alike ones they are any, of sum one.

    A continuous claim about means and extremes, whatever the number of clients, says no less.
    """
    if tree[0] == "mean":
        return ("total", ("*", SHARES, _split(tree[1])))
    return tuple(_split(part) if isinstance(part, tuple) else part for part in tree)


# -- their words ----------------------------------------------------------------------------------


def faults(sides: Pair, seed: int, seen: Counter[str] | None = None, ways: int = 6) -> list[str]:
    """What of the words of a claim cannot be, of so many ways to write it."""
    seen = Counter() if seen is None else seen
    words = {}
    for way, text in list(moved(sides, Random(seed)).items())[:ways]:
        words[way, text] = assay(one_line(text), profile=WORD, seed=seed).verdict
        seen[words[way, text]] += 1
    standing = [f"{text} ({way}) {word}" for (way, text), word in words.items() if word in STAND]
    falling = [f"{text} ({way}) {word}" for (way, text), word in words.items() if word in FALL]
    broken = breaks(sides, seed)
    seen["broken at a random point" if broken else "not broken at random points"] += 1
    found = [f"{standing[0]}, but {falling[0]}"] if standing and falling else []
    return found + ([f"{standing[0]}, but broken at {broken}"] if standing and broken else [])


def breaks(sides: Pair, seed: int) -> str:
    """A random point at which a claim is broken; empty where none was found."""
    rng = Random(seed)
    for _ in range(POINTS):
        at = dict(_point(rng))
        try:
            left, right = (value(side, at) for side in sides)
        except NoPoint:
            continue
        if left.at > right.at + MP.mpf(10) ** -20 * max(1, abs(right.at)):
            return ", ".join(f"{name} = {one}" for name, one in at.items())
    return ""


def _point(rng: Random) -> Iterator[tuple[str, Fraction | list[Fraction]]]:
    size = rng.choice((1, 3, 9))
    for name in OTHER:
        low = 0 if name in POSITIVE else -size
        numbers = [low + (size - low) * Fraction(rng.randint(1, 99), 100) for _ in range(CLIENTS)]
        yield name, numbers if name in ("u", "v") else numbers[0]
