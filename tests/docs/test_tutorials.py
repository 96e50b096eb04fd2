"""The tutorials: whoever follows a page from its first command to its last sees what it shows.

`python -m tests.docs.record` writes new outputs into the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from tests.docs.record import ON_SERVER, TUTORIALS, on_server
from tests.documentation import NOT_RUN, ROOT, examples, follow

WITHOUT_SERVER = sorted({*TUTORIALS.glob("*.md")} - {ON_SERVER})


def shows_what_is_printed(page: Path, folder: Path, stands_for: Mapping[str, str]) -> None:
    printed = follow(page, folder, stands_for)
    differences = [each for step in printed if (each := step.difference(printed[step]))]
    assert not differences, "\n\n".join(["", *differences, "python -m tests.docs.record writes these outputs"])


@pytest.mark.slow
@pytest.mark.parametrize("page", WITHOUT_SERVER, ids=lambda page: page.stem)
def test_a_page_shows_what_is_printed(page: Path, tmp_path: Path) -> None:
    shows_what_is_printed(page, tmp_path, {})


@pytest.mark.nightly
def test_the_page_with_a_server_shows_what_is_printed(
    elasticsearch_location: Callable[[], str], tmp_path: Path
) -> None:
    shows_what_is_printed(ON_SERVER, tmp_path, on_server(elasticsearch_location()))


def test_the_commands_that_are_not_run_start_the_server_that_is_tested_and_remove_it() -> None:
    start, stop = [
        each.command for page in TUTORIALS.glob("*.md") for each in examples(page) if each.command.startswith(NOT_RUN)
    ]
    service = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["elasticsearch"]
    *options, image = start.split()
    name = options[options.index("--name") + 1]
    assert image == service["image"]
    assert f"--env discovery.type={service['environment']['discovery.type']}" in start
    assert f"--publish {service['ports'][0]}" in start
    assert stop == f"docker rm --force --volumes {name}"
