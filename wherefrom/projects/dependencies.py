"""What a project depends on, by its lock files and manifests, and the index of it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from wherefrom.errors import SourceError, UsageError
from wherefrom.projects.changes.comparison import is_installed_copy
from wherefrom.projects.fixed.finder import is_test
from wherefrom.results.indexing import DependencyReport, IndexReport
from wherefrom.sources.checkout import Checkout, WorkTree
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.listed import ListedSource
from wherefrom.sources.packages.closure import Closure, name_of, withheld, without_version
from wherefrom.sources.packages.locks import kind_of_lock, read_lock
from wherefrom.sources.packages.manifests import Stated, kind_of, stated_in
from wherefrom.sources.packages.own_registries import SETTINGS, OwnRegistry, names_registries, own_registries
from wherefrom.sources.packages.purl import parsed
from wherefrom.sources.source import Entry, Files
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field
from wherefrom.support.version import __version__
from wherefrom.support.writing import write_whole

MOST_FILES = 200  # at most this many lock files and manifests of a project are read, those nearest to its root
_NAMED = 5  # how many dependencies a warning names

_STATE = "dependencies.json"

_ASIDE = later(r"(?:^|/)(?:[^/]*[_.-])?(?:dev|docs?|examples?|samples?|bench(?:marks?)?|lint|ci)[/_.-]")
"""Files about what only developers of a project need, or what it shows."""

_INCLUDES = later(r"^[ \t]*(?:-r|-c|--requirement|--constraint)\b.*", re.MULTILINE)
"""Lines of requirements that name other files. Those are read by themselves."""


@dataclass(slots=True)
class Dependencies:
    """What a project says it depends on.

    Attributes:
        locked: what lock files name: directly and indirectly, each with its version; and whether the lock file says
            which registry has it.
        stated: what manifests without a lock file name, with the type of each: directly, often without a version.
        own: the names of the project's own packages, which are not its dependencies.
        elsewhere: the names of those that come from a path, a URL, or a registry that a manifest names for them.
        own_registries: the registries that its files name.
        warnings: what could not be read.
        digest: of all files that were read.
    """

    locked: dict[ListedSource, bool] = field(default_factory=dict)
    stated: list[tuple[str, Stated]] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    own_registries: set[OwnRegistry] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)
    digest: str = ""

    @staticmethod
    def of(files: Files) -> Dependencies:
        """Reads the lock files and manifests of a project. A lock file speaks for the manifests in its folder and below
        it. Those of installed packages do not count; those of tests and examples only say which packages are the
        project's own.
        """
        found, digest = Dependencies(), hashlib.sha256(__version__.encode())
        locked: set[tuple[str, str]] = set()
        manifests: dict[str, list[Stated]] = {}
        count = 0
        for path, content in _contents(files):
            digest.update(path.encode() + b"\n%d\n" % len(content or b"") + (content or b""))
            found.own_registries |= own_registries(path, content)
            kind, stated = kind_of(path) or "", stated_in(path, content or b"")
            found.own.update(name_of(kind, one) for one in stated if one.is_own)
            found.elsewhere.update(name_of(kind, one) for one in stated if one.is_elsewhere)
            if content is None or count == MOST_FILES or not (kind or kind_of_lock(path)):
                continue
            if is_test(path) or _ASIDE.search(path):
                continue
            count += 1
            if found._take_locked(path, content, locked):
                manifests[path] = stated
        for path, several in manifests.items():
            kind, folders = kind_of(path) or "", ["", *(path[: at.start()] for at in re.finditer("/", path))]
            if not any((kind, folder) in locked for folder in folders):
                wanted = [it for it in several if not (it.is_own or it.is_optional or it.is_elsewhere)]
                found.stated += ((kind, stated) for stated in wanted)
        found.digest = digest.hexdigest()
        return found

    def _take_locked(self, path: str, content: bytes, locked: set[tuple[str, str]]) -> bool:
        """Takes what a lock file names, and adds its type and folder to `locked`; false if it cannot be read."""
        kind = kind_of_lock(path)
        if kind is None:
            return True
        try:
            read = read_lock(path, _INCLUDES.sub("", content.decode("utf-8", "replace")))
        except UsageError as error:
            self.warnings.append(str(error))
            return False
        # Requirements are a manifest, too. They are a lock file if a tool wrote them, with hashes.
        if read is not None and (kind_of(path) is None or b"--hash" in content):
            # npm and Yarn take packages from the configured registry, whatever the lock file says.
            says_registry = path.endswith(".lock") and kind != "npm"
            self.locked |= dict.fromkeys(read.sources, says_registry)
            self.warnings += _summed("cannot be indexed", [it for it in read.left_out if not it.endswith("(a path)")])
            locked.add((kind, path.rpartition("/")[0]))
        return True


def _contents(files: Files) -> Iterator[tuple[str, bytes | None]]:
    """The lock files, manifests and settings of a project that are not of installed packages, those nearest to its root
    first; None for settings that cannot be read. Settings count even if git ignores them, or if they are of a venv.
    """
    named = [it for it in files.entries() if kind_of_lock(it.path) or kind_of(it.path) or names_registries(it.path)]
    entries = {entry.path: entry for entry in named if not is_installed_copy(entry.path)}
    root = files.root if isinstance(files, WorkTree) else files.path if isinstance(files, DirectorySource) else None
    if root is not None:
        folders = {folder for path in entries for folder in ("", *map(str, PurePosixPath(path).parents))}
        for path in sorted(str(PurePosixPath(folder, name)) for folder in folders for name in SETTINGS):
            if path not in entries and os.path.lexists(root / path):
                entries[path] = Entry(path, None, None, None, os.fsencode(path))
    ordered = sorted(entries.values(), key=lambda entry: (entry.path.count("/"), entry.path))
    contents = files.read(entry for entry in ordered if entry.skip is None)
    for entry in ordered:
        content = next(contents)[1] if entry.skip is None else entry.skip
        if isinstance(content, bytes):
            yield entry.path, content
        elif entry.path.endswith(SETTINGS):
            yield entry.path, None


class DependencyIndex:
    """The index of what one project depends on, in a folder of its own in the user's cache. Beside the index is a file
    with what it was made of, so that no registry has to answer again as long as nothing has changed.
    """

    def __init__(self, checkout: Checkout, cache: Path) -> None:
        name = re.sub("[^A-Za-z0-9._-]", "", checkout.root.name)[:40]
        key = hashlib.sha256(checkout.key.encode()).hexdigest()[:16]
        self._folder = cache.parent / "dependencies" / f"{key}-{name}"
        self.location = self._folder / "index"
        self._checkout, self._cache = checkout, cache

    def update(
        self, index: Callable[[list[ListedSource]], IndexReport], keep: Callable[[Collection[str]], None]
    ) -> DependencyReport:
        """Brings the index up to date: `index` indexes some sources in it, `keep` removes all but some keys from it.
        Raises SourceError if the project names no package, or if none can be indexed and there is no index yet.
        """
        named, state = Dependencies.of(self._checkout.work_tree()), self._state()
        # Manifests say ranges, so new releases are looked for every day.
        digest = f"{named.digest} {datetime.now(UTC).date() if named.stated else ''}"
        if state.get("digest") == digest and self.location.is_dir():
            return DependencyReport(str(self.location), int(state["packages"]), warnings=tuple(named.warnings))
        locked = {one: without_version(one.text) for one in named.locked}
        closure = Closure(self._cache, named.own_registries)
        closure.find(named.stated, {*locked.values(), *named.own, *named.elsewhere})
        earlier = map(str, state.get("found", [])) if closure.is_offline else ()
        found = dict.fromkeys([*closure.found, *earlier])
        unsure = [locked[one] for one, says_registry in named.locked.items() if not says_registry]
        hidden = {name for name in unsure if name.startswith("pkg:") and closure.is_withheld(parsed(name))}
        sources = [one for one, name in locked.items() if name not in named.own | hidden]
        sources += (ListedSource(purl, remote_only=True) for purl in found)
        warnings = [*named.warnings, *_summed("cannot be found", [*closure.problems, *map(withheld, sorted(hidden))])]
        if not sources:
            why = (
                "; ".join(warnings)
                or "it has no lock file or manifest that wherefrom reads; name the folder that has one"
            )
            raise SourceError(f"{visible(self._checkout.root)} names no package to index: {why}")
        self._folder.mkdir(parents=True, exist_ok=True)
        report = index(sources)
        failed = [f"{visible(it.key)}: {it.error}" for it in report.repositories if it.status == "failed"]
        if not (failed or hidden or closure.is_offline or report.interrupted):
            keep({it.key for it in report.repositories})
            values = {"digest": digest, "packages": len(sources), "found": [*found]}
            write_whole(self._folder / _STATE, json.dumps(values).encode())
        warnings += _summed("could not be brought up to date", failed)
        return DependencyReport(str(self.location), len(sources), report, tuple(warnings))

    def _state(self) -> dict[str, Any]:
        try:
            values = json.loads((self._folder / _STATE).read_bytes())
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}


def _summed(what: str, problems: list[str]) -> list[str]:
    count = "1 dependency" if len(problems) == 1 else f"{len(problems):,} dependencies"
    more = f"; and {len(problems) - _NAMED:,} more" if len(problems) > _NAMED else ""
    return [f"{count} {what}: {'; '.join(problems[:_NAMED])}{more}"] if problems else []
