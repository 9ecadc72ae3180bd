"""The proof of a statement by its outline: found, and a stored one accepted or refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verify.claim.statement import Statement
from verify.limits.foreign import CodeFailed, code_of_others
from verify.outlines.converted import NotConverted, converted
from verify.outlines.justified import unjustified
from verify.outlines.registry import Registered, registered
from verify.outlines.runs import refused
from verify.proof.checker import Refused, accepts, check

__all__ = ["document_of", "proves"]


def document_of(statement: Statement) -> dict[str, Any]:
    """The document by which the outline of a statement proves it.

    Raises
    ------
    NoProof
        If it has none, or it does not prove it: which fact is not justified, or false on which run,
        or which step was not proved.
    """
    from verify.outlines.written import StatementOutline
    from verify.proof.outline import NoProof, searched_for

    one = registered(statement)
    if one is None:
        raise NoProof(f"{statement.key} has no outline")
    try:
        said = converted(one.statement, one.setting)
    except NotConverted as reason:
        raise NoProof(f"its outline is about something else: {reason}") from reason
    try:
        with code_of_others(NoProof, Refused):
            if one.whole:
                outline = one.steps()
            else:
                outline = StatementOutline(one.statement, one.setting, said)
                one.steps(outline)
    except CodeFailed as failed:  # a fault of the author's function is told as every reason is
        raise NoProof(f"its function fails: {failed}") from failed.met
    why = _against(one, outline.document, said)
    if why:
        raise NoProof(why)
    document = searched_for(outline.document)
    try:
        check(document)
    except Refused as reason:
        raise NoProof(f"the document is refused: {reason}") from reason
    made: dict[str, Any] = json.loads(json.dumps(document))
    return made


def proves(statement: Statement, document: Mapping[str, Any], again: bool = False) -> bool:
    """Whether a stored document proves a statement: notation, facts and claim must be its own.

    Parameters
    ----------
    statement : Statement
    document : mapping
    again : bool
        Whether it was held to exact runs before: fewer of them are made then.
    """
    one = registered(statement)
    if one is None or not accepts(document):
        return False
    try:
        said = converted(one.statement, one.setting)
    except NotConverted:
        return False
    return not _against(one, document, said, again)


def _against(one: Registered, document: Mapping[str, Any], said: Any, again: bool = False) -> str:
    why = unjustified(document, one.setting, said)
    return why or refused(one.statement, one.setting, document, again)
