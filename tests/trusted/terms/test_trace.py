"""A trace of a statement: what it holds, what it is told, when it is made again, what ends it."""

from __future__ import annotations

import functools
import gc
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from verify import Hypothesis, Real, numbers, statement
from verify.claim.statement import Statement
from verify.terms import trace as module
from verify.terms.claims import example_of_family, why_no_terms
from verify.terms.node import Node, constant, node
from verify.terms.refusals import NotTraceable
from verify.terms.trace import TracedClaim, _alike, _bare, _catches, _heard, _rounded, traced
from verify.terms.traced import SETTLED, Traced
from verify.world.noise_plan import NotAvailable, NoValue

FAMILY = numbers({"x": Real(0, 1, per=("N",)), "y": Real(0, 1)}, {"N": 2}, {"N": 3})
Y, N = node("symbol", data="y"), node("size", data="N")


def op(sign: str, *parts: Node) -> Node:
    return node("operator", *parts, data=sign)


def claim(sides: Callable[[Any], Any], **more: Any) -> Statement:
    made: Any = statement("mine.claim", family=FAMILY, latex="x", where="here", **more)
    found: Statement = made(sides)
    return found


def of(found: Statement, examples: int = 2) -> TracedClaim:
    worlds = [example_of_family(found, FAMILY, shape) for shape in FAMILY.shapes[:examples]]
    return traced(found, worlds, frozenset(("N",)))


def ends(sides: Callable[[Any], Any], **more: Any) -> str:
    """What a program is told whose trace ends."""
    with pytest.raises(NotTraceable) as error:
        of(claim(sides, **more))
    assert SETTLED.get() is None
    return str(error.value)


# -- what it holds ---------------------------------------------------------------------------------


def test_sides_hypotheses_level_definitions_and_what_was_told() -> None:
    found = of(
        claim(
            lambda w: [{"left": w.y, "one": 1}, {"right": w.z if w.has("y") else w.y}],
            given=[Hypothesis("small", "x", lambda w: 1 - w.y, where="here")],
            over="prob",
            delta=lambda w: w.y / 2,
            defines={"z": lambda w: 2 * w.y},
        )
    )
    parts = {"left": Y, "one": constant(1)}, {"right": node("symbol", data="z")}
    margin, level, doubled = (
        op("-", constant(1), Y),
        op("/", Y, constant(2)),
        op("*", constant(2), Y),
    )
    assert (found.left, found.right) == parts
    assert (found.margins, found.level) == ({"small": margin}, level)
    assert found.defined == {"z": doubled}
    assert found.settled == {node("has", data="y"): True}
    every = list(found.every())
    assert every == [*parts[0].values(), *parts[1].values(), margin, doubled, level]
    assert of(claim(lambda w: ({"left": w.y}, {"right": w.y}))).level is None
    assert list(TracedClaim({"a": Y}, {}, {}).every()) == [Y]
    assert SETTLED.get() is None


def test_the_names_of_pieces_are_no_part_of_what_is_said() -> None:
    one, other = (TracedClaim({"a": Y}, {}, {}, called={Y: name}) for name in ("p", "q"))
    assert one == other
    assert TracedClaim({"a": Y}, {}, {}).called == {}
    assert one != TracedClaim({"a": N}, {}, {})
    assert one != TracedClaim({"a": Y}, {}, {}, settled={Y: True})


def test_pieces_are_called_as_the_function_of_the_sides_calls_them_at_its_end() -> None:
    def sides(w: Any) -> Any:
        changed = w.y / 3
        assert len((w,)) == 1
        changed = w.y / 2
        whole, size, again = 5, w.N, w.y / 2
        assert (whole, again) != (None, None)
        return {"left": changed + inner(w)}, {"right": changed * whole * size}

    def inner(w: Any) -> Any:
        inside = w.y + 7
        return inside * 2

    assert of(claim(sides)).called == {op("/", Y, constant(2)): "changed"}


class Sides:
    """An object that is called has no names for its pieces."""

    def __call__(self, w: Any) -> Any:
        half = w.y / 2
        return {"left": half}, {"right": half}


def test_an_object_or_a_partial_function_is_traced_too() -> None:
    assert of(claim(Sides())).called == {}

    def sides(extra: int, w: Any) -> Any:
        piece = w.y + extra
        return {"left": piece}, {"right": piece}

    found = of(claim(functools.partial(sides, 3)))
    assert found.left == {"left": op("+", Y, constant(3))}


def test_a_program_is_its_own_or_its_twin_with_exact_literals() -> None:
    own = test_a_program_is_its_own_or_its_twin_with_exact_literals.__code__
    assert _alike(own, own) is True
    assert _alike(own.replace(co_name="other"), own) is True
    assert _alike(own.replace(co_filename="other.py"), own) is False
    assert _alike(own.replace(co_firstlineno=own.co_firstlineno + 1), own) is False
    names = tuple(f"{name}_" for name in own.co_varnames)
    assert _alike(own.replace(co_varnames=names), own) is False


# -- examples --------------------------------------------------------------------------------------


def test_literals_are_the_numbers_that_are_written() -> None:
    found = of(claim(lambda w: ({"left": w.y, "more": 0.3 * w.y}, {"right": w.y * (1 / 3)})))
    assert found.left["more"] is op("*", constant(Fraction(3, 10)), Y)
    assert found.right["right"] is op("*", Y, constant(Fraction(1, 3)))
    whole = of(claim(lambda w: ({"left": w.y * 3}, {"right": w.N / 2 * w.y})))
    assert whole.right["right"] is op("*", op("/", N, constant(2)), Y)
    pi = of(claim(lambda w: ({"left": w.y * np.pi}, {"right": 0.5 * w.y})))
    assert pi.left["left"] is op("*", Y, constant(np.pi))
    assert pi.right["right"] is op("*", constant(Fraction(1, 2)), Y)


def test_a_float_is_rounded_where_it_is_a_constant() -> None:
    assert _rounded(op("*", constant(0.5), Y)) is True
    assert _rounded(constant(0.5)) is True
    for term in (Y, constant(1), constant(Fraction(1, 2)), node("entry", Y, data=0.5)):
        assert _rounded(term) is False


def test_every_example_is_traced_and_must_give_the_same() -> None:
    seen: list[int] = []

    def sides(w: Any) -> Any:
        seen.append(int(w.N.example))
        return {"left": w.y}, {"right": w.y}

    of(claim(sides))
    assert seen == [2, 3]
    seen.clear()
    of(claim(lambda w: ({"left": 0.5 * w.y}, sides(w)[1])))
    assert seen == [2, 2, 3], "with its literals as written the first one is traced again"
    seen.clear()
    of(claim(sides), examples=1)
    assert seen == [2]
    assert "another formula in another shape" in ends(
        lambda w: ({"left": w.y * int(w.N.example)}, {"right": w.y})
    )


# -- what ends it ----------------------------------------------------------------------------------


def raising(error: BaseException) -> Callable[[Any], Any]:
    def sides(w: Any) -> Any:
        raise error

    return sides


def test_what_a_program_raises_ends_its_trace() -> None:
    for error in (ValueError, ZeroDivisionError, KeyError, NotAvailable, NoValue):
        assert ends(raising(error("so"))).startswith("the example has no value: ")
    assert ends(raising(TypeError("so"))) == "TypeError: so"
    assert ends(raising(SystemExit(3))) == "SystemExit: 3"
    told = ends(lambda w: ({"left": float(w.y)}, {"right": w.y}))
    assert told.startswith("test_trace.py:")
    assert "a plain number of a traced value is asked" in told


def test_hypotheses_and_the_level_are_asked_as_the_sides_are() -> None:
    plain = claim(lambda w: ({"left": w.y}, {"right": w.y}))
    assert of(plain).left == {"left": Y}
    rule = lambda w: ({"left": w.y}, {"right": w.y})  # noqa: E731
    wrong = Hypothesis("h", "x", lambda w: float(w.y), where="here")
    assert "a plain number" in ends(rule, given=[wrong])
    assert "a plain number" in ends(rule, over="prob", delta=lambda w: float(w.y))


def test_sides_are_a_pair_of_dicts() -> None:
    y = {"a": 1}
    wrong: list[Any] = [None, y, (y,), (y, y, y), (y, 1), (1, y), {1: y, 2: y}.values(), "ab", {}]
    for sides in wrong:
        assert ends(lambda w, sides=sides: sides) == "the sides are no pair of dicts"
    assert of(claim(lambda w: [{"a": w.y}, {"b": 2}])).right == {"b": constant(2)}


def test_a_program_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.TRACE_SECONDS == 5
    monkeypatch.setattr(module, "TRACE_SECONDS", 0.05)

    def sides(w: Any) -> Any:
        count = 0
        while count < 10**9:
            count += 1
        return {"left": w.y}, {"right": w.y}

    assert "the functions come to no end" in ends(sides)


# -- errors that are caught ------------------------------------------------------------------------


class Swallows:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: Any) -> bool:
        return True


def by_type(w: Any) -> Any:
    try:
        return 1 / w.y
    except ZeroDivisionError:
        return w.y


def by_type_to_raise(w: Any) -> Any:
    try:
        return 1 / w.y
    except ZeroDivisionError:
        raise KeyError from None


def by_none(w: Any) -> Any:
    try:
        return 1 / w.y
    except:  # noqa: E722
        return w.y


def by_none_to_raise(w: Any) -> Any:
    try:
        return 1 / w.y
    except:  # noqa: E722
        raise KeyError from None


def by_group(w: Any) -> Any:
    found = w.y
    try:
        found = 1 / w.y
    except* ZeroDivisionError:
        pass
    return found


BY_HANDLERS = (by_type, by_type_to_raise, by_none, by_none_to_raise, by_group)
LEAVING = """
def by_return(w):
    found = w.y
    try:
        found = 1 / w.y
    finally:
        return found

def by_break(w):
    found = w.y
    for _ in range(1):
        try:
            found = 1 / w.y
        finally:
            break
    return found
"""
MADE: dict[str, Callable[[Any], Any]] = {}
with warnings.catch_warnings():  # later versions of Python warn of such a last word
    warnings.simplefilter("ignore", SyntaxWarning)
    exec(LEAVING, MADE)


def by_suppress(w: Any) -> Any:
    with suppress(ZeroDivisionError):
        return 1 / w.y
    return w.y


def by_its_own_block(w: Any) -> Any:
    with Swallows():
        return 1 / w.y
    return w.y


@contextmanager
def careful() -> Iterator[None]:
    try:
        yield
    except ZeroDivisionError:
        return


def by_a_generator(w: Any) -> Any:
    with careful():
        return 1 / w.y
    return w.y


CATCHING = {
    **{rule.__name__: rule for rule in BY_HANDLERS},
    **{name: MADE[name] for name in ("by_return", "by_break")},
    "by_suppress": by_suppress,
    "__exit__": by_its_own_block,
    "careful": by_a_generator,
}


@pytest.mark.parametrize("name", CATCHING)
def test_a_function_that_catches_errors_ends_the_trace_with_its_name(name: str) -> None:
    """At other numbers it may give something else, of which the example says nothing."""
    rule = CATCHING[name]
    for sides in (
        lambda w: ({"left": rule(w)}, {"right": w.y}),
        lambda w: ({"left": w.y}, {"right": rule(w)}),
    ):
        assert f": {name} catches errors, so that it may give something else" in ends(sides)
    assert "catches errors" in why_no_terms(claim(lambda w: ({"a": rule(w)}, {"b": w.y})))


@contextmanager
def plain() -> Iterator[None]:
    yield


def with_blocks(w: Any) -> Any:
    with np.errstate(all="ignore"), nullcontext():
        for _ in range(2):
            with plain():
                if not isinstance(w, int):
                    continue
    return w.y


def with_a_last_word(w: Any) -> Any:
    found = []
    try:
        found.append(w.y)
    finally:
        found.append(2)
        with plain():
            found.append(3)
    return found[0]


def test_blocks_and_last_words_that_let_errors_through_are_no_obstacle() -> None:
    for rule in (with_blocks, with_a_last_word):
        found = of(claim(lambda w, rule=rule: ({"left": rule(w)}, {"right": w.y})))
        assert found.left == {"left": Y}


def test_errors_that_the_package_catches_are_its_own() -> None:
    with _heard({}, None):
        assert isinstance(np.random.default_rng(0).random(), float)
        functools.singledispatch(len)
        with suppress_of_the_package():
            pass


@contextmanager
def suppress_of_the_package() -> Iterator[None]:
    yield


def test_what_was_called_before_is_not_heard() -> None:
    """What catches here was called before anybody listened."""
    try:
        with _heard({}, None):
            assert len(()) == 0
    except ValueError:
        raise


def test_who_listened_before_listens_again_and_the_collector_is_as_it_was() -> None:
    before = sys.getprofile()

    def mine(*_: Any) -> None: ...

    sys.setprofile(mine)
    try:
        with _heard({}, None):
            inside = sys.getprofile(), gc.isenabled()
        after = sys.getprofile()
    finally:
        sys.setprofile(before)
    assert inside[0] is not mine
    assert inside[1] is False
    assert after is mine
    assert gc.isenabled()
    gc.disable()
    try:
        with _heard({}, None):
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


# Python follows no lines inside of what listens to calls: these are asked by hand


def listener(called: dict[Node, str], own: Any) -> Callable[[Any, str, Any], None]:
    with _heard(called, own):
        found: Any = sys.getprofile()
    return found  # type: ignore[no-any-return]


def frame(code: Any, caller: Any = None, **names: Any) -> Any:
    back = None if caller is None else frame(caller)
    return SimpleNamespace(f_code=code, f_back=back, f_locals=names)


SUPPRESS = suppress.__exit__.__code__
OWN = test_what_a_program_raises_ends_its_trace.__code__
SWALLOWS = Swallows.__exit__.__code__
CATCHERS = {
    **{rule.__name__: rule.__code__ for rule in BY_HANDLERS},
    **{name: MADE[name].__code__ for name in ("by_return", "by_break")},
}


def test_it_is_heard_whose_function_catches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CATCHES", {})
    listen = listener({}, None)
    heard = {name: frame(code, OWN) for name, code in CATCHERS.items()}
    heard["__exit__"] = frame(SWALLOWS, OWN)
    heard[OWN.co_name] = frame(SUPPRESS, OWN)
    for name, call in heard.items():
        with pytest.raises(NotTraceable, match=f"^{name} catches errors"):
            listen(call, "call", None)
        for event in ("return", "c_call", "c_return"):
            listen(call, event, None)


def test_it_is_not_heard_where_nothing_of_a_statement_catches() -> None:
    listen = listener({}, None)
    package = module._asked.__code__  # it catches, and is no statement
    for call in (
        frame(OWN, OWN),
        frame(package, OWN),
        frame(SUPPRESS, package),
        frame(SUPPRESS),
        frame(contextmanager(lambda: iter(())).__code__, OWN),
        frame(OWN, SUPPRESS),
        frame(OWN, SWALLOWS),
        frame(with_blocks.__code__, OWN),
        frame(with_a_last_word.__code__, by_type.__code__),
    ):
        listen(call, "call", None)


def test_a_code_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[Any, bool] = {}
    monkeypatch.setattr(module, "_CATCHES", known)
    assert {_catches(code) for code in CATCHERS.values()} == {True}
    assert [_catches(c) for c in (OWN, with_blocks.__code__, with_a_last_word.__code__)] == [
        False
    ] * 3
    assert set(known) == {OWN, with_blocks.__code__, with_a_last_word.__code__, *CATCHERS.values()}
    known[OWN] = True
    assert _catches(OWN) is True


def test_a_handler_that_raises_again_catches_nothing() -> None:
    push, pop, again, begin = "PUSH_EXC_INFO", "POP_EXCEPT", "RERAISE", "WITH_EXCEPT_START"
    for names in (
        [],
        [push, "COPY", pop, again],
        [push, begin, "POP_TOP", pop, "POP_TOP"],
        [push, begin, pop, "POP_TOP", push, begin, pop, "POP_TOP", "COPY", pop, again],
        ["POP_TOP", push],
        ["POP_TOP", "RETURN_VALUE"],
    ):
        assert _bare(names) is False
    for names in (
        [push, "POP_TOP", "LOAD_CONST", "RAISE_VARARGS"],
        [push, "LOAD_FAST", pop, "RETURN_VALUE"],
        [push, begin, pop, "POP_TOP", push, pop, "RETURN_VALUE"],
    ):
        assert _bare(names) is True


def test_pieces_are_heard_when_their_function_ends() -> None:
    half, third = (Traced(op("/", Y, constant(k)), 0.0) for k in (2, 3))
    called: dict[Node, str] = {}
    listen = listener(called, OWN)
    twin = OWN.replace(co_name="twin")
    listen(frame(OWN, half=half), "call", None)
    listen(frame(OWN, half=half), "c_return", None)
    listen(frame(by_type.__code__, half=half), "return", None)
    assert called == {}
    names = {"plain": 0.5, "node": half.node, "symbol": Traced(Y, 0.0), "half": half, "same": half}
    listen(frame(OWN, **names), "return", None)
    assert called == {half.node: "half"}
    listen(frame(twin, third=third, other=half), "return", None)
    assert called == {half.node: "half", third.node: "third"}
    listener(called, None)(frame(OWN, more=Traced(N, 2) + 1), "return", None)
    assert len(called) == 2
