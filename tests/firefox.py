"""Drives Firefox by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), which Debian's Firefox speaks by itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import axe_playwright_python  # type: ignore[import-untyped]  # has no types
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.browsing import LONGEST_WAIT

_LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")

_AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()

_PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}
"""Settings that keep Firefox from asking other hosts."""


class Firefox:
    """A tab of Firefox. `problems` has the errors of scripts and of the policy."""

    def __init__(self, connection: ClientConnection) -> None:
        self.problems: list[str] = []
        self._connection = connection
        self._numbers = count(1)
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self._tab = self.send("browsingContext.create", type="tab")["context"]

    def send(self, method: str, **parameters: Any) -> Any:
        """Sends a command, and returns its result."""
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._connection.recv(timeout=LONGEST_WAIT / 1000))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.problems.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def open(self, address: str) -> None:
        """Opens an address, and waits until it is loaded."""
        self.send("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, which may be a promise."""
        wrapped = f"(async () => JSON.stringify(await ({expression})) ?? 'null')()"
        answer = self.send("script.evaluate", expression=wrapped, target={"context": self._tab}, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def until(self, expression: str) -> None:
        """Waits until an expression is true."""
        self.evaluate(f"(async () => {{ while (!({expression})) await new Promise(requestAnimationFrame); }})()")

    def click(self, selector: str) -> None:
        """Clicks an element."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key: str) -> None:
        """Presses a key, as WebDriver names it."""
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        actions = [{"type": "key", "id": "keyboard", "actions": keys}]
        self.send("input.performActions", context=self._tab, actions=actions)

    def resize(self, width: int) -> None:
        """Gives the page this width."""
        self.send("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": 900})

    def violations(self) -> list[str]:
        """The problems that axe finds, in words."""
        self.evaluate(f"(() => {{ {_AXE} }})()")
        found = self.evaluate("axe.run()")["violations"]
        return [f"{one['id']}: {node['html'][:300]} {node['failureSummary']}" for one in found for node in one["nodes"]]

    def choose(self, selector: str, paths: Sequence[Path]) -> None:
        """Chooses files in an `<input type="file">`."""
        located = {"type": "css", "value": selector}
        [node] = self.send("browsingContext.locateNodes", context=self._tab, locator=located)["nodes"]
        element = {"sharedId": node["sharedId"]}
        self.send("input.setFiles", context=self._tab, element=element, files=[str(path) for path in paths])


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Firefox with an empty profile. Without Firefox the test is skipped, or fails if CI is set."""
    program = shutil.which("firefox") or shutil.which("firefox-esr")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("Firefox is not found; install it (on Debian: firefox-esr)", pytrace=False)
        pytest.skip("Firefox is not found; install it (on Debian: firefox-esr)")
    with tempfile.TemporaryDirectory(prefix="wherefrom-firefox-") as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items()]
        Path(profile, "user.js").write_text("\n".join(lines))
        command = [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        environment = {**os.environ, "HOME": profile, "MOZ_HEADLESS": "1"}
        with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment) as process:
            try:
                assert process.stderr is not None
                address = next(found[1].decode() for line in process.stderr if (found := _LISTENS.search(line)))
                # Firefox would wait if nobody read its messages. A busy machine may keep it from answering a ping.
                threading.Thread(target=process.stderr.read, daemon=True).start()
                with connect(f"{address}/session", max_size=None, proxy=None, ping_interval=None) as connection:
                    yield Firefox(connection)
            finally:
                process.terminate()
