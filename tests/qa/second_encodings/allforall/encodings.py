"""Second encodings of the main results of allforall, from the words of the paper alone.

The meaning of the parameters of a family is taken from its description and, where that does not
say it, from the few lines that turn them into slopes, curvatures, laws and starting points.
"""

from __future__ import annotations

from dataclasses import replace

from tests.qa.second_encodings.allforall.flat import CURVED
from tests.qa.second_encodings.allforall.for_all import ALL
from tests.qa.second_encodings.allforall.for_one import ONE
from tests.qa.second_encodings.allforall.lower import LOWER
from tests.qa.second_encodings.allforall.sgd import SGD
from tests.qa.second_encodings.record import Second

ENCODINGS: dict[str, Second] = {**LOWER, **ONE, **ALL, **CURVED, **SGD}

_CHOICES = {
    **dict.fromkeys(
        (
            "theorem2.1",
            "theorem7.1",
            "naive.a",
            "theorem4.1/blocks",
            "theorem4.2",
            "theorem8/samples",
        ),
        "some",
    ),
    "theorem3a": "first_of_alike",
    "theorem4.1/simplex": "some+side",
    "lemma4c/gap": "every_outcome",
    "lemma5c": "some+every_outcome",
}


def _other(second: Second, choice: str) -> Second:
    """The same sentence with open places read the other way."""
    chosen = {option: lambda w: w.array(1) for option in choice.split("+")}
    return replace(second, defines={**second.defines, **chosen})


OTHERS: dict[str, dict[str, Second]] = {
    key: {choice: _other(ENCODINGS[key], choice)}
    for name, choice in _CHOICES.items()
    for key in [f"allforall.{name}"]
}
"""Some whole number within the printed one in place of the last; one side's subgradient at a kink;
of several minimisers that of the first agent; every outcome where no expectation is printed."""
