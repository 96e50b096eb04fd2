"""The plug-in's memory does not grow with the text."""

from __future__ import annotations

import subprocess

import pytest

from tests.elasticsearch.installation import newest_jdk
from tests.elasticsearch.plugin.building import OLDEST_JDK, Built

MILLIONS = 60
"""Characters of each text, several times what the processes may take."""


@pytest.mark.parametrize(
    ("tokenizer", "settings", "first", "repeated", "heap"),
    [
        ("code", "", "", "a% = b%;", 24),
        ("code", "", '"', "a string that never ends %", 24),
        ("code", "", "/*", "a comment that never ends %", 24),
        ("code", "", "", "oneword%", 24),
        ("code", "", "`${", "{`${%", 24),
        ("code", "", "", "<", 24),
        ("code", "representation=p_match,k=64,w=4096", "", "a% = b%;", 24),
        ("text", "", "", "words% of prose ", 24),
        ("text", "", "", "oneword%", 24),
        ("code", "unique=true,w=1,k=1", "", "a%;", 64),
    ],
)
def test_a_text_without_an_end_is_analyzed_in_little_memory(
    plugin: Built, tokenizer: str, settings: str, first: str, repeated: str, heap: int
) -> None:
    java = newest_jdk(OLDEST_JDK).home / "bin" / "java"
    command = [str(java), f"-Xmx{heap}m", "-XX:+UseSerialGC", "-cp", plugin.classes, "wherefrom.elasticsearch.Endless"]
    done = subprocess.run(
        [*command, tokenizer, settings, first, repeated, str(MILLIONS)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= (0 if first == "/*" else 1)
