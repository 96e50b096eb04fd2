"""The pages of jobs: the forms for a check and a comparison, the list of jobs, and the page and report of each."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse

from wherefrom.errors import NotFound, UsageError
from wherefrom.serve.jobs.queue import JobQueue
from wherefrom.serve.jobs.store import REPORT, JobKind, UploadJob
from wherefrom.serve.web.assets import page
from wherefrom.serve.web.jobs_api import may_show, owner, refused, values
from wherefrom.serve.web.uploads import Uploads


def router(queue: JobQueue, uploads: Uploads) -> APIRouter:
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
            return RedirectResponse(f"/jobs/{job.id}", 303)

    for kind in JobKind:
        add_form(kind)

    @made.get("/jobs")
    async def jobs(request: Request) -> Response:
        return page("jobs", jobs=[values(queue, job) for job in store.jobs(owner(request))])

    @made.get("/jobs/{name}")
    async def one(request: Request, name: str) -> Response:
        job = found(request, name)
        return page("job", job=values(queue, job), has_page=may_show(request, job))

    @made.get("/jobs/{name}/report")
    async def report(request: Request, name: str) -> Response:
        job = found(request, name)
        if not job.page:
            raise NotFound("there is no report yet")
        if not may_show(request, job):
            return refused()
        # The page has its own style and script inside, so it has its own policy.
        headers = {"Content-Security-Policy": f"{job.policy}; frame-ancestors 'none'"}
        return FileResponse(store.path(job.id) / REPORT / job.page, headers=headers, media_type="text/html")

    @made.post("/jobs/{name}/delete")
    async def delete(request: Request, name: str) -> Response:
        store.remove(found(request, name).id)
        return RedirectResponse("/jobs", 303)

    def found(request: Request, name: str) -> UploadJob:
        return store.job(name, owner(request))

    return made
