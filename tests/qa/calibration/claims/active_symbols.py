"""Two to five hypotheses are active at the worst point of claims about free symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Pair, maker
from tests.qa.calibration.worlds import ANY, POSITIVE, numbers
from verify.claim.parameters import Real
from verify.world.world import World

pair = maker("active")

POS = Real(0, 4)
ANYONE = Real(-2, 2, per=("N",))


def below(symbol: str, limit: str) -> dict[str, Callable[[World], Any]]:
    """The hypothesis that one symbol is at most another."""
    return {f"{symbol} <= {limit}": lambda w: w.symbol(limit) - w.symbol(symbol)}


def within(symbol: str, limit: str) -> dict[str, Callable[[World], Any]]:
    """The hypothesis that a symbol of any sign is at most another one in size."""
    return {f"|{symbol}| <= {limit}": lambda w: w.symbol(limit) ** 2 - w.symbol(symbol) ** 2}


# -- planes and curves ---------------------------------------------------------------------------


def _corner(w: World, k: int) -> Any:
    return {"3x+y": 3 * w.x + w.y}, {"9s": k * w.s / 100}


def _product_corner(w: World, k: int) -> Any:
    return {"x+y+z": w.x + w.y + w.z}, {"5s": k * w.s / 100}


def _pairs(w: World, k: int) -> Any:
    return {"x+y+z": w.x + w.y + w.z}, {"3s": k * w.s / 100}


def _cycle(w: World, k: int) -> Any:
    return {"sum": xp.total(w.x)}, {"5s": k * w.s / 100}


def _chord(w: World, k: int) -> Any:
    return {"y": w.y}, {"4s": k * w.s / 100}


def _hyperbola(w: World, k: int) -> Any:
    return {"x+y": w.x + w.y}, {"5s/2": k * w.s / 100}


def _determinant(w: World, k: int) -> Any:
    return {"ad-bc": w.a * w.d - w.b * w.c}, {"2s^2": k * w.s**2 / 100}


def _box_product(w: World, k: int) -> Any:
    return {"xyz": w.x * w.y * w.z}, {"s^3": k * w.s**3 / 100}


def _zigzag(w: World, k: int) -> Any:
    jumps = xp.total((w.x[..., 1:] - w.x[..., :-1]) ** 2)
    return {"jumps": jumps}, {"3 s^2": k * w.s**2 / 100}


# -- bounds put together from bounds -------------------------------------------------------------


def _descent(w: World, k: int) -> Any:
    return {"f1": w.f1}, {"f0": (1 - w.eta * w.mu) * w.f0, "noise": k * w.eta * w.s / 100}


def _recursion(w: World, k: int) -> Any:
    q = w.q
    bound = q**3 * w.D + (1 + q + q**2) * w.B
    return {"a3": w.a3}, {"bound": k * bound / 100}


def _interpolation(w: World, k: int) -> Any:
    change = w.g1 - w.g0
    return {"|change|^2": change**2}, {"L <change, x>": k * w.L * change * w.x / 100}


def _young_step(w: World, k: int) -> Any:
    return {"eta^2 c^2": w.eta**2 * w.c**2}, {"eta s/2": k * w.eta * w.s / 100}


def _markov_chain(w: World, k: int) -> Any:
    return {"p": w.p}, {"M/2": k * w.M / 100}


def _long_enough(w: World, k: int) -> Any:
    return {"left": w.D * xp.exp(-w.t)}, {"bound": k * w.B * xp.exp(-w.s) / 100}


def _bias_and_noise(w: World, k: int) -> Any:
    return {"b^2": w.b**2, "v/n": w.v / w.n}, {"bound": k * (w.B**2 + w.V / w.N0) / 100}


def _smooth_chain(w: World, k: int) -> Any:
    return {"f": w.f}, {"bR/2": k * w.b * w.R / 100}


CYCLE = {f"x{i}+x{(i + 1) % 5}": (i, (i + 1) % 5) for i in range(5)}

SYMBOLS: tuple[Pair, ...] = (
    pair(
        "corner",
        _corner,
        numbers(x=ANY, y=ANY, s=POSITIVE),
        slip=(900, 882),
        given={"x+y": lambda w: 4 * w.s - w.x - w.y, "x-y": lambda w: w.s - w.x + w.y},
        proof="3x + y = 2(x+y) + (x-y).",
        at={"x": "5/2", "y": "3/2", "s": 1},
        gives=("9", "441/50"),
    ),
    pair(
        "product_corner",
        _product_corner,
        numbers(x=POS, y=POS, z=POS, s=POSITIVE),
        slip=(500, 485),
        given={
            "x+2y": lambda w: 4 * w.s - w.x - 2 * w.y,
            "2x+y": lambda w: 5 * w.s - 2 * w.x - w.y,
            "z": lambda w: w.x * w.y - w.s * w.z,
        },
        proof="x + y <= 3s from the sum of the first two; 2xy <= (x+2y)^2/4 <= 4 s^2.",
        at={"x": 2, "y": 1, "z": 2, "s": 1},
        gives=("5", "97/20"),
    ),
    pair(
        "pairs",
        _pairs,
        numbers(x=ANY, y=ANY, z=ANY, s=POSITIVE),
        slip=(300, 294),
        given={
            "x+y": lambda w: 2 * w.s - w.x - w.y,
            "y+z": lambda w: 2 * w.s - w.y - w.z,
            "z+x": lambda w: 2 * w.s - w.z - w.x,
        },
        proof="Half the sum of the three.",
        at={"x": 1, "y": 1, "z": 1, "s": 1},
        gives=("3", "147/50"),
    ),
    pair(
        "cycle",
        _cycle,
        numbers({"N": 5}, x=ANYONE, s=POSITIVE),
        slip=(500, 480),
        given={
            name: lambda w, i=i, j=j: 2 * w.s - w.x[..., i] - w.x[..., j]
            for name, (i, j) in CYCLE.items()
        },
        proof="Half the sum of the five.",
        at={"x": [1] * 5, "s": 1},
        gives=("5", "24/5"),
    ),
    pair(
        "chord",
        _chord,
        numbers(x=ANY, y=ANY, s=POSITIVE),
        slip=(400, 390),
        given={"disc": lambda w: 25 * w.s**2 - w.x**2 - w.y**2, "x": lambda w: w.x - 3 * w.s},
        proof="y^2 <= 25 s^2 - 9 s^2.",
        at={"x": 3, "y": 4, "s": 1},
        gives=("4", "39/10"),
    ),
    pair(
        "hyperbola",
        _hyperbola,
        numbers(x=POSITIVE, y=POSITIVE, s=POSITIVE),
        slip=(250, 255),
        relation=">=",
        given={"xy": lambda w: w.x * w.y - w.s**2, "y": lambda w: w.y - 2 * w.s},
        proof="x + y >= s^2/y + y, which increases from y = s on.",
        at={"x": "1/2", "y": 2, "s": 1},
        gives=("5/2", "51/20"),
    ),
    pair(
        "determinant",
        _determinant,
        numbers(a=ANY, b=ANY, c=ANY, d=ANY, s=POSITIVE),
        slip=(200, 195),
        given=within("a", "s") | within("b", "s") | within("c", "s") | within("d", "s"),
        proof="|ad| and |bc| are at most s^2.",
        at={"a": 1, "b": 1, "c": -1, "d": 1, "s": 1},
        gives=("2", "39/20"),
    ),
    pair(
        "box_product",
        _box_product,
        numbers(x=POS, y=POS, z=POS, a=POS, b=POS, c=POS, s=POSITIVE),
        slip=(100, 97),
        given={
            **below("x", "a"),
            **below("y", "b"),
            **below("z", "c"),
            "a+b+c": lambda w: 3 * w.s - w.a - w.b - w.c,
        },
        proof="Geometric against arithmetic mean.",
        at=dict.fromkeys("xyzabcs", 1),
        gives=("1", "97/100"),
    ),
    pair(
        "zigzag",
        _zigzag,
        numbers({"N": 4}, x=ANYONE, s=POSITIVE),
        slip=(300, 294),
        given={"x >= 0": lambda w: w.x, "x <= s": lambda w: w.s[..., None] - w.x},
        proof="Each of three jumps is at most s.",
        at={"x": [0, 1, 0, 1], "s": 1},
        gives=("3", "147/50"),
    ),
    pair(
        "descent",
        _descent,
        numbers(f1=POS, f0=POS, g=POS, s=POS, eta=POSITIVE, mu=POSITIVE, beta=POSITIVE),
        slip=(50, 49),
        given={
            "descent": lambda w: w.f0 - w.eta * w.g / 2 + w.eta**2 * w.beta * w.s / 2 - w.f1,
            "PL": lambda w: w.g - 2 * w.mu * w.f0,
            "short step": lambda w: 1 - w.eta * w.beta,
        },
        proof="Put PL and eta beta <= 1 into the descent.",
        at={"f1": 1, "f0": 1, "g": 1, "s": 1, "eta": 1, "mu": "1/2", "beta": 1},
        gives=("1", "99/100"),
    ),
    pair(
        "recursion",
        _recursion,
        numbers(
            q=Real(0, 1, domain=(0, 1)),
            **dict.fromkeys(("a0", "a1", "a2", "a3", "b", "B"), POS),
            D=POSITIVE,
        ),
        slip=(100, 98),
        given={
            "round 1": lambda w: w.q * w.a0 + w.b - w.a1,
            "round 2": lambda w: w.q * w.a1 + w.b - w.a2,
            "round 3": lambda w: w.q * w.a2 + w.b - w.a3,
            **below("a0", "D"),
            **below("b", "B"),
        },
        proof="Unroll the recursion.",
        at={"q": "1/2", "a0": 1, "a1": 1, "a2": 1, "a3": 1, "b": "1/2", "B": "1/2", "D": 1},
        gives=("1", "49/50"),
    ),
    pair(
        "interpolation",
        _interpolation,
        numbers(x=ANY, f=ANY, g0=ANY, g1=ANY, L=POSITIVE),
        slip=(100, 98),
        given={
            "forth": lambda w: w.f - w.g0 * w.x - (w.g1 - w.g0) ** 2 / (2 * w.L),
            "back": lambda w: w.g1 * w.x - w.f - (w.g1 - w.g0) ** 2 / (2 * w.L),
        },
        proof="Add the two.",
        at={"x": 1, "f": "1/2", "g0": 0, "g1": 1, "L": 1},
        gives=("1", "49/50"),
    ),
    pair(
        "young_step",
        _young_step,
        numbers(eta=POSITIVE, c=POS, L=POSITIVE, s=POS),
        slip=(50, 49),
        given={
            "short step": lambda w: 1 - 2 * w.L * w.eta,
            "noise": lambda w: w.L * w.s - w.c**2,
        },
        proof="eta^2 c^2 <= eta^2 L s <= eta s/2.",
        at={"eta": "1/2", "c": 1, "L": 1, "s": 1},
        gives=("1/4", "49/200"),
    ),
    pair(
        "markov_chain",
        _markov_chain,
        numbers(p=POS, m=POS, M=POSITIVE, t=POSITIVE),
        slip=(50, 49),
        given={"p t <= m": lambda w: w.m - w.p * w.t, **below("m", "M"), "t": lambda w: w.t - 2},
        proof="p <= m/t <= M/2.",
        at={"p": "1/2", "m": 1, "M": 1, "t": 2},
        gives=("1/2", "49/100"),
    ),
    pair(
        "long_enough",
        _long_enough,
        numbers(D=POS, B=POSITIVE, t=POS, s=POS),
        slip=(100, 97),
        given={**below("D", "B"), **below("s", "t")},
        proof="exp decreases.",
        at={"D": 1, "B": 1, "t": 1, "s": 1},
        gives=("0.3678794", "0.3568431"),
    ),
    pair(
        "bias_and_noise",
        _bias_and_noise,
        numbers(b=POS, v=POS, n=POSITIVE, B=POSITIVE, V=POSITIVE, N0=POSITIVE),
        slip=(100, 98),
        given={**below("b", "B"), **below("v", "V"), **below("N0", "n")},
        proof="Term by term.",
        at=dict.fromkeys(("b", "v", "n", "B", "V", "N0"), 1),
        gives=("2", "49/25"),
    ),
    pair(
        "smooth_chain",
        _smooth_chain,
        numbers(f=POS, beta=POSITIVE, D=POS, b=POSITIVE, R=POSITIVE),
        slip=(50, 49),
        given={
            "smooth": lambda w: w.beta * w.D / 2 - w.f,
            **below("beta", "b"),
            **below("D", "R"),
        },
        proof="f <= beta D/2 <= bR/2.",
        at={"f": "1/2", "beta": 1, "D": 1, "b": 1, "R": 1},
        gives=("1/2", "49/100"),
    ),
)
