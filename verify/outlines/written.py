"""An outline of a statement, which has the notation and the claim already."""

from __future__ import annotations

from typing import Any

from verify.claim.statement import Statement
from verify.outlines.converted import Converted
from verify.outlines.setting import ANY, OutlineSetting
from verify.proof.checker import Refused
from verify.proof.outline import NoProof, Outline
from verify.proof.reader import OutlineReader

__all__ = ["StatementOutline"]


class StatementOutline(Outline):
    """What the author of a proof adds facts, steps and schemas to.

    Parameters
    ----------
    statement : Statement
    setting : OutlineSetting
    said : Converted
        The statement in the notation of the setting.

    Attributes
    ----------
    left, right : str
        The statement's own sides.
    """

    def __init__(self, statement: Statement, setting: OutlineSetting, said: Converted) -> None:
        super().__init__(f"{statement.key}: {statement.title}".rstrip(": "))
        self._setting, self._said = setting, said
        self.document |= setting.declarations()
        self.left, self.right = said.left, said.right
        self.document["claim"] = {"left": said.left, "relation": said.relation, "right": said.right}

    def uses(self, *names: str, called: str = "", **points: str) -> None:
        """Facts of the setting by name, each taken once.

        Parameters
        ----------
        names : str
        called : str, optional
            The name of a single one here, where it is used at several points.
        points : str
            At which points it is used.
        """
        for name in names:
            if name not in self._setting.facts:
                raise NoProof(f"the setting {self._setting.name} guarantees nothing called {name}")
            known = self._setting.facts[name]
            args: dict[str, Any] = {
                k: points.get(k.rstrip("_"), "") if v == ANY else v for k, v in known.args.items()
            }
            unsaid = [k for k, v in args.items() if not v]
            if unsaid:
                raise NoProof(f"{name} is used at some {', '.join(unsaid)}: say which")
            if {"name": called or name, "rule": known.rule, "args": args} not in self.document[
                "facts"
            ]:
                self.fact(called or name, known.rule, **args)

    def hypothesis(self, name: str, called: str = "") -> None:
        """A hypothesis of the statement by its name."""
        if name not in self._said.given:
            why = self._said.unsaid.get(name, "it has no hypothesis of that name")
            raise NoProof(f"the hypothesis {name} cannot be used: {why}")
        text = self._said.given[name]
        rule = "strict condition" if name in self._said.strict else "condition"
        try:
            OutlineReader(self.document).constant(text)
        except Refused:  # it is about vectors, or a sum
            rule = "relation"
        self.fact(called or name, rule, less="0", more=text)
