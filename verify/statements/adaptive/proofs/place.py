"""Definitions 1 and 2 and A3 at a place of a run: notation and facts, in the names of a setting."""

from __future__ import annotations

from dataclasses import dataclass

from verify.outlines.setting import Guaranteed, Quantity

__all__ = ["EVERYWHERE", "PLACE", "WORST", "PlaceNames", "at_most", "in_all"]

_A3 = "similarity |grad R_k - grad R_i|^2 <= b^2 + c |grad R_i|^2 (A3)"
_PHI = "any phi that does not fall and is at most its argument"
_DEF1, _DEF2 = "weights of Definition 1", "the sufficient variance of Definition 2 with b^2"


def at_most(less: str, more: str, scope: str, needs: tuple[str, ...] = ()) -> Guaranteed:
    """A condition on numbers."""
    return Guaranteed("condition", {"less": less, "more": more}, needs, scope)


def in_all(less: str, more: str, scope: str) -> Guaranteed:
    """A relation between means or sums."""
    return Guaranteed("relation", {"less": less, "more": more}, scope=scope)


@dataclass(frozen=True)
class PlaceNames:
    """What the numbers of a place are called.

    Attributes
    ----------
    one, each : str
        Indices of a number, and of one of each client.
    level : str
        What the squared gradient is at least: of Definition 2, twice mu times epsilon.
    """

    one: str
    each: str
    level: str

    def __call__(self, text: str) -> str:
        """A formula in which a name is followed by a dot, one of each client by two."""
        return text.replace("..", self.each).replace(".", self.one).replace("LEVEL", self.level)

    def weights(self) -> tuple[Quantity, ...]:
        """Notation of Definition 1."""
        return (
            Quantity("N", "positive integer", "clients", "N"),
            Quantity("i2[k]", "positive", "one over the stated variance", r"\sigma_k^{-2}"),
            Quantity(self("r.."), "nonnegative", "similarity ratio", "r_{ik}"),
            Quantity(self("phi.."), "nonnegative", "phi of it", r"\phi(r_{ik})"),
            Quantity(self("eff."), "positive", "effective variance", r"\sigma_{i,\mathrm{eff}}^2"),
            Quantity(
                self("noise."),
                "nonnegative",
                "variance of the sum",
                r"\sum_k(\alpha_{ik}\sigma_k)^2",
            ),
        )

    def sufficient(self) -> tuple[Quantity, ...]:
        """Notation of A3 and Definition 2."""
        epsilon = r"r_{ik}(\varepsilon)"
        return (
            Quantity("b2[k]", "nonnegative", "bias of A3, squared", "b_{ik}^2"),
            Quantity("c[k]", "nonnegative", "slope of A3", "c_{ik}"),
            Quantity(self("own."), "positive", "squared gradient", r"\|\nabla R_i\|^2"),
            Quantity(self("gap.."), "nonnegative", "squared gap of gradients", r"\Delta_k^2"),
            Quantity(
                self("rs.."), "nonnegative", "ratio of Definition 2, with the square", epsilon
            ),
            Quantity(self("phis.."), "nonnegative", "phi of it", rf"\phi({epsilon})"),
            Quantity(self("q.."), "nonnegative", "slope of phi between both ratios", "q_k"),
            Quantity(
                self("suf."),
                "positive",
                "sufficient variance",
                r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
            ),
        )

    def definition1(self) -> dict[str, Guaranteed]:
        """The weights, and phi."""
        psi = "Sum(r..*phi..*i2[k], (k, 0, N - 1))"
        return {
            "weights": in_all(
                self("noise."), self("eff.**2*Sum(phi..**2*i2[k], (k, 0, N - 1))"), _DEF1
            ),
            "effective": in_all(self(f"eff.*{psi}"), "1", _DEF1),
            "phi": at_most(self("phi.."), self("r.."), _PHI),
        }

    def definition2(self, large: str) -> dict[str, Guaranteed]:
        """Similarity, and the sufficient variance at a level that the squared gradient reaches.

        Parameters
        ----------
        large : str
            By what it does.
        """
        least = "(1 - b2[k]/(LEVEL) - c[k])"
        sufficient = "suf.*Sum(rs..*phis..*i2[k], (k, 0, N - 1))"
        return {
            "large gradients": at_most(self.level, self("own."), large),
            "similar": at_most(self("gap.."), self("b2[k] + c[k]*own."), _A3),
            "ratio": at_most(self("1 - gap../own."), self("r.."), _DEF1),
            "sufficient": in_all("1", self(sufficient), _DEF2),
            "sufficient ratio": at_most(self("rs..**2"), self(f"rs..*{least}"), _DEF2),
            "phi of it": at_most(self("rs..*phis.."), self(f"phis..*{least}"), _DEF2),
            "phi rises": at_most(self("phis.. + q..*(r.. - rs..)"), self("phi.."), _PHI),
        }


EVERYWHERE = PlaceNames("[o, t]", "[o, k, t]", "level[o, t]")
"""At every outcome and round."""
PLACE = PlaceNames("", "[k]", "level")
"""At a single one."""
WORST = PlaceNames("", "[k]", "2*mu*eps")
"""Where the noise of the sum is largest."""
