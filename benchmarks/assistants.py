"""How soon ``fedassay mcp`` is ready, and how soon its first verdict is there.

``python -m benchmarks.assistants`` starts the server a few times as a client does. It prints seconds
of the clock on the wall beside the load of the machine, and the processor seconds of the server.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

CLAIMS = ("5*x*y <= (x+y)**2 for x, y >= 0", "4*x*y <= (x+y)**2 for x, y >= 0")
TIMES = 5


async def once(folder: str) -> tuple[float, ...]:
    """Seconds until the tools are listed, until the first verdict, and of the second call."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "verify.cli", "mcp", "--workspace", folder],
        env=dict(os.environ),
    )
    began = time.monotonic()
    async with Client(stdio_client(command)) as client:
        await client.list_tools()
        ready = time.monotonic() - began
        words = []
        for claim in CLAIMS:
            found = await client.call_tool("check", {"claim": claim})
            words.append((found.structured_content or {})["word"])
            if len(words) == 1:
                first = time.monotonic() - began
        second = time.monotonic() - began - first
    assert words == ["violated", "proved"]
    return ready, first, second


def main() -> None:
    print("ready  first verdict  next verdict  load  processor seconds")
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as folder:
            ready, first, second = anyio.run(once, folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        load = os.getloadavg()[0]
        print(f"{ready:5.2f}  {first:13.2f}  {second:12.2f}  {load:4.1f}  {spent:17.2f}")


if __name__ == "__main__":
    main()
