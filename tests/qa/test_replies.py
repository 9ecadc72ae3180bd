"""What the authors would reply is written down for every accused entry, in words that exist.

The pages are `docs/replies/`: one for each paper.  An entry is accused where the expected ledger
has `violated` or `vacuous` under the literal meaning.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping

from tests.each import each
from tests.places import EXPECTED, ROOT
from verify.catalogue.json_files import read_json

PAGES = ROOT / "docs" / "replies"
PAPERS = sorted(page.stem for page in PAGES.glob("*.rst") if page.stem != "index")
LEDGER = read_json(EXPECTED / "quick.json", "fedassay-expected/1")
ENTRIES: Mapping[str, str | None] = LEDGER["entries"]
FORMS = {"repaired", "refined", "explicit", "empty", "trivial"}
ANSWER = re.compile(r"\*(Met|Met by a form|Conceded|Not met yet)\*", flags=re.IGNORECASE)


def _page(paper: str) -> str:
    return (PAGES / f"{paper}.rst").read_text(encoding="utf-8")


def _named(paper: str, text: str) -> set[str]:
    """Entries of a paper that a text names, each in double backquotes."""
    return {name for name in re.findall(r"``([^`\s]+)``", text) if name.startswith(f"{paper}.")}


def _accused(paper: str, entries: Mapping[str, str | None]) -> set[str]:
    """Printed entries of a paper that fall under the literal meaning."""
    fallen = {key for key, word in entries.items() if word in ("violated", "vacuous")}
    return {
        key for key in fallen if key.startswith(f"{paper}.") and key.rpartition(".")[2] not in FORMS
    }


def _options(paper: str) -> set[str]:
    """Options of the paper's open places."""
    axes = importlib.import_module(f"verify.statements.{paper}").AXES
    return {option.name for axis in axes for option in axis.options}


def test_every_paper_that_is_accused_has_a_page() -> None:
    papers = {key.partition(".")[0] for key, word in ENTRIES.items() if word == "violated"}
    assert papers - {"world"} == set(PAPERS)


@each("paper", PAPERS)
def test_every_accused_entry_has_a_reply(paper: str) -> None:
    assert _accused(paper, ENTRIES) - _named(paper, _page(paper)) == set()


@each("paper", PAPERS)
def test_no_reply_is_about_an_entry_that_is_not_accused(paper: str) -> None:
    assert _named(paper, _page(paper)) - _accused(paper, ENTRIES) == set()


@each("paper", PAPERS)
def test_the_readings_that_meet_a_reply_are_declared(paper: str) -> None:
    named = set(re.findall(r"``@([^`]+)``", _page(paper)))
    assert named
    assert named - _options(paper) == set()


@each("paper", PAPERS)
def test_every_reply_ends_in_an_answer(paper: str) -> None:
    """An indented block under a line that names an entry says how it is met."""
    blocks = re.findall(
        r"^(\S[^\n]*``[^\n]*)\n((?:   [^\n]*\n)+)", _page(paper), flags=re.MULTILINE
    )
    assert blocks
    answered = [head for head, block in blocks if ANSWER.search(" ".join(block.split()))]
    assert answered == [head for head, _ in blocks]


def test_a_reply_that_is_missing_or_of_no_entry_is_seen() -> None:
    """The comparison of a page with the ledger can fail, in both directions."""
    entries = {
        "a.lemma1": "violated",
        "a.lemma2": "vacuous",
        "a.lemma3": "holds",
        "b.x": "violated",
    }
    accused = _accused("a", entries | {"a.lemma1.repaired": "violated"})
    assert accused == {"a.lemma1", "a.lemma2"}
    assert accused - _named("a", "Lemma 1 (``a.lemma1``)\n   *Met*: ``@in-mean``.\n") == {
        "a.lemma2"
    }
    assert _named("a", "``a.lemma3``, ``a.lemma1``") - accused == {"a.lemma3"}
