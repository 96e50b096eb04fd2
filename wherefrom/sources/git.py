"""Git repositories, read from their objects and never from a work tree."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path

from wherefrom.errors import GitError
from wherefrom.model import SkipReason
from wherefrom.sources.cat_file import blob_contents, read_listed
from wherefrom.sources.command import (
    GitFailed,
    LimitReached,
    complaint,
    local_environment,
    object_environment,
    records,
    run,
)
from wherefrom.sources.git_folder import (
    LOOKUP_SECONDS,
    TEXT_BYTES,
    common_dir,
    config_values,
    existing_git_dir,
    git_dir,
    objects,
    refuse_hostile,
    work_tree,
)
from wherefrom.sources.repository_urls import local_path, normalised, url_key
from wherefrom.sources.source import MAX_BYTES, MOST_FILES, MOST_PATHS, Entry, Source, is_blob, limited, local_key
from wherefrom.support.paths import path_text
from wherefrom.support.printable import visible
from wherefrom.support.system import system
from wherefrom.support.values import KW_ONLY, dataclass, replace

ATTRIBUTE_SECONDS = 120.0
"""Limit on git's matching of attributes: 100,000 files take about a second, hostile patterns for ever."""

LISTING_SECONDS = 600.0  # limit on listing the files of a revision; half a million take some seconds

LISTING_BYTES = MOST_PATHS + 100 * MOST_FILES
"""Limit on the output of `ls-tree` and `ls-files` in bytes: all paths, and less than 100 bytes before each path."""

_ATTRIBUTES_SIZE = 1_000_000  # limit on the bytes of one `.gitattributes`; a longer one is ignored
_ATTRIBUTES_TOTAL = 100_000_000  # limit on the bytes of all `.gitattributes` of one revision
_TAG_BYTES = 1 << 30

_SYMLINK = b"120000"

_REASONS = {b"linguist-generated": SkipReason.GENERATED, b"linguist-vendored": SkipReason.VENDORED}


def clone_environment(folder: Path) -> dict[str, str]:
    """The environment for commands that need no work tree. It overrides the configured one, which may not exist."""
    return local_environment(folder, GIT_WORK_TREE=str(folder))


def commit_seconds(folder: Path, commit: str) -> int:
    """The committer's time of a commit, in seconds since 1970. Raises GitError if it cannot be read."""
    return int(_commit_facts(folder, commit, ["rev-list", "--no-walk", "--timestamp"]).partition(b" ")[0])


def _commit_facts(folder: Path, commit: str, command: list[str]) -> bytes:
    with object_environment(objects(folder), len(commit)) as environment:
        answer = run([*command, commit], environment, seconds=LOOKUP_SECONDS)
    if answer.returncode or not answer.stdout:
        raise GitError(
            f"cannot read commit {commit[:12]} of {visible(folder)}: {complaint(answer.stderr)}; "
            "run `git fsck` there, or clone it again"
        )
    return answer.stdout


def tags(folder: Path, digits: int, *, seconds: float, most: int = 0) -> list[tuple[str, str, int]]:
    """Name, commit and date (seconds since 1970; 0 if it has none) of each tag of a commit, the oldest first, at most
    `most` (0: all). The object ids of the repository have `digits` digits. Raises GitError.
    """
    resolve(folder, None)  # raises an error if the repository would make git wait
    form = "--format=%(objectname) %(creatordate:unix) %(refname:strip=2)"
    listing = ["for-each-ref", "--sort=creatordate", f"--count={most}", form, "refs/tags"]
    peeling = ["cat-file", "--batch-check=%(objecttype) %(objectname)"]
    lines = partial(records, seconds=seconds, most_bytes=_TAG_BYTES, separator=b"\n")
    listed = [line.split(b" ", 2) for line in lines(listing, clone_environment(existing_git_dir(folder)))]
    with object_environment(objects(folder), digits) as environment:
        commits = [tag + b"^{commit}\n" for tag, _, _ in listed]
        peeled = [line.split(b" ") for line in lines(peeling, environment, stdin=commits)]
    return [
        (path_text(name), commit.decode("ascii"), int(date[:20] or 0))
        for (_, date, name), (kind, commit) in zip(listed, peeled, strict=True)
        if kind == b"commit"
    ]


def remote_key(folder: Path) -> str | None:
    """The repository key from the remote `origin` or the only remote; None if there is none. Raises GitError."""
    remotes = _remotes(folder)
    url = remotes.get("remote.origin.url") or (next(iter(remotes.values())) if len(remotes) == 1 else "")
    return normalised(url)


def remote_keys(folder: Path) -> set[str]:
    """The repository keys of all remotes: of the project itself, the original of a fork, or mirrors. A remote on this
    machine adds all keys under which it may be indexed, and the keys of its own remotes. Raises GitError.
    """
    keys: set[str] = set()
    waiting, seen = [folder], {Path(os.path.realpath(folder))}
    while waiting:
        place = waiting.pop()
        for url in _remotes(place).values():
            path = local_path(url)
            if path is None:
                keys.add(normalised(url) or "")
                continue
            with suppress(OSError):  # an unreadable repository was not indexed either
                repository = _local_repository(place, path)
                key = local_key(repository)
                keys |= {key, url_key(url if "://" in url else f"file:///{key.lstrip('/')}")}
                waiting += {repository} - seen
                seen.add(repository)
    return keys - {""}


def _local_repository(folder: Path, path: str) -> Path:
    """The repository that a path in the configuration of `folder` names. As in git, the path may lack its `.git`."""
    place = Path(os.path.realpath(folder / path))
    with_ending = Path(f"{place}.git")
    return work_tree(with_ending if git_dir(place) is None and git_dir(with_ending) is not None else place)


def _remotes(folder: Path) -> dict[str, str]:
    """The first URL of each remote, by `remote.NAME.url`."""
    directory = git_dir(folder)
    config = common_dir(directory) / "config" if directory else None
    if config is None or not config.is_file() or config.stat().st_size > TEXT_BYTES:
        return {}
    with suppress(GitFailed, LimitReached):
        return dict(reversed(config_values(str(config), r"^remote\..*\.url$", clone_environment(folder))))
    return {}


@dataclass(eq=False)
class GitSource(Source):
    """A git repository at one revision. `path` is its work tree, or the bare repository. `rev` is a branch, a tag or an
    id (None: HEAD), which is looked up only once. `outside` are its parts outside of the folder that the user named.
    """

    kind = "git"
    _: KW_ONLY
    rev: str | None = None
    outside: tuple[Path, ...] = ()

    @cached_property
    def revision(self) -> str:
        """The commit id; empty if there is no commit yet. Raises GitError if there is no such revision."""
        return resolve(self.path, self.rev)

    def entries(self) -> Iterator[Entry]:
        """Every file of the revision, sorted by path."""
        if not self.revision:
            return
        with object_environment(objects(self.path), len(self.revision)) as environment:
            listed = {facts[0]: _entry(*facts) for facts in self._tree(environment)}
            listed = declared(listed, environment)
        yield from sorted(listed.values(), key=lambda entry: entry.path)

    def links(self) -> tuple[dict[bytes, str], str | None]:
        """The commit of each submodule by its path, and the blob id of `.gitmodules` or None. Raises GitError."""
        commits: dict[bytes, str] = {}
        modules = None
        if self.revision:
            with object_environment(objects(self.path), len(self.revision)) as environment:
                for path, mode, kind, name, _ in self._tree(environment):
                    if kind == b"commit":
                        commits[path] = name
                    elif path == b".gitmodules" and kind == b"blob" and mode != _SYMLINK:
                        modules = name
        return commits, modules

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents, from one `git cat-file --batch`; `UNREADABLE` for an object that is missing or broken."""
        if self.revision:
            yield from read_listed(self.path, entries, len(self.revision), self.max_bytes)

    def _tree(self, environment: Mapping[str, str]) -> Iterator[tuple[bytes, bytes, bytes, str, bytes]]:
        """The path, mode, kind, id and size of everything in the revision except folders."""
        arguments = ["ls-tree", "-r", "-z", "-l", "--full-tree", self.revision]
        try:
            listed = records(arguments, environment, seconds=LISTING_SECONDS, most_bytes=LISTING_BYTES)
            files = ((path, *facts.split()) for facts, _, path in (line.partition(b"\t") for line in listed))
            for path, mode, kind, name, size in limited(files, visible(self.location)):
                yield path, mode, kind, name.decode(), size
        except GitFailed as error:
            raise GitError(
                f"cannot list {visible(self.location)} at {self.revision[:12]}: {error}; "
                "run `git fsck` there, or clone it again"
            ) from None


def resolve(folder: Path, rev: str | None) -> str:
    """The id of the commit that `rev` names (None: HEAD); empty if the repository has no commit at all. Raises GitError
    if there is no such revision, or the repository is broken.
    """
    directory = existing_git_dir(folder)
    environment = clone_environment(directory)
    refuse_hostile(directory, environment)
    wanted = "HEAD" if rev is None else rev
    if wanted and not wanted.startswith("-") and wanted.isprintable():
        answer = run(["rev-parse", "--verify", f"{wanted}^{{commit}}"], environment, seconds=LOOKUP_SECONDS)
        if not answer.returncode:
            return answer.stdout.decode().strip()
        if rev is None:
            if _is_empty(environment):
                return ""
            raise GitError(
                f"HEAD of {visible(folder)} names no commit: {complaint(answer.stderr)}; "
                "name a revision with --rev, or run `git fsck` there"
            )
        if run(["rev-parse", "--git-dir"], environment, seconds=LOOKUP_SECONDS).returncode:
            raise GitError(f"cannot read {visible(folder)}: {complaint(answer.stderr)}; clone it again")
    raise GitError(
        f"{visible(folder)} has no revision {visible(wanted)!r}; name a branch, a tag or a commit id that it holds"
    )


def names(folder: Path, rev: str, commit: str) -> bool:
    """Whether the revision `rev` exists in a repository and names this commit."""
    with suppress(GitError):
        return resolve(folder, rev) == commit
    return False


def parents(folder: Path, commit: str) -> tuple[str, ...]:
    """The ids of a commit's parents, as the commit records them. A shallow clone may lack the parents themselves.
    Raises GitError if the repository is broken, or does not have the commit.
    """
    header = _commit_facts(folder, commit, ["cat-file", "commit"]).partition(b"\n\n")[0].split(b"\n")
    return tuple(line[7:].decode("ascii", "replace") for line in header if line.startswith(b"parent "))


def read_object(folder: Path, blob: str) -> bytes | None:
    """The content of a blob; None if it is missing or broken. Raises GitError if it has more than `MAX_BYTES`."""
    with object_environment(objects(folder), len(blob)) as environment:
        answer = run(["cat-file", "blob", blob], environment, seconds=LOOKUP_SECONDS, most_bytes=MAX_BYTES)
    return answer.stdout if not answer.returncode and is_blob(answer.stdout, blob) else None


def read_path(folder: Path, rev: str, path: bytes) -> tuple[str, bytes] | None:
    """The commit id that a revision names (or a branch that only the remote `origin` has), and the content of a file in
    it; None if one of them is missing. Raises GitError if `folder` is not a repository.
    """
    for name in (rev, f"refs/remotes/origin/{rev}"):
        try:
            commit = resolve(folder, name)
        except GitError:
            objects(folder)
            continue
        blob = _blob_at(folder, commit, path) if commit else None
        content = read_object(folder, blob) if blob else None
        if content is not None:
            return commit, content
    return None


def _blob_at(folder: Path, commit: str, path: bytes) -> str | None:
    arguments = ["ls-tree", "-z", "--full-tree", commit, "--", system.path_of(path)]
    with object_environment(objects(folder), len(commit)) as environment:
        answer = run(arguments, environment, seconds=LOOKUP_SECONDS)
    facts, _, found = answer.stdout.removesuffix(b"\0").partition(b"\t")
    match facts.split():
        case [b"100644" | b"100755", b"blob", name] if found == path:
            return name.decode()
    return None


def _is_empty(environment: Mapping[str, str]) -> bool:
    """Whether the repository has no commit yet: HEAD names a branch, and no ref exists, not even a broken one."""
    refs = run(["for-each-ref", "--count=1", "--format=%(refname)"], environment, seconds=LOOKUP_SECONDS)
    head = run(["symbolic-ref", "--quiet", "HEAD"], environment, seconds=LOOKUP_SECONDS)
    return not (refs.returncode or refs.stdout or refs.stderr or head.returncode)


def _entry(path: bytes, mode: bytes, kind: bytes, name: str, size: bytes) -> Entry:
    text = path_text(path)
    if kind != b"blob":
        return Entry(text, None, None, SkipReason.SUBMODULE, name)
    if not size.isdigit():
        return Entry(text, name, None, SkipReason.UNREADABLE, name)
    return Entry(text, name, int(size), SkipReason.SYMLINK if mode == _SYMLINK else None, name)


def declared(listed: Mapping[bytes, Entry], environment: Mapping[str, str]) -> dict[bytes, Entry]:
    """The entries by path, with the declarations of the `.gitattributes` among them: a reason to skip, or `authored`.
    git itself matches the attributes. It reads them from a temporary index that contains only the `.gitattributes`.
    Raises GitError if the attributes cannot be read. `listed` has all files of a tree or an index, by path; the
    environment is that of its objects.
    """
    named = [path for path in listed if path.rpartition(b"/")[2] == b".gitattributes"]
    rules = [path for path in named if listed[path].skip is None and _is_plain(path)]
    if not _are_of_use({listed[path].blob: listed[path] for path in rules}.values(), environment):
        return dict(listed)
    index = (b"100644 %s\t%s\0" % (str(listed[path].blob).encode(), path) for path in rules)
    for _ in _attributes(["update-index", "-z", "--index-info"], index, environment):
        pass
    arguments = ["check-attr", "--cached", "--stdin", "-z", "linguist-generated", "linguist-vendored"]
    found = dict(listed)
    to_check = (path + b"\0" for path, entry in listed.items() if entry.skip is None and _is_plain(path))
    fields = _attributes(arguments, to_check, environment)
    for path, attribute, value in zip(fields, fields, fields, strict=True):
        entry = found[path]
        if value in {b"set", b"true"}:
            found[path] = replace(entry, skip=entry.skip or _REASONS[attribute], authored=False)
        elif value in {b"unset", b"false"}:
            found[path] = replace(entry, authored=entry.authored or entry.skip is None)
    return found


def _are_of_use(rules: Iterable[Entry], environment: Mapping[str, str]) -> bool:
    """Whether any of these `.gitattributes` mentions an attribute of linguist. Otherwise they need not be applied."""
    total = 0
    for _, content in blob_contents(rules, environment, _ATTRIBUTES_SIZE):
        if isinstance(content, bytes):
            total += len(content)
            if total > _ATTRIBUTES_TOTAL:
                raise GitError(f"its .gitattributes have more than {_ATTRIBUTES_TOTAL:,} bytes; leave it out")
            if b"linguist-" in content:
                return True
    return False


def _attributes(arguments: Sequence[str], stdin: Iterable[bytes], environment: Mapping[str, str]) -> Iterator[bytes]:
    try:
        yield from records(arguments, environment, seconds=ATTRIBUTE_SECONDS, most_bytes=2 * LISTING_BYTES, stdin=stdin)
    except GitFailed as error:
        raise GitError(f"git cannot read the .gitattributes: {error}; run `git fsck` there") from None


def _is_plain(path: bytes) -> bool:
    """Whether git accepts a path into an index. Any other path, as in a hostile tree, makes a whole command fail."""
    return not any(part.lower() in {b"", b".", b"..", b".git"} for part in path.split(b"/"))
