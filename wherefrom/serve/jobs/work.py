"""The process of a job. `python -m wherefrom.serve.jobs.work FOLDER` reads the uploads in that folder, and writes the
report there.

Standard input has an `Order`, pickled. It is a pipe that ends with the server, and then the job ends too.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import wherefrom
from wherefrom.errors import ExtraMissing, NotFound, WherefromError
from wherefrom.extend import baseline_of, is_archive, likely_unit
from wherefrom.options import CompareOptions
from wherefrom.reports.check import text as check_text
from wherefrom.reports.check import words as check_words
from wherefrom.reports.compare import html as compare_html
from wherefrom.reports.compare import text as compare_text
from wherefrom.reports.pages.rendering import assets
from wherefrom.reports.renderer import Look
from wherefrom.results import ComparedFile, Comparison
from wherefrom.serve.jobs.store import OUTCOME, PROGRESS, REPORT, UPLOADS, JobKind, Order, UploadJob
from wherefrom.support.printable import one_line
from wherefrom.support.system import system
from wherefrom.support.writing import write_whole

_Progress = TypeVar("_Progress")

CHANGE, SUBMISSIONS, EARLIER, TEMPLATE = "change", "submissions", "earlier", "template"
"""The folders in the uploads, by what the files in them are for."""

ENDINGS = {
    "html": "html",
    "json": "json",
    "text": "txt",
    "agent": "agent.txt",
    "csv": "csv",
    "sarif": "sarif",
    "gitlab": "gitlab.json",
    "cyclonedx": "cdx.json",
    "spdx": "spdx.json",
    "baseline": "baseline.json",
    "page": "page.html",
}
"""The endings of the files of a report, by format."""

NICENESS = 10  # searches go first: the process lowers its priority by this much


def main() -> None:
    """Does the job in the folder that the command line names."""
    order: Order = pickle.load(sys.stdin.buffer)  # noqa: S301 -- from the server that started this process
    threading.Thread(target=_end_with_server, daemon=True).start()
    system.lower_priority(NICENESS)
    folder = Path(sys.argv[1])
    try:
        # The sources are named by relative paths, so that no report has a path of the server.
        os.chdir(folder / UPLOADS)
        (folder / REPORT).mkdir(exist_ok=True)
        try:
            outcome = _WORK[order.job.kind](order, folder)
        except WherefromError as error:
            outcome = {"message": one_line(_within(str(error)))}
        write_whole(folder / OUTCOME, json.dumps(outcome).encode("ascii"))
    except OSError:
        if folder.exists():
            raise
        # The job was removed, and the server is about to stop this process.


def _check(order: Order, folder: Path) -> dict[str, Any]:
    options = replace(
        order.given, **order.job.options, jobs=order.processes, progress=_teller(folder, check_text.live_line)
    )
    [upload] = map(Path, _names(CHANGE))
    with order.opener() as index:
        is_project = is_archive(upload)
        report = index.check([upload], options) if is_project else index.check_diff(upload.read_bytes(), options)
        report = replace(report, project=order.job.title, index="")  # no path of the server
        formats = {}
        for name, renderer in check_text.RENDERERS.items():
            with suppress(ExtraMissing):  # the server's owner has not installed it
                if renderer.ready is not None:
                    renderer.ready()
                formats[name] = _write(folder, name, renderer.write(report, Look()))
    failing = filter(report.is_failing, report.findings)
    known = baseline_of(wherefrom.BaselineEntry(finding.path, finding.rule, finding.fingerprint) for finding in failing)
    formats["baseline"] = _write(folder, "baseline", [json.dumps(known, indent=1), "\n"])
    shown = (folder / REPORT / formats["html"]).read_text("utf-8", "surrogateescape")
    page = _write(folder, "page", _with_way_back(shown, order.job))
    policy = assets("common.js", "check.js").policy
    return {"message": check_words.summary(report), "formats": formats, "page": page, "policy": policy}


def _compare(order: Order, folder: Path) -> dict[str, Any]:
    submissions = _names(SUBMISSIONS)
    options = replace(
        CompareOptions(by=likely_unit(submissions), archive=_names(EARLIER), template=_names(TEMPLATE)),
        **order.job.options,
        jobs=order.processes,
        progress=_teller(folder, compare_text.live_line),
    )
    comparison = _relative(wherefrom.compare_sources(submissions, options))
    failed = [f"{report.key} cannot be read: {report.error}" for report in comparison.failed]
    if comparison.has_nothing_to_compare:
        raise NotFound("; ".join([*comparison.warnings, *failed]))
    renderers = compare_text.RENDERERS.items()
    formats = {name: _write(folder, name, renderer.write(comparison, Look())) for name, renderer in renderers}
    formats["html"] = _write(folder, "html", compare_html.write(comparison))
    # The page that the server shows keeps reviews there. The file for others does not ask a server.
    reviews = f"/api/v1/jobs/{order.job.id}/reviews"
    shown = "".join(compare_html.write(comparison, reviews=reviews))
    page = _write(folder, "page", _with_way_back(shown, order.job))
    message = one_line("; ".join([compare_text.summary(comparison), *comparison.warnings, *failed]))
    policy = compare_html.page_assets(reviews).policy
    return {"message": message, "formats": formats, "page": page, "policy": policy}


def _with_way_back(text: str, job: UploadJob) -> list[str]:
    """The page of a report with links to the other pages of the server."""
    links = f'<a href="/jobs">All reports</a> <a href="/jobs/{job.id}">Downloads of this one</a>'
    return [text.replace("<header ", f'<nav aria-label="Server" class="screen parts">{links}</nav>\n<header ', 1)]


def _relative(comparison: Comparison) -> Comparison:
    """The comparison without the paths of the server: the repositories of its files are relative to the uploads."""

    def named(file: ComparedFile) -> ComparedFile:
        return replace(file, occurrence=replace(file.occurrence, repository=_within(file.occurrence.repository)))

    return replace(
        comparison,
        files=tuple(map(named, comparison.files)),
        failed=tuple(
            replace(failed, key=_within(failed.key), error=_within(failed.error or "")) for failed in comparison.failed
        ),
        skipped_files=tuple(replace(file, repository=_within(file.repository)) for file in comparison.skipped_files),
        repositories={_within(key): record for key, record in comparison.repositories.items()},
    )


def _within(text: str) -> str:
    """A text with the paths of uploads made relative to the working directory, which has all uploads."""
    return text.replace(f"{Path.cwd()}/", "")


_WORK = {JobKind.CHECK: _check, JobKind.COMPARE: _compare}


def _names(purpose: str) -> list[str]:
    folder = Path(purpose)
    return sorted(map(str, folder.iterdir())) if folder.exists() else []


def _teller(folder: Path, line: Callable[[_Progress, int], str]) -> Callable[[_Progress], None]:
    def tell(progress: _Progress) -> None:
        (folder / PROGRESS).write_text(line(progress, 200), "utf-8", "replace")

    return tell


def _write(folder: Path, name: str, parts: Iterable[str]) -> str:
    file = f"report.{ENDINGS[name]}"
    with (folder / REPORT / file).open("w", encoding="utf-8", errors="surrogateescape", newline="") as opened:
        opened.writelines(parts)
    return file


def _end_with_server() -> None:
    """Ends this process and those that it started when the server closes the pipe, or ends."""
    system.wait_for_parent()
    system.end_group(0)


if __name__ == "__main__":
    main()
