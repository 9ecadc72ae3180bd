"""Outlines of the library's statements: the documents, and exact runs that they are held to."""

from dataclasses import replace
from functools import cache
from random import Random

from verify.catalogue.library import library
from verify.outlines import registry, runs
from verify.outlines.converted import converted
from verify.outlines.exact import NotInFractions
from verify.outlines.proved import document_of
from verify.outlines.written import StatementOutline
from verify.proof.bridge import broken
from verify.proof.checker import Refused


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
    return document_of(library().leaf(key))


@cache
def measured(key, each=4):
    """Exact runs of every shape that has some, as outlines see them."""
    statement, one = of(key)
    found = []
    for family in (statement.family, *statement.also):
        for place, shape in enumerate(family.shapes):
            random, left = Random(f"{key} {place} of a test"), each
            for _ in range(runs.DRAWS):
                world = runs.exact_world(statement, family, shape, random)
                try:
                    if left and world is not None and runs.admitted(statement, world):
                        found.append(one.setting.measured(world))
                        left -= 1
                except NotInFractions:
                    break
    return found


def is_refused(key, document, rules):
    """Whether some run says that a fact is false, or that a product is read wrongly."""
    for run, ranges in measured(key):
        fresh = replace(run, definitions=[], averages={}, _known={}, _shares=[], _whole={})
        try:
            if broken({**document, "steps": []}, fresh, ranges, rules):
                return True
        except Refused:
            return True
    return False
