"""A witness as HTML: worked out by hand where it decides an entry, else its numbers in short.

The page of a witness is computed, which takes a moment each.  So only the leaf that decides a
violated entry has one; of other parts and readings both sides, the hypotheses and the instance are
listed, with the command that works them out.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import cpu_count, get_context
from pathlib import Path, PurePosixPath
from typing import Any

from bounds.generic import to_float
from bounds.numbers.validate import InvalidInput
from verify.catalogue.library import Library, library
from verify.ledger.decided import decided
from verify.ledger.witness import read_witness, recomputed
from verify.report import words
from verify.report.by_hand.block import block
from verify.report.by_hand.page import page
from verify.report.by_hand.record import Page
from verify.report.markup import Markup, el, join
from verify.report.model import LeafLine
from verify.verdict.evidence import number_from_json
from verify.world.noise_plan import WITHOUT_VALUE

FEWEST, MOST = 16, 8
"""Witnesses from which on other processes are asked, and how many processes at most."""

ARITHMETIC = {
    "rational": "in rational arithmetic",
    "ball": "in ball arithmetic",
    "simulated": "simulated",
}


@dataclass(frozen=True)
class Witnesses:
    """Where the witnesses of a ledger are looked up.

    Parameters
    ----------
    folder : Path
        Where the ledger lies; witness files are named relative to it.
    library : Library
        Statements that may be run on them; those of a user's own file are not among them.
    """

    folder: Path
    library: Library
    _read: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False, compare=False)
    _ahead: dict[str, Future[Markup | None]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def stored(self, name: str) -> dict[str, Any]:
        """Content of a witness file.

        Raises
        ------
        InvalidInput
            If it lies outside the ledger's folder, or is no witness.
        """
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise InvalidInput("The witness file lies outside the ledger's folder.")
        if name not in self._read:
            try:
                self._read[name] = read_witness(self.folder / path)
            except InvalidInput as error:
                lost = f"The witness file {name} is not beside the ledger."
                raise InvalidInput(lost) from error
        return self._read[name]

    @contextmanager
    def ahead(self, leaves: Iterable[LeafLine]) -> Iterator[None]:
        """Other processes work these out by hand, while this one does something else."""
        names = {leaf.key: leaf.line["witness"] for leaf in leaves if leaf.line["witness"]}
        others = (cpu_count() or 1) - 1
        if len(names) < FEWEST or not others:
            yield
            return
        # nothing is loaded again where a copy of this process will do
        forked = sys.platform == "linux" and "torch" not in sys.modules
        context = get_context("fork" if forked else "spawn")
        with ProcessPoolExecutor(min(others, MOST), context) as pool:
            for key, name in names.items():
                self._ahead[key] = pool.submit(_block, self.folder, key, name)
            try:
                yield
            finally:
                pool.shutdown(cancel_futures=True)

    def told(self, leaf: LeafLine) -> Markup | None:
        """The hand computation of a leaf's witness as a block; None as of :meth:`by_hand`."""
        waiting = self._ahead.pop(leaf.key, None)
        if waiting is not None:
            try:
                return waiting.result()
            except BrokenExecutor:  # killed, say: it is worked out here
                pass
        made = self.by_hand(leaf.key, leaf.line["witness"])
        return None if made is None else block(made, opened=True)

    def by_hand(self, key: str, name: str | None) -> Page | None:
        """The hand computation of a leaf's witness.

        Parameters
        ----------
        key : str
            Of the leaf.
        name : str or None
            Of the witness file, beside the ledger.

        Returns
        -------
        Page or None
            None where the file is lost, is about another statement or one of a user's own, is not
            confirmed by what is computed now, or has no page.
        """
        if name is None:
            return None
        try:
            stored = self.stored(name)
            if stored.get("statement") or stored["key"] != key:
                return None
            statement = self.library.leaf(key)
            found = recomputed(statement, stored, self.folder / name)
        except InvalidInput:
            return None
        if not found.confirmed:
            return None
        axes = self.library.axes[statement.source.paper]
        return decided(lambda: page(replace(found, axes=axes)), WITHOUT_VALUE)


def _block(folder: Path, key: str, name: str) -> Markup | None:
    """In another process: the block of one witness."""
    made = Witnesses(folder, library()).by_hand(key, name)
    return None if made is None else block(made, opened=True)


def witness(leaf: LeafLine, witnesses: Witnesses, told: bool = False) -> Markup:
    """Numbers that break (or, for a claim of existence, prove) a leaf; nothing if it has none.

    Parameters
    ----------
    leaf : LeafLine
    witnesses : Witnesses
    told : bool
        Whether it is worked out by hand.
    """
    stored = next((e["witness"] for e in leaf.line["evidence"] if e.get("witness")), None)
    name = leaf.line["witness"]
    if stored is None and name is None:
        return Markup("")
    parts = [el("h6", "Witness")]
    made = witnesses.told(leaf) if told else None
    if stored is not None:
        parts.append(el("p", _sides(stored)))
        parts.append(_margins(stored.get("margins") or {}) if made is None else Markup(""))
    if made is not None:
        parts.append(made)
    if name is not None:
        parts.append(_file(witnesses, name, made is None))
    return el("div", parts, class_="witness")


def _sides(stored: Mapping[str, Any]) -> Markup:
    relation = str(stored.get("relation", "<="))
    some = stored.get("quantifier") == "some"
    sign = (words.RELATIONS if some else words.BROKEN).get(relation, relation)
    left, right = (words.number(stored[side]) for side in ("left", "right"))
    said = [
        "left = ",
        el("strong", left),
        f" {sign} ",
        el("strong", right),
        " = right, ",
        ARITHMETIC.get(str(stored.get("number")), str(stored.get("number"))),
    ]
    if stored.get("number") == "simulated":
        said.append(f" (means; e-value {float(stored.get('e_value', 0.0)):.3g})")
    near = stored.get("near")
    if near:
        before = [number_from_json(near[side]) for side in ("left", "right")]
        quotient = float(to_float(before[0] / before[1])) if to_float(before[1]) else float("inf")
        said.append(
            f"; {stored.get('doublings')} doublings earlier on this ray left/right was "
            f"{quotient:.4g}, so no constant serves"
        )
    return join(said)


def _margins(margins: Mapping[str, Any]) -> Markup:
    if not margins:
        return Markup("")
    rows = [
        el(
            "tr",
            el("th", name),
            el("td", words.number(margin["value"])),
            el("td", "> 0" if margin.get("strict") else "≥ 0"),
        )
        for name, margin in margins.items()
    ]
    head = el("tr", [el("th", n, scope="col") for n in ("hypothesis", "margin", "needed")])
    return el("table", el("thead", head), el("tbody", rows), class_="margins")


def _file(witnesses: Witnesses, name: str, listed: bool) -> Markup:
    """How to replay a witness file, and its instance in short if that stands nowhere else."""
    try:
        found = witnesses.stored(name)
    except InvalidInput as error:
        return el("p", str(error), class_="small")
    instance = found["instance"]
    method = f", method {instance['method']}" if instance.get("method") else ""
    values = {**instance.get("data", {}), **instance.get("params", {})}
    rows = [join(el("code", f"{field} = {value}"), " ") for field, value in words.pairs(values)]
    trust = " --trust" if found.get("statement") else ""
    command = f"fedassay replay {shlex.quote(name)}{trust} --explain"
    button = el("button", "Copy", class_="copy")
    return join(
        el("p", f"Instance: {instance['family']}{method}: ", rows, class_="instance")
        if listed
        else None,
        el("p", el("code", command, class_="command"), " ", button, class_="replay"),
    )
