"""Second encodings of the main results of allforall, from the words of the paper alone.

The meaning of the parameters of a family is taken from its description and, where that does not
say it, from the few lines that turn them into slopes, curvatures, laws and starting points.
"""

from __future__ import annotations

from tests.second_encodings.allforall_all import ALL
from tests.second_encodings.allforall_lower import LOWER
from tests.second_encodings.allforall_one import ONE
from tests.second_encodings.allforall_sgd import SGD
from tests.second_encodings.record import Second

ENCODINGS: dict[str, Second] = {**LOWER, **ONE, **ALL, **SGD}
