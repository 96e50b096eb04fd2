from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import peer_environments, peers
from benchmarks.effectiveness.peers import LANGUAGE_NAMES
from benchmarks.peer_environments import install, java, missing, peers_folder, runnable
from benchmarks.peer_list import PEERS, Peer
from benchmarks.peers import clones, scores_of


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
def test_a_peer_is_told_the_language_in_its_own_words_or_not_at_all(peer: Peer) -> None:
    assert peer.default.startswith("default")
    for language in LANGUAGE_NAMES:
        assert peer.knows(language)
        assert peer.options(peer.default, language).get("language") == peer.languages.get(language)
    assert peer.knows("ruby") == (not peer.languages)


@pytest.mark.parametrize("peer", PEERS.values(), ids=list(PEERS))
def test_a_peer_that_is_not_there_is_missing(peer: Peer, tmp_path: Path) -> None:
    assert missing(peer, tmp_path) == "not installed"
    assert runnable(tmp_path) == ({}, dict.fromkeys(PEERS, "not installed"))


def environment(peer: Peer, folder: Path, stamp: str) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / peer.name)], check=True)
    (folder / peer.name / "installed").write_text(stamp)


def test_an_environment_without_the_package_is_said_not_to_start(tmp_path: Path) -> None:
    peer = PEERS["copydetect"]
    environment(peer, tmp_path, "\n".join(peer.packages) + "\n")
    assert "does not start" in missing(peer, tmp_path)


def test_an_environment_of_another_version_is_not_taken_for_this_one(tmp_path: Path) -> None:
    environment(PEERS["copydetect"], tmp_path, "copydetect==0.1\n")
    assert missing(PEERS["copydetect"], tmp_path) == "installed is copydetect==0.1; --install replaces it"


@pytest.mark.parametrize("peer", [PEERS["jscpd"], PEERS["jplag"]], ids=["npm", "maven"])
def test_an_installer_that_is_not_there_is_named_and_leaves_nothing_that_looks_whole(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert peer.installer.replace("maven", "mvn") in install(peer, tmp_path)
    assert missing(peer, tmp_path) == "not installed"


def jdk(folder: Path, version: str) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "javac").touch()
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return folder


def test_the_newest_jdk_is_taken_unless_it_is_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_environments, "_JDKS", ((str(tmp_path / "jvm"), "*"),))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "home", "17.0.15")))
    assert java() is None
    newer = jdk(tmp_path / "jvm" / "newer", "25")
    jdk(tmp_path / "jvm" / "older", "21.0.1")
    (tmp_path / "jvm" / "no-jdk").mkdir()
    assert java() == newer / "bin" / "java"


def test_peers_do_not_lie_inside_this_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert peers_folder(str(tmp_path)) == tmp_path.resolve()
    monkeypatch.setenv(peer_environments.FOLDER_VARIABLE, str(tmp_path / "other"))
    assert peers_folder(None) == (tmp_path / "other").resolve()
    with pytest.raises(SystemExit, match="inside this repository"):
        peers_folder(str(Path(peers.__file__).parent))
    monkeypatch.delenv(peer_environments.FOLDER_VARIABLE)
    with pytest.raises(SystemExit, match="no folder for the peers"):
        peers_folder(None)


def test_the_driver_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    # -I: neither this repository nor what is installed for the user is on the path.
    driver = str(peers.HERE / "peer_driver.py")
    job = {"peer": "copydetect", "files": str(tmp_path), "queries": None, "options": dict[str, object]()}
    command = [sys.executable, "-I", "-S", driver]
    done = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True, check=False)
    assert "No module named 'copydetect'" in done.stderr


@pytest.mark.thorough
def test_what_a_command_used_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    large_here = bytes(400_000_000)
    small = peers.run((sys.executable, "-S", "-c", "import sys; print(sys.stdin.read())"), "given")
    assert small.stdout == "given\n"
    assert small.megabytes < len(large_here) / 4e6
    large = peers.run((sys.executable, "-S", "-c", "len(b'1' * 200_000_000)"))
    assert large.megabytes > 200
    with pytest.raises(subprocess.CalledProcessError) as failed:
        peers.run((sys.executable, "-S", "-c", "import sys; sys.exit('no')"))
    assert failed.value.stderr == "no\n"
    monkeypatch.setattr(peers, "SECONDS", 0.1)
    with pytest.raises(subprocess.TimeoutExpired):
        peers.run(("sleep", "60"))
