"""Lemma 2 with the square, at any place: from the noise of the sum to the sufficient variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

__all__ = ["EVERYWHERE", "WORST", "Names", "effective_noise", "smaller_noise"]

_SEVERAL = {"index": "k", "rounds": "N", "of": "0"}


@dataclass(frozen=True)
class Names:
    """What the numbers of a place are called.

    Attributes
    ----------
    one, each : str
        Indices of a number, and of one of each client.
    level : str
        What the squared gradient is at least.
    """

    one: str
    each: str
    level: str

    def __call__(self, text: str) -> str:
        """A formula in names without indices, which are followed by a dot or, of clients, by two."""
        return text.replace("..", self.each).replace(".", self.one).replace("LEVEL", self.level)


EVERYWHERE = Names("[o, t]", "[o, k, t]", "level[o, t]")
WORST = Names("", "[k]", "2*mu*eps")


def _each(body: str) -> str:
    return f"Sum({body}, (k, 0, N - 1))"


def effective_noise(o: StatementOutline, at: Names) -> None:
    """As phi(r) is at most r the variance of the sum is at most the effective one."""
    o.uses("weights", "effective", "phi")
    square, product = at("phi..**2*i2[k]"), at("r..*phi..*i2[k]")
    o.step("smaller", f"{square} <= {product}", at("phi times phi..*i2[k]"))
    o.close(
        "squares", f"{_each(square)} <= {_each(product)}", "telescoped", step="smaller", **_SEVERAL
    )
    o.step(
        "effective noise",
        at("noise. <= eff."),
        at("weights; squares times eff.**2; effective times eff."),
    )


def smaller_noise(o: StatementOutline, at: Names) -> None:
    """A3 bounds every ratio from below, and so the effective variance from above."""
    o.uses("large gradients", "similar", "ratio")
    o.uses("sufficient ratio", "phi of it", "phi rises", "sufficient")
    o.step(
        "share",
        at("b2[k]/own. <= b2[k]/(LEVEL)"),
        at("large gradients times b2[k]/(own.*LEVEL)"),
    )
    o.step("near", at("1 - b2[k]/(LEVEL) - c[k] <= r.."), at("share; similar times 1/own.; ratio"))
    o.step("nearer", at("rs..**2 <= r..*rs.."), at("near times rs..; sufficient ratio"))
    o.step(
        "nearer by phi",
        at("rs..*phis.. <= r..*phis.."),
        at("near times phis..; phi of it"),
    )
    less, more = at("rs..*phis..*i2[k]"), at("r..*phi..*i2[k]")
    o.step(
        "larger",
        f"{less} <= {more}",
        "nearer; nearer by phi; phi rises",
        roots=at("r.. - rs.."),
    )
    o.close("sums", f"{_each(less)} <= {_each(more)}", "telescoped", step="larger", **_SEVERAL)
    o.step("no more", at(f"eff.*{_each(less)} <= 1"), at("effective; sums times eff."))
    o.step(
        "smaller variance",
        at("eff. <= suf."),
        at("no more times suf.; sufficient times eff."),
    )
