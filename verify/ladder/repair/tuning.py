"""Numbers by which the search for mends was tuned, file by file: value, unit, reason."""

from __future__ import annotations

from fractions import Fraction

# Mends that are tried
FACTORS = sorted(
    {Fraction(a, b) for a in (1, 2, 3, 4, 8) for b in (1, 2, 3, 4, 8)} - {Fraction(1)},
    key=lambda f: (f.numerator + f.denominator, f),
)
"""Factors on the right side, on one of its terms or on a symbol, short ones first."""

COEFFICIENTS = (1, 2, 8)
"""Factors with which a missing term is tried."""

MOST_TERMS = 80
"""Monomials that are tried as a missing term."""

# Products of powers that are read off the sample
EXPONENTS = {1: (-2, -1, 1, 2), 2: (-2, -1, 1, 2), 3: (-1, 1, 2)}
"""Powers of one, two and three symbols."""

MOST_SYMBOLS = 8
"""Symbols of which products are made."""

NEXT_TO_NOTHING = 1e-200
"""Stands for a zero, of which there is no logarithm."""

MOST_FITTED = 12
"""Products that are proposed for a place, those closest to what is missing first."""

NUMBERS = (Fraction(1), *FACTORS, Fraction(16), Fraction(32), Fraction(64))
"""Numbers before a product."""

SAME = 1e-9
"""Relative difference of numbers that count as the same."""

LIMITS = sorted(
    {Fraction(a, b) for a in (*range(1, 9), 16, 32, 64) for b in (*range(1, 9), 16, 32, 64)},
    key=lambda f: (f.numerator + f.denominator, f),
)
"""Numbers to which a condition holds a product, plain ones first."""

LIMIT_WITHIN = 3 / 2
"""A limit lies at most by this factor below the least value that breaks the claim."""

KEPT_AT_LEAST = 1 / 8
"""Part of the instances of the sample that do not break the claim which a condition must keep."""

FOR_A_SYMBOL = 1 / 8
"""Part of the instances that a condition must keep more for each further symbol in it."""

TWICE = 2
"""A product is held to so many limits at most."""

KEPT_DIFFERENT = 5
"""So many different ones: a single point at the edge of a range is no condition."""

# The sample on which they are tried
SAMPLED_FROM = 512
"""Kept instances of a shape of which a sample is drawn."""

SAMPLED_BROKEN = 24
"""Instances of a shape in the sample that break the claim."""

SAMPLED_WHOLE = 24
"""Instances of a shape in the sample that do not."""

MOST_BITS = 64.0
"""Excess, in powers of two, that stands for an infinite one."""

# Mended claims, one after the other
MOST_REPAIRS = 3
"""Mended claims that are told at most."""

SOUGHT = 2
"""Times as many that stand are looked for: the tightest of them are told."""

MOST_CLIMBS = 12
"""Mended claims that climb at most, for each further change the same again; most fall early."""

FALLS = 3
"""Factors at one place that may fall before the place is given up."""

PLAIN = 3
"""Size of a mend up to which it is a factor, an index, a power of a symbol or an exchange."""

MOST_CONDITIONS = 6
"""Claims with one more hypothesis that climb at most."""

REFEREED = 24
"""Candidates about which the referee is asked for one climb, best first."""

NOTHING_LEFT = 1e-9
"""Powers of two on average that count as nothing: rounding."""

WORTH = 1 / 2
"""A first of two changes that leaves more than this part of the excess is none."""

# Laws of growth
LADDER = 8
"""Steps of a ladder: doublings, of numbers of clients and dimensions every second one."""

AGAIN = 4
"""Times the evaluations of a ladder with which one that has no law is followed once more."""

ROOM = 2.0**30
"""Largest ratio from which ladders are followed once more: far from what digits of floats allow."""

DIGITS = 2.0**40
"""Ratio above which what levels off may do so by the digits of floats, 2^53, alone."""

LARGEST = 2.0**512
"""Ratio beyond which a ladder ends: the next one, or a side of it, may be no float."""

FAST = 2.0**128
"""Ratio at the end of a way from which it is gone in steps of half the length as well."""

LOST = 2
"""Factor by which the last ratio along a size may be below the largest one of a bounded law."""

SHARES = 3
"""Equal shares of the time that one of several ladders may take."""

FEWEST_AT_A_STEP = 32
"""Evaluations of each step, however large its instances are."""

HEAVIEST = 40
"""Numbers of an instance, in those of the first step, up to which a ladder goes."""

LONGEST = 64
"""Work of an instance, in that of the first step, up to which a ladder goes."""

MOST_BYTES = 2**28
"""Memory that a batch of instances of a step may take."""

MOST_LOG = 64.0
"""Logarithm of a growth of memory that stands for any larger one."""

EXACT_VALUES = 4
"""Last values of a closed form that are scored again in exact arithmetic."""

# Rays
RAY = 12
"""Steps of a ray from a worst instance: doublings or halvings of one number."""

RISES = 1.01
"""Factor by which left/right must rise at each step of a ray."""

NEAR = 1e-6
"""Relative difference of a ratio in floats from the exact one, at most."""

RAYS_FROM = 4
"""Worst instances from which rays go out."""

# Best constant of a claim that falls
BEST_LARGEST = 1e4
"""Largest left/right that is followed to a constant: beyond that it hardly is one."""

BEST_NEAR = 1e-6
"""Relative distance from the largest left/right within which a short number is taken for it."""

BEST_ROOTS = 60
"""Largest denominator of a number whose root is tried."""

BEST_SECONDS = 10
"""Of the processor for the proof of a claim with its constant; a net under its effort."""

BEST_PROGRAMMES = 120
"""Worst cases that are looked at for the largest one."""

BEST_STARTS, BEST_STEPS, BEST_BATCH = 3, 60, 64
"""Instances from which one goes uphill, steps of each, and instances of a step."""

BEST_UNITS = 3
"""Numbers of an instance that are tried as its unit, the largest ones."""

# Laws of one number that moves by itself
CONFIRMED = 2
"""Last values of a law that it is not read off: two more doublings."""

BEYOND_PRINT = 2
"""Further doublings that must be as a law says too, and are not printed."""

CONFIRMS = 0.02
"""Relative difference within which a value is the one that a law foretells."""

MUCH = 0.4
"""Least power of the first move with which a field moves that a law may be about."""

ENTRIES = 12
"""Entries of an array that are moved one by one."""

BATCH = 512
"""Instances, times the outcomes of each, that are measured at once."""

ALONE_BYTES = 2**25
"""Memory that a batch of instances of a place may take."""

ALONE_CALLS = 2_000_000
"""Calls of functions that the laws of a leaf may take: so that they depend on no clock."""

MEASURING = 4
"""How many times as long an instance takes whose calls and memory are counted."""

MOST_PAIRED = 2048
"""Instances, times the outcomes of each, that are measured where two numbers move together."""

LONGEST_ALONE = 12
"""Work of an instance, in that of the start, up to which a size is followed."""

HEAVIEST_ALONE = 1024
"""Numbers of an instance, in those of the start, up to which a size is followed."""

TOGETHER = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)
"""Powers with which a second number moves beside the first."""

MOST_TOGETHER = 12
"""Parameters that are moved in pairs."""

VARIES = 2
"""Factor between the worst ratio found and the witness's from which there may be growth."""

FROM_LADDERS = 1
"""Worst instances of ladders from which two numbers move together."""

EXACT_CALLS = 400_000
"""Calls of functions that one value of a law or a mended claim may take in exact arithmetic."""

EXACT_SECONDS = 20.0
"""Seconds of the processor for the same: a net where single calls are long, and none was seen."""

MOST_POWER = 600.0
"""Exponent of e beyond which an exponential law foretells more than any float."""

LEAST_SLOPE = 0.05
"""Exponent from which a ratio that has steady slopes grows like a power."""

LAWS_TOLD = 5
"""Laws of a leaf that are kept at most; those that have no letter in print are not told."""

CLOSE = 0.15
"""Width of an interval of exponents within which a multiple of a half is meant."""

SURELY = 3
"""Values in exact arithmetic from which a formula is told as exact."""

# What mended claims are held to
HELD = 128
"""Known instances to which a mended claim is held."""

GROWN = 3
"""Instances of which each size and number is made up to eight times as large."""

HELD_SECONDS = 5.0
"""Seconds of the processor that a batch of instances may take, many times what one takes; larger
ones of its kind are left then."""

HELD_BYTES = 2**21
"""Memory of one instance up to which the next larger size is tried."""

TIMES = 8.0
"""How many times as large, or as small, sizes and numbers are made."""

HELD_AT_ONCE = 64
"""Instances that are scored at once."""

ASKED = 4
"""Instances of a batch about which exact arithmetic is asked."""

MOVED = 24
"""Instances that are seen from another origin and in other units."""

POINTS = 6
"""Parameters among which those are looked for that move with the origin."""

SHARP = (1.001, 1.02)
"""Factors above what an instance needs, within which the plainest fraction is offered."""

LARGEST_SHARP = 4096.0
"""Left/right up to which a sharp factor is offered: a larger one is no constant."""
