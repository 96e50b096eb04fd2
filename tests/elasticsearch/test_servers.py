"""The servers that the other tests need."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.elasticsearch import installation
from tests.elasticsearch.installation import Unavailable
from tests.elasticsearch.servers import Access, nodes_folder, process_of

ROOT = Path(__file__).parents[2]


def test_the_shared_server_answers(elasticsearch: Access, elasticsearch_location: Callable[[], str]) -> None:
    location = elasticsearch_location()
    assert location.startswith("elasticsearch")
    name = location.rpartition("/")[2]
    elasticsearch("PUT", f"/{name}", {"settings": {"number_of_replicas": 0}})
    assert elasticsearch("GET", f"/_cluster/health/{name}?wait_for_status=green")["status"] == "green"
    elasticsearch.remove(name)
    assert elasticsearch("GET", f"/{name}*") == {}


@pytest.mark.nightly
@pytest.mark.usefixtures("elasticsearch")
def test_nodes_of_a_killed_test_run_are_killed_by_the_next() -> None:
    script = """
import sys
from tests.elasticsearch.servers import process_of, server
with server() as made:
    print(process_of(made.nodes[0].folder), made.nodes[0].folder, flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        process, folder = running.stdout.readline().split()
        running.kill()
    assert process_of(Path(folder)) == int(process)
    with nodes_folder("test"):
        assert not Path(folder).exists()
        until = time.monotonic() + 60  # a killed process with a large heap takes a while to end
        while (state := state_of(process)) and not state.startswith("Z"):
            assert time.monotonic() < until
            time.sleep(0.1)


def state_of(process: str) -> str:
    """The state that `ps` shows; empty if there is no such process."""
    return subprocess.run(["ps", "-o", "stat=", "-p", process], capture_output=True, text=True, check=False).stdout


def test_the_reason_is_given_if_there_is_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "jdks", list)
    with pytest.raises(Unavailable, match="JDK 17 or newer"):
        installation.installation()


@pytest.mark.parametrize("ci", [False, True])
def test_tests_without_a_server_are_skipped_in_plain_sight_and_fail_in_ci(ci: bool, tmp_path: Path) -> None:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "WHEREFROM", "CI"))
    }
    environment |= {"PYTHONPATH": str(tmp_path), "CI": "true"} if ci else {"PYTHONPATH": str(tmp_path)}
    (tmp_path / "sitecustomize.py").write_text(
        "from tests.elasticsearch import installation\ninstallation.jdks = list\n"
    )
    environment["PYTHONPATH"] += f"{os.pathsep}{ROOT}"
    test = "tests/elasticsearch/test_servers.py::test_the_shared_server_answers"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == int(ci), done.stdout
    assert "no live Elasticsearch: no JDK 17 or newer; install one" in done.stdout
    assert ("1 tests did not run" in done.stdout) == (not ci)
