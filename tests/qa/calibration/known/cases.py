"""All statements of known truth, in the order of their kinds."""

from __future__ import annotations

from tests.qa.calibration.known.classes import CLASSES
from tests.qa.calibration.known.given import GIVEN
from tests.qa.calibration.known.many import MANY
from tests.qa.calibration.known.numbers import NUMBERS
from tests.qa.calibration.known.reach import REACH
from tests.qa.calibration.known.record import Known
from tests.qa.calibration.known.runs import NOISE, RUNS

FIRST: tuple[Known, ...] = (*NUMBERS, *MANY, *GIVEN, *REACH, *CLASSES, *RUNS, *NOISE)
"""The first set."""
