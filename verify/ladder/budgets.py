"""Budgets of a run: what each profile may spend on a leaf."""

from __future__ import annotations

from dataclasses import dataclass, replace

EFFORT = 220_000
"""What the search for a proof may do at quick: nearly all proofs of the library take less.  Default
may do five times as much: the dearest takes 909,000."""

MUTANTS_FROM = 40_000
"""Evaluations of a leaf from which mutants are searched on their own."""

MUTANTS_SHARE = 32
"""One evaluation in so many goes to mutants, beside those of the search."""

SECONDS_SHARES = {"search": 0.6, "referee": 0.25, "costs": 0.6, "laws": 0.5, "repairs": 0.3}
"""Parts of a leaf's time that are limited: the search, each instance that is scored again in exact
arithmetic, what `holds` costs, which may take as long as the search again, ladders of growth, and
how long a further mended claim may begin to climb. All of them are nets under counts. Measured is
what the thread has computed
(``time.thread_time``), as by `at_most`: what else the machine does changes no word."""

WARM = 48
"""One evaluation in so many is made anew where an earlier search has left its instances."""

AFRESH = 4
"""One evaluation in so many, beside those, is of a search from nothing, made before anything kept
is looked at: whoever has written what is kept has no say in it."""

LAWS_SHARE = 1 / 4
"""Part of a leaf's evaluations with which the laws of growth of a broken claim are looked for."""

IN_FULL = (20_000, 32, 60)
"""Evaluations, ladders and seconds for the laws of a main result whose evidence is to be kept:
those of the default profile, along every size and number; how far it falls is asked first."""

SURE = 80_000
"""Evaluations of the second climb of a mended claim, at least: those of the default profile."""

FURTHER_SHARE = 2
"""The further families together get one part in so many of the leaf's evaluations."""


@dataclass(frozen=True)
class Profile:
    """Budgets of a run, in evaluations so that a ledger is the same everywhere.

    ``seconds`` per leaf is only a safety net; a leaf that meets it is inconclusive. ``chunk`` is
    the number of replicates simulated at a time; no result depends on it. ``reach`` is how far the
    search leaves the ranges of a box within the domains, as a factor (1: not at all), ``larger``
    whether it tries sizes above the listed ones. After a witness ``onward`` of the evaluations see
    how far the claim is broken, and at most ``mends`` mended claims are told, each of which has
    climbed at this budget. Its growth is followed along at most so many ``ladders``, ``full`` along
    all. An engine
    should be able to finish so many ``starts`` in each shape that it climbs. The evaluations are
    meant for so many ``shapes``; a search over more of them gets more, or none of them would have
    enough. The search for a proof may have so much ``effort`` (`verify.limits.counter`); ``proof``
    seconds of the processor are the net under that. ``again`` is whether the search begins with
    what an earlier one has left; ``afresh`` evaluations look at nothing that was kept.
    """

    name: str
    evaluations: int
    population: int
    replicates: int
    seconds: float
    referees: int = 48
    chunk: int | None = None
    reach: float = 16.0
    larger: bool = True
    mends: int = 3
    ladders: int = 8
    onward: float = 1 / 16
    shapes: int = 10
    starts: int = 5
    proof: float = 40
    effort: int = EFFORT
    again: bool = False
    full: bool = False
    afresh: int = 0

    def growth(self) -> tuple[int, int, float]:
        """Evaluations, ladders and seconds of the laws of growth."""
        if self.full:
            return IN_FULL
        return round(LAWS_SHARE * self.evaluations), self.ladders, self.share("laws")

    def in_full(self) -> Profile:
        """The same budget, laws of growth looked for along every size and number."""
        return replace(self, full=True)

    def word_alone(self) -> Profile:
        """The same budget for the word: of a claim that falls not how far, nor what mends it."""
        return replace(self, mends=0, onward=0, ladders=0, full=False)

    def warmed(self) -> Profile:
        """The budget of a search that begins with what one of this budget has left."""
        short, afresh = self.evaluations // WARM, self.evaluations // AFRESH
        return replace(
            self, evaluations=short, onward=0, ladders=0, again=True, full=False, afresh=afresh
        )

    def beside_a_proof(self) -> Profile:
        """The budget for what a kept proof leaves open: the other families, all of it."""
        return replace(self, onward=0, ladders=0, full=False)

    @property
    def mutants(self) -> int:
        """Evaluations of the search for instances that tell surviving mutants from the claim.

        None where the budget is small: sides with changed symbols cost as much as the search.
        """
        return self.evaluations // MUTANTS_SHARE if self.evaluations >= MUTANTS_FROM else 0

    def total(self, shapes: int) -> int:
        """Evaluations of a search over so many shapes."""
        return self.evaluations * max(shapes, self.shapes) // self.shapes

    def share(self, rung: str) -> float:
        """Seconds that one rung of a leaf may take."""
        return SECONDS_SHARES[rung] * self.seconds


PROFILES = {
    "quick": Profile("quick", 12_000, 48, 2_000, 60, mends=0, ladders=2, shapes=4),
    "default": Profile("default", SURE, 64, 20_000, 300, effort=5 * EFFORT),
    "thorough": Profile(
        "thorough", 4_000_000, 96, 1_000_000, 7_200, proof=600, effort=100 * EFFORT
    ),
}
