"""Documents of the outlines, each proved once."""

from functools import cache

from tests.verify.proof.outlines import OUTLINES
from tests.verify.proof.small import SMALL

NAMES = (*OUTLINES, *(make.__name__ for make in SMALL))


def outline_of(name):
    if name in OUTLINES:
        return OUTLINES[name]()
    return next(make for make in SMALL if make.__name__ == name)()[0]


@cache
def proved(name):
    return outline_of(name).proved()
