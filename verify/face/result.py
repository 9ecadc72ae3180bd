"""What a check found, as a record that prints well, goes to JSON and comes back equal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import plain
from verify.catalogue.told import Told
from verify.claim.statement import Statement
from verify.face.beyond import beyond_ranges
from verify.ledger.costs import best_constants, costs
from verify.ledger.explain import conclusion, equation, equation_tex, sections
from verify.ledger.ledger import Finding
from verify.ledger.repair_lines import repair_lines
from verify.ledger.witness import recomputed
from verify.limits.foreign import NotAsWritten, file_of_others
from verify.report.by_hand.notation import notation
from verify.report.by_hand.record import Page
from verify.report.markup import Markup
from verify.report.tex.plain import unicode_text
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import VIOLATED
from verify.verdict.verdict import verdict as verdict_of

__all__ = ["Result", "Results", "result_of"]

SCHEMA = "fedassay-result/1"

STANDS = ("proved", "holds")


@dataclass(frozen=True)
class Result:
    """Verdict on one claim with everything that it rests on.

    Parameters
    ----------
    claim : mapping
        What the statement says (:class:`verify.catalogue.told.Told`), and ``notes``, where a
        number of the witness lies outside the range that was written for it.
    leaf : mapping
        The leaf of a ledger: verdict, rung, reason, scope, tightness, power, evidence and more.
    witness : mapping or None
        Content of a witness file: the shrunk instance with both sides and all margins.
    by_hand : mapping
        The computation of the witness: ``sections``, each with a heading and lines, and the
        ``conclusion``; empty where there is no witness.
    seconds : float
        Time it took.
    """

    claim: Mapping[str, Any]
    leaf: Mapping[str, Any]
    witness: Mapping[str, Any] | None
    by_hand: Mapping[str, Any]
    seconds: float

    @property
    def key(self) -> str:
        """Key of the statement."""
        return str(self.leaf["id"])

    @property
    def verdict(self) -> str:
        """proved, holds, violated, vacuous, not-checkable or inconclusive."""
        return str(self.leaf["verdict"])

    @property
    def stands(self) -> bool:
        """Whether the claim is proved or holds."""
        return self.verdict in STANDS

    @property
    def rung(self) -> str:
        """Rung of the ladder that decided."""
        return str(self.leaf["rung"])

    @property
    def reason(self) -> str:
        """Why, in one line."""
        return str(self.leaf["reason"])

    @property
    def scope(self) -> str:
        """What was searched: families, sizes, the range of every parameter."""
        return str(self.leaf["scope"])

    @property
    def hint(self) -> str:
        """Change with which a broken claim is proved or holds, if one was found."""
        return str(self.leaf["hint"])

    @property
    def tightness(self) -> Mapping[str, Any] | None:
        """Largest left/right where every hypothesis holds, with the instance."""
        found: Mapping[str, Any] | None = self.leaf["tightness"]
        return found

    @property
    def repairs(self) -> tuple[Mapping[str, Any], ...]:
        """Mended claims that stand instead of a broken one, each by a climb of its own."""
        return tuple(self.leaf.get("repairs", ()))

    @property
    def laws(self) -> tuple[Mapping[str, Any], ...]:
        """How the worst ratio of a broken claim grows along each size and single number."""
        return tuple(self.leaf.get("laws", ()))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What every rung found."""
        return tuple(Evidence.from_json(raw) for raw in self.leaf["evidence"])

    def __str__(self) -> str:
        found = self.tightness
        ratio = "" if found is None else f", left/right up to {found['ratio']:.4g}"
        head = f"{self.key}: {self.verdict} by {self.rung}{ratio}: {self.reason}"
        return "\n".join([head, *(f"  {name:<9} {text}" for name, text in self.lines())])

    def __repr__(self) -> str:
        return str(self)

    def lines(self) -> list[tuple[str, str]]:
        """Everything that is worth a line: name and text."""
        place = f"   ({self.claim['where']})" if self.claim["where"] else ""
        out = [("claim", unicode_text(str(self.claim["latex"])) + place)]
        out += [("constant", text) for text in best_constants(self.leaf["evidence"])]
        out += [("note", str(text)) for text in self.claim.get("notes", ())]
        if self.hint:
            out.append(("hint", self.hint))
        out += [("law", law["text"]) for law in self.laws]
        out += [("repair", line) for line in repair_lines(list(self.repairs))]
        if self.tightness is not None:
            out.append(("tightest", instance_text(self.tightness["instance"])))
        if self.scope:
            out.append(("searched", self.scope))
        out += list(costs(self.leaf["evidence"]).items())
        for section in self.by_hand.get("sections", ()):
            listed = "; ".join(_one_line(row) for row in section["lines"])
            out.append(("by hand", f"{section['heading']}: {listed}"))
        if self.by_hand:
            out.append(("by hand", self.by_hand["conclusion"]))
        return out

    def to_json(self) -> dict[str, Any]:
        """As plain data that ``json.dump`` takes."""
        return {"schema": SCHEMA, **{f.name: getattr(self, f.name) for f in fields(self)}}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any] | str) -> Result:
        """Read what :meth:`to_json` wrote.

        Parameters
        ----------
        raw : mapping or str
            The data, or its JSON text.

        Raises
        ------
        InvalidInput
            If it is no result, or its verdict does not follow from its evidence.
        """
        remedy = "pass what Result.to_json gave"
        if isinstance(raw, str):
            try:
                raw = json.loads(raw)
            except (ValueError, RecursionError) as error:
                raise InvalidInput(f"result must be JSON, got {error}: {remedy}.") from error
        names = {f.name for f in fields(cls)}
        if not isinstance(raw, Mapping) or raw.get("schema") != SCHEMA:
            found = raw.get("schema") if isinstance(raw, Mapping) else type(raw).__name__
            raise InvalidInput(f"result must be a {SCHEMA} record, got {found!r}: {remedy}.")
        require(
            set(raw) == {*names, "schema"},
            "result",
            f"a record with {sorted(names)}",
            sorted(raw),
            remedy,
        )
        made = cls(**{name: raw[name] for name in names})
        try:
            with file_of_others(InvalidInput):
                again, stored = verdict_of(made.evidence).word, made.verdict
                str(made)
        except NotAsWritten as found:
            raise InvalidInput(
                f"result must hold a claim and a leaf of a ledger, got one without {found.met}: "
                f"{remedy}."
            ) from found.met
        require(again == stored, "verdict", f"{again!r}, as its evidence says", stored, remedy)
        return made

    def _repr_html_(self) -> Markup:
        """The result for a notebook."""
        from verify.face.page import block

        return block(self)


class Results(tuple[Result, ...]):
    """Results of several claims, in their order."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> Markup:
        """The results for a notebook."""
        from verify.face.page import block
        from verify.report.markup import join

        return join(block(one) for one in self)

    def to_json(self) -> list[dict[str, Any]]:
        """As plain data that ``json.dump`` takes."""
        return [one.to_json() for one in self]


def result_of(statement: Statement, finding: Finding) -> Result:
    """Result of a finished leaf.

    Parameters
    ----------
    statement : Statement
    finding : Finding
        What the ladder found for it.
    """
    claim: dict[str, Any] = dict(Told.of(statement).to_json())
    witness = None if finding.witness is None else plain(finding.witness)
    if finding.leaf["verdict"] == VIOLATED and witness is not None:
        claim |= {"notes": notes} if (notes := beyond_ranges(statement, witness)) else {}
    made = {"sections": [], "conclusion": ""} if witness is None else _by_hand(statement, witness)
    hand = made if made["conclusion"] else {}
    return Result(plain(claim), plain(finding.leaf), witness, hand, finding.seconds)


def _one_line(row: Mapping[str, str]) -> str:
    """``name = value``; lines in the paper's symbols bring their own name."""
    return f"{row['name']} = {row['text']}" if row["name"] else row["text"]


def instance_text(raw: Any) -> str:
    """An instance in one line, ``x = 1, y = 1/2``."""
    if not isinstance(raw, Mapping):
        return str(raw)
    return ", ".join(f"{name} = {_short(value)}" for name, value in raw.items())


def _by_hand(statement: Statement, witness: Mapping[str, Any]) -> dict[str, Any]:
    try:
        found = recomputed(statement, witness)
    except InvalidInput:
        return {"sections": [], "conclusion": ""}
    if notation(statement.source.paper) is not None:
        from verify.report.by_hand.page import page as page_of  # it loads sympy

        page = page_of(found)
        if page is not None:
            return _in_symbols(page)
    told = [
        {
            "heading": section.heading,
            "lines": [
                {
                    "name": line.name,
                    "text": equation(line),
                    "tex": equation_tex(line),
                    "needed": line.needed,
                    "means": line.tex,
                    "note": line.note,
                }
                for line in section.lines
            ],
        }
        for section in sections(found)
    ]
    return {"sections": told, "conclusion": conclusion(found)}


def _in_symbols(page: Page) -> dict[str, Any]:
    """The record of a witness in the paper's symbols, as plain data."""
    told = [
        {
            "heading": part.heading,
            "lines": [
                {
                    "name": "",
                    "text": unicode_text(row.tex) if row.tex else row.words,
                    "tex": row.tex,
                    "needed": "",
                    "means": "",
                    "note": row.words if row.tex else "",
                }
                for row in part.rows
            ],
        }
        for part in page.parts
    ]
    said = f"{unicode_text(page.conclusion.tex)}: {page.conclusion.words}."
    return {"sections": told, "conclusion": f"{said} {page.mechanism}".strip()}


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list) and len(value[0]) == 1:
            return _short(value[0][0])  # a matrix of one entry is a number
        return "[" + ", ".join(map(_short, value)) + "]"
    return str(value).removesuffix("/1")
