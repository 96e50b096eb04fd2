"""Installation, upgrades and removal. An index without its plug-in loses nothing, and the message says why."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.conftest import live_server
from tests.elasticsearch.plugin.building import Built
from tests.elasticsearch.plugin.servers import (
    NAME,
    NEWEST,
    install,
    oldest,
    own_installation,
    remove,
    run_plugin_tool,
    stopped_node,
)
from tests.elasticsearch.servers import Access, Node, wait_until
from wherefrom.support.version import __version__

CODE = "".join(f"total_{number} = add(first[{number}], second[{number}]);\n" for number in range(40))

MAPPING = {
    "settings": {"number_of_replicas": 0},
    "mappings": {
        "properties": {
            "code": {"type": "text", "analyzer": "wherefrom_code", "search_analyzer": "wherefrom_code_search"},
        }
    },
}


def started(node: Node) -> Access:
    """Starts a node; returns access to it."""
    node.start()
    return Access(f"http://{node.host}")


def found(server: Access, index: str = "code") -> int:
    """The number of documents of the index that match the code in it."""
    answer = server("POST", f"/{index}/_search", {"query": {"match": {"code": CODE}}})
    count: int = answer["hits"]["total"]["value"]
    return count


def versions(server: Access) -> dict[str, str]:
    """The plug-ins that are installed."""
    return {it["component"]: it["version"] for it in server("GET", "/_cat/plugins?format=json")}


def of_version(archive: Path, version: str, folder: Path) -> Path:
    """The plug-in with another version in its descriptor, like a later release."""
    made = folder / f"{NAME}-{version}.zip"
    with zipfile.ZipFile(archive) as given, zipfile.ZipFile(made, "w") as changed:
        for name in given.namelist():
            content = given.read(name)
            if name == "stable-plugin-descriptor.properties":
                content = content.replace(f"version={__version__}".encode(), f"version={version}".encode(), 1)
            changed.writestr(name, content)
    return made


@pytest.mark.nightly
def test_the_zip_holds_the_plugin_and_nothing_of_the_server(plugin: Built, tmp_path: Path) -> None:
    with zipfile.ZipFile(plugin.archive) as archive:
        assert sorted(archive.namelist()) == [
            "LICENSE",
            f"{NAME}-{__version__}.jar",
            "named_components.json",
            "stable-plugin-descriptor.properties",
        ]
        descriptor = archive.read("stable-plugin-descriptor.properties").decode()
        (jar,) = [name for name in archive.namelist() if name.endswith(".jar")]
        archive.extract(jar, tmp_path)
    properties = dict(line.split("=", 1) for line in descriptor.splitlines() if line)
    assert properties == {
        "name": NAME,
        "description": "Winnowing of code and prose inside Elasticsearch",
        "version": __version__,
        "java.version": "21",
        "elasticsearch.version": "9.0.0",
    }
    with zipfile.ZipFile(tmp_path / jar) as classes:
        names = [name for name in classes.namelist() if name.endswith(".class")]
    assert names
    assert all(name.startswith("wherefrom/elasticsearch/") for name in names)


@pytest.mark.nightly
def test_an_index_outlives_upgrades_of_server_and_plugin_and_the_lack_of_it(plugin: Built, tmp_path: Path) -> None:
    with live_server(), stopped_node(oldest()) as node:
        install(node, plugin.archive)
        server = started(node)
        assert versions(server) == {NAME: __version__}
        server("PUT", "/code", MAPPING)
        server("PUT", "/plain", {"settings": {"number_of_replicas": 0}})
        server("PUT", "/code/_doc/1?refresh=true", {"code": CODE})
        server("PUT", "/plain/_doc/1?refresh=true", {"code": CODE})
        assert found(server) == 1

        # A newer server with the same zip.
        node.kill()
        node.installation = own_installation(NEWEST, node.folder.parent)
        shutil.rmtree(node.folder / "config")
        node.configure()
        install(node, plugin.archive)
        server = started(node)
        green(server, "code")
        assert found(server) == 1

        # A newer plug-in.
        node.kill()
        remove(node)
        install(node, of_version(plugin.archive, "0.99.0", tmp_path))
        server = started(node)
        green(server, "code")
        assert versions(server) == {NAME: "0.99.0"}
        server("PUT", "/code/_doc/2?refresh=true", {"code": CODE + "more(1);"})
        assert found(server) == 2

        server("PUT", "/closed", MAPPING)
        server("PUT", "/closed/_doc/1?refresh=true", {"code": CODE})
        server("POST", "/closed/_close")

        # None: the server starts, says why the index is not there, and has everything else.
        node.kill()
        remove(node)
        server = started(node)
        green(server, "plain")
        assert versions(server) == {}
        assert "wherefrom_code" in why_not_there(server)
        assert server("GET", "/plain/_count")["count"] == 1
        with pytest.raises(HTTPError):
            found(server)
        assert "wherefrom_code" in refusal(lambda: server("PUT", "/new", MAPPING))
        assert "wherefrom_code" in refusal(lambda: server("POST", "/closed/_open"))

        # And again: everything is as it was.
        node.kill()
        install(node, plugin.archive)
        server = started(node)
        green(server, "code")
        assert found(server) == 2
        server("POST", "/closed/_open")
        green(server, "closed")
        assert found(server, "closed") == 1


@pytest.mark.nightly
def test_the_tool_refuses_to_install_it_twice(plugin: Built) -> None:
    with live_server(), stopped_node(NEWEST) as node:
        install(node, plugin.archive)
        with pytest.raises(RuntimeError, match="already exists"):
            install(node, plugin.archive)
        remove(node)
        with pytest.raises(RuntimeError, match="not found"):
            run_plugin_tool(node, "remove", NAME)


def green(server: Access, index: str) -> None:
    """Waits until an index can be used."""
    wait_until(lambda: server("GET", f"/_cluster/health/{index}")["status"] == "green", f"a green {index}", 60)


def why_not_there(server: Access) -> str:
    """The server's explanation for the index without its analyzer, after it has tried to open it."""
    explanations: list[str] = []

    def explained() -> bool:
        explanations[:] = [json.dumps(explanation(server))]
        return "wherefrom_code" in explanations[0]

    wait_until(explained, "an explanation", 60)
    return explanations[0]


def explanation(server: Access) -> Any:
    """Why the primary of the index is not allocated."""
    return server("POST", "/_cluster/allocation/explain", {"index": "code", "shard": 0, "primary": True})


def refusal(call: Callable[[], object]) -> str:
    """The server's answer to a request that it refuses."""
    with pytest.raises(HTTPError) as refused:
        call()
    return refused.value.read().decode()
