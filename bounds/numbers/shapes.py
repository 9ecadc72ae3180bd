"""Names for the shapes in signatures.

The leading axes ``...`` are instances and noise outcomes and broadcast.  Arrays are of numpy, with
float or object entries (fractions, balls, symbolic numbers), or tensors of torch.  No static type
has the arithmetic of all of them, so the names speak to the reader and the checker sees `Any`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

__all__ = [
    "Array",
    "Clients",
    "Gradients",
    "Hessians",
    "Pairs",
    "Points",
    "Rounds",
    "Scalar",
]

Array: TypeAlias = Any
"""Any shape."""

Scalar: TypeAlias = Any
"""(...): one number per instance, as an array or as a bare number."""

Clients: TypeAlias = Array
"""(..., N): one number per client."""

Pairs: TypeAlias = Array
"""(..., N, N): one number per pair of clients, receivers first."""

Points: TypeAlias = Array
"""(..., d): one vector per instance."""

Gradients: TypeAlias = Array
"""(..., N, d): one vector per client."""

Hessians: TypeAlias = Array
"""(..., N, d, d): one symmetric matrix per client."""

Rounds: TypeAlias = Array
"""(..., T): one number per round."""
