"""Weighted means, ratios and equalities."""

from tests.qa.own.record import FALSE, TRUE, Table

own = Table("weighted")

S = " for p >= 0, real x given sum_i p[i] == 1"
own.line("jensen", TRUE, "(sum_i p[i]*x[i])**2 <= sum_i p[i]*x[i]**2" + S, "Jensen.")
own.line(
    "jensen_turned",
    FALSE,
    "sum_i p[i]*x[i]**2 <= 3/2*(sum_i p[i]*x[i])**2" + S,
    "Two equal shares, x = (1, -1): 1 > 0.",
)
own.line("plain", FALSE, "(sum_i p[i]*x[i])**2 <= mean_i x[i]**2" + S, "p = x = (1, 0): 1 > 1/2.")
own.line("largest", TRUE, "sum_i p[i]*x[i] <= max_i x[i]" + S, "A mean.")
own.line(
    "weights_twice",
    TRUE,
    "sum_i p[i]**2*x[i]**2 <= max_i p[i]*sum_i p[i]*x[i]**2" + S,
    "Term by term.",
)
own.line(
    "weights_twice_less",
    FALSE,
    "sum_i p[i]**2*x[i]**2 <= mean_i p[i]*sum_i p[i]*x[i]**2" + S,
    "p = x = (1, 0): 1 > 1/2.",
)
own.line(
    "split",
    TRUE,
    "sum_i p[i]*(x[i] - m)**2 == sum_i p[i]*(x[i] - sum_j p[j]*x[j])**2 + (sum_i p[i]*x[i] - m)**2"
    " for p >= 0, real x, m given sum_i p[i] == 1",
    "Bias and variance.",
)
own.line(
    "split_plain",
    FALSE,
    "sum_i p[i]*(x[i] - m)**2 == sum_i p[i]*(x[i] - mean_j x[j])**2 + (mean_i x[i] - m)**2"
    " for p >= 0, real x, m given sum_i p[i] == 1",
    "p = x = (1, 0), m = 0: 1 against 1/4 + 1/4.",
)
own.line(
    "pairs",
    TRUE,
    "sum_i p[i]*(x[i] - sum_j p[j]*x[j])**2 <= sum_i p[i]*x[i]**2" + S,
    "Bias and variance.",
)
own.line(
    "ratio_of_sums",
    TRUE,
    "(sum_i x[i])/(sum_i y[i]) <= max_i x[i]/y[i] for x, y > 0",
    "The mediant.",
)
own.line(
    "ratio_of_sums_mean",
    FALSE,
    "(sum_i x[i])/(sum_i y[i]) <= mean_i x[i]/y[i] for x, y > 0",
    "x = (1, 100), y = (1, 10): 101/11 = 9.18 > 5.5.",
)
own.line("mediant", TRUE, "(a + b)/(c + d) <= max(a/c, b/d) for a, b, c, d > 0", "The mediant.")
own.line(
    "mediant_mean",
    FALSE,
    "(a + b)/(c + d) <= (a/c + b/d)/2 for a, b, c, d > 0",
    "a = c = 1, b = 100, d = 10: 9.18 > 5.5.",
)
own.line("harmonic", TRUE, "N**2 <= sum_i x[i]*sum_i 1/x[i] for x > 0", "Cauchy-Schwarz.")
own.line(
    "harmonic_more",
    FALSE,
    "N**2 + (max_i x[i] - min_i x[i])**2 <= sum_i x[i]*sum_i 1/x[i] for x > 0",
    "x = (10, 20): 4 + 100 > 4.5.",
)
own.line(
    "inverse",
    TRUE,
    "1/(sum_i p[i]*x[i]) <= sum_i p[i]/x[i] for p >= 0, x > 0 given sum_i p[i] == 1",
    "Jensen.",
)
own.line(
    "inverse_turned",
    FALSE,
    "sum_i p[i]/x[i] <= 2/(sum_i p[i]*x[i]) for p >= 0, x > 0 given sum_i p[i] == 1",
    "Halves, x = (1, 9): 5/9 > 2/5.",
)
own.line(
    "parallelogram",
    TRUE,
    "norm(x + y)**2 + norm(x - y)**2 == 2*norm(x)**2 + 2*norm(y)**2 for vectors x, y",
    "The law of the parallelogram.",
)
own.line(
    "parallelogram_one",
    FALSE,
    "norm1(x + y)**2 + norm1(x - y)**2 == 2*norm1(x)**2 + 2*norm1(y)**2 for vectors x, y",
    "x = (1, 0), y = (0, 1): 8 against 4; in one dimension they agree.",
)
own.line(
    "cubes",
    FALSE,
    "(x + y)**3 == x**3 + y**3 + 3*x*y*(x + y) + (x*y)**2/1000000",
    "At ones: 8 against 8.000001.",
)
own.line("cubes_true", TRUE, "(x + y)**3 == x**3 + y**3 + 3*x*y*(x + y)", "Expand.")
