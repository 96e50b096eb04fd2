"""nginx, Caddy and a server of S3's protocol (moto) serve a published index as they are installed. S3 answers a request
for several ranges with the whole file.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.engines.conftest import SCHEMES
from tests.engines.published.conftest import answers
from tests.processes import HANGS
from wherefrom.engines.published.address import PublishedOptions
from wherefrom.engines.published.engine import PublishedEngine
from wherefrom.engines.published.http import WebPlace
from wherefrom.errors import UnusableIndex

NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  {more}
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""

CADDY = "{{\n admin off\n auto_https off\n}}\nhttp://127.0.0.1:{port} {{\n root * {root}\n {more}\n file_server\n}}\n"


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        return int(listening.getsockname()[1])


def is_up(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def put(url: str, content: bytes) -> None:
    """Stores a bucket or a file that everybody may read."""
    headers = {"x-amz-acl": "public-read", "Content-Type": "application/octet-stream"}
    urlopen(Request(url, content, headers, method="PUT"), timeout=HANGS).close()


Start = Callable[..., str]


@pytest.fixture
def start(folder: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts a server of the folder with the index, with further lines in its configuration; returns its URL. Skips
    the test if the server is not installed; fails if CI is set.
    """
    running: list[subprocess.Popen[bytes]] = []

    def call(name: str, more: str = "") -> str:
        port = free_port()
        if name == "s3":
            command = [sys.executable, "-m", "moto.server", f"--port={port}"]
        else:
            found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
            if found is None:
                (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{name} is not installed")
            configuration = tmp_path / "configuration"
            text = NGINX if name == "nginx" else CADDY
            configuration.write_text(text.format(folder=tmp_path, port=port, root=folder.parent, more=more))
            options = ["-c"] if name == "nginx" else ["run", "--adapter=caddyfile", "--config"]
            command = [found, *options, str(configuration)]
        environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        running.append(process)
        until = time.monotonic() + HANGS
        while not is_up(port):
            assert process.poll() is None, command
            assert time.monotonic() < until
        url = f"http://127.0.0.1:{port}/{folder.name}/"
        if name == "s3":
            put(url[:-1], b"")  # makes the bucket
            for path in folder.iterdir():
                put(url + path.name, path.read_bytes())
        return url

    yield call
    for process in running:
        process.terminate()
        process.communicate(timeout=HANGS)


def read(url: str) -> list[Any]:
    with closing(PublishedEngine(WebPlace(url, PublishedOptions(timeout=20.0)), SCHEMES)) as engine:
        return answers(engine)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["nginx", "caddy", "s3"])
def test_the_answers_are_those_of_the_folder(start: Start, expected: list[Any], name: str) -> None:
    assert read(start(name)) == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "more"), [("nginx", "gzip on; gzip_types *; gzip_min_length 1;"), ("caddy", "encode gzip")]
)
def test_compression_is_not_asked_for(start: Start, expected: list[Any], name: str, more: str) -> None:
    assert read(start(name, more)) == expected


def test_single_ranges_are_enough(start: Start, expected: list[Any]) -> None:
    assert read(start("nginx", "max_ranges 1;")) == expected


def test_a_server_without_ranges_is_an_error(start: Start) -> None:
    with pytest.raises(UnusableIndex, match="without ranges"):
        read(start("nginx", "max_ranges 0;"))
