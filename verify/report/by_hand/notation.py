r"""What the symbols of each paper are called in print.

A table has one line for each symbol of the programs: ``name letter axes``, the letter in TeX.  Axes
say what an index of an array counts: ``k`` clients, ``i`` a second client, ``t`` rounds (written
above), ``d`` coordinates (written only where there are several).  A blank inside a letter is
written ``~``.  Symbols that stand in no table are refused: a name of the code is never printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.report.by_hand.told import Namer

__all__ = ["Notation", "notation"]

COMMON = r"""
N N -
d d -
n n -
T T -
mu \mu -
beta \beta -
smoothness L -
sigma \sigma k
sigma2 \sigma^{2} k
noise_scale s k
skew \text{skew} k
A A kdd
xi \xi kd
step_size \eta t
rounds T -
point x d
start \theta^{0} d
theta \theta_{1} td
weights \alpha tk
ratio r tk
"""

TABLES = {
    "adaptive": r"""
phi \varphi -
threshold \text{threshold}~r -
excess \varepsilon k
variance \sigma_{\mathrm{eff}}^{2} -
factor \kappa -
K K -
bias b k
slope c k
squared_bias b^{2} k
share \text{share} k
precision \varepsilon -
ease \text{factor} -
alpha \alpha k
step_share h -
tradeoff \tau -
other y k
sigma2_one \sigma_{1}^{2} -
squared_gradient G^{2} -
squared_gaps \Delta^{2} k
gradient g kd
weight_matrix \alpha ki
models \theta tkd
server \bar\theta td
""",
    "aggregation": r"""
excess F(w)-F^{\star} k
other F(w^{\star})-F^{\star} k
share p k
client_weights p k
raw \alpha^{\prime} k
later \alpha^{\prime\prime} k
start w_{0} d
theta \bar{w} td
models w tkd
alpha \alpha tk
coefficients \alpha tk
pace \text{pace} t
step_sizes \eta t
local_steps E -
temperature T_{\mathrm{s}} t
squared_gradient G^{2} -
G2 G^{2} -
gap \Gamma -
squared_start \|w_{0}-w^{\star}\|^{2} -
distance0 \|w_{0}-w^{\star}\|^{2} -
factor c -
seen \text{seen} k
reached \text{reached} -
noise \text{noise} -
bias \text{bias} -
slack \text{slack} -
delay \gamma -
count \text{count} -
horizon T -
level \text{level} -
minimum F^{\star} k
low \overline\rho -
high \tilde\rho -
sigma2_max \sigma^{2} -
timing \text{iterations~are~counted~as~in~the} -
rule \text{weights} -
at t -
beta L -
""",
    "allforall": r"""
precision \varepsilon -
rows M -
delta \delta k
mass p k
other q k
values v k
distance D -
a a -
b b -
diameter R -
place z d
two z^{\prime} d
three z^{\prime\prime} d
data y k
shift s k
model x d
height h -
centre c d
bias b k
different \text{different} k
error e k
size B -
condition \kappa k
variance \sigma^{2} -
step_share h -
row \lambda k
slope_share s k
offset x^{0} -
extra e k
ratio \rho -
fraction \varphi -
curvature a k
part q -
skew \text{skew} -
share \text{share} k
tilt \tau -
active m -
counted m^{\prime} -
excess F^{0} -
relaxation \omega -
unit u -
packed \text{packed} -
sign \nu k
scale c -
close \text{close} -
p p k
noise r^{2}\sigma^{2} -
fill \text{filling} -
graph \text{edges} -
level \text{level} -
larger L^{\prime} -
agents N -
x x td
start x^{0} d
route \text{route} -
smoothness L -
""",
    "fedbc": r"""
L L k
lambda_max \lambda_{\max} -
lambda_min \lambda_{\min} -
centre m kd
height a k
width l -
S S -
dual_step \alpha -
gamma \gamma k
multipliers \lambda tk
starts x^{0} kd
start z^{0} d
server z td
theta x_{1} td
local_models x^{+} tkd
models x tkd
slack \text{slack} -
relaxed \text{relaxed~dual~update} -
more \text{more} k
local_steps K -
alpha \alpha -
margin \text{margin} k
horizon T -
curvature L k
model x kd
multiplier \lambda k
step_share h -
pull \lambda k
chance p -
tradeoff \tau -
""",
    "hcct": r"""
example \text{example} -
gradient g kd
size D k
tradeoff \tau -
stretch \text{stretch} -
mass m k
other m^{\prime} k
first \text{first} -
step s -
model h k
Q Q -
curvature L -
gap \text{gap} k
similarity \kappa^{2} ki
kappa2 \kappa^{2} tki
variance \sigma^{2} -
optimum w^{\star} k
start w^{0} k
step_share h -
slack \text{slack} -
part q -
own f k
group g k
seen \text{seen} -
tilt \tau -
radius r -
convexity \mu -
level \delta -
offset \text{offset} -
share \text{share} k
data x k
row \text{row} -
client i -
bend L k
schedule \text{groups~by~epoch} -
local_steps Q -
near \text{near} -
far \text{far} -
others \text{others} -
chance p -
slope s_{1} -
slope2 s_{2} -
later w^{\prime} k
sigma \sigma -
dissimilarity \kappa^{2} tki
smoothness L -
""",
}

OUTCOMES = "abcdefghijklmnopqrstuvwxyz"
"""Outcomes of the noise, as they are written above a symbol."""


@dataclass(frozen=True)
class Notation:
    """Symbols of one paper.

    Parameters
    ----------
    letters : mapping of str to tuple
        Letter in TeX and axes, by the name in the programs.
    """

    letters: Mapping[str, tuple[str, str]]

    def letter(self, name: str) -> str:
        """The letter of a symbol, without indices."""
        return self.letters[name][0]

    def has(self, name: str) -> bool:
        """Whether the symbol has a name in print."""
        return name in self.letters

    def entry(self, name: str, index: tuple[int, ...], shape: tuple[int, ...]) -> str:
        """An entry of an array in TeX.

        Parameters
        ----------
        name : str
        index, shape : tuple of int
            The first axis counts outcomes, the last ones are those that the table names.

        Raises
        ------
        LookupError
            If the symbol has no name in print, or an outcome no letter.
        """
        letter, axes = self.letters[name]
        outcome, sizes = (index[:1], shape[:1]), shape[1:]
        index = index[1:]
        own = axes.replace("-", "")
        own = own[-len(index) :] if index else ""
        own = "i" * (len(index) - len(own)) + own
        below, above = [], []
        for axis, at, size in zip(own, index, sizes, strict=True):
            if axis == "t":
                above += [str(at)] if size > 1 or len(own) > 1 else []
            elif axis != "d" or size > 1:
                below.append(str(at + 1))
        above += [OUTCOMES[at] for at, size in zip(*outcome, strict=True) if size > 1]
        return _indexed(letter, below, above)


def notation(paper: str) -> Notation | None:
    """Symbols of a paper; None of one that has no table (a user's own)."""
    if paper not in TABLES:
        return None
    return Notation({**_read(COMMON), **_read(TABLES[paper])})


def namer(table: Notation) -> Namer:
    """How a world names its numbers."""
    return table.entry


def _read(text: str) -> dict[str, tuple[str, str]]:
    lines = (line.split() for line in text.strip().splitlines())
    return {name: (letter.replace("~", " "), axes) for name, letter, axes in lines}


def _indexed(letter: str, below: list[str], above: list[str]) -> str:
    """A letter with further indices; those that it has already stay in front."""
    base, lower, upper = _parts(letter)
    lower = ",".join([lower] * bool(lower) + [" ".join(below)] * bool(below))
    upper = ",".join([upper] * bool(upper) + above)
    return base + (f"_{{{lower}}}" if lower else "") + (f"^{{{upper}}}" if upper else "")


def _parts(letter: str) -> tuple[str, str, str]:
    r"""Base, lower and upper index of a letter such as ``\sigma_{1}^{2}``."""
    base, lower, upper = letter, "", ""
    if base.endswith("}") and "^{" in base:
        base, _, upper = base[:-1].rpartition("^{")
    if base.endswith("}") and "_{" in base:
        base, _, lower = base[:-1].rpartition("_{")
    return base, lower, upper
