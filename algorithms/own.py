"""A method of one's own: its round written once, as the paper has it, and run in any number type.

The function of a round gets a :class:`algorithms.own_runs.OneRound`, asks it for gradients, and
returns the server's next model. From it come the method that searches run on arrays, and the serial
run in fractions that judges witnesses, since arithmetic on either is spelled alike::

    @own_method("anchor", settings={"local_steps": 1})
    def anchor(r):
        models = []
        for i in range(r.clients):
            x = r.server
            for _ in range(r.local_steps):
                x = x - r.step_size * r.gradient(i, x)
            models.append(x)
        return r.mean(models)

``gradients`` says how many gradients every client may be asked for in a round; the j-th one of
client i is slot ``j*N + i``. Where it is left out it is ``local_steps``, or one. What a server
keeps from round to round beside its model (a momentum, say) is named in ``keeps``: zero at the
start, read as ``r.momentum``, and returned as ``model, {"momentum": ...}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from algorithms.registry import METHODS, register
from bounds.numbers.validate import require

if TYPE_CHECKING:
    from algorithms.method import Method
    from algorithms.own_runs import OneRound

__all__ = ["OwnRule", "own_method"]

Step = Callable[["OneRound"], Any]
Count = Callable[[Mapping[str, Any]], int]
TAKEN = ("step_size", "step_sizes", "start", "focus", "server", "theta")
"""Names that every method of one's own has already."""


@dataclass(frozen=True)
class OwnRule:
    """What a file says of a method; the method itself is made when it is first run.

    Attributes
    ----------
    name : str
    step : callable
        :class:`algorithms.own_runs.OneRound` to the server's next model, (..., d).
    settings : mapping
        Counts and choices, with their defaults.
    parameters : mapping
        Parameters with their trailing axes: ``""`` for one number, ``"N"`` for one per client,
        ``"d"`` for a vector.
    gradients : callable, optional
        Hyper-parameters to the number of gradients of each client in a round.
    keeps : tuple of str
        What the server keeps beside its model, each of its shape and zero at the start.
    """

    name: str
    step: Step
    settings: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    gradients: Count | None = None
    keeps: tuple[str, ...] = ()

    def method(self) -> Method:
        """The method that runs it."""
        from algorithms.own_runs import OwnMethod

        return OwnMethod(self)


def own_method(
    name: str,
    *,
    settings: Mapping[str, Any] | None = None,
    parameters: Mapping[str, str] | None = None,
    gradients: Count | None = None,
    keeps: Sequence[str] = (),
) -> Callable[[Step], OwnRule]:
    """Make a method of the function of one round, known by its name from then on.

    Parameters
    ----------
    name : str
        Not one of the library's methods.
    settings, parameters, gradients, keeps
        See :class:`OwnRule`.

    Returns
    -------
    callable
        Takes the function of a round, gives the rule.

    Examples
    --------
    >>> @own_method("halves", settings={"local_steps": 2})
    ... def halves(r):
    ...     return r.mean([r.server - r.step_size * r.gradient(i, r.server) for i in range(2)]) / 2
    >>> halves.method().slots(2, {})
    4
    """
    free = name.isidentifier() and name not in METHODS
    require(free, "name", "a word that no method of the library has", name, "choose another")
    given, more = dict(settings or {}), dict(parameters or {})
    for own in (*given, *more, *keeps):
        require(
            own not in TAKEN,
            "name",
            "another than the library's",
            own,
            "rename it",
        )
    for key, axes in more.items():
        require(axes in ("", "N", "d"), f"axes of {key}", "'', 'N' or 'd'", axes, "write one")

    def made(step: Step) -> OwnRule:
        rule = OwnRule(name, step, given, more, gradients, tuple(keeps))
        register(name, rule.method)
        return rule

    return made
