"""Files changed at random: an answer, or one line and exit status 2; never a traceback or a wait.

Found so far and kept as examples: a schema that is a list, a flaw whose ratio is an object, a proof
without its terms, NUL in the path of a witness's file, a power of ten as a number, a column of
numbers in a quotation that does not end.
"""

from __future__ import annotations

import copy
import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from verify.ledger.expected import brief

Fedassay = Callable[..., tuple[int, str, str]]
Place = tuple[Any, ...]

SETTINGS = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


NASTY = (
    None,
    True,
    -1,
    0,
    10**40,
    10**9,
    1e308,
    0.5,
    "",
    "x",
    "1/0",
    "1/3",
    "9" * 4000,
    "-1/" + "7" * 4400,
    "1e999999999",
    "\x00",
    "\x1b[31mred",
    "\ud800",
    "../../etc/passwd",
    "/etc/passwd",
    [],
    {},
    [[]],
    [[1], [2, 3]],
    {"npz": "x"},
    [None],
    ["a"],
    float("nan"),
    float("inf"),
    "<script>",
    nested(50),
    nested(900),
)

values = st.one_of(
    st.sampled_from(NASTY),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.lists(st.integers(), max_size=3),
)
picks = st.integers(0, 10**6)
changes = st.lists(
    st.tuples(picks, st.sampled_from(["set", "set", "drop", "rename"]), values),
    min_size=1,
    max_size=3,
)


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    """Every place in a JSON value but its top."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        yield (*here, key)
        if isinstance(item, dict | list):
            yield from places(item, (*here, key))


def changed(document: Any, made: list[tuple[int, str, Any]]) -> str:
    """Text of a JSON value with a few places set to other values, dropped or renamed."""
    found = copy.deepcopy(document)
    for pick, what, value in made:
        known = list(places(found))
        if not known:
            break
        *way, last = known[pick % len(known)]
        inner = found
        for step in way:
            inner = inner[step]
        if what == "drop":
            del inner[last]
        elif what == "rename" and isinstance(inner, dict):
            inner[str(value)] = inner.pop(last)
        else:
            inner[last] = value
    return json.dumps(found)


def answers(fedassay: Fedassay, *argv: object) -> None:
    """The property: a status, at most one line of error, no control characters, no wait."""
    begin = time.process_time()
    code, out, err = fedassay(*argv)
    assert time.process_time() - begin < 60  # what goes on and on takes more
    assert code in (0, 1, 2)
    assert not [c for c in out + err if ord(c) < 32 and c != "\n"]
    if code == 2:
        assert err.startswith("fedassay: ")
        assert err.count("\n") == 1
    else:
        assert err == ""


@pytest.fixture
def here(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(made / "mine-ledger.json", made / "l.json")
    monkeypatch.chdir(made)
    return made


@pytest.mark.parametrize(
    "argv",
    [
        ("audit", "bad.json"),
        ("report", "bad.json"),
        ("diff", "l.json", "bad.json"),
        ("list", "--ledger", "bad.json"),
    ],
)
@SETTINGS
@given(made=changes)
@example(made=[(0, "set", [])])
def test_changed_ledgers(
    argv: tuple[str, ...], made: list[tuple[int, str, Any]], here: Path, fedassay: Fedassay
) -> None:
    text = changed(json.loads((here / "l.json").read_text()), made)
    (here / "bad.json").write_text(text)
    before = (here / "l.json").read_bytes()
    answers(fedassay, *argv)
    assert (here / "bad.json").read_text() == text
    assert (here / "l.json").read_bytes() == before


@SETTINGS
@given(made=changes)
def test_changed_witnesses(
    made: list[tuple[int, str, Any]], here: Path, fedassay: Fedassay
) -> None:
    folder = here / "mine-ledger-witnesses"
    text = changed(json.loads((folder / "mine.wrong.json").read_text()), made)
    (folder / "bad.json").write_text(text)
    answers(fedassay, "replay", folder / "bad.json", "--trust", "--explain")
    assert (folder / "bad.json").read_text() == text


@SETTINGS
@given(made=changes)
def test_changed_expected_ledgers(
    made: list[tuple[int, str, Any]], here: Path, fedassay: Fedassay
) -> None:
    document = brief(json.loads((here / "l.json").read_text()))
    (here / "bad.json").write_text(changed(document, made))
    answers(fedassay, "diff", "bad.json", "l.json", "--strict")


@SETTINGS
@given(
    made=changes, cut=st.floats(0, 1), ending=st.sampled_from(["", "\n", "{", "\x00", "[" * 500])
)
def test_changed_journals(
    made: list[tuple[int, str, Any]], cut: float, ending: str, here: Path, fedassay: Fedassay
) -> None:
    """An unfinished run whose journal was changed is refused, or its ledger is whole."""
    head = {"schema": "fedassay-part/1", "keys": ["mine.mean"], "seed": 0, "profile": "quick"}
    text = changed(head, made) + "\n" + changed({"leaf": {"id": "x"}, "witness": None}, made)
    part = here / "mine-ledger.json.part"
    content = text[: round(cut * len(text))] + ending
    part.write_text(content, errors="replace")
    kept, before = part.read_bytes(), (here / "mine-ledger.json").read_bytes()
    code, _, err = fedassay("check", "mine.py", "--jobs", 1, "--limit", 60, "--resume")
    assert (code, err.count("\n")) == (2, 1)
    assert part.read_bytes() == kept
    assert (here / "mine-ledger.json").read_bytes() == before


cells = st.one_of(
    st.sampled_from(
        [
            "1",
            "2.5",
            "-1",
            "nan",
            "inf",
            "1e999",
            "",
            " ",
            '"',
            "a",
            "\x00",
            "\x1b[2J",
            "9" * 5000,
            "0x1",
            "１",
            "1_0",
            "é",
        ]
    ),
    st.floats().map(repr),
    st.text(max_size=5),
)
columns = st.lists(st.sampled_from(["client", "size", "y", "g", "x1", "", "\x1b[31m"]), max_size=4)


@SETTINGS
@given(
    head=columns,
    rows=st.lists(st.lists(cells, min_size=1, max_size=4), max_size=4),
    separator=st.sampled_from([",", ";", "\t"]),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
    alpha=st.floats(),
)
@example(head=["size", "g"], rows=[["1", '"2']], separator=",", newline="\n", alpha=1.0)
def test_tables_of_clients(
    head: list[str],
    rows: list[list[str]],
    separator: str,
    newline: str,
    alpha: float,
    here: Path,
    fedassay: Fedassay,
) -> None:
    text = newline.join(separator.join(row) for row in [head, *rows])
    content = text.encode("utf-8", errors="surrogatepass")
    (here / "bad.csv").write_bytes(content)
    answers(fedassay, "partition", "bad.csv", f"--alpha={alpha}")
    assert (here / "bad.csv").read_bytes() == content


CLIENTS = {
    "gradients": [[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]],
    "sizes": [20, 80, 100],
    "names": ["a", "b", "c"],
}
TABLES = {
    "clients": {"a": {"X": [[1, 2], [3, 4]], "y": [1, 2]}, "b": {"X": [[1, 2]], "y": [1]}},
    "model": [0, 1],
}


@SETTINGS
@given(document=st.sampled_from([CLIENTS, TABLES]), made=changes)
def test_json_files_of_clients(
    document: Any, made: list[tuple[int, str, Any]], here: Path, fedassay: Fedassay
) -> None:
    (here / "bad.json").write_text(changed(document, made))
    answers(fedassay, "partition", "bad.json", "--alpha", 10)


LINES = (
    "from verify import *",
    "from verify import Family, Source",
    "x = 1",
    "x =",
    "def f(w):",
    "    return {'a': w.x}, {'b': w.x + 1}",
    "    raise KeyboardInterrupt",
    "    while 1: break",
    "N = numbers({'x': Real(0, 1)})",
    "N = numbers({'x': Real(1, 0)})",
    "N = None",
    "f = None",
    "s = statement('m.a', where='L', latex='', family=N)(f)",
    "t = s.variant('m.b', uses=('m.a',))",
    "t = s.variant('m.\\x1b', uses=3)",
    "s = (s, s, 1)",
    "raise SystemExit",
    "1 / 0",
    "\x0c",
    "é = 1",
    "del s",
    "AXES = 3",
    "import sys; sys.exit(0)",
    "s.key = 5",
    "Statement(key=1)",
    "u = s.like('m.c', latex=5)(f)",
    "Real('a', 'b')",
    "numbers(3)",
    "functions(5)",
    "Hypothesis(1, 2, 3)",
)


@SETTINGS
@given(lines=st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=10)), max_size=8))
@example(lines=[LINES[0], LINES[8], LINES[4], LINES[5], LINES[12], "AXES = 3"])
def test_files_of_statements(lines: list[str], here: Path, fedassay: Fedassay) -> None:
    """They load or get one line; what loads is shown."""
    text = "\n".join(lines).encode("utf-8", errors="surrogatepass")
    (here / "fuzzed.py").write_bytes(text)
    answers(fedassay, "show", "fuzzed.py")
    assert (here / "fuzzed.py").read_bytes() == text
