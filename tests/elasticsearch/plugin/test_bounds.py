"""The plug-in's memory does not grow with the text."""

from __future__ import annotations

import subprocess
from typing import NamedTuple

import pytest

from tests.elasticsearch.installation import newest_jdk
from tests.elasticsearch.plugin.building import OLDEST_JDK, Built

MILLIONS = 60
"""Characters of each text: several times the memory of the processes."""


class Text(NamedTuple):
    """A text, and how it is analyzed.

    Attributes:
        first: its beginning.
        repeated: follows again and again, with another number in place of each `%`.
        tokenizer: `code` or `text`.
        settings: of the filter.
        heap: the most memory of the process, in MB.
    """

    first: str
    repeated: str
    tokenizer: str = "code"
    settings: str = ""
    heap: int = 24


@pytest.mark.nightly
@pytest.mark.parametrize(
    "text",
    [
        Text("", "a% = b%;"),
        Text('"', "a string that never ends %"),
        Text("/*", "a comment that never ends %"),
        Text("", "oneword%"),
        Text("`${", "{`${%"),
        Text("", "<"),
        Text("", "a% = b%;", settings="representation=p_match,k=64,w=4096"),
        Text("", "words% of prose ", tokenizer="text", settings="representation=text"),
        Text("", "oneword%", tokenizer="text", settings="representation=text"),
        Text("", "a%;", settings="unique=true,w=1,k=1", heap=64),
    ],
)
def test_a_text_without_an_end_is_analyzed_in_little_memory(plugin: Built, text: Text) -> None:
    java = str(newest_jdk(OLDEST_JDK).home / "bin" / "java")
    command = [java, f"-Xmx{text.heap}m", "-XX:+UseSerialGC", "-cp", plugin.classes, "wherefrom.elasticsearch.Endless"]
    arguments = [text.tokenizer, text.settings, text.first, text.repeated, str(MILLIONS)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (int(done.stdout) > 0) == (text.first != "/*")
