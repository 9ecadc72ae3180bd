"""What each operation of torch does to errors: the rules of `tests/rounding.py`.

A rule gets an operation, its arguments, these with errors in the place of tensors, and its result,
and gives bounds of that.

Source: Higham, Accuracy and Stability of Numerical Algorithms, Sections 3.1, 3.3, 9.3 and 10.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor
Rule = Callable[[Any, Any, Any, Any], Any]

LIBRARY = 4
"""Roundings that an exponential or the like stands for: libraries promise up to two last places."""


def gamma(count: int, dtype: torch.dtype) -> float:
    """Relative error of so many roundings one after the other."""
    u = torch.finfo(dtype).eps / 2
    assert count * u < 0.1, f"{count} roundings leave no digit of {dtype}"
    return count * u / (1 - count * u)


def is_float(x: Any) -> bool:
    return isinstance(x, Tensor) and x.is_floating_point()


def _wide(x: Any) -> Any:
    return x.double() if isinstance(x, Tensor) else x


def _rounded(out: Tensor, count: int = 1) -> Tensor:
    """Of so many roundings of a result, which may also be too small for the type."""
    return gamma(count, out.dtype) * out.double().abs() + torch.finfo(out.dtype).tiny


def _two(args: Any, errors: Any, out: Tensor) -> tuple[Any, Any, Any, Any]:
    """Sizes of two operands, and their errors; a number may be rounded to the result's type."""

    def error(x: Any, known: Any) -> Any:
        if isinstance(x, Tensor):
            return known if is_float(x) else 0.0
        return abs(float(torch.tensor(x, dtype=out.dtype)) - x)

    one, other = (error(x, known) for x, known in zip(args[:2], errors[:2], strict=True))
    return abs(_wide(args[0])), abs(_wide(args[1])), one, other


def _moved(func: Any, args: Any, errors: Any, out: Any) -> Any:
    """Numbers change places, and their errors with them."""
    return func(*errors)


def _reshaped(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    """Errors may lie otherwise in memory than what they are errors of."""
    return errors[0].reshape(out.shape)


def _filled(func: Any, args: Any, errors: Any, out: Any) -> Any:
    """The last argument is a number that is written over others."""
    return func(*errors[:-1], 0.0)


def _copied(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    narrower = args[0].is_floating_point() and args[0].dtype.itemsize <= out.dtype.itemsize
    error = errors[0] if args[0].is_floating_point() else torch.zeros(out.shape)
    return error.double() + (0 if narrower else _rounded(out))


def _summed(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    _, _, ea, eb = _two(args, errors, out)
    return ea + eb + _rounded(out)


def _multiplied(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    a, b, ea, eb = _two(args, errors, out)
    return a * eb + ea * b + ea * eb + _rounded(out)


def _divided(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    _, b, ea, eb = _two(args, errors, out)
    return (ea + out.double().abs() * eb) / torch.as_tensor(b - eb).clamp(min=0) + _rounded(out)


def _inverted(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    return _divided(func, (1.0, args[0]), (0.0, errors[0]), out)


def _power(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    """Of sizes: no other number that close differs by more."""
    size, power = args[0].double().abs(), float(args[1])
    ends = ((size + errors[0]) ** power, (size - errors[0]).clamp(min=0) ** power)
    return _farther(ends, size**power) + _rounded(out, LIBRARY)


def _monotone(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    x, rest = args[0].double(), args[1:]
    ends = (func(x + errors[0], *rest), func(x - errors[0], *rest))
    return _farther(ends, func(x, *rest)) + _rounded(out, LIBRARY)


def _farther(ends: tuple[Tensor, Tensor], middle: Tensor) -> Tensor:
    return torch.maximum((ends[0] - middle).abs(), (ends[1] - middle).abs())


def _total(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    """A sum of n numbers in any order, or their mean."""
    count, rest = args[0].numel() // max(out.numel(), 1), args[1:]
    sizes = func(args[0].double().abs() + errors[0], *rest)
    return func(errors[0], *rest) + gamma(count, out.dtype) * sizes


def _product(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    """Of matrices: sums of n products."""
    a, b, ea, eb = _two(args, errors, out)
    rounded = gamma(args[0].shape[-1], out.dtype) * func(a + ea, b + eb)
    return func(a, eb) + func(ea, b) + func(ea, eb) + rounded


def _added(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    """A matrix and a product of matrices."""
    return errors[0] + _product(torch.matmul, args[1:], errors[1:], out) + _rounded(out)


def _norm(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    count = args[0].numel() // max(out.numel(), 1)
    return func(errors[0], *args[1:]) + _rounded(out, count + LIBRARY)


def _lipschitz(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    """The largest, the smallest, the size: no farther apart than what goes in."""
    bound = torch.zeros(out.shape, dtype=torch.float64)
    for x, error in zip(args, errors, strict=True):
        if is_float(x):
            bound = torch.maximum(bound, error)
    return bound


def _extreme(func: Any, args: Any, errors: Any, out: Any) -> Any:
    """Of all, or along an axis: no farther off than the worst of them."""
    worst = func(errors[0], *args[1:])
    return worst if isinstance(worst, Tensor) else tuple(worst)


def _ordered(func: Any, args: Any, errors: Any, out: Any) -> Any:
    """In order along an axis: none is farther off than the worst of all."""
    return errors[0].max().expand(out[0].shape), out[1]


def _smallest(func: Any, args: Any, errors: Any, out: Any) -> Any:
    """As `_extreme`, of an operation that would give the least of the errors."""
    largest = torch.ops.aten.amax if func.overloadpacket.__name__ == "amin" else torch.ops.aten.max
    return _extreme(largest, args, errors, out)


def _solved(func: Any, args: Any, errors: Any, out: Any) -> Any:
    """A x = b by elimination: that of an A off by gamma_{3n} |A|, with growth up to n."""
    matrix, x = args[0].double(), out[0].double()
    columns = x[..., None] if x.ndim < matrix.ndim else x
    n, right = matrix.shape[-1], errors[1].reshape(columns.shape)
    off = errors[0] + n * gamma(3 * n, out[0].dtype) * matrix.abs()
    found = torch.linalg.inv(matrix).abs() @ (right + off @ columns.abs())
    return (found.reshape(x.shape), *(torch.full(y.shape, torch.inf) for y in out[1:]))


def _factor(func: Any, args: Any, errors: Any, out: Any) -> Any:
    """A = L L^T: the factor of an A off by gamma_{n+1} |L| |L^T|."""
    lower, n = out[0].double(), args[0].shape[-1]
    off = errors[0] + gamma(n + 1, out[0].dtype) * lower.abs() @ lower.abs().mT
    inverse = torch.linalg.inv(lower).abs()
    return lower.abs() @ (inverse @ off @ inverse.mT).tril(), out[1]


def _spectrum(func: Any, args: Any, errors: Any, out: Any) -> Any:
    """Eigenvalues move by no more than the matrix; of their vectors nothing is said."""
    n, size = args[0].shape[-1], torch.linalg.matrix_norm(args[0].double())
    off = torch.linalg.matrix_norm(errors[0]) + gamma(n * n, out[0].dtype) * size
    return off[..., None].expand(out[0].shape), torch.full(out[1].shape, torch.inf)


def _rest(func: Any, args: Any, errors: Any, out: Tensor) -> Any:
    """Of whole numbers, which have no error; of others a rest may be anything."""
    return torch.where(errors[0] == 0, 0.0, torch.inf).expand(out.shape)


MADE = """
    arange empty eye full full_like linspace new_full new_ones new_zeros ones ones_like rand randn
    round scalar_tensor sign zeros zeros_like
"""
"""Depends on no number, or jumps: such a step is taken to fall the same way."""

MOVED = """
    alias cat clone copy_ detach diagonal expand flip gather index index_put_ index_select
    lift_fresh permute repeat select slice split squeeze stack transpose tril triu unbind unfold
    unsqueeze where
"""
"""Puts numbers elsewhere."""

RULES: dict[str, Rule] = {
    **dict.fromkeys(MOVED.split(), _moved),
    **dict.fromkeys(("view", "_unsafe_view"), _reshaped),
    **dict.fromkeys(("scatter", "masked_fill"), _filled),
    **dict.fromkeys(("add", "sub", "rsub"), _summed),
    **dict.fromkeys(("abs", "neg", "clamp", "maximum", "minimum", "relu"), _lipschitz),
    **dict.fromkeys(("exp", "log", "sqrt", "log1p", "expm1", "tanh", "sigmoid"), _monotone),
    **dict.fromkeys(("sum", "mean"), _total),
    **dict.fromkeys(("bmm", "mm", "mv", "dot"), _product),
    **dict.fromkeys(("addmm", "addmv", "baddbmm"), _added),
    **dict.fromkeys(("max", "amax"), _extreme),
    **dict.fromkeys(("min", "amin"), _smallest),
    "_to_copy": _copied,
    "mul": _multiplied,
    "div": _divided,
    "reciprocal": _inverted,
    "remainder": _rest,
    "pow": _power,
    "sort": _ordered,
    "linalg_vector_norm": _norm,
    "_linalg_solve_ex": _solved,
    "linalg_cholesky_ex": _factor,
    "_linalg_eigh": _spectrum,
}
