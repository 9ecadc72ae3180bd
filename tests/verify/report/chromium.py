"""A headless Chromium through its debugging pipe, with the standard library alone."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.patience import HANGS

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
    "--hide-scrollbars",
    "--mute-audio",
)
PATIENCE = HANGS


def binary() -> str | None:
    """Path of an installed Chromium or Chrome; the variable CHROMIUM goes first."""
    named = os.environ.get("CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One tab: send commands, evaluate, and look at what happened."""

    def __init__(self, pipe: Pipe, session: str) -> None:
        self._pipe, self._session = pipe, session

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the DevTools protocol."""
        return self._pipe.call(method, params, self._session)

    def evaluate(self, expression: str) -> Any:
        """Value of a JavaScript expression; promises are awaited."""
        found = self.send(
            "Runtime.evaluate",
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"])
        return found["result"].get("value")

    def events(self, name: str) -> list[dict[str, Any]]:
        """What was reported under this name so far."""
        self.evaluate("0")
        return [e["params"] for e in self._pipe.seen if e["method"] == name]

    def open(self, url: str) -> None:
        """Load a page and wait until it is there."""
        self.send("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            assert time.monotonic() < end, f"not within {PATIENCE} s: {expression}"
            time.sleep(0.02)

    def size(self, width: int, height: int) -> None:
        """Set the window's size in CSS pixels."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )

    def scheme(self, name: str) -> None:
        """Prefer ``light`` or ``dark``."""
        feature = {"name": "prefers-color-scheme", "value": name}
        self.send("Emulation.setEmulatedMedia", features=[feature])

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press and release a key."""
        common = {"key": key, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path: Path) -> None:
        """Save what the window shows."""
        data = self.send("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))


class Pipe:
    """Messages to and from the browser, separated by zero bytes."""

    def __init__(self, out: int, back: int) -> None:
        self._out, self._back, self._rest, self._last = out, back, b"", 0
        self.seen: list[dict[str, Any]] = []

    def call(self, method: str, params: dict[str, Any], session: str = "") -> dict[str, Any]:
        """Send a command and wait for its answer; events on the way are kept."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        end = time.monotonic() + PATIENCE
        while True:
            found = self._read(end)
            if found.get("id") == self._last:
                assert "error" not in found, (method, found["error"])
                return dict(found["result"])
            if "method" in found:
                self.seen.append(found)

    def _read(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._back], [], [], max(end - time.monotonic(), 0))
            assert ready, f"the browser did not answer within {PATIENCE} s"
            more = os.read(self._back, 1 << 16)
            assert more, "the browser has gone"
            self._rest += more
        raw, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(raw))


@contextlib.contextmanager
def browser(command: str) -> Iterator[Page]:
    """Start a browser with one empty tab that reports its console, errors and requests."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # the browser reads from descriptor 3 and writes to 4; lift the originals out of the way
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (theirs_in, theirs_out)]

        def place() -> None:
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        process = subprocess.Popen(
            [command, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(3, 4),
            preexec_fn=place,
        )
        for fd in (theirs_in, theirs_out, *high):
            os.close(fd)
        try:
            pipe = Pipe(ours_out, ours_in)
            tab = pipe.call("Target.createTarget", {"url": "about:blank"})["targetId"]
            session = pipe.call("Target.attachToTarget", {"targetId": tab, "flatten": True})
            page = Page(pipe, str(session["sessionId"]))
            for domain in ("Page", "Runtime", "Network", "Log"):
                page.send(f"{domain}.enable")
            page.send("Emulation.setFocusEmulationEnabled", enabled=True)
            yield page
        finally:
            with contextlib.suppress(OSError, AssertionError):
                pipe.call("Browser.close", {})
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            os.close(ours_in)
            os.close(ours_out)
