r"""One spelling for each sign: ``≤``, ``\le`` and ``\leq`` are ``<=``, and ``α`` is ``\alpha``.

The places of the typed line are kept, so that a message can point at what was typed.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from verify.terms.tex import GREEK

__all__ = ["GREEK", "Signs", "in_two_types", "signs_of"]

_UNICODE = {
    "≤": "<=",
    "≥": ">=",
    "⩽": "<=",
    "⩾": ">=",
    "≠": "!=",
    "·": "*",
    "⋅": "*",
    "×": "*",
    "−": "-",
    "–": "-",
    "∈": " in ",
    "√": "\\surd ",
    "‖": "||",
    "∥": "||",
    "∑": "\\sum",
    "∏": "\\prod",
    "∀": " for all ",
    "ℝ": "R",
    "⟨": "\\langle ",
    "⟩": "\\rangle ",
    "𝔼": "E",
    "∞": "inf",
    "…": "...",
    "⊤": "\\top ",
    "⁄": "/",
    "∕": "/",
    "÷": "/",
    "\u00a0": " ",
    "′": "'",
}
_LETTER = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "ϕ": "phi", "χ": "chi",
    "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda",
    "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "ℓ": "ell", "µ": "mu",
}  # fmt: skip
_COMMANDS = {
    "leq": "<=",
    "le": "<=",
    "leqslant": "<=",
    "geq": ">=",
    "ge": ">=",
    "geqslant": ">=",
    "ne": "!=",
    "neq": "!=",
    "lt": "<",
    "gt": ">",
    "in": " in ",
    "forall": " for all ",
    "quad": " ",
    "qquad": " ",
    "displaystyle": " ",
    "textstyle": " ",
    "limits": " ",
    "nolimits": " ",
    "colon": ":",
    "ldots": "...",
    "dots": "...",
    "cdots": "...",
    "infty": "inf",
    "times": "*",
    "cdot": "*",
    "sim": " ~ ",
    "land": " and ",
}
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_WORDS = re.compile(r"\\(?:text|textrm|textit|mbox|textnormal|hbox)\s*\{([^{}]*)\}")
_SPACES = re.compile(r"\\[,;:! ]|\\(?=\n)|(?<!\\)\\[()\[\]]")


_RAISED_OR_LOWERED = {
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾", "0123456789+-()", strict=True)),
    **dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₍₎", "0123456789+-()", strict=True)),
    **dict(zip("ᵃᵇᶜᵈᵉᵍⁱʲᵏᵐⁿᵖʳˢᵗᵘᵛˣʸᵀᴺ", "abcdegijkmnprstuvxyTN", strict=True)),
    **dict(zip("ₐₑᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "aeijklmnoprstuvx", strict=True)),
}
_ABOVE = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵃᵇᶜᵈᵉᵍⁱʲᵏᵐⁿᵖʳˢᵗᵘᵛˣʸᵀᴺ"
_RAISED = re.compile(f"(?P<above>[{_ABOVE}]+)|(?P<below>[₀-₉₊₋₍₎ₐₑᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ]+)")
"""Signs above and below the line."""
_ACCENT = {"\u0304": "bar", "\u0305": "bar", "\u0302": "hat", "\u0303": "tilde"}


def _plain(sign: str) -> str:
    r"""One character as it is written without its dress: ``¼`` is (1/4), ``ŷ`` is \hat{y}."""
    if sign.isascii():
        return sign
    if unicodedata.category(sign) == "No" and "\u2044" in unicodedata.normalize("NFKC", sign):
        return f"({unicodedata.normalize('NFKC', sign).replace(chr(0x2044), '/')})"
    if 0x1D400 <= ord(sign) <= 0x1D7FF:  # letters set in italics, as formula editors do
        return unicodedata.normalize("NFKC", sign)
    parts = unicodedata.normalize("NFD", sign)
    if len(parts) == 2 and parts[1] in _ACCENT:
        return f"\\{_ACCENT[parts[1]]}{{{parts[0]}}}"
    return sign


@dataclass(frozen=True)
class Signs:
    """A line with one spelling for each sign.

    Parameters
    ----------
    typed : str
        As typed.
    text : str
        The same with plain signs.
    places : tuple of int
        For each character of ``text`` and for its end, the place in ``typed``.
    """

    typed: str
    text: str
    places: tuple[int, ...]

    def typed_span(self, start: int, end: int) -> tuple[int, int]:
        """Where some characters of the text stand in what was typed."""
        last = len(self.places) - 1
        first = self.places[min(start, last)]
        return first, max(self.places[min(end, last)], first + 1)


def in_two_types(typed: str) -> int | None:
    """Place of a letter that the line has in two kinds of type, which may be one symbol or two."""
    dress: dict[str, str] = {}
    plain = _COMMAND.sub(lambda m: " " * len(m[0]), typed)
    for k, sign in enumerate(plain):
        if sign.isalpha() and dress.setdefault(_plain(sign), sign) != sign:
            return k
    return None


def signs_of(typed: str) -> Signs:
    r"""The line with one spelling for each sign.

    Examples
    --------
    >>> signs_of("x² ≤ y").text
    'x^2 <= y'
    """
    out: list[str] = []
    places: list[int] = []

    def put(text: str, place: int) -> None:
        out.append(text)
        places.extend([place] * len(text))

    def copied(start: int, end: int) -> None:
        k = start - 1
        while (k := k + 1) < end:
            run = _RAISED.match(typed, k, end)
            if run is not None:
                inside = "".join(_RAISED_OR_LOWERED[one] for one in run[0])
                put(f"{'^' if run.lastgroup == 'above' else '_'}{{{inside}}}", k)
                k = run.end() - 1
                continue
            sign = _plain(typed[k])
            accent = _ACCENT.get(typed[k + 1 : k + 2], "")
            if accent and sign.isalpha():
                put(f"\\{accent}{{{sign}}}", k)
                k += 1
            elif len(sign) > 1:
                put(sign, k)
            elif sign in _LETTER:
                follows = typed[k + 1 : k + 2]
                put(
                    f"\\{_LETTER[sign]}" + (" " if follows.isascii() and follows.isalpha() else ""),
                    k,
                )
            else:
                put(" " if sign in "\n\t\r$" else _UNICODE.get(sign, sign), k)

    at = 0
    marks = re.compile(f"{_WORDS.pattern}|{_COMMAND.pattern}|{_SPACES.pattern}")
    while mark := marks.search(typed, at):
        copied(at, mark.start())
        at = mark.end()
        if (
            mark[1] is not None
            and re.fullmatch(r"\s*\w+\s*", mark[1])
            and mark[1].strip() not in _PROSE
        ):
            copied(mark.start(), mark.end())  # \text{max} is a name
        elif mark[1] is not None:
            put(" ", mark.start())
            copied(mark.start(1), mark.end(1))
            put(" ", mark.end() - 1)
        elif mark[2] is not None and (word := _COMMANDS.get(mark[2])):
            follows = typed[mark.end() : mark.end() + 1]
            put(word + (" " if word[-1].isalnum() and follows.isalnum() else ""), mark.start())
        elif mark[2] is not None:
            put(mark[0], mark.start())
        else:
            put(" ", mark.start())
    copied(at, len(typed))
    return Signs(typed, "".join(out), (*places, len(typed)))


_PROSE = frozenset(
    [
        "for",
        "if",
        "where",
        "given",
        "when",
        "whenever",
        "with",
        "and",
        "all",
        "every",
        "any",
        "then",
        "or",
        "let",
        "suppose",
        "assume",
    ]
)
"""Words in a \\text that say how formulas belong together."""
