"""Lemma 2 with the square, at any place: from the noise of the sum to the sufficient variance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.adaptive import lemma2
from verify.statements.adaptive.proofs.at_a_place import AT_A_PLACE
from verify.statements.adaptive.proofs.place import PLACE, PlaceNames

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

__all__ = ["effective_noise", "larger_ratios", "smaller_variance"]

_KINDEST = ("squared-b", "realised-excess", "after-step")
_SEVERAL = {"index": "k", "rounds": "N", "of": "0"}


def _each(body: str) -> str:
    return f"Sum({body}, (k, 0, N - 1))"


def effective_noise(o: StatementOutline, at: PlaceNames) -> None:
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


def larger_ratios(o: StatementOutline, at: PlaceNames) -> None:
    """A3 bounds every ratio from below, and so psi of it."""
    o.uses("large gradients", "similar", "ratio")
    o.uses("sufficient ratio", "phi of it", "phi rises")
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
    o.step(
        "larger",
        at("rs..*phis.. <= r..*phi.."),
        "nearer; nearer by phi; phi rises",
        roots=at("r.. - rs.."),
    )


def smaller_variance(o: StatementOutline, at: PlaceNames) -> None:
    """So does every summand of one over it: the effective variance is at most the sufficient."""
    o.uses("sufficient")
    larger_ratios(o, at)
    less, more = at("rs..*phis..*i2[k]"), at("r..*phi..*i2[k]")
    o.step("larger, weighed", f"{less} <= {more}", "larger times i2[k]")
    o.close(
        "sums", f"{_each(less)} <= {_each(more)}", "telescoped", step="larger, weighed", **_SEVERAL
    )
    o.step("no more", at(f"eff.*{_each(less)} <= 1"), at("effective; sums times eff."))
    o.step(
        "smaller variance",
        at("eff. <= suf."),
        at("no more times suf.; sufficient times eff."),
    )


@proof_of(lemma2.variance_repaired, AT_A_PLACE)
@proof_of(lemma2.variance.leaf(*_KINDEST), AT_A_PLACE)
def variance(o: StatementOutline) -> None:
    """Effective beats sufficient: the variance."""
    o.uses("effective")
    smaller_variance(o, PLACE)


@proof_of(lemma2.cluster_repaired, AT_A_PLACE)
@proof_of(lemma2.cluster.leaf(*_KINDEST), AT_A_PLACE)
def cluster(o: StatementOutline) -> None:
    """And the cluster: where psi of the sufficient ratio is positive, so is that of the other."""
    o.uses("sufficient member", "effective member", "member or not", "effective or not")
    larger_ratios(o, PLACE)
    o.step("outside", "0 <= 1 - weighted[k]", "effective or not")
    o.step(
        "no member outside",
        "inside[k]*(1 - weighted[k]) <= 0",
        "sufficient member; larger; effective member; outside",
        degree=3,
    )
    o.step("members", "inside[k] <= weighted[k]", "no member outside; member or not")
