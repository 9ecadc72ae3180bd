r"""Functions of any number of clients that enter a method alike.

Each client has a function of its own, all of one class; the method treats them alike, and what is
assumed and asked is about means over clients.  Then a worst case may be taken symmetric, and all
that is left of it are two Gram matrices, of the means and of the deviations from them, whose sizes
do not depend on the number of clients: points are as :mod:`.points` says, the gradient of "the
client" at a point has a mean part and a deviation, and a condition on each client is one on the
mean over clients, since in a symmetric worst case all are equal.

The functions that a problem's `clients` makes are of the same clients: each has one of each kind.
Any pair of positive semidefinite matrices is reached with two clients already (mean plus and minus
the deviation, in orthogonal directions), so the worst case is the same for all numbers from two on
as long as no noise is averaged.
"""

from __future__ import annotations

from typing import ClassVar

from verify.worst_case.function import Function
from verify.worst_case.points import Expression, SymbolicPoint

__all__ = ["AlikeClients"]


class AlikeClients(Function):
    """Functions of clients that enter alike: points may be the clients' own, values are means."""

    own: ClassVar[bool] = True

    def minimiser(self, name: str = "x*", *, origin: bool = False) -> SymbolicPoint:
        """A new minimiser of the mean over clients, the same for all; or one at the origin."""
        if self.kind.bent:
            raise ValueError("a minimum is where gradients vanish for convex clients: take others")
        return self.stationary_point(name, origin=origin)

    def heterogeneity(self, x: SymbolicPoint) -> Expression:
        """Mean over clients of the squared distance from their gradients at x to the mean."""
        g = self.gradient(x)
        return (g - g.mean()) ** 2

    def new_gradient(self) -> SymbolicPoint:
        """A vector of each client, of which nothing is known yet."""
        return self.problem.point(f"{self.name}.g", own=True)
