r"""A problem as its author would write it: losses as formulas, the noise with its chances.

Only quadratic federations, those of two wells and wavy parabolas have formulas here; of others the
data are listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verify.report.by_hand.notation import Notation
from verify.report.by_hand.record import Row
from verify.report.by_hand.writing import in_words, number

__all__ = ["federation", "noise_of"]

SHAPES = {
    "double_well": (
        r"h(t) = \frac{t^{2}}{2}\ (t \le 1),\quad 1 - \frac{(t - 2)^{2}}{2}\ (1 < t < 3),\quad "
        r"\frac{(t - 4)^{2}}{2}\ (t \ge 3)"
    ),
    "pl": r"h(t) = t^{2} + 3 \sin^{2} t",
}
"""Losses that are one shape, moved and stretched for each client."""


def federation(problem: Any, table: Notation) -> Iterator[Row]:
    """Losses and noise of every client.

    Parameters
    ----------
    problem : Problem
        In exact numbers, its data with leading axes (1, 1).
    table : Notation
        Whose letters are used.

    Yields
    ------
    Row
        Nothing of a problem that has no formula here.
    """
    losses = list(_losses(problem, table.model))
    if not losses:
        return
    for clients, text in _together(losses):
        heads = " = ".join(rf"{table.loss}_{{{k + 1}}}({table.model})" for k in _few(clients))
        yield Row(f"{heads} = {text}", _which(clients))
    if problem.name in SHAPES:
        yield Row(SHAPES[problem.name], "the shape of each loss")
    laws = [noise_of(problem, k) for k in range(problem.clients)]
    for clients, text in _together(laws):
        who = (
            "every client" if len(clients) == problem.clients else _which(clients) or _who(clients)
        )
        yield Row("", f"noise of {who}: {text}")


def noise_of(problem: Any, k: int) -> str:
    """The law of one client's noise in words and numbers."""
    scale = _scalar(problem.data.get("noise_scale"), k)
    if problem.data.get("law", "none") == "none" or not scale:
        return "none, its gradients are exact"
    values, chances = (x[0, 0, k] for x in problem.noise_support())
    listed = [
        f"{in_words(scale * v)} with chance {in_words(p)}"
        for v, p in zip(values, chances, strict=True)
    ]
    return "it adds " + " or ".join(listed)


def _losses(problem: Any, model: str) -> Iterator[str]:
    if problem.name == "quadratic":
        form, place = problem.form[0, 0], problem.optimum[0, 0]
        for k in range(problem.clients):
            yield _square(form[k], place[k], problem.half, model)
    elif problem.name in SHAPES and problem.dim == 1:
        width = problem.width[0, 0]
        for k in range(problem.clients):
            centre, height = problem.data["centre"][0, 0, k, 0], problem.data["height"][0, 0, k]
            inner = _shifted(model, centre)
            wide = width[k] if getattr(width, "ndim", 0) else width
            if wide != 1:
                inner = rf"\frac{{{inner}}}{{{number(wide)}}}"
            yield _times(height, rf"h\left({inner}\right)")


def _square(form: Any, place: Any, half: bool, model: str) -> str:
    dim, parts = len(place), []
    for i in range(dim):
        for j in range(i, dim):
            factor = form[i, j] * (1 if i == j else 2) * (Fraction(1, 2) if half else 1)
            if factor == 0:
                continue
            names = [model if dim == 1 else f"{model}_{{{n + 1}}}" for n in (i, j)]
            first, second = (
                _braced(_shifted(n, place[m])) for n, m in zip(names, (i, j), strict=True)
            )
            product = f"{first}^{{2}}" if i == j else rf"{first} \cdot {second}"
            parts.append(_times(factor, product))
    return " + ".join(parts).replace("+ -", "- ") or "0"


def _shifted(model: str, place: Any) -> str:
    if place == 0:
        return model
    return f"{model} - {number(place)}" if place > 0 else f"{model} + {number(-place)}"


def _braced(text: str) -> str:
    return rf"\left({text}\right)" if " " in text else text


def _times(factor: Any, text: str) -> str:
    return text if factor == 1 else rf"{number(factor)} \cdot {text}"


def _scalar(value: Any, k: int) -> Any:
    if value is None:
        return None
    value = value[0, 0] if getattr(value, "ndim", 0) > 1 else value
    return value[k] if getattr(value, "ndim", 0) else value


def _together(texts: list[str]) -> list[tuple[list[int], str]]:
    """Clients of the same text together, in their order."""
    found: dict[str, list[int]] = {}
    for k, text in enumerate(texts):
        found.setdefault(text, []).append(k)
    return [(clients, text) for text, clients in found.items()]


def _few(clients: list[int]) -> list[int]:
    return clients if len(clients) <= 3 else [clients[0]]


def _which(clients: list[int]) -> str:
    return f"clients {_listed(clients)}" if len(clients) > 3 else ""


def _who(clients: list[int]) -> str:
    return f"client{'s' if len(clients) > 1 else ''} {_listed(clients)}"


def _listed(clients: list[int]) -> str:
    if len(clients) > 2 and clients == list(range(clients[0], clients[-1] + 1)):
        return f"{clients[0] + 1} to {clients[-1] + 1}"
    return ", ".join(str(k + 1) for k in clients)
