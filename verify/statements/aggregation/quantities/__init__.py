"""The quantities of the paper: free numbers, what is measured, families of runs, settings."""

from verify.statements.aggregation.quantities.free import *  # noqa: F403
from verify.statements.aggregation.quantities.measures import *  # noqa: F403
from verify.statements.aggregation.quantities.runs import *  # noqa: F403
from verify.statements.aggregation.quantities.settings import *  # noqa: F403
