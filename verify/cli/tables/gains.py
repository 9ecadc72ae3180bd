"""Who gains from whom, in one sentence and a table of held-out losses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verify.cli.output import say, table

__all__ = ["gain_records", "sentence", "show_gains"]

NAMED = 6
"""Clients up to which the sentence names everybody (number)."""


def gain_records(gains: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """A record for each client, with the losses of :class:`algorithms.collaboration.gains.Gains`.

    Each loss is a list: value, lower and upper end.
    """
    return [
        {
            "client": name,
            "partners": [names[j] for j in gains.found[k]],
            "word": gains.word(k),
            "alone": _plain(gains.alone[k]),
            "group": _plain(gains.group[k]),
            "everybody": _plain(gains.everybody[k]),
            "with_partners": _plain(gains.partners[k]),
            "gain": _plain(gains.gain[k]),
        }
        for k, name in enumerate(names)
    ]


def sentence(records: Sequence[dict[str, Any]]) -> str:
    """What the held-out losses say of all clients, in one sentence."""
    by_word: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        by_word.setdefault(record["word"], []).append(record)
    parts = []
    if "gains" in by_word:
        found = by_word["gains"]
        if len(found) <= NAMED:
            parts.append(
                ", ".join(f"{r['client']} gains from {_joined(r['partners'])}" for r in found)
            )
        else:
            most = max(found, key=lambda r: r["gain"][0] / r["alone"][0])
            parts.append(
                f"{len(found)} of {len(records)} clients gain, the most {most['client']} from "
                f"{_joined(most['partners'])}"
            )
    for word, one, many in (
        ("nobody", "needs nobody", "need nobody"),
        ("open", "shows no gain", "show no gain"),
        ("loses", "loses by the partners found", "lose by the partners found"),
    ):
        if word in by_word:
            found = by_word[word]
            listed = [r["client"] for r in found]
            who = _joined(listed) if len(listed) <= NAMED else f"{len(listed)} clients"
            parts.append(f"{who} {one if len(found) == 1 else many}")
    return "; ".join(parts)


def show_gains(records: Sequence[dict[str, Any]], level: float) -> None:
    """Print the held-out losses of every client under the four models."""
    say()
    table(
        ["client", "alone", "in its group", "with all", "with", "loss with them", "gain"],
        [
            [
                r["client"],
                _loss(r["alone"]),
                _loss(r["group"]),
                _loss(r["everybody"]),
                _joined(r["partners"]) if r["partners"] else "-",
                _loss(r["with_partners"]) if r["partners"] else "-",
                _loss(r["gain"]) if r["partners"] else "-",
            ]
            for r in records
        ],
    )
    say(
        "losses: of models of the first halves, on the rows held out; with: clients whose rows "
        "lowered the cross-validated loss of the first half; nobody is needed where none did, or "
        "where a gain can be a twentieth of the loss at most; intervals: "
        f"{100 * level:g} %, those of the gains for all clients together; a gain is said where its "
        "interval is above zero"
    )


def _plain(ends: Any) -> list[float]:
    return [float(x) for x in ends]


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _loss(ends: Sequence[float]) -> str:
    return f"{ends[0]:.3g} ({ends[1]:.3g}..{ends[2]:.3g})"
