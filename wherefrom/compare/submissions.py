"""Decides what a submission is. `page/submissions.js` decides the same; one table of cases tests both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from wherefrom.analyzers.content import ARCHIVE_EXTENSIONS
from wherefrom.options.projects import SubmissionUnit
from wherefrom.results import Role, SkippedFile
from wherefrom.support.printable import visible

_NAMED = 5
"""A warning names at most this many submissions."""


class Names:
    """Names the submission of each file.

    Args:
        roles: the role of each source, by its key.
        paths: the paths of all files of each source, those that are not read too.
        archives: the keys of the sources that are archives.
        loose: the keys of the sources that are single files which the user named.
        by: what a submission is.
    """

    def __init__(
        self,
        roles: Mapping[str, Role],
        paths: Mapping[str, Sequence[str]],
        by: SubmissionUnit,
        *,
        archives: Collection[str] = (),
        loose: Collection[str] = (),
    ) -> None:
        self.by, self._loose = by, loose
        self._whole: set[str] = set()
        self._packed: dict[str, str] = {}
        places = []
        of_role = Counter(roles[key] for key in paths)
        for key, own in paths.items():
            is_apart = by == "repository" and key in loose
            places += [f"{key.rstrip('/')}/{path}" for path in own] if is_apart else [key]
            if key in archives or is_archive_name(next(iter(around(own).split("/")), "")):
                # Hand-ins are often packed with the folder around them, which is not a submission.
                self._packed[key] = around(own) if of_role[roles[key]] == 1 else ""
                if of_role[roles[key]] > 1 and any("/" not in path and not is_archive_name(path) for path in own):
                    self._whole.add(key)
        self.labels = labels(places)
        if len(paths) == 1 and by != "repository":
            self.labels = dict.fromkeys(self.labels, "")

    def of(self, key: str, path: str) -> str:
        """The name of the submission that has a file."""
        if self.by == "repository":
            return self.labels[f"{key.rstrip('/')}/{path}" if key in self._loose else key]
        if self.by == "folder" and key in self._whole:
            return self.labels[key]
        inner = path.removeprefix(self._packed.get(key, "")).partition("/")[0] if self.by == "folder" else path
        return "/".join(filter(None, (self.labels[key], inner)))


def around(paths: Sequence[str]) -> str:
    """The only folder at the top of these paths, with a slash at its end, if it has several folders; else empty."""
    tops = {path[: path.find("/") + 1] for path in paths}
    return next((top for top in tops if len(tops) == 1 and len(folders(paths, top)) > 1), "")


def folders(paths: Iterable[str], within: str) -> set[str]:
    """The names of the folders directly below `within`, which is empty or a folder of all paths with its slash. An
    archive counts as a folder, even if it is not opened.
    """
    below = (path.removeprefix(within) for path in paths)
    return {path.partition("/")[0] for path in below if "/" in path or is_archive_name(path)}


def is_archive_name(name: str) -> bool:
    """Whether a file is an archive, by its name; it may be one that is not opened."""
    return any(name.lower().endswith(ending) for ending in ARCHIVE_EXTENSIONS)


def likely_unit(containers: Sequence[Sequence[str]], files: int) -> SubmissionUnit:
    """What a submission likely is: each of several archives and files, each folder of a single archive, or each file.

    `containers` has the paths in each archive or folder, `files` is the number of single files.
    """
    if not containers:
        return "file"
    is_filled = any(len(folders(paths, around(paths))) > 1 for paths in containers)
    if len(containers) == 1 and (is_filled or not files):
        return "folder" if is_filled else "file"
    return "repository"


def labels(keys: Iterable[str]) -> dict[str, str]:
    """A short name for each key: the fewest last parts of it that no other key ends with."""
    endings = {}
    for key in keys:
        parts = key.rstrip("/").split("/")
        endings[key] = ["/".join(parts[-length:]) for length in range(1, len(parts) + 1)]
    counts = Counter(ending for own in endings.values() for ending in own)
    return {key: next((ending for ending in own if counts[ending] == 1), own[-1]) for key, own in endings.items()}


def left_out(names: Names, found: Collection[str], skipped: Sequence[SkippedFile], *, is_enough: bool) -> Iterator[str]:
    """Warnings about submissions without a compared file, and what was there instead.

    `found` has the names of the submissions with compared files, and `is_enough` tells whether these make a pair.
    """
    lost: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file in skipped:
        if (name := names.of(file.repository, file.path)) not in found:
            lost[name][file.reason.replace("_", " ")] += 1
    shown = [
        f"{visible(name)} ({', '.join(f'{reason} {number:,}' for reason, number in sorted(lost[name].items()))})"
        for name in sorted(lost)[:_NAMED]
    ]
    listed = ", ".join(shown) + (f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else "")
    if not is_enough:
        read = f"of {visible(min(found))} alone" if found else "of nothing"
        yield f"there is nothing to compare: files {read} were read" + (f"; left out: {listed}" if lost else "")
    elif lost and names.by != "file":
        yield f"submissions of which no file is compared: {listed}"
