"""Functions and operators put together from profiles, functions of one variable with known bends.

A profile is given on both sides of zero by stretches, each with a length and a number that says how
much it bends; whatever the numbers are, what they say is cut to what the class admits. Profiles act
on the coordinates of y = x - x_*, reflected by a vector, and are added up. So every choice of
numbers is a member of its class in any dimension, values, gradients and constants are explicit, and
all but powers of Hoelder's classes is rational.
"""
