"""How well `fixed` tells the old form of a function from the new one, and how often it finds a form without reason.

`RECIPE` names real projects at a commit. Some commits of each history that mention a fix are looked up in the files
that they changed: before and after (also with all local names replaced), 200 commits earlier, and at the end; and in
projects that share no code.

    python -m benchmarks.fixed --corpus FOLDER

The clones are fetched into FOLDER/clones as OWNER+NAME; clones that are there already are used as they are.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import wherefrom
from benchmarks.corpus import add_corpus_option, corpus_folder
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason
from wherefrom.projects.fixed.finder import is_test
from wherefrom.results import Certainty, FixedFunction, FixedLocation, Form

EARLIER = 200
"""The files called earlier are from this many commits before a fix, from parent to first parent."""

MOST_FILES, MOST_LINES = 6, 200
"""A commit may change at most this many files and lines."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project at a commit: `OWNER/NAME` on GitHub, and the language and the number of fixes to look up."""

    name: str
    head: str
    language: str = ""
    fixes: int = 0

    @property
    def folder(self) -> str:
        """The name of the folder of the clone."""
        return self.name.replace("/", "+")


RECIPE = (
    Project("redis/redis", "4f8cdc2a1ea53e42955af758aabffee67cb455dd", "c", 50),
    Project("curl/curl", "5c61e168698a72b87437d58ed728bcdea6d5db42", "c", 50),
    Project("hashicorp/terraform", "883c7221ee2e0bc2fad6912fd4b3cc4b53a598a7", "go", 40),
    Project("laravel/framework", "bd71b45fbb7e672957bf6ff61baddefe15fbca6a", "php", 40),
    Project("psf/requests", "1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e", "python", 15),
    Project("pallets/flask", "2ac89889f4cc330eabd50f295dcef02828522c69", "python", 15),
    Project("pallets/click", "2c8cd3ac958a7eb316d67f2d316c27086c4c0369", "python", 20),
    Project("apache/commons-lang", "d15939ef46f0bd4144994df8be95cf5a7f91eb52", "java", 30),
    Project("expressjs/express", "a3714473feb3d2908add734d340e7755fd85e0a3", "javascript", 15),
    Project("vuejs/core", "e2bede96134f757aad5c5b33ac9be055022dbfc8", "typescript", 25),
    Project("rust-lang/cargo", "af373f761aa4e42b093c2e453078fd73c8ce54dd", "rust", 30),
    Project("rails/rails", "2a2db1e8d6d104ee0611efcae7eb023af65cff34", "ruby", 30),
)
"""The projects whose fixes are looked up. None shares code with another of them, or with the `UNRELATED`."""

UNRELATED = (
    Project("git/git", "1a3e64c6c4a623626ff0687008732a8e007e2a1c"),
    Project("libuv/libuv", "6179e7af87413396d5853a1c3722c8b5749336c8"),
    Project("jqlang/jq", "579e6f76cffd7643ba4002a2c3618a5ea710589a"),
    Project("TheAlgorithms/C", "e5dad3fa8def3726ec850ca66a7f51521f8ad393"),
    Project("prometheus/prometheus", "d15adb9ad7e5d9fbde3a9a8f30200593a5a14d86"),
    Project("gin-gonic/gin", "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9"),
    Project("composer/composer", "eba7baa59eb1b59246cf9800b0120fe78915b6ac"),
    Project("tornadoweb/tornado", "e530031405e2154654dedc4c84d5656b557ea310"),
    Project("aio-libs/aiohttp", "495e778360d1924da63e16dba0f0d76baf56a56a"),
    Project("scrapy/scrapy", "11079cb1c85b9e75a39a7269943c69d1a975d485"),
    Project("celery/celery", "5dc781f0bd5f36186bfcc74e0a4f9f654452c69b"),
    Project("sqlalchemy/sqlalchemy", "f35da7e2b9349a08b8de1f6bd3b07c8bf8616790"),
    Project("google/gson", "9835b6f90192f79cdf5300c528fc6212455fb6c1"),
    Project("iluwatar/java-design-patterns", "22a34127d0b08449c24cf7e230c04a097deca2f3"),
    Project("chartjs/Chart.js", "cb02e1d207bd4c4c40b20c259017f85f26f1e30a"),
    Project("moment/moment", "18aba135ab927ffe7f868ee09276979bed6993a6"),
    Project("markedjs/marked", "681373ccc058b5dc93c1f63291d755d7d714c2fa"),
    Project("reduxjs/react-redux", "a742e64a673bcec953e3456628760cb7a0597d7a"),
    Project("BurntSushi/ripgrep", "3fce3b5bb0236da2df6d99672afb8a719642eca7"),
    Project("quickwit-oss/tantivy", "70f0b039f5ea92ec6c38be4904f774b9d3444e65"),
    Project("sinatra/sinatra", "cb22afd7902b566b6eaba6c4ea89739494a65d12"),
)
"""Projects in the same languages that are indexed too."""


@dataclass(frozen=True, slots=True)
class SecurityFix:
    """A known fix, and for each repository the project, the revision, and the form of its code there."""

    title: str
    project: str
    change: str
    held: Mapping[str, tuple[str, str, Form]]


SECURITY_FIXES = (
    SecurityFix(
        "CVE-2024-31449, a vendored library",
        "redis/redis",
        "3a2669e8aea6723a7a3fb9daf0ea888435df9191",
        {
            "redis-6.2.5": ("redis/redis", "6.2.5", Form.OLD),
            "redis-7.0.0": ("redis/redis", "7.0.0", Form.OLD),
            "valkey-7.2.5": ("valkey-io/valkey", "7.2.5", Form.OLD),
            "valkey": ("valkey-io/valkey", "55bbbe09a3b37a98c907dbfbc225768ff253e84f", Form.NEW),
        },
    ),
    SecurityFix(
        "CVE-2024-31227, a fork",
        "redis/redis",
        "8ec5da785b89ce61923145bcd86c20f15d895be7",
        {
            "redis-7.0.0": ("redis/redis", "7.0.0", Form.OLD),
            "valkey-7.2.5": ("valkey-io/valkey", "7.2.5", Form.OLD),
            "valkey": ("valkey-io/valkey", "55bbbe09a3b37a98c907dbfbc225768ff253e84f", Form.NEW),
        },
    ),
    SecurityFix(
        "CVE-2022-37434, forks that go their own ways",
        "madler/zlib",
        "eff308af425b67093bab25f80f1ae950166bece1^..1eb7682f845ac9e9bf9ae35bbfb3bad5dacbd91d",
        {
            "cloudflare-zlib-2020": ("cloudflare/zlib", "4a94dad2771bfb1fe5a169878623b4632ee0a134", Form.OLD),
            "cloudflare-zlib-2022-05": ("cloudflare/zlib", "c9479d13ee1327b0c0ba6a2bd173619f08da5c91", Form.OLD),
            "cloudflare-zlib": ("cloudflare/zlib", "872e5fb3cf88bb281e19a8327b3ea0889cc34773", Form.NEW),
            "zlib-ng-2021-01": ("zlib-ng/zlib-ng", "7606b9f39a2c7701a30d06a786fb2a99334b1feb", Form.OLD),
            "zlib-ng-2022-06": ("zlib-ng/zlib-ng", "1bcd15eaf32dbfcd834f1b21f5894edd6b466095", Form.OLD),
            "zlib-ng": ("zlib-ng/zlib-ng", "94aacd8bd69b7bfafce14fbe7639274e11d92d51", Form.UNCLEAR),
        },
    ),
)
"""The form in each revision was read by hand. Today's zlib-ng has the fix in other code, so its form is unclear."""

_SAYS_FIXED = re.compile(r"\b(?:fix(?:e[sd]|ing)?|cve-\d+|vulnerab\w+|overflows?|crash(?:es)?|leaks?)\b", re.IGNORECASE)


class Clone:
    """A bare clone of a project."""

    def __init__(self, project: Project, folder: Path) -> None:
        self.project = project
        self.folder = folder / project.folder
        if not self.folder.exists():
            url = f"https://github.com/{project.name}.git"
            subprocess.run(["git", "clone", "--quiet", "--bare", url, str(self.folder)], check=True)

    def git(self, *arguments: str) -> bytes | None:
        """The output of a git command; None if it fails."""
        done = subprocess.run(["git", "-C", str(self.folder), *arguments], capture_output=True, check=False)
        return None if done.returncode else done.stdout

    def text(self, *arguments: str) -> str:
        """The output of a git command as text; empty if it fails."""
        return (self.git(*arguments) or b"").decode("utf-8", "replace")

    def fixes(self) -> Iterator[tuple[str, list[str]]]:
        """The first commits, by id, that mention a fix and change little, each with its changed files."""
        endings = LANGUAGES[self.project.language].extensions
        found = 0
        listed = self.text("log", "--no-merges", "--format=%H %s", self.project.head).splitlines()
        for line in sorted(listed):
            commit, _, subject = line.partition(" ")
            if found < self.project.fixes and _SAYS_FIXED.search(subject):
                paths = self._changed(commit, endings)
                if paths and self.git("rev-parse", "--verify", "--quiet", f"{commit}~{EARLIER}") is not None:
                    found += 1
                    yield commit, paths

    def _changed(self, commit: str, endings: Sequence[str]) -> list[str]:
        """The files of code that a commit changes; empty if it changes too much."""
        paths, lines = [], 0
        for row in self.text("diff-tree", "-r", "--no-commit-id", "--numstat", commit).splitlines():
            added, removed, path = row.split("\t", 2)
            if path.endswith(tuple(endings)) and not is_test(path) and added.isdigit():
                paths.append(path)
                lines += int(added) + int(removed)
        return paths if len(paths) <= MOST_FILES and lines <= MOST_LINES else []


def renamed(path: str, content: bytes) -> bytes:
    """A file with all names replaced, except those of members and of called functions."""
    analysis = analyze_file(path, content)
    if isinstance(analysis, SkipReason):
        return content
    stream = analysis.tokens
    made, end = [], 0
    names: dict[bytes, bytes] = {}
    for at in np.flatnonzero((stream.classes == TokenClass.NAME) & ~kept_names(stream)).tolist():
        begin, behind = int(stream.starts[at]), int(stream.ends[at])
        name = content[begin:behind]
        made += [content[end:begin], names.setdefault(name, b"%sv%d" % (b"$" * name.startswith(b"$"), len(names)))]
        end = behind
    return b"".join([*made, content[end:]])


@dataclass(frozen=True, slots=True)
class State:
    """A state of the files that a commit changed, and the form of their functions in this state."""

    name: str
    title: str
    revision: str
    form: Form
    is_renamed: bool = False


STATES = (
    State("before", "before the commit", "{commit}^", Form.OLD),
    State("before-renamed", "the same, renamed", "{commit}^", Form.OLD, is_renamed=True),
    State("after", "after the commit", "{commit}", Form.NEW),
    State("after-renamed", "the same, renamed", "{commit}", Form.NEW, is_renamed=True),
    State("earlier", f"{EARLIER} commits earlier", f"{{commit}}~{EARLIER}", Form.OLD),
    State("end", "end of the history", "{head}", Form.NEW),
)


def write_states(clone: Clone, commit: str, paths: Sequence[str], folder: Path) -> None:
    """Writes the files that a commit changed, in each state that has them."""
    for state in STATES:
        revision = state.revision.format(commit=commit, head=clone.project.head)
        for path in paths:
            target = folder / state.name / clone.project.folder / commit / path
            content = clone.git("cat-file", "blob", f"{revision}:{path}")
            if content is not None:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(renamed(path, content) if state.is_renamed else content)


@dataclass(frozen=True, slots=True)
class Told:
    """A location of a changed function, and where it was found: in a state, or in a project without the code."""

    where: str
    commit: str
    function: FixedFunction
    location: FixedLocation

    def __str__(self) -> str:
        at, each = self.location.occurrences[0], self.location
        return (
            f"{self.where}: {each.form} {each.score:+.2f} {each.match:.0f}% {self.commit} {self.function.path} "
            f"{self.function.name!r} {at.repository} {at.path}:{each.lines[0]}"
        )


def in_states(index: wherefrom.Index, clone: Clone, commit: str) -> Iterator[Told]:
    """The answers about each function of a commit, in the file that has it, in each state."""
    here = f"{clone.project.folder}/{commit}"
    states = [state.name for state in STATES]
    for function in index.fixed(commit, project=clone.folder, repositories=states, paths=[f"{here}/**"]).functions:
        for location in function.locations:
            for at in location.occurrences:
                if at.path == f"{here}/{function.path}":
                    yield Told(at.repository, f"{clone.project.name} {commit[:10]}", function, location)


def forms_table(told: Sequence[Told]) -> str:
    """The table of states: functions found, and right and wrong answers, once for all and once for the sure ones."""
    rows = []
    for state in STATES:
        found = [each.location for each in told if each.where == state.name]
        likely = [location.form is state.form for location in found if location.certainty is not None]
        sure = [location.form is state.form for location in found if location.certainty is Certainty.SURE]
        figures = (len(found), sum(likely), len(likely) - sum(likely), sum(sure), len(sure) - sum(sure))
        rows.append((state.title, *map(str, figures)))
    return table(("contents", "functions found", "right at 0.4", "wrong", "right at 0.7", "wrong"), rows)


def in_unrelated(index: wherefrom.Index, clone: Clone, commit: str, projects: Sequence[str]) -> Iterator[Told]:
    """The answers about each function of a commit in projects that do not have the code."""
    for function in index.fixed(commit, project=clone.folder, repositories=projects).functions:
        for location in function.locations:
            yield Told("unrelated", f"{clone.project.name} {commit[:10]}", function, location)


def unrelated_table(told: Sequence[Told]) -> str:
    """The table of locations in projects that do not have the code."""
    rows = []
    for form in Form:
        of_form = [each for each in told if each.location.form is form]
        sure = sum(each.location.certainty is Certainty.SURE for each in of_form)
        functions = len({id(each.function) for each in of_form})
        rows.append((f"{form}", str(functions), str(len(of_form)), str(sure)))
    return table(("form in unrelated projects", "functions", "contents", "of these sure"), rows)


def wrong(told: Sequence[Told]) -> list[Told]:
    """The wrong answers, and the answers in projects without the code."""
    forms = {state.name: state.form for state in STATES}
    return [
        each
        for each in told
        if each.where not in forms or (each.location.certainty and each.location.form is not forms[each.where])
    ]


def clone_of(name: str, folder: Path, head: str = "") -> Clone:
    """The clone of a project."""
    return Clone(Project(name, head), folder / "clones")


def security_table(folder: Path) -> str:
    """The table of security fixes, with the answer for each repository that has the code."""
    sources = {}
    for fix in SECURITY_FIXES:
        for name, (project, revision, _) in fix.held.items():
            sources[name] = wherefrom.ListedSource(clone_of(project, folder).folder, name=name, rev=revision)
    location = folder / "security.wherefrom"
    wherefrom.index_sources([*sources.values()], location, jobs=1)
    rows = []
    with wherefrom.open_index(location) as index:
        for fix in SECURITY_FIXES:
            clone = clone_of(fix.project, folder)
            found = index.fixed(fix.change, project=clone.folder, repositories=list(fix.held), itself=True).functions
            for name, (_, _, form) in fix.held.items():
                told = sorted(
                    f"{location.form}, {location.certainty}, {location.score:+.2f}, {location.occurrences[0].path}"
                    for function in found
                    for location in function.locations
                    if any(at.repository == name for at in location.occurrences)
                )
                rows.append((fix.title, name, str(form), "; ".join(told)))
    return table(("fix", "repository", "has", "told"), rows)


def prepared(folder: Path) -> tuple[Path, list[tuple[Clone, str]], list[Clone]]:
    """The index of all states and projects, the fixes, and the clones."""
    clones = [Clone(project, folder / "clones") for project in (*RECIPE, *UNRELATED)]
    fixes = [(clone, commit, paths) for clone in clones if clone.project.fixes for commit, paths in clone.fixes()]
    states = folder / "states"
    shutil.rmtree(states, ignore_errors=True)
    for clone, commit, paths in fixes:
        write_states(clone, commit, paths, states)
    sources = [wherefrom.ListedSource(states / state.name, name=state.name) for state in STATES]
    sources += [
        wherefrom.ListedSource(clone.folder, name=clone.project.name, rev=clone.project.head) for clone in clones
    ]
    wherefrom.index_sources(sources, folder / "fixed.wherefrom", jobs=1)
    return folder / "fixed.wherefrom", [(clone, commit) for clone, commit, _ in fixes], clones


def counted(fixes: Sequence[tuple[Clone, str]]) -> Iterator[tuple[Clone, str]]:
    """Yields the fixes, and prints the progress on standard error."""
    for number, fix in enumerate(fixes, 1):
        yield fix
        print(f"\r{number}/{len(fixes)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


TABLES = ("forms", "unrelated", "security")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_corpus_option(parser)
    parser.add_argument("--only", choices=TABLES, action="append", help="this table; repeatable (default: all)")
    parser.add_argument("--list", type=Path, help="write wrong answers and false hits to this file")
    options = parser.parse_args()
    folder = corpus_folder(options.corpus)
    tables = options.only or TABLES
    told: list[Told] = []
    if "forms" in tables or "unrelated" in tables:
        location, fixes, clones = prepared(folder)
        print(f"{len(fixes)} commits\n")
        with wherefrom.open_index(location) as index:
            if "forms" in tables:
                told += [each for clone, commit in counted(fixes) for each in in_states(index, clone, commit)]
                print(f"{forms_table(told)}\n", flush=True)
            if "unrelated" in tables:
                found = [
                    each
                    for clone, commit in counted(fixes)
                    for each in in_unrelated(
                        index, clone, commit, [other.project.name for other in clones if other is not clone]
                    )
                ]
                print(f"{unrelated_table(found)}\n", flush=True)
                told += found
    if "security" in tables:
        print(security_table(folder))
    if options.list is not None:
        options.list.write_text("".join(f"{each}\n" for each in wrong(told)))


if __name__ == "__main__":
    main()
