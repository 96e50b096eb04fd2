"""The environments of the peers: for each tool a folder outside this repository, made by its installer."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.peer_list import PEERS, Peer

FOLDER_VARIABLE = "WHEREFROM_BENCHMARK_PEERS"
JAVA_RELEASE = 21
"""The oldest Java release on which JPlag runs."""

_HERE = Path(__file__).resolve().parent
_STAMP = "installed"
"""The file that lists the packages of an environment. It is written last."""

_JDKS = (("/usr/lib/jvm", "*"), ("/opt", "*"), ("/Library/Java/JavaVirtualMachines", "*/Contents/Home"))
_COPY_DEPENDENCIES = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


def peers_folder(argument: str | None) -> Path:
    """The folder of the environments: the argument, else the environment variable `FOLDER_VARIABLE`.

    Raises:
        SystemExit: neither is given, or the folder lies inside this repository.
    """
    chosen = argument or os.environ.get(FOLDER_VARIABLE)
    if not chosen:
        sys.exit(f"no folder for the peers; give --peers FOLDER or set {FOLDER_VARIABLE}")
    folder = Path(chosen).expanduser().resolve()
    if folder.is_relative_to(_HERE.parent):
        sys.exit(f"the peers must not lie inside this repository: {folder}; choose a folder outside")
    return folder


def add_peers_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--peers", metavar="FOLDER", help=f"where the peers are installed (default: ${FOLDER_VARIABLE})"
    )


def program(peer: Peer, folder: Path) -> Path:
    """The file that exists if the peer is installed."""
    return folder / peer.name / peer.program


def java() -> Path | None:
    """The program of the newest JDK on this machine, at least `JAVA_RELEASE`, or None if there is none.

    JDKs are looked for where JAVA_HOME and the path point to, and in the usual folders.
    """
    found = {home: _release(home) for home in _jdks()}
    newest = max(found, key=found.__getitem__, default=None)
    return newest / "bin" / "java" if newest is not None and found[newest] >= JAVA_RELEASE else None


def _jdks() -> Iterator[Path]:
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"])
    compiler = shutil.which("javac")
    if compiler:
        yield Path(compiler).resolve().parents[1]
    for folder, homes in _JDKS:
        yield from sorted(Path(folder).glob(homes))


def _release(home: Path) -> int:
    """The release of a JDK, or 0 if the folder is not a JDK."""
    if not (home / "bin" / "javac").exists() or not (home / "release").exists():
        return 0
    named = re.search(r'JAVA_VERSION="(\d+)', (home / "release").read_text())
    return int(named[1]) if named else 0


def versions(ready: Mapping[str, Peer]) -> str:
    """The versions of the peers, and of the JDK and Node that they run on."""
    found, node = java(), shutil.which("node")
    named = [f"JDK {_release(found.parents[1])}"] if found else []
    if node:
        version = subprocess.run((node, "--version"), capture_output=True, text=True, check=True).stdout
        named.append(f"Node {version.strip()}")
    return ", ".join([*named, *(" ".join(peer.packages) for peer in ready.values())])


def runnable(folder: Path) -> tuple[dict[str, Peer], dict[str, str]]:
    """The peers that can run, and for each other peer the reason why it cannot."""
    state = {name: missing(peer, folder) for name, peer in PEERS.items()}
    return {name: PEERS[name] for name, why in state.items() if not why}, {
        name: why for name, why in state.items() if why
    }


def missing(peer: Peer, folder: Path) -> str:
    """Why the peer cannot run; empty if it can."""
    stamp = folder / peer.name / _STAMP
    if not program(peer, folder).exists() or not stamp.exists():
        return "not installed"
    if stamp.read_text() != _made_of(peer):
        return f"installed is {' '.join(stamp.read_text().split())}; --install replaces it"
    if peer.installer == "pip":
        command = [str(program(peer, folder)), "-c", f"import {peer.packages[0].partition('==')[0]}"]
    elif peer.installer == "maven":
        found = java()
        if found is None:
            return f"no JDK of {JAVA_RELEASE} or newer was found; JAVA_HOME says where one is"
        command = [str(found), "--version"]
    elif peer.installer == "go":
        command = [str(program(peer, folder)), "-version"]
    else:
        command = [str(program(peer, folder)) if program(peer, folder).is_file() else "node", "--version"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        return f"installed, but does not start: {error}"
    return ""


def install(peer: Peer, folder: Path) -> str:
    """Makes the peer's environment from scratch. Returns an error, or an empty text. Installers use standard error."""
    inside = folder / peer.name
    shutil.rmtree(inside, ignore_errors=True)
    inside.mkdir(parents=True)
    try:
        for command in _commands(peer, inside):
            environment = {**os.environ, "GOBIN": str(inside)}
            subprocess.run(
                command, check=True, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, cwd=inside, env=environment
            )
    except OSError as error:
        return str(error)
    except subprocess.CalledProcessError as error:
        print(error.stderr, file=sys.stderr)
        last = (error.stderr.strip().splitlines() or ["no word"])[-1]
        return f"{error.cmd[0]} failed with {error.returncode}: {last.strip()}"
    (inside / _STAMP).write_text(_made_of(peer))
    return ""


def installed(folder: Path) -> dict[str, str]:
    """Installs the peers that are not there. Gives for each the reason why it cannot run; empty if it can."""
    state = {name: missing(peer, folder) for name, peer in PEERS.items()}
    return {name: why and (install(PEERS[name], folder) or missing(PEERS[name], folder)) for name, why in state.items()}


def _made_of(peer: Peer) -> str:
    return "\n".join(peer.packages) + "\n"


def _commands(peer: Peer, inside: Path) -> list[list[str]]:
    if peer.installer == "npm":
        quiet = ["--no-fund", "--no-audit", "--loglevel", "error"]
        return [["npm", "install", *quiet, "--prefix", str(inside), *peer.packages]]
    if peer.installer == "maven":
        (inside / "pom.xml").write_text(_project(peer))
        repository = f"-Dmaven.repo.local={inside / 'repository'}"
        return [["mvn", "-q", "-B", repository, _COPY_DEPENDENCIES, f"-DoutputDirectory={inside / peer.program}"]]
    if peer.installer == "go":
        return [["go", "install", *peer.packages]]
    pip = [str(inside / "bin" / "python"), "-m", "pip"]
    return [[sys.executable, "-m", "venv", str(inside)], [*pip, "install", "--quiet", *peer.packages]]


def _project(peer: Peer) -> str:
    """The pom.xml of a project that only depends on the packages."""
    named = [package.split(":") for package in peer.packages]
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
        for group, name, version in named
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>benchmarks</groupId><artifactId>peer</artifactId><version>1</version>"
        f"<dependencies>{dependencies}</dependencies></project>\n"
    )
