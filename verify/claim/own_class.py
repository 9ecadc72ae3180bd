r"""A class of functions of one's own: what each two points of a member say, in one line.

``functions(interpolation="f[i] - f[j] >= g[j]*(x[i] - x[j]) + |g[i] - g[j]|^2/(2*L)", ...)`` is the
family of all data (points, gradients, values) of a method that meet the inequality for each two of
its points; the first of them is a minimiser at the origin, of value 0.  Whether data that meet it
are always those of a function is for whoever writes it to say: a claim that is proved holds for
every function that meets it, a witness is data that do.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput, require
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape

__all__ = ["Interpolation", "own_class", "own_class_of"]

SIGNS = {ast.GtE: 1, ast.LtE: -1}
DATA = ("x", "g", "f")
OWN = ("start", "slopes", "heights")
"""Entries of the box that are the data: where the method starts, what it meets."""


@dataclass(frozen=True)
class Interpolation:
    """An inequality, or several with ``and`` between, on x[i], g[i], f[i] and x[j], g[j], f[j].

    Parameters
    ----------
    text : str
        With ``*`` between vectors for their inner product, ``|v|`` for a norm, ``^`` for a power,
        and names of parameters.

    Examples
    --------
    >>> import numpy as np
    >>> rule = Interpolation("f[i] - f[j] >= g[j]*(x[i] - x[j]) + m/2*|x[i] - x[j]|^2")
    >>> x = np.array([[0.0], [1.0]])
    >>> rule.parameters, rule.margin(x, 2 * x, np.array([0.0, 1.0]), {"m": 2.0}).tolist()
    (('m',), [[0.0, 0.0], [0.0, 0.0]])
    """

    text: str

    @cached_property
    def comparisons(self) -> list[tuple[ast.expr, ast.expr]]:
        """Larger and smaller sides."""
        bars = re.sub(r"\|([^|]*)\|", r"norm(\1)", self.text)
        try:
            tree = ast.parse(bars.replace("^", "**").strip(), mode="eval").body
        except SyntaxError as error:
            raise self._wrong(f"what Python can read as a formula ({error.msg})") from error
        several = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And)
        parts = tree.values if several and isinstance(tree, ast.BoolOp) else [tree]
        found = []
        for part in parts:
            single = isinstance(part, ast.Compare) and len(part.ops) == 1
            if not (single and isinstance(part, ast.Compare) and type(part.ops[0]) in SIGNS):
                raise self._wrong("comparisons with >= or <=, joined by and")
            sides = (part.left, part.comparators[0])
            found.append(sides if SIGNS[type(part.ops[0])] == 1 else sides[::-1])
        return found

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names that are no data."""
        names = {
            n.id
            for pair in self.comparisons
            for e in pair
            for n in ast.walk(e)
            if isinstance(n, ast.Name)
        }
        return tuple(sorted(names - {*DATA, "i", "j", "norm"}))

    def margin(self, x: Any, g: Any, f: Any, parameters: Mapping[str, Any]) -> Any:
        """By how much the inequality is met for each two points, (..., K, K).

        Of several joined by ``and`` each by itself, on a last axis.

        Parameters
        ----------
        x, g : array, (..., K, d)
        f : array, (..., K)
        parameters : mapping of str to array, (...)
        """
        known = {"x": x, "g": g, "f": f}
        found = []
        for larger, smaller in self.comparisons:
            gap = ast.BinOp(larger, ast.Sub(), smaller)
            made = _Evaluated(known, parameters, self).of(gap)
            found.append(made.value)
        if len(found) == 1:
            return found[0]
        return np.stack(np.broadcast_arrays(*found), axis=-1)

    def _wrong(self, condition: str) -> InvalidInput:
        return InvalidInput(
            f"interpolation must be {condition}, got {self.text!r}: write "
            '"f[i] - f[j] >= g[j]*(x[i] - x[j]) + |g[i] - g[j]|^2/(2*L)", say'
        )


def own_class(
    interpolation: str,
    *,
    step: str,
    dimensions: tuple[int, ...] = (1,),
    rounds: tuple[int, ...] = (1,),
    extra: Mapping[str, Real] | None = None,
    about: str = "",
) -> Family:
    """Family of the data of a method on functions of a class; see `verify.functions`.

    Parameters
    ----------
    interpolation : str
        See `Interpolation`.
    step : str
        The next point of the method, from x and g, where it is and the gradient there, and
        parameters.
    dimensions, rounds : tuple of int
    extra : mapping of str to Real
        The parameters of both.
    about : str
    """
    rule, more = Interpolation(interpolation), dict(extra or {})
    require(bool(step), "step", "given beside interpolation", step, 'write "x - g/L", say')
    move = Interpolation(f"{step} >= 0")
    missing = {*rule.parameters, *move.parameters} - {*more}
    require(not missing, "extra", f"with {sorted(missing)}", sorted(more), "add a Real for each")
    taken = sorted({*OWN, *DATA, "points", "gradients", "values"} & {*more})
    require(not taken, "extra", "without names of the data", taken, "rename them")
    box = {
        "start": Real(-4, 4, unit=(0, 1), per=("d",)),
        "slopes": Real(-4, 4, unit=(1, -1), per=("met", "d")),
        "heights": Real(0, 4, unit=(1, 0), per=("met",)),
        **more,
    }
    shapes = tuple({"d": d, "rounds": t, "met": t + 1} for t in rounds for d in dimensions)
    build = partial(_instance, rule, move)
    text = about or f"data with {interpolation}"
    constraints = {"interpolation": partial(_margin, rule)}
    return Family(box, shapes, build, text, {}, constraints, grow=("d",))


def own_class_of(family: Family) -> str | None:
    """The inequality of a class of one's own; None of any other family."""
    build = family.build
    own = isinstance(build, partial) and build.func is _instance
    return build.args[0].text if own and isinstance(build, partial) else None


def _instance(
    rule: Interpolation, move: Interpolation, values: Mapping[str, Any], shape: Shape
) -> Instance:
    """Points of the method from its start, with what it meets there; the minimiser comes first.

    The inequality, `rule`, is the family's constraint: it stands here for those who ask the family.
    """
    assert rule.comparisons
    slopes, heights = values["slopes"], values["heights"]
    extra = {name: value for name, value in values.items() if name not in OWN}
    points = [values["start"]]
    for t in range(int(shape["rounds"])):
        known = {"x": points[-1], "g": slopes[..., t, :]}
        points.append(_Evaluated(known, extra, move, single=True).of(move.comparisons[0][0]).value)
    data = {
        "points": xp.stack([0 * values["start"], *points], -2),
        "gradients": xp.stack([0 * values["start"], *np.moveaxis(slopes, -2, 0)], -2),
        "values": xp.stack([0 * heights[..., 0], *np.moveaxis(heights, -1, 0)], -1),
    }
    sizes = {"rounds": shape["rounds"]}
    return Instance("numbers", {}, None, {**values, **data, **sizes})


def _margin(rule: Interpolation, instance: Instance) -> Any:
    given = instance.params
    extra = {name: given[name] for name in rule.parameters}
    return rule.margin(given["points"], given["gradients"], given["values"], extra)


# -- formulas --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Value:
    """A number, or a vector with its coordinates last."""

    value: Any
    vector: bool = False


@dataclass(frozen=True)
class _Evaluated:
    """Values of a formula on data; of each two points unless it is of a `single` one."""

    data: Mapping[str, Any]
    parameters: Mapping[str, Any]
    rule: Interpolation
    single: bool = False

    def of(self, node: ast.expr) -> _Value:
        """Value of a formula."""
        for kind, read in _READ.items():
            if isinstance(node, kind):
                return read(self, node)
        raise self.rule._wrong(f"made of sums, products and norms, not {ast.unparse(node)}")

    def constant(self, node: Any) -> _Value:
        """A number."""
        exact = next((v for v in self.data.values() if np.asarray(v).dtype == object), None)
        plain = isinstance(node.value, int)
        if not plain and not isinstance(node.value, float):
            raise self.rule._wrong(f"of numbers, not {node.value!r}")
        return _Value(Fraction(str(node.value)) if exact is not None else node.value)

    def name(self, node: Any) -> _Value:
        """A parameter; of a step also where it is, and the gradient there."""
        if node.id in self.data:
            if not self.single:
                raise self.rule._wrong(f"of {node.id}[i] and {node.id}[j], not {node.id}")
            return _Value(self.data[node.id], vector=True)
        value = self.parameters[node.id]
        return _Value(value if self.single else xp.trailing(value, 2))

    def entry(self, node: Any) -> _Value:
        """x[i] and the like: i down the rows, j along the columns."""
        base, at = getattr(node.value, "id", ""), getattr(node.slice, "id", "")
        if self.single or base not in self.data or at not in ("i", "j"):
            raise self.rule._wrong(f"of x, g, f at i and j, not {ast.unparse(node)}")
        value, vector = self.data[base], base != "f"
        axis = (-2 if at == "i" else -3) if vector else (-1 if at == "i" else -2)
        return _Value(np.expand_dims(value, axis), vector)

    def signed(self, node: Any) -> _Value:
        """With a sign."""
        inner = self.of(node.operand)
        return _Value(-inner.value if isinstance(node.op, ast.USub) else inner.value, inner.vector)

    def norm(self, node: Any) -> _Value:
        """A norm of a vector, the absolute value of a number."""
        if getattr(node.func, "id", "") != "norm" or len(node.args) != 1:
            raise self.rule._wrong(f"made of sums, products and norms, not {ast.unparse(node)}")
        inner = self.of(node.args[0])
        if not inner.vector:
            return _Value(xp.absolute(inner.value))
        return _Value(xp.sqrt(xp.squared_norm(inner.value)))

    def operation(self, node: Any) -> _Value:
        """Sums, products (of two vectors the inner one), quotients and whole powers."""
        if isinstance(node.op, ast.Pow):
            return self._power(node)
        a, b = self.of(node.left), self.of(node.right)
        if isinstance(node.op, ast.Add | ast.Sub):
            if a.vector is not b.vector:
                raise self.rule._wrong(f"no sum of a vector and a number, {ast.unparse(node)}")
            sign = 1 if isinstance(node.op, ast.Add) else -1
            return _Value(a.value + sign * b.value, a.vector)
        if isinstance(node.op, ast.Mult):
            if a.vector and b.vector:
                return _Value(xp.dot(a.value, b.value))
            one, other = (_wide(v, a.vector or b.vector) for v in (a, b))
            return _Value(one * other, a.vector or b.vector)
        if isinstance(node.op, ast.Div) and not b.vector:
            return _Value(a.value / _wide(b, a.vector), a.vector)
        raise self.rule._wrong(f"made of sums, products and norms, not {ast.unparse(node)}")

    def _power(self, node: Any) -> _Value:
        power = getattr(node.right, "value", None)
        if not isinstance(power, int):
            raise self.rule._wrong(f"of whole powers, not {ast.unparse(node)}")
        if isinstance(node.left, ast.Call) and power == 2 and node.left.args:
            inner = self.of(node.left.args[0])  # no root where its square is asked
            return _Value(xp.squared_norm(inner.value) if inner.vector else inner.value**2)
        inner = self.of(node.left)
        if inner.vector:
            if power != 2:
                raise self.rule._wrong(f"of squares of vectors, not {ast.unparse(node)}")
            return _Value(xp.squared_norm(inner.value))
        return _Value(inner.value**power)


def _wide(part: _Value, vector: bool) -> Any:
    """A number beside vectors has an axis for their coordinates."""
    return part.value if part.vector or not vector else xp.trailing(part.value, 1)


_READ: dict[Any, Callable[[_Evaluated, Any], _Value]] = {
    ast.Constant: _Evaluated.constant,
    ast.Name: _Evaluated.name,
    ast.Subscript: _Evaluated.entry,
    ast.UnaryOp: _Evaluated.signed,
    ast.Call: _Evaluated.norm,
    ast.BinOp: _Evaluated.operation,
}
