"""Servers with the plug-in. Each has a program folder of its own, since plug-ins are in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from tests.elasticsearch.installation import ROOT, USER, VERSIONS, Installation, installation, newest_jdk
from tests.elasticsearch.servers import Node, Server, configured, nodes_folder, wait_for_start

OLDEST = {21: "9.0.0", 25: "9.0.8"}
"""The oldest servers with stable plug-ins of this major version, by the oldest Java on which they start."""

NEWEST = VERSIONS[21]

NAME = "analysis-wherefrom"


def oldest() -> str:
    """The oldest server that starts on the Java of this machine."""
    java = newest_jdk(min(OLDEST))
    return OLDEST[max(version for version in OLDEST if version <= java.version)]


def own_installation(version: str, folder: Path) -> Installation:
    """A server of this version in a folder of its own, for installing plug-ins. Its files are links."""
    shared = installation(version)
    home = folder / f"elasticsearch-{version}"
    shutil.copytree(shared.home, home, copy_function=os.link, symlinks=True)
    if ROOT:
        for path in (home, *home.iterdir()):
            if path.is_dir():
                shutil.chown(path, USER)  # files are shared with the other installation
    return replace(shared, home=home)


def install(node: Node, archive: Path) -> None:
    """Installs the plug-in with the server's own program, from a folder that its user may read."""
    copy = node.folder / archive.name
    shutil.copy(archive, copy)
    copy.chmod(0o644)
    run_plugin_tool(node, "install", "--batch", copy.as_uri())


def remove(node: Node) -> None:
    """Removes the plug-in."""
    run_plugin_tool(node, "remove", NAME)


def run_plugin_tool(node: Node, *arguments: str) -> None:
    """Runs the server's program for plug-ins."""
    wait_for_start([node.tool("elasticsearch-plugin", *arguments)])


@contextmanager
def stopped_node(version: str, *, heap: int = 512, settings: Mapping[str, object] | None = None) -> Iterator[Node]:
    """A node of a version in a program folder of its own, without the plug-in, not started yet."""
    with nodes_folder(uuid4().hex) as folder:
        made = own_installation(version, folder)
        (node,) = configured(folder, ["plugged"], settings or {}, heap=heap, made=made)
        yield node


@contextmanager
def plugin_server(
    version: str, archive: Path, *, heap: int = 512, settings: Mapping[str, object] | None = None
) -> Iterator[Server]:
    """A server of a version with the plug-in."""
    with stopped_node(version, heap=heap, settings=settings) as node:
        install(node, archive)
        node.start()
        made = Server([node])
        made.wait_for_green()
        yield made
