r"""What a number of an instance is called in print, in plain characters: ``σ_1`` for one sigma.

A paper's package has a table ``NOTATION`` of its symbols; what stands in no table, or there with a
word for a letter, has no name that its author knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from verify.catalogue.paper import paper_package

__all__ = ["COMMON", "letters", "table"]

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

GREEK_NAMES = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma",
    "tau phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega",
)
GREEK = dict(zip(" ".join(GREEK_NAMES).split(), "αβγδεεζηθκλμνξπρστφφχψωΓΔΘΛΞΠΣΦΨΩ", strict=True))
"""Names of TeX and their characters."""


def table(text: str) -> dict[str, tuple[str, str]]:
    """Letter in TeX and axes of each symbol, by its name in the programs."""
    lines = (line.split() for line in text.strip().splitlines())
    return {name: (letter.replace("~", " "), "".join(axes)) for name, letter, *axes in lines}


def letters(paper: str) -> Callable[[str], str | None] | None:
    """What the fields of a paper's instances are called in print.

    Parameters
    ----------
    paper : str

    Returns
    -------
    callable or None
        From a field (``name``, ``name[0, 1]``, ``|name[0]|``, ``min name``) to its letter, None
        where it has none. None for a paper without a table, a user's own: there names are the
        author's.
    """
    package = paper_package(paper)
    if package is None or not hasattr(package, "NOTATION"):
        return None
    known = {**table(COMMON), **table(package.NOTATION)}

    def letter(field: str) -> str | None:
        bars = "|" if field.startswith("|") else ""
        least = "min " if field.startswith("min ") else ""
        name, _, rest = field.strip("|").removeprefix("min ").partition("[")
        if name not in known:
            return None
        tex, axes = known[name]
        plain = _plain(tex)
        if plain is None:
            return None
        if rest == ":]" or least:
            return f"{least}{plain}"
        index = [int(part) for part in rest.strip("]").split(",")] if rest else []
        return f"{bars}{_indexed(plain, index, axes.replace('-', ''))}{bars}"

    return letter


def _plain(tex: str) -> str | None:
    """A letter in plain characters; None where it is a word."""
    tex = re.sub(r"^\\text\{[^}]*\}[ ~]*", "", tex)  # a word before a letter
    tex = re.sub(r"\\(?:mathrm|text|mathcal)\{([^}]*)\}", r"\1", tex)
    tex = re.sub(r"\\bar\{([^}]*)\}", "\\1\u0304", tex)
    tex = tex.replace(r"\prime", "'").replace(r"\star", "*").replace("^{'}", "'")
    tex = re.sub(r"\\([A-Za-z]+)", lambda found: GREEK.get(found[1], found[1]), tex)
    tex = re.sub(r"\{(\w+|\*)\}", r"\1", tex).replace("{", "(").replace("}", ")")
    return tex if tex else None


def _indexed(letter: str, index: list[int], axes: str) -> str:
    """A letter with indices: clients and coordinates from 1 on, rounds from 0 on above it."""
    own = axes[-len(index) :] if index else ""
    own = "i" * (len(index) - len(own)) + own
    pairs = list(zip(index, own, strict=True))
    above = [str(at + (axis == "u")) for at, axis in pairs if axis in "tu"]
    below = [str(at + 1) for at, axis in pairs if axis not in "tu"]
    down = f"_{''.join(below)}" if len(below) == 1 else f"_({','.join(below)})" if below else ""
    up = f"^({','.join(above)})" if above else ""
    return f"{letter}{down}{up}"
