"""Nodes of a term: an operation and what it is applied to, as data.

A node is made once for each operation and its arguments, so that a sub-term that occurs twice is
one object: terms are compared by identity, and evaluated once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

__all__ = ["ANY", "SIZES", "Node", "constant", "node", "without_file"]


class Node:
    """One operation of a term; make it by :func:`node`, so that equal ones are one object.

    Attributes
    ----------
    op : str
        What is done: ``symbol``, ``constant``, ``operator``, ``generic``, ``index`` and so on; the
        table of all stands in :mod:`verify.terms.values`.
    inputs : tuple of Node
        What it is done to.
    data : hashable
        What else it needs: the name of a symbol, an operator or a function, a place, a number.
    """

    __slots__ = ("__dict__", "__weakref__", "data", "inputs", "op")

    def __init__(self, op: str, inputs: tuple[Node, ...], data: Any) -> None:
        self.op, self.inputs, self.data = op, inputs, data

    def __repr__(self) -> str:
        inside = [repr(one) for one in self.inputs]
        told = [] if self.data is None else [str(self.data)]
        return f"{self.op}({', '.join([*told, *inside])})"

    def parts(self) -> Iterator[Node]:
        """Yield every node of the term once, inputs before what is made of them."""
        seen: set[int] = set()
        todo: list[tuple[Node, bool]] = [(self, False)]
        while todo:
            one, entered = todo.pop()
            if entered:
                yield one
            elif id(one) not in seen:
                seen.add(id(one))
                todo.append((one, True))
                todo.extend((part, False) for part in reversed(one.inputs))

    @cached_property
    def order(self) -> tuple[Node, ...]:
        """All nodes of the term, each once, in an order in which they can be evaluated."""
        return tuple(self.parts())

    @property
    def digest(self) -> str:
        """The same for the same term in every process."""
        if "digest" not in self.__dict__:
            for part in self.parts():
                if "digest" not in part.__dict__:
                    told = [part.op, type(part.data).__name__, without_file(repr(part.data))]
                    told += [one.__dict__["digest"] for one in part.inputs]
                    part.__dict__["digest"] = sha256(" ".join(told).encode()).hexdigest()
        found: str = self.__dict__["digest"]
        return found

    @cached_property
    def symbols(self) -> frozenset[str]:
        """Names of the symbols that the term names."""
        own = [self.data] if self.op in ("symbol", "size") else []
        if self.op == "quantity":  # it may name any
            own = [ANY]
        return frozenset(own).union(*(part.symbols for part in self.inputs))

    @cached_property
    def sizes_alone(self) -> bool:
        """Whether the value depends on sizes (and constants) alone, and on a size at all."""
        if self.op in SIZES:
            return True
        if self.op in ("symbol", "original"):
            return False
        return all(p.sizes_alone or p.op == "constant" for p in self.inputs) and any(
            p.sizes_alone for p in self.inputs
        )


def without_file(name: str) -> str:
    """A name without the digest of a user's file, under which that file is loaded."""
    return _FILE.sub(r"\1", name)


_FILE = re.compile(r"(fedassay_user_)[0-9a-f]{16}")

SIZES = ("size", "original size", "length", "count")
"""Operations that give a size: of an instance by its name, of an axis, of a record."""

ANY = "*"
"""Stands among the symbols of a term that may name others than one sees."""

_MADE: WeakValueDictionary[Any, Node] = WeakValueDictionary()


def node(op: str, *inputs: Node, data: Any = None) -> Node:
    """The node of an operation: the same object for the same operation, inputs and data.

    Examples
    --------
    >>> x = node("symbol", data="x")
    >>> node("operator", x, x, data="+") is node("operator", x, x, data="+")
    True
    """
    key = (op, tuple(map(id, inputs)), type(data), data)
    found = _MADE.get(key)
    if found is None:
        found = _MADE[key] = Node(op, inputs, data)
    return found


def constant(value: Any) -> Node:
    """The node of a number, a text, a yes or no, or a tuple of such.

    Raises
    ------
    TypeError
        Of anything else, which may change after it has been written down.
    """
    if isinstance(value, bool | int | float | Fraction | str | type(None)):
        return node("constant", data=value)
    if isinstance(value, tuple | list):
        return node("tuple", *map(constant, value), data=type(value).__name__)
    raise TypeError(f"a {type(value).__name__} is no constant")
