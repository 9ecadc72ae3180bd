"""The ladder: rungs that look for evidence about one claim, cheap and exact first.

In comes a statement and a profile (what may be spent); out comes a `Leaf`: its verdict with every
piece of evidence.  From below:

1. ``budgets``: what a profile may spend, in evaluations.
2. ``search``: instances on which left/right is large, the hypotheses kept.
3. ``rungs``: what looks at a claim (program, search, units, referee, proof, simulation), and the
   climb over them.
4. ``price``: what ``holds`` costs: hypotheses, terms, mutants, do-nothing bounds.
5. ``repair``: what is true instead of a claim that fell: mended claims that climb themselves.
6. ``leaf``: one statement through all of it, on every family; ``proofs``: proofs by themselves;
   ``tightest``: a tightest instance of a ledger, scored again; ``told``: its laws and mends, in
   words and measured again.

Other rooms import from here (and from ``told``) alone; a name is loaded when it is first asked for.

Examples
--------
>>> from verify import Real, numbers, statement
>>> from verify.ladder import PROFILES, assay
>>> @statement("my.bound", family=numbers({"x": Real(0, 10), "y": Real(0, 10)}))
... def bound(w):
...     return {"product": w.x * w.y}, {"squares": w.x**2 + w.y**2}
>>> leaf = assay(bound, profile=PROFILES["quick"])
>>> leaf.verdict, leaf.rung
('proved', 'certificate')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.ladder.budgets import PROFILES
    from verify.ladder.leaf import Leaf, assay
    from verify.ladder.proofs import Proofs, recheck
    from verify.ladder.rungs.simulation import simulate
    from verify.ladder.search.seeds import Kept
    from verify.ladder.tightest import scored_again

__all__ = [
    "PROFILES",
    "Kept",
    "Leaf",
    "Proofs",
    "assay",
    "recheck",
    "scored_again",
    "simulate",
]

_HOMES = {
    "verify.ladder.leaf": ("Leaf", "assay"),
    "verify.ladder.budgets": ("PROFILES",),
    "verify.ladder.proofs": ("Proofs", "recheck"),
    "verify.ladder.rungs.simulation": ("simulate",),
    "verify.ladder.search.seeds": ("Kept",),
    "verify.ladder.tightest": ("scored_again",),
}


def __getattr__(name: str) -> Any:
    """Load a name from its home."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'verify.ladder' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
