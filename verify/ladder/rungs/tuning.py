"""Numbers by which the rungs were tuned, file by file: value, unit, reason."""

from __future__ import annotations

# Program: is it a claim about each instance?
TOGETHER = 16
"""Instances that are evaluated together: half of them corners, half at random."""

ALONE = 1
"""Instances, of those at random, that are evaluated on their own too; each is a call of every side
and hypothesis, and of each leaf."""

SAME_ANSWER = 1e-12
"""Relative difference up to which two answers at the same instances are one."""

# Units
UNITS_BATCH = 256
"""Most instances of one batch whose units are measured."""

UNITS_AGAIN = 2
"""Batches of instances that an earlier search has left whose units are measured again."""

NO_POWER = -1e6
"""Stands for no power where exponents are told apart."""

# Referee
PLAINER_DIGITS = (8, 16, 24)
"""Binary digits of numbers with which an instance is tried before all of its digits are."""

AS_TIGHT = 1e-6
"""Relative difference of ratios below which two instances are as tight as each other."""

# Claims up to a constant
CONSTANTS = (1, 2, 4, 16, 256)
"""Numbers that are tried as the constant that a claim leaves open, small ones first."""

# Far out
FARTHEST = 40
"""Doublings and halvings of one: a trillion, beyond what constants of a paper come to."""

FAR_POINTS = 1024
"""Points of a shape; with one number each magnitude is met several times."""

FAR_SHAPES = 3
"""Shapes that are looked at beside the first one: the last listed ones."""

FAR_REFEREED = 12
"""Points of a shape about which the referee is asked: what rounding feigns costs no more."""

FAR_CLIMB = 1024
"""Evaluations of a climb in ranges that reach twice as far as the numbers of a claim, where these
lie beyond all that was searched."""

EACH_SIZE = 64
"""Sizes of which each is looked at, up to this one."""

EACH_SIZE_POINTS = 16
"""Structured instances of each."""

EACH_SIZE_KNOWN = 2
"""Tightest instances that are made as large, each in two ways."""

EACH_SIZE_CALLS = 400_000
"""Calls after which no further size is looked at: the work of a program may grow like a power."""

ROUND_DENOMINATORS = (1, 4, 12, 60, 1000)
"""Largest denominators of the fractions to which an instance is rounded that is asked for."""

# Spots: numbers of a program
SPOTS_NUMBERS = 32
"""Numbers of a program, with their negatives, that are tried: unusual ones first."""

SPOTS_PLACES = 256
"""Pairs of a number and a parameter that are tried in one shape."""

SPOTS_EACH = 4
"""Points of each pair, the other parameters at quarters of their ranges."""

SPOTS_TOGETHER = 512
"""Points of a shape in which several parameters are such numbers at once."""

SPOTS_MET = 3 / 4
"""Chance of each parameter to be one of them there."""

SPOTS_SHAPES = 3
"""Shapes that are looked at."""

SPOTS = 4
"""Points of a shape about which the referee is asked."""

SPOTS_OF_A_SIZE = 4
"""Instances of a size that stands in the program: a run of a thousand rounds takes long."""

SPOTS_LARGEST = 2048
"""Largest such size; above the sizes to which a search grows by itself."""

# What was kept, beside a search that sees none of it
AFRESH_TOPS = 4
"""Its tightest instances that are scored among those that were kept."""

# Link
LINK_INSTANCES = 96
"""Sampled instances per shape."""

# Simulation
CONFIRM = 2
"""Times as many fresh replicates confirm an accusation, which an e-value just at the limit on the
first noise would otherwise miss half of the time."""

# Instances that floats cannot compare
BLANK_PART = 0.01
"""Part of all instances above which it counts that exact arithmetic cannot compare them either."""

BLANKS_AGAIN = 1
"""Of them, about which the referee is asked again where an earlier search has asked; about more
where it cannot compare too many of these."""

# Worst cases
WORST_PROGRAMMES = {"quick": 40, "default": 160}
"""Programmes of a statement, of milliseconds each; of other profiles as many as of the last."""

WORST_DRAWS = 6
"""Choices of numbers in each shape, beside the middle of all ranges."""

WORST_POINTS = 24
"""Most points that a method meets in a listed shape: a programme of 24 takes 0.2 seconds."""

WORST_LONGEST = 52
"""Most points with more rounds than are listed: a programme of 48 takes four seconds."""

WORST_GROWS = 1e-6
"""Growth of left/right from one number of rounds to the next from which longer ones are tried."""

WORST_SPARE = (1e-6, 1e-4, 1e-2)
"""What conditions are to have to spare, relative to their numbers, where rounding hides one."""

WORST_DENOMINATORS = (8, 64, 1024)
"""Denominators of numbers at which a worst case is taken, short ones first."""

WORST_FITTED = 10
"""Numbers for a parameter through which the squares of certificates are fitted."""

WORST_SAME = 1e-7
"""Relative excess up to which a worst case under fewer conditions is the same."""

WORST_LEVEL = 4
"""Numbers with the same worst case from which it is taken to depend on none of them."""
