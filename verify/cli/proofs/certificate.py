"""``verify-certificate``: hand a proof to its stand-alone checker and say what it answers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verify.cli.output import say
from verify.limits.files import whole_text
from verify.proof.documents import Refused, check


def add(commands: Any) -> None:
    """Register the command."""
    checking = commands.add_parser(
        "verify-certificate", help="check written proofs with the stand-alone checker"
    )
    checking.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help="a proof, or several of them as `fedassay export KEY --to json` writes them",
    )
    checking.set_defaults(call=verify_file)


def verify_file(args: argparse.Namespace) -> int:
    """Print one line for each proof; 0 if all are accepted, else 1.

    What is printed is made of what was checked: not of the name under which a proof was exported,
    nor of anything else that a file says beside its proofs.
    """
    try:
        document = json.loads(whole_text(args.file, "file", "pass a proof"))
    except (ValueError, RecursionError) as error:
        say(f"refused: the file must hold a proof as JSON, got {error}")
        return 1
    proofs = proofs_of(document)
    fallen = 0
    for proof in proofs:
        try:
            say(f"accepted: certificate of: {check(proof)}")
        except Refused as reason:
            say(f"refused: {reason}")
            fallen = 1
    if not proofs:
        say("refused: the file holds no proof")
    elif isinstance(document, dict) and {*document} > {"proofs"}:
        say(
            "What else the file says, the name of a statement included, is not checked: what is "
            "certified are the lines above."
        )
    return fallen if proofs else 1


def proofs_of(document: Any) -> Sequence[Any]:
    """One proof, or the list of a file with several."""
    several = isinstance(document, dict) and isinstance(document.get("proofs"), list)
    return document["proofs"] if several else [document]
