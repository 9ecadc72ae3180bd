"""Documents for the stand-alone checker, made by hand: no prover, so that they may be false."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verify.certify.checker import COVER, FORMAT

Document = dict[str, Any]

__all__ = [
    "by_rule",
    "claim",
    "cover",
    "document",
    "fact",
    "given",
    "induction",
    "proof",
    "symbols",
]


def symbols(text: str) -> dict[str, str]:
    """``"x y real; T positive integer"`` as kinds by name."""
    found: dict[str, str] = {}
    for part in filter(None, text.split(";")):
        words = part.split()
        size = 2 if words[-2:] in (["positive", "integer"], ["nonnegative", "integer"]) else 1
        names, kind = words[:-size], " ".join(words[-size:])
        found |= dict.fromkeys(names, kind)
    return found


def given(*texts: str) -> list[dict[str, Any]]:
    """``"x > 0"`` and ``"x >= 0"``, also ``"x >= 0 each t"``, as hypotheses."""
    found = []
    for text in texts:
        text, _, each = text.partition(" each ")
        expr, relation, _ = text.rsplit(" ", 2)
        h: dict[str, Any] = {"name": "", "expr": expr, "strict": relation == ">"}
        found.append({**h, "each": each} if each else h)
    return found


def fact(
    polynomial: str,
    rule: str,
    about: Any = None,
    *,
    strict: Any = False,
    times: Sequence[Any] = (),
    lemmas: Sequence[Any] = (),
) -> dict[str, Any]:
    return {
        "polynomial": polynomial,
        "strict": strict,
        "rule": rule,
        "about": about,
        "times": [list(t) for t in times],
        "lemmas": list(lemmas),
    }


def proof(
    text: str, facts: Sequence[Any] = (), products: Sequence[Any] = (), lemmas: Sequence[Any] = ()
) -> dict[str, Any]:
    """A proof of ``"left <= right"``."""
    left, relation, right = _parts(text)
    return {
        "left": left,
        "right": right,
        "relation": relation,
        "facts": list(facts),
        "products": [list(p) for p in products],
        "lemmas": list(lemmas),
    }


def claim(text: str) -> dict[str, str]:
    left, relation, right = _parts(text)
    return {"left": left, "right": right, "relation": relation}


def document(made: Any, kinds: str = "", known: Sequence[str] = (), **more: Any) -> Document:
    """A proof with what it claims."""
    sides = {side: made[side] for side in ("left", "right", "relation") if side in made}
    return {
        "format": FORMAT,
        "claim": sides,
        "given": given(*known),
        "symbols": symbols(kinds),
        "atoms": [],
        "sums": [],
        "proof": made,
        **more,
    }


def lemma_by(polynomial: str, rule: str, about: Any = None, **more: Any) -> dict[str, Any]:
    """A proof that ``polynomial`` is not negative (positive if strict), from one fact."""
    strict = more.get("strict", False)
    return proof(
        f"0 {'<' if strict else '<='} {polynomial}",
        [
            fact(f"-({polynomial})", "claim is false", strict=not strict),
            fact(polynomial, rule, about, **more),
        ],
        [["1", [0]], ["1", [1]]],
    )


def by_rule(
    polynomial: str,
    rule: str,
    about: Any = None,
    kinds: str = "",
    known: Sequence[str] = (),
    *,
    lemmas: Sequence[Any] = (),
    atoms: Sequence[Any] = (),
    sums: Sequence[Any] = (),
    vectors: Sequence[str] | None = None,
    side: str = "",
    **more: Any,
) -> Document:
    """The claim that ``polynomial`` is not negative, from one fact by a rule.

    ``side`` is the claimed side, where the polynomial names atoms.
    """
    made = lemma_by(polynomial, rule, about, lemmas=list(range(len(lemmas))), **more)
    made["lemmas"] = list(lemmas)
    made["right"] = side or polynomial
    extra = {} if vectors is None else {"vectors": list(vectors)}
    return document(made, kinds, known, atoms=list(atoms), sums=list(sums), **extra)


def induction(
    text: str, start: Any, step: Any, kinds: str, known: Sequence[str] = (), rounds: str = "T"
) -> Document:
    return {
        **document(claim(text), kinds, known),
        "proof": {"induction": rounds, "start": start, "step": step},
    }


def cover(text: str, cases: Any, kinds: str, known: Sequence[str] = (), **more: Any) -> Document:
    return {
        "format": COVER,
        "claim": claim(text),
        "given": given(*known),
        "symbols": symbols(kinds),
        "cases": cases,
        **more,
    }


def _parts(text: str) -> tuple[str, str, str]:
    for relation in ("<=", "==", "<", ">="):
        if f" {relation} " in text:
            left, right = text.split(f" {relation} ")
            return left, relation, right
    raise ValueError(text)
