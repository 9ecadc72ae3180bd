"""What the statements of the grouping paper speak of, in one namespace: ``quantities as q``.

Boxes of parameters and free symbols (:mod:`.symbols`), clients that are grouped by their gradients
(:mod:`.gradients`), learning problems whose laws are known (:mod:`.laws`), training in groups
(:mod:`.training`), and what a module claims (:mod:`.claims`).
"""

from verify.statements.hcct.quantities.claims import *  # noqa: F403
from verify.statements.hcct.quantities.gradients import *  # noqa: F403
from verify.statements.hcct.quantities.laws import *  # noqa: F403
from verify.statements.hcct.quantities.symbols import *  # noqa: F403
from verify.statements.hcct.quantities.training import *  # noqa: F403
