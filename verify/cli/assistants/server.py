"""The six tools, the resources and the prompts of the server.

What a tool takes and returns is told a client by the types of its function (``schemas``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import cleandoc
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.prompts.base import Prompt
from mcp.types import Tool

from bounds.numbers.validate import InvalidInput
from verify.catalogue.version import __version__
from verify.cli.assistants import texts
from verify.cli.assistants.answers import answer, mended, row, table
from verify.cli.assistants.calls import Call, Refusal
from verify.cli.assistants.children import Ended, Fault, in_child
from verify.cli.assistants.schemas import (
    ClaimAnswer,
    EntriesAnswer,
    MendsAnswer,
    PaperAnswer,
    TextAnswer,
    WordsAnswer,
)
from verify.cli.assistants.workspace import Workspace

__all__ = ["MANY", "SECONDS", "server"]

SECONDS = 20.0
"""Seconds of processor time of a call that names none."""
LONGEST = 600.0
"""Most seconds of a call."""
MANY = 10
"""Most claims of one call: what is told of each must be enough to act on."""
AT_ONCE = 4
"""Calls that are computed at once; others wait for their turn."""
PROBLEM = 1_800
"""Characters of a refusal."""


class _Server(MCPServer[Any]):
    """A server whose definitions are short."""

    async def list_tools(self) -> list[Tool]:
        """The tools, without the titles that repeat the names of their arguments."""
        found = await super().list_tools()
        for one in found:
            one.description = cleandoc(one.description or "")
            one.input_schema.pop("title", None)
            for argument in one.input_schema["properties"].values():
                argument.pop("title", None)
        return found


def server(workspace: Workspace, files: bool) -> MCPServer[Any]:
    """The server of a workspace.

    Parameters
    ----------
    workspace : Workspace
    files : bool
        Whether files of statements in it may be run.
    """
    made = _Server(
        "fedassay", instructions=texts.INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    turns = anyio.Semaphore(AT_ONCE)

    async def asked(
        ctx: Context[Any, Any], tool: str, text: str, seconds: float, **more: Any
    ) -> Any:
        """The plain answer of a child; a refusal is told as one that the caller can mend."""
        call = Call(tool, text, workspace, files, _seconds(seconds), **more)
        steps = 0

        async def heard(rung: str, said: str) -> None:
            nonlocal steps
            steps += 1
            await ctx.report_progress(steps, None, f"{rung}: {said}")

        try:
            async with turns:
                found = await in_child(call, heard)
        except Ended as cut:
            if tool in ("check", "repair"):
                raise
            raise ToolError(f"what was sent is too much, {cut.reason}: send less.") from None
        except Fault as fault:
            raise ToolError(
                f"a fault of fedassay, not of what was sent, please report it: {fault}"[:PROBLEM]
            ) from None
        if isinstance(found, Refusal):
            raise ToolError(_problem(found))
        return found

    @made.tool()
    async def check(claim: str, ctx: Context[Any, Any], seconds: float = SECONDS) -> ClaimAnswer:
        """Whether a claim is true.

        One line, TeX allowed: `(1-h*m)**2 <= 1-h*m for h, m >= 0 given h*m <= 1`; or a key of the
        library. Only `proved` is a proof; report `leaves_open` with the word.
        """
        return await _judged(partial(asked, ctx, "check", claim, seconds), claim)

    @made.tool()
    async def check_many(
        claims: list[str], ctx: Context[Any, Any], seconds: float = SECONDS
    ) -> WordsAnswer:
        """The words of up to 10 claims, `seconds` for each; `explain` has all of the record."""
        if not 1 <= len(claims) <= MANY:
            raise ToolError(f"claims must be 1 to {MANY} lines, got {len(claims)}: send fewer.")
        rows = []
        for claim in claims:
            try:
                rows.append(await asked(ctx, "check", claim, seconds, short=True))
            except ToolError as error:
                rows.append(_refused(claim, str(error)))
            except Ended as cut:
                rows.append(row(claim, await _leaf(cut), None))
        record = workspace.write("table", {"rows": rows})
        return WordsAnswer.model_validate(table(rows, record["path"]))

    @made.tool()
    async def repair(claim: str, ctx: Context[Any, Any], seconds: float = 60.0) -> MendsAnswer:
        """What is true instead of a false claim: changes, each judged with a word of its own."""
        try:
            found = await asked(ctx, "repair", claim, seconds)
        except Ended as cut:
            found = mended(claim, await _leaf(cut), None)
        return MendsAnswer.model_validate(found)

    @made.tool()
    async def explain(file: str, ctx: Context[Any, Any], part: int = 1) -> TextAnswer:
        """A `proof` or `record` (witness by hand) that an answer named, as lines."""
        return TextAnswer.model_validate(await asked(ctx, "explain", file, SECONDS, part=part))

    @made.tool()
    async def paper(source: str, ctx: Context[Any, Any], part: int = 1) -> PaperAnswer:
        """The results of a LaTeX source as lines for `check_many`, or why one could not be read.

        `source` is its text, or NAME.tex in the workspace.
        """
        return PaperAnswer.model_validate(await asked(ctx, "paper", source, SECONDS, part=part))

    @made.tool()
    async def library(words: str, ctx: Context[Any, Any]) -> EntriesAnswer:
        """Statements of five papers on personalised federated learning, by words or a formula.

        `check` takes their keys.
        """
        return EntriesAnswer.model_validate(await asked(ctx, "library", words, SECONDS))

    _resources(made, workspace)
    for name, (about, argument, text) in texts.PROMPTS.items():
        made.add_prompt(Prompt.from_function(_filled(text, argument), name, description=about))
    return made


async def _judged(asked: Callable[[], Any], claim: str) -> ClaimAnswer:
    """An answer, or what was found until a child was stopped."""
    try:
        found = await asked()
    except Ended as cut:
        leaf = await _leaf(cut)
        witness = next((w for _, w in cut.evidence if w is not None), None)
        found = answer(claim, leaf, witness if leaf["verdict"] == "violated" else None)
    return ClaimAnswer.model_validate(found)


async def _leaf(cut: Ended) -> Any:
    """The leaf that the evidence of a stopped child earns."""

    def made() -> Any:
        from verify.run.tasks import Settings, Task, stopped  # it loads what judges

        return stopped(Task("line.claim", Settings()), cut.reason, cut.evidence).leaf

    return await anyio.to_thread.run_sync(made)


def _seconds(seconds: float) -> float:
    if not 0 < seconds <= LONGEST:
        raise ToolError(f"seconds must be in (0, {LONGEST:g}], got {seconds:g}: change it.")
    return seconds


def _problem(refusal: Refusal) -> str:
    """Why, the place, and what to write."""
    text = f"{refusal.reason}\n{refusal.marked}".strip()
    return text if len(text) <= PROBLEM else f"{text[:PROBLEM]} …"


def _refused(claim: str, reason: str) -> dict[str, Any]:
    return {"claim": claim, "word": "refused", "reason": reason, "record": ""}


def _resources(made: MCPServer[Any], workspace: Workspace) -> None:
    @made.resource("fedassay://grammar", mime_type="text/markdown")
    def grammar() -> str:
        """What may stand in a line."""
        return texts.GRAMMAR

    @made.resource("fedassay://verdicts", mime_type="text/markdown")
    def verdicts() -> str:
        """What each word means and leaves open."""
        return texts.verdicts()

    @made.resource("fedassay://proof/{name}", mime_type="application/json")
    def proof(name: str) -> str:
        """A proof that was written, for `fedassay verify-certificate`."""
        try:
            workspace.read(name)
            return (workspace.home / name).read_text(encoding="utf-8")
        except InvalidInput as error:
            raise ResourceError(str(error)) from None


def _filled(text: str, argument: str) -> Callable[..., str]:
    """A prompt's function; its argument's name is what a client is told."""
    if argument == "file":

        def of_file(file: str) -> str:
            return text.replace("{text}", file)

        return of_file

    def of_claim(claim: str) -> str:
        return text.replace("{text}", claim)

    return of_claim
