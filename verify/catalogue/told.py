"""A claim as it is told: the words and mathematics of a statement, without its programs.

Text, page and notebook are made of this one record. That of a library statement is taken from the
statement; the ledger of a file of one's own carries it, so that nobody runs the file to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from verify.catalogue.entry import describes
from verify.catalogue.literal import tagged
from verify.claim.statement import Statement

__all__ = ["Assumed", "Told"]


@dataclass(frozen=True)
class Assumed:
    """A hypothesis: its name, its formula in TeX, and whose it is (printed where, or added)."""

    name: str
    latex: str
    tag: str


@dataclass(frozen=True)
class Told:
    """What is said of one leaf.

    Parameters
    ----------
    key, kind, form, title, where, arxiv, latex : str
        As the statement has them.
    relation, over, quantifier : str
        How its sides are compared; the relation is empty where there are none.
    about : str
        What its instances are.
    given : tuple of Assumed
    defines, uses : tuple of str
        Symbols that it defines, and keys that it rests on.
    commentary, missing : str
    describes : bool
        Whether it is a definition, an algorithm or data: nothing to decide.
    """

    key: str
    kind: str
    form: str
    title: str
    where: str
    arxiv: str
    latex: str
    relation: str
    over: str
    quantifier: str
    about: str
    given: tuple[Assumed, ...]
    defines: tuple[str, ...]
    uses: tuple[str, ...]
    commentary: str
    missing: str
    describes: bool

    @classmethod
    def of(cls, statement: Statement) -> Told:
        """The record of a statement."""
        return cls(
            key=statement.key,
            kind=statement.kind,
            form=statement.form,
            title=statement.title,
            where=statement.source.where,
            arxiv=statement.source.arxiv,
            latex=statement.latex,
            relation="" if statement.sides is None else statement.relation,
            over=statement.over,
            quantifier=statement.quantifier,
            about=statement.family.about,
            given=tuple(Assumed(one.name, one.latex, tagged(one)) for one in statement.given),
            defines=tuple(statement.defines),
            uses=tuple(statement.uses),
            commentary=statement.commentary,
            missing=statement.missing,
            describes=describes(statement),
        )

    def to_json(self) -> dict[str, Any]:
        """As a ledger stores it."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Told:
        """The record that a ledger stores."""
        lists = {name: tuple(raw[name]) for name in ("defines", "uses")}
        return cls(**{**raw, **lists, "given": tuple(Assumed(**one) for one in raw["given"])})
