"""A server in this process and its client, for the tests that need no wire."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client

from tests.patience import HANGS
from verify.cli.assistants.command import IMPORTS
from verify.cli.assistants.server import server
from verify.cli.assistants.workspace import Workspace
from verify.run.workers import make_ready


def asking(
    scenario: Callable[[Client], Awaitable[Any]], folder: Path, *, files: bool = False
) -> Any:
    """What a scenario gives, played with a client of a server in a folder."""

    async def played() -> Any:
        with anyio.fail_after(HANGS):
            async with Client(server(Workspace.of(folder), files)) as client:
                return await scenario(client)

    make_ready(IMPORTS)
    return anyio.run(played)


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The fields of an answer that must be one."""
    found = await client.call_tool(tool, arguments)
    assert not found.is_error, found.content
    assert found.structured_content is not None
    return dict(found.structured_content)


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """The text of a refusal that must be one."""
    found = await client.call_tool(tool, arguments)
    assert found.is_error, found.structured_content
    return str(found.content[0].text)  # type: ignore[union-attr]
