"""The walk on the page of the plug-in; the tests run its commands."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[3] / "elasticsearch-plugin" / "GUIDE.md"

SERVER = "localhost:9200"


@dataclass(frozen=True)
class Request:
    """A request; `body` has its JSON values, and is empty if there is no body."""

    method: str
    path: str
    body: tuple[Any, ...]


@dataclass(frozen=True)
class Step:
    """A command of the page, and its output there."""

    command: str
    output: str

    def run(self, server: str) -> str:
        """Runs it against a server, `HOST:PORT`."""
        command = self.command.replace(SERVER, server)
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, timeout=120)
        return done.stdout

    def request(self) -> Request:
        """The request that curl sends."""
        words = iter(shlex.split(self.command)[1:])
        method, url, data = "GET", "", ""
        for word in words:
            if word == "-X":
                method = next(words)
            elif word == "-d":
                data = next(words)
            elif word == "-H":
                next(words)
            elif not word.startswith("-"):
                url = word
        return Request(method, url.removeprefix(SERVER), values(data))


def steps() -> list[Step]:
    """The commands with curl, in their order."""
    blocks = re.findall(r"^```console\n\$ (curl .*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    found = []
    for block in blocks:
        end = block.rindex("\n'\n") + 2 if "\n'\n" in block else block.index("\n")
        found.append(Step(block[:end], block[end + 1 :]))
    return found


def console() -> list[Request]:
    """The requests in the syntax of Kibana's console."""
    (block,) = re.findall(r"^## The same in Kibana.*?^```\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    parts = re.split(r"^(GET|PUT|POST|DELETE) (\S+)\n", block, flags=re.MULTILINE)[1:]
    return [
        Request(method, path, values(body))
        for method, path, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]


def index_for_both() -> dict[str, Any]:
    """The index whose fields client and server fill."""
    (body,) = re.findall(r"^```\nPUT /both\n(\{.*?^\})\n```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    made: dict[str, Any] = json.loads(body)
    return made


def values(text: str) -> tuple[Any, ...]:
    """The JSON values in a text, one after the other."""
    decoder, at, found = json.JSONDecoder(), 0, []
    text = text.strip()
    while at < len(text):
        value, end = decoder.raw_decode(text, at)
        found.append(value)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return tuple(found)
