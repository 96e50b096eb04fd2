"""Decides what a submission is. `page/submissions.js` decides the same; one table of cases tests both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from wherefrom.analyzers.content import ARCHIVE_EXTENSIONS
from wherefrom.options.asking import SubmissionUnit
from wherefrom.results import Role, SkippedFile
from wherefrom.support.printable import visible

_NAMED = 5  # a warning names at most this many submissions


class SubmissionNames:
    """Names the submission of each file.

    Args:
        roles: the role of each source, by its key.
        paths: the paths of all files of each source, those that are not read too.
        by: what a submission is.
        archives: the keys of the sources that are archives.
        loose: the keys of the sources that are single files which the user named.
    """

    def __init__(
        self,
        roles: Mapping[str, Role],
        paths: Mapping[str, Sequence[str]],
        by: SubmissionUnit,
        archives: Collection[str],
        loose: Collection[str],
    ) -> None:
        self.by, self._loose = by, loose
        self.empty = [key for key, own in paths.items() if not own and by == "repository"]
        self._whole: set[str] = set()
        self._packed: dict[str, str] = {}
        places = []
        for key, own in paths.items():
            is_apart = by == "repository" and key in loose
            places += [f"{key}/{path}" for path in own] if is_apart else [key]
            packed, is_only = around(own), [roles[other] for other in paths].count(roles[key]) == 1
            if is_only and (key in archives or is_archive_name(packed[:-1])):
                # Hand-ins are often packed with the folder around them, which is not a submission.
                self._packed[key] = packed
            elif key in archives and not all("/" in path or is_archive_name(path) for path in own):
                self._whole.add(key)
        is_labeled = len(paths) > 1 or by == "repository"
        self.labels = labels(places) if is_labeled else dict.fromkeys(places, "")

    def of(self, key: str, path: str) -> str:
        """The name of the submission that has a file."""
        if self.by == "repository":
            return self.labels[f"{key}/{path}" if key in self._loose else key]
        inner = path.removeprefix(self._packed.get(key, ""))
        if self.by == "folder":
            inner = "" if key in self._whole else inner.partition("/")[0]
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
    return name.lower().endswith(ARCHIVE_EXTENSIONS)


def labels(keys: Iterable[str]) -> dict[str, str]:
    """A short name for each key: the fewest last parts of it that no other key ends with."""
    endings = {}
    for key in keys:
        parts = key.rstrip("/").split("/")
        endings[key] = ["/".join(parts[-length:]) for length in range(1, len(parts) + 1)]
    counts = Counter(ending for own in endings.values() for ending in own)
    return {key: next((ending for ending in own if counts[ending] == 1), own[-1]) for key, own in endings.items()}


def left_out(
    names: SubmissionNames, found: Collection[str], skipped: Sequence[SkippedFile], *, is_enough: bool
) -> Iterator[str]:
    """Warnings about submissions that are not among the `found` ones; `is_enough` tells whether those make a pair."""
    lost: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file in skipped:
        if (name := names.of(file.repository, file.path)) not in found:
            lost[name][file.reason.replace("_", " ")] += 1
    for key in names.empty:
        lost[names.of(key, "")]["empty"] += 1
    shown = [
        f"{visible(name)} ({', '.join(f'{reason} {number:,}' for reason, number in sorted(lost[name].items()))})"
        for name in sorted(lost)[:_NAMED]
    ]
    listed = ", ".join(shown) + (f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else "")
    if not is_enough:
        read = f"only {visible(min(found))} was read" if found else "no file was read"
        yield f"there is nothing to compare: {read}" + (f"; left out: {listed}" if lost else "")
    elif lost and names.by != "file":
        yield f"submissions without a file that is compared: {listed}"
