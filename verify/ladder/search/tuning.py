"""Numbers by which the search was tuned, file by file: value, unit, reason.

A length in the cube is a part of a parameter's range, since every shape is searched in the unit
cube; a height is the logarithm of left/right.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

# Pool: what is remembered, and when a ratio is steady
NUDGE = 2.0**-16
"""How far, as a part of the way to a point of the box, a nudged instance moves."""

TOPS = 8
"""Tightest points that are remembered."""

SCORED_WITH_NEIGHBOURS = 512
"""Instances that cost less together with their neighbours than one after the other."""

# Tally: how many different instances were met
COUNTED_PER_SHAPE = 256
"""Different instances of a shape after which none is counted any more."""

CELLS_PER_RANGE = 2**12
"""Places along a parameter's range that are told apart: an ascent takes differences between points
that are much closer, and they are one instance."""

# Goal: what is climbed
UNITS_REACH = 16
"""Largest power of two by which a search along units rescales."""

HIGHEST = 690.0
"""Logarithm of the largest ratio that is told apart from an infinite one."""

LOWEST = 300.0
"""Logarithm of the largest gap to the other sign that is told apart: above `NO_HEIGHT` still."""

# Points: where a search begins
LEVELS = np.array([0.0, 0.5, 1.0, 0.25, 0.75, *np.arange(1, 8, 2) / 8, *np.arange(1, 16, 2) / 16])
"""Places in a parameter's range: ends and middle, then ever finer."""

GRIDS = (17, 9, 5, 3)
"""Numbers of levels that make up a whole grid."""

TIES = 64
"""Instances tried in which two parameters of like unit have one value."""

PLAIN_PART = 0.6
"""Part of the analytic points without further structure: each number at a level of its own."""

# Curves: points that are moved onto equalities
CURVE_SAMPLE = 128
"""Points by which the ways onto an equality are compared: most should stay in the domain."""

CURVE_CENTRES = 6
"""Points on it through which lines are tried."""

CURVE_NUMBERS = tuple(Fraction(n, k) for k in (1, 2, 5) for n in (0, 1, -1, 2, -2, 3, -3, 4, -4))
"""Numbers of such a point: those of the circle's own, and of small right triangles."""

CURVES_KNOWN = 256
"""Claims whose ways are remembered: what `holds` costs asks for those of one claim many times."""

CURVE_FAR = 1024
"""From so far out the nearest root is the outer one."""

DIAGONALS = 8
"""One structured point in so many has matrices of one number on the diagonal and one beside it."""

# Starts of an ascent
STARTS_APART = 0.05
"""Distance in the cube below which two starts would end at one place."""

JITTER = 0.02
"""How far some starts are moved off a tie, where the sides of a claim have kinks."""

NO_RANGE = 1e-300
"""Instead of a division by a range that is one point."""

CHOSEN_FROM = 256
"""Points from which starts of one kind are chosen."""

# Ascent: sequential quadratic programming from many starts
DIFFERENCE = 1e-6
"""Length of a difference in the unit cube: far above rounding, far below any feature."""

NO_HEIGHT = -1e3
"""Stands for a height that does not exist."""

FROM_THE_EDGE = 1e-8
"""Distance in the cube that a step keeps from the edge of a hypothesis: float margins decide."""

STEP_LENGTHS = np.array([1.0, 0.5, 0.2, 0.05, 0.005])
"""Parts of a step that are tried at once."""

FIRST_STEP = 0.3
"""Longest first step along each coordinate."""

MISSED_PRICE = 1e11
"""Price of a missed linearised hypothesis; finite, so that the programme always has a solution."""

NO_PROGRESS = 1e-7
"""Gain in height below which a step is no progress."""

IDLE_STEPS = 2
"""Steps without progress after which a start is done."""

PIVOTS = 24
"""Most changes of the active set within one quadratic programme."""

PIVOTS_TOGETHER = 6
"""Changes in which all wrong guesses are put right at once; they may cycle."""

WRONG_BY = 1e-13
"""Length by which a guess must be wrong to be changed."""

DEAREST = 10.0
"""Largest multiplier that is believed, in slopes of the height: out of reach of a hypothesis the
programme pays any price."""

# Optima: when a climb has seen enough
SAME_OPTIMUM = 1e-4
"""Difference in height below which two ends are one optimum."""

FLAT_STARTS = 8
"""Starts after which a landscape is flat on which none has risen."""

OPTIMA_MISSING = 0.5
"""Expected number of optima that may be missing."""

# Evolution of the covariance
ISLAND_SPREAD = 0.2
"""First standard deviation of an island, in lengths of the cube."""

ISLAND_CONVERGED = 1e-9
"""Standard deviation at which an island has converged."""

# Hunt: the search of one shape
CHUNK = 1024
"""Instances scored at a time."""

BEST_POINTS = 512
"""Best analytic points that an engine may begin with."""

TINY_SIDE = 1e-3
"""Part of the median right side below which an instance counts as tiny."""

KEPT_POINTS = 96
"""Best and first analytic points that stay for mutants and hints."""

REMEMBERED = 8192
"""Points of which starts are chosen: the best, and others by chance."""

STEPS_OF_A_START = 14
"""Steps that a start is expected to need; with eight, claims off by 2 % were missed."""

CLIMBING_AT_ONCE = 32
"""Most starts that climb at one time."""

STEPS_PER_LOOK = 6
"""Steps of an ascent after which its hits are looked at: the first one is rarely the clearest."""

GENERATIONS = 24
"""Most generations of one set of islands."""

FIRST_ASCENT = 4
"""One part in so many of the engine's evaluations goes to an ascent before any evolution."""

FIRST_ENDS = 10
"""Starts that must be able to end in that part; it takes eight to tell that they end in one."""

EVOLVED = 4
"""One part in so many of the other ones goes to evolution."""

# One parameter at a time
LEVELS_ALONE = 16
"""Places of its range at which a number is tried that climbs alone."""

STEPS_ALONE = 4
"""Steps that a parameter is expected to need that climbs alone."""

DRAWN_ALONE = 3
"""Instances drawn for each with which one may begin, as some miss a hypothesis."""

ENDS_LEFT_OUT = 0.1
"""Part of each range, at either end, in which none of them begins."""

ALONE = 3
"""Instances drawn for each with which one may begin, as some miss a hypothesis."""

ENDS_OF_ONE = 2
"""Ends of each parameter from which all of them climb."""

ALONE = 3
"""One evaluation in so many, beside those of the engine."""

SHAPES_ALONE = 2
"""Shapes in which that is done, those that come nearest to a hit."""

# Plan: the search of a whole claim
BEYOND_RANGES = 0.3
"""Part of the analytic points that lies beyond the ranges of the box, where the domain allows it;
the engine goes as far as the domain does."""

LOOKED_AT_FIRST = 4
"""One part in so many of a shape's evaluations is for points to begin with; with half of them, a
worst case in thirteen parameters was found at every second seed only. Where none of them meets the
hypotheses there are as many again."""

LARGER_SIZES = 0.2
"""Part of the evaluations that goes to larger sizes, where a family has some."""

# Enough: shapes in which few instances were met
FILL_UP_POINTS = 512
"""Points of a shape that are tried where the search has met few instances; half of them lie
between those that were met."""

FILL_UP_TIMES = 2
"""Times that this is done, since the second time there are more instances to look between."""

FILL_UP_AGAIN = (128, 512, 512)
"""Points of a shape, each time, where an earlier search has met enough: a call of both sides costs
as much as a hundred points."""

FILL_UP_BESIDE = (1e-4, 0.1)
"""How far beside, as a part of the ranges: regions of hypotheses are thin or thick."""

# Sizes that grow
LARGEST_SIZE = {"N": 512, "rounds": 1024, "T": 1024, "horizon": 1024, "local_steps": 256, "d": 16}
"""Where growth ends, by the name of the size; for another name see `LARGEST_OTHER`."""

LARGEST_PLAIN = {"rounds": 4096, "T": 4096, "horizon": 4096}
"""Where it ends where instances are plain numbers, and cost little."""

LARGEST_OTHER = 512
"""Where it ends for a size of another name."""

NUMBERS_OF_A_CALL = 32
"""Numbers of an instance that cost about as much as one number: what a call of a side costs."""

SIZE_STEP = 4
"""From one size to the next."""

FEWEST_INSTANCES = 8
"""Instances below which a size is not worth trying."""

MOST_OUTCOMES = 64
"""Most outcomes of one large instance; where there are more, its noise is left out."""

BATCH_NUMBERS = 50_000
"""Numbers of a batch, in those of a listed instance."""

CALLS_OF_A_SIZE = 200
"""Evaluations that the calls for one size cost, whatever their number of instances; those of a
longer run cost more."""

MOST_CALLS = 1_000_000
"""Calls, or kilobytes, that one instance may take; far above what any takes whose work grows like a
power."""

FEWEST_CALLS = 1_000
"""Calls below which their number says nothing."""

CHEAP_CALLS = 100_000
"""Calls below which a size that is a number in a formula costs next to nothing."""

LARGEST_CHEAP = 2**15
"""Where growth of such a size ends, beyond the others while the ratio grows."""

LARGE_DIGITS = 8
"""Binary digits of numbers at large sizes: a long run in fractions multiplies them."""

# Small: a search for a changed claim
SMALL_SHAPES = 3
"""Shapes that a hunt visits: those of the tightest starts, else the first ones."""

SMALL_STARTS = 8
"""Starts that a hunt takes over."""

SMALL_HITS = 8
"""Hits of one shape that are put to the referee."""

SMALL_LOOK = 2
"""One part in so many of a shape's evaluations is for points to begin with."""

SMALL_ROUNDS = 8
"""Generations that a shape's evaluations must be enough for, or the population is made smaller."""

SMALL_POPULATION = 8
"""Smallest population."""

# Rays and their growth
PAIRED = ((1, 1), (1, 2), (2, 1))
"""Sizes of the exponents of two quantities that move together."""

RAY_STEP = 4
"""Powers of two between neighbouring points of a ray."""

RAY_POWERS = RAY_STEP * np.arange(6, 12)
"""Points of a ray at which its growth must show: far enough out for a constant of a million."""

RAY_FURTHER = (66, 88)
"""Powers of two between which a growing ray must still grow, in exact arithmetic: with a constant
below 2^60 it has levelled off before."""

RAY_STARTS = 12
"""Random feasible instances that rays begin with, beside the tightest ones."""

RAY_OTHERS = 6_000
"""Evaluations for each of which as many others are taken where one symbol moves alone."""

RAYS_AT_ONCE = 96
"""Rays that are scored together."""

# Seeds for a later search
SEEDS_TIGHT = 4
"""Tightest instances of a climb that are kept."""

SEEDS_SPREAD = 8
"""Instances of each batch that a search has kept, spread from the tightest to the loosest."""

SEEDS_ALIKE = 1e-6
"""Relative difference of ratios, in floats, up to which they are the same on every processor."""

# Shrinking
INSTEAD_OF_ZERO = tuple(Fraction(1, k) for k in (1, 4, 16, 64))
"""What is tried for a number that is zero where an author would not have it so."""

LONG_NUMBER = 32
"""Numerator and denominator together above which a number is worth pairing with another."""

TWELVE_DIGITS = 10**12
"""Numerator and denominator together above which a kept witness is shrunk again."""

# Short searches, which begin with what an earlier one has left
ENGINE_PART = 4
"""One evaluation in so many goes to the engine; the others look at every shape."""

# Instances that floats cannot compare
BLANKS = 24
"""Most of them that are put to the referee: a long run in fractions takes seconds."""
