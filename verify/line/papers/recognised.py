r"""What an open result is about: its class of functions, its method, its hypotheses.

A main theorem speaks of runs and their means, which no line can say.  What it names and this
package knows is told, with the family to begin from; nothing here makes a claim.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from verify.line.papers.classes import NamedClass, classes_in

__all__ = ["Recognised", "method_of", "recognised"]

METHODS = {
    "fedavg": r"FedAvg|Federated Averaging|[Ll]ocal[\s-]SGD|[Pp]arallel[\s-]SGD",
    "scaffold": r"SCAFFOLD|[Ss]caffold",
    "fedprox": r"FedProx",
    "apfl": r"APFL",
    "ditto": r"Ditto",
    "pfedme": r"pFedMe",
    "per_fedavg": r"Per-?FedAvg",
    "qfedavg": r"q-?FedAvg|q-FFL",
    "ifca": r"IFCA",
    "local": r"gradient descent",
}
"""Methods of this package, each with the words by which papers call it."""
HYPOTHESES = {
    "noise of bounded variance": r"variance (?:is |are )?(?:at most|bounded)|bounded variance"
    r"|have variance",
    "bounded gradients": r"bounded gradients?|\\E{1,2}[^$]{0,40}\^2\s*\\le\s*G\^2"
    r"|\\lVert g\\rVert\^2\s*\\le\s*G\^2",
    "unbiased gradients": r"unbiased",
    "bounded dissimilarity": r"dissimilar|B_?\\?epsilon|heterogene",
    "independent draws": r"(?<!not necessarily )\bindependent",
    "sampled clients": r"(?:sampl|chosen|select)\w* (?:clients|devices)|device selection",
    "random variables": r"random variables",
}
"""Hypotheses that papers of this field share, each with its words."""
NOISY = ("noise of bounded variance", "unbiased gradients")


@dataclass(frozen=True)
class Recognised:
    """What of a result is known here.

    Parameters
    ----------
    classes : tuple of str
        Classes of functions, each with the symbols of its constants.
    method : str
        Name of a method, empty where none is named.
    hypotheses : tuple of str
    family : str
        The family to begin from, as it is written in a file; empty where no class is known.
    """

    classes: tuple[str, ...]
    method: str
    hypotheses: tuple[str, ...]
    family: str

    def __str__(self) -> str:
        parts = [f"class {one}" for one in self.classes]
        parts += [f"method {self.method}"] if self.method else []
        parts += self.hypotheses
        return "; ".join(parts)


def method_of(source: str) -> str:
    """The method that a paper names most often; empty where it names none of ours.

    Examples
    --------
    >>> method_of("We study SCAFFOLD and compare it with FedAvg. SCAFFOLD wins.")
    'scaffold'
    """
    counted = Counter({name: len(re.findall(words, source)) for name, words in METHODS.items()})
    name, times = counted.most_common(1)[0]
    return name if times else ""


def recognised(source: str, title: str, method: str) -> Recognised:
    """What a result names.

    Parameters
    ----------
    source, title : str
        Of the result.
    method : str
        What the paper is about, where the result names no method itself.
    """
    found, _ = classes_in(source)
    told = tuple(dict.fromkeys(filter(None, map(_told, found))))
    text = f"{title} {source}"
    hypotheses = tuple(name for name, words in HYPOTHESES.items() if re.search(words, text))
    method = method_of(text) or method
    kind = next((one.kind for one in found if one.kind), "")
    return Recognised(told, method if told or hypotheses else "", hypotheses,
                      _family(kind, method, hypotheses))  # fmt: skip


def _told(one: NamedClass) -> str:
    symbols = ", ".join(filter(None, [one.smooth, one.strong]))
    return f"{one.kind} ({symbols})" if one.kind else ""


def _family(kind: str, method: str, hypotheses: tuple[str, ...]) -> str:
    if not kind:
        return ""
    clients = ", clients=(2, 3)" if method not in ("", "local") else ""
    noise = ", noise=True" if any(name in hypotheses for name in NOISY) else ""
    return f'functions("{kind}", rounds=(1, 2){clients}, method="{method or "local"}"{noise})'
