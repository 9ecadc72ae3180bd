"""How a method of one's own is run: what its function of a round sees, on arrays and in fractions.

The rule is that of :mod:`algorithms.own`; this file needs torch, that one does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from algorithms.engine.arrays import spread
from algorithms.method import (
    STEP_AXES,
    STEP_UNITS,
    Hyper,
    Method,
    State,
    followed,
    one_start,
    scheduled,
    trail,
)
from bounds import generic
from bounds.numbers.asked import index_of
from bounds.numbers.validate import InvalidInput, require

if TYPE_CHECKING:
    from algorithms.own import OwnRule

__all__ = ["OwnMethod", "OneRound"]


@dataclass
class OneRound:
    """One round, as the function of a method sees it.

    Arrays have free leading axes, then the d coordinates; a parameter that is one number for all
    clients is shaped to multiply models.

    Attributes
    ----------
    problem : Problem
    server : array (..., d)
        The server's model as the round begins.
    t : int
        Its number, from 0.
    kept : mapping
        What the server keeps beside its model, by name, each of its shape.
    """

    problem: Any
    server: Any
    t: int
    kept: Mapping[str, Any]
    _method: OwnMethod = field(repr=False)
    _hyper: Hyper = field(repr=False)
    _draws: Any = field(repr=False)
    _asked: dict[int, int] = field(default_factory=dict, repr=False)

    @property
    def clients(self) -> int:
        """N."""
        return int(self.problem.clients)

    @property
    def step_size(self) -> Any:
        """Step of this round, from ``step_size`` or ``step_sizes``."""
        return trail(scheduled(self._hyper, "step_size", self.t), 1)

    def gradient(self, client: int, model: Any) -> Any:
        """A fresh stochastic gradient of one client at a model, (..., d)."""
        place = self._asked.get(client, 0)
        self._asked[client] = place + 1
        most = self._method.asked(self._hyper)
        require(
            place < most,
            "gradients",
            f"at most {most} of each client in a round",
            place + 1,
            "say how many there are: @own_method(..., gradients=lambda h: ...)",
        )
        one = self.problem.select([client])
        words = self._draws[..., place * self.clients + client, :][..., None, :]
        return one.own_stochastic_gradients(model[..., None, :], words)[..., 0, :]

    def mean(self, models: Sequence[Any], weights: Sequence[Any] | None = None) -> Any:
        """Mean of one model or number per client, by weights where given."""
        shares = [1] * len(models) if weights is None else list(weights)
        total = sum(share * model for share, model in zip(shares, models, strict=True))
        whole = sum(shares)
        if _is_exact(self.server) and isinstance(whole, int):
            whole = Fraction(whole)  # a quotient of two whole numbers would be a float
        return total / whole

    def each(self, name: str) -> list[Any]:
        """A parameter of the clients, as a list of N numbers that are shaped to multiply models."""
        value = self._hyper[name]
        return [trail(value[..., k], 1) for k in range(self.clients)]

    def __getattr__(self, name: str) -> Any:
        """A setting, or a parameter."""
        if name.startswith("_"):
            raise AttributeError(name)
        known = self._method
        if name in self.kept:
            return self.kept[name]
        if name in known.defaults:
            return self._hyper.get(name, known.defaults[name])
        if name in known.axes and self._hyper.get(name) is not None:
            return trail(self._hyper[name], 1)
        have = ", ".join(sorted({*known.defaults, *known.axes}))
        raise InvalidInput(
            f"parameters of {known.name} must be given and among {have}, got {name}: name it in "
            "settings= or parameters= of its own_method, and give it a value."
        )


class OwnMethod(Method):
    """A method made of the function of one round.

    Parameters
    ----------
    rule : OwnRule
    """

    plain: ClassVar[bool] = True
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = STEP_UNITS

    def __init__(self, rule: OwnRule) -> None:
        # a library method says these of its class
        told = vars(self)
        told["name"], told["settings"] = rule.name, (*rule.settings, "focus")
        told["axes"] = {**STEP_AXES, **rule.parameters}
        told["states"] = {"theta": "F d", "server": "d", **dict.fromkeys(rule.keeps, "d")}
        self.rule, self.defaults, self.keeps = rule, rule.settings, rule.keeps

    def asked(self, hyper: Hyper) -> int:
        """Gradients of each client in a round."""
        if self.rule.gradients is not None:
            found = self.rule.gradients({**self.defaults, **hyper})
        else:
            found = hyper.get("local_steps", self.defaults.get("local_steps", 1))
        number = index_of(found) or 0
        require(number >= 1, "gradients", "a positive whole number", found, "count them")
        return number

    def slots(self, clients: int, hyper: Hyper) -> int:
        """As many gradients of all clients."""
        return self.asked(hyper) * clients

    def start(self, problem: Any, hyper: Hyper) -> State:
        """The server's model."""
        server, chosen = one_start(hyper), followed(problem.clients, hyper)
        kept = dict.fromkeys(self.keeps, 0 * server)
        return {"server": server, "theta": _copies(server, len(chosen)), "chosen": chosen, **kept}

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """What the function of a round makes of it."""
        kept = {name: state[name] for name in self.keeps}
        found = self.rule.step(OneRound(problem, state["server"], t, kept, self, hyper, draws))
        server, after = found if isinstance(found, tuple) else (found, {})
        whole = set(after) == set(self.keeps)
        need = f"the model and {', '.join(self.keeps)}" if self.keeps else "the model alone"
        require(
            whole, f"what {self.name} returns", need, sorted(after), "return model, {name: value}"
        )
        theta = _copies(server, len(state["chosen"]))
        return {**state, **after, "server": server, "theta": theta}

    def reference(
        self, problem: Any, hyper: Mapping[str, Any], draws: Sequence[Any], rounds: int
    ) -> dict[str, Any]:
        """The same function on exact numbers, nested lists as :mod:`algorithms.reference` gives."""
        made = {name: self._exact(name, value) for name, value in hyper.items()}
        state = self.start(problem, made)
        path = [state]
        for t in range(rounds):
            path.append(self.step(t, path[-1], problem, made, np.array(draws[t], dtype=object)))
        return {name: [state[name].tolist() for state in path] for name in self.states}

    def _exact(self, name: str, value: Any) -> Any:
        return np.array(value, dtype=object) if name in self.axes and value is not None else value


def _copies(server: Any, copies: int) -> Any:
    """The server's model for each followed client, (..., F, d)."""
    if _is_exact(server):
        return generic.stack([server] * copies, -2)
    return spread(server[..., None, :], *server.shape[:-1], copies, server.shape[-1])


def _is_exact(server: Any) -> bool:
    return isinstance(server, np.ndarray) and server.dtype.kind == "O"
