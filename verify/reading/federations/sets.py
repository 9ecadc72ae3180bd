"""What a statement about runs of All-for-one says, as sets of claims about a round."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from verify.claim.statement import Statement
from verify.reading.federations.agreement import agrees
from verify.reading.federations.at_place import PlaceRuns, place_claims
from verify.reading.federations.claims import AboutRounds, round_claims
from verify.reading.federations.fixed import FixedRuns, fixed_claims
from verify.reading.federations.places import places_of
from verify.reading.federations.reading import WeighedRuns, settings_of
from verify.reading.federations.rounds import RoundsRead, read_rounds
from verify.reading.federations.rule import Weighing
from verify.reading.federations.steps import CheckedSteps, StepRuns, step_claims
from verify.reading.federations.sums import ClientSums
from verify.reading.federations.weights import own_gradient, weight_claims
from verify.reading.parts.claim import Claims, ReadClaim
from verify.reading.parts.refusals import NotReadable

__all__ = ["FEDERATION", "federation_sets"]

FEDERATION = "federation"
"""In the labels of such claims: what the losses are."""
LOSSES = "losses that meet the assumptions on any number of clients"
LAW = "of any law with mean zero and this variance at most"

Made = list[tuple[WeighedRuns, ClientSums, Weighing, RoundsRead]]


def federation_sets(statement: Statement) -> Iterator[Claims]:
    """Sets of claims each of which is what a statement says.

    Parameters
    ----------
    statement : Statement
        About means over runs, or on every path.

    Yields
    ------
    Claims
        With a falling part of the bound's constant taken off, if there is one; then as it stands.
    """
    made: Made = []
    if statement.over == "path":
        with suppress(NotReadable):
            yield from _of_places(statement)
        return
    with suppress(NotReadable):
        yield from _of_given_weights(statement)
    with suppress(NotReadable):
        yield from _of_steps(statement)
    try:
        for setting in settings_of(statement):
            sums, weighing = ClientSums(), setting.weighing()
            sums.symbol(weighing.psi_sum)
            rounds = read_rounds(setting, sums)
            made.append((setting, sums, weighing, rounds))
        if not all(agrees(setting, weighing) for setting, _, weighing, _ in made):
            return
    except NotReadable:
        return
    many = any(rounds.bound is not None for _, _, _, rounds in made)
    for falling in (True, False) if many else (False,):
        yield Claims(one for group in made for one in _claims(*group, falling))


def _of_given_weights(statement: Statement) -> Iterator[Claims]:
    """The set of claims about one round with given weights.

    Raises
    ------
    NotReadable
        Where the statement is about something else.
    """
    (setting,) = settings_of(statement, FixedRuns)
    assert isinstance(setting, FixedRuns)
    setting.after(1)
    weighing = setting.weighing()
    if agrees(setting, weighing):
        about = {FEDERATION: LOSSES, "noise": LAW}
        yield Claims(
            one._replace(label={**one.label, **about, "part": name})
            for name, one in fixed_claims(setting, weighing)
        )


def _of_steps(statement: Statement) -> Iterator[Claims]:
    """The set of claims about one round in vectors.

    Raises
    ------
    NotReadable
        Where the statement is about something else.
    """
    (setting,) = settings_of(statement, StepRuns)
    assert isinstance(setting, StepRuns)
    setting.after(1)
    weighing = setting.weighing()
    if agrees(setting, weighing, CheckedSteps):
        about = {FEDERATION: LOSSES, "noise": LAW}
        claims = step_claims(setting, weighing)
        yield Claims(one._replace(label={**one.label, **about}) for one in claims)


def _of_places(statement: Statement) -> Iterator[Claims]:
    """The set of claims about one place of the runs.

    Raises
    ------
    NotReadable
        Where the statement is about something else.
    """
    settings = [one for one in settings_of(statement, PlaceRuns) if isinstance(one, PlaceRuns)]
    for one in settings:
        one.after(1)
    if all(agrees(one, one.weighing()) for one in settings):
        yield Claims(
            one._replace(label={**one.label, FEDERATION: LOSSES, "part": name})
            for setting in settings
            for name, one in place_claims(setting)
        )


def _claims(
    setting: WeighedRuns, sums: ClientSums, weighing: Weighing, rounds: RoundsRead, falling: bool
) -> Iterator[ReadClaim]:
    """All claims under one rule for the weights."""
    about: dict[str, Any] = {FEDERATION: LOSSES, "noise": LAW}
    about |= {"rounds": "any"} if rounds.many else {}
    others = sums.about_places()
    psi = sums.symbol(weighing.psi_sum)
    above = own_gradient(setting, rounds)
    # what is assumed of no place holds at one with weights, wherever the run is
    free = not any(places_of(e) for margin in rounds.margins.values() for e in margin)
    rests = AboutRounds(
        setting.step,
        psi,
        [symbol for symbol in others if symbol != psi],
        "mu" in setting.read,
        above is None or free,
        setting.statement.strict,
        next((s for s, total in others.items() if total == weighing.square_sum), None),
    )
    made = round_claims(rounds, rests, falling)
    for name, claim in (*([("own gradient", above)] if above else []), *made):
        yield ReadClaim({**setting.rule, "N": "any", **about, "part": name}, claim)
    for name, one in weight_claims(setting, rounds, weighing, others):
        yield one._replace(label={**one.label, **about, "part": name})
