"""N*y <= (N+y)**2/4 for N, y >= 0"""

from verify import Family, Real, statement


@statement(
    "line.claim",
    where="the line",
    latex=r"N y \le \frac{\left(N + y\right)^{2}}{4}",
    family=Family({"N": Real(0, 4), "y": Real(0, 4)}, about="N, y >= 0"),
    relation="<=",
)
def claim(w):
    return {"N * y": w.N * w.y}, {"(N + y) ** 2 / 4": (w.N + w.y) ** 2 / 4}
