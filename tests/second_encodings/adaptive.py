"""Second encodings of the main results of adaptive, from the words of the paper alone."""

from __future__ import annotations

from tests.second_encodings.adaptive_rates import RATES
from tests.second_encodings.adaptive_weights import WEIGHTS
from tests.second_encodings.record import Second

ENCODINGS: dict[str, Second] = {**WEIGHTS, **RATES}
