"""`compose.yaml`: no Docker is needed to see that a real server takes its settings."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from uuid import uuid4

import pytest
import yaml

from tests.conftest import live_server
from tests.elasticsearch.installation import VERSIONS
from tests.elasticsearch.plugin.building import TARGET
from tests.elasticsearch.servers import Access, Node, Server, configured, nodes_folder, wait_for_start
from wherefrom.cli.settings import load
from wherefrom.engines import ElasticsearchOptions

ROOT = Path(__file__).parents[2]

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())

SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]

NODES = {name: service for name, service in SERVICES.items() if name not in {"certificates", "server"}}

MEMBERS = [name for name, service in NODES.items() if service.get("profiles") == ["three"]]

IMAGE = "docker.elastic.co/elasticsearch/elasticsearch:"


def test_one_node_by_default_and_three_or_one_with_the_plugin_in_a_profile() -> None:
    profiles = {name: service.get("profiles") for name, service in SERVICES.items()}
    assert profiles.pop("elasticsearch") is None
    assert profiles.pop("plugged") == ["plugin", "serve"]
    assert profiles.pop("server") == ["serve"]
    assert profiles == {name: ["three"] for name in ["certificates", *MEMBERS]}
    assert MEMBERS == ["es1", "es2", "es3"]


def test_the_version_is_the_one_that_is_tested() -> None:
    newest = max(VERSIONS.values(), key=version)
    images = {name: service["image"] for name, service in SERVICES.items()}
    assert images.pop("plugged") == f"wherefrom/elasticsearch:{newest}"
    assert images.pop("server") == "wherefrom"
    assert set(images.values()) == {f"{IMAGE}{newest}"}


def test_the_image_with_the_plugin_is_made_as_its_page_installs_it() -> None:
    plain, plugged = NODES["elasticsearch"], NODES["plugged"]
    build = plugged["build"]
    assert Path(ROOT, build["context"]) == TARGET
    base, copy, run = [line.split() for line in build["dockerfile_inline"].splitlines()]
    assert base == ["FROM", plain["image"]]
    assert copy == ["COPY", "analysis-wherefrom-*.zip", "/tmp/analysis-wherefrom.zip"]
    page = (ROOT / "elasticsearch-plugin" / "GUIDE.md").read_text()
    (command,) = re.findall(r"^bin/elasticsearch-plugin install .*$", page, re.MULTILINE)
    assert run == ["RUN", *command.split()[:-1], "file:///tmp/analysis-wherefrom.zip"]
    own = {"cluster.name": "wherefrom-plugged", "node.name": "plugged"}
    assert plugged["environment"] == plain["environment"] | own


def version(text: str) -> list[int]:
    return [int(part) for part in text.split(".")]


@pytest.mark.parametrize("name", NODES)
def test_a_node_is_reached_from_this_machine_only_and_keeps_its_data(name: str) -> None:
    service = NODES[name]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["environment"]["xpack.security.enabled"] == "true"
    assert service["environment"]["ELASTIC_PASSWORD"].startswith("${ELASTIC_PASSWORD:?")
    assert {volume.partition(":")[0] for volume in service["volumes"]} <= COMPOSE["volumes"].keys()
    assert any(volume.endswith(":/usr/share/elasticsearch/data") for volume in service["volumes"])


def test_no_two_share_a_port_or_data() -> None:
    for key in ("ports", "volumes"):
        own = [
            volume
            for service in (*NODES.values(), SERVICES["server"])
            for volume in service[key]
            if not volume.endswith(":ro")
        ]
        assert len(own) == len(set(own))


def test_the_server_gets_the_settings_of_the_node_as_the_command_takes_them() -> None:
    server = SERVICES["server"]
    assert server["build"] == "."
    assert server["ports"] == ["127.0.0.1:8765:8765"]
    assert [*server["depends_on"]] == ["plugged"]
    given = {name: value for name, value in server["environment"].items() if name != "WHEREFROM_TOKEN"}
    configuration = load({**given, "WHEREFROM_ELASTICSEARCH_PASSWORD": "secret"})
    settings = configuration.settings()
    assert settings.index == "elasticsearch://plugged:9200/code"
    assert configuration.engine(settings.index) == ElasticsearchOptions(user="elastic", password="secret")


@pytest.mark.nightly
@pytest.mark.parametrize("names", [["elasticsearch"], MEMBERS], ids=["one", "three"])
def test_a_real_server_takes_these_settings(names: list[str]) -> None:
    """All settings except the addresses. The command in the file makes the certificates."""
    given = NODES[names[0]]["environment"]
    settings = {key: value for key, value in given.items() if "." in key and key != "node.name"}
    assert [NODES[name]["environment"] for name in names] == [{**given, "node.name": name} for name in names]
    assert settings.pop("discovery.seed_hosts", names[0]) == ",".join(names)
    assert settings.pop("bootstrap.memory_lock") == "true"  # this machine may not allow it
    password = uuid4().hex
    with live_server(), nodes_folder(uuid4().hex) as folder:
        nodes = configured(folder, names, settings)
        if len(names) > 1:
            make_certificates(nodes)
        nodes[0].add_users(password, {"admin": "superuser"})
        for node in nodes[1:]:
            for name in ("users", "users_roles"):
                shutil.copy(nodes[0].folder / "config" / name, node.folder / "config")
        wait_for_start([node.launch() for node in nodes])
        made = Server(nodes, user="admin", password=password)
        made.wait_for_green()
        with pytest.raises(HTTPError, match="401") as refused:
            Access(made.url)("GET", "/_cluster/health")
        healthy = re.fullmatch(r".* grep --quiet '(.*)'", NODES[names[0]]["healthcheck"]["test"][1])
        assert healthy
        assert healthy[1] in refused.value.read().decode()


def make_certificates(nodes: Sequence[Node]) -> None:
    """Does the work of the service `certificates` in the folder of the first node instead of the volume."""
    service = SERVICES["certificates"]
    assert service["volumes"] == ["certificates:/usr/share/elasticsearch/config/certificates"]
    first, *rest = [node.folder / "config" / "certificates" for node in nodes]
    first.mkdir(mode=0o777)
    first.chmod(0o777)
    command, *arguments = (part.replace("$$", "$") for part in service["command"])
    for _ in range(2):  # the second time there is nothing to do
        wait_for_start([nodes[0].tool(f"/bin/{command}", *arguments)])
    for other in rest:
        shutil.copytree(first, other)
        for path in (other, *other.iterdir()):
            path.chmod(0o755)
