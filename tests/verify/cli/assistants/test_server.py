"""The server as a client sees it: short definitions, short answers, limits, two calls at once."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.patience import HANGS
from tests.places import ROOT
from tests.verify.cli.assistants.asking import asking, refused, told
from verify.certify.checker import check as accepted
from verify.cli.assistants.answers import LARGEST
from verify.cli.assistants.words import MEANINGS
from verify.line import one_line
from verify.verdict.verdict import ORDER

LONG = "hcct.theorem2"
"""An entry whose judgement takes seconds."""


def test_at_most_six_tools_in_at_most_six_thousand_characters(tmp_path: Path) -> None:
    async def scenario(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = [one.model_dump(mode="json", by_alias=True, exclude_none=True)
             for one in asking(scenario, tmp_path)]  # fmt: skip
    assert len(tools) <= 6
    assert len(json.dumps(tools)) <= 6_000
    assert all(one["outputSchema"]["required"] for one in tools)
    fields = tools[0]["outputSchema"]["properties"]
    assert {"word", "conclusive", "means", "leaves_open", "scope", "best", "witness",
            "hypotheses", "proof"} <= set(fields)  # fmt: skip


def test_every_word_of_the_ladder_has_a_meaning_and_two_settle_by_evidence() -> None:
    assert set(MEANINGS) == set(ORDER)
    assert [word for word, one in MEANINGS.items() if one.conclusive] == [
        "proved", "violated", "vacuous",
    ]  # fmt: skip
    assert MEANINGS["holds"].leaves_open.startswith("NOT a proof")


def test_a_refusal_says_the_place_and_what_to_write_and_that_is_read(tmp_path: Path) -> None:
    async def scenario(client: Client) -> tuple[str, dict[str, Any]]:
        text = await refused(client, "check", claim="1/2x <= x for x >= 1")
        written = text.rpartition("write: ")[2]
        return text, await told(client, "check", claim=written)

    text, again = asking(scenario, tmp_path)
    assert "^^^^" in text
    assert "(1/2)*x" in text
    assert again["word"] == "proved"


def test_seconds_and_numbers_of_claims_have_limits_that_are_told(tmp_path: Path) -> None:
    async def scenario(client: Client) -> list[str]:
        many = ["x <= 1 for x in [0, 1]"] * 11
        return [
            await refused(client, "check", claim="x <= 1 for x in [0, 1]", seconds=0),
            await refused(client, "check", claim="x <= 1 for x in [0, 1]", seconds=1e9),
            await refused(client, "check_many", claims=many),
            await refused(client, "check_many", claims=[]),
            await refused(client, "check", claim="x + " * 2000 + "x <= 1"),
        ]

    low, high, many, none, long = asking(scenario, tmp_path)
    assert "(0, 600]" in low
    assert "(0, 600]" in high
    assert "1 to 10" in many
    assert "1 to 10" in none
    assert "at most 4000 characters" in long


def test_ten_claims_fit_into_an_answer_and_none_is_left_out(tmp_path: Path) -> None:
    long = " + ".join(f"x**{k}" for k in range(1, 60))
    claims = [f"x <= {k} for x in [0, {k}]" for k in range(1, 8)]
    claims += [f"{long} <= 60 for x in [0, 1]", "f(x) <= 1", "2 <= 1"]

    async def scenario(client: Client) -> tuple[int, dict[str, Any], str]:
        found = await client.call_tool("check_many", {"claims": claims})
        answer: Any = found.structured_content
        whole = await told(client, "explain", file=answer["record"])
        return len(found.content[0].text), answer, whole["text"]  # type: ignore[union-attr]

    size, answer, whole = asking(scenario, tmp_path)
    assert size <= LARGEST
    assert [one["word"] for one in answer["rows"]] == ["proved"] * 8 + ["refused", "violated"]
    assert "write * before a bracket, f*(x), if f is a number" in whole


def test_two_calls_at_once_are_answered_each_with_its_own(tmp_path: Path) -> None:
    claims = {
        "proved": "4*x*y <= (x+y)**2 for x, y >= 0",
        "violated": "5*x*y <= (x+y)**2 for x, y >= 0",
    }

    async def scenario(client: Client) -> dict[str, Any]:
        found: dict[str, Any] = {}

        async def one(word: str) -> None:
            found[word] = await told(client, "check", claim=claims[word])

        for _ in range(2):
            async with anyio.create_task_group() as group:
                for word in claims:
                    group.start_soon(one, word)
        return found

    assert {word: one["word"] for word, one in asking(scenario, tmp_path).items()} == {
        word: word for word in claims
    }


def test_rungs_are_told_and_a_call_that_is_left_takes_its_child_along(tmp_path: Path) -> None:
    told_so_far: list[str] = []

    async def scenario(client: Client) -> list[Any]:
        left, before = anyio.CancelScope(), {*multiprocessing.active_children()}

        async def seen(_done: float, _total: float | None, message: str | None) -> None:
            told_so_far.append(message or "")
            left.cancel()

        with left:
            await client.call_tool("check", {"claim": LONG, "seconds": 300}, progress_callback=seen)
        assert left.cancelled_caught
        with anyio.fail_after(HANGS):
            while {*multiprocessing.active_children()} - before:  # others are of other tests
                await anyio.sleep(0.05)
        return [await told(client, "check", claim="x <= 1 for x in [0, 1]")]

    assert asking(scenario, tmp_path)[0]["word"] == "proved"
    assert told_so_far[0].partition(":")[0] in ("hypotheses", "exact", "search")


def test_a_short_time_gives_a_word_that_says_so(tmp_path: Path) -> None:
    async def scenario(client: Client) -> dict[str, Any]:
        return await told(client, "check", claim=LONG, seconds=0.05)

    found = asking(scenario, tmp_path)
    assert found["word"] in ("inconclusive", "violated")
    assert found["word"] == "violated" or "time" in found["reason"]


def test_the_same_claim_has_the_same_words_and_files_in_another_workspace(tmp_path: Path) -> None:
    claim = "(1-h*m)**2 <= 1-h*m for h, m >= 0 given h*m <= 1, h <= 3"

    async def scenario(client: Client) -> dict[str, Any]:
        return await told(client, "check", claim=claim)

    answers = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        answers.append(asking(scenario, tmp_path / name))
    assert answers[0] == answers[1]


def test_resources_and_prompts(tmp_path: Path) -> None:
    async def scenario(client: Client) -> tuple[Any, ...]:
        made = await told(client, "check", claim="4*x*y <= (x+y)**2 for x, y >= 0")
        name = Path(made["proof"]["path"]).name
        texts = [
            (await client.read_resource(uri)).contents[0].text  # type: ignore[union-attr]
            for uri in (
                "fedassay://grammar",
                "fedassay://verdicts",
                f"fedassay://proof/{name}",
            )
        ]
        prompts = [one.name for one in (await client.list_prompts()).prompts]
        filled = await client.get_prompt("assay", {"claim": "x <= 1"})
        return texts, prompts, filled.messages[0].content.text  # type: ignore[union-attr]

    (grammar, verdicts, proof), prompts, filled = asking(scenario, tmp_path)
    examples = grammar.partition("Examples: ")[2].strip().splitlines()
    assert len(examples) == 5
    assert all(one_line(line).key == "line.claim" for line in examples)
    assert "NOT a proof" in verdicts
    assert all(accepted(one) for one in json.loads(proof)["proofs"])
    assert prompts == ["assay", "mend", "referee"]
    assert "x <= 1" in filled


def test_library_entries_are_found_by_words_and_by_a_formula(tmp_path: Path) -> None:
    async def scenario(client: Client) -> list[list[str]]:
        found = [
            await told(client, "library", words=words)
            for words in ("adaptive theorem 1", r"\sigma_\psi \phi collaboration weights")
        ]
        return [[one["key"] for one in answer["entries"]] for answer in found]

    words, formula = asking(scenario, tmp_path)
    assert "adaptive.theorem1" in words
    assert "adaptive.def1" in formula


def test_over_the_wire_nothing_else_is_written(tmp_path: Path) -> None:
    """The command itself, by the package's own client, started as a client starts it."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "verify.cli", "mcp", "--workspace", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    async def played() -> tuple[Any, Any, Any]:
        with anyio.fail_after(HANGS):
            async with Client(stdio_client(command)) as client:
                claim = "5*x*y <= (x+y)**2 for x, y >= 0"
                first = await told(client, "check", claim=claim)
                problem = await refused(client, "check", claim="import os")
                return first, problem, client.server_info

    first, problem, about = anyio.run(played)
    assert first["word"] == "violated"
    assert "write one of <=" in problem
    assert about.name == "fedassay"
