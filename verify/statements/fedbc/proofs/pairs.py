"""Equations 57 to 62: how far the models of two clients are apart after the first round."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, Quantity, Term
from verify.statements.fedbc import lemma_b2_pairs as pairs
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs import lemma_b2
from verify.statements.fedbc.proofs.first_round import with_sizes
from verify.statements.fedbc.proofs.lemma_b2 import CURVE, ROUGH
from verify.statements.fedbc.proofs.setting import (
    CONSENSUS,
    CONSENSUS_FACTS,
    DELTA,
    IN_DOMAIN,
    QUANTITIES,
    families,
)

if TYPE_CHECKING:
    from verify.claim.statement import Statement
    from verify.outlines.written import StatementOutline

ONE, TWO = "lam[s, i, t]", "lam[s, j, t]"
CROSS = f"({TWO}*{of.there('i', of.LATER)} - {ONE}*{of.there('j', of.OTHER)})"
TURN = f"({of.there('i', of.LATER)} - {of.there('i', of.OTHER)})"
NEAR, OFF = "near[s, i, j, t]", "cross[s, i, j, t]"
SIZES = {NEAR: of.APART, OFF: CROSS, "err[s, i, t]": of.OWN}
SHARE = "(1 - high*L[i]/(1 + L[i])**2)"
"""C_i."""


def _same(one: str, other: str) -> Guaranteed:
    return Guaranteed("relation", {"less": one, "more": other}, scope="")


def _of_pairs(formula: str, statement: Statement, side: int, name: str) -> Term:
    at_start = formula.replace("s, ", "0, ").replace(", t]", ", 0]")
    return Term(at_start, lambda w: statement(w)[side][name], per="i != j")


PAIRS = replace(
    CONSENSUS,
    name="two clients in the first round of FedBC",
    families=families(pairs.eq57, pairs.eq58_repaired, pairs.eq62_repaired),
    quantities=(
        *QUANTITIES,
        DELTA,
        Quantity(NEAR, "nonnegative", "distance of two models", r"\|x_i^{t+1}-x_j^{t+1}\|"),
        Quantity(
            OFF,
            "nonnegative",
            "distance of two weighted gradients",
            r"\|a_j\nabla f_i(x_i^{t+1})-a_i\nabla f_j(x_j^{t+1})\|",
        ),
        Quantity("err[s, i, t]", "nonnegative", "length of a residual", r"\|e_i^{t+1}\|"),
    ),
    terms=(
        *(term for term in CONSENSUS.terms if term.formula in ("root**2", "high")),
        Term("delta", lambda w: q.hull_dissimilarity(w)[..., None]),
        _of_pairs(NEAR, pairs.eq57, 0, "|x_i - x_j|"),
        _of_pairs(OFF, pairs.eq59_repaired, 0, "gradients"),
        _of_pairs(f"err[s, i, t]/{ONE} + err[s, j, t]/{TWO}", pairs.eq57, 1, "residuals"),
        _of_pairs(f"{OFF}/({ONE}*{TWO})", pairs.eq57, 1, "gradients"),
        _of_pairs("root/(1 + L[i])", pairs.eq58_repaired, 1, "sqrt epsilon of i"),
        _of_pairs("root/(1 + L[j])", pairs.eq58_repaired, 1, "sqrt epsilon of j"),
        _of_pairs(f"{OFF}/((1 + L[i])*(1 + L[j]))", pairs.eq58_repaired, 1, "gradients"),
        _of_pairs(f"{TWO}*L[i]*{NEAR}", pairs.eq59_repaired, 1, "a_j L_i |x_i - x_j|"),
        _of_pairs(f"{SHARE}*{NEAR}", pairs.eq61, 0, "|x_i - x_j|"),
        _of_pairs("delta/(1 + L[i])**2", pairs.eq61, 1, "delta"),
        _of_pairs(f"root/(1 + L[i])/{SHARE}", pairs.eq62_repaired, 1, "sqrt epsilon"),
        _of_pairs(f"delta/(1 + L[i])**2/{SHARE}", pairs.eq62_repaired, 1, "delta"),
    ),
    facts={
        **{name: CONSENSUS_FACTS[name] for name in ("residual", "above one", "upper end", "apart")},
        "dissimilar": replace(CONSENSUS_FACTS["dissimilar"], needs=IN_DOMAIN),
        "below": Guaranteed(
            "strict condition",
            {"less": "high*L[i]", "more": "(1 + L[i])**2"},
            needs=(q.below_square.name,),
            scope="lambda_max < (1 + L_i)^2/L_i",
        ),
        "distance": _same(f"{NEAR}**2", f"{of.APART}**2"),
        "its square": _same(f"{of.APART}**2", f"{NEAR}**2"),
        "gap": _same(f"{OFF}**2", f"{CROSS}**2"),
        "gap squared": _same(f"{CROSS}**2", f"{OFF}**2"),
        "length": _same(f"{of.OWN}**2", "err[s, i, t]**2"),
    },
    measured=with_sizes(CONSENSUS.measured, SIZES),
)


@proof_of(pairs.eq57, PAIRS)
def two_models(o: StatementOutline) -> None:
    """(54) of both, with twice as much on the right as is needed."""
    o.uses("distance", "gap squared", "length")
    three(o, "length", "err[s, i, t]", "err[s, j, t]")
    o.step("first round", f"{o.left} <= {o.right}", f"models at s = 0, t = 0 times 1/{START}")


@proof_of(pairs.eq58_repaired, PAIRS)
def multipliers_from_below(o: StatementOutline) -> None:
    """The same, where residuals are at most sqrt(epsilon) and multipliers at least 1 + L_i."""
    o.uses("distance", "gap squared", "residual", "above one")
    three(o, "residual", "root", "root")
    o.step("of i", f"root/{ONE} <= root/(1 + L[i])", f"above one times root/({ONE}*(1 + L[i]))")
    o.step("of j", f"root/{TWO} <= root/(1 + L[j])", "of i at i = j")
    o.step(
        "of both",
        f"{OFF}/({ONE}*{TWO}) <= {OFF}/((1 + L[i])*(1 + L[j]))",
        f"above one times {OFF}/({ONE}*{TWO}*(1 + L[i]));"
        f"above one at i = j times {OFF}/({TWO}*(1 + L[i])*(1 + L[j]))",
    )
    o.step(
        "first round",
        f"{o.left} <= {o.right}",
        f"models at s = 0, t = 0 times 1/{START}; of i at s = 0, t = 0; of j at s = 0, t = 0;"
        "of both at s = 0, t = 0",
    )


@proof_of(pairs.eq59_repaired, PAIRS)
def two_gradients(o: StatementOutline) -> None:
    """Add and subtract a_j grad f_i(x_j)."""
    o.uses("apart", "dissimilar", "its square", "gap")
    moved = f"{TWO}*L[i]*{NEAR}"
    o.step(
        "moved",
        f"({TWO}*{TURN})**2 <= ({moved})**2",
        f"apart times {TWO}**2; its square times ({TWO}*L[i])**2",
    )
    o.close(
        "product",
        f"{TWO}*{TURN}*{of.UNLIKE} <= {moved}*delta",
        "Cauchy, Schwarz",
        one=f"{TWO}*{TURN}",
        other=of.UNLIKE,
        size=moved,
        its="delta",
        first="moved",
        second="dissimilar",
    )
    o.step(
        "squares",
        f"{OFF}**2 <= ({moved} + delta)**2",
        "gap; moved; dissimilar; product times 2",
    )
    o.step("gradients", f"{OFF} <= {moved} + delta", "squares")
    o.step("first round", f"{o.left} <= {o.right}", "gradients at s = 0, t = 0")


@proof_of(pairs.eq61, PAIRS)
def contracted(o: StatementOutline) -> None:
    """a_j (2 a_i - L_i) |x_i - x_j| <= (a_i + a_j) sqrt(epsilon) + delta."""
    contraction(o)
    o.step("first round", f"{o.left} <= {o.right}", "contracted at s = 0, t = 0")


@proof_of(pairs.eq62_repaired, PAIRS)
def divided(o: StatementOutline) -> None:
    """(61) divided by C_i."""
    contraction(o)
    o.uses("below")
    o.step("first round", f"{o.left} <= {o.right}", "contracted at s = 0, t = 0; below")


START = "(lam[0, i, 0]*lam[0, j, 0])"


def three(o: StatementOutline, fact: str, one: str, other: str) -> None:
    """Two models by their residuals, at most these by a fact, and by their gradients."""
    own, its = f"{TWO}*{of.OWN}", f"{ONE}*{of.BOTH}"
    o.step(
        "of three",
        f"4*({ONE}*{TWO})**2*{of.APART}**2 <= 3*(({own})**2 + ({its})**2 + {CROSS}**2)",
        roots=f"{own} + {its}; {own} + {CROSS}; {its} - {CROSS}",
    )
    bound = f"({TWO}*{one} + {ONE}*{other} + {OFF})"
    o.step(
        "squares",
        f"({ONE}*{TWO}*{NEAR})**2 <= {bound}**2",
        f"distance times ({ONE}*{TWO})**2; of three times 1/4; {fact} times 3*{TWO}**2/4;"
        f"{fact} at i = j times 3*{ONE}**2/4; gap squared times 3/4",
    )
    o.step("models", f"{ONE}*{TWO}*{NEAR} <= {bound}", "squares")


def contraction(o: StatementOutline) -> None:
    """(61), by the distance of two models that Lemma B.2 has."""
    o.uses("residual", "dissimilar", "above one", "upper end", "distance")
    lemma_b2.pair(o)
    lemma_b2.steep(o)
    lemma_b2.crossed(o)
    o.step("a square", f"0 <= ({CURVE})**2", roots=CURVE)
    o.step(
        "squares",
        f"({CURVE}*{NEAR})**2 <= {ROUGH}**2",
        f"distance times ({CURVE})**2; pair squared; push",
    )
    o.step("curved distance", f"{CURVE}*{NEAR} <= {ROUGH}", "squares; twice")
    o.step("large", f"2 + L[i] <= {CURVE}", "above one; other above")
    o.step(
        "rough",
        f"{ROUGH} <= {CURVE}*(root + delta/(2 + L[i]))",
        "together times root; large times delta/(2 + L[i])",
    )
    o.step("within", f"{NEAR} <= root + delta/(2 + L[i])", "curved distance; rough; twice")
    o.step("upper", "1 + L[i] <= high", "above one; upper end")
    o.step("share", f"{SHARE} <= 1/(1 + L[i])", "upper times L[i]/(1 + L[i])**2")
    o.step(
        "contracted",
        f"{SHARE}*{NEAR} <= root/(1 + L[i]) + delta/(1 + L[i])**2",
        f"share times {NEAR}; within times 1/(1 + L[i])",
    )
