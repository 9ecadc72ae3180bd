"""What a line that is read may still leave in doubt: each doubt is refused, with what to write.

And where its formulas have values, if it does not say of a symbol what that may be.
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction

from verify.line.cut import Cut
from verify.line.grammar.build import constant, names_in
from verify.line.grammar.names import OVER
from verify.line.grammar.refused import Edit, not_read
from verify.line.pieces import Piece, Related
from verify.line.ranges import Range, Ranges

__all__ = [
    "factors_have_a_sign",
    "no_entry_beside",
    "powers_have_a_sign",
    "where_it_has_values",
    "whole_or_real",
]

COUNTED = ("n", "m", "k")
"""Letters that are whole numbers to most readers."""


def no_entry_beside(stated: list[Related], declared: frozenset[str]) -> None:
    """Refuse ``x_1`` and a free ``x_i`` beside entries of x, and a mean that is not defined."""
    nodes = [n for one in stated for side in (one.left, one.right) for n in ast.walk(side)]
    entries = (n.value for n in nodes if isinstance(n, ast.Subscript))
    lists = {n.id for n in entries if isinstance(n, ast.Name)}
    for node in nodes:
        base, _, below = node.id.rpartition("_") if isinstance(node, ast.Name) else ("", "", "")
        if not isinstance(node, ast.Name) or base not in lists or below == "star":
            continue
        start = getattr(node, "col_offset", 0)
        end = getattr(node, "end_col_offset", start + 1)
        if below in ("bar", "hat", "tilde"):
            if node.id in declared:
                continue
            mean = Edit(start, end, f"(mean_j {base}_j)")
            found = (
                f"{node.id} beside entries of {base}, their mean to some and any number to others"
            )
            remedy = f"write mean_j {base}_j, or 'for real {node.id}' and the other symbols"
            edits = [mean] if below == "bar" else []
        else:
            found = f"{node.id} beside entries of {base}"
            remedy = (
                f"write another letter if {node.id} is a symbol of its own; one entry alone cannot "
                f"be named: write max_i {base}_i or min_i {base}_i"
            )
            edits = []
        raise not_read(node.id, start, "of one meaning", found, remedy, *edits)


def whole_or_real(claim: Related, known: Ranges, items: tuple[Piece, ...], bounded: bool) -> None:
    """``n >= 1``: a real number here, a whole number to most readers."""
    nodes = [n for side in (claim.left, claim.right) for n in ast.walk(side)]
    counted = {name for n in nodes for part in _whole_places(n) for name in names_in(part)}
    exponents = {name for n in nodes for name in _exponent(n)}
    if not bounded:
        _unlisted(nodes, exponents, known)
    for name, one in known.of.items():
        item = next(
            (i for i in items if re.search(rf"(?<![A-Za-z]){name}(?![A-Za-z])", i.text)), None
        )
        if item is None or one.kind != "real":
            continue
        low, high = one.low, one.high
        whole_ends = (
            low is not None and low.denominator == 1 and (high is None or high.denominator == 1)
        )
        doubtful = name in COUNTED and high is None and name not in known.named
        must = name in counted
        if not (must or (doubtful and whole_ends and (name == "n" or name in exponents))):
            continue
        end = item.start + len(item.text)
        first = int(low or 0) + one.open_low
        said = f"integer {name} in [{first}, {16 if high is None else int(high) - one.open_high}]"
        edits = [Edit(item.start, end, said)] if whole_ends else []
        if must:
            condition, found, remedy = (
                "of whole numbers here",
                f"{name}, any number",
                f"write {said}",
            )
        else:
            condition = "of one meaning"
            found = f"{item.text}, whole numbers to some and all numbers to others"
            remedy = f"write {said}, or real {item.text}"
            edits.append(Edit(item.start, end, f"real {item.text}"))
        raise not_read(item.text, item.start, condition, found, remedy, *edits)


def _unlisted(nodes: list[ast.AST], exponents: set[str], known: Ranges) -> None:
    """``2^n >= n`` alone: of n it is not said whether it is a whole number."""
    symbols = {n.id: n for n in nodes if isinstance(n, ast.Name)}
    for name in COUNTED:
        node = symbols.get(name)
        if node is None or name in known.of or not (name == "n" or name in exponents):
            continue
        if any(isinstance(one, ast.Subscript) for one in nodes):
            at = getattr(node, "col_offset", 0)
            found = (
                f"{name} as it stands, how many entries there are to some and a number to others"
            )
            remedy = f"write N for how many there are, or 'for real {name}' and the other symbols"
            raise not_read(name, at, "of one meaning", found, remedy, Edit(at, at + 1, "N"))
        raise not_read(
            name,
            getattr(node, "col_offset", 0),
            "of one meaning",
            f"{name} as it stands, whole numbers to some and all numbers to others",
            f"write 'for integer {name} in [1, 16]', or 'for real {name}', and the other symbols",
        )


def _whole_places(node: ast.AST) -> list[ast.expr]:
    """What must be a whole number in a call: under n!, and the ends of a sum."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return []
    name = node.func.id
    if name in ("factorial", "binom"):
        return node.args
    return node.args[1:] if name.partition("_")[0] in ("sum", "prod") else []


def _exponent(node: ast.AST) -> set[str]:
    power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    return names_in(node.right) if power else set()  # type: ignore[attr-defined]


def powers_have_a_sign(claim: Related, known: Ranges, found: Cut, given: list[Related]) -> None:
    """A power that is not whole needs a base that is not negative."""
    said = {name for one in given for side in (one.left, one.right) for name in names_in(side)}
    for side in (claim.left, claim.right):
        for node in ast.walk(side):
            if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)):
                continue
            if _whole_power(node.right, known) or _even_root(node.right):
                continue
            free = {
                name
                for name in names_in(node.left) - said
                if known.of.get(name, Range()) == Range()
            }
            if not free or not _may_be_negative(node.left, known):
                continue
            start = getattr(node, "col_offset", claim.piece.start)
            end = getattr(node, "end_col_offset", start + 1)
            place = found.signs.text[start:end]
            listed = ", ".join(sorted(free))
            exponent = sorted(names_in(node.right))
            edits = (
                []
                if found.bounded
                else [Edit(len(found.signs.text), len(found.signs.text), f" for {listed} >= 0")]
            )
            if exponent or known.of:
                edits = []
            raise not_read(
                place,
                start,
                "with a base of at least 0 under a power that is not whole",
                f"{listed} of any sign",
                f"write {listed} >= 0 after 'for'",
                *edits,
            )


def factors_have_a_sign(claim: Related, known: Ranges, found: Cut, given: list[Related]) -> None:
    """``log xy`` and ``sqrt(xy)`` have values at two negative numbers, which few readers mean."""
    said = {name for one in given for side in (one.left, one.right) for name in names_in(side)}
    for node in (n for side in (claim.left, claim.right) for n in ast.walk(side)):
        inside = _under_root(node)
        free = [n for n in _odd_factors(inside) if n not in said and n not in known.of]
        if inside is None or len(set(free)) < 2:
            continue
        start = getattr(node, "col_offset", claim.piece.start)
        end = getattr(node, "end_col_offset", start + 1)
        listed, last = ", ".join(sorted(set(free))), len(found.signs.text)
        edits = [Edit(last, last, f" for {way}") for way in (f"{listed} > 0", f"real {listed}")]
        others = {n for side in (claim.left, claim.right) for n in names_in(side)} - set(free)
        raise not_read(
            found.signs.text[start:end],
            start,
            "of one meaning",
            f"{listed} of any sign, positive to some and any to others, who have a value where two "
            "are negative",
            f"write 'for {listed} > 0', or 'for real {listed}'",
            *([] if others or known.of else edits),
        )


def where_it_has_values(
    claim: Related, known: Ranges, given: list[Related], random: frozenset[str]
) -> list[Related]:
    """That what stands under a logarithm or a root has one, where the line says nothing of it.

    ``log x`` alone is about x > 0: that becomes the range of x; of a formula it is a hypothesis.
    """
    said = {name for one in given for side in (one.left, one.right) for name in names_in(side)}
    said |= {*known.of, *random, "N", "d", *_summed_over(claim)}
    found: list[Related] = []
    for node in (n for side in (claim.left, claim.right) for n in ast.walk(side)):
        inside = _under_root(node)
        if inside is None or not names_in(inside) - said or not _may_be_negative(inside, known):
            continue
        strict = isinstance(node, ast.Call) and getattr(node.func, "id", "") != "sqrt"
        name = inside.value if isinstance(inside, ast.Subscript) else inside
        if isinstance(name, ast.Name):
            known.of[name.id] = Range(low=Fraction(0), open_low=strict)
        elif not names_in(inside) & random:
            found.append(Related(inside, ">" if strict else ">=", ast.Constant(0), claim.piece))
    return found


def _summed_over(claim: Related) -> set[str]:
    """Letters of sums and products over whole numbers, which have their ends already."""
    nodes = [node for side in (claim.left, claim.right) for node in ast.walk(side)]
    return {
        node.func.id.partition("_")[2]
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id.partition("_")[0] in OVER and len(node.args) > 1
    }


def _under_root(node: ast.AST) -> ast.expr | None:
    """What stands under a logarithm or an even root."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.args[0] if node.func.id in ("log", "ln", "sqrt") and node.args else None
    even = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _even_root(node.right)
    return node.left if even else None  # type: ignore[attr-defined]


def _odd_factors(node: ast.expr | None) -> list[str]:
    """Symbols that are factors or divisors of a formula, to an odd power."""
    if isinstance(node, ast.Name):
        return [node.id]
    if not isinstance(node, ast.BinOp):
        return []
    if isinstance(node.op, ast.Mult | ast.Div):
        return [*_odd_factors(node.left), *_odd_factors(node.right)]
    power = constant(node.right) if isinstance(node.op, ast.Pow) else None
    return _odd_factors(node.left) if power is not None and power % 2 == 1 else []


def _even_root(node: ast.expr) -> bool:
    """Whether an exponent is one of a square root, whose domain nobody doubts."""
    value = constant(node)
    return value is not None and Fraction(value).limit_denominator(1000).denominator % 2 == 0


def _whole_power(node: ast.expr, known: Ranges) -> bool:
    """Whether an exponent is a whole number for all values of its symbols."""
    value = constant(node)
    if value is not None:
        return value == int(value) if abs(value) < 1e15 else True
    if isinstance(node, ast.Name):
        return (
            node.id in ("N", "d")
            or known.of.get(node.id, Range()).kind == "integer"
            or not known.of.get(node.id)
        )
    if isinstance(node, ast.UnaryOp):
        return _whole_power(node.operand, known)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        return _whole_power(node.left, known) and _whole_power(node.right, known)
    return False


def _may_be_negative(node: ast.expr, known: Ranges) -> bool:
    """False where the ranges show that a formula is at least 0."""
    if isinstance(node, ast.Constant):
        return bool(node.value < 0)  # type: ignore[operator]
    if isinstance(node, ast.Name | ast.Subscript):
        name = node.id if isinstance(node, ast.Name) else getattr(node.value, "id", "")
        low = known.of.get(name, Range()).low
        return name not in ("N", "d") and (low is None or low < 0)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow):
            value = constant(node.right)
            even = value is not None and value == int(value) and int(value) % 2 == 0
            return not even and _may_be_negative(node.left, known)
        if isinstance(node.op, ast.Sub):
            return True
        return _may_be_negative(node.left, known) or _may_be_negative(node.right, known)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name in ("abs", "sqrt", "exp", "norm", "norm1", "norminf", "factorial", "binom", "P"):
            return False
        if name == "E" or name.partition("_")[0] in OVER:
            return _may_be_negative(node.args[0], known)
    return True
