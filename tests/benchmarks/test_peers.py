from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import peers
from benchmarks.peers import PEERS, Peer, clones, missing, peers_folder, scores_of


def test_the_best_score_of_a_pair_counts() -> None:
    rows = [("q", "one", 2.0), ("q", "one", 5.0), ("q", "one", 3.0), ("q", "two", 1.0), ("r", "one", 4.0)]
    assert scores_of(rows) == {"q": {"one": 5.0, "two": 1.0}, "r": {"one": 4.0}}


def test_clones_between_a_query_and_a_file_are_added_up_whichever_comes_first() -> None:
    def clone(first: str, second: str, tokens: int) -> dict[str, object]:
        return {"firstFile": {"name": first}, "secondFile": {"name": second}, "tokens": tokens}

    report = [
        clone("/s/files/a/one.py", "/s/queries/q.py", 50),
        clone("/s/queries/q.py", "/s/files/a/one.py", 20),
        clone("/s/queries/q.py", "/s/files/two.py", 30),
        clone("/s/files/two.py", "/s/files/a/one.py", 90),
        clone("/s/queries/q.py", "/s/queries/r.py", 90),
    ]
    assert clones(report, Path("/s/files"), Path("/s/queries")) == {"q.py": {"a/one.py": 70.0, "two.py": 30.0}}


@pytest.mark.parametrize("peer", PEERS.values(), ids=list(PEERS))
def test_a_peer_that_is_not_there_is_missing(peer: Peer, tmp_path: Path) -> None:
    assert missing(peer, tmp_path) == "not installed"


def test_an_environment_without_the_package_is_said_not_to_start(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "copydetect")], check=True)
    assert "does not start" in missing(PEERS["copydetect"], tmp_path)


def test_peers_do_not_lie_inside_this_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert peers_folder(str(tmp_path)) == tmp_path.resolve()
    monkeypatch.setenv(peers.FOLDER_VARIABLE, str(tmp_path / "other"))
    assert peers_folder(None) == (tmp_path / "other").resolve()
    with pytest.raises(SystemExit, match="inside this repository"):
        peers_folder(str(Path(peers.__file__).parent))
    monkeypatch.delenv(peers.FOLDER_VARIABLE)
    with pytest.raises(SystemExit, match="no folder for the peers"):
        peers_folder(None)


def test_the_driver_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    # -I: neither this repository nor what is installed for the user is on the path.
    driver = str(peers.HERE / "peer_driver.py")
    job = {"peer": "copydetect", "files": str(tmp_path), "queries": None, "options": dict[str, object]()}
    command = [sys.executable, "-I", "-S", driver]
    done = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True, check=False)
    assert "No module named 'copydetect'" in done.stderr
