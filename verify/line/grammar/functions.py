r"""Functions and means: ``log xy``, ``\sin^2 x``, ``max(x, y)``, ``E[x^2]``, ``P(x >= t)``."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from verify.line.grammar.build import called, constant, grouped, join_factors, names_in, placed
from verify.line.grammar.fences import KINDS
from verify.line.grammar.lookahead import index_at, is_function, is_mean
from verify.line.grammar.names import ELEMENTARY, MEANS
from verify.line.grammar.signs import GREEK

if TYPE_CHECKING:
    from verify.line.grammar.reader import Reader
    from verify.line.grammar.tokens import Token

__all__ = ["function", "mean"]

EVENTS = {"<=": ast.LtE, ">=": ast.GtE, "<": ast.Lt, ">": ast.Gt}
BRACKETS = {"(": ")", "[": "]", "{": "}", "\\{": "\\}"}


def function(reader: Reader, name: str, token: Token) -> ast.expr:
    """A function whose name has been read."""
    if reader.token.text == "_" and name == "log":
        remedy = "write log(x)/log(2) for the logarithm of x to the base 2"
        end = reader.ahead().end
        raise reader.wrong(token.start, end, "of natural logarithms", "one to a base", remedy)
    power = _power_of_name(reader, name, token)
    opened = reader.token
    if opened.text in ("(", "\\{") or (opened.text in ("{", "[") and name in ("max", "min")):
        reader.take()
        inside = reader.several(BRACKETS[opened.text], opened)
        made = _made(reader, name, inside, token)
        if name in ELEMENTARY and power is None:
            _behind(reader, name, token, opened)
    else:
        made = called(name, _bare(reader, name, token))
    placed(made, token.start, reader.past())
    if power is None:
        return made
    return placed(ast.BinOp(made, ast.Pow(), power), token.start, reader.past())


def _made(reader: Reader, name: str, inside: list[ast.expr], token: Token) -> ast.expr:
    """The call; ``norm(x, 1)`` has a name of its own."""
    if name == "norm" and len(inside) == 2:
        which = inside[1]
        said = which.id if isinstance(which, ast.Name) else str(getattr(which, "value", ""))
        if said not in KINDS:
            remedy = "write norm(x, 1), norm(x, 2) or norm(x, inf)"
            raise reader.wrong(token.start, reader.past(), "norms with 1, 2 or inf", said, remedy)
        return called(KINDS[said], inside[0])
    return called(name, *inside)


def _power_of_name(reader: Reader, name: str, token: Token) -> ast.expr | None:
    r"""``\sin^2 x`` is the square of the sine."""
    if reader.token.text != "^" or name not in ELEMENTARY:
        return None
    sign = reader.take()
    power = reader.exponent(ast.Name(name), sign.start)
    value = constant(power)
    if value is None or value < 1 or value != int(value):
        found = reader.source(token.start, reader.past())
        remedy = f"write {name}(x)**2, or 1/{name}(x)"
        raise reader.wrong(token.start, reader.past(), "of one meaning", found, remedy)
    return power


def _behind(reader: Reader, name: str, token: Token, opened: Token) -> None:
    r"""What stands behind ``log(x)`` and may belong to its argument."""
    end = reader.past()
    inside = reader.source(opened.start, end)
    follows = reader.token
    if follows.text == "(" and reader.starts_factor():
        rest = reader.ahead_factor()
        first, second = f"{name}{inside}*{rest}", f"{name}({inside}*{rest})"
        raise reader.two(token.start, follows.start + len(rest), first, second)
    if follows.text == "^" and reader.names.in_tex:
        at = reader.at
        reader.take()
        power = reader.exponent(ast.Name("x"), follows.start)
        said = ast.unparse(power)
        stop = reader.past()
        reader.at = at
        first, second = f"{name}{inside}**({said})", f"{name}({inside}**({said}))"
        raise reader.two(token.start, stop, first, second)


def _bare(reader: Reader, name: str, token: Token) -> ast.expr:
    """The argument of a function without a bracket: what stands directly beside it."""
    first = reader.token
    if first.text in ("+", "-"):
        remedy = f"write {name}(-x)"
        raise reader.wrong(
            token.start, first.end, "of plain arguments", f"{name} {first.text}", remedy
        )
    if first.kind == "end" or not (reader.starts_factor() or first.text in ("<",)):
        remedy = f"write {name}(x)"
        raise reader.wrong(token.start, first.end, f"with an argument of {name}", "none", remedy)
    brace = first.text == "{"
    if name == "sqrt" and (first.kind == "command" or brace):
        return reader.group()
    factors = [("*", reader.group() if brace else reader.power())]
    while not brace and _beside(reader):
        factors.append(("*", reader.power()))
    inside = reader.source(first.start, reader.past())
    if brace:
        inside = inside[1:-1].strip()
    found = join_factors(factors)
    follows = reader.token
    known = is_mean(reader, follows) or index_at(reader, follows) or is_function(reader, follows)
    if reader.starts_factor() and not known and not reader.ends_sum(follows):
        rest = reader.ahead_factor()
        end = follows.start + len(rest)
        product = f"{_factors(factors)}*{grouped(rest)}"
        raise reader.two(
            token.start, end, f"{name}({_factors(factors)})*{grouped(rest)}", f"{name}({product})"
        )
    if (
        follows.text in ("*", "/")
        and follows.kind == "sign"
        and not reader.ends_sum(reader.ahead())
    ):
        if follows.text == "*" and (
            is_function(reader, reader.ahead())
            or index_at(reader, reader.ahead())
            or is_mean(reader, reader.ahead())
        ):
            return found
        if first.text in ("\\frac", "\\tfrac", "\\dfrac", "|", "\\|", "||") and follows.text == "/":
            return found
        reader.take()
        rest = reader.ahead_factor()
        end = reader.token.start + len(rest)
        shown = _factors(factors)
        one, other = grouped(rest), follows.text
        raise reader.two(
            token.start, end, f"{name}({shown}){other}{one}", f"{name}({shown}{other}{one})"
        )
    return found


def _factors(factors: list[tuple[str, ast.expr]]) -> str:
    """Factors as plain text."""
    shown = []
    for _, one in factors:
        loose = isinstance(one, ast.BinOp) and not isinstance(one.op, ast.Pow)
        text = ast.unparse(one)
        shown.append(f"({text})" if loose and len(factors) > 1 else text)
    return "*".join(shown)


def _beside(reader: Reader) -> bool:
    """Whether a further factor stands directly beside the last one, without a blank."""
    token = reader.token
    plainly = token.kind == "word" or (token.kind == "command" and token.text[1:] in GREEK)
    if not plainly or token.spaced:
        return False
    return not (is_function(reader, token) or is_mean(reader, token) or index_at(reader, token))


# -- means -----------------------------------------------------------------------------------------


def mean(reader: Reader) -> ast.expr:
    """A mean, a variance, a covariance or a probability."""
    token = reader.take()
    kind = MEANS[token.text]
    if reader.token.text == "_":
        _below(reader, token)
    opened = reader.token
    if opened.text not in BRACKETS:
        return _mean_without_bracket(reader, kind, token)
    reader.take()
    closer = BRACKETS[opened.text]
    reader.closers.append(closer)
    inside = reader.sum()
    if kind == "P" and reader.token.text in EVENTS:
        sign = reader.take()
        inside = ast.Compare(inside, [EVENTS[sign.text]()], [reader.sum()])
        placed(inside, opened.end, reader.past())
    more = [reader.sum()] if kind == "Cov" and reader.takes(",") else []
    reader.closers.pop()
    reader.expect(closer, opened)
    follows = reader.token
    simple = isinstance(inside, ast.Name | ast.Constant)
    if kind == "E" and opened.text == "(" and follows.text == "^" and not simple:
        shown = reader.source(opened.start, reader.past())
        at = reader.at
        reader.take()
        power = ast.unparse(reader.exponent(ast.Name("x"), follows.start))
        end = reader.past()
        reader.at = at
        raise reader.two(token.start, end, f"E{shown}**({power})", f"E({shown}**({power}))")
    return placed(_moment(kind, inside, more), token.start, reader.past())


def _moment(kind: str, inside: ast.expr, more: list[ast.expr]) -> ast.expr:
    """Variances are means of squares."""
    if kind in ("E", "P"):
        return called(kind, inside)
    other = more[0] if more else inside
    left, right = _centred(inside), _centred(other)
    if kind == "Var":
        return called("E", ast.BinOp(left, ast.Pow(), ast.Constant(2)))
    return called("E", ast.BinOp(left, ast.Mult(), right))


def _centred(node: ast.expr) -> ast.expr:
    """What is left of a formula without its mean."""
    return ast.BinOp(node, ast.Sub(), called("E", copy.deepcopy(node)))


def _below(reader: Reader, token: Token) -> None:
    """The variable that a mean is over, where it is the only one."""
    reader.take()
    below = reader.group()
    if names_in(below) != set(reader.names.random):
        shown = reader.source(token.start, reader.past())
        remedy = "leave it out: means are over all random variables"
        raise reader.wrong(token.start, reader.past(), "of means over all variables", shown, remedy)


def _mean_without_bracket(reader: Reader, kind: str, token: Token) -> ast.expr:
    """``E x^2`` is the mean of the square; of several factors it is not clear which are meant."""
    if kind != "E" or not reader.starts_factor():
        remedy = f"write {kind}(...)"
        raise reader.wrong(token.start, token.end, "of means with brackets", token.text, remedy)
    first = reader.token.start
    inside = reader.power()
    shown = reader.source(first, reader.past())
    follows = reader.token
    known = is_mean(reader, follows) or index_at(reader, follows)
    if reader.starts_factor() and not known:
        rest = reader.ahead_factor()
        end = follows.start + len(rest)
        raise reader.two(token.start, end, f"E[{shown}]*{rest}", f"E[{shown}*{rest}]")
    return placed(called("E", inside), token.start, reader.past())
