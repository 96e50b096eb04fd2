"""Checks and comparisons of uploads, which run in the background: their API, their pages and the form with files."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import ClientDisconnect

from wherefrom.errors import NotFound, UsageError
from wherefrom.extend import dump_reviews
from wherefrom.options import CheckOptions, CompareOptions
from wherefrom.reports.layout import listed
from wherefrom.results import Review
from wherefrom.serve.desk import Gone
from wherefrom.serve.jobs.store import PROGRESS, REPORT, UPLOADS, JobKind, JobQueue, JobState, QueueFull, UploadJob
from wherefrom.serve.jobs.work import CHANGE, EARLIER, SUBMISSIONS, TEMPLATE
from wherefrom.serve.people import RIGHTS, Right
from wherefrom.serve.web import models
from wherefrom.serve.web.api import PREFIX, described
from wherefrom.serve.web.assets import page
from wherefrom.serve.web.guard import problem
from wherefrom.support.contract import FORMAT

_MEANINGS = {
    "change": "To check: one diff, or an archive of a project.",
    "submissions": "To compare: archives of submissions, or their files.",
    "earlier": "Earlier work, compared with the submissions but not with itself.",
    "template": "Code that everyone was given, which does not count.",
}
"""The meaning of each field with files."""

_FORMATS = {
    "html": "the page as a file",
    "json": "all values, for programs",
    "text": "what the command prints",
    "agent": "short, for an assistant",
    "csv": "a table of the pairs",
    "sarif": "for code scanning",
    "gitlab": "for a merge request of GitLab",
    "cyclonedx": "a bill of materials",
    "spdx": "a bill of materials",
    "baseline": "the findings, to be accepted",
}


def router(queue: JobQueue, uploads: Uploads) -> APIRouter:
    """The addresses under `/api/v1/jobs`."""
    made = APIRouter(prefix=f"{PREFIX}/jobs")
    store = queue.store

    def shown(name: str, summary: str, result: Any, status: int = 200) -> dict[str, Any]:
        responses = described(result, status)
        return {"operation_id": name, "summary": summary, "status_code": status, "responses": responses}

    sent = {"required": True, "content": {"multipart/form-data": {"schema": _form()}}}
    doing = "Check a project, or compare submissions, in the background."

    @made.post("", **shown("make_job", doing, models.JobResult, 202), openapi_extra={"requestBody": sent})
    async def make(request: Request) -> Response:
        job = await uploads.receive(request)
        return JSONResponse(_values(queue, job), 202, {"Location": f"{PREFIX}/jobs/{job.id}"})

    @made.get("", **shown("jobs", "Your jobs, the newest first.", models.JobsResult))
    async def jobs(request: Request) -> Response:
        own = store.jobs(_owner(request))
        return JSONResponse({"format": FORMAT, "jobs": [_values(queue, job) for job in own]})

    @made.get("/{job}", **shown("job", "How far a job is.", models.JobResult))
    async def one(request: Request, job: str) -> Response:
        return JSONResponse(_values(queue, store.job(job, _owner(request))))

    @made.delete("/{job}", **shown("delete_job", "Stop a job, and delete its report.", None, 204))
    async def delete(request: Request, job: str) -> Response:
        store.remove(store.job(job, _owner(request)).id)
        return Response(status_code=204)

    as_file = "The report of a job as a file, in one of the formats that the job lists."

    @made.get("/{job}/report/{name}", **shown("report", as_file, None))
    async def report(request: Request, job: str, name: str) -> Response:
        found = store.job(job, _owner(request))
        if name not in found.formats:
            raise NotFound(f"this job has no report of that format; it has {', '.join(found.formats) or 'none yet'}")
        if name == "html" and not _may_show(request, found):
            return _refused()
        file = store.path(found.id) / REPORT / found.formats[name]
        return FileResponse(file, media_type="application/octet-stream", filename=f"{found.kind}-{file.name}")

    @made.get("/{job}/reviews", **shown("reviews", "The reviews of a comparison, as its page exports them.", None))
    async def reviews(request: Request, job: str) -> Response:
        return Response(dump_reviews(store.reviews(comparison(request, job).id)), media_type="application/json")

    @made.put("/{job}/reviews/{pair}", **shown("review", "Keep the review of a pair of a comparison.", None, 204))
    async def review(request: Request, job: str, pair: models.PairId, body: models.ReviewRequest) -> Response:
        store.keep_review(comparison(request, job).id, pair, Review(body.state, body.note))
        return Response(status_code=204)

    def comparison(request: Request, name: str) -> UploadJob:
        found = store.job(name, _owner(request))
        if found.kind is not JobKind.COMPARE:
            raise NotFound("only comparisons have reviews; this is a check")
        return found

    return made


def pages(queue: JobQueue, uploads: Uploads) -> APIRouter:
    """The addresses `/check`, `/compare` and `/jobs`."""
    made = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
    store = queue.store

    def add_form(kind: JobKind) -> None:
        @made.get(f"/{kind}")
        async def form() -> Response:
            return page(kind, problem="")

        @made.post(f"/{kind}")
        async def send(request: Request) -> Response:
            try:
                job = await uploads.receive(request, kind)
            except UsageError as error:
                return page(kind, 422, problem=str(error))
            return RedirectResponse(f"/jobs/{job.id}?open", 303)

    for kind in JobKind:
        add_form(kind)

    @made.get("/jobs")
    async def jobs(request: Request) -> Response:
        return page("jobs", jobs=[_values(queue, job) for job in store.jobs(_owner(request))])

    @made.get("/jobs/{name}")
    async def one(request: Request, name: str) -> Response:
        job = found(request, name)
        if "open" in request.query_params and job.page and _may_show(request, job):
            return RedirectResponse(f"/jobs/{job.id}/report", 303)
        return page("job", job=_values(queue, job), has_page=_may_show(request, job), formats=_FORMATS)

    @made.get("/jobs/{name}/report")
    async def report(request: Request, name: str) -> Response:
        job = found(request, name)
        if not job.page:
            raise NotFound("there is no report yet")
        if not _may_show(request, job):
            return _refused()
        # The page has its own style and script inside, so it has its own policy.
        headers = {"Content-Security-Policy": f"{job.policy}; frame-ancestors 'none'"}
        return FileResponse(store.path(job.id) / REPORT / job.page, headers=headers, media_type="text/html")

    @made.post("/jobs/{name}/delete")
    async def delete(request: Request, name: str) -> Response:
        store.remove(found(request, name).id)
        return RedirectResponse("/jobs", 303)

    def found(request: Request, name: str) -> UploadJob:
        return store.job(name, _owner(request))

    return made


def _values(queue: JobQueue, job: UploadJob) -> dict[str, Any]:
    """A job as JSON has it; see `models.JobResult`."""
    ends_at = queue.store.ends_at(job)
    return {
        "format": FORMAT,
        "id": job.id,
        "kind": job.kind,
        "state": job.state,
        "title": job.title,
        "made": datetime.fromtimestamp(int(job.made), UTC).isoformat(),
        "deleted": None if ends_at is None else ends_at.isoformat(),
        "before": queue.place(job) if job.state is JobState.WAITING else 0,
        "progress": _progress(queue, job),
        "message": job.message,
        "reports": {name: f"{PREFIX}/jobs/{job.id}/report/{name}" for name in job.formats},
    }


def _owner(request: Request) -> str:
    identity: str = request.scope["person"].identity
    return identity


def _may_show(request: Request, job: UploadJob) -> bool:
    """False if the page of the report has indexed code, and whoever asks may not read it."""
    return job.kind is JobKind.COMPARE or Right.READ in request.scope["person"].rights


def _refused() -> Response:
    detail = f"your token does not allow to {RIGHTS[Right.READ]}, which this report has; ask for another format"
    return problem(403, "right", detail, title="The token does not allow this")


def _progress(queue: JobQueue, job: UploadJob) -> str:
    try:
        return "" if job.has_ended else (queue.store.path(job.id) / PROGRESS).read_text("utf-8")
    except (OSError, ValueError):
        return ""


def _form() -> dict[str, Any]:
    one = {"type": "string", "format": "binary"}
    several = {"type": "array", "items": one}
    files = {name: {**(one if name == "change" else several), "description": text} for name, text in _MEANINGS.items()}
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {
            "kind": {"type": "string", "enum": [*PURPOSES], "description": "What to do."},
            **files,
            "diff": {"type": "string", "description": "To check: a diff as text, in place of a file."},
            "options": {
                "type": "string",
                "description": "Options as a JSON object: CheckJobOptions, CompareJobOptions.",
            },
        },
    }


MOST_FILES, MOST_FIELDS = 500, 20  # the highest numbers of files and of other fields in a form

PURPOSES = {JobKind.CHECK: (CHANGE,), JobKind.COMPARE: (SUBMISSIONS, EARLIER, TEMPLATE)}
"""The fields with files, by kind of job. The first one must have a file."""

PASTED = "pasted.diff"  # the name of a diff that was pasted, not uploaded

_MISSING = {
    JobKind.CHECK: "there is nothing to check; paste a diff, or choose one file: a diff or an archive",
    JobKind.COMPARE: "there is nothing to compare; choose archives or files of submissions",
}

_NAME_BYTES = 150  # a longer name of a file is cut, at its beginning

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

        Raises UsageError if a field is wrong or missing, QueueFull if the server takes no more jobs for now, and
        HTTPException if the body is not a form, or too long.
        """
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
            name = self._queue.begin(_owner(request))
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
                job = UploadJob(name, chosen, _owner(request), title, time.time(), options=options)
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
