"""What binds the evidence of a ledger to its statements: certificates to claims, witnesses to them.

A certificate proves the claim that it states, and a ledger may put any name above it.  Where the
statement is at hand its claim is derived again and must be the certificate's; a witness is
recomputed from its instance, which must be one of the statement's.  Where it is not, all that can
be said is what the certificate is one of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.entry import Entry
from verify.catalogue.library import Library, library
from verify.claim.constant import faults
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ladder import recheck, scored_again
from verify.ledger.ledger import narrows_of
from verify.ledger.witness import recomputed
from verify.proof.documents import check
from verify.terms.digest import statement_digest
from verify.verdict.evidence import Evidence
from verify.verdict.relation import same
from verify.verdict.verdict import HOLDS
from verify.world.domain import outside

__all__ = ["Bindings"]

PRICED = ("needed", "not seen needed", "never failed alone")
"""Where evidence says which hypotheses were broken alone."""


@dataclass
class Bindings:
    """The statements that an audit has at hand.

    Parameters
    ----------
    own : Library, optional
        Those of a file that its reader trusts; the library's are always at hand.
    deep : bool
        Whether certificates, witnesses and tightest instances are computed again, most of the
        work; the domain of a witness is checked in any case.
    file : str
        Digest of the file that ``own`` is from; empty where it is from none.

    Attributes
    ----------
    loose : list of str
        One sentence for each certificate and witness whose statement is not at hand.
    """

    own: Library | None = None
    deep: bool = True
    file: str = ""
    loose: list[str] = field(default_factory=list)

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """Entries at hand by their keys."""
        own = [] if self.own is None else [*self.own]
        return {entry.key: entry for entry in (*library(), *own)}

    def narrows(self, line: Mapping[str, Any]) -> Iterator[str]:
        """What is wrong with the leaves that a line calls the printed claim, narrowed."""
        key = str(line["key"])
        if "narrows" in line and key in self.entries:
            found = narrows_of(line, self.entries)
            if line["narrows"] != found:
                yield f"narrows is {line['narrows']}, the statements give {found}"

    def statement(self, key: str) -> Statement | None:
        """The statement of a leaf; None if it is not at hand."""
        own = None if self.own is None else self.own.find(key)
        return library().find(key) if own is None else own

    def made_of(self, leaf: Mapping[str, Any]) -> Iterator[str]:
        """What is wrong with the file and the statement that a leaf was made of."""
        key, made = str(leaf["id"]), leaf.get("source")
        own = None if self.own is None or not self.file else self.own.find(key)
        if own is None:
            return
        if made is None:
            yield "it does not say of which file it was made: run 'fedassay check' again"
        elif made["sha256"] != self.file:
            yield f"it was made of another file (sha256 {made['sha256'][:16]}...)"
        elif made["code"] != statement_digest(own):
            yield "it was made of another statement of that file"

    def supported(self, leaf: Mapping[str, Any], evidence: Sequence[Evidence]) -> Iterator[str]:
        """What is wrong with what speaks for a leaf: its tightest instance, the names in prices."""
        statement, tightest = self.statement(str(leaf["id"])), leaf["tightness"]
        if statement is None or not self.deep:
            return
        if tightest is not None:
            fault = scored_again(statement, tightest)
            if fault:
                yield fault
        worst = [e.worst for e in evidence if e.rung == "search" and e.worst is not None]
        ratio = None if tightest is None else float(tightest["ratio"])
        told = ratio is not None and bool(worst) and same(max(worst), ratio)
        if leaf["verdict"] == HOLDS and worst and not told:
            yield f"the largest ratio of its search is {max(worst):.6g}, its tightest {ratio}"
        known = {item.name for item in statement.given}
        prices = (e.details for e in evidence if e.rung == "needed")
        for name in (name for one in prices for part in PRICED for name in one.get(part, ())):
            if name not in known:
                yield f"a price was paid for {name!r}, which is no hypothesis of this claim"

    def certificate(self, key: str, proof: Mapping[str, Any], whole: bool) -> Iterator[str]:
        """What is wrong with the certificates of a leaf; of the ``whole`` claim, if they decide."""
        if not self.deep:
            return
        statement = self.statement(key)
        if not recheck(statement, proof, whole):
            yield "a certificate does not prove this claim"
        elif statement is None:
            for item in proof["certificates"]:
                self.loose.append(f"{key}: certificate of: {check(item['written'])}")

    def constant(self, order: str, key: str) -> Iterator[str]:
        """What is wrong with a form that a ledger calls an order with its constant."""
        form, claim = self.statement(key), self.statement(order)
        if form is None or claim is None:
            self.loose.append(f"{order}: that {key} names its constant is not compared")
        elif form.constant is None or form.constant.of != order:
            yield f"{key} does not name the constant of {order}"
        else:
            yield from faults(form, claim)

    def witness(self, stored: Mapping[str, Any], path: Path) -> Iterator[str]:
        """What is wrong with a witness, beside the numbers that it states."""
        key = str(stored["key"])
        statement = self.statement(key)
        if statement is None:
            self.loose.append(f"{key}: {path.name} is not compared with a statement")
            return
        try:
            yield from self._differs(statement, stored, path)
        except InvalidInput as error:
            yield f"the witness {path.name} cannot be recomputed ({error})"

    def _differs(
        self, statement: Statement, stored: Mapping[str, Any], path: Path
    ) -> Sequence[str]:
        """Each difference to what the instance gives, or none of the statement's instances.

        A simulated witness has an instance of its own kind, larger than those of the families, and
        its e-value is in the ledger's evidence.
        """
        if stored["number"] == "simulated":
            return []
        if self.deep:
            found = recomputed(statement, stored, path)
            if not found.confirmed and not found.differences:
                return [f"the witness {path.name} is not confirmed"]
            return [f"the witness {path.name} differs: {line}" for line in found.differences]
        fault = outside(statement, Instance.from_json(stored["instance"], path.parent))
        return [f"the instance of {path.name} is none of the statement's: {fault}"] if fault else []
