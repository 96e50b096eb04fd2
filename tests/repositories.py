"""Real git repositories, made the same way on every machine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TEMPLATE_DIR": "",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


class Repository:
    """A git repository in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def make(cls, folder: Path, files: dict[str, bytes] | None = None, *options: str) -> Repository:
        """A new repository, with a commit if there are files. `options` are those of `git init`."""
        folder.mkdir(parents=True)
        made = cls(folder)
        made.git("init", "--quiet", "--initial-branch=main", *options)
        if files is not None:
            made.commit(files)
        return made

    def git(
        self, *arguments: str | bytes | Path, stdin: bytes = b"", variables: Mapping[str, str] | None = None
    ) -> str:
        """Runs git in the folder, with further variables, and gives its output without the last line end."""
        answer = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", "-c", "maintenance.auto=false", *arguments],
            cwd=self.folder,
            env={**os.environ, **ENVIRONMENT, **(variables or {})},
            input=stdin,
            capture_output=True,
            check=True,
        )
        return os.fsdecode(answer.stdout).rstrip("\n")

    def write(self, files: dict[str, bytes]) -> None:
        """Writes files into the work tree."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def commit(
        self,
        files: dict[str, bytes] | None = None,
        message: str = "Change",
        *,
        day: str | None = None,
        written: str | None = None,
    ) -> str:
        """Writes files and commits all changes; returns the id of the commit.

        Args:
            files: the contents by path.
            message: of the commit.
            day: the day of the committer's date, in UTC; by default that of `ENVIRONMENT`.
            written: the day of the author's date, if it is another one.
        """
        self.write(files or {})
        self.git("add", "--all", "--force")
        days = {"GIT_COMMITTER_DATE": day, "GIT_AUTHOR_DATE": written or day}
        dates = {variable: f"{date}T00:00:00Z" for variable, date in days.items() if date is not None}
        output = self.git("-c", "core.abbrev=no", "commit", "--allow-empty", "-m", message, variables=dates)
        return output.partition("]")[0].rpartition(" ")[2]
