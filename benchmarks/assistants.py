"""How soon ``fedassay mcp`` is ready, and how soon its first verdict is there.

``python -m benchmarks.assistants`` starts it a few times as a client does. It prints the seconds
of the clock on the wall beside the load of the machine; and, of Linux, the processor seconds that
the server had spent when it was ready, and that all its processes had spent when the first verdict
was there: what an idle machine with one core would have taken for both.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

CLAIMS = ("5*x*y <= (x+y)**2 for x, y >= 0", "4*x*y <= (x+y)**2 for x, y >= 0")
TIMES = 5


def spent(parent: int) -> float:
    """Processor seconds of all processes below one, those that have ended among them."""
    found: dict[int, tuple[int, float]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks = sum(int(fields[k]) for k in (11, 12, 13, 14))  # its own, and of ended children
        found[int(path.parent.name)] = (int(fields[1]), ticks / os.sysconf("SC_CLK_TCK"))
    below, more = {parent}, True
    while more:
        new = {pid for pid, (above, _) in found.items() if above in below} - below
        below, more = below | new, bool(new)
    return sum(found[pid][1] for pid in below - {parent})


async def once(folder: str) -> tuple[float, ...]:
    """Seconds until the tools are listed, until the first verdict, and of the second call."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "verify.cli", "mcp", "--workspace", folder],
        env=dict(os.environ),
    )
    began, here = time.monotonic(), os.getpid()
    async with Client(stdio_client(command)) as client:
        await client.list_tools()
        ready, busy = time.monotonic() - began, spent(here)
        words = []
        for claim in CLAIMS:
            found = await client.call_tool("check", {"claim": claim})
            words.append((found.structured_content or {})["word"])
            if len(words) == 1:
                first, all_busy = time.monotonic() - began, spent(here)
        second = time.monotonic() - began - first
    assert words == ["violated", "proved"]
    return ready, first, second, busy, all_busy


def main() -> None:
    """Print a line for each start."""
    print("ready  first verdict  next verdict  load   processor: ready  first verdict")
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            ready, first, second, busy, all_busy = anyio.run(once, folder)
        load = os.getloadavg()[0]
        print(
            f"{ready:5.2f}  {first:13.2f}  {second:12.2f}  {load:4.1f}  "
            f"{busy:16.2f}  {all_busy:13.2f}"
        )


if __name__ == "__main__":
    main()
