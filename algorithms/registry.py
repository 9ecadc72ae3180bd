"""The table of methods; a method's module is imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from bounds.numbers.validate import InvalidInput

if TYPE_CHECKING:
    from algorithms.method import Method

METHODS: dict[str, str] = {
    "aggregation": "algorithms.aggregation:Aggregation",
    "all_for_all": "algorithms.all_for_all:AllForAll",
    "all_for_all_adaptive": "algorithms.all_for_all:AdaptiveAllForAll",
    "all_for_one": "algorithms.all_for_one:AllForOne",
    "apfl": "algorithms.personal.apfl:APFL",
    "bipartition": "algorithms.grouping.bipartition:Bipartition",
    "cobo": "algorithms.cobo:CoBo",
    "ditto": "algorithms.personal.ditto:Ditto",
    "fedavg": "algorithms.fedavg:FedAvg",
    "fedbc": "algorithms.fedbc:FedBC",
    "fedfa": "algorithms.loss_rules:FedFA",
    "fedprox": "algorithms.fedprox:FedProx",
    "flsc": "algorithms.grouping.clusters:FLSC",
    "hcct": "algorithms.grouping.hcct:HCCT",
    "ifca": "algorithms.grouping.clusters:IFCA",
    "local": "algorithms.local:Local",
    "per_fedavg": "algorithms.personal.per_fedavg:PerFedAvg",
    "per_fedbc": "algorithms.personal.per_fedbc:PerFedBC",
    "pfedme": "algorithms.personal.pfedme:PFedMe",
    "q_fedavg": "algorithms.q_fedavg:QFedAvg",
    "scaffold": "algorithms.scaffold:Scaffold",
    "maxfl": "algorithms.loss_rules:MaxFL",
    "naive_all_for_all": "algorithms.weighted_averaging:NaiveAllForAll",
    "weighted_averaging": "algorithms.weighted_averaging:WeightedAveraging",
    "wga_bc": "algorithms.wga_bc:WGABC",
}


OWN: dict[str, Callable[[], Method]] = {}
"""Makers of the methods of users' files, by name; see :mod:`algorithms.own`."""


def register(name: str, make: Callable[[], Method]) -> None:
    """Make a method of a user's file known by its name; a file that is loaded again replaces it."""
    OWN[name] = make


def load_method(name: str) -> Method:
    """Method of that name.

    Parameters
    ----------
    name : str
        A key of :data:`METHODS` or of :data:`OWN`.

    Returns
    -------
    Method
        A fresh instance; methods hold no state of their own.

    Raises
    ------
    InvalidInput
        If there is no such method; the message names the nearest ones.
    """
    if name in OWN:
        return OWN[name]()
    if name not in METHODS:  # looking for near names takes longer than a short run
        known = [*METHODS, *OWN]
        near = get_close_matches(name, known, n=3, cutoff=0.4) or sorted(known)
        # raised whether or not checks are on: without a method there is nothing to run
        raise InvalidInput(
            f"method must be one known by name, got {name}: try {near[0]}, of {', '.join(known)}."
        )
    module, _, attribute = METHODS[name].partition(":")
    method: Method = getattr(import_module(module), attribute)()
    return method
