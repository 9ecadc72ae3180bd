"""A sample of all changes, and that the command that makes them would see what it looks for."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.each import each
from tests.patience import HANGS
from tests.trusted import mutate
from tests.trusted.mutate import EQUIVALENT, Asked, changes_of
from tests.trusted.mutation.changes import Mutant, mutants
from tests.trusted.mutation.forked import TOO_MUCH, ask
from tests.trusted.mutation.modules import MODULES
from tests.trusted.mutation.patch import NotLoaded, replace
from verify.certify.gram import check as gram_check
from verify.verdict import evidence, relation, verdict
from verify.world import score

ROOT = Path(__file__).parents[2]
EVERY = "151"
"""Some seventy changes, which take half a minute."""


def run(code: str) -> subprocess.CompletedProcess[str]:
    whole = f"import sys\nfrom tests.trusted import mutate\n{code}"
    return subprocess.run(
        [sys.executable, "-c", whole], cwd=ROOT, capture_output=True, text=True, timeout=HANGS
    )


def test_every_hundredth_change_is_noticed_again() -> None:
    done = run(f"sys.exit(mutate.main(['--every', '{EVERY}']))")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == list(MODULES)


def test_tests_of_something_else_notice_nothing() -> None:
    """Negative control: the same changes, judged by tests that do not concern them."""
    weak = "Decides('verify.verdict.relation', ('tests/trusted/verdict/test_e_values',))"
    done = run(
        "from tests.trusted.mutation.modules import Decides\n"
        f"mutate.MODULES['weak'] = {weak}\n"
        "sys.exit(mutate.main(['weak', '--every', '60']))"
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("survived: ") == 2
    assert "0 killed, 0 equivalent, 2 survived" in done.stdout


def test_a_listed_change_that_is_killed_or_stale_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    own = Asked("gram_check", None)
    killed = next(m.name for m in own.mutants if "the matrix is not symmetric" in m.name)
    monkeypatch.setattr(mutate, "say", said.append)
    listed = {"gram_check": {killed: "wrong", "proves | gone": "stale"}}
    monkeypatch.setattr(mutate, "EQUIVALENT", listed)
    assert mutate.main(["gram_check", "--only", "the matrix is not symmetric"]) == 1
    assert "listed as equivalent, but no longer a change: proves | gone" in said[0]
    assert "listed as equivalent, but killed by" in said[1]


@each("name", MODULES)
def test_what_is_listed_as_equivalent_can_be_made_and_has_a_reason(name: str) -> None:
    made = {mutant.name for mutant in changes_of(name)[1]}
    assert set(EQUIVALENT.get(name, {})) <= made
    assert all(len(reason) > 10 for reason in EQUIVALENT.get(name, {}).values())


def test_only_modules_that_are_asked_have_lists() -> None:
    assert set(EQUIVALENT) <= set(MODULES)
    killed = {path.stem for path in (mutate.HERE / "killed").glob("*.json")}
    assert killed == set(MODULES)


# -- changes ---------------------------------------------------------------------------------------

SOURCE = '''
LIMIT = 5


def rule(x: int, y: int = 0) -> bool:
    """What it does."""
    if x < y and not x:
        raise ValueError("no")
    x = min(x, -y)
    seen.add(x)
    return power(x + 1, y) == LIMIT


class Record:
    size: int = 1

    def ends(self) -> list[int]:
        return [a for a in self.rows if a > 2.5 or a in (0, y)]
'''
CHANGES = {
    "LIMIT": {"6 for 5 in LIMIT = 5", "4 for 5 in LIMIT = 5"},
    "Record.size": {"2 for 1 in size: int = 1", "0 for 1 in size: int = 1"},
    "rule": {
        "True for x < y and (not x)",
        "False for x < y and (not x)",
        "x < y and (not x) without x < y",
        "x < y and (not x) without not x",
        "x < y and (not x) by Or",
        "x < y by LtE",
        "x < y by GtE",
        "not x without not",
        "without raise ValueError('no')",
        "without x = min(x, -y)",
        "max for min",
        "-y without sign",
        "without seen.add(x)",
        "gives nothing",
        "power(x + 1, y) with the last two exchanged",
        "x + 1 by Sub",
        "2 for 1 in x + 1",
        "0 for 1 in x + 1",
        "power(x + 1, y) == LIMIT by NotEq",
        "True at the end",
        "False at the end",
        "1 for 0 in x: int, y: int=0",
    },
    "Record.ends": {
        "gives nothing",
        "for every, without if a > 2.5 or a in (0, y)",
        "a > 2.5 or a in (0, y) without a > 2.5",
        "a > 2.5 or a in (0, y) without a in (0, y)",
        "a > 2.5 or a in (0, y) by And",
        "a > 2.5 by GtE",
        "a > 2.5 by LtE",
        "5.0 for 2.5 in a > 2.5",
        "a in (0, y) by NotIn",
        "(0, y) without 0",
        "(0, y) without y",
        "1 for 0 in (0, y)",
    },
}


def test_every_kind_of_change_is_made() -> None:
    found: dict[str, set[str]] = {}
    for mutant in mutants(SOURCE)[1]:
        found.setdefault(mutant.place, set()).add(mutant.name.split(" | ")[2])
    assert found == CHANGES


def test_every_change_is_a_program_and_another_one() -> None:
    count = len(mutants(SOURCE)[1])
    for number in range(count):
        tree, every = mutants(SOURCE)  # anew, since a change stays
        before = ast.unparse(tree)
        every[number].put()
        ast.fix_missing_locations(tree)
        compile(tree, "changed", "exec")
        assert ast.unparse(tree) != before, every[number].name


def test_a_name_holds_its_line_so_that_another_line_makes_it_stale() -> None:
    old, new = ({m.name for m in mutants(text)[1]} for text in (SOURCE, SOURCE.replace("<", "<=")))
    assert "rule | if x < y and not x: | x < y by LtE" in old - new


# -- putting them in -------------------------------------------------------------------------------


def changed(name: str, text: str) -> tuple[Asked, Mutant]:
    own = Asked(name, None)
    (mutant,) = [m for m in own.mutants if text in m.name]
    return own, mutant


def put(name: str, text: str) -> None:
    own, mutant = changed(name, text)
    mutant.put()
    replace(own.module, own.tree, mutant.place)


def test_functions_constants_properties_and_defaults_are_replaced_everywhere() -> None:
    def question() -> str:
        found = []
        put("relation", "ROUNDING = 1e-9 | 2e-09")
        found.append(verdict.ROUNDING == relation.ROUNDING == 2e-9)
        put("relation", "meets | return margin > GUARD if strict else margin >= -GUARD | True for")
        found.append(not score.relation.meets(np.zeros(1), False).any())
        put("evidence", "Evidence.counted | counted: int = 0 | 1 for 0")
        found.append(evidence.Evidence("a", "b").counted == 1)
        put(
            "score",
            "Score.blank | return np.asarray(np.isnan(self.ratio) & (self.missed <= 0)) "
            "| gives nothing",
        )
        found.append(score.Score.blank.fget(None) is None)
        put("score", "Score.feasible | return self.shortfall <= 0 | gives nothing")
        found.append(score.Score.feasible.func(None) is None)
        return str(found)

    assert ask(question, 20) == str([True] * 5)
    assert (relation.ROUNDING, evidence.Evidence("a", "b").counted) == (1e-9, 0), (
        "in the fork alone"
    )


def test_the_module_as_it_is_survives() -> None:
    own = Asked("gram_check", None)
    assert own.module is gram_check
    assert own.killer(Mutant("no change", "", range(0), lambda: None), []) == ""


def test_what_is_no_program_stops_the_run() -> None:
    own = Asked("gram_check", None)

    def put() -> None:
        raise ValueError("BoolOp with less than 2 values")

    with pytest.raises(RuntimeError, match="cannot be made: ValueError BoolOp"):
        own.asked(Mutant("no program", "proves", range(0), put), [])


def test_time_and_errors_are_answers() -> None:
    def forever() -> str:
        while True:
            pass

    def wrong() -> str:
        raise LookupError("x")

    assert ask(forever, 1) == TOO_MUCH
    assert ask(wrong, 5) == "LookupError in the changed file"
    assert ask(lambda: "", 5) == ""
    assert ask(lambda: "row", 5) == "row"


def test_a_constant_without_a_value_stops_every_test_and_one_with_a_value_none() -> None:
    tree = ast.parse("ROUNDING = int(' ', 1)")
    with pytest.raises(NotLoaded, match="ValueError"):
        replace(relation, tree, "ROUNDING")
    own, pattern = changed("evidence", "re.ASCII) with the last two exchanged")
    assert own.asked(pattern, []) == mutate.NOT_LOADED
    own, harmless = changed("relation", "ROUNDING = 1e-9 | 2e-09")
    assert own.asked(harmless, []) == ""
