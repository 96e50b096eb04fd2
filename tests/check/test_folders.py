"""Folders that are vendored copies."""

from __future__ import annotations

from wherefrom.model import Occurrence
from wherefrom.projects.check.checker import copied_folders
from wherefrom.projects.check.findings import FileCopy, FolderCopy


def at(written: str) -> Occurrence:
    repository, _, path = written.partition(":")
    return Occurrence(repository, path, "0" * 40, "r1")


def copies(pairs: dict[str, tuple[str, ...]]) -> dict[str, FileCopy]:
    """Files that are copies, each with its origins as `repository:path`."""
    return {
        path: FileCopy(
            identical=True,
            share=1.0,
            functions=2,
            occurrences=tuple(at(other) for other in others),
        )
        for path, others in pairs.items()
    }


def test_a_folder_with_the_files_of_another_one_is_a_copy() -> None:
    found = copies({f"vendor/zlib/{name}.c": (f"them/zlib:{name}.c",) for name in ("adler32", "crc32", "inflate")})
    mine = ["src/a.c", "src/b.c", "vendor/own.c"]
    assert copied_folders(found, [*found, *mine]) == (
        FolderCopy("vendor/zlib", "them/zlib", "", tuple(sorted(found)), 3),
    )


def test_the_folder_with_most_files_counts_and_files_beside_the_copies_are_told() -> None:
    found = copies({f"src/{folder}/{name}.c": (f"x/fork:lib/{folder}/{name}.c",) for folder in "ab" for name in "cde"})
    assert copied_folders(found, [*found, "src/mine.c", "other.c"]) == (
        FolderCopy("src", "x/fork", "lib", tuple(sorted(found)), 7),
    )
    alone = {path: found[path] for path in found if "/a/" in path}
    assert [(folder.path, folder.there) for folder in copied_folders(alone, alone)] == [("src/a", "lib/a")]
    many = [f"src/{number}.c" for number in range(9)]
    assert [folder.path for folder in copied_folders(found, [*found, *many])] == ["src/a", "src/b"]


def test_few_files_or_files_with_other_names_are_no_folder() -> None:
    two = copies({"v/a.c": ("x/y:a.c",), "v/b.c": ("x/y:b.c",)})
    assert copied_folders(two, two) == ()
    renamed = copies({f"v/{name}.c": (f"x/y:{name}2.c",) for name in "abc"})
    assert copied_folders(renamed, renamed) == ()
    scattered = copies({f"v/{name}.c": (f"x/{name}:{name}.c",) for name in "abc"})
    assert copied_folders(scattered, scattered) == ()


def test_of_several_repositories_the_one_with_most_files_counts() -> None:
    found = copies({f"v/{name}.c": (f"a/part:{name}.c", f"b/whole:src/{name}.c") for name in "abc"})
    found |= copies({"v/d.c": ("b/whole:src/d.c",)})
    [folder] = copied_folders(found, found)
    assert (folder.path, folder.repository, folder.there, len(folder.files)) == ("v", "b/whole", "src", 4)


def test_of_folders_with_the_same_files_the_innermost_is_told() -> None:
    found = copies({f"deps/{name}.c": (f"x/y:{name}.c",) for name in ("sub/a", "sub/b", "sub/in/c")})
    assert copied_folders(found, [*found, "main.c"]) == (FolderCopy("deps/sub", "x/y", "sub", tuple(sorted(found)), 3),)
    root = copies({f"{name}.c": (f"x/y:src/{name}.c",) for name in "abc"})
    assert copied_folders(root, root) == (FolderCopy("", "x/y", "src", tuple(sorted(root)), 3),)
