"""Checks and comparisons of uploads, which run in the background: their API and their pages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse

from wherefrom.compare.reviews import dump_reviews
from wherefrom.errors import NotFound, UsageError
from wherefrom.results import Review
from wherefrom.serve.jobs.queue import JobQueue
from wherefrom.serve.jobs.store import PROGRESS, REPORT, JobKind, JobState, UploadJob
from wherefrom.serve.people import RIGHTS, Right
from wherefrom.serve.web import models
from wherefrom.serve.web.api import PREFIX, described
from wherefrom.serve.web.assets import page
from wherefrom.serve.web.problems import problem
from wherefrom.serve.web.uploads import PURPOSES, Uploads
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

    @made.post(
        "",
        status_code=202,
        operation_id="make_job",
        summary="Check a project, or compare submissions, in the background.",
        responses=described(models.JobResult, 202),
        openapi_extra={"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _form()}}}},
    )
    async def make(request: Request) -> Response:
        job = await uploads.receive(request)
        return JSONResponse(_values(queue, job), 202, {"Location": f"{PREFIX}/jobs/{job.id}"})

    @made.get("", operation_id="jobs", summary="Your jobs, the newest first.", responses=described(models.JobsResult))
    async def jobs(request: Request) -> Response:
        own = store.jobs(_owner(request))
        return JSONResponse({"format": FORMAT, "jobs": [_values(queue, job) for job in own]})

    @made.get("/{job}", operation_id="job", summary="How far a job is.", responses=described(models.JobResult))
    async def one(request: Request, job: str) -> Response:
        return JSONResponse(_values(queue, store.job(job, _owner(request))))

    @made.delete(
        "/{job}",
        status_code=204,
        operation_id="delete_job",
        summary="Stop a job, and delete its report.",
        responses=described(None, 204),
    )
    async def delete(request: Request, job: str) -> Response:
        store.remove(store.job(job, _owner(request)).id)
        return Response(status_code=204)

    @made.get(
        "/{job}/report/{name}",
        operation_id="report",
        summary="The report of a job as a file, in one of the formats that the job lists.",
        responses=described(None),
    )
    async def report(request: Request, job: str, name: str) -> Response:
        found = store.job(job, _owner(request))
        if name not in found.formats:
            raise NotFound(f"this job has no report of that format; it has {', '.join(found.formats) or 'none yet'}")
        if name == "html" and not _may_show(request, found):
            return _refused()
        file = store.path(found.id) / REPORT / found.formats[name]
        return FileResponse(file, media_type="application/octet-stream", filename=f"{found.kind}-{file.name}")

    @made.get(
        "/{job}/reviews",
        operation_id="reviews",
        summary="The reviews of a comparison, as its page exports them.",
        responses=described(None),
    )
    async def reviews(request: Request, job: str) -> Response:
        kept = store.reviews(comparison(request, job).id)
        return Response(dump_reviews(kept), media_type="application/json")

    @made.put(
        "/{job}/reviews/{pair}",
        status_code=204,
        operation_id="review",
        summary="Keep the review of a pair of a comparison.",
        responses=described(None, 204),
    )
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
    """The answer if the report has code that whoever asks may not read."""
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
