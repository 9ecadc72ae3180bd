"""What the commands of TeX look like: characters, named functions, alphabets, delimiters."""

from __future__ import annotations

LETTERS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ϵ",
    "varepsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "vartheta": "ϑ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "varpi": "ϖ",
    "rho": "ρ",
    "varrho": "ϱ",
    "sigma": "σ",
    "varsigma": "ς",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "ϕ",
    "varphi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "ell": "ℓ",
    "hbar": "ℏ",
    "imath": "ı",
    "jmath": "ȷ",
    "partial": "∂",
    "triangle": "△",
    "square": "□",
}
"""Set in italics, as a variable."""

UPRIGHT = {
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π",
    "Sigma": "Σ",
    "Upsilon": "Υ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
    "infty": "∞",
    "emptyset": "∅",
    "varnothing": "∅",
    "top": "⊤",
    "bot": "⊥",
    "star": "⋆",
    "ast": "∗",
    "dagger": "†",
    "aleph": "ℵ",
    "Re": "ℜ",
    "Im": "ℑ",
    "#": "#",
    "%": "%",
    "&": "&",
    "$": "$",
    "_": "_",
    "ldots": "…",
    "dots": "…",
    "cdots": "⋯",
    "vdots": "⋮",
    "ddots": "⋱",
    "prime": "′",
}
"""Set upright, no space around."""

RELATIONS = {
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "ne": "≠",
    "neq": "≠",
    "in": "∈",
    "ni": "∋",
    "notin": "∉",
    "to": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "gets": "←",
    "leftrightarrow": "↔",
    "longrightarrow": "⟶",
    "Rightarrow": "⇒",
    "Leftarrow": "⇐",
    "Leftrightarrow": "⇔",
    "implies": "⟹",
    "iff": "⟺",
    "mapsto": "↦",
    "downarrow": "↓",
    "uparrow": "↑",
    "subset": "⊂",
    "subseteq": "⊆",
    "supset": "⊃",
    "supseteq": "⊇",
    "sim": "∼",
    "simeq": "≃",
    "approx": "≈",
    "cong": "≅",
    "equiv": "≡",
    "propto": "∝",
    "lesssim": "≲",
    "gtrsim": "≳",
    "preceq": "⪯",
    "succeq": "⪰",
    "prec": "≺",
    "succ": "≻",
    "ll": "≪",
    "gg": "≫",
    "parallel": "∥",
    "perp": "⊥",
    "mid": "∣",
    "models": "⊨",
    "vdash": "⊢",
    "coloneqq": "≔",
}

ARROWS = frozenset("→←↔⟶⇒⇐⇔⟹⟺↦↓↑∥∣")
"""Relations that would grow with their neighbours."""

OPERATORS = {
    "cdot": "⋅",
    "times": "×",
    "div": "÷",
    "pm": "±",
    "mp": "∓",
    "circ": "∘",
    "bullet": "∙",
    "otimes": "⊗",
    "oplus": "⊕",
    "odot": "⊙",
    "wedge": "∧",
    "land": "∧",
    "vee": "∨",
    "lor": "∨",
    "cap": "∩",
    "cup": "∪",
    "setminus": "∖",
    "mathbin": "",
    "bmod": "mod",
}

PREFIXES = {"nabla": "∇", "forall": "∀", "exists": "∃", "nexists": "∄", "neg": "¬", "lnot": "¬"}

LARGE = {
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "bigcup": "⋃",
    "bigcap": "⋂",
    "bigoplus": "⨁",
    "bigotimes": "⨂",
    "bigvee": "⋁",
    "bigwedge": "⋀",
}

LIMITED = frozenset({"min", "max", "inf", "sup", "lim", "limsup", "liminf", "argmin", "argmax"})
"""Functions whose index stands below."""

FUNCTIONS = frozenset(
    {
        "ln",
        "log",
        "exp",
        "cos",
        "sin",
        "tan",
        "cosh",
        "sinh",
        "tanh",
        "arg",
        "Pr",
        "det",
        "dim",
        "deg",
        "gcd",
        "ker",
        "rank",
        "sign",
    }
)

ACCENTS = {
    "hat": "^",
    "widehat": "^",
    "tilde": "~",
    "widetilde": "~",
    "bar": "¯",
    "overline": "‾",
    "vec": "→",
    "dot": "˙",
    "ddot": "¨",
    "check": "ˇ",
}

SPACES = {
    ",": ".17em",
    ":": ".22em",
    ">": ".22em",
    ";": ".28em",
    "!": "-.17em",
    " ": ".3em",
    "quad": "1em",
    "qquad": "2em",
    "enspace": ".5em",
    "thinspace": ".17em",
}

DELIMITERS = {
    "{": "{",
    "}": "}",
    "lbrace": "{",
    "rbrace": "}",
    "|": "‖",
    "Vert": "‖",
    "lVert": "‖",
    "rVert": "‖",
    "vert": "|",
    "lvert": "|",
    "rvert": "|",
    "langle": "⟨",
    "rangle": "⟩",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "lceil": "⌈",
    "rceil": "⌉",
    "lbrack": "[",
    "rbrack": "]",
}

SIZES = {"big": "1.2em", "Big": "1.6em", "bigg": "2.1em", "Bigg": "2.6em"}

_START = {
    "bb": (0x1D538, 0x1D552, 0x1D7D8),
    "cal": (0x1D49C, 0x1D4B6, 0),
    "bf": (0x1D400, 0x1D41A, 0x1D7CE),
    "frak": (0x1D504, 0x1D51E, 0),
}
_HOLES = {
    "bb": dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)),
    "cal": dict(zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ", strict=True)),
    "frak": dict(zip("CHIRZ", "ℭℌℑℜℨ", strict=True)),
}
ALPHABETS = {
    "mathbb": "bb",
    "mathcal": "cal",
    "mathscr": "cal",
    "mathbf": "bf",
    "boldsymbol": "bf",
    "mathfrak": "frak",
    "bm": "bf",
}


def styled(alphabet: str, character: str) -> str:
    """Character of a mathematical alphabet; itself where the alphabet does not have it."""
    upper, lower, digit = _START[alphabet]
    if character in _HOLES.get(alphabet, {}):
        return _HOLES[alphabet][character]
    if "A" <= character <= "Z":
        return chr(upper + ord(character) - ord("A"))
    if "a" <= character <= "z":
        return chr(lower + ord(character) - ord("a"))
    if digit and "0" <= character <= "9":
        return chr(digit + ord(character) - ord("0"))
    return character
