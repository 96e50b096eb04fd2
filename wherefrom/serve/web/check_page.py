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


def check_form(form: ChangeForm, problem: str = "", status: int = 200) -> RenderedPage:
    """The page with the form, and why the last one was refused."""
    formats = [(name, "a page" if name == PAGE else f"a file, {name}") for name in (PAGE, *ENDINGS)]
    return page("check", status, problem=problem, form=form, formats=formats)


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
        policy = f"{assets('common.js', 'check.js').policy}; frame-ancestors 'none'"
        return {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy}
    name = f'attachment; filename="check.{ENDINGS[form.format]}"'
    return {"Content-Type": "application/octet-stream", "Content-Disposition": name}
