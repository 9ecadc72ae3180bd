"""What the statements of the FedBC paper speak of, in one namespace: ``quantities as q``.

Runs to look at (:mod:`.families`), what happens along one (:mod:`.rounds`), what is measured there
(:mod:`.measures`) and taken over the interval that holds it (:mod:`.domain`), what the proofs ask
for (:mod:`.conditions`), what records have in common (:mod:`.records`), and instances that are tried
first (:mod:`.instances`).
"""

from verify.statements.fedbc.quantities.conditions import *  # noqa: F403
from verify.statements.fedbc.quantities.domain import *  # noqa: F403
from verify.statements.fedbc.quantities.families import *  # noqa: F403
from verify.statements.fedbc.quantities.measures import *  # noqa: F403
from verify.statements.fedbc.quantities.records import *  # noqa: F403
from verify.statements.fedbc.quantities.rounds import *  # noqa: F403
