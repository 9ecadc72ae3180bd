"""Adam's regret bound falls on the losses C x, -x, -x, ... on [-1, 1], three to a cycle.

Kingma and Ba 2015, Theorem 4.1, without momentum; the losses are those of Reddi, Kale, Kumar 2018.
"""

from bounds import generic as xp
from verify import Real, numbers, statement

BOX = {"C": Real(3, 8, domain=(2, 16)), "a": Real(1 / 4, 2, log=True)}
FIRST, SECOND = r"\frac{D^2}{2\alpha}\sqrt{T\hat v_T}", r"\frac{\alpha G}{\sqrt{1-\beta_2}}"


@statement(
    "adam.regret",
    where="Theorem 4.1",
    latex=rf"R(T)\le{FIRST}+{SECOND}\|g_{{1:T}}\|",
    family=numbers(BOX, {"cycles": 1}, {"cycles": 30}, about="C x, -x, -x, ..., x_1 = 1"),
)
def regret(w):
    b, x, v, loss, square = 1 / (1 + w.C**2), 1 + 0 * w.C, 0 * w.C, 0, 0
    for t in range(1, 3 * w.cycles + 1):
        g = w.C if t % 3 == 1 else -1 + 0 * w.C
        loss, square, v = loss + g * (x + 1), square + g**2, b * v + (1 - b) * g**2
        seen = v / (1 - b**t)
        x = xp.minimum(xp.maximum(x - w.a / xp.sqrt(t * seen) * g, -1 + 0 * x), 1 + 0 * x)
    first, second = 2 / w.a * xp.sqrt(t * seen), w.a * w.C / xp.sqrt(1 - b) * xp.sqrt(square)
    return {"regret": loss}, {"distance": first, "gradients": second}
