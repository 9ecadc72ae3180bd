"""A law of one moving number in one line, from its entry in a ledger alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from verify.ladder.repair import tuning

__all__ = ["law_text"]

Letter = Callable[[str], str]
"""What a field of an instance is called, in print."""


def law_text(law: Mapping[str, Any], letter: Letter | None = None) -> str:
    """The law in words.

    Parameters
    ----------
    law : mapping
        Entry of a ledger's list of laws.
    letter : callable, optional
        What a field (``name`` or ``name[0]``) is called in print; its own name by default.
    """
    name = letter or (lambda own: own)
    path = law["path"]
    bare = law["along"].removeprefix("1/")
    whole = bare.endswith("[:]")
    symbol = "c" if whole else name(bare)
    over = law["along"] != bare
    along = f"1/{symbol}" if over else symbol
    moves = [f"all {name(bare)} times c"] if whole else []
    moves += [_moved(move, name, symbol) for move in path["moves"][1:]]
    tied = [name(one) for one in law["tied"]]
    beside = f", {', '.join(moves)}" if moves else ""
    beside += f", and with it {', '.join(tied)}" if tied else ""
    start = "the witness" if path["witness"] else "the worst instance found"
    head = f"along {along}{beside}, all else as at {start}, left/right"
    count, last = len(law["values"]), law["values"][-1][0]
    upto = f"({count} values, up to {along} = {last:g})"
    return f"{head} {_said(law, along, symbol, bare)} {upto}"


def _moved(move: Any, name: Letter, symbol: str) -> str:
    own, index, power = move
    said = name(own if index is None else f"{own}[{', '.join(map(str, index))}]")
    return f"{said} as {_power(symbol, power)}"


def _power(symbol: str, power: float) -> str:
    size = abs(power)
    said = symbol if size == 1 else f"sqrt({symbol})" if size == 0.5 else f"{symbol}^{size:g}"
    return said if power > 0 else f"1/{said}"


def _said(law: Mapping[str, Any], along: str, symbol: str, bare: str) -> str:
    values = law["values"]
    formula = _with(law["formula"], bare, symbol)
    most_at, most = max(values, key=lambda point: point[1])
    exactly = ", exactly" if law["exact"] >= tuning.SURELY else ""
    if law["kind"] == "bounded":
        rule = f"is {formula}{exactly}: " if formula and law["shape"] != "level" else ""
        if law["shape"] == "level":
            return f"stays at {law['limit'] or f'{most:.4g}'}"
        if law["shape"] == "rises":
            limit = law["limit"] or _limit(law)
            tends = f", and tends to {limit}" if limit else ""
            return f"{rule}rises from {values[0][1]:.4g} to {most:.4g}{tends}"
        return f"{rule}at most {most:.4g}, at {along} = {most_at:g}{_tail(law, along)}"
    if law["kind"] == "unknown":
        return f"goes from {values[0][1]:.4g} to {values[-1][1]:.4g} by no law that could be told"
    if formula:
        return f"grows like {formula}{exactly}"
    if law["kind"] == "power":
        low, high = law["exponent"]
        return f"grows like a power, exponent {_exponent(low, high)}"
    if law["kind"] == "exponential":
        low, high = law["exponent"]
        return f"grows exponentially, by {_about(low, high)} a step of one"
    if law["kind"] == "faster":
        low, high = law["exponent"]
        return f"grows faster than a power, its last exponents {_about(low, high)}"
    return "grows like a logarithm"


def _limit(law: Mapping[str, Any]) -> str:
    """What a rising ratio tends to, where its last value is there within two in a hundred."""
    low, high = law["supremum"]
    middle, last = (low + high) / 2, law["values"][-1][1]
    near = abs(last - middle) <= tuning.CONFIRMS * middle and high - low <= tuning.CONFIRMS * middle
    return f"about {middle:.4g}" if near else ""


def _tail(law: Mapping[str, Any], along: str) -> str:
    tail = law["tail"]
    beyond = "beyond it falling" if law["shape"] == "peak" else "falling"
    if not tail:
        return f", {beyond} to {law['values'][-1][1]:.4g}"
    if tail.startswith("1/"):
        return f", {beyond} like {tail.replace('x', f'({along})' if '/' in along else along)}"
    return f", {beyond} to {tail}, where it stays"


def _exponent(low: float, high: float) -> str:
    """An exponent: a multiple of a half where it is close to one and to no other number."""
    plain = round(low + high) / 2
    if high - low <= tuning.CLOSE and low - tuning.CONFIRMS <= plain <= high + tuning.CONFIRMS:
        return f"{plain:g}" if high - low <= 1e-9 else f"about {plain:g}"
    return _about(low, high)


def _about(low: float, high: float) -> str:
    first, last = f"{low:.4g}", f"{high:.4g}"
    if high - low <= 1e-9 * abs(high):
        return first
    return f"about {first}" if first == last else f"between {first} and {last}"


INVERSE = re.compile(r"(?:(\d+) )?\(1/([^()]+)\)(\^\d+)?(?:/(\d+))?")
"""A number times a power of an inverse, as a closed form writes it."""


def _with(formula: str, bare: str, symbol: str) -> str:
    """A formula with the printed symbol for the name of the field, and plain quotients."""

    def quotient(found: re.Match[str]) -> str:
        above, name, power, below = found.groups()
        under = f"{name}{power or ''}"
        return f"{above or 1}/({below} {under})" if below else f"{above or 1}/{under}"

    return INVERSE.sub(quotient, formula).replace(bare, symbol)
