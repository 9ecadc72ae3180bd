r"""How far rounding can carry a number: a bound beside every tensor, operation by operation.

A processor, a compiler or a graph may add the same numbers in another order, fuse a product with a
sum, or use another exponential.  What two such computations of one formula may differ by follows
from the computation itself (a running error analysis).  With u half a unit in the last place,

.. math:: |fl(a \circ b) - a \circ b| \le u\, |fl(a \circ b)|, \qquad
          \Big|fl\Big(\sum_{i \le n} x_i\Big) - \sum_i x_i\Big| \le \gamma_{n-1} \sum_i |x_i|,
          \qquad \gamma_n = \frac{n u}{1 - n u},

the second in whatever order the sum is taken, and each operation passes on the errors of what goes
into it, as its derivative says or as a monotone function does.

>>> with Roundings() as roundings:
...     total = torch.tensor([1.0, 2.0**30, -(2.0**30)]).sum()
>>> bool(roundings.of(total) > 1)  # two additions of numbers of size 2^30: the 1 may be lost
True

A result is within its bound of the exact value for the same data, so that two results, each in an
order of its own, are within twice the bound of each other: `assert_same_but_for_rounding`.

Data have no error: tensors made before, draws unless `Roundings.given` says otherwise, and what
comes back from numpy.  Comparisons are taken to fall the same way.  An operation that has no rule
raises NotImplementedError with its name, as a bound that is made up would be none.

The rules are in `tests/rounding_rules.py`, with their source.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.weak import WeakTensorKeyDictionary

from synthetic.noise.sources import Addressed
from tests.rounding_rules import MADE, RULES, is_float

Tensor = torch.Tensor
LENGTH = math.sqrt(2 * math.log(2.0**33))
"""The longest pair of normals that a word of 32 bits gives, of variance one: 6.8."""

NORMAL = 8.5
"""Last places (eps) of its pair's length by which a normal may be off: 1e-6 in float32, to which
`tests/synthetic/noise/test_single_precision.py` holds both generators."""


def of_normals(width: int, dtype: torch.dtype) -> float:
    """Error of a generator's Gaussian draws, whose words have variance 1/width."""
    return NORMAL * torch.finfo(dtype).eps * LENGTH / math.sqrt(width)


def of_draws(source: Addressed, t: int) -> Tensor | float:
    """Error of what a source draws in round t, by whichever generator; none of whole numbers."""
    if source.law not in ("gaussian", "sphere"):
        return 0.0
    if source.law == "gaussian":
        return of_normals(source.width, source.dtype)
    # a point of the sphere is a vector of normals, of variance one, divided by its length
    vectors = replace(source, law="gaussian").draw(t).double()
    length = vectors.norm(dim=-1, keepdim=True) * math.sqrt(source.width)
    error = 2 * math.sqrt(source.width) * of_normals(1, source.dtype) / length
    return error.expand(vectors.shape)


class Roundings(TorchDispatchMode):
    """While it is entered, each tensor of floats that torch computes gets a bound of its error."""

    def __init__(self) -> None:
        super().__init__()
        self.errors = WeakTensorKeyDictionary()

    def of(self, x: Tensor) -> Tensor:
        """Bound of each entry's distance from its exact value, in float64; zero for data."""
        if x not in self.errors:  # kept, so that views of it share what is written later
            self.errors[x] = torch.zeros(x.shape, dtype=torch.float64)
        known: Tensor = self.errors[x]
        return known

    def given(self, x: Tensor, error: Tensor | float) -> None:
        """Say how far data may be off, as draws of another generator."""
        self.errors[x] = torch.zeros(x.shape, dtype=torch.float64) + error

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        if not any(map(is_float, tree_leaves(out))):
            return out
        name = func.overloadpacket.__name__
        if name in MADE.split():
            return out
        if name not in RULES:
            raise NotImplementedError(f"tests/rounding_rules.py has no rule for {func}")
        errors = tree_map(lambda x: self.of(x) if is_float(x) else x, args)
        bounds = RULES[name](func, args, errors, out)
        for x, bound in zip(tree_leaves(out), tree_leaves(bounds), strict=True):
            if is_float(x):
                assert bound.shape == x.shape, f"the rule for {func} gives shape {bound.shape}"
                self.errors[x] = bound.nan_to_num(nan=torch.inf) if bound.isnan().any() else bound
        return out


def assert_same_but_for_rounding(found: Tensor, wanted: Tensor, bound: Tensor) -> None:
    """Compare two computations of one formula on the same data, each within the bound of it."""
    apart = (found.double() - wanted.double()).abs()
    excess = (apart - 2 * bound).max()
    assert bound.isfinite().all(), "no bound: an entry may be anything"
    assert excess <= 0, f"{apart.max():.3g} apart, {excess:.3g} more than rounding explains"
