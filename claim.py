"""4*x*y <= (x+y)**2 for x, y >= 0"""

from verify import Family, Real, statement


@statement(
    "line.claim",
    where="the line",
    latex=r"4 x y \le \left(x + y\right)^{2}",
    family=Family({"x": Real(0, 4), "y": Real(0, 4)}, about="x, y >= 0"),
    relation="<=",
)
def claim(w):
    return {"4 * x * y": 4 * w.x * w.y}, {"(x + y) ** 2": (w.x + w.y) ** 2}
