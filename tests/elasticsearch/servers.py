"""Real Elasticsearch servers on loopback, as nodes in folders.

A folder of nodes belongs to the processes that have its lock. If its pytest was killed, nobody has the lock; the next
process that finds the folder kills its nodes by their process ids and removes it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import time
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from typing import Any
from uuid import uuid4

from tests.elasticsearch.installation import CACHE, ROOT, USER, Installation, installation, locked
from tests.processes import HANGS
from wherefrom.support.system import system

LOCATION_VARIABLE = "WHEREFROM_TEST_ELASTICSEARCH"
"""Names a server, without a password, that the tests use in place of their own: `elasticsearch://HOST:PORT`."""

START_SECONDS = 900.0
"""On a busy machine, three nodes that start at the same time take minutes."""

FAST_START = ("-XX:TieredStopAtLevel=1", "-XX:-UseG1GC", "-XX:+UseSerialGC")
"""Without the second compiler and the concurrent collector, a server starts in half the processor time."""


@contextmanager
def nodes_folder(name: str) -> Iterator[Path]:
    """A folder for nodes, shared by all processes that use this name at the same time. The last process to leave kills
    its nodes and removes it. Folders that no process uses any more are removed as well.
    """
    folder = CACHE / "nodes" / name
    with locked(CACHE / "nodes.lock"):
        folder.mkdir(parents=True, exist_ok=True)
        mine = (folder / "users.lock").open("a")
        system.lock(mine.fileno(), shared=True, wait=True)
        for other in folder.parent.iterdir():
            remove_if_free(other)
    try:
        yield folder
    finally:
        with locked(CACHE / "nodes.lock"):
            mine.close()
            remove_if_free(folder)


def remove_if_free(folder: Path) -> None:
    """Kills the nodes of a folder and removes it, unless a process has its lock."""
    with (folder / "users.lock").open("a") as file:
        try:
            system.lock(file.fileno())
        except BlockingIOError:
            return
        for path in folder.iterdir():
            if path.is_dir():
                kill_node(path)
        shutil.rmtree(folder)


@dataclass(eq=False)
class Access:
    """The address of a server, and the credentials.

    Attributes:
        url: `http://HOST:PORT` or `https://HOST:PORT`.
        ca: the certificate that signed the server's.
    """

    url: str
    user: str = ""
    password: str = ""
    ca: Path | None = None

    @classmethod
    def of(cls, location: str) -> Access:
        """Access to `elasticsearch://HOST:PORT` or `elasticsearch+https://HOST:PORT`, as wherefrom writes it."""
        scheme, _, host = location.rstrip("/").partition("://")
        return cls(f"{'https' if scheme.endswith('https') else 'http'}://{host}")

    def index(self, name: str) -> str:
        """The location of an index on this server, as wherefrom writes it, without credentials."""
        scheme, _, host = self.url.partition("://")
        return f"elasticsearch{'+https' if scheme == 'https' else ''}://{host}/{name}"

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        """Sends JSON; returns the JSON of the answer.

        Raises:
            urllib.error.HTTPError: the server refuses.
            OSError: it does not answer.
        """
        return json.loads(self.send(method, path, None if body is None else json.dumps(body).encode()) or b"null")

    def send(self, method: str, path: str, data: bytes | None, *, timeout: float = 30) -> bytes:
        """Sends bytes; returns the bytes of the answer, which may take `timeout` seconds."""
        request = urllib.request.Request(f"{self.url}{path}", data, method=method)
        request.add_header("Content-Type", "application/json")
        if self.user:
            request.add_header("Authorization", f"Basic {b64encode(f'{self.user}:{self.password}'.encode()).decode()}")
        context = ssl.create_default_context(cafile=self.ca) if self.ca else None
        with urllib.request.urlopen(request, timeout=timeout, context=context) as answer:
            content: bytes = answer.read()
        return content

    def remove(self, name: str) -> None:
        """Removes every index with a name that begins with `name`, and its aliases, even if it is blocked."""
        found = self("GET", f"/{name}*?expand_wildcards=all&features=settings")
        if found:
            self("PUT", f"/{','.join(sorted(found))}/_settings", {"index.blocks.read_only": None})
            self("DELETE", f"/{','.join(sorted(found))}")


def free_port() -> int:
    """A port on which nothing listens."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(eq=False)
class Node:
    """A server process with a folder for its configuration, data and logs.

    Attributes:
        folder: its own; the name is the node's.
        settings: of `elasticsearch.yml`, in addition to those of all nodes here.
        heap: in MB.
        java: options of its Java, in addition to those of all nodes here.
    """

    installation: Installation
    folder: Path
    settings: Mapping[str, object] = field(default_factory=dict)
    heap: int = 512
    java: Sequence[str] = FAST_START
    http: int = field(default_factory=free_port)
    transport: int = field(default_factory=free_port)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.http}"

    def configure(self) -> None:
        """Writes the folder."""
        config = self.folder / "config"
        shutil.copytree(self.installation.home / "config", config)
        settings = {
            "cluster.name": self.folder.parent.name,
            "node.name": self.folder.name,
            "path.data": str(self.folder / "data"),
            "path.logs": str(self.folder / "logs"),
            "network.host": "127.0.0.1",
            "http.port": self.http,
            "transport.port": self.transport,
            "cluster.routing.allocation.disk.threshold_enabled": False,
            "xpack.security.enabled": False,
            "xpack.security.autoconfiguration.enabled": False,
            **self.settings,
        }
        (config / "elasticsearch.yml").write_text(json.dumps(settings))  # JSON is YAML
        options = [f"-Xms{self.heap}m", f"-Xmx{self.heap}m", "-Xlog:disable", *self.java, mark(self.folder)]
        (config / "jvm.options.d" / "tests.options").write_text("\n".join(options))
        if ROOT:
            for path in (self.folder, *self.folder.rglob("*")):
                shutil.chown(path, USER)

    def add_users(self, password: str, roles: Mapping[str, str]) -> None:
        """Makes a user for each of the names, with a role and the same password. It starts the server's program only
        once, since that takes seconds.
        """
        first, *others = roles
        wait_for_start([self.tool("elasticsearch-users", "useradd", first, "-p", password, "-r", roles[first])])
        users, assigned = self.folder / "config" / "users", self.folder / "config" / "users_roles"
        _, _, digest = users.read_text().strip().partition(":")
        with users.open("a") as file:
            file.writelines(f"{name}:{digest}\n" for name in others)
        with assigned.open("a") as file:
            file.writelines(f"{roles[name]}:{name}\n" for name in others)

    def launch(self) -> subprocess.Popen[str]:
        """Begins to start the node; the launcher ends when it is up."""
        return self.tool("elasticsearch", "--daemonize", "--pidfile", str(self.folder / "pid"))

    def start(self) -> None:
        """Starts it and waits until it is up."""
        wait_for_start([self.launch()])

    def shards(self) -> list[Path]:
        """The folders of the shards of the node."""
        return sorted((self.folder / "data" / "indices").glob("*/[0-9]*"))

    def tool(self, name: str, *arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
        """Starts one of the server's programs, or another by its full path, as a user who may do so."""
        return subprocess.Popen(
            [self.installation.home / "bin" / name, *arguments],
            env={
                "PATH": f"{self.installation.home / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(self.folder),
                "ES_JAVA_HOME": str(self.installation.java.home),
                "ES_PATH_CONF": str(self.folder / "config"),
            },
            cwd=self.folder,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            user=USER if ROOT else None,
            extra_groups=[] if ROOT else None,
        )

    def kill(self) -> None:
        """`kill -9`; returns when the process is gone."""
        kill_node(self.folder)

    def pause(self) -> None:
        """Stops the process until `resume`, like a machine that hangs."""
        os.kill(process_of(self.folder), signal.SIGSTOP)

    def resume(self) -> None:
        """Lets it go on."""
        os.kill(process_of(self.folder), signal.SIGCONT)


def mark(folder: Path) -> str:
    """An argument that tells the node of a folder from another process that got its id."""
    return f"-Dwherefrom.tests.node={folder}"


def process_of(folder: Path) -> int:
    """The process id of the node in a folder; 0 if none runs."""
    try:
        process = int((folder / "pid").read_text())
    except (OSError, ValueError):
        return 0
    line = subprocess.run(["ps", "-ww", "-o", "stat=,args=", "-p", str(process)], capture_output=True, check=False)
    running = mark(folder).encode() in line.stdout.split() and not line.stdout.startswith(b"Z")
    return process if running else 0


def kill_node(folder: Path) -> None:
    """Kills the node of a folder if one runs, and waits until it is gone."""
    process = process_of(folder)
    if process:
        os.kill(process, signal.SIGKILL)
        wait_until(lambda: not process_of(folder), f"the end of process {process}", 30)


def wait_for_start(launchers: Sequence[subprocess.Popen[str]]) -> None:
    """Waits for launchers, or other programs of the server.

    Raises:
        RuntimeError: one failed; quotes its output.
    """
    end = time.monotonic() + START_SECONDS
    for launcher in launchers:
        output, _ = launcher.communicate(timeout=end - time.monotonic())
        if launcher.returncode:
            raise RuntimeError(f"a server's program failed:\n{output}")


def wait_until(condition: Callable[[], object], what: str, seconds: float) -> None:
    """Polls a condition; an OSError (no server answers) counts as False.

    Raises:
        TimeoutError: it did not become true in time.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise TimeoutError(f"waited {seconds} s for {what}")


class Server(Access):
    """One or several nodes of a cluster, and access to the first."""

    def __init__(self, nodes: Sequence[Node], scheme: str = "http", **access: Any) -> None:
        super().__init__(f"{scheme}://{nodes[0].host}", **access)
        self.nodes = nodes

    def wait_for_green(self) -> None:
        """Waits until all nodes are there and every copy of every shard is complete."""
        query = f"wait_for_nodes={len(self.nodes)}&wait_for_status=green&timeout=1s"
        wait_until(lambda: not self("GET", f"/_cluster/health?{query}")["timed_out"], "a green cluster", HANGS)


def configured(
    folder: Path,
    names: Sequence[str],
    settings: Mapping[str, object],
    *,
    heap: int = 512,
    java: Sequence[str] = FAST_START,
    made: Installation | None = None,
) -> list[Node]:
    """The nodes of a cluster in a folder, not started yet; of another installation than all others, if it is given."""
    made = made or installation()
    nodes = [Node(made, folder / name, heap=heap, java=java) for name in names]
    if len(nodes) == 1:
        together: dict[str, object] = {"discovery.type": "single-node"}
    else:
        together = {
            "discovery.seed_hosts": [f"127.0.0.1:{node.transport}" for node in nodes],
            "cluster.initial_master_nodes": list(names),
        }
    for node in nodes:
        node.settings = {**together, **settings}
        node.configure()
    return nodes


@contextmanager
def shared_server() -> Iterator[Access]:
    """The server that LOCATION_VARIABLE names, or a node for all worker processes of this test run, which the first of
    them starts.
    """
    given = os.environ.get(LOCATION_VARIABLE)
    if given:
        yield Access.of(given)
        return
    with nodes_folder(os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid4().hex) as folder:
        with locked(folder / "start.lock"):
            address = folder / "url"
            if not address.exists():
                (node,) = configured(folder, ["shared"], {}, heap=1024)
                node.start()
                address.write_text(f"http://{node.host}")
        yield Access(address.read_text())


@contextmanager
def server(
    nodes: int = 1, settings: Mapping[str, object] | None = None, *, heap: int = 512, java: Sequence[str] = FAST_START
) -> Iterator[Server]:
    """A cluster of one's own."""
    with nodes_folder(uuid4().hex) as folder:
        names = [f"node{number}" for number in range(nodes)]
        made = Server(configured(folder, names, settings or {}, heap=heap, java=java))
        wait_for_start([node.launch() for node in made.nodes])
        made.wait_for_green()
        yield made


@contextmanager
def secured_server(roles: Mapping[str, object]) -> Iterator[Server]:
    """A node with passwords and TLS only, and a certificate that no system trusts. Each role, in the form of the
    server's `_security/role`, has a user of the same name with the administrator's password. (Roles are in files:
    the minimal distribution cannot make the index for roles that are sent.)
    """
    settings = {
        "xpack.security.enabled": True,
        "xpack.security.http.ssl.enabled": True,
        "xpack.security.http.ssl.certificate": "server.pem",
        "xpack.security.http.ssl.key": "server.key",
    }
    import trustme  # both take long to load, and only this needs them
    import yaml

    with nodes_folder(uuid4().hex) as folder:
        (node,) = configured(folder, ["secured"], settings)
        authority, config = trustme.CA(), node.folder / "config"
        authority.cert_pem.write_to_path(folder / "ca.pem")
        certificate = authority.issue_cert("127.0.0.1")
        certificate.cert_chain_pems[0].write_to_path(config / "server.pem")
        certificate.private_key_pem.write_to_path(config / "server.key")
        user, password = "administrator", uuid4().hex
        (config / "roles.yml").write_text(yaml.safe_dump(dict(roles)))  # the server wants each role on lines of its own
        node.add_users(password, {user: "superuser", **{name: name for name in roles}})
        node.start()
        made = Server([node], "https", user=user, password=password, ca=folder / "ca.pem")
        made.wait_for_green()
        yield made
