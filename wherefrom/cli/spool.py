"""The list of skipped files, in a temporary file because it may be larger than memory."""

import json
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile

from wherefrom.errors import WherefromError
from wherefrom.model import SkipReason
from wherefrom.results import SkippedFile
from wherefrom.support.closing import Closing


class Skipped(Closing):
    """A list of the files that a run skipped, for use in a `with` block. Iterating yields them in the order added."""

    def __init__(self) -> None:
        self._file = TemporaryFile("w+", encoding="ascii")  # noqa: SIM115 -- `close` closes it

    def close(self) -> None:
        """Removes the temporary file."""
        self._file.close()

    def add(self, files: Iterable[SkippedFile]) -> None:
        """Adds files; raises `WherefromError` if the temporary file cannot be written."""
        try:
            self._file.writelines(f"{json.dumps([file.repository, file.path, file.reason])}\n" for file in files)
            self._file.flush()
        except OSError as error:
            raise WherefromError(
                f"cannot keep the list of skipped files: {error.strerror}; "
                "make room in the folder for temporary files, or name another one in TMPDIR"
            ) from error

    def __iter__(self) -> Iterator[SkippedFile]:
        self._file.seek(0)
        for line in self._file:
            repository, path, reason = json.loads(line)
            yield SkippedFile(repository, path, SkipReason(reason))
