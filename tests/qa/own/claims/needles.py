"""False at one narrow place, or at none."""

from tests.qa.own.record import FALSE, TRUE, Table

own = Table("needles")

own.line(
    "disc",
    FALSE,
    "(x - 1/3)**2 + (y - 1/7)**2 >= 1/1000000 for x, y in [0, 1]",
    "At (1/3, 1/7): 0.",
)
own.line(
    "no_disc",
    TRUE,
    "(x - 1/3)**2 + (y - 1/7)**2 + 1/1000000 >= abs(x - 1/3)/500 for x, y in [0, 1]",
    "(|x - 1/3| - 1/1000)^2 is not negative.",
)
own.line("bump", FALSE, "exp(-(10000*(x - 37/100))**2) <= 1/2 for x in [0, 1]", "At x = 0.37: 1.")
own.line(
    "bump_high",
    TRUE,
    "exp(-(10000*(x - 37/100))**2) <= 1 for x in [0, 1]",
    "The exponent is not positive.",
)
own.line(
    "bump_of_two",
    FALSE,
    "exp(-(100*(x - 37/100))**2 - (100*(y - 61/100))**2) <= 1/2 for x, y in [0, 1]",
    "At (0.37, 0.61): 1.",
)
own.line(
    "root_of_two",
    FALSE,
    "(x**2 - 2)**2 >= 1/100000000 for x in [0, 2]",
    "At x = 1.41421: about 2e-11.",
)
own.line(
    "pell",
    FALSE,
    "abs(n**2 - 2*m**2) >= 2 for integer n in [2, 12], integer m in [2, 12]",
    "n = 3, m = 2 and n = 7, m = 5: 1.",
)
own.line(
    "irrational",
    TRUE,
    "abs(n**2 - 2*m**2) >= 1 for integer n in [1, 12], integer m in [1, 12]",
    "No fraction has the square 2.",
)
own.line(
    "one_n", FALSE, "c*abs(2*n - 274) >= c for c > 0, integer n in [1, 200]", "At n = 137: 0 < c."
)
own.line(
    "no_n", TRUE, "c*abs(2*n - 275) >= c for c > 0, integer n in [1, 200]", "2 n - 275 is odd."
)
own.line(
    "thin_strip",
    FALSE,
    "abs(x - y)*1000 + 1/1000 >= x*y for x, y in [0, 1]",
    "At x = y = 1: 0.001 < 1.",
)
own.line("corner", FALSE, "x*y*z*u <= 999/1000 for x, y, z, u in [0, 1]", "At ones: 1.")
own.line(
    "corner_of_six",
    FALSE,
    "a*b*c*d*f*g <= 1 - 1/1000000 + (1-a)*(1-b) for a, b, c, d, f, g in [0, 1]",
    "At ones: 1.",
)
own.line(
    "corner_true",
    TRUE,
    "a*b*c*d*f*g <= 1 - (1-a)*(1-b) for a, b, c, d, f, g in [0, 1]",
    "ab <= a + b - ab, as a + b - 2ab = a(1-b) + b(1-a), and the others are at most 1.",
)
own.line(
    "wells",
    FALSE,
    "sin(40*x) <= 99/100 + (x - 5/2)**2 for x in [0, 3]",
    "At x = 32.5 pi/40 = 2.5525: 1 > 0.9928; nowhere else.",
)
own.line(
    "wells_high",
    TRUE,
    "sin(40*x) <= 999/1000 + (x - 5/2)**2 for x in [0, 3]",
    "The bound is below 1 in [2.468, 2.532] alone, where the sine is at most 0.68.",
)
own.line(
    "between",
    FALSE,
    "(x - 1)*(x - 1001/1000) >= 0 for x in [0, 2]",
    "At x = 1.0005: negative; only between the roots.",
)
own.line(
    "far_between", FALSE, "(x - 100)*(x - 1001/10) >= 0 for x >= 0", "At x = 100.05: negative."
)
own.line("double", TRUE, "(x - 1)**2*(x - 1001/1000)**2 >= 0 for x in [0, 2]", "A square.")
own.line(
    "meeting",
    FALSE,
    "abs(x - 1/3) + abs(y - 2/3) + abs(x + y - 1) >= 1/100000 for x, y in [0, 1]",
    "At (1/3, 2/3): 0.",
)
own.line(
    "not_meeting",
    TRUE,
    "abs(x - 1/3) + abs(y - 2/3) + abs(x + y - 101/100) >= 1/100 for x, y in [0, 1]",
    "The three arguments, with signs -, -, +, add up to -1/100.",
)
