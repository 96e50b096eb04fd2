"""Git repositories, read through their objects and never through a work tree."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from wherefrom.errors import GitError
from wherefrom.model import KeyKind, SkipReason
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
from wherefrom.sources.source import (
    MAX_BYTES,
    MOST_FILES,
    MOST_PATHS,
    Entry,
    Listing,
    LocalSource,
    is_blob,
    local_key,
    path_text,
)
from wherefrom.support.printable import visible

ATTRIBUTE_SECONDS = 120.0
"""Hostile patterns can keep git's matcher busy for ever; the attributes of 100,000 files take it about a second."""

LISTING_SECONDS = 600.0
"""For listing the files of a revision; half a million take some seconds."""

LISTING_BYTES = MOST_PATHS + 100 * MOST_FILES
"""What `ls-tree` and `ls-files` write before each path is shorter than 100 bytes."""

_ATTRIBUTES_SIZE = 1_000_000

_ATTRIBUTES_TOTAL = 100_000_000
"""Bytes of `.gitattributes` that are read of one revision."""

_REGULAR: Final = b"blob"
_SYMLINK: Final = b"120000"


def clone_environment(folder: Path) -> dict[str, str]:
    """The environment for commands that need no work tree: the one that a configuration names may be gone."""
    return local_environment(folder, GIT_WORK_TREE=str(folder))


def commit_seconds(folder: Path, commit: str) -> int:
    """When a commit was made, in seconds since 1970 by its committer's clock.

    Raises:
        GitError: the repository is broken, or does not hold it.
    """
    return int(_commit_facts(folder, commit, ["rev-list", "--no-walk", "--timestamp"]).partition(b" ")[0])


def _commit_facts(folder: Path, commit: str, command: list[str]) -> bytes:
    """What a command of git, of which the id is the last argument, writes about a commit."""
    with object_environment(objects(folder), len(commit)) as environment:
        answer = run([*command, commit], environment, seconds=LOOKUP_SECONDS)
    if answer.returncode or not answer.stdout:
        raise GitError(
            f"cannot read commit {commit[:12]} of {visible(folder)}: {complaint(answer.stderr)}; "
            "run `git fsck` there, or clone it again"
        )
    return answer.stdout


def remote_key(folder: Path) -> str | None:
    """The repository key that the remote `origin` (or the only remote) gives; None if there is none.

    Raises:
        GitError: git is not installed.
    """
    remotes = _remotes(folder)
    url = remotes.get("remote.origin.url") or (next(iter(remotes.values())) if len(remotes) == 1 else "")
    return normalised(url)


def remote_keys(folder: Path) -> tuple[str, ...]:
    """The repository keys of all remotes: the project itself, where it was forked from, mirrors. A remote on this
    machine gives the keys that it may be indexed by, and those of its own remotes.

    Raises:
        GitError: git is not installed.
    """
    keys: dict[str, None] = {}
    waiting, seen = [folder], {Path(os.path.realpath(folder))}
    while waiting:
        place = waiting.pop()
        for url in _remotes(place).values():
            path = local_path(url)
            if path is None:
                keys.update(dict.fromkeys(filter(None, [normalised(url)])))
                continue
            try:
                repository = _local_repository(place, path)
            except OSError:  # what cannot be looked at cannot have been indexed either
                continue
            key = local_key(repository)
            keys.update(dict.fromkeys([key, url_key(url if "://" in url else f"file://{key}")]))
            if repository not in seen:
                seen.add(repository)
                waiting.append(repository)
    return tuple(keys)


def _local_repository(folder: Path, path: str) -> Path:
    """The repository that a path in the configuration of another one names; git takes it without its `.git` too."""
    place = os.path.realpath(folder / path)
    found = Path(place if git_dir(Path(place)) is not None or git_dir(Path(f"{place}.git")) is None else f"{place}.git")
    return work_tree(found)


def _remotes(folder: Path) -> dict[str, str]:
    """The first URL of each remote, by `remote.NAME.url`."""
    directory = git_dir(folder)
    config = common_dir(directory) / "config" if directory else None
    if config is None or not config.is_file() or config.stat().st_size > TEXT_BYTES:
        return {}
    try:
        urls = config_values(str(config), r"^remote\..*\.url$", clone_environment(folder))
    except (GitFailed, LimitReached):
        return {}
    remotes: dict[str, str] = {}
    for name, url in urls:
        remotes.setdefault(name, url)
    return remotes


class GitSource(LocalSource):
    """A repository at one revision, fixed when it is first asked for.

    Args:
        folder: the work tree, or the bare repository.
        key, key_kind, max_bytes: as of a `LocalSource`.
        rev: a branch, a tag or an id (default: HEAD).
    """

    kind: Final = "git"

    def __init__(
        self,
        folder: Path,
        *,
        key: str,
        key_kind: KeyKind = KeyKind.NAME,
        rev: str | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        super().__init__(folder, key=key, key_kind=key_kind, max_bytes=max_bytes)
        self.folder = folder
        self.rev = rev
        self.outside: tuple[Path, ...] = ()
        """Where parts of it are outside of what the user named; `discover` finds out."""

    @cached_property
    def revision(self) -> str:
        """The commit id; empty where the repository has no commit yet.

        Raises:
            GitError: the revision is not there, or the repository is broken.
        """
        return resolve(self.folder, self.rev)

    def entries(self) -> Iterator[Entry]:
        """Every file of the revision, by path."""
        if not self.revision:
            return
        with object_environment(objects(self.folder), len(self.revision)) as environment:
            listed = self._list(environment)
            declared = _declared(listed, environment)
        for path, entry in sorted(listed.items(), key=lambda item: item[1].path):
            mark = declared.get(path)
            if entry.skip is None and mark is not None:
                entry = Entry(entry.path, entry.blob, entry.size, mark[0], entry.handle, mark[1])  # noqa: PLW2901
            yield entry

    def links(self) -> tuple[dict[bytes, str], str | None]:
        """The commit of each submodule of the revision by its path, and the blob of its `.gitmodules`, if it has one.

        Raises:
            GitError: the repository cannot be read.
        """
        commits: dict[bytes, str] = {}
        modules = None
        if self.revision:
            with object_environment(objects(self.folder), len(self.revision)) as environment:
                for path, mode, kind, name, _ in self._tree(environment):
                    if kind == b"commit":
                        commits[path] = name
                    elif path == b".gitmodules" and kind == _REGULAR and mode != _SYMLINK:
                        modules = name
        return commits, modules

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents, through one `git cat-file --batch`; `UNREADABLE` for an object that is missing or broken."""
        if not self.revision:
            return
        yield from read_listed(self.folder, entries, len(self.revision), self.max_bytes)

    def _list(self, environment: Mapping[str, str]) -> dict[bytes, Entry]:
        return {path: _entry(path, mode, kind, name, size) for path, mode, kind, name, size in self._tree(environment)}

    def _tree(self, environment: Mapping[str, str]) -> Iterator[tuple[bytes, bytes, bytes, str, bytes]]:
        """The path, mode, kind, id and size of everything in the revision but its folders."""
        listing = Listing(visible(self.location))
        arguments = ["ls-tree", "-r", "-z", "-l", "--full-tree", self.revision]
        try:
            for line in records(arguments, environment, seconds=LISTING_SECONDS, most_bytes=LISTING_BYTES):
                facts, _, path = line.partition(b"\t")
                mode, kind, name, size = facts.split()
                listing.count(path)
                yield path, mode, kind, name.decode(), size
        except GitFailed as error:
            raise GitError(
                f"cannot list {visible(self.location)} at {self.revision[:12]}: {error}; "
                "run `git fsck` there, or clone it again"
            ) from None


def resolve(folder: Path, rev: str | None) -> str:
    """The id of the commit that `rev` (default: HEAD) names; empty where the repository has no commit at all.

    Raises:
        GitError: there is no such revision, or the repository is broken.
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


def parents(folder: Path, commit: str) -> tuple[str, ...]:
    """The ids of the parents of a commit, as it names them; a shallow clone may not hold them.

    Raises:
        GitError: the repository is broken, or does not hold the commit.
    """
    header = _commit_facts(folder, commit, ["cat-file", "commit"]).partition(b"\n\n")[0].split(b"\n")
    return tuple(line[7:].decode("ascii", "replace") for line in header if line.startswith(b"parent "))


def declared(folder: Path, listed: Mapping[bytes, Entry], digits: int) -> dict[bytes, tuple[SkipReason | None, bool]]:
    """What the `.gitattributes` among listed files say of these: (reason to skip it, declared authored) by path.

    Raises:
        GitError: it is no repository, or its attributes cannot be read.
    """
    with object_environment(objects(folder), digits) as environment:
        return _declared(listed, environment)


def read_object(folder: Path, blob: str) -> bytes | None:
    """The content of a blob, None where the repository does not hold it (any longer), or only a broken one.

    Raises:
        GitError: it is no repository, or git is not installed.
    """
    with object_environment(objects(folder), len(blob)) as environment:
        answer = run(["cat-file", "blob", blob], environment, seconds=LOOKUP_SECONDS, most_bytes=MAX_BYTES)
    return answer.stdout if not answer.returncode and is_blob(answer.stdout, blob) else None


def read_path(folder: Path, rev: str, path: bytes) -> tuple[str, bytes] | None:
    """The id of the commit that a revision names (also a branch of the remote's alone), and the content of a file in
    it; None if one is not there.

    Raises:
        GitError: it is no repository, or git is not installed.
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
    """The id of a regular file's content in a commit."""
    arguments = ["ls-tree", "-z", "--full-tree", commit, "--", os.fsdecode(path)]
    with object_environment(objects(folder), len(commit)) as environment:
        answer = run(arguments, environment, seconds=LOOKUP_SECONDS)
    facts, _, found = answer.stdout.removesuffix(b"\0").partition(b"\t")
    match facts.split():
        case [b"100644" | b"100755", b"blob", name] if found == path:
            return name.decode()
    return None


def _is_empty(environment: Mapping[str, str]) -> bool:
    """Whether there is no ref at all and HEAD waits for its branch; a broken ref makes `for-each-ref` complain."""
    refs = run(["for-each-ref", "--count=1", "--format=%(refname)"], environment, seconds=LOOKUP_SECONDS)
    head = run(["symbolic-ref", "--quiet", "HEAD"], environment, seconds=LOOKUP_SECONDS)
    return not (refs.returncode or refs.stdout or refs.stderr or head.returncode)


def _entry(path: bytes, mode: bytes, kind: bytes, name: str, size: bytes) -> Entry:
    text = path_text(path)
    if kind != _REGULAR:
        return Entry(text, None, None, SkipReason.SUBMODULE, name)
    if not size.isdigit():
        return Entry(text, name, None, SkipReason.UNREADABLE, name)
    return Entry(text, name, int(size), SkipReason.SYMLINK if mode == _SYMLINK else None, name)


def _declared(
    listed: Mapping[bytes, Entry], environment: Mapping[str, str]
) -> dict[bytes, tuple[SkipReason | None, bool]]:
    """As `declared`. git itself works it out, on a temporary index that holds the `.gitattributes` alone."""
    rules = [path for path, entry in listed.items() if _has_rules(path, entry)]
    if not _are_of_use({entry.blob: entry for entry in map(listed.__getitem__, rules)}.values(), environment):
        return {}
    index = (b"100644 %s\t%s\0" % (str(listed[path].blob).encode(), path) for path in rules)
    for _ in _attributes(["update-index", "-z", "--index-info"], index, environment):
        pass
    names = (path + b"\0" for path, entry in listed.items() if entry.skip is None and _is_plain(path))
    arguments = ["check-attr", "--cached", "--stdin", "-z", "linguist-generated", "linguist-vendored"]
    return _merged(_attributes(arguments, names, environment))


def _are_of_use(rules: Iterable[Entry], environment: Mapping[str, str]) -> bool:
    """Whether any of these `.gitattributes` says of what kind a file is."""
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


def _merged(fields: Iterator[bytes]) -> dict[bytes, tuple[SkipReason | None, bool]]:
    """The answers of `check-attr -z` (path, attribute, value, path, ...) for each path that is spoken of."""
    reasons = {b"linguist-generated": SkipReason.GENERATED, b"linguist-vendored": SkipReason.VENDORED}
    declared: dict[bytes, tuple[SkipReason | None, bool]] = {}
    for path, attribute, value in zip(fields, fields, fields, strict=True):
        reason, authored = declared.get(path, (None, False))
        if value in {b"set", b"true"}:
            declared[path] = (reason or reasons[attribute], False)
        elif value in {b"unset", b"false"}:
            declared[path] = (reason, authored or reason is None)
    return declared


def _has_rules(path: bytes, entry: Entry) -> bool:
    return path.rpartition(b"/")[2] == b".gitattributes" and entry.skip is None and _is_plain(path)


def _is_plain(path: bytes) -> bool:
    """Whether git takes a path into an index; a hostile tree may hold others, and one of them would stop it."""
    return not any(part.lower() in {b"", b".", b"..", b".git"} for part in path.split(b"/"))
