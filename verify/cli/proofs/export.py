"""``export``: the proofs of a statement as files that other programs accept."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.counted import several
from verify.cli.output import force_flag, say
from verify.cli.proofs.claims import add_claim, leaves_of


def add(commands: Any) -> None:
    """Register the command."""
    exporting = commands.add_parser("export", help="write the proof of a statement to a file")
    add_claim(exporting)
    exporting.add_argument(
        "--to",
        choices=("coq", "json"),
        required=True,
        help="coq: claim, hypotheses and proof for Coq 8.16 or later; json: for "
        "`fedassay verify-certificate` or the checker alone",
    )
    exporting.add_argument("-o", "--output", metavar="FILE", type=Path, required=True)
    force_flag(exporting)
    exporting.set_defaults(call=export_proofs)


def export_proofs(args: argparse.Namespace) -> int:
    """Write every proof that the certificate rung finds for the leaves of a key."""
    from verify.catalogue.whole_files import require_ours, require_writable, write_whole
    from verify.certify.coq.terms import NotInCoq
    from verify.ladder import Proofs
    from verify.proof.documents import coq_file

    require_writable("output", args.output)
    marks = ["Print Assumptions"] if args.to == "coq" else ['"statement"', '"proofs"']
    require_ours(args.output, marks, args.force)
    leaves = leaves_of(args)
    searched = [Proofs(leaf) for leaf in leaves]
    found = {one.statement.key: one.parts for one in searched if one.parts}
    if not found:
        why = "; ".join(dict.fromkeys(one.why_none for one in searched))
        raise InvalidInput(
            f"key must name a statement with a certificate, got {args.key}: there is none, "
            f"since {why or 'it claims nothing'}"
        )
    if args.to == "json":
        proofs = [proof for one in searched if one.parts for proof in one.documents]
        text = json.dumps({"statement": list(found), "proofs": proofs}, indent=1) + "\n"
    else:
        try:
            text = coq_file(found)
        except NotInCoq as reason:
            raise InvalidInput(
                f"the proof must be one that Coq has words for, got {reason}: use --to json"
            ) from reason
    write_whole(args.output, text)
    count = len(proofs) if args.to == "json" else sum(map(len, found.values()))
    say(f"{args.output}: {several(count, 'proof')} of {', '.join(found)}")
    return 0
