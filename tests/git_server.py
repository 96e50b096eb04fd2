"""A server of git repositories over HTTP that fails when a test wants it to."""

from __future__ import annotations

import os
import select
import subprocess
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from tests.repositories import ENVIRONMENT

Answer = int | str | None
"""The answer to a request: an HTTP status; `reset` to cut the connection; `hang` for no answer until the client is
gone; None for the answer of git."""


class Request(NamedTuple):
    """A request of a client: first `refs`, then `ls-refs` and `fetch`."""

    repository: str
    command: str


class GitServer:
    """The server of the repositories in a folder, run by `git http-backend`.

    Attributes:
        folder: the folder of the repositories.
        requests: all requests in their order.
        plan: gives the answer to a request; each connection calls it in a thread.
        left: set when a client has given up a request that hangs.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.base = ""
        self.requests: list[Request] = []
        self.plan: Callable[[Request], Answer] = lambda _: None
        self.left = threading.Event()

    def url(self, repository: str) -> str:
        """The URL of a repository."""
        return f"{self.base}/{repository}"

    def count(self, repository: str, command: str) -> int:
        """How often a command for a repository was requested."""
        return self.requests.count(Request(repository, command))

    def fail_first(self, **answers: list[Answer]) -> None:
        """Gives these answers to the first requests for each repository."""
        left = defaultdict(list, {name: [*given] for name, given in answers.items()})
        self.plan = lambda request: (
            left[request.repository].pop(0) if request.command == "refs" and left[request.repository] else None
        )


@contextmanager
def serve(folder: Path) -> Iterator[GitServer]:
    """Runs the server during the block, and ends it even if requests hang."""
    made = GitServer(folder)
    is_over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self._serve(b"")

        def do_POST(self) -> None:
            self._serve(self.rfile.read(int(self.headers["Content-Length"])))

        def _serve(self, body: bytes) -> None:
            path, _, query = self.path.partition("?")
            command = "refs" if not body else "fetch" if b"command=fetch" in body else "ls-refs"
            request = Request(path.split("/")[1], command)
            made.requests.append(request)
            answer = made.plan(request)
            if answer == "hang":
                self._hang()
            elif isinstance(answer, int):
                self.send_error(answer)
            elif answer is None:
                self._ask_git(path, query, body)
            self.close_connection = True

        def _hang(self) -> None:
            while not is_over.is_set():
                ready, _, _ = select.select([self.connection], [], [], 0.05)
                if ready and not self.connection.recv(1 << 16):
                    made.left.set()
                    return

        def _ask_git(self, path: str, query: str, body: bytes) -> None:
            environment = {
                **os.environ,
                **ENVIRONMENT,
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            }
            answer = subprocess.run(
                ["git", "-c", "safe.directory=*", "http-backend"],
                env=environment,
                input=body,
                capture_output=True,
                check=False,
            )
            head, _, content = answer.stdout.partition(b"\r\n\r\n")
            headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
            self.send_response(int(headers.pop("Status", "200").split()[0]))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Ignores errors: some tests want a client to go away."""

    with Server(("127.0.0.1", 0), Handler) as http:
        made.base = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield made
        finally:
            is_over.set()
            http.shutdown()
            thread.join()
