"""Sides of random lines, by arrays and by loops over entries written apart: the same numbers."""

from __future__ import annotations

import ast
from operator import add, mul, pow, sub
from typing import Any

import numpy as np

from tests.each import each
from verify.line import one_line
from verify.line.parts import pieces
from verify.world.world import World

SCALARS, INDEXED, VECTORS, LISTS = ("a", "b"), ("p", "q"), ("u", "v"), ("x", "y")
RANGES = "for real a, real b, real p, real q, vectors u, v, vectors x[i], y[i]"


class Writer:
    """Random formulas of numbers and vectors."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def pick(self, *choices: str) -> str:
        return str(choices[self.rng.integers(len(choices))])

    def number(self, depth: int, stack: tuple[str, ...]) -> str:
        if depth == 0:
            listed = [f"{name}[{i}]" for i in stack for name in INDEXED]
            return self.pick(*SCALARS, "2", "3", *listed, *(listed or ["a"]))
        kind = self.rng.integers(8 if len(stack) < 2 else 6)
        inner = lambda: self.number(depth - 1, stack)  # noqa: E731
        if kind == 0:
            return f"({inner()} + {inner()})"
        if kind == 1:
            return f"({inner()} - {inner()})"
        if kind == 2:
            return f"{inner()}*{inner()}"
        if kind == 3:
            return f"norm({self.vector(depth - 1, stack)})" + self.pick("", "**2", "**4")
        if kind == 4:
            return f"dot({self.vector(depth - 1, stack)}, {self.vector(depth - 1, stack)})"
        if kind == 5:
            return self.pick("max", "min") + f"({inner()}, {inner()})"
        index = "ij"[len(stack)]
        body = f"({self.number(depth - 1, (*stack, index))} + {self.pick(*INDEXED)}[{index}])"
        return f"({self.pick('sum', 'mean', 'max', 'min')}_{index} {body})"

    def vector(self, depth: int, stack: tuple[str, ...]) -> str:
        if depth == 0:
            listed = [f"{name}[{i}]" for i in stack for name in LISTS]
            return self.pick(*VECTORS, *listed)
        kind = self.rng.integers(4 if len(stack) < 2 else 3)
        if kind == 0:
            return f"({self.vector(depth - 1, stack)} - {self.vector(depth - 1, stack)})"
        if kind == 1:
            return f"{self.number(depth - 1, stack)}*{self.vector(depth - 1, stack)}"
        if kind == 2:
            return f"({self.vector(depth - 1, stack)} + {self.vector(depth - 1, stack)})"
        index = "ij"[len(stack)]
        body = f"({self.vector(depth - 1, (*stack, index))} + {self.pick(*LISTS)}[{index}])"
        return f"({self.pick('sum', 'mean')}_{index} {body})"


SIGNS = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Pow: pow}


def value(node: Any, seen: dict[str, Any], at: dict[str, int]) -> Any:
    """One formula at one instance, entry by entry."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return seen[node.id]
    if isinstance(node, ast.Subscript):
        return seen[node.value.id][at[node.slice.id]]
    if isinstance(node, ast.UnaryOp):
        return -value(node.operand, seen, at)
    if isinstance(node, ast.BinOp):
        return SIGNS[type(node.op)](value(node.left, seen, at), value(node.right, seen, at))
    name, _, index = node.func.id.partition("_")
    if index:
        count = len(seen["p"])
        each_one = [value(node.args[0], seen, {**at, index: k}) for k in range(count)]
        if name in ("max", "min"):
            return {"max": max, "min": min}[name](each_one)
        return sum(each_one) / (count if name == "mean" else 1)
    made = [value(argument, seen, at) for argument in node.args]
    if name == "norm":
        return np.sqrt((made[0] ** 2).sum())
    if name == "dot":
        return (made[0] * made[1]).sum()
    return {"max": max, "min": min}[name](made)


def lines(seed: int) -> list[str]:
    """Lines in which every symbol stands."""
    writer = Writer(seed)
    every = "a + b + sum_i (p[i] + q[i] + norm(x[i]) + norm(y[i])) + norm(u) + norm(v)"
    return [
        f"{writer.number(d, ())} - {writer.number(d, ())} <= {writer.number(d, ())} + {every} "
        f"{RANGES}"
        for d in (1, 2, 3, 3)
    ]


@each("seed", range(30))
def test_arrays_and_loops_agree(seed: int) -> None:
    for line in lines(seed):
        found = one_line(line)
        claim = pieces(line).claim
        rng = np.random.default_rng(seed)
        for shape in ({"N": 2, "d": 3}, {"N": 3, "d": 2}):
            values = found.family.decode(rng.random((3, found.family.width(shape))), shape)
            sides = found(World(found.family.instance(values, shape)))
            for terms, node in zip(sides, (claim.left, claim.right), strict=True):
                got = sum(np.broadcast_to(term, (3, 1)) for term in terms.values())
                for k in range(3):
                    wanted = value(node, {name: v[k] for name, v in values.items()}, {})
                    size = sum(abs(float(np.ravel(t)[k % np.size(t)])) for t in terms.values())
                    assert abs(got[k, 0] - wanted) <= 1e-9 * (1 + size), line


def test_the_loops_see_an_index_that_is_swapped() -> None:
    right, wrong = (
        pieces(f"sum_i sum_j p[{i}]*q[j]*(p[i] - q[j]) <= 0").claim.left for i in ("i", "j")
    )
    seen = {"p": [1.0, 2.0], "q": [3.0, 5.0]}
    assert value(right, seen, {}) != value(wrong, seen, {})
