"""A setting: its table of notation, and what an outline may use of the runs that it is about.

Trusted is that the table says of quantities and facts what the paper says of them; exact runs of
the statement's own families hold every line of it to that (`verify.outlines.runs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.claim.parameters import Family
from verify.proof.bridge import ExactRun

__all__ = ["ANY", "Guaranteed", "Quantity", "OutlineSetting", "Term"]

ANY = "*"
"""In the parameters of a guaranteed fact: whatever the outline puts there, as a point."""


@dataclass(frozen=True)
class Quantity:
    """One line of the table of notation.

    Attributes
    ----------
    name : str
        As outlines write it: ``L``, ``eta[t]``, ``w[t]``, ``J``.
    kind : str
        ``index``, ``vector``, ``function``, ``draw``, ``mixing``, or the sign of a number.
    about : str
        What it is.
    latex : str
        As the paper writes it.
    known : str or None
        Of a vector, the moment from which on it is known; of a draw that at which it is known.
    shared : bool
        Of a vector, whether all clients have the same.
    own : bool
        Of a function, whether each client has one.
    mean_of : str
        Of a function, that of the clients which it is the mean of.
    given : str
        Of a draw, the moment before it.
    """

    name: str
    kind: str
    about: str
    latex: str = ""
    known: str | None = None
    shared: bool = True
    own: bool = False
    mean_of: str = ""
    given: str = ""


@dataclass(frozen=True)
class Term:
    """A term of statements, and the formula that it is in outlines.

    Attributes
    ----------
    formula : str
        In the notation of the setting.  Of an array over clients it is their mean.
    asked : callable
        The function of the world that statements call for it.
    per : str or tuple of str
        What its last axes run over: an index of the notation, ``clients``, or ``d`` of a vector;
        nothing of a number.  One axis may run over several indices, the last one fastest (``s i``),
        and over two that differ (``i != j``).
    random : bool
        Whether it differs between the outcomes of a run: the formula is its mean then.
    """

    formula: str
    asked: Callable[[Any], Any]
    per: str | tuple[str, ...] = ""
    random: bool = False

    @property
    def axes(self) -> tuple[str, ...]:
        """What its last axes run over."""
        return ((self.per,) if self.per else ()) if isinstance(self.per, str) else self.per


@dataclass(frozen=True)
class Guaranteed:
    """A fact that every run of the setting has: a rule of `verify.proof.facts` with parameters.

    Attributes
    ----------
    rule : str
    args : mapping
        `ANY` where any point may stand.
    needs : tuple of str
        Hypotheses without which it is none: it is used by statements that have them.
    scope : str or None
        What it assumes, in the paper's words, empty for nothing; by default the words of the rule.
    """

    rule: str
    args: Mapping[str, str]
    needs: tuple[str, ...] = ()
    scope: str | None = None


@dataclass(frozen=True)
class OutlineSetting:
    """Notation and facts that the statements about some families of instances share.

    Attributes
    ----------
    name : str
    families : sequence of Family
        Those whose instances it is about; of others it says nothing.
    quantities : sequence of Quantity
    terms : sequence of Term
    facts : mapping of str to Guaranteed
    measured : callable
        World in exact numbers -> the run as outlines see it, and how far each index runs there.
    lengths : mapping
        How many values each index has, and how many ``clients`` there are, as formulas.
    clients : (str, str)
        Their number, and their weights; empty where there are none.
    alone : callable, optional
        World in exact numbers -> the same for each outcome by itself, as a run that has no other.
        With it the setting is of statements about every outcome: its facts hold on each.
    """

    name: str
    families: Sequence[Family]
    quantities: Sequence[Quantity]
    terms: Sequence[Term]
    facts: Mapping[str, Guaranteed]
    measured: Callable[[Any], tuple[ExactRun, Mapping[str, int]]]
    lengths: Mapping[str, str] = field(default_factory=dict)
    clients: tuple[str, str] = ("", "")
    alone: Callable[[Any], Sequence[tuple[ExactRun, Mapping[str, int]]]] | None = None

    def declarations(self) -> dict[str, Any]:
        """The table of notation as the heading of a document."""
        found: dict[str, Any] = {
            "indices": [],
            "numbers": {},
            "vectors": {},
            "functions": {},
            "draws": {},
            "mixings": [],
            "clients": {},
        }
        for q in self.quantities:
            if q.kind == "index":
                found["indices"].append(q.name)
            elif q.kind == "vector":
                found["vectors"][q.name] = {"known": q.known, "shared": q.shared}
            elif q.kind == "function":
                found["functions"][q.name] = {"mean of": q.mean_of} if q.mean_of else {"own": q.own}
            elif q.kind == "draw":
                found["draws"][q.name] = {"given": q.given, "known": q.known}
            elif q.kind == "mixing":
                found["mixings"].append(q.name)
            else:
                found["numbers"][q.name] = q.kind
        if self.clients[0]:
            found["clients"] = {"number": self.clients[0], "weights": self.clients[1]}
        return found
