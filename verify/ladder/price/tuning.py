"""Numbers by which the price of `holds` was tuned, file by file: value, unit, reason."""

from __future__ import annotations

# Trials of changed claims
REFEREE_SECONDS = 5.0
"""Seconds that the referee may take for one hit: a long run in fractions takes for ever."""

DIGITS = (8, 16)
"""Binary digits of numbers with which the referee is asked first."""

CLEARLY = 1e-6
"""Part by which an instance of such numbers must break a changed claim in floats."""

ASKED_PER_BATCH = 2
"""Instances of each kept batch about which the referee may be asked, tightest first."""

ASKED_KEPT = 6
"""Kept instances about which it is asked in all: a claim that falls on none mostly stands there."""

ASKED_REMEMBERED = 8
"""Instances whose exact values are remembered for the next changed claim."""

# Shares of a leaf's evaluations
TERMS_SHARE = 2
"""One part in so many goes to the claims without a term, all together."""

TERMS_FEWEST = 4
"""Fewer terms than this get no larger share each."""

SMALLER_SHARE = 4
"""One part in so many goes to the climb of a claim without the terms that nothing needs."""

BROKEN_SHARE = 4
"""One part in so many goes to hypotheses broken alone, all together."""

BROKEN_FEWEST = 2
"""Fewer hypotheses than this get no larger share each."""

STANDING_SHARE = 8
"""One part in so many goes to each comparison with a do-nothing bound."""

# Mutants
HEARD_ON = 64
"""Instances of a batch that tell whether the right side reads a symbol."""

LOOKS_AGAIN = 2
"""Batches of instances that an earlier search has left in which a mutant is looked for that is
below the claim somewhere; those that are there are tried in all batches."""

# Power: searches for what kills a mutant
NEAR_PART = 1 / 3
"""Part of the evaluations that all survivors share; each of the others belongs to one of them."""

NEAR_SCALES = (1e-3, 0.03, 0.3)
"""How far instances near a tight one are moved, in lengths of the cube."""

NEAR_PLACES = 4
"""Tight instances at which a search begins."""

MUTANTS_AT_ONCE = 4
"""Mutants for which instances are climbed at one time: each is evaluated on the points of all."""

STEPS_PER_MUTANT = 8
"""Steps of an ascent for one mutant before another place is worth a second one."""

# Constants: what an explicit form's constant depends on
CONSTANT_VALUES = 32
"""Different values from which it can be told that a constant goes up and down with a term."""

# Controls: whether a claim is about its method
CONTROL_BATCHES = 24
"""Batches of kept instances on which a control takes the method's place: each costs a run."""

CLEARLY_BROKEN = 1e-6
"""Relative excess from which a control breaks a claim: no rounding, and no accusation either."""
