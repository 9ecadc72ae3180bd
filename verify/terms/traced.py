"""Arrays and sizes that write down what a program does with them.

A traced value has a node, which says how it was made, and a number for one example, from which it
knows how many axes it has and which broadcast.  What the example's numbers and lengths are is asked
of it in vain: a truth value, a plain number, a length as an int, an entry by a traced index end the
trace, since the answer would hold of that example alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from fractions import Fraction
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from bounds.numbers.ball import Ball
from bounds.numbers.recording import RecordedValue
from verify.terms.node import Node, constant, node
from verify.terms.refusals import NotTraceable

__all__ = ["Traced", "TracedObject", "entered", "example_of", "lifted", "wrapped"]

OUT = "take xp.where, xp.maximum, a sum over an axis, or a quantity"

BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
}
COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}

METHODS = frozenset(
    [
        "all",
        "any",
        "argmax",
        "argmin",
        "argsort",
        "astype",
        "clip",
        "conj",
        "copy",
        "cumprod",
        "cumsum",
        "diagonal",
        "dot",
        "max",
        "mean",
        "min",
        "prod",
        "repeat",
        "reshape",
        "round",
        "squeeze",
        "sum",
        "swapaxes",
        "trace",
        "transpose",
    ]
)
"""Methods of arrays that are written down; any other ends the trace."""

FUNCTIONS = frozenset(
    [
        "all",
        "amax",
        "amin",
        "any",
        "argmax",
        "argmin",
        "argsort",
        "array_equal",
        "broadcast_arrays",
        "broadcast_to",
        "concatenate",
        "cumprod",
        "cumsum",
        "diagonal",
        "diff",
        "dot",
        "einsum",
        "expand_dims",
        "flip",
        "full_like",
        "isclose",
        "max",
        "mean",
        "min",
        "moveaxis",
        "ones_like",
        "prod",
        "reshape",
        "roll",
        "sort",
        "split",
        "squeeze",
        "stack",
        "sum",
        "swapaxes",
        "take_along_axis",
        "trace",
        "transpose",
        "tril",
        "triu",
        "where",
        "zeros_like",
    ]
)
"""Functions of numpy, beside its ufuncs, that are written down; any other ends the trace."""


HERE = "here"
"""Stands in a key for an index that is a term of its own."""


def _refused(what: str) -> Callable[..., Any]:
    def method(self: Any, *_: Any, **__: Any) -> NoReturn:
        raise NotTraceable(f"{what} of {self.kind} is asked: {OUT}")

    return method


class Traced(RecordedValue):
    """An array, or a number, of which the node says how it was made.

    Attributes
    ----------
    node : Node
    example : ndarray or number
        Its value in the example.
    """

    __slots__ = ("example", "node")
    __hash__ = _refused("a hash")

    def __init__(self, made: Node, example: Any) -> None:
        self.node, self.example = made, example

    @property
    def kind(self) -> str:
        """What it is called in a message."""
        return "a size" if self.node.sizes_alone else "a traced value"

    def __repr__(self) -> str:
        return f"traced {self.node!r}"

    # -- what it tells ----------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        """Number of axes, the same in every shape."""
        return int(np.ndim(self.example))

    @property
    def shape(self) -> tuple[Traced, ...]:
        """Lengths of the axes, each of them a term."""
        lengths = np.shape(self.example)
        return tuple(
            Traced(node("length", self.node, data=place - len(lengths)), length)
            for place, length in enumerate(lengths)
        )

    @property
    def T(self) -> Traced:  # noqa: N802
        """The array with its axes in reverse order."""
        found: Traced = self._method("transpose", (), {})
        return found

    for _name in ("bool", "int", "float", "complex", "index", "len", "iter", "round", "array"):
        locals()[f"__{_name}__"] = _refused(
            {
                "bool": "a truth value",
                "len": "the length",
                "iter": "one entry after the other",
                "array": "a plain array of numbers",
            }.get(_name, "a plain number")
        )
    for _name in ("str", "format"):
        locals()[f"__{_name}__"] = _refused("the text")
    for _name in ("trunc", "floor", "ceil", "contains", "setitem", "divmod", "rdivmod"):
        locals()[f"__{_name}__"] = _refused("a plain number")
    del _name

    # -- what is written down ---------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Traced:
        keys = key if isinstance(key, tuple) else (key,)
        terms: list[Node] = []

        def place(one: Any) -> Any:
            if isinstance(one, slice):
                return tuple(map(place, _ends(one)))
            if one is None or one is Ellipsis or type(one) is int:
                return one
            if type(one) is Traced and one.ndim == 0 and one.node.sizes_alone:
                terms.append(one.node)
                return HERE
            raise NotTraceable(f"an entry at {one!r} of {self.kind} is asked: {OUT}")

        def plain(one: Any) -> Any:
            return (
                slice(*map(example_of, _ends(one))) if isinstance(one, slice) else example_of(one)
            )

        data = tuple(map(place, keys))
        made = node("index", self.node, *terms, data=data)
        found: Traced = wrapped(made, self.example[tuple(map(plain, keys))])
        return found

    def recorded(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """What a generic function gives for these arguments."""
        if function.__name__ in ("kind", "to_float"):
            raise NotTraceable(f"the kind of number of {self.kind} is asked: {OUT}")
        if function.__name__ == "trailing":  # by the number of axes, which every shape shares
            x, *rest = args
            axes = kwargs.get("axes", rest[0] if rest else 1)
            return x[(..., *(None,) * axes)] if x.ndim else x
        return _called(
            "generic", f"{function.__module__}:{function.__name__}", function, args, kwargs
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if kwargs.get("out") is not None:
            raise NotTraceable(f"a change in place of {self.kind} is asked: {OUT}")
        name = (
            {v: k for k, v in _UFUNCS.items()}.get(ufunc.__name__) if method == "__call__" else None
        )
        if name is not None and not kwargs:
            return _operated(name, *inputs)
        return _called("ufunc", (ufunc.__name__, method), getattr(ufunc, method), inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function.__name__ not in FUNCTIONS or function.__module__ != "numpy":
            raise NotTraceable(f"numpy's {function.__name__} of {self.kind} is asked: {OUT}")
        return _called("numpy", function.__name__, function, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return lambda *args, **kwargs: self._method(name, args, kwargs)
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotTraceable(f"{name!r} of {self.kind} is asked: {OUT}")

    def _method(self, name: str, args: Any, kwargs: Any) -> Any:
        if name == "astype":
            raise NotTraceable(f"the kind of number of {self.kind} is asked: {OUT}")

        def method(x: Any, *rest: Any, **named: Any) -> Any:
            return getattr(np.asarray(x), name)(*rest, **named)

        return _called("method", name, method, (self, *args), kwargs)

    def __neg__(self) -> Any:
        return _operated("neg", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return _operated("abs", self)

    def __invert__(self) -> Any:
        return _operated("~", self)


_UFUNCS = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "//": "floor_divide",
    "%": "remainder",
    "**": "power",
    "@": "matmul",
    "&": "bitwise_and",
    "|": "bitwise_or",
    "^": "bitwise_xor",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
    "==": "equal",
    "!=": "not_equal",
    "neg": "negative",
    "abs": "absolute",
    "~": "invert",
}
"""numpy's functions behind operators: a plain array before a traced value calls these."""

OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
    "@": lambda a, b: a @ b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "neg": lambda a: -a,
    "abs": abs,
    "~": lambda a: ~a,
}


def _operated(name: str, *values: Any) -> Any:
    with np.errstate(all="ignore"):
        try:
            found = OPERATORS[name](*map(example_of, values))
        except ZeroDivisionError:  # of sizes of the example
            found = float("nan")
    return _value(node("operator", *map(lifted, values), data=name), found)


def _binary(name: str, sign: str) -> None:
    setattr(Traced, f"__{name}__", lambda a, b: _between(sign, a, b, b))
    setattr(Traced, f"__r{name}__", lambda a, b: _between(sign, b, a, b))


def _between(sign: str, first: Any, second: Any, other: Any) -> Any:
    """An operation with another value; one of a type of its own says itself what it gives."""
    known = (RecordedValue, np.ndarray, np.generic, int, float, Fraction)
    return _operated(sign, first, second) if isinstance(other, known) else NotImplemented


def _compared(name: str, sign: str) -> None:
    setattr(Traced, f"__{name}__", lambda a, b: _operated(sign, a, b))


for _name, _sign in BINARY.items():
    _binary(_name, _sign)
for _name, _sign in COMPARED.items():
    _compared(_name, _sign)


class TracedObject:
    """A problem, a run or another record of the package, whose parts are traced.

    Attributes and calls give traced values; ``isinstance`` sees the class of the record.
    """

    __slots__ = ("_example", "_node")

    def __init__(self, made: Node, example: Any) -> None:
        object.__setattr__(self, "_node", made)
        object.__setattr__(self, "_example", example)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(self._example)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise NotTraceable(f"{name!r} of a {type(self._example).__name__} is asked: {OUT}")
        found = getattr(self._example, name)
        made = node("attribute", self._node, data=name)
        if not callable(found):
            return wrapped(made, found)

        def method(*args: Any, **kwargs: Any) -> Any:
            def applied(_: Any, *rest: Any, **named: Any) -> Any:
                return found(*rest, **named)

            return _called("call", name, applied, (self, *args), kwargs)

        return method

    def __getitem__(self, key: Any) -> Any:
        if type(key) is Traced and key.node.sizes_alone:
            return wrapped(node("entry at", self._node, key.node), self._example[key.example])
        if not isinstance(key, str | int):
            raise NotTraceable(f"an entry at {key!r} is asked: {OUT}")
        return wrapped(node("entry", self._node, data=key), self._example[key])

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise NotTraceable(f"a change of {name!r} is asked: {OUT}")

    # an answer of the example: a record is no other, and whether it holds a key may change
    for _name in ("bool", "len", "iter", "call", "contains", "eq", "ne", "hash", "str", "format"):
        locals()[f"__{_name}__"] = _refused("a plain value")
    del _name

    @property
    def kind(self) -> str:
        """What it is called in a message."""
        return f"a {type(self._example).__name__}"


# -- private helpers ------------------------------------------------------------------------------


def _ends(key: slice) -> tuple[Any, Any, Any]:
    return key.start, key.stop, key.step


def entered(value: Any) -> bool:
    """Whether something traced stands in a value."""
    if isinstance(value, tuple | list):
        return any(map(entered, value))
    return type(value) in (Traced, TracedObject)


def example_of(value: Any) -> Any:
    """The example's value of what may be traced, also inside tuples and lists."""
    if type(value) is Traced:
        return value.example
    if type(value) is TracedObject:
        return object.__getattribute__(value, "_example")
    if type(value) in (tuple, list):
        return type(value)(map(example_of, value))
    return value


def lifted(value: Any) -> Node:
    """The node of a value: of a traced one its own, of a number or an array of numbers a constant.

    Raises
    ------
    NotTraceable
        Of anything else.
    """
    if type(value) is Traced:
        return value.node
    if type(value) is TracedObject:
        return object.__getattribute__(value, "_node")  # type: ignore[no-any-return]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        if value.ndim == 0:
            return lifted(value.item())
        return node("array", constant(value.tolist()), data=value.dtype.str)
    if isinstance(value, tuple | list):
        return node("tuple", *map(lifted, value), data=type(value).__name__)
    if isinstance(value, slice):
        return node("slice", *map(lifted, _ends(value)))
    if isinstance(value, bool | int | float | Fraction | str | type(None)):
        return constant(value)
    if isinstance(value, FunctionType) and value.__closure__ is None and _at_the_top(value):
        return node("function", data=f"{value.__module__}:{value.__qualname__}")
    if value is Ellipsis:
        return node("constant", data=Ellipsis)
    raise NotTraceable(f"a {type(value).__name__} stands among terms")


def _at_the_top(function: FunctionType) -> bool:
    found = getattr(sys.modules.get(function.__module__), function.__qualname__, None)
    return found is function


SETTLED: ContextVar[dict[Node, Any] | None] = ContextVar("what a trace was told", default=None)
"""While a program is traced: nodes of which it was told the value, and that value."""


def settled(made: Node, found: Any) -> Any:
    """A plain value that a program is told; the trace holds only where the node has that value."""
    known = SETTLED.get()
    if known is not None:
        known[made] = found
    return found


def wrapped(made: Node, found: Any) -> Any:
    """A traced value for what a node has in the example.

    Texts, truth values of records and nothing are told as they are, see `settled`.
    """
    if found is None or isinstance(found, str | bool):
        return settled(made, found)
    if type(found) is int:
        made = node("count", made)
    if isinstance(found, np.ndarray | np.generic | int | float | Fraction | Ball):
        return Traced(made, found)
    if type(found) is tuple:  # of a list the length may be a size
        return tuple(
            wrapped(node("entry", made, data=place), one) for place, one in enumerate(found)
        )
    return TracedObject(made, found)


def _called(op: str, name: Any, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    inputs = [*map(lifted, args), *(lifted(v) for _, v in sorted(kwargs.items()))]
    data = (name, len(args), tuple(sorted(kwargs)))
    with np.errstate(all="ignore"):
        found = function(*map(example_of, args), **{k: example_of(v) for k, v in kwargs.items()})
    made = node(op, *inputs, data=data)
    return wrapped(made, found) if op == "call" else _value(made, found)


def _value(made: Node, found: Any) -> Any:
    """A traced value of what was calculated: a truth value too, which would hold of the example."""
    if isinstance(found, bool | np.bool_):
        return Traced(made, np.bool_(found))
    if type(found) is int:  # calculated with sizes: none that something has
        return Traced(made, found)
    return wrapped(made, found)
