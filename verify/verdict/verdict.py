"""From evidence to verdict: a pure function that sees no key, no paper and no form.

It trusts numbers, not labels: a witness counts only if its stored sides and margins, compared
exactly again, break the relation; support counts only with finished search and killed mutants, and
`holds` only where what it costs was paid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bounds.numbers import Undecided
from bounds.numbers.validate import InvalidInput
from verify.limits.foreign import NotAsWritten, file_of_others
from verify.proof.documents import accepts
from verify.verdict.earned import one_expression, sides_fault, silent, tautology, too_few
from verify.verdict.evidence import Evidence, number_from_json
from verify.verdict.relation import ACCUSE, GROWTH, LEAST_DOUBLINGS, RELATED, ROUNDING

PROVED, HOLDS, VIOLATED = "proved", "holds", "violated"
VACUOUS, NOT_CHECKABLE, INCONCLUSIVE = "vacuous", "not-checkable", "inconclusive"
ORDER = (PROVED, HOLDS, INCONCLUSIVE, NOT_CHECKABLE, VACUOUS, VIOLATED)
"""From best to worst; a part takes its best reading, an entry its worst part."""

EXPLICIT = "explicit"
"""Kind of a link to a form that names the constant of an order."""

Proof = Mapping[str, Any]
"""What a rung has stored of a proof: its certificates, and what it is a proof of."""

COSTS = ("sides", "terms", "standing", "method")
"""Rungs that a claim must have climbed before it holds."""


@dataclass(frozen=True)
class Verdict:
    """What the evidence adds up to: the word, the rung that decided, and why."""

    word: str
    rung: str
    reason: str


def verdict(evidence: Sequence[Evidence]) -> Verdict:
    """Add up the evidence of one leaf; the checker is asked about every proof.

    Parameters
    ----------
    evidence : sequence of Evidence
        What the rungs found, in any order.

    Returns
    -------
    Verdict
    """
    return _added_up(evidence, accepted)


def verdict_told(evidence: Sequence[Evidence]) -> Verdict:
    """Verdict of stored evidence whose proofs in many certificates are taken at their word.

    For readers of a ledger who say so: most of the checker's work is such proofs.
    """
    return _added_up(evidence, at_its_word)


def _added_up(evidence: Sequence[Evidence], counts: Callable[[Proof | None], bool]) -> Verdict:
    for item in evidence:
        # a program that was seen to answer differently has no witness either
        if (item.rung, item.status) == ("hypotheses", "stopped") and "restless" in item.details:
            return Verdict(INCONCLUSIVE, item.rung, item.summary)
    for item in evidence:
        if item.witness is not None and breaks(item.witness):
            return Verdict(VIOLATED, item.rung, item.summary + _cut(evidence))
    for item in evidence:
        if item.status == "missing":
            return Verdict(NOT_CHECKABLE, item.rung, item.summary)
    for item in evidence:
        refuted = _kind(item) != EXPLICIT and _linked(item) == PROVED
        if refuted and (item.proof is None or counts(item.proof)):
            return Verdict(VACUOUS, item.rung, item.summary)
    adrift = [e for e in evidence if e.rung == "link" and e.status == "undecided"]
    if adrift:
        return Verdict(INCONCLUSIVE, "link", adrift[0].summary)
    for item in evidence:
        # neither a proof nor instances can be about a claim of this kind
        if _is_no_claim(item):
            return Verdict(INCONCLUSIVE, item.rung, item.summary)
    for item in evidence:
        if item.status == "decided" and negates(item.proof) and counts(item.proof):
            return Verdict(VIOLATED, item.rung, item.summary)
    inhabited = any(
        (e.rung == "hypotheses" and e.counted > 0)
        # a lift of hypotheses has been looked at; what another entry says meets none
        or (e.rung == "link" and e.status == "reported" and e.link is None)
        for e in evidence
    )
    for item in evidence:
        # a proof from hypotheses that nothing was seen to meet may be a proof of nothing; one that
        # refutes another statement's hypotheses is linked to that statement, and none of this one
        own = item.link is None and not (item.proof or {}).get("of")
        if item.status == "decided" and own and inhabited and counts(item.proof):
            said = _first(evidence) + item.summary + _idle(evidence)
            return Verdict(PROVED, item.rung, said + _cut(evidence))
        if item.witness is not None and exhibits(item.witness):
            return Verdict(PROVED, item.rung, item.summary + _cut(evidence))
    bounded = [
        item for item in evidence if _kind(item) == EXPLICIT and _linked(item) in (PROVED, HOLDS)
    ]
    if inhabited and bounded and not any(item.status == "stopped" for item in evidence):
        # up to a constant nothing but a named constant can stand; no ray has refuted it
        return Verdict(_linked(bounded[0]), "link", _began(evidence) + bounded[0].summary)
    found = supported(evidence)
    return _earned(evidence, found) if found.word == HOLDS else found


def supported(evidence: Sequence[Evidence]) -> Verdict:
    """Whether the instances support a claim, before it is asked what the word costs.

    Parameters
    ----------
    evidence : sequence of Evidence
        Without a witness or a proof that counts.

    Returns
    -------
    Verdict
        ``holds`` or ``inconclusive``.
    """
    undecided = [e for e in evidence if e.status in ("undecided", "stopped")]
    if undecided:
        return Verdict(INCONCLUSIVE, undecided[0].rung, undecided[0].summary)
    decided = [e for e in evidence if e.status == "decided" and e.counted > 0]
    sound = [e for e in decided if e.worst is not None and e.worst <= 1 + min(e.guard, ROUNDING)]
    if not decided:
        why = next((e.summary for e in evidence if e.status == "not-applicable" and e.summary), "")
        return Verdict(
            INCONCLUSIVE,
            "hypotheses",
            f"no instance that meets every hypothesis was decided{f' ({why})' if why else ''}; a "
            "proof that none exists, or a family that contains one, would decide",
        )
    if len(sound) < len(decided):
        return Verdict(
            INCONCLUSIVE,
            decided[0].rung,
            "an instance exceeds the bound but could not be confirmed exactly",
        )
    if not any(e.rung == "search" for e in decided):
        return Verdict(INCONCLUSIVE, decided[-1].rung, "the search did not run to its end")
    power = [e.power for e in evidence if e.power is not None]
    if not power or not power[0].get("killed"):
        return Verdict(
            INCONCLUSIVE,
            "power",
            "no counted mutant was killed, so the instances cannot tell the claim from a false one",
        )
    best = max(sound, key=lambda e: (e.worst or 0.0, e.rung))
    return Verdict(HOLDS, best.rung, best.summary + _limits(evidence))


def accepted(proof: Proof | None) -> bool:
    """Whether there is a proof, and the stand-alone checker accepts every part of it."""
    parts = (proof or {}).get("certificates", [])
    try:
        with file_of_others():
            return bool(parts) and all(accepts(part["written"]) for part in parts)
    except NotAsWritten:
        return False


def at_its_word(proof: Proof | None) -> bool:
    """Whether there is a proof; the checker is asked only about one in a single certificate."""
    parts = (proof or {}).get("certificates")
    several = isinstance(parts, list) and len(parts) != 1
    return bool(parts) if several else accepted(proof)


def negates(proof: Mapping[str, Any] | None) -> bool:
    """Whether a proof is one that no instance satisfies a claim that some instance exists."""
    return (proof or {}).get("of") == "negation"


def stands(evidence: Sequence[Evidence]) -> bool | None:
    """Whether a claim is proved or supported, whatever it costs; None if it is left open."""
    word = verdict(evidence).word
    if word == INCONCLUSIVE:
        word = supported(evidence).word
    return {PROVED: True, HOLDS: True, VIOLATED: False}.get(word)


def spared(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Named terms without which the claim stands too."""
    return tuple(
        str(name)
        for item in evidence
        if item.rung == "terms"
        for name in item.details.get("not needed", ())
    )


def breaks(witness: Mapping[str, Any]) -> bool:
    """Whether the stored numbers of a witness refute a claim about all instances."""
    if witness.get("quantifier", "all") != "all" or not _assumed(witness):
        return False
    if witness.get("number") == "simulated":
        return float(witness.get("e_value", 0.0)) >= ACCUSE
    if witness.get("relation") == "<~":
        return _grows(witness) or _leaves_nothing(witness)
    return not _related(witness)


def exhibits(witness: Mapping[str, Any]) -> bool:
    """Whether the stored numbers of an instance prove a claim that some instance exists."""
    if witness.get("quantifier") != "some" or witness.get("number") == "simulated":
        return False
    return _assumed(witness) and _related(witness)


def combine(words: Iterable[str]) -> str:
    """Best of several readings."""
    return min(words, key=ORDER.index)


def worst(words: Iterable[str]) -> str:
    """Worst of several parts."""
    return max(words, key=ORDER.index)


def _is_no_claim(item: Evidence) -> bool:
    """A program that mixes instances, one expression on both sides, an assumption in disguise.

    Or a constant that depends on what the order speaks of.
    """
    if item.rung == "sides":
        return item.status == "undecided" and one_expression(item.details)
    return (item.rung, item.status) in (
        ("hypotheses", "stopped"),
        ("needed", "undecided"),
        ("constant", "undecided"),
    )


def _kind(item: Evidence) -> str:
    """What the linked entry says of this one: empty, trivial or explicit."""
    return str((item.link or {}).get("kind", ""))


def _linked(item: Evidence) -> str:
    """The word of the linked entry, empty without one."""
    return str((item.link or {}).get("verdict", ""))


def _earned(evidence: Sequence[Evidence], found: Verdict) -> Verdict:
    """Whether a supported claim has paid what `holds` costs."""
    rungs = {item.rung: item for item in evidence if item.status != "not-applicable"}
    met = [e for e in evidence if e.rung == "hypotheses" and e.status == "reported"]
    fault = too_few(met[0].details if met else {})
    if fault:
        return Verdict(INCONCLUSIVE, "hypotheses", fault)
    for item in evidence:
        if item.rung == "sides" and sides_fault(item.details):
            return Verdict(INCONCLUSIVE, "sides", sides_fault(item.details))
    unpaid = [name for name in COSTS if name not in rungs]
    if unpaid:
        return Verdict(INCONCLUSIVE, unpaid[0], f"the rung {unpaid[0]} has not been climbed")
    names = ", ".join(spared(evidence))
    said = _first(evidence) + _began(evidence) + found.reason
    return Verdict(HOLDS, found.rung, said + (f"; not needed: {names}" if names else ""))


def _first(evidence: Sequence[Evidence]) -> str:
    """What comes first: that it is a tautology, or that its method may be exchanged for any."""
    rules = {"sides": tautology, "method": silent}
    told = (rules[rung](e.details) for rung in rules for e in evidence if e.rung == rung)
    return "".join(f"{text}; " for text in dict.fromkeys(told) if text)


def _began(evidence: Sequence[Evidence]) -> str:
    """What comes before the instances: that a search began with kept ones, and how much did not."""
    kept = [e.details["kept"] for e in evidence if e.rung == "search" and "kept" in e.details]
    if not kept:
        return ""
    seeds, afresh = (sum(one[name] for one in kept) for name in ("instances", "afresh"))
    told = f"{seeds} instances scored again, beside {afresh} evaluated afresh"
    return f"began with kept evidence: {told}; "


def _limits(evidence: Sequence[Evidence]) -> str:
    """What to add to a word that speaks of instances: where the search has ended."""
    said = (str(e.details.get("limits", "")) for e in evidence if e.rung == "search")
    found = next((text for text in said if text), "")
    return f"; {found}" if found else ""


def _idle(evidence: Sequence[Evidence]) -> str:
    """What to add to a proof where every changed right side stays true on all instances."""
    power = next((e.power for e in evidence if e.power is not None), None)
    idle = power is not None and power.get("counted") and not power.get("killed")
    return "; no change of the right side was refuted, so it leaves room everywhere" if idle else ""


def _cut(evidence: Sequence[Evidence]) -> str:
    """What to add to a word that was found before the leaf was stopped."""
    why = next((e.summary for e in evidence if e.status == "stopped" and e.details.get("cut")), "")
    return f"; nothing after that was looked at ({why})" if why else ""


def _assumed(witness: Mapping[str, Any]) -> bool:
    """Every hypothesis holds by the stored margins."""
    try:
        with file_of_others():
            for margin in witness.get("margins", {}).values():
                value = number_from_json(margin["value"])
                if not (value > 0 if margin.get("strict") else value >= 0):
                    return False
    except NotAsWritten:
        return False
    return True


def _grows(witness: Mapping[str, Any]) -> bool:
    """Whether left/right grew like a power between the two stored points of a ray."""
    try:
        with file_of_others():
            near, far = witness["near"], witness
            pairs = [(w, k) for w in (near, far) for k in ("left", "right")]
            values: list[Any] = [number_from_json(w[k]) for w, k in pairs]
            doublings = int(witness["doublings"])
            if doublings < LEAST_DOUBLINGS or not all(bool(v > 0) for v in values):
                return False
            # far ratio / near ratio >= 2^(GROWTH doublings), without a root
            root = round(1 / GROWTH)
            far_first, near_first = values[2] * values[1], values[3] * values[0]
            return bool(far_first**root >= near_first**root * 2**doublings)
    except NotAsWritten:
        return False


def _leaves_nothing(witness: Mapping[str, Any]) -> bool:
    """Whether no constant serves at one point: nothing on the right, something on the left."""
    try:
        left: Any = number_from_json(witness["left"])
        right: Any = number_from_json(witness["right"])
        return "near" not in witness and bool(left > 0) and bool(right == 0)
    except (Undecided, KeyError, ValueError):
        return False


def _related(witness: Mapping[str, Any]) -> bool:
    """Whether ``left RELATION right`` by the stored numbers; undecided balls count as related."""
    try:
        left: Any = number_from_json(witness["left"])
        right: Any = number_from_json(witness["right"])
        holds: bool = RELATED[witness.get("relation", "<=")](left, right)
        return holds
    except Undecided:
        return bool(witness.get("quantifier", "all") == "all")
    except KeyError as error:
        raise InvalidInput(
            f"witness must have left, right and one of {', '.join(RELATED)}, got no {error}: "
            "check the file"
        ) from error
