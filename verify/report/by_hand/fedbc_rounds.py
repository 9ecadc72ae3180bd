r"""The rounds of FedBC as they were run: who computes and how, the multipliers, the server's mean.

Each line can be worked out from the lines before it. A model that the rule written here does not
give (a gradient with noise, several local steps that are too long to write) is stated, and the
line says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.report.by_hand.record import Row
from verify.report.by_hand.writing import braced, equation, number

if TYPE_CHECKING:
    from verify.report.by_hand.rounds import RunPath
    from verify.world.world import World

__all__ = ["fedbc_round", "fedbc_rules"]

MOST_STEPS = 4
"""Local steps of a device that are written one by one."""


def fedbc_rules(world: World) -> Iterator[Row]:
    """The primal, the dual and the server's step of a run, with its choices.

    Parameters
    ----------
    world : World

    Yields
    ------
    Row
        The choices are those of the instance: argmin or gradient steps, where these begin, whether
        multipliers move, whether devices outside S compute too.
    """
    given = world.instance.params
    pull = r"2 \cdot \lambda_{i}^{t} \cdot \left(x - z^{t}\right)"
    if given.get("local", "argmin") == "argmin":
        yield Row(
            r"x_{i}^{t+1} = \mathrm{argmin}_{x}\ f_{i}(x) + \lambda_{i}^{t} \cdot |x - z^{t}|^{2}",
            "FedBC: a device that computes minimises exactly",
        )
    else:
        steps = _whole(given.get("local_steps", 1))
        start = "the model of the server" if given.get("local_start") == "server" else "its own"
        count = "one gradient step" if steps == 1 else f"{steps} gradient steps"
        yield Row(
            rf"x \leftarrow x - \eta \cdot \left(f_{{i}}'(x) + {pull}\right)",
            f"FedBC: a device that computes takes {count} from {start}",
        )
    if world.given("dual_step"):
        yield Row(
            r"\lambda_{i}^{t+1} = P_{\Lambda}\left[\lambda_{i}^{t} + \alpha \cdot "
            r"\left(|x_{i}^{t+1} - z^{t}|^{2} - \gamma_{i}\right)\right]",
            "its multiplier, projected on Lambda",
        )
    else:
        yield Row("", "multipliers stay as they are")
    yield Row(
        r"z^{t+1} = \frac{\sum_{j \in S_t} \lambda_{j}^{t+1} \cdot x_{j}^{t+1}}"
        r"{\sum_{j \in S_t} \lambda_{j}^{t+1}}",
        "the server, over the sampled devices",
    )
    if given.get("virtual") and _whole(given.get("S", 1)) < world.problem.clients:
        yield Row("", "devices that are not sampled compute too, and are left out of the mean")


def fedbc_round(path: RunPath, t: int) -> Iterator[Row]:
    """One round on one outcome."""
    count = path.world.problem.clients
    server = path.at("server", t, 0)
    if t == 0:
        yield Row(f"{server[0]} {equation(server[1])}", "the start of the server")
        yield from _begin(path, count)
    members = _sampled(path, t, count)
    if len(members) < count:
        listed = ", ".join(str(k + 1) for k in members) or "none"
        yield Row("", f"round {t + 1}, sampled: {listed}")
    for k in range(count):
        if k in members or path.world.instance.params.get("virtual"):
            yield from _computes(path, t, k, server)
        else:
            old, new = _model(path, t, k), _model(path, t + 1, k)
            yield Row(f"{new[0]} = {old[0]} {equation(new[1])}", f"device {k + 1} waits")
            yield from _moved(path, t, k, None)
    yield _mean(path, t, members)


def _begin(path: RunPath, count: int) -> Iterator[Row]:
    for k in range(count):
        tex, value = _model(path, 0, k)
        yield Row(f"{tex} {equation(value)}", f"the start of device {k + 1}")
    for k in range(count):
        tex, value = path.at("multipliers", 0, k)
        yield Row(f"{tex} {equation(value)}", f"the first multiplier of device {k + 1}")


def _model(path: RunPath, t: int, k: int) -> tuple[str, Any]:
    """x_k^t, the start among them."""
    if t:
        return path.at("local_models", t - 1, k, 0)
    return path.value("starts", k, 0) or path.at("server", 0, 0)


def _sampled(path: RunPath, t: int, count: int) -> list[int]:
    """Who is in S_t."""
    mask = path.own.get("participation")
    if mask is None and path.world.given("participation"):
        mask = path.world.original("participation")
    if mask is None:
        return list(range(count))
    mask = np.asarray(mask, dtype=object)
    outcome = min(path.outcome, mask.shape[1] - 1)
    row = mask[0, outcome, min(t, mask.shape[2] - 1)]
    return [k for k in range(count) if row[k] != 0]


def _computes(path: RunPath, t: int, k: int, server: tuple[str, Any]) -> Iterator[Row]:
    given = path.world.instance.params
    new, multiplier = _model(path, t + 1, k), path.at("multipliers", t, k)
    if given.get("local", "argmin") == "argmin":
        slope = path.slope(k, new[1])
        rest = slope + 2 * multiplier[1] * (new[1] - server[1])
        yield Row(f"{new[0]} {equation(new[1])}", f"device {k + 1} minimises")
        yield Row(
            rf"f_{{{k + 1}}}'({new[0]}) + 2 \cdot {multiplier[0]} \cdot \left({new[0]} - "
            rf"{server[0]}\right) = {_pulled(slope, multiplier[1], new[1], server[1])} "
            rf"{equation(rest)}",
            "there the derivative vanishes" if rest == 0 else "no minimiser: that should vanish",
        )
    else:
        yield from _steps(path, t, k, server, multiplier)
    yield from _moved(path, t, k, server)


def _steps(
    path: RunPath, t: int, k: int, server: tuple[str, Any], multiplier: tuple[str, Any]
) -> Iterator[Row]:
    """Gradient steps of a device, one by one."""
    given = path.world.instance.params
    new, eta, steps = _model(path, t + 1, k), path.step(t), _whole(given.get("local_steps", 1))
    at = server[1] if given.get("local_start") == "server" else _model(path, t, k)[1]
    places = [at]
    for _ in range(steps if eta is not None else 0):
        slope = path.slope(k, at) + 2 * multiplier[1] * (at - server[1])
        places.append(at := at - eta * slope)
    if eta is None or places[-1] != new[1] or steps > MOST_STEPS:
        said = f"device {k + 1} after its gradient steps"
        noisy = eta is not None and places[-1] != new[1]
        yield Row(f"{new[0]} {equation(new[1])}", f"{said}, with their noise" if noisy else said)
        return
    for number_of, (old, after) in enumerate(pairwise(places), 1):
        last = number_of == steps
        tex = new[0] if last else f"{new[0][:-1]},{number_of}}}"
        inner = _pulled(path.slope(k, old), multiplier[1], old, server[1])
        count = "its gradient step" if steps == 1 else f"gradient step {number_of}"
        yield Row(
            rf"{tex} = {number(old)} - {braced(eta)} \cdot \left({inner}\right) {equation(after)}",
            f"device {k + 1}, {count}",
        )


def _pulled(slope: Any, multiplier: Any, at: Any, server: Any) -> str:
    """``f' + 2 lambda (x - z)`` in numbers."""
    away = rf"\left({number(at)} - {braced(server)}\right)"
    return rf"{number(slope)} + 2 \cdot {braced(multiplier)} \cdot {away}"


def _moved(path: RunPath, t: int, k: int, server: tuple[str, Any] | None) -> Iterator[Row]:
    """The dual step of a device; without a server it keeps its multiplier."""
    old, new = path.at("multipliers", t, k), path.at("multipliers", t + 1, k)
    alpha = path.value("dual_step")
    if alpha is None and old[1] == new[1]:
        return
    if server is None or alpha is None or alpha[1] == 0:
        yield Row(f"{new[0]} = {old[0]} {equation(new[1])}")
        return
    model, gamma = _model(path, t + 1, k), path.value("gamma", k)
    tolerance = 0 if gamma is None else gamma[1]
    risen = old[1] + alpha[1] * ((model[1] - server[1]) ** 2 - tolerance)
    inner = (
        rf"{number(old[1])} + {braced(alpha[1])} \cdot \left(\left({number(model[1])} - "
        rf"{braced(server[1])}\right)^{{2}} - {braced(tolerance)}\right)"
    )
    if risen == new[1]:
        yield Row(f"{new[0]} = {inner} {equation(new[1])}", "its multiplier")
        return
    name, function = ("lambda_min", r"\max") if risen < new[1] else ("lambda_max", r"\min")
    end = path.value(name)
    if end is not None and end[1] == new[1]:
        projected = rf"{function}\left({inner}, {number(end[1])}\right)"
        yield Row(
            f"{new[0]} = {projected} {equation(new[1])}", "its multiplier, at an end of Lambda"
        )
        return
    yield Row(f"{new[0]} {equation(new[1])}", "its multiplier")


def _mean(path: RunPath, t: int, members: list[int]) -> Row:
    after = path.at("server", t + 1, 0)
    weights = [path.at("multipliers", t + 1, k)[1] for k in members]
    models = [_model(path, t + 1, k)[1] for k in members]
    whole = sum(weights)
    total = sum(w * x for w, x in zip(weights, models, strict=True))
    if not whole or total / whole != after[1]:
        return Row(f"{after[0]} {equation(after[1])}", "the server")
    above = " + ".join(
        rf"{braced(w)} \cdot {braced(x)}" for w, x in zip(weights, models, strict=True)
    )
    below = " + ".join(map(braced, weights))
    return Row(rf"{after[0]} = \frac{{{above}}}{{{below}}} {equation(after[1])}", "the server")


def _whole(value: Any) -> int:
    return int(np.asarray(value, dtype=object).reshape(-1)[0])
