"""Turns an upload into a job: the form with its files, from the page or from a program."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import ClientDisconnect, Request

from wherefrom.errors import UsageError
from wherefrom.options import CheckOptions, CompareOptions
from wherefrom.reports.layout import listed
from wherefrom.serve.desk import Gone
from wherefrom.serve.jobs.queue import JobQueue, QueueFull
from wherefrom.serve.jobs.store import UPLOADS, JobKind, UploadJob
from wherefrom.serve.jobs.work import CHANGE, EARLIER, SUBMISSIONS, TEMPLATE
from wherefrom.serve.web import models

MOST_FILES, MOST_FIELDS = 500, 20
"""The highest numbers of files and of other fields in a form."""

PURPOSES = {JobKind.CHECK: (CHANGE,), JobKind.COMPARE: (SUBMISSIONS, EARLIER, TEMPLATE)}
"""The fields with files, by kind of job. The first one must have a file."""

PASTED = "pasted.diff"
"""The name of a diff that was pasted, not uploaded."""

_MISSING = {
    JobKind.CHECK: "there is nothing to check; paste a diff, or choose one file: a diff or an archive",
    JobKind.COMPARE: "there is nothing to compare; choose archives or files of submissions",
}

_NAME_BYTES = 150
"""A longer name of a file is cut, at its beginning."""

_ADDED_TO = re.compile(r"^\+\+\+ (?!/dev/null)([^\t\r\n]+)", re.MULTILINE)
"""The names of the files that a diff adds lines to."""

_UNWANTED = re.compile(r"[\x00-\x1f\x7f/\\]")


class Uploads:
    """Makes jobs of uploads, for checks with the settings of the server's owner. A field that is not a file has at most
    `most_text` bytes.
    """

    def __init__(self, queue: JobQueue, given: CheckOptions, most_text: int) -> None:
        self._queue, self._given, self._most_text = queue, given, most_text

    async def receive(self, request: Request, kind: JobKind | None = None) -> UploadJob:
        """Reads the form in a request, stores its files and puts the job into the queue. `kind` is by default the
        field of that name.

        Raises:
            UsageError: a field is wrong or missing.
            QueueFull: the server takes no more jobs for now.
            HTTPException: the body is not a form, or too long.
        """
        owner: str = request.scope["person"].identity
        try:
            form = await request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS, max_part_size=self._most_text)
        except ClientDisconnect:
            raise Gone from None
        except OSError as error:  # the folder for temporary files is full
            raise _not_stored(error) from error
        try:
            chosen = _kind(form) if kind is None else kind
            options = self._options(form, chosen)
            files = {purpose: [*_files(form, purpose)] for purpose in PURPOSES[chosen]}
            main = [name for name, _ in files[PURPOSES[chosen][0]]]
            diff = form.get("diff")
            is_pasted = chosen is JobKind.CHECK and isinstance(diff, str) and bool(diff.strip())
            if len(main) + is_pasted == 0 or (chosen is JobKind.CHECK and len(main) + is_pasted > 1):
                raise UsageError(_MISSING[chosen])
            name = self._queue.begin(owner)
            try:
                folder = self._queue.store.path(name) / UPLOADS
                if is_pasted:
                    pasted = folder / CHANGE / PASTED
                    pasted.parent.mkdir()
                    pasted.write_bytes(str(diff).replace("\r\n", "\n").encode("utf-8", "surrogatepass"))
                for purpose, uploads in files.items():
                    await asyncio.to_thread(_store, folder / purpose, uploads)
                named = _ADDED_TO.findall(str(diff)) if is_pasted else ()
                main += [plain_name(name) for name in dict.fromkeys(named)]
                title = listed(main, 3, " and {} more") or "a pasted diff"
                job = UploadJob(name, chosen, owner, title, time.time(), options=options)
                self._queue.submit(job)
            except OSError as error:
                self._queue.store.remove(name)
                raise _not_stored(error) from error
            except BaseException:
                self._queue.store.remove(name)
                raise
        finally:
            await form.close()
        return job

    def _options(self, form: FormData, kind: JobKind) -> Mapping[str, Any]:
        """The options of a job in the field `options`, as JSON, or in fields of their names."""
        model, defaults = _MODELS[kind]
        names = [name for name in model.model_fields if isinstance(form.get(name), str) and form[name]]
        text = form.get("options") or "{}"
        if not isinstance(text, str):
            raise UsageError("the field options is a file; send its JSON as text")
        try:
            values = {**json.loads(text), **{name: form[name] for name in names}}
            # A field of a form is text, which may be a number.
            options = model.model_validate_json(json.dumps(values), strict=not names)
        except ValidationError as error:
            wrong = error.errors()[0]
            raise UsageError(f"the option {'/'.join(map(str, wrong['loc']))}: {wrong['msg']}") from None
        except (ValueError, TypeError, RecursionError):
            raise UsageError("the field options is not a JSON object; see /api") from None
        found = models.sent(options, self._given if kind is JobKind.CHECK else defaults)
        defaults.__class__(**{**vars(defaults), **found})  # raises UsageError for options that exclude each other
        return found


_MODELS: dict[JobKind, tuple[type[models.Request], CheckOptions | CompareOptions]] = {
    JobKind.CHECK: (models.CheckJobOptions, CheckOptions()),
    JobKind.COMPARE: (models.CompareJobOptions, CompareOptions()),
}


def _not_stored(error: OSError) -> QueueFull:
    return QueueFull(f"the server cannot store uploads: {error.strerror}; tell its owner")


def _kind(form: FormData) -> JobKind:
    try:
        return JobKind(str(form.get("kind")))
    except ValueError:
        raise UsageError(f"the field kind must be one of {', '.join(JobKind)}") from None


def _files(form: FormData, field: str) -> Iterator[tuple[str, UploadFile]]:
    """The files in a field, each with a name of its own that is safe on the disk."""
    taken: set[str] = set()
    for value in form.getlist(field):
        if isinstance(value, UploadFile) and value.filename:
            name = plain_name(value.filename)
            number = 2
            while name in taken:
                name, number = plain_name(f"{number}-{value.filename}"), number + 1
            taken.add(name)
            yield name, value


def plain_name(name: str) -> str:
    """The name of an uploaded file, which the sender chose, without folders and without what a disk refuses."""
    plain = _UNWANTED.sub("_", re.split(r"[/\\]", name)[-1])
    kept = plain.encode("utf-8", "replace")[-_NAME_BYTES:].decode("utf-8", "ignore").lstrip(".-~ ")
    return kept or "upload"


def _store(folder: Path, uploads: list[tuple[str, UploadFile]]) -> None:
    for name, upload in uploads:
        folder.mkdir(exist_ok=True)
        with (folder / name).open("wb") as file:
            shutil.copyfileobj(upload.file, file)
