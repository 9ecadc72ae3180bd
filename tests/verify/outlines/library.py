"""Outlines of the library's statements: the documents, and exact runs that they are held to."""

import json
from dataclasses import replace
from functools import cache
from random import Random

from verify.catalogue.library import library
from verify.corpus.files import path_of, stored
from verify.outlines import registry, runs
from verify.outlines.converted import converted
from verify.outlines.exact import NotInFractions
from verify.outlines.proved import document_of
from verify.outlines.written import StatementOutline
from verify.proof.bridge import broken
from verify.proof.checker import Refused, accepts

_NOISE = "eta[A]**2*(32*E**2*G2 + 6*low*L*gam + s2)"
LOOSE = {
    "allforall.lemma4c.repaired/gap": ("eps",),
    "allforall.lemma6a.repaired": ("top",),
    "allforall.lemma6a@in-mean": ("top",),
    "allforall.lemma6b.repaired": ("eps",),
    "allforall.lemma6b@in-mean": ("eps",),
    "allforall.theorem2.2.repaired": ("eps",),
    "allforall.theorem4.1/blocks@same-step+at-most": ("eps",),
    "allforall.theorem4.1/blocks@same-step+rounded-up": ("eps",),
    "allforall.theorem7.2.repaired/relaxed": ("eps",),
    "allforall.theorem7.2.repaired/similar": ("eps",),
    "aggregation.lemma2.repaired": ["16*eta[A]**2*E**2*G2"],
    "aggregation.theorem3.repaired": [_NOISE],
    "aggregation.proof.recursion.repaired": [_NOISE],
    "aggregation.proof.A1b/second": ["1*eta[A]**2*E**2*G2", "2*L*eta[A]**2*own[A]"],
}
"""Terms of a bound of which the statement itself has more than a proof needs."""


def keys():
    every = library()
    return sorted(leaf.key for entry in every for leaf in entry.leaves if registry.registered(leaf))


def of(key):
    statement = library().leaf(key)
    return statement, registry.registered(statement)


@cache
def unproved(key):
    """The document without certificates."""
    statement, one = of(key)
    if one.whole:
        return one.steps().document
    outline = StatementOutline(statement, one.setting, converted(statement, one.setting))
    one.steps(outline)
    return outline.document


@cache
def proved(key):
    """The document that is kept, while it is of the outline as it stands; else a search's."""
    kept = stored(path_of(library().leaf(key).source.paper)).kept(library().leaf(key))
    found = [e.proof for e in kept.families[0].certificate if e.proof] if kept else []
    for document in [part["written"] for proof in found for part in proof["certificates"]]:
        if _bare(document) == _bare(json.loads(json.dumps(unproved(key)))) and accepts(document):
            return document
    return document_of(library().leaf(key))


def _bare(document):
    """What a document says, without how its steps are proved."""
    steps = [[step[part] for part in SAID] for step in document["steps"]]
    return {**document, "steps": steps}


SAID = ("name", "left", "relation", "right")


@cache
def measured(key, each=8):
    """Exact runs of every shape that has some, as outlines see them."""
    statement, one = of(key)
    own = (statement.family, *statement.also)
    return _measured(key, own, each) or _measured(key, one.setting.families, each)


def _measured(key, families, each):
    statement, one = of(key)
    found = []
    for family in families:
        for place, shape in enumerate(family.shapes):
            random, left = Random(f"{key} {place} of a test"), each
            for _ in range(runs.DRAWS):
                world = runs.exact_world(statement, family, shape, random)
                try:
                    if left and world is not None and runs.admitted(statement, world):
                        alone = one.setting.alone
                        found += alone(world) if alone else [one.setting.measured(world)]
                        left -= 1
                except NotInFractions:
                    break
    return found


def refusing(key, document, rules):
    """Place of the first run that says that a fact is false, or a product read wrongly; or None."""
    return next((k for k in range(len(measured(key))) if refuses(key, k, document, rules)), None)


def refuses(key, place, document, rules):
    """Whether this run says that a fact is false, or that a product is read wrongly."""
    run, ranges = measured(key)[place]
    fresh = replace(run, definitions=[], averages={}, _known={}, _values={}, _shares=[], _whole={})
    try:
        return bool(broken({**document, "steps": []}, fresh, ranges, rules))
    except Refused:
        return True
