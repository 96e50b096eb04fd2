"""The page that checks a change: a form for a diff, and the report in any format of `wherefrom check`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wherefrom.errors import UsageError
from wherefrom.index import Index
from wherefrom.options import CheckOptions
from wherefrom.reports.check import RENDERERS
from wherefrom.reports.look import Look
from wherefrom.reports.pages.rendering import assets
from wherefrom.serve.web.assets import RenderedPage, page

PAGE = "html"
"""The format that is shown; the others are downloaded."""

ENDINGS = {
    "text": "txt",
    "sarif": "sarif",
    "json": "json",
    "gitlab": "json",
    "cyclonedx": "cdx.json",
    "spdx": "spdx.json",
}
"""The endings of downloaded files, by format."""


@dataclass(frozen=True, slots=True)
class ChangeForm:
    """The form, each field as the user typed it.

    Attributes:
        diff: the output of `git diff`.
        format: a key of `RENDERERS`.
    """

    diff: str = ""
    format: str = PAGE


def check_form(problem: str = "", form: ChangeForm | None = None) -> RenderedPage:
    """The page with the form, and the problem of the last one."""
    formats = [(name, "a page" if name == PAGE else f"a file, {name}") for name in (PAGE, *ENDINGS)]
    return page("check", 422 if problem else 200, problem=problem, form=form or ChangeForm(), formats=formats)


def check_report(index: Index, form: ChangeForm, given: CheckOptions) -> bytes:
    """The report of a change. Raises UsageError for another format, and the errors of `Index.check_diff`."""
    renderer = RENDERERS.get(form.format)
    if renderer is None:
        raise UsageError(f"there is no format {form.format[:50]!r}; choose one of {', '.join(RENDERERS)}")
    if renderer.ready is not None:
        renderer.ready()
    report = index.check_diff(form.diff, replace(given, jobs=1))
    return "".join(renderer.write(report, Look())).encode()


def headers(form: ChangeForm) -> dict[str, str]:
    """The headers of a report. Its page has its own style and script inside, so it has its own policy."""
    if form.format == PAGE:
        return {"Content-Security-Policy": f"{assets('common.js', 'check.js').policy}; frame-ancestors 'none'"}
    return {"Content-Disposition": f'attachment; filename="check.{ENDINGS[form.format]}"'}
