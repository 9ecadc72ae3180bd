"""Second encodings of the main results of adaptive, from the words of the paper alone."""

from __future__ import annotations

from tests.qa.second_encodings.adaptive.rates import RATES
from tests.qa.second_encodings.adaptive.weights import WEIGHTS
from tests.qa.second_encodings.record import Second

ENCODINGS: dict[str, Second] = {**WEIGHTS, **RATES}
