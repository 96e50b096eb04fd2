"""Everything that the command line does, as typed calls.

```python
import whence

report = whence.index(["~/clones"], index="/tmp/example.whence")
with whence.open_index("/tmp/example.whence") as index:
    result = index.search("def add(a, b): ...", language="python")
    for hit in result.hits:
        print(hit.score, hit.occurrences[0].path)
```

`index` starts worker processes by `spawn`: a script that calls it needs the usual `if __name__ == "__main__":` guard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from whence.model import (
    BoilerplateSet,
    Hit,
    IndexProgress,
    IndexReport,
    IndexStats,
    Occurrence,
    RepositoryRecord,
    SearchResult,
)

__all__ = ["Index", "index", "open_index"]


def index(
    sources: Iterable[str],
    *,
    index: str | Path,
    rev: str | None = None,
    name: str | None = None,
    keep_source: bool = False,
    include_generated: bool = False,
    include_data: bool = False,
    max_file_size: int = 1_000_000,
    parse_seconds: float = 5.0,
    jobs: int | None = None,
    progress: Callable[[IndexProgress], None] | None = None,
) -> IndexReport:
    """Indexes git clones, folders of clones, plain folders, archives and repository URLs.

    Args:
        sources: paths and URLs; a folder that is no clone itself is searched for clones.
        index: path or URL of the index; made where it is not there yet.
        rev: the revision of every git source (default: HEAD of each).
        name: the repository key, for a single source.
        keep_source: store the contents in the index as well.
        include_generated: also files that are generated, vendored or minified.
        include_data: also data files (JSON, CSV, lock files, ...), as `text`.
        max_file_size: longer files are skipped, in bytes.
        parse_seconds: a file that takes longer to parse is skipped.
        jobs: worker processes (default: one for each core).
        progress: called a few times a second, and once at the end.

    Raises:
        SourceError: a source is not there, or two have one key; nothing was written then.
        UnusableIndex: the index cannot be used.
    """
    raise NotImplementedError


def open_index(location: str | Path) -> Index:
    """Opens an index for searching.

    Raises:
        IndexMissing: nothing is there.
        IndexFormatError: it is no index, or of another format version.
        SchemeMismatch: it was made by another scheme.
    """
    raise NotImplementedError


class Index:
    """An open index: warm, so that the second search is faster than the first. Use it in a `with` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees what is held open."""

    def search(
        self,
        code: str | bytes,
        *,
        name: str = "<code>",
        language: str | None = None,
        window: int | None = None,
        limit: int = 10,
        min_containment: float = 0.0,
        repositories: Sequence[str] = (),
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
        without: Sequence[str] = (),
        without_texts: Sequence[tuple[str, bytes]] = (),
        max_df: float | None = None,
        explain: bool = False,
    ) -> SearchResult:
        """Finds where a snippet stands.

        Args:
            code: the snippet; incomplete and dirty ones are normal.
            name: what the answer calls it; its ending helps to guess the language.
            language: else guessed.
            window: w', at least the index's w (default: 2 w, and w for a query of under 60 tokens).
            limit: hits at most.
            min_containment: 0 to 1; hits below are left out.
            repositories: only these repositories (keys, `*` and `?` allowed).
            paths: only paths that fit one of these globs (`**` crosses folders).
            languages: only blobs in these languages.
            without: names of boilerplate sets to leave out.
            without_texts: (name, content) of files to leave out.
            max_df: k-grams in more than this share of the blobs weigh nothing, 0 to 1.
            explain: give each hit its explanation.

        Raises:
            UsageError: an argument that cannot be right.
            BoilerplateError: a set that is not there, or of another scheme.
        """
        raise NotImplementedError

    def similar(
        self,
        target: str,
        *,
        by: str = "containment",
        budget: int | None = None,
        limit: int = 10,
        explain: bool = False,
    ) -> SearchResult:
        """Finds files like one that is indexed.

        Args:
            target: `REPOSITORY:PATH`.
            by: `containment` (of the target in the others) or `resemblance`.
            budget: look up only the N smallest hashes of the target.
            limit: hits at most.
            explain: give each hit its explanation.

        Raises:
            UnknownRepository: no such repository, or no such path in it.
        """
        raise NotImplementedError

    def source(self, occurrence: Occurrence) -> bytes | None:
        """The content at an occurrence: from the index where it was kept, else from the clone by blob id; None where
        neither has it (any longer).
        """
        raise NotImplementedError

    def hit_source(self, hit: Hit) -> bytes | None:
        """The content of a hit's best blob, by the first of its occurrences that can be read."""
        raise NotImplementedError

    def repositories(self) -> list[RepositoryRecord]:
        """The indexed repositories, by key."""
        raise NotImplementedError

    def stats(self) -> IndexStats:
        """Counts over the index."""
        raise NotImplementedError

    def remove(self, repository: str) -> int:
        """Removes a repository and every blob that only it had; returns how many occurrences went.

        Raises:
            UnknownRepository: it is not indexed.
        """
        raise NotImplementedError

    def sweep(self) -> int:
        """Removes blobs that no repository refers to any longer; returns how many."""
        raise NotImplementedError

    def add_boilerplate(self, name: str, texts: Sequence[tuple[str, bytes]]) -> BoilerplateSet:
        """Makes a boilerplate set of (file name, content) pairs and stores it; one of that name is replaced."""
        raise NotImplementedError

    def boilerplate_names(self) -> list[str]:
        """The stored sets, by name."""
        raise NotImplementedError

    def boilerplate(self, name: str) -> BoilerplateSet:
        """One stored set.

        Raises:
            BoilerplateError: it is not there.
        """
        raise NotImplementedError

    def remove_boilerplate(self, name: str) -> None:
        """Removes a stored set.

        Raises:
            BoilerplateError: it is not there.
        """
        raise NotImplementedError
