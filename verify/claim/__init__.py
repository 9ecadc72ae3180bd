"""What is said: the record of a statement, its hypotheses, parameters, families and instances.

All that a module of statements needs is handed on here.
"""

from bounds.numbers.shapes import Array
from verify.claim.axes import Axis, Option
from verify.claim.families import (
    QUADRATIC_BOX,
    free,
    noiseless,
    numbers,
    quadratic_data,
    quadratic_instance,
    quadratics,
)
from verify.claim.functions import data_of, functions
from verify.claim.hypothesis import Hypothesis, hypothesis
from verify.claim.instance import Instance
from verify.claim.operators import operators
from verify.claim.parameters import Family, Real, Shape, plain_numbers
from verify.claim.readings import Reading, Readings
from verify.claim.statement import (
    Rule,
    Sides,
    Source,
    Statement,
    Terms,
    described,
    open_claim,
    statement,
)
from verify.claim.wording import Wording, open_places

__all__ = [
    "Array",
    "Axis",
    "Wording",
    "QUADRATIC_BOX",
    "Family",
    "Hypothesis",
    "Instance",
    "Option",
    "Reading",
    "Readings",
    "Real",
    "Rule",
    "Shape",
    "Sides",
    "Source",
    "Statement",
    "Terms",
    "data_of",
    "described",
    "free",
    "functions",
    "hypothesis",
    "noiseless",
    "numbers",
    "open_claim",
    "open_places",
    "operators",
    "plain_numbers",
    "quadratic_data",
    "quadratic_instance",
    "quadratics",
    "statement",
]
